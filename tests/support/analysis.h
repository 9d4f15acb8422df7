// Models from text, derived and analysed: what tests of the analysis share.
#ifndef QDOT_TESTS_ANALYSIS_H
#define QDOT_TESTS_ANALYSIS_H

#include "analyse/linear/linearize.h"
#include "support/check.h"

// A derived model with its numbers; a mistake in the text fails the test.
typedef struct Analysed {
  Context *cx;
  Model *model;
  System *system;
  double *values;
} Analysed;

Analysed analysed(Context *cx, const char *text);
// With data files beside path.
Analysed analysed_file(Context *cx, const char *path, const char *text);
// About the model's own request, or the equilibrium; fails the test when that fails.
Linearized linearized(const Analysed *a);
// What the diagnostics say after a linearization that must fail.
const char *linearize_error(const Analysed *a);

// Fails unless every entry equals the expression of the same place, proved for all values.
void check_matrix(const Analysed *a, const Expr *entries, const char *const *expected, size_t n);
// Fails unless the state matrix A and B agree with central differences of the accelerations along
// the constraints, to 1e-6 of the largest entry.
void check_by_differences(const Analysed *a, const Linearized *l);
// An expression in the names of the model.
Expr expression(const Analysed *a, const char *text);

#endif
