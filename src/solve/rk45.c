// Dormand and Prince 5(4) with a dense output of order 4.
// Coefficients: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.5 and II.6.
#include <math.h>
#include <string.h>

#include "solve/explicit.h"

enum { STAGES = 7 };

typedef struct Rk45 {
  StepControl control;
  double *k[STAGES + 1]; // k[1] .. k[7]
  double *k_end;         // derivative at the new state, after the projection
  double *stage, *y_new, *error, *rest;
  double h_done;
  bool dense_ready;
  int stiff_signs, calm_signs;
} Rk45;

extern const Method method_rk45;

static Status rk45_open(Stepper *s) {
  Rk45 *w = arena_new(s->arena, Rk45);
  s->work = w;
  for (int i = 1; i <= STAGES; i++) w->k[i] = stepper_array(s);
  w->k_end = stepper_array(s);
  w->stage = stepper_array(s);
  w->y_new = stepper_array(s);
  w->error = stepper_array(s);
  w->rest = stepper_array(s);
  return QDOT_OK;
}

static Status rk45_start(Stepper *s) {
  Rk45 *w = s->work;
  w->control = (StepControl){.order = 5,
                             .beta = 0.04,
                             .share = 0.75,
                             .safety = 0.9,
                             .shrink = 0.2,
                             .grow = 10,
                             .last = -9.21};
  w->h_done = 0;
  w->stiff_signs = w->calm_signs = 0;
  s->stiff = false;
  Status status = stepper_derivative(s, s->t, s->y, w->k[1]);
  if (status != QDOT_OK) return status;
  return first_step(s, 5, w->k[1], w->stage, w->k[2], &s->h);
}

#define STAGE(number, c, sum)                                                                      \
  COMBINE(w->stage, s->y, h, sum);                                                                 \
  if ((status = explicit_derivative(s, s->t + (c)*h, w->stage, w->k[number])) != QDOT_OK)          \
  return status

static Status seven_stages(Stepper *s, double h) {
  Rk45 *w = s->work;
  Status status;
  int pairs = s->n; // the quadratures do not act back: no stage needs them
  const Pair *k1 = (Pair *)w->k[1], *k2 = (Pair *)w->k[2], *k3 = (Pair *)w->k[3],
             *k4 = (Pair *)w->k[4], *k5 = (Pair *)w->k[5], *k6 = (Pair *)w->k[6],
             *k7 = (Pair *)w->k[7];
  STAGE(2, 0.2, 0.2 * k1[i]);
  STAGE(3, 0.3, 3.0 / 40 * k1[i] + 9.0 / 40 * k2[i]);
  STAGE(4, 0.8, 44.0 / 45 * k1[i] - 56.0 / 15 * k2[i] + 32.0 / 9 * k3[i]);
  STAGE(5, 8.0 / 9,
        19372.0 / 6561 * k1[i] - 25360.0 / 2187 * k2[i] + 64448.0 / 6561 * k3[i] -
            212.0 / 729 * k4[i]);
  STAGE(6, 1.0,
        9017.0 / 3168 * k1[i] - 355.0 / 33 * k2[i] + 46732.0 / 5247 * k3[i] + 49.0 / 176 * k4[i] -
            5103.0 / 18656 * k5[i]);
  pairs = s->padded / 2;
  COMBINE(w->y_new, s->y, h,
          35.0 / 384 * k1[i] + 500.0 / 1113 * k3[i] + 125.0 / 192 * k4[i] - 2187.0 / 6784 * k5[i] +
              11.0 / 84 * k6[i]);
  status = explicit_derivative(s, s->t + h, w->y_new, w->k[7]);
  for (int i = 0; i < pairs; i++)
    ((Pair *)w->error)[i] = h * (71.0 / 57600 * k1[i] - 71.0 / 16695 * k3[i] + 71.0 / 1920 * k4[i] -
                                 17253.0 / 339200 * k5[i] + 22.0 / 525 * k6[i] - 1.0 / 40 * k7[i]);
  return status;
}

