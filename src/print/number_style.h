// Whether the numbers of a formula are decimals or fractions: never both.
#ifndef QDOT_PRINT_NUMBER_STYLE_H
#define QDOT_PRINT_NUMBER_STYLE_H

#include "expr/print.h"

typedef enum NumberStyle {
  NUMBERS_OPEN, // nobody has asked yet
  NUMBERS_AS_THEY_ARE,
  NUMBERS_AS_FRACTIONS,
  NUMBERS_AS_DECIMALS // those that end; 1/3 stays what it is
} NumberStyle;

// Of expressions that stand together, as in a matrix; what has a name shows the name alone.
NumberStyle number_style(Context *cx, const Expr *values, size_t n, const PartNames *names);

#endif
