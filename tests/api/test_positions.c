// Positions of driven mechanisms against closed forms and a press derived by hand.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static qdot_model *parse(qdot_context *cx, const char *text, const char *formulation) {
  qdot_model *model = NULL;
  qdot_model_options options = qdot_model_defaults();
  options.kinematics = 1, options.formulation = formulation;
  assert_int_equal(qdot_model_parse(cx, "drive.qdot", text, strlen(text), &options, &model),
                   QDOT_OK);
  return model;
}

static size_t column(const qdot_positions *p, const char *name) {
  size_t i = qdot_positions_column_find(p, name);
  if (i == QDOT_NOT_FOUND) fail_msg("no column %s", name);
  assert_true(i < qdot_positions_column_count(p));
  assert_string_equal(qdot_positions_column_at(p, i), name);
  return i;
}

static double at(const qdot_positions *p, size_t row, const char *name) {
  return qdot_positions_row_at(p, row)[column(p, name)];
}

static const char *const formulations[] = {"lagrange", "newton-euler", "maximal", "natural"};

// ---- A four-bar without masses

static const char four_bar[] = "param a = 0.1 [m], b = 0.3 [m], c = 0.25 [m], d = 0.35 [m]\n"
                               "body crank: rod a, angle = 0\nbody coupler: rod b, angle 40 [deg]\n"
                               "body rocker: rod c, angle 80 [deg]\n"
                               "joint A: revolute ground (0, 0), crank (-a/2, 0)\n"
                               "joint B: revolute crank (a/2, 0), coupler (-b/2, 0)\n"
                               "joint C: revolute coupler (b/2, 0), rocker (c/2, 0)\n"
                               "joint D: revolute ground (d, 0), rocker (-c/2, 0)\n"
                               "motor A: speed -10 [rad/s]\ntorque rocker = -5 [N*m]\n"
                               "output psi = rocker.theta, w = rocker.omega\n";

// The rocker's angle: from D to B, then the angle of the triangle B C D at D.
static double rocker_angle(double phi) {
  double x = 0.1 * cos(phi) - 0.35, y = 0.1 * sin(phi), f = hypot(x, y);
  return atan2(y, x) - acos((f * f + 0.25 * 0.25 - 0.3 * 0.3) / (2 * f * 0.25));
}

static double difference(double phi, double h) {
  return remainder(rocker_angle(phi + h) - rocker_angle(phi - h), 2 * acos(-1));
}

static void a_four_bar_needs_no_masses(void **state) {
  (void)state;
  for (int f = 0; f < 4; f++) {
    qdot_context *cx = qdot_context_open(NULL);
    qdot_model *model = parse(cx, four_bar, formulations[f]);
    qdot_positions *p;
    assert_int_equal(qdot_positions_open(model, NULL, &p), QDOT_OK);
    assert_int_equal(qdot_positions_row_count(p), 361);
    for (size_t k = 0; k <= 360; k += 15) {
      double phi = -2 * acos(-1) * (double)k / 360, h = 1e-4;
      double psi = rocker_angle(phi);
      double slope = (8 * difference(phi, h) - difference(phi, 2 * h)) / (12 * h);
      CHECK_NEAR(remainder(at(p, k, "psi") - psi, 2 * acos(-1)), 0, 1e-12);
      CHECK_NEAR(at(p, k, "w"), -10 * slope, 1e-9);
      // power in is power out; the torque of the drive is 5 N m times the slope
      CHECK_NEAR(at(p, k, "A.T"), 5 * slope, 1e-9);
      CHECK_NEAR(at(p, k, "A.power"), 5 * at(p, k, "w"), 1e-9);
    }
    // the smallest angle between coupler and rocker is where the crank lies along the ground
    double cosine = (0.3 * 0.3 + 0.25 * 0.25 - 0.25 * 0.25) / (2 * 0.3 * 0.25);
    qdot_extent e = *qdot_positions_extent_at(p, column(p, "C.transmission"));
    CHECK_NEAR(e.least, acos(cosine), 1e-9);
    qdot_positions_close(p);
    qdot_context_close(cx);
  }
}

