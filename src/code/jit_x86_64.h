// Program -> bytes of x86-64 machine code with AVX.
#ifndef QDOT_CODE_JIT_X86_64_H
#define QDOT_CODE_JIT_X86_64_H

#include "code/program.h"
#include "code/x86_encode.h"

typedef struct X86Code {
  CodeBuffer buffer;
  uint32_t entry;     // bytes from the start of the buffer; before it lies the pool
  uint32_t work_size; // doubles; the prologue's values come first
} X86Code;

bool x86_available(void);
// The code, in the context's scratch memory; it may be placed at any address that is a multiple
// of 16.
X86Code x86_translate(Context *cx, const Program *program);

#endif
