// The classical Runge-Kutta method of order 4 with a fixed step.
#include <string.h>

#include "solve/explicit.h"
#include "solve/fixed.h"

typedef struct Rk4 {
  double *k[5]; // k[1] .. k[4]
  double *stage, *y_new;
  double *k_old, *k_end; // derivatives at the ends of the last step
} Rk4;

extern const Method method_rk4;

static Status rk4_open(Stepper *s) {
  Rk4 *w = arena_new(s->arena, Rk4);
  s->work = w;
  for (int i = 1; i <= 4; i++) w->k[i] = stepper_array(s);
  w->stage = stepper_array(s);
  w->y_new = stepper_array(s);
  w->k_old = stepper_array(s);
  w->k_end = stepper_array(s);
  return QDOT_OK;
}

static Status rk4_start(Stepper *s) {
  Rk4 *w = s->work;
  return explicit_derivative(s, s->t, s->y, w->k_end);
}

static Status four_stages(Stepper *s, double h) {
  Rk4 *w = s->work;
  const int quads = s->padded / 4;
  const Quad *k1 = (Quad *)w->k[1], *k2 = (Quad *)w->k[2], *k3 = (Quad *)w->k[3],
             *k4 = (Quad *)w->k[4];
  memcpy(w->k[1], w->k_end, (size_t)s->padded * sizeof(double));
  COMBINE(w->stage, s->y, h, 0.5 * k1[i]);
  Status status = explicit_derivative(s, s->t + h / 2, w->stage, w->k[2]);
  if (status != QDOT_OK) return status;
  COMBINE(w->stage, s->y, h, 0.5 * k2[i]);
  status = explicit_derivative(s, s->t + h / 2, w->stage, w->k[3]);
  if (status != QDOT_OK) return status;
  COMBINE(w->stage, s->y, h, k3[i]);
  status = explicit_derivative(s, s->t + h, w->stage, w->k[4]);
  COMBINE(w->y_new, s->y, h / 6, k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  return status;
}

static Status rk4_step(Stepper *s, double t_limit) {
  Rk4 *w = s->work;
  double h, next = grid_next(s->t, s->options.step, t_limit, &h);
  Status status = four_stages(s, h);
  if (status == QDOT_OK && s->problem->m > 0) status = stepper_stabilize(s, next, w->y_new);
  double *derivative = w->k_old;
  if (status == QDOT_OK) status = explicit_derivative(s, next, w->y_new, derivative);
  if (status != QDOT_OK) return step_failure(s, status, h);
  if (!(error_norm(s, w->y_new, s->y, w->y_new) < 1e300)) return QDOT_BLOW_UP;
  w->k_old = w->k_end;
  w->k_end = derivative;
  double *old = s->y_old;
  s->y_old = s->y;
  s->y = w->y_new;
  w->y_new = old;
  s->t_old = s->t;
  s->t = next;
  s->steps++;
  return QDOT_OK;
}

static Status rk4_dense(Stepper *s, double t, double *y) {
  Rk4 *w = s->work;
  int n = s->n;
  Hermite hermite = {w->k_old + n, w->k_end + n, w->k_old + 2 * n, w->k_end + 2 * n};
  hermite_state(s, &hermite, t, y);
  return QDOT_OK;
}

const Method method_rk4 = {.name = "rk4",
                           .takes = {"step"},
                           .order = 4,
                           .nodes = 5,
                           .fixed_step = true,
                           .open = rk4_open,
                           .start = rk4_start,
                           .step = rk4_step,
                           .dense = rk4_dense};
