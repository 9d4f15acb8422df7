// Dormand and Prince 8(5,3) with a dense output of order 7.
#include "solve/rk853.h"

#include <math.h>

#include "solve/rk853_sums.h"

extern const Method method_rk853;

static Status attempt_plain(Stepper *s, double h, double *error);
static Status attempt_wide(Stepper *s, double h, double *error);
static Status rk853_arrive(Stepper *s, double t);
static double rk853_error_along(Stepper *s, double h);
static double rk853_fast_error(Stepper *s, double h);
static bool rk853_is_calm(const Stepper *s, double h);

static const StageGap gaps[] = {{0.467, 0.133}, {0.754, 0.103}, {0.929, 0.071},
                                {0.184, 0.066}, {0.026, 0.026}, {0, 0}};

static Status rk853_open(Stepper *s) {
  Rk853 *w = arena_new(s->arena, Rk853);
  s->work = w;
  explicit_open(&w->x, s);
  for (int i = 2; i <= RK853_STAGES; i++) w->k[i] = stepper_array(s);
  rk853_open_dense(s);
  w->x.attempt = explicit_is_wide() && !s->options.narrow ? attempt_wide : attempt_plain;
  w->x.arrive = rk853_arrive;
  w->x.error_along = rk853_error_along;
  w->x.fast_error = rk853_fast_error;
  w->x.is_calm = rk853_is_calm;
  w->x.show_signs = rk853_take_signs;
  w->x.ride = rk853_ride;
  w->x.order = 8;
  w->x.gaps = gaps;
  w->x.stability = 6.1;
  w->x.accuracy = s->options.rtol <= 1e-6 ? 3.5 : INFINITY;
  w->x.k_stage = w->k[12];
  return QDOT_OK;
}

static Status rk853_start(Stepper *s) {
  Rk853 *w = s->work;
  StepControl control = {
      .order = 8, .beta = 0.04, .share = 0.2, .safety = 0.87, .shrink = 0.333, .grow = 6};
  return explicit_start(&w->x, s, control);
}

// The twelve stages from y; the last one stays in stage for the test of stiffness.
EXPLICIT_BODY Status twelve_stages(Stepper *s, double h) {
  Rk853 *w = s->work;
  Status status;
  const int quads = (s->acting + 3) / 4; // the quadratures do not act back: no stage needs them
  NAME_STAGES(w->x.k_begin);
  (void)k12;
  RK_STAGE(s->t, s->y, 2, AT_2, SUM_2);
  RK_STAGE(s->t, s->y, 3, AT_3, SUM_3);
  RK_STAGE(s->t, s->y, 4, AT_4, SUM_4);
  RK_STAGE(s->t, s->y, 5, AT_5, SUM_5);
  RK_STAGE(s->t, s->y, 6, AT_6, SUM_6);
  RK_STAGE(s->t, s->y, 7, AT_7, SUM_7);
  RK_STAGE(s->t, s->y, 8, AT_8, SUM_8);
  RK_STAGE(s->t, s->y, 9, AT_9, SUM_9);
  RK_STAGE(s->t, s->y, 10, AT_10, SUM_10);
  RK_STAGE(s->t, s->y, 11, AT_11, SUM_11);
  RK_STAGE(s->t, s->y, 12, AT_12, SUM_12);
  return QDOT_OK;
}

double rk853_combined_error(const Stepper *s, double h, double five, double three) {
  double guard = five + 0.01 * three;
  return guard > 0 ? fabs(h) * five / sqrt(s->acting * guard) : guard;
}

// y_new; the error combines the estimates of order 5 and 3 (their ratio guards both).
EXPLICIT_BODY double new_state(Stepper *s, double h) {
  Rk853 *w = s->work;
  const int quads = s->padded / 4;
  NAME_STAGES(w->x.k_begin);
  (void)k2, (void)k3, (void)k4, (void)k5;
  Quad *y_new = (Quad *)w->x.y_new, six = {0}, five = {0}, three = {0};
  const Quad *y = (const Quad *)s->y;
  for (int i = 0; i < quads; i++) {
    Quad slope = SLOPE;
    y_new[i] = y[i] + h * slope;
    Quad e3 = ERROR_3(slope), e5 = ERROR_5, e6 = ERROR_6;
    Quad weight;
    error_weight(s, i, &y[i], &y_new[i], &weight);
    e6 *= weight, e5 *= weight, e3 *= weight;
    six += e6 * e6, five += e5 * e5, three += e3 * e3;
  }
  w->six = quad_sum(&six), w->five = quad_sum(&five);
  return rk853_combined_error(s, h, w->five, quad_sum(&three));
}

