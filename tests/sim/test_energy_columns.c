// The columns of energies: E_kin is the kinetic energy, whatever moves with time.
#include <math.h>

#include "support/motion.h"

// A point on a curve of its coordinate that is moved, turned or both; T is also an output.
static const char *random_model(Context *cx, Random *random, bool *is_moved) {
  static const char *const curves[] = {
      "(a*sin(q), -a*cos(q), 0*a)",                           // at rest
      "(a*sin(q)*cos(w*t), a*sin(q)*sin(w*t), -a*cos(q))",    // turned
      "(a*sin(q) + b*cos(w*t), -a*cos(q) + b*sin(w*t), 0*a)", // carried round
      "(a*sin(q), -a*cos(q) + b*sin(w*t), a*q)",              // shaken
      "(a*cos(q + w*t), a*sin(q + w*t), b*cos(q))",           // both
  };
  int curve = random_below(random, 5);
  *is_moved = curve != 0;
  return text_format(&cx->keep,
                     "param m = %.3g [kg], a = %.3g [m], b = %.3g [m], w = %.3g [rad/s]\n"
                     "coord q = %.3g [rad], q' = %.3g [rad/s]\nlet r = %s\n"
                     "kinetic = 1/2*m*dot(r', r')\npotential = m*(9.81 [m/s^2])*r.y\n"
                     "output T = 1/2*m*dot(r', r')\nsimulate to 0.5 [s] every 50 [ms]\n",
                     random_real(random, 0.5, 2), random_real(random, 0.3, 1),
                     random_real(random, 0.1, 0.5), random_real(random, 3, 9),
                     random_real(random, -1, 1), random_real(random, -2, 2), curves[curve]);
}

static Random *of_round;

static void check_one(Context *cx) {
  bool is_moved;
  const char *text = random_model(cx, of_round, &is_moved);
  Motion m = motion_to_end(cx, text);
  assert_int_equal(system_is_natural(cx, &m.system), !is_moved);
  double apart = 0;
  for (uint32_t i = 0; i <= 10; i++) {
    double t = 0.05 * i, T = motion_at(&m, t, "T"), V = motion_at(&m, t, "E_pot");
    CHECK_NEAR(motion_at(&m, t, "E_kin"), T, 1e-10);
    apart = fmax(apart, fabs(T + V - motion_at(&m, t, "E_tot")));
  }
  // Jacobi's integral is something else
  if (is_moved != (apart > 1e-9)) fail_msg("E_tot and T + V are %g apart:\n%s", apart, text);
}

TEST(the_kinetic_energy_is_that_of_the_motion) {
  Random random = random_start("the_kinetic_energy_is_that_of_the_motion");
  of_round = &random;
  for (int round = 0; round < test_rounds(60); round++) with_context(check_one);
}

// What is linear in q' in a Lagrangian, as the force of a magnet, is no kinetic energy.
TEST(terms_of_a_lagrangian_are_no_kinetic_energy) {
  Motion m = motion_to_end(cx, "param m = 1 [kg], B = 3 [kg/s]\n"
                               "coord x = 0.1 [m], y = 0 [m], x' = 1 [m/s], y' = 0.5 [m/s]\n"
                               "lagrangian = 1/2*m*(x'^2 + y'^2) + B*x*y'\n"
                               "output T = 1/2*m*(x'^2 + y'^2)\nsimulate to 1 [s] every 0.1 [s]\n");
  for (int i = 0; i <= 10; i++)
    CHECK_NEAR(motion_at(&m, 0.1 * i, "E_kin"), motion_at(&m, 0.1 * i, "T"), 1e-12);
}

RUN_TESTS(cmocka_unit_test(the_kinetic_energy_is_that_of_the_motion),
          cmocka_unit_test(terms_of_a_lagrangian_are_no_kinetic_energy))
