// Events of the model's own in the exported C program: resets and stops.
#include "export/c_events.h"

// @ stands for the name of the model, $ for the inputs at a state x.
static const char *const finding =
    "/* All functions at a state, then 1 or 0 for each condition. */\n"
    "static void events_at(const @_parameters *p, const double *u, double t, const double *x,\n"
    "                      double *value) {\n"
    "  @_events(p, t, x, x + N, $, value);\n"
    "}\n\n"
    "/* -1, 1, or 0 where a function is small beside what it has been. */\n"
    "static double side_of(int i, double g) {\n"
    "  if (fabs(g) > greatest[i]) greatest[i] = fabs(g);\n"
    "  return fabs(g) <= 1e-9 * greatest[i] ? 0 : g < 0 ? -1 : 1;\n"
    "}\n\n"
    "/* On which side all functions are; where one is zero, where it goes next. */\n"
    "static void settle(const @_parameters *p, const double *u, double t, const double *x,\n"
    "                   double every) {\n"
    "  double now[2 * EVENTS], next[2 * EVENTS], dx[STATES], ahead[STATES], h = 1e-6 * every;\n"
    "  int i, unknown = 0;\n"
    "  events_at(p, u, t, x, now);\n"
    "  for (i = 0; i < EVENTS; i++) {\n"
    "    double s = side_of(i, now[i]);\n"
    "    if (s != 0 || !event[i].is_condition) side[i] = s;\n"
    "    unknown |= side[i] == 0;\n"
    "  }\n"
    "  if (!unknown || derivative(p, u, t, x, dx)) return;\n"
    "  for (i = 0; i < STATES; i++)\n"
    "    ahead[i] = x[i] + h * (dx[i] + (i < N ? h / 2 * dx[N + i] : 0));\n"
    "  events_at(p, u, t + h, ahead, next);\n"
    "  for (i = 0; i < EVENTS; i++) {\n"
    "    if (side[i] != 0) continue;\n"
    "    if (next[i] != now[i])\n"
    "      side[i] = next[i] < now[i] ? -1 : 1;\n"
    "    else if (event[i].is_condition)\n"
    "      side[i] = next[EVENTS + i] != 0 ? 1 : -1;\n"
    "  }\n"
    "}\n\n"
    "/* Which functions have left their sides at t, of those in `among`. */\n"
    "static int have_crossed(const @_parameters *p, const double *u, const Step *step, double t,\n"
    "                        const int *among, int *hit) {\n"
    "  double x[STATES], g[2 * EVENTS];\n"
    "  int i, any = 0;\n"
    "  interpolate(step, t, x);\n"
    "  events_at(p, u, t, x, g);\n"
    "  for (i = 0; i < EVENTS; i++) {\n"
    "    hit[i] = among[i] && event[i].moves && side[i] != 0 && g[i] * side[i] <= 0;\n"
    "    any |= hit[i];\n"
    "    if (event[i].moves && side[i] == 0) side[i] = side_of(i, g[i]);\n"
    "  }\n"
    "  return any;\n"
    "}\n\n"
    "/* The first moment of the step, up to `end`, at which functions cross zero, and which: 0 "
    "where\n"
    "   none does. */\n"
    "static int find_event(const @_parameters *p, const double *u, const Step *step, double end,\n"
    "                      double *at, int *hit) {\n"
    "  double left = step->t, right = end;\n"
    "  int among[EVENTS], some[EVENTS], i, look;\n"
    "  for (i = 0; i < EVENTS; i++) among[i] = 1;\n"
    "  for (look = 1; look <= 8; look++) {\n"
    "    right = look == 8 ? end : step->t + (end - step->t) * look / 8;\n"
    "    if (have_crossed(p, u, step, right, among, hit)) break;\n"
    "    left = right;\n"
    "  }\n"
    "  if (look > 8) return 0;\n"
    "  for (i = 0; i < EVENTS; i++) among[i] = hit[i];\n"
    "  for (;;) {\n"
    "    double middle = left + (right - left) / 2;\n"
    "    if (!(middle > left && middle < right)) break;\n"
    "    if (have_crossed(p, u, step, middle, among, some)) {\n"
    "      right = middle;\n"
    "      for (i = 0; i < EVENTS; i++) hit[i] = some[i];\n"
    "    } else {\n"
    "      left = middle;\n"
    "    }\n"
    "  }\n"
    "  *at = right;\n"
    "  return 1;\n"
    "}\n\n";

