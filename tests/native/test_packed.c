// Programs in lanes against one evaluation after the other: bit for bit, in every lane.
#include <math.h>
#include <string.h>

#include "code/random_program.h"
#include "native/packed.h"

static Random shared_random;

static bool same_bits(double x, double y) {
  return (isnan(x) && isnan(y)) || !memcmp(&x, &y, sizeof x);
}

// Ordinary numbers, and one in eight that is none.
static double any_number(void) {
  static const double odd[] = {0, -0.0, INFINITY, -INFINITY, NAN, 0x1p-1074, -0x1p-1040, 0x1p1000};
  return random_below(&shared_random, 8) ? random_number(&shared_random)
                                         : odd[random_below(&shared_random, 8)];
}

static void compare_lanes(Context *cx, Arena *arena, const Program *p, uint32_t lanes) {
  Packed packed;
  if (!pack_program(cx, p, lanes, arena, &packed)) return;
  Compiled compiled = compile_program(cx, p, random_below(&shared_random, 2), arena);
  double *in = arena_array(arena, double, p->input_count + 1);
  double *all = arena_array(arena, double, lanes * p->input_count + 1);
  double *work = arena_array(arena, double, compiled.work_size + 1);
  double *expected = arena_array(arena, double, p->output_count + 1);
  double *in_rows = packed_rows(arena, lanes, p->input_count);
  size_t rows = packed_work_rows(&packed);
  double *work_rows = packed_rows(arena, lanes, rows + 1), canary = 12345.678;
  double *out_rows = packed_rows(arena, lanes, p->output_count + 1);
  for (size_t i = 0; i < rows * lanes; i++) work_rows[i] = NAN;
  for (uint32_t i = 0; i < lanes; i++)
    work_rows[rows * lanes + i] = out_rows[p->output_count * lanes + i] = canary;
  for (uint32_t lane = 0; lane < lanes; lane++) {
    for (uint32_t i = 0; i < p->input_count; i++)
      in[i] = all[lane * p->input_count + i] = any_number();
    compiled_prepare(&compiled, in, work);
    packed_prepare(&packed, lane, &compiled, in, work, in_rows, work_rows);
    packed_take(&packed, lane, in, in_rows);
  }
  packed_run(&packed, in_rows, out_rows, work_rows);
  for (uint32_t lane = 0; lane < lanes; lane++) {
    memcpy(in, all + lane * p->input_count, p->input_count * sizeof *in);
    compiled_prepare(&compiled, in, work);
    compiled_run(&compiled, in, expected, work);
    for (uint32_t i = 0; i < p->output_count; i++) {
      double got = out_rows[i * lanes + lane];
      if (same_bits(got, expected[i])) continue;
      print_error("lane %u of %u: output %u is %a, expected %a\n", lane, lanes, i, got,
                  expected[i]);
      fail();
    }
    assert_true(work_rows[rows * lanes + lane] == canary);
    assert_true(out_rows[p->output_count * lanes + lane] == canary);
  }
  compiled_close(&compiled);
  packed_close(&packed);
}

static void check_one(Context *cx, const RandomProgram *shape) {
  Arena arena;
  arena_open(&arena, &cx->memory, &cx->guard);
  ProgramBuilder b;
  program_open(&b, cx, (uint32_t)shape->inputs);
  random_program(&shared_random, &b, shape);
  const Program *p = program_finish(&b, &arena);
  for (uint32_t lanes = 4; lanes <= packed_most_lanes(); lanes *= 2)
    compare_lanes(cx, &arena, p, lanes);
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
  for (int round = 0; round < test_rounds(200); round++) {
    RandomProgram shape = random_long_shape(&shared_random);
    check_one(cx, &shape);
  }
}

static int start_random(void **state) {
  (void)state;
  shared_random = random_start("packed");
  return 0;
}

RUN_TESTS_BETWEEN(start_random, NULL, cmocka_unit_test(every_operation),
                  cmocka_unit_test(many_values_alive))
