// Python: a module with NumPy functions and a solve_ivp driver that prints CSV.
#include "export/python.h"

#include "export/python_events.h"

#include <string.h>

#include "export/tables.h"
#include "export/template.h"
#include "qdot/qdot.h"
#include "solve/algebra/kkt.h"

typedef struct Writer {
  const ExportContent *c;
  Arena *arena;
  Text *out;
} Writer;

static void write_head(Writer *w) {
  const ExportContent *c = w->c;
  text_addf(
      w->out,
      "\"\"\"Equations of motion of \"%s\".\n\n"
      "    M(q) q'' + h(q, q', t) + D + G = Q - Phi_q^T lam,  Phi_q q'' = gamma\n\n"
      "Written by Qdot %s%s%s.\nSI units, angles in radians. Needs NumPy; simulate needs SciPy.\n"
      "\"\"\"\nimport numpy as np\n\n",
      c->title, QDOT_VERSION, c->source ? " from " : "", c->source ? c->source : "");
  text_add(w->out, "coordinates = [");
  for (uint32_t i = 0; i < c->system->n; i++)
    text_addf(w->out, "%s\"%s\"", i ? ", " : "",
              symbol_text(c->cx, c->system->model->coordinates.at[i].name));
  text_add(w->out, "]\n\n\n");
}

static void write_parameters(Writer *w) {
  const ExportContent *c = w->c;
  const Model *model = c->system->model;
  const char **targets = arena_array(w->arena, const char *, model->parameters.n + 1);
  text_add(w->out,
           "class Parameters:\n    \"\"\"Parameters with the model's values, in SI units.\n");
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    text_addf(w->out, "\n    %s", parameter_text(c, i));
    targets[i] = text_format(w->arena, "self.%s", c->parameters[i]);
  }
  text_add(w->out, "\n    \"\"\"\n\n    def __init__(self):\n");
  if (!model->parameters.n) text_add(w->out, "        pass\n");
  content_write_defaults(c, DIALECT_PYTHON, "        ", targets, w->out);
  text_add(w->out, "\n\n");
}

static void write_quantity(Writer *w, const ExportQuantity *quantity) {
  const ExportContent *c = w->c;
  static const char *const taken[] = {"p", "t", "q", "qd", "inputs", "qdd", "lam", "value", NULL};
  FunctionBody body = content_body(c, DIALECT_PYTHON, taken, quantity->takes);
  uint32_t columns = quantity->columns ? quantity->columns : 1, n = quantity->rows * columns;
  const char **targets = arena_array(w->arena, const char *, n + 1);
  for (uint32_t i = 0; i < n; i++)
    targets[i] = entry_text(w->arena, DIALECT_PYTHON, "value", i / columns,
                            quantity->columns ? (int)(i % columns) : -1);
  text_addf(w->out, "def %s(t, q%s%s%s%s, p):\n    \"\"\"%s\"\"\"\n", quantity->name,
            quantity->takes & TAKES_QD ? ", qd" : "", quantity->takes & TAKES_U ? ", inputs" : "",
            quantity->takes & TAKES_QDD ? ", qdd" : "",
            quantity->takes & TAKES_LAMBDA ? ", lam" : "", quantity->meaning);
  if (quantity->columns)
    text_addf(w->out, "    value = np.zeros((%u, %u))\n", quantity->rows, quantity->columns);
  else
    text_addf(w->out, "    value = np.zeros(%u)\n", quantity->rows);
  content_write_program(c, DIALECT_PYTHON, quantity->program, "    ", &body, targets, w->out);
  text_add(w->out, "    return value\n\n\n");
}

static void add_array(Writer *w, const double *values, uint32_t n) {
  text_add(w->out, "np.array([");
  for (uint32_t i = 0; i < n; i++) {
    text_add(w->out, i ? ", " : "");
    emit_number(DIALECT_PYTHON, values[i], w->out);
  }
  text_add(w->out, "])");
}