static const char *const fitting =
    "/* The least change of what is free that brings a residual to zero. */\n"
    "static void correct(const @_parameters *p, double t, const double *q, const double "
    "*residual,\n"
    "                    const int *is_free, double *x) {\n"
    "  double J[M][N], A[M][M + 1], most = 0, y[M] = {0};\n"
    "  int r, c, i, k, row[M], used[M] = {0};\n"
    "  @_Phi_q(p, t, q, J);\n"
    "  for (r = 0; r < M; r++)\n"
    "    for (i = 0; i < N; i++)\n"
    "      if (!is_free[i]) J[r][i] = 0;\n"
    "  for (r = 0; r < M; r++) {\n"
    "    for (c = 0; c < M; c++)\n"
    "      for (A[r][c] = 0, i = 0; i < N; i++) A[r][c] += J[r][i] * J[c][i];\n"
    "    A[r][M] = -residual[r];\n"
    "    if (A[r][r] > most) most = A[r][r];\n"
    "  }\n"
    "  for (k = 0; k < M; k++) { /* the largest pivot that is left; rows that repeat others are "
    "not */\n"
    "    int best = -1;\n"
    "    for (r = 0; r < M; r++)\n"
    "      if (!used[r] && (best < 0 || A[r][r] > A[best][best])) best = r;\n"
    "    if (!(A[best][best] > 1e-14 * most)) break;\n"
    "    used[best] = 1, row[k] = best;\n"
    "    for (r = 0; r < M; r++) {\n"
    "      double factor = A[r][best] / A[best][best];\n"
    "      if (used[r]) continue;\n"
    "      for (c = 0; c <= M; c++) A[r][c] -= factor * A[best][c];\n"
    "    }\n"
    "  }\n"
    "  while (k-- > 0) {\n"
    "    y[row[k]] = A[row[k]][M];\n"
    "    for (c = 0; c < M; c++)\n"
    "      if (c != row[k]) y[row[k]] -= A[row[k]][c] * y[c];\n"
    "    y[row[k]] /= A[row[k]][row[k]];\n"
    "  }\n"
    "  for (i = 0; i < N; i++)\n"
    "    for (r = 0; r < M; r++) x[i] += J[r][i] * y[r];\n"
    "}\n\n"
    "static double largest(const double *values, int n) {\n"
    "  double most = 0;\n"
    "  int i;\n"
    "  for (i = 0; i < n; i++)\n"
    "    if (!(fabs(values[i]) <= most)) most = fabs(values[i]);\n"
    "  return most;\n"
    "}\n\n"
    "/* What was assigned is kept, the rest meets the constraints; 0 where it cannot. */\n"
    "static int fit(const @_parameters *p, const double *u, double t, double *x, const int "
    "*is_free) {\n"
    "  double off[M], before = HUGE_VAL;\n"
    "  int k;\n"
    "  for (k = 0;; k++) {\n"
    "    double size;\n"
    "    @_Phi(p, t, x, off);\n"
    "    size = largest(off, M);\n"
    "    if (size == 0 || (k > 1 && size >= before / 2 && size < 1e-9 * M)) break;\n"
    "    if (k == 30 || !(size < HUGE_VAL)) return 0;\n"
    "    before = size;\n"
    "    correct(p, t, x, off, is_free, x);\n"
    "  }\n"
    "  for (k = 0; k < 2; k++) {\n"
    "    @_Phi_dot(p, t, x, x + N, $, off);\n"
    "    correct(p, t, x, off, is_free + N, x + N);\n"
    "  }\n"
    "  @_Phi_dot(p, t, x, x + N, $, off);\n"
    "  return largest(off, M) <= 1e-6 * (1 + largest(x + N, N));\n"
    "}\n\n";

