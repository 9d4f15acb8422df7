// Events of the model's own: values that are reset where a function crosses zero, and stops.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "engine/run/run.h"
#include "solve/algebra/svd.h"

enum { MOST_ROUNDS = 1000, MOST_CORRECTIONS = 30 };
// A function this small beside what it has been is zero; one that changes by less than this part of
// it in the time of a look ahead stays there.
static const double ZERO = 1e-9, STAYS = 1e-15;

static const PlanOccasion *occasion(const Run *run, int i) {
  return &run->machine.plan->actions.occasions[i];
}

static int first_function(const Run *run) {
  return run->machine.contacts + run->switching.count + run->sliding.count + run->friction.slips;
}

int run_function_count(const Run *run) { return first_function(run) + run->own.count; }

// ---- Before a run

static Status check_target(const Run *run, const PlanAssignment *a) {
  if (a->input >= 0) return QDOT_OK;
  if (a->is_without_inertia) {
    Status status = diag_error(run->cx, QDOT_UNSUPPORTED, a->span,
                               "the velocity of a coordinate without mass cannot be given");
    diag_note(run->cx, "it follows from its damping; its place can be given, or it needs a mass");
    return status;
  }
  if (a->place < 0) {
    Status status = diag_error(run->cx, QDOT_UNSUPPORTED, a->span,
                               "this is not a coordinate of the formulation that is used");
    diag_note(run->cx, "in the formulation maximal every body has its x, y and theta");
    return status;
  }
  if (run->machine.contacts == 0) return QDOT_OK;
  return diag_error(run->cx, QDOT_UNSUPPORTED, a->span,
                    "a model with contacts cannot reset what moves, only inputs and memories");
}

Status run_open_occasions(Run *run) {
  const Plan *plan = run->machine.plan;
  Status status = QDOT_OK;
  if (run->own.count > 0) machine_need(&run->machine, PART_OCCASIONS);
  for (uint32_t i = 0; i < plan->actions.assignment_count && status == QDOT_OK; i++)
    status = check_target(run, &plan->actions.assignments[i]);
  if (run->own.count > 0 && run->machine.rows > 0) {
    machine_need(&run->machine, PART_POSITION);
    machine_need(&run->machine, PART_VELOCITY);
    machine_need(&run->machine, PART_GEOMETRY);
  }
  return status;
}

// ---- On which side they are

// Held values alone change only when something happens.
static bool moves(const Run *run, int i) { return occasion(run, i)->has_motion; }

void run_watch_zeros(const Run *run, double *g) {
  for (int i = 0; i < run->own.count; i++) g[i] += run->own.side[i] * run->own.slack[i];
}

void run_arm_occasions(Run *run) {
  for (int i = 0; i < run->own.count; i++)
    run->events.side[first_function(run) + i] = moves(run, i) ? run->own.side[i] : 0;
}

static double *greatest(const Run *run, int i) {
  return &run->event.greatest[first_function(run) + i];
}

static double side_of(const Run *run, int i, double g) {
  double *most = greatest(run, i);
  *most = fmax(*most, fabs(g));
  return fabs(g) <= ZERO * *most ? 0 : g < 0 ? -1 : 1;
}

// Where the motion goes next, for functions that are zero now; what sticks stays.
static Status look_ahead(Run *run, double *q1, double *qd1, double h) {
  Machine *m = &run->machine;
  Problem kept = m->problem;
  Sticking *was = m->sticking, held;
  if (run_mixes(run)) {
    machine_use_contacts(m);
    machine_need_method(m, run->o->method.method);
    sticking_open(&held, &run->cx->scratch, m, run->switching.count, 0);
    sticking_begin(&held, run->switching.side, run->sliding.holds);
  }
  Dynamics d;
  dynamics_open(&d, &run->cx->scratch, &m->problem);
  Status status =
      dynamics_evaluate(&d, run->t, run->q, run->qd, run->work.qdd, NULL, run->rows.row);
  if (run_mixes(run)) m->problem = kept, m->sticking = was;
  for (int i = 0; i < run->n; i++) {
    q1[i] = run->q[i] + h * (run->qd[i] + h / 2 * run->work.qdd[i]);
    qd1[i] = run->qd[i] + h * run->work.qdd[i];
  }
  for (int i = 0; i < m->states; i++) qd1[run->n + i] = run->qd[run->n + i] + h * run->rows.row[i];
  return status;
}

