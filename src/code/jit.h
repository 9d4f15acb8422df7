// Machine code for a Program's main part.
#ifndef QDOT_CODE_JIT_H
#define QDOT_CODE_JIT_H

#include "code/program.h"

typedef struct JitCode {
  void (*run)(const double *in, double *out, double *work);
  void *pages;
  size_t size;
  uint32_t work_size; // doubles; the prologue's values come first
} JitCode;

// False where this machine or its settings do not allow it; then *out is untouched. The pages are
// readable and executable, never writable, once this returns; give them back with jit_close.
bool jit_compile(Context *cx, const Program *program, JitCode *out);
void jit_close(JitCode *code);

#endif
