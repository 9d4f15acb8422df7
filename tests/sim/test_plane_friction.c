// Dry friction in the plane: closed forms, and a time stepping of its own kind.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "support/motion.h"

static const double G = 9.81;

// A puck stops after v/(mu g) on a straight line, and stays: by every method, however its friction
// is written.
TEST(puck) {
  static const char *const frictions[] = {
      "force x = -mu*m*g*x'/sqrt(x'^2 + y'^2)\nforce y = -mu*m*g*y'/sqrt(x'^2 + y'^2)\n",
      "let v = (x', y')\nlet F = -mu*m*g*v/norm(v)\nforce x = F.x\nforce y = F.y\n",
      "let c = mu*m*g/norm((x', y'))\nforce x = -c*x'\nforce y = -c*y'\n",
      "let v = norm((x', y'))\nforce x = -mu*m*g*x'/v\nforce y = -mu*m*g*y'/v\n",
      "dissipation = mu*m*g*norm((x', y'))\n"};
  static const char *const methods[] = {
      "rk853", "rk45", "rk4(step = 0.01)",   "bdf",
      "dae",   "auto", "alpha(step = 0.01)", "newmark(step = 0.01)"};
  for (size_t i = 0; i < 5; i++)
    for (size_t k = 0; k < 8; k++) {
      Motion m =
          motion_to_end(cx, text_format(&cx->keep,
                                        "param m = 2, mu = 0.3, g = 9.81\ncoord x = 0, y = 0\n"
                                        "coord x' = 3, y' = 4\nkinetic = 1/2*m*(x'^2 + y'^2)\n%s"
                                        "simulate to 3 every 0.01 using %s\n",
                                        frictions[i], methods[k]));
      double way = 25 / (2 * 0.3 * G);
      CHECK_NEAR(motion_at(&m, 3, "x"), 0.6 * way, 2e-6);
      CHECK_NEAR(motion_at(&m, 3, "y"), 0.8 * way, 2e-6);
      assert_true(motion_at(&m, 3, "x") == motion_at(&m, 2, "x"));
      assert_true(motion_at(&m, 3, "x'") == 0 && motion_at(&m, 3, "y'") == 0);
      assert_int_equal(m.summary.events.n, 1);
      CHECK_NEAR(motion_event(&m, 0, SIM_STICK)->t, 5 / (0.3 * G), 1e-5);
    }
}

// Held by a spring within the disc it stays where it is; a load that grows moves it when it is more
// than friction, in its own direction.
TEST(held_and_pulled) {
  Motion m =
      motion_to_end(cx, "param m = 1.5, mu = 0.4, g = 9.81, k = 20\ncoord x = 0.1, y = -0.2\n"
                        "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = 1/2*k*(x^2 + y^2)\n"
                        "dissipation = mu*m*g*norm((x', y'))\n"
                        "output F = -mu*m*g*x'/norm((x', y'))\nsimulate to 2 every 0.1\n");
  assert_true(motion_at(&m, 2, "x") == 0.1 && motion_at(&m, 2, "y") == -0.2);
  CHECK_NEAR(motion_at(&m, 1, "F"), 2, 1e-12);
  assert_int_equal(m.summary.events.n, 0);
  m = motion_to_end(cx, "param m = 1.5, mu = 0.3, g = 9.81, c = 2\ncoord x = 0.25, y = 0\n"
                        "kinetic = 1/2*m*(x'^2 + y'^2)\ndissipation = mu*m*g*norm((x', y'))\n"
                        "force x = 0.6*c*t\nforce y = -0.8*c*t\nsimulate to 4 every 0.1\n");
  double begin = 0.3 * 1.5 * G / 2;
  assert_true(motion_at(&m, 2.2, "x") == 0.25);
  CHECK_NEAR(motion_event(&m, 0, SIM_SLIP)->t, begin, 1e-9);
  for (double t = 2.3; t < 4.05; t += 0.1) {
    double way = 2 * pow(t - begin, 3) / 6 / 1.5;
    CHECK_NEAR(motion_at(&m, t, "x"), 0.25 + 0.6 * way, 1e-7);
    CHECK_NEAR(motion_at(&m, t, "y"), -0.8 * way, 1e-7);
  }
}

