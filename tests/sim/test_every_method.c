// What every method with error control must give alike: the work of forces, bounces that come to
// rest, and contacts at rest that let go.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

static const char *const methods[] = {"rk853", "rk45", "radau", "bdf", "dae"};
enum { METHODS = sizeof methods / sizeof *methods };

static Motion moved(Context *cx, const char *text, const char *method) {
  Motion m = motion_of(cx, text_format(&cx->keep, "%s using %s\n", text, method));
  if (m.status != QDOT_OK || m.summary.stopped) print_message("%s using %s\n", text, method);
  if (m.status != QDOT_OK || m.summary.stopped) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.stopped, STOPPED_NOT);
  return m;
}

// m x'' = c t^p from rest: x = c t^(p+2)/((p+1)(p+2) m), and the work is the kinetic energy.
// Methods that follow the motion exactly take long steps, in which the power is of a higher degree.
TEST(work_of_a_growing_force) {
  Random random = random_start("work_of_a_growing_force");
  for (int round = 0; round < test_rounds(4); round++) {
    double m = random_real(&random, 0.3, 4), c = random_real(&random, 0.5, 5);
    double p = random_below(&random, 5), end = random_real(&random, 1, 4);
    const char *text = text_format(&cx->keep,
                                   "param c = %.17g [N], T = 1 [s]\ncoord x = 0 [m]\n"
                                   "kinetic = 1/2*(%.17g [kg])*x'^2\nforce x = c*(t/T)^%g\n"
                                   "simulate to %.17g every 0.1",
                                   c, m, p, end);
    double x = c * pow(end, p + 2) / ((p + 1) * (p + 2) * m),
           v = c * pow(end, p + 1) / ((p + 1) * m);
    for (int i = 0; i < METHODS; i++) {
      Motion run = moved(cx, text, methods[i]);
      CHECK_NEAR(motion_at(&run, end, "x") / x, 1, 1e-6);
      CHECK_NEAR(run.summary.work_forces / (m * v * v / 2), 1, 1e-5);
      assert_true(run.summary.energy_drift < 1e-5);
      assert_false(remark_is_made(&run.summary.distrust));
    }
  }
}

// A ball comes to rest at v/a (1 + 2 e/(1 - e)), whatever its method can see of the last bounces.
TEST(bounces_end) {
  Random random = random_start("bounces_end");
  for (int round = 0; round < test_rounds(4); round++) {
    double e = random_real(&random, 0.1, 0.7), a = random_real(&random, 1, 20);
    double h = random_real(&random, 0.05, 2), fall = sqrt(2 * h / a);
    double rest = fall * (1 + 2 * e / (1 - e));
    const char *text = text_format(&cx->keep,
                                   "param a = %.17g [m/s^2]\ncoord y = %.17g [m]\n"
                                   "kinetic = (1 [kg])*y'^2/2\npotential = (1 [kg])*a*y\n"
                                   "contact f: y >= 0, restitution %.17g\n"
                                   "simulate to %.17g every 0.5",
                                   a, h, e, 1.2 * rest);
    for (int i = 0; i < METHODS; i++) {
      Motion run = moved(cx, text, methods[i]);
      uint32_t last = run.summary.events.n - 1;
      assert_in_range(run.summary.events.n, 3, 120);
      assert_int_equal(run.summary.events.at[last].kind, SIM_CONTACT);
      CHECK_NEAR(run.summary.events.at[last].t / rest, 1, 1e-3);
      CHECK_NEAR(run.summary.work_impacts / (a * h), -1, 1e-6);
    }
  }
}

// A slide rests on its stop until the force upon it has grown as its load: where it begins as a
// power of time, from a place that is zero but for rounding.
TEST(a_slide_leaves_its_stop) {
  Random random = random_start("a_slide_leaves_its_stop");
  for (int round = 0; round < test_rounds(4); round++) {
    double m = random_real(&random, 0.3, 4), F = random_real(&random, 1, 20);
    double r = random_real(&random, 1, 5), p = 1 + random_below(&random, 3);
    double off = pow(F / r, 1 / p), end = off + 0.5, far = 0;
    // the integral of (end - t) (r t^p - F) from off to end, by Simpson's rule
    for (int k = 0; k <= 200; k++) {
      double t = off + 0.5 * k / 200;
      far += (k % 200 == 0 ? 1 : k % 2 ? 4 : 2) * (end - t) * (r * pow(t, p) - F) * 0.5 / 600;
    }
    const char *text = text_format(
        &cx->keep,
        "param T = 1 [s]\nbody w: mass %.17g [kg], inertia 1 [kg*m^2], at = (0, 0), angle = 0, "
        "velocity = (0, 0)\njoint s: prismatic ground (0, 0), w (0, 0), axis %.3g [deg], stops (0, "
        "1000 [m])\nmotor s: force -(%.17g [N]) + (%.17g [N])*(t/T)^%g\noutput way = s.s\n"
        "simulate to %.17g every 0.1",
        m, random_real(&random, -170, 170), F, r, p, end);
    for (int i = 0; i < METHODS; i++) {
      Motion run = moved(cx, text, methods[i]);
      CHECK_NEAR(motion_event(&run, 0, SIM_RELEASE)->t, off, 1e-6);
      CHECK_NEAR(motion_at(&run, end, "way") / (far / m), 1, 1e-5);
    }
  }
}

RUN_TESTS(cmocka_unit_test(work_of_a_growing_force), cmocka_unit_test(bounces_end),
          cmocka_unit_test(a_slide_leaves_its_stop))
