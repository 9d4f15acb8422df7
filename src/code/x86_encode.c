// Encodes the instructions; nothing here knows what they are for.
#include "code/x86_encode.h"

#include <assert.h>

static void put(CodeBuffer *code, uint32_t byte) {
  uint8_t value = (uint8_t)byte;
  vec_push(code->arena, &code->bytes, value);
}

static void put32(CodeBuffer *code, uint32_t word) {
  for (int i = 0; i < 4; i++) put(code, word >> 8 * i);
}

// ModRM and displacement of [base + offset].
static void put_memory(CodeBuffer *code, uint8_t field, uint8_t base, int32_t offset) {
  assert((base & 7) != RSP);
  bool is_short = offset >= -128 && offset <= 127;
  put(code, (is_short ? 0x40u : 0x80u) | (field & 7u) << 3 | (base & 7u));
  if (is_short)
    put(code, (uint32_t)offset);
  else
    put32(code, (uint32_t)offset);
}

void x86_vex(CodeBuffer *code, VexOp op, uint8_t to, uint8_t first, Operand second, int imm) {
  bool extended = second.kind != IN_POOL && second.reg >= 8;
  uint32_t r = to >= 8 ? 0 : 0x80, b = extended ? 0 : 0x20;
  uint32_t low = (~(uint32_t)first & 15) << 3 | op.prefix;
  if (!extended && op.map == MAP_0F) {
    put(code, 0xC5);
    put(code, r | low);
  } else {
    put(code, 0xC4);
    put(code, r | 0x40 | b | op.map);
    put(code, low);
  }
  put(code, op.opcode);
  switch (second.kind) {
  case IN_REGISTER: put(code, 0xC0u | (to & 7u) << 3 | (second.reg & 7u)); break;
  case IN_MEMORY: put_memory(code, to, second.reg, second.offset); break;
  case IN_POOL: {
    // relative to the end of this instruction
    put(code, (to & 7u) << 3 | 5);
    int32_t end = (int32_t)code->bytes.n + 4 + (imm >= 0);
    put32(code, (uint32_t)(second.offset - end));
    break;
  }
  }
  if (imm >= 0) put(code, (uint32_t)imm);
}

void x86_push(CodeBuffer *code, uint8_t reg) {
  if (reg >= 8) put(code, 0x41);
  put(code, 0x50u | (reg & 7u));
}

void x86_pop(CodeBuffer *code, uint8_t reg) {
  if (reg >= 8) put(code, 0x41);
  put(code, 0x58u | (reg & 7u));
}

void x86_return(CodeBuffer *code) { put(code, 0xC3); }

void x86_lea(CodeBuffer *code, uint8_t to, uint8_t from, int32_t offset) {
  put(code, 0x48u | (to >= 8 ? 4u : 0u) | (from >= 8 ? 1u : 0u));
  put(code, 0x8D);
  put_memory(code, to, from, offset);
}

void x86_set32(CodeBuffer *code, uint8_t to, uint32_t value) {
  assert(to < 8);
  put(code, 0xB8u | to);
  put32(code, value);
}

void x86_set64(CodeBuffer *code, uint8_t to, uint64_t value) {
  assert(to < 8);
  put(code, 0x48);
  put(code, 0xB8u | to);
  put32(code, (uint32_t)value);
  put32(code, (uint32_t)(value >> 32));
}

void x86_call(CodeBuffer *code, uint64_t address) {
  // mov rax, address; call rax
  x86_set64(code, RAX, address);
  put(code, 0xFF);
  put(code, 0xD0);
}
