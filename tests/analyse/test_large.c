// Systems of hundreds of coordinates: frequencies of closed form, entries that stay exact, limits.
#include <math.h>
#include <stdio.h>

#include "analyse/vibration/modes.h"
#include "base/text.h"
#include "support/analysis.h"

// Masses in a line between two walls: omega_j = 2 sqrt(k/m) sin(j pi / (2 N + 2)).
static const char *line_of_masses(Context *cx, uint32_t count) {
  Text text = text_new(&cx->keep);
  text_add(&text, "param m = 2 [kg], k = 300 [N/m]\ncoord x[0] = 0 [m]\n");
  text_add(&text, "kinetic = 1/2*m*x[0]'^2\npotential = 1/2*k*x[0]^2\n");
  for (uint32_t i = 1; i < count; i++)
    text_addf(&text,
              "coord x[%u] = 0 [m]\nkinetic = 1/2*m*x[%u]'^2\n"
              "potential = 1/2*k*(x[%u] - x[%u])^2\n",
              i, i, i, i - 1);
  text_addf(&text, "potential = 1/2*k*x[%u]^2\n", count - 1);
  return text.at;
}

TEST(a_long_line_has_the_frequencies_of_the_textbook) {
  static const uint32_t counts[] = {1, 7, 200};
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    uint32_t n = counts[c];
    Analysed a = analysed(cx, line_of_masses(cx, n));
    Linearized l;
    Modes modes;
    LinearizeOptions numbers = {.numbers_only = true};
    assert_int_equal(linearize_system(cx, a.system, a.values, &numbers, &l), QDOT_OK);
    assert_null(l.M);
    assert_int_equal(modes_find(&l, &cx->keep, &modes), QDOT_OK);
    assert_int_equal(modes.count, n);
    for (uint32_t j = 0; j < n; j++) {
      double omega = 2 * sqrt(300.0 / 2) * sin((j + 1) * M_PI / (2 * n + 2));
      CHECK_NEAR(modes.mode[j].omega / omega, 1, 1e-9);
    }
    // the entries come later, and are those of the one call
    assert_int_equal(linearized_add_entries(&l, a.values), QDOT_OK);
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; j < n; j++) {
        static const char *const expected[] = {"2*k", "-k", "0"};
        Expr entry = l.K[i * n + j];
        uint32_t apart = i > j ? i - j : j - i;
        assert_int_equal(entry, expression(&a, expected[apart < 2 ? apart : 2]));
      }
  }
}

// Masses in a line between no walls, each of its own size.
static const char *free_line(Context *cx, Random *random, uint32_t count) {
  Text text = text_new(&cx->keep);
  text_add(&text, "param k = 300 [N/m]\n");
  for (uint32_t i = 0; i < count; i++) {
    text_addf(&text, "coord x[%u] = 0 [m]\nkinetic = 1/2*%.3f [kg]*x[%u]'^2\n", i,
              random_real(random, 0.5, 3), i);
    if (i > 0) text_addf(&text, "potential = 1/2*k*(x[%u] - x[%u])^2\n", i, i - 1);
  }
  return text.at;
}

// One rigid motion, and M^-1 K x = omega^2 x for the others, with our loops and the library's.
TEST(a_free_line_moves_as_a_whole_and_vibrates) {
  Random random = random_start("a_free_line_moves_as_a_whole_and_vibrates");
  static const uint32_t counts[] = {2, 9, 60, 180};
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    uint32_t n = counts[c];
    Analysed a = analysed(cx, free_line(cx, &random, n));
    Linearized l;
    Modes modes;
    LinearizeOptions numbers = {.numbers_only = true};
    assert_int_equal(linearize_system(cx, a.system, a.values, &numbers, &l), QDOT_OK);
    assert_int_equal(modes_find(&l, &cx->keep, &modes), QDOT_OK);
    assert_int_equal(modes.count, n);
    assert_int_equal(modes.mode[0].kind, MODE_RIGID);
    for (uint32_t i = 0; i < n; i++) CHECK_NEAR(modes.mode[0].shape_re[i], 1, 1e-8);
    for (uint32_t j = 1; j < n; j++) {
      const Mode *mode = &modes.mode[j];
      const double *x = mode->shape_re;
      assert_int_equal(mode->kind, MODE_OSCILLATION);
      for (uint32_t i = 0; i < n; i++) {
        double pull = (i > 0 ? x[i] - x[i - 1] : 0) + (i + 1 < n ? x[i] - x[i + 1] : 0);
        double mass = l.number.M[(size_t)i * n + i];
        CHECK_NEAR(300 * pull / mass, mode->omega * mode->omega * x[i], 1e-7);
      }
    }
  }
}

// Every coordinate is coupled with every other by `terms` waves.
static const char *coupled(Context *cx, uint32_t count, uint32_t terms) {
  Text text = text_new(&cx->keep);
  text_add(&text, "param J = 1 [kg*m^2], E = 1 [J]\n");
  for (uint32_t i = 0; i < count; i++)
    text_addf(&text, "coord q_%u = 0 [rad]\nkinetic = 1/2*J*q_%u'^2\npotential = 40*E*q_%u^2\n", i,
              i, i);
  for (uint32_t k = 0; k < terms; k++) {
    text_add(&text, "potential = E*cos(0");
    for (uint32_t i = 0; i < count; i++) text_addf(&text, " + %u/10*q_%u", (3 * i + k) % 7 + 1, i);
    text_addf(&text, " + %u/100)\n", k + 1);
  }
  return text.at;
}

// What is too large to be simplified is exact all the same; what is too large for anybody is told.
TEST(entries_are_exact_or_told_to_be_too_large) {
  Analysed a = analysed(cx, coupled(cx, 10, 20));
  Linearized l = linearized(&a);
  assert_true(l.is_large && l.M && !l.is_too_large);
  Analysed b = analysed(cx, coupled(cx, 30, 80));
  l = linearized(&b);
  assert_true(l.is_too_large && !l.M && !l.K && l.number.K);
  Modes modes;
  assert_int_equal(modes_find(&l, &cx->keep, &modes), QDOT_OK);
  assert_int_equal(modes.eigenvalue_count, 60);
}

RUN_TESTS(cmocka_unit_test(a_long_line_has_the_frequencies_of_the_textbook),
          cmocka_unit_test(a_free_line_moves_as_a_whole_and_vibrates),
          cmocka_unit_test(entries_are_exact_or_told_to_be_too_large))
