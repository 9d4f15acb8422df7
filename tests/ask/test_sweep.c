// Sweeps: what the cases are, numbers that are drawn, start values, and runs as single runs are.
#include <math.h>
#include <string.h>

#include "ask/draw.h"
#include "ask/sweep.h"
#include "support/motion.h"

// Any 2^k of Sobol's numbers fill 2^k equal parts, in every dimension and after any shift; the
// first two dimensions also fill every rectangle of that area.
TEST(sobol_numbers_fill_evenly) {
  (void)cx;
  enum { BITS = 8, N = 1 << BITS };
  for (uint64_t seed = 0; seed < 3; seed++)
    for (uint32_t d = 0; d < SOBOL_DIMENSIONS; d++) {
      bool seen[N] = {0};
      for (uint64_t i = 0; i < N; i++) {
        double u = draw_sobol(seed, 5 * N + i, d);
        assert_true(u > 0 && u < 1);
        assert_false(seen[(int)(u * N)]);
        seen[(int)(u * N)] = true;
      }
    }
  for (int k = 0; k <= BITS; k++) {
    bool seen[N] = {0};
    for (uint64_t i = 0; i < N; i++) {
      int row = (int)(draw_sobol(7, i, 0) * (1 << k));
      int column = (int)(draw_sobol(7, i, 1) * (1 << (BITS - k)));
      int cell = row * (1 << (BITS - k)) + column;
      assert_false(seen[cell]);
      seen[cell] = true;
    }
  }
}

// Means over the cube, with Sobol's numbers and without.
TEST(sobol_numbers_integrate_better_than_random_ones) {
  (void)cx;
  enum { N = 4096 };
  double sobol = 0, random = 0;
  for (uint64_t i = 0; i < N; i++) {
    double a = 1, b = 1;
    for (uint32_t d = 0; d < 6; d++) {
      a *= 2 * draw_sobol(1, i, d);
      b *= 2 * draw_random(1, i, d);
    }
    sobol += a / N, random += b / N;
  }
  CHECK_NEAR(sobol, 1, 0.01);
  CHECK_NEAR(random, 1, 0.2);
}

TEST(normal_numbers_have_their_distribution) {
  Random random = random_start("normal_numbers_have_their_distribution");
  (void)cx;
  for (int i = 0; i < 2000; i++) {
    double u = i % 3 ? random_real(&random, 0, 1) : exp(random_real(&random, -80, -0.1));
    double z = draw_normal(u);
    CHECK_NEAR(0.5 * erfc(-z / sqrt(2)) / u, 1, 1e-13 * (1 + z * z));
    if (u < 0.5 && u > 1e-3) CHECK_NEAR(draw_normal(1 - u), -z, 1e-12);
  }
  enum { N = 20000, BINS = 20 };
  int bins[BINS] = {0};
  double sum = 0;
  for (uint64_t i = 0; i < N; i++) {
    double u = draw_random(3, i, 2);
    bins[(int)(u * BINS)]++;
    sum += draw_normal(u) * draw_normal(draw_random(3, i, 1)) / N;
  }
  for (int i = 0; i < BINS; i++) CHECK_NEAR(bins[i], N / BINS, 5 * sqrt(N / BINS));
  CHECK_NEAR(sum, 0, 5 / sqrt(N)); // dimensions do not know of each other
}

typedef struct Asked {
  Motion m;
  SweepWorker worker;
  Sweep sweep;
} Asked;

static const char *const particle =
    "param m = 1 [kg], x_0 = 2 [m], v_0 = 3 [m/s], k = 0 [N/m], e = x_0/2\n"
    "coord x = x_0, x' = v_0\nkinetic = m*x'^2/2\npotential = k*x^2/2\n"
    "measure place = final(x), speed = final(x'), e_of = start(e + 0*x)\n";

static void ask(Context *cx, const char *line, Asked *a) {
  a->m = motion_load(
      cx, text_format(&cx->keep, "%s%s\nsimulate to 1 [s] every 0.5 [s]\n", particle, line), NULL);
  assert_int_equal(sweep_worker_open(&a->worker, cx, &a->m.system, &a->m.options, 0), QDOT_OK);
  assert_int_equal(sweep_open(&a->sweep, a->m.system.model, &a->worker.runs.rerun, NULL), QDOT_OK);
}

