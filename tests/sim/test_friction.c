// Friction of contacts whose pressing force is an unknown: closed forms, energy, no creeping.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "support/motion.h"

static const double G = 9.81;

// Up an incline it slides to a stop; it stays where it is not too steep, else it slides back. By
// all methods, and as a body.
TEST(incline) {
  static const char *const methods[] = {"rk853", "rk45", "rk4(step = 0.01)", "bdf", "dae", "auto"};
  static const double slopes[] = {0.2, 0.5}, tolerances[] = {1e-8, 1e-7, 1e-8, 1e-5, 1e-5, 1e-7};
  for (size_t i = 0; i < 2; i++)
    for (size_t k = 0; k < 6; k++)
      for (int body = 0; body < 2; body++) {
        const char *energies = "coord x = 0, y = 0\ncoord x' = 3, y' = 0\n"
                               "kinetic = 1/2*m*(x'^2 + y'^2)\n"
                               "potential = m*g*(x*sin(a) + y*cos(a))\n"
                               "contact floor: y >= 0, friction mu, along x\n";
        const char *bodies =
            "gravity (-g*sin(a), -g*cos(a))\n"
            "body box: mass m, inertia 1 [kg*m^2], at = (0, 0), velocity = (3, 0)\n"
            "contact floor: box (0, 0), line (0, 0), friction mu\n";
        Motion m =
            motion_to_end(cx, text_format(&cx->keep,
                                          "param m = 2 [kg], g = 9.81 [m/s^2], a = %g, mu = 0.3\n%s"
                                          "simulate to 2 every 0.1 using %s\n",
                                          slopes[i], body ? bodies : energies, methods[k]));
        double a = slopes[i], up = G * (sin(a) + 0.3 * cos(a)), stop = 3 / up, top = 4.5 / up;
        double down = G * (sin(a) - 0.3 * cos(a)), left = 2 - stop;
        const char *x = body ? "box.x" : "x";
        double end = down > 0 ? top - down * left * left / 2 : top;
        CHECK_NEAR(motion_at(&m, 2, x), end, 10 * tolerances[k]);
        assert_int_equal(m.summary.events.n, 1);
        CHECK_NEAR(motion_event(&m, 0, down > 0 ? SIM_SLIP : SIM_STICK)->t, stop,
                   10 * tolerances[k]);
      }
}

// What holds more at rest than it gives while sliding.
TEST(two_coefficients) {
  Motion m =
      motion_to_end(cx, "param m = 2, g = 9.81, mu_s = 0.5, mu_k = 0.3, c = 4\n"
                        "coord x = 0, y = 0\nkinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*g*y\n"
                        "force x = c*t\ncontact floor: y >= 0, friction mu_s, mu_k, along x\n"
                        "output R = floor.R, N = floor.N\nsimulate to 4 every 0.1\n");
  double begin = 0.5 * 2 * G / 4, t = 4 - begin;
  CHECK_NEAR(motion_event(&m, 0, SIM_SLIP)->t, begin, 1e-8);
  CHECK_NEAR(motion_at(&m, 2, "R"), -8, 1e-10);
  CHECK_NEAR(motion_at(&m, 3, "R"), -0.3 * 2 * G, 1e-10);
  CHECK_NEAR(motion_at(&m, 4, "x"), (0.2 * G) * t * t / 2 + 4.0 / 2 * t * t * t / 6, 1e-8);
}

// An incline that is raised: what has rested slips where the angle is that of friction, whatever
// rounding has made of its rest.
TEST(raised_incline) {
  Random random = random_start("raised_incline");
  for (int k = 0; k < 30; k++) {
    double mass = random_real(&random, 0.5, 5), mu = random_real(&random, 0.2, 0.9);
    double w = random_real(&random, 0.2, 0.7), slip = atan(mu) / w;
    Motion m = motion_to_end(
        cx, text_format(&cx->keep,
                        "param m = %.17g [kg], mu = %.17g, w = %.17g [rad/s], g = 9.81 [m/s^2]\n"
                        "coord x = 0 [m], y = 0 [m]\nkinetic = m*(x'^2 + y'^2)/2\n"
                        "force x = m*g*sin(w*t)\nforce y = -m*g*cos(w*t)\n"
                        "contact slope: y >= 0, friction mu, along x\n"
                        "simulate to %.17g [s] every 0.1 [s] using rk853(rtol = 1e-%d)\n",
                        mass, mu, w, slip + 0.3, 8 + k % 4));
    assert_int_equal(m.summary.events.n, 1);
    CHECK_NEAR(motion_event(&m, 0, SIM_SLIP)->t, slip, 1e-8);
  }
}

