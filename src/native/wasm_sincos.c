// Sine and cosine of two lanes in WebAssembly: the operations of program/sincos_lanes.h, in their
// order, so that the bits are the same.
#include <stdint.h>

#include "native/jit_wasm.h"
#include "program/elementary.h"
#include "program/sincos_numbers.h"

// Its locals: two arguments, then vectors.
enum {
  X,
  ROOM,
  ROUNDED,
  N,
  T,
  W,
  D,
  E,
  LOST,
  R,
  TAIL,
  Z,
  Z2,
  Z4,
  HALF,
  ONE_LESS,
  SINE,
  COSINE,
  BOTH,
  LEFT,
  LOCALS_END
};

static void get(WasmBuffer *w, uint32_t local) { wasm_get(w, local); }

// a op b, both locals.
static void combine(WasmBuffer *w, uint32_t a, WasmLaneOp op, uint32_t b) {
  get(w, a), get(w, b), wasm_lanes(w, op);
}

static void reduce(WasmBuffer *w) {
  get(w, X), wasm_both(w, TWO_OVER_PI), wasm_lanes(w, LANES_MUL);
  wasm_both(w, ROUNDER), wasm_lanes(w, LANES_ADD), wasm_set(w, ROUNDED);
  get(w, ROUNDED), wasm_both(w, ROUNDER), wasm_lanes(w, LANES_SUB), wasm_set(w, N);
  get(w, X), get(w, N), wasm_both(w, HALF_PI_1), wasm_lanes(w, LANES_MUL);
  wasm_lanes(w, LANES_SUB), wasm_set(w, T);
  get(w, N), wasm_both(w, HALF_PI_2), wasm_lanes(w, LANES_MUL), wasm_set(w, W);
  combine(w, T, LANES_SUB, W), wasm_set(w, D);
  combine(w, D, LANES_SUB, T), wasm_set(w, E);
  get(w, T), combine(w, D, LANES_SUB, E), wasm_lanes(w, LANES_SUB);
  combine(w, W, LANES_ADD, E), wasm_lanes(w, LANES_SUB);
  get(w, N), wasm_both(w, HALF_PI_3), wasm_lanes(w, LANES_MUL), wasm_lanes(w, LANES_SUB);
  wasm_set(w, LOST);
  combine(w, D, LANES_ADD, LOST), wasm_set(w, R);
  combine(w, D, LANES_SUB, R), get(w, LOST), wasm_lanes(w, LANES_ADD), wasm_set(w, TAIL);
}

// low + high*z
static void line(WasmBuffer *w, double low, double high) {
  wasm_both(w, low), wasm_both(w, high), get(w, Z), wasm_lanes(w, LANES_MUL);
  wasm_lanes(w, LANES_ADD);
}

// ((k0 + k1 z) + z2 (k2 + k3 z)) + z4 (k4 + k5 z)
static void polynomial(WasmBuffer *w, const double *k) {
  line(w, k[0], k[1]);
  get(w, Z2), line(w, k[2], k[3]), wasm_lanes(w, LANES_MUL), wasm_lanes(w, LANES_ADD);
  get(w, Z4), line(w, k[4], k[5]), wasm_lanes(w, LANES_MUL), wasm_lanes(w, LANES_ADD);
}

static void evaluate(WasmBuffer *w) {
  static const double sine[] = {S0, S1, S2, S3, S4, S5}, cosine[] = {C0, C1, C2, C3, C4, C5};
  combine(w, R, LANES_MUL, R), wasm_set(w, Z);
  combine(w, Z, LANES_MUL, Z), wasm_set(w, Z2);
  combine(w, Z2, LANES_MUL, Z2), wasm_set(w, Z4);
  wasm_both(w, 0.5), get(w, Z), wasm_lanes(w, LANES_MUL), wasm_set(w, HALF);
  wasm_both(w, 1), get(w, HALF), wasm_lanes(w, LANES_SUB), wasm_set(w, ONE_LESS);
  // r + ((r z) s + tail one_less)
  get(w, R), combine(w, R, LANES_MUL, Z), polynomial(w, sine), wasm_lanes(w, LANES_MUL);
  combine(w, TAIL, LANES_MUL, ONE_LESS), wasm_lanes(w, LANES_ADD), wasm_lanes(w, LANES_ADD);
  wasm_set(w, SINE);
  // one_less + (((1 - one_less) - half) + (z2 c - r tail))
  get(w, ONE_LESS);
  wasm_both(w, 1), get(w, ONE_LESS), wasm_lanes(w, LANES_SUB), get(w, HALF);
  wasm_lanes(w, LANES_SUB);
  get(w, Z2), polynomial(w, cosine), wasm_lanes(w, LANES_MUL);
  combine(w, R, LANES_MUL, TAIL), wasm_lanes(w, LANES_SUB), wasm_lanes(w, LANES_ADD);
  wasm_lanes(w, LANES_ADD), wasm_set(w, COSINE);
}

