// Lowers a Program to instructions over one array of doubles and runs them by computed goto.
//
// The work array: temporaries, prologue values, constants, a copy of the inputs.
#include "program/interp.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "program/elementary.h"
#include "program/sincos.h"

enum { INTERP_SINCOS = STEP_COUNT, INTERP_OUTPUT, INTERP_END, INTERP_COUNT };

typedef struct Instruction {
  uint32_t op, to, a, b, c; // SINCOS: sine to `to`, cosine to `b`; OUTPUT: a to out[to]
} Instruction;

struct InterpCode {
  const Program *program;
  const Instruction *instructions;
  uint32_t temporary_count;
};

// ---- lowering

typedef struct Lowering {
  Context *cx;
  const Program *p;
  uint32_t *last_use; // last main step that reads a value; UINT32_MAX for none
  uint32_t *place;    // where a value lives in the work array; temporaries only
  VEC(uint32_t) spare;
  uint32_t temporaries;
  VEC(Instruction) code;
} Lowering;

static void find_last_uses(Lowering *l) {
  const Program *p = l->p;
  for (uint32_t v = 0; v < program_value_count(p); v++) l->last_use[v] = UINT32_MAX;
  for (uint32_t i = 0; i < p->main_count; i++) {
    const Step *step = &p->steps[p->prologue_count + i];
    const Slot operands[3] = {step->a, step->b, step->c};
    for (int k = 0; k < step_arity(step->op); k++) l->last_use[operands[k]] = i;
  }
}

static void give_back(Lowering *l, Slot value, uint32_t step) {
  if (value == NO_SLOT || value < program_first_main(l->p) || l->last_use[value] != step) return;
  l->last_use[value] = UINT32_MAX; // once, when a step reads a value twice
  vec_push(&l->cx->scratch, &l->spare, l->place[value]);
}

static uint32_t take_place(Lowering *l) {
  return l->spare.n ? l->spare.at[--l->spare.n] : l->temporaries++;
}

// Values other than temporaries lie behind them; until their number is known, offset by this.
static const uint32_t behind = 1u << 31;

static uint32_t place_of(const Lowering *l, Slot value) {
  const Program *p = l->p;
  if (value == NO_SLOT) return 0;
  if (value >= program_first_main(p)) return l->place[value];
  if (value >= program_first_step(p)) return behind + value - program_first_step(p);
  return behind + p->prologue_count + value; // constants, then inputs
}

static bool pairs_up(const Lowering *l, uint32_t i) {
  if (i + 1 >= l->p->main_count) return false;
  const Step *step = &l->p->steps[l->p->prologue_count + i];
  return step_kind(step[0].op) == STEP_TRIG && step_kind(step[1].op) == STEP_TRIG &&
         step[0].a == step[1].a;
}

static void lower_steps(Lowering *l) {
  const Program *p = l->p;
  uint32_t first = program_first_main(p);
  for (uint32_t i = 0; i < p->main_count; i++) {
    const Step *step = &p->steps[p->prologue_count + i];
    Instruction instruction = {step->op, 0, place_of(l, step->a), place_of(l, step->b),
                               place_of(l, step->c)};
    bool pair = pairs_up(l, i);
    if (pair) {
      // both results before the argument's place is given back: the second is written first
      l->place[first + i] = take_place(l);
      l->place[first + i + 1] = take_place(l);
      bool sine_first = step->op == STEP_SIN;
      instruction.op = INTERP_SINCOS;
      instruction.to = l->place[first + i + !sine_first];
      instruction.b = l->place[first + i + sine_first];
      i++;
    }
    give_back(l, step->a, i);
    give_back(l, step->b, i);
    give_back(l, step->c, i);
    if (!pair) instruction.to = l->place[first + i] = take_place(l);
    vec_push(&l->cx->scratch, &l->code, instruction);
  }
}

static void lower_outputs(Lowering *l) {
  for (uint32_t i = 0; i < l->p->output_count; i++) {
    Instruction store = {INTERP_OUTPUT, i, place_of(l, l->p->outputs[i]), 0, 0};
    vec_push(&l->cx->scratch, &l->code, store);
  }
  vec_push(&l->cx->scratch, &l->code, ((Instruction){.op = INTERP_END}));
}

static void settle(uint32_t *place, uint32_t temporaries) {
  if (*place >= behind) *place += temporaries - behind;
}