static const char *const resetting =
    "/* New values, all from those before; 0 where one is not a number. */\n"
    "static int reset(const @_parameters *p, double *u, double t, double *x, int number) {\n"
    "  double value[RESETS];\n"
    "  int k;\n"
    "  @_resets(p, t, x, x + N, $, value);\n"
    "  for (k = event[number].first; k < event[number].first + event[number].count; k++) {\n"
    "    if (!(fabs(value[k]) < HUGE_VAL)) return 0;\n"
    "    if (reset_target[k] < 0)\n"
    "      u[-1 - reset_target[k]] = value[k];\n"
    "    else\n"
    "      x[reset_target[k]] = value[k];\n"
    "  }\n"
    "  return 1;\n"
    "}\n\n";

static const char *const constrained_resetting =
    "/* New values, all from those before; 0 where they cannot meet the constraints. */\n"
    "static int reset(const @_parameters *p, double *u, double t, double *x, int number) {\n"
    "  double value[RESETS];\n"
    "  int k, is_free[STATES];\n"
    "  for (k = 0; k < STATES; k++) is_free[k] = 1;\n"
    "  @_resets(p, t, x, x + N, $, value);\n"
    "  for (k = event[number].first; k < event[number].first + event[number].count; k++) {\n"
    "    if (!(fabs(value[k]) < HUGE_VAL)) return 0;\n"
    "    if (reset_target[k] < 0)\n"
    "      u[-1 - reset_target[k]] = value[k];\n"
    "    else\n"
    "      x[reset_target[k]] = value[k], is_free[reset_target[k]] = 0;\n"
    "  }\n"
    "  return !event[number].is_moving || fit(p, u, t, x, is_free);\n"
    "}\n\n";

static const char *const no_resetting =
    "static int reset(const @_parameters *p, double *u, double t, double *x, int number) {\n"
    "  (void)p, (void)u, (void)t, (void)x, (void)number;\n"
    "  return 1;\n"
    "}\n\n";

