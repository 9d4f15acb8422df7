// The builder: value numbering and folding that never changes a rounding.
#include "code/builder.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"

// ---- the builder's table

static void close_builder_arena(void *builder) { arena_close(&((ProgramBuilder *)builder)->arena); }

void program_open(ProgramBuilder *b, Context *cx, uint32_t input_count) {
  *b = (ProgramBuilder){.cx = cx, .input_count = input_count};
  arena_open(&b->arena, &cx->memory, &cx->guard);
  guard_register(&cx->guard, &b->handle, b, close_builder_arena);
  b->table_size = 256;
  b->table = arena_array(&b->arena, uint32_t, b->table_size);
  b->inputs = arena_array(&b->arena, Slot, input_count + 1);
  b->input_variation = arena_array(&b->arena, uint8_t, input_count + 1);
  for (uint32_t i = 0; i < input_count; i++) {
    b->inputs[i] = NO_SLOT;
    b->input_variation[i] = VARIES;
  }
}

void program_close(ProgramBuilder *b) { guard_close(&b->cx->guard, &b->handle); }

void program_fix_input(ProgramBuilder *b, uint32_t input) {
  assert(input < b->input_count && b->inputs[input] == NO_SLOT);
  b->input_variation[input] = VARIES_BY_RUN;
}

static uint32_t step_hash(const ProgramBuilder *b, const Step *step) {
  if (step->op == STEP_CONSTANT) {
    uint64_t bits;
    memcpy(&bits, &b->constants.at[step->a], sizeof bits);
    return hash_word64(STEP_CONSTANT, bits);
  }
  return hash_word(hash_word(hash_word(hash_word(step->op, step->a), step->b), step->c), 7);
}

static bool same_step(const ProgramBuilder *b, const Step *s, const Step *t) {
  if (s->op != t->op) return false;
  if (s->op == STEP_CONSTANT)
    return !memcmp(&b->constants.at[s->a], &b->constants.at[t->a], sizeof(double));
  return s->a == t->a && s->b == t->b && s->c == t->c;
}

static void grow_table(ProgramBuilder *b) {
  b->table_size *= 2;
  b->table = arena_array(&b->arena, uint32_t, b->table_size);
  for (uint32_t slot = 0; slot < b->steps.n; slot++) {
    uint32_t at = step_hash(b, &b->steps.at[slot]) & (b->table_size - 1);
    while (b->table[at]) at = (at + 1) & (b->table_size - 1);
    b->table[at] = slot + 1;
  }
}

static Variation operand_variation(const ProgramBuilder *b, Slot slot) {
  return slot == NO_SLOT ? VARIES_NEVER : b->variation.at[slot];
}

static Variation step_variation(const ProgramBuilder *b, const Step *step) {
  if (step->op == STEP_CONSTANT) return VARIES_NEVER;
  if (step->op == STEP_INPUT) return b->input_variation[step->a];
  Variation variation = operand_variation(b, step->a);
  Variation of_b = operand_variation(b, step->b), of_c = operand_variation(b, step->c);
  if (of_b > variation) variation = of_b;
  return of_c > variation ? of_c : variation;
}

static uint32_t operand_ready(const ProgramBuilder *b, Slot slot) {
  return slot == NO_SLOT ? 0 : b->ready.at[slot];
}

static uint32_t step_ready(const ProgramBuilder *b, const Step *step, Variation variation) {
  if (step->op >= STEP_COUNT || variation < VARIES) return 0;
  uint32_t ready = operand_ready(b, step->a);
  uint32_t of_b = operand_ready(b, step->b), of_c = operand_ready(b, step->c);
  if (of_b > ready) ready = of_b;
  if (of_c > ready) ready = of_c;
  return ready + (uint32_t)step_latency(step->op);
}

// Where the table holds this step, or would.
static uint32_t table_place(const ProgramBuilder *b, const Step *step) {
  uint32_t at = step_hash(b, step) & (b->table_size - 1);
  while (b->table[at] && !same_step(b, &b->steps.at[b->table[at] - 1], step))
    at = (at + 1) & (b->table_size - 1);
  return at;
}

Slot program_find(const ProgramBuilder *b, Step step) {
  uint32_t entry = b->table[table_place(b, &step)];
  return entry ? entry - 1 : NO_SLOT;
}

