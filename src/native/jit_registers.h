// Where each value of a Program is while machine code is written: in a register, in memory, or
// both.
//
// Registers are given up by Belady's rule: the value whose next use is furthest goes. Constants,
// inputs, prologue values, stored outputs and spilled values have a home in memory and are read
// from there; others get one when they must leave their register.
#ifndef QDOT_NATIVE_JIT_REGISTERS_H
#define QDOT_NATIVE_JIT_REGISTERS_H

#include "native/x86_encode.h"
#include "program/program.h"

#define NEVER UINT32_MAX
enum { XMM_COUNT = 16, ZMM_COUNT = 32 };

typedef struct Later {
  uint32_t of[3]; // next use of each operand after a step
} Later;

typedef struct Registers {
  Context *cx;
  const Program *p;
  CodeBuffer *code;
  uint8_t work_base;  // register that points into the work array
  uint8_t registers;  // how many may hold values; scratch registers are above
  uint32_t *next_use; // of each value: a main step, or NEVER
  Later *later;       // beside the main steps
  int8_t *in;         // of each value: its register, or -1
  Operand *home;      // of each value; IN_REGISTER means that it has none
  bool *spilled;      // of each value: its home is a spare place
  Slot holds[ZMM_COUNT];
  VEC(uint32_t) spare, freed; // places in the work array
  uint32_t place_count;
} Registers;

// Homes of constants, inputs and prologue values are the caller's to set.
void registers_open(Registers *places, Context *cx, const Program *p, CodeBuffer *code);

// A place of the work array as an operand; places [0, n) start behind the prologue's values.
Operand registers_memory(const Registers *places, uint32_t place);
// n new places in a row, never reused.
uint32_t registers_row(Registers *places, uint32_t n);

// The value in a register (loaded if need be), leaving the registers in the pinned set alone.
uint8_t registers_register(Registers *places, Slot value, uint32_t pinned);
// The value where it is: a register, else its home.
Operand registers_operand(const Registers *places, Slot value);

// Notes that main step i has read its operands; those never read again lose register and home, but
// their contents stay until registers_flush.
void registers_read(Registers *places, uint32_t i);
void registers_flush(Registers *places);

// A register for a value about to be computed.
uint8_t registers_result(Registers *places, Slot value);
void registers_drop_register(Registers *places, Slot value);
// Stores what is still needed and has no home; the registers keep their contents.
void registers_save_all(Registers *places);
// Forgets every register, as a call does.
void registers_forget_registers(Registers *places);

#endif