Status run_side_occasions(Run *run) {
  Machine *m = &run->machine;
  if (run->own.count == 0) return QDOT_OK;
  const double *g = machine_run_occasions(m, run->t, run->q, run->qd).functions;
  bool any_zero = false;
  for (int i = 0; i < run->own.count; i++) {
    double side = side_of(run, i, g[i]);
    // a condition at its zero stays what it is: true, or yet to become so
    if (side != 0 || !occasion(run, i)->is_condition) run->own.side[i] = side;
    any_zero |= run->own.side[i] == 0;
  }
  if (!any_zero) return QDOT_OK;
  Mark mark = arena_mark(&run->cx->scratch);
  double *q1 = arena_array(&run->cx->scratch, double, run->n);
  double *qd1 = arena_array(&run->cx->scratch, double, run->acting - run->n);
  double *now = arena_array(&run->cx->scratch, double, run->own.count);
  memcpy(now, g, (size_t)run->own.count * sizeof *now);
  double h = 1e-6 * fmax(run->o->every, 1e-9);
  Status status = look_ahead(run, q1, qd1, h);
  OccasionsBlocks next = machine_run_occasions(m, run->t + h, q1, qd1);
  for (int i = 0; i < run->own.count && status == QDOT_OK; i++) {
    if (run->own.side[i] != 0) continue;
    if (fabs(next.functions[i] - now[i]) > STAYS * *greatest(run, i))
      run->own.side[i] = next.functions[i] < now[i] ? -1 : 1;
    else if (occasion(run, i)->is_condition)
      run->own.side[i] = next.holds[i] != 0 ? 1 : -1;
  }
  arena_release(&run->cx->scratch, mark);
  return status;
}

void run_watch_occasions(Run *run) {
  const Stepper *s = run->stepper;
  bool any_zero = false;
  for (int i = 0; i < run->own.count; i++)
    any_zero |= run->own.side[i] == 0 || run->own.slack[i] > 0;
  if (!any_zero) return;
  const double *g = machine_run_occasions(&run->machine, s->t, s->y, s->y + run->n).functions;
  for (int i = 0; i < run->own.count; i++) {
    if (run->own.side[i] * g[i] > run->own.slack[i]) run->own.slack[i] = 0;
    if (run->own.side[i] != 0) continue;
    run->own.side[i] = side_of(run, i, g[i]);
    run->events.side[first_function(run) + i] = run->own.side[i];
  }
}

// ---- New values, on the constraints

// The least change of x that brings `residual` (rows) to zero, by J with the columns of what is
// kept left out.
static Status correct(Run *run, int rows, const double *J, const double *residual, const bool *kept,
                      double *x) {
  int n = run->n;
  Arena *scratch = &run->cx->scratch;
  Mark mark = arena_mark(scratch);
  double *free_part = arena_array(scratch, double, (size_t)rows *n);
  double *dx = arena_array(scratch, double, n), *b = arena_array(scratch, double, rows);
  for (int r = 0; r < rows; r++) {
    b[r] = -residual[r];
    for (int i = 0; i < n; i++) free_part[r * n + i] = kept[i] ? 0 : J[r * n + i];
  }
  Status status = svd_least_norm(scratch, rows, n, free_part, b, 1e-9, dx, NULL);
  for (int i = 0; i < n && status == QDOT_OK; i++) x[i] += kept[i] ? 0 : dx[i];
  arena_release(scratch, mark);
  return status;
}

static double largest(const double *values, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(values[i]));
  return most;
}

