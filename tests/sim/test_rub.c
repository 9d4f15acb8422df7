// Friction in joints, whose load is their own reaction: closed forms in all formulations.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

static const double G = 9.81;

static const Formulation all[] = {FORMULATION_LAGRANGE, FORMULATION_NEWTON_EULER,
                                  FORMULATION_MAXIMAL, FORMULATION_NATURAL};

static Motion run_as(Context *cx, const char *text, Formulation formulation) {
  Motion m = motion_load_as(cx, text, NULL, formulation);
  motion_run(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.stopped, STOPPED_NOT);
  assert_true(m.summary.energy_drift < 1e-7);
  return m;
}

// A slide is thrown up an incline: it stops and stays, or slides back.
TEST(slide_on_an_incline) {
  for (size_t i = 0; i < 4; i++)
    for (int steep = 0; steep < 2; steep++) {
      double a = steep ? 0.5 : 0.2, mu = 0.3, v = 3;
      Motion m =
          run_as(cx,
                 text_format(&cx->keep,
                             "param g = 9.81, v = 3 [m/s], mu = 0.3, a = %g\ngravity (0, -g)\n"
                             "body b: mass 2, inertia 1, at = (0, 0), angle = 0, velocity "
                             "= (v*cos(a), v*sin(a)), spin = 0\n"
                             "joint s: prismatic ground (0, 0), b (0, 0), axis a, friction "
                             "mu\noutput x = s.s, N = s.N, R = s.R\n"
                             "simulate to 2 every 0.1\n",
                             a),
                 all[i]);
      double up = G * (sin(a) + mu * cos(a)), t = v / up, x = v * t / 2;
      double back = fmax(0, G * (sin(a) - mu * cos(a))), left = 2 - t;
      CHECK_NEAR(motion_at(&m, 2, "x"), x - back * left * left / 2, 1e-8);
      CHECK_NEAR(motion_at(&m, 2, "N"), 2 * G * cos(a), 1e-9);
      CHECK_NEAR(motion_at(&m, 2, "R"), 2 * G * (steep ? mu * cos(a) : sin(a)), 1e-9);
      CHECK_NEAR(m.summary.work_friction, -2 * G * mu * cos(a) * (x + back * left * left / 2),
                 1e-8);
      if (steep) continue;
      CHECK_NEAR(motion_event(&m, 0, SIM_STICK)->t, t, 1e-8);
      assert_string_equal(sim_event_name(&m.system, motion_event(&m, 0, SIM_STICK)), "s");
    }
}

// A slide bounces on a stop: each blow turns its friction round. Drawn at random, mu < tan(a).
TEST(blows_turn_friction_round) {
  Random random = random_start("blows_turn_friction_round");
  for (int k = 0; k < 12; k++) {
    double a = random_real(&random, 0.3, 1), mu = random_real(&random, 0.02, 0.9) * tan(a);
    double e = random_real(&random, 0.3, 0.7), L = 0.7;
    double down = G * (sin(a) - mu * cos(a)), up = G * (sin(a) + mu * cos(a));
    double t = sqrt(2 * L / down), v = down * t, again = e * sqrt(down / up), way = L;
    double flight = e * v * (1 / up + 1 / sqrt(up * down));
    double end = t + flight * (1 + again + again * again + again * again * again / 2);
    const char *text =
        text_format(&cx->keep,
                    "param g = 9.81, mu = %.17g, a = %.17g, e = %.17g, L = 0.7 [m]\n"
                    "gravity (0, -g)\nbody b: mass 2, inertia 1, at = (L*cos(a), L*sin(a)), angle "
                    "= 0, velocity = (0, 0), spin = 0\n"
                    "joint s: prismatic ground (0, 0), b (0, 0), axis a, friction mu\n"
                    "contact stop: b (0, 0), line (0, 0), axis a - pi/2, restitution e\n"
                    "output x = s.s\nsimulate to %.17g every 0.1\n",
                    mu, a, e, end);
    Motion m = run_as(cx, text, all[k % 4]);
    uint32_t found = 0;
    for (uint32_t i = 0; i < m.summary.events.n; i++) {
      if (m.summary.events.at[i].kind != SIM_IMPACT) continue;
      CHECK_NEAR(m.summary.events.at[i].t, t, 1e-8);
      if (found++ < 3) way += e * e * v * v / up;
      t += flight, flight *= again, v *= again;
    }
    assert_int_equal(found, 4);
    assert_true(m.summary.work_friction < -mu * 2 * G * cos(a) * way);
  }
}

