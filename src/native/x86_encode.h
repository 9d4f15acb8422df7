// Machine instructions of x86-64 with AVX, as far as straight-line arithmetic needs them.
#ifndef QDOT_NATIVE_X86_ENCODE_H
#define QDOT_NATIVE_X86_ENCODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

// lanes: how many doubles every arithmetic instruction acts on: 1; 4 in AVX2 registers; 8 in those
// of AVX-512, of which there are 32.
typedef struct CodeBuffer {
  Arena *arena;
  VEC(uint8_t) bytes;
  uint32_t lanes;
} CodeBuffer;

typedef enum X86Register { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R14 = 14 } X86Register;

// The second source of an instruction: a register, memory behind a base register, or a literal of
// the pool at the start of the buffer.
typedef enum OperandKind { IN_REGISTER, IN_MEMORY, IN_POOL } OperandKind;
typedef struct Operand {
  OperandKind kind;
  uint8_t reg;    // xmm register, or the base register
  int32_t offset; // bytes from the base register, or from the start of the buffer
} Operand;

typedef enum VexPrefix { VEX_NONE, VEX_66, VEX_F3, VEX_F2 } VexPrefix;
typedef enum VexMap { MAP_0F = 1, MAP_0F38, MAP_0F3A } VexMap;

// VEX instruction opcode with destination (the ModRM register), first source and second source;
// imm is a trailing byte, -1 for none. A source that the instruction lacks is 0. With several lanes
// the instruction's packed form is written: masks of comparisons and blends are vectors there, too.
typedef struct VexOp {
  uint8_t prefix, map, opcode;
} VexOp;

#define VEX_ADDSD ((VexOp){VEX_F2, MAP_0F, 0x58})
#define VEX_MULSD ((VexOp){VEX_F2, MAP_0F, 0x59})
#define VEX_SUBSD ((VexOp){VEX_F2, MAP_0F, 0x5C})
#define VEX_MINSD ((VexOp){VEX_F2, MAP_0F, 0x5D})
#define VEX_DIVSD ((VexOp){VEX_F2, MAP_0F, 0x5E})
#define VEX_MAXSD ((VexOp){VEX_F2, MAP_0F, 0x5F})
#define VEX_SQRTSD ((VexOp){VEX_F2, MAP_0F, 0x51})
#define VEX_CMPSD ((VexOp){VEX_F2, MAP_0F, 0xC2})
#define VEX_LOADSD ((VexOp){VEX_F2, MAP_0F, 0x10})
#define VEX_STORESD ((VexOp){VEX_F2, MAP_0F, 0x11})
#define VEX_MOVAPD ((VexOp){VEX_66, MAP_0F, 0x28})
#define VEX_ANDPD ((VexOp){VEX_66, MAP_0F, 0x54})
#define VEX_ORPD ((VexOp){VEX_66, MAP_0F, 0x56})
#define VEX_XORPD ((VexOp){VEX_66, MAP_0F, 0x57})
#define VEX_BLENDVPD ((VexOp){VEX_66, MAP_0F3A, 0x4B})

// Predicates of VEX_CMPSD: false for NaN, but for NOT_EQUAL.
enum { CMP_EQUAL = 0, CMP_NOT_EQUAL = 4, CMP_LESS = 0x11, CMP_LESS_EQUAL = 0x12 };

void x86_vex(CodeBuffer *code, VexOp op, uint8_t to, uint8_t first, Operand second, int imm);

// Before calls, and at the end, of code with several lanes.
void x86_clear_uppers(CodeBuffer *code);

void x86_push(CodeBuffer *code, uint8_t reg);
void x86_pop(CodeBuffer *code, uint8_t reg);
void x86_return(CodeBuffer *code);
// to = from + offset, 64 bits
void x86_lea(CodeBuffer *code, uint8_t to, uint8_t from, int32_t offset);
void x86_set32(CodeBuffer *code, uint8_t to, uint32_t value);
void x86_set64(CodeBuffer *code, uint8_t to, uint64_t value);
// Calls a function anywhere; RAX is lost.
void x86_call(CodeBuffer *code, uint64_t address);

#endif
