// What joints transmit: closed forms, and the same in every formulation.
#include <math.h>
#include <string.h>

#include "support/motion.h"

static Motion moved_for(Context *cx, const char *text, Formulation formulation, double seconds) {
  Motion motion = motion_load_as(cx, text, NULL, formulation);
  motion.options.t_end = seconds;
  motion.options.every = seconds / 10;
  motion.options.method.rtol = 1e-10;
  motion_run(&motion);
  if (motion.status != QDOT_OK) motion_explain(&motion);
  assert_int_equal(motion.status, QDOT_OK);
  return motion;
}

static Motion moved(Context *cx, const char *text, Formulation formulation) {
  return moved_for(cx, text, formulation, 0.5);
}

static void is_at_start(Context *cx, const char *text, const char *column, double expected) {
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion motion = moved_for(cx, text, (Formulation)f, 1e-9);
    CHECK_NEAR(motion_at(&motion, 0, column), expected, 1e-9);
  }
}

// A structure stays where it is for as long as one looks, with little work.
static void rests_as(Context *cx, const char *text, const char *column, double expected,
                     Formulation formulation) {
  Motion motion = moved_for(cx, text, formulation, 10);
  CHECK_NEAR(motion_at(&motion, 0, column), expected, 1e-9);
  CHECK_NEAR(motion_at(&motion, 10, column), expected, 1e-9);
  assert_true(motion.summary.steps < 200);
  assert_true(motion.summary.energy_drift < 1e-6);
}

// What cannot move has no minimal coordinates.
static void rests(Context *cx, const char *text, const char *column, double expected) {
  rests_as(cx, text, column, expected, FORMULATION_MAXIMAL);
}

#define ROD                                                                                        \
  "param g = 9.81 [m/s^2], L = 1 [m], m = 2 [kg]\ngravity (0, -g)\n"                               \
  "body rod: rod L, mass m, angle = 0\n"
#define TAIL "simulate to 0.5 [s] every 50 [ms]\n"

// A rod let go from the horizontal: its pin carries a quarter of its weight.
TEST(a_pin_holds_a_falling_rod) {
  const char *text = ROD "joint A: revolute ground (0, 0), rod (-L/2, 0)\n"
                         "output F = A.F_y, T = A.T\n" TAIL;
  is_at_start(cx, text, "F", 9.81 * 2 / 4);
  is_at_start(cx, text, "T", 0);
}

// The first body acts on the second: on the ground, the rod presses down.
TEST(the_sign_says_who_acts_on_whom) {
  is_at_start(cx, ROD "joint A: revolute rod (-L/2, 0), ground (0, 0)\noutput F = A.F_y\n" TAIL,
              "F", -9.81 * 2 / 4);
}

// A cantilever with a weight at its end: m g and m g L/2 + F L.
TEST(a_wall_holds_a_beam) {
  const char *text = ROD "joint A: weld ground (0, 0), rod (-L/2, 0)\n"
                         "force rod (L/2, 0) = (3 [N], -5 [N])\n"
                         "output F_x = A.F_x, F_y = A.F_y, T = A.T\n" TAIL;
  rests(cx, text, "F_x", -3);
  rests(cx, text, "F_y", 9.81 * 2 + 5);
  rests(cx, text, "T", 9.81 + 5);
}

// A beam on a pin and a roller: the lever rule.
TEST(supports_share_a_load) {
  const char *text = ROD "joint A: revolute ground (0, 0), rod (-L/2, 0)\n"
                         "joint B: slot ground (L, 0), rod (L/2, 0), axis 0\n"
                         "force rod (L/4, 0) = (0, -8 [N])\n"
                         "output A_y = A.F_y, B_y = B.F_y\n" TAIL;
  for (int f = 0; f < FORMULATIONS; f++) {
    rests_as(cx, text, "A_y", 9.81 + 2, (Formulation)f);
    rests_as(cx, text, "B_y", 9.81 + 6, (Formulation)f);
  }
}

// Two walls: more reactions than equations. Both rows of lambda are of least norm and carry half.
TEST(redundant_supports_share_by_least_norm) {
  const char *text = ROD "joint A: weld ground (0, 0), rod (-L/2, 0)\n"
                         "joint B: weld rod (L/2, 0), ground (L, 0)\n"
                         "output F = A.F_y - B.F_y\n" TAIL;
  rests(cx, text, "F", 2 * 9.81); // together they carry the weight
}

