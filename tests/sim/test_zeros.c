// Where numbers pass through zero or end there: contacts that begin closed, loops that settle at
// the origin, a drive through the position where all coordinates vanish. Sizes come from the
// problem.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

static const MethodId methods[] = {METHOD_RK853, METHOD_RK45, METHOD_RK4,  METHOD_BDF,
                                   METHOD_DAE,   METHOD_AUTO, METHOD_ALPHA};
enum { METHODS = sizeof methods / sizeof *methods };

static void run_with(Motion *m, MethodId method, double step) {
  m->options.method.method = method;
  m->options.method.step = step;
  m->options.method.rtol = 1e-9;
  motion_run(m);
  if (m->status != QDOT_OK || m->summary.stopped != STOPPED_NOT) motion_explain(m);
  assert_int_equal(m->status, QDOT_OK);
  assert_int_equal(m->summary.stopped, STOPPED_NOT);
}

// A point on a plane that leans, placed there by sines and cosines: the gap is 0 to rounding, on
// either side. It slides as a block does.
TEST(contacts_may_begin_closed_to_rounding) {
  Random random = random_start("closed to rounding");
  for (int round = 0; round < test_rounds(60); round++) {
    double lean = random_real(&random, -1, 1), s = random_real(&random, -2, 2);
    double a = random_real(&random, 0.1, 3), b = random_real(&random, -2, 2);
    double size = pow(10, random_real(&random, -4, 4)); // metres
    double t_end = 0.5 * sqrt(size);
    Motion m = motion_load(
        cx,
        text_format(&cx->keep,
                    "param lean = %.17g, L = %.17g [m], a = %.17g*L, b = %.17g*L, s = %.17g*L\n"
                    "param m = 1 [kg]\n"
                    "coord x = a + s*cos(lean), y = b + s*sin(lean)\n"
                    "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*9.81 [m/s^2]*y\n"
                    "contact plane: (y - b)*cos(lean) - (x - a)*sin(lean) >= 0 restitution 0.3\n"
                    "simulate to %.17g [s] every %.17g [s]\n",
                    lean, size, a, b, s, t_end, t_end / 10),
        NULL);
    run_with(&m, METHOD_RK853, t_end);
    double along = s * size - 9.81 * sin(lean) * t_end * t_end / 2;
    CHECK_NEAR(motion_at(&m, t_end, "x") / size, a + along * cos(lean) / size, 1e-8);
    CHECK_NEAR(motion_at(&m, t_end, "y") / size, b + along * sin(lean) / size, 1e-8);
  }
}

// Two angles tied by p + q = 0, damped: both end at 0 and stay there.
TEST(damped_loops_settle_at_zero) {
  Random random = random_start("settling");
  for (int round = 0; round < METHODS; round++) {
    double L = random_real(&random, 0.2, 1), k = random_real(&random, 5, 40), J = L * L / 3;
    double c = random_real(&random, 0.2, 1.5) * sqrt(2 * J * k);
    Motion m = motion_load(
        cx,
        text_format(
            &cx->keep,
            "param L = %.17g [m], m = 1 [kg], J = m*L^2/3, k = %.17g [N*m], c = %.17g [N*m*s]\n"
            "coord p = 0.4 [rad], q ~ -0.4 [rad]\n"
            "kinetic = 1/2*J*(p'^2 + q'^2)\npotential = 1/2*k*p^2\n"
            "dissipation = 1/2*c*p'^2\nconstraint tie: L*sin(p) + L*sin(q) = 0 [m]\n"
            "simulate to 30 [s] every 1 [s]\n",
            L, k, c),
        NULL);
    run_with(&m, methods[round], 1e-3);
    CHECK_NEAR(motion_at(&m, 30, "p"), 0, 1e-7);
    CHECK_NEAR(motion_at(&m, 30, "p'"), 0, 1e-7);
  }
}

// Crank p, rod q, slide s from its farthest place: all 0 when the crank points along the rail.
TEST(drives_pass_where_all_coordinates_vanish) {
  Random random = random_start("vanishing coordinates");
  for (int round = 0; round < 2 * METHODS; round++) {
    double size = round < METHODS ? 1 : pow(10, random_real(&random, -3, 3));
    double a = random_real(&random, 0.1, 0.5) * size, b = a * random_real(&random, 1.5, 3);
    double w = random_real(&random, 1, 9), t_end = 2.2 / w;
    Motion m = motion_load(
        cx,
        text_format(&cx->keep,
                    "param a = %.17g [m], b = %.17g [m], w = %.17g [rad/s], m = 1 [kg], J = m*a^2\n"
                    "coord p ~ -1 [rad], q ~ 0.3 [rad], s ~ -0.3*a\n"
                    "kinetic = 1/2*J*(p'^2 + q'^2) + 1/2*m*s'^2\n"
                    "constraint along: a*cos(p) + b*cos(q) = a + b + s\n"
                    "constraint across: a*sin(p) + b*sin(q) = 0 [m]\n"
                    "constraint drive: p = w*t - 1\n"
                    "simulate to %.17g [s] every %.17g [s]\n",
                    a, b, w, t_end, t_end / 22),
        NULL);
    run_with(&m, methods[round % METHODS], 1e-3 / w);
    for (int k = 0; k <= 22; k++) {
      double t = k * t_end / 22, p = w * t - 1;
      double s = a * cos(p) + sqrt(b * b - pow(a * sin(p), 2)) - a - b;
      CHECK_NEAR(motion_at(&m, t, "p"), p, 1e-7);
      CHECK_NEAR(motion_at(&m, t, "s") / a, s / a, 1e-7);
    }
  }
}

RUN_TESTS(cmocka_unit_test(contacts_may_begin_closed_to_rounding),
          cmocka_unit_test(damped_loops_settle_at_zero),
          cmocka_unit_test(drives_pass_where_all_coordinates_vanish))
