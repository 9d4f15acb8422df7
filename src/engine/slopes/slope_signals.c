// Slopes and time derivatives of what measures look at, at a moment of the last step.
#include <math.h>
#include <string.h>

#include "engine/sharing.h"
#include "engine/slopes/slopes.h"

static void put_signs(RunSlopes *s, const SmoothPiece *piece) {
  Machine *m = s->machine;
  uint32_t guards = s->run->gauges.guards;
  if (guards > 0)
    memcpy(m->in + m->set->equations->layout.signs, s->marks.signs.at + piece->signs,
           guards * sizeof(double));
}

// Values and guards of the measures at a state.
static Status signals_at_state(RunSlopes *s, double t, const double *x, double *values,
                               double *guards) {
  Run *run = s->run;
  Machine *m = s->machine;
  const Gauges *g = &run->gauges;
  if (g->n == 0) return QDOT_OK; // no measures, no programs of theirs
  Status status = run_needs_forces(run) ? run_find_forces(run, t, x) : QDOT_OK;
  if (status != QDOT_OK) return status;
  const double *out = machine_run_signals(m, t, x, x + m->n).values;
  for (uint32_t i = 0; i < g->n; i++) values[i] = out[2 * (size_t)i];
  if (g->guards > 0 && guards)
    memcpy(guards, machine_run_locked_watch(m, t, x, x + m->n).guards, g->guards * sizeof *guards);
  return QDOT_OK;
}

Status slopes_signals(RunSlopes *s, double t, double *values, double *guards) {
  Status status = slopes_state_at(s, t, s->x);
  return status == QDOT_OK ? signals_at_state(s, t, s->x, values, guards) : status;
}

// The same with slopes, by differences along S: where friction is solved for.
static Status slopes_by_differences(RunSlopes *s, double t, const SmoothPiece *piece,
                                    const double *S) {
  static const double place[4] = {-2, -1, 1, 2}, weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
  const Gauges *g = &s->run->gauges;
  uint32_t all = g->n + g->guards;
  Mark mark = arena_mark(&s->run->cx->scratch);
  double *out = arena_array(&s->run->cx->scratch, double, all + 1);
  memset(s->look.value_slopes, 0, (size_t)g->n * s->count * sizeof(double));
  memset(s->look.guard_slopes, 0, (size_t)g->guards * s->count * sizeof(double));
  Status status = QDOT_OK;
  for (uint32_t j = 0; j < s->count && status == QDOT_OK; j++) {
    double step = slopes_step(s, j, s->x, S), *x = s->room;
    for (int k = 0; k < 4 && status == QDOT_OK; k++) {
      slopes_shift_values(s, j, place[k] * step);
      put_signs(s, piece);
      for (uint32_t i = 0; i < s->state; i++)
        x[i] = s->x[i] + place[k] * step * S[(size_t)j * s->state + i];
      status = signals_at_state(s, t, x, out, out + g->n);
      for (uint32_t i = 0; i < g->n; i++)
        s->look.value_slopes[(size_t)i * s->count + j] += weight[k] / step * out[i];
      for (uint32_t i = 0; i < g->guards; i++)
        s->look.guard_slopes[(size_t)i * s->count + j] += weight[k] / step * out[g->n + i];
    }
  }
  slopes_restore_values(s);
  for (uint32_t i = 0; i < g->n; i++) s->look.value_rates[i] = NAN;
  for (uint32_t i = 0; i < g->guards; i++) s->look.guard_rates[i] = NAN;
  arena_release(&s->run->cx->scratch, mark);
  return status;
}