// A pinion that holds a hanging rack: teeth on the pitch line, so that nothing turns the rack. It
// lies along its slide without being told.
TEST(a_pinion_holds_its_rack) {
  const char *text = "param g = 9.81 [m/s^2], r = 50 [mm], m = 2 [kg]\ngravity (0, -g)\n"
                     "body p: mass 1 [kg], disc r\n"
                     "body k: mass m, plate (0.02 [m], 0.3 [m]), at (r, 0)\n"
                     "joint A: revolute ground (0, 0), p (0, 0)\n"
                     "joint C: prismatic ground (r, 0), k (0, 0), axis 90 [deg]\n"
                     "rack R: p, k, radius r\nmotor A: speed 0\n"
                     "output A_T = A.T, A_y = A.F_y, C_x = C.F_x, C_T = C.T, R_y = R.F_y\n" TAIL;
  static const struct {
    const char *column;
    double expected;
  } by_hand[] = {
      {"A_T", 2 * 9.81 * 0.05}, {"A_y", 3 * 9.81}, {"C_x", 0}, {"C_T", 0}, {"R_y", 2 * 9.81}};
  for (int f = 0; f < FORMULATIONS; f++)
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++)
      rests_as(cx, text, by_hand[i].column, by_hand[i].expected, (Formulation)f);
}

#define EVERY_JOINT                                                                                \
  "param g = 9.81 [m/s^2], a = 0.1 [m], b = 0.3 [m], c = 0.25 [m], d = 0.3 [m], rho = 2 [kg/m]\n"  \
  "gravity (0, -g)\n"                                                                              \
  "body crank: rod a, mass rho*a, angle = 60 [deg]\n"                                              \
  "body coupler: rod b, mass rho*b, angle 30 [deg]\n"                                              \
  "body rocker: rod c, mass rho*c, angle 100 [deg]\n"                                              \
  "body wheel: disc 0.05 [m], mass 1 [kg]\n"                                                       \
  "body slider: mass 0.5 [kg], inertia 0.01 [kg*m^2]\n"                                            \
  "joint A: revolute ground (0, 0), crank (-a/2, 0)\n"                                             \
  "joint B: revolute crank (a/2, 0), coupler (-b/2, 0), friction 0.05 [N*m*s]\n"                   \
  "joint C: revolute coupler (b/2, 0), rocker (c/2, 0), friction 0.02 [N*m*s]\n"                   \
  "joint D: revolute rocker (-c/2, 0), ground (d, 0), friction 0.03 [N*m*s]\n"                     \
  "joint E: revolute wheel (0, 0), coupler (0, 0.1 [m])\n"                                         \
  "joint S: prismatic crank (0, 0), slider (0, 0), axis 20 [deg], friction 3 [N*s/m]\n"            \
  "spring s: ground (0, 0.4 [m]), coupler (0.1 [m], 0), stiffness 40 [N/m], length 0.1 [m], "      \
  "damping 1 [N*s/m], preload 2 [N]\n"                                                             \
  "spring k: crank (0.1 [m], 0), slider (0, 0), stiffness 200 [N/m], length 0.1 [m]\n"             \
  "motor E: torque 0.1 [N*m]*sin(4 [rad/s]*t)\n"                                                   \
  "torque wheel, crank = 0.01 [N*m]\n"

static void agree_on(Context *cx, const char *text) {
  Motion expected = moved(cx, text, FORMULATION_LAGRANGE);
  for (int f = 1; f < FORMULATIONS; f++) {
    Motion motion = moved(cx, text, (Formulation)f);
    for (uint32_t i = 0; i < motion.columns.n; i++) {
      const char *name = motion.columns.at[i].name;
      if (strncmp(name, "seen_", 5) != 0) continue;
      for (double t = 0; t < 0.55; t += 0.1) {
        double value = motion_at(&expected, t, name), other = motion_at(&motion, t, name);
        if (fabs(other - value) > 1e-5 * fmax(1, fabs(value)))
          print_error("%s: %s at %g s: %.9g, expected %.9g\n", formulation_text((Formulation)f),
                      name, t, other, value);
        assert_true(fabs(other - value) <= 1e-5 * fmax(1, fabs(value)));
      }
    }
  }
}

