// The measures along a step: cut where conditions or bends within them change, looked at between.
#include <math.h>
#include <string.h>

#include "engine/nodes.h"
#include "engine/run/run.h"
#include "engine/sharing.h"

// Most halvings of a piece that polynomials do not follow, as at the knot of a table; of all pieces
// of a step; most cuts of a step; and most failures by noise until a run does not look closer.
enum { MOST_HALVINGS = 10, HALVINGS_A_STEP = 200, MOST_CROSSINGS = 10000, MOST_NOISES = 20 };

// Crossings closer together than CLOSE, a part of the step: beyond MOST_CLOSE they are noise.
enum { MOST_CLOSE = 8 };
static const double CLOSE = 1e-6;

void run_open_gauges(Run *run) {
  Machine *m = &run->machine;
  const InputLayout *at = &m->set->equations->layout;
  const PlanMeasures *measures = &m->plan->measures;
  double *from = arena_array(run->memory.room, double, measures->reduction_count + 1);
  for (uint32_t i = 0; i < measures->reduction_count; i++)
    from[i] = machine_number(m, &measures->reductions[i].from);
  gauges_open(&run->gauges, run->memory.room, measures, at->reductions - at->signs, from);
}

// ---- Looking

// Forces are evaluated for measures of them, and for measures of friction while anything sticks.
bool run_needs_forces(const Run *run) {
  return run->gauges.needs_forces || (run->gauges.shows_switches && run_sticks(run));
}

// The state within the last step, on the constraints, with accelerations where they are needed.
static Status state_at(Run *run, double t) {
  Stepper *s = run->stepper;
  Status status = stepper_dense(s, t, run->work.y);
  if (status == QDOT_OK && run_keeps_constraints(run))
    status = project_look(&s->projector, t, run->work.y, run->work.y + run->n);
  return status == QDOT_OK && run_needs_forces(run) ? run_find_forces(run, t, run->work.y) : status;
}

static void guards_here(Run *run, double t, double *out) {
  if (run->gauges.guards == 0) return;
  const double *g = machine_run_watch(&run->machine, t, run->work.y, run->work.y + run->n).guards;
  memcpy(out, g, run->gauges.guards * sizeof *out);
}

static void signals_here(Run *run, double t, const double *sign, double *out) {
  Gauges *g = &run->gauges;
  Machine *m = &run->machine;
  if (g->guards > 0)
    memcpy(m->in + m->set->equations->layout.signs, sign, g->guards * sizeof *sign);
  const double *values = machine_run_signals(m, t, run->work.y, run->work.y + run->n).values;
  memcpy(out, values, 2 * (size_t)g->n * sizeof *out);
}

// One node after the other.
static Status look_at_each(Run *run, uint32_t nodes) {
  Gauges *g = &run->gauges;
  Status status = QDOT_OK;
  for (uint32_t i = 0; i < nodes && status == QDOT_OK; i++) {
    status = state_at(run, g->times[i]);
    if (status != QDOT_OK) break;
    guards_here(run, g->times[i], g->wanted_sign);
    signals_here(run, g->times[i], g->sign, g->row);
    for (uint32_t k = 0; k < g->guards; k++) g->watched[k * GAUGE_NODES + i] = g->wanted_sign[k];
    for (uint32_t k = 0; k < 2 * g->n; k++) g->signals[k * GAUGE_NODES + i] = g->row[k];
  }
  return status;
}

// All nodes at once, in lanes; false where nodes have to be evaluated one by one.
static bool look_at_all(Run *run, uint32_t nodes) {
  Gauges *g = &run->gauges;
  Machine *m = &run->machine;
  uint32_t which = (1u << nodes) - 1;
  if (!run_place_nodes(run, g->times, nodes, run_needs_forces(run))) return false;
  if (g->guards > 0) {
    memcpy(m->in + m->set->equations->layout.signs, g->sign, g->guards * sizeof *g->sign);
    memcpy(g->watched, machine_run_nodes(m, PART_WATCH, which),
           (size_t)g->guards * GAUGE_NODES * sizeof *g->watched);
  }
  memcpy(g->signals, machine_run_nodes(m, PART_SIGNALS, which),
         2 * (size_t)g->n * GAUGE_NODES * sizeof *g->signals);
  return true;
}

