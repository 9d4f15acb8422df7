// Forward sensitivities along a run: begun, integrated and brought to an end.
#include "engine/slopes/slopes.h"

#include <math.h>
#include <string.h>

#include "engine/start/initial.h"

// A relative step of differences: with four points their error is below a part in 1e11.
static const double DIFFERENCE = 1e-3;
// Of the scaled Gram matrix of the constraints: below it slopes would grow beyond bounds.
static const double LEAST_PIVOT = 1e-3;
// Of start values: a part of the others that is none.
static const double LEAST_UNIT = 1e-9;
// Tries within one step of the motion, where each costs four evaluations of it a direction.
enum { MOST_TRIES = 20000 };

void slopes_lose(RunSlopes *s, double t, const char *why) {
  if (s->undefined) return;
  s->undefined = why;
  s->undefined_at = t;
}

// ---- States and slopes of the last step

Status slopes_state_at(RunSlopes *s, double t, double *x) {
  return stepper_dense(s->run->stepper, t, x);
}

Status slopes_at(RunSlopes *s, double t, double *S) { return stepper_dense(s->stepper, t, S); }

void slopes_put(RunSlopes *s, const double *S) {
  Machine *m = s->machine;
  const InputLayout *at = &m->set->equations->layout;
  memcpy(m->in + at->slopes, S, (size_t)s->count * s->state * sizeof *S);
  if (!s->actions.has_held) return;
  uint32_t parameters = m->plan->parameter_count, inputs = m->plan->input_count;
  for (uint32_t j = 0; j < s->count; j++)
    memcpy(m->in + at->held + (size_t)j * inputs,
           s->along + (size_t)j * (parameters + inputs) + parameters, inputs * sizeof *S);
}

// ---- Differences

static uint32_t variable_at(const RunSlopes *s, uint32_t i) {
  const PlanVariables *at = &s->machine->plan->variables;
  uint32_t parameters = s->machine->plan->parameter_count;
  return i < parameters ? at->parameters[i] : at->inputs[i - parameters];
}

static uint32_t value_count(const RunSlopes *s) {
  return s->machine->plan->parameter_count + s->machine->plan->input_count;
}

// Programs, contacts and joints take over the machine's values.
static void use_values(RunSlopes *s) {
  Run *run = s->run;
  machine_shift_values(s->machine, run->stepper ? run->switching.side : NULL);
  if (run->friction.slips > 0 || run->contacts.joints.count > 0)
    contacts_renew_friction(&run->contacts);
  if (s->machine->presses > 0 && run->stepper) sticking_renew(&run->friction.sticking);
}

void slopes_shift_values(RunSlopes *s, uint32_t j, double step) {
  uint32_t count = value_count(s);
  const double *along = s->along + (size_t)j * count;
  for (uint32_t i = 0; i < count; i++)
    s->machine->values[variable_at(s, i)] = s->in_kept[i] + step * along[i];
  use_values(s);
}

void slopes_restore_values(RunSlopes *s) {
  for (uint32_t i = 0; i < value_count(s); i++)
    s->machine->values[variable_at(s, i)] = s->in_kept[i];
  use_values(s);
}

bool slopes_take_differences(const RunSlopes *s) {
  return s->machine->presses > 0 || run_mixes(s->run);
}

double slopes_size(const RunSlopes *s, uint32_t i) {
  const Stepper *motion = s->run->stepper;
  if (!motion) return s->reach[i];
  double size = fmax(motion->largest[i], s->reach[i]);
  return motion->options.atol > 0 ? size : fmax(size, motion->floor[i] / motion->options.rtol);
}

double slopes_step(const RunSlopes *s, uint32_t j, const double *x, const double *S) {
  double most = 1 / s->unit[j];
  for (uint32_t i = 0; S && i < s->state; i++) {
    double size = fmax(fabs(x[i]), slopes_size(s, i));
    if (size > 0) most = fmax(most, fabs(S[(size_t)j * s->state + i]) / size);
  }
  return DIFFERENCE / most;
}

