// The valley of the energy along a zero mode.
#include "analyse/vibration/valley.h"

#include <math.h>

#include "analyse/equilibrium/operating_point.h"
#include "analyse/vibration/sides.h"
#include "expr/walk.h"

#define NO_FORCE 1e-13 // of the forces there and those that the positions would make: rounding

// Only forces that have an energy: those of the user must not depend on the state.
static bool is_conservative(const Balance *b) {
  const System *s = b->system;
  for (uint32_t i = 0; i < b->n; i++)
    for (uint32_t k = 0; k < b->n; k++)
      if (expr_depends(b->cx, s->Q[i], s->q[k]) || expr_depends(b->cx, s->Q[i], s->qd[k]))
        return false;
  return true;
}

static bool is_at_rest(const Balance *b, const Steady *s) {
  for (uint32_t i = 0; i < b->n; i++)
    if (s->qd[i] != 0) return false;
  for (uint32_t k = b->system->row_count; k < b->m; k++)
    if (s->is_active[k]) return false;
  return true;
}

// The independent coordinate that the mode moves most.
static uint32_t leader_of(const Linearized *l, const Mode *mode) {
  uint32_t best = l->choice.z[0];
  for (uint32_t i = 1; i < l->p; i++)
    if (fabs(mode->shape_re[l->choice.z[i]]) > fabs(mode->shape_re[best])) best = l->choice.z[i];
  return best;
}

// The slope of the energy with the leader moved by `step` and all else in balance: +1 where it
// rises away from the point, -1 where it falls, 0 where it is flat; 2 where nothing is found.
static int slope_at(Balance *b, const Linearized *l, const Mode *mode, double step,
                    const double *scale) {
  Arena *scratch = &b->cx->scratch;
  Mark mark = arena_mark(scratch);
  uint32_t leader = leader_of(l, mode);
  bool *held = arena_array(scratch, bool, b->n + 1);
  held[leader] = true;
  SteadyFreedom free = {.q_fixed = held, .scale = scale, .held = held};
  Steady *s = steady_new(scratch, b);
  steady_copy(b, l->point, s);
  for (uint32_t i = 0; i < b->n; i++) s->q[i] += step * mode->shape_re[i] / mode->shape_re[leader];
  int slope = 2;
  if (steady_solve(b, &free, s) == QDOT_OK && balance_evaluate(b, s->q, s->qd, s->lambda)) {
    double force = b->force[leader], size = b->size[leader];
    for (uint32_t k = 0; k < b->n; k++) size += fabs(b->K[(size_t)leader * b->n + k] * s->q[k]);
    bool flat = fabs(force) <= NO_FORCE * size;
    slope = flat ? 0 : force * step > 0 ? 1 : -1;
  }
  arena_release(scratch, mark);
  return slope;
}

static EnergyVerdict judge_mode(Balance *b, const Linearized *l, const Mode *mode,
                                const double *scale) {
  static const double steps[] = {3e-2, 1e-2, 3e-3, 1e-3};
  enum { STEPS = sizeof steps / sizeof *steps };
  uint32_t leader = leader_of(l, mode);
  if (mode->shape_re[leader] == 0) return ENERGY_OPEN;
  int sides[2] = {0};
  bool agreed = true;
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < STEPS && agreed; k++) {
      int slope = slope_at(b, l, mode, (side ? -1 : 1) * steps[k] * scale[leader], scale);
      // near the point a slope of high order is lost in rounding, but it does not turn
      bool lost = k > 1 && slope == 0;
      if (k == 0) sides[side] = slope;
      agreed = slope != 2 && (slope == sides[side] || lost);
    }
  if (!agreed) return ENERGY_OPEN;
  if (sides[0] < 0 || sides[1] < 0) return ENERGY_FALLS;
  if (sides[0] > 0 && sides[1] > 0) return ENERGY_MINIMUM;
  return sides[0] == 0 && sides[1] == 0 ? ENERGY_FLAT : ENERGY_OPEN;
}

void energy_judge(Balance *b, const Linearized *l, Modes *modes) {
  modes_judge_undamped(l, modes);
  if (!l->is_balanced || l->sampled) return;
  if (modes->stability != STABILITY_INDIFFERENT) {
    sides_judge(b, l, modes);
    return;
  }
  if (!is_at_rest(b, l->point)) return;
  modes->by_energy = ENERGY_OPEN;
  bool conservative = l->p == l->f && is_conservative(b);
  Mark mark = arena_mark(&b->cx->scratch);
  double *scale = operating_point_scales(b, &b->cx->scratch);
  uint32_t count[ENERGY_VERDICTS] = {0}, zeros = 0, falling = 0;
  for (uint32_t k = 0; k < modes->count; k++) {
    if (modes->mode[k].kind != MODE_RIGID) continue;
    EnergyVerdict verdict = judge_mode(b, l, &modes->mode[k], scale);
    if (verdict == ENERGY_FALLS) falling = k;
    count[verdict]++, zeros++;
  }
  if (count[ENERGY_FALLS] && conservative)
    modes->by_energy = ENERGY_FALLS, modes->growing = falling;
  else if (count[ENERGY_FLAT] == zeros)
    modes->by_energy = ENERGY_FLAT;
  else if (zeros == 1 && conservative)
    modes->by_energy = count[ENERGY_MINIMUM] ? ENERGY_MINIMUM : ENERGY_OPEN;
  arena_release(&b->cx->scratch, mark);
}

void energy_judge_alone(const Linearized *l, const double *values, Modes *modes) {
  if (!l->is_balanced || l->sampled ||
      (modes->stability != STABILITY_INDIFFERENT && l->kinks.n == 0))
    return;
  Context *cx = l->cx;
  Mark mark = arena_mark(&cx->scratch);
  Balance b;
  linearized_balance(l, values, &b);
  energy_judge(&b, l, modes);
  balance_close(&b);
  arena_release(&cx->scratch, mark);
}
