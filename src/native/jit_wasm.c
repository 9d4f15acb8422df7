// Chooses the WebAssembly instructions of each step: one double, or four in two registers of two
// lanes. Nothing is contracted, so every step rounds as the interpreter's does.
//
// A program is split into functions of some hundred steps, which compilers of browsers take
// quickly; a value is a local variable of the function that computes it, and what later functions
// read also stands in the work array: prologue, values that cross, room for sines and cosines.
#include "native/jit_wasm.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "program/elementary.h"

enum { PART_STEPS = 400, MOST_REGISTERS = 2 };
enum { IN, OUT, WORK, FIRST_LOCAL }; // arguments of each function
enum { SINCOS_FUNCTION };            // of the module; then come the parts
#define NONE UINT32_MAX

// Where a value is within the function that is written.
typedef struct Where {
  uint32_t part;  // in which what follows holds
  uint32_t local; // of the first register, or NONE
  uint32_t sine;  // local of its sine, behind which that of its cosine follows; or NONE
} Where;

typedef struct Translation {
  const Program *p;
  Arena *arena;
  WasmBuffer *w;             // body of the function that is written, without its locals
  uint32_t lanes, registers; // of a value
  uint32_t part, locals;
  uint32_t crossings;
  uint32_t *crossing;     // of each value: its place among those that cross, or NONE
  Where *places;          // of each value
  uint32_t *first_output; // of each value: an output that shows it, or NONE
  uint32_t *next_output;  // of each output: another one with the same value
} Translation;

static uint32_t row_size(const Translation *t) { return 8 * t->lanes; }
static bool is_wide(const Translation *t) { return t->lanes > 1; }
static uint32_t part_of_step(uint32_t i) { return i / PART_STEPS; }

static const Step *main_step(const Translation *t, uint32_t i) {
  return &t->p->steps[t->p->prologue_count + i];
}

// ---- What crosses from one function to a later one

static void find_crossings(Translation *t) {
  const Program *p = t->p;
  uint32_t first = program_first_main(p);
  for (uint32_t v = 0; v < program_value_count(p); v++) t->crossing[v] = NONE;
  for (uint32_t i = 0; i < p->main_count; i++) {
    const Step *step = main_step(t, i);
    const Slot operands[3] = {step->a, step->b, step->c};
    for (int k = 0; k < step_arity(step->op); k++) {
      Slot v = operands[k];
      bool crosses = v >= first && part_of_step(v - first) != part_of_step(i);
      if (crosses && t->crossing[v] == NONE) t->crossing[v] = t->crossings++;
    }
  }
}

static void list_outputs(Translation *t) {
  const Program *p = t->p;
  for (uint32_t v = 0; v < program_value_count(p); v++) t->first_output[v] = NONE;
  for (uint32_t i = p->output_count; i-- > 0;) {
    t->next_output[i] = t->first_output[p->outputs[i]];
    t->first_output[p->outputs[i]] = i;
  }
}

static uint32_t work_offset(const Translation *t, uint32_t place) { return place * row_size(t); }
static uint32_t crossing_offset(const Translation *t, Slot v) {
  return work_offset(t, t->p->prologue_count + t->crossing[v]);
}
static uint32_t room_offset(const Translation *t) {
  return work_offset(t, t->p->prologue_count + t->crossings);
}

// ---- Values

static Where *place_of(Translation *t, Slot v) {
  Where *place = &t->places[v];
  if (place->part != t->part) *place = (Where){t->part, NONE, NONE};
  return place;
}

static uint32_t new_locals(Translation *t, uint32_t values) {
  uint32_t local = FIRST_LOCAL + t->locals;
  t->locals += values * t->registers;
  return local;
}

static void load(Translation *t, uint32_t base, uint32_t offset, uint32_t local) {
  for (uint32_t r = 0; r < t->registers; r++) {
    wasm_get(t->w, base);
    if (is_wide(t))
      wasm_lane_memory(t->w, LANES_LOAD, offset + 16 * r);
    else
      wasm_memory(t->w, WASM_LOAD_F64, offset);
    wasm_set(t->w, local + r);
  }
}

static void store(Translation *t, uint32_t base, uint32_t offset, uint32_t local) {
  for (uint32_t r = 0; r < t->registers; r++) {
    wasm_get(t->w, base);
    wasm_get(t->w, local + r);
    if (is_wide(t))
      wasm_lane_memory(t->w, LANES_STORE, offset + 16 * r);
    else
      wasm_memory(t->w, WASM_STORE_F64, offset);
  }
}

static void push_number(Translation *t, double value) {
  if (is_wide(t))
    wasm_both(t->w, value);
  else
    wasm_f64(t->w, value);
}

