// Joints that rub in impacts: impulses of friction by the impulses that press them.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "support/motion.h"
#include "support/slope_cases.h"

static const Formulation all[] = {FORMULATION_LAGRANGE, FORMULATION_NEWTON_EULER,
                                  FORMULATION_MAXIMAL, FORMULATION_NATURAL};

static Motion run_as(Context *cx, const char *text, Formulation formulation, double drift) {
  Motion m = motion_load_as(cx, text, NULL, formulation);
  motion_run(&m);
  assert_int_equal(m.status, QDOT_OK);
  if (m.summary.stopped)
    fail_msg("%s\n%s", text, cx->diagnostics.list.at[cx->diagnostics.list.n - 1].message);
  if (!(m.summary.energy_drift < drift)) fail_msg("%s\n%g", text, m.summary.energy_drift);
  return m;
}

// ---- A ball strikes a slide beside its guide

typedef struct Struck {
  double mu, d, l, e, mass, ball, v;
} Struck;

static Struck random_struck(Random *random) {
  Struck s = {.mu = random_real(random, 0.05, 0.5),
              .d = random_real(random, -0.3, 0.3),
              .l = random_real(random, 0.1, 0.3),
              .e = random_real(random, 0, 1),
              .mass = random_real(random, 0.5, 4),
              .ball = random_real(random, 0.5, 4),
              .v = random_real(random, 1, 5)};
  return s;
}

static const char *struck_text(Context *cx, const Struck *s, const char *contact, double end) {
  return text_format(
      &cx->keep,
      "param mu = %.17g, d = %.17g [m], l = %.17g [m], e = %.17g, v = %.17g [m/s]\n"
      "body b: mass %.17g [kg], inertia 0.3 [kg*m^2], at = (0, 0), angle = 0, velocity = (0, 0), "
      "spin = 0\n"
      "body ball: mass %.17g [kg], point, at = (-0.5, d), velocity = (v, 0)\n"
      "joint guide: prismatic ground (0, 0), b (0, 0), length l, friction mu\n"
      "joint way: prismatic ground (0, d), ball (0, 0)\n"
      "%s\noutput V = b.x', u = ball.x'\nsimulate to %.17g [s] every 1 [ms]\n",
      s->mu, s->d, s->l, s->e, s->v, s->mass, s->ball, contact, end);
}

// What is left of the blow behind the friction of the guide.
static double passed(const Struck *s) { return fmax(0, 1 - 2 * s->mu * fabs(s->d) / s->l); }

TEST(slide_struck_beside_its_guide) {
  Random random = random_start("slide_struck_beside_its_guide");
  for (int k = 0; k < 24; k++) {
    Struck s = random_struck(&random);
    double t = 0.4 / s.v, kappa = passed(&s);
    double p = (1 + s.e) * s.v / (kappa / s.mass + 1 / s.ball);
    Motion m = run_as(
        cx,
        struck_text(cx, &s,
                    "contact hit: ball (0, 0), line b (-0.1 [m], 0), axis 90 [deg], restitution e",
                    t * (1 + 1e-9)),
        all[k % 4], 1e-8);
    CHECK_NEAR(motion_at(&m, t * (1 + 1e-9), "V"), kappa * p / s.mass, 1e-9 * s.v);
    CHECK_NEAR(motion_at(&m, t * (1 + 1e-9), "u"), s.v - p / s.ball, 1e-9 * s.v);
  }
}

// The same with a stiff spring in place of the blow: its friction is one of forces.
TEST(stiff_spring_does_the_same) {
  Random random = random_start("stiff_spring_does_the_same");
  for (int k = 0; k < 6; k++) {
    Struck s = random_struck(&random);
    s.e = 1;
    double t = 0.4 / s.v, kappa = passed(&s), p = 2 * s.v / (kappa / s.mass + 1 / s.ball);
    Motion m = run_as(
        cx,
        struck_text(cx, &s,
                    "let gap = b.x - ball.x - 0.1 [m]\nlet F = (1e10 [N/m])*max(-gap, 0 [m])\n"
                    "force b (0, d) = (F, 0)\nforce ball (0, 0) = (-F, 0)",
                    t * 1.01),
        all[k % 4], 1e-8);
    CHECK_NEAR(motion_at(&m, t * 1.01, "V"), kappa * p / s.mass, 1e-6 * s.v);
    CHECK_NEAR(motion_at(&m, t * 1.01, "u"), s.v - p / s.ball, 1e-6 * s.v);
  }
}

// ---- A ball strikes a bob on a pin, on a slanting face