// The rule of solve/algebra/kkt.c.
static const char *const saddle =
    "class Rows:\n"
    "    \"\"\"What the constraints have been like in a motion: the largest norms of their "
    "rows.\n\n"
    "    Dead positions are seen by what they are now.\n"
    "    \"\"\"\n\n"
    "    def __init__(self):\n"
    "        self.norm = np.zeros(m)\n\n\n"
    "def factor(a):\n"
    "    \"\"\"L with a = L L^T; None where too little of a diagonal entry is left.\"\"\"\n"
    "    try:\n"
    "        L = np.linalg.cholesky(a)\n"
    "    except np.linalg.LinAlgError:\n"
    "        return None\n"
    "    return L if np.all(np.diag(L)**2 > least_pivot*np.diag(a)) else None\n\n\n"
    "def rank_of(slope, b):\n"
    "    \"\"\"How many directions the constraints determine: a matter of geometry, not of "
    "masses.\n\n"
    "    Of slope in units of the coordinates, with rows as small as they have become in b, those\n"
    "    singular values are cut that lie far below the largest and a gap below the last one "
    "kept.\n"
    "    \"\"\"\n"
    "    a = slope*unit\n"
    "    norm = np.linalg.norm(a, axis=1)\n"
    "    a *= (np.linalg.norm(b, axis=1)/np.where(norm > 0, norm, 1))[:, None]\n"
    "    sizes = np.linalg.svd(a, compute_uv=False)\n"
    "    rank = 0\n"
    "    while rank < len(sizes) and sizes[rank] > 0 and (\n"
    "            rank == 0 or sizes[rank] > cut*sizes[0] or sizes[rank] > gap*sizes[rank - 1]):\n"
    "        rank += 1\n"
    "    return rank\n\n\n"
    "class Saddle:\n"
    "    \"\"\"The constraints at a state: M = L L^T and rows b = L^-1 Phi_q^T of length 1 at "
    "most.\"\"\"\n\n"
    "    def __init__(self, t, q, p, rows):\n"
    "        mass, self.slope = M(t, q, p), Phi_q(t, q, p)\n"
    "        self.weight = np.zeros(m)\n"
    "        self.L = factor(mass)\n"
    "        if self.L is None:\n"
    "            # every row weighs like the masses that it moves\n"
    "            diagonal = np.diag(mass)\n"
    "            inverse = np.where(diagonal > 0, 1/np.where(diagonal > 0, diagonal, 1), 0)\n"
    "            square, moved = np.sum(self.slope**2, axis=1), self.slope**2 @ inverse\n"
    "            self.weight = np.where(moved > 0, 1/np.where(moved > 0, moved, 1),\n"
    "                                   np.mean(diagonal)/np.where(square > 0, square, 1))\n"
    "            self.L = factor(mass + self.slope.T @ (self.weight[:, None]*self.slope))\n"
    "        if self.L is None:\n"
    "            raise ArithmeticError(\"the mass matrix is singular at t = %g\" % t)\n"
    "        b = np.linalg.solve(self.L, self.slope.T).T\n"
    "        rows.norm = np.maximum(rows.norm, np.linalg.norm(b, axis=1))\n"
    "        self.norm = np.where(rows.norm > 0, rows.norm, 1)\n"
    "        self.b = b/self.norm[:, None]\n"
    "        rank = rank_of(self.slope, self.b)\n"
    "        u, s, v = np.linalg.svd(self.b, full_matrices=False)\n"
    "        self.u, self.s, self.v = u[:, :rank], s[:rank], v[:rank]\n\n"
    "    def meet(self, c):\n"
    "        \"\"\"y and z = b^T y with b z = c, as far as the rank allows.\"\"\"\n"
    "        along = self.u.T @ c/self.s\n"
    "        return self.u @ (along/self.s), self.v.T @ along\n\n"
    "    def correction(self, residual):\n"
    "        \"\"\"The least mass-weighted change that takes a residual away, and its size.\"\"\"\n"
    "        z = self.meet(-residual/self.norm)[1]\n"
    "        return np.linalg.solve(self.L.T, z), np.linalg.norm(z)\n\n\n"
    "def accelerations(t, q, qd, u, p, rows=None):\n"
    "    \"\"\"Accelerations and constraint forces; rows are needed near dead positions.\"\"\"\n"
    "    f = Q(t, q, qd, u, p) - h(t, q, qd, p) - D(t, q, qd, u, p) - G(t, q, u, p)\n"
    "    saddle = Saddle(t, q, p, rows or Rows())\n"
    "    gamma = Gamma(t, q, qd, u, p)\n"
    "    x = np.linalg.solve(saddle.L, f + saddle.slope.T @ (saddle.weight*gamma))\n"
    "    y, z = saddle.meet(gamma/saddle.norm - saddle.b @ x)\n"
    "    return np.linalg.solve(saddle.L.T, x + z), -y/saddle.norm\n\n\n"
    "def project(t, x, u, p, rows):\n"
    "    \"\"\"The state moved onto the constraints by the least mass-weighted change.\"\"\"\n"
    "    q, qd = x[:n].copy(), x[n:].copy()\n"
    "    saddle, before = Saddle(t, q, p, rows), np.inf\n"
    "    for _ in range(12):\n"
    "        change, size = saddle.correction(Phi(t, q, p))\n"
    "        q += change\n"
    "        if size == 0 or size > 0.5*before:  # only rounding is left\n"
    "            break\n"
    "        before = size\n"
    "    saddle = Saddle(t, q, p, rows)\n"
    "    for _ in range(2):\n"
    "        qd += saddle.correction(Phi_dot(t, q, qd, u, p))[0]\n"
    "    return np.concatenate([q, qd])\n\n\n";