static void widen_size(Gauges *g, uint32_t guard, uint32_t nodes) {
  const ColumnRange *range = &g->watched_ranges[guard];
  if (range->is_finite) {
    g->size[guard] = fmax(g->size[guard], fmax(fabs(range->least), fabs(range->most)));
    return;
  }
  for (uint32_t i = 0; i < nodes; i++) {
    double size = fabs(g->watched[guard * GAUGE_NODES + i]);
    if (isfinite(size) && size > g->size[guard]) g->size[guard] = size;
  }
}

// Guards and signals at the nodes between a and b.
static Status look(Run *run, double a, double b, uint32_t nodes) {
  Gauges *g = &run->gauges;
  for (uint32_t i = 0; i < nodes; i++)
    g->times[i] = i + 1 == nodes ? b : a + stretch_node(nodes, i) * (b - a);
  Status status = look_at_all(run, nodes) ? QDOT_OK : look_at_each(run, nodes);
  if (status == QDOT_OK) gauges_find_ranges(g, nodes);
  for (uint32_t k = 0; k < g->guards && status == QDOT_OK; k++) widen_size(g, k, nodes);
  return status;
}

static double guard_at_node(const Gauges *g, uint32_t guard, uint32_t node) {
  return gauges_snapped(g, guard, g->watched[guard * GAUGE_NODES + node]);
}

