// Names of parts: rod.omega, rail.s, pin.angle, s.F ... against what they mean, in all
// formulations.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/motion.h"

static Motion run_as(Context *cx, const char *text, Formulation formulation) {
  Motion m = motion_load_as(cx, text, NULL, formulation);
  m.options.method.rtol = 1e-10;
  motion_run(&m);
  if (m.status != QDOT_OK) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  return m;
}

static bool has_column(const Motion *m, const char *name) {
  for (uint32_t i = 0; i < m->columns.n; i++)
    if (strcmp(m->columns.at[i].name, name) == 0) return true;
  return false;
}

// ---- A damped rod against an integration of its own

// J'' = -m g L/2 cos(theta) - c theta', by fourth-order steps.
static double damped_rod(double theta, double c, double t_end) {
  const double g = 9.81, L = 1, m = 1, J = m * L * L / 3;
  int n = 30000;
  double w = 0, h = t_end / n;
#define SLOPE(theta, w) ((-m * g * L / 2 * cos(theta) - c * (w)) / J)
  for (int i = 0; i < n; i++) {
    double k1 = w, l1 = SLOPE(theta, w);
    double k2 = w + h / 2 * l1, l2 = SLOPE(theta + h / 2 * k1, k2);
    double k3 = w + h / 2 * l2, l3 = SLOPE(theta + h / 2 * k2, k3);
    double k4 = w + h * l3, l4 = SLOPE(theta + h * k3, k4);
    theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    w += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
#undef SLOPE
  return theta;
}

TEST(a_torque_of_omega_damps) {
  const char *text = "param c = 0.4 [N*m*s], L = 1 [m]\ngravity (0, -9.81 [m/s^2])\n"
                     "body rod: rod L, mass 1 [kg], angle = 0\n"
                     "joint A: revolute ground (0, 0), rod (-L/2, 0)\n"
                     "torque rod = -c*rod.omega\noutput rod.theta\n"
                     "simulate to 3 [s] every 0.5 [s]\n";
  double expected = damped_rod(0, 0.4, 3);
  assert_true(fabs(expected - damped_rod(0, 0, 3)) > 0.1);
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, text, (Formulation)f);
    CHECK_NEAR(motion_at(&m, 3, "rod.theta"), expected, 1e-7);
  }
}

// ---- Meanings

static const char slider[] =
    "param k = 40 [N/m], c = 2 [N*s/m], al = 20 [deg]\n"
    "gravity (0, -9.81 [m/s^2])\n"
    "body cart: plate (0.2 [m], 0.1 [m]), mass 2 [kg], at (0.3 [m], 0.1 [m])\n"
    "body rod: rod 1 [m], mass 1 [kg], angle = -60 [deg]\n"
    "joint rail: prismatic ground (0, 0), cart (0, 0), axis al, friction 0.5 [N*s/m]\n"
    "joint pin: revolute cart (0, 0), rod (-0.5 [m], 0), friction 0.1 [N*m*s]\n"
    "spring s: ground (1 [m], 0.1 [m]), cart (0, 0.05 [m]), stiffness k, length 0.3 [m], damping "
    "c, "
    "preload 1 [N]\n"
    "spring w: torsional cart, rod, stiffness 3 [N*m], angle -80 [deg], damping 0.2 [N*m*s]\n"
    "motor pin: torque 0.4 [N*m]*cos(2 [rad/s]*t)\n"
    "motor rail: force -5 [N/m]*rail.s\n"
    "potential = 1/2*(2 [N/m])*rail.s^2\n"
    "force rod (0, 0) = (0.3 [N]*s.length/(1 [m]), 0)\n"
    "let stretch = s.length - 0.3 [m]\n"
    "output cart.x, cart.y, rod.theta, rod.omega, rail.s, rail.power, pin.angle, pin.power, pin.T, "
    "pin.F_x, pin.F_y, s.length, s.F, s.power, w.angle, w.T, w.power, lambda_pin_x, lambda_pin_y, "
    "lambda_rail_normal, lambda_rail_angle, rail.F_x, rail.F_y, rail.T, stretch\n"
    "output rate = rail.s', length_rate = s.length', spin = pin.angle', alpha = rod.omega'\n"
    "simulate to 1.5 [s] every 0.1 [s]\n";