#define SEEN(joint)                                                                                \
  "output seen_" joint "_x = " joint ".F_x, seen_" joint "_y = " joint ".F_y, seen_" joint         \
  "_t = " joint ".T\n"
#define ALL_SEEN SEEN("A") SEEN("B") SEEN("C") SEEN("D") SEEN("E") SEEN("S") TAIL

TEST(loops_agree_in_all_formulations) { agree_on(cx, EVERY_JOINT ALL_SEEN); }

TEST(driven_loops_agree_in_all_formulations) {
  agree_on(cx, EVERY_JOINT "motor A: speed 5 [rad/s]\n" ALL_SEEN);
}

// Energies, forces and constraints that the model writes beside its bodies act on them, too.
TEST(mixed_models_agree_in_all_formulations) {
  agree_on(cx, EVERY_JOINT "potential = 1/2*30 [N/m]*coupler.y^2\n"
                           "kinetic = 1/2*0.2 [kg]*rocker.x'^2\n"
                           "dissipation = 1/2*0.5 [N*s/m]*coupler.x'^2\n"
                           "force (slider.x, slider.y) = (0.3 [N], 0)\n" ALL_SEEN);
}

// A gear acts on the arm that carries it: nothing is left for the arm's own pin, which turns
// freely.
TEST(a_carrier_feels_its_gear) {
  const char *text =
      "gravity (0, -9.81 [m/s^2])\n"
      "body arm: rod 0.4 [m], mass 2 [kg], angle = 20 [deg]\n"
      "body sun: disc 0.2 [m], mass 3 [kg]\nbody planet: disc 0.1 [m], mass 1 [kg]\n"
      "joint A: revolute ground (0, 0), arm (-0.2 [m], 0)\n"
      "joint B: revolute ground (0, 0), sun (0, 0)\n"
      "joint C: revolute arm (0.2 [m], 0), planet (0, 0)\n"
      "gear G: sun, planet, ratio -2, carrier arm\nmotor B: torque 0.3 [N*m]\n" SEEN("A") SEEN("B")
          SEEN("C") TAIL;
  agree_on(cx, text);
  is_at_start(cx, text, "seen_A_t", 0);
  is_at_start(cx, text, "seen_B_t", 0.3);
  is_at_start(cx, text, "seen_C_t", 0);
}

// A rod between two points that a pin already holds apart: a row of nothing, which must not act.
TEST(a_rod_that_holds_nothing) {
  agree_on(cx, "gravity (0, -9.81 [m/s^2])\n"
               "body b: rod 1 [m], mass 2 [kg], angle = 20 [deg]\n"
               "body c: disc 0.1 [m], mass 1 [kg]\n"
               "joint A: revolute ground (0, 0), b (-0.5 [m], 0)\n"
               "joint B: revolute b (0.3 [m], 0.1 [m]), c (0, 0)\n"
               "joint D: distance b (0, 0.5 [m]), c (0, 0), length 0.5 [m]\n"
               "output seen_angle = b.theta, seen_force = A.F_y\n" TAIL);
  Motion motion = moved(cx,
                        "gravity (0, -9.81 [m/s^2])\n"
                        "body b: rod 1 [m], mass 2 [kg], angle = 0\n"
                        "joint A: revolute ground (0, 0), b (-0.5 [m], 0)\n"
                        "joint D: distance ground (0, 0), b (0, 0), length 0.5 [m]\n"
                        "output a = b.theta''\n" TAIL,
                        FORMULATION_LAGRANGE);
  CHECK_NEAR(motion_at(&motion, 0, "a"), -1.5 * 9.81, 1e-12);
}

RUN_TESTS(cmocka_unit_test(a_rod_that_holds_nothing), cmocka_unit_test(a_pin_holds_a_falling_rod),
          cmocka_unit_test(the_sign_says_who_acts_on_whom), cmocka_unit_test(a_wall_holds_a_beam),
          cmocka_unit_test(supports_share_a_load), cmocka_unit_test(a_pinion_holds_its_rack),
          cmocka_unit_test(redundant_supports_share_by_least_norm),
          cmocka_unit_test(loops_agree_in_all_formulations),
          cmocka_unit_test(driven_loops_agree_in_all_formulations),
          cmocka_unit_test(mixed_models_agree_in_all_formulations),
          cmocka_unit_test(a_carrier_feels_its_gear))
