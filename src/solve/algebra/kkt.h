// The saddle point of constrained motion, solved once for accelerations and for projections.
#ifndef QDOT_SOLVE_ALGEBRA_KKT_H
#define QDOT_SOLVE_ALGEBRA_KKT_H

#include <stdbool.h>

#include "solve/algebra/svd.h"

// The rule of ranks, in exported programs, too. A pivot of the scaled Gram matrix below TRUSTED is
// not divided by. CUT_BELOW is relative to the largest singular value; a long structure has small
// ones that fall off slowly, one that is cut lies CUT_BEHIND below the last. A mass matrix is
// singular where so little of a diagonal entry is left.
#define KKT_TRUSTED 1e-6
#define KKT_CUT_BELOW 1e-4
#define KKT_CUT_BEHIND 1e-2
#define KKT_MASS_PIVOT 1e-13

// [M Phi_q^T; Phi_q 0] through M = L L^T, B = L^-1 Phi_q^T with every row divided by the largest
// norm it has had in this run (`scale`), and B^T B. Where a pivot of that falls under 1e-6 the rank
// is revealed. It is a matter of geometry, not of masses: of Phi_q in units of the coordinates,
// with rows as small as they have become, singular values under 1e-4 of the largest are cut behind
// a gap; multipliers are then combinations of what is left. Where M alone is singular, M + Phi_q^T
// W Phi_q takes its place.
typedef struct Kkt {
  int n, m;             // coordinates, most rows
  bool constant_mass;   // L stays valid once it is there, while parameters stay as they are
  bool mass_factored;   //
  double *M;            // n x n: what L was made of, where it may stay
  bool augmented;       // L belongs to M + Phi_q^T W Phi_q
  int rows;             // of the present factor
  int rank;             // of the present factor; below `rows` where something was cut
  double worst_pivot;   // of the scaled B^T B: the monitor
  double *L, *B, *gram; // n x n, m x n (row i: L^-1 phi_i / scale_i), m x m
  double *scale;        // m; 0 for a row not met yet
  double *weight;       // m: W
  double *c, *reaction, *z, *product;
  double *unit; // n: the size of each coordinate; 1 unless it is set
  Svd *svd;     // of Phi_q in these units
  enum { KKT_FULL, KKT_GAP, KKT_CUT } mode;
  double *gap;   // m x rank: pivoted factor of B B^T
  double *core;  // rank x rank: its own Gram factor
  double *kept;  // rank x n: orthonormal rows of what was not cut
  double *ratio; // m: of the scales of a row in B and in the units
} Kkt;

void kkt_open(Kkt *kkt, Arena *arena, int n, int m, bool constant_mass);

// Takes M (n x n) and the first `rows` rows of Phi_q. Fails with QDOT_SINGULAR_MASS, or
// QDOT_UNDEFINED when a value is not finite.
Status kkt_factor(Kkt *kkt, const double *M, const double *Phi_q, int rows);

// qdd and lambda of M qdd + Phi_q^T lambda = f, Phi_q qdd = gamma; Phi_q as given to kkt_factor.
void kkt_solve(Kkt *kkt, const double *Phi_q, const double *f, const double *gamma, double *qdd,
               double *lambda);

// dq of least mass-weighted size with Phi_q dq = c (as far as the rank allows). Returns its
// mass-weighted size sqrt(dq M dq).
double kkt_correction(Kkt *kkt, const double *c, double *dq);

#endif
