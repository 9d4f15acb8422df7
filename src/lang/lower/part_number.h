// Numbers of the parts of a mechanism, with their dimensions.
#ifndef QDOT_LANG_LOWER_PART_NUMBER_H
#define QDOT_LANG_LOWER_PART_NUMBER_H

#include "lang/lower/lower.h"

typedef enum PartQuantity {
  QUANTITY_PURE,
  QUANTITY_LENGTH,
  QUANTITY_MASS,
  QUANTITY_INERTIA,
  QUANTITY_SPEED,
  QUANTITY_RATE,
  QUANTITY_FORCE,
  QUANTITY_TORQUE,
  QUANTITY_ACCELERATION,
  QUANTITY_STIFFNESS,
  QUANTITY_DAMPING,
  QUANTITY_TORSION,
  QUANTITY_TORSION_DAMPING
} PartQuantity;

// What may stand in the description of a part, in a place on the ground, and in a force.
extern const Rules part_rules, part_ground_rules, part_acting_rules, part_law_rules;

Form part_form(PartQuantity quantity);
// One number of the quantity; no expression after a mistake. number may be NULL.
Expr part_quantity(Lowering *l, const Ast *ast, PartQuantity quantity, const Rules *rules,
                   const char *what, double *number);
bool part_vector(Lowering *l, const Ast *ast, PartQuantity quantity, const Rules *rules,
                 const char *what, Expr out[2]);
// The value of a property, or no expression.
Expr part_value(Lowering *l, const Statement *s, const char *word, PartQuantity quantity);
// named: as what the part of that name has it where it is a number; NULL where it stays one.
Expr part_named(Lowering *l, const Statement *s, const char *word, PartQuantity quantity,
                Symbol owner, const char *named);

// Is a number that cannot be negative none? NAN, which is not known yet, is good.
bool need_size(Lowering *l, const Ast *ast, const char *what, double number, PartQuantity quantity);
// A size of a part: the same, but a negative one is refused, also where a setting makes it so.
Expr part_extent(Lowering *l, const Statement *s, const char *word, PartQuantity quantity,
                 Symbol owner, const char *named);

#endif
