// Events of the model's own in the exported Python module: resets and stops.
#include "export/python_events.h"

static const char *const searching =
    "class Events:\n"
    "    \"\"\"Resets and stops at the zeros of functions.\"\"\"\n\n"
    "    def __init__(self, p, every, fit):\n"
    "        self.p, self.h, self.fit = p, 1e-6*every, fit\n"
    "        self.side, self.most = np.zeros(len(occasions)), np.zeros(len(occasions))\n"
    "        self.last = self.interval = self.longest = 0.0\n"
    "        self.count = 0\n\n"
    "    def values(self, t, x, u):\n"
    "        \"\"\"All functions, and whether their conditions hold.\"\"\"\n"
    "        v = events(t, x[:n], x[n:2*n], inputs_of(u, x), self.p)\n"
    "        return v[:len(occasions)], v[len(occasions):] != 0\n\n"
    "    def side_of(self, i, g):\n"
    "        self.most[i] = max(self.most[i], abs(g))\n"
    "        return 0.0 if abs(g) <= 1e-9*self.most[i] else np.sign(g)\n\n"
    "    def settle(self, t, x, u, f):\n"
    "        \"\"\"On which side all functions are; where one is zero, where it goes next.\"\"\"\n"
    "        now, _ = self.values(t, x, u)\n"
    "        for i, one in enumerate(occasions):\n"
    "            side = self.side_of(i, now[i])\n"
    "            if side != 0 or not one[1]:\n"
    "                self.side[i] = side\n"
    "        if np.all(self.side != 0):\n"
    "            return\n"
    "        rate = f(t, x)\n"
    "        ahead = x + self.h*rate\n"
    "        ahead[:n] += self.h**2/2*rate[n:2*n]\n"
    "        after, holds = self.values(t + self.h, ahead, u)\n"
    "        for i, one in enumerate(occasions):\n"
    "            if self.side[i] != 0:\n"
    "                continue\n"
    "            if after[i] != now[i]:\n"
    "                self.side[i] = -1 if after[i] < now[i] else 1\n"
    "            elif one[1]:\n"
    "                self.side[i] = 1 if holds[i] else -1\n\n"
    "    def crossed(self, t, x, u, among):\n"
    "        g, _ = self.values(t, x, u)\n"
    "        return among & (self.side != 0) & (g*self.side <= 0)\n\n"
    "    def find(self, left, right, within, u):\n"
    "        \"\"\"The first moment at which functions cross zero, and which; None: no one "
    "does.\"\"\"\n"
    "        among = np.array([one[3] for one in occasions], dtype=bool)\n"
    "        for at in np.linspace(left, right, 9)[1:]:\n"
    "            hit = self.crossed(at, within(at), u, among)\n"
    "            if np.any(hit):\n"
    "                break\n"
    "            g, _ = self.values(at, within(at), u)\n"
    "            for i in np.flatnonzero(among & (self.side == 0)):\n"
    "                self.side[i] = self.side_of(i, g[i])\n"
    "            left = at\n"
    "        else:\n"
    "            return None\n"
    "        among, right = hit, at\n"
    "        while left < left + (right - left)/2 < right:\n"
    "            middle = left + (right - left)/2\n"
    "            some = self.crossed(middle, within(middle), u, among)\n"
    "            if np.any(some):\n"
    "                right, hit = middle, some\n"
    "            else:\n"
    "                left = middle\n"
    "        return right, hit\n\n"
    "    def reset(self, t, x, u, one):\n"
    "        \"\"\"New values, all from those before; the rest meets the constraints.\"\"\"\n"
    "        value = resets(t, x[:n], x[n:2*n], inputs_of(u, x), self.p)\n"
    "        free = np.ones(len(x), dtype=bool)\n"
    "        for k in range(one[5], one[5] + one[6]):\n"
    "            if reset_targets[k] < 0:\n"
    "                u[-1 - reset_targets[k]] = value[k]\n"
    "            else:\n"
    "                x[reset_targets[k]], free[reset_targets[k]] = value[k], False\n"
    "        if not np.all(np.isfinite(value[one[5]:one[5] + one[6]])):\n"
    "            raise RuntimeError(\"an event gives a value that is not a number at t = %g\" % "
    "t)\n"
    "        if one[4] and self.fit is not None:\n"
    "            self.fit(t, x, u, free)\n\n";