static void walking_gives_the_same_positions(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = parse(cx, four_bar, NULL);
  qdot_positions *p;
  qdot_positions_options options = qdot_positions_defaults();
  options.steps = 8;
  assert_int_equal(qdot_positions_open(model, &options, &p), QDOT_OK);
  enum { STEPS = 5000 };
  size_t n = qdot_positions_coordinate_count(p);
  double *q = malloc(STEPS * n * sizeof *q), step = 2 * acos(-1) / 10 / 97;
  double start = at(p, 8, "t");
  assert_int_equal(qdot_positions_walk(p, step, STEPS, q), QDOT_OK);
  for (size_t k = 0; k < STEPS; k += 7) {
    // the walk begins where the last row that was looked at is
    double phi = q[k * n], psi = q[k * n + 1];
    CHECK_NEAR(remainder(psi - rocker_angle(phi), 2 * acos(-1)), 0, 1e-12);
    if (k > 0) CHECK_NEAR(q[k * n] - q[(k - 1) * n], -10 * step, 1e-11);
  }
  assert_true(start > 0);
  free(q);
  qdot_positions_close(p);
  qdot_context_close(cx);
}

// Fine and coarse steps, in lanes or one after the other: the closed form, and the same bits.
static void walks_do_not_depend_on_lanes(void **state) {
  (void)state;
  static const double parts[] = {3600, 360, 97, 24, 9.3};
  static const char *const lanes[] = {"8", "4", "1"};
  enum { STEPS = 501 };
  for (size_t s = 0; s < sizeof parts / sizeof *parts; s++) {
    double *first = NULL, step = 2 * acos(-1) / 10 / parts[s];
    for (int l = 0; l < 3; l++) {
      setenv("QDOT_LANES", lanes[l], 1);
      qdot_context *cx = qdot_context_open(NULL);
      qdot_positions *p;
      assert_int_equal(qdot_positions_open(parse(cx, four_bar, NULL), NULL, &p), QDOT_OK);
      size_t n = qdot_positions_coordinate_count(p), size = STEPS * n * sizeof(double);
      double *q = malloc(size);
      assert_non_null(q);
      assert_int_equal(qdot_positions_walk(p, step, STEPS, q), QDOT_OK);
      for (size_t k = 0; k < STEPS; k++)
        CHECK_NEAR(remainder(q[k * n + 1] - rocker_angle(q[k * n]), 2 * acos(-1)), 0, 1e-12);
      if (!first) first = q;
      assert_memory_equal(q, first, size);
      if (q != first) free(q);
      qdot_positions_close(p);
      qdot_context_close(cx);
    }
    free(first);
  }
  unsetenv("QDOT_LANES");
}

// ---- The press of the document, by Newton and Euler

static const double r = 0.06, l = 0.24, m_rod = 2, m_ram = 20, w = 3 * 3.14159265358979323846,
                    g = 9.81, press = 5000;

static const char press_text[] =
    "param r = 60 [mm], l = 240 [mm], m = 20 [kg], F = 5 [kN], w = 90 [rpm]\n"
    "gravity (0, -9.81 [m/s^2])\n"
    "body crank: mass 4 [kg], inertia 0.02 [kg*m^2], angle = 90 [deg]\n"
    "body rod: rod l, mass 2 [kg], angle -90 [deg]\n"
    "body ram: plate (100 [mm], 80 [mm]), mass m, at (0, -180 [mm])\n"
    "joint shaft: revolute ground (0, 0), crank (0, 0)\n"
    "joint pin: revolute crank (r, 0), rod (-l/2, 0)\n"
    "joint wrist: revolute rod (l/2, 0), ram (0, 0)\n"
    "joint guide: prismatic ground (0, -240 [mm]), ram (0, 0), axis 90 [deg]\nmotor shaft: speed "
    "w\n"
    "force ram (0, 0) = (0, if(ram.y < -(l + r) + 10 [mm], F, 0))\noutput y = ram.y\n";

typedef struct Press {
  double y, T, pin[2], wrist[2], shaft[2];
} Press;

// What crank angle phi at constant speed takes, each part cut free.
static Press press_at(double phi) {
  double c = cos(phi), s = sin(phi);
  // the rod from the pin (r c, r s) down to the ram (0, y); k is its length along y
  double k = sqrt(l * l - r * r * c * c);
  double k1 = r * r * c * s * w / k;
  double k2 = r * r * (c * c - s * s) * w * w / k - k1 * k1 / k;
  Press p = {.y = r * s - k};
  double a_ram = -r * s * w * w - k2;
  double a_pin[2] = {-r * c * w * w, -r * s * w * w};
  double a_rod[2] = {a_pin[0] / 2, (a_pin[1] + a_ram) / 2};
  // it is (x, z) = (-r c, -k): alpha = (x z'' - z x'')/l^2
  double x = -r * c, x2 = r * c * w * w, z = -k, z2 = -k2;
  double alpha = (x * z2 - z * x2) / (l * l);
  double force = p.y < -(l + r) + 0.01 ? press : 0;
  // ram: wrist force of the rod on it; the guide takes the rest across
  p.wrist[1] = m_ram * a_ram + m_ram * g - force;
  // rod about its pin: J alpha + lever of its inertia = torque of weight and of -wrist
  double J = m_rod * l * l / 12, arm[2] = {x, z}; // pin to ram
  double inertia = J * alpha + m_rod / 2 * (arm[0] * (a_rod[1] + g) - arm[1] * a_rod[0]);
  // arm x (-wrist) = inertia: -(arm_x W_y - arm_y W_x)
  p.wrist[0] = (inertia + arm[0] * p.wrist[1]) / arm[1];
  p.pin[0] = m_rod * a_rod[0] + p.wrist[0];
  p.pin[1] = m_rod * (a_rod[1] + g) + p.wrist[1];
  p.T = r * c * p.pin[1] - r * s * p.pin[0];
  p.shaft[0] = p.pin[0], p.shaft[1] = p.pin[1] + 4 * g;
  return p;
}

