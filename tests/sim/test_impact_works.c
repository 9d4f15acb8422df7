// Who does the work at impacts: drives that move surfaces, belts and supports, or the impact
// itself.
#include <math.h>

#include "base/text.h"
#include "solve/method.h"
#include "support/motion.h"

// A ball strikes a plate that moves steadily: the impulse does its work at the plate's speed.
TEST(plates_work_by_their_impulse) {
  Random random = random_start("plates_work_by_their_impulse");
  for (int k = 0; k < test_rounds(40); k++) {
    double m = random_real(&random, 0.1, 5), e = random_real(&random, 0, 1);
    double v = random_real(&random, -3, 3), u = v - random_real(&random, 0.5, 4);
    Motion r = motion_to_end(
        cx, text_format(&cx->keep,
                        "coord y = 0.5 [m], y' = %.17g [m/s]\nkinetic = %.17g [kg]/2*y'^2\n"
                        "contact plate: y >= %.17g [m/s]*t, restitution %.17g\n"
                        "simulate to 1.5 every 0.1\n",
                        u, m, v, e));
    double P = (1 + e) * m * (v - u), drives = P * v;
    CHECK_NEAR(r.summary.work_drives, drives, 1e-11);
    CHECK_NEAR(r.summary.work_impacts, -m * (1 - e * e) * (v - u) * (v - u) / 2, 1e-11);
    CHECK_NEAR(r.summary.impact_gain, 0, 0);
    assert_true(r.summary.energy_drift < 1e-13);
  }
}

// A shaken plate with a belt on it: work of drives and of impacts by events, and by steps over
// them.
TEST(two_methods_agree_on_works) {
  Random random = random_start("two_methods_agree_on_works");
  for (int k = 0; k < test_rounds(4); k++) {
    const char *text = text_format(&cx->keep,
                                   "coord y = 0.3 [m], x = 0\nkinetic = 1 [kg]/2*(y'^2 + x'^2)\n"
                                   "potential = 1 [kg]*9.81 [m/s^2]*y\n"
                                   "contact plate: y >= %.17g [m]*sin(%.17g [rad/s]*t), "
                                   "restitution %.17g, friction %.17g along "
                                   "x - %.17g [m/s]*t\nsimulate to 0.5 every 0.1\n",
                                   random_real(&random, 0.01, 0.05), random_real(&random, 8, 15),
                                   random_real(&random, 0.3, 0.8), random_real(&random, 0.05, 0.3),
                                   random_real(&random, -2, 2));
    Motion by_events = motion_to_end(cx, text), by_steps = motion_load(cx, text, NULL);
    by_steps.options.method.method = METHOD_MOREAU;
    by_steps.options.method.step = 3e-6;
    motion_run(&by_steps);
    CHECK_NEAR(by_events.summary.work_drives, by_steps.summary.work_drives, 1e-3);
    CHECK_NEAR(by_events.summary.work_impacts, by_steps.summary.work_impacts, 1e-3);
    CHECK_NEAR(by_events.summary.impact_gain, 0, 0);
  }
}

// A pendulum whose support is driven strikes a wall: with e = 1 the impact takes nothing, and all
// that changes is the work of the drive, by the force in the constraint and by its impulse.
TEST(supports_work_by_their_impulse) {
  Random random = random_start("supports_work_by_their_impulse");
  for (int k = 0; k < test_rounds(20); k++) {
    double e = k % 2 ? 1 : random_real(&random, 0, 0.9);
    Motion r = motion_to_end(cx, text_format(&cx->keep,
                                             "param L = 0.5 [m]\ncoord X = 0, a = %.17g, a' = 0\n"
                                             "let x = X + L*sin(a), y = -L*cos(a)\n"
                                             "kinetic = 2 [kg]/2*X'^2 + 1 [kg]/2*(x'^2 + y'^2)\n"
                                             "potential = 1 [kg]*9.81 [m/s^2]*y\n"
                                             "constraint drive: X' = %.17g [m/s]*cos(3 [rad/s]*t)\n"
                                             "contact wall: x <= 0.1 [m], restitution %.17g\n"
                                             "simulate to 0.8 every 0.01\n",
                                             random_real(&random, -1, -0.3),
                                             random_real(&random, 0.3, 1), e));
    double E = motion_at(&r, 0.8, "E_tot") - motion_at(&r, 0, "E_tot");
    CHECK_NEAR(r.summary.work_drives + r.summary.work_impacts, E, 1e-7);
    assert_true(r.summary.energy_drift < 1e-7);
    if (e == 1) CHECK_NEAR(r.summary.work_impacts, 0, 1e-12);
    double lost = 0; // of a mass that the wall feels: M^-1 by hand, the support being held
    for (uint32_t i = 0; i < r.summary.events.n; i++) {
      const SimEvent *event = &r.summary.events.at[i];
      if (event->kind != SIM_IMPACT) continue;
      assert_true(event->before > 0);
      lost += event->before * event->before - event->after * event->after;
    }
    assert_true((lost > 0) == (e < 1) || lost < 1e-12);
    CHECK_NEAR(r.summary.impact_gain, 0, 0);
  }
}

RUN_TESTS(cmocka_unit_test(plates_work_by_their_impulse),
          cmocka_unit_test(two_methods_agree_on_works),
          cmocka_unit_test(supports_work_by_their_impulse))
