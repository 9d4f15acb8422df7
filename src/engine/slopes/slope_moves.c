// How the moments at which measures are cut move along the directions, and whether anybody can say.
#include <math.h>

#include "engine/slopes/slopes.h"

// An integrand that differs by less than this part to either side of a moment does not jump there.
static const double NO_JUMP = 1e-9;

double slopes_end_slope(const RunSlopes *s, uint32_t j) {
  const Machine *m = s->machine;
  const PlanValue *end = &m->plan->times.end;
  if (s->run->end.has_stopped) return s->event.shift[j];
  if (!end->is_said || machine_number(m, end) != s->run->o->t_end) return 0;
  return machine_number(m, &m->plan->slopes->ends[j]);
}

double slopes_from_slope(const RunSlopes *s, uint32_t i, uint32_t j) {
  const Machine *m = s->machine;
  return machine_number(m, &m->plan->slopes->froms[j * m->plan->measures.reduction_count + i]);
}

bool slopes_part_from_event(RunSlopes *s, const SlopeMark *mark) {
  const Cut *cut = &mark->cut;
  double from_at = s->run->gauges.at[mark->reduction].from;
  bool is_both = mark->kind == MARK_BOUNDARY && mark->t > 0 && cut->mover == MOVES_BY_EVENT &&
                 fabs(mark->t - from_at) <= 1e-9 * mark->t;
  for (uint32_t j = 0; is_both && j < s->count; j++) {
    double from = slopes_from_slope(s, mark->reduction, j);
    if (fabs(s->event.shift[j] - from) > SLOPES_LEAST_CHANGE * (fabs(from) + mark->t / s->unit[j]))
      return true;
  }
  return false;
}

// ---- Crossings of guards

// How a guard bends at a mark, within the step; the signs are those that were looked with.
static Status find_bend(RunSlopes *s, const SlopeMark *mark, double *out) {
  const Gauges *g = &s->run->gauges;
  double a = s->run->stepper->t_old, b = s->run->stepper->t, h = 1e-2 * (b - a), bend = 0;
  double t = fmin(fmax(mark->t, a + h), b - h);
  Mark kept = arena_mark(&s->run->cx->scratch);
  double *room = arena_array(&s->run->cx->scratch, double, g->n + g->guards);
  Status status = QDOT_OK;
  for (int k = -1; k <= 1 && status == QDOT_OK; k++) {
    status = slopes_signals(s, t + k * h, room, room + g->n);
    bend += (k == 0 ? -2 : 1) * room[g->n + mark->cut.number] / (h * h);
  }
  arena_release(&s->run->cx->scratch, kept);
  *out = fabs(bend);
  return status;
}

// By the crossing of a guard that bends so much; false where it only just crosses.
static bool moves_by_guard(RunSlopes *s, uint32_t guard, double bend) {
  double rate = s->look.guard_rates[guard];
  for (uint32_t j = 0; j < s->count; j++) {
    double slope = s->look.guard_slopes[(size_t)guard * s->count + j];
    s->sums.moved[j] = 0;
    if (slope == 0) continue;
    if (!(rate * rate > 10 * SLOPES_LEAST_CHANGE * bend * fabs(slope) * s->unit[j])) return false;
    s->sums.moved[j] = -slope / rate;
  }
  return true;
}

static Status find_crossing_moves(RunSlopes *s, const SlopeMark *mark, bool *is_known) {
  uint32_t guard = mark->cut.number;
  double length = s->run->stepper->t - s->run->stepper->t_old, bend;
  // it is of the order of the rate over the step, unless the rate vanishes
  double least = fabs(s->look.guard_rates[guard]) / length * 0.01;
  double most = s->run->gauges.size[guard] / (length * length) * 0.01;
  *is_known = moves_by_guard(s, guard, fmax(most, least));
  if (*is_known) return QDOT_OK;
  // what has decayed bends by less than it once did
  Status status = find_bend(s, mark, &bend);
  if (status == QDOT_OK) *is_known = moves_by_guard(s, guard, fmax(bend, least));
  return status;
}

// ---- Guards that do not concern a measure

// An integral does not depend on the moment at which an integrand goes on as it was.
static bool integrand_goes_on(const RunSlopes *s, const SlopeMark *mark) {
  if (mark->kind != MARK_BOUNDARY) return false;
  double scale = s->run->gauges.at[mark->reduction].scale;
  for (uint32_t k = 0; k < s->marks.list.n; k++) {
    const SlopeMark *other = &s->marks.list.at[k];
    if (other->kind == MARK_BOUNDARY && other->reduction == mark->reduction &&
        other->t == mark->t && other->weight == -mark->weight)
      return fabs(other->value - mark->value) <= NO_JUMP * scale;
  }
  return false;
}

static bool is_close(double a, double b) { return fabs(a - b) <= NO_JUMP * fmax(fabs(a), fabs(b)); }

// Nor does an extreme of what is smooth there: its rate and slopes are those of the other side.
static Status value_goes_on(RunSlopes *s, const SlopeMark *mark, const double *S, bool *out) {
  uint32_t i = mark->reduction;
  const SmoothPiece *own = &s->marks.pieces.at[mark->piece];
  bool is_end = mark->t == own->end.t;
  *out = mark->kind == MARK_EXTREME &&
         (is_end ? mark->piece + 1 < s->marks.pieces.n : mark->piece > 0);
  if (!*out) return QDOT_OK;
  double rate = s->look.value_rates[i];
  for (uint32_t j = 0; j < s->count; j++)
    s->sums.moved[j] = s->look.value_slopes[(size_t)i * s->count + j];
  Status status = slopes_look(s, mark->t, is_end ? own + 1 : own - 1, S, true);
  *out = is_close(rate, s->look.value_rates[i]);
  for (uint32_t j = 0; j < s->count; j++)
    *out = *out && is_close(s->sums.moved[j], s->look.value_slopes[(size_t)i * s->count + j]);
  return status;
}

// ---- The whole

Status slopes_find_moves(RunSlopes *s, const SlopeMark *mark, const double *S, bool *is_known) {
  const Cut *cut = &mark->cut;
  Status status = QDOT_OK;
  *is_known = true;
  if (cut->mover == MOVES_BY_GUARD) {
    status = find_crossing_moves(s, mark, is_known);
    if (status != QDOT_OK || *is_known) return status;
    *is_known = integrand_goes_on(s, mark);
    if (!*is_known) status = value_goes_on(s, mark, S, is_known);
  }
  for (uint32_t j = 0; j < s->count; j++) {
    s->sums.moved[j] = 0;
    if (cut->mover == MOVES_BY_EVENT) s->sums.moved[j] = s->event.shift[j];
    if (cut->mover == MOVES_BY_FROM) s->sums.moved[j] = slopes_from_slope(s, mark->reduction, j);
    if (cut->mover == MOVES_BY_END) s->sums.moved[j] = slopes_end_slope(s, j);
  }
  return status;
}
