// Python: a module with NumPy functions and a solve_ivp driver that prints CSV.
#include "export/python.h"

#include "export/tables.h"
#include "export/template.h"
#include "qdot/qdot.h"

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

static void write_accelerations(Writer *w) {
  const System *s = w->c->system;
  text_add(w->out,
           "def accelerations(t, q, qd, u, p):\n"
           "    \"\"\"Accelerations and constraint forces.\"\"\"\n"
           "    f = Q(t, q, qd, u, p) - h(t, q, qd, p) - D(t, q, qd, u, p) - G(t, q, u, p)\n");
  if (!s->row_count) {
    text_add(w->out, "    return np.linalg.solve(M(t, q, p), f), np.zeros(0)\n\n\n");
    return;
  }
  text_addf(w->out,
            "    n, m = %u, %u\n"
            "    slope = Phi_q(t, q, p)\n"
            "    # Baumgarte's terms keep the constraints met; they vanish on the exact solution\n"
            "    rate = 5.0\n"
            "    right = (Gamma(t, q, qd, u, p) - 2*rate*Phi_dot(t, q, qd, u, p)\n"
            "             - rate**2*Phi(t, q, p))\n"
            "    A = np.zeros((n + m, n + m))\n"
            "    A[:n, :n], A[:n, n:], A[n:, :n] = M(t, q, p), slope.T, slope\n"
            "    # the least-norm solution where constraints are redundant\n"
            "    x = np.linalg.lstsq(A, np.concatenate([f, right]), rcond=1e-12)[0]\n"
            "    return x[:n], x[n:]\n\n\n",
            s->n, s->row_count);
}

static void add_array(Writer *w, const double *values, uint32_t n) {
  text_add(w->out, "np.array([");
  for (uint32_t i = 0; i < n; i++) {
    text_add(w->out, i ? ", " : "");
    emit_number(DIALECT_PYTHON, values[i], w->out);
  }
  text_add(w->out, "])");
}

static void write_start(Writer *w) {
  const ExportContent *c = w->c;
  text_add(w->out,
           "def initial_state():\n    \"\"\"Coordinates and velocities at t = 0.\"\"\"\n    q = ");
  add_array(w, c->q, c->system->n);
  text_add(w->out, "\n    qd = ");
  add_array(w, c->qd, c->system->n);
  text_add(w->out, "\n    return np.concatenate([q, qd])\n\n\n"
                   "def default_inputs():\n    return ");
  add_array(w, c->u, c->system->model->inputs.n);
  text_add(w->out, "\n\n\n");
}

static void write_simulate(Writer *w) {
  const ExportContent *c = w->c;
  const System *s = c->system;
  text_addf(w->out,
            "def rhs(t, x, u, p):\n    \"\"\"dx/dt of the state x = (q, qd).\"\"\"\n"
            "    q, qd = x[:%u], x[%u:]\n"
            "    return np.concatenate([qd, accelerations(t, q, qd, u, p)[0]])\n\n\n",
            s->n, s->n);
  write_start(w);
  text_add(w->out, "def simulate(p=None, u=None, end=");
  emit_number(DIALECT_PYTHON, c->end, w->out);
  text_add(w->out, ", every=");
  emit_number(DIALECT_PYTHON, c->every, w->out);
  text_add(w->out, ", rtol=");
  emit_number(DIALECT_PYTHON, c->rtol, w->out);
  text_add(w->out, ", atol=");
  emit_number(DIALECT_PYTHON, c->atol, w->out);
  text_add(
      w->out,
      "):\n    \"\"\"The motion from the initial state: times, and one row of states each.\"\"\"\n"
      "    from scipy.integrate import solve_ivp\n"
      "    p = Parameters() if p is None else p\n"
      "    u = default_inputs() if u is None else u\n"
      "    times = np.unique(np.append(np.arange(0.0, end, every), end))\n"
      "    events = None\n");
  if (s->contact_count)
    text_addf(w->out,
              "\n    # the first contact ends the run: impacts are left to Qdot\n"
              "    def events(t, x, u, p):\n        return np.max(contacts(t, x[:%u], p)) - 1e-9\n"
              "    events.terminal, events.direction = True, 1\n\n",
              s->n);
  text_add(
      w->out,
      "    result = solve_ivp(rhs, (0.0, end), initial_state(), method=\"DOP853\", t_eval=times,\n"
      "                       args=(u, p), rtol=rtol, atol=atol, events=events)\n"
      "    if not result.success:\n        raise RuntimeError(result.message)\n"
      "    return result.t, result.y.T\n\n\n");
}

static void write_main(Writer *w) {
  const ExportContent *c = w->c;
  text_addf(w->out,
            "def main():\n    \"\"\"Prints the motion as CSV.\"\"\"\n"
            "    p, u = Parameters(), default_inputs()\n"
            "    print(\"%s\")\n"
            "    for t, x in zip(*simulate(p, u)):\n"
            "        q, qd = x[:%u], x[%u:]\n"
            "        qdd, lam = accelerations(t, q, qd, u, p)\n"
            "        row = [[t], q, qd, qdd, lam%s%s, energies(t, q, qd, u, p)%s]\n"
            "        print(\",\".join(\"%%.17g\" %% v for v in np.concatenate(row)))\n\n\n"
            "if __name__ == \"__main__\":\n    main()\n",
            content_csv_header(c, '"', "\\"), c->system->n, c->system->n,
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
