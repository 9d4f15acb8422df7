// A straight-line program over doubles: inputs and constants in, outputs out, no branches.
//
// A ProgramBuilder collects steps, each numbered once by what it computes; program_finish drops
// what no output needs, orders the rest and gives an immutable Program that the backends run.
// Sources: program.c, schedule.c
#ifndef QDOT_CODE_PROGRAM_H
#define QDOT_CODE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"
#include "expr/table.h"

typedef uint32_t Slot; // a value of the program under construction
#define NO_SLOT UINT32_MAX

typedef enum StepOp {
#define STEP(name, arity, kind, latency, ...) STEP_##name,
#include "code/steps.def"
#undef STEP
  STEP_COUNT,
  STEP_CONSTANT = STEP_COUNT, // a: index of the constant
  STEP_INPUT,                 // a: index of the input
} StepOp;

typedef enum StepKind { STEP_PLAIN, STEP_CALL, STEP_TRIG } StepKind;

int step_arity(StepOp op);
StepKind step_kind(StepOp op);
int step_latency(StepOp op); // cycles, roughly

// What one step other than TABLE computes, in doubles: the meaning that every backend shares.
double step_value(StepOp op, double a, double b, double c);

typedef struct Step {
  StepOp op;
  uint32_t a, b, c; // operands; NO_SLOT where there are fewer
} Step;

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

// Values are numbered: constants, inputs, prologue steps, main steps. Operands come before use.
typedef struct Program {
  uint32_t constant_count, input_count, prologue_count, main_count, output_count;
  const double *constants;
  const Step *steps;              // prologue, then main; operands are value numbers
  const Symbol *names;            // beside steps
  const Slot *outputs;            // value numbers
  const bool *fixed;              // which inputs keep their value during a run
  const TableData *const *tables; // by id
} Program;

// The second operand of a step TABLE, and what it means.
double table_code(TableId table, TableAspect aspect);
TableId table_code_id(double code);
TableAspect table_code_aspect(double code);
// What a step TABLE computes.
double tables_look_up(const TableData *const *tables, double x, double code);

static inline uint32_t program_first_step(const Program *p) {
  return p->constant_count + p->input_count;
}
static inline uint32_t program_first_main(const Program *p) {
  return program_first_step(p) + p->prologue_count;
}
static inline uint32_t program_value_count(const Program *p) {
  return program_first_main(p) + p->main_count;
}

// The finished program, in the given arena; the builder can continue.
const Program *program_finish(ProgramBuilder *builder, Arena *into);

// Steps by kind and the length of the longest chain, of the main part.
typedef struct ProgramCost {
  uint32_t steps, divisions, trig, calls;
  uint32_t latency; // cycles along the longest chain
} ProgramCost;
ProgramCost program_cost(const Program *program, Arena *scratch);

#endif
