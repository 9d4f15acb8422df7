// Ropes and belts that rub by Euler's law, T_2/T_1 <= exp(mu beta): closed forms.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

static const double G = 9.81, PI = 3.14159265358979323846;

static Motion run_text(Context *cx, const char *text, Formulation formulation) {
  Motion m = motion_load_as(cx, text, NULL, formulation);
  motion_run(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.stopped, STOPPED_NOT);
  assert_true(m.summary.energy_drift < 1e-9);
  return m;
}

// Two weights on a rope over a post: they rest up to the ratio exp(mu beta), else slide.
TEST(capstan) {
  double mu = 0.25, E = exp(mu * PI);
  for (int i = 0; i < 4; i++) {
    double m_1 = 3, m_2 = 3 * (double[]){1.001 / E, 0.999 * E, 1.01 * E, 3 * E}[i];
    Motion m = run_text(cx,
                        text_format(&cx->keep,
                                    "param g = 9.81, m_1 = 3 [kg], m_2 = %.17g [kg]\n"
                                    "coord a = 1 [m], b = 1 [m]\n"
                                    "kinetic = 1/2*m_1*a'^2 + 1/2*m_2*b'^2\n"
                                    "potential = -m_1*g*a - m_2*g*b\n"
                                    "contact rope: a + b <= 2, friction 0.25, wrap pi, along (b - "
                                    "a)/2\noutput T_1 = rope.N + rope.R/2, T_2 = rope.N - "
                                    "rope.R/2\nsimulate to 1 every 0.1\n",
                                    m_2),
                        FORMULATION_LAGRANGE);
    double x = fmax(0, (m_2 - E * m_1) * G / (m_2 + E * m_1));
    CHECK_NEAR(motion_at(&m, 1, "b"), 1 + x / 2, 1e-10);
    CHECK_NEAR(motion_at(&m, 1, "T_1"), m_1 * (G + x), 1e-9);
    CHECK_NEAR(motion_at(&m, 1, "T_2"), m_2 * (G - x), 1e-9);
  }
}

// A band around a drum, fixed at one end and pulled at the other: it brakes harder where the drum
// draws on the fixed end.
TEST(band_brake) {
  double mu = 0.3, beta = 4, S = 50, r = 0.2, J = 0.8, w = 60, E = exp(mu * beta);
  for (int way = -1; way <= 1; way += 2) {
    Motion m = run_text(cx,
                        text_format(&cx->keep,
                                    "param S = 50 [N], r = 0.2 [m], J = 0.8 [kg*m^2]\n"
                                    "coord theta = 0, b = 0 [m], theta' = %d [rad/s]\n"
                                    "kinetic = 1/2*J*theta'^2 + 1/2*(0.1 [kg])*b'^2\n"
                                    "force b = S\n"
                                    "contact band: b <= 0, friction 0.3, wrap 4, along b/2 - "
                                    "r*theta\noutput M = -r*band.R\nsimulate to 10 every 0.01\n",
                                    way * 60),
                        FORMULATION_LAGRANGE);
    // theta' > 0 draws the band away from its fixed end
    double M = r * S * (way > 0 ? E - 1 : 1 - 1 / E), t = J * w / M;
    CHECK_NEAR(motion_at(&m, 0.5, "M"), -way * M, 1e-9);
    CHECK_NEAR(motion_event(&m, 0, SIM_STICK)->t, t, 1e-8);
    CHECK_NEAR(motion_at(&m, 10, "theta"), way * w * t / 2, 1e-8);
  }
}

// A belt whose wheel is driven ever harder slips at 2 F r tanh(mu beta/2).
TEST(belt_slips) {
  static const Formulation all[] = {FORMULATION_LAGRANGE, FORMULATION_NEWTON_EULER,
                                    FORMULATION_MAXIMAL, FORMULATION_NATURAL};
  for (int i = 0; i < 4; i++) {
    Motion m = run_text(
        cx,
        "param c = 0.2 [N*m/s]\n"
        "body a: disc 0.1 [m], mass 1, inertia 0.2, at = (0, 0), angle = 0, spin = 0\n"
        "body b: disc 0.2 [m], mass 1, inertia 0.5, at = (1, 0), angle = 0, spin = 0\n"
        "joint A: revolute ground (0, 0), a (0, 0)\njoint B: revolute ground (1, 0), b (0, 0)\n"
        "belt d: a, b, ratio 1/2, tension 2 [N], friction 0.3, wrap 2.8\n"
        "torque a = c*t\noutput R = d.R, u = a.omega, w = b.omega, F = B.F_x\n"
        "simulate to 3 every 0.1 using rk853(rtol = 1e-11)\n",
        all[i]);
    double most = 0.2 * 2 * 2 * tanh(0.3 * 2.8 / 2), J = 0.2 + 0.5 / 4;
    // while it holds: J a'' = c t, and the second takes J_2 a''/2
    double begin = most * J / (0.5 / 2 * 0.2), left = 3 - begin;
    CHECK_NEAR(motion_at(&m, 1, "R"), 0.5 / 2 * 0.2 / J, 1e-8);
    CHECK_NEAR(motion_event(&m, 0, SIM_SLIP)->t, begin, 1e-8);
    assert_string_equal(sim_event_name(&m.system, motion_event(&m, 0, SIM_SLIP)), "d");
    double u = 0.2 * begin * begin / 2 / J;
    CHECK_NEAR(motion_at(&m, 3, "w"), u / 2 + most / 0.5 * left, 1e-8);
    CHECK_NEAR(motion_at(&m, 3, "u"),
               u + (0.2 * (3.0 * 3 - begin * begin) / 2 - most / 2 * left) / 0.2, 1e-8);
    CHECK_NEAR(motion_at(&m, 3, "R"), most, 1e-8);
  }
}

RUN_TESTS(cmocka_unit_test(capstan), cmocka_unit_test(band_brake), cmocka_unit_test(belt_slips))
