// Linearization where friction holds: the same as with constraints by hand.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/vibration/modes.h"
#include "base/random.h"
#include "base/text.h"
#include "derive/with_states.h"
#include "support/analysis.h"

static Analysed held(Context *cx, const char *text) {
  Analysed a = analysed(cx, text);
  a.system = system_with_states(cx, a.system);
  return a;
}

static Modes modes_of(Context *cx, const char *text) {
  Analysed a = held(cx, text);
  Linearized *l = arena_new(&cx->keep, Linearized);
  *l = linearized(&a);
  Modes modes;
  assert_int_equal(modes_find(l, &cx->keep, &modes), QDOT_OK);
  return modes;
}

static void check_alike(Context *cx, const char *by_friction, const char *by_hand) {
  Modes a = modes_of(cx, by_friction), b = modes_of(cx, by_hand);
  assert_int_equal(a.eigenvalue_count, b.eigenvalue_count);
  assert_true(a.eigenvalue_count > 0);
  for (uint32_t i = 0; i < a.eigenvalue_count; i++)
    for (int k = 0; k < 2; k++) CHECK_NEAR(a.eigenvalue[i][k], b.eigenvalue[i][k], 1e-9);
}

// A pendulum on a block that friction holds on a slope.
TEST(block_on_a_slope) {
  static const char model[] =
      "param m = 2 [kg], M = 5 [kg], L = 0.4 [m], g = 9.81 [m/s^2], alpha = 0.2, c = 0.1 [N*m*s]\n"
      "coord s = 0.3 [m], h = 0 [m], theta = 0\n"
      "let r = (s*cos(alpha) - h*sin(alpha), s*sin(alpha) + h*cos(alpha))\n"
      "let p = (r.x + L*sin(theta), r.y - L*cos(theta))\n"
      "kinetic = 1/2*M*dot(r', r') + 1/2*m*dot(p', p')\npotential = M*g*r.y + m*g*p.y\n"
      "dissipation = 1/2*c*theta'^2\n%s\nlinearize at equilibrium\n";
  check_alike(cx, text_format(&cx->keep, model, "contact slope: h >= 0, friction 0.5, along s"),
              text_format(&cx->keep, model, "constraint a: h = 0\nconstraint b: s = 0.3 [m]"));
}

// A wheel on a spring: held by friction it rolls.
TEST(wheel_rolls) {
  static const char model[] = "param R = 0.3 [m], k = 200 [N/m], g = 9.81\ngravity (0, -g)\n"
                              "body w: disc R, mass 2, at = (0, R), angle = 0\n%s\n"
                              "spring s: ground (-1, 0.5), w (0, 0.1), stiffness k, length 1, "
                              "damping 3\nlinearize at equilibrium\n";
  check_alike(
      cx,
      text_format(&cx->keep, model, "contact floor: w (0, 0), radius R, line (0, 0), friction 0.9"),
      text_format(&cx->keep, model, "joint A: rolling ground (0, 0), w (0, 0), radius R"));
}

// A disc on top of a fixed one rolls off: phi'' = 2 g/(3 (R + r)) phi.
TEST(disc_on_a_disc) {
  double R = 0.5, r = 0.2, w = sqrt(2 * 9.81 / (3 * (R + r)));
  Modes modes = modes_of(cx, "param R = 0.5 [m], r = 0.2 [m], g = 9.81\ngravity (0, -g)\n"
                             "body d: disc r, mass 3, at = (0, R + r), angle = 0\n"
                             "contact c: d (0, 0), radius r, circle (0, 0), ring R, friction 0.4\n"
                             "linearize at equilibrium\n");
  assert_int_equal(modes.eigenvalue_count, 2);
  CHECK_NEAR(modes.eigenvalue[0][0], -w, 1e-9);
  CHECK_NEAR(modes.eigenvalue[1][0], w, 1e-9);
}

// A wheel on a seesaw: the line turns.
TEST(wheel_on_a_seesaw) {
  Random random = random_start("wheel_on_a_seesaw");
  for (int round = 0; round < 8; round++) {
    const char *model = text_format(
        &cx->keep,
        "param R = %.17g [m], k = %.17g [N*m], c = %.17g [N/m], g = 9.81\ngravity (0, -g)\n"
        "body seesaw: rod 2 [m], mass 4, at = (0, 0), angle = 0\n"
        "joint pin: revolute ground (0, 0), seesaw (0, 0)\n"
        "spring twist: torsional ground, seesaw, stiffness k, angle 0\n"
        "body w: disc R, mass 2, at = (0, 0.05 + R), angle = 0\n"
        "spring s: seesaw (-1, 0.05 + R), w (0, 0), stiffness c, length 1\n%%s\n"
        "linearize at equilibrium\n",
        random_real(&random, 0.1, 0.4), random_real(&random, 100, 300),
        random_real(&random, 100, 400));
    check_alike(
        cx,
        text_format(&cx->keep, model,
                    "contact road: w (0, 0), radius R, line seesaw (0, 0.05), friction 0.5"),
        text_format(&cx->keep, model, "joint road: rolling seesaw (0, 0.05), w (0, 0), radius R"));
  }
}

