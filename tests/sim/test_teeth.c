// The forces of teeth on bearings: statics by hand, free bodies in motion, in every formulation.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/motion.h"

#define TAIL "simulate to 0.5 [s] every 50 [ms]\n"

static Motion moved(Context *cx, const char *text, Formulation formulation) {
  return motion_in_balance(cx, text, formulation, 0.5, 0.05);
}

typedef struct Hand {
  const char *column;
  double expected;
} Hand;

static void holds(Context *cx, const char *text, const Hand *by_hand, size_t n, bool stays) {
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion motion = moved(cx, text, (Formulation)f);
    for (size_t i = 0; i < n; i++) {
      CHECK_NEAR(motion_at(&motion, 0, by_hand[i].column), by_hand[i].expected, 1e-9);
      if (!stays) continue;
      CHECK_NEAR(motion_at(&motion, 0.5, by_hand[i].column), by_hand[i].expected, 1e-8);
    }
  }
}
#define HOLDS(cx, text, hand) holds(cx, text, hand, sizeof(hand) / sizeof *(hand), true)
#define BEGINS(cx, text, hand) holds(cx, text, hand, sizeof(hand) / sizeof *(hand), false)

#define PAIR(gear)                                                                                 \
  "body a: disc 0.1 [m], mass 1 [kg]\nbody b: disc 0.2 [m], mass 2 [kg]\n"                         \
  "joint A: revolute ground (0, 0), a (0, 0)\n"                                                    \
  "joint B: revolute ground (0.3 [m], 0), b (0, 0)\n" gear                                         \
  "motor A: speed 0\ntorque b = -6 [N*m]\n"                                                        \
  "output A_x = A.F_x, A_y = A.F_y, A_t = A.T, B_x = B.F_x, B_y = B.F_y, B_t = B.T\n"              \
  "output G_x = G.F_x, G_y = G.F_y, G_t = G.T\n" TAIL

// A load of 6 N m on a wheel of 0.2 m: 30 N between the teeth, and in both bearings.
TEST(a_gear_pair_holds_a_load) {
  static const Hand hand[] = {{"A_x", 0}, {"A_y", -30}, {"A_t", -3},  {"B_x", 0}, {"B_y", 30},
                              {"B_t", 0}, {"G_x", 0},   {"G_y", -30}, {"G_t", 6}};
  HOLDS(cx, PAIR("gear G: a, b, ratio -1/2\n"), hand);
}

// The pressure angle pushes the bearings apart along the line of centres, whoever drives.
TEST(a_pressure_angle_parts_the_wheels) {
  double apart = 30 * tan(20 * acos(-1) / 180);
  const Hand hand[] = {{"A_x", apart}, {"A_y", -30},   {"A_t", -3},  {"B_x", -apart}, {"B_y", 30},
                       {"B_t", 0},     {"G_x", apart}, {"G_y", -30}, {"G_t", 6}};
  HOLDS(cx, PAIR("gear G: a, b, ratio -1/2, pressure 20 [deg]\n"), hand);
  const Hand other[] = {{"A_x", apart}, {"A_y", -30}, {"G_x", -apart}, {"G_y", 30}, {"G_t", 3}};
  HOLDS(cx, PAIR("gear G: b, a, ratio -2, pressure 20 [deg]\n"), other);
}

// A wheel in a ring: the force has the lever of each radius, and pulls the centres together.
TEST(an_inner_wheel_holds_its_ring) {
  double together = 30 * tan(0.3);
  const Hand hand[] = {
      {"A_y", 30}, {"A_t", 3}, {"A_x", together}, {"B_y", -30}, {"B_x", -together}};
  HOLDS(cx,
        "body a: disc 0.1 [m], mass 1 [kg]\nbody b: disc 0.2 [m], mass 2 [kg]\n"
        "joint A: revolute ground (0, 0), a (0, 0)\n"
        "joint B: revolute ground (-0.1 [m], 0), b (0, 0)\n"
        "gear G: a, b, ratio 1/2, pressure 0.3\nmotor A: speed 0\ntorque b = -6 [N*m]\n"
        "output A_x = A.F_x, A_y = A.F_y, A_t = A.T, B_x = B.F_x, B_y = B.F_y\n" TAIL,
        hand);
}

