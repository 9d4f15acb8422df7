// Numbers of a part of a mechanism as parameters of its own.
//
// A number that stands alone behind a property, or as a component of a place, is a parameter that
// is named after the part and the property; 0, and what contains other names, stays as it is. What
// is the same number for all parts of a loop is one parameter, named without the index.
#ifndef QDOT_LANG_LOWER_NUMBER_H
#define QDOT_LANG_LOWER_NUMBER_H

#include "lang/lower/lower.h"

// The parameter OWNER.word for a value of that form, set from outside where somebody does; or the
// value itself. number: changes with it, or NULL. ast: where it was written.
Expr name_number(Lowering *l, Symbol owner, const char *word, const Ast *ast, Form form, Expr value,
                 double *number);
// The same for what is computed from other parameters: the inertia of a shape.
Expr name_computed(Lowering *l, Symbol owner, const char *word, Span span, Form form, Expr value);
// The same for where a body starts, 0 included, because a question varies it; the parameter that is
// there already, or 0 where the value is no number.
Expr name_start(Lowering *l, Symbol owner, const char *word, Span span, Form form, Expr value);
// A number with a unit in an energy, a force, a constraint or a definition, where units are kept:
// a parameter called as it is written, 2 [kg], which the same number elsewhere is too.
Expr name_quantity(Lowering *l, const Ast *ast, Expr value);
// Both components of a point of a body, the first or second (1, 2) of its part. One point of a
// body has one name, however many parts meet there; the other names stand for it too.
void name_place(Lowering *l, Symbol owner, int which, uint32_t body, const Ast *ast, Expr at[2]);

#endif
