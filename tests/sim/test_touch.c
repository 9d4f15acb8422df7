// Contacts between two bodies: lines and circles that move, with friction.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

static const Formulation all[] = {FORMULATION_LAGRANGE, FORMULATION_NEWTON_EULER,
                                  FORMULATION_MAXIMAL, FORMULATION_NATURAL};

// A box slides on a plank that slides without friction, until both have one velocity.
TEST(box_on_plank) {
  for (size_t i = 0; i < 4; i++) {
    Motion m = motion_load_as(
        cx,
        "param g = 9.81, m = 1, M = 3, mu = 0.3, a = 0.1, b = 0.05, c = 0.02\ngravity (0, -g)\n"
        "body plank: plate (2, 2*c), mass M, at = (0, c), angle = 0, velocity = (0, 0), spin = 0\n"
        "joint rail: prismatic ground (0, c), plank (0, 0), axis 0\n"
        "body box: plate (2*a, 2*b), mass m, at = (0, 2*c + b), angle = 0, velocity = (3, 0), "
        "spin = 0\n"
        "contact left: box (-a, -b), line plank (0, c), axis 0, friction mu\n"
        "contact right: box (a, -b), line plank (0, c), axis 0, friction mu\n"
        "simulate to 2 every 0.1\n",
        NULL, all[i]);
    motion_run(&m);
    assert_int_equal(m.status, QDOT_OK);
    double t = 3 / (0.3 * 9.81 * (1 + 1.0 / 3));
    CHECK_NEAR(motion_event(&m, 0, SIM_STICK)->t, t, 1e-9);
    CHECK_NEAR(m.summary.work_friction, -0.5 * 0.75 * 9, 1e-9);
    assert_true(m.summary.energy_drift < 1e-9);
  }
}

// A disc thrown onto a plank that is free to slide: it slips, then rolls on it. Momentum of both,
// and the moment of the disc about where it touches, stay as they are.
TEST(disc_rolls_on_plank) {
  const double v0 = 4, m1 = 2, M = 5, spin0 = 30, R = 0.15;
  Motion m = motion_to_end(
      cx, "param g = 9.81, mu = 0.2, R = 0.15\ngravity (0, -g)\n"
          "body plank: plate (9, 0.02), mass 5, at = (0, 0), angle = 0, velocity = (0, 0), spin "
          "= 0\njoint rail: prismatic ground (0, 0), plank (0, 0), axis 0\n"
          "body disc: disc R, mass 2, at = (0, 0.01 + R), angle = 0, velocity = (4, 0), spin = "
          "30\ncontact rub: disc (0, 0), radius R, line plank (0, 0.01), axis 0, friction mu\n"
          "simulate to 3 every 0.1\n");
  // impulse I on the disc: v = v0 + I/m, w = w0 + I R/J, V = -I/M, v + R w = V
  double J = m1 * R * R / 2, I = -(v0 + R * spin0) / (1 / m1 + R * R / J + 1 / M);
  CHECK_NEAR(motion_at(&m, 3, "disc.x'"), v0 + I / m1, 1e-9);
  CHECK_NEAR(motion_at(&m, 3, "disc.theta'"), spin0 + I * R / J, 1e-7);
  CHECK_NEAR(motion_event(&m, 0, SIM_STICK)->t, -I / (0.2 * m1 * 9.81), 1e-9);
}

// Two free discs strike each other askew: the impulse of a textbook, with and without slip.
TEST(discs_strike) {
  Random random = random_start("discs_strike"), *draw = &random;
  for (int i = 0; i < test_rounds(40); i++) {
    double mu = random_real(draw, 0, 0.8), e = random_real(draw, 0, 1),
           w1 = random_real(draw, -20, 20);
    double w2 = random_real(draw, -20, 20), y = random_real(draw, -0.25, 0.25);
    double m1 = random_real(draw, 0.5, 3), m2 = random_real(draw, 0.5, 3), R1 = 0.1, R2 = 0.2;
    Motion m = motion_to_end(
        cx, text_format(&cx->keep,
                        "body a: disc 0.1, mass %.17g, at = (-1, %.17g), velocity = (2, 0), spin = "
                        "%.17g, angle = 0\nbody b: disc 0.2, mass %.17g, at = (0, 0), velocity = "
                        "(0, 0), spin = %.17g, angle = 0\ncontact hit: a (0, 0), radius 0.1, "
                        "circle b (0, 0), ring 0.2, restitution %.17g, friction %.17g\n"
                        "simulate to 1 every 0.5\n",
                        m1, y, w1, m2, w2, e, mu));
    double x = -sqrt(0.09 - y * y), nx = x / 0.3, ny = y / 0.3, tx = ny, ty = -nx;
    double un = 2 * nx, ut = 2 * tx + R1 * w1 + R2 * w2, J1 = m1 * R1 * R1 / 2,
           J2 = m2 * R2 * R2 / 2;
    double p = -(1 + e) * un / (1 / m1 + 1 / m2);
    double r = -ut / (1 / m1 + 1 / m2 + R1 * R1 / J1 + R2 * R2 / J2);
    r = fmax(-mu * p, fmin(mu * p, r));
    CHECK_NEAR(motion_at(&m, 1, "a.x'"), 2 + (p * nx + r * tx) / m1, 1e-9);
    CHECK_NEAR(motion_at(&m, 1, "a.y'"), (p * ny + r * ty) / m1, 1e-9);
    CHECK_NEAR(motion_at(&m, 1, "b.y'"), -(p * ny + r * ty) / m2, 1e-9);
    CHECK_NEAR(motion_at(&m, 1, "a.theta'"), w1 + r * R1 / J1, 1e-7);
    CHECK_NEAR(motion_at(&m, 1, "b.theta'"), w2 + r * R2 / J2, 1e-7);
    assert_true(m.summary.impact_gain == 0);
  }
}

