// Positions along a mode.
#include "analyse/vibration/mode_motion.h"

#include <math.h>
#include <string.h>

void mode_motion_open(ModeMotion *motion, const Linearized *l, const double *values) {
  *motion = (ModeMotion){.l = l};
  linearized_balance(l, values, &motion->balance);
  motion->state = steady_new(&motion->balance.arena, &motion->balance);
  motion->is_kept = arena_array(&motion->balance.arena, bool, l->n + 1);
  for (uint32_t i = 0; i < l->p; i++) motion->is_kept[l->choice.z[i]] = true;
}

void mode_motion_close(ModeMotion *motion) { balance_close(&motion->balance); }

static bool has_positions_to_meet(const ModeMotion *motion) {
  for (uint32_t k = 0; k < motion->balance.m; k++)
    if (motion->state->is_active[k] && !motion->balance.rows[k]->is_nonholonomic) return true;
  return false;
}

// The others may leave the shape by as much as it moves, no further: a mechanism must not jump to
// another branch.
static bool is_near(const ModeMotion *motion, const double *wished) {
  const Linearized *l = motion->l;
  double step = 0, off = 0, size = 0;
  for (uint32_t i = 0; i < l->n; i++) {
    step = fmax(step, fabs(wished[i] - l->point->q[i]));
    off = fmax(off, fabs(motion->state->q[i] - wished[i]));
    size = fmax(size, fabs(wished[i]));
  }
  return off <= step + 1e-9 * size;
}

Status mode_motion_at(ModeMotion *motion, const Mode *mode, double a, double b, double *q) {
  const Linearized *l = motion->l;
  Steady *s = motion->state;
  steady_copy(&motion->balance, l->point, s);
  for (uint32_t i = 0; i < l->n; i++)
    q[i] = s->q[i] = l->point->q[i] + a * mode->shape_re[i] - b * mode->shape_im[i];
  if (!has_positions_to_meet(motion)) return QDOT_OK;
  SteadyFreedom free = {.q_fixed = motion->is_kept};
  uint32_t row;
  Status status = steady_assemble(&motion->balance, &free, s, &row);
  if (status == QDOT_OK && !is_near(motion, q)) status = QDOT_INCONSISTENT;
  if (status == QDOT_OK) memcpy(q, s->q, l->n * sizeof *q);
  return status;
}
