// Programs made ready to run at their first use.
#include "engine/equations.h"

static void close_packed(PackedParts *packed) {
  for (int part = 0; packed && part < EQUATION_PARTS; part++) packed_close(&packed->parts[part]);
}

void equations_close(Equations *d) {
  for (int i = 0; i < 2; i++) close_packed(d->packed[i]);
  for (int part = 0; part < EQUATION_PARTS; part++) {
    if (d->is_made[part] && d->parts[part].program) compiled_close(&d->parts[part]);
  }
}

const Compiled *equations_part(Equations *d, EquationPart part) {
  if (!d->is_made[part] && d->maker.make) {
    WorkStage outer = context_resume_stage(d->cx, STAGE_COMPILED);
    const Program *program = d->maker.make(d->maker.user, part);
    if (program) d->parts[part] = compile_program(d->cx, program, d->backend, d->arena);
    d->is_made[part] = true;
    context_leave_stage(d->cx, outer);
  }
  return d->parts[part].program ? &d->parts[part] : NULL;
}

const Packed *equations_packed(Equations *d, EquationPart part, uint32_t lanes) {
  PackedParts **all = &d->packed[lanes == 8];
  if (lanes < 4) return NULL;
  if (!*all) *all = arena_new(d->arena, PackedParts);
  Packed *packed = &(*all)->parts[part];
  if (!(*all)->is_made[part]) {
    const Compiled *compiled = equations_part(d, part);
    (*all)->is_made[part] = true;
    if (compiled && compiled_is_machine_code(compiled))
      pack_program(d->cx, compiled->program, lanes, d->arena, packed);
  }
  return packed->program ? packed : NULL;
}
