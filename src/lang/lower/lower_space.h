// What the statements of bodies in space share.
// Sources: lower_moment.c, lower_solid.c, lower_space.c
#ifndef QDOT_LANG_LOWER_LOWER_SPACE_H
#define QDOT_LANG_LOWER_LOWER_SPACE_H

#include "lang/lower/lower.h"

// gravity (0, 0, -g): true when it has three components, or after a mistake; *done when carried
// out.
bool lower_space_gravity(Lowering *l, const Statement *s, bool *done);
// What is added when all lines are read: lengths of vectors, gravity, the drawing.
void lower_space_finish(Lowering *l);

// Three components of a dimension; false after a message.
bool lower_components(Lowering *l, const Ast *ast, Dimension dimension, const Rules *rules,
                      const char *what, Expr out[3]);
// A constraint that the statements imply.
typedef struct SpaceRow {
  Symbol name;
  Expr phi; // = 0
  int length_power;
  double size; // of what phi compares
  Span span;
} SpaceRow;
// Adds it unless it holds anyway; one that no coordinate can change and that does not hold is a
// mistake.
void add_space_row(Lowering *l, const SpaceRow *row);
Expr space_dot(Context *cx, const Expr a[3], const Expr b[3]);
void space_cross(Context *cx, const Expr a[3], const Expr b[3], Expr out[3]);

// The property of that name, which must be there: else a message.
const Clause *need_solid_clause(Lowering *l, const Statement *s, Symbol name, const char *word);
// Integrals of x x, x y ... over the mass about the centre, from inertia, block or ball; false
// after a message. mass: 0 after a mistake.
bool lower_moments(Lowering *l, const Statement *s, Symbol name, Expr mass, Expr out[3][3]);
// An expression of parameters as a number.
double parameter_value(Lowering *l, Expr e);

// Lowers the properties of a solid and joins its points and vectors; see lower_solid.c.
const Rules *space_fixed_rules(void);

#endif
