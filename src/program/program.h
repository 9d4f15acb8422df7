// A straight-line program over doubles: inputs and constants in, outputs out, no branches.
// An immutable record that every back end runs; the builder of the room code writes it.
#ifndef QDOT_PROGRAM_PROGRAM_H
#define QDOT_PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"
#include "program/table.h"

typedef uint32_t Slot; // number of a value
#define NO_SLOT UINT32_MAX

typedef enum StepOp {
#define STEP(name, arity, kind, latency, ...) STEP_##name,
#include "program/steps.def"
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

// Values are numbered: constants, inputs, prologue steps, main steps. Operands come before use.
// Programs that solve linear systems put out their loss of significance at the pivots. Beyond this
// a rank-revealing solve has to take over, in exported programs, too.
#define ELIMINATION_MOST_LOSS 1e6

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

// Steps by kind and the length of the longest chain, of the main part.
typedef struct ProgramCost {
  uint32_t steps, divisions, trig, calls;
  uint32_t latency; // cycles along the longest chain
} ProgramCost;
ProgramCost program_cost(const Program *program, Arena *scratch);

#endif