// Spin of the bob by a unit of the blow: J x = a cos(beta) - mu r P, or it is held.
static double spin_by_blow(double J, double mass, double a, double beta, double grip) {
  double low = 0, high = a * cos(beta) / J;
  for (int i = 0; i < 200; i++) {
    double x = (low + high) / 2, P = hypot(mass * a * x - cos(beta), sin(beta));
    *(J * x < a * cos(beta) - grip * P ? &low : &high) = x;
  }
  return low;
}

TEST(pin_of_a_struck_bob) {
  Random random = random_start("pin_of_a_struck_bob");
  int held = 0;
  for (int k = 0; k < 24; k++) {
    double mu = random_real(&random, 0.1, 0.9), r = random_real(&random, 0.02, 1), mass = 2;
    double a = random_real(&random, 0.3, 1), J = random_real(&random, 0.2, 0.9);
    double beta = random_real(&random, -1.2, 1.2), e = random_real(&random, 0, 1);
    double ball = random_real(&random, 0.3, 4), v = 3, t = 0.1 / v * (1 + 1e-9);
    Motion m = run_as(cx,
                      text_format(&cx->keep,
                                  "param mu = %.17g, r = %.17g [m], a = %.17g [m], e = %.17g\n"
                                  "param beta = %.17g, v = 3 [m/s]\n"
                                  "body bob: mass 2 [kg], inertia %.17g, angle = -90 [deg], spin = "
                                  "0\n"
                                  "body ball: mass %.17g [kg], inertia 1, at = (-0.1 [m], -a), "
                                  "velocity = (v, 0)\n"
                                  "joint pin: revolute ground (0, 0), bob (-a, 0), friction mu, "
                                  "radius r\n"
                                  "contact hit: ball (0, 0), line bob (0, 0), axis 180 [deg] + "
                                  "beta, restitution e\n"
                                  "output w = bob.omega, u = ball.x'\n"
                                  "simulate to %.17g [s] every 1 [ms]\n",
                                  mu, r, a, e, beta, J, ball, t),
                      all[k % 4], 1e-8);
    double x = spin_by_blow(J + mass * a * a, mass, a, beta, mu * r);
    double p = (1 + e) * v * cos(beta) / (x * a * cos(beta) + 1 / ball);
    held += x == 0;
    CHECK_NEAR(motion_at(&m, t, "w"), x * p, 1e-6);
    CHECK_NEAR(motion_at(&m, t, "u"), v - p * cos(beta) / ball, 1e-6);
  }
  assert_true(held > 0 && held < 12);
}

// ---- Assemblies at random

// A chain on a slide or a pin falls onto floors that its joints reach; everything may rub.
static const char *random_assembly(Context *cx, Random *random) {
  Text t = text_new(&cx->keep);
  int links = 1 + (int)random_real(random, 0, 2.99);
  bool slides = random_real(random, 0, 1) < 0.5;
  double angle = random_real(random, -0.3, 0.5), x = 0, y = 1, before = 0;
  text_add(&t, "gravity (0, -9.81)\n");
  if (slides)
    text_addf(&t,
              "body base: mass 1.5, inertia 0.2, at = (0, 1), angle = 0, velocity = (%.3f, 0), "
              "spin = 0\n"
              "joint rail: prismatic ground (0, 1), base (0, 0), length %.3f [m], friction %.3f\n",
              random_real(random, -1, 1), random_real(random, 0.1, 0.4),
              random_real(random, 0, 0.5));
  for (int k = 1; k <= links; k++) {
    double L = random_real(random, 0.3, 0.8), mu = random_real(random, -0.2, 0.8);
    text_addf(&t, "body b%d: mass %.3f, rod %.3f, at ~ (%.3f, %.3f), angle = %.4f, spin = %.3f\n",
              k, random_real(random, 0.5, 3), L, x + L / 2 * cos(angle), y + L / 2 * sin(angle),
              angle, random_real(random, -2, 2));
    const char *from = k > 1    ? text_format(&cx->keep, "b%d (%.6f, 0)", k - 1, before / 2)
                       : slides ? "base (0, 0)"
                                : "ground (0, 1)";
    text_addf(&t, "joint p%d: revolute %s, b%d (%.6f, 0), friction %.3f, radius %.4f [m]\n", k,
              from, k, -L / 2, fmax(mu, 0), random_real(random, 0.005, 0.05));
    x += L * cos(angle), y += L * sin(angle), angle += random_real(random, -0.4, 0.4);
    text_addf(&t, "contact f%d: b%d (%.6f, 0), line (0, %.3f), restitution %.2f, friction %.2f\n",
              k, k, L / 2, fmin(y - 0.05, random_real(random, 0.2, 0.9)),
              random_real(random, 0, 0.8), fmax(random_real(random, -0.3, 0.6), 0));
    before = L;
  }
  return t.at;
}

