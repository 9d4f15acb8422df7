// Tolerances: distributions with closed forms, runs that fail, and samples that are the same for
// whoever makes them.
#include <math.h>
#include <string.h>

#include "ask/tolerance.h"
#include "support/motion.h"

typedef struct Asked {
  Motion m;
  ToleranceWorker worker;
  Tolerance tolerance;
} Asked;

static void ask_by(Context *cx, const char *text, uint32_t runs, uint64_t seed, uint32_t lanes,
                   Asked *a) {
  a->m = motion_load(cx, text, NULL);
  assert_int_equal(tolerance_worker_open(&a->worker, cx, &a->m.system, &a->m.options, lanes),
                   QDOT_OK);
  assert_int_equal(tolerance_open(&a->tolerance, a->m.system.model, &a->worker, runs, &seed),
                   QDOT_OK);
  assert_int_equal(tolerance_predict(&a->tolerance, &a->worker), QDOT_OK);
  assert_true(tolerance_run(&a->tolerance, &a->worker, 0, a->tolerance.runs));
  tolerance_finish(&a->tolerance, &a->worker);
  tolerance_worker_close(&a->worker);
}

static void ask(Context *cx, const char *text, uint32_t runs, uint64_t seed, Asked *a) {
  ask_by(cx, text, runs, seed, 0, a);
}

// A free particle: x(1) = x_0 + v_0.
static const char *const particle =
    "param m = 1 [kg], x_0 = 2 [m], v_0 = 3 [m/s], idle = 1 [m]\ncoord x = x_0, x' = v_0\n"
    "kinetic = m*x'^2/2\nmeasure place = final(x), square = final(x)^2, way = final(x) - start(x)\n"
    "tolerance x_0 = 0.3 [m], v_0 = normal 0.1 [m/s], idle = 0.5 [m], runs 4000: place, square, "
    "way\n"
    "simulate to 1 [s] every 0.5 [s]\n";

TEST(a_sum_of_parameters_has_the_distribution_of_the_sum) {
  Random random = random_start("a_sum_of_parameters_has_the_distribution_of_the_sum");
  Asked a;
  ask(cx, particle, 0, (uint64_t)random_real(&random, 1, 1e6), &a);
  const Tolerance *t = &a.tolerance;
  assert_int_equal(t->seen, 4000);
  assert_int_equal(t->failed, 0);
  const Distribution *place = &t->distributions.at[0], *square = &t->distributions.at[1],
                     *way = &t->distributions.at[2];
  double variance = 0.3 * 0.3 / 3 + 0.01;
  CHECK_NEAR(place->nominal, 5, 1e-12);
  // within five standard errors
  CHECK_NEAR(place->mean, 5, 5 * sqrt(variance / 4000));
  CHECK_NEAR(place->std, sqrt(variance), 5 * sqrt(variance / 8000));
  CHECK_NEAR(place->linear_std, sqrt(variance), 1e-9);
  CHECK_NEAR(place->percentile[3], 5, 5 * 1.3 * sqrt(variance / 4000));
  CHECK_NEAR(place->contribution[0], 0.03 / variance, 0.05);
  CHECK_NEAR(place->contribution[1], 0.01 / variance, 0.05);
  CHECK_NEAR(place->contribution[2], 0, 0.01);
  // (5 + d)^2 has the mean 25 + var(d)
  CHECK_NEAR(square->mean, 25 + variance, 5 * 10 * sqrt(variance / 4000));
  // normal: 95 in a hundred lie below 1.645 standard deviations
  CHECK_NEAR(way->percentile[4], 3 + 0.1 * 1.6449, 0.012);
  CHECK_NEAR(way->percentile[5], 3 + 0.1 * 2.3263, 0.02);
  CHECK_NEAR(way->contribution[1], 1, 1e-9);
  for (uint32_t i = 1; i < place->count; i++) assert_true(place->sorted[i - 1] <= place->sorted[i]);
}