Status slopes_motion(RunSlopes *s, double t, const double *x, double *rates) {
  Run *run = s->run;
  int n = run->n;
  Dynamics *d = &run->stepper->dynamics;
  int64_t evaluations = d->evaluations;
  memcpy(rates, x + n, (size_t)n * sizeof *x);
  Status status = dynamics_evaluate(d, t, x, x + n, run->work.qdd, run->work.lambda, run->rows.row);
  d->evaluations = evaluations;
  memcpy(rates + n, run->work.qdd, (size_t)n * sizeof *x);
  memcpy(rates + 2 * n, run->rows.row, (size_t)s->machine->states * sizeof *x);
  return status;
}

// The rates of S by differences of the motion along it: where forces are solved for beside the
// equations, as friction at rest is.
static Status rates_by_differences(RunSlopes *s, double t, const double *S, double *out) {
  static const double place[4] = {-2, -1, 1, 2}, weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
  uint32_t state = s->state;
  double *x = s->room, *rates = s->room + state;
  for (uint32_t j = 0; j < s->count; j++) {
    double *to = out + (size_t)j * state, step = slopes_step(s, j, s->x, S);
    const double *along = S + (size_t)j * state;
    for (uint32_t i = 0; i < state; i++) to[i] = 0;
    for (int k = 0; k < 4; k++) {
      slopes_shift_values(s, j, place[k] * step);
      for (uint32_t i = 0; i < state; i++) x[i] = s->x[i] + place[k] * step * along[i];
      Status status = slopes_motion(s, t, x, rates);
      if (status != QDOT_OK) {
        slopes_restore_values(s);
        return status;
      }
      for (uint32_t i = 0; i < state; i++) to[i] += weight[k] / step * rates[i];
    }
  }
  slopes_restore_values(s);
  return QDOT_OK;
}

// ---- Integration

static double start_value(const Run *run, int number) {
  return number < run->n ? run->q[number] : run->qd[number - run->n];
}

bool slopes_are_trusted(const RunSlopes *s, double loss, const double *slack) {
  const Machine *m = s->machine;
  bool good = loss < ELIMINATION_MOST_LOSS;
  for (int r = 0; r < m->problem.m; r++) {
    double smallest = m->slack[machine_place(m, r)];
    good = good && (smallest == 0 || fabs(slack[r]) < ELIMINATION_MOST_LOSS * smallest);
  }
  return good;
}

// Of the derivatives alone: the run goes on.
static const char *const GROWS = "derivatives pass 1e100, as those of a chaotic motion do,";
static const char *const DEAD = "the motion passes through a dead position";

// Pivots are those of masses and geometry together. Where a mass is missing they are small without
// any fault of the geometry.
static bool is_dead(const Kkt *kkt) {
  return kkt->augmented ? kkt->rank < kkt->rows : kkt->worst_pivot < LEAST_PIVOT;
}

// Where the written elimination divides by next to nothing, the motion itself is solved for with
// pivots. If even these vanish, it is a dead position.
static Status rates_by_pivoting(RunSlopes *s, double t, const double *S, double *rates) {
  Kkt *kkt = &s->run->stepper->dynamics.kkt;
  kkt->worst_pivot = 1;
  Status status = slopes_motion(s, t, s->x, s->room);
  bool passes = status == QDOT_OK && !is_dead(kkt);
  if (passes) status = rates_by_differences(s, t, S, rates);
  if (passes && status == QDOT_OK) return QDOT_OK;
  slopes_lose(s, t, DEAD);
  memset(rates, 0, (size_t)s->count * s->state * sizeof *rates);
  return run_is_numeric(status) ? QDOT_OK : status;
}

static Status rates_of_slopes(void *user, double t, const double *q, const double *S, double *qdd,
                              double *lambda, double *rates) {
  (void)q, (void)qdd, (void)lambda;
  RunSlopes *s = user;
  Machine *m = s->machine;
  Status status = slopes_state_at(s, t, s->x);
  if (status != QDOT_OK) return status;
  if (slopes_take_differences(s)) return rates_by_differences(s, t, S, rates);
  slopes_put(s, S);
  SlopeRatesBlocks at = machine_run_slope_rates(m, t, s->x, s->x + m->n);
  size_t size = (size_t)s->count * s->state;
  if (!slopes_are_trusted(s, *at.loss, at.slack)) return rates_by_pivoting(s, t, S, rates);
  memcpy(rates, at.rates, size * sizeof *rates);
  return QDOT_OK;
}

