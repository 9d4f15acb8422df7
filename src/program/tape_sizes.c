// Sizes of expressions: first-order error analysis with every number known to a relative unit.
#include <math.h>

#include "program/elementary.h"
#include "program/tape.h"

typedef struct Sized {
  double value, size; // |value| <= size
} Sized;

// How much larger the numbers behind a value are than it is.
static double loss(Sized a) { return a.value == 0 ? 1 : a.size / fabs(a.value); }

// Squares and inverses are what nearly all powers are.
static double raised(double x, double exponent) {
  if (exponent == 1) return x;
  if (exponent == 2) return x * x;
  return exponent == -1 ? 1 / x : elementary_pow(x, exponent);
}

// A whole power of a sum that vanishes is as large as its terms are; a root or an inverse suffers
// from what its argument has lost.
static Sized power(Sized a, double exponent) {
  double value = raised(a.value, exponent);
  if (exponent > 0 && exponent == floor(exponent)) return (Sized){value, raised(a.size, exponent)};
  if (a.value == 0 && exponent > 0) return (Sized){value, raised(a.size, exponent)};
  return (Sized){value, fabs(value) * loss(a)};
}

static Sized sum_of(const Tape *tape, const TapeStep *s, const Sized *at) {
  Sized r = {s->number, fabs(s->number)};
  for (uint32_t i = s->first; i < s->first + s->count; i++) {
    r.value += tape->numbers[i] * at[tape->args[i]].value;
    r.size += fabs(tape->numbers[i]) * at[tape->args[i]].size;
  }
  return r;
}

static Sized product_of(const Tape *tape, const TapeStep *s, const Sized *at) {
  Sized r = {s->number, fabs(s->number)};
  for (uint32_t i = s->first; i < s->first + s->count; i++) {
    Sized factor = power(at[tape->args[i]], tape->numbers[i]);
    r = (Sized){r.value * factor.value, r.size * factor.size};
  }
  return r;
}

// |derivative| of a function of one argument; of arcs no more than a square root of roundings.
static double slope(Op op, double a, double value) {
  double steep = op_slope(op, a, value);
  return op == OP_ASIN || op == OP_ACOS ? fmin(steep, 1e8) : steep;
}

static Sized function_of(const TapeStep *s, const uint32_t *args, const Sized *at) {
  Sized a[3] = {{0, 0}, {0, 0}, {0, 0}};
  for (uint32_t i = 0; i < s->count && i < 3; i++) a[i] = at[args[i]];
  double value = op_value(s->op, (double[]){a[0].value, a[1].value, a[2].value});
  if (op_is_truth(s->op) || s->op == OP_SIGN) return (Sized){value, 1};
  switch (s->op) {
  case OP_SIN:
  case OP_COS: return (Sized){value, fmax(1, a[0].size)};
  case OP_ABS: return (Sized){value, a[0].size};
  case OP_MIN:
  case OP_MAX: return (Sized){value, fmax(a[0].size, a[1].size)};
  case OP_IF: return a[0].value != 0 ? a[1] : a[2];
  case OP_ATAN2:
    return (Sized){value,
                   fabs(value) + sqrt(a[0].size * a[0].size + a[1].size * a[1].size) /
                                     sqrt(a[0].value * a[0].value + a[1].value * a[1].value)};
  case OP_POW:
    return (Sized){value, fabs(value) * (1 + fabs(a[1].value) * loss(a[0]) +
                                         fabs(elementary_log(fabs(a[0].value))) * a[1].size)};
  default: return (Sized){value, fabs(value) + slope(s->op, a[0].value, value) * a[0].size};
  }
}

static Sized looked_up(const TableData *table, TableAspect aspect, Sized a) {
  double value = table_value(table, aspect, a.value), steep = 1;
  if (aspect < TABLE_THIRD) steep = fabs(table_value(table, (TableAspect)(aspect + 1), a.value));
  return (Sized){value, fabs(value) + steep * a.size};
}

static Sized size_of(const Tape *tape, const TapeStep *s, const Sized *at) {
  const uint32_t *args = tape->args + s->first;
  switch (s->op) {
  case OP_NUMBER:
  case OP_PI: return (Sized){s->number, fabs(s->number)};
  case OP_UNDEFINED: return (Sized){NAN, NAN};
  case OP_DEFINITION: return at[args[0]];
  case OP_SUM: return sum_of(tape, s, at);
  case OP_PRODUCT: return product_of(tape, s, at);
  case OP_TABLE: return looked_up(tape->tables[s->table], s->aspect, at[args[0]]);
  default: return function_of(s, args, at);
  }
}

size_t tape_sizes_room(const Tape *tape) {
  return (size_t)tape->n * (sizeof(Sized) / sizeof(double));
}

void tape_sizes(const Tape *tape, const double *values, const double *floors, double *room,
                double *out) {
  Sized *at = (Sized *)room;
  for (uint32_t i = 0; i < tape->n; i++) {
    const TapeStep *s = &tape->steps[i];
    if (s->op == OP_SYMBOL) {
      double value = values[s->variable], least = floors ? floors[s->variable] : 0;
      at[i] = (Sized){value, fmax(fabs(value), least)};
    } else {
      at[i] = size_of(tape, s, at);
    }
    if (!isfinite(at[i].size)) at[i].size = fabs(at[i].value);
  }
  for (uint32_t i = 0; i < tape->root_count; i++) out[i] = at[tape->roots[i]].size;
}
