// Runge-Kutta methods of fixed step: the step around the stages, and between its ends.
#include "solve/fixed_runge.h"

#include <assert.h>
#include <string.h>

Status fixed_runge_open(Stepper *s, int count, FixedStages *stages) {
  assert(count <= MOST_FIXED_STAGES);
  FixedRunge *w = arena_new(s->arena, FixedRunge);
  s->work = w;
  w->stages = stages;
  for (int i = 1; i <= count; i++) w->k[i] = stepper_array(s);
  w->stage = stepper_array(s);
  w->y_new = stepper_array(s);
  w->k_old = stepper_array(s);
  w->k_end = stepper_array(s);
  return QDOT_OK;
}

Status fixed_runge_start(Stepper *s) {
  FixedRunge *w = s->work;
  return explicit_derivative(s, s->t, s->y, w->k_end);
}

Status fixed_runge_step(Stepper *s, double t_limit) {
  FixedRunge *w = s->work;
  double h, next = grid_next(s->t, s->options.step, t_limit, &h);
  memcpy(w->k[1], w->k_end, (size_t)s->padded * sizeof(double));
  Status status = w->stages(s, w, h);
  if (status == QDOT_OK && s->problem->m > 0) status = stepper_stabilize(s, next, w->y_new);
  double *derivative = w->k_old;
  if (status == QDOT_OK) status = explicit_derivative(s, next, w->y_new, derivative);
  if (status != QDOT_OK) return step_failure(s, status, h);
  if (!(error_norm(s, w->y_new, s->y, w->y_new) < 1e300)) return QDOT_BLOW_UP;
  w->k_old = w->k_end;
  w->k_end = derivative;
  fixed_accept(s, next, &w->y_new);
  return QDOT_OK;
}

Status fixed_runge_dense(Stepper *s, double t, double *y) {
  FixedRunge *w = s->work;
  int n = s->n;
  Hermite hermite = {w->k_old + n, w->k_end + n, w->k_old + 2 * n, w->k_end + 2 * n};
  hermite_state(s, &hermite, t, y);
  return QDOT_OK;
}
