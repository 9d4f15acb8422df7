// Drawers: plates between two rails, which touch them at four corners; by hand, two of them carry.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

typedef struct Drawer {
  double w, l, m, e; // width and length; pulled at the distance e from its middle
  double mu_rest, mu, F, v;
} Drawer;

static Drawer random_drawer(Random *random) {
  Drawer d = {.w = random_real(random, 0.2, 1), .l = random_real(random, 0.1, 0.8)};
  d.m = random_real(random, 0.5, 9);
  d.e = random_real(random, -1.5, 1.5) * d.w;
  // where the diagonal lies within the cones of friction, it could be jammed by any force
  d.mu_rest = random_real(random, 0.05, 0.95) * d.l / d.w;
  d.mu = random_below(random, 2) ? d.mu_rest : d.mu_rest * random_real(random, 0.5, 1);
  d.F = random_real(random, 2, 80) * (random_below(random, 2) ? 1 : -1);
  d.v = random_real(random, -2, 2);
  return d;
}

static const char *text_of(Context *cx, const Drawer *d, const char *pull) {
  return text_format(
      &cx->keep,
      "param w = %.17g [m], l = %.17g [m], mu_s = %.17g, mu_k = %.17g\n"
      "body d: plate (l, w), mass %.17g [kg], at = (0, 0), angle = 0, velocity = (%.17g [m/s], 0), "
      "spin = 0\n"
      "contact a1: d (-l/2, w/2), line (0, w/2), axis 180 [deg], friction mu_s, mu_k\n"
      "contact a2: d (l/2, w/2), line (0, w/2), axis 180 [deg], friction mu_s, mu_k\n"
      "contact b1: d (-l/2, -w/2), line (0, -w/2), friction mu_s, mu_k\n"
      "contact b2: d (l/2, -w/2), line (0, -w/2), friction mu_s, mu_k\n"
      "force d (l/2, %.17g [m]) = (%.17g [N]%s, 0)\nsimulate to 1 [s] every 0.1 [s]",
      d->w, d->l, d->mu_rest, d->mu, d->m, d->v, d->e, d->F, pull);
}

// Of the pull, this part is friction: 2 mu N with N l = F e.
static double rubs_away(const Drawer *d, double mu) { return 2 * mu * fabs(d->e) / d->l; }

// Where a drawer is 1 s later that was thrown in its guides and is pulled by F: where it comes to
// rest it stays, if friction at rest takes all of the pull.
static double way_by_hand(const Drawer *d) {
  double helps = d->v * d->F > 0 ? 1 : -1;
  double a = d->F / d->m * (1 - helps * rubs_away(d, d->mu)), stops = -d->v / a;
  if (!(stops > 0 && stops < 1)) return d->v + a / 2;
  double left = rubs_away(d, d->mu_rest) < 1 ? 1 - stops : 0;
  return d->v * stops / 2 + d->F / d->m * (1 - rubs_away(d, d->mu)) * left * left / 2;
}

TEST(drawers_stop_and_lock) {
  Random random = random_start("drawers_stop_and_lock");
  for (int round = 0; round < 60; round++) {
    Drawer d = random_drawer(&random);
    Motion m = motion_to_end(cx, text_of(cx, &d, ""));
    assert_int_equal(m.summary.impacts_softened, 0);
    CHECK_NEAR(motion_at(&m, 1, "d.x"), way_by_hand(&d), 1e-6);
  }
}

// A pull that grows from nothing moves what a constant one would: guides without play do not press
// unless they are pressed.
TEST(drawers_are_pulled_from_nothing) {
  Random random = random_start("drawers_are_pulled_from_nothing");
  const char *methods[] = {"", " using rk4(step = 0.01)"};
  int moved = 0;
  for (int round = 0; round < 40; round++) {
    Drawer d = random_drawer(&random);
    d.v = 0;
    double locks = rubs_away(&d, d.mu_rest) >= 1;
    Motion m = motion_to_end(
        cx, text_format(&cx->keep, "%s%s", text_of(cx, &d, "*t/(1 [s])"), methods[round % 4 == 3]));
    double way = locks ? 0 : d.F / d.m * (1 - rubs_away(&d, d.mu)) / 6;
    moved += way != 0;
    CHECK_NEAR(motion_at(&m, 1, "d.x"), way, 1e-6);
  }
  assert_true(moved > 5 && moved < 35);
}

// One with a weight W stands on its lower guide. It slides at mu W, or tips before, at
// F (e + w/2) = W l/2, and goes on between a1 and b2 at F (1 - 2 mu e/l) = mu^2 W w/l.
TEST(heavy_drawers_tip_and_slip) {
  Random random = random_start("heavy_drawers_tip_and_slip");
  int tipped = 0, slipped = 0;
  for (int round = 0; round < 40; round++) {
    Drawer d = random_drawer(&random);
    d.v = 0, d.mu = d.mu_rest, d.e = fabs(d.e);
    double W = d.m * 9.81, tips = W * d.l / 2 / (d.e + d.w / 2), left = 1 - rubs_away(&d, d.mu);
    bool slides = d.mu * W < tips;
    double at = slides     ? d.mu * W
                : left > 0 ? fmax(tips, d.mu * d.mu * W * d.w / d.l / left)
                           : INFINITY;
    if (fabs(d.mu * W / tips - 1) < 0.01) continue;
    d.F = at < INFINITY ? 2 * at : 5 * W;
    Motion m = motion_to_end(cx, text_format(&cx->keep, "%s\ngravity (0, -9.81 [m/s^2])\n",
                                             text_of(cx, &d, "*t/(1 [s])")));
    tipped += !slides, slipped += at < INFINITY;
    double first = 2;
    for (uint32_t i = m.summary.events.n; i-- > 0;)
      if (m.summary.events.at[i].kind == SIM_SLIP) first = m.summary.events.at[i].t;
    CHECK_NEAR(first, at < INFINITY ? 0.5 : 2, 1e-6);
    assert_true((fabs(motion_at(&m, 1, "d.x")) > 1e-3) == (at < INFINITY));
  }
  assert_true(tipped > 5 && slipped > 5);
}

RUN_TESTS(cmocka_unit_test(drawers_stop_and_lock),
          cmocka_unit_test(drawers_are_pulled_from_nothing),
          cmocka_unit_test(heavy_drawers_tip_and_slip))
