// Expanded sums: number * monomial * wave, each pair of monomial and wave once.
//
// A monomial is a product node without coefficient whose factors are atoms (symbols, functions,
// roots). A wave is sin A, cos A or 1; in a plain polynomial every wave is 1 and sines and cosines
// stand among the atoms.
#ifndef QDOT_EXPR_ALGEBRA_POLYNOMIAL_H
#define QDOT_EXPR_ALGEBRA_POLYNOMIAL_H

#include "expr/node.h"

typedef struct Term {
  Expr monomial, wave;
  Number coefficient; // not 0
} Term;

typedef struct Poly {
  const Term *at;
  uint32_t n;
} Poly;

// Collects terms; like ones are merged by a hash table. Lives in the scratch arena.
typedef struct Gather {
  VEC(Term) terms;
  uint32_t *slots; // index + 1 of a term
  uint32_t slot_count;
} Gather;

void gather_add(Context *cx, Gather *g, Term term);
// The term with this monomial and wave, or NULL; its coefficient may be 0.
Term *gather_find(const Gather *g, Expr monomial, Expr wave);
// What was collected, without zeros; the gather is empty again.
Poly gather_take(Context *cx, Gather *g);

// a * b as coefficient and monomial. False when a factor is left that may be broken up further: a
// root whose powers add up to 1 or more.
bool monomial_mul(Context *cx, Expr a, Expr b, Expr *monomial, Number *coefficient);

// A flat expression (a sum of products of atoms) term by term. With waves, one sine or cosine of a
// term becomes its wave.
Poly poly_from_flat(Context *cx, Gather *g, Expr e, bool waves);
Expr poly_to_expr(Context *cx, Poly p);
// Waves put among the factors.
Poly poly_plain(Context *cx, Gather *g, Poly p);

static inline bool op_is_wave(Op op) { return op == OP_SIN || op == OP_COS; }

// The factors of a monomial: its pairs, or itself to the power 1 in *single; none for 1.
typedef struct Factors {
  const Pair *at;
  uint32_t n;
} Factors;
Factors monomial_factors(const Context *cx, Expr monomial, Pair *single);

// What all terms have in common: a positive number, and each factor with its smallest exponent
// (0 where it is missing), so that p / content has no negative powers. Waves are not looked at.
typedef struct Content {
  Number number;
  Expr monomial;
} Content;
Content poly_content(Context *cx, Poly p);
// p / (number * monomial)
Poly poly_divide_content(Context *cx, Gather *g, Poly p, Content content);

#endif
