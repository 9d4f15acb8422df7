// The N-link pendulum as bodies and pins: nice and chaotic starts, springs, friction and torques at
// the hinges, a heavy end, and the closed loop through its dead positions.
#include <math.h>
#include <stdio.h>

#include "support/motion.h"

// Angles from the direction of gravity, which is x.
#define HEAD                                                                                       \
  "param g = 9.81 [m/s^2], L = 1 [m], m = 1 [kg], k = 1 [N*m], c = 1 [N*m*s], T = 1 [N*m]\n"       \
  "count N = 3, zigzag = 0\ngravity (g, 0)\n"                                                      \
  "for i in 1..N\n"                                                                                \
  "  body link[i]: rod L, mass m, angle = if(zigzag == 1, pi/2 + pi/4*(1 + cos(pi*i)), pi/4)\n"    \
  "end\n"
#define PINS                                                                                       \
  "joint A[1]: revolute ground (0, 0), link[1] (-L/2, 0)\n"                                        \
  "for i in 2..N\n"                                                                                \
  "  joint A[i]: revolute link[i-1] (L/2, 0), link[i] (-L/2, 0)\n"                                 \
  "end\n"
#define PINS_WITH_FRICTION                                                                         \
  "joint A[1]: revolute ground (0, 0), link[1] (-L/2, 0), friction c\n"                            \
  "spring s[1]: torsional ground, link[1], stiffness k\n"                                          \
  "for i in 2..N\n"                                                                                \
  "  joint A[i]: revolute link[i-1] (L/2, 0), link[i] (-L/2, 0), friction c\n"                     \
  "  spring s[i]: torsional link[i-1], link[i], stiffness k\n"                                     \
  "end\n"
#define TORQUES "for i in 1..N\n  motor A[i]: torque T\nend\n"
#define TAIL "simulate to 5 [s] every 100 [ms]\n"

static Motion run(Context *cx, const char *text, const char *const *set, Formulation f,
                  double t_end, double rtol) {
  Motion m = motion_load_as(cx, text, set, f);
  m.options.t_end = t_end;
  m.options.method.rtol = m.options.method.atol = rtol;
  motion_run(&m);
  if (m.status != QDOT_OK) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.stopped, STOPPED_NOT);
  return m;
}

// The place of the last link, which every formulation knows.
static const char *const end_point = "output x = link[N].x, y = link[N].y\n";

static const char *text_of(Context *cx, const char *body) {
  return text_format(&cx->keep, "%s%s", body, end_point);
}

static void end_of_chain(const double *theta, int n, double *x, double *y) {
  *x = *y = 0;
  for (int i = 0; i < n; i++) {
    double arm = i + 1 < n ? 1 : 0.5;
    *x += arm * cos(theta[i]), *y += arm * sin(theta[i]);
  }
}

// Solutions in quadruple precision, by minimal and by maximal coordinates.
TEST(nice_and_chaotic_starts_in_all_formulations) {
  static const struct {
    const char *set[3];
    double t, theta[3], tolerance;
  } cases[] = {
      {{"N=3", NULL}, 5, {-0.2341035573303745, -0.3015990258733591, -0.7247838262984726}, 1e-7},
      {{"N=2", NULL}, 5, {0.6712420620706566, 0.7982455427367951, 0}, 1e-7},
      {{"zigzag=1", NULL}, 2, {-0.6904646448819804, -0.7652466752475243, -15.67651760692711}, 1e-6},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int n = i == 1 ? 2 : 3;
    double x, y;
    end_of_chain(cases[i].theta, n, &x, &y);
    for (int f = 0; f < FORMULATIONS; f++) {
      Motion m =
          run(cx, text_of(cx, HEAD PINS TAIL), cases[i].set, (Formulation)f, cases[i].t, 1e-12);
      CHECK_NEAR(motion_at(&m, cases[i].t, "x"), x, cases[i].tolerance);
      CHECK_NEAR(motion_at(&m, cases[i].t, "y"), y, cases[i].tolerance);
      assert_true(m.summary.energy_drift < 1e-9);
    }
  }
}