// A block on an incline, pushed along a level line: it slides along the resultant, stops with the
// push and holds, and starts again where the push grows.
TEST(incline) {
  Motion m = motion_to_end(cx, "param m = 2, mu = 0.5, g = 9.81, a = 0.3, P = 12, c = 3\n"
                               "coord s = 0, y = 0\nlet N = m*g*cos(a)\n"
                               "kinetic = 1/2*m*(s'^2 + y'^2)\npotential = -m*g*sin(a)*s\n"
                               "force y = if(t < 1, P, if(t < 3, 0, c*(t - 3)))\n"
                               "dissipation = mu*N*norm((s', y'))\n"
                               "output F = -mu*N*s'/norm((s', y')), H = -mu*N*y'/norm((s', y'))\n"
                               "simulate to 6 every 0.01\n");
  double N = 2 * G * cos(0.3), W = 2 * G * sin(0.3), R = hypot(W, 12), way = (R - 0.5 * N) / 2 / 2;
  CHECK_NEAR(motion_at(&m, 1, "s"), way * W / R, 1e-6);
  CHECK_NEAR(motion_at(&m, 1, "y"), way * 12 / R, 1e-6);
  assert_int_equal(m.summary.events.n, 2);
  assert_true(motion_event(&m, 0, SIM_STICK)->t < 3);
  CHECK_NEAR(motion_at(&m, 2.9, "F"), -W, 1e-9);
  CHECK_NEAR(motion_at(&m, 3.5, "H"), -1.5, 1e-9);
  CHECK_NEAR(motion_event(&m, 1, SIM_SLIP)->t, 3 + sqrt(0.25 * N * N - W * W) / 3, 1e-9);
  CHECK_NEAR(motion_at(&m, 4, "s'"), 0, 1e-12);
  assert_true(motion_at(&m, 6, "y'") > 0.01 && motion_at(&m, 6, "s'") > 0.01);
}

// A puck put down on a belt is carried along, at first by friction in the direction of the belt
// less its own velocity; its friction does no work any more when it rests on the belt.
TEST(belt) {
  Motion m = motion_to_end(
      cx, "param m = 1, mu = 0.2, g = 9.81, b = 2\ncoord x = 0, y = 0\ncoord y' = 1.5\n"
          "kinetic = 1/2*m*(x'^2 + y'^2)\nlet u = (x' - b, y')\n"
          "force x = -mu*m*g*u.x/norm(u)\nforce y = -mu*m*g*u.y/norm(u)\n"
          "simulate to 3 every 0.01\n");
  double T = 2.5 / (0.2 * G);
  CHECK_NEAR(motion_event(&m, 0, SIM_STICK)->t, T, 1e-6);
  CHECK_NEAR(motion_at(&m, 3, "x"), T + 2 * (3 - T), 1e-6);
  CHECK_NEAR(motion_at(&m, 3, "y"), 0.75 * T, 1e-6);
  CHECK_NEAR(motion_at(&m, 3, "x'"), 2, 1e-12);
}

// A coin on a disc that turns ever faster goes round with it until its acceleration is mu g.
TEST(coin) {
  Motion m =
      motion_to_end(cx, "param m = 0.01, mu = 0.4, g = 9.81, a = 1.5, r = 0.2\n"
                        "coord x = r, y = 0\ncoord x' = 0, y' = 0\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
                        "let w = a*t\nlet u = (x' + w*y, y' - w*x)\n"
                        "force x = -mu*m*g*u.x/norm(u)\nforce y = -mu*m*g*u.y/norm(u)\n"
                        "simulate to 4 every 0.01\n");
  double most = 0.4 * G, along = 1.5 * 0.2, w = pow((most * most - along * along) / 0.04, 0.25);
  CHECK_NEAR(motion_event(&m, 0, SIM_SLIP)->t, w / 1.5, 1e-7);
  CHECK_NEAR(motion_at(&m, 2, "x"), 0.2 * cos(0.75 * 4), 1e-6);
  CHECK_NEAR(motion_at(&m, 2, "y"), 0.2 * sin(0.75 * 4), 1e-6);
  assert_true(hypot(motion_at(&m, 4, "x"), motion_at(&m, 4, "y")) > 0.21);
}

