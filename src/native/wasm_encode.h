// Bytes of a WebAssembly module: numbers, instructions and sections, as the core specification 2.0
// writes them.
#ifndef QDOT_NATIVE_WASM_ENCODE_H
#define QDOT_NATIVE_WASM_ENCODE_H

#include <stdint.h>

#include "base/vec.h"

typedef struct WasmBuffer {
  Arena *arena;
  VEC(uint8_t) bytes;
} WasmBuffer;

typedef enum WasmType { WASM_I32 = 0x7F, WASM_F64 = 0x7C, WASM_V128 = 0x7B } WasmType;

typedef enum WasmSection {
  WASM_TYPES = 1,
  WASM_IMPORTS = 2,
  WASM_FUNCTIONS = 3,
  WASM_EXPORTS = 7,
  WASM_CODE = 10
} WasmSection;

// Instructions of one byte.
typedef enum WasmOp {
  WASM_IF = 0x04,
  WASM_END = 0x0B,
  WASM_CALL = 0x10,
  WASM_CALL_INDIRECT = 0x11,
  WASM_SELECT = 0x1B,
  WASM_GET = 0x20,
  WASM_SET = 0x21,
  WASM_LOAD_F64 = 0x2B,
  WASM_STORE_F64 = 0x39,
  WASM_I32_CONST = 0x41,
  WASM_F64_CONST = 0x44,
  WASM_EQ = 0x61,
  WASM_NE = 0x62,
  WASM_LT = 0x63,
  WASM_GT = 0x64,
  WASM_LE = 0x65,
  WASM_I32_ADD = 0x6A,
  WASM_I32_AND = 0x71,
  WASM_I32_OR = 0x72,
  WASM_ABS = 0x99,
  WASM_NEG = 0x9A,
  WASM_SQRT = 0x9F,
  WASM_ADD = 0xA0,
  WASM_SUB = 0xA1,
  WASM_MUL = 0xA2,
  WASM_DIV = 0xA3,
  WASM_I32_WRAP = 0xA7,
  WASM_TO_F64 = 0xB7
} WasmOp;

// Instructions on two lanes of 64 bits, behind the prefix 0xFD.
typedef enum WasmLaneOp {
  LANES_LOAD = 0x00,
  LANES_STORE = 0x0B,
  LANES_CONST = 0x0C,
  LANES_SPLAT = 0x14,
  LANES_EXTRACT_I64 = 0x1D,
  LANES_EXTRACT = 0x21,
  LANES_REPLACE = 0x22,
  LANES_EQ = 0x47,
  LANES_NE = 0x48,
  LANES_LT = 0x49,
  LANES_GT = 0x4A,
  LANES_LE = 0x4B,
  LANES_NOT = 0x4D,
  LANES_AND = 0x4E,
  LANES_OR = 0x50,
  LANES_XOR = 0x51,
  LANES_CHOOSE = 0x52,
  LANES_ANY = 0x53,
  LANES_I64_NEG = 0xC1,
  LANES_I64_SHL = 0xCB,
  LANES_I64_SHR = 0xCC,
  LANES_I64_ADD = 0xCE,
  LANES_I64_SUB = 0xD1,
  LANES_ABS = 0xEC,
  LANES_NEG = 0xED,
  LANES_SQRT = 0xEF,
  LANES_ADD = 0xF0,
  LANES_SUB = 0xF1,
  LANES_MUL = 0xF2,
  LANES_DIV = 0xF3,
  LANES_PMIN = 0xF6,
  LANES_PMAX = 0xF7
} WasmLaneOp;

WasmBuffer wasm_buffer(Arena *arena);
void wasm_byte(WasmBuffer *w, uint8_t byte);
// LEB128.
void wasm_number(WasmBuffer *w, uint32_t value);
void wasm_signed(WasmBuffer *w, int32_t value);
// Another buffer with its length before it.
void wasm_nest(WasmBuffer *w, const WasmBuffer *inner);
void wasm_section(WasmBuffer *w, WasmSection section, const WasmBuffer *content);
void wasm_name(WasmBuffer *w, const char *name);

void wasm_op(WasmBuffer *w, WasmOp op);
void wasm_lanes(WasmBuffer *w, WasmLaneOp op);
void wasm_get(WasmBuffer *w, uint32_t local);
void wasm_set(WasmBuffer *w, uint32_t local);
void wasm_i32(WasmBuffer *w, uint32_t value);
void wasm_f64(WasmBuffer *w, double value);
// The same in both lanes.
void wasm_both(WasmBuffer *w, double value);
void wasm_both_bits(WasmBuffer *w, uint64_t bits);
// Of doubles, at an offset in bytes from the address on the stack.
void wasm_memory(WasmBuffer *w, WasmOp op, uint32_t offset);
void wasm_lane_memory(WasmBuffer *w, WasmLaneOp op, uint32_t offset);
void wasm_lane(WasmBuffer *w, WasmLaneOp op, uint8_t lane);

#endif