// The end of a motion in another formulation, or by another method.
static double difference(Context *cx, const Motion *a, const char *text, double end,
                         Formulation formulation) {
  Motion b = motion_load_as(cx, text, NULL, formulation);
  motion_run(&b);
  assert_int_equal(b.summary.stopped, STOPPED_NOT);
  double most = 0;
  for (int k = 1; k <= 3; k++) {
    const char *name = text_format(&cx->keep, "w_%d", k);
    double w = motion_at(a, end, name);
    most = fmax(most, fabs(w - motion_at(&b, end, name)) / (1 + fabs(w)));
  }
  return most;
}

static const char *until(Context *cx, const char *model, double end, const char *method) {
  const char *outputs = "output w_1 = b1.omega, w_2 = %s.omega, w_3 = %s.omega\n";
  const char *second = strstr(model, "body b2") ? "b2" : "b1";
  const char *third = strstr(model, "body b3") ? "b3" : "b1";
  return text_format(&cx->keep, "%s%ssimulate to %.17g every %.17g%s\n", model,
                     text_format(&cx->keep, outputs, second, third), end, end / 20, method);
}

// No impact makes energy; all formulations and `moreau` agree behind the first.
TEST(blows_make_no_energy) {
  Random random = random_start("blows_make_no_energy");
  int struck = 0, early = 0;
  for (int k = 0; k < 30; k++) {
    const char *model = random_assembly(cx, &random);
    Motion m = motion_load_as(cx, until(cx, model, 0.6, ""), NULL, all[k % 4]);
    motion_run(&m);
    early += m.summary.stopped != STOPPED_NOT;
    assert_true(m.summary.work_impacts <= 1e-12 && m.summary.impact_gain <= 1e-9);
    double first = INFINITY, next = 0.6;
    for (uint32_t i = 0; i < m.summary.events.n; i++) {
      const SimEvent *event = &m.summary.events.at[i];
      if (event->kind != SIM_IMPACT) continue;
      if (!isfinite(first)) first = event->t;
      if (event->t > first + 1e-6) next = fmin(next, event->t);
    }
    if (!isfinite(first)) continue;
    double end = fmin((first + next) / 2, first + 0.05);
    Motion a = run_as(cx, until(cx, model, end, ""), FORMULATION_LAGRANGE, 1e-6);
    const char *fine = until(cx, model, end, " using moreau(step = 0.2 [ms])");
    double by_points = difference(cx, &a, until(cx, model, end, ""), end, FORMULATION_NATURAL);
    bool is_soft = a.summary.impacts_softened > 0; // `moreau` finds the limit less exactly
    double by_steps = difference(cx, &a, fine, end, FORMULATION_LAGRANGE);
    if (by_points > 1e-6 || by_steps > (is_soft ? 0.1 : 0.03))
      fail_msg("%s%g %g", fine, by_points, by_steps);
    struck++;
  }
  assert_true(struck > 20 && early < 3);
}

// ---- Steps over joints

// A slide is thrown up an incline and stays; `moreau` is exact but for the moment of its stop.
TEST(steps_hold_joints) {
  static const double g = 9.81, a = 0.2, mu = 0.3, v = 3, step = 1e-3;
  for (size_t i = 0; i < 4; i++) {
    Motion m = run_as(cx,
                      "param g = 9.81, v = 3 [m/s], mu = 0.3, a = 0.2\ngravity (0, -g)\n"
                      "body b: mass 2, inertia 1, at = (0, 0), angle = 0, velocity = (v*cos(a), "
                      "v*sin(a)), spin = 0\n"
                      "joint s: prismatic ground (0, 0), b (0, 0), axis a, friction mu\n"
                      "output x = s.s, N = s.N, R = s.R\n"
                      "simulate to 2 every 0.1 using moreau(step = 1 [ms])\n",
                      all[i], 1e-9);
    double slows = g * (sin(a) + mu * cos(a)), t = v / slows;
    CHECK_NEAR(motion_at(&m, 2, "x"), v * t / 2, slows * step * step);
    CHECK_NEAR(motion_at(&m, 2, "N"), 2 * g * cos(a), 1e-8);
    CHECK_NEAR(motion_at(&m, 2, "R"), 2 * g * sin(a), 1e-8);
    CHECK_NEAR(motion_at(&m, 0.3, "R"), -mu * 2 * g * cos(a), 1e-8);
    CHECK_NEAR(motion_event(&m, 0, SIM_STICK)->t, t, step);
    assert_string_equal(sim_event_name(&m.system, motion_event(&m, 0, SIM_STICK)), "s");
  }
}

