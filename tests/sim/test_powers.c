// Roots and fractional powers of what switches: Hertz contacts and dampers by power laws.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

static const char *const methods[] = {"rk853", "rk45", "bdf", "dae", "auto"};
enum { METHODS = sizeof methods / sizeof *methods };

static Motion run(Context *cx, const char *text) {
  Motion m = motion_of(cx, text);
  if (m.status != QDOT_OK || m.summary.stopped) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.stopped, STOPPED_NOT);
  return m;
}

// A ball flies against an elastic half-space and back: how long that takes is a beta function.
TEST(hertz) {
  static const char *const laws[] = {
      "force x = -k*max(x, 0)^(3/2)", "force x = if(x > 0, -k*x^(3/2), 0)",
      "potential = 2/5*k*max(x, 0)^(5/2)", "force x = -k*max(x, 0)*sqrt(max(x, 0))",
      "force x = -k*((x + abs(x))/2)^1.5"};
  Random r = random_start("hertz");
  for (int i = 0; i < test_rounds(40); i++) {
    double m_ = pow(10, random_real(&r, -1, 1)), k = pow(10, random_real(&r, 3, 7));
    double v = pow(10, random_real(&r, -1, 1)), way = 0.1;
    double depth = pow(5 * m_ * v * v / (4 * k), 0.4);
    double lasts = 0.8 * sqrt(M_PI) * tgamma(0.4) / tgamma(0.9) * depth / v;
    double end = way / v + lasts + way / v;
    const char *text =
        text_format(&cx->keep,
                    "param m = %.17g, k = %.17g\ncoord x = %.17g\ncoord x' = %.17g\n"
                    "kinetic = 1/2*m*x'^2\n%s\nsimulate to %.17g every %.17g using %s\n",
                    m_, k, -way, v, laws[i % 5], end, end / 20, methods[i / 5 % METHODS]);
    Motion m = run(cx, text);
    CHECK_NEAR(motion_at(&m, end, "x'") / v, -1, 2e-4);
    CHECK_NEAR(motion_at(&m, end, "x") / way, -1, 2e-4);
    if (i / 5 % METHODS > 1) continue;
    CHECK_NEAR(motion_at(&m, end, "x'") / v, -1, 1e-5);
    CHECK_NEAR(motion_at(&m, end, "x") / way, -1, 1e-5);
  }
}

// v' = -c |v|^p sign(v): comes to rest in a known time for p < 1, never for p > 1.
TEST(power_law_dampers) {
  static const char *const laws[] = {"-c*sign(x')*(abs(x')/u)^%s",
                                     "if(x' < 0, c*(-x'/u)^%s, -c*(x'/u)^%s)"};
  for (double p = 0.3; p < 3; p += 0.4)
    for (int law = 0; law < 2; law++)
      for (int method = 0; method < 2; method++) {
        const char *power = text_format(&cx->keep, "%.1f", p);
        const char *force = text_format(&cx->keep, laws[law], power, power);
        Motion m = run(cx, text_format(&cx->keep,
                                       "param m = 1, u = 1, c = 2\ncoord x = 0\ncoord x' = 1.5\n"
                                       "kinetic = 1/2*m*x'^2\nforce x = %s\n"
                                       "simulate to 3 every 0.1 using %s\n",
                                       force, methods[method]));
        for (double t = 0; t < 3.05; t += 0.1) {
          double left = pow(1.5, 1 - p) - (1 - p) * 2 * t;
          CHECK_NEAR(motion_at(&m, t, "x'"), left > 0 ? pow(left, 1 / (1 - p)) : 0, 1e-6);
        }
      }
}