// The energy only falls, and all of it is accounted for.
TEST(springs_and_friction_bring_it_to_rest) {
  static const char *const set[] = {"zigzag=1", NULL};
  double x[FORMULATIONS];
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run(cx, text_of(cx, HEAD PINS_WITH_FRICTION TAIL), set, (Formulation)f, 40, 1e-9);
    double before = motion_at(&m, 0, "E_tot");
    for (double t = 0.5; t < 40; t += 0.5) {
      double now = motion_at(&m, t, "E_tot");
      assert_true(now <= before + 1e-7);
      before = now;
    }
    assert_true(motion_at(&m, 40, "E_kin") < 0.1 * motion_at(&m, 0.5, "E_kin"));
    assert_true(m.summary.energy_drift < 1e-6);
    x[f] = motion_at(&m, 40, "x");
    CHECK_NEAR(x[f], x[0], 1e-5);
  }
}

TEST(eight_links_with_everything) {
  static const char *const set[] = {"N=8", "zigzag=1", NULL};
  double x = 0;
  for (int f = 0; f <= FORMULATION_MAXIMAL; f++) {
    Motion m =
        run(cx, text_of(cx, HEAD PINS_WITH_FRICTION TORQUES TAIL), set, (Formulation)f, 20, 1e-9);
    assert_true(m.summary.energy_drift < 1e-6);
    assert_true(m.summary.work_forces != 0 && m.summary.work_dissipation < 0);
    if (f == 0) x = motion_at(&m, 20, "x");
    CHECK_NEAR(motion_at(&m, 20, "x"), x, 1e-4);
  }
}

TEST(fifteen_chaotic_links_keep_their_energy) {
  static const char *const set[] = {"N=15", "zigzag=1", NULL};
  static const Formulation some[] = {FORMULATION_LAGRANGE, FORMULATION_MAXIMAL,
                                     FORMULATION_NATURAL};
  for (int i = 0; i < 3; i++) {
    Motion m = run(cx, text_of(cx, HEAD PINS TAIL), set, some[i], i == 0 ? 20 : 5, 1e-9);
    assert_true(m.summary.energy_drift < 1e-6);
  }
}

// Links without mass whose I/l are equal swing as one: th'' = -g/(alpha + sum of l) sin th.
TEST(massless_links_with_a_heavy_end_are_one_pendulum) {
  static const char text[] =
      "param g = 9.81 [m/s^2], l_1 = 0.5 [m], l_2 = 0.75 [m], l_3 = 1 [m], m = 3 [kg]\n"
      "param r = 0.2 [kg*m]\ngravity (g, 0)\n"
      "body a: mass 0 [kg], inertia r*l_1, angle = 60 [deg]\n"
      "body b: mass 0 [kg], inertia r*l_2, angle = 60 [deg]\n"
      "body c: mass m, inertia r*l_3, angle = 60 [deg]\n"
      "joint A: revolute ground (0, 0), a (-l_1/2, 0)\n"
      "joint B: revolute a (l_1/2, 0), b (-l_2/2, 0)\n"
      "joint C: revolute b (l_2/2, 0), c (-l_3, 0)\n"
      "output x = c.x, y = c.y\nsimulate to 3 [s] every 100 [ms]\n";
  double theta = 0.9086838705478753, length = 2.25;
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run(cx, text, NULL, (Formulation)f, 3, 1e-11);
    CHECK_NEAR(motion_at(&m, 3, "x"), length * cos(theta), 1e-7);
    CHECK_NEAR(motion_at(&m, 3, "y"), length * sin(theta), 1e-7);
  }
}

