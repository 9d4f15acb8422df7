// What the explicit Runge-Kutta methods share.
#include "solve/explicit.h"

#include <float.h>
#include <math.h>

// The error of an accepted step counts as at least 1e-4 when the next one is chosen.
static const double LEAST_LAST = -9.21;

// err^-(1/order - share beta) last^beta: Gustafsson's PI control as in Hairer, Norsett and Wanner.
double control_factor(StepControl *control, double err, bool accepted) {
  if (!isfinite(err)) {
    control->after_rejection = true;
    return control->shrink;
  }
  double logarithm = err > 1e-12 ? log(err) : log(1e-12);
  if (!accepted) {
    control->after_rejection = true;
    double factor = control->safety * exp(-logarithm / control->order);
    return fmin(fmax(factor, control->shrink), 0.9);
  }
  double exponent = 1 / control->order - control->share * control->beta;
  double factor = control->safety * exp(control->beta * control->last - exponent * logarithm);
  factor = factor < control->shrink ? control->shrink
           : factor > control->grow ? control->grow
                                    : factor;
  if (control->after_rejection && factor > 1) factor = 1;
  control->after_rejection = false;
  control->last = logarithm > LEAST_LAST ? logarithm : LEAST_LAST;
  return factor;
}

// Twice the same loop, so that two estimates share the weights.
void error_norms(const Stepper *s, const double *e1, const double *e2, const double *a,
                 const double *b, double *norm1, double *norm2) {
  const double rtol = s->options.rtol, *floor = s->floor;
  double sum1 = 0, sum2 = 0;
  for (int i = 0; i < 2 * s->n; i++) {
    double x = fabs(a[i]), y = fabs(b[i]);
    double allowed = floor[i] + rtol * (x > y ? x : y);
    double weight = allowed > 0 ? 1 / allowed : 0;
    double r1 = e1[i] * weight, r2 = e2[i] * weight;
    sum1 += r1 * r1;
    sum2 += r2 * r2;
  }
  if (s->work_scale > 0) {
    double weight = 1 / (rtol * s->work_scale);
    for (int i = 2 * s->n; i < s->size; i++) {
      double r1 = e1[i] * weight, r2 = e2[i] * weight;
      sum1 += r1 * r1;
      sum2 += r2 * r2;
    }
  }
  *norm1 = sqrt(sum1 / (2 * s->n));
  *norm2 = sqrt(sum2 / (2 * s->n));
}

double error_norm(const Stepper *s, const double *e, const double *a, const double *b) {
  const double rtol = s->options.rtol, *floor = s->floor;
  double sum = 0;
  for (int i = 0; i < 2 * s->n; i++) {
    double x = fabs(a[i]), y = fabs(b[i]);
    double allowed = floor[i] + rtol * (x > y ? x : y);
    double ratio = allowed > 0 ? e[i] / allowed : 0;
    sum += ratio * ratio;
  }
  if (s->work_scale > 0)
    for (int i = 2 * s->n; i < s->size; i++) {
      double ratio = e[i] / (rtol * s->work_scale);
      sum += ratio * ratio;
    }
  return sqrt(sum / (2 * s->n));
}

// Hairer, Norsett and Wanner, II.4: a step whose explicit Euler increment is a hundredth of the
// state, refined by the second derivative it shows.
Status first_step(Stepper *s, int order, const double *k, double *room, double *k_room,
                  double *h_out) {
  double d0 = error_norm(s, s->y, s->y, s->y), d1 = error_norm(s, k, s->y, s->y);
  if (!isfinite(d1)) return QDOT_UNDEFINED;
  double h = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  for (int i = 0; i < s->padded; i++) room[i] = s->y[i] + h * k[i];
  Status status = stepper_derivative(s, s->t + h, room, k_room);
  if (status != QDOT_OK) {
    *h_out = h * 1e-2;
    return QDOT_OK;
  }
  for (int i = 0; i < s->padded; i++) room[i] = k_room[i] - k[i];
  double d2 = error_norm(s, room, s->y, s->y) / h;
  double steepest = fmax(d1, d2);
  double refined =
      steepest <= 1e-15 ? fmax(1e-6, h * 1e-3) : pow(0.01 / steepest, 1.0 / (order + 1));
  h = isfinite(refined) ? fmin(100 * h, refined) : h;
  if (s->options.most_step > 0) h = fmin(h, s->options.most_step);
  *h_out = h;
  return QDOT_OK;
}

double limited_step(double t, double h, double t_limit, bool *last) {
  double left = t_limit - t;
  *last = h >= left * (1 - 1e-10);
  if (*last) return left;
  // two equal steps rather than one and a splinter
  return 2 * h > left ? left / 2 : h;
}

bool step_is_too_small(const Stepper *s, double h) {
  return !(h > 8 * DBL_EPSILON * fabs(s->t)) || !(h > 1e-300);
}

Status step_failure(const Stepper *s, Status last, double h) {
  (void)h;
  double size = 0;
  for (int i = 0; i < 2 * s->n; i++) size = fmax(size, fabs(s->y[i]));
  if (size > 1e50) return QDOT_BLOW_UP;
  return last != QDOT_OK ? last : QDOT_STEP_LIMIT;
}
