// Samples of a run.
#include "sim/run/sampling.h"

#include <math.h>
#include <string.h>

enum { MOST_WAITING = 1000000 };
// Moments closer than this part of a period are one: multiples of different periods are rounded.
static const double AT_ONCE = 1e-9;

Status samplers_open(SampleLines *s, Arena *arena, Machine *m) {
  const Model *model = m->system->model;
  *s = (SampleLines){.machine = m, .count = model->samplings.n, .next = INFINITY};
  s->at = arena_array(arena, SampleLine, s->count);
  uint32_t most = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const Sampling *line = &model->samplings.at[i];
    SampleLine *sampler = &s->at[i];
    sampler->line = line;
    sampler->period = machine_value(m, line->period);
    sampler->delay = line->delay ? machine_value(m, line->delay) : 0;
    if (!(sampler->period > 0) || !(sampler->delay >= 0) || !isfinite(sampler->period))
      return diag_error(m->cx, QDOT_BAD_VALUE, line->span,
                        "a sample needs a positive time and a delay that is not negative");
    double room = floor(sampler->delay / sampler->period) + 2;
    if (room > MOST_WAITING)
      return diag_error(m->cx, QDOT_TOO_LARGE, line->span, "the delay is %g times the period",
                        sampler->delay / sampler->period);
    sampler->room = (uint32_t)room;
    sampler->due = arena_array(arena, double, sampler->room);
    sampler->waiting = arena_array(arena, double, (size_t)sampler->room * line->count);
    if (line->count > most) most = line->count;
  }
  s->values = arena_array(arena, double, most);
  if (model->assignments.n > 0) machine_need(m, PART_ASSIGN);
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

void machine_assign_input(Machine *m, Expr symbol, double value) {
  const Model *model = m->system->model;
  for (uint32_t i = 0; i < model->inputs.n; i++) {
    if (model->inputs.at[i].symbol != symbol) continue;
    m->in[m->set->equations->layout.u + i] = value;
    m->values[symbol_variable(m->cx, symbol)] = value;
  }
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
  const Model *model = m->system->model;
  for (uint32_t i = 0; i < model->inputs.n; i++)
    if (model->inputs.at[i].is_assigned)
      machine_assign_input(m, model->inputs.at[i].symbol,
                           machine_value(m, model->inputs.at[i].value));
  for (uint32_t i = 0; i < s->count; i++) s->at[i].k = 0, s->at[i].count = 0;
  samplers_find_next(s);
}

static bool assign(Machine *m, const Sampling *line, const double *values) {
  bool good = true;
  for (uint32_t k = 0; k < line->count; k++) {
    good &= isfinite(values[k]);
    machine_assign_input(m, m->system->model->assignments.at[line->first + k].target, values[k]);
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
