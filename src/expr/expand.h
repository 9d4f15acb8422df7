// Expansion: every node below some roots as a quotient of expanded sums.
//
// Numerator: a polynomial. Denominator: powers of bases, each an expanded sum without content or a
// sine or cosine; powers of single symbols stay in the monomials. In Fourier mode products of
// sines and cosines become sines and cosines of sums of angles, so that the numerator is unique.
#ifndef QDOT_EXPR_EXPAND_H
#define QDOT_EXPR_EXPAND_H

#include "expr/polynomial.h"
#include "expr/walk.h"

typedef struct BasePower {
  Expr base;
  uint32_t power;
} BasePower;

typedef struct Form {
  Poly numerator;
  const BasePower *denominator; // by ascending base
  uint32_t denominator_count;
  bool undefined; // a division by what is identically zero
} Form;

typedef enum ExpansionMode {
  EXPAND_PLAIN,  // sines and cosines are atoms
  EXPAND_FOURIER // they are multiplied out; tangents become quotients
} ExpansionMode;

typedef struct Expansion Expansion;

// Work in the scratch arena: mark before, release after closing. Definitions are opened. After
// `budget` term operations the expansion gives up.
Expansion *expansion_open(Context *cx, ExpansionMode mode, uint64_t budget);
void expansion_close(Expansion *x);
// False when the budget is exhausted; other roots may still be tried after expansion_refill.
bool expansion_run(Expansion *x, const Expr *roots, size_t n);
void expansion_refill(Expansion *x, uint64_t budget);
// Of a node below the roots that were run.
Form expansion_form(const Expansion *x, Expr e);
Expr form_to_expr(Context *cx, const Form *form);

// e multiplied out, like powers collected, definitions opened; e itself when the result would
// take more than `most` term operations.
Expr expr_expand(Context *cx, Expr e, uint64_t most);

// The multi-angle normal form, definitions opened: number * monomial * {1, sin A, cos A}, A a
// rational combination of angles, over a denominator. Unique for polynomials in symbols and in
// sines and cosines. e itself when that would take more than NORMAL_BUDGET term operations.
#define NORMAL_BUDGET 2000000
Expr expr_normal(Context *cx, Expr e);

typedef enum ZeroTest { ZERO_NO, ZERO_YES, ZERO_TOO_LARGE } ZeroTest;
// Is e zero for all values, functions other than sine, cosine and tangent taken as unknowns?
// ZERO_NO is final when e has no such functions and no roots.
ZeroTest expr_zero_test(Context *cx, Expr e, uint64_t budget);

#endif