static Status need_parts(RunSlopes *s) {
  Machine *m = s->machine;
  static const EquationPart parts[] = {PART_SLOPE_RATES, PART_EVENT_SLOPES, PART_SIGNAL_SLOPES,
                                       PART_LOCKED_WATCH};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) machine_need(m, parts[i]);
  if (m->problem.m > 0) machine_need(m, PART_SLOPE_PROJECTION);
  if (m->set->equations->switch_count > 0) machine_need(m, PART_SWITCH_SPEEDS);
  if (m->set->work[PART_SLOPE_RATES] && m->set->work[PART_SIGNAL_SLOPES] &&
      (m->problem.m == 0 || m->set->work[PART_SLOPE_PROJECTION]))
    return QDOT_OK;
  return diag_error_plain(m->cx, QDOT_UNSUPPORTED,
                          "no slopes along this motion: its accelerations take pivoting");
}

// A start value is measured by itself; next to zero beside the others of its level, by these.
static double unit_of_start(const Run *run, int number) {
  int first = number < run->n ? 0 : run->n, last = number < run->n ? run->n : run->acting;
  double own = fabs(start_value(run, number)), most = 0;
  for (int i = first; i < last; i++) most = fmax(most, fabs(start_value(run, i)));
  return own > LEAST_UNIT * most ? own : most;
}

static void open_stepper(RunSlopes *s) {
  s->problem =
      (Problem){.user = s, .states = (int)(s->count * s->state), .forward = rates_of_slopes};
  MethodOptions options = method_defaults();
  options.rtol = s->run->o->method.rtol;
  stepper_open(s->run->memory.room, &s->problem, &options, &s->stepper);
  s->stepper->stop = s->run->o->stop;
}

Status slopes_open(Run *run) {
  Machine *m = &run->machine;
  const PlanSlopes *plan = m->plan->slopes;
  run->slopes = NULL;
  if (!plan) return QDOT_OK;
  if (run_steps_contacts(run) && m->contacts > 0)
    return diag_error_plain(
        m->cx, QDOT_UNSUPPORTED,
        "no slopes along this motion: moreau steps over impacts; rk853 stops at them");
  Arena *room = run->memory.room;
  RunSlopes *s = arena_new(room, RunSlopes);
  const Directions *d = plan->directions;
  uint32_t values = m->plan->parameter_count + m->plan->input_count;
  *s = (RunSlopes){.run = run, .machine = m, .count = d->n};
  s->state = 2 * m->plan->n + m->plan->state_count;
  size_t size = (size_t)s->count * s->state;
  s->unit = arena_array(room, double, s->count);
  s->along = arena_array(room, double, (size_t)s->count *values + 1);
  s->in_kept = arena_array(room, double, values + 1);
  s->S = arena_array(room, double, size);
  s->x = arena_array(room, double, s->state + POWER_KINDS + 4);
  s->room = arena_array(room, double, 3 * (size_t)s->state);
  s->balance = arena_array(room, double, s->state);
  s->reach = arena_array(room, double, s->state);
  s->event.shift = arena_array(room, double, s->count);
  s->widest = arena_array(room, double, m->contacts);
  double **states[] = {&s->event.x_before, &s->event.rates_before, &s->event.x_after,
                       &s->event.rates_after};
  for (size_t i = 0; i < sizeof states / sizeof *states; i++)
    *states[i] = arena_array(room, double, s->state + POWER_KINDS + 4);
  s->event.S = arena_array(room, double, size);
  for (uint32_t i = 0; i < values; i++) s->in_kept[i] = m->values[variable_at(s, i)];
  for (uint32_t j = 0; j < s->count; j++) {
    for (size_t i = (size_t)j * values; i < (size_t)(j + 1) * values; i++)
      s->along[i] = machine_number(m, &plan->values[i]);
    int start = directions_start(d, values, j);
    s->unit[j] = start < 0 ? fabs(s->in_kept[d->places[j]]) : unit_of_start(run, start);
    if (s->unit[j] == 0) s->unit[j] = 1;
  }
  run->slopes = s;
  open_stepper(s);
  slopes_open_gauges(s, room);
  slopes_open_actions(s, room);
  return QDOT_OK;
}

