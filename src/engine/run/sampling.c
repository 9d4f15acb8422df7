// Samples of a run.
#include "engine/run/sampling.h"

#include <math.h>
#include <string.h>

enum { MOST_WAITING = 1000000 };
// Moments closer than this part of a period are one: multiples of different periods are rounded.
static const double AT_ONCE = 1e-9;

static Status read_times(SampleLine *a, Machine *m) {
  const PlanSampling *line = a->line;
  a->period = machine_number(m, &line->period);
  a->delay = machine_number(m, &line->delay);
  if (!(a->period > 0) || !(a->delay >= 0) || !isfinite(a->period))
    return diag_error(m->cx, QDOT_BAD_VALUE, line->span,
                      "a sample needs a positive time and a delay that is not negative");
  if (a->delay / a->period + 2 > MOST_WAITING)
    return diag_error(m->cx, QDOT_TOO_LARGE, line->span, "the delay is %g times the period",
                      a->delay / a->period);
  return QDOT_OK;
}

// For what may wait at once, and for so many more.
static void make_room(SampleLine *a, Arena *arena, uint32_t more) {
  a->room = (uint32_t)(floor(a->delay / a->period) + 2) + more;
  a->due = arena_array(arena, double, a->room);
  a->waiting = arena_array(arena, double, (size_t)a->room * a->line->count);
}

Status samplers_open(SampleLines *s, Arena *arena, Machine *m) {
  const Plan *plan = m->plan;
  *s = (SampleLines){
      .machine = m, .arena = arena, .count = plan->actions.sampling_count, .next = INFINITY};
  s->at = arena_array(arena, SampleLine, s->count);
  uint32_t most = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const PlanSampling *line = &plan->actions.samplings[i];
    SampleLine *sampler = &s->at[i];
    sampler->line = line;
    Status status = read_times(sampler, m);
    if (status != QDOT_OK) return status;
    make_room(sampler, arena, 0);
    if (line->count > most) most = line->count;
  }
  s->values = arena_array(arena, double, most);
  if (plan->actions.assignment_count > 0) machine_need(m, PART_ASSIGN);
  samplers_reset(s);
  return QDOT_OK;
}

void samplers_watch(SampleLines *s, Arena *arena, const SampleWatch *watch) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    SampleLine *a = &s->at[i];
    a->slopes = arena_array(arena, double, (size_t)a->room * a->line->count * watch->directions);
    if (a->line->count > most) most = a->line->count;
  }
  s->slopes = arena_array(arena, double, (size_t)most * watch->directions);
  s->watch = watch;
}

void machine_assign_input(Machine *m, uint32_t input, double value) {
  m->in[m->set->equations->layout.u + input] = value;
  m->values[m->plan->variables.inputs[input]] = value;
}

void samplers_find_next(SampleLines *s) {
  s->next = INFINITY;
  for (uint32_t i = 0; i < s->count; i++) {
    const SampleLine *a = &s->at[i];
    s->next = fmin(s->next, a->k * a->period);
    if (a->count > 0) s->next = fmin(s->next, a->due[a->first]);
  }
}

void samplers_reset(SampleLines *s) {
  Machine *m = s->machine;
  const Plan *plan = m->plan;
  for (uint32_t i = 0; i < plan->input_count; i++)
    if (plan->inputs[i].is_assigned)
      machine_assign_input(m, i,
                           m->assigned_start ? m->assigned_start[i]
                                             : machine_number(m, &plan->inputs[i].value));
  for (uint32_t i = 0; i < s->count; i++) s->at[i].k = 0, s->at[i].count = 0;
  samplers_find_next(s);
}

static bool assign(Machine *m, const PlanSampling *line, const double *values) {
  bool good = true;
  for (uint32_t k = 0; k < line->count; k++) {
    good &= isfinite(values[k]);
    machine_assign_input(m, (uint32_t)m->plan->actions.assignments[line->first + k].input,
                         values[k]);
  }
  return good;
}

static double *slopes_at(const SampleLines *s, const SampleLine *a, uint32_t place) {
  return s->watch ? a->slopes + (size_t)place * a->line->count * s->watch->directions : NULL;
}

