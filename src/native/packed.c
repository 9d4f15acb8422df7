// Programs in lanes.
#include "native/packed.h"

#include <stdlib.h>
#include <string.h>

uint32_t packed_most_lanes(void) {
  const char *text = getenv("QDOT_LANES");
  uint32_t lanes = jit_lanes(), most = lanes;
  if (text && (!strcmp(text, "1") || !strcmp(text, "4"))) most = (uint32_t)(text[0] - '0');
  return most < lanes ? most : lanes;
}

// Inputs that main steps read, and those that are outputs.
static void find_inputs(Packed *packed, Arena *into, bool *is_read) {
  const Program *p = packed->program;
  uint32_t *lists = arena_array(into, uint32_t, p->input_count), low = 0, high = p->input_count;
  for (uint32_t i = 0; i < p->main_count; i++) {
    const Step *step = &p->steps[p->prologue_count + i];
    const Slot operands[3] = {step->a, step->b, step->c};
    for (int k = 0; k < step_arity(step->op); k++) is_read[operands[k]] = true;
  }
  for (uint32_t i = 0; i < p->output_count; i++) is_read[p->outputs[i]] = true;
  for (uint32_t i = 0; i < p->input_count; i++) {
    if (!is_read[p->constant_count + i]) continue;
    if (p->fixed[i])
      lists[--high] = i;
    else
      lists[low++] = i;
  }
  packed->moving = lists, packed->moving_count = low;
  packed->fixed = lists + high, packed->fixed_count = p->input_count - high;
}

bool pack_program(Context *cx, const Program *program, uint32_t lanes, Arena *into, Packed *out) {
  JitCode jit;
  if (lanes < 2 || !jit_compile(cx, program, lanes, &jit)) return false;
  *out = (Packed){.program = program, .jit = jit, .lanes = lanes};
  Mark mark = arena_mark(&cx->scratch);
  find_inputs(out, into, arena_array(&cx->scratch, bool, program_value_count(program) + 1));
  arena_release(&cx->scratch, mark);
  return true;
}

void packed_close(Packed *packed) {
  jit_close(&packed->jit);
  *packed = (Packed){0};
}

double *packed_rows(Arena *arena, uint32_t lanes, size_t n) {
  size_t row = lanes * sizeof(double);
  char *bytes = arena_array(arena, char, row *(n + 1));
  return (double *)(bytes + (row - (uintptr_t)bytes % row) % row);
}

size_t packed_work_rows(const Packed *packed) { return packed->jit.work_size / packed->lanes; }

static void take(const uint32_t *list, uint32_t n, uint32_t lanes, uint32_t lane, const double *in,
                 double *rows) {
  for (uint32_t i = 0; i < n; i++) rows[(size_t)list[i] * lanes + lane] = in[list[i]];
}

void packed_prepare(const Packed *packed, uint32_t lane, const Compiled *compiled, const double *in,
                    const double *work_of, double *in_rows, double *work_rows) {
  const double *prologue = compiled_prologue(compiled, work_of);
  take(packed->fixed, packed->fixed_count, packed->lanes, lane, in, in_rows);
  for (uint32_t i = 0; i < packed->program->prologue_count; i++)
    work_rows[(size_t)i * packed->lanes + lane] = prologue[i];
}

static void spread(double value, uint32_t lanes, double *row) {
  for (uint32_t lane = 0; lane < lanes; lane++) row[lane] = value;
}

void packed_prepare_all(const Packed *packed, const Compiled *compiled, const double *in,
                        const double *work_of, double *in_rows, double *work_rows) {
  const double *prologue = compiled_prologue(compiled, work_of);
  uint32_t lanes = packed->lanes;
  for (uint32_t i = 0; i < packed->fixed_count; i++)
    spread(in[packed->fixed[i]], lanes, in_rows + (size_t)packed->fixed[i] * lanes);
  for (uint32_t i = 0; i < packed->program->prologue_count; i++)
    spread(prologue[i], lanes, work_rows + (size_t)i * lanes);
}

void packed_take(const Packed *packed, uint32_t lane, const double *in, double *in_rows) {
  take(packed->moving, packed->moving_count, packed->lanes, lane, in, in_rows);
}
