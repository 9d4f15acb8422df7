// Chooses the backend.
#include "native/compiled.h"

#include <stdlib.h>
#include <string.h>

Backend backend_from_environment(void) {
  const char *name = getenv("QDOT_BACKEND");
  if (name && !strcmp(name, "interp")) return BACKEND_INTERP;
  if (name && !strcmp(name, "jit")) return BACKEND_JIT;
  return BACKEND_BEST;
}

Compiled compile_program(Context *cx, const Program *program, Backend backend, Arena *into) {
  Compiled compiled = {.program = program};
  if (backend != BACKEND_INTERP && jit_compile(cx, program, 1, &compiled.jit)) {
    compiled.work_size = compiled.jit.work_size;
    return compiled;
  }
  compiled.interp = interp_lower(cx, program, into);
  compiled.work_size = interp_work_size(compiled.interp);
  return compiled;
}

void compiled_close(Compiled *compiled) {
  jit_close(&compiled->jit);
  *compiled = (Compiled){0};
}

bool compiled_is_machine_code(const Compiled *compiled) { return compiled->jit.run != NULL; }

void compiled_prepare(const Compiled *compiled, const double *in, double *work) {
  if (compiled->jit.run)
    program_run_prologue(compiled->program, in, work);
  else
    interp_prepare(compiled->interp, in, work);
}

const double *compiled_prologue(const Compiled *compiled, const double *work) {
  return compiled->jit.run ? work : interp_prologue(compiled->interp, work);
}