// In a groove a plane's friction is that of a line, whatever the groove's direction.
TEST(groove) {
  Random r = random_start("groove");
  for (int i = 0; i < test_rounds(10); i++) {
    double a = random_real(&r, -1.4, 1.4), v = random_real(&r, 0.5, 3), P = random_real(&r, -2, 2);
    Motion m =
        motion_to_end(cx, text_format(&cx->keep,
                                      "param m = 1, mu = 0.3, g = 9.81, a = %.17g, v = %.17g\n"
                                      "coord x = 0, y = 0\ncoord x' = v*cos(a), y' = v*sin(a)\n"
                                      "kinetic = 1/2*m*(x'^2 + y'^2)\n"
                                      "dissipation = mu*m*g*norm((x', y'))\n"
                                      "constraint groove: y*cos(a) = x*sin(a)\nforce x = %.17g\n"
                                      "output F = mu*m*g*x'/norm((x', y'))*cos(a)"
                                      " + mu*m*g*y'/norm((x', y'))*sin(a)\n"
                                      "simulate to 5 every 0.01\n",
                                      a, v, P));
    double slowing = 0.3 * G - P * cos(a), way = v * v / 2 / slowing;
    CHECK_NEAR(motion_at(&m, 5, "x"), way * cos(a), 1e-6);
    CHECK_NEAR(motion_at(&m, 5, "F"), P * cos(a), 1e-6);
  }
}

// A rod on two pads that slides and turns comes to rest, held by more friction than it takes, in
// every formulation and by every method.
TEST(rod_on_pads) {
  const char *text = "param mu = 0.3, N = 4 [N], l = 0.3 [m]\n"
                     "body b: rod 1 [m], mass 2 [kg], at (0 [m], 0 [m]), angle 0.3 [rad],"
                     " velocity (1 [m/s], 0.5 [m/s]), spin 2 [rad/s]\n"
                     "let u = (b.x' - l*sin(b.theta)*b.theta', b.y' + l*cos(b.theta)*b.theta')\n"
                     "let w = (b.x' + l*sin(b.theta)*b.theta', b.y' - l*cos(b.theta)*b.theta')\n"
                     "force b (l, 0) = -mu*N*u/norm(u)\nforce b (-l, 0) = -mu*N*w/norm(w)\n"
                     "simulate to 2 [s] every 10 [ms]\n";
  const Formulation formulations[] = {FORMULATION_LAGRANGE, FORMULATION_NEWTON_EULER,
                                      FORMULATION_MAXIMAL, FORMULATION_NATURAL};
  const MethodId methods[] = {METHOD_RK853, METHOD_RK45, METHOD_BDF, METHOD_DAE};
  double at_rest[3] = {0};
  for (int i = 0; i < 16; i++) {
    Motion m = motion_load_as(cx, text, NULL, formulations[i % 4]);
    m.options.method.method = methods[i / 4];
    motion_run(&m);
    if (m.status != QDOT_OK || m.summary.stopped != STOPPED_NOT) motion_explain(&m);
    assert_int_equal(m.status, QDOT_OK);
    assert_int_equal(m.summary.stopped, STOPPED_NOT);
    static const char *const columns[] = {"b.x", "b.y", "b.theta"};
    for (int k = 0; k < 3; k++) {
      double place = motion_at(&m, 2, columns[k]);
      if (i == 0) at_rest[k] = place;
      CHECK_NEAR(place, at_rest[k], i < 4 ? 1e-6 : 2e-5);
    }
    assert_int_equal(m.summary.events.n, 2);
    motion_event(&m, 0, SIM_STICK), motion_event(&m, 1, SIM_STICK);
  }
}