static bool is_constant(const Translation *t, Slot v) { return v < t->p->constant_count; }

// A value in locals, from memory at its first use in this function.
static uint32_t local_of(Translation *t, Slot v) {
  const Program *p = t->p;
  Where *place = place_of(t, v);
  if (place->local != NONE) return place->local;
  place->local = new_locals(t, 1);
  if (is_constant(t, v))
    for (uint32_t r = 0; r < t->registers; r++) {
      push_number(t, p->constants[v]);
      wasm_set(t->w, place->local + r);
    }
  else if (v < program_first_step(p))
    load(t, IN, (v - p->constant_count) * row_size(t), place->local);
  else if (v < program_first_main(p))
    load(t, WORK, work_offset(t, v - program_first_step(p)), place->local);
  else
    load(t, WORK, crossing_offset(t, v), place->local);
  return place->local;
}

static void push(Translation *t, Slot v, uint32_t r) {
  if (is_constant(t, v))
    push_number(t, t->p->constants[v]);
  else
    wasm_get(t->w, local_of(t, v) + r);
}

// After a step: its value goes to where others look for it.
static void settle(Translation *t, Slot v, uint32_t local) {
  place_of(t, v)->local = local;
  if (t->crossing[v] != NONE) store(t, WORK, crossing_offset(t, v), local);
  for (uint32_t o = t->first_output[v]; o != NONE; o = t->next_output[o])
    store(t, OUT, o * row_size(t), local);
}

// ---- Steps in a few instructions

typedef struct Twin {
  WasmOp one;
  WasmLaneOp lanes;
} Twin;

static void operate(Translation *t, Twin op) {
  if (is_wide(t))
    wasm_lanes(t->w, op.lanes);
  else
    wasm_op(t->w, op.one);
}

static const Twin equal = {WASM_EQ, LANES_EQ}, unequal = {WASM_NE, LANES_NE};

// From what a comparison has left to 1 or 0.
static void number_of_truth(Translation *t) {
  if (is_wide(t))
    wasm_both(t->w, 1), wasm_lanes(t->w, LANES_AND);
  else
    wasm_op(t->w, WASM_TO_F64);
}

static void compare(Translation *t, Slot a, Twin op, Slot b, uint32_t r) {
  push(t, a, r), push(t, b, r), operate(t, op);
}

static void compare_number(Translation *t, Slot a, Twin op, double number, uint32_t r) {
  push(t, a, r), push_number(t, number), operate(t, op);
}

// Of the two values below it, by the truth on top: the first where it holds.
static void choose(Translation *t) {
  if (is_wide(t))
    wasm_lanes(t->w, LANES_CHOOSE);
  else
    wasm_op(t->w, WASM_SELECT);
}

// b < a ? b : a and the like, as the interpreter has them.
static void least_or_greatest(Translation *t, const Step *s, uint32_t r) {
  bool least = s->op == STEP_MIN;
  if (is_wide(t)) {
    // pmin(x, y) is y < x ? y : x
    push(t, s->b, r), push(t, s->a, r), wasm_lanes(t->w, least ? LANES_PMIN : LANES_PMAX);
    return;
  }
  push(t, s->a, r), push(t, s->b, r), push(t, s->a, r), push(t, s->b, r);
  wasm_op(t->w, least ? WASM_LT : WASM_GT), wasm_op(t->w, WASM_SELECT);
}

// a > 0 ? 1 : a < 0 ? -1 : a
static void sign(Translation *t, const Step *s, uint32_t r) {
  const Twin greater = {WASM_GT, LANES_GT}, less = {WASM_LT, LANES_LT};
  push_number(t, 1);
  push_number(t, -1), push(t, s->a, r), compare_number(t, s->a, less, 0, r), choose(t);
  compare_number(t, s->a, greater, 0, r), choose(t);
}

static void logic(Translation *t, const Step *s, uint32_t r) {
  compare_number(t, s->a, s->op == STEP_NOT ? equal : unequal, 0, r);
  if (s->op != STEP_NOT) {
    compare_number(t, s->b, unequal, 0, r);
    operate(t, s->op == STEP_AND ? (Twin){WASM_I32_AND, LANES_AND} : (Twin){WASM_I32_OR, LANES_OR});
  }
  number_of_truth(t);
}

static void arithmetic(Translation *t, const Step *s, Twin op, uint32_t r) {
  push(t, s->a, r);
  if (s->b != NO_SLOT) push(t, s->b, r);
  operate(t, op);
}