static Status does_not_fit(Run *run, const PlanOccasion *o) {
  run->end.why = text_format(&run->cx->keep,
                             "the values that 'when %s' gives do not fit the constraints", o->text);
  run->end.why_note = "fewer values may be given, so that the rest can follow";
  return QDOT_STEP_LIMIT;
}

// kept: of q, then of q'.
static Status fit_constraints(Run *run, const PlanOccasion *o, const bool *kept) {
  Machine *m = &run->machine;
  int rows = m->problem.m, holonomic = (int)m->set->equations->holonomic, n = run->n;
  if (rows == 0) return QDOT_OK;
  double before = INFINITY;
  bool is_met = holonomic == 0;
  for (int k = 0; k < MOST_CORRECTIONS && !is_met; k++) {
    const double *Phi = machine_run_position(m, run->t, run->q, NULL).Phi;
    double size = largest(Phi, holonomic);
    is_met = size == 0 || (k > 1 && size >= before / 2 && size < 1e-9 * run->machine.problem.m);
    if (!isfinite(size)) return does_not_fit(run, o);
    before = size;
    if (is_met) break;
    const double *J = machine_run_geometry(m, run->t, run->q, NULL).Phi_q;
    if (correct(run, holonomic, J, Phi, kept, run->q) != QDOT_OK) return does_not_fit(run, o);
  }
  if (!is_met) return does_not_fit(run, o);
  for (int k = 0; k < 2; k++) {
    const double *J = machine_run_geometry(m, run->t, run->q, NULL).Phi_q;
    const double *Phi_dot = machine_run_velocity(m, run->t, run->q, run->qd).Phi_dot;
    if (correct(run, rows, J, Phi_dot, kept + n, run->qd) != QDOT_OK) return does_not_fit(run, o);
  }
  double left = largest(machine_run_velocity(m, run->t, run->q, run->qd).Phi_dot, rows);
  return left <= 1e-6 * (1 + largest(run->qd, n)) ? QDOT_OK : does_not_fit(run, o);
}

static void put(Run *run, int place, double value) {
  if (place < run->n)
    run->q[place] = value;
  else
    run->qd[place - run->n] = value;
}

static void tell(Run *run, int i, SimEventKind kind) {
  SimEvent event = {.t = run->t, .number = (uint32_t)i, .kind = kind};
  vec_push(run->memory.found, &run->summary->events, event);
}

// What the assignments of an event make of the state.
static Status put_state(Run *run, const PlanOccasion *o, const double *values, bool *moved) {
  const PlanAssignment *list = run->machine.plan->actions.assignments + o->first;
  Mark mark = arena_mark(&run->cx->scratch);
  bool *kept = arena_array(&run->cx->scratch, bool, run->acting), any = false;
  for (uint32_t k = 0; k < o->count; k++) {
    if (list[k].input >= 0) continue;
    put(run, list[k].place, values[k]);
    kept[list[k].place] = any = true;
  }
  Status status = any ? fit_constraints(run, o, kept) : QDOT_OK;
  *moved |= any;
  arena_release(&run->cx->scratch, mark);
  return status;
}

Status run_reset_state(Run *run, const PlanOccasion *o) {
  Mark mark = arena_mark(&run->cx->scratch);
  double *values = arena_array(&run->cx->scratch, double, o->count);
  bool moved = false;
  memcpy(values, machine_run_assign(&run->machine, run->t, run->q, run->qd).values + o->first,
         o->count * sizeof *values);
  Status status = put_state(run, o, values, &moved);
  arena_release(&run->cx->scratch, mark);
  return status;
}