// With friction along a line, a wall and a blow: a puck on a cart that sticks to the ground; a ball
// strikes the cart; the cart takes the puck along until it strikes a wall.
TEST(together_with_others) {
  Motion m =
      motion_to_end(cx, "param m = 1, M = 3, g = 9.81, mu = 0.5, nu = 0.1\n"
                        "coord x = 0, y = 0, c = 0, b = -1\ncoord b' = 2, x' = 0\n"
                        "kinetic = 1/2*m*(x'^2 + y'^2) + 1/2*M*c'^2 + 1/2*M*b'^2\n"
                        "dissipation = mu*m*g*norm((x' - c', y')) + nu*(m + M)*g*abs(c')\n"
                        "contact ball: b <= c restitution 1\ncontact wall: c <= 0.3 restitution 0\n"
                        "simulate to 3 every 0.001\n");
  CHECK_NEAR(motion_at(&m, 0.49, "c"), 0, 1e-15);
  CHECK_NEAR(motion_at(&m, 0.49, "x"), 0, 1e-15);
  // behind the blow the cart has 2 m/s, the puck follows with mu g
  double slow = (0.1 * 4 + 0.5) / 3 * G, t = 0.05;
  CHECK_NEAR(motion_at(&m, 0.55, "x"), 0.5 * 0.5 * G * t * t, 1e-6);
  CHECK_NEAR(motion_at(&m, 0.55, "c"), 2 * t - slow * t * t / 2, 1e-6);
  // at the wall the cart stops at once, and the puck slides to rest
  CHECK_NEAR(motion_at(&m, 3, "c"), 0.3, 1e-9);
  double hit = (2 - sqrt(4 - 2 * slow * 0.3)) / slow, v = 0.5 * G * hit;
  CHECK_NEAR(motion_at(&m, 3, "x"), 0.25 * G * hit * hit + v * v / G, 1e-6);
  CHECK_NEAR(motion_at(&m, 3, "x'"), 0, 1e-15);
  // at the wall it is left without a load when the puck has stopped: nothing pulls
  assert_true(m.summary.pull < 1e-9);
}

// A method without evaluations that could be mixed says so when the puck stops.
TEST(variational_ends_at_rest) {
  Motion m = motion_of(cx, "param m = 1, g = 9.81\ncoord x = 0, y = 0\ncoord x' = 1, y' = 0.5\n"
                           "kinetic = 1/2*m*(x'^2 + y'^2)\n"
                           "force x = -0.2*m*g*x'/norm((x', y'))\n"
                           "force y = -0.2*m*g*y'/norm((x', y'))\n"
                           "simulate to 2 every 0.1 using variational(step = 0.01)\n");
  assert_int_equal(m.summary.stopped, STOPPED_LIMIT);
  CHECK_NEAR(m.summary.t_end, sqrt(1.25) / (0.2 * G), 0.02);
}

// ---- Pucks between springs against Moreau's time stepping: after each small step, friction takes
// away what speed it can, which needs no events.

enum { PUCKS = 3 };

typedef struct Pucks {
  double m[PUCKS], F[PUCKS], load[PUCKS][2], w[PUCKS][2], k, x[PUCKS][2], v[PUCKS][2];
} Pucks;

static void step_pucks(Pucks *p, double t, double h) {
  for (int i = 0; i < PUCKS; i++)
    for (int c = 0; c < 2; c++) {
      double left = i > 0 ? p->x[i - 1][c] : 0, right = i + 1 < PUCKS ? p->x[i + 1][c] : p->x[i][c];
      double force = p->k * (left + right - 2 * p->x[i][c]) + p->load[i][c] * sin(p->w[i][c] * t);
      p->v[i][c] += h * force / p->m[i];
    }
  for (int i = 0; i < PUCKS; i++) {
    double most = h * p->F[i] / p->m[i], v = hypot(p->v[i][0], p->v[i][1]);
    for (int c = 0; c < 2; c++) {
      p->v[i][c] *= v <= most ? 0 : 1 - most / v;
      p->x[i][c] += h * p->v[i][c];
    }
  }
}