TEST(members_mean_what_they_say) {
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, slider, (Formulation)f);
    const double al = 20 * M_PI / 180;
    for (double t = 0; t < 1.55; t += 0.1) {
#define AT(name) motion_at(&m, t, name)
      double x = AT("cart.x"), y = AT("cart.y");
      CHECK_NEAR(AT("rail.s"), x * cos(al) + y * sin(al), 1e-9);
      CHECK_NEAR(AT("pin.angle"), AT("rod.theta"), 1e-9); // the cart does not turn
      CHECK_NEAR(AT("rod.omega"), AT("spin"), 1e-9);
      double length = hypot(x - 1, y + 0.05 - 0.1), rate = AT("length_rate");
      CHECK_NEAR(AT("s.length"), length, 1e-9);
      CHECK_NEAR(AT("stretch"), length - 0.3, 1e-9);
      CHECK_NEAR(AT("s.F"), 40 * (length - 0.3) + 2 * rate + 1, 1e-9);
      CHECK_NEAR(AT("s.power"), -AT("s.F") * rate, 1e-9);
      double wound = AT("rod.theta") + 80 * M_PI / 180;
      CHECK_NEAR(AT("w.T"), 3 * wound + 0.2 * AT("rod.omega"), 1e-9);
      CHECK_NEAR(AT("w.power"), -AT("w.T") * AT("rod.omega"), 1e-9);
      CHECK_NEAR(AT("pin.power"), AT("pin.T") * AT("rod.omega"), 1e-9);
      double push = AT("rail.F_x") * cos(al) + AT("rail.F_y") * sin(al);
      CHECK_NEAR(push, -5 * AT("rail.s") - 0.5 * AT("rate"), 1e-8);
      CHECK_NEAR(AT("rail.power"), push * AT("rate"), 1e-8);
      // multipliers by what the joint transmits
      CHECK_NEAR(AT("lambda_pin_x"), AT("pin.F_x"), 1e-8);
      CHECK_NEAR(AT("lambda_pin_y"), AT("pin.F_y"), 1e-8);
      CHECK_NEAR(AT("lambda_rail_angle"), -AT("rail.T"), 1e-8);
      CHECK_NEAR(AT("lambda_rail_normal"), AT("rail.F_x") * sin(al) - AT("rail.F_y") * cos(al),
                 1e-8);
#undef AT
    }
  }
}

// ---- All formulations alike

static void check_alike(Context *cx, const char *text, double t_end, double tolerance) {
  Motion first = run_as(cx, text, FORMULATION_LAGRANGE);
  for (int f = 1; f < FORMULATIONS; f++) {
    Motion other = run_as(cx, text, (Formulation)f);
    uint32_t compared = 0;
    for (uint32_t i = 0; i < first.columns.n; i++) {
      const char *name = first.columns.at[i].name;
      if (first.columns.at[i].kind != COLUMN_MEMBER && first.columns.at[i].kind != COLUMN_OUTPUT)
        continue;
      assert_true(has_column(&other, name));
      compared++;
      for (double t = 0; t <= t_end; t += t_end / 4)
        CHECK_NEAR(motion_at(&other, t, name), motion_at(&first, t, name), tolerance);
    }
    assert_true(compared > 5);
  }
}

TEST(members_are_alike_in_all_formulations) { check_alike(cx, slider, 1.5, 1e-6); }

TEST(members_in_constraints_contacts_and_drives) {
  check_alike(cx,
              "param L = 0.5 [m]\ngravity (0, -9.81 [m/s^2])\n"
              "body cart: disc 0.1 [m], mass 1 [kg]\n"
              "body rod: rod L, mass 0.5 [kg], angle = -50 [deg]\n"
              "body tip: rod L, mass 0.5 [kg], angle = -80 [deg]\n"
              "joint rail: prismatic ground (0, 0), cart (0, 0)\n"
              "joint pin: revolute cart (0, 0), rod (-L/2, 0)\n"
              "joint knee: revolute rod (L/2, 0), tip (-L/2, 0)\n"
              "spring s: ground (1 [m], 0), tip (0, 0), stiffness 5 [N/m]\n"
              "constraint stroke: rail.s = 0.1 [m]*sin(3 [rad/s]*t)\n"
              "contact bend: knee.angle >= -1 restitution 0.5\n"
              "torque tip, rod = -0.2 [N*m*s]*knee.angle'\n"
              "force tip (L/2, 0) = (0, 0.1*s.F)\n"
              "output rail.s, knee.angle, pin.angle, s.F, s.length, tip.omega, tip.x, bend.N\n"
              "simulate to 0.8 [s] every 0.1 [s]\n",
              0.8, 1e-5);
}

TEST(power_of_a_motor_of_given_speed) {
  const char *text = "param L = 0.4 [m], w = 3 [rad/s]\ngravity (0, -9.81 [m/s^2])\n"
                     "body crank: rod L, mass 2 [kg], angle = 20 [deg]\n"
                     "joint A: revolute ground (0, 0), crank (-L/2, 0), friction 0.3 [N*m*s]\n"
                     "motor A: speed w\noutput A.power, A.T, A.angle, P = A.power\n"
                     "simulate to 1 [s] every 0.1 [s]\n";
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, text, (Formulation)f);
    for (double t = 0; t < 1.05; t += 0.1) {
      double angle = 20 * M_PI / 180 + 3 * t;
      CHECK_NEAR(motion_at(&m, t, "A.angle"), angle, 1e-9);
      CHECK_NEAR(motion_at(&m, t, "A.power"), 3 * 2 * 9.81 * 0.2 * cos(angle), 1e-7);
      CHECK_NEAR(motion_at(&m, t, "A.power"), 3 * motion_at(&m, t, "A.T"), 1e-9);
    }
  }
}