// As in rk853: the stability limit of this method is 3.25.
static void test_stiffness(Stepper *s, double h) {
  Rk45 *w = s->work;
  double above = 0, below = 0;
  for (int i = 0; i < 2 * s->n; i++) {
    double df = w->k[7][i] - w->k[6][i], dy = w->y_new[i] - w->stage[i];
    above += df * df;
    below += dy * dy;
  }
  if (below > 0 && h * sqrt(above / below) > 3.25) {
    w->calm_signs = 0;
    if (++w->stiff_signs == 15) s->stiff = true;
  } else if (++w->calm_signs == 6) {
    w->stiff_signs = 0;
  }
}

static Status take_over(Stepper *s, double h, bool last, double t_limit) {
  Rk45 *w = s->work;
  double t_new = last ? t_limit : s->t + h;
  if (w->stiff_signs > 0 || s->steps % 16 == 0) test_stiffness(s, h);
  if (s->problem->m > 0 && s->options.stabilize != STABILIZE_NONE &&
      s->options.stabilize != STABILIZE_BAUMGARTE) {
    Status status = stepper_stabilize(s, t_new, w->y_new);
    if (status == QDOT_OK) status = stepper_derivative(s, t_new, w->y_new, w->k_end);
    if (status != QDOT_OK) return status;
  } else {
    memcpy(w->k_end, w->k[7], (size_t)s->padded * sizeof(double));
  }
  double *old = s->y_old;
  s->y_old = s->y;
  s->y = w->y_new;
  w->y_new = old;
  s->t_old = s->t;
  s->t = t_new;
  w->h_done = h;
  w->dense_ready = false;
  s->steps++;
  return QDOT_OK;
}

static Status rk45_step(Stepper *s, double t_limit) {
  Rk45 *w = s->work;
  if (w->h_done != 0) {
    double *end = w->k_end;
    w->k_end = w->k[1];
    w->k[1] = end;
    w->h_done = 0;
  }
  for (;;) {
    bool last;
    double wanted = s->h, h = limited_step(s->t, wanted, t_limit, &last);
    if (step_is_too_small(s, h) && !last) return step_failure(s, QDOT_OK, h);
    Status status = seven_stages(s, h);
    double err = status == QDOT_OK ? error_norm(s, w->error, s->y, w->y_new) : NAN;
    if (err <= 1) {
      status = take_over(s, h, last, t_limit);
      if (status != QDOT_OK) err = NAN;
    }
    bool accepted = err <= 1;
    s->h = h * control_factor(&w->control, err, accepted);
    if (accepted && h < wanted) s->h = fmax(s->h, wanted);
    if (s->options.most_step > 0) s->h = fmin(s->h, s->options.most_step);
    if (accepted) return QDOT_OK;
    s->rejected++;
    if (step_is_too_small(s, s->h)) return step_failure(s, status, s->h);
  }
}

static void prepare_dense(Stepper *s) {
  Rk45 *w = s->work;
  double *const *k = w->k;
  for (int i = 0; i < s->size; i++)
    w->rest[i] =
        w->h_done *
        (-12715105075.0 / 11282082432.0 * k[1][i] + 87487479700.0 / 32700410799.0 * k[3][i] -
         10690763975.0 / 1880347072.0 * k[4][i] + 701980252875.0 / 199316789632.0 * k[5][i] -
         1453857185.0 / 822651844.0 * k[6][i] + 69997945.0 / 29380423.0 * k[7][i]);
  w->dense_ready = true;
}

static Status rk45_dense(Stepper *s, double t, double *y) {
  Rk45 *w = s->work;
  if (!w->dense_ready) prepare_dense(s);
  double h = w->h_done, x = (t - s->t_old) / h, r = 1 - x;
  for (int i = 0; i < s->size; i++) {
    double difference = s->y[i] - s->y_old[i], bulge = h * w->k[1][i] - difference;
    double end = difference - h * w->k_end[i] - bulge;
    y[i] = s->y_old[i] + x * (difference + r * (bulge + x * (end + r * w->rest[i])));
  }
  return QDOT_OK;
}

const Method method_rk45 = {.name = "rk45",
                            .order = 5,
                            .open = rk45_open,
                            .start = rk45_start,
                            .step = rk45_step,
                            .dense = rk45_dense};
