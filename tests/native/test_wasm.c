// Modules of WebAssembly, written here and run by node: random programs give the bits of a plain
// walk of their steps, one at a time and in four lanes. Functions of C are not there: programs are
// of plain steps, sines and cosines, and where one of these needs more bits of pi the module traps.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/random_program.h"
#include "native/jit_wasm.h"
#include "support/recordings.h"

enum { LANES = 4, PROGRAMS = 120 };

static void run_plainly(const Program *p, const double *in, double *values, double *out) {
  memcpy(values, p->constants, p->constant_count * sizeof *values);
  memcpy(values + p->constant_count, in, p->input_count * sizeof *values);
  for (uint32_t i = 0; i < p->prologue_count + p->main_count; i++) {
    const Step *step = &p->steps[i];
    double b = step->b == NO_SLOT ? 0 : values[step->b];
    double c = step->c == NO_SLOT ? 0 : values[step->c];
    values[program_first_step(p) + i] = step_value(step->op, values[step->a], b, c);
  }
  for (uint32_t i = 0; i < p->output_count; i++) out[i] = values[p->outputs[i]];
}

static void put_numbers(FILE *file, const uint32_t *numbers, size_t n) {
  assert_int_equal(fwrite(numbers, sizeof *numbers, n, file), n);
}

static void put_doubles(FILE *file, const double *numbers, size_t n) {
  assert_int_equal(fwrite(numbers, sizeof *numbers, n, file), n);
}

// lanes, sizes of module, inputs, prologue, work and outputs; then the bytes, and rows of each.
static void put_case(Context *cx, Arena *arena, const Program *p, uint32_t lanes, Random *random,
                     FILE *file) {
  WasmCode code = wasm_translate(cx, p, lanes);
  uint32_t sizes[] = {lanes,          code.module.bytes.n, p->input_count, p->prologue_count,
                      code.work_size, p->output_count};
  uint32_t first = program_first_step(p);
  double *in = arena_array(arena, double, (p->input_count + 1) * lanes);
  double *prologue = arena_array(arena, double, (p->prologue_count + 1) * lanes);
  double *out = arena_array(arena, double, (p->output_count + 1) * lanes);
  double *own = arena_array(arena, double, p->input_count + 1);
  double *values = arena_array(arena, double, program_value_count(p) + 1);
  double *results = arena_array(arena, double, p->output_count + 1);
  for (uint32_t lane = 0; lane < lanes; lane++) {
    for (uint32_t i = 0; i < p->input_count; i++)
      in[i * lanes + lane] = own[i] = random_number(random);
    run_plainly(p, own, values, results);
    for (uint32_t i = 0; i < p->prologue_count; i++) prologue[i * lanes + lane] = values[first + i];
    for (uint32_t i = 0; i < p->output_count; i++) out[i * lanes + lane] = results[i];
  }
  put_numbers(file, sizes, sizeof sizes / sizeof *sizes);
  assert_int_equal(fwrite(code.module.bytes.at, 1, code.module.bytes.n, file), code.module.bytes.n);
  put_doubles(file, in, p->input_count * lanes);
  put_doubles(file, prologue, p->prologue_count * lanes);
  put_doubles(file, out, p->output_count * lanes);
}

static void put_program(Context *cx, Random *random, FILE *file) {
  Mark mark = arena_mark(&cx->scratch);
  Arena arena;
  arena_open(&arena, &cx->memory, &cx->guard);
  ProgramBuilder b;
  RandomProgram shape = random_below(random, 3) ? random_shape(random) : random_long_shape(random);
  shape.ops = STEP_TAN; // plain steps, sines and cosines
  program_open(&b, cx, (uint32_t)shape.inputs);
  random_program(random, &b, &shape);
  const Program *p = program_finish(&b, &arena);
  put_case(cx, &arena, p, 1, random, file);
  put_case(cx, &arena, p, LANES, random, file);
  program_close(&b);
  arena_close(&arena);
  arena_release(&cx->scratch, mark);
}

TEST(node_runs_modules_bit_for_bit) {
  const char *root = getenv("QDOT_ROOT") ? getenv("QDOT_ROOT") : ".";
  if (system("command -v node >/dev/null")) skip();
  Random random = random_start("wasm");
  const char *folder = scratch_folder(cx, "wasm");
  const char *name = text_format(&cx->keep, "%s/modules", folder);
  FILE *file = fopen(name, "wb");
  assert_non_null(file);
  for (int i = 0; i < test_rounds(PROGRAMS); i++) put_program(cx, &random, file);
  assert_int_equal(fclose(file), 0);
  int status = system(text_format(&cx->keep, "node %s/tests/native/wasm_run.mjs %s", root, name));
  remove_folder(folder);
  assert_int_equal(status, 0);
}

RUN_TESTS(cmocka_unit_test(node_runs_modules_bit_for_bit))
