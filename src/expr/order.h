// The order in which a person would write terms and factors, and products as quotients.
// Every printer (text, terminal, LaTeX, MathML) goes through this.
#ifndef QDOT_EXPR_ORDER_H
#define QDOT_EXPR_ORDER_H

#include "expr/node.h"

// Names alphabetically, numbers in them by value: g, L_1, L_2, L_10, m_1.
int name_compare(const char *a, const char *b);

// A total order on factors: numbers, parameters and their sums, brackets, coordinates and
// definitions, functions, velocities, accelerations; equal only for the same node. Parameters stand
// as the author of the model writes them, else alphabetically.
int expr_compare(Context *cx, Expr a, Expr b);

// A new name stands where another one does.
void order_alike(Context *cx, Symbol name, Symbol other);

// From now on names stand in this order; the arrays last as long as the context.
void order_by_author(Context *cx, ReadingOrder order);

// One signed term as a fraction: (-1)^negative * number * top / (divisor * bottom).
typedef struct Quotient {
  bool negative;
  Number number;      // > 0; an integer or a decimal
  Number divisor;     // a positive integer, NUMBER_ONE unless number was a fraction
  Pair *top, *bottom; // bases with positive exponents, in order
  uint32_t top_count, bottom_count;
} Quotient;

// The arrays are in the scratch arena.
// absorbs: a bracket may take in the coefficient, where that makes it simpler.
Quotient expr_quotient(Context *cx, Expr e, bool absorbs);

typedef struct TermList {
  Expr *at;
  uint32_t n;
} TermList;

// The terms of e with their coefficients, in order, a positive one first where there is one; e
// itself when it is not a sum. In the scratch arena.
TermList expr_terms(Context *cx, Expr e);

#endif