// From sliding to rolling: the moment of momentum about the point below stays. A moving line
// carries the ball along.
TEST(ball_rolls_at_last) {
  Motion m = motion_to_end(
      cx, "param m = 6, R = 0.11, g = 9.81, mu = 0.2\ngravity (0, -g)\n"
          "body ball: mass m, inertia 2/5*m*R^2, at = (0, R), velocity = (5, 0), spin = 0\n"
          "contact floor: ball (0, 0), radius R, line (0, 0), friction mu\n"
          "simulate to 2 every 0.1\n");
  CHECK_NEAR(motion_event(&m, 0, SIM_STICK)->t, 2 * 5 / (7 * 0.2 * G), 1e-9);
  CHECK_NEAR(m.summary.work_friction, -6 * 5.0 * 5 / 7, 1e-8);
  CHECK_NEAR(m.summary.work_dissipation, 0, 0);
  assert_true(m.summary.penetration < 1e-14 && m.summary.pull == 0 && m.summary.grip < 1e-12);
  CHECK_NEAR(motion_at(&m, 2, "ball.x'"), 5 * 5.0 / 7, 1e-9);
  CHECK_NEAR(motion_at(&m, 2, "ball.theta'"), -5 * 5.0 / 7 / 0.11, 1e-8);
  m = motion_to_end(
      cx, "param m = 6, R = 0.11, g = 9.81, mu = 0.2, v = 2\ngravity (0, -g)\n"
          "body ball: mass m, inertia 2/5*m*R^2, at = (0, R), velocity = (0, 0), spin = 0\n"
          "contact belt: ball (0, 0), radius R, line (v*t, 0), friction mu\n"
          "simulate to 2 every 0.1\n");
  CHECK_NEAR(motion_at(&m, 2, "ball.x'"), 2 * 2.0 / 7, 1e-9);
}

// Down a cylinder it rolls, and leaves where it is lower by 3/7; without friction by 1/3.
TEST(disc_leaves_a_cylinder) {
  for (int rubs = 0; rubs < 2; rubs++) {
    Motion m = motion_to_end(
        cx, text_format(&cx->keep,
                        "param m = 1, r = 0.1, R = 0.4, g = 9.81, mu = %g, f = 0.05\n"
                        "gravity (0, -g)\nbody disc: mass m, disc r, at = ((R + r)*sin(f), "
                        "(R + r)*cos(f)), angle = 0, velocity = (0, 0), spin = 0\n"
                        "contact top: disc (0, 0), radius r, circle (0, 0), ring R, friction mu\n"
                        "output height = disc.y/(R + r)\n"
                        "measure left = last(height, top.N > 0)\nsimulate to 1.1 every 0.01\n",
                        rubs ? 1e7 : 0)); // it slips where N falls below R/mu
    CHECK_NEAR(m.summary.measures[0], (rubs ? 4.0 / 7 : 2.0 / 3) * cos(0.05), 1e-8);
  }
}

// Thrown with spin: every bounce takes the same from sliding and turning, until it rolls.
TEST(disc_lands_spinning) {
  Motion m =
      motion_to_end(cx, "param m = 1, R = 0.1, g = 9.81, mu = 0.3\ngravity (0, -g)\n"
                        "body disc: mass m, disc R, at = (0, 0.5), velocity = (1, 0), spin = 60\n"
                        "contact floor: disc (0, 0), radius R, line (0, 0), restitution 0.5, "
                        "friction mu\nsimulate to 3 every 0.05\n");
  double u = sqrt(2 * G * 0.4);
  const SimEvent *first = motion_event(&m, 0, SIM_IMPACT);
  CHECK_NEAR(first->t, u / G, 1e-9);
  CHECK_NEAR(first->after, -0.5 * u, 1e-9);
  // the first bounce slides: p_T = mu (1 + e) m u
  CHECK_NEAR(motion_at(&m, 0.4, "disc.x'"), 1 - 0.3 * 1.5 * u, 1e-9);
  CHECK_NEAR(motion_at(&m, 3, "disc.x'"), (1 - 0.5 * 0.1 * 60) * 2 / 3, 1e-9);
}

