// Point masses joined by rods.
#include "support/truss.h"

#include <math.h>
#include <string.h>

static const Truss *self(void *user) { return user; }

// The vector along rod r of the positions (or velocities) q; ground counts with `fixed`.
static void along(const Truss *truss, int r, const double *q, double fixed, double *x, double *y) {
  const Rod *rod = &truss->rod[r];
  *x = q[2 * rod->a] - (rod->b < 0 ? fixed * rod->x : q[2 * rod->b]);
  *y = q[2 * rod->a + 1] - (rod->b < 0 ? fixed * rod->y : q[2 * rod->b + 1]);
}

static Status position(void *user, double t, const double *q, double *Phi) {
  const Truss *truss = self(user);
  (void)t;
  for (int r = 0; r < truss->rods; r++) {
    double x, y, length = truss->rod[r].length;
    along(truss, r, q, 1, &x, &y);
    Phi[r] = truss->rod[r].factor * 0.5 * (x * x + y * y - length * length);
  }
  return QDOT_OK;
}

static Status velocity(void *user, double t, const double *q, const double *qd, double *Phi_dot) {
  const Truss *truss = self(user);
  (void)t;
  for (int r = 0; r < truss->rods; r++) {
    double x, y, u, v;
    along(truss, r, q, 1, &x, &y);
    along(truss, r, qd, 0, &u, &v);
    Phi_dot[r] = truss->rod[r].factor * (x * u + y * v);
  }
  return QDOT_OK;
}

static Status geometry(void *user, double t, const double *q, double *M, double *Phi_q) {
  const Truss *truss = self(user);
  (void)t;
  int n = 2 * truss->points;
  memset(M, 0, (size_t)(n * n) * sizeof *M);
  memset(Phi_q, 0, (size_t)(truss->rods * n) * sizeof *M);
  for (int i = 0; i < n; i++) M[i * n + i] = truss->mass[i / 2];
  for (int r = 0; r < truss->rods; r++) {
    const Rod *rod = &truss->rod[r];
    double x, y, *row = Phi_q + r * n;
    along(truss, r, q, 1, &x, &y);
    row[2 * rod->a] = rod->factor * x;
    row[2 * rod->a + 1] = rod->factor * y;
    if (rod->b < 0) continue;
    row[2 * rod->b] = -rod->factor * x;
    row[2 * rod->b + 1] = -rod->factor * y;
  }
  return QDOT_OK;
}

static Status terms(void *user, double t, const double *q, const double *qd, double *M, double *f,
                    double *Phi_q, double *gamma) {
  const Truss *truss = self(user);
  geometry(user, t, q, M, Phi_q);
  for (int i = 0; i < 2 * truss->points; i++)
    f[i] = (i % 2 ? -truss->mass[i / 2] * truss->gravity : 0) - truss->damping * qd[i];
  for (int r = 0; r < truss->rods; r++) {
    double u, v;
    along(truss, r, qd, 0, &u, &v);
    gamma[r] = -truss->rod[r].factor * (u * u + v * v);
  }
  return QDOT_OK;
}

static Status rates(void *user, double t, const double *q, const double *qd, const double *lambda,
                    double *power) {
  const Truss *truss = self(user);
  (void)t, (void)q, (void)lambda;
  power[0] = 0;
  for (int i = 0; i < 2 * truss->points; i++) power[0] -= truss->damping * qd[i] * qd[i];
  return QDOT_OK;
}

static void add_rod_stiffness(const Truss *truss, int r, double lambda, double *K) {
  const Rod *rod = &truss->rod[r];
  int n = 2 * truss->points;
  double k = rod->factor * lambda;
  for (int c = 0; c < 2; c++) {
    int a = 2 * rod->a + c, b = 2 * rod->b + c;
    K[a * n + a] += k;
    if (rod->b < 0) continue;
    K[b * n + b] += k;
    K[a * n + b] -= k;
    K[b * n + a] -= k;
  }
}

static Status tangent(void *user, double t, const double *q, const double *qd, const double *qdd,
                      const double *lambda, double *K, double *C) {
  const Truss *truss = self(user);
  int n = 2 * truss->points;
  (void)t, (void)q, (void)qd, (void)qdd;
  memset(K, 0, (size_t)(n * n) * sizeof *K);
  memset(C, 0, (size_t)(n * n) * sizeof *C);
  for (int i = 0; i < n; i++) C[i * n + i] = truss->damping;
  for (int r = 0; r < truss->rods; r++) add_rod_stiffness(truss, r, lambda[r], K);
  return QDOT_OK;
}

static Status gradient(void *user, double t, const double *q, const double *v, double *L_q,
                       double *L_v, double *F) {
  const Truss *truss = self(user);
  (void)t, (void)q;
  for (int i = 0; i < 2 * truss->points; i++) {
    L_q[i] = i % 2 ? -truss->mass[i / 2] * truss->gravity : 0;
    L_v[i] = truss->mass[i / 2] * v[i];
    F[i] = -truss->damping * v[i];
  }
  return QDOT_OK;
}

static Status hessian(void *user, double t, const double *q, const double *v, double *L_qq,
                      double *L_qv, double *L_vv, double *F_q, double *F_v) {
  const Truss *truss = self(user);
  int n = 2 * truss->points;
  size_t bytes = (size_t)(n * n) * sizeof(double);
  (void)t, (void)q, (void)v;
  memset(L_qq, 0, bytes);
  memset(L_qv, 0, bytes);
  memset(L_vv, 0, bytes);
  memset(F_q, 0, bytes);
  memset(F_v, 0, bytes);
  for (int i = 0; i < n; i++) {
    L_vv[i * n + i] = truss->mass[i / 2];
    F_v[i * n + i] = -truss->damping;
  }
  return QDOT_OK;
}

void truss_finish(Truss *truss) {
  truss->problem = (Problem){.user = truss,
                             .n = 2 * truss->points,
                             .m = truss->rods,
                             .holonomic = truss->rods,
                             .quadratures = 1,
                             .constant_mass = true,
                             .terms = terms,
                             .geometry = geometry,
                             .position = position,
                             .velocity = velocity,
                             .rates = rates,
                             .tangent = tangent,
                             .gradient = gradient,
                             .hessian = hessian};
}

void truss_rod(Truss *truss, int a, int b, double length) {
  truss->rod[truss->rods++] = (Rod){.a = a, .b = b, .length = length, .factor = 1};
}

void truss_ground_rod(Truss *truss, int a, double x, double y, double length) {
  truss->rod[truss->rods++] = (Rod){.a = a, .b = -1, .x = x, .y = y, .length = length, .factor = 1};
}

void truss_four_bars(Truss *truss, int four_bars) {
  *truss = (Truss){.points = four_bars + 1, .gravity = 9.81};
  for (int i = 0; i <= four_bars; i++) {
    truss->mass[i] = 1;
    truss_ground_rod(truss, i, i, 0, 1);
    if (i > 0) truss_rod(truss, i, i - 1, 1);
  }
  truss_finish(truss);
}

void four_bars_state(int four_bars, double angle, double rate, double *q, double *qd) {
  for (int i = 0; i <= four_bars; i++) {
    q[2 * i] = i + cos(angle);
    q[2 * i + 1] = sin(angle);
    qd[2 * i] = -sin(angle) * rate;
    qd[2 * i + 1] = cos(angle) * rate;
  }
}
