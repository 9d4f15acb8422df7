// Encodes the instructions; nothing here knows what they are for.
#include "native/x86_encode.h"

#include <assert.h>

static void put(CodeBuffer *code, uint32_t byte) {
  uint8_t value = (uint8_t)byte;
  vec_push(code->arena, &code->bytes, value);
}

static void put32(CodeBuffer *code, uint32_t word) {
  for (int i = 0; i < 4; i++) put(code, word >> 8 * i);
}

// ModRM and displacement of [base + offset]; short displacements count in units.
static void put_memory(CodeBuffer *code, uint8_t field, uint8_t base, int32_t offset,
                       int32_t unit) {
  assert((base & 7) != RSP);
  bool is_short = offset % unit == 0 && offset / unit >= -128 && offset / unit <= 127;
  put(code, (is_short ? 0x40u : 0x80u) | (field & 7u) << 3 | (base & 7u));
  if (is_short)
    put(code, (uint32_t)(offset / unit));
  else
    put32(code, (uint32_t)offset);
}

// ModRM, displacement and trailing byte.
static void put_operands(CodeBuffer *code, uint8_t to, Operand second, int32_t unit, int imm) {
  switch (second.kind) {
  case IN_REGISTER: put(code, 0xC0u | (to & 7u) << 3 | (second.reg & 7u)); break;
  case IN_MEMORY: put_memory(code, to, second.reg, second.offset, unit); break;
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

static void put_vex(CodeBuffer *code, VexOp op, uint8_t to, uint8_t first, Operand second,
                    int imm) {
  bool extended = second.kind != IN_POOL && second.reg >= 8;
  uint32_t r = to >= 8 ? 0 : 0x80, b = extended ? 0 : 0x20, wide = code->lanes > 1 ? 4 : 0;
  uint32_t low = (~(uint32_t)first & 15) << 3 | wide | op.prefix;
  if (!extended && op.map == MAP_0F) {
    put(code, 0xC5);
    put(code, r | low);
  } else {
    put(code, 0xC4);
    put(code, r | 0x40 | b | op.map);
    put(code, low);
  }
  put(code, op.opcode);
  put_operands(code, to, second, 1, imm);
}

// ---- AVX-512: 64 bytes, 32 registers

enum { MASK = 1, EVEX_BYTES = 64 }; // comparisons put their result into mask register k1

// mask: the register of masks that chooses, 0 for none.
static void put_evex(CodeBuffer *code, VexOp op, uint8_t to, uint8_t first, Operand second,
                     uint8_t mask, int imm) {
  bool in_register = second.kind == IN_REGISTER, in_pool = second.kind == IN_POOL;
  uint32_t r = to & 8 ? 0 : 0x80, r2 = to & 16 ? 0 : 0x10;
  uint32_t x = in_register && second.reg & 16 ? 0 : 0x40, b = !in_pool && second.reg & 8 ? 0 : 0x20;
  put(code, 0x62);
  put(code, r | x | b | r2 | op.map);
  put(code, 0x80u | (~(uint32_t)first & 15) << 3 | 4u | op.prefix);
  put(code, 0x40u | (first & 16 ? 0 : 8u) | mask);
  put(code, op.opcode);
  put_operands(code, to, second, EVEX_BYTES, imm);
}

static bool is_op(VexOp a, VexOp b) {
  return a.prefix == b.prefix && a.map == b.map && a.opcode == b.opcode;
}

// A mask register becomes a vector of all or no bits, and back.
#define EVEX_SPREAD ((VexOp){VEX_F3, MAP_0F38, 0x38})
#define EVEX_COLLECT ((VexOp){VEX_F3, MAP_0F38, 0x39})
#define EVEX_BLEND ((VexOp){VEX_66, MAP_0F38, 0x65})

static void put_wide(CodeBuffer *code, VexOp op, uint8_t to, uint8_t first, Operand second,
                     int imm) {
  if (is_op(op, VEX_BLENDVPD)) {
    put_evex(code, EVEX_COLLECT, MASK, 0, (Operand){IN_REGISTER, (uint8_t)(imm >> 4), 0}, 0, -1);
    put_evex(code, EVEX_BLEND, to, first, second, MASK, -1);
    return;
  }
  bool compares = is_op(op, VEX_CMPSD);
  if (op.prefix == VEX_F2) op.prefix = VEX_66;
  put_evex(code, op, compares ? MASK : to, first, second, 0, imm);
  if (compares) put_evex(code, EVEX_SPREAD, to, 0, (Operand){IN_REGISTER, MASK, 0}, 0, -1);
}

void x86_vex(CodeBuffer *code, VexOp op, uint8_t to, uint8_t first, Operand second, int imm) {
  if (code->lanes > 1 && is_op(op, VEX_SQRTSD)) first = 0; // has one operand there
  if (code->lanes == 8) {
    put_wide(code, op, to, first, second, imm);
    return;
  }
  if (code->lanes > 1 && op.prefix == VEX_F2) op.prefix = VEX_66;
  put_vex(code, op, to, first, second, imm);
}

void x86_clear_uppers(CodeBuffer *code) {
  put(code, 0xC5);
  put(code, 0xF8);
  put(code, 0x77);
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
  put_memory(code, to, from, offset, 1);
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
