// Program -> bytes of a WebAssembly module that exports `run`, a function (in, out, work) of
// addresses in the memory that it imports, as JitCode has it.
// Sources: jit_wasm.c, wasm_sincos.c
#ifndef QDOT_NATIVE_JIT_WASM_H
#define QDOT_NATIVE_JIT_WASM_H

#include "native/wasm_encode.h"
#include "program/program.h"

typedef struct WasmCode {
  WasmBuffer module;
  uint32_t work_size; // doubles; the prologue's values come first
} WasmCode;

// The module imports "m" "memory" and "m" "table", whose entries are functions of C: addresses of
// functions are places in it. lanes: 1, or 4: then inputs, outputs and places of work are rows of
// so many doubles, in registers of two. In the context's scratch memory.
WasmCode wasm_translate(Context *cx, const Program *program, uint32_t lanes);

// ---- Its parts

// Types of functions in the module.
typedef enum WasmSignature {
  WASM_RUN,   // (in, out, work)
  WASM_ONE,   // double -> double
  WASM_TWO,   // double, double -> double
  WASM_LOOK,  // tables, double, double -> double
  WASM_EXACT, // double, address, address
  WASM_SINCOS // two lanes, address of room -> sines, cosines
} WasmSignature;

// Doubles of room that the function of sines and cosines works in.
enum { WASM_SINCOS_ROOM = 8 };
// Sine and cosine of two lanes: the body of a function of type WASM_SINCOS.
void wasm_sincos(WasmBuffer *body);

#endif