static void a_press_as_newton_and_euler_have_it(void **state) {
  (void)state;
  for (int f = 0; f < 4; f++) {
    qdot_context *cx = qdot_context_open(NULL);
    qdot_model *model = parse(cx, press_text, formulations[f]);
    qdot_positions *p;
    qdot_positions_options options = qdot_positions_defaults();
    options.steps = 720;
    assert_int_equal(qdot_positions_open(model, &options, &p), QDOT_OK);
    double rms = 0;
    for (size_t k = 0; k <= 720; k++) {
      Press by_hand = press_at(acos(-1) / 2 + 2 * acos(-1) * (double)k / 720);
      double size = 5000, all = 1e-9 * size;
      CHECK_NEAR(at(p, k, "y"), by_hand.y, 1e-12);
      CHECK_NEAR(at(p, k, "shaft.T"), by_hand.T, 1e-9 * 300);
      CHECK_NEAR(at(p, k, "shaft.power"), by_hand.T * w, 1e-9 * 3000);
      CHECK_NEAR(at(p, k, "pin.F_x"), by_hand.pin[0], all);
      CHECK_NEAR(at(p, k, "pin.F_y"), by_hand.pin[1], all);
      CHECK_NEAR(at(p, k, "wrist.F_x"), by_hand.wrist[0], all);
      CHECK_NEAR(at(p, k, "wrist.F_y"), by_hand.wrist[1], all);
      CHECK_NEAR(at(p, k, "shaft.F_x"), by_hand.shaft[0], all);
      CHECK_NEAR(at(p, k, "shaft.F_y"), by_hand.shaft[1], all);
    }
    // over the turn, in steps so fine that the jumps of the press force do not matter
    enum { FINE = 400000 };
    for (int k = 0; k < FINE && f == 0; k++) {
      double T = press_at(2 * acos(-1) * (k + 0.5) / FINE).T;
      rms += T * T / FINE;
    }
    if (f == 0) CHECK_NEAR(qdot_positions_extent_at(p, column(p, "shaft.T"))->rms, sqrt(rms), 1e-3);
    qdot_positions_close(p);
    qdot_context_close(cx);
  }
}

// ---- Refusals

static void refuse(const char *text, qdot_status expected) {
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = parse(cx, text, NULL);
  qdot_positions *p;
  assert_int_equal(qdot_positions_open(model, NULL, &p), expected);
  assert_null(p);
  qdot_context_close(cx);
}

static void what_is_not_driven_is_refused(void **state) {
  (void)state;
  static const char arm[] = "body arm: rod 1 [m], angle = 0\n"
                            "joint A: revolute ground (0, 0), arm (-0.5 [m], 0)\n";
  char text[1000];
  refuse(arm, QDOT_BAD_MODEL);
  snprintf(text, sizeof text, "%smotor A: speed 1 [rad/s]*sin(t/(1 [s]))\n", arm);
  refuse(text, QDOT_UNSUPPORTED);
  snprintf(text, sizeof text, "%sconstraint drive: arm.theta = t/(1 [s])\n", arm);
  refuse(text, QDOT_BAD_MODEL); // for how long?
  // a rod of 1 m cannot reach 1.5 m: the crank stops on its way
  refuse("body crank: rod 1 [m], angle = 90 [deg]\nbody rod: rod 1 [m], angle -45 [deg]\n"
         "joint A: revolute ground (0, 0), crank (-0.5 [m], 0)\n"
         "joint B: revolute crank (0.5 [m], 0), rod (-0.5 [m], 0)\n"
         "joint C: slot ground (1.2 [m], 0), rod (0.5 [m], 0), axis 90 [deg]\n"
         "constraint down: rod.y + sin(rod.theta)*(0.5 [m]) = 0\n"
         "motor A: speed 1 [rad/s]\n",
         QDOT_INCONSISTENT);
}

