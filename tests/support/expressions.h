// Random expressions over a few symbols, for property tests.
#ifndef QDOT_TESTS_EXPRESSIONS_H
#define QDOT_TESTS_EXPRESSIONS_H

#include "expr/build.h"
#include "support/check.h"

#define SAMPLE_SYMBOLS 6

typedef struct Samples {
  Context *cx;
  Random *random;
  Expr symbol[SAMPLE_SYMBOLS]; // two parameters, two coordinates, two velocities
} Samples;

Samples samples_open(Context *cx, Random *random);
// Any operator of the language, at most depth levels; smooth: no switches, poles are unlikely.
Expr random_expr(Samples *s, int depth, bool smooth);
// A value for every symbol of the context, in an array for expr_eval; from the scratch arena.
double *random_values(Samples *s, double low, double high);
// Are all intermediate values of e moderate, so that rounding does not hide what is tested?
bool is_well_conditioned(Samples *s, Expr e, const double *values);

#endif
