// Responses to unbalance against closed forms.
#include "analyse/excited/synchronous.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "support/analysis.h"

static Status try(const Analysed *a, const char *const *outputs, uint32_t n, Synchronous *out) {
  ResponseOutput list[8];
  for (uint32_t i = 0; i < n; i++)
    list[i] = (ResponseOutput){outputs[i], expression(a, outputs[i])};
  return synchronous_respond(a->cx, a->system, list, n, 60, out);
}

static Synchronous respond(const Analysed *a, const char *const *outputs, uint32_t n) {
  Synchronous s;
  assert_int_equal(try(a, outputs, n, &s), QDOT_OK);
  return s;
}

static double complex value(const Synchronous *s, uint32_t k, uint32_t o) {
  size_t at = (size_t)k * s->output_count + o;
  return s->re[at] + I * s->im[at];
}

static void check_close(double complex value, double complex expected, double size) {
  if (cabs(value - expected) <= 1e-9 * size) return;
  print_message("%.15g %+.15g i, expected %.15g %+.15g i\n", creal(value), cimag(value),
                creal(expected), cimag(expected));
  fail();
}

// The rotor of Laval and Jeffcott in bearings of two stiffnesses, by bodies and by energies:
// x = U w^2/(k - m w^2 + i w c), whose top is at w_0/sqrt(1 - 2 z^2) with e/(2 z sqrt(1 - z^2)).
TEST(a_jeffcott_rotor_has_the_textbook_response) {
  static const char *const models[] = {
      "body rotor: mass m, inertia 0.01 [kg*m^2], at (0, 0), velocity (0, 0), spin w\n"
      "bushing b: ground (0, 0), rotor (0, 0), stiffness (k_x, k_y, 0), damping (c, c, 0)\n"
      "unbalance u: rotor (0, 0), moment U, angle A\n"
      "constraint drive: rotor.theta = w*t\n"
      "linearize at motion rotor.theta' = w, rotor.x = 0, rotor.y = 0\n"
      "let x = rotor.x, y = rotor.y\n",
      "coord x = 0 [m], y = 0 [m]\n"
      "let s = (x + U/m*cos(w*t + A), y + U/m*sin(w*t + A))\n"
      "kinetic = 1/2*m*dot(s', s')\npotential = 1/2*k_x*x^2 + 1/2*k_y*y^2\n"
      "dissipation = 1/2*c*(x'^2 + y'^2)\n",
      "coord x = 0 [m], y = 0 [m]\n"
      "input F = U*w^2*cos(w*t + A)\n"
      "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = 1/2*k_x*x^2 + 1/2*k_y*y^2\n"
      "dissipation = 1/2*c*(x'^2 + y'^2)\nforce x = F\nforce y = U*w^2*sin(w*t + A)\n"};
  Random random = random_start("jeffcott");
  for (int round = 0; round < test_rounds(12); round++) {
    double m = random_real(&random, 0.5, 5), U = random_real(&random, 1e-4, 1e-2);
    double k[2] = {random_real(&random, 1e3, 1e4), random_real(&random, 1e3, 1e4)};
    double z = random_real(&random, 0.01, 0.3), c = 2 * z * sqrt(k[0] * m);
    double angle = random_real(&random, -3, 3);
    Analysed a = analysed(cx, text_format(&cx->keep,
                                          "param m = %.17g [kg], U = %.17g [kg*m]\n"
                                          "param k_x = %.17g [N/m], k_y = %.17g [N/m]\n"
                                          "param c = %.17g [N*s/m], A = %.17g, w = 30 [rad/s]\n"
                                          "%ssynchronous w in 5..400 [rad/s]: U\n",
                                          m, U, k[0], k[1], c, angle, models[round % 3]));
    Synchronous s = respond(&a, (const char *[]){"x", "y'", "k_x*x + c*x'"}, 3);
    for (uint32_t i = 0; i < s.n; i++) {
      double w = s.speeds[i];
      double complex u = U * w * w * cexp(I * angle);
      double complex x = u / (k[0] - m * w * w + I * w * c),
                     y = -I * u / (k[1] - m * w * w + I * w * c);
      check_close(value(&s, i, 0), x, cabs(x));
      check_close(value(&s, i, 1), I * w * y, cabs(w * y));
      check_close(value(&s, i, 2), x * (k[0] + I * w * c), cabs(x) * k[0]);
    }
    double w_0 = sqrt(k[0] / m);
    assert_int_equal(s.outputs[0].peaks.n, 1);
    const SynchronousPeak *top = &s.outputs[0].peaks.at[0];
    CHECK_NEAR(top->speed / (w_0 / sqrt(1 - 2 * z * z)), 1, 1e-5);
    CHECK_NEAR(top->amplitude / (U / m / (2 * z * sqrt(1 - z * z))), 1, 1e-9);
    double damped = w_0 * sqrt(1 - z * z), nearest = INFINITY;
    for (uint32_t i = 0; i < s.critical_speeds.n; i++)
      nearest = fmin(nearest, fabs(s.critical_speeds.at[i] - damped));
    assert_true(nearest < 1e-9 * damped);
  }
}

