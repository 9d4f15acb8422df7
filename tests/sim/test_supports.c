// Supports that move as a function of time: against the same system written by energies, and the
// same motion and reactions in every formulation.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "support/motion.h"

#define TAIL "simulate to 1 [s] every 100 [ms]\n"

static Motion moved(Context *cx, const char *text, Formulation formulation) {
  return motion_in_balance(cx, text, formulation, 1, 0.1);
}

// All outputs seen_... of both texts, the bodies in every formulation.
static void agrees(Context *cx, const char *bodies, const char *other) {
  Motion expected = moved(cx, other, FORMULATION_LAGRANGE);
  int seen = 0;
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion motion = moved(cx, bodies, (Formulation)f);
    for (uint32_t i = 0; i < expected.columns.n; i++) {
      const char *name = expected.columns.at[i].name;
      if (strncmp(name, "seen_", 5) != 0) continue;
      for (double t = 0; t < 1.05; t += 0.1) {
        CHECK_NEAR(motion_at(&motion, t, name), motion_at(&expected, t, name), 1e-6);
        seen++;
      }
    }
  }
  assert_true(seen > 0);
}

// What the pin carries is, in energies, the force of the constraint that moves it.
TEST(a_pendulum_on_a_shaking_pin) {
  agrees(cx,
         "param g = 9.81 [m/s^2], L = 1 [m], m = 2 [kg], a = 0.05 [m], W = 60 [rad/s]\n"
         "gravity (0, -g)\nlet y_s = a*sin(W*t)\n"
         "body rod: rod L, mass m, angle = 80 [deg]\n"
         "joint A: revolute ground (0, y_s), rod (-L/2, 0)\n"
         "output seen_angle = rod.theta, seen_x = A.F_x, seen_y = A.F_y\n" TAIL,
         "param g = 9.81 [m/s^2], L = 1 [m], m = 2 [kg], a = 0.05 [m], W = 60 [rad/s]\n"
         "coord th = 80 [deg], th' = 0 [rad/s], x ~ 0 [m], y ~ 0 [m]\nlet y_s = a*sin(W*t)\n"
         "kinetic = 1/2*m*(x'^2 + y'^2) + 1/24*m*L^2*th'^2\npotential = m*g*y\n"
         "constraint A_x: x = L/2*cos(th)\nconstraint A_y: y = y_s + L/2*sin(th)\n"
         "output seen_angle = th, seen_x = -lambda_A_x, seen_y = -lambda_A_y\n" TAIL);
}

// A car on a road: the foot of its spring goes up and down, and damps.
TEST(a_spring_whose_foot_moves) {
  agrees(cx,
         "param g = 9.81 [m/s^2], m = 300 [kg], k = 2e4 [N/m], c = 1500 [N*s/m], a = 0.05 [m]\n"
         "gravity (0, -g)\nbody car: mass m, inertia 10 [kg*m^2], at = (0, 0.5 [m])\n"
         "joint G: prismatic ground (0, 0), car (0, 0), axis 90 [deg]\n"
         "spring s: ground (0, a*sin(9 [rad/s]*t)), car (0, 0), stiffness k, length 0.5 [m], "
         "damping c\noutput seen_y = car.y, seen_a = car.y''\n" TAIL,
         "param g = 9.81 [m/s^2], m = 300 [kg], k = 2e4 [N/m], c = 1500 [N*s/m], a = 0.05 [m]\n"
         "coord y = 0.5 [m]\nlet l = y - a*sin(9 [rad/s]*t)\nkinetic = 1/2*m*y'^2\n"
         "potential = m*g*y + 1/2*k*(l - 0.5 [m])^2\ndissipation = 1/2*c*l'^2\n"
         "output seen_y = y, seen_a = y''\n" TAIL);
}