// The tip of an arm comes to rest on a floor that rubs, too.
TEST(arm_bounces_to_rest) {
  for (size_t i = 0; i < 4; i++) {
    Motion m = run_as(cx,
                      "param g = 9.81\ngravity (0, -g)\nbody arm: rod 1, mass 2, angle = 0.3\n"
                      "joint A: revolute ground (0, 0.3), arm (-0.5, 0), friction 0.4, radius "
                      "0.02 [m]\ncontact floor: arm (0.5, 0), line (0, 0), axis 0, restitution "
                      "0.5, friction 0.3\noutput h = 0.3 + sin(arm.theta)\n"
                      "simulate to 2 every 0.1\n",
                      all[i]);
    CHECK_NEAR(motion_at(&m, 2, "h"), 0, 1e-9);
  }
}

// What holds more at rest than while it slides.
TEST(two_coefficients) {
  for (size_t i = 0; i < 4; i++) {
    Motion m = run_as(cx,
                      "param g = 9.81, c = 4\ngravity (0, -g)\n"
                      "body b: mass 2, inertia 1, at = (0, 0), angle = 0, velocity = (0, 0), spin "
                      "= 0\njoint s: prismatic ground (0, 0), b (0, 0), friction 0.5, 0.3\n"
                      "force b (0, 0) = (c*t, 0)\noutput x = s.s, R = s.R\n"
                      "simulate to 4 every 0.1\n",
                      all[i]);
    double begin = 0.5 * 2 * G / 4, t = 4 - begin;
    CHECK_NEAR(motion_event(&m, 0, SIM_SLIP)->t, begin, 1e-8);
    CHECK_NEAR(motion_at(&m, 2, "R"), -8, 1e-9);
    CHECK_NEAR(motion_at(&m, 4, "R"), -0.3 * 2 * G, 1e-9);
    CHECK_NEAR(motion_at(&m, 4, "x"), (0.2 * G) * t * t / 2 + 4.0 / 2 * t * t * t / 6, 1e-8);
  }
}

// A mass at the end of an arm, without weight: the load of the bearing contains the deceleration
// that its friction makes. J w' = -mu r m L sqrt(w^4 + w'^2).
TEST(arm_in_a_bearing) {
  for (size_t i = 0; i < 4; i++) {
    Motion m = run_as(cx,
                      "param m = 2, L = 0.3, mu = 0.3, r = 0.1, J = 0.02\n"
                      "body a: mass m, inertia J, at = (L, 0), angle = 0, spin = 10\n"
                      "joint pin: revolute ground (0, 0), a (-L, 0), friction mu, radius r\n"
                      "output N = pin.N, w = a.theta'\nsimulate to 2 every 0.1\n",
                      all[i]);
    double k = 0.3 * 0.1 * 2 * 0.3 / (0.02 + 2 * 0.09), c = k / sqrt(1 - k * k), w = 10;
    double now = w / (1 + c * w * 2);
    CHECK_NEAR(motion_at(&m, 2, "w"), now, 1e-8);
    CHECK_NEAR(motion_at(&m, 2, "N"), 2 * 0.3 * now * now * sqrt(1 + c * c), 1e-8);
  }
}

// A force on a lever grows from nothing: J x = L - mu r N by a unit of it, N = 1 - m L/2 x.
TEST(load_from_nothing) {
  for (size_t i = 0; i < 4; i++) {
    Motion m = run_as(cx,
                      "param L = 0.5, mu = 0.3, r = 0.01 [m]\n"
                      "body v: rod L, mass 1, at = (0, 0), angle = 0, velocity = (0, 0), spin = 0\n"
                      "joint A: revolute ground (-L/2, 0), v (-L/2, 0), friction mu, radius r\n"
                      "force v (L/2, 0) = (0, -(10 [N/s])*t)\noutput w = v.omega\n"
                      "simulate to 0.01 every 0.001\n",
                      all[i]);
    // N turns round where the tip is struck beyond the centre of percussion: 1 - 0.25 x < 0
    double J = 0.25 / 3, x = (0.5 + 0.003) / (J + 0.003 * 0.25);
    CHECK_NEAR(motion_at(&m, 0.01, "w"), -x * 10 * 1e-4 / 2, 1e-9);
  }
}

