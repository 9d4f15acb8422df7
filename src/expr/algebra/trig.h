// Sines and cosines: products to sums, exact values, and the unique normal form.
#ifndef QDOT_EXPR_ALGEBRA_TRIG_H
#define QDOT_EXPR_ALGEBRA_TRIG_H

#include "expr/algebra/polynomial.h"

// Products of two waves, remembered.
typedef struct WaveTable {
  struct WaveProduct *slots;
  uint32_t n, slot_count;
} WaveTable;

// a * b as a sum of waves: cos A cos B = 1/2 (cos(A - B) + cos(A + B)) and its kin.
Poly wave_product(Context *cx, WaveTable *table, Gather *g, Expr a, Expr b);
// op is OP_SIN or OP_COS. Multiples of pi/12 in the angle leave it as exact numbers.
Poly wave_of_angle(Context *cx, Gather *g, Op op, Expr angle);

#endif
