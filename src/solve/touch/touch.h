// All contacts that touch within a step, together: impulses p >= 0 that press and r that rub, with
//
//   w = N v + offset, the speed apart:   w >= aim + bounce,  p >= 0,  p (w - aim - bounce) = 0
//   u = T v + offset, the speed along:   r in -mu p Sgn(u)
//   v = v_free + K^-1 (N^T p + T^T r),   K^-1: the masses with the joints
#ifndef QDOT_SOLVE_TOUCH_TOUCH_H
#define QDOT_SOLVE_TOUCH_TOUCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct SparseRow {
  int n;
  int *index;
  double *value;
} SparseRow;

typedef struct Touch {
  int contact, island;      // island, out: those of one number hang together
  SparseRow normal, along;  // the rows N and T
  SparseRow push, rub;      // what a unit of p and of r makes of the velocities
  double own_push, own_rub; // of their own speeds
  double normal_offset, along_offset;
  double normal_moves, along_moves; // the part of them that surfaces move by themselves
  double size_push, size_rub;       // their roots, found here
  double aim, bounce, mu; // out: aim is what was met, with as much of the bounce as makes no energy
  double p, r;            // in: a guess
  double still_p, still_r; // what they are without bounces: a guess for the next step
} Touch;

typedef struct Touches {
  int count, n; // of contacts, of velocities
  Touch *at;
  double *v;            // n: in v_free, out v
  const double *before; // n: velocities at the beginning of the step; NULL where nothing bounces
  double speed;         // the largest before, in the metric of the masses
  int64_t sweeps;       // of the last solution
  int lowered;          // islands of contacts that bounce less than is asked for
  double residual;      // by how much the law is missed, as a part of the largest speed
} Touches;

// The nonzero entries of a row of n values, in the arena.
SparseRow sparse_row(Arena *arena, int n, const double *row);

static inline double sparse_dot(const SparseRow *row, const double *v) {
  double sum = 0;
  for (int k = 0; k < row->n; k++) sum += row->value[k] * v[row->index[k]];
  return sum;
}

// v := v + s row
static inline void sparse_add(const SparseRow *row, double s, double *v) {
  for (int k = 0; k < row->n; k++) v[row->index[k]] += s * row->value[k];
}

// Speeds that differ by this part of the largest are the same.
#define TOUCH_SAME 1e-13
// An answer that misses the law by no more than this part of the largest speed is good.
#define TOUCH_GOOD 1e-10
// One that misses it by this needs no other way.
#define TOUCH_NEARLY 1e-9
// One that misses it by this has to do where Newton's method goes round in circles.
#define TOUCH_FAIR 1e-6

static inline double touch_apart(const Touch *c, const double *v) {
  return sparse_dot(&c->normal, v) + c->normal_offset;
}

static inline double touch_along(const Touch *c, const double *v) {
  return sparse_dot(&c->along, v) + c->along_offset;
}

static inline bool touch_rubs(const Touch *c) { return c->mu > 0 && c->own_rub > 0; }

// Velocities by the impulses as they are.
void touches_renew(Touches *touches, const double *v_free);

// Makes impulses obey what the law says of them alone, p >= 0 and |r| <= mu p, and renews the rest.
void touches_tidy(Touches *touches, const double *v_free);

// By how much the law is missed, and the largest speed (unless NULL), in the metric of the masses.
double touches_miss(const Touches *touches, double *scale);

// What contacts give to the parts beyond what moving surfaces do: 0 or less, as it should be.
double touches_made(const Touches *touches);

#endif
