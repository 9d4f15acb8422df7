// Random responses against closed forms and a plain quadrature; weightings against their tables.
#include "analyse/excited/random_response.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "analyse/excited/weighting.h"
#include "base/random.h"
#include "base/text.h"
#include "derive/with_states.h"
#include "support/analysis.h"

static RandomResponse respond(const Analysed *a, const char *const *outputs, uint32_t n) {
  Linearized l = linearized(a);
  Modes modes;
  RandomResponse r;
  ResponseOutput list[8];
  for (uint32_t i = 0; i < n; i++)
    list[i] = (ResponseOutput){outputs[i], expression(a, outputs[i])};
  assert_int_equal(modes_find(&l, &a->cx->keep, &modes), QDOT_OK);
  double hz[] = {1};
  assert_int_equal(random_respond(&l, &modes, a->values, list, n, hz, 1, &a->cx->keep, &r),
                   QDOT_OK);
  return r;
}

static void check_relative(double value, double expected, double tolerance) {
  if (fabs(value - expected) <= tolerance * fabs(expected)) return;
  print_message("%.15g, expected %.15g\n", value, expected);
  fail();
}

// ---- Weightings

// ISO 2631-1:1997, table 3, in thousandths, at nominal third octaves from 0.1 to 400 Hz. The
// printed W_d at 10 Hz, 212, contradicts the standard's own formula and the values beside it.
// The formulas of Annex A as they stand there, in p = i 2 pi f.
typedef struct Filters {
  const char *name;
  double f_1, f_2, f_3, f_4, Q_4, f_5, Q_5, f_6, Q_6; // INFINITY: absent
} Filters;

static double transfer(const Filters *w, double f) {
  double complex p = I * 2 * M_PI * f, H = 1;
  double w_1 = 2 * M_PI * w->f_1, w_2 = 2 * M_PI * w->f_2, w_3 = 2 * M_PI * w->f_3;
  double w_4 = 2 * M_PI * w->f_4, w_5 = 2 * M_PI * w->f_5, w_6 = 2 * M_PI * w->f_6;
  H *= 1 / (1 + sqrt(2) * w_1 / p + (w_1 / p) * (w_1 / p));
  H *= 1 / (1 + sqrt(2) * p / w_2 + (p / w_2) * (p / w_2));
  if (isfinite(w->f_4)) {
    double complex above = isfinite(w->f_3) ? 1 + p / w_3 : 1;
    H *= above / (1 + p / (w->Q_4 * w_4) + (p / w_4) * (p / w_4));
  }
  if (isfinite(w->f_5))
    H *= (1 + p / (w->Q_5 * w_5) + (p / w_5) * (p / w_5)) /
         (1 + p / (w->Q_6 * w_6) + (p / w_6) * (p / w_6)) * (w_5 / w_6) * (w_5 / w_6);
  return cabs(H);
}