static void plain_step(Translation *t, const Step *s, uint32_t r) {
  switch (s->op) {
  case STEP_ADD: arithmetic(t, s, (Twin){WASM_ADD, LANES_ADD}, r); break;
  case STEP_SUB: arithmetic(t, s, (Twin){WASM_SUB, LANES_SUB}, r); break;
  case STEP_MUL: arithmetic(t, s, (Twin){WASM_MUL, LANES_MUL}, r); break;
  case STEP_DIV: arithmetic(t, s, (Twin){WASM_DIV, LANES_DIV}, r); break;
  case STEP_NEG: arithmetic(t, s, (Twin){WASM_NEG, LANES_NEG}, r); break;
  case STEP_ABS: arithmetic(t, s, (Twin){WASM_ABS, LANES_ABS}, r); break;
  case STEP_SQRT: arithmetic(t, s, (Twin){WASM_SQRT, LANES_SQRT}, r); break;
  case STEP_SIGN: sign(t, s, r); break;
  case STEP_MIN:
  case STEP_MAX: least_or_greatest(t, s, r); break;
  case STEP_LT: compare(t, s->a, (Twin){WASM_LT, LANES_LT}, s->b, r), number_of_truth(t); break;
  case STEP_LE: compare(t, s->a, (Twin){WASM_LE, LANES_LE}, s->b, r), number_of_truth(t); break;
  case STEP_EQ: compare(t, s->a, equal, s->b, r), number_of_truth(t); break;
  case STEP_AND:
  case STEP_OR:
  case STEP_NOT: logic(t, s, r); break;
  default:
    assert(s->op == STEP_SELECT);
    push(t, s->b, r), push(t, s->c, r), compare_number(t, s->a, unequal, 0, r), choose(t);
  }
}

// ---- Calls of functions of C

static uint32_t function_of(StepOp op) {
  double (*one)(double) = NULL;
  double (*two)(double, double) = NULL;
  double (*look)(const TableData *const *, double, double) = tables_look_up;
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
  default: assert(op == STEP_TABLE);
  }
  return (uint32_t)(one ? (uintptr_t)one : two ? (uintptr_t)two : (uintptr_t)look);
}

static void push_lane(Translation *t, Slot v, uint32_t r, uint8_t lane) {
  push(t, v, r);
  if (is_wide(t)) wasm_lane(t->w, LANES_EXTRACT, lane);
}

static void call_for_lane(Translation *t, const Step *s, uint32_t r, uint8_t lane) {
  if (s->op == STEP_TABLE) wasm_i32(t->w, (uint32_t)(uintptr_t)t->p->tables);
  push_lane(t, s->a, r, lane);
  if (s->b != NO_SLOT) push_lane(t, s->b, r, lane);
  wasm_i32(t->w, function_of(s->op));
  wasm_op(t->w, WASM_CALL_INDIRECT);
  wasm_number(t->w, s->op == STEP_TABLE ? WASM_LOOK : s->b != NO_SLOT ? WASM_TWO : WASM_ONE);
  wasm_number(t->w, 0);
}

static void call_step(Translation *t, const Step *s, uint32_t r) {
  call_for_lane(t, s, r, 0);
  if (!is_wide(t)) return;
  wasm_lanes(t->w, LANES_SPLAT);
  call_for_lane(t, s, r, 1);
  wasm_lane(t->w, LANES_REPLACE, 1);
}

// ---- Sines and cosines: one function for both, of two arguments at once

static void call_sincos(Translation *t) {
  wasm_get(t->w, WORK), wasm_i32(t->w, room_offset(t)), wasm_op(t->w, WASM_I32_ADD);
  wasm_op(t->w, WASM_CALL), wasm_number(t->w, SINCOS_FUNCTION);
}

static void sincos_of_row(Translation *t, Slot v) {
  uint32_t sine = place_of(t, v)->sine = new_locals(t, 2);
  for (uint32_t r = 0; r < t->registers; r++) {
    push(t, v, r);
    call_sincos(t);
    wasm_set(t->w, sine + t->registers + r);
    wasm_set(t->w, sine + r);
  }
}

// Of one or two values of one lane each; `pair` is a local of two lanes.
static void sincos_of_pair(Translation *t, const Slot *v, uint32_t n, uint32_t pair) {
  push(t, v[0], 0), wasm_lanes(t->w, LANES_SPLAT);
  if (n == 2) push(t, v[1], 0), wasm_lane(t->w, LANES_REPLACE, 1);
  call_sincos(t);
  wasm_set(t->w, pair + 1), wasm_set(t->w, pair);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t sine = place_of(t, v[i])->sine = new_locals(t, 2);
    for (uint32_t is_cosine = 0; is_cosine < 2; is_cosine++) {
      wasm_get(t->w, pair + is_cosine), wasm_lane(t->w, LANES_EXTRACT, (uint8_t)i);
      wasm_set(t->w, sine + is_cosine);
    }
  }
}