static void write_saddle(Writer *w) {
  const System *s = w->c->system;
  text_addf(w->out, "n, m = %u, %u\n", s->n, s->row_count);
  text_add(w->out, "# sizes of the coordinates\nunit = ");
  add_array(w, w->c->unit, s->n);
  text_addf(
      w->out,
      "\n# singular values below `cut` of the largest and below `gap` of the one before are cut\n"
      "cut, gap, least_pivot = %g, %g, %g\n\n\n",
      KKT_CUT_BELOW, KKT_CUT_BEHIND, KKT_MASS_PIVOT);
  text_add(w->out, saddle);
}

static void write_accelerations(Writer *w) {
  if (w->c->system->row_count) {
    write_saddle(w);
    return;
  }
  if (w->c->system->n == 0) { // states alone
    text_add(w->out, "def accelerations(t, q, qd, u, p):\n"
                     "    \"\"\"There are no coordinates to accelerate.\"\"\"\n"
                     "    return np.zeros(0), np.zeros(0)\n\n\n");
    return;
  }
  text_add(w->out,
           "def accelerations(t, q, qd, u, p):\n"
           "    \"\"\"Accelerations and constraint forces.\"\"\"\n"
           "    f = Q(t, q, qd, u, p) - h(t, q, qd, p) - D(t, q, qd, u, p) - G(t, q, u, p)\n"
           "    return np.linalg.solve(M(t, q, p), f), np.zeros(0)\n\n\n");
}

static void write_start(Writer *w) {
  const ExportContent *c = w->c;
  text_add(w->out,
           "def initial_state():\n    \"\"\"Coordinates and velocities at t = 0.\"\"\"\n    q = ");
  add_array(w, c->q, c->system->n);
  text_add(w->out, "\n    qd = ");
  add_array(w, c->qd, c->system->n);
  if (c->system->states) {
    text_add(w->out, "\n    states = ");
    add_array(w, c->states, c->system->states);
  }
  text_addf(w->out,
            "\n    return np.concatenate([q, qd%s])\n\n\n"
            "def default_inputs():\n    return ",
            c->system->states ? ", states" : "");
  add_array(w, c->u, c->system->model->inputs.n);
  text_add(w->out, "\n\n\n");
}