static double sign_of(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

static Status guard_at(Run *run, uint32_t guard, double t, double *out) {
  Status status = state_at(run, t);
  if (status == QDOT_OK)
    *out = machine_run_watch(&run->machine, t, run->work.y, run->work.y + run->n).guards[guard];
  return status;
}

// ---- Sides

// The sign of a guard that is zero at the beginning of a piece: that of its values shortly behind
// it.
static Status side_behind(Run *run, uint32_t guard, double a, double b, double *sign) {
  static const double places[] = {1e-9, 1e-7, 1e-5, 1e-3, 1e-2};
  Status status = QDOT_OK;
  for (size_t i = 0; i < sizeof places / sizeof *places && *sign == 0; i++) {
    double t = a + places[i] * (b - a), value = 0;
    if (!(t > a)) continue;
    status = guard_at(run, guard, t, &value);
    if (status != QDOT_OK) return status;
    *sign = sign_of(gauges_snapped(&run->gauges, guard, value));
  }
  return status;
}

// The signs of all guards behind the beginning. *same: they are those of the present evaluation.
static Status choose_signs(Run *run, uint32_t nodes, bool *same) {
  Gauges *g = &run->gauges;
  *same = true;
  for (uint32_t k = 0; k < g->guards; k++) {
    double sign = sign_of(guard_at_node(g, k, 0));
    if (sign == 0 && nodes == GAUGE_NODES) {
      Status status = side_behind(run, k, g->times[0], g->times[nodes - 1], &sign);
      if (status != QDOT_OK) return status;
    }
    for (uint32_t i = 1; i < nodes && sign == 0; i++) sign = sign_of(guard_at_node(g, k, i));
    *same &= sign == g->sign[k];
    g->sign[k] = sign;
  }
  return QDOT_OK;
}

// ---- Crossings

// The moment between a and b at which a guard changes its sign, by the Illinois rule: the end of
// the last bracket behind it.
static Status find_crossing(Run *run, uint32_t guard, double a, double at_a, double b, double at_b,
                            double *out) {
  int kept = 0;
  double near = 1e-15 * fmax(fabs(a), fabs(b)), value = 0;
  for (int i = 0; i < 100 && b - a > near && at_b != 0; i++) {
    double t = i % 8 == 7 ? a + (b - a) / 2 : a + (b - a) * (at_a / (at_a - at_b));
    if (!(t > a && t < b)) t = a + (b - a) / 2;
    if (t <= a || t >= b) break;
    Status status = guard_at(run, guard, t, &value);
    if (status != QDOT_OK) return status;
    if (sign_of(value) == sign_of(at_a)) {
      a = t, at_a = value;
      if (kept == 1) at_b *= 0.5;
      kept = 1;
    } else {
      b = t, at_b = value;
      if (kept == -1) at_a *= 0.5;
      kept = -1;
    }
  }
  *out = b;
  return QDOT_OK;
}

// The first crossing between nodes i and i + 1, also of a guard that crosses zero twice there.
static Status crossing_between(Run *run, uint32_t guard, const Extremes *e, uint32_t i,
                               double *out) {
  Gauges *g = &run->gauges;
  const double *values = g->watched + guard * GAUGE_NODES;
  double sign = g->sign[guard], a = g->times[i], at_a = values[i];
  double b = g->times[i + 1], at_b = values[i + 1];
  if (sign_of(at_a) != sign) at_a = sign * 1e-300; // at its zero, on its way to its side
  if (sign_of(guard_at_node(g, guard, i + 1)) == -sign)
    return find_crossing(run, guard, a, at_a, b, at_b, out);
  double t = sign > 0 ? e->t_least : e->t_most, reached = sign > 0 ? e->least : e->most;
  if (sign_of(reached) != -sign || t <= a || t >= b) return QDOT_OK;
  Status status = guard_at(run, guard, t, &reached);
  if (status != QDOT_OK || sign_of(gauges_snapped(g, guard, reached)) != -sign) return status;
  return find_crossing(run, guard, a, at_a, t, reached, out);
}

// The first moment at which a guard leaves its side; INFINITY for none. *which: the guard.
static Status first_crossing(Run *run, double *out, uint32_t *which) {
  Gauges *g = &run->gauges;
  *out = INFINITY;
  if (g->guards == 0) return QDOT_OK;
  for (uint32_t k = 0; k < g->guards; k++) {
    // only what lies beyond zero is of interest, and looked for where it can be reached
    Extremes e = {g->sign[k] > 0 ? 0 : -INFINITY, NAN, g->sign[k] < 0 ? 0 : INFINITY, NAN};
    extremes_widen_column(&e, g->times, g->watched + k * GAUGE_NODES, &g->watched_ranges[k]);
    double beyond = g->sign[k] > 0 ? e.least : e.most;
    if (g->sign[k] == 0 || sign_of(gauges_snapped(g, k, beyond)) != -g->sign[k]) continue;
    double found = INFINITY;
    for (uint32_t i = 0; i + 1 < GAUGE_NODES && isinf(found); i++) {
      Status status = crossing_between(run, k, &e, i, &found);
      if (status != QDOT_OK) return status;
    }
    if (found < *out) *out = found, *which = k;
  }
  return QDOT_OK;
}

// ---- Smooth pieces

// Extremes between the nodes: located by the polynomials, evaluated on the motion.
static Status take_turns(Run *run) {
  Gauges *g = &run->gauges;
  for (uint32_t i = 0; i < g->n; i++) {
    ReductionKind kind = g->reductions[i].kind;
    bool most = kind == REDUCE_MAX;
    if ((!most && kind != REDUCE_MIN) || !gauge_is_active(&g->at[i], g->times[0])) continue;
    double met = g->at[i].extreme;
    Extremes e = {most ? -INFINITY : met, NAN, most ? met : INFINITY, NAN};
    extremes_widen_column(&e, g->times, gauge_values(g, i), &g->ranges[i]);
    double t = most ? e.t_most : e.t_least;
    if (isnan(t)) continue; // no wider than before
    Status status = state_at(run, t);
    if (status != QDOT_OK) return status;
    signals_here(run, t, g->sign, g->row);
    gauge_take_value(&g->at[i], kind, g->row[2 * i]);
  }
  return QDOT_OK;
}

// Has a piece that another guard has cut short not left the zero at which it began?
static bool stays_at_zero(const Gauges *g, uint32_t guard) {
  const ColumnRange *range = &g->watched_ranges[guard];
  return range->is_finite && gauges_snapped(g, guard, range->least) == 0 &&
         gauges_snapped(g, guard, range->most) == 0;
}

// A guard is zero at the end of a piece: conditions that hold at this moment alone count, too.
static Status take_end(Run *run, double t) {
  Gauges *g = &run->gauges;
  if (g->guards == 0) return QDOT_OK;
  bool any = false;
  Status status = state_at(run, t);
  if (status != QDOT_OK) return status;
  guards_here(run, t, g->wanted_sign);
  for (uint32_t k = 0; k < g->guards; k++) {
    bool is_zero = gauges_snapped(g, k, g->wanted_sign[k]) == 0 && !stays_at_zero(g, k);
    any |= is_zero && g->sign[k] != 0;
    g->wanted_sign[k] = is_zero ? 0 : g->sign[k];
  }
  if (!any) return QDOT_OK;
  signals_here(run, t, g->wanted_sign, g->row);
  gauges_take_moment(g, t, g->row);
  return QDOT_OK;
}

// The same at the first moment of reductions.
static Status take_beginning(Run *run, double t) {
  Gauges *g = &run->gauges;
  bool any = false;
  for (uint32_t i = 0; i < g->n; i++) any |= g->at[i].begun == 0 && gauge_is_active(&g->at[i], t);
  if (!any || g->guards == 0) return QDOT_OK;
  for (uint32_t k = 0; k < g->guards; k++) g->wanted_sign[k] = sign_of(guard_at_node(g, k, 0));
  Status status = state_at(run, t);
  if (status != QDOT_OK) return status;
  signals_here(run, t, g->wanted_sign, g->row);
  for (uint32_t i = 0; i < g->n; i++) {
    Gauge *gauge = &g->at[i];
    if (gauge->begun != 0 || !gauge_is_active(gauge, t) || !g->reductions[i].has_condition)
      continue;
    gauge->holds = g->row[2 * i + 1] != 0;
    if (gauge->holds != 0) gauge->met = g->row[2 * i], gauge->met_at = t;
  }
  return QDOT_OK;
}

// is_known: signals at the nodes are there, with the signs that hold.
static Status take_smooth(Run *run, double a, double b, int halvings, bool is_known) {
  Gauges *g = &run->gauges;
  Status status = is_known ? QDOT_OK : look(run, a, b, GAUGE_NODES);
  if (status != QDOT_OK) return status;
  // what is next to nothing of a step is rounding
  bool is_long = b - a > 1e-6 * (run->stepper->t - run->stepper->t_old);
  if (halvings < MOST_HALVINGS && g->halvings_left > 0 && is_long &&
      !gauges_are_resolved(g, GAUGE_NODES)) {
    double middle = a + (b - a) / 2;
    g->halvings_left--;
    status = take_smooth(run, a, middle, halvings + 1, false);
    return status == QDOT_OK ? take_smooth(run, middle, b, halvings + 1, false) : status;
  }
  gauges_take_piece(g, GAUGE_NODES);
  status = take_turns(run);
  if (status == QDOT_OK) slopes_note_piece(run, a, b);
  return status;
}

// Shortens a span [a, b] until polynomials follow all guards, and evaluates its nodes. A guard that
// they do not follow after MOST_HALVINGS is noise, as are forces near a dead position: then the
// whole span is taken, and after MOST_NOISES such spans the run does not look closer any more.
static Status look_sharply(Run *run, double a, double *b) {
  Gauges *g = &run->gauges;
  bool *met_dead = &run->machine.met_dead, kept = *met_dead;
  double whole = *b, shortest = 1e-6 * (run->stepper->t - run->stepper->t_old);
  *met_dead = false;
  Status status = look(run, a, *b, GAUGE_NODES);
  for (int halvings = 0; status == QDOT_OK && *b - a > shortest; halvings++) {
    if (g->cuts_left == 0 || g->noises >= MOST_NOISES || gauges_see_guards(g)) break;
    bool is_noise = halvings == MOST_HALVINGS || *met_dead;
    g->cuts_left = is_noise ? 0 : g->cuts_left - 1;
    g->noises += is_noise;
    if (is_noise && halvings == 0) break;
    *b = is_noise ? whole : a + (*b - a) / 2;
    status = look(run, a, *b, GAUGE_NODES);
  }
  *met_dead = kept;
  return status;
}

// Between two moments where no reduction begins: cut at crossings.
static Status take_span(Run *run, double a, double b) {
  Gauges *g = &run->gauges;
  double a_next = b, reach = b - a;
  for (int crossings = 0; a < b; crossings++, a = a_next) {
    double end = reach < b - a ? a + reach : b, crossing = INFINITY;
    uint32_t guard = 0;
    bool known = false;
    Status status = look_sharply(run, a, &end);
    reach = 2 * (end - a);
    if (status == QDOT_OK) status = choose_signs(run, GAUGE_NODES, &known);
    if (status == QDOT_OK) status = take_beginning(run, a);
    if (status == QDOT_OK && crossings < MOST_CROSSINGS && g->close_left > 0)
      status = first_crossing(run, &crossing, &guard);
    if (status != QDOT_OK) return status;
    bool cuts = crossing > a && crossing < end;
    if (cuts && crossing - a < CLOSE * (run->stepper->t - run->stepper->t_old)) g->close_left--;
    a_next = cuts ? crossing : end;
    status = take_smooth(run, a, a_next, 0, known && !cuts);
    if (status == QDOT_OK) status = take_end(run, a_next);
    if (status != QDOT_OK) return status;
    if (cuts) slopes_note_crossing(run, guard);
  }
  return QDOT_OK;
}

// Where the motion cannot be evaluated between the ends of a step, straight from one to the other.
static Status take_ends(Run *run, double a, double b) {
  Gauges *g = &run->gauges;
  Remark *hint = &run->summary->hint;
  if (!remark_is_made(hint)) *hint = (Remark){REMARK_MOTION_GAP, {a}};
  if (look(run, a, b, 2) != QDOT_OK) return QDOT_OK;
  bool same = false;
  if (choose_signs(run, 2, &same) != QDOT_OK || look(run, a, b, 2) != QDOT_OK) return QDOT_OK;
  gauges_take_piece(g, 2);
  return QDOT_OK;
}

// The next moment after a at which a reduction begins, at most b.
static double next_beginning(const Gauges *g, double a, double b) {
  for (uint32_t i = 0; i < g->n; i++)
    if (g->at[i].from > a && g->at[i].from < b) b = g->at[i].from;
  return b;
}

Status run_watch_step(Run *run, double until) {
  Stepper *s = run->stepper;
  if (run->gauges.n == 0 || until <= s->t_old) return QDOT_OK;
  run->gauges.is_unseen = false;
  run->gauges.halvings_left = run->gauges.cuts_left = HALVINGS_A_STEP;
  run->gauges.close_left = MOST_CLOSE;
  run_look_aside(run);
  slopes_begin_looking(run);
  Status status = QDOT_OK;
  for (double a = s->t_old, b = a; a < until && status == QDOT_OK; a = b) {
    b = next_beginning(&run->gauges, a, until);
    status = take_span(run, a, b);
    if (run_is_numeric(status)) status = take_ends(run, a, b);
  }
  run_forget_forces(run);
  run_look_back(run);
  return status;
}

// ---- The end

Status run_watch_end(Run *run) {
  Gauges *g = &run->gauges;
  const Stepper *s = run->stepper;
  if (g->n == 0 || !run->gauges.is_unseen) return QDOT_OK;
  run_look_aside(run);
  slopes_begin_looking(run);
  memcpy(run->work.y, s->y, (size_t)s->size * sizeof *run->work.y);
  Status status = run_needs_forces(run) ? run_find_forces(run, s->t, run->work.y) : QDOT_OK;
  if (status == QDOT_OK) {
    guards_here(run, s->t, g->sign);
    for (uint32_t k = 0; k < g->guards; k++) g->sign[k] = sign_of(gauges_snapped(g, k, g->sign[k]));
    signals_here(run, s->t, g->sign, g->row);
    gauges_take_last(g, s->t, g->row);
    run->gauges.has_last_look = true;
  }
  run_forget_forces(run);
  run_look_back(run);
  return run_is_numeric(status) ? QDOT_OK : status;
}

static void warn_of_late(Run *run, uint32_t i) {
  const PlanReduction *r = &run->gauges.reductions[i];
  if (run->gauges.at[i].begun != 0 || run->summary->stopped != STOPPED_NOT) return;
  diag_warning(run->cx, r->span, "the run ends at t = %g s, before this begins at %g s",
               run->o->t_end, run->gauges.at[i].from);
}

static void warn_of_open(Run *run, uint32_t i) {
  const PlanReduction *r = &run->gauges.reductions[i];
  const Gauge *gauge = &run->gauges.at[i];
  if (r->kind != REDUCE_LAST || gauge->begun == 0 || gauge->holds == 0) return;
  diag_warning(
      run->cx, r->span,
      "this condition still holds at the end of the run, and the value is that of the end");
  diag_label(run->cx, "a longer run shows when it ceases to hold");
}

void run_finish_gauges(Run *run) {
  Gauges *g = &run->gauges;
  Machine *m = &run->machine;
  uint32_t count = m->plan->measures.measure_count;
  if (count == 0) return;
  if (!run->summary->measures)
    run->summary->measures = arena_array(run->memory.found, double, count);
  for (uint32_t i = 0; i < g->n; i++) {
    m->in[m->set->equations->layout.reductions + i] =
        gauge_result(&g->at[i], g->reductions[i].kind);
    warn_of_late(run, i);
    warn_of_open(run, i);
  }
  machine_need(m, PART_MEASURES);
  const double *out = machine_run_measures(m, run_time(run), run->q, run->qd).values;
  memcpy(run->summary->measures, out, count * sizeof *out);
}
