// Dry friction that holds: closed forms, and a time stepping of its own kind.
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "support/motion.h"

static const double G = 9.81;

static Motion run(Context *cx, const char *text) {
  Motion m = motion_of(cx, text);
  if (m.status != QDOT_OK || m.summary.stopped != STOPPED_NOT) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.stopped, STOPPED_NOT);
  return m;
}

// A block thrown down a slope comes to rest where the slope is flatter than the friction, and
// stays.
TEST(slope) {
  const char *text = "param m = 2, mu = 0.4, g = 9.81, a = 0.2\ncoord s = 0\ncoord s' = 1.5\n"
                     "kinetic = 1/2*m*s'^2\npotential = -m*g*s*sin(a)\n"
                     "force s = -mu*m*g*cos(a)*sign(s')\noutput F = -mu*m*g*cos(a)*sign(s')\n"
                     "simulate to 5 every 0.01 using %s\n";
  static const char *const methods[] = {
      "rk853", "rk45", "rk4(step = 0.01)",   "bdf",
      "dae",   "auto", "alpha(step = 0.01)", "newmark(step = 0.01)"};
  double slowing = G * (0.4 * cos(0.2) - sin(0.2)), way = 1.5 * 1.5 / 2 / slowing;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    Motion m = run(cx, text_format(&cx->keep, text, methods[i]));
    CHECK_NEAR(motion_at(&m, 5, "s"), way, 1e-7);
    CHECK_NEAR(motion_at(&m, 5, "s'"), 0, 1e-9);
    CHECK_NEAR(motion_at(&m, 5, "F"), -2 * G * sin(0.2), 1e-6);
  }
}

// A load that grows moves the block when it is more than the friction, not before.
TEST(growing_load) {
  Motion m = run(cx, "param m = 1.5, mu = 0.3, g = 9.81, c = 2\ncoord x = 0.25\n"
                     "kinetic = 1/2*m*x'^2\ndissipation = mu*m*g*abs(x')\nforce x = c*t\n"
                     "simulate to 4 every 0.1\n");
  double begin = 0.3 * 1.5 * G / 2;
  assert_true(motion_at(&m, 2.2, "x") == 0.25);
  for (double t = 2.3; t < 4.05; t += 0.1)
    CHECK_NEAR(motion_at(&m, t, "x"), 0.25 + 2 * pow(t - begin, 3) / 6 / 1.5, 1e-9);
}

// An oscillator under friction: every sweep loses 2 mu m g/k, until the spring cannot move it.
TEST(oscillator) {
  Motion m = run(cx, "param m = 1, k = 100, mu = 0.2, g = 9.81\ncoord x = 0.13\n"
                     "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
                     "force x = if(x' > 0, -mu*m*g, mu*m*g)\nsimulate to 3 every 0.01\n");
  double shift = 0.2 * G / 100, at = 0.13, t = 0;
  for (; fabs(at) > shift; t += M_PI / 10) at = at > 0 ? 2 * shift - at : -2 * shift - at;
  assert_true(t > 0.5 && t < 2);
  CHECK_NEAR(motion_at(&m, 3, "x"), at, 1e-8);
  CHECK_NEAR(motion_at(&m, t + 0.02, "x"), at, 1e-8);
}

// A friction of its own in each direction, in every way to write it: while the block rests, what is
// shown is the force that holds it, and the same in all of them.
TEST(cases_are_mixed_at_rest) {
  static const char *const written[] = {"if(x' < 0, b, -f)",
                                        "if(x' > 0, -f, b)",
                                        "if(x' <= 0, b, -f)",
                                        "if(x' >= 0, -f, b)",
                                        "if(not (x' < 0), -f, b)",
                                        "(b - f)/2 - (b + f)/2*sign(x')",
                                        "b*(x' < 0) - f*(1 - (x' < 0))"};
  Random random = random_start("cases");
  for (int round = 0; round < 3; round++) {
    double b = random_real(&random, 1, 3), f = random_real(&random, 1, 3),
           load = random_real(&random, -0.9, 0.9) * fmin(b, f);
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
      const char *text =
          "param m = 1, c = %.17g, b = %.17g, f = %.17g\ncoord x = 0\ncoord x' = %d\n"
          "let F = %s\nkinetic = 1/2*m*x'^2\nforce x = F + c\noutput shown = F\n"
          "simulate to 5 every 0.1\n";
      Motion m = run(cx, text_format(&cx->keep, text, load, b, f, round - 1, written[i]));
      CHECK_NEAR(motion_at(&m, 5, "x'"), 0, 1e-12);
      CHECK_NEAR(motion_at(&m, 5, "shown"), -load, 1e-9);
    }
  }
}