// All joints of a mechanism with one freedom come to rest at once, and hold what is left equally.
TEST(joints_rest_together) {
  Random random = random_start("joints_rest_together");
  for (int k = 0; k < 8; k++) {
    double r = random_real(&random, 0.05, 0.15), l = random_real(&random, 0.25, 0.5);
    double mu = random_real(&random, 0.1, 0.3), angle = random_real(&random, 0, 6);
    Motion m = run_as(
        cx,
        text_format(&cx->keep,
                    "param r = %.17g [m], l = %.17g [m], mu = %.17g, a = %.17g\n"
                    "gravity (0, -9.81)\nbody crank: rod r, mass 1, angle = a, spin = 4\n"
                    "body rod: rod l, mass 1, angle ~ -asin(r/l*sin(a)), at ~ (l/2, 0)\n"
                    "body ram: mass 2, inertia 1, at ~ (l, 0)\n"
                    "joint A: revolute ground (0, 0), crank (-r/2, 0), friction mu, radius 0.01\n"
                    "joint B: revolute crank (r/2, 0), rod (-l/2, 0), friction mu, radius 0.01\n"
                    "joint C: revolute rod (l/2, 0), ram (0, 0), friction mu, radius 0.01\n"
                    "joint D: prismatic ground (0, 0), ram (0, 0), axis 0, friction mu\n"
                    "output u_1 = A.R/A.N, u_2 = B.R/B.N, u_3 = C.R/C.N, u_4 = D.R/D.N\n"
                    "simulate to 5 every 0.1\n",
                    r, l, mu, angle),
        all[k % 4]);
    const SimEvent *last = &m.summary.events.at[m.summary.events.n - 1];
    double use = fabs(motion_at(&m, 5, "u_4")) / mu;
    assert_true(m.summary.events.n >= 4 && use < 1);
    for (int i = 0; i < 4; i++) {
      CHECK_NEAR(last[-i].t, last->t, 0);
      assert_int_equal(last[-i].kind, SIM_STICK);
      double u = fabs(motion_at(&m, 5, text_format(&cx->keep, "u_%d", i + 1)));
      CHECK_NEAR(u / mu / (i < 3 ? 0.01 : 1), use, 1e-6);
    }
  }
}

// Pushed beside its guide, a slide of length l goes only where 2 mu d < l.
TEST(self_locking_slide) {
  for (size_t i = 0; i < 4; i++)
    for (int locks = 0; locks < 2; locks++) {
      Motion m = run_as(cx,
                        text_format(&cx->keep,
                                    "param F = 50, mu = 0.3, d = %g, l = 0.2\n"
                                    "body b: mass 2, inertia 1, at = (0, 0), angle = 0, velocity "
                                    "= (0, 0), spin = 0\n"
                                    "joint s: prismatic ground (0, 0), b (0, 0), length l, "
                                    "friction mu\nforce b (0, d) = (F, 0)\noutput x = s.s\n"
                                    "simulate to 1 every 0.1\n",
                                    locks ? 0.4 : 0.2),
                        all[i]);
      CHECK_NEAR(motion_at(&m, 1, "x"), locks ? 0 : 50.0 / 2 * (1 - 2 * 0.3 * 0.2 / 0.2) / 2, 1e-8);
    }
}