// A spring beside such a damper, forwards and back, against its own fourth-order steps in s = sqrt
// of the time scale; and its energy falls.
TEST(springs_with_power_dampers) {
  Random r = random_start("springs_with_power_dampers");
  for (int i = 0; i < test_rounds(12); i++) {
    double k = random_real(&r, 10, 200), c = random_real(&r, 0.1, 3), p = random_real(&r, 1.2, 2.8);
    Motion m =
        run(cx, text_format(&cx->keep,
                            "param m = 1, u = 1, k = %.17g, c = %.17g\ncoord x = 1\n"
                            "kinetic = 1/2*m*x'^2\n"
                            "potential = 1/2*k*x^2\nforce x = -c*sign(x')*(abs(x')/u)^%.17g\n"
                            "simulate to 2 every 0.1\n",
                            k, c, p));
    double x = 1, v = 0, h = 1e-5;
    for (int step = 0; step < 200000; step++) {
      double a[4], b[4];
      for (int s = 0; s < 4; s++) {
        double d = s == 0 ? 0 : s == 3 ? h : h / 2;
        double xs = x + (s ? d * b[s - 1] : 0), vs = v + (s ? d * a[s - 1] : 0);
        b[s] = vs;
        a[s] = -k * xs - c * (vs < 0 ? -1 : 1) * pow(fabs(vs), p);
      }
      x += h / 6 * (b[0] + 2 * b[1] + 2 * b[2] + b[3]);
      v += h / 6 * (a[0] + 2 * a[1] + 2 * a[2] + a[3]);
    }
    CHECK_NEAR(motion_at(&m, 2, "x"), x, 1e-6);
    CHECK_NEAR(motion_at(&m, 2, "x'"), v, 1e-5);
  }
}

// A base that no condition keeps from being negative has no value there, and the run says when.
TEST(negative_for_good) {
  Motion m = motion_of(cx, "param m = 1, F = 1, L = 1\ncoord x = 1\ncoord x' = -1\n"
                           "kinetic = 1/2*m*x'^2\n"
                           "force x = F*sqrt(x/L) + 0.1*F*abs(x/L - 0.5) - 20*F\n"
                           "simulate to 2 every 0.1\n");
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.stopped, STOPPED_LIMIT);
  assert_true(m.summary.t_end < 0.35 && m.summary.t_end > 0.2);
}

// Beyond the switch the force begins as a broken power of time, which no error estimate of a smooth
// step sees: the energy may be off by what the tolerance lets the force do, as for any stiff
// spring.
TEST(bounces_on_broken_powers_keep_the_energy) {
  Random random = random_start("bounces on broken powers");
  int rounds = test_rounds(200);
  double worst = 0, mean = 0;
  for (int round = 0; round < rounds; round++) {
    double power = random_real(&random, 1.1, 2.9), height = random_real(&random, 0.02, 0.5);
    double depth = height * pow(10, random_real(&random, -2, -0.5)),
           tolerance = round % 2 ? 1e-6 : 1e-8;
    // all of the energy is in the spring at that depth
    double stiffness = 9.81 * (height + depth) * (power + 1) / pow(depth, power + 1);
    double force = stiffness * pow(depth, power);
    Motion m = motion_load(
        cx,
        text_format(&cx->keep,
                    "param m = 1 [kg], g = 9.81 [m/s^2], L = 1 [m], F = %.17g [N], n = %.17g\n"
                    "coord y = %.17g [m]\nkinetic = 1/2*m*y'^2\n"
                    "potential = m*g*y + F*L/(n + 1)*max(-y/L, 0)^(n + 1)\n"
                    "simulate to %.17g [s] every 0.1 [s]\n",
                    stiffness, power, height, 6 * sqrt(2 * height / 9.81)),
        NULL);
    m.options.method.method = METHOD_RK853;
    m.options.method.rtol = m.options.method.atol = tolerance;
    motion_run(&m);
    assert_int_equal(m.status, QDOT_OK);
    double off = m.summary.energy_drift * m.summary.exchanged;
    double share = off / (tolerance * (force + sqrt(2 * 9.81 * height)));
    worst = fmax(worst, share);
    mean += share / rounds;
  }
  print_message("%.2g of what the tolerance lets pass, at most %.2g\n", mean, worst);
  assert_true(mean < 0.5);
}

RUN_TESTS(cmocka_unit_test(bounces_on_broken_powers_keep_the_energy), cmocka_unit_test(hertz),
          cmocka_unit_test(power_law_dampers), cmocka_unit_test(springs_with_power_dampers),
          cmocka_unit_test(negative_for_good))