#define EPICYCLIC(more)                                                                            \
  "body arm: mass 2 [kg], inertia 0.01 [kg*m^2], angle = 0\n"                                      \
  "body sun: disc 0.2 [m], mass 3 [kg]\nbody planet: disc 0.1 [m], mass 1 [kg]\n"                  \
  "joint A: revolute ground (0, 0), arm (0, 0)\njoint B: revolute ground (0, 0), sun (0, 0)\n"     \
  "joint C: revolute arm (0.3 [m], 0), planet (0, 0)\n"                                            \
  "gear S: sun, planet, ratio -2, carrier arm" more "\n"                                           \
  "gear R: planet, ground, ratio 1/4, carrier arm" more "\n"

// 1 N m at the sun: 5 N at each side of the planet, 10 N in its bearing, 3 N m at the arm, 2 at the
// ring; the slow turning adds what keeps the planet on its circle.
TEST(an_epicyclic_train_shares_its_torque) {
  static const Hand hand[] = {{"S_y", 5},   {"R_y", 5}, {"R_t", 2},   {"C_x", -0.25 * 0.3},
                              {"C_y", -10}, {"C_t", 0}, {"A_y", -10}, {"A_t", -3},
                              {"B_y", 5},   {"B_t", 0}};
  BEGINS(cx,
         EPICYCLIC("") "motor A: speed 0.5 [rad/s]\ntorque sun = 1 [N*m]\n"
                       "output S_y = S.F_y, R_y = -R.F_y, R_t = -R.T, C_x = C.F_x, C_y = C.F_y\n"
                       "output C_t = C.T, A_y = A.F_y, A_t = A.T, B_y = B.F_y, B_t = B.T\n" TAIL,
         hand);
}

// The same at rest, held at the sun, with the load at the arm: nothing moves, in any coordinates.
TEST(a_held_epicyclic_train_stays) {
  static const Hand hand[] = {{"S_y", 5}, {"R_t", 2}, {"C_y", -10},
                              {"B_t", 1}, {"A_t", 0}, {"turned", 0}};
  HOLDS(cx,
        EPICYCLIC("") "motor B: speed 0\ntorque arm = -3 [N*m]\n"
                      "output S_y = S.F_y, R_t = -R.T, C_y = C.F_y, A_t = A.T, B_t = B.T\n"
                      "output turned = arm.theta\n" TAIL,
        hand);
}

// Bodies cut free: mass times acceleration is what the joints say, at every instant.
static void balances(Context *cx, const char *text) {
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion motion = moved(cx, text, (Formulation)f);
    Motion other = moved(cx, text, FORMULATION_LAGRANGE);
    int seen = 0;
    for (uint32_t i = 0; i < motion.columns.n; i++) {
      const char *name = motion.columns.at[i].name;
      bool is_zero = strncmp(name, "zero_", 5) == 0, is_seen = strncmp(name, "seen_", 5) == 0;
      for (double t = 0; (is_zero || is_seen) && t < 0.55; t += 0.1) {
        double expected = is_zero ? 0 : motion_at(&other, t, name);
        CHECK_NEAR(motion_at(&motion, t, name), expected, 1e-6);
      }
      seen += is_zero;
    }
    assert_true(seen > 0);
  }
}

#define PLANET_CUT_FREE                                                                            \
  "output zero_x = C.F_x + S.F_x - R.F_x - 1 [kg]*planet.x''\n"                                    \
  "output zero_y = C.F_y + S.F_y - R.F_y - 1 [kg]*(planet.y'' + 9.81 [m/s^2])\n"                   \
  "output zero_sun = B.F_x - S.F_x, zero_arm = A.F_x - C.F_x - 2 [kg]*arm.x''\n"                   \
  "output seen_A = A.F_y, seen_B = B.F_y, seen_S = S.F_x, seen_R = R.F_y, seen_t = R.T\n"

TEST(a_moving_epicyclic_train_balances) {
  const char *tail = "gravity (0, -9.81 [m/s^2])\nmotor B: torque 0.3 [N*m]\n"
                     "torque arm = -0.1 [N*m]\n" PLANET_CUT_FREE TAIL;
  static const char *const trains[] = {EPICYCLIC(""), EPICYCLIC(", pressure 20 [deg]")};
  for (int i = 0; i < 2; i++) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s", trains[i], tail);
    balances(cx, text);
  }
}