// A disc that tilts: its gyroscopic moments change its frequencies with the speed, and forward
// whirl sees k + (J_p - J_t) w^2.
TEST(gyroscopic_moments_stiffen_a_disc) {
  Random random = random_start("gyroscopic");
  for (int round = 0; round < test_rounds(10); round++) {
    double J_t = random_real(&random, 0.5, 1.5), J_p = random_real(&random, 0.2, 2);
    double k = random_real(&random, 100, 1000), c = random_real(&random, 0.1, 3);
    Analysed d = analysed(
        cx, text_format(&cx->keep,
                        "param J_t = %.17g [kg*m^2], J_p = %.17g [kg*m^2], k = %.17g [N*m]\n"
                        "param c = %.17g [N*m*s], tau = 0.01, w = 10 [rad/s]\n"
                        "coord a = 0, b = 0\n"
                        "kinetic = 1/2*J_t*(a'^2 + b'^2) + 1/2*J_p*w*(a'*b - a*b')\n"
                        "potential = 1/2*k*(a^2 + b^2)\n"
                        "dissipation = 1/2*c*(a'^2 + b'^2)\n"
                        "force a = tau*J_t*w^2*cos(w*t)\nforce b = tau*J_t*w^2*sin(w*t)\n"
                        "synchronous w in 0..60 [rad/s]: tau\n",
                        J_t, J_p, k, c));
    Synchronous s = respond(&d, (const char *[]){"a", "b"}, 2);
    for (uint32_t i = 0; i < s.n; i++) {
      double w = s.speeds[i];
      double complex a = 0.01 * J_t * w * w / (k + (J_p - J_t) * w * w + I * w * c);
      check_close(value(&s, i, 0), a, cabs(a));
      check_close(value(&s, i, 1), -I * a, cabs(a));
    }
  }
}

// Without damping a peak has no top; the bearing force of a rigid rotor grows with w^2.
TEST(undamped_rotors_and_rigid_ones) {
  Analysed a = analysed(cx, "param m = 1 [kg], k = 900 [N/m], e = 1 [mm], w = 3 [rad/s]\n"
                            "coord x = 0 [m]\nlet s = x + e*cos(w*t)\n"
                            "kinetic = 1/2*m*s'^2\npotential = 1/2*k*x^2\n"
                            "synchronous w in 10..60 [rad/s]: e\n");
  Synchronous s = respond(&a, (const char *[]){"x"}, 1);
  assert_int_equal(s.outputs[0].peaks.n, 1);
  CHECK_NEAR(s.outputs[0].peaks.at[0].speed, 30, 1e-5);
  assert_true(isinf(s.outputs[0].peaks.at[0].amplitude));
  assert_int_equal(s.critical_speeds.n, 1);
  CHECK_NEAR(s.critical_speeds.at[0], 30, 1e-9);
  Analysed b =
      analysed(cx, "param w = 30 [rad/s]\n"
                   "body rotor: mass 2 [kg], disc 0.1 [m], spin w\n"
                   "joint A: revolute ground (0, 0), rotor (0, 0)\nmotor A: speed w\n"
                   "body base: mass 1 [kg], point\n"
                   "joint g: prismatic ground (1 [m], 0), base (0, 0)\n"
                   "spring f: ground (0, 0), base (0, 0), stiffness 100 [N/m], length 1 [m]\n"
                   "unbalance u: rotor (0, 0), moment 3 [g*m]\n"
                   "linearize at motion rotor.theta' = w\n"
                   "synchronous w in 10..60 [rad/s]: u.moment\n"
                   "output F = A.F_x\n");
  Synchronous f = respond(&b, (const char *[]){"F"}, 1);
  for (uint32_t i = 0; i < f.n; i++) {
    double w = f.speeds[i];
    check_close(value(&f, i, 0), -3e-3 * w * w, 3e-3 * w * w);
  }
}

static const char *refusal(Context *cx, const char *lines, const char *output) {
  Analysed a =
      analysed(cx, text_format(&cx->keep,
                               "param m = 1 [kg], k = 900 [N/m], e = 1 [mm], w = 3 [rad/s]\n"
                               "coord x = 0 [m], y = 0 [m]\n%s"
                               "synchronous w in 10..60 [rad/s]: e\n",
                               lines));
  Synchronous s;
  assert_int_not_equal(try(&a, (const char *[]){output}, 1, &s), QDOT_OK);
  const Diagnostics *d = &cx->diagnostics;
  return d->list.at[d->list.n - 1].message;
}

TEST(what_is_no_rotor_is_refused) {
  static const char rest[] = "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = 1/2*k*(x^2 + y^2)\n";
  assert_non_null(strstr(
      refusal(cx, text_format(&cx->keep, "%sforce x = m*e*w^2*cos(w*t)*abs(cos(w*t))\n", rest),
              "x"),
      "once a turn alone"));
  assert_non_null(strstr(
      refusal(cx, text_format(&cx->keep, "%sforce x = m*e*w^2*cos(w*t)\n", rest), "x*cos(w*t)"),
      "turns with the rotor"));
  assert_non_null(
      strstr(refusal(cx, text_format(&cx->keep, "%sconstraint c: y = x + e\n", rest), "x"),
             "is in a constraint"));
}

RUN_TESTS(cmocka_unit_test(a_jeffcott_rotor_has_the_textbook_response),
          cmocka_unit_test(gyroscopic_moments_stiffen_a_disc),
          cmocka_unit_test(undamped_rotors_and_rigid_ones),
          cmocka_unit_test(what_is_no_rotor_is_refused))