// A wedge lifts a load: both of its faces rub, and share what they hold before it moves.
TEST(wedge) {
  static const Formulation most[] = {FORMULATION_LAGRANGE, FORMULATION_NEWTON_EULER,
                                     FORMULATION_MAXIMAL};
  for (size_t i = 0; i < 3; i++) {
    Motion m = run_as(
        cx,
        "param g = 9.81, mu = 0.1, W = 50, m = 5, a = 0.17, c = 300, h = 0.1\ngravity (0, -g)\n"
        "body wedge: mass m, inertia 1, at = (0, 0), angle = 0, velocity = (0, 0), spin = 0\n"
        "body load: mass W, inertia 1, at = (0, h), angle = 0, velocity = (0, 0), spin = 0\n"
        "joint floor: prismatic ground (0, 0), wedge (0, 0), axis 0, friction mu\n"
        "joint face: slot wedge (0, h), load (0, 0), axis a, friction mu\n"
        "joint guide: prismatic ground (0, h), load (0, 0), axis 90 [deg]\n"
        "force wedge (0, 0) = (-c*t, 0)\noutput x = wedge.x''\nsimulate to 1 every 0.1\n",
        most[i]);
    double a = 0.17, f = atan(0.1), M = 50, w = 5;
    double F = M * G * tan(a + f) + 0.1 * (M + w) * G;
    CHECK_NEAR(motion_event(&m, 0, SIM_SLIP)->t, F / 300, 1e-8);
    CHECK_NEAR(motion_event(&m, 1, SIM_SLIP)->t, F / 300, 1e-8);
    // m x'' = -F + mu N_1 + (W g - W x'' tan a) tan(a + f), N_1 = m g + W g - W x'' tan a
    double lift = M * tan(a);
    CHECK_NEAR(motion_at(&m, 1, "x"), (F - 300) / (w + lift * (tan(a + f) + 0.1)), 1e-8);
  }
}

// A wheel with back-spin slips, comes back, and rolls at last; a torque beyond its grip makes it
// slip.
TEST(wheel_with_a_limit_of_grip) {
  for (size_t i = 0; i < 4; i++) {
    Motion m = run_as(cx,
                      "param g = 9.81, mu = 0.2, r = 0.1, m = 3\ngravity (0, -g)\n"
                      "body w: disc r, mass m, at = (0, r), angle = 0, velocity = (2, 0), spin = "
                      "60\njoint road: rolling ground (0, 0), w (0, 0), radius r, friction mu\n"
                      "output N = road.N\nsimulate to 3 every 0.1 using rk853(rtol = 1e-9)\n",
                      all[i]);
    // v = v0 - mu g t, w = w0 - 2 mu g t/r until v + r w = 0
    double t = (2 + 0.1 * 60) / (3 * 0.2 * G), v = 2 - 0.2 * G * t;
    CHECK_NEAR(motion_event(&m, 0, SIM_STICK)->t, t, 1e-8);
    CHECK_NEAR(motion_at(&m, 3, "w.x'"), v, 1e-8);
    CHECK_NEAR(motion_at(&m, 3, "N"), 3 * G, 1e-8);
    m = run_as(cx,
               "param g = 9.81, mu = 0.2, r = 0.1, m = 3, c = 1\ngravity (0, -g)\n"
               "body w: disc r, mass m, at = (0, r), angle = 0, velocity = (0, 0), spin = 0\n"
               "joint road: rolling ground (0, 0), w (0, 0), radius r, friction mu\n"
               "torque w = -c*t\nsimulate to 3 every 0.1\n",
               all[i]);
    // rolling needs 2/3 of the torque over r
    double begin = 0.2 * 3 * G * 0.1 * 1.5, before = begin * begin / 2 / (1.5 * 3 * 0.1);
    CHECK_NEAR(motion_event(&m, 0, SIM_SLIP)->t, begin, 1e-8);
    CHECK_NEAR(motion_at(&m, 3, "w.x'"), before + 0.2 * G * (3 - begin), 1e-8);
  }
}