// ---- A ladder, against equations by hand

typedef struct Ladder {
  double phi, rate, wall; // angle with the floor; force of the wall
} Ladder;

// phi'' with both ends sliding, by Cramer's rule; N2 is the wall's.
static double ladder_bend(double phi, double rate, double mu, double L, double m, double *N2) {
  double s = sin(phi), c = cos(phi), h = L / 2, J = m * L * L / 12;
  // m x'' = N2 - mu N1, m y'' = N1 + mu N2 - m g, -J phi'' = h (N1 (c - mu s) - N2 (s + mu c))
  double k = 1 / (1 + mu * mu), ax = -h * c * rate * rate, ay = -h * s * rate * rate + G;
  // N2 = k m (x'' + mu (y'' + g)), N1 = k m ((y'' + g) - mu x''); each a + b phi''
  double a2 = k * m * (ax + mu * ay), b2 = k * m * (-h * s + mu * h * c);
  double a1 = k * m * (ay - mu * ax), b1 = k * m * (h * c + mu * h * s);
  double p = c - mu * s, r = s + mu * c;
  double bend = -h * (a1 * p - a2 * r) / (J + h * (b1 * p - b2 * r));
  *N2 = a2 + b2 * bend;
  return bend;
}

static Ladder ladder_step(Ladder l, double dt, double mu, double L, double m) {
  double N2, k1, k2, k3, k4, v1 = l.rate, v2, v3, v4;
  k1 = ladder_bend(l.phi, v1, mu, L, m, &N2), v2 = l.rate + dt / 2 * k1;
  k2 = ladder_bend(l.phi + dt / 2 * v1, v2, mu, L, m, &N2), v3 = l.rate + dt / 2 * k2;
  k3 = ladder_bend(l.phi + dt / 2 * v2, v3, mu, L, m, &N2), v4 = l.rate + dt * k3;
  k4 = ladder_bend(l.phi + dt * v3, v4, mu, L, m, &N2);
  l.phi += dt / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
  l.rate += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  ladder_bend(l.phi, l.rate, mu, L, m, &l.wall);
  return l;
}

TEST(ladder_leaves_the_wall) {
  for (int i = 0; i < 3; i++) {
    double mu = 0.08 * i, dt = 1e-4, t = 0;
    Ladder l = {.phi = M_PI / 3, .wall = 1}, before = l;
    for (; l.wall > 0; t += dt) before = l, l = ladder_step(l, dt, mu, 4, 10);
    // the last step, as long as the wall presses
    double low = 0, high = dt;
    for (int k = 0; k < 60; k++) {
      double middle = (low + high) / 2;
      if (ladder_step(before, middle, mu, 4, 10).wall > 0)
        low = middle;
      else
        high = middle;
    }
    Motion m = motion_to_end(
        cx, text_format(&cx->keep,
                        "param m = 10, L = 4, g = 9.81, mu = %g, phi = pi/3\ngravity (0, -g)\n"
                        "body lad: mass m, rod L, at = (L/2*cos(phi), L/2*sin(phi)), "
                        "angle = pi - phi, velocity = (0, 0), spin = 0\n"
                        "contact floor: lad (-L/2, 0), line (0, 0), axis 0%s\n"
                        "contact wall: lad (L/2, 0), line (0, 0), axis -pi/2%s\n"
                        "simulate to 1 every 0.05\n",
                        mu, i ? ", friction mu" : "", i ? ", friction mu" : ""));
    CHECK_NEAR(motion_event(&m, 0, SIM_RELEASE)->t, t - dt + low, 1e-8);
    assert_true(m.summary.energy_drift < 1e-7);
  }
}

