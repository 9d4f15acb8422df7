// Chooses the machine instructions of each step: AVX, one double or several at a time. Nothing is
// contracted, so every step rounds as the interpreter's does.
#include "native/jit_x86_64.h"

#if defined(__x86_64__)
#include <assert.h>
#include <math.h>
#include <string.h>

#include "native/jit_registers.h"
#include "program/elementary.h"
#include "program/sincos.h"

// The pool starts with these, 16 bytes each or one for every lane; then come the constants.
enum { POOL_SIGN, POOL_MAGNITUDE, POOL_ONE, POOL_MINUS_ONE, POOL_NUMBERS };

typedef struct Translation {
  const Program *p;
  CodeBuffer *code;
  Registers places;
  uint8_t in_base, out_base;
  bool has_calls;
  uint32_t lanes;
  uint8_t scratch_1,
      scratch_2;          // of steps that take several instructions; such programs keep two fewer
  uint32_t *first_output; // of each value: an output that shows it, or NEVER
  uint32_t *next_output;  // of each output: another one with the same value
  uint32_t *group_place;  // of each value: where it is among the arguments of a sincos call
} Translation;

bool x86_available(void) { return __builtin_cpu_supports("avx"); }

uint32_t x86_lanes(void) {
  // machines differ in how fast the wide ones are: those that have these are fast
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) return 8;
  return __builtin_cpu_supports("avx2") ? 4 : 1;
}

static int32_t row_size(const Translation *t) { return 8 * (int32_t)t->lanes; }

static Operand pool(const Translation *t, int32_t place) {
  int32_t size = t->lanes > 1 ? row_size(t) : 16;
  return (Operand){IN_POOL, 0, place * size};
}
static Operand xmm(uint8_t reg) { return (Operand){IN_REGISTER, reg, 0}; }

static void put_double(CodeBuffer *code, double value) {
  uint8_t bytes[sizeof value];
  memcpy(bytes, &value, sizeof value);
  for (uint32_t lane = 0; lane < code->lanes; lane++)
    for (size_t i = 0; i < sizeof value; i++) vec_push(code->arena, &code->bytes, bytes[i]);
}

static void write_pool(Translation *t) {
  uint64_t magnitude_bits = INT64_MAX;
  double magnitude;
  memcpy(&magnitude, &magnitude_bits, sizeof magnitude);
  const double fixed[] = {-0.0, magnitude, 1, -1};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
    put_double(t->code, fixed[i]);
    if (t->lanes == 1) put_double(t->code, 0);
  }
  for (uint32_t i = 0; i < t->p->constant_count; i++) put_double(t->code, t->p->constants[i]);
  if (t->lanes == 1 && t->p->constant_count & 1) put_double(t->code, 0);
}

// ---- set-up

static bool needs_scratch(StepOp op) {
  switch (op) {
  case STEP_SIGN:
  case STEP_LT:
  case STEP_LE:
  case STEP_EQ:
  case STEP_AND:
  case STEP_OR:
  case STEP_NOT:
  case STEP_SELECT: return true;
  default: return false;
  }
}

static void look_through_steps(Translation *t) {
  const Program *p = t->p;
  for (uint32_t i = 0; i < p->main_count; i++) {
    StepOp op = p->steps[p->prologue_count + i].op;
    if (needs_scratch(op)) t->places.registers = t->scratch_2;
    if (step_kind(op) != STEP_PLAIN) t->has_calls = true;
  }
  // registers that survive calls, where there are any
  t->in_base = t->has_calls ? RBP : RDI;
  t->out_base = t->has_calls ? R14 : RSI;
  t->places.work_base = t->has_calls ? RBX : RDX;
}

static void set_homes(Translation *t) {
  const Program *p = t->p;
  Operand *home = t->places.home;
  for (uint32_t i = 0; i < p->constant_count; i++) {
    home[i] = pool(t, POOL_NUMBERS);
    home[i].offset += (int32_t)i * row_size(t);
  }
  for (uint32_t i = 0; i < p->input_count; i++)
    home[p->constant_count + i] = (Operand){IN_MEMORY, t->in_base, (int32_t)i * row_size(t)};
  for (uint32_t i = 0; i < p->prologue_count; i++)
    home[program_first_step(p) + i] = registers_memory(&t->places, i - p->prologue_count);
}