// A slider-crank that rubs in every joint: three formulations, one motion, until all rest.
TEST(slider_crank_comes_to_rest) {
  const char *text = "param g = 9.81, a = 0.1, b = 0.3, mu = 0.15, r = 0.02\ngravity (0, -g)\n"
                     "body crank: rod a, mass 1, angle = 60 [deg], spin = 30\n"
                     "body rod: rod b, mass 1, angle -17 [deg]\n"
                     "body piston: plate (0.05, 0.05), mass 0.5, at (0.33, 0)\n"
                     "joint A: revolute ground (0, 0), crank (-a/2, 0), friction mu, radius r\n"
                     "joint B: revolute crank (a/2, 0), rod (-b/2, 0), friction mu, radius r\n"
                     "joint C: revolute rod (b/2, 0), piston (0, 0), friction mu, radius r\n"
                     "joint D: prismatic ground (0, 0), piston (0, 0), axis 0, friction mu\n"
                     "output w = crank.theta', p = piston.x\nsimulate to 5 every 0.5\n";
  Motion first = run_as(cx, text, FORMULATION_LAGRANGE);
  CHECK_NEAR(motion_at(&first, 5, "w"), 0, 1e-9);
  for (int i = 1; i < 3; i++) {
    Motion m = run_as(cx, text, all[i]);
    CHECK_NEAR(motion_at(&m, 0.5, "p"), motion_at(&first, 0.5, "p"), 1e-6);
    CHECK_NEAR(motion_at(&m, 5, "p"), motion_at(&first, 5, "p"), 1e-5);
    CHECK_NEAR(m.summary.work_friction, first.summary.work_friction, 1e-5);
  }
}

// Slider-cranks that are pushed and held by much friction: Coulomb's law holds in every row of
// every run that ends as it should, and one that does not says which joint jams.
TEST(the_law_holds_with_much_friction) {
  static const char names[] = "ABCD", *const rates[] = {"A.angle'", "B.angle'", "C.angle'", "D.s'"};
  Random random = random_start("the_law_holds_with_much_friction");
  int whole = 0, rounds = test_rounds(16);
  for (int round = 0; round < rounds; round++) {
    double mu[4], r = random_real(&random, 0.005, 0.03);
    for (int i = 0; i < 4; i++) mu[i] = random_real(&random, 0.1, 1.4);
    Text model = text_new(&cx->keep);
    text_addf(
        &model,
        "param r = %.17g, F = %.17g [N], w = %.17g [rad/s], P = %.17g [N]\ngravity (0, "
        "-9.81)\nbody crank: rod 0.2, mass 1, angle = %.17g, spin = "
        "%.17g\nbody rod: rod 0.5, mass 1, angle -0.3\nbody piston: mass 1, inertia 0.01, at "
        "(0.7, 0)\njoint A: revolute ground (0, 0), crank (-0.1, 0), friction %.17g, radius r\n"
        "joint B: revolute crank (0.1, 0), rod (-0.25, 0), friction %.17g, radius r\n"
        "joint C: revolute rod (0.25, 0), piston (0, 0), friction %.17g, radius r\n"
        "joint D: prismatic ground (0, 0), piston (0, 0), axis 0, friction %.17g, length 0.1\n"
        "force piston (0, 0) = (F*sin(w*t), P)\n",
        r, random_real(&random, -60, 60), random_real(&random, 2, 10),
        random_real(&random, -60, 60), random_real(&random, 0.3, 1.3),
        random_below(&random, 2) * 4.0, mu[0], mu[1], mu[2], mu[3]);
    for (int i = 0; i < 4; i++)
      text_addf(&model, "output N_%d = %c.N, R_%d = %c.R, v_%d = %s\n", i, names[i], i, names[i], i,
                rates[i]);
    text_add(&model, "simulate to 1 every 0.01\n");
    Motion m = motion_of(cx, model.at);
    assert_int_equal(m.status, QDOT_OK);
    whole += m.summary.stopped == STOPPED_NOT;
    assert_true(m.summary.stopped == STOPPED_NOT || m.summary.stopped == STOPPED_LIMIT);
    for (uint32_t k = 0; k + 1 < m.rows; k++)
      for (int i = 0; i < 4; i++) {
        double t = 0.01 * k, N = motion_at(&m, t, text_format(&cx->keep, "N_%d", i));
        double R = motion_at(&m, t, text_format(&cx->keep, "R_%d", i));
        double v = motion_at(&m, t, text_format(&cx->keep, "v_%d", i));
        double most = mu[i] * N * (i < 3 ? r : 1);
        assert_true(fabs(R) <= most * (1 + 1e-8) + 1e-9);
        if (fabs(v) > 1e-5) CHECK_NEAR(R, v > 0 ? -most : most, 1e-8 * (1 + most));
      }
  }
  assert_true(whole >= 0.7 * rounds);
}