// Every step ends on the constraints; so do the rows, which lie within steps.
static const char *const constrained_run =
    "    rows = Rows() if rows is None else rows\n"
    "    x = onto(0.0, initial_state(), u, p, rows)\n"
    "    states, solver = [x], DOP853(lambda t, x: rhs(t, x, u, p, rows), 0.0, x, end,\n"
    "                                 rtol=rtol, atol=atol)\n"
    "    while len(states) < len(times):\n"
    "        message = solver.step()\n"
    "        if solver.status == \"failed\":\n"
    "            raise RuntimeError(\"at t = %%g: %%s\" %% (solver.t, message))\n"
    "        if len(states) < len(times) and times[len(states)] <= solver.t:\n"
    "            within = solver.dense_output()\n"
    "            while len(states) < len(times) and times[len(states)] <= solver.t:\n"
    "                at = times[len(states)]\n"
    "                row = onto(at, within(at), u, p, rows)\n"
    "%s"
    "                states.append(row)\n"
    "        solver.y = onto(solver.t, solver.y, u, p, rows)\n"
    "        solver.f = rhs(solver.t, solver.y, u, p, rows)\n"
    "    return times, np.array(states)\n\n\n";

// project, or its like for models with states.
static const char *with_projection(Writer *w, const char *text) {
  if (w->c->system->states) return text;
  Text out = text_new(w->arena);
  for (const char *next; (next = strstr(text, "onto(")); text = next + strlen("onto(")) {
    text_add_bytes(&out, text, (size_t)(next - text));
    text_add(&out, "project(");
  }
  text_add(&out, text);
  return out.at;
}

// ---- States and samples

static const char *const sampler =
    "class Sampler:\n"
    "    \"\"\"Samples: at k times its period a line takes values, which act after its "
    "delay.\"\"\"\n\n"
    "    def __init__(self, p):\n"
    "        self.times = sample_times(0.0, None, p).reshape(-1, 2)\n"
    "        self.k = [0]*len(self.times)\n"
    "        self.waiting = [[] for _ in self.times]\n\n"
    "    def act(self, t, x, u, p):\n"
    "        \"\"\"What is due at t, by the state there.\"\"\"\n"
    "        for i, (period, delay) in enumerate(self.times):\n"
    "            first, count = lines[i]\n"
    "            these, until = slice(first, first + count), t + 1e-9*period\n"
    "            while self.waiting[i] and self.waiting[i][0][0] <= until:\n"
    "                u[targets[these]] = self.waiting[i].pop(0)[1]\n"
    "            if self.k[i]*period > until:\n"
    "                continue\n"
    "            values = samples(t, x[:n], x[n:2*n], inputs_of(u, x), p)[these]\n"
    "            if delay > 0:\n"
    "                self.waiting[i].append((self.k[i]*period + delay, values))\n"
    "            else:\n"
    "                u[targets[these]] = values\n"
    "            self.k[i] += 1\n\n"
    "    def next(self):\n"
    "        \"\"\"When something is due next.\"\"\"\n"
    "        moments = [k*period for k, (period, delay) in zip(self.k, self.times)]\n"
    "        return min(moments + [queue[0][0] for queue in self.waiting if queue])\n\n\n";

// Rows before a moment of samples show what was held, the row at it what they have assigned.
static const char *const sampled_run =
    "    u, sampler, t, soon = np.array(u, dtype=float), Sampler(p), 0.0, 1e-9*every\n"
    "%s"
    "    sampler.act(t, x, u, p)\n"
    "    states, held = [x], [u.copy()]\n"
    "    while t < end - soon:\n"
    "        until = min(sampler.next(), end)\n"
    "        inside = times[(times > t + soon) & (times < until - soon)]\n"
    "%s"
    "        held.extend([u.copy()]*len(inside))\n"
    "        if t >= sampler.next() - soon:\n"
    "            sampler.act(t, x, u, p)\n"
    "        if np.any(np.abs(times - t) <= soon):\n"
    "            states.append(x)\n"
    "            held.append(u.copy())\n"
    "    return times, np.array(states), np.array(held)\n\n\n";

