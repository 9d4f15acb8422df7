// Expansion: every node below some roots as an expanded sum, or as a quotient of such sums.
//
// Plain: sines, cosines and other functions are atoms, and so are brackets to powers that are no
// positive integers; what is inside them stays as it is. There is no denominator.
// Fourier: products of sines and cosines become sines and cosines of sums of angles, brackets come
// to a common denominator, arguments of functions are normal forms: the numerator is unique.
#ifndef QDOT_EXPR_ALGEBRA_EXPAND_H
#define QDOT_EXPR_ALGEBRA_EXPAND_H

#include "expr/algebra/fraction.h"
#include "expr/algebra/named_root.h"
#include "expr/algebra/zero_test.h"

typedef struct Expansion Expansion;

// Work in the scratch arena: mark before, release after closing. Definitions are opened. After
// `budget` term operations the expansion gives up.
Expansion *expansion_open(Context *cx, ExpansionMode mode, uint64_t budget);
void expansion_close(Expansion *x);
// From now on definitions are atoms and roots are written by their names.
void expansion_keep(Expansion *x, const NamedRoots *roots);
// False when the budget is exhausted; other roots may still be tried after expansion_refill.
bool expansion_run(Expansion *x, const Expr *roots, size_t n);
void expansion_refill(Expansion *x, uint64_t budget);
uint64_t expansion_left(const Expansion *x); // of the budget
// Of a node below the roots that were run.
Fraction expansion_fraction(const Expansion *x, Expr e);
// e with the arguments of functions and roots as they came in, where they were shorter so.
Expr expansion_restore(Expansion *x, Expr e);

// e multiplied out, like powers collected, definitions opened; e itself when the result would
// take more than `most` term operations.
Expr expr_expand(Context *cx, Expr e, uint64_t most);

// The multi-angle normal form, definitions opened: number * monomial * {1, sin A, cos A}, A a
// rational combination of angles, over a denominator. Unique for polynomials in symbols and in
// sines and cosines. e itself when that would take more than NORMAL_BUDGET term operations.
#define NORMAL_BUDGET 2000000
Expr expr_normal(Context *cx, Expr e);

#endif
