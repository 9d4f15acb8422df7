// Two hand-written right-hand sides of a chain of rods.
#include "hand.h"

#include <math.h>

void hand_chain_open(HandChain *c, int n) {
  c->n = n;
  c->g = 9.81;
  double beyond = 0; // mass of the rods after this one
  for (int i = 0; i < n; i++) {
    c->m[i] = (101 + i) * 0.01;
    c->L[i] = 1;
    c->J[i] = c->m[i] * c->L[i] * c->L[i] / 12;
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = 0; j <= i; j++) {
      double lever = c->L[i] * (0.5 * c->m[i] + beyond) * c->L[j];
      if (i == j) lever = c->J[i] + c->L[i] * c->L[i] * (0.25 * c->m[i] + beyond);
      c->A[i][j] = c->A[j][i] = lever;
    }
    c->B[i] = c->g * c->L[i] * (0.5 * c->m[i] + beyond);
    beyond += c->m[i];
  }
}

// From the tip to the base, the force that a rod needs at its upper joint is K a + p for an
// acceleration a of that joint; from the base to the tip, accelerations.
void hand_articulated(const HandChain *c, const double *q, const double *qd, double *qdd) {
  double Dx[HAND_MOST], Dy[HAND_MOST], Ex[HAND_MOST], Ey[HAND_MOST];
  double ux[HAND_MOST], uy[HAND_MOST], alpha[HAND_MOST];
  double Kxx = 0, Kxy = 0, Kyy = 0, px = 0, py = 0;
  for (int k = c->n - 1; k >= 0; k--) {
    double s, co;
    sincos(q[k], &s, &co);
    double m = c->m[k], w2 = qd[k] * qd[k];
    double dx = c->L[k] * co, dy = c->L[k] * s;
    double ex = -dy * w2, ey = dx * w2;
    double kdx = Kxx * dx + Kxy * dy, kdy = Kxy * dx + Kyy * dy;
    double kex = Kxx * ex + Kxy * ey + px, key = Kxy * ex + Kyy * ey + py;
    double u = 0.5 * m * dx + kdx, v = 0.5 * m * dy + kdy;
    double inverse = 1 / (c->J[k] + 0.25 * m * c->L[k] * c->L[k] + dx * kdx + dy * kdy);
    double moment = 0.5 * m * c->g * dy + dx * kex + dy * key;
    double ru = u * inverse, rv = v * inverse, r = moment * inverse;
    Kxx = m + Kxx - u * ru;
    Kxy = Kxy - u * rv;
    Kyy = m + Kyy - v * rv;
    px = 0.5 * m * ex + kex - u * r;
    py = m * (0.5 * ey + c->g) + key - v * r;
    Dx[k] = dx, Dy[k] = dy, Ex[k] = ex, Ey[k] = ey;
    ux[k] = ru, uy[k] = rv, alpha[k] = r;
  }
  double ax = 0, ay = 0;
  for (int k = 0; k < c->n; k++) {
    qdd[k] = -(alpha[k] + ux[k] * ax + uy[k] * ay);
    ax += Ex[k] + Dx[k] * qdd[k];
    ay += Ey[k] + Dy[k] * qdd[k];
  }
}

void hand_dense(const HandChain *c, const double *q, const double *qd, double *qdd) {
  static double M[HAND_MOST][HAND_MOST];
  double s[HAND_MOST], co[HAND_MOST], f[HAND_MOST];
  int n = c->n;
  for (int i = 0; i < n; i++) sincos(q[i], &s[i], &co[i]);
  for (int i = 0; i < n; i++) {
    f[i] = -c->B[i] * s[i];
    for (int j = 0; j < n; j++) {
      M[i][j] = c->A[i][j] * (co[i] * co[j] + s[i] * s[j]);
      if (i != j) f[i] -= c->A[i][j] * (s[i] * co[j] - co[i] * s[j]) * qd[j] * qd[j];
    }
  }
  // Cholesky, then both substitutions
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++) M[j][j] -= M[j][k] * M[j][k];
    M[j][j] = sqrt(M[j][j]);
    double inverse = 1 / M[j][j];
    for (int i = j + 1; i < n; i++) {
      double sum = M[i][j];
      for (int k = 0; k < j; k++) sum -= M[i][k] * M[j][k];
      M[i][j] = sum * inverse;
    }
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) f[i] -= M[i][k] * f[k];
    f[i] /= M[i][i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) f[i] -= M[k][i] * f[k];
    qdd[i] = f[i] /= M[i][i];
  }
}
