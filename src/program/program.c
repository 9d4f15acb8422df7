// The meaning and the cost of the steps of a program.
#include "program/program.h"

#include <assert.h>
#include <math.h>

#include "program/elementary.h"
#include "program/sincos.h"

static const struct {
  uint8_t arity, kind, latency;
} step_table[] = {
#define STEP(name, arity, kind, latency, ...) [STEP_##name] = {arity, STEP_##kind, latency},
#include "program/steps.def"
#undef STEP
};

int step_arity(StepOp op) { return op < STEP_COUNT ? step_table[op].arity : 0; }
StepKind step_kind(StepOp op) { return op < STEP_COUNT ? step_table[op].kind : STEP_PLAIN; }
int step_latency(StepOp op) { return op < STEP_COUNT ? step_table[op].latency : 0; }

static double sine(double x) {
  double s, c;
  sincos_one(x, &s, &c);
  return s;
}

static double cosine(double x) {
  double s, c;
  sincos_one(x, &s, &c);
  return c;
}

double step_value(StepOp op, double a, double b, double c) {
  switch (op) {
  case STEP_ADD: return a + b;
  case STEP_SUB: return a - b;
  case STEP_MUL: return a * b;
  case STEP_DIV: return a / b;
  case STEP_NEG: return -a;
  case STEP_SQRT: return sqrt(a);
  case STEP_ABS: return fabs(a);
  case STEP_SIGN: return a > 0 ? 1 : a < 0 ? -1 : a;
  case STEP_MIN: return a < b ? a : b;
  case STEP_MAX: return a > b ? a : b;
  case STEP_LT: return a < b;
  case STEP_LE: return a <= b;
  case STEP_EQ: return a == b;
  case STEP_AND: return a != 0 && b != 0;
  case STEP_OR: return a != 0 || b != 0;
  case STEP_NOT: return a == 0;
  case STEP_SELECT: return a != 0 ? b : c;
  case STEP_SIN: return sine(a);
  case STEP_COS: return cosine(a);
  case STEP_TAN: return elementary_tan(a);
  case STEP_ASIN: return elementary_asin(a);
  case STEP_ACOS: return elementary_acos(a);
  case STEP_ATAN: return elementary_atan(a);
  case STEP_SINH: return elementary_sinh(a);
  case STEP_COSH: return elementary_cosh(a);
  case STEP_TANH: return elementary_tanh(a);
  case STEP_EXP: return elementary_exp(a);
  case STEP_LOG: return elementary_log(a);
  case STEP_POW: return elementary_pow(a, b);
  case STEP_ATAN2: return elementary_atan2(a, b);
  case STEP_TABLE:
  case STEP_COUNT:
  case STEP_INPUT: break;
  }
  assert(false);
  return NAN;
}

double table_code(TableId table, TableAspect aspect) {
  return (double)table * TABLE_ASPECTS + aspect;
}

TableId table_code_id(double code) { return (TableId)(code / TABLE_ASPECTS); }

TableAspect table_code_aspect(double code) {
  return (TableAspect)(code - (double)table_code_id(code) * TABLE_ASPECTS);
}

double tables_look_up(const TableData *const *tables, double x, double code) {
  return table_value(tables[table_code_id(code)], table_code_aspect(code), x);
}

ProgramCost program_cost(const Program *p, Arena *scratch) {
  ProgramCost cost = {.steps = p->main_count};
  Mark mark = arena_mark(scratch);
  uint32_t first = program_first_main(p);
  uint32_t *ready = arena_array(scratch, uint32_t, program_value_count(p) + 1);
  for (uint32_t i = 0; i < p->main_count; i++) {
    const Step *step = &p->steps[p->prologue_count + i];
    const Slot operands[3] = {step->a, step->b, step->c};
    uint32_t *at = &ready[first + i];
    for (int k = 0; k < step_arity(step->op); k++)
      if (ready[operands[k]] > *at) *at = ready[operands[k]];
    *at += (uint32_t)step_latency(step->op);
    if (*at > cost.latency) cost.latency = *at;
    cost.divisions += step->op == STEP_DIV || step->op == STEP_SQRT;
    cost.trig += step_kind(step->op) == STEP_TRIG;
    cost.calls += step_kind(step->op) == STEP_CALL;
  }
  arena_release(scratch, mark);
  return cost;
}
