// A Program made ready to run, by machine code where possible, else by the interpreter.
#ifndef QDOT_NATIVE_COMPILED_H
#define QDOT_NATIVE_COMPILED_H

#include "native/jit.h"
#include "program/interp.h"

typedef enum Backend { BACKEND_BEST, BACKEND_INTERP, BACKEND_JIT } Backend;

// QDOT_BACKEND=interp|jit; anything else is BACKEND_BEST.
Backend backend_from_environment(void);

// Immutable once made: threads may share it, each with its own work array.
typedef struct Compiled {
  const Program *program;
  const InterpCode *interp; // NULL when machine code runs
  JitCode jit;
  uint32_t work_size; // doubles
} Compiled;

// Both BACKEND_BEST and BACKEND_JIT fall back to the interpreter where there is no machine code.
// The program must live as long as the result; compiled_close when done. The arena is not scratch.
Compiled compile_program(Context *cx, const Program *program, Backend backend, Arena *into);
void compiled_close(Compiled *compiled);
bool compiled_is_machine_code(const Compiled *compiled);

// Before the first run, and again whenever a fixed input changes.
void compiled_prepare(const Compiled *compiled, const double *in, double *work);

// The values that it has left in the work array.
const double *compiled_prologue(const Compiled *compiled, const double *work);

// One evaluation. in: all inputs; out: all outputs, must not overlap in; work: work_size doubles.
static inline void compiled_run(const Compiled *compiled, const double *in, double *out,
                                double *work) {
  if (compiled->jit.run)
    compiled->jit.run(in, out, work);
  else
    interp_run(compiled->interp, in, out, work);
}

#endif