// Wheels whose centres of mass are not where they turn, on a plate that swings.
TEST(eccentric_wheels_balance) {
  balances(cx, "gravity (0, -9.81 [m/s^2])\n"
               "body plate: mass 3 [kg], inertia 0.1 [kg*m^2], angle = 30 [deg]\n"
               "body a: mass 1 [kg], inertia 0.01 [kg*m^2], angle = 0\n"
               "body b: mass 2 [kg], inertia 0.03 [kg*m^2], angle = 10 [deg]\n"
               "joint P: revolute ground (0, 0), plate (-0.2 [m], 0)\n"
               "joint A: revolute plate (0, 0), a (0.02 [m], 0.01 [m])\n"
               "joint B: revolute b (-0.03 [m], 0), plate (0.2 [m], 0.1 [m])\n"
               "gear G: a, b, ratio -0.4, carrier plate\ntorque a, plate = 0.2 [N*m]\n"
               "output zero_x = A.F_x - G.F_x - 1 [kg]*a.x''\n"
               "output zero_y = G.F_y - B.F_y - 2 [kg]*(b.y'' + 9.81 [m/s^2])\n"
               "output seen_x = G.F_x, seen_y = G.F_y, seen_P = P.F_x\n" TAIL);
}

// The teeth of a hanging rack push the pinion away; the guide holds them together.
TEST(a_rack_parts_from_its_pinion) {
  double weight = 2 * 9.81, apart = weight * tan(20 * acos(-1) / 180);
  const Hand hand[] = {
      {"A_x", apart}, {"A_y", weight + 9.81}, {"A_t", weight * 0.05}, {"C_x", -apart},
      {"C_t", 0},     {"R_x", apart},         {"R_y", weight}};
  HOLDS(cx,
        "gravity (0, -9.81 [m/s^2])\nparam r = 50 [mm]\nbody p: mass 1 [kg], disc r\n"
        "body k: mass 2 [kg], plate (0.02 [m], 0.3 [m]), at (r, 0)\n"
        "joint A: revolute ground (0, 0), p (0, 0)\n"
        "joint C: prismatic ground (r, 0), k (0, 0), axis 90 [deg]\n"
        "rack R: p, k, radius r, pressure 20 [deg]\nmotor A: speed 0\n"
        "output A_x = A.F_x, A_y = A.F_y, A_t = A.T, C_x = C.F_x, C_t = C.T\n"
        "output R_x = R.F_x, R_y = R.F_y\n" TAIL,
        hand);
}

// Two rotors on one axis, coupled by gears that are not drawn: torques only.
TEST(coaxial_wheels_have_no_teeth) {
  static const Hand hand[] = {{"A_t", -3}, {"A_y", 0}, {"B_x", 0}, {"G_t", 6}};
  HOLDS(cx,
        "body a: disc 0.1 [m], mass 1 [kg]\nbody b: disc 0.2 [m], mass 2 [kg]\n"
        "joint A: revolute ground (0, 0), a (0, 0)\njoint B: revolute ground (0, 0), b (0, 0)\n"
        "gear G: a, b, ratio -1/2\nmotor A: speed 0\ntorque b = -6 [N*m]\n"
        "output A_y = A.F_y, A_t = A.T, B_x = B.F_x, G_t = G.T\n" TAIL,
        hand);
}

RUN_TESTS(cmocka_unit_test(a_gear_pair_holds_a_load),
          cmocka_unit_test(a_pressure_angle_parts_the_wheels),
          cmocka_unit_test(an_inner_wheel_holds_its_ring),
          cmocka_unit_test(an_epicyclic_train_shares_its_torque),
          cmocka_unit_test(a_held_epicyclic_train_stays),
          cmocka_unit_test(a_moving_epicyclic_train_balances),
          cmocka_unit_test(eccentric_wheels_balance),
          cmocka_unit_test(a_rack_parts_from_its_pinion),
          cmocka_unit_test(coaxial_wheels_have_no_teeth))
