// Random programs over every operation, for comparing backends.
#ifndef QDOT_TESTS_RANDOM_PROGRAM_H
#define QDOT_TESTS_RANDOM_PROGRAM_H

#include "code/builder.h"
#include "support/check.h"

typedef struct RandomProgram {
  int inputs, fixed, steps, outputs;
  int reach; // operands are taken from the last so many values: small means short lives
  bool real; // square roots of positive numbers only
  int ops;   // the first so many operations only; 0 for all
} RandomProgram;

static inline Slot random_operand(Random *random, const ProgramBuilder *b, int reach) {
  int n = (int)b->steps.n;
  if (reach > n || random_below(random, 4) == 0) reach = n;
  return (Slot)(n - 1 - random_below(random, reach));
}

static inline double random_number(Random *random) {
  static const double special[] = {0, 1, -1, 2, 0.5, 1e300, -1e-300, 4, 3, 1e7};
  if (random_below(random, 3) == 0) return special[random_below(random, 10)];
  return random_real(random, -3, 3);
}

static inline Slot random_table(Random *random, ProgramBuilder *b, Slot x) {
  double at[7], c[4 * 7], place = random_real(random, -3, 0);
  uint32_t n = 2 + (uint32_t)random_below(random, 6), degree = random_below(random, 2) ? 3 : 1;
  for (uint32_t i = 0; i < n; i++) at[i] = place += random_real(random, 0.01, 1);
  for (uint32_t i = 0; i < 4 * n; i++) c[i] = random_real(random, -2, 2);
  TableId table = table_from_pieces(b->cx, n, degree, at, c, random_real(random, -2, 2),
                                    random_below(random, 2));
  return program_table(b, table, (TableAspect)random_below(random, TABLE_ASPECTS), x);
}

static inline void random_step(Random *random, ProgramBuilder *b, const RandomProgram *shape) {
  StepOp op = (StepOp)random_below(random, shape->ops ? shape->ops : STEP_COUNT);
  // mostly arithmetic, so that values stay finite for a while
  if (random_below(random, 3) == 0) op = (StepOp)random_below(random, STEP_MUL + 1);
  Slot x = random_operand(random, b, shape->reach), y = random_operand(random, b, shape->reach);
  if (op == STEP_SQRT && shape->real) x = program_op1(b, STEP_ABS, x);
  if (op == STEP_TABLE) {
    random_table(random, b, x);
    return;
  }
  switch (step_arity(op)) {
  case 1: program_op1(b, op, x); break;
  case 2: program_op2(b, op, x, y); break;
  default: program_op3(b, op, x, y, random_operand(random, b, shape->reach));
  }
}

static inline void random_program(Random *random, ProgramBuilder *b, const RandomProgram *shape) {
  for (int i = 0; i < shape->fixed; i++) program_fix_input(b, (uint32_t)i);
  for (int i = 0; i < shape->inputs; i++) program_input(b, (uint32_t)i);
  for (int i = 0; i < 4; i++) program_constant(b, random_number(random));
  for (int i = 0; i < shape->steps; i++) random_step(random, b, shape);
  for (int i = 0; i < shape->outputs; i++)
    program_output(b, random_operand(random, b, (int)b->steps.n));
  // the last values too, so that little is dropped
  for (int i = 0; i < 10; i++) program_output(b, random_operand(random, b, 10));
}

// Small ones of every operation.
static inline RandomProgram random_shape(Random *random) {
  RandomProgram shape = {.inputs = random_below(random, 8),
                         .steps = 1 + random_below(random, 120),
                         .outputs = random_below(random, 6),
                         .reach = 1 + random_below(random, 60)};
  shape.fixed = shape.inputs ? random_below(random, shape.inputs) : 0;
  return shape;
}

// Long ones with many values alive, half of them of arithmetic alone.
static inline RandomProgram random_long_shape(Random *random) {
  return (RandomProgram){.inputs = 20,
                         .fixed = random_below(random, 10),
                         .steps = 300 + random_below(random, 1500),
                         .outputs = 40,
                         .reach = 200,
                         .ops = random_below(random, 2) ? STEP_DIV + 1 : 0};
}

#endif