// ---- The initial state

// Is the start of this number (among q, q', states) a direction of its own?
static bool has_start(const RunSlopes *s, uint32_t number) {
  return directions_have(s->machine->plan->slopes->directions, value_count(s) + number);
}

// The number of the start that direction j is, or -1.
static int own_start(const RunSlopes *s, uint32_t j) {
  return directions_start(s->machine->plan->slopes->directions, value_count(s), j);
}

static void slopes_of_values(RunSlopes *s) {
  const Machine *m = s->machine;
  for (uint32_t j = 0; j < s->count; j++) {
    double *S = s->S + (size_t)j * s->state;
    const PlanValue *starts = m->plan->slopes->starts + (size_t)j * s->state;
    for (uint32_t i = 0; i < s->state; i++)
      S[i] = has_start(s, i) ? own_start(s, j) == (int)i : machine_number(m, &starts[i]);
  }
}

// Assembled with parameters a little to either side.
static Status slopes_of_assembly(RunSlopes *s) {
  static const double place[4] = {-2, -1, 1, 2}, weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
  Machine *m = s->machine;
  Diagnostics before = m->cx->diagnostics;
  const double *given = m->start;
  double *start = arena_array(s->run->memory.room, double, s->state);
  Status status = QDOT_OK;
  for (uint32_t j = 0; j < s->count && status == QDOT_OK; j++) {
    double *S = s->S + (size_t)j * s->state, step = DIFFERENCE * s->unit[j];
    for (uint32_t i = 0; i < s->state; i++) S[i] = 0;
    for (int k = 0; k < 4 && status == QDOT_OK; k++) {
      SimSummary unused = {0};
      slopes_shift_values(s, j, place[k] * step);
      for (uint32_t i = 0; i < s->state; i++)
        start[i] = given ? given[i] : has_start(s, i) ? start_value(s->run, (int)i) : NAN;
      int own = own_start(s, j);
      if (own >= 0) start[own] = start_value(s->run, own) + place[k] * step;
      m->start = start;
      status = initial_state(m, s->room, s->room + m->n, &unused);
      m->start = given;
      for (uint32_t i = 0; i < s->state; i++) S[i] += weight[k] / step * s->room[i];
    }
  }
  m->cx->diagnostics = before;
  slopes_restore_values(s);
  if (status != QDOT_OK)
    slopes_lose(s, 0, "the mechanism cannot be assembled with parameters a little to either side");
  return QDOT_OK;
}

// Coordinates of bodies may start elsewhere than their guesses say, without any constraint.
static bool starts_as_said(const RunSlopes *s) {
  const Machine *m = s->machine;
  for (int i = 0; m->plan->traits.is_assembled && i < 2 * m->n; i++) {
    if (machine_starts_at(m, i)) continue;
    const PlanCoordinate *c = &m->plan->coordinates[i % m->n];
    double said = machine_number(m, i < m->n ? &c->position.value : &c->velocity.value);
    double is = start_value(s->run, i);
    if (fabs(is - said) > 1e-12 * fmax(fabs(is), fabs(said))) return false;
  }
  return true;
}

// Beside the others at the start, a thousandth of them is nothing.
static void begin_reach(RunSlopes *s) {
  int n = s->machine->n;
  for (int level = 0; level < 2; level++) {
    double most = 0;
    for (int i = level * n; i < (level + 1) * n; i++)
      most = fmax(most, fabs(start_value(s->run, i)));
    for (int i = level * n; i < (level + 1) * n; i++) s->reach[i] = 1e-3 * most;
  }
}