// What waits for this moment.
static bool deliver(SampleLines *s, SampleLine *a, double until) {
  bool good = true;
  while (a->count > 0 && a->due[a->first] <= until) {
    good &= assign(s->machine, a->line, a->waiting + (size_t)a->first * a->line->count);
    if (s->watch) s->watch->assign(s->watch->user, a->line, slopes_at(s, a, a->first));
    a->first = (a->first + 1) % a->room;
    a->count--;
  }
  return good;
}

static bool take_sample(SampleLines *s, SampleLine *a, double t, const double *q,
                        const double *qd) {
  Machine *m = s->machine;
  const double *all = machine_run_assign(m, t, q, qd).values;
  const double *values = all + a->line->first;
  size_t bytes = a->line->count * sizeof *values;
  double at = a->k * a->period;
  a->k++;
  if (a->delay == 0) {
    if (bytes) memcpy(s->values, values, bytes);
    if (s->watch) s->watch->take(s->watch->user, a->line, t, q, qd, s->slopes);
    bool good = assign(m, a->line, s->values);
    if (s->watch) s->watch->assign(s->watch->user, a->line, s->slopes);
    return good;
  }
  uint32_t place = (a->first + a->count++) % a->room;
  a->due[place] = at + a->delay;
  if (bytes) memcpy(a->waiting + (size_t)place * a->line->count, values, bytes);
  if (s->watch) s->watch->take(s->watch->user, a->line, t, q, qd, slopes_at(s, a, place));
  return true;
}

// What waits keeps its moment, and comes before what is sampled later.
static void move_waiting(SampleLine *a, Arena *arena) {
  SampleLine old = *a;
  make_room(a, arena, old.count);
  a->first = 0;
  for (uint32_t i = 0; i < old.count; i++) {
    uint32_t from = (old.first + i) % old.room;
    a->due[i] = old.due[from];
    for (uint32_t k = 0; k < a->line->count; k++)
      a->waiting[i * a->line->count + k] = old.waiting[from * a->line->count + k];
  }
}

Status samplers_take_values(SampleLines *s, double t) {
  for (uint32_t i = 0; i < s->count; i++) {
    SampleLine *a = &s->at[i], old = *a;
    Status status = read_times(a, s->machine);
    if (status != QDOT_OK) {
      a->period = old.period, a->delay = old.delay;
      return status;
    }
    if (a->delay > old.delay || a->period < old.period) move_waiting(a, s->arena);
    if (a->period != old.period) a->k = fmax(0, floor(t / a->period + AT_ONCE) + 1);
  }
  samplers_find_next(s);
  return QDOT_OK;
}

void samplers_copy(SampleLines *s, const SampleLines *from) {
  const Machine *other = from->machine;
  const Plan *plan = s->machine->plan;
  for (uint32_t i = 0; i < plan->input_count; i++)
    if (plan->inputs[i].is_assigned)
      machine_assign_input(s->machine, i, other->values[other->plan->variables.inputs[i]]);
  for (uint32_t i = 0; i < s->count; i++) {
    SampleLine *a = &s->at[i];
    const PlanSampling *line = a->line;
    *a = from->at[i];
    a->line = line;
    move_waiting(a, s->arena);
  }
  samplers_find_next(s);
}

bool samplers_begin(SampleLines *s, double t, const double *q, const double *qd) {
  samplers_reset(s);
  for (uint32_t i = 0; i < s->count; i++) s->at[i].k = fmax(0, ceil(t / s->at[i].period - AT_ONCE));
  return samplers_pass(s, t, q, qd);
}

static double due_until(const SampleLine *a, double t) { return t + AT_ONCE * a->period; }

bool samplers_is_due(const SampleLines *s, uint32_t i, double t) {
  const SampleLine *a = &s->at[i];
  double until = due_until(a, t);
  return (a->count > 0 && a->due[a->first] <= until) || a->k * a->period <= until;
}

bool samplers_pass(SampleLines *s, double t, const double *q, const double *qd) {
  bool good = true;
  for (uint32_t i = 0; i < s->count; i++) {
    SampleLine *a = &s->at[i];
    double until = due_until(a, t);
    good &= deliver(s, a, until);
    if (a->k * a->period <= until) good &= take_sample(s, a, t, q, qd);
  }
  samplers_find_next(s);
  return good;
}
