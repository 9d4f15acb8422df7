// Values along a tape.
#include <math.h>

#include "program/elementary.h"
#include "program/tape.h"

static double function_of(const TapeStep *s, const uint32_t *args, const double *at) {
  double a[3] = {0};
  for (uint32_t i = 0; i < s->count && i < 3; i++) a[i] = at[args[i]];
  return op_value(s->op, a);
}

static double value_of(const Tape *tape, const TapeStep *s, const double *values,
                       const double *at) {
  const uint32_t *args = tape->args + s->first;
  const double *numbers = tape->numbers + s->first;
  double value = s->number;
  switch (s->op) {
  case OP_NUMBER:
  case OP_PI: return value;
  case OP_UNDEFINED: return NAN;
  case OP_SYMBOL: return values[s->variable];
  case OP_DEFINITION: return at[args[0]];
  case OP_SUM:
    for (uint32_t i = 0; i < s->count; i++) value += numbers[i] * at[args[i]];
    return value;
  case OP_PRODUCT:
    for (uint32_t i = 0; i < s->count; i++) value *= power_value(at[args[i]], numbers[i]);
    return value;
  case OP_TABLE: return table_value(tape->tables[s->table], s->aspect, at[args[0]]);
  default: return function_of(s, args, at);
  }
}

size_t tape_values_room(const Tape *tape) { return tape->n; }

void tape_values(const Tape *tape, const double *values, double *room, double *out) {
  double *at = room;
  for (uint32_t i = 0; i < tape->n; i++) {
    const TapeStep *s = &tape->steps[i];
    if (s->twin == 0)
      at[i] = value_of(tape, s, values, at);
    else if (s->twin > i)
      elementary_sincos(at[tape->args[s->first]], &at[s->op == OP_SIN ? i : s->twin],
                        &at[s->op == OP_SIN ? s->twin : i]);
  }
  for (uint32_t i = 0; i < tape->root_count; i++) out[i] = at[tape->roots[i]];
}