// A wall that is left without haste is left once, also by methods that see the gap less exactly.
TEST(leaves_once) {
  static const char *const methods[] = {"bdf", "dae", "alpha(step = 0.001)", "rk45"};
  for (int rubs = 0; rubs < 2; rubs++)
    for (size_t i = 0; i < 4; i++) {
      Motion m = motion_to_end(
          cx, text_format(&cx->keep,
                          "param m = 10, L = 4, g = 9.81, mu = 0.15, phi = pi/3\ngravity (0, -g)\n"
                          "body lad: mass m, rod L, at = (L/2*cos(phi), L/2*sin(phi)), "
                          "angle = pi - phi, velocity = (0, 0), spin = 0\n"
                          "contact floor: lad (-L/2, 0), line (0, 0), axis 0%s\n"
                          "contact wall: lad (L/2, 0), line (0, 0), axis -pi/2%s\n"
                          "output unused = mu\nsimulate to 1 every 0.25 using %s\n",
                          rubs ? ", friction mu" : "", rubs ? ", friction mu" : "", methods[i]));
      assert_int_equal(m.summary.events.n, 1);
      CHECK_NEAR(motion_event(&m, 0, SIM_RELEASE)->t, rubs ? 0.946979 : 0.650061, 1e-5);
    }
}

// ---- Boxes

static const char *box_text(Context *cx, const char *rest, double mu) {
  return text_format(
      &cx->keep,
      "param m = 10, a = 0.4, b = 0.3, g = 9.81, mu = %g\ngravity (0, -g)\n"
      "body box: mass m, plate (2*a, 2*b), at = (0, b), angle = 0, velocity = (0, 0), "
      "spin = 0\ncontact left: box (-a, -b), line (0, 0), friction mu\n"
      "contact right: box (a, -b), line (0, 0), friction mu\n%s",
      mu, rest);
}

// Two feet share their load: both hold until their friction together is too little, wherever the
// push attacks; then it slides.
TEST(pushed_box_slides) {
  static const double heights[] = {-0.2, -0.1, 0};
  for (size_t i = 0; i < 3; i++) {
    Motion m = motion_to_end(cx, box_text(cx,
                                          text_format(&cx->keep,
                                                      "force box (0, %g) = (60 [N/s]*t, 0)\n"
                                                      "simulate to 1.5 every 0.1\n",
                                                      heights[i]),
                                          0.4));
    double begin = 0.4 * 10 * G / 60, t = 1.5 - begin;
    CHECK_NEAR(motion_event(&m, 0, SIM_SLIP)->t, begin, 1e-8);
    assert_int_equal(m.summary.events.n, 2);
    CHECK_NEAR(motion_at(&m, 1.5, "box.x"), 6 * t * t * t / 6, 1e-8);
    assert_true(fabs(motion_at(&m, 0.6, "box.x")) < 1e-14);
  }
}

// Pushed high up it tips before it slides.
TEST(pushed_box_tips) {
  Motion m = motion_to_end(cx, box_text(cx,
                                        "force box (0, 0.3 [m]) = (60 [N/s]*t, 0)\n"
                                        "simulate to 1.2 every 0.1\n",
                                        0.9));
  // moment about the right foot: P t 2 b = m g a
  CHECK_NEAR(motion_event(&m, 0, SIM_RELEASE)->t, 10 * G * 0.4 / (2 * 0.3) / 60, 1e-8);
  assert_true(motion_at(&m, 1.2, "box.theta") < -1e-6);
}

// Housner: a block that rocks without slipping keeps 1 - 3/2 sin^2 of its spin at every blow.
TEST(rocking_block) {
  Motion m = motion_to_end(
      cx, "param m = 10, a = 0.1, b = 0.4, g = 9.81, mu = 1, f = 0.1\ngravity (0, -g)\n"
          "body box: mass m, plate (2*a, 2*b), at = (0, a*sin(f) + b*cos(f)), angle = f, "
          "velocity = (0, 0), spin = 0\n"
          "contact left: box (-a, -b), line (0, 0), friction mu\n"
          "contact right: box (a, -b), line (0, 0), friction mu\n"
          "simulate to 3 every 0.05 using rk853(rtol = 1e-12)\n");
  double keeps = 1 - 1.5 * 0.01 / 0.17, last = 0;
  int blows = 0;
  for (uint32_t i = 0; i < m.summary.events.n; i++) {
    const SimEvent *e = &m.summary.events.at[i];
    if (e->kind != SIM_IMPACT) continue;
    if (last > 0) CHECK_NEAR(e->before / last, keeps, 1e-8);
    last = e->before;
    blows++;
  }
  assert_true(blows > 8);
}