// Shares of a linear measure add up to the whole, with few runs, and where it has no value in many:
// the others then depend on each other. Here t = 5 s - a - b, if that comes before the end.
TEST(shares_add_up_to_what_a_fit_explains) {
  Random random = random_start("shares_add_up_to_what_a_fit_explains");
  for (int round = 0; round < 4; round++) {
    char text[500];
    snprintf(text, sizeof text,
             "param m = 1 [kg], a = 2 [m], b = 2.1 [m]\ncoord x = a + b, x' = 1 [m/s]\n"
             "kinetic = m*x'^2/2\nmeasure passed = first(t, x > 5 [m])\n"
             "tolerance a = normal 0.1 [m], b = 0.2 [m], runs %d: passed\n"
             "simulate to %g [s] every 0.25 [s]\n",
             round % 2 ? 300 : 12, round < 2 ? 2.0 : 0.9);
    Asked asked;
    ask(cx, text, 0, (uint64_t)random_real(&random, 1, 1e6), &asked);
    const Distribution *passed = &asked.tolerance.distributions.at[0];
    assert_true(round < 2 || passed->count < asked.tolerance.seen);
    CHECK_NEAR(passed->contribution[0] + passed->contribution[1], 1, 1e-9);
  }
}

// 4 % of -2 m are 8 cm, however the value is signed.
TEST(a_percentage_is_a_part_of_the_models_value) {
  const char *const format =
      "param m = 1 [kg], x_0 = -2 [m], v_0 = %g [m/s]\ncoord x = x_0, x' = v_0\n"
      "kinetic = m*x'^2/2\nmeasure place = final(x)\n"
      "tolerance x_0 = %s, v_0 = normal %s, runs 50: place\nsimulate to 1 [s] every 0.5 [s]\n";
  char parts[400], widths[400], nothing[400];
  snprintf(parts, sizeof parts, format, 3.0, "4 [%]", "10 [%]");
  snprintf(widths, sizeof widths, format, 3.0, "8 [cm]", "0.3 [m/s]");
  snprintf(nothing, sizeof nothing, format, 0.0, "4 [%]", "10 [%]");
  Asked a, b;
  ask(cx, parts, 0, 3, &a);
  ask(cx, widths, 0, 3, &b);
  for (uint32_t i = 0; i < 50; i++) CHECK_NEAR(a.tolerance.values[i], b.tolerance.values[i], 1e-14);

  a.m = motion_load(cx, nothing, NULL);
  assert_int_equal(tolerance_worker_open(&a.worker, cx, &a.m.system, &a.m.options, 0), QDOT_OK);
  assert_int_equal(tolerance_open(&a.tolerance, a.m.system.model, &a.worker, 0, NULL),
                   QDOT_BAD_VALUE);
  const Diagnostic *last = &cx->diagnostics.list.at[cx->diagnostics.list.n - 1];
  assert_non_null(strstr(last->message, "a percentage of 'v_0' is zero, as its value is 0"));
  assert_string_equal(last->label, "state the width in its unit");
  tolerance_worker_close(&a.worker);
}

// A linkage whose motor's torque changes its sign, one run after the other and in lanes.
TEST(runs_side_by_side_have_the_same_bits) {
  const char *const text =
      "param a = 0.1 [m], b = 0.3 [m], c = 0.25 [m], d = 0.35 [m]\n"
      "body crank: mass 1 [kg], rod a, angle = 0\nbody coupler: mass 2 [kg], rod b, angle 40 "
      "[deg]\n"
      "body rocker: mass 2 [kg], rod c, angle 80 [deg]\n"
      "joint A: revolute ground (0, 0), crank (-a/2, 0)\n"
      "joint B: revolute crank (a/2, 0), coupler (-b/2, 0)\n"
      "joint C: revolute coupler (b/2, 0), rocker (c/2, 0)\n"
      "joint D: revolute ground (d, 0), rocker (-c/2, 0)\nmotor A: speed 10 [rad/s]\n"
      "measure swing = max(rocker.theta) - min(rocker.theta), peak = max(abs(A.T)), "
      "load = rms(C.F_x), turns = count(A.T > 0)\n"
      "tolerance a = 0.1 [mm], b = 0.2 [mm], c = normal 0.1 [mm], runs 21: swing, peak, load, "
      "turns\nsimulate to 1 [s] every 10 [ms]\n";
  Asked alone, beside;
  ask_by(cx, text, 0, 5, 1, &alone);
  for (uint32_t lanes = 4; lanes <= packed_most_lanes(); lanes *= 2) {
    ask_by(cx, text, 0, 5, lanes, &beside);
    assert_int_equal(alone.tolerance.failed, 0);
    assert_memory_equal(alone.tolerance.values, beside.tolerance.values, 21 * 4 * sizeof(double));
  }
}

