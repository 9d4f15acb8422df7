// Register allocation over one straight line.
#include "native/jit_registers.h"

#include <assert.h>

// With this shift, places 0 to 31 are reached with one byte of displacement.
enum { NEAR = -128 };

static int32_t place_size(const Registers *s) { return 8 * (int32_t)s->code->lanes; }

static void find_uses(Registers *s) {
  const Program *p = s->p;
  for (uint32_t v = 0; v < program_value_count(p); v++) s->next_use[v] = NEVER;
  for (uint32_t i = p->main_count; i-- > 0;) {
    const Step *step = &p->steps[p->prologue_count + i];
    const Slot operands[3] = {step->a, step->b, step->c};
    int arity = step_arity(step->op);
    for (int k = 0; k < arity; k++) s->later[i].of[k] = s->next_use[operands[k]];
    for (int k = 0; k < arity; k++) s->next_use[operands[k]] = i;
  }
}

void registers_open(Registers *s, Context *cx, const Program *p, CodeBuffer *code) {
  uint32_t values = program_value_count(p) + 1;
  *s = (Registers){.cx = cx, .p = p, .code = code};
  s->registers = code->lanes == 8 ? ZMM_COUNT : XMM_COUNT;
  s->next_use = arena_array(&cx->scratch, uint32_t, values);
  s->later = arena_array(&cx->scratch, Later, p->main_count + 1);
  s->in = arena_array(&cx->scratch, int8_t, values);
  s->home = arena_array(&cx->scratch, Operand, values);
  s->spilled = arena_array(&cx->scratch, bool, values);
  for (uint32_t v = 0; v < values; v++) s->in[v] = -1;
  for (int r = 0; r < ZMM_COUNT; r++) s->holds[r] = NO_SLOT;
  find_uses(s);
}

Operand registers_memory(const Registers *s, uint32_t place) {
  return (Operand){IN_MEMORY, s->work_base, (int32_t)place * place_size(s) + NEAR};
}

uint32_t registers_row(Registers *s, uint32_t n) {
  uint32_t first = s->place_count;
  s->place_count += n;
  if (s->place_count + s->p->prologue_count > INT32_MAX / 128)
    guard_escape(&s->cx->guard, QDOT_TOO_LARGE);
  return first;
}

static void bind(Registers *s, Slot value, uint8_t reg) {
  s->in[value] = (int8_t)reg;
  s->holds[reg] = value;
}

void registers_drop_register(Registers *s, Slot value) {
  if (s->in[value] < 0) return;
  s->holds[s->in[value]] = NO_SLOT;
  s->in[value] = -1;
}

static uint32_t place_from_home(const Registers *s, const Operand *home) {
  return (uint32_t)(home->offset - NEAR) / (uint32_t)place_size(s);
}

// Gives a value in a register a home in memory.
static void store_home(Registers *s, Slot value) {
  uint32_t place = s->spare.n ? s->spare.at[--s->spare.n] : registers_row(s, 1);
  s->home[value] = registers_memory(s, place);
  s->spilled[value] = true;
  x86_vex(s->code, VEX_STORESD, (uint8_t)s->in[value], 0, s->home[value], -1);
}

static uint8_t take_register(Registers *s, uint32_t pinned) {
  int furthest = -1;
  for (uint8_t r = 0; r < s->registers; r++) {
    if (pinned >> r & 1) continue;
    if (s->holds[r] == NO_SLOT) return r;
    if (furthest < 0 || s->next_use[s->holds[r]] > s->next_use[s->holds[furthest]]) furthest = r;
  }
  assert(furthest >= 0);
  Slot victim = s->holds[furthest];
  if (s->home[victim].kind == IN_REGISTER) store_home(s, victim);
  registers_drop_register(s, victim);
  return (uint8_t)furthest;
}

uint8_t registers_register(Registers *s, Slot value, uint32_t pinned) {
  if (s->in[value] >= 0) return (uint8_t)s->in[value];
  uint8_t reg = take_register(s, pinned);
  x86_vex(s->code, VEX_LOADSD, reg, 0, s->home[value], -1);
  bind(s, value, reg);
  return reg;
}

Operand registers_operand(const Registers *s, Slot value) {
  if (s->in[value] >= 0) return (Operand){IN_REGISTER, (uint8_t)s->in[value], 0};
  assert(s->home[value].kind != IN_REGISTER);
  return s->home[value];
}

static void end_life(Registers *s, Slot value) {
  registers_drop_register(s, value);
  if (!s->spilled[value]) return;
  s->spilled[value] = false;
  uint32_t place = place_from_home(s, &s->home[value]);
  vec_push(&s->cx->scratch, &s->freed, place);
}

void registers_read(Registers *s, uint32_t i) {
  const Step *step = &s->p->steps[s->p->prologue_count + i];
  const Slot operands[3] = {step->a, step->b, step->c};
  for (int k = 0; k < step_arity(step->op); k++) {
    s->next_use[operands[k]] = s->later[i].of[k];
    if (s->later[i].of[k] == NEVER) end_life(s, operands[k]);
  }
}

void registers_flush(Registers *s) {
  for (uint32_t i = 0; i < s->freed.n; i++) vec_push(&s->cx->scratch, &s->spare, s->freed.at[i]);
  s->freed.n = 0;
}

uint8_t registers_result(Registers *s, Slot value) {
  uint8_t reg = take_register(s, 0);
  bind(s, value, reg);
  return reg;
}

void registers_save_all(Registers *s) {
  for (int r = 0; r < ZMM_COUNT; r++)
    if (s->holds[r] != NO_SLOT && s->home[s->holds[r]].kind == IN_REGISTER)
      store_home(s, s->holds[r]);
}

void registers_forget_registers(Registers *s) {
  for (int r = 0; r < ZMM_COUNT; r++)
    if (s->holds[r] != NO_SLOT) registers_drop_register(s, s->holds[r]);
}