// The arguments of sines and cosines that stand together and are known, up to the end of this
// function.
static void sincos_of_group(Translation *t, uint32_t i) {
  Slot waiting[2], own = program_first_main(t->p) + i;
  uint32_t n = 0, pair = 0; // the pair's locals stand first, see write_part
  for (uint32_t k = i; k < t->p->main_count && part_of_step(k) == t->part; k++) {
    const Step *step = main_step(t, k);
    if (step_kind(step->op) != STEP_TRIG || step->a >= own) break;
    if (place_of(t, step->a)->sine != NONE || (n == 1 && waiting[0] == step->a)) continue;
    if (is_wide(t)) {
      sincos_of_row(t, step->a);
      continue;
    }
    waiting[n++] = step->a;
    if (n == 2) sincos_of_pair(t, waiting, n, FIRST_LOCAL + pair), n = 0;
  }
  if (n) sincos_of_pair(t, waiting, n, FIRST_LOCAL + pair);
}

static uint32_t trig_step(Translation *t, uint32_t i, const Step *step) {
  if (place_of(t, step->a)->sine == NONE) sincos_of_group(t, i);
  return place_of(t, step->a)->sine + (step->op == STEP_COS ? t->registers : 0);
}

// ---- Functions

static void translate_step(Translation *t, uint32_t i) {
  const Step *step = main_step(t, i);
  Slot value = program_first_main(t->p) + i;
  if (step_kind(step->op) == STEP_TRIG) {
    settle(t, value, trig_step(t, i, step));
    return;
  }
  const Slot operands[3] = {step->a, step->b, step->c};
  // loads come before what stands on the stack
  for (int k = 0; k < step_arity(step->op); k++)
    if (!is_constant(t, operands[k])) local_of(t, operands[k]);
  uint32_t local = new_locals(t, 1);
  for (uint32_t r = 0; r < t->registers; r++) {
    if (step_kind(step->op) == STEP_CALL)
      call_step(t, step, r);
    else
      plain_step(t, step, r);
    wasm_set(t->w, local + r);
  }
  settle(t, value, local);
}

// Outputs that no step computes.
static void store_remaining_outputs(Translation *t) {
  for (Slot v = 0; v < program_first_main(t->p); v++)
    for (uint32_t o = t->first_output[v]; o != NONE; o = t->next_output[o])
      store(t, OUT, o * row_size(t), local_of(t, v));
}

// Locals: two of two lanes for pairs, then those of values.
static void write_part(Translation *t, uint32_t part, WasmBuffer *code) {
  enum { PAIR_LOCALS = 2 };
  WasmBuffer steps = wasm_buffer(t->arena), body = wasm_buffer(t->arena);
  t->w = &steps, t->part = part, t->locals = PAIR_LOCALS;
  uint32_t end = (part + 1) * PART_STEPS;
  for (uint32_t i = part * PART_STEPS; i < end && i < t->p->main_count; i++) translate_step(t, i);
  if (end >= t->p->main_count) store_remaining_outputs(t);
  wasm_op(&steps, WASM_END);
  wasm_number(&body, 2);
  wasm_number(&body, PAIR_LOCALS), wasm_byte(&body, WASM_V128);
  wasm_number(&body, t->locals - PAIR_LOCALS), wasm_byte(&body, is_wide(t) ? WASM_V128 : WASM_F64);
  wasm_number(code, body.bytes.n + steps.bytes.n);
  for (uint32_t i = 0; i < body.bytes.n; i++) wasm_byte(code, body.bytes.at[i]);
  for (uint32_t i = 0; i < steps.bytes.n; i++) wasm_byte(code, steps.bytes.at[i]);
}

// Calls the parts in their order.
static void write_run(Arena *arena, uint32_t parts, WasmBuffer *code) {
  WasmBuffer body = wasm_buffer(arena);
  wasm_number(&body, 0);
  for (uint32_t i = 0; i < parts; i++) {
    for (uint32_t argument = IN; argument <= WORK; argument++) wasm_get(&body, argument);
    wasm_op(&body, WASM_CALL), wasm_number(&body, SINCOS_FUNCTION + 1 + i);
  }
  wasm_op(&body, WASM_END);
  wasm_nest(code, &body);
}

// ---- The module