// A stack does not creep.
TEST(stack_stands) {
  Motion m = motion_to_end(
      cx, "count N = 4\nparam m = 1, a = 0.2, b = 0.1, g = 9.81, mu = 0.4\ngravity (0, -g)\n"
          "for i in 1..N\n  body box[i]: mass m, plate (2*a, 2*b), at = (0, (2*i - 1)*b), "
          "angle = 0, velocity = (0, 0), spin = 0\nend\n"
          "contact left: box[1] (-a, -b), line (0, 0), friction mu\n"
          "contact right: box[1] (a, -b), line (0, 0), friction mu\n"
          "for i in 2..N\n  let d[i] = box[i].theta - box[i-1].theta\n"
          "  let h[i] = (box[i].y - box[i-1].y)*cos(box[i-1].theta) - (box[i].x - box[i-1].x)*"
          "sin(box[i-1].theta) - b*cos(d[i])\n"
          "  contact l[i]: h[i] - a*sin(d[i]) >= b, friction mu, along box[i].x - box[i-1].x\n"
          "  contact r[i]: h[i] + a*sin(d[i]) >= b, friction mu, along box[i].x - box[i-1].x\nend\n"
          "simulate to 20 every 1\n");
  assert_int_equal(m.summary.events.n, 0);
  static const char *const names[] = {"x", "y", "theta"};
  for (int i = 1; i <= 4; i++)
    for (int k = 0; k < 3; k++) {
      const char *column = text_format(&cx->keep, "box[%d].%s", i, names[k]);
      CHECK_NEAR(motion_at(&m, 20, column), motion_at(&m, 0, column), 1e-11);
    }
}

// A spring pulls a sled that is shaken: under every method the same contacts hold and give way.
TEST(every_method_lets_go) {
  static const char *const methods[] = {"rk45", "rk4(step = 0.001)", "bdf", "dae",
                                        "alpha(step = 0.0005)"};
  Random random = random_start("every_method_lets_go");
  for (int round = 0; round < test_rounds(6); round++) {
    double mu = random_real(&random, 0.2, 0.5);
    const char *text = text_format(
        &cx->keep,
        "param m = 2, g = 9.81, mu_s = %.17g, mu_k = %.17g, F = %.17g, w = %.17g, k = %.17g\n"
        "gravity (0, -g)\nbody box: mass m, plate (0.3, 0.1), at = (0, 0.05), angle = 0, velocity "
        "= "
        "(0, 0), spin = 0\n"
        "contact a: box (-0.15, -0.05), line (0, 0), friction mu_s, mu_k\n"
        "contact b: box (0.15, -0.05), line (0, 0), friction mu_s, mu_k\n"
        "force box (0, 0) = (F*sin(w*t) - k*box.x, 0)\nsimulate to 3 every 0.01 using %%s\n",
        mu * random_real(&random, 1, 1.4), mu, mu * 2 * G * random_real(&random, 1.5, 2.5),
        random_real(&random, 2, 8), random_real(&random, 0, 50));
    Motion truth = motion_to_end(cx, text_format(&cx->keep, text, "rk853(rtol = 1e-11)"));
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
      Motion m = motion_to_end(cx, text_format(&cx->keep, text, methods[i]));
      assert_int_equal(m.summary.events.n, truth.summary.events.n);
      for (uint32_t k = 0; k < m.summary.events.n; k++) {
        const SimEvent *a = &truth.summary.events.at[k], *b = &m.summary.events.at[k];
        assert_true(a->kind == b->kind && a->number == b->number);
        CHECK_NEAR(a->t, b->t, 1e-4);
      }
    }
  }
}