// Means are those of the turn, however many rows there are.
static void means_do_not_depend_on_the_rows(void **state) {
  (void)state;
  static const char *const names[] = {"psi", "w", "A.T", "B.F_x"};
  static const uint32_t steps[] = {24, 720};
  double mean[2][4], rms[2][4];
  for (int k = 0; k < 2; k++) {
    qdot_context *cx = qdot_context_open(NULL);
    qdot_model *model = parse(cx, four_bar, NULL);
    qdot_positions_options options = qdot_positions_defaults();
    options.steps = steps[k];
    qdot_positions *p;
    assert_int_equal(qdot_positions_open(model, &options, &p), QDOT_OK);
    for (int i = 0; i < 4; i++) {
      qdot_extent e = *qdot_positions_extent_at(p, column(p, names[i]));
      mean[k][i] = e.mean, rms[k][i] = e.rms;
    }
    qdot_context_close(cx);
  }
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(mean[0][i], mean[1][i], 1e-6 * rms[1][i]);
    CHECK_NEAR(rms[0][i], rms[1][i], 1e-6 * rms[1][i]);
  }
}

// Nothing pushes a mechanism without masses and loads: its forces are 0, not rounding.
static void without_loads_there_are_no_forces(void **state) {
  (void)state;
  char text[sizeof four_bar];
  strcpy(text, four_bar);
  memset(strstr(text, "torque"), '#', 1);
  for (int f = 0; f < 4; f++) {
    qdot_context *cx = qdot_context_open(NULL);
    qdot_positions *p;
    assert_int_equal(qdot_positions_open(parse(cx, text, formulations[f]), NULL, &p), QDOT_OK);
    for (size_t k = 0; k <= 360; k += 40) {
      assert_true(at(p, k, "A.T") == 0 && at(p, k, "B.F_x") == 0 && at(p, k, "D.F_y") == 0);
      assert_true(at(p, k, "w") != 0);
    }
    qdot_context_close(cx);
  }
}

// ---- Friction against the motion that the drive gives

// A ram under a constant load: S (cos b - mu |sin b| sgn v) = F along the rod, T = -S r sin(a + b).
static void friction_opposes_the_drive(void **state) {
  (void)state;
  static const char text[] = "param r = 60 [mm], l = 240 [mm], F = 500 [N], mu = 0.15\n"
                             "body crank: rod r, angle = 0\nbody rod: rod l, angle ~ 0\n"
                             "body ram: point\njoint A: revolute ground (0, 0), crank (-r/2, 0)\n"
                             "joint B: revolute crank (r/2, 0), rod (-l/2, 0)\n"
                             "joint C: revolute rod (l/2, 0), ram (0, 0)\n"
                             "joint D: prismatic ground (0, 0), ram (0, 0), friction mu\n"
                             "motor A: speed 10 [rad/s]\nforce ram (0, 0) = (-F, 0)\n"
                             "output N = D.N, R = D.R\n";
  for (int f = 0; f < 4; f++) {
    qdot_context *cx = qdot_context_open(NULL);
    qdot_model *model = parse(cx, text, formulations[f]);
    qdot_positions *p;
    assert_int_equal(qdot_positions_open(model, NULL, &p), QDOT_OK);
    for (size_t k = 5; k < 360; k += 10) {
      double a = 2 * acos(-1) * (double)k / 360, b = asin(0.25 * sin(a)), way = k < 180 ? -1 : 1;
      double S = 500 / (cos(b) - 0.15 * fabs(sin(b)) * way);
      CHECK_NEAR(at(p, k, "A.T"), -S * 0.06 * sin(a + b), 1e-9);
      CHECK_NEAR(at(p, k, "N"), S * fabs(sin(b)), 1e-9);
      CHECK_NEAR(at(p, k, "R"), -0.15 * S * fabs(sin(b)) * way, 1e-9);
    }
    qdot_positions_close(p);
    qdot_context_close(cx);
  }
}

RUN_TESTS(cmocka_unit_test(friction_opposes_the_drive),
          cmocka_unit_test(means_do_not_depend_on_the_rows),
          cmocka_unit_test(without_loads_there_are_no_forces),
          cmocka_unit_test(a_four_bar_needs_no_masses),
          cmocka_unit_test(walking_gives_the_same_positions),
          cmocka_unit_test(walks_do_not_depend_on_lanes),
          cmocka_unit_test(a_press_as_newton_and_euler_have_it),
          cmocka_unit_test(what_is_not_driven_is_refused))
