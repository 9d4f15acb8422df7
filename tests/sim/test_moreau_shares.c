// What steps tell of loads that the motion leaves open is what events tell: one rule.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

enum { MOST_FEET = 6 };

static void add_feet(Text *text, Random *random, const char *name, const char *on, double y, int n,
                     const double *mu) {
  for (int i = 0; i < n; i++) {
    double x = -0.9 + 1.8 * (i + random_real(random, -0.3, 0.3)) / (n - 1);
    text_addf(text,
              "contact %s_%d: %s (%.17g [m], -0.05 [m]), line %s (0, %g [m]), axis 0, friction "
              "%.17g\noutput N_%s_%d = %s_%d.N, R_%s_%d = %s_%d.R\n",
              name, i, name, x, on, y, mu[i], name, i, name, i, name, i, name, i);
  }
}

// A plate on some feet, and maybe another on it, pulled along; all at rest or all sliding.
static const char *plates(Context *cx, Random *random, bool slides, int feet[2]) {
  Text text = text_new(&cx->keep);
  double mu[2][MOST_FEET], least = 1;
  feet[0] = 2 + random_below(random, MOST_FEET - 1);
  feet[1] = slides ? 0 : random_below(random, 4);
  if (feet[1] == 1) feet[1] = 0;
  for (int i = 0; i < MOST_FEET; i++) {
    mu[0][i] = slides ? 0.2 : random_real(random, 0.3, 0.6);
    mu[1][i] = random_real(random, 0.3, 0.6);
    least = fmin(least, fmin(mu[0][i], mu[1][i]));
  }
  double use = slides ? random_real(random, 1.2, 1.8) : random_real(random, 0, 0.7);
  double m[] = {random_real(random, 1, 30), random_real(random, 1, 30)};
  text_add(&text, "gravity (0, -9.81 [m/s^2])\n");
  for (int k = 0; k < 1 + (feet[1] > 0); k++) {
    static const char *const names[] = {"lower", "upper"};
    text_addf(&text,
              "body %s: plate (2 [m], 0.1 [m]), mass %.17g [kg], at = (0, %g [m]), angle = 0, "
              "velocity = (0, 0), spin = 0\nforce %s (0, 0) = (%.17g [N], 0)\n",
              names[k], m[k], 0.05 + 0.1 * k, names[k],
              (k == 1 ? 0.5 : 1) * use * least * m[k] * 9.81);
  }
  add_feet(&text, random, "lower", "", 0, feet[0], mu[0]);
  if (feet[1] > 0) add_feet(&text, random, "upper", "lower", 0.05, feet[1], mu[1]);
  text_add(&text, "simulate to 0.05 [s] every 0.01 [s]\n");
  return text.at;
}

TEST(steps_share_as_events_do) {
  Random random = random_start("steps_share_as_events_do");
  int compared = 0;
  for (int round = 0; round < 60; round++) {
    int feet[2];
    const char *text = plates(cx, &random, round % 3 == 2, feet);
    Motion by_events = motion_load(cx, text, NULL), by_steps = motion_load(cx, text, NULL);
    by_steps.options.method.method = METHOD_MOREAU;
    by_steps.options.method.step = 1e-3;
    motion_run(&by_events);
    motion_run(&by_steps);
    if (by_events.status != QDOT_OK || by_events.summary.stopped != STOPPED_NOT) continue;
    compared++;
    CHECK_NEAR(motion_at(&by_steps, 0.05, "lower.x"), motion_at(&by_events, 0.05, "lower.x"), 1e-9);
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < feet[k]; i++)
        for (int of = 0; of < 2; of++) {
          const char *column = text_format(&cx->keep, "%c_%s_%d", of == 0 ? 'N' : 'R',
                                           k == 0 ? "lower" : "upper", i);
          CHECK_NEAR(motion_at(&by_steps, 0.05, column), motion_at(&by_events, 0.05, column), 1e-3);
        }
  }
  print_message("%d of 60 compared\n", compared);
  assert_true(compared > 40);
}

RUN_TESTS(cmocka_unit_test(steps_share_as_events_do))
