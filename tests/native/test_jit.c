// Machine code against the interpreter, and both against a plain walk of the steps: bit for bit.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "code/random_program.h"
#include "native/compiled.h"

static Random shared_random;

// Every value by step_value, in order.
static void run_plainly(const Program *p, const double *in, double *values, double *out) {
  memcpy(values, p->constants, p->constant_count * sizeof *values);
  memcpy(values + p->constant_count, in, p->input_count * sizeof *values);
  for (uint32_t i = 0; i < p->prologue_count + p->main_count; i++) {
    const Step *step = &p->steps[i];
    double a = values[step->a], b = step->b == NO_SLOT ? 0 : values[step->b];
    double c = step->c == NO_SLOT ? 0 : values[step->c];
    values[program_first_step(p) + i] =
        step->op == STEP_TABLE ? tables_look_up(p->tables, a, b) : step_value(step->op, a, b, c);
  }
  for (uint32_t i = 0; i < p->output_count; i++) out[i] = values[p->outputs[i]];
}

static bool same_bits(double x, double y) {
  return (isnan(x) && isnan(y)) || !memcmp(&x, &y, sizeof x);
}

static void compare(const Program *p, const double *expected, const double *got, const char *who) {
  for (uint32_t i = 0; i < p->output_count; i++) {
    if (same_bits(expected[i], got[i])) continue;
    print_error("%s: output %u is %a, expected %a\n", who, i, got[i], expected[i]);
    fail();
  }
}

static void run_and_compare(Context *cx, Arena *arena, const Program *p, Backend backend,
                            const double *in, const double *expected, const char *who) {
  Compiled compiled = compile_program(cx, p, backend, arena);
  if (backend == BACKEND_JIT && !compiled_is_machine_code(&compiled)) {
    compiled_close(&compiled);
    return;
  }
  double *out = arena_array(arena, double, p->output_count + 1);
  double *work = arena_array(arena, double, compiled.work_size + 2);
  // what a run finds in its work array must not matter, and it must stay inside
  double canary = 12345.678;
  for (uint32_t i = 0; i < compiled.work_size; i++) work[i] = NAN;
  work[compiled.work_size] = canary;
  out[p->output_count] = canary;
  compiled_prepare(&compiled, in, work);
  for (int run = 0; run < 2; run++) {
    memset(out, 0xff, p->output_count * sizeof *out);
    compiled_run(&compiled, in, out, work);
    compare(p, expected, out, who);
  }
  assert_true(work[compiled.work_size] == canary && out[p->output_count] == canary);
  compiled_close(&compiled);
}

static void check_one(Context *cx, const RandomProgram *shape) {
  Arena arena;
  arena_open(&arena, &cx->memory, &cx->guard);
  ProgramBuilder b;
  program_open(&b, cx, (uint32_t)shape->inputs);
  random_program(&shared_random, &b, shape);
  const Program *p = program_finish(&b, &arena);
  double *in = arena_array(&arena, double, shape->inputs + 1);
  double *expected = arena_array(&arena, double, p->output_count);
  double *values = arena_array(&arena, double, program_value_count(p) + 1);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < shape->inputs; i++) in[i] = random_number(&shared_random);
    run_plainly(p, in, values, expected);
    run_and_compare(cx, &arena, p, BACKEND_INTERP, in, expected, "interpreter");
    run_and_compare(cx, &arena, p, BACKEND_JIT, in, expected, "machine code");
  }
  program_close(&b);
  arena_close(&arena);
}

TEST(every_operation) {
  for (int round = 0; round < test_rounds(4000); round++) {
    RandomProgram shape = random_shape(&shared_random);
    check_one(cx, &shape);
  }
}

TEST(many_values_alive) {
  for (int round = 0; round < test_rounds(300); round++) {
    RandomProgram shape = random_long_shape(&shared_random);
    check_one(cx, &shape);
  }
}

static void chooses_by_environment(void **state) {
  (void)state;
  setenv("QDOT_BACKEND", "interp", 1);
  assert_int_equal(backend_from_environment(), BACKEND_INTERP);
  setenv("QDOT_BACKEND", "jit", 1);
  assert_int_equal(backend_from_environment(), BACKEND_JIT);
  unsetenv("QDOT_BACKEND");
  assert_int_equal(backend_from_environment(), BACKEND_BEST);
}

static int start_random(void **state) {
  (void)state;
  shared_random = random_start("jit");
  return 0;
}

RUN_TESTS_BETWEEN(start_random, NULL, cmocka_unit_test(every_operation),
                  cmocka_unit_test(many_values_alive), cmocka_unit_test(chooses_by_environment))