TEST(pucks_between_springs) {
  Random random = random_start(__func__);
  int sticks = 0;
  for (int round = 0; round < test_rounds(8); round++) {
    Pucks p = {.k = random_real(&random, 20, 100)};
    Text text = text_new(&cx->keep);
    text_addf(&text, "param k = %.17g [N/m]\n", p.k);
    for (int i = 0; i < PUCKS; i++) {
      p.m[i] = random_real(&random, 0.5, 2);
      p.F[i] = random_real(&random, 1, 5);
      text_addf(
          &text,
          "coord x_%d = 0 [m], y_%d = 0 [m]\nkinetic k_%d = %.17g [kg]/2*(x_%d'^2 + y_%d'^2)\n", i,
          i, i, p.m[i], i, i);
      if (i == 0) text_add(&text, "potential p_0 = k/2*(x_0^2 + y_0^2)\n");
      if (i > 0)
        text_addf(&text, "potential p_%d = k/2*((x_%d - x_%d)^2 + (y_%d - y_%d)^2)\n", i, i, i - 1,
                  i, i - 1);
      text_addf(&text, "dissipation d_%d = %.17g [N]*norm((x_%d', y_%d'))\n", i, p.F[i], i, i);
      for (int c = 0; c < 2; c++) {
        p.load[i][c] = random_real(&random, 0, 10);
        p.w[i][c] = random_real(&random, 1, 6);
        text_addf(&text, "force %c_%d = %.17g [N]*sin(%.17g [rad/s]*t)\n", "xy"[c], i, p.load[i][c],
                  p.w[i][c]);
      }
    }
    text_add(&text, "simulate to 3 [s] every 50 [ms]\n");
    Motion m = motion_to_end(cx, text.at);
    for (uint32_t i = 0; i < m.summary.events.n; i++)
      sticks += m.summary.events.at[i].kind == SIM_STICK;
    double h = 2e-5;
    for (long k = 0; k < 150000; k++) {
      step_pucks(&p, (double)k * h, h);
      if ((k + 1) % 25000) continue;
      for (int i = 0; i < PUCKS; i++)
        for (int c = 0; c < 2; c++) {
          double x =
              motion_at(&m, (double)(k + 1) * h, text_format(&cx->keep, "%c_%d", "xy"[c], i));
          if (!(fabs(x - p.x[i][c]) < 3e-4)) print_message("%s\n", text.at);
          CHECK_NEAR(x, p.x[i][c], 3e-4);
        }
    }
  }
  assert_true(sticks > 3);
}

// Measures of friction that holds are those of its outputs, which balance the load.
TEST(measures_of_what_holds) {
  Random random = random_start(__func__);
  for (int round = 0; round < test_rounds(8); round++) {
    double F = random_real(&random, 1, 3.5), w = random_real(&random, 1, 3);
    const char *text =
        text_format(&cx->keep,
                    "param m = 1 [kg], R = 4 [N], F = %.17g [N], w = %.17g [rad/s]\n"
                    "coord x = 0 [m], y = 0 [m]\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
                    "force x = F*sin(w*t) - R*x'/norm((x', y'))\n"
                    "force y = F/3*sin(w*t) - R*y'/norm((x', y'))\n"
                    "measure last = final(-R*x'/norm((x', y')) - F/10)\n"
                    "measure most = max(R*y'/norm((x', y')))\nsimulate to 0.5 [s] every 20 [ms]\n",
                    F, w);
    Motion motion = motion_to_end(cx, text);
    CHECK_NEAR(motion.summary.measures[0], -F * sin(0.5 * w) - F / 10, 1e-9);
    CHECK_NEAR(motion.summary.measures[1], F / 3 * sin(0.5 * w), 1e-9);
  }
}

RUN_TESTS(cmocka_unit_test(puck), cmocka_unit_test(held_and_pulled), cmocka_unit_test(incline),
          cmocka_unit_test(belt), cmocka_unit_test(coin), cmocka_unit_test(groove),
          cmocka_unit_test(rod_on_pads), cmocka_unit_test(together_with_others),
          cmocka_unit_test(variational_ends_at_rest), cmocka_unit_test(pucks_between_springs),
          cmocka_unit_test(measures_of_what_holds))