// Carries out the assignments of one event, all with the values before it.
static Status carry_out(Run *run, int i, bool *moved) {
  Machine *m = &run->machine;
  const PlanOccasion *o = occasion(run, i);
  const PlanAssignment *list = m->plan->actions.assignments + o->first;
  Mark mark = arena_mark(&run->cx->scratch);
  double *values = arena_array(&run->cx->scratch, double, o->count);
  double E = *machine_run_energy(m, run->t, run->q, run->qd).total;
  const double *all = machine_run_assign(m, run->t, run->q, run->qd).values;
  for (uint32_t k = 0; k < o->count; k++) {
    values[k] = all[o->first + k];
    if (!isfinite(values[k])) {
      run->end.why =
          text_format(&run->cx->keep, "'when %s' gives a value that is not a number", o->text);
      arena_release(&run->cx->scratch, mark);
      return QDOT_STEP_LIMIT;
    }
  }
  Status status = slopes_reset(run, o);
  const InputJump *jump = run_before_inputs(run, run->t);
  for (uint32_t k = 0; k < o->count; k++)
    if (list[k].input >= 0) machine_assign_input(m, (uint32_t)list[k].input, values[k]);
  if (status == QDOT_OK) status = put_state(run, o, values, moved);
  run->w[POWER_DRIVES] += *machine_run_energy(m, run->t, run->q, run->qd).total - E;
  if (status == QDOT_OK) status = run_after_inputs(run, run->t, jump, moved);
  tell(run, i, SIM_RESET);
  arena_release(&run->cx->scratch, mark);
  return status;
}

// ---- Sequences without end

// Events that come ever sooner after each other, as bounces do, pile up at one moment.
bool run_piles_up(Run *run, double t) {
  enum { MANY = 20 };
  double interval = t - run->own.last_of_all;
  bool shrinks = run->own.sooner > 0 && interval < run->own.interval;
  run->own.longest = shrinks ? fmax(run->own.longest, interval) : interval;
  run->own.sooner = shrinks ? run->own.sooner + 1 : 1;
  run->own.interval = interval;
  run->own.last_of_all = t;
  return run->own.sooner > MANY && interval < 1e-6 * run->own.longest;
}

// ---- What happens

static bool holds(Run *run, int i) {
  return machine_run_occasions(&run->machine, run->t, run->q, run->qd).holds[i] != 0;
}

static Status happen(Run *run, int i, bool *changed, bool *moved) {
  *changed = true;
  if (!occasion(run, i)->stops) return carry_out(run, i, moved);
  run->end.has_stopped = true;
  tell(run, i, SIM_STOP);
  return QDOT_OK;
}

// Does a condition hold now? One that has become true at its zero stays so, whatever rounding says;
// what depends on held values alone has no rounding.
static bool is_true(Run *run, int i, double g, bool holds) {
  double side = side_of(run, i, g);
  if (!moves(run, i)) return holds;
  return side != 0 ? side > 0 : holds || run->own.side[i] > 0;
}

// The first condition that a jump of values has made true, or -1; the next may follow it.
static int next_true(Run *run) {
  OccasionsBlocks at = machine_run_occasions(&run->machine, run->t, run->q, run->qd);
  int found = -1;
  for (int i = 0; i < run->own.count; i++) {
    if (!occasion(run, i)->is_condition) continue;
    bool holds_now = is_true(run, i, at.functions[i], at.holds[i] != 0);
    if (!holds_now) run->own.side[i] = -1;
    if (holds_now && run->own.side[i] <= 0 && found < 0) found = i;
  }
  if (found >= 0) run->own.side[found] = 1;
  return found;
}

static Status follow_jumps(Run *run, bool *changed, bool *moved) {
  for (int round = 0; round < MOST_ROUNDS && !run->end.has_stopped; round++) {
    int found = next_true(run);
    if (found < 0) return QDOT_OK;
    Status status = happen(run, found, changed, moved);
    if (status != QDOT_OK) return status;
  }
  if (run->end.has_stopped) return QDOT_OK;
  run->end.why = "events of the model follow each other without end at one moment";
  run->end.why_note = "an event that makes another one true must not be made true by it again";
  return QDOT_STEP_LIMIT;
}

static Status settle(Run *run, bool moved) {
  Machine *m = &run->machine;
  Status status = QDOT_OK;
  if (moved && machine_switches(m)) status = run_choose_sides(run, run->t, run->q, run->qd);
  run_push_slides(run);
  return status == QDOT_OK ? run_side_occasions(run) : status;
}