// Time derivatives of what has forces in it: differences within the step, all of which is smooth
// with the signs of the piece, from the side where there is room.
static Status find_rates(RunSlopes *s, double t) {
  static const double weight[5] = {-25. / 12, 4, -3, 4. / 3, -1. / 4};
  const Gauges *g = &s->run->gauges;
  uint32_t all = g->n + g->guards;
  Mark mark = arena_mark(&s->run->cx->scratch);
  double *out = arena_array(&s->run->cx->scratch, double, all + 1);
  double *rate = arena_array(&s->run->cx->scratch, double, all + 1);
  double a = s->run->stepper->t_old, b = s->run->stepper->t;
  double h = (t - a > b - t ? -1e-3 : 1e-3) * (b - a);
  Status status = QDOT_OK;
  for (int k = 0; k < 5 && status == QDOT_OK; k++) {
    status = slopes_signals(s, t + k * h, out, out + g->n);
    for (uint32_t i = 0; i < all; i++) rate[i] += weight[k] / h * out[i];
  }
  for (uint32_t i = 0; i < g->n; i++)
    if (isnan(s->look.value_rates[i])) s->look.value_rates[i] = rate[i];
  for (uint32_t i = 0; i < g->guards; i++)
    if (isnan(s->look.guard_rates[i])) s->look.guard_rates[i] = rate[g->n + i];
  arena_release(&s->run->cx->scratch, mark);
  return status;
}

// How values depend on time at a state that stays.
static Status add_time(RunSlopes *s, double t) {
  static const double place[4] = {-2, -1, 1, 2}, weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
  const Gauges *g = &s->run->gauges;
  double h = 1e-2 * s->run->o->every;
  Status status = QDOT_OK;
  for (int k = 0; k < 4 && status == QDOT_OK; k++) {
    status = signals_at_state(s, t + place[k] * h, s->x, s->look.values, NULL);
    for (uint32_t i = 0; i < g->n; i++)
      for (uint32_t j = 0; j < s->count; j++)
        s->look.value_slopes[(size_t)i * s->count + j] +=
            weight[k] / h * s->look.values[i] * slopes_end_slope(s, j);
  }
  return status;
}

Status slopes_look_moved(RunSlopes *s, double t, const SmoothPiece *piece) {
  bool moves = false;
  memcpy(s->sums.row, s->S, (size_t)s->count * s->state * sizeof *s->sums.row);
  for (uint32_t j = 0; j < s->count; j++) {
    double by = slopes_end_slope(s, j);
    moves |= by != 0;
    for (uint32_t i = 0; by != 0 && i < s->state; i++)
      s->sums.row[(size_t)j * s->state + i] += s->event.rates_after[i] * by;
  }
  Status status = slopes_look(s, t, piece, s->sums.row, false);
  return status == QDOT_OK && moves ? add_time(s, t) : status;
}

// Slopes and time derivatives of all values and guards at t, into s->look.value_slopes and its
// like.
Status slopes_look(RunSlopes *s, double t, const SmoothPiece *piece, const double *S,
                   bool with_rates) {
  Machine *m = s->machine;
  const Gauges *g = &s->run->gauges;
  put_signs(s, piece);
  Status status = slopes_state_at(s, t, s->x);
  if (status != QDOT_OK) return status;
  SignalSlopesBlocks at = {0};
  bool is_exact = !slopes_take_differences(s);
  if (is_exact) {
    slopes_put(s, S);
    at = machine_run_signal_slopes(m, t, s->x, s->x + m->n);
    is_exact = slopes_are_trusted(s, *at.loss, at.slack);
  }
  if (!is_exact) {
    status = slopes_by_differences(s, t, piece, S);
    put_signs(s, piece);
  } else {
    memcpy(s->look.value_slopes, at.values, (size_t)g->n * s->count * sizeof(double));
    memcpy(s->look.value_rates, at.value_rates, g->n * sizeof(double));
    memcpy(s->look.guard_slopes, at.guards, (size_t)g->guards * s->count * sizeof(double));
    memcpy(s->look.guard_rates, at.guard_rates, g->guards * sizeof(double));
  }
  bool any_nan = false;
  for (uint32_t i = 0; i < g->n; i++) any_nan |= isnan(s->look.value_rates[i]);
  for (uint32_t i = 0; i < g->guards; i++) any_nan |= isnan(s->look.guard_rates[i]);
  if (status == QDOT_OK && with_rates && any_nan && piece->end.t > piece->begin.t)
    status = find_rates(s, t);
  return status;
}