TEST(a_contact_presses) {
  const char *text = "gravity (0, -10 [m/s^2])\nbody ball: disc 0.1 [m], mass 3 [kg], "
                     "at (0, 0.1 [m])\ncontact floor: ball (0, 0), radius 0.1 [m], line (0, 0)\n"
                     "output floor.N, N = lambda_floor\nsimulate to 0.5 [s] every 0.1 [s]\n";
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, text, (Formulation)f);
    CHECK_NEAR(motion_at(&m, 0.3, "floor.N"), 30, 1e-9);
    CHECK_NEAR(motion_at(&m, 0.3, "N"), 30, 1e-9);
  }
}

// ---- Random chains with springs, laws and names of all kinds

static void add_link(Random *random, Text *text, Text *names, int i) {
  char before[20] = "ground";
  if (i > 0) snprintf(before, sizeof before, "b%d", i - 1);
  bool slides = random_below(random, 3) == 0;
  double at = i > 0 ? 0.2 : 0;
  text_addf(text, "body b%d: rod 0.4 [m], mass %.3f [kg]%s\n", i, random_real(random, 0.5, 2),
            slides ? "" : text_format(text->arena, ", angle = %.3f", random_real(random, -2, 0)));
  if (slides)
    text_addf(text, "joint j%d: prismatic %s (%g [m], 0), b%d (0, 0), axis %.3f\n", i, before, at,
              i, random_real(random, -1, 1));
  else
    text_addf(text, "joint j%d: revolute %s (%g [m], 0), b%d (-0.2 [m], 0)\n", i, before, at, i);
  text_addf(text,
            "spring s%d: ground (%.3f [m], %.3f [m]), b%d (0.1 [m], 0.05 [m]), stiffness %.3f "
            "[N/m], length 0.4 [m], damping %.3f [N*s/m]\n",
            i, random_real(random, 1, 2), random_real(random, 0.5, 1), i,
            random_real(random, 5, 30), random_real(random, 0, 1));
  if (slides)
    text_addf(text, "motor j%d: force -%.3f [N/m]*j%d.s - (2 [N*s/m])*j%d.s'\n", i,
              random_real(random, 10, 30), i, i);
  else
    text_addf(text, "motor j%d: torque -%.3f [N*m]*sin(j%d.angle)\n", i, random_real(random, 0, 3),
              i);
  text_addf(text, "torque b%d = -0.1 [N*m*s]*b%d.omega\n", i, i);
  text_addf(text, "force b%d (0, 0) = (0.1*s%d.F, 0)\n", i, i);
  text_addf(names, ", b%d.x, b%d.omega, j%d.%s, s%d.F, s%d.length, s%d.power, j%d.power", i, i, i,
            slides ? "s" : "angle", i, i, i, i);
}

TEST(random_chains_with_names_of_parts) {
  Random random = random_start("random_chains_with_names_of_parts");
  for (int round = 0; round < test_rounds(12); round++) {
    Text text = text_new(&cx->keep), names = text_new(&cx->keep);
    text_add(&text, "gravity (0, -9.81 [m/s^2])\n");
    int n = 1 + random_below(&random, 3);
    for (int i = 0; i < n; i++) add_link(&random, &text, &names, i);
    text_addf(&text, "output j0.F_x%s\nsimulate to 0.4 [s] every 0.1 [s]\n", names.at);
    check_alike(cx, text.at, 0.4, 2e-6);
  }
}

// ---- Columns

TEST(only_what_is_asked_for_becomes_a_column) {
  Motion m = motion_of(cx, "body b: disc 1 [m], mass 1 [kg]\nbody c: disc 1 [m], mass 1 [kg]\n"
                           "joint A: revolute ground (0, 0), b (0, 0)\n"
                           "joint B: revolute b (1 [m], 0), c (0, 0)\n"
                           "let v = B.angle'\noutput w = c.omega\noutput B.angle\n"
                           "plot 2*c.x, B.angle, b.theta\nsimulate to 1 [s] every 1 [s]\n");
  const char *const expected[] = {"t",         "b.theta",   "c.theta", "b.theta'", "c.theta'",
                                  "b.theta''", "c.theta''", "w",       "E_kin",    "E_pot",
                                  "E_tot",     "B.angle",   "c.x"};
  assert_int_equal(m.columns.n, sizeof expected / sizeof *expected);
  for (uint32_t i = 0; i < m.columns.n; i++) assert_string_equal(m.columns.at[i].name, expected[i]);
}

RUN_TESTS(cmocka_unit_test(a_torque_of_omega_damps), cmocka_unit_test(members_mean_what_they_say),
          cmocka_unit_test(members_are_alike_in_all_formulations),
          cmocka_unit_test(members_in_constraints_contacts_and_drives),
          cmocka_unit_test(power_of_a_motor_of_given_speed), cmocka_unit_test(a_contact_presses),
          cmocka_unit_test(random_chains_with_names_of_parts),
          cmocka_unit_test(only_what_is_asked_for_becomes_a_column))
