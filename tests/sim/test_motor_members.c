// What a motor itself delivers: the load of its joint, and the friction of its own bearing.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

static const double G = 9.81;

static const Formulation all[] = {FORMULATION_LAGRANGE, FORMULATION_NEWTON_EULER,
                                  FORMULATION_MAXIMAL, FORMULATION_NATURAL};

// A mass on an arm is turned steadily: gravity's torque, and mu r of the pin's whole force.
TEST(motor_of_a_pin_that_rubs) {
  Random random = random_start("motor_of_a_pin_that_rubs");
  for (int k = 0; k < test_rounds(24); k++) {
    double m = random_real(&random, 0.5, 5), L = random_real(&random, 0.1, 1);
    double w = random_real(&random, 1, 8) * (random_below(&random, 2) ? 1 : -1);
    double mu = random_real(&random, 0, 0.5), r = random_real(&random, 5e-3, 30e-3);
    Motion run = motion_load_as(
        cx,
        text_format(&cx->keep,
                    "gravity (0, -9.81)\nbody arm: mass %.17g, inertia 0.1, at = (%.17g, 0), "
                    "angle = 0\njoint O: revolute ground (0, 0), arm (-%.17g, 0), friction %.17g, "
                    "radius %.17g\nmotor O: speed %.17g\n"
                    "output T = O.T, M = O.motor, P = O.motor_power\n"
                    "measure peak = max(O.motor)\nsimulate to 1 every 0.05\n",
                    m, L, L, mu, r, w),
        NULL, all[k % 4]);
    motion_run(&run);
    assert_int_equal(run.status, QDOT_OK);
    for (int row = 1; row < 20; row++) {
      double t = 0.05 * row, a = w * t;
      double F = hypot(-m * w * w * L * cos(a), m * (G - w * w * L * sin(a)));
      double T = m * G * L * cos(a), M = T + mu * r * F * (w > 0 ? 1 : -1);
      CHECK_NEAR(motion_at(&run, t, "T"), T, 1e-7);
      CHECK_NEAR(motion_at(&run, t, "M"), M, 1e-7);
      CHECK_NEAR(motion_at(&run, t, "P"), M * w, 1e-7);
    }
  }
}

// A slide that is moved across gravity, with viscous friction or Coulomb's.
TEST(motor_of_a_slide_that_rubs) {
  Random random = random_start("motor_of_a_slide_that_rubs");
  for (int k = 0; k < test_rounds(24); k++) {
    double m = random_real(&random, 0.5, 5), v = random_real(&random, 0.2, 2);
    double c = random_real(&random, 0.05, 0.5);
    bool dry = k % 2;
    Motion run = motion_load_as(
        cx,
        text_format(
            &cx->keep,
            "gravity (0, -9.81)\nbody cart: mass %.17g, inertia 0.1, at = (0, 0), angle = 0\n"
            "joint S: prismatic ground (0, 0), cart (0, 0), friction %.17g%s\n"
            "motor S: speed %.17g\noutput F = S.motor, P = S.motor_power\n"
            "simulate to 1 every 0.1\n",
            m, c, dry ? "" : " [N*s/m]", v),
        NULL, all[k / 2 % 4]);
    motion_run(&run);
    assert_int_equal(run.status, QDOT_OK);
    double F = dry ? c * m * G : c * v;
    CHECK_NEAR(motion_at(&run, 0.5, "F"), F, 1e-9);
    CHECK_NEAR(motion_at(&run, 0.5, "P"), F * v, 1e-9);
  }
}

// A four-bar linkage whose crank is driven by a speed and a torque; viscous friction of the driven
// pin, or a torsional damper beside a pin without friction.
static Motion driven_loop(Context *cx, Random *random, bool beside, Formulation as) {
  double a = random_real(random, 0.08, 0.12), c = random_real(random, 0.05, 0.5);
  double w = random_real(random, 2, 10), torque = random_real(random, -2, 2);
  const char *friction = text_format(&cx->keep, ", friction %.17g [N*m*s]", c);
  const char *damper =
      text_format(&cx->keep, "damper d: torsional ground, crank, damping %.17g\n", c);
  const char *text = text_format(
      &cx->keep,
      "gravity (0, -9.81)\nbody crank: rod %.17g, mass 1, angle 0\n"
      "body coupler: rod 0.3, mass 2, angle 40 [deg]\nbody rocker: rod 0.25, mass 3, "
      "angle 80 [deg]\njoint A: revolute ground (0, 0), crank (-%.17g/2, 0)%s\n%s"
      "joint B: revolute crank (%.17g/2, 0), coupler (-0.15, 0)\n"
      "joint C: revolute coupler (0.15, 0), rocker (0.125, 0), friction 0.1, radius 0.01\n"
      "joint D: revolute ground (0.35, 0), rocker (-0.125, 0)\n"
      "motor A: speed %.17g\nmotor A: torque %.17g\n"
      "output T = A.T, M = A.motor, P = A.motor_power, p = A.power\nsimulate to 0.5 every 0.05\n",
      a, a, beside ? "" : friction, beside ? damper : "", a, w, torque);
  Motion run = motion_load_as(cx, text, NULL, as);
  motion_run(&run);
  return run;
}

TEST(motor_of_a_loop_with_a_damper_for_its_friction) {
  Random random = random_start("motor_of_a_loop_with_a_damper_for_its_friction");
  for (int k = 0; k < test_rounds(8); k++) {
    Random same = random;
    Motion rubs = driven_loop(cx, &random, false, all[k % 4]);
    Motion damped = driven_loop(cx, &same, true, all[(k + 1) % 4]);
    assert_int_equal(rubs.status, QDOT_OK);
    assert_int_equal(damped.status, QDOT_OK);
    for (int row = 0; row <= 10; row++) {
      double t = 0.05 * row, M = motion_at(&damped, t, "M"), P = motion_at(&damped, t, "P");
      CHECK_NEAR(motion_at(&damped, t, "T"), M, 1e-9);
      CHECK_NEAR(motion_at(&damped, t, "p"), P, 1e-9);
      CHECK_NEAR(motion_at(&rubs, t, "M"), M, 1e-6);
      CHECK_NEAR(motion_at(&rubs, t, "P"), P, 1e-5);
      assert_true(fabs(motion_at(&rubs, t, "T") - M) > 0.05);
    }
  }
}

RUN_TESTS(cmocka_unit_test(motor_of_a_pin_that_rubs), cmocka_unit_test(motor_of_a_slide_that_rubs),
          cmocka_unit_test(motor_of_a_loop_with_a_damper_for_its_friction))
