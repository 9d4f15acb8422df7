// Slopes of what is assigned: samples, which hold values, and resets of the model's own.
#include <math.h>
#include <string.h>

#include "engine/slopes/slopes.h"

static const double place[4] = {-2, -1, 1, 2};
static const double weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
// Samples at one moment stay together if they move alike, within this part.
static const double MOVE_ALIKE = 1e-9;

static const char *const TWO_SAMPLES = "two samples fall together, and would not with other values";

// ---- Held values

static uint32_t values_of(const RunSlopes *s) {
  const Plan *plan = s->machine->plan;
  return plan->parameter_count + plan->input_count;
}

// The slope of an input along direction j.
static double *held(RunSlopes *s, uint32_t input, uint32_t j) {
  return &s->along[(size_t)j * values_of(s) + s->machine->plan->parameter_count + input];
}

void slopes_keep_held(RunSlopes *s) {
  const Machine *m = s->machine;
  const Plan *plan = m->plan;
  for (uint32_t i = 0; s->actions.has_held && i < plan->input_count; i++)
    if (plan->inputs[i].is_assigned)
      s->in_kept[plan->parameter_count + i] = m->values[plan->variables.inputs[i]];
}

// Slopes of the assignments from `first` on, at a state whose slopes are s->event.S and whose
// moment moves by s->event.shift.
static void assigned_slopes(RunSlopes *s, uint32_t first, uint32_t count, double t, const double *q,
                            const double *qd, double *out) {
  Machine *m = s->machine;
  machine_need(m, PART_ASSIGN_SLOPES);
  slopes_put(s, s->event.S);
  AssignSlopesBlocks at = machine_run_assign_slopes(m, t, q, qd);
  for (uint32_t k = 0; k < count; k++)
    for (uint32_t j = 0; j < s->count; j++) {
      out[k * s->count + j] = at.values[(size_t)(first + k) * s->count + j];
      if (s->event.shift[j] != 0) out[k * s->count + j] += at.time[first + k] * s->event.shift[j];
    }
}

// ---- Samples

static void take_sample(void *user, const PlanSampling *line, double t, const double *q,
                        const double *qd, double *slopes) {
  RunSlopes *s = user;
  if (!s->undefined) assigned_slopes(s, line->first, line->count, t, q, qd, slopes);
}

static void assign_sample(void *user, const PlanSampling *line, const double *slopes) {
  RunSlopes *s = user;
  const PlanAssignment *list = s->machine->plan->actions.assignments + line->first;
  for (uint32_t k = 0; k < line->count && !s->undefined; k++)
    for (uint32_t j = 0; j < s->count; j++)
      *held(s, (uint32_t)list[k].input, j) = slopes[k * s->count + j];
}

// How the next moment of line i moves: its k-th sample, or what waits.
static double line_slope(const RunSlopes *s, uint32_t i, uint32_t j) {
  const Machine *m = s->machine;
  const PlanSlopes *slopes = m->plan->slopes;
  size_t at = (size_t)j * m->plan->actions.sampling_count + i;
  const SampleLine *a = &s->run->moments.samplers.at[i];
  double period = machine_number(m, &slopes->periods[at]);
  bool waits = a->count > 0 && a->due[a->first] < a->k * a->period;
  double k = waits ? nearbyint((a->due[a->first] - a->delay) / a->period) : a->k;
  double delay = waits ? machine_number(m, &slopes->delays[at]) : 0;
  return k * period + delay;
}

void slopes_open_actions(RunSlopes *s, Arena *room) {
  Run *run = s->run;
  const Machine *m = s->machine;
  const Plan *plan = m->plan;
  const PlanSlopes *slopes = plan->slopes;
  for (uint32_t i = 0; i < plan->input_count; i++)
    s->actions.has_held |= plan->inputs[i].is_assigned;
  if (run->moments.samplers.count == 0) return;
  s->actions.watch = (SampleWatch){s, s->count, take_sample, assign_sample};
  samplers_watch(&run->moments.samplers, room, &s->actions.watch);
  for (uint32_t i = 0; i < s->count * plan->actions.sampling_count; i++)
    s->actions.samples_move |=
        machine_number(m, &slopes->periods[i]) != 0 || machine_number(m, &slopes->delays[i]) != 0;
}