static void list_outputs(Translation *t) {
  const Program *p = t->p;
  for (uint32_t v = 0; v < program_value_count(p); v++) t->first_output[v] = NEVER;
  for (uint32_t i = p->output_count; i-- > 0;) {
    t->next_output[i] = t->first_output[p->outputs[i]];
    t->first_output[p->outputs[i]] = i;
  }
}

// registers_memory(0) is 128 bytes below where the base register points.
static void enter(Translation *t) {
  int32_t shift =
      (int32_t)t->p->prologue_count * row_size(t) - registers_memory(&t->places, 0).offset;
  if (t->has_calls) {
    // three registers and the return address keep the stack aligned
    x86_push(t->code, RBX);
    x86_push(t->code, RBP);
    x86_push(t->code, R14);
    x86_lea(t->code, RBP, RDI, 0);
    x86_lea(t->code, R14, RSI, 0);
  }
  x86_lea(t->code, t->places.work_base, RDX, shift);
}

static void leave(Translation *t) {
  if (t->has_calls) {
    x86_pop(t->code, R14);
    x86_pop(t->code, RBP);
    x86_pop(t->code, RBX);
  }
  if (t->lanes > 1) x86_clear_uppers(t->code);
  x86_return(t->code);
}

// ---- outputs

static Operand output_memory(const Translation *t, uint32_t output) {
  return (Operand){IN_MEMORY, t->out_base, (int32_t)output * row_size(t)};
}

static void store_outputs(Translation *t, Slot value, uint8_t reg) {
  for (uint32_t o = t->first_output[value]; o != NEVER; o = t->next_output[o])
    x86_vex(t->code, VEX_STORESD, reg, 0, output_memory(t, o), -1);
}

// After a step: its result goes to the outputs, one of which can serve as its home.
static void settle_result(Translation *t, Slot value, uint8_t reg) {
  Registers *s = &t->places;
  store_outputs(t, value, reg);
  if (t->first_output[value] != NEVER) s->home[value] = output_memory(t, t->first_output[value]);
  if (s->next_use[value] == NEVER) registers_drop_register(s, value);
  registers_flush(s);
}

static void store_remaining_outputs(Translation *t) {
  for (Slot v = 0; v < program_first_main(t->p); v++) {
    if (t->first_output[v] == NEVER) continue;
    x86_vex(t->code, VEX_LOADSD, 0, 0, t->places.home[v], -1);
    store_outputs(t, v, 0);
  }
}

// ---- steps in a few instructions

static bool in_register(const Translation *t, Slot value) { return t->places.in[value] >= 0; }

static VexOp vex_of(StepOp op) {
  switch (op) {
  case STEP_ADD: return VEX_ADDSD;
  case STEP_SUB: return VEX_SUBSD;
  case STEP_MUL: return VEX_MULSD;
  case STEP_DIV: return VEX_DIVSD;
  case STEP_MIN: return VEX_MINSD;
  default: assert(op == STEP_MAX); return VEX_MAXSD;
  }
}

static void translate_arithmetic(Translation *t, uint32_t i, const Step *step, Slot value) {
  Registers *s = &t->places;
  Slot a = step->a, b = step->b;
  // the first operand must be in a register: of two that commute, the one that is, else the one
  // that is needed again sooner
  bool commutes = step->op == STEP_ADD || step->op == STEP_MUL;
  bool swap = in_register(t, b) ? !in_register(t, a)
                                : !in_register(t, a) && s->later[i].of[1] < s->later[i].of[0];
  if (commutes && swap) a = step->b, b = step->a;
  uint32_t pinned = in_register(t, b) ? 1u << s->in[b] : 0;
  uint8_t first = registers_register(s, a, pinned);
  Operand second = registers_operand(s, b);
  registers_read(s, i);
  uint8_t to = registers_result(s, value);
  x86_vex(t->code, vex_of(step->op), to, first, second, -1);
  settle_result(t, value, to);
}

