// Quotients of expanded sums, and their arithmetic.
#ifndef QDOT_EXPR_ALGEBRA_FRACTION_H
#define QDOT_EXPR_ALGEBRA_FRACTION_H

#include "expr/algebra/polynomial.h"
#include "expr/algebra/trig.h"

typedef struct BasePower {
  Expr base;
  uint32_t power;
} BasePower;

typedef struct Fraction {
  Poly numerator;
  const BasePower *denominator; // sums without content, sines, cosines; by ascending base
  uint32_t denominator_count;
  bool undefined; // a division by what is identically zero
} Fraction;

typedef enum ExpansionMode { EXPAND_PLAIN, EXPAND_FOURIER } ExpansionMode;

#define FRACTION_DEEPEST 8 // roots whose powers free other roots

typedef struct KnownBase {
  Expr base;
  Poly poly;
} KnownBase;

// What forms of one expansion share. Everything is in the scratch arena.
typedef struct FractionWork {
  Context *cx;
  ExpansionMode mode;
  uint64_t budget; // term operations left
  bool exhausted;  // results are meaningless from then on
  VEC(KnownBase) bases;
  WaveTable waves;
  Gather wave_gather;               // products of waves
  Gather gathers[FRACTION_DEEPEST]; // sums under construction, one inside the other
  int depth;                        // how many are in use
  int inversions;                   // roots below the line of roots
} FractionWork;

// False when the budget does not allow it.
bool fraction_spend(FractionWork *w, uint64_t work);

Poly fraction_term(FractionWork *w, Expr monomial, Expr wave, Number coefficient);
Poly fraction_constant(FractionWork *w, Number value);

// A sum is begun, polynomials are added, the sum is ended.
Gather *fraction_begin_sum(FractionWork *w);
void fraction_add(FractionWork *w, Gather *g, Poly p, Number factor);
Poly fraction_end_sum(FractionWork *w, Gather *g);

Fraction fraction_whole(Poly p);
Fraction fraction_undefined(void);
// The denominators of a and b joined, without numerator: powers added, or the larger of both.
Fraction fraction_join(FractionWork *w, const Fraction *a, const Fraction *b, bool add);
// The numerator of f over a denominator that contains its own.
Poly fraction_numerator_over(FractionWork *w, const Fraction *f, const Fraction *common);

Fraction fraction_times(FractionWork *w, Fraction a, Fraction b);
Fraction fraction_inverse(FractionWork *w, Fraction f);
Fraction fraction_power(FractionWork *w, Fraction f, int64_t power);
Expr fraction_to_expr(Context *cx, const Fraction *form);

#endif
