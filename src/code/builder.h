// Writes a Program (program/program.h): steps are numbered once by what they compute, and
// program_finish drops what no output needs and orders the rest.
// Sources: builder.c, schedule.c
#ifndef QDOT_CODE_BUILDER_H
#define QDOT_CODE_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"
#include "expr/table_store.h"
#include "program/program.h"

// What a value depends on; the greatest of its operands'.
typedef enum Variation { VARIES_NEVER, VARIES_BY_RUN, VARIES } Variation;

typedef struct ProgramBuilder {
  Context *cx;
  Arena arena; // its own: others mark and release scratch while steps are added
  Handle handle;
  uint32_t input_count;
  VEC(Step) steps;
  VEC(uint8_t) variation; // Variation of each step
  VEC(uint32_t) ready;    // cycles from the start of a run until its value is there
  VEC(Symbol) names;      // 0 where a value has none
  VEC(double) constants;
  VEC(Slot) outputs;
  uint32_t *table; // open addressing over steps; 0 is free, else slot + 1
  uint32_t table_size, table_used;
  Slot *inputs; // NO_SLOT until asked for
  uint8_t *input_variation;
} ProgramBuilder;

// Close in reverse order of opening. The inputs vary until program_fix_input says otherwise.
void program_open(ProgramBuilder *builder, Context *cx, uint32_t input_count);
void program_close(ProgramBuilder *builder);

// Declares that input keeps its value during a run, so that what depends on such inputs only is
// computed once. Before the input is first used.
void program_fix_input(ProgramBuilder *builder, uint32_t input);

Slot program_constant(ProgramBuilder *builder, double value);
Slot program_input(ProgramBuilder *builder, uint32_t input);
Slot program_op1(ProgramBuilder *builder, StepOp op, Slot a);
Slot program_op2(ProgramBuilder *builder, StepOp op, Slot a, Slot b);
Slot program_op3(ProgramBuilder *builder, StepOp op, Slot a, Slot b, Slot c);

// What a table of the context has at x.
Slot program_table(ProgramBuilder *builder, TableId table, TableAspect aspect, Slot x);

// x to an integer power by one fixed chain of multiplications; x^-n is 1/x^n.
Slot program_power(ProgramBuilder *builder, Slot x, int64_t exponent);

static inline Slot program_add(ProgramBuilder *builder, Slot a, Slot b) {
  return program_op2(builder, STEP_ADD, a, b);
}
static inline Slot program_sub(ProgramBuilder *builder, Slot a, Slot b) {
  return program_op2(builder, STEP_SUB, a, b);
}
static inline Slot program_mul(ProgramBuilder *builder, Slot a, Slot b) {
  return program_op2(builder, STEP_MUL, a, b);
}
static inline Slot program_div(ProgramBuilder *builder, Slot a, Slot b) {
  return program_op2(builder, STEP_DIV, a, b);
}
static inline Slot program_neg(ProgramBuilder *builder, Slot a) {
  return program_op1(builder, STEP_NEG, a);
}

// The slot of a step that exists; NO_SLOT when nobody asked for it.
Slot program_find(const ProgramBuilder *builder, Step step);

bool program_is_constant(const ProgramBuilder *builder, Slot slot, double *value);
bool program_is_value(const ProgramBuilder *builder, Slot slot, double value);
Variation program_variation(const ProgramBuilder *builder, Slot slot);
// Cycles from the start of a run until the value is there, if nothing but its operands delays it.
uint32_t program_ready(const ProgramBuilder *builder, Slot slot);

// A name that the value carries into exported sources.
void program_name(ProgramBuilder *builder, Slot slot, Symbol name);

// The next output; returns its index.
uint32_t program_output(ProgramBuilder *builder, Slot slot);

// The finished program, in the given arena; the builder can continue.
const Program *program_finish(ProgramBuilder *builder, Arena *into);

#endif
