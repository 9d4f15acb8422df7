// The root of one equation in one unknown, in closed form, nearest to a number.
#ifndef QDOT_ANALYSE_EQUILIBRIUM_CLOSED_ROOT_H
#define QDOT_ANALYSE_EQUILIBRIUM_CLOSED_ROOT_H

#include "expr/node.h"

// x with e(x) = 0 and the value `number`; parameters have their `values`. Linear and quadratic
// equations in x, in sin x and in cos x, and a sin x + b cos x = 0. 0 (no expression) when there is
// none that short, or none with this value.
Expr root_of(Context *cx, Expr e, Expr x, double number, const double *values);
// Linear and quadratic equations in x alone.
Expr root_of_polynomial(Context *cx, Expr e, Expr x, double number, const double *values);
// Does the root have that value, and would a person still read it?
bool root_is_short(Context *cx, Expr root, double number, const double *values);

#endif