// A wheel that F draws along is pulled up by c t: it rolls, slips where its grip mu (m g - c t) is
// less than F/3, and has none from m g = c t on.
TEST(wheel_pulled_up_has_no_grip) {
  Random random = random_start("wheel_pulled_up_has_no_grip"), *draw = &random;
  for (int i = 0; i < test_rounds(12); i++) {
    double m = random_real(draw, 1, 5), r = random_real(draw, 0.05, 0.3),
           mu = random_real(draw, 0.1, 0.9);
    double F = random_real(draw, 0.1, 2) * mu * m * G, c = m * G / random_real(draw, 0.3, 2.5);
    double t_2 = m * G / c, t_1 = t_2 - F / (3 * mu * c);
    Motion motion = run_as(
        cx,
        text_format(&cx->keep,
                    "param g = 9.81, m = %.17g [kg], r = %.17g [m], mu = %.17g, F = %.17g [N], c = "
                    "%.17g [N/s]\ngravity (0, -g)\n"
                    "body w: disc r, mass m, at = (0, r), angle = 0, velocity = (0, 0), spin = 0\n"
                    "joint road: rolling ground (0, 0), w (0, 0), radius r, friction mu\n"
                    "force w (0, 0) = (F, c*t)\noutput N = road.N\n"
                    "simulate to 3 [s] every 0.1 [s] using rk853(rtol = 1e-10)\n",
                    m, r, mu, F, c),
        all[random_below(draw, 4)]);
    CHECK_NEAR(motion_event(&motion, 0, SIM_SLIP)->t, t_1, 1e-8);
    double v_1 = F / (1.5 * m) * t_1,
           gone = mu * c * (t_2 - t_1) * (t_2 - t_1) / 2; // N s of friction
    CHECK_NEAR(motion_at(&motion, 3, "w.x'"), v_1 + (F * (3 - t_1) - gone) / m, 1e-7);
    CHECK_NEAR(motion_at(&motion, 3, "w.theta'"), -v_1 / r - 2 * gone / (m * r), 1e-6 / r);
    CHECK_NEAR(motion_at(&motion, 3, "N"), 0, 1e-12);
    assert_int_equal(motion.summary.events.n, 1);
  }
}

TEST(a_wheel_without_load_is_told) {
  for (int pulled = 0; pulled < 2; pulled++) {
    Motion m = motion_to_end(
        cx,
        text_format(&cx->keep,
                    "param g = 9.81, r = 0.1 [m]\ngravity (0, -g)\n"
                    "body w: disc r, mass 3, at = (0, r), angle = 0, velocity = (1, 0), spin = 0\n"
                    "joint road: rolling ground (0, 0), w (0, 0), radius r, friction 0.8\n"
                    "force w (0, 0) = (0, %d [N])\nsimulate to 1 [s] every 0.1 [s]\n",
                    pulled ? 40 : 20));
    assert_int_equal(cx->diagnostics.list.n, pulled);
    assert_true((fabs(motion_at(&m, 1, "w.theta'")) < 1e-12) == pulled);
    if (pulled)
      assert_string_equal(cx->diagnostics.list.at[0].message,
                          "nothing presses the wheel of joint 'road' on its line at the start: it "
                          "has no grip");
  }
}

RUN_TESTS(cmocka_unit_test(slide_on_an_incline), cmocka_unit_test(blows_turn_friction_round),
          cmocka_unit_test(arm_bounces_to_rest), cmocka_unit_test(two_coefficients),
          cmocka_unit_test(arm_in_a_bearing), cmocka_unit_test(load_from_nothing),
          cmocka_unit_test(joints_rest_together), cmocka_unit_test(self_locking_slide),
          cmocka_unit_test(wedge), cmocka_unit_test(wheel_with_a_limit_of_grip),
          cmocka_unit_test(wheel_pulled_up_has_no_grip),
          cmocka_unit_test(a_wheel_without_load_is_told),
          cmocka_unit_test(slider_crank_comes_to_rest),
          cmocka_unit_test(the_law_holds_with_much_friction))
