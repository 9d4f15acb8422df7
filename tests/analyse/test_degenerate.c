// Equilibria that their linearization does not decide: multiple roots, and the energy's word.
#include <math.h>

#include "analyse/vibration/stability.h"
#include "base/random.h"
#include "base/text.h"
#include "support/analysis.h"

static Equilibria equilibria(const Analysed *a) {
  Equilibria e;
  Status status = equilibria_find(a->cx, a->system, a->values, NULL, 8, &e);
  Text text = text_new(&a->cx->keep);
  for (uint32_t i = 0; i < a->cx->diagnostics.list.n; i++)
    diag_print(&a->cx->sources, &a->cx->diagnostics.list.at[i], false, &text);
  if (status) print_message("%s", text.at);
  assert_int_equal(status, QDOT_OK);
  return e;
}

// V = a x^p turned by an angle, with a stiff direction across that bends with x: what decides is
// the energy along the bent valley, not along the straight one.
TEST(energy_decides_along_the_valley) {
  uint64_t seed = 7;
  for (int round = 0; round < 40; round++) {
    double strength = 1 + 4 * random_mixed_fraction(&seed);
    double bend = 4 * (2 * random_mixed_fraction(&seed) - 1);
    double turn = 3 * (2 * random_mixed_fraction(&seed) - 1);
    int power = round % 3 == 0 ? 4 : round % 3 == 1 ? 6 : 3;
    bool falls = power == 3 || random_mixed_fraction(&seed) < 0.5;
    Analysed a =
        analysed(cx, text_format(&cx->keep,
                                 "param m = 1 [kg], k = 50 [N/m], l = 1 [m], c = %.17g, s = %.17g\n"
                                 "coord x = %.17g [m], y = 0.1 [m]\n"
                                 "let u = c*x + s*y, v = c*y - s*x\n"
                                 "kinetic = 1/2*m*(x'^2 + y'^2)\n"
                                 "potential = 1/2*k*(v - %.17g*u^2/l)^2 %c %.17g*k*l^2*(u/l)^%d\n",
                                 cos(turn), sin(turn), 0.3 * random_mixed_fraction(&seed), bend,
                                 falls ? '-' : '+', strength, power));
    Equilibria e = equilibria(&a);
    bool met = false;
    for (uint32_t i = 0; i < e.n; i++) {
      if (hypot(e.at[i].state->q[0], e.at[i].state->q[1]) > 1e-3) continue;
      met = true;
      // the root is the multiple one itself, not a point at the root of rounding beside it
      assert_true(e.at[i].state->q[0] == 0 && e.at[i].state->q[1] == 0);
      assert_int_equal(e.at[i].modes.stability, STABILITY_INDIFFERENT);
      assert_int_equal(e.at[i].modes.by_energy, falls ? ENERGY_FALLS : ENERGY_MINIMUM);
    }
    if (!met) print_message("round %d\n", round);
    assert_true(met);
  }
}

// A pendulum on a frame that turns just at the critical speed: stable by the fourth order.
TEST(a_pendulum_at_its_critical_speed_is_stable) {
  Analysed a = analysed(cx, "param m = 1 [kg], g = 9.81 [m/s^2], L = 1 [m]\n"
                            "param w = 3.132091952673165 [rad/s]\n"
                            "coord theta = 0.5 [rad]\n"
                            "kinetic = 1/2*m*L^2*(theta'^2 + w^2*sin(theta)^2)\n"
                            "potential = -m*g*L*cos(theta)\n");
  Equilibria e = equilibria(&a);
  assert_int_equal(e.n, 2);
  assert_true(e.at[0].state->q[0] == 0);
  assert_true(e.at[0].modes.mode[0].omega == 0);
  assert_int_equal(e.at[0].modes.by_energy, ENERGY_MINIMUM);
  assert_int_equal(e.at[1].modes.stability, STABILITY_UNSTABLE);
}

// What nothing resists is indifferent as before; a small stiffness is no zero.
TEST(families_and_soft_springs_stay_what_they_are) {
  Analysed a = analysed(cx, "param m = 1 [kg], k = 50 [N/m]\ncoord x = 0 [m], y = 1 [m]\n"
                            "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = 1/2*k*(y - x)^2\n");
  Equilibria e = equilibria(&a);
  assert_int_equal(e.n, 1);
  assert_int_equal(e.at[0].modes.by_energy, ENERGY_FLAT);
  a = analysed(cx, "param m = 1 [kg], k = 50 [N/m], e = 1e-9, F = 1e-9 [N]\n"
                   "coord x = 0 [m], y = 1 [m]\n"
                   "kinetic = 1/2*m*(x'^2 + y'^2)\n"
                   "potential = 1/2*k*(y - x)^2 + 1/2*e*k*y^2\nforce x = F\n");
  e = equilibria(&a);
  assert_int_equal(e.at[0].modes.stability, STABILITY_OSCILLATORY);
  CHECK_NEAR(e.at[0].state->q[1], 1e-9 / 5e-8, 1e-9);
}

RUN_TESTS(cmocka_unit_test(energy_decides_along_the_valley),
          cmocka_unit_test(a_pendulum_at_its_critical_speed_is_stable),
          cmocka_unit_test(families_and_soft_springs_stay_what_they_are))