// One that happened where the last step began has not been away from its zero since, unless its
// function was beyond it.
static bool has_been_away(Run *run, int i) {
  const Stepper *s = run->stepper;
  if (run->own.last[i] < s->t_old) return true;
  const double *y = s->y_old;
  double g = machine_run_occasions(&run->machine, s->t_old, y, y + run->n).functions[i];
  return side_of(run, i, g) != 0;
}

// Beside so much nobody sees whether something at rest is on one side of a zero or on the other.
static double band(const Run *run, int i) { return 2 * ZERO * *greatest(run, i); }

// A condition has become true where its side of the zero includes it; what it is from now on, it is
// until it leaves the zero. Another function has no side as long.
bool run_hit_zeros(Run *run, double t) {
  bool *hit = run->events.hit + first_function(run), any = false;
  for (int i = 0; i < run->own.count; i++) {
    OccasionsBlocks at = machine_run_occasions(&run->machine, t, run->q, run->qd);
    double g = at.functions[i], side = run->own.side[i];
    bool is_condition = occasion(run, i)->is_condition, holds_now = at.holds[i] != 0;
    if (!moves(run, i) || side_of(run, i, g) != 0) continue;
    if (is_condition) run->own.slack[i] = band(run, i);
    if (hit[i]) continue;
    hit[i] = (is_condition ? side < 0 && holds_now : side != 0) && has_been_away(run, i);
    any |= hit[i];
    if (!is_condition && !hit[i]) run->own.side[i] = 0;
  }
  return any;
}

Status run_treat_occasions(Run *run, double t, bool *changed) {
  const bool *hit = run->events.hit + first_function(run);
  bool moved = false, any = false;
  Status status = QDOT_OK;
  for (int i = 0; i < run->own.count && status == QDOT_OK && !run->end.has_stopped; i++) {
    if (!hit[i]) continue;
    // an earlier one may have moved it away from its zero
    double g = machine_run_occasions(&run->machine, t, run->q, run->qd).functions[i];
    bool is_still = !moved || side_of(run, i, g) == 0;
    int direction = run->own.side[i] < 0 ? 1 : -1;
    const PlanOccasion *o = occasion(run, i);
    bool rests = run->event.rests_anew && is_still && side_of(run, i, g) == 0;
    run->own.side[i] = rests && !o->is_condition ? 0 : direction;
    run->own.last[i] = t;
    if (!rests) run->own.slack[i] = 0;
    any = true;
    bool is_meant = o->direction == 0 || o->direction == direction;
    // what rests at the zero has not gone beyond it
    if (rests && o->is_condition && direction > 0 && !holds(run, i)) {
      run->own.side[i] = -1;
      continue;
    }
    if (is_still && is_meant && (o->is_condition || holds(run, i)))
      status = happen(run, i, changed, &moved);
  }
  if (status == QDOT_OK && any && *changed) status = follow_jumps(run, changed, &moved);
  return status == QDOT_OK && *changed && !run->end.has_stopped ? settle(run, moved) : status;
}

Status run_recheck_occasions(Run *run, double t, bool *changed) {
  bool moved = false;
  run->t = t;
  Status status = follow_jumps(run, changed, &moved);
  if (status != QDOT_OK || run->end.has_stopped) return status;
  status = *changed ? settle(run, moved) : run_side_occasions(run);
  run_arm_occasions(run);
  return status;
}

Status run_stop_here(Run *run) {
  Status status = run_start_piece(run);
  int64_t last = run->rows.next - 1;
  bool has_row =
      !run->rows.owes_event &&
      (run->o->event_rows || (run_row_time(run, last) == run->t && run_writes_row(run, last)));
  if (status == QDOT_OK && run->sink->row && !has_row)
    status = run_write_event_row(run, run->t, run->q, run->qd);
  return status;
}
