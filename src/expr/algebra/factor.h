// Factors of expanded sums, for display.
#ifndef QDOT_EXPR_ALGEBRA_FACTOR_H
#define QDOT_EXPR_ALGEBRA_FACTOR_H

#include "expr/algebra/polynomial.h"

// Sums beyond these bounds are left as they are.
enum { FACTOR_MOST_TERMS = 300, FACTOR_MOST_VARIABLES = 12, FACTOR_HIGHEST_DEGREE = 10 };

typedef struct PolyFactor {
  Poly poly; // primitive, with positive exponents only
  uint32_t power;
} PolyFactor;

typedef struct Factored {
  Content content; // number and monomial in front; its sign too
  const PolyFactor *factor;
  uint32_t n;
} Factored;

// A plain polynomial as content * product of factors, sines and cosines taken as variables;
// irreducible ones, unless the bounds are exceeded.
Factored poly_factor(Context *cx, Gather *g, Poly p);
// One factor: everything but the content.
Factored poly_unfactored(Context *cx, Gather *g, Poly p);

#endif