static const char *const treating =
    "    def next_true(self, t, x, u):\n"
    "        \"\"\"The first condition that a jump of values has made true, or None.\"\"\"\n"
    "        found, (g, holds) = None, self.values(t, x, u)\n"
    "        for i, one in enumerate(occasions):\n"
    "            if not one[1]:\n"
    "                continue\n"
    "            side = self.side_of(i, g[i])\n"
    "            is_true = side > 0 if one[3] and side != 0 else holds[i] or (one[3] and "
    "self.side[i] > 0)\n"
    "            if not is_true:\n"
    "                self.side[i] = -1\n"
    "            elif self.side[i] <= 0 and found is None:\n"
    "                found = i\n"
    "        if found is not None:\n"
    "            self.side[found] = 1\n"
    "        return found\n\n"
    "    def treat(self, t, x, u, hit, f):\n"
    "        \"\"\"Carries out what crossings, or without hit a jump of values, bring about; True "
    "where\n"
    "        that ends the motion.\"\"\"\n"
    "        changed = moved = False\n"
    "        for i in [] if hit is None else np.flatnonzero(hit):\n"
    "            one, (g, holds) = occasions[i], self.values(t, x, u)\n"
    "            still = not moved or self.side_of(i, g[i]) == 0\n"
    "            direction = 1 if self.side[i] < 0 else -1\n"
    "            self.side[i] = direction\n"
    "            if not still or one[0] not in (0, direction) or not (one[1] or holds[i]):\n"
    "                continue\n"
    "            if one[2]:\n"
    "                return True\n"
    "            self.reset(t, x, u, one)\n"
    "            changed, moved = True, moved or one[4]\n"
    "        for turn in range(1001):\n"
    "            found = self.next_true(t, x, u) if changed or hit is None else None\n"
    "            if found is None:\n"
    "                break\n"
    "            if occasions[found][2]:\n"
    "                return True\n"
    "            if turn == 1000:\n"
    "                raise RuntimeError(\"events follow each other without end at t = %g\" % t)\n"
    "            self.reset(t, x, u, occasions[found])\n"
    "            changed = True\n"
    "        if changed and hit is not None and self.piles_up(t):\n"
    "            raise RuntimeError(\"events pile up at t = %g\" % t)\n"
    "        if changed or hit is None:\n"
    "            self.settle(t, x, u, f)\n"
    "        return False\n\n"
    "    def piles_up(self, t):\n"
    "        \"\"\"Events that come ever sooner after each other, as bounces do.\"\"\"\n"
    "        interval = t - self.last\n"
    "        shrinks = self.count > 0 and interval < self.interval\n"
    "        self.longest = max(self.longest, interval) if shrinks else interval\n"
    "        self.count = self.count + 1 if shrinks else 1\n"
    "        self.interval, self.last = interval, t\n"
    "        return self.count > 20 and interval < 1e-6*self.longest\n\n\n";

static const char *const fitting =
    "def fit(t, x, u, free, p):\n"
    "    \"\"\"The least change of what is free that meets the constraints.\"\"\"\n"
    "    q, qd, before = x[:n], x[n:2*n], np.inf\n"
    "    for turn in range(31):\n"
    "        off = Phi(t, q, p)\n"
    "        size = np.max(np.abs(off))\n"
    "        if size == 0 or (turn > 1 and size >= before/2 and size < 1e-9*len(off)):\n"
    "            break\n"
    "        if turn == 30 or not np.isfinite(size):\n"
    "            raise RuntimeError(\"what an event assigns does not fit the constraints, t = %g\" "
    "% t)\n"
    "        before = size\n"
    "        q -= np.linalg.lstsq(Phi_q(t, q, p)*free[:n], off, rcond=1e-9)[0]*free[:n]\n"
    "    for turn in range(2):\n"
    "        off = Phi_dot(t, q, qd, inputs_of(u, x), p)\n"
    "        qd -= np.linalg.lstsq(Phi_q(t, q, p)*free[n:2*n], off, rcond=1e-9)[0]*free[n:2*n]\n"
    "    off = Phi_dot(t, q, qd, inputs_of(u, x), p)\n"
    "    if np.max(np.abs(off)) > 1e-6*(1 + np.max(np.abs(qd))):\n"
    "        raise RuntimeError(\"what an event assigns does not fit the constraints, t = %g\" % "
    "t)\n\n\n";