// The slot of this very step: the one that exists, or a new one.
static Slot number_step(ProgramBuilder *b, Step step) {
  uint32_t at = table_place(b, &step);
  if (b->table[at]) return b->table[at] - 1;
  if (b->steps.n == NO_SLOT - 1) guard_escape(&b->cx->guard, QDOT_TOO_LARGE);
  Slot slot = b->steps.n;
  uint8_t variation = (uint8_t)step_variation(b, &step);
  uint32_t ready = step_ready(b, &step, variation);
  vec_push(&b->arena, &b->steps, step);
  vec_push(&b->arena, &b->variation, variation);
  vec_push(&b->arena, &b->ready, ready);
  vec_push(&b->arena, &b->names, 0);
  b->table[at] = slot + 1;
  if (2 * b->steps.n > b->table_size) grow_table(b);
  if ((slot & 0xFFF) == 0) context_poll(b->cx);
  return slot;
}

Slot program_constant(ProgramBuilder *b, double value) {
  vec_push(&b->arena, &b->constants, value);
  uint32_t before = b->steps.n;
  Slot slot = number_step(b, (Step){STEP_CONSTANT, b->constants.n - 1, NO_SLOT, NO_SLOT});
  if (b->steps.n == before) b->constants.n--;
  return slot;
}

Slot program_input(ProgramBuilder *b, uint32_t input) {
  assert(input < b->input_count);
  if (b->inputs[input] == NO_SLOT)
    b->inputs[input] = number_step(b, (Step){STEP_INPUT, input, NO_SLOT, NO_SLOT});
  return b->inputs[input];
}

bool program_is_constant(const ProgramBuilder *b, Slot slot, double *value) {
  const Step *step = &b->steps.at[slot];
  if (step->op != STEP_CONSTANT) return false;
  *value = b->constants.at[step->a];
  return true;
}

bool program_is_value(const ProgramBuilder *b, Slot slot, double value) {
  double constant;
  return program_is_constant(b, slot, &constant) && constant == value;
}

Variation program_variation(const ProgramBuilder *b, Slot slot) { return b->variation.at[slot]; }
uint32_t program_ready(const ProgramBuilder *b, Slot slot) { return b->ready.at[slot]; }

void program_name(ProgramBuilder *b, Slot slot, Symbol name) {
  if (!b->names.at[slot]) b->names.at[slot] = name;
}

uint32_t program_output(ProgramBuilder *b, Slot slot) {
  assert(slot < b->steps.n);
  vec_push(&b->arena, &b->outputs, slot);
  return b->outputs.n - 1;
}

// ---- folding: each rule gives the same bits as the steps it replaces, the sign of a zero aside

static bool is_negation(const ProgramBuilder *b, Slot slot, Slot *of) {
  if (b->steps.at[slot].op != STEP_NEG) return false;
  *of = b->steps.at[slot].a;
  return true;
}

Slot program_op1(ProgramBuilder *b, StepOp op, Slot a) {
  assert(step_arity(op) == 1 && a < b->steps.n);
  double value;
  Slot inner;
  if (program_is_constant(b, a, &value)) return program_constant(b, step_value(op, value, 0, 0));
  if (op == STEP_NEG) {
    if (is_negation(b, a, &inner)) return inner;
    // -(x - y) is y - x
    Step step = b->steps.at[a];
    if (step.op == STEP_SUB) return program_op2(b, STEP_SUB, step.b, step.a);
  }
  if ((op == STEP_ABS || op == STEP_COS) && is_negation(b, a, &inner)) a = inner;
  if (op == STEP_SIN && is_negation(b, a, &inner))
    return program_neg(b, program_op1(b, STEP_SIN, inner));
  return number_step(b, (Step){op, a, NO_SLOT, NO_SLOT});
}

static Slot fold_add(ProgramBuilder *b, Slot x, Slot y) {
  Slot inner;
  if (program_is_value(b, x, 0)) return y;
  if (program_is_value(b, y, 0)) return x;
  if (is_negation(b, y, &inner)) return program_sub(b, x, inner);
  if (is_negation(b, x, &inner)) return program_sub(b, y, inner);
  return NO_SLOT;
}

static Slot fold_sub(ProgramBuilder *b, Slot x, Slot y) {
  Slot inner;
  if (program_is_value(b, y, 0)) return x;
  if (program_is_value(b, x, 0)) return program_neg(b, y);
  if (is_negation(b, y, &inner)) return program_add(b, x, inner);
  if (is_negation(b, x, &inner)) return program_neg(b, program_add(b, inner, y));
  return NO_SLOT;
}