static const char *const treating =
    "/* The first condition that a jump of values has made true, or -1. */\n"
    "static int next_true(const @_parameters *p, const double *u, double t, const double *x) {\n"
    "  double g[2 * EVENTS];\n"
    "  int i, found = -1;\n"
    "  events_at(p, u, t, x, g);\n"
    "  for (i = 0; i < EVENTS; i++) {\n"
    "    double s;\n"
    "    int holds = g[EVENTS + i] != 0, is_true;\n"
    "    if (!event[i].is_condition) continue;\n"
    "    s = side_of(i, g[i]);\n"
    "    is_true = !event[i].moves ? holds : s != 0 ? s > 0 : holds || side[i] > 0;\n"
    "    if (!is_true)\n"
    "      side[i] = -1;\n"
    "    else if (side[i] <= 0 && found < 0)\n"
    "      found = i;\n"
    "  }\n"
    "  if (found >= 0) side[found] = 1;\n"
    "  return found;\n"
    "}\n\n"
    "/* Events that come ever sooner after each other, as bounces do. */\n"
    "static int pile_up(double t) {\n"
    "  static double last, before, longest;\n"
    "  static int count;\n"
    "  double interval = t - last;\n"
    "  int shrinks = count > 0 && interval < before;\n"
    "  longest = shrinks && longest > interval ? longest : interval;\n"
    "  count = shrinks ? count + 1 : 1;\n"
    "  before = interval, last = t;\n"
    "  return count > 20 && interval < 1e-6 * longest;\n"
    "}\n\n"
    "enum { GOES_ON, ENDS, FAILS };\n\n"
    "/* Carries out what crossings at t, or without `hit` a jump of values, bring about. */\n"
    "static int treat(const @_parameters *p, double *u, double t, double *x, const int *hit,\n"
    "                 double every) {\n"
    "  int i, round, changed = 0, moved = 0;\n"
    "  for (i = 0; hit && i < EVENTS; i++) {\n"
    "    double g[2 * EVENTS];\n"
    "    int direction = side[i] < 0 ? 1 : -1, still;\n"
    "    if (!hit[i]) continue;\n"
    "    events_at(p, u, t, x, g);\n"
    "    still = !moved || side_of(i, g[i]) == 0;\n"
    "    side[i] = direction;\n"
    "    if (!still || (event[i].direction && event[i].direction != direction)) continue;\n"
    "    if (!event[i].is_condition && g[EVENTS + i] == 0) continue;\n"
    "    if (event[i].stops) return ENDS;\n"
    "    if (!reset(p, u, t, x, i)) return FAILS;\n"
    "    changed = 1, moved |= event[i].is_moving;\n"
    "  }\n"
    "  for (round = 0; (changed || !hit) && (i = next_true(p, u, t, x)) >= 0; round++) {\n"
    "    if (event[i].stops) return ENDS;\n"
    "    if (round == 1000 || !reset(p, u, t, x, i)) return FAILS;\n"
    "    changed = 1;\n"
    "  }\n"
    "  if (changed && hit && pile_up(t)) return FAILS;\n"
    "  if (changed || !hit) settle(p, u, t, x, every);\n"
    "  return GOES_ON;\n"
    "}\n\n";

// ---- What is written

static void write_table(const ExportContent *c, Text *out) {
  const Model *model = c->system->model;
  text_add(
      out,
      "/* Events: the direction in which a function crosses, 0 for both; whether the condition\n"
      "   may also become true by a jump; whether it ends the run; whether the function changes\n"
      "   by itself; whether something is moved; which values are assigned. */\n"
      "typedef struct Event {\n"
      "  int direction, is_condition, stops, moves, is_moving, first, count;\n"
      "} Event;\n"
      "static const Event event[EVENTS] = {\n");
  for (uint32_t i = 0; i < model->occasions.n; i++) {
    const Occasion *o = &model->occasions.at[i];
    text_addf(out, "    {%d, %d, %d, %d, %d, %u, %u}, /* %s */\n", o->direction, o->is_condition,
              o->stops, content_event_moves(c, i), content_event_is_moving(c, i), o->first,
              o->count, comment_from_text(c->arena, o->text));
  }
  text_add(out, "};\nstatic double side[EVENTS], greatest[EVENTS];\n\n");
  if (!model->assignments.n) return;
  text_add(out, "/* Places in the state, or -1 minus the number of an input. */\n"
                "static const int reset_target[RESETS] = {");
  for (uint32_t i = 0; i < model->assignments.n; i++)
    text_addf(out, "%s%d", i ? ", " : "", c->reset_target[i]);
  text_add(out, "};\n\n");
}

void write_c_event_sizes(const ExportContent *c, Text *out) {
  const Model *model = c->system->model;
  if (!model->occasions.n) return;
  text_addf(out, "  EVENTS = %u,\n", model->occasions.n);
  if (model->assignments.n) text_addf(out, "  RESETS = %u,\n", model->assignments.n);
}

void write_c_events(const ExportContent *c,
                    void (*put)(const ExportContent *c, const char *text, Text *out), Text *out) {
  write_table(c, out);
  put(c, finding, out);
  bool constrained = c->system->row_count > 0;
  if (!c->system->model->assignments.n) {
    put(c, no_resetting, out);
  } else {
    if (constrained) put(c, fitting, out);
    put(c, constrained ? constrained_resetting : resetting, out);
  }
  put(c, treating, out);
}
