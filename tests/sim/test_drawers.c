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
  d.e = random_real(random, -0.5, 0.5) * d.w;
  d.mu = random_real(random, 0.05, 1.2);
  d.mu_rest = random_below(random, 2) ? d.mu : d.mu * random_real(random, 1, 2);
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
      "force d (l/2, %.17g [m]) = (%.17g [N]%s, 0)\nsimulate to 1 [s] every 0.1 [s]\n",
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

RUN_TESTS(cmocka_unit_test(drawers_stop_and_lock))
