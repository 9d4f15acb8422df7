// Dormand and Prince 5(4) with a dense output of order 4.
// Coefficients: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.5 and II.6.
#include <math.h>
#include <string.h>

#include "solve/explicit.h"

enum { STAGES = 7 };

typedef struct Rk45 {
  Explicit x;
  double *k[STAGES + 1]; // k[2] .. k[7]
  double *error, *rest;
} Rk45;

extern const Method method_rk45;

static Status rk45_attempt(Stepper *s, double h, double *error);
static Status rk45_arrive(Stepper *s, double t);
static double rk45_error_along(Stepper *s, double h);

static const StageGap gaps[] = {{0.55, 0.25}, {0.1, 0.1}, {0, 0}};

static Status rk45_open(Stepper *s) {
  Rk45 *w = arena_new(s->arena, Rk45);
  s->work = w;
  explicit_open(&w->x, s);
  for (int i = 2; i <= STAGES; i++) w->k[i] = stepper_array(s);
  w->error = stepper_array(s);
  w->rest = stepper_array(s);
  w->x.attempt = rk45_attempt;
  w->x.arrive = rk45_arrive;
  w->x.gaps = gaps;
  w->x.error_along = rk45_error_along;
  w->x.order = 5;
  w->x.stability = 3.25;
  w->x.accuracy = INFINITY;
  w->x.k_stage = w->k[6];
  return QDOT_OK;
}

static Status rk45_start(Stepper *s) {
  Rk45 *w = s->work;
  StepControl control = {
      .order = 5, .beta = 0.04, .share = 0.75, .safety = 0.9, .shrink = 0.2, .grow = 10};
  return explicit_start(&w->x, s, control);
}

static Status rk45_attempt(Stepper *s, double h, double *error) {
  Rk45 *w = s->work;
  Status status;
  int quads = (s->acting + 3) / 4; // the quadratures do not act back: no stage needs them
  const Quad *k1 = (Quad *)w->x.k_begin, *k2 = (Quad *)w->k[2], *k3 = (Quad *)w->k[3],
             *k4 = (Quad *)w->k[4], *k5 = (Quad *)w->k[5], *k6 = (Quad *)w->k[6],
             *k7 = (Quad *)w->k[7];
  RK_STAGE(s->t, s->y, 2, 0.2, 0.2 * k1[i]);
  RK_STAGE(s->t, s->y, 3, 0.3, 3.0 / 40 * k1[i] + 9.0 / 40 * k2[i]);
  RK_STAGE(s->t, s->y, 4, 0.8, 44.0 / 45 * k1[i] - 56.0 / 15 * k2[i] + 32.0 / 9 * k3[i]);
  RK_STAGE(s->t, s->y, 5, 8.0 / 9,
           19372.0 / 6561 * k1[i] - 25360.0 / 2187 * k2[i] + 64448.0 / 6561 * k3[i] -
               212.0 / 729 * k4[i]);
  RK_STAGE(s->t, s->y, 6, 1.0,
           9017.0 / 3168 * k1[i] - 355.0 / 33 * k2[i] + 46732.0 / 5247 * k3[i] +
               49.0 / 176 * k4[i] - 5103.0 / 18656 * k5[i]);
  quads = s->padded / 4;
  COMBINE(w->x.y_new, s->y, h,
          35.0 / 384 * k1[i] + 500.0 / 1113 * k3[i] + 125.0 / 192 * k4[i] - 2187.0 / 6784 * k5[i] +
              11.0 / 84 * k6[i]);
  status = explicit_derivative(s, s->t + h, w->x.y_new, w->k[7]);
  for (int i = 0; i < quads; i++)
    ((Quad *)w->error)[i] = h * (71.0 / 57600 * k1[i] - 71.0 / 16695 * k3[i] + 71.0 / 1920 * k4[i] -
                                 17253.0 / 339200 * k5[i] + 22.0 / 525 * k6[i] - 1.0 / 40 * k7[i]);
  *error = error_norm(s, w->error, s->y, w->x.y_new);
  return status;
}

static double rk45_error_along(Stepper *s, double h) {
  Rk45 *w = s->work;
  Status status = error_project(s, s->t + h, w->x.y_new, w->error);
  return status == QDOT_OK ? error_norm(s, w->error, s->y, w->x.y_new) : INFINITY;
}

// The last stage is the derivative already, where nothing moves the state.
static Status rk45_arrive(Stepper *s, double t) {
  Rk45 *w = s->work;
  if (s->problem->m > 0 && (s->options.stabilize == STABILIZE_PROJECT ||
                            s->options.stabilize == STABILIZE_PARTITIONING)) {
    Status status = stepper_stabilize(s, t, w->x.y_new);
    return status == QDOT_OK ? explicit_derivative(s, t, w->x.y_new, w->x.k_end) : status;
  }
  memcpy(w->x.k_end, w->k[7], (size_t)s->padded * sizeof(double));
  return QDOT_OK;
}

static void prepare_dense(Stepper *s) {
  Rk45 *w = s->work;
  double *const *k = w->k;
  for (int i = 0; i < s->size; i++)
    w->rest[i] = w->x.h_done *
                 (-12715105075.0 / 11282082432.0 * w->x.k_begin[i] +
                  87487479700.0 / 32700410799.0 * k[3][i] - 10690763975.0 / 1880347072.0 * k[4][i] +
                  701980252875.0 / 199316789632.0 * k[5][i] - 1453857185.0 / 822651844.0 * k[6][i] +
                  69997945.0 / 29380423.0 * k[7][i]);
  w->x.dense_ready = true;
}

static Status rk45_dense(Stepper *s, double t, double *y) {
  Rk45 *w = s->work;
  if (!w->x.dense_ready) prepare_dense(s);
  double h = w->x.h_done, x = (t - s->t_old) / h, r = 1 - x;
  for (int i = 0; i < s->size; i++) {
    double difference = s->y[i] - s->y_old[i], bulge = h * w->x.k_begin[i] - difference;
    double end = difference - h * w->x.k_end[i] - bulge;
    y[i] = s->y_old[i] + x * (difference + r * (bulge + x * (end + r * w->rest[i])));
  }
  return QDOT_OK;
}

const Method method_rk45 = {.name = "rk45",
                            .others = {"ode45", "dopri5", "RK45"},
                            .takes = {"rtol", "atol"},
                            .order = 5,
                            .nodes = 5,
                            .open = rk45_open,
                            .start = rk45_start,
                            .go_on = explicit_go_on,
                            .step = explicit_step,
                            .dense = rk45_dense};