static void translate_unary(Translation *t, uint32_t i, const Step *step, Slot value) {
  Registers *s = &t->places;
  uint8_t a = registers_register(s, step->a, 0);
  registers_read(s, i);
  uint8_t to = registers_result(s, value);
  switch (step->op) {
  case STEP_NEG: x86_vex(t->code, VEX_XORPD, to, a, pool(t, POOL_SIGN), -1); break;
  case STEP_ABS: x86_vex(t->code, VEX_ANDPD, to, a, pool(t, POOL_MAGNITUDE), -1); break;
  case STEP_SQRT: x86_vex(t->code, VEX_SQRTSD, to, a, xmm(a), -1); break;
  default:
    // x > 0 ? 1 : x, then x < 0 ? -1 : that
    assert(step->op == STEP_SIGN);
    x86_vex(t->code, VEX_XORPD, t->scratch_1, t->scratch_1, xmm(t->scratch_1), -1);
    x86_vex(t->code, VEX_CMPSD, t->scratch_2, t->scratch_1, xmm(a), CMP_LESS);
    x86_vex(t->code, VEX_BLENDVPD, t->scratch_2, a, pool(t, POOL_ONE), t->scratch_2 << 4);
    x86_vex(t->code, VEX_CMPSD, t->scratch_1, a, xmm(t->scratch_1), CMP_LESS);
    x86_vex(t->code, VEX_BLENDVPD, to, t->scratch_2, pool(t, POOL_MINUS_ONE), t->scratch_1 << 4);
  }
  settle_result(t, value, to);
}

static void translate_comparison(Translation *t, uint32_t i, const Step *step, Slot value) {
  Registers *s = &t->places;
  uint32_t pinned = in_register(t, step->b) ? 1u << s->in[step->b] : 0;
  uint8_t a = registers_register(s, step->a, pinned);
  Operand b = registers_operand(s, step->b);
  int predicate = step->op == STEP_LT ? CMP_LESS : step->op == STEP_LE ? CMP_LESS_EQUAL : CMP_EQUAL;
  registers_read(s, i);
  uint8_t to = registers_result(s, value);
  x86_vex(t->code, VEX_CMPSD, t->scratch_1, a, b, predicate);
  x86_vex(t->code, VEX_ANDPD, to, t->scratch_1, pool(t, POOL_ONE), -1);
  settle_result(t, value, to);
}

// A mask that tells whether an operand is 0, or is not.
static void compare_with_zero(Translation *t, uint8_t scratch, Operand operand, int predicate) {
  x86_vex(t->code, VEX_XORPD, scratch, scratch, xmm(scratch), -1);
  x86_vex(t->code, VEX_CMPSD, scratch, scratch, operand, predicate);
}

static void translate_logic(Translation *t, uint32_t i, const Step *step, Slot value) {
  Registers *s = &t->places;
  Operand a = registers_operand(s, step->a);
  compare_with_zero(t, t->scratch_1, a, step->op == STEP_NOT ? CMP_EQUAL : CMP_NOT_EQUAL);
  if (step->op != STEP_NOT) {
    compare_with_zero(t, t->scratch_2, registers_operand(s, step->b), CMP_NOT_EQUAL);
    VexOp join = step->op == STEP_AND ? VEX_ANDPD : VEX_ORPD;
    x86_vex(t->code, join, t->scratch_1, t->scratch_1, xmm(t->scratch_2), -1);
  }
  registers_read(s, i);
  uint8_t to = registers_result(s, value);
  x86_vex(t->code, VEX_ANDPD, to, t->scratch_1, pool(t, POOL_ONE), -1);
  settle_result(t, value, to);
}

static void translate_select(Translation *t, uint32_t i, const Step *step, Slot value) {
  Registers *s = &t->places;
  compare_with_zero(t, t->scratch_1, registers_operand(s, step->a), CMP_NOT_EQUAL);
  uint32_t pinned = in_register(t, step->c) ? 1u << s->in[step->c] : 0;
  uint8_t yes = registers_register(s, step->b, pinned);
  uint8_t no = registers_register(s, step->c, 1u << yes);
  registers_read(s, i);
  uint8_t to = registers_result(s, value);
  x86_vex(t->code, VEX_BLENDVPD, to, no, xmm(yes), t->scratch_1 << 4);
  settle_result(t, value, to);
}

// ---- calls