Status slopes_start(Run *run) {
  RunSlopes *s = run->slopes;
  if (!s) return QDOT_OK;
  begin_reach(s);
  bool is_assembled = s->machine->rows > 0 || !starts_as_said(s);
  Status status = QDOT_OK;
  if (is_assembled)
    status = slopes_of_assembly(s);
  else
    slopes_of_values(s);
  s->must_start = true;
  s->marks.last_cut = (Cut){.t = 0};
  memcpy(s->event.S, s->S, (size_t)s->count * s->state * sizeof *s->S); // what first samples see
  return status;
}

// ---- Along the run

// What has hardly moved is as large as what it will be within a row, or a thousandth of the others
// of its kind: the rounding that it has is no size.
static void find_reach(RunSlopes *s, const double *x, const double *rates) {
  int n = s->machine->n;
  const Stepper *motion = s->run->stepper;
  double every = s->run->o->every, most[2] = {0};
  for (int i = 0; i < n; i++) {
    double speed = fmax(every * fabs(rates[n + i]), s->balance[n + i]);
    s->reach[n + i] = fmax(s->reach[n + i], speed);
    s->reach[i] = fmax(s->reach[i], every * fmax(speed, fabs(x[n + i])));
    for (int k = 0; k < 2; k++)
      most[k] = fmax(most[k], s->reach[k * n + i] / stepper_scale(motion, i));
  }
  for (int i = 0; i < 2 * n; i++)
    s->reach[i] = fmax(s->reach[i], 1e-3 * most[i >= n] * stepper_scale(motion, i % n));
}

// Accelerations that hold each other, as those of what rests, leave their rounding: slopes are
// measured by the motion that they would be, within a row, without each other.
static Status find_balance(RunSlopes *s, double t) {
  Machine *m = s->machine;
  int n = m->n;
  double every = s->run->o->every;
  if (!slopes_take_differences(s)) return QDOT_OK;
  Status status = slopes_state_at(s, t, s->x);
  if (status == QDOT_OK) status = slopes_motion(s, t, s->x, s->room);
  if (status != QDOT_OK) return status;
  machine_need(m, PART_GEOMETRY);
  GeometryBlocks at = machine_run_geometry(m, t, s->x, NULL);
  for (int i = 0; i < n; i++) {
    double force = 0, mass = at.M[(size_t)i * (size_t)n + (size_t)i];
    for (int r = 0; r < m->problem.m; r++)
      force += fabs(at.Phi_q[(size_t)r * (size_t)n + (size_t)i] * s->run->work.lambda[r]);
    double parts = m->sticking ? m->sticking->parts[i] : 0;
    double held = every * fmax(mass > 0 ? force / mass : 0, parts);
    s->balance[n + i] = fmax(s->balance[n + i], held);
    s->balance[i] = every * s->balance[n + i];
  }
  find_reach(s, s->x, s->room);
  return QDOT_OK;
}

// What slopes are measured by: the size of the state over that of the parameter, or their own.
static void give_sizes(RunSlopes *s) {
  const Stepper *motion = s->run->stepper;
  Stepper *own = s->stepper;
  for (uint32_t j = 0; j < s->count; j++)
    for (uint32_t i = 0; i < s->state; i++) {
      size_t at = (size_t)j * s->state + i;
      double size = fmax(motion->floor[i] / motion->options.rtol, s->balance[i]) / s->unit[j];
      if (!(size > own->largest[at]) || !isfinite(size)) continue;
      own->largest[at] = size;
      own->floor[at] = own->options.rtol * size;
    }
}

static Status jump_aside(RunSlopes *s) {
  run_look_aside(s->run);
  Status status = slopes_jump(s);
  run_look_back(s->run);
  return status;
}

Status slopes_begin_piece(Run *run) {
  RunSlopes *s = run->slopes;
  if (!s || s->undefined) return QDOT_OK;
  if (run->contacts.told_ambiguity) slopes_lose(s, run->t, "friction allows more than one motion");
  if (s->undefined) return QDOT_OK;
  Status status = need_parts(s);
  slopes_keep_held(s);
  if (status == QDOT_OK && s->event.is_open) status = jump_aside(s);
  if (status == QDOT_OK && !s->has_begun) status = slopes_rest(s);
  s->must_start = s->has_begun = true;
  return status;
}

