// Units of expressions, as they stand beside axes.
#ifndef QDOT_SHOW_QUANTITY_H
#define QDOT_SHOW_QUANTITY_H

#include "model/model.h"

typedef struct Quantity {
  Dimension dimension;
  bool is_known;
  bool is_angle; // an angle or one of its rates, told from other pure numbers
} Quantity;

Quantity quantity_of(Context *cx, const Model *model, Expr e);
bool quantity_is_equal(Quantity a, Quantity b);
// "m/s²", "N", "N m", "rad/s"; "" for pure numbers and where nothing is known.
const char *quantity_unit(Arena *arena, Quantity quantity);

#endif