// The shift of all lines that are due; false where they part.
static bool find_shift(RunSlopes *s, double t) {
  const SampleLines *lines = &s->run->moments.samplers;
  bool any = false;
  for (uint32_t i = 0; i < lines->count; i++) {
    if (!samplers_is_due(lines, i, t)) continue;
    for (uint32_t j = 0; j < s->count; j++) {
      double slope = line_slope(s, i, j);
      if (any && fabs(slope - s->event.shift[j]) > MOVE_ALIKE * (fabs(slope) + t / s->unit[j]))
        return false;
      s->event.shift[j] = slope;
    }
    any = true;
  }
  return true;
}

Status slopes_meet_samples(RunSlopes *s) {
  const Stepper *motion = s->run->stepper;
  s->event.is_open = s->event.is_struck = true;
  s->event.t = motion->t;
  memset(s->event.shift, 0, s->count * sizeof *s->event.shift);
  memcpy(s->event.S, s->S, (size_t)s->count * s->state * sizeof *s->S);
  if (!s->actions.samples_move) return QDOT_OK;
  if (!find_shift(s, motion->t)) slopes_lose(s, motion->t, TWO_SAMPLES);
  memcpy(s->event.x_before, motion->y, s->state * sizeof *s->event.x_before);
  Status status = slopes_motion(s, motion->t, s->event.x_before, s->event.rates_before);
  for (uint32_t j = 0; j < s->count; j++)
    for (uint32_t i = 0; i < s->state; i++)
      s->event.S[(size_t)j * s->state + i] += s->event.rates_before[i] * s->event.shift[j];
  return status;
}

// ---- Resets

// The state behind an event, with constraints: by differences of what the run does.
static Status reset_by_differences(RunSlopes *s, const PlanOccasion *o) {
  Run *run = s->run;
  Arena *scratch = &run->cx->scratch;
  Mark mark = arena_mark(scratch);
  size_t n = (size_t)run->n;
  double *x = arena_array(scratch, double, s->state), *sum = arena_array(scratch, double, s->state);
  double t = run->t;
  memcpy(x, run->q, n * sizeof *x);
  memcpy(x + n, run->qd, (s->state - n) * sizeof *x);
  Status status = QDOT_OK;
  for (uint32_t j = 0; j < s->count && status == QDOT_OK; j++) {
    double *to = s->event.S + (size_t)j * s->state, step = slopes_step(s, j, x, s->event.S);
    memset(sum, 0, s->state * sizeof *sum);
    for (int k = 0; k < 4 && status == QDOT_OK; k++) {
      double by = place[k] * step;
      slopes_shift_values(s, j, by);
      run->t = t + by * s->event.shift[j];
      for (size_t i = 0; i < s->state; i++)
        *(i < n ? &run->q[i] : &run->qd[i - n]) = x[i] + by * to[i];
      status = run_reset_state(run, o);
      for (size_t i = 0; i < s->state; i++)
        sum[i] += weight[k] / step * (i < n ? run->q[i] : run->qd[i - n]);
    }
    memcpy(to, sum, s->state * sizeof *sum);
  }
  slopes_restore_values(s);
  run->t = t;
  memcpy(run->q, x, n * sizeof *x);
  memcpy(run->qd, x + n, (s->state - n) * sizeof *x);
  arena_release(scratch, mark);
  return status;
}

Status slopes_reset(Run *run, const PlanOccasion *o) {
  RunSlopes *s = run->slopes;
  if (!s || s->undefined || !s->event.is_open) return QDOT_OK;
  const PlanAssignment *list = s->machine->plan->actions.assignments + o->first;
  slopes_keep_held(s);
  Status status = slopes_settle_blow(s);
  if (status != QDOT_OK) return status;
  Mark mark = arena_mark(&run->cx->scratch);
  double *slopes = arena_array(&run->cx->scratch, double, (size_t)o->count * s->count);
  assigned_slopes(s, o->first, o->count, run->t, run->q, run->qd, slopes);
  bool moves = false, is_free = s->machine->problem.m == 0;
  for (uint32_t k = 0; k < o->count; k++) moves |= list[k].place >= 0;
  if (moves && !is_free) status = reset_by_differences(s, o);
  for (uint32_t k = 0; k < o->count; k++) {
    int at = list[k].place;
    if (at >= 0 && !is_free) continue;
    for (uint32_t j = 0; j < s->count; j++)
      *(at >= 0 ? &s->event.S[(size_t)j * s->state + (uint32_t)at]
                : held(s, (uint32_t)list[k].input, j)) = slopes[k * s->count + j];
  }
  arena_release(&run->cx->scratch, mark);
  if (!run_is_numeric(status)) return status;
  run->end.why = run->end.why_note = NULL; // the run itself may fare better
  slopes_lose(s, run->t,
              "an event gives values that do not fit with others a little to either side");
  return QDOT_OK;
}
