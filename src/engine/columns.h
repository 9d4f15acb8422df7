// The columns of a result.
#ifndef QDOT_ENGINE_COLUMNS_H
#define QDOT_ENGINE_COLUMNS_H

#include <stdint.h>

typedef enum ColumnKind {
  COLUMN_TIME,
  COLUMN_POSITION,
  COLUMN_VELOCITY,
  COLUMN_STATE,
  COLUMN_ACCELERATION,
  COLUMN_MULTIPLIER, // constraints, then contacts
  COLUMN_OUTPUT,
  COLUMN_ENERGY, // kinetic, potential, total
  COLUMN_MEMBER  // what belongs to a part and a line asks for
} ColumnKind;

typedef struct Column {
  const char *name; // theta', lambda_B_x[1]
  ColumnKind kind;
  uint32_t number; // of the coordinate, constraint or contact, output
} Column;

typedef struct Columns {
  Column *at;
  uint32_t n;
  uint32_t outputs; // how many of them are outputs
} Columns;

#endif