// ((rounded + shift) & 2) << 62
static void sign_bits(WasmBuffer *w, bool is_cosine) {
  get(w, ROUNDED);
  if (is_cosine) wasm_both_bits(w, 1), wasm_lanes(w, LANES_I64_ADD);
  wasm_both_bits(w, 2), wasm_lanes(w, LANES_AND), wasm_i32(w, 62), wasm_lanes(w, LANES_I64_SHL);
}

// Quadrants 1 and 3 swap, 2 and 3 negate the sine, 1 and 2 the cosine.
static void turn(WasmBuffer *w) {
  combine(w, SINE, LANES_XOR, COSINE);
  get(w, ROUNDED), wasm_both_bits(w, 1), wasm_lanes(w, LANES_AND), wasm_lanes(w, LANES_I64_NEG);
  wasm_lanes(w, LANES_AND), wasm_set(w, BOTH);
  for (int is_cosine = 0; is_cosine < 2; is_cosine++) {
    uint32_t local = is_cosine ? COSINE : SINE;
    combine(w, local, LANES_XOR, BOTH), sign_bits(w, is_cosine), wasm_lanes(w, LANES_XOR);
    wasm_set(w, local);
  }
}

// (the size of a local's bits - limit) >> 63: all ones below the limit.
static void is_below(WasmBuffer *w, uint32_t local, uint64_t limit) {
  get(w, local), wasm_both_bits(w, INT64_MAX), wasm_lanes(w, LANES_AND);
  wasm_both_bits(w, limit), wasm_lanes(w, LANES_I64_SUB);
  wasm_i32(w, 63), wasm_lanes(w, LANES_I64_SHR);
}

// The lanes that need more bits of pi.
static void find_left(WasmBuffer *w) {
  is_below(w, X, LIMIT_BITS), wasm_lanes(w, LANES_NOT);
  get(w, N), wasm_both_bits(w, INT64_MAX), wasm_lanes(w, LANES_AND), wasm_lanes(w, LANES_I64_NEG);
  wasm_i32(w, 63), wasm_lanes(w, LANES_I64_SHR);
  is_below(w, R, CLOSE_BITS), wasm_lanes(w, LANES_AND);
  wasm_lanes(w, LANES_OR), wasm_set(w, LEFT);
}

static void address(WasmBuffer *w, uint32_t bytes) {
  get(w, ROOM), wasm_i32(w, bytes), wasm_op(w, WASM_I32_ADD);
}

enum { NOTHING = 0x40 }; // the type of a block that leaves no value

static void finish_lane(WasmBuffer *w, uint8_t lane) {
  void (*exact)(double, double *, double *) = elementary_sincos;
  get(w, LEFT), wasm_lane(w, LANES_EXTRACT_I64, lane), wasm_op(w, WASM_I32_WRAP);
  wasm_op(w, WASM_IF), wasm_byte(w, NOTHING);
  get(w, X), wasm_lane(w, LANES_EXTRACT, lane);
  address(w, 8u * lane), address(w, 16 + 8u * lane);
  wasm_i32(w, (uint32_t)(uintptr_t)exact);
  wasm_op(w, WASM_CALL_INDIRECT), wasm_number(w, WASM_EXACT), wasm_number(w, 0);
  wasm_op(w, WASM_END);
}

static void finish(WasmBuffer *w) {
  get(w, LEFT), wasm_lanes(w, LANES_ANY);
  wasm_op(w, WASM_IF), wasm_byte(w, NOTHING);
  get(w, ROOM), get(w, SINE), wasm_lane_memory(w, LANES_STORE, 0);
  get(w, ROOM), get(w, COSINE), wasm_lane_memory(w, LANES_STORE, 16);
  finish_lane(w, 0), finish_lane(w, 1);
  get(w, ROOM), wasm_lane_memory(w, LANES_LOAD, 0), wasm_set(w, SINE);
  get(w, ROOM), wasm_lane_memory(w, LANES_LOAD, 16), wasm_set(w, COSINE);
  wasm_op(w, WASM_END);
}

void wasm_sincos(WasmBuffer *w) {
  wasm_number(w, 1), wasm_number(w, LOCALS_END - ROUNDED), wasm_byte(w, WASM_V128);
  reduce(w), evaluate(w), turn(w), find_left(w), finish(w);
  get(w, SINE), get(w, COSINE);
  wasm_op(w, WASM_END);
}
