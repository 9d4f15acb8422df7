// One weakly nonlinear coordinate: Lindstedt's frequency against the period computed without
// series, printed results, jumps of the forced response against its cubic equation.
#include <math.h>
#include <string.h>

#include "analyse/vibration/weakly.h"
#include "expr/algebra/equal.h"
#include "expr/build.h"
#include "expr/print.h"
#include "support/analysis.h"

static bool found(Context *cx, const char *text, Weakly *out) {
  Analysed a = analysed(cx, text);
  Linearized l = linearized(&a);
  return weakly_find(&l, a.values, out);
}

TEST(printed_results) {
  Weakly w;
  assert_true(found(cx,
                    "param g = 9.81 [m/s^2], L = 2 [m], m = 3 [kg]\ncoord a = 0.1 [rad]\n"
                    "kinetic = m*L^2*a'^2/2\npotential = -m*g*L*cos(a)\n",
                    &w));
  assert_string_equal(expr_text(cx, &cx->keep, w.kappa), "-0.0625");
  assert_string_equal(expr_text(cx, &cx->keep, w.square), "g/L");
  assert_true(found(cx,
                    "param m = 3 [kg], k = 2 [N/m], b = 0.7 [N/m^3]\ncoord x = 0.1 [m]\n"
                    "kinetic = m*x'^2/2\npotential = k*x^2/2 + b*x^4/4\n",
                    &w));
  assert_string_equal(expr_text(cx, &cx->keep, w.kappa), "3*b/(8*k)"); // Duffing
  assert_true(found(cx,
                    "param m = 3 [kg], k = 2 [N/m], b = 0.7 [N/m^2]\ncoord x = 0.1 [m]\n"
                    "kinetic = m*x'^2/2\npotential = k*x^2/2 + b*x^3/3\n",
                    &w));
  CHECK_NEAR(w.k, -10 * 0.7 * 0.7 / (24 * 2 * 2.), 1e-12); // Landau, Lifshitz, Mechanics 28
}

// What has none, and what the method does not treat.
TEST(others_are_left_alone) {
  static const char *const texts[] = {
      "coord x = 0.1 [m]\nparam m = 1 [kg], k = 2 [N/m]\nkinetic = m*x'^2/2\npotential = k*x^2/2\n",
      "coord x = 0.1 [m], y = 0 [m]\nparam m = 1 [kg], k = 2 [N/m], b = 1 [N/m^3]\n"
      "kinetic = m*(x'^2 + y'^2)/2\npotential = k*(x^2 + y^2)/2 + b*x^4\nlinearize at x = 0 [m], y "
      "= 0 [m]\n",
      ("coord x = 0.1 [m]\nparam m = 1 [kg], k = 2 [N/m], b = 1 [N/m^3], c = 1 [N*s/m^3]\n"
       "kinetic = m*x'^2/2\npotential = k*x^2/2 + b*x^4\nforce x = -c*x^2*x' + 0.1 [N]\n")};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Weakly w;
    assert_false(found(cx, texts[i], &w));
  }
}

TEST(frequencies_of_random_systems) {
  Random r = random_start("frequencies_of_random_systems");
  for (int round = 0; round < test_rounds(30); round++) {
    double m_1 = random_real(&r, -1, 1), m_2 = random_real(&r, 0.3, 2);
    double k_3 = random_real(&r, -2, 2), k_4 = random_real(&r, 1.5, 4);
    const char *text =
        text_format(&cx->keep,
                    "param m = 1 [kg], k = 2 [N/m], p = %.6f [1/m], q = %.6f [1/m^2], b = %.6f "
                    "[N/m^2], c = %.6f [N/m^3]\n"
                    "coord x = 0.01 [m]\nkinetic = 1/2*m*(1 + p*x + q*x^2)*x'^2\n"
                    "potential = 1/2*k*x^2 + 1/3*b*x^3 + 1/4*c*x^4\nlinearize at x = 0 [m]\n",
                    m_1, m_2, k_3, k_4);
    Weakly w;
    if (!found(cx, text, &w) || fabs(w.k) < 0.1) continue;
    // the error of the series is of the next even order
    double a = w.amplitude[0], computed = (w.frequency[0] / w.w_0 - 1) / (a * a);
    CHECK_NEAR(computed, w.k, fabs(w.k) * 0.1 + 0.02);
  }
}

// At a jump the cubic (mu^2 + (W - w)^2) a^2 = (f/(2 w_0))^2 has a double root: three roots on one
// side of it, one on the other.
static int count_amplitudes(const Weakly *w, double W) {
  int count = 0;
  double before = 0;
  for (int i = 1; i <= 40000; i++) {
    double a = 1.2 * w->peak * i / 40000, away = W - w->w_0 * (1 + w->k * a * a);
    double value = (w->mu * w->mu + away * away) * a * a - w->f * w->f / (4 * w->w_0 * w->w_0);
    count += i > 1 && value * before < 0;
    before = value;
  }
  return count;
}

TEST(jumps_of_the_forced_response) {
  Weakly w;
  assert_true(found(cx,
                    "param m = 1 [kg], k = 1 [N/m], b = 0.2 [N/m^3], c = 0.05 [N*s/m]\n"
                    "param F = 0.1 [N], W = 1.1 [rad/s]\ncoord x = 0.1 [m]\n"
                    "kinetic = m*x'^2/2\npotential = k*x^2/2 + b*x^4/4\n"
                    "dissipation = c*x'^2/2\nforce x = F*cos(W*t)\nlinearize at equilibrium\n",
                    &w));
  assert_true(w.is_forced && w.jumps == 2);
  CHECK_NEAR(w.peak, 0.1 / (2 * 0.025), 1e-12);
  double low = fmin(w.jump[0], w.jump[1]), high = fmax(w.jump[0], w.jump[1]);
  assert_int_equal(count_amplitudes(&w, low - 0.005), 1);
  assert_int_equal(count_amplitudes(&w, low + 0.005), 3);
  assert_int_equal(count_amplitudes(&w, high - 0.005), 3);
  assert_int_equal(count_amplitudes(&w, high + 0.005), 1);
}

RUN_TESTS(cmocka_unit_test(printed_results), cmocka_unit_test(others_are_left_alone),
          cmocka_unit_test(frequencies_of_random_systems),
          cmocka_unit_test(jumps_of_the_forced_response))
