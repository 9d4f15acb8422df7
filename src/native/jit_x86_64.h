// Program -> bytes of x86-64 machine code with AVX.
#ifndef QDOT_NATIVE_JIT_X86_64_H
#define QDOT_NATIVE_JIT_X86_64_H

#include "native/x86_encode.h"
#include "program/program.h"

typedef struct X86Code {
  CodeBuffer buffer;
  uint32_t entry;     // bytes from the start of the buffer; before it lies the pool
  uint32_t work_size; // doubles; the prologue's values come first
} X86Code;

bool x86_available(void);
// How many lanes this machine is fastest with: 8, 4 or 1.
uint32_t x86_lanes(void);
// The code, in the context's scratch memory; it may be placed at any address that is a multiple
// of 64. With several lanes every input, output and place of work is a row of so many doubles.
X86Code x86_translate(Context *cx, const Program *program, uint32_t lanes);

#endif
