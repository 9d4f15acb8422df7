// Random trigonometric polynomials and quotients, and random rewritings that keep their value.
#ifndef QDOT_TESTS_TRIGONOMETRY_H
#define QDOT_TESTS_TRIGONOMETRY_H

#include "support/expressions.h"

// Sums, products and powers of symbols and of sines and cosines of rational combinations of the
// two coordinates; with quotients when asked.
Expr random_trigonometric(Samples *s, int depth, bool quotients);
// The same function written otherwise: addition theorems, double and half angles, Pythagoras,
// products multiplied out, sums over a common denominator.
Expr rewrite_randomly(Samples *s, Expr e);

#endif
