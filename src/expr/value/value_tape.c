// Values along a tape.
#include "expr/value/value_tape.h"

#include <math.h>

#include "expr/value/eval.h"
#include "expr/value/tape.h"
#include "program/elementary.h"

struct ValueTape {
  Tape tape;
  double *room;
  uint32_t *twin; // of a sine the cosine of the same, and the other way round; 0 for none
};

static void find_twins(Context *cx, ValueTape *tape) {
  Mark mark = arena_mark(&cx->scratch);
  uint32_t *single = arena_array(&cx->scratch, uint32_t, tape->tape.n); // by argument; 0 for none
  for (uint32_t i = 0; i < tape->tape.n; i++) {
    const TapeStep *s = &tape->tape.steps[i];
    if (s->op != OP_SIN && s->op != OP_COS) continue;
    uint32_t other = single[s->args[0]];
    bool are_twins = other > 0 && tape->tape.steps[other].op != s->op;
    if (are_twins) tape->twin[i] = other, tape->twin[other] = i;
    single[s->args[0]] = are_twins ? 0 : i;
  }
  arena_release(&cx->scratch, mark);
}

ValueTape *value_tape_new(Context *cx, Arena *arena, const Expr *roots, uint32_t n) {
  ValueTape *tape = arena_new(arena, ValueTape);
  tape->tape = tape_new(cx, arena, roots, n);
  tape->room = arena_array(arena, double, tape->tape.n);
  tape->twin = arena_array(arena, uint32_t, tape->tape.n);
  find_twins(cx, tape);
  return tape;
}

// As power_value does.
static double raised(double base, double exponent) {
  if (exponent == 0.5) return sqrt(base);
  if (exponent != floor(exponent) || fabs(exponent) > 64) return elementary_pow(base, exponent);
  double result = 1;
  for (int i = (int)fabs(exponent); i; i /= 2, base *= base)
    if (i % 2) result *= base;
  return exponent < 0 ? 1 / result : result;
}

static double function_of(const TapeStep *s, const double *at) {
  double args[3] = {0};
  for (uint32_t i = 0; i < s->count && i < 3; i++) args[i] = at[s->args[i]];
  return op_value(s->op, args);
}

static double step_value(const TapeStep *s, const double *values, const double *at) {
  double value = s->number;
  switch (s->op) {
  case OP_NUMBER:
  case OP_PI: return value;
  case OP_UNDEFINED: return NAN;
  case OP_SYMBOL: return values[s->variable];
  case OP_DEFINITION: return at[s->args[0]];
  case OP_SUM:
    for (uint32_t i = 0; i < s->count; i++) value += s->numbers[i] * at[s->args[i]];
    return value;
  case OP_PRODUCT:
    for (uint32_t i = 0; i < s->count; i++) value *= raised(at[s->args[i]], s->numbers[i]);
    return value;
  case OP_TABLE: return table_value(s->table, s->aspect, at[s->args[0]]);
  default: return function_of(s, at);
  }
}

void value_tape_run(ValueTape *tape, const double *values, double *out) {
  double *at = tape->room;
  for (uint32_t i = 0; i < tape->tape.n; i++) {
    const TapeStep *s = &tape->tape.steps[i];
    uint32_t twin = tape->twin[i];
    if (twin == 0)
      at[i] = step_value(s, values, at);
    else if (twin > i)
      elementary_sincos(at[s->args[0]], &at[s->op == OP_SIN ? i : twin],
                        &at[s->op == OP_SIN ? twin : i]);
  }
  for (uint32_t i = 0; i < tape->tape.root_count; i++) out[i] = at[tape->tape.roots[i]];
}
