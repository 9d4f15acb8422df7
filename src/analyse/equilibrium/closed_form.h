// Closed forms for the values of a steady motion that was found as numbers.
//
// An equation with one unknown left is solved for it; values that look like 0 or a multiple of
// pi/12 are tried and proved; where that needs it, parameters of value 0 are taken as 0. What has
// no closed form gets a name of its own: x_2e for x_2.
#ifndef QDOT_ANALYSE_EQUILIBRIUM_CLOSED_FORM_H
#define QDOT_ANALYSE_EQUILIBRIUM_CLOSED_FORM_H

#include "analyse/equilibrium/steady.h"
#include "expr/subst.h"
#include "expr/walk.h"

// A symbol that stands for a value without closed form.
typedef struct PointName {
  Expr symbol; // a parameter of that name
  Expr of;     // the coordinate or velocity
  double value;
} PointName;

typedef struct ClosedForm {
  Expr *q, *qd; // n: expressions of parameters and named symbols
  Expr *u;      // one for each input
  VEC(PointName) names;
  ExprList zeros; // parameters of value 0 that are taken as 0: without them nothing would be closed
} ClosedForm;

// carries: the rows that carry force; redundant ones do not. s must be balanced by their
// multipliers alone. given: values that the user wrote, one for every q, then every q' (0 where
// silent); u likewise. Lives in the keep arena.
void closed_form_find(Balance *b, const Steady *s, const bool *carries, const Expr *given,
                      const Expr *u, ClosedForm *out);

// Puts the values of closed forms into the state: 0 for 1e-24.
void closed_form_refine(Balance *b, const ClosedForm *form, Steady *s);

// Substitutions that put the point into any expression of the state: q, q', q'' = 0, t = 0, inputs,
// parameters taken as 0; how many. Multipliers are left. In the keep arena.
uint32_t closed_form_substitutions(Balance *b, const ClosedForm *form, Substitution **out);

#endif
