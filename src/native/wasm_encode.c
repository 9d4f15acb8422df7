// Bytes of a WebAssembly module.
#include "native/wasm_encode.h"

#include <string.h>

WasmBuffer wasm_buffer(Arena *arena) { return (WasmBuffer){.arena = arena}; }

void wasm_byte(WasmBuffer *w, uint8_t byte) { vec_push(w->arena, &w->bytes, byte); }

void wasm_number(WasmBuffer *w, uint32_t value) {
  for (; value >= 0x80; value >>= 7) wasm_byte(w, (uint8_t)(value | 0x80));
  wasm_byte(w, (uint8_t)value);
}

void wasm_signed(WasmBuffer *w, int32_t value) {
  for (;;) {
    uint8_t low = value & 0x7F;
    value >>= 7;
    bool is_last = (value == 0 && !(low & 0x40)) || (value == -1 && low & 0x40);
    wasm_byte(w, is_last ? low : low | 0x80);
    if (is_last) return;
  }
}

static void add_bytes(WasmBuffer *w, const void *bytes, size_t n) {
  const uint8_t *at = bytes;
  for (size_t i = 0; i < n; i++) wasm_byte(w, at[i]);
}

void wasm_nest(WasmBuffer *w, const WasmBuffer *inner) {
  wasm_number(w, inner->bytes.n);
  add_bytes(w, inner->bytes.at, inner->bytes.n);
}

void wasm_section(WasmBuffer *w, WasmSection section, const WasmBuffer *content) {
  wasm_byte(w, (uint8_t)section);
  wasm_nest(w, content);
}

void wasm_name(WasmBuffer *w, const char *name) {
  size_t n = strlen(name);
  wasm_number(w, (uint32_t)n);
  add_bytes(w, name, n);
}

void wasm_op(WasmBuffer *w, WasmOp op) { wasm_byte(w, (uint8_t)op); }

void wasm_lanes(WasmBuffer *w, WasmLaneOp op) {
  wasm_byte(w, 0xFD);
  wasm_number(w, op);
}

void wasm_get(WasmBuffer *w, uint32_t local) {
  wasm_op(w, WASM_GET);
  wasm_number(w, local);
}

void wasm_set(WasmBuffer *w, uint32_t local) {
  wasm_op(w, WASM_SET);
  wasm_number(w, local);
}

void wasm_i32(WasmBuffer *w, uint32_t value) {
  wasm_op(w, WASM_I32_CONST);
  wasm_signed(w, (int32_t)value);
}

static void add_bits(WasmBuffer *w, uint64_t bits) {
  for (int i = 0; i < 8; i++) wasm_byte(w, (uint8_t)(bits >> 8 * i));
}

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

void wasm_f64(WasmBuffer *w, double value) {
  wasm_op(w, WASM_F64_CONST);
  add_bits(w, bits_of(value));
}

void wasm_both_bits(WasmBuffer *w, uint64_t bits) {
  wasm_lanes(w, LANES_CONST);
  add_bits(w, bits);
  add_bits(w, bits);
}

void wasm_both(WasmBuffer *w, double value) { wasm_both_bits(w, bits_of(value)); }

enum { ALIGN_8 = 3 }; // as a power of two

void wasm_memory(WasmBuffer *w, WasmOp op, uint32_t offset) {
  wasm_op(w, op);
  wasm_number(w, ALIGN_8);
  wasm_number(w, offset);
}

void wasm_lane_memory(WasmBuffer *w, WasmLaneOp op, uint32_t offset) {
  wasm_lanes(w, op);
  wasm_number(w, ALIGN_8);
  wasm_number(w, offset);
}

void wasm_lane(WasmBuffer *w, WasmLaneOp op, uint8_t lane) {
  wasm_lanes(w, op);
  wasm_byte(w, lane);
}