// A lever presses its shoe on a drum: its pin rests and, held by the shoe, needs no friction.
TEST(contacts_hold_joints) {
  static const char *const methods[] = {"", " using moreau(step = 0.1 [ms])"};
  double N = 100 * 0.6 / (0.1 - 0.35 * 0.05), P = N * hypot(1, 0.35);
  double stop = 0.2 * 30 / (0.35 * N * 0.2 + 0.05 * 0.015 * P);
  for (int k = 0; k < 8; k++) {
    Motion m = run_as(
        cx,
        text_format(&cx->keep,
                    "body drum: disc 0.2, mass 10, at = (0, 0), spin = 30\n"
                    "body lever: rod 0.6, mass 2, at = (0.2, 0.25), angle = 0\n"
                    "joint D: revolute ground (0, 0), drum (0, 0), friction 0.05, radius 0.015\n"
                    "joint L: revolute ground (-0.1, 0.25), lever (-0.3, 0), friction 0.2, radius "
                    "0.01\n"
                    "contact shoe: lever (-0.2, -0.05), circle drum (0, 0), ring 0.2, friction "
                    "0.35\nforce lever (0.3, 0) = (0, -100)\noutput N = shoe.N, R = L.R\n"
                    "simulate to 0.2 every 0.01%s\n",
                    methods[k / 4]),
        all[k % 4], 1e-5);
    CHECK_NEAR(motion_at(&m, 0.05, "N"), N, 1e-6 * N);
    CHECK_NEAR(motion_at(&m, 0.05, "R"), 0, 1e-6 * N);
    CHECK_NEAR(motion_event(&m, 0, SIM_STICK)->t, stop, k < 4 ? 1e-7 : 2e-4);
  }
}

TEST(steps_refuse_shared_switches) {
  Motion m = motion_load(cx,
                         "body b: mass 2, inertia 0.1, at = (0.3, 0), angle = 0, spin = 6\n"
                         "joint A: revolute ground (0, 0), b (-0.3, 0), friction 0.2, radius "
                         "0.02\ntorque b = -(0.3 [N*m])*sign(b.theta')\n"
                         "simulate to 1 every 0.1 using moreau\n",
                         NULL);
  motion_run(&m);
  assert_int_equal(m.status, QDOT_UNSUPPORTED);
  assert_non_null(strstr(cx->diagnostics.list.at[0].message,
                         "moreau cannot treat the friction of joint 'A' beside another force"));
}

// ---- More joints than motion needs

// Three cranks carry a beam that strikes a stop: loads of least norm, and the friction of these.
TEST(redundant_joints) {
  Text t = text_new(&cx->keep);
  text_add(&t, "gravity (0, -9.81)\nbody beam: rod 0.8, mass 2, at ~ (0.3, 0.17), angle = 0\n");
  for (int k = 1; k <= 3; k++)
    text_addf(&t,
              "body c%d: rod 0.2, mass 0.3, angle = 120 [deg], spin %s\n"
              "joint A%d: revolute ground (%g, 0), c%d (-0.1, 0), friction 0.2, radius 0.01\n"
              "joint B%d: revolute c%d (0.1, 0), beam (%g, 0), friction 0.2, radius 0.01\n",
              k, k > 1 ? "-5" : "= -5", k, 0.4 * (k - 1), k, k, k, 0.4 * (k - 2));
  text_add(&t, "contact stop: beam (0.4, 0), line (0.85, 0), axis 90 [deg], restitution 0.4, "
               "friction 0.2\noutput w = c1.omega\nsimulate to 0.4 every 0.01\n");
  Motion first = run_as(cx, t.at, FORMULATION_LAGRANGE, 1e-6);
  assert_non_null(first.summary.redundant);
  for (int k = 2; k < 4; k++) {
    Motion m = run_as(cx, t.at, all[k], 1e-6);
    CHECK_NEAR(motion_at(&m, 0.4, "w"), motion_at(&first, 0.4, "w"), 1e-4);
    CHECK_NEAR(m.summary.work_impacts, first.summary.work_impacts, 1e-4);
  }
}

// ---- Slopes