const InterpCode *interp_lower(Context *cx, const Program *p, Arena *into) {
  assert(into != &cx->scratch);
  InterpCode *code = arena_new(into, InterpCode);
  Mark mark = arena_mark(&cx->scratch);
  Lowering l = {.cx = cx, .p = p};
  l.last_use = arena_array(&cx->scratch, uint32_t, program_value_count(p) + 1);
  l.place = arena_array(&cx->scratch, uint32_t, program_value_count(p) + 1);
  find_last_uses(&l);
  // outputs keep their places to the end
  for (uint32_t i = 0; i < p->output_count; i++) l.last_use[p->outputs[i]] = UINT32_MAX;
  lower_steps(&l);
  lower_outputs(&l);

  Instruction *instructions = arena_array(into, Instruction, l.code.n);
  memcpy(instructions, l.code.at, l.code.n * sizeof *instructions);
  for (uint32_t i = 0; i < l.code.n; i++) {
    settle(&instructions[i].a, l.temporaries);
    settle(&instructions[i].b, l.temporaries);
    settle(&instructions[i].c, l.temporaries);
  }
  *code = (InterpCode){p, instructions, l.temporaries};
  arena_release(&cx->scratch, mark);
  return code;
}

// ---- running

void program_run_prologue(const Program *p, const double *in, double *values) {
  for (uint32_t i = 0; i < p->prologue_count; i++) {
    const Step *step = &p->steps[i];
    const Slot operands[3] = {step->a, step->b, step->c};
    double x[3] = {0};
    for (int k = 0; k < step_arity(step->op); k++) {
      Slot v = operands[k];
      if (v < p->constant_count)
        x[k] = p->constants[v];
      else if (v < program_first_step(p))
        x[k] = in[v - p->constant_count];
      else
        x[k] = values[v - program_first_step(p)];
    }
    values[i] = step->op == STEP_TABLE ? tables_look_up(p->tables, x[0], x[1])
                                       : step_value(step->op, x[0], x[1], x[2]);
  }
}

uint32_t interp_work_size(const InterpCode *code) {
  const Program *p = code->program;
  return code->temporary_count + p->prologue_count + p->constant_count + p->input_count;
}

void interp_prepare(const InterpCode *code, const double *in, double *work) {
  const Program *p = code->program;
  double *values = work + code->temporary_count;
  program_run_prologue(p, in, values);
  if (p->constant_count)
    memcpy(values + p->prologue_count, p->constants, p->constant_count * sizeof *work);
}

const double *interp_prologue(const InterpCode *code, const double *work) {
  return work + code->temporary_count;
}

void interp_run(const InterpCode *code, const double *in, double *out, double *w) {
  static const void *const labels[INTERP_COUNT] = {
#define STEP(name, ...) [STEP_##name] = &&do_##name,
#include "program/steps.def"
#undef STEP
      [INTERP_SINCOS] = &&do_SINCOS,
      [INTERP_OUTPUT] = &&do_OUTPUT,
      [INTERP_END] = &&do_END,
  };
  const Program *p = code->program;
  if (p->input_count)
    memcpy(w + code->temporary_count + p->prologue_count + p->constant_count, in,
           p->input_count * sizeof *w);
  const Instruction *at = code->instructions;
  double sine, cosine;

#define NEXT                                                                                       \
  at++;                                                                                            \
  goto *labels[at->op]
#define A w[at->a]
#define B w[at->b]
#define C w[at->c]
#define RULE(name, value)                                                                          \
  do_##name : w[at->to] = (value);                                                                 \
  NEXT
  goto *labels[at->op];
  RULE(ADD, A + B);
  RULE(SUB, A - B);
  RULE(MUL, A * B);
  RULE(DIV, A / B);
  RULE(NEG, -A);
  RULE(SQRT, sqrt(A));
  RULE(ABS, fabs(A));
  RULE(SIGN, step_value(STEP_SIGN, A, 0, 0));
  RULE(MIN, A < B ? A : B);
  RULE(MAX, A > B ? A : B);
  RULE(LT, A < B);
  RULE(LE, A <= B);
  RULE(EQ, A == B);
  RULE(AND, A != 0 && B != 0);
  RULE(OR, A != 0 || B != 0);
  RULE(NOT, A == 0);
  RULE(SELECT, A != 0 ? B : C);
  RULE(SIN, step_value(STEP_SIN, A, 0, 0));
  RULE(COS, step_value(STEP_COS, A, 0, 0));
  RULE(TAN, elementary_tan(A));
  RULE(ASIN, elementary_asin(A));
  RULE(ACOS, elementary_acos(A));
  RULE(ATAN, elementary_atan(A));
  RULE(SINH, elementary_sinh(A));
  RULE(COSH, elementary_cosh(A));
  RULE(TANH, elementary_tanh(A));
  RULE(EXP, elementary_exp(A));
  RULE(LOG, elementary_log(A));
  RULE(POW, elementary_pow(A, B));
  RULE(TABLE, tables_look_up(p->tables, A, B));
  RULE(ATAN2, elementary_atan2(A, B));
do_SINCOS:
  sincos_one(A, &sine, &cosine);
  w[at->to] = sine;
  w[at->b] = cosine;
  NEXT;
do_OUTPUT:
  out[at->to] = A;
  NEXT;
do_END:
  return;
#undef NEXT
#undef A
#undef B
#undef C
#undef RULE
}