// Five links, the last a hundred times heavier: nearly so.
TEST(a_heavy_last_link_swings_as_one_pendulum) {
  static const char text[] =
      HEAD "joint A[1]: revolute ground (0, 0), link[1] (-L/2, 0)\n"
           "for i in 2..N\n  joint A[i]: revolute link[i-1] (L/2, 0), link[i] (-L/2, 0)\nend\n"
           "body weight: mass 100*m, inertia m*L^2/12, angle = pi/4\n"
           "joint B: revolute link[N] (L/2, 0), weight (-L, 0)\n"
           "output first = link[1].theta, last = weight.theta\n" TAIL;
  static const char *const set[] = {"N=4", NULL};
  Motion m = run(cx, text, set, FORMULATION_LAGRANGE, 5, 1e-10);
  // the one pendulum, by small steps
  double theta = M_PI / 4, rate = 0, h = 1e-4, alpha = 1.0 / 12 / 100;
  for (int i = 0; i < 50000; i++) {
    rate -= h * 9.81 / (alpha + 5) * sin(theta);
    theta += h * rate;
    if ((i + 1) % 10000) continue;
    double t = (i + 1) * h;
    CHECK_NEAR(motion_at(&m, t, "last"), theta, 0.05);
    CHECK_NEAR(motion_at(&m, t, "first"), motion_at(&m, t, "last"), 0.1);
  }
}

// ---- The loop that could not be closed

// All but two angles are kept, so that every formulation starts alike: half a regular polygon
// unless d is said otherwise.
#define LOOP                                                                                       \
  "count N = 3\nparam g = 9.81 [m/s^2], L = 1 [m], m = 1 [kg], d = L/sin(pi/(2*N)), e = 0\n"       \
  "gravity (g, 0)\n"                                                                               \
  "for i in 1..N-2\n  body link[i]: rod L, mass m*i, angle = pi*(i - 1/2)/N + e\nend\n"            \
  "for i in N-1..N\n  body link[i]: rod L, mass m*i, angle pi*(i - 1/2)/N + e\nend\n" PINS         \
  "joint B: revolute link[N] (L/2, 0), ground (0, d)\n"                                            \
  "output x = link[1].x, y = link[1].y\n" TAIL

// A parallelogram through its dead positions, and longer loops.
TEST(loops_move_through_dead_positions) {
  static const char *const loops[][3] = {{"d=1", "e=0.1", NULL}, {"N=4", NULL}, {"N=6", NULL}};
  for (int i = 0; i < 3; i++) {
    double x = 0, y = 0;
    for (int f = 0; f < FORMULATIONS; f++) {
      Motion m = run(cx, LOOP, loops[i], (Formulation)f, i ? 2 : 5, 1e-11);
      assert_true(m.summary.energy_drift < 1e-7);
      assert_true(m.summary.position.value < 1e-9);
      double t = m.summary.t_end;
      if (f == 0) x = motion_at(&m, t, "x"), y = motion_at(&m, t, "y");
      CHECK_NEAR(motion_at(&m, t, "x"), x, 1e-5);
      CHECK_NEAR(motion_at(&m, t, "y"), y, 1e-5);
    }
  }
  // ten seconds of a loop of eight links
  static const char *const eight[] = {"N=8", NULL};
  Motion m = run(cx, LOOP, eight, FORMULATION_LAGRANGE, 10, 1e-9);
  assert_true(m.summary.energy_drift < 1e-6);
}

RUN_TESTS(cmocka_unit_test(nice_and_chaotic_starts_in_all_formulations),
          cmocka_unit_test(springs_and_friction_bring_it_to_rest),
          cmocka_unit_test(eight_links_with_everything),
          cmocka_unit_test(fifteen_chaotic_links_keep_their_energy),
          cmocka_unit_test(massless_links_with_a_heavy_end_are_one_pendulum),
          cmocka_unit_test(a_heavy_last_link_swings_as_one_pendulum),
          cmocka_unit_test(loops_move_through_dead_positions))