// A block on a block on the ground: the pull on the lower one grows. Nothing moves, then both, then
// the upper one slips.
TEST(two_blocks) {
  Motion m = run(cx, "param M = 3, m = 1, mu_1 = 0.2, mu_2 = 0.5, g = 9.81, c = 4\n"
                     "coord x = 0, y = 0\nkinetic = 1/2*M*x'^2 + 1/2*m*y'^2\n"
                     "dissipation = mu_1*(M + m)*g*abs(x') + mu_2*m*g*abs(y' - x')\n"
                     "force x = c*t\noutput f = -mu_2*m*g*sign(y' - x')\n"
                     "simulate to 10 every 0.01\n");
  double weight = 0.2 * 4 * G, moves = weight / 4, slips = (0.5 * G * 4 + weight) / 4;
  CHECK_NEAR(motion_at(&m, moves - 0.01, "x'"), 0, 1e-12);
  double t = slips - 0.02, v = 4 * (t - moves) * (t - moves) / 2 / 4;
  t = floor(t * 100) / 100, v = 4 * (t - moves) * (t - moves) / 2 / 4;
  CHECK_NEAR(motion_at(&m, t, "x'"), v, 1e-7);
  CHECK_NEAR(motion_at(&m, t, "y'"), v, 1e-7);
  CHECK_NEAR(motion_at(&m, t, "f"), 4 * (t - moves) / 4, 1e-6);
  double at_slip = 4 * (slips - moves) * (slips - moves) / 2 / 4, later = 10 - slips;
  CHECK_NEAR(motion_at(&m, 10, "y'"), at_slip + 0.5 * G * later, 1e-6);
  double pull = (4 * slips - weight - 0.5 * G) / 3;
  CHECK_NEAR(motion_at(&m, 10, "x'"), at_slip + pull * later + 4 * later * later / 2 / 3, 1e-6);
}

// Friction that stands twice, and a block that two coordinates and a constraint describe.
TEST(redundant_and_constrained) {
  Motion twice = run(cx, "param m = 1, g = 9.81\ncoord x = 0\ncoord x' = 1\n"
                         "kinetic = 1/2*m*x'^2\nforce x = -0.1*m*g*(sign(x') + sign(x' + x'^3))\n"
                         "simulate to 2 every 0.01\n");
  CHECK_NEAR(motion_at(&twice, 2, "x"), 1 / (2 * 0.2 * G), 1e-8);
  Motion held = run(cx, "param m = 2, mu = 0.4, g = 9.81, a = 0.2\n"
                        "coord x = 0, y = 0\ncoord x' = 1.5*cos(a), y' = -1.5*sin(a)\n"
                        "let s = x*cos(a) - y*sin(a)\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
                        "potential = m*g*y\ndissipation = mu*m*g*cos(a)*abs(s')\n"
                        "constraint ramp: y*cos(a) + x*sin(a) = 0\nsimulate to 5 every 0.01\n");
  double slowing = G * (0.4 * cos(0.2) - sin(0.2)), way = 1.5 * 1.5 / 2 / slowing;
  CHECK_NEAR(motion_at(&held, 5, "x"), way * cos(0.2), 1e-8);
  CHECK_NEAR(motion_at(&held, 5, "lambda_ramp"), motion_at(&held, 0, "lambda_ramp"), 1e-8);
}

// A pendulum with a brake comes to rest beside its lowest place, in every formulation.
TEST(braked_pendulum) {
  const char *text = "gravity (0, -9.81 [m/s^2])\nparam M_f = 0.6 [N*m]\n"
                     "body p: rod 1 [m], mass 1 [kg], angle 0 [deg]\n"
                     "joint O: revolute ground (0, 0), p (-0.5 [m], 0)\n"
                     "torque p = -M_f*sign(p.theta')\noutput M = -M_f*sign(p.theta')\n"
                     "simulate to 12 [s] every 10 [ms]\n";
  const Formulation formulations[] = {FORMULATION_LAGRANGE, FORMULATION_NEWTON_EULER,
                                      FORMULATION_MAXIMAL, FORMULATION_NATURAL};
  double at_rest = 0;
  for (int i = 0; i < 4; i++) {
    Motion m = motion_load_as(cx, text, NULL, formulations[i]);
    motion_run(&m);
    assert_int_equal(m.status, QDOT_OK);
    double theta = motion_at(&m, 12, "p.theta"), load = G * 0.5 * cos(theta);
    if (i == 0) at_rest = theta;
    CHECK_NEAR(theta, at_rest, 1e-6);
    CHECK_NEAR(motion_at(&m, 12, "p.theta'"), 0, 1e-12);
    CHECK_NEAR(motion_at(&m, 12, "M"), load, 1e-9);
    assert_true(fabs(load) < 0.6 && fabs(load) > 0.1);
  }
}