// Of a simulate() whose beginning has p, u and times.
static const char *const run =
    "    u, t, soon = np.array(u, dtype=float), 0.0, 1e-9*every\n"
    "%s" // x and f
    "    happenings = Events(p, every, %s)\n"
    "%s" // the first samples
    "    happenings.settle(t, x, u, f)\n"
    "    shown, states, held, ends = [t], [x.copy()], [u.copy()], False\n"
    "    while t < end - soon and not ends:\n"
    "        until = %s\n"
    "        solver, hit = DOP853(f, t, x, until, rtol=rtol, atol=atol), None\n"
    "        while t < until and hit is None:\n"
    "            message = solver.step()\n"
    "            if solver.status == \"failed\":\n"
    "                raise RuntimeError(\"at t = %%g: %%s\" %% (solver.t, message))\n"
    "            within = solver.dense_output()\n"
    "            found = happenings.find(t, solver.t, within, u)\n"
    "            t, hit = (solver.t, None) if found is None else found\n"
    "            acts = hit is not None or t >= until - soon\n"
    "            for at in times[(times > shown[-1] + soon) & (times < (t - soon if acts else "
    "t))]:\n"
    "                row = %s\n"
    "                shown.append(at), states.append(row), held.append(u.copy())\n"
    "            x = %s\n"
    "            solver.y, solver.f = x, f(t, x)\n"
    "        x = x.copy()\n"
    "        if hit is not None:\n"
    "            ends = happenings.treat(t, x, u, hit, f)\n"
    "%s" // samples
    "        if (ends and t > shown[-1]) or np.any(np.abs(times - t) <= soon):\n"
    "            shown.append(t), states.append(x.copy()), held.append(u.copy())\n"
    "    return np.array(shown), np.array(states), np.array(held)\n\n\n";

// ---- What is written

static void write_table(const ExportContent *c, Text *out) {
  const Model *model = c->system->model;
  text_add(
      out,
      "# of every event: the direction in which its function crosses, 0 for both; whether its\n"
      "# condition may also become true by a jump; whether it ends the run; whether its function\n"
      "# changes by itself; whether it moves something; the first of its values and their number\n"
      "occasions = [");
  for (uint32_t i = 0; i < model->occasions.n; i++) {
    const Occasion *o = &model->occasions.at[i];
    text_addf(out, "%s(%d, %s, %s, %s, %s, %u, %u)", i ? ",\n             " : "", o->direction,
              o->is_condition ? "True" : "False", o->stops ? "True" : "False",
              content_event_moves(c, i) ? "True" : "False",
              content_event_is_moving(c, i) ? "True" : "False", o->first, o->count);
  }
  text_add(out, "]\n# places in the state, or -1 minus the number of an input\nreset_targets = [");
  for (uint32_t i = 0; i < model->assignments.n; i++)
    text_addf(out, "%s%d", i ? ", " : "", c->reset_target[i]);
  text_add(out, "]\n\n\n");
}

void write_python_events(const ExportContent *c, Text *out) {
  write_table(c, out);
  text_addf(out, "%s%s", searching, treating);
  if (c->system->row_count) text_add(out, fitting);
}

void write_python_eventful_run(const ExportContent *c, Text *out) {
  bool constrained = c->system->row_count > 0, samples = content_samples(c);
  const char *onto = c->system->states ? "onto" : "project";
  const char *first =
      constrained
          ? text_format(c->arena,
                        "    rows = Rows() if rows is None else rows\n"
                        "    x = %s(t, initial_state(), u, p, rows)\n\n"
                        "    def f(t, x):\n        return rhs(t, x, u, p, rows)\n\n",
                        onto)
          : "    x = initial_state()\n\n    def f(t, x):\n        return rhs(t, x, u, p)\n\n";
  text_addf(out, run, first, constrained ? "lambda t, x, u, free: fit(t, x, u, free, p)" : "None",
            samples ? "    sampler = Sampler(p)\n    sampler.act(t, x, u, p)\n" : "",
            samples ? "min(sampler.next(), end)" : "end",
            constrained ? text_format(c->arena, "%s(at, within(at), u, p, rows)", onto)
                        : "within(at)",
            constrained ? text_format(c->arena, "%s(t, within(t), u, p, rows)", onto) : "within(t)",
            samples ? "        if not ends and t >= sampler.next() - soon:\n"
                      "            sampler.act(t, x, u, p)\n"
                      "            ends = happenings.treat(t, x, u, None, f)\n"
                    : "");
}