static void move_to(Translation *t, uint8_t to, Operand from) {
  if (from.kind != IN_REGISTER)
    x86_vex(t->code, VEX_LOADSD, to, 0, from, -1);
  else if (from.reg != to)
    x86_vex(t->code, VEX_MOVAPD, to, 0, from, -1);
}

static bool is_register(Operand operand, uint8_t reg) {
  return operand.kind == IN_REGISTER && operand.reg == reg;
}

static void pass_two(Translation *t, Operand a, Operand b) {
  if (is_register(a, 1) && is_register(b, 0)) {
    move_to(t, 2, a);
    move_to(t, 1, b);
    move_to(t, 0, xmm(2));
  } else if (is_register(a, 1)) {
    move_to(t, 0, a);
    move_to(t, 1, b);
  } else {
    move_to(t, 1, b);
    move_to(t, 0, a);
  }
}

static uint64_t function_of(StepOp op) {
  double (*one)(double) = NULL;
  double (*two)(double, double) = NULL;
  switch (op) {
  case STEP_TAN: one = elementary_tan; break;
  case STEP_ASIN: one = elementary_asin; break;
  case STEP_ACOS: one = elementary_acos; break;
  case STEP_ATAN: one = elementary_atan; break;
  case STEP_SINH: one = elementary_sinh; break;
  case STEP_COSH: one = elementary_cosh; break;
  case STEP_TANH: one = elementary_tanh; break;
  case STEP_EXP: one = elementary_exp; break;
  case STEP_LOG: one = elementary_log; break;
  case STEP_POW: two = elementary_pow; break;
  case STEP_ATAN2: two = elementary_atan2; break;
  default: assert(false);
  }
  return two ? (uint64_t)(uintptr_t)two : (uint64_t)(uintptr_t)one;
}

// Passes the tables; the doubles are in their registers.
static uint64_t look_up(Translation *t) {
  double (*function)(const TableData *const *, double, double) = tables_look_up;
  x86_set64(t->code, RDI, (uint64_t)(uintptr_t)t->p->tables);
  return (uint64_t)(uintptr_t)function;
}

static void call(Translation *t, uint64_t address) {
  if (t->lanes > 1) x86_clear_uppers(t->code);
  x86_call(t->code, address);
}

// A value that was put into memory by a call.
static void settle_in_memory(Translation *t, Slot value, Operand home) {
  t->places.home[value] = home;
  if (t->first_output[value] == NEVER) return;
  x86_vex(t->code, VEX_LOADSD, 0, 0, home, -1);
  store_outputs(t, value, 0);
}

// To a row of the work array; from memory through register 0.
static void store_row(Translation *t, Operand from, uint32_t place) {
  bool in_memory = from.kind != IN_REGISTER;
  if (in_memory) x86_vex(t->code, VEX_LOADSD, 0, 0, from, -1);
  x86_vex(t->code, VEX_STORESD, in_memory ? 0 : from.reg, 0, registers_memory(&t->places, place),
          -1);
}

// ---- calls of one lane after the other

static void one_by_one(double (*f)(double), const double *x, uint32_t n, double *out) {
  for (uint32_t i = 0; i < n; i++) out[i] = f(x[i]);
}

// The second operands stand behind the first.
static void two_by_two(double (*f)(double, double), const double *x, uint32_t n, double *out) {
  for (uint32_t i = 0; i < n; i++) out[i] = f(x[i], x[n + i]);
}

static void look_up_all(const TableData *const *tables, const double *x, uint32_t n, double *out) {
  for (uint32_t i = 0; i < n; i++) out[i] = tables_look_up(tables, x[i], x[n + i]);
}

static void call_for_lanes(Translation *t, const Step *step, uint32_t row) {
  Operand arguments = registers_memory(&t->places, row);
  Operand result = registers_memory(&t->places, row + 2);
  bool looks = step->op == STEP_TABLE, one = step->b == NO_SLOT;
  uint64_t each = looks ? (uint64_t)(uintptr_t)t->p->tables : function_of(step->op);
  uint64_t all = looks ? (uint64_t)(uintptr_t)look_up_all
                 : one ? (uint64_t)(uintptr_t)one_by_one
                       : (uint64_t)(uintptr_t)two_by_two;
  x86_set64(t->code, RDI, each);
  x86_lea(t->code, RSI, arguments.reg, arguments.offset);
  x86_set32(t->code, RDX, t->lanes);
  x86_lea(t->code, RCX, result.reg, result.offset);
  call(t, all);
}

