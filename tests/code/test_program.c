// The builder: value numbering, folding, powers, what is kept.
#include "code/builder.h"

#include <math.h>

#include "native/compiled.h"
#include "support/check.h"

static double run_alone(Context *cx, ProgramBuilder *b, Slot slot, const double *in) {
  program_output(b, slot);
  const Program *program = program_finish(b, &cx->keep);
  Compiled compiled = compile_program(cx, program, BACKEND_INTERP, &cx->keep);
  double *work = arena_array(&cx->keep, double, compiled.work_size + 1);
  double *out = arena_array(&cx->keep, double, program->output_count);
  compiled_prepare(&compiled, in, work);
  compiled_run(&compiled, in, out, work);
  compiled_close(&compiled);
  return out[program->output_count - 1];
}

TEST(numbers_values) {
  ProgramBuilder b;
  program_open(&b, cx, 2);
  Slot x = program_input(&b, 0), y = program_input(&b, 1);
  assert_int_equal(program_add(&b, x, y), program_add(&b, y, x));
  assert_int_equal(program_mul(&b, x, y), program_mul(&b, y, x));
  assert_int_not_equal(program_sub(&b, x, y), program_sub(&b, y, x));
  assert_int_equal(program_neg(&b, program_sub(&b, x, y)), program_sub(&b, y, x));
  assert_int_equal(program_mul(&b, x, program_constant(&b, 1)), x);
  assert_int_equal(program_add(&b, program_constant(&b, 0), y), y);
  assert_int_equal(program_neg(&b, program_neg(&b, x)), x);
  assert_int_equal(program_mul(&b, program_neg(&b, x), program_neg(&b, y)), program_mul(&b, x, y));
  assert_int_equal(program_constant(&b, 0.1 + 0.2),
                   program_add(&b, program_constant(&b, 0.1), program_constant(&b, 0.2)));
  assert_int_not_equal(program_constant(&b, 0.0), program_constant(&b, -0.0));
  assert_int_equal(program_find(&b, (Step){STEP_SQRT, x, NO_SLOT, NO_SLOT}), NO_SLOT);
  program_close(&b);
}

TEST(raises_to_integer_powers) {
  for (int n = -9; n <= 20; n++) {
    ProgramBuilder b;
    program_open(&b, cx, 1);
    double x = 1.1;
    Slot power = program_power(&b, program_input(&b, 0), n);
    CHECK_NEAR(run_alone(cx, &b, power, &x), pow(x, n), 1e-14);
    program_close(&b);
  }
}

TEST(splits_the_prologue_and_drops_the_dead) {
  ProgramBuilder b;
  program_open(&b, cx, 3);
  program_fix_input(&b, 1);
  Slot x = program_input(&b, 0), p = program_input(&b, 1);
  Slot fixed = program_op1(&b, STEP_EXP, program_mul(&b, p, p));
  program_op1(&b, STEP_LOG, x); // nobody needs it
  program_output(&b, program_mul(&b, fixed, program_op1(&b, STEP_SIN, x)));
  program_output(&b, fixed);
  program_output(&b, x);
  program_output(&b, program_constant(&b, 7));
  const Program *program = program_finish(&b, &cx->keep);
  assert_int_equal(program->prologue_count, 2);
  assert_int_equal(program->main_count, 2);
  assert_int_equal(program->constant_count, 1);
  ProgramCost cost = program_cost(program, &cx->scratch);
  assert_int_equal(cost.trig, 1);
  assert_int_equal(cost.latency, step_latency(STEP_SIN) + step_latency(STEP_MUL));
  program_close(&b);
}

TEST(hoists_calls_and_pairs_sines) {
  // sin(x), cos(cos(x)), cos(x), sin(cos(x)): two depths, each a pair
  ProgramBuilder b;
  program_open(&b, cx, 1);
  Slot x = program_input(&b, 0);
  Slot s = program_op1(&b, STEP_SIN, x), c = program_op1(&b, STEP_COS, x);
  Slot sum = program_add(&b, s, program_op1(&b, STEP_COS, c));
  program_output(&b, program_add(&b, sum, program_op1(&b, STEP_SIN, c)));
  const Program *program = program_finish(&b, &cx->keep);
  assert_int_equal(program->main_count, 6);
  for (int i = 0; i < 4; i += 2) {
    assert_int_equal(step_kind(program->steps[i].op), STEP_TRIG);
    assert_int_equal(program->steps[i].a, program->steps[i + 1].a);
  }
  program_close(&b);
}

RUN_TESTS(cmocka_unit_test(numbers_values), cmocka_unit_test(raises_to_integer_powers),
          cmocka_unit_test(splits_the_prologue_and_drops_the_dead),
          cmocka_unit_test(hoists_calls_and_pairs_sines))