static const char *const sampled_piece =
    "        result = solve_ivp(rhs, (t, until), x, method=\"DOP853\", t_eval=np.append(inside, "
    "until),\n"
    "                           args=(u, p), rtol=rtol, atol=atol)\n"
    "        if not result.success:\n"
    "            raise RuntimeError(result.message)\n"
    "        states.extend(result.y.T[:-1])\n"
    "        t, x = until, result.y.T[-1]\n";

static const char *const constrained_piece =
    "        solver = DOP853(lambda t, x: rhs(t, x, u, p, rows), t, x, until, rtol=rtol, "
    "atol=atol)\n"
    "        done = 0\n"
    "        while solver.t < until:\n"
    "            message = solver.step()\n"
    "            if solver.status == \"failed\":\n"
    "                raise RuntimeError(\"at t = %g: %s\" % (solver.t, message))\n"
    "            within = solver.dense_output()\n"
    "            while done < len(inside) and inside[done] <= solver.t:\n"
    "                states.append(onto(inside[done], within(inside[done]), u, p, rows))\n"
    "                done += 1\n"
    "            solver.y = onto(solver.t, solver.y, u, p, rows)\n"
    "            solver.f = rhs(solver.t, solver.y, u, p, rows)\n"
    "        t, x = until, solver.y\n";

static void write_sampled_run(Writer *w) {
  bool constrained = w->c->system->row_count > 0;
  text_addf(w->out, with_projection(w, sampled_run),
            constrained ? with_projection(w, "    rows = Rows() if rows is None else rows\n"
                                             "    x = onto(t, initial_state(), u, p, rows)\n")
                        : "    x = initial_state()\n",
            constrained ? with_projection(w, constrained_piece) : sampled_piece);
}

// Inputs as the functions take them: states stand behind those of the model.
static void write_inputs(Writer *w) {
  const ExportContent *c = w->c;
  const Model *model = c->system->model;
  bool samples = content_samples(c), events = content_has_events(c);
  if (!c->system->states && !samples && !events) return;
  if (!c->system->row_count) text_addf(w->out, "n = %u\n\n\n", c->system->n);
  text_addf(w->out,
            "def inputs_of(u, x):\n"
            "    \"\"\"The inputs u with the states of x behind them.\"\"\"\n"
            "    return %s\n\n\n",
            c->system->states ? "np.concatenate([u, x[2*n:]])" : "u");
  if (!samples) return;
  text_add(w->out, "# of every line that samples the first of its values and their number; what "
                   "these assign\nlines = [");
  for (uint32_t i = 0; i < model->samplings.n; i++)
    text_addf(w->out, "%s(%u, %u)", i ? ", " : "", model->samplings.at[i].first,
              model->samplings.at[i].count);
  text_add(w->out, "]\ntargets = np.array([");
  for (uint32_t i = 0; i < model->assignments.n; i++)
    text_addf(w->out, "%s%u", i ? ", " : "", c->sample_target[i]);
  text_addf(w->out, "])\n\n\n%s", sampler);
}

static void write_projection(Writer *w) {
  if (!w->c->system->states) return;
  text_add(w->out, "def onto(t, x, u, p, rows):\n"
                   "    \"\"\"The same with the states, which stay.\"\"\"\n"
                   "    moved = project(t, x[:2*n], inputs_of(u, x), p, rows)\n"
                   "    return np.concatenate([moved, x[2*n:]])\n\n\n");
}