static void translate_lane_calls(Translation *t, uint32_t i, const Step *step, Slot value) {
  Registers *s = &t->places;
  Operand a = registers_operand(s, step->a);
  Operand b = step->b == NO_SLOT ? a : registers_operand(s, step->b);
  registers_read(s, i);
  registers_save_all(s);
  uint32_t row = registers_row(s, 3);
  for (int in_memory = 0; in_memory < 2; in_memory++) {
    if ((a.kind != IN_REGISTER) == in_memory) store_row(t, a, row);
    if ((b.kind != IN_REGISTER) == in_memory) store_row(t, b, row + 1);
  }
  call_for_lanes(t, step, row);
  registers_forget_registers(s);
  settle_in_memory(t, value, registers_memory(s, row + 2));
  registers_flush(s);
}

static void translate_call(Translation *t, uint32_t i, const Step *step, Slot value) {
  Registers *s = &t->places;
  Operand a = registers_operand(s, step->a);
  Operand b = step->b == NO_SLOT ? a : registers_operand(s, step->b);
  registers_read(s, i);
  registers_save_all(s);
  if (step->b == NO_SLOT)
    move_to(t, 0, a);
  else
    pass_two(t, a, b);
  x86_call(t->code, step->op == STEP_TABLE ? look_up(t) : function_of(step->op));
  registers_forget_registers(s);
  uint8_t to = registers_result(s, value);
  assert(to == 0);
  settle_result(t, value, to);
}

// ---- sines and cosines, all that stand together in one call

typedef struct Group {
  uint32_t first, end;    // main steps
  VEC(Slot) arguments;    // each once
  VEC(Operand) where;     // each argument before the call
  uint32_t sines;         // first place of the sines; the cosines follow them
  Operand argument_start; // where the arguments stand in a row
} Group;

static const Step *main_step(const Translation *t, uint32_t i) {
  return &t->p->steps[t->p->prologue_count + i];
}

static void collect_group(Translation *t, Group *group) {
  Arena *arena = t->code->arena;
  Slot own = program_first_main(t->p) + group->first;
  for (group->end = group->first; group->end < t->p->main_count; group->end++) {
    const Step *step = main_step(t, group->end);
    if (step_kind(step->op) != STEP_TRIG || step->a >= own) break;
    if (t->group_place[step->a] != NEVER) continue;
    t->group_place[step->a] = group->arguments.n;
    vec_push(arena, &group->arguments, step->a);
    vec_push(arena, &group->where, registers_operand(&t->places, step->a));
  }
}

// Inputs that follow one another are passed where they are; others are copied to a row.
static void line_up_arguments(Translation *t, Group *group) {
  uint32_t n = group->arguments.n;
  bool in_line = true;
  for (uint32_t k = 0; k < n; k++) {
    const Operand *at = &t->places.home[group->arguments.at[k]];
    in_line =
        in_line && at->kind == IN_MEMORY && at->reg == t->in_base &&
        at->offset == t->places.home[group->arguments.at[0]].offset + (int32_t)k * row_size(t);
  }
  if (in_line) {
    group->argument_start = t->places.home[group->arguments.at[0]];
    return;
  }
  uint32_t row = registers_row(&t->places, n);
  group->argument_start = registers_memory(&t->places, row);
  for (int from_memory = 0; from_memory < 2; from_memory++)
    for (uint32_t k = 0; k < n; k++)
      if ((group->where.at[k].kind != IN_REGISTER) == from_memory)
        store_row(t, group->where.at[k], row + k);
}

static void call_sincos(Translation *t, const Group *group) {
  uint32_t n = group->arguments.n;
  Operand sines = registers_memory(&t->places, group->sines);
  x86_lea(t->code, RDI, group->argument_start.reg, group->argument_start.offset);
  x86_set32(t->code, RSI, n * t->lanes);
  x86_lea(t->code, RDX, sines.reg, sines.offset);
  x86_lea(t->code, RCX, sines.reg, sines.offset + (int32_t)n * row_size(t));
  void (*function)(const double *, uint32_t, double *, double *) = sincos_many;
  call(t, (uint64_t)(uintptr_t)function);
}