// A blow frees what sticks: a ball strikes a block that rests.
TEST(blow) {
  Motion m = run(cx, "param m = 1, g = 9.81, mu = 0.3\ncoord x = 0, y = -1\ncoord y' = 2\n"
                     "kinetic = 1/2*m*(x'^2 + y'^2)\ndissipation = mu*m*g*abs(x')\n"
                     "contact hit: y - x <= 0 restitution 1\nsimulate to 3 every 0.01\n");
  assert_true(motion_at(&m, 0.49, "x") == 0);
  CHECK_NEAR(motion_at(&m, 3, "x"), 2 * 2 / (2 * 0.3 * G), 1e-7);
  CHECK_NEAR(motion_at(&m, 3, "x'"), 0, 1e-12);
  CHECK_NEAR(motion_at(&m, 3, "y"), 0, 1e-7);
}

// ---- Many blocks in a row against Moreau's time stepping: after each small step, friction takes
// away what speed it can, which needs no events.

enum { BLOCKS = 4 };

typedef struct Blocks {
  double m[BLOCKS], F[BLOCKS], load[BLOCKS], w[BLOCKS], k, x[BLOCKS], v[BLOCKS];
} Blocks;

static void step_blocks(Blocks *r, double t, double h) {
  for (int i = 0; i < BLOCKS; i++) {
    double left = i > 0 ? r->x[i - 1] : 0, right = i + 1 < BLOCKS ? r->x[i + 1] : r->x[i];
    double force = r->k * (left + right - 2 * r->x[i]) + r->load[i] * sin(r->w[i] * t);
    r->v[i] += h * force / r->m[i];
  }
  for (int i = 0; i < BLOCKS; i++) {
    double most = h * r->F[i] / r->m[i];
    r->v[i] -= fmax(-most, fmin(most, r->v[i]));
    r->x[i] += h * r->v[i];
  }
}

TEST(blocks_in_a_row) {
  Random random = random_start(__func__);
  for (int round = 0; round < test_rounds(20); round++) {
    Blocks r = {.k = random_real(&random, 20, 200)};
    Text text = text_new(&cx->keep);
    text_addf(&text, "param k = %.17g\ncoord", r.k);
    for (int i = 0; i < BLOCKS; i++) text_addf(&text, "%s x_%d = 0", i ? "," : "", i + 1);
    for (int i = 0; i < BLOCKS; i++) {
      r.m[i] = random_real(&random, 0.5, 2);
      r.F[i] = random_real(&random, 1, 5);
      r.load[i] = random_real(&random, 0, 10);
      r.w[i] = random_real(&random, 1, 6);
      text_addf(&text, "\nparam m_%d = %.17g, F_%d = %.17g, P_%d = %.17g, w_%d = %.17g\n", i + 1,
                r.m[i], i + 1, r.F[i], i + 1, r.load[i], i + 1, r.w[i]);
      text_addf(&text, "kinetic k_%d = 1/2*m_%d*x_%d'^2\n", i + 1, i + 1, i + 1);
      text_addf(&text,
                i ? "potential p_%d = 1/2*k*(x_%d - x_%d)^2\n" : "potential p_%d = 1/2*k*x_%d^2\n",
                i + 1, i + 1, i);
      text_addf(&text, "dissipation d_%d = F_%d*abs(x_%d')\n", i + 1, i + 1, i + 1);
      text_addf(&text, "force x_%d = P_%d*sin(w_%d*t)\n", i + 1, i + 1, i + 1);
    }
    text_add(&text, "simulate to 4 every 0.05\n");
    Motion m = run(cx, text.at);
    double h = 2e-5;
    for (long k = 0; k < 200000; k++) {
      step_blocks(&r, (double)k * h, h);
      if ((k + 1) % 50000) continue;
      for (int i = 0; i < BLOCKS; i++) {
        double x = motion_at(&m, (double)(k + 1) * h, text_format(&cx->keep, "x_%d", i + 1));
        if (!(fabs(x - r.x[i]) < 2e-4))
          print_message("%s\nx_%d: %g, %g\n", text.at, i + 1, x, r.x[i]);
        CHECK_NEAR(x, r.x[i], 2e-4);
      }
    }
  }
}

// What rubs stays at rest while something else ends its bouncing, whenever that is.
TEST(rest_beside_bouncing) {
  for (int i = 0; i < 10; i++) {
    Motion m = run(cx, text_format(&cx->keep,
                                   "param m = 1, mu = 0.3, g = 9.81, e = %g\n"
                                   "coord x = 1, y = 0.5\nkinetic = m*(x'^2 + y'^2)/2\n"
                                   "potential = m*g*y\ndissipation = mu*m*g*abs(x')\n"
                                   "contact floor: y >= 0 restitution e\nsimulate to 1 every 0.1\n",
                                   i * 0.1));
    assert_true(motion_at(&m, 1, "x") == 1);
  }
}

RUN_TESTS(cmocka_unit_test(cases_are_mixed_at_rest), cmocka_unit_test(slope),
          cmocka_unit_test(growing_load), cmocka_unit_test(oscillator),
          cmocka_unit_test(two_blocks), cmocka_unit_test(redundant_and_constrained),
          cmocka_unit_test(braked_pendulum), cmocka_unit_test(blow),
          cmocka_unit_test(blocks_in_a_row), cmocka_unit_test(rest_beside_bouncing))