static void add_types(WasmBuffer *w) {
  enum { FUNCTION = 0x60, ENOUGH = 3 };
  static const struct {
    uint32_t takes, gives;
    uint8_t of[ENOUGH], results[2];
  } types[] = {
      [WASM_RUN] = {3, 0, {WASM_I32, WASM_I32, WASM_I32}, {0}},
      [WASM_ONE] = {1, 1, {WASM_F64}, {WASM_F64}},
      [WASM_TWO] = {2, 1, {WASM_F64, WASM_F64}, {WASM_F64}},
      [WASM_LOOK] = {3, 1, {WASM_I32, WASM_F64, WASM_F64}, {WASM_F64}},
      [WASM_EXACT] = {3, 0, {WASM_F64, WASM_I32, WASM_I32}, {0}},
      [WASM_SINCOS] = {2, 2, {WASM_V128, WASM_I32}, {WASM_V128, WASM_V128}},
  };
  uint32_t n = sizeof types / sizeof *types;
  wasm_number(w, n);
  for (uint32_t i = 0; i < n; i++) {
    wasm_byte(w, FUNCTION), wasm_number(w, types[i].takes);
    for (uint32_t k = 0; k < types[i].takes; k++) wasm_byte(w, types[i].of[k]);
    wasm_number(w, types[i].gives);
    for (uint32_t k = 0; k < types[i].gives; k++) wasm_byte(w, types[i].results[k]);
  }
}

static void add_imports(WasmBuffer *w) {
  enum { TABLE = 1, MEMORY = 2, FUNCTIONS = 0x70, NO_LIMIT = 0 };
  wasm_number(w, 2);
  wasm_name(w, "m"), wasm_name(w, "memory");
  wasm_byte(w, MEMORY), wasm_byte(w, NO_LIMIT), wasm_number(w, 0);
  wasm_name(w, "m"), wasm_name(w, "table");
  wasm_byte(w, TABLE), wasm_byte(w, FUNCTIONS), wasm_byte(w, NO_LIMIT), wasm_number(w, 0);
}

static void add_module(Translation *t, uint32_t parts, const WasmBuffer *code, WasmBuffer *w) {
  static const uint8_t head[] = {0, 'a', 's', 'm', 1, 0, 0, 0};
  WasmBuffer types = wasm_buffer(t->arena), imports = types, functions = types, exports = types;
  for (size_t i = 0; i < sizeof head; i++) wasm_byte(w, head[i]);
  add_types(&types), add_imports(&imports);
  wasm_number(&functions, parts + 2);
  wasm_number(&functions, WASM_SINCOS);
  for (uint32_t i = 0; i <= parts; i++) wasm_number(&functions, WASM_RUN);
  wasm_number(&exports, 1), wasm_name(&exports, "run");
  wasm_byte(&exports, 0), wasm_number(&exports, SINCOS_FUNCTION + 1 + (parts == 1 ? 0 : parts));
  wasm_section(w, WASM_TYPES, &types);
  wasm_section(w, WASM_IMPORTS, &imports);
  wasm_section(w, WASM_FUNCTIONS, &functions);
  wasm_section(w, WASM_EXPORTS, &exports);
  wasm_section(w, WASM_CODE, code);
}

WasmCode wasm_translate(Context *cx, const Program *p, uint32_t lanes) {
  Arena *arena = &cx->scratch;
  WasmCode out = {.module = wasm_buffer(arena)};
  Translation t = {.p = p, .arena = arena, .lanes = lanes, .registers = lanes > 1 ? lanes / 2 : 1};
  uint32_t values = program_value_count(p) + 1;
  uint32_t parts = p->main_count ? part_of_step(p->main_count - 1) + 1 : 1;
  if (values > INT32_MAX / 512 || p->output_count > INT32_MAX / 512)
    guard_escape(&cx->guard, QDOT_TOO_LARGE);
  t.crossing = arena_array(arena, uint32_t, values);
  t.places = arena_array(arena, Where, values);
  t.first_output = arena_array(arena, uint32_t, values);
  t.next_output = arena_array(arena, uint32_t, p->output_count + 1);
  for (uint32_t v = 0; v < values; v++) t.places[v].part = NONE;
  find_crossings(&t), list_outputs(&t);

  WasmBuffer code = wasm_buffer(arena), sincos = wasm_buffer(arena);
  wasm_number(&code, parts + 2);
  wasm_sincos(&sincos);
  wasm_nest(&code, &sincos);
  for (uint32_t part = 0; part < parts; part++) write_part(&t, part, &code);
  write_run(arena, parts, &code);
  add_module(&t, parts, &code, &out.module);
  // whole rows
  out.work_size = (p->prologue_count + t.crossings) * lanes + WASM_SINCOS_ROOM;
  return out;
}