static void call_sincos_one(Translation *t, const Group *group) {
  Operand sine = registers_memory(&t->places, group->sines);
  move_to(t, 0, group->where.at[0]);
  x86_lea(t->code, RDI, sine.reg, sine.offset);
  x86_lea(t->code, RSI, sine.reg, sine.offset + row_size(t));
  void (*function)(double, double *, double *) = sincos_one;
  call(t, (uint64_t)(uintptr_t)function);
}

static uint32_t translate_group(Translation *t, uint32_t i) {
  Registers *s = &t->places;
  Group group = {.first = i};
  collect_group(t, &group);
  uint32_t n = group.arguments.n;
  for (uint32_t k = i; k < group.end; k++) registers_read(s, k);
  registers_save_all(s);
  bool is_one = n == 1 && t->lanes == 1;
  if (!is_one) line_up_arguments(t, &group);
  group.sines = registers_row(s, 2 * n);
  if (is_one)
    call_sincos_one(t, &group);
  else
    call_sincos(t, &group);
  registers_forget_registers(s);
  for (uint32_t k = i; k < group.end; k++) {
    const Step *step = main_step(t, k);
    Slot value = program_first_main(t->p) + k;
    uint32_t place = group.sines + t->group_place[step->a] + (step->op == STEP_COS ? n : 0);
    settle_in_memory(t, value, registers_memory(s, place));
  }
  for (uint32_t k = 0; k < n; k++) t->group_place[group.arguments.at[k]] = NEVER;
  registers_flush(s);
  return group.end;
}

// ---- the whole

static uint32_t translate_step(Translation *t, uint32_t i) {
  const Step *step = main_step(t, i);
  Slot value = program_first_main(t->p) + i;
  if (step_kind(step->op) == STEP_TRIG) return translate_group(t, i);
  switch (step->op) {
  case STEP_ADD:
  case STEP_SUB:
  case STEP_MUL:
  case STEP_DIV:
  case STEP_MIN:
  case STEP_MAX: translate_arithmetic(t, i, step, value); break;
  case STEP_NEG:
  case STEP_ABS:
  case STEP_SQRT:
  case STEP_SIGN: translate_unary(t, i, step, value); break;
  case STEP_LT:
  case STEP_LE:
  case STEP_EQ: translate_comparison(t, i, step, value); break;
  case STEP_AND:
  case STEP_OR:
  case STEP_NOT: translate_logic(t, i, step, value); break;
  case STEP_SELECT: translate_select(t, i, step, value); break;
  default:
    if (t->lanes > 1)
      translate_lane_calls(t, i, step, value);
    else
      translate_call(t, i, step, value);
  }
  return i + 1;
}

X86Code x86_translate(Context *cx, const Program *p, uint32_t lanes) {
  X86Code result = {.buffer = {.arena = &cx->scratch, .lanes = lanes}};
  Translation t = {.p = p, .code = &result.buffer, .lanes = lanes};
  t.scratch_1 = lanes == 8 ? ZMM_COUNT - 1 : XMM_COUNT - 1;
  t.scratch_2 = t.scratch_1 - 1;
  uint32_t values = program_value_count(p) + 1;
  t.first_output = arena_array(&cx->scratch, uint32_t, values);
  t.next_output = arena_array(&cx->scratch, uint32_t, p->output_count + 1);
  t.group_place = arena_array(&cx->scratch, uint32_t, values);
  for (uint32_t v = 0; v < values; v++) t.group_place[v] = NEVER;
  if (values > INT32_MAX / 512 || p->output_count > INT32_MAX / 512)
    guard_escape(&cx->guard, QDOT_TOO_LARGE);

  registers_open(&t.places, cx, p, t.code);
  look_through_steps(&t);
  set_homes(&t);
  list_outputs(&t);
  write_pool(&t);
  result.entry = result.buffer.bytes.n;
  enter(&t);
  for (uint32_t i = 0; i < p->main_count;) i = translate_step(&t, i);
  store_remaining_outputs(&t);
  leave(&t);
  result.work_size = (p->prologue_count + t.places.place_count) * lanes;
  return result;
}

#endif