#define FOUR_BAR                                                                                   \
  "param g = 9.81 [m/s^2], a = 0.1 [m], b = 0.3 [m], c = 0.25 [m], d = 0.3 [m], rho = 2 [kg/m]\n"  \
  "gravity (0, -g)\n"                                                                              \
  "body crank: rod a, mass rho*a, angle = 60 [deg]\n"                                              \
  "body coupler: rod b, mass rho*b, angle 30 [deg]\n"                                              \
  "body rocker: rod c, mass rho*c, angle 100 [deg]\n"                                              \
  "joint A: revolute ground (0, 0), crank (-a/2, 0)\n"                                             \
  "joint B: revolute crank (a/2, 0), coupler (-b/2, 0)\n"                                          \
  "joint C: revolute coupler (b/2, 0), rocker (c/2, 0)\n"                                          \
  "joint D: revolute rocker (-c/2, 0), ground (d + 0.02 [m]*sin(5 [rad/s]*t), 0)\n"                \
  "output seen_angle = rocker.theta, seen_D = D.F_x, seen_A = A.F_y, seen_C = C.F_x\n" TAIL

TEST(a_linkage_whose_pin_is_moved) { agrees(cx, FOUR_BAR, FOUR_BAR); }

#define STAGE(motor)                                                                               \
  "gravity (0, -9.81 [m/s^2])\n"                                                                   \
  "body sled: mass 2 [kg], inertia 0.1 [kg*m^2]\nbody bob: point, mass 1 [kg], at (0, -1 [m])\n"   \
  "joint S: prismatic ground (0.1 [m]*sin(4 [rad/s]*t), 0.2 [m]*t^2/1 [s^2]), sled (0, 0), "       \
  "axis 30 [deg]\n"                                                                                \
  "joint D: distance sled (0, 0), bob (0, 0), length 1 [m]\n" motor                                \
  "output seen_x = sled.x, seen_y = sled.y, seen_bob = bob.x, seen_S = S.F_y, seen_t = S.T\n" TAIL

// A slide on a stage that moves, free and driven; a driven one moves from where the stage is.
TEST(a_slide_on_a_moving_stage) {
  agrees(cx, STAGE(""), STAGE(""));
  agrees(cx, STAGE("motor S: speed 0.3 [m/s]\n"), STAGE("motor S: speed 0.3 [m/s]\n"));
  Motion motion = moved(cx, STAGE("motor S: speed 0.3 [m/s]\n"), FORMULATION_LAGRANGE);
  CHECK_NEAR(motion_at(&motion, 1, "seen_x"), 0.1 * sin(4) + 0.3 * cos(acos(-1) / 6), 1e-9);
  CHECK_NEAR(motion_at(&motion, 1, "seen_y"), 0.2 + 0.3 / 2, 1e-9);
}

// A ball on a table that goes down faster than it falls is left behind, and caught again.
TEST(a_table_that_moves) {
  Motion motion =
      moved(cx,
            "gravity (0, -9.81 [m/s^2])\n"
            "body ball: mass 1 [kg], disc 0.1 [m], at = (0, 0.1 [m]), velocity = (0, 0)\n"
            "contact table: ball (0, 0), radius 0.1 [m], line (0, 0.05 [m]*cos(20 "
            "[rad/s]*t) - 0.05 [m]), restitution 0\noutput y = ball.y\n" TAIL,
            FORMULATION_LAGRANGE);
  // free fall at first: the table starts down with 20 m/s^2
  CHECK_NEAR(motion_at(&motion, 0.1, "y"), 0.1 - 9.81 * 0.01 / 2, 1e-9);
  for (double t = 0; t < 1.05; t += 0.1)
    assert_true(motion_at(&motion, t, "y") > 0.05 * cos(20 * t) + 0.05 - 1e-9);
}