// Resistance holds the wheel itself.
TEST(resistance_holds_a_wheel) {
  static const char model[] = "param R = 0.3 [m], g = 9.81, L = 0.2\ngravity (0, -g)\n"
                              "body w: disc R, mass 2, at = (0, R), angle = 0\n"
                              "body p: rod L, mass 1, at = (0, R - L/2), angle = -90 [deg]\n"
                              "joint hang: revolute w (0, 0), p (-L/2, 0)\n%s\n"
                              "linearize at equilibrium\n";
  check_alike(cx,
              text_format(&cx->keep, model,
                          "contact floor: w (0, 0), radius R, line (0, 0), friction 0.9, rolling "
                          "0.01"),
              text_format(&cx->keep, model, "joint A: weld ground (0, R), w (0, 0)"));
}

// What does not hold, slides or is not there is told.
TEST(what_is_not_held_is_told) {
  static const char model[] =
      "param m = 2 [kg], g = 9.81 [m/s^2], F = %g [N], v = %g [m/s]\n"
      "coord x = 0 [m], y = %g [m], x' = v\nkinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*g*y\n"
      "force x = F\ncontact floor: y >= 0, friction 0.5, along x\nlinearize at equilibrium\n";
  const struct {
    double F, v, y;
    const char *error;
  } cases[] = {{15, 0, 0, "friction does not hold 'floor.slip' here"},
               {0, 1, 0, "the friction of contact 'floor' cannot be linearized"},
               {0, 0, 1, "contact 'floor' has friction and is closed here, but open at the start"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Analysed a = held(cx, text_format(&cx->keep, model, cases[i].F, cases[i].v, cases[i].y));
    assert_non_null(strstr(linearize_error(&a), cases[i].error));
  }
}

// Feet of a box on a slope share their load as in a run: each uses tan(alpha)/mu of what holds it.
// On too steep a slope no share holds.
TEST(feet_share_their_load) {
  Random random = random_start("feet_share_their_load");
  for (int round = 0; round < 12; round++) {
    double mu = random_real(&random, 0.3, 0.8), use = random_real(&random, 0.1, 0.95);
    bool holds = round < 8;
    if (!holds) use = random_real(&random, 1.05, 1.2);
    double alpha = atan(mu * use), middle = random_real(&random, -0.1, 0.1);
    Analysed a = held(
        cx,
        text_format(&cx->keep,
                    "gravity (%.17g, %.17g)\nbody b: mass 3, inertia 1, at = (0, 0.05), angle = 0\n"
                    "body rod: rod 0.5, mass 1e-6, at = (0, 0.3), angle = 0.1\n"
                    "joint A: revolute b (0, 0.2), rod (-0.25, 0)\n"
                    "spring s: torsional b, rod, stiffness 9, angle 0\n"
                    "contact l: b (%.17g, -0.05), line (0, 0), friction %.17g\n"
                    "contact r: b (%.17g, -0.05), line (0, 0), friction %.17g\n"
                    "linearize at equilibrium\n",
                    9.81 * sin(alpha), -9.81 * cos(alpha), middle - 0.4, mu, middle + 0.4, mu));
    uint32_t before = cx->diagnostics.list.n;
    if (!holds) {
      assert_non_null(strstr(linearize_error(&a), "friction does not hold"));
      continue;
    }
    linearized(&a);
    int told = 0;
    for (uint32_t i = before; i < cx->diagnostics.list.n; i++) {
      const char *text = strstr(cx->diagnostics.list.at[i].message, "it uses ");
      if (!text) continue;
      double said = strtod(text + strlen("it uses "), NULL);
      CHECK_NEAR(said, use, 6e-3 * use); // three digits are told
      told++;
    }
    assert_int_equal(told, 2);
  }
}

RUN_TESTS(cmocka_unit_test(block_on_a_slope), cmocka_unit_test(wheel_rolls),
          cmocka_unit_test(disc_on_a_disc), cmocka_unit_test(wheel_on_a_seesaw),
          cmocka_unit_test(resistance_holds_a_wheel), cmocka_unit_test(what_is_not_held_is_told),
          cmocka_unit_test(feet_share_their_load))
