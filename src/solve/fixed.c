// What the fixed-step methods share.
#include "solve/fixed.h"

#include <math.h>
#include <string.h>

double grid_next(double t, double h, double t_limit, double *size) {
  double next = (floor(t / h + 1e-6) + 1) * h;
  if (next > t_limit - 1e-6 * h) next = t_limit;
  *size = next - t;
  if (fabs(*size - h) < 1e-9 * h) *size = h;
  return next;
}

static void exchange(double **a, double **b) {
  double *kept = *a;
  *a = *b;
  *b = kept;
}

void fixed_accept(Stepper *s, double next, double **y_new) {
  exchange(&s->y_old, &s->y);
  exchange(&s->y, y_new);
  s->t_old = s->t;
  s->t = next;
  s->steps++;
}

void hermite_open(Hermite *hermite, Stepper *s) {
  hermite->a_old = stepper_array(s);
  hermite->a = stepper_array(s);
  hermite->rate_old = arena_array(s->arena, double, s->problem->quadratures);
  hermite->rate = arena_array(s->arena, double, s->problem->quadratures);
}

void hermite_advance(Hermite *hermite) {
  exchange(&hermite->a_old, &hermite->a);
  exchange(&hermite->rate_old, &hermite->rate);
}

void hermite_state(const Stepper *s, const Hermite *hermite, double t, double *y) {
  int n = s->n;
  double h = s->t - s->t_old, x = (t - s->t_old) / h;
  double x2 = x * x, x3 = x2 * x, x4 = x3 * x, x5 = x4 * x;
  for (int i = 0; i < n; i++) {
    double q0 = s->y_old[i], v0 = h * s->y_old[n + i], a0 = h * h * hermite->a_old[i] / 2;
    double q1 = s->y[i], v1 = h * s->y[n + i], a1 = h * h * hermite->a[i] / 2;
    // q = q0 + v0 x + a0 x^2 + c3 x^3 + c4 x^4 + c5 x^5
    double d = q1 - q0 - v0 - a0, e = v1 - v0 - 2 * a0, f = a1 - a0;
    double c3 = 10 * d - 4 * e + f, c4 = -15 * d + 7 * e - 2 * f, c5 = 6 * d - 3 * e + f;
    y[i] = q0 + v0 * x + a0 * x2 + c3 * x3 + c4 * x4 + c5 * x5;
    y[n + i] = (v0 + 2 * a0 * x + 3 * c3 * x2 + 4 * c4 * x3 + 5 * c5 * x4) / h;
  }
  for (int i = 0; i < s->problem->states + s->problem->quadratures; i++) {
    double w0 = s->y_old[2 * n + i], w1 = s->y[2 * n + i], d = w1 - w0;
    double r0 = h * hermite->rate_old[i] - d, r1 = d - h * hermite->rate[i];
    y[2 * n + i] = w0 + x * (d + (1 - x) * (r0 * (1 - x) + r1 * x));
  }
}

Status hermite_quadratures(Stepper *s, Hermite *hermite, const double *lambda_old,
                           const double *lambda, double *lambda_room, double *y_room) {
  const Problem *p = s->problem;
  int n = s->n;
  if (p->quadratures == 0) return QDOT_OK;
  double h = s->t - s->t_old, middle = s->t_old + h / 2;
  double *w = s->y + 2 * n, *w_old = s->y_old + 2 * n, *rate_middle = y_room + 2 * n;
  hermite_state(s, hermite, middle, y_room);
  for (int i = 0; i < p->m; i++) lambda_room[i] = (lambda_old[i] + lambda[i]) / 2;
  Status status = p->rates(p->user, middle, y_room, y_room + n, lambda_room, rate_middle);
  if (status == QDOT_OK) status = p->rates(p->user, s->t, s->y, s->y + n, lambda, hermite->rate);
  for (int i = 0; i < p->quadratures; i++)
    w[i] = w_old[i] + h / 6 * (hermite->rate_old[i] + 4 * rate_middle[i] + hermite->rate[i]);
  return status;
}