// The heat of a damper is what its own force and its own rate say, whoever moves its other end;
// what the mover gives is the rest of the balance.
TEST(the_heat_of_a_damper_to_a_moving_place) {
  static const char *const models[] = {
      "coord x = 0 [m]\nlet y = a*sin(w*t)\nkinetic = 1/2*m*x'^2\npotential = 1/2*k*(x - y)^2\n"
      "dissipation = 1/2*c*(x' - y')^2\noutput heat = c*(x' - y')^2\n",
      // a belt of constant speed
      "coord x = a\nkinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
      "dissipation = 1/2*c*(x' - a*w)^2\noutput heat = c*(x' - a*w)^2\n",
      // two dampers, one of them between bodies
      "coord x = 0 [m], z = a\nlet y = a*cos(w*t)\nkinetic = 1/2*m*(x'^2 + z'^2)\n"
      "potential = 1/2*k*(x^2 + z^2)\ndissipation = 1/2*c*(x' - y')^2\n"
      "dissipation = c*(x' - z')^2\noutput heat = c*(x' - y')^2 + 2*c*(x' - z')^2\n",
      // a strut that turns
      "body b: point, mass m, at = (1 [m], 0)\n"
      "spring s: ground (a*sin(w*t), 0.5 [m]), b (0, 0), stiffness k, length 1 [m], damping c\n"
      "output heat = c*s.length'^2\n",
      // belts and places with friction that is no square: powers, a smooth law, in the plane, both
      "coord x = a\nkinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
      "dissipation = 1/3*c/(a*w)*abs(x' - 2*a*w)^3\noutput heat = c/(a*w)*abs(x' - 2*a*w)^3\n",
      "coord x = a\nlet y = a*sin(w*t)\nlet u = x' - y'\nkinetic = 1/2*m*x'^2\n"
      "potential = 1/2*k*x^2\ndissipation = c*a*w*sqrt(u^2 + (a*w)^2)\n"
      "output heat = c*a*w*u^2/sqrt(u^2 + (a*w)^2)\n",
      "coord x = a, y = 0 [m]\nlet u = (x' - 3*a*w, y' - 2*a*w)\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
      "potential = 1/2*k*(x^2 + y^2)\ndissipation = c*a*w*norm(u) + 1/2*c*y'^2\n"
      "output heat = c*a*w*norm(u) + c*y'^2\n",
      // nothing moved, and friction that is no square: as ever
      "coord x = a\nkinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
      "dissipation = 1/2*c*x'^2 + a*w*c/50*abs(x')\noutput heat = c*x'^2 + a*w*c/50*abs(x')\n"};
  Random r = random_start("the_heat_of_a_damper_to_a_moving_place");
  for (int i = 0; i < test_rounds(24); i++) {
    const char *text = text_format(
        &cx->keep,
        "param m = %.17g [kg], k = %.17g [N/m], c = %.17g [N*s/m], a = %.17g [m], w = %.17g "
        "[1/s]\n%ssimulate to 2 [s] every 1 [ms]\n",
        random_real(&r, 1, 3), random_real(&r, 20, 90), random_real(&r, 1, 9),
        random_real(&r, 0.05, 0.3), random_real(&r, 2, 12),
        models[(size_t)i % (sizeof models / sizeof *models)]);
    Motion m = motion_in_balance(cx, text, FORMULATION_LAGRANGE, 2, 1e-3);
    double heat = 0;
    for (int k = 0; k <= 2000; k++)
      heat += motion_at(&m, k * 1e-3, "heat") * (k % 2000 == 0 ? 1 : k % 2 ? 4 : 2) / 3e3;
    double gained = motion_at(&m, 2, "E_tot") - motion_at(&m, 0, "E_tot");
    CHECK_NEAR(m.summary.work_dissipation / heat, -1, 2e-5); // friction bends the last one
    CHECK_NEAR((m.summary.work_drives - gained) / heat, 1, 2e-5);
  }
}

RUN_TESTS(cmocka_unit_test(a_pendulum_on_a_shaking_pin),
          cmocka_unit_test(a_spring_whose_foot_moves),
          cmocka_unit_test(a_linkage_whose_pin_is_moved),
          cmocka_unit_test(a_slide_on_a_moving_stage), cmocka_unit_test(a_table_that_moves),
          cmocka_unit_test(the_heat_of_a_damper_to_a_moving_place))