static Slot fold_mul(ProgramBuilder *b, Slot x, Slot y) {
  Slot inner;
  if (program_is_value(b, x, 1)) return y;
  if (program_is_value(b, y, 1)) return x;
  if (program_is_value(b, x, -1)) return program_neg(b, y);
  if (program_is_value(b, y, -1)) return program_neg(b, x);
  if (program_is_value(b, x, 2)) return program_add(b, y, y);
  if (program_is_value(b, y, 2)) return program_add(b, x, x);
  if (is_negation(b, x, &inner)) return program_neg(b, program_mul(b, inner, y));
  if (is_negation(b, y, &inner)) return program_neg(b, program_mul(b, x, inner));
  return NO_SLOT;
}

static Slot fold_div(ProgramBuilder *b, Slot x, Slot y) {
  Slot inner;
  double value;
  int exponent;
  if (program_is_value(b, y, 1)) return x;
  if (program_is_value(b, y, -1)) return program_neg(b, x);
  // a power of two has an exact reciprocal
  if (program_is_constant(b, y, &value) && fabs(frexp(value, &exponent)) == 0.5 &&
      exponent > -1000 && exponent < 1000)
    return program_mul(b, x, program_constant(b, 1 / value));
  if (is_negation(b, x, &inner)) return program_neg(b, program_div(b, inner, y));
  if (is_negation(b, y, &inner)) return program_neg(b, program_div(b, x, inner));
  return NO_SLOT;
}

static bool is_commutative(StepOp op) {
  return op == STEP_ADD || op == STEP_MUL || op == STEP_EQ || op == STEP_AND || op == STEP_OR;
}

Slot program_op2(ProgramBuilder *b, StepOp op, Slot x, Slot y) {
  assert(step_arity(op) == 2 && x < b->steps.n && y < b->steps.n);
  double value_x, value_y;
  assert(op != STEP_TABLE);
  if (program_is_constant(b, x, &value_x) && program_is_constant(b, y, &value_y))
    return program_constant(b, step_value(op, value_x, value_y, 0));
  Slot folded = NO_SLOT;
  switch (op) {
  case STEP_ADD: folded = fold_add(b, x, y); break;
  case STEP_SUB: folded = fold_sub(b, x, y); break;
  case STEP_MUL: folded = fold_mul(b, x, y); break;
  case STEP_DIV: folded = fold_div(b, x, y); break;
  default: break;
  }
  if (folded != NO_SLOT) return folded;
  if (is_commutative(op) && x > y) {
    Slot first = y;
    y = x;
    x = first;
  }
  return number_step(b, (Step){op, x, y, NO_SLOT});
}

Slot program_table(ProgramBuilder *b, TableId table, TableAspect aspect, Slot x) {
  double at;
  if (program_is_constant(b, x, &at))
    return program_constant(b, table_value(table_get(b->cx, table), aspect, at));
  Slot code = program_constant(b, table_code(table, aspect));
  return number_step(b, (Step){STEP_TABLE, x, code, NO_SLOT});
}

Slot program_op3(ProgramBuilder *b, StepOp op, Slot x, Slot y, Slot z) {
  assert(op == STEP_SELECT && x < b->steps.n && y < b->steps.n && z < b->steps.n);
  double value;
  if (program_is_constant(b, x, &value)) return value != 0 ? y : z;
  if (y == z) return y;
  return number_step(b, (Step){op, x, y, z});
}

Slot program_power(ProgramBuilder *b, Slot x, int64_t exponent) {
  uint64_t n = exponent < 0 ? -(uint64_t)exponent : (uint64_t)exponent;
  // x^(2k) = (x^k)^2 and x^(2k+1) = x^(2k) x, from the leading bit down
  Slot power = NO_SLOT;
  for (int bit = 63; bit >= 0; bit--) {
    if (power != NO_SLOT) power = program_mul(b, power, power);
    if (n >> bit & 1) power = power == NO_SLOT ? x : program_mul(b, power, x);
  }
  if (power == NO_SLOT) return program_constant(b, 1);
  return exponent < 0 ? program_div(b, program_constant(b, 1), power) : power;
}