// At all thirds of octaves from 0.02 to 400 Hz.
TEST(weightings_follow_the_formulas) {
  static const double no = INFINITY;
  static const Filters all[] = {
      {"W_k", 0.4, 100, 12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91},
      {"W_d", 0.4, 100, 2.0, 2.0, 0.63, no, 0, no, 0},
      {"W_f", 0.08, 0.63, no, 0.25, 0.86, 0.0625, 0.80, 0.1, 0.80},
      {"W_c", 0.4, 100, 8.0, 8.0, 0.63, no, 0, no, 0},
      {"W_e", 0.4, 100, 1.0, 1.0, 0.63, no, 0, no, 0},
      {"W_j", 0.4, 100, no, no, 0, 3.75, 0.91, 5.32, 0.91},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (int band = -17; band <= 26; band++) {
      double f = pow(10, band / 10.0);
      check_relative(weighting_gain(all[i].name, f), transfer(&all[i], f), 1e-12);
    }
}

TEST(weightings_follow_the_published_table) {
  static const double hz[] = {0.1, 0.125, 0.16, 0.2, 0.25, 0.315, 0.4, 0.5, 0.63, 0.8,
                              1,   1.25,  1.6,  2,   2.5,  3.15,  4,   5,   6.3,  8,
                              10,  12.5,  16,   20,  25,   31.5,  40,  50,  63,   80,
                              100, 125,   160,  200, 250,  315,   400};
  static const double k[] = {31.2, 48.6, 79.0, 121,  182,  263,  352, 418,  459,  477,
                             482,  484,  494,  531,  631,  804,  967, 1039, 1054, 1036,
                             988,  902,  768,  636,  513,  405,  314, 246,  186,  132,
                             88.7, 54.0, 28.5, 15.2, 7.90, 3.98, 1.95};
  static const double d[] = {62.4, 97.3, 158,  243,  365,  530,  713,  853,  944,  992,
                             1011, 1008, 968,  890,  776,  642,  512,  409,  323,  253,
                             202,  161,  125,  100,  80.0, 63.2, 49.4, 38.8, 29.5, 21.1,
                             14.1, 8.63, 4.55, 2.43, 1.26, 0.64, 0.31};
  for (size_t i = 0; i < sizeof hz / sizeof *hz; i++) {
    check_relative(1000 * weighting_gain("W_k", hz[i]), k[i], i > 32 ? 0.01 : 0.004);
    check_relative(1000 * weighting_gain("W_d", hz[i]), d[i], i > 32 ? 0.02 : 0.004);
  }
  // W_f is largest about 0.167 Hz; W_c, W_e fall from 1 as velocities do; W_j rises to 1 at 5 Hz
  check_relative(weighting_gain("W_f", 0.16), 1.006, 0.002);
  check_relative(weighting_gain("W_c", 31.5), 0.2556, 0.003);
  check_relative(weighting_gain("W_e", 10), 0.1, 0.01);
  check_relative(weighting_gain("W_j", 10), 1.03, 0.002);
  assert_true(isnan(weighting_gain("W_q", 1)));
}

// ---- Closed forms

// White noise G (one-sided, per hertz) on a mass: x^2 = G/(4 c k), x'^2 = G/(4 c m).
TEST(white_noise_on_a_mass_has_the_textbook_variance) {
  Random random = random_start("white noise");
  for (int round = 0; round < test_rounds(20); round++) {
    double m = random_real(&random, 0.1, 10), k = random_real(&random, 1, 1e5);
    double zeta = pow(10, random_real(&random, -4, 0.3)), c = 2 * zeta * sqrt(k * m);
    double G = random_real(&random, 0.1, 10);
    Analysed a = analysed(cx, text_format(&cx->keep,
                                          "param m = %.17g [kg], k = %.17g [N/m]\n"
                                          "param c = %.17g [N*s/m], G = %.17g [N^2/Hz]\n"
                                          "coord x = 0 [m]\ninput F = 0 [N]\n"
                                          "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
                                          "dissipation = 1/2*c*x'^2\nforce x = F\n"
                                          "random F = G\n",
                                          m, k, c, G));
    RandomResponse r = respond(&a, (const char *[]){"x", "x'", "x''"}, 3);
    check_relative(r.outputs[0].rms, sqrt(G / (4 * c * k)), 1e-9);
    check_relative(r.outputs[1].rms, sqrt(G / (4 * c * m)), 1e-8);
    assert_int_equal(r.outputs[2].bound, RANDOM_FAST);
    assert_true(isinf(r.outputs[2].rms));
  }
}

// Coloured noise, G/(1 + (f/f_0)^2), is white noise through a lag of the first order with
// T = 1/(2 pi f_0): x^2 = G/(4 c k) (1 + c T/m)/(1 + c T/m + k T^2/m), by the integral of James,
// Nichols and Phillips.
TEST(coloured_noise_has_the_variance_of_a_third_order) {
  Random random = random_start("coloured noise");
  for (int round = 0; round < test_rounds(20); round++) {
    double m = random_real(&random, 0.5, 2), k = random_real(&random, 10, 1e3);
    double c = random_real(&random, 0.01, 1) * sqrt(k * m), f_0 = random_real(&random, 0.1, 10);
    Analysed a = analysed(cx, text_format(&cx->keep,
                                          "param m = %.17g [kg], k = %.17g [N/m]\n"
                                          "param c = %.17g [N*s/m], f_0 = %.17g [Hz]\n"
                                          "coord x = 0 [m]\ninput F = 0 [N]\n"
                                          "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
                                          "dissipation = 1/2*c*x'^2\nforce x = F\n"
                                          "random F(f) = 3 [N^2/Hz]/(1 + (f/f_0)^2)\n",
                                          m, k, c, f_0));
    RandomResponse r = respond(&a, (const char *[]){"x"}, 1);
    double T = 1 / (2 * M_PI * f_0), top = 1 + c * T / m, G = 3;
    check_relative(r.outputs[0].rms, sqrt(G / (4 * c * k) * top / (top + k * T * T / m)), 1e-9);
    check_relative(r.sources[0].rms, sqrt(G * f_0 * M_PI / 2), 1e-9);
  }
}

// ---- A half car

static const char half_car[] =
    "param m = 700 [kg], J = 1000 [kg*m^2], a = 1.2 [m], b = 1.4 [m], v = %.17g [m/s]\n"
    "param k = 20 [kN/m], c = 1.5 [kN*s/m]\n"
    "coord y = 0 [m], p = 0\n"
    "input z_1 = 0 [m], z_2 = 0 [m]\n"
    "kinetic = 1/2*m*y'^2 + 1/2*J*p'^2\n"
    "potential = 1/2*k*(y + a*p - z_1)^2 + 1/2*k*(y - b*p - z_2)^2\n"
    "dissipation = 1/2*c*(y' + a*p')^2 + 1/2*c*(y' - b*p')^2\n"
    "random z_1 = road %c, speed v\n"
    "random z_2 = z_1, delay (a + b)/v\n"
    "comfort W_k: y'' - b*p''\n";

// (K - w^2 M + i w C) q = k (1, 1; a, -b) (z_1, z_2)
static void half_car_at(double w, double delay, double complex q[2]) {
  double m = 700, J = 1000, a = 1.2, b = 1.4;
  double complex s = 20e3 + I * w * 1500, z = cexp(-I * w * delay);
  double complex A = 2 * s - w * w * m, B = s * (a - b), D = s * (a * a + b * b) - w * w * J;
  double complex f = 20e3 * (1 + z), g = 20e3 * (a - b * z), det = A * D - B * B;
  q[0] = (D * f - B * g) / det, q[1] = (A * g - B * f) / det;
}

// The same by Simpson's rule on a million points.
TEST(a_half_car_on_a_road_agrees_with_simpson) {
  Random random = random_start("half car");
  for (int round = 0; round < test_rounds(3); round++) {
    double v = random_real(&random, 5, 40);
    char class = (char)('A' + random_below(&random, 8));
    Analysed car = analysed(cx, text_format(&cx->keep, half_car, v, class));
    RandomResponse r = respond(&car, (const char *[]){"y", "y''", "p"}, 3);
    assert_int_equal(r.output_count, 4);
    double low = 0.011 * v, high = 2.83 * v, sum[4] = {0};
    int n = 200000;
    for (int i = 0; i <= n; i++) {
      double f = low + (high - low) * i / n, w = 2 * M_PI * f;
      double S = 16e-6 * pow(4, class - 'A') * 0.01 * v / (f * f);
      double weight = (high - low) / n / 3 * S * (i == 0 || i == n ? 1 : i % 2 ? 4 : 2);
      double complex q[2];
      half_car_at(w, 2.6 / v, q);
      double felt = weighting_gain("W_k", f) * w * w * cabs(q[0] - 1.4 * q[1]);
      double y[4] = {cabs(q[0]), w * w * cabs(q[0]), cabs(q[1]), felt};
      for (int o = 0; o < 4; o++) sum[o] += weight * y[o] * y[o];
    }
    for (int o = 0; o < 4; o++) check_relative(r.outputs[o].rms, sqrt(sum[o]), 1e-7);
    // the density at 1 Hz
    double complex q[2];
    half_car_at(2 * M_PI, 2.6 / v, q);
    double S = low < 1 ? 16e-6 * pow(4, class - 'A') * 0.01 * v : 0;
    check_relative(r.density[0], S * cabs(q[0]) * cabs(q[0]), 1e-9);
  }
}

// The height of a road, and a state whose rate is that of the road: one response.
TEST(a_road_is_given_by_its_height_or_its_rate) {
  static const char car[] = "param m = 300 [kg], k = 18 [kN/m], c = 1.4 [kN*s/m], v = 20 [m/s]\n"
                            "coord y = 0 [m]\n%s"
                            "kinetic = 1/2*m*y'^2\npotential = 1/2*k*(y - z)^2\n"
                            "dissipation = 1/2*c*y'^2\n%s";
  Analysed height = analysed(
      cx, text_format(&cx->keep, car, "input z = 0 [m]\n", "random z = road C, speed v\n"));
  Analysed rate =
      analysed(cx, text_format(&cx->keep, car, "state z = 0 [m]\ninput w = 0 [m/s]\nrate z = w\n",
                               "random w = road C, speed v\n"));
  rate.system = system_with_states(cx, rate.system);
  RandomResponse one = respond(&height, (const char *[]){"y", "y''", "k*(y - z)"}, 3);
  RandomResponse two = respond(&rate, (const char *[]){"y", "y''", "k*(y - z)"}, 3);
  for (int o = 0; o < 3; o++) check_relative(one.outputs[o].rms, two.outputs[o].rms, 1e-9);
}

// Sources that are independent add their mean squares, whatever outputs they share.
TEST(independent_sources_add_up) {
  static const char text[] = "param m = 2 [kg], k = 90 [N/m], c = 3 [N*s/m]\n"
                             "coord x = 0 [m], y = 0 [m]\ninput F = 0 [N], G = 0 [N]\n"
                             "kinetic = 1/2*m*(x'^2 + y'^2)\n"
                             "potential = 1/2*k*x^2 + 1/2*k*(x - y)^2\n"
                             "dissipation = 1/2*c*(x'^2 + y'^2)\nforce x = F\nforce y = G\n%s%s";
  const char *F = "random F = 2 [N^2/Hz], to 30 [Hz]\n";
  const char *G = "random G(f) = table(f, (1 [Hz], 0 [N^2/Hz]), (3 [Hz], 5 [N^2/Hz]), (9 [Hz], 0 "
                  "[N^2/Hz]))\n";
  const char *lines[][2] = {{F, ""}, {G, ""}, {F, G}};
  double square[3];
  for (int i = 0; i < 3; i++) {
    Analysed a = analysed(cx, text_format(&cx->keep, text, lines[i][0], lines[i][1]));
    RandomResponse r = respond(&a, (const char *[]){"x + y"}, 1);
    square[i] = r.outputs[0].rms * r.outputs[0].rms;
  }
  check_relative(square[0] + square[1], square[2], 1e-9);
}

static RandomResponse undamped(Context *cx, const char *band) {
  Analysed a = analysed(cx, text_format(&cx->keep,
                                        "param m = 1 [kg], k = 100 [N/m]\ncoord x = 0 [m]\n"
                                        "input F = 0 [N]\nkinetic = 1/2*m*x'^2\n"
                                        "potential = 1/2*k*x^2\nforce x = F\n"
                                        "random F = 1 [N^2/Hz]%s\n",
                                        band));
  return respond(&a, (const char *[]){"x"}, 1);
}

TEST(what_has_no_bound_is_told) {
  assert_int_equal(undamped(cx, "").outputs[0].bound, RANDOM_UNDAMPED);
  assert_int_equal(undamped(cx, ", from 2 [Hz], to 3 [Hz]").outputs[0].bound, RANDOM_BOUNDED);
  Analysed a = analysed(cx, "param m = 1 [kg], c = 2 [N*s/m]\ncoord x = 0 [m]\ninput F = 0 [N]\n"
                            "kinetic = 1/2*m*x'^2\ndissipation = 1/2*c*x'^2\nforce x = F\n"
                            "random F = 1 [N^2/Hz]\n");
  RandomResponse r = respond(&a, (const char *[]){"x", "x'"}, 2);
  assert_int_equal(r.outputs[0].bound, RANDOM_SLOW);
  check_relative(r.outputs[1].rms, sqrt(1.0 / (4 * 2 * 1)), 1e-8);
}

RUN_TESTS(cmocka_unit_test(weightings_follow_the_formulas),
          cmocka_unit_test(weightings_follow_the_published_table),
          cmocka_unit_test(white_noise_on_a_mass_has_the_textbook_variance),
          cmocka_unit_test(coloured_noise_has_the_variance_of_a_third_order),
          cmocka_unit_test(a_half_car_on_a_road_agrees_with_simpson),
          cmocka_unit_test(a_road_is_given_by_its_height_or_its_rate),
          cmocka_unit_test(independent_sources_add_up), cmocka_unit_test(what_has_no_bound_is_told))