static void write_free_run(Writer *w) {
  const System *s = w->c->system;
  text_add(w->out, "    events = None\n");
  if (s->contact_count)
    text_addf(
        w->out,
        "\n    # the first contact ends the run: impacts are left to Qdot\n"
        "    def events(t, x, u, p):\n        return np.max(contacts(t, x[:%u], p)) - NO_GAP\n"
        "    events.terminal, events.direction = True, 1\n\n",
        s->n);
  text_add(
      w->out,
      "    result = solve_ivp(rhs, (0.0, end), initial_state(), method=\"DOP853\", t_eval=times,\n"
      "                       args=(u, p), rtol=rtol, atol=atol, events=events)\n"
      "    if not result.success:\n        raise RuntimeError(result.message)\n");
  if (s->contact_count)
    text_addf(w->out,
              "    for t, x in zip(result.t_events[0], result.y_events[0]):\n"
              "        tell_contact(contacts(t, x[:%u], p), t)\n",
              s->n);
  text_add(w->out, "    return result.t, result.y.T\n\n\n");
}

static void write_simulate_head(Writer *w) {
  const ExportContent *c = w->c;
  text_add(w->out, "def simulate(p=None, u=None, end=");
  emit_number(DIALECT_PYTHON, c->end, w->out);
  text_add(w->out, ", every=");
  emit_number(DIALECT_PYTHON, c->every, w->out);
  text_add(w->out, ", rtol=");
  emit_number(DIALECT_PYTHON, c->rtol, w->out);
  text_add(w->out, ", atol=");
  emit_number(DIALECT_PYTHON, c->atol, w->out);
  text_addf(w->out, "%s):\n", c->system->row_count ? ",\n             rows=None" : "");
  text_add(
      w->out,
      "    \"\"\"The motion from the initial state: times, and one row of states each.\"\"\"\n");
}

static void write_contact_words(Writer *w) {
  text_add(w->out, "NO_GAP = ");
  emit_number(DIALECT_PYTHON, w->c->nothing, w->out);
  text_add(w->out, "\n\n\ndef tell_contact(gaps, t):\n"
                   "    \"\"\"Why the run ends before its time.\"\"\"\n"
                   "    import sys\n"
                   "    print(\"contact %d closes at t = %g; qdot export c goes on\" %\n"
                   "          (1 + int(np.argmax(gaps)), t), file=sys.stderr)\n\n\n");
}

static void write_simulate(Writer *w) {
  const System *s = w->c->system;
  const char *rows = s->row_count ? ", rows" : "";
  write_inputs(w);
  if (content_has_events(w->c)) write_python_events(w->c, w->out);
  if (s->row_count) write_projection(w);
  if (s->states)
    text_addf(w->out,
              "def rhs(t, x, u, p%s):\n    \"\"\"dx/dt of the state x = (q, qd, states).\"\"\"\n"
              "    q, qd, inputs = x[:n], x[n:2*n], inputs_of(u, x)\n"
              "    return np.concatenate([qd, accelerations(t, q, qd, inputs, p%s)[0],\n"
              "                           rates(t, q, qd, inputs, p)])\n\n\n",
              s->row_count ? ", rows=None" : "", rows);
  else
    text_addf(w->out,
              "def rhs(t, x, u, p%s):\n    \"\"\"dx/dt of the state x = (q, qd).\"\"\"\n"
              "    q, qd = x[:%u], x[%u:]\n"
              "    return np.concatenate([qd, accelerations(t, q, qd, u, p%s)[0]])\n\n\n",
              s->row_count ? ", rows=None" : "", s->n, s->n, rows);
  write_start(w);
  if (s->contact_count) write_contact_words(w);
  write_simulate_head(w);
  text_addf(w->out,
            "    from scipy.integrate import %s\n"
            "    p = Parameters() if p is None else p\n"
            "    u = default_inputs() if u is None else u\n"
            "    times = np.unique(np.append(np.arange(0.0, end, every), end))\n",
            s->row_count || content_has_events(w->c) ? "DOP853" : "solve_ivp");
  if (content_has_events(w->c)) {
    write_python_eventful_run(w->c, w->out);
    return;
  }
  if (content_samples(w->c)) {
    write_sampled_run(w);
    return;
  }
  if (s->row_count)
    text_addf(w->out, with_projection(w, constrained_run),
              s->contact_count
                  ? "                # impacts are left to Qdot\n"
                    "                gaps = contacts(at, row[:n], p)\n"
                    "                if np.max(gaps) > NO_GAP:\n"
                    "                    tell_contact(gaps, at)\n"
                    "                    return times[:len(states)], np.array(states)\n"
                  : "");
  else
    write_free_run(w);
}

