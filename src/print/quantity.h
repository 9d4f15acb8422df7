// Units of expressions, as they stand beside axes.
#ifndef QDOT_PRINT_QUANTITY_H
#define QDOT_PRINT_QUANTITY_H

#include "model/model.h"

typedef struct Quantity {
  Dimension dimension;
  bool is_known;
  bool is_angle;   // an angle or one of its rates, told from other pure numbers
  bool is_counted; // an angle or its rate in degrees, turns a minute or the like
  bool is_energy;  // what is a torque otherwise
} Quantity;

// As far as the expression tells: where numbers in it may have had units, it is not known.
Quantity quantity_of(Context *cx, const Model *model, Expr e);
Quantity quantity_of_measure(const Measure *measure);
// Of a coordinate (order 0) or its rates.
Quantity quantity_of_coordinate(const Coordinate *coordinate, int order);
// Of an expression whose dimension the language may know.
Quantity quantity_measured(Context *cx, const Model *model, Expr e, Dimension dimension,
                           bool is_known);
Quantity quantity_of_output(Context *cx, const Model *model, const Output *output);
// Of the position that they restrain (order 0), or of its rates.
Quantity quantity_of_constraint(Context *cx, const Model *model, const Constraint *c, int order);
Quantity quantity_of_contact(Context *cx, const Model *model, const Contact *c, int order);
// Of the output of this name, else of the expression.
Quantity quantity_of_named(Context *cx, const Model *model, const char *name, Expr e);
bool quantity_is_equal(Quantity a, Quantity b);
// "m/s²", "N", "N m", "rad/s"; "" for pure numbers and where nothing is known.
const char *quantity_unit(Arena *arena, Quantity quantity);

// Of the one for each of the other, by the units of both where the quotient has no name: "m/V".
const char *quotient_unit(Arena *arena, Quantity of, Quantity by);

// A unit and what one of it is in SI units.
typedef struct UnitScale {
  const char *unit;
  double factor;
} UnitScale;
// As it was written in the model, else the SI unit of the quantity; in the arena.
UnitScale unit_scale(Context *cx, Arena *arena, const Measure *measure, Quantity otherwise);
// The unit in which the model writes what an expression of that quantity consists of: degrees for
// theta_1 - theta_2 where both start in degrees. Else its SI unit.
UnitScale unit_of_expr(Context *cx, Arena *arena, const Model *model, Expr e, Quantity quantity);
// The expression as a number of that unit.
Expr unit_number(Context *cx, Expr e, UnitScale scale);

#endif
