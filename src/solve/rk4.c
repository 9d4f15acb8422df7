// The classical Runge-Kutta method of order 4 with a fixed step.
#include "solve/fixed_runge.h"

extern const Method method_rk4;

static Status four_stages(Stepper *s, FixedRunge *w, double h) {
  const int quads = s->padded / 4;
  const Quad *k1 = (Quad *)w->k[1], *k2 = (Quad *)w->k[2], *k3 = (Quad *)w->k[3],
             *k4 = (Quad *)w->k[4];
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

static Status rk4_open(Stepper *s) { return fixed_runge_open(s, 4, four_stages); }

const Method method_rk4 = {.name = "rk4",
                           .takes = {"step"},
                           .order = 4,
                           .nodes = 5,
                           .fixed_step = true,
                           .open = rk4_open,
                           .start = fixed_runge_start,
                           .step = fixed_runge_step,
                           .dense = fixed_runge_dense};
