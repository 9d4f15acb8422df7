// The quantities of a system as a table: shape, what each depends on, and its expressions.
#ifndef QDOT_DERIVE_QUANTITIES_H
#define QDOT_DERIVE_QUANTITIES_H

#include "derive/system.h"

typedef enum QuantityKey {
#define QUANTITY(key, name, rows, columns, takes, shown, code, meaning) QUANTITY_##key,
#include "derive/quantities.def"
#undef QUANTITY
  QUANTITY_COUNT
} QuantityKey;

// Arguments beside t, q and parameters, in this order.
enum { TAKES_NOTHING = 0, TAKES_QD = 1, TAKES_U = 2, TAKES_QDD = 4, TAKES_LAMBDA = 8 };

typedef enum QuantityShown { QUANTITY_SHOWN, QUANTITY_ASKED, QUANTITY_HIDDEN } QuantityShown;

typedef struct QuantityType {
  const char *name, *code, *meaning; // code: NULL where exported code has none of it
  unsigned takes;
  QuantityShown shown;
} QuantityType;

const QuantityType *quantity_type(QuantityKey key);

// columns is 0 for a vector and for a scalar, which has one row.
typedef struct QuantityShape {
  uint32_t rows, columns;
} QuantityShape;
QuantityShape quantity_shape(const System *system, QuantityKey key);
static inline size_t quantity_size(QuantityShape shape) {
  return (size_t)shape.rows * (shape.columns ? shape.columns : 1);
}

// The expressions, row by row; M and h must have been derived. Not for what is ASKED for: see
// system_linear_form and system_christoffel.
void quantity_values(const System *system, QuantityKey key, Expr *out);

#endif