// Two blocks on top of each other where all coordinates are 0: at rest nothing has a size.
TEST(every_method_begins_at_rest) {
  static const char *const methods[] = {"rk853",
                                        "rk45",
                                        "rk4(step = 0.01)",
                                        "bdf",
                                        "dae",
                                        "alpha(step = 0.01)",
                                        "alpha(step = 0.001)"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    Motion m = motion_to_end(
        cx,
        text_format(&cx->keep,
                    "param m_1 = 3, m_2 = 2, g = 9.81\ncoord x_1 = 0, x_2 = 0, y_1 = 0, y_2 = 0\n"
                    "kinetic = 1/2*m_1*(x_1'^2 + y_1'^2) + 1/2*m_2*(x_2'^2 + y_2'^2)\n"
                    "potential = m_1*g*y_1 + m_2*g*y_2\nforce x_1 = 5*t\n"
                    "contact floor: y_1 >= 0, friction 0.2, along x_1\n"
                    "contact top: y_2 >= y_1, friction 0.4, along x_2 - x_1\n"
                    "simulate to 6.5 every 0.01 using %s\n",
                    methods[i]));
    assert_int_equal(m.summary.events.n, 2);
    CHECK_NEAR(motion_event(&m, 0, SIM_SLIP)->t, 0.2 * 5 * G / 5, 1e-8);
    // both slide: 0.4 g m_2 = m_2 a, 5 t - 0.2 g (m_1 + m_2) - 0.4 g m_2 = m_1 a
    CHECK_NEAR(motion_event(&m, 1, SIM_SLIP)->t, (0.4 * G * 5 + 0.2 * G * 5) / 5, 1e-6);
  }
}

// A box on more feet than it needs, on a floor that shakes: as many steps as on two feet, by every
// explicit method, and the same motion.
TEST(many_feet_cost_no_steps) {
  static const char *const methods[] = {"rk853", "rk45"};
  for (size_t k = 0; k < 2; k++) {
    Motion m[2];
    for (int many = 0; many < 2; many++) {
      Text text = text_new(&cx->keep);
      text_add(&text,
               "param m = 2, g = 9.81, mu = 0.3, w = 9\ngravity (0, -g)\n"
               "body box: plate (0.4, 0.2), mass m, at = (0, 0.1), angle = 0, velocity = (0, "
               "0), spin = 0\nlet s = (0.06 [m])*sin(w*t)\n");
      for (int i = 0; i < 5; i++)
        if (many || i % 4 == 0)
          text_addf(&text, "contact c_%d: box (%g, -0.1), line (s, 0), friction mu\n", i,
                    0.1 * i - 0.2);
      text_addf(&text, "simulate to 2 every 0.01 using %s\n", methods[k]);
      m[many] = motion_to_end(cx, text.at);
    }
    CHECK_NEAR(motion_at(&m[1], 2, "box.x"), motion_at(&m[0], 2, "box.x"), 1e-7);
    assert_true(m[1].summary.evaluations < 3 * m[0].summary.evaluations);
  }
}

// ---- Energy