// The stepper begins once the motion can be looked at: within its first step.
static Status start_stepper(RunSlopes *s, double t) {
  s->must_start = false;
  return stepper_start(s->stepper, t, s->S, s->S, NULL);
}

static void project(RunSlopes *s) {
  Machine *m = s->machine;
  Stepper *own = s->stepper;
  if (m->problem.m == 0 || slopes_take_differences(s)) return;
  if (slopes_state_at(s, own->t, s->x) != QDOT_OK) return;
  slopes_put(s, own->y);
  SlopeProjectionBlocks at = machine_run_slope_projection(m, own->t, s->x, s->x + m->n);
  if (!slopes_are_trusted(s, *at.loss, at.slack)) return;
  memcpy(own->y, at.slopes, (size_t)s->count * s->state * sizeof *own->y);
}

static Status advance(RunSlopes *s, double until) {
  Stepper *own = s->stepper;
  Status status = s->must_start ? find_balance(s, s->run->stepper->t_old) : QDOT_OK;
  if (status == QDOT_OK) status = find_balance(s, until);
  give_sizes(s);
  if (status == QDOT_OK && s->must_start) status = start_stepper(s, s->run->stepper->t_old);
  int64_t began = s->tries, most = s->run->o->most_steps;
  while (status == QDOT_OK && own->t < until && !s->undefined) {
    int64_t before = own->steps + own->rejected;
    status = stepper_step(own, until);
    s->tries += own->steps + own->rejected - before;
    bool too_many = slopes_take_differences(s) && s->tries - began > MOST_TRIES;
    if ((most > 0 && s->tries > most) || too_many)
      slopes_lose(s, own->t, "they take too many steps");
    if (status == QDOT_OK) status = slopes_take_marks(s, own->t);
    if (status == QDOT_OK) status = slopes_watch_misses(s, own->t_old, own->t);
    if (status == QDOT_OK) project(s);
  }
  memcpy(s->S, own->y, (size_t)s->count * s->state * sizeof *s->S);
  return status;
}

Status slopes_follow(Run *run, double until, bool is_event) {
  RunSlopes *s = run->slopes;
  if (!s) return QDOT_OK;
  if (!s->undefined) {
    bool samples = !is_event && run_samples_now(run), moves = is_event || s->actions.samples_move;
    run_look_aside(run);
    slopes_make_marks(s, until, is_event || (samples && moves));
    Status status = until > run->stepper->t_old ? advance(s, until) : QDOT_OK;
    if (status == QDOT_OK && is_event && !s->undefined) status = slopes_meet_event(s, until);
    if (status == QDOT_OK && samples && !s->undefined) status = slopes_meet_samples(s);
    if (status == QDOT_OK && moves && !s->undefined) status = slopes_take_late_marks(s);
    run_look_back(run);
    if (status == QDOT_BLOW_UP) slopes_lose(s, s->stepper->t, GROWS);
    if (run_is_numeric(status) || status == QDOT_STEP_LIMIT || status == QDOT_BLOW_UP) {
      slopes_lose(s, until, "the slopes cannot be integrated further");
      status = QDOT_OK;
    }
    if (status != QDOT_OK) return status;
  }
  s->marks.pieces.n = s->marks.list.n = s->marks.signs.n = 0;
  return QDOT_OK;
}

Status slopes_go_on(Run *run) {
  RunSlopes *s = run->slopes;
  if (!s || s->undefined) return QDOT_OK;
  slopes_keep_held(s);
  s->must_start = true;
  if (!s->event.is_open) return QDOT_OK;
  run_take_state(run, run->stepper->t, run->stepper->y);
  return jump_aside(s);
}

// A run that has broken off, at its first evaluation maybe, has no measures and no slopes of them.
void slopes_finish(Run *run) {
  const RunSlopes *s = run->slopes;
  bool is_whole = run->summary->stopped == STOPPED_NOT;
  if (s && is_whole && (s->has_begun || s->undefined)) slopes_finish_gauges(run->slopes);
}
