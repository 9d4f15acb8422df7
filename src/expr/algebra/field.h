// Evaluation modulo a prime: a cheap and nearly certain test of identities.
//
// Symbols get random residues; sines and cosines are points of the circle given by rational
// parameters, one for each independent angle, so that every theorem of addition holds. Square
// roots are the residues among the two, which multiply as positive numbers do. Other functions are
// random functions of their arguments' residues. A quotient of polynomials of degree d that is not
// identically zero vanishes at such a point with a probability of at most d/p.
#ifndef QDOT_EXPR_ALGEBRA_FIELD_H
#define QDOT_EXPR_ALGEBRA_FIELD_H

#include "expr/node.h"

typedef struct FieldPlan FieldPlan;

// Prepares e, whose definitions are opened on the way. In the scratch arena; close it after use.
FieldPlan *field_plan(Context *cx, Expr e);
void field_close(FieldPlan *plan);

// Only symbols, numbers, and sines, cosines, tangents of rational combinations of independent
// angles: then a value other than zero proves that e is not identically zero.
bool field_is_exact(const FieldPlan *plan);
// Roots or switches: a point decides only with a probability of about one half.
bool field_has_roots(const FieldPlan *plan);
// Of e as a quotient of polynomials in the random residues.
double field_degree(const FieldPlan *plan);
double field_prime(void); // the smallest in use

typedef enum FieldStatus { FIELD_VALUE, FIELD_NO_VALUE } FieldStatus;
// FIELD_NO_VALUE where e has a pole or no root at this point; try another one. Point 0, 1, 2...
// of a seed.
FieldStatus field_evaluate(FieldPlan *plan, uint64_t seed, uint32_t point, uint64_t *value);

#endif
