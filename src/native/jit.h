// Machine code for a Program's main part.
#ifndef QDOT_NATIVE_JIT_H
#define QDOT_NATIVE_JIT_H

#include "program/program.h"

typedef struct JitCode {
  void (*run)(const double *in, double *out, double *work);
  void *pages;
  size_t size;
  uint32_t work_size; // doubles; the prologue's values come first
} JitCode;

// The most lanes that machine code can have here: 8, 4, or 1.
uint32_t jit_lanes(void);

// False where this machine or its settings do not allow it; then *out is untouched. The pages are
// readable and executable, never writable, once this returns; give them back with jit_close.
// lanes: 1, or 4 or 8 evaluations at once: then every input, output and place of work is a row of
// so many doubles, one a lane, and each lane has the bits that one evaluation has.
bool jit_compile(Context *cx, const Program *program, uint32_t lanes, JitCode *out);
void jit_close(JitCode *code);

#endif