TEST(samples_depend_on_seed_and_number_alone) {
  Asked a, b;
  ask(cx, particle, 40, 9, &a);
  ask(cx, particle, 25, 9, &b);
  // a longer series begins with the shorter one
  assert_memory_equal(a.tolerance.values, b.tolerance.values, 25 * 3 * sizeof(double));
  double x[3], y[3];
  tolerance_sample(&a.tolerance, 31, x);
  tolerance_sample(&a.tolerance, 7, y);
  tolerance_sample(&a.tolerance, 31, y);
  assert_memory_equal(x, y, sizeof x);
  ask(cx, particle, 25, 10, &b);
  assert_true(memcmp(a.tolerance.values, b.tolerance.values, 25 * 3 * sizeof(double)) != 0);
}

// Uniform samples fill their range evenly; normal ones have the right moments.
TEST(samples_have_their_distributions) {
  Random random = random_start("samples_have_their_distributions");
  enum { N = 20000, BINS = 20 };
  Asked a;
  ask(cx, particle, 2, (uint64_t)random_real(&random, 1, 1e6), &a);
  double moments[4] = {0};
  int bins[BINS] = {0};
  for (uint32_t i = 0; i < N; i++) {
    double x[3];
    tolerance_sample(&a.tolerance, i, x);
    double u = (x[0] - 2) / 0.3, z = (x[1] - 3) / 0.1;
    assert_true(u >= -1 - 1e-12 && u <= 1 + 1e-12);
    int bin = (int)((u + 1) / 2 * BINS);
    bins[bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin]++;
    for (int k = 0; k < 4; k++) moments[k] += pow(z, k + 1) / N;
  }
  for (int i = 0; i < BINS; i++) CHECK_NEAR(bins[i], N / BINS, 5 * sqrt(N / BINS));
  CHECK_NEAR(moments[0], 0, 5 / sqrt(N));
  CHECK_NEAR(moments[1], 1, 5 * sqrt(2.0 / N));
  CHECK_NEAR(moments[2], 0, 5 * sqrt(15.0 / N));
  CHECK_NEAR(moments[3], 3, 5 * sqrt(96.0 / N));
}

TEST(runs_that_fail_are_counted) {
  // restitutions above 1 are refused
  Asked a;
  ask(cx,
      "param m = 1 [kg], g = 9.81 [m/s^2], e = 0.9\ncoord y = 1 [m]\nkinetic = m*y'^2/2\n"
      "potential = m*g*y\ncontact floor: y >= 0 restitution e\n"
      "measure high = max(y) from 0.5 [s], never = first(t, y > 2 [m])\n"
      "tolerance e = 0.2, runs 300: high, never\nsimulate to 1 [s] every 0.5 [s]\n",
      0, 1, &a);
  const Tolerance *t = &a.tolerance;
  assert_int_equal(t->seen, 300);
  assert_true(t->failed > 30 && t->failed < 120); // a quarter
  assert_int_equal(t->distributions.at[0].count, 300 - t->failed);
  assert_true(t->distributions.at[0].most <= 1);
  assert_int_equal(t->distributions.at[1].count, 0);
  assert_true(isnan(t->distributions.at[1].percentile[3]));
}

RUN_TESTS(cmocka_unit_test(a_sum_of_parameters_has_the_distribution_of_the_sum),
          cmocka_unit_test(shares_add_up_to_what_a_fit_explains),
          cmocka_unit_test(a_percentage_is_a_part_of_the_models_value),
          cmocka_unit_test(runs_side_by_side_have_the_same_bits),
          cmocka_unit_test(samples_depend_on_seed_and_number_alone),
          cmocka_unit_test(samples_have_their_distributions),
          cmocka_unit_test(runs_that_fail_are_counted))