TEST(grids_and_lists_run_through_all_their_cases) {
  Asked a;
  ask(cx, "sweep x_0 = 1..3 [m] steps 5, v_0 = (7, -1, 2 [m/s]), m = 2..1 [kg] steps 2: place", &a);
  assert_int_equal(a.sweep.cases, 30);
  for (uint64_t i = 0; i < 30; i++) {
    static const double speeds[] = {7, -1, 2};
    double at[3];
    sweep_values(&a.sweep, i, at);
    CHECK_NEAR(at[0], 1 + 0.5 * (double)(i / 6), 1e-15);
    CHECK_NEAR(at[1], speeds[i / 2 % 3], 0);
    CHECK_NEAR(at[2], i % 2 ? 1 : 2, 0);
  }
  uint64_t seen = 0;
  for (uint64_t b = 0; b < a.sweep.blocks; b++) {
    assert_int_equal(sweep_first(&a.sweep, b), seen);
    assert_true(sweep_run(&a.sweep, &a.worker, b));
    for (uint32_t i = 0; i < a.worker.block.count; i++) {
      double at[3];
      sweep_values(&a.sweep, seen + i, at);
      assert_null(sweep_reason(&a.worker.block, i));
      CHECK_NEAR(a.worker.block.values[i], at[0] + at[1], 1e-9);
    }
    seen += a.worker.block.count;
  }
  assert_int_equal(seen, 30);
  sweep_worker_close(&a.worker);
}

// What starts elsewhere is as if the model said so, and the next case knows nothing of it.
TEST(start_values_replace_those_of_the_model) {
  Asked a;
  ask(cx,
      "sweep x(0) = (5, -2 [m]), x'(0) = 1..2 [m/s] steps 2, k = (0, 4 [N/m]): place, speed, e_of",
      &a);
  assert_true(sweep_run(&a.sweep, &a.worker, 0));
  for (uint32_t i = 0; i < 8; i++) {
    double at[3], w = i % 2 ? 2 : 0;
    const double *got = a.worker.block.values + 3 * i;
    sweep_values(&a.sweep, i, at);
    double place = w ? at[0] * cos(w) + at[1] / w * sin(w) : at[0] + at[1];
    double speed = w ? -at[0] * w * sin(w) + at[1] * cos(w) : at[1];
    CHECK_NEAR(got[0], place, 1e-7);
    CHECK_NEAR(got[1], speed, 1e-7);
    CHECK_NEAR(got[2], 1, 0); // x_0 is the model's all the time
  }
  sweep_worker_close(&a.worker);
}

TEST(numbers_of_cases_depend_on_seed_and_number_alone) {
  Asked a, b;
  ask(cx, "sweep x_0 in 1..3 [m], m = normal 5 [%], runs 100, seed 4: place", &a);
  ask(cx, "sweep x_0 in 1..3 [m], m = normal 0.05 [kg], runs 1000, seed 4: place", &b);
  double sum = 0, squares = 0;
  for (uint64_t i = 0; i < 1000; i++) {
    double x[2], y[2];
    sweep_values(&b.sweep, i, y);
    if (i < 100) {
      sweep_values(&a.sweep, i, x);
      assert_memory_equal(x, y, sizeof x);
    }
    assert_true(y[0] > 1 && y[0] < 3);
    sum += y[1] / 1000, squares += (y[1] - 1) * (y[1] - 1) / 1000;
  }
  CHECK_NEAR(sum, 1, 5 * 0.05 / sqrt(1000));
  CHECK_NEAR(sqrt(squares), 0.05, 5 * 0.05 / sqrt(2000));
  assert_true(a.sweep.fingerprint != b.sweep.fingerprint);
  sweep_worker_close(&b.worker);
  sweep_worker_close(&a.worker);
}

TEST(chosen_cases_are_marked) {
  Asked a;
  ask(cx, "sweep x_0 = 0..9 [m] steps 10: place, keep rows where place > 2*x_0 and x_0 >= 1 [m]",
      &a);
  assert_true(sweep_run(&a.sweep, &a.worker, 0));
  // place = x_0 + 3: above 2 x_0 for 0, 1, 2
  assert_int_equal(a.worker.block.kept.n, 2);
  assert_int_equal(a.worker.block.kept.at[0], 1);
  assert_int_equal(a.worker.block.kept.at[1], 2);
  sweep_worker_close(&a.worker);
}

RUN_TESTS(cmocka_unit_test(sobol_numbers_fill_evenly),
          cmocka_unit_test(sobol_numbers_integrate_better_than_random_ones),
          cmocka_unit_test(normal_numbers_have_their_distribution),
          cmocka_unit_test(grids_and_lists_run_through_all_their_cases),
          cmocka_unit_test(start_values_replace_those_of_the_model),
          cmocka_unit_test(numbers_of_cases_depend_on_seed_and_number_alone),
          cmocka_unit_test(chosen_cases_are_marked))