static double rk853_error_along(Stepper *s, double h) {
  Rk853 *w = s->work;
  if (s->lane) rk853_take_stages(s);
  NAME_STAGES(w->x.k_begin);
  (void)k2, (void)k3, (void)k4, (void)k5;
  // the room of stages that only the dense output needs
  double *five = w->k[14], *three = w->k[15];
  const Quad *y = (const Quad *)s->y, *y_new = (const Quad *)w->x.y_new;
  for (int i = 0; i < s->padded / 4; i++) {
    ((Quad *)five)[i] = ERROR_5;
    ((Quad *)three)[i] = ERROR_3((y_new[i] - y[i]) / h);
  }
  if (error_project(s, s->t + h, w->x.y_new, five) != QDOT_OK) return INFINITY;
  if (error_project(s, s->t + h, w->x.y_new, three) != QDOT_OK) return INFINITY;
  double e5 = error_norm(s, five, s->y, w->x.y_new), e3 = error_norm(s, three, s->y, w->x.y_new);
  return rk853_combined_error(s, h, s->acting * e5 * e5, s->acting * e3 * e3);
}

EXPLICIT_BODY Status attempt(Stepper *s, double h, double *error) {
  Status status = twelve_stages(s, h);
  if (status == QDOT_OK) *error = new_state(s, h);
  return status;
}

static Status attempt_plain(Stepper *s, double h, double *error) {
  if (s->lane && rk853_attempt_in_lane(s, h, error)) return QDOT_OK;
  return attempt(s, h, error);
}

static EXPLICIT_WIDE Status attempt_wide(Stepper *s, double h, double *error) {
  if (s->lane && rk853_attempt_in_lane(s, h, error)) return QDOT_OK;
  return attempt(s, h, error);
}

static Status rk853_arrive(Stepper *s, double t) {
  Rk853 *w = s->work;
  if (s->lane && rk853_arrive_in_lane(s, t)) return QDOT_OK;
  Status status = s->problem->m > 0 ? stepper_stabilize(s, t, w->x.y_new) : QDOT_OK;
  return status == QDOT_OK ? explicit_derivative(s, t, w->x.y_new, w->x.k_end) : status;
}

// The estimates of order 5 and 3 are good as long as one motion makes them both. A slow one may
// make that of order 3 so large that a fast one is not seen, which had decayed and grows again
// where h times its eigenvalue is beyond the bound of stability: its error is what order 5 says,
// 10 to 60 times what order 6 does, and a fiftieth of what the derivatives of the last two stages
// differ by. Where nothing is fast, this is far below the other estimate.

EXPLICIT_BODY double fast_sum(const Stepper *s) {
  const Rk853 *w = s->work;
  Quad sum = {0};
  for (int i = 0; i < s->padded / 4; i++) {
    Quad weight, e = ((const Quad *)w->x.k_end)[i] - ((const Quad *)w->k[12])[i];
    error_weight(s, i, (const Quad *)s->y + i, (const Quad *)w->x.y_new + i, &weight);
    e *= weight;
    sum += e * e;
  }
  return quad_sum(&sum);
}

static EXPLICIT_WIDE double fast_sum_wide(const Stepper *s) { return fast_sum(s); }

static double rk853_fast_error(Stepper *s, double h) {
  Rk853 *w = s->work;
  double sum;
  if (!(w->five > 0)) return 0;
  if (!s->lane || !rk853_fast_sum_in_lane(s, &sum)) {
    if (s->lane) rk853_take_signs(s);
    sum = explicit_is_wide() ? fast_sum_wide(s) : fast_sum(s);
  }
  return FAST_SHARE * fabs(h) * sqrt(w->six / w->five * sum / s->acting);
}

// The error of a fast motion is at most about what order 5 says of all motions.
static const double CALM = 0.01;

static bool rk853_is_calm(const Stepper *s, double h) {
  const Rk853 *w = s->work;
  return h * h * w->five <= CALM * CALM * s->acting;
}

const Method method_rk853 = {.name = "rk853",
                             .others = {"ode89", "dop853", "DOP853"},
                             .takes = {"rtol", "atol"},
                             .order = 8,
                             .nodes = 8,
                             .open = rk853_open,
                             .start = rk853_start,
                             .go_on = explicit_go_on,
                             .step = explicit_step,
                             .dense = rk853_dense,
                             .dense_many = rk853_dense_many};