static void write_main(Writer *w) {
  const ExportContent *c = w->c;
  const char *rows = c->system->row_count ? ", rows" : "";
  bool samples = content_samples(c) || content_has_events(c), states = c->system->states > 0;
  if (samples || states) {
    text_addf(w->out,
              "def main():\n    \"\"\"Prints the motion as CSV.\"\"\"\n"
              "    p, u%s = Parameters(), default_inputs()%s\n"
              "    print(\"%s\")\n"
              "    for t, x%s in zip(*simulate(p, u%s)):\n"
              "        q, qd, inputs = x[:n], x[n:2*n], inputs_of(u, x)\n"
              "        qdd, lam = accelerations(t, q, qd, inputs, p%s)\n"
              "        row = [[t], x, qdd, lam%s%s,\n"
              "               energies(t, q, qd, inputs, p)%s]\n"
              "        print(\",\".join(\"%%.17g\" %% v for v in np.concatenate(row)))\n\n\n"
              "if __name__ == \"__main__\":\n    main()\n",
              rows, *rows ? ", Rows()" : "", content_csv_header(c, '"', "\\"), samples ? ", u" : "",
              *rows ? ", rows=rows" : "", rows,
              c->system->contact_count
                  ? text_format(w->arena, ", np.zeros(%u)", c->system->contact_count)
                  : "",
              c->system->model->outputs.n ? ", outputs(t, q, qd, inputs, qdd, lam, p)" : "",
              c->system->model->members.n ? ", members(t, q, qd, inputs, qdd, lam, p)" : "");
    return;
  }
  text_addf(w->out,
            "def main():\n    \"\"\"Prints the motion as CSV.\"\"\"\n"
            "    p, u%s = Parameters(), default_inputs()%s\n"
            "    print(\"%s\")\n"
            "    for t, x in zip(*simulate(p, u%s)):\n"
            "        q, qd = x[:%u], x[%u:]\n"
            "        qdd, lam = accelerations(t, q, qd, u, p%s)\n"
            "        row = [[t], q, qd, qdd, lam%s%s, energies(t, q, qd, u, p)%s]\n"
            "        print(\",\".join(\"%%.17g\" %% v for v in np.concatenate(row)))\n\n\n"
            "if __name__ == \"__main__\":\n    main()\n",
            rows, *rows ? ", Rows()" : "", content_csv_header(c, '"', "\\"),
            *rows ? ", rows=rows" : "", c->system->n, c->system->n, rows,
            c->system->contact_count
                ? text_format(w->arena, ", np.zeros(%u)", c->system->contact_count)
                : "",
            c->system->model->outputs.n ? ", outputs(t, q, qd, u, qdd, lam, p)" : "",
            c->system->model->members.n ? ", members(t, q, qd, u, qdd, lam, p)" : "");
}

void export_python(const ExportContent *c, Arena *arena, ExportFiles *out) {
  Text text = text_new(arena);
  Writer w = {c, arena, &text};
  write_head(&w);
  if (content_has_tables(c)) write_tables(c, DIALECT_PYTHON, &text);
  write_parameters(&w);
  for (uint32_t i = 0; i < c->quantities.n; i++) write_quantity(&w, &c->quantities.at[i]);
  write_accelerations(&w);
  write_simulate(&w);
  write_main(&w);
  ExportFile file = {text_format(arena, "%s.py", c->name), text.at};
  vec_push(arena, out, file);
}