static const SlopeCase cases[] = {
    {"a slide is struck beside its guide, and slides to rest",
     "param mu = 0.3, d = 0.1 [m], l = 0.2 [m], e = 0.5, v = 3 [m/s], m = 2 [kg]\n"
     "gravity (0, -9.81 [m/s^2])\nbody b: mass m, inertia 0.3, at = (0, 0)\n"
     "body ball: mass 1 [kg], point, at = (-0.5 [m], d), velocity = (v, 0)\n"
     "joint guide: prismatic ground (0, 0), b (0, 0), length l, friction mu\n"
     "joint way: prismatic ground (0, d), ball (0, 0)\n"
     "contact hit: ball (0, 0), line b (-0.1 [m], 0), axis 90 [deg], restitution e\n"
     "measure x = final(b.x), u = final(ball.x'), top = max(b.x')\nsimulate to 0.4 [s] every 10 "
     "[ms]\n",
     {"mu", "d", "l", "e", "v", "m"}},
    {"a slide is struck so far beside its guide that it jams",
     "param mu = 0.3, d = 0.4 [m], l = 0.2 [m], e = 0.5, v = 3 [m/s], m = 2 [kg]\n"
     "body b: mass m, inertia 0.3, at = (0, 0), velocity = (-0.2 [m/s], 0)\n"
     "body ball: mass 1 [kg], point, at = (-0.5 [m], d), velocity = (v, 0)\n"
     "joint guide: prismatic ground (0, 0), b (0, 0), length l, friction mu\n"
     "joint way: prismatic ground (0, d), ball (0, 0)\n"
     "contact hit: ball (0, 0), line b (-0.1 [m], 0), axis 90 [deg], restitution e\n"
     "measure x = final(b.x), u = final(ball.x'), y = final(ball.x)\nsimulate to 0.3 [s] every "
     "10 [ms]\n",
     {"mu", "d", "l", "e", "v", "m"}},
    {"a ball strikes a bob on a pin that rubs",
     "param mu = 0.4, r = 0.05 [m], a = 0.5 [m], e = 0.6, beta = 0.7, J = 0.1 [kg*m^2]\n"
     "gravity (0, -9.81 [m/s^2])\nbody bob: mass 2 [kg], inertia J, angle = -90 [deg], spin = 0\n"
     "body ball: mass 1 [kg], inertia 1, at = (-0.1 [m], -a), velocity = (2 [m/s], 0)\n"
     "joint pin: revolute ground (0, 0), bob (-a, 0), friction mu, radius r\n"
     "contact hit: ball (0, 0), line bob (0, 0), axis 180 [deg] + beta, restitution e\n"
     "measure w = max(bob.omega), u = final(ball.x'), q = final(bob.theta)\n"
     "simulate to 0.3 [s] every 10 [ms]\n",
     {"mu", "r", "a", "e", "beta", "J"}},
    {"a slider-crank that rubs in all joints strikes a buffer that rubs, too",
     "param mu = 0.2, nu = 0.1, r = 0.3 [m], l = 1 [m], w = 5 [rad/s], e = 0.5\n"
     "gravity (0, -9.81 [m/s^2])\nbody crank: mass 1 [kg], rod r, angle = 100 [deg], spin = -w\n"
     "body rod: mass 2 [kg], rod l, angle ~ -15 [deg]\nbody ram: mass 3 [kg], point\n"
     "body buffer: mass 2 [kg], inertia 0.1, at = (1.15 [m], 0), angle = 0, velocity = (0, 0)\n"
     "joint A: revolute ground (0, 0), crank (-r/2, 0), friction nu, radius 20 [mm]\n"
     "joint B: revolute crank (r/2, 0), rod (-l/2, 0), friction nu, radius 10 [mm]\n"
     "joint C: revolute rod (l/2, 0), ram (0, 0), friction nu, radius 10 [mm]\n"
     "joint D: prismatic ground (0, 0), ram (0, 0), axis 0, friction mu\n"
     "joint E: prismatic ground (0, 0), buffer (0, 0), axis 0, friction mu, length 0.1 [m]\n"
     "contact hit: ram (0, 0), line buffer (0, 0), axis 60 [deg], restitution e, friction 0.1\n"
     "measure x = final(ram.x), v = final(crank.omega), y = final(buffer.x)\n"
     "simulate to 0.4 [s] every 10 [ms]\n",
     {"mu", "nu", "r", "l", "w", "e"}}};

TEST(slopes_agree_with_differences_of_runs) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_slopes(cx, &cases[i]);
}

RUN_TESTS(cmocka_unit_test(slide_struck_beside_its_guide),
          cmocka_unit_test(stiff_spring_does_the_same), cmocka_unit_test(pin_of_a_struck_bob),
          cmocka_unit_test(blows_make_no_energy), cmocka_unit_test(steps_hold_joints),
          cmocka_unit_test(contacts_hold_joints), cmocka_unit_test(redundant_joints),
          cmocka_unit_test(steps_refuse_shared_switches),
          cmocka_unit_test(slopes_agree_with_differences_of_runs))