// Boxes thrown at random onto a slope: no energy is made, and no corner passes through.
TEST(thrown_at_random) {
  Random random = random_start("thrown_at_random");
  for (int round = 0; round < 12; round++) {
    double mu = random_real(&random, 0, 1), e = random_real(&random, 0, 0.9);
    double slope = random_real(&random, -0.4, 0.4);
    static const double corners[4][2] = {{-0.3, -0.2}, {0.3, -0.2}, {0.3, 0.2}, {-0.3, 0.2}};
    Text model = text_new(&cx->keep);
    text_addf(&model,
              "param m = 2, g = 9.81, mu = %g, e = %g, s = %.17g\ngravity (0, -g)\n"
              "body box: mass m, plate (0.6, 0.4), at = (0, 1), angle = %g, velocity = (%g, %g), "
              "spin = %g\n",
              mu, e, slope, random_real(&random, -3, 3), random_real(&random, -2, 2),
              random_real(&random, -2, 0), random_real(&random, -5, 5));
    for (int i = 0; i < 4; i++)
      text_addf(&model,
                "contact c_%d: box (%g, %g), line (0, 0), axis s, friction mu, restitution e\n", i,
                corners[i][0], corners[i][1]);
    text_add(&model, "simulate to 2 every 0.01\n");
    Motion m = motion_to_end(cx, model.at);
    if (!(m.summary.energy_drift < 1e-6)) print_message("%s\n", model.at);
    assert_true(m.summary.energy_drift < 1e-6);
    double start = motion_at(&m, 0, "E_tot"), last = start;
    for (double t = 0; t < 2.005; t += 0.01) {
      double E = motion_at(&m, t, "E_tot");
      assert_true(E <= last + 1e-7 * fabs(start));
      last = E;
      double x = motion_at(&m, t, "box.x"), y = motion_at(&m, t, "box.y"),
             angle = motion_at(&m, t, "box.theta");
      for (int i = 0; i < 4; i++) {
        double px = x + cos(angle) * corners[i][0] - sin(angle) * corners[i][1];
        double py = y + sin(angle) * corners[i][0] + cos(angle) * corners[i][1];
        double depth = py * cos(slope) - px * sin(slope);
        if (!(depth > -1e-8)) print_message("%s\nt %g corner %d depth %g\n", model.at, t, i, depth);
        assert_true(depth > -1e-8);
      }
    }
  }
}

// ---- Where friction has no answer

TEST(jams) {
  const char *jam = "param m = 1, L = 1, g = 9.81, mu = 2, f = 1.0472\ngravity (0, -g)\n"
                    "body rod: mass m, rod L, at = (L/2*cos(f), L/2*sin(f)), angle = f, "
                    "velocity = (-2, 0), spin = 0\n"
                    "contact floor: rod (-L/2, 0), line (0, 0), friction mu\n"
                    "simulate to 0.2 every 0.05\n";
  Motion m = motion_load(cx, jam, NULL);
  motion_run(&m);
  assert_int_equal(m.status, QDOT_INCONSISTENT);
}

// Where sliding is impossible, what slides by next to nothing beside a body that moves is stopped:
// it turns about its foot, as from rest.
TEST(slow_slides_do_not_jam) {
  static const char *const speeds[] = {"0", "-1e-8", "-1e-7", "-1e-3"};
  double theta = 0;
  for (int i = 0; i < 4; i++) {
    Motion m = motion_load(
        cx,
        text_format(
            &cx->keep,
            "param m = 1, L = 1, g = 9.81, mu = 2, f = 1.0472\ngravity (0, -g)\n"
            "body rod: mass m, rod L, at = (L/2*cos(f), L/2*sin(f)), angle = f, "
            "velocity = (%s, 0), spin = 0\nbody other: mass 1, point, at = (5, 5), velocity "
            "= (3, 0)\ncontact floor: rod (-L/2, 0), line (0, 0), friction mu\n"
            "simulate to 0.2 every 0.05\n",
            speeds[i]),
        NULL);
    motion_run(&m);
    assert_int_equal(m.status, i < 3 ? QDOT_OK : QDOT_INCONSISTENT);
    if (i == 0) theta = motion_at(&m, 0.2, "rod.theta");
    if (i < 3) CHECK_NEAR(motion_at(&m, 0.2, "rod.theta"), theta, 1e-7);
  }
}

RUN_TESTS(cmocka_unit_test(slow_slides_do_not_jam), cmocka_unit_test(many_feet_cost_no_steps),
          cmocka_unit_test(incline), cmocka_unit_test(raised_incline),
          cmocka_unit_test(two_coefficients), cmocka_unit_test(ball_rolls_at_last),
          cmocka_unit_test(disc_leaves_a_cylinder), cmocka_unit_test(disc_lands_spinning),
          cmocka_unit_test(ladder_leaves_the_wall), cmocka_unit_test(leaves_once),
          cmocka_unit_test(pushed_box_slides), cmocka_unit_test(pushed_box_tips),
          cmocka_unit_test(rocking_block), cmocka_unit_test(stack_stands),
          cmocka_unit_test(every_method_lets_go), cmocka_unit_test(every_method_begins_at_rest),
          cmocka_unit_test(thrown_at_random), cmocka_unit_test(jams))
