// A plain polynomial in its most readable arrangement.
#ifndef QDOT_EXPR_ALGEBRA_ARRANGE_H
#define QDOT_EXPR_ALGEBRA_ARRANGE_H

#include "expr/algebra/polynomial.h"

// The cheapest form offered so far, by expr_cost.
typedef struct Cheapest {
  Expr best; // 0 before the first offer
  double cost;
} Cheapest;

// The first of equals stays.
void cheapest_offer(Context *cx, Cheapest *cheapest, Expr e);
// Offers p factored, with its content in front, as it is, and grouped by sines, cosines and
// coordinates. Brackets of many terms bundle three or more that share all but one symbol:
// L^2*(m_2 + m_3 + m_4). A spring's 1 - l_0/l is written (l - l_0)/l.
void cheapest_offer_poly(Context *cx, Gather *g, Cheapest *cheapest, Poly p);

// Terms with the same key side by side; the key is the product of the factors for which the
// question is answered yes, poly what is left of the terms. In the scratch arena.
typedef bool FactorQuestion(const Context *cx, Expr base);
typedef struct Group {
  Expr key;
  Poly poly;
} Group;
typedef struct Groups {
  Group *at;
  uint32_t n;
} Groups;
Groups group_terms(Context *cx, Poly p, FactorQuestion *question);

#endif