// A free body rubs along the tilted edge of another: what one gives, the other takes.
TEST(momentum_stays) {
  Random random = random_start("momentum_stays"), *draw = &random;
  for (int i = 0; i < test_rounds(10); i++) {
    double axis = random_real(draw, -0.7, 0.7), spin = random_real(draw, -0.3, 0.3);
    Motion m = motion_to_end(
        cx, text_format(&cx->keep,
                        "param s = %.17g\n"
                        "body a: mass 1, inertia 0.1, at = (0, 0), angle = 0, velocity = (0, 0), "
                        "spin = %.17g\nbody b: mass 2, inertia 0.3, at = (0.3, 0.1), angle = 0, "
                        "velocity = (%.17g, 0), spin = 0\n"
                        "contact rub: a (0, 0), radius 0.2, line b (0, 0), axis s, restitution "
                        "0.3, friction 0.4\n"
                        "spring k: a (0, 0), b (0, 0), stiffness 20, length 0.1\n"
                        "output P = a.x' + 2*b.x', L = a.x*a.y' - a.y*a.x' + 2*(b.x*b.y' - "
                        "b.y*b.x') + 0.1 [m^2]*a.theta' + 0.3 [m^2]*b.theta'\nsimulate to 1 every "
                        "0.5 using rk853(rtol = 1e-12, atol = 1e-12)\n",
                        axis + 1.9, spin, random_real(draw, -1, 1)));
    CHECK_NEAR(motion_at(&m, 1, "P"), motion_at(&m, 0, "P"), 1e-9);
    CHECK_NEAR(motion_at(&m, 1, "L"), motion_at(&m, 0, "L"), 1e-9);
    assert_true(m.summary.impact_gain == 0);
  }
}

// Ten boxes stand on each other for a minute and do not creep.
TEST(boxes_stand) {
  enum { BOXES = 10 };
  Motion m = motion_to_end(
      cx,
      text_format(
          &cx->keep,
          "count N = %d\nparam a = 0.2, b = 0.1, mu = 0.5, g = 9.81\ngravity (0, -g)\n"
          "for i in 1..N\n  body box[i]: plate (2*a, 2*b), mass 1, at = (0, (2*i - 1)*b), angle = "
          "0, velocity = (0, 0), spin = 0\nend\n"
          "contact l[1]: box[1] (-a, -b), line (0, 0), friction mu\n"
          "contact r[1]: box[1] (a, -b), line (0, 0), friction mu\n"
          "for i in 2..N\n"
          "  contact l[i]: box[i] (-a, -b), line box[i-1] (0, b), axis 0, friction mu\n"
          "  contact r[i]: box[i] (a, -b), line box[i-1] (0, b), axis 0, friction mu\nend\n"
          "simulate to 60 every 2\n",
          BOXES));
  for (int i = 1; i <= BOXES; i++) {
    const char *x = text_format(&cx->keep, "box[%d].x", i),
               *y = text_format(&cx->keep, "box[%d].y", i);
    CHECK_NEAR(motion_at(&m, 60, x), 0, 1e-10);
    CHECK_NEAR(motion_at(&m, 60, y), (2 * i - 1) * 0.1, 1e-10);
  }
}

// Discs of any size fall into a funnel: none goes into another, and no impact makes energy.
TEST(poured_at_random) {
  Random random = random_start("poured_at_random"), *draw = &random;
  for (int i = 0; i < test_rounds(4); i++) {
    int n = 2 + random_below(draw, 2);
    Text text = text_new(&cx->keep);
    text_addf(&text, "param g = 9.81, mu = %.17g, e = %.17g\ngravity (0, -g)\n",
              random_real(draw, 0, 0.8), random_real(draw, 0, 0.7));
    double y = 0.6, radius[4];
    for (int k = 0; k < n; k++) {
      radius[k] = random_real(draw, 0.03, 0.08);
      y += 0.2;
      text_addf(&text,
                "body d_%d: disc %.17g, mass %.17g, at = (%.17g, %.17g), angle = 0, velocity = "
                "(%.17g, 0), spin = %.17g\n",
                k, radius[k], random_real(draw, 0.5, 2), random_real(draw, -0.2, 0.2), y,
                random_real(draw, -0.5, 0.5), random_real(draw, -20, 20));
      for (int side = -1; side < 2; side += 2)
        text_addf(&text,
                  "contact w_%d_%d: d_%d (0, 0), radius %.17g, line (0, 0), axis %g, restitution "
                  "e, friction mu\n",
                  k, side > 0, k, radius[k], side * 0.8);
      for (int j = 0; j < k; j++)
        text_addf(&text,
                  "contact c_%d_%d: d_%d (0, 0), radius %.17g, circle d_%d (0, 0), ring %.17g, "
                  "restitution e, friction mu\n",
                  k, j, k, radius[k], j, radius[j]);
    }
    text_add(&text, "simulate to 1 every 0.1\n");
    Motion m = motion_to_end(cx, text.at);
    assert_true(m.summary.penetration < 1e-10 && m.summary.impact_gain == 0);
    assert_true(m.summary.grip < 1e-8 && m.summary.energy_drift < 1e-7);
  }
}

RUN_TESTS(cmocka_unit_test(box_on_plank), cmocka_unit_test(disc_rolls_on_plank),
          cmocka_unit_test(discs_strike), cmocka_unit_test(momentum_stays),
          cmocka_unit_test(boxes_stand), cmocka_unit_test(poured_at_random))
