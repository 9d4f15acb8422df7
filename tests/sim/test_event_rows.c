// Rows at events: one before and one behind each moment at which something happened, none
// elsewhere.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

// Moments of events that leave a state behind them, and whether the run stopped at one.
static int moments_of(const SimSummary *s, bool *stopped) {
  int count = 0;
  double last = -1;
  *stopped = false;
  for (uint32_t i = 0; i < s->events.n; i++) {
    const SimEvent *e = &s->events.at[i];
    *stopped |= e->kind == SIM_STOP;
    if (e->kind != SIM_STOP && e->t != last) count++, last = e->t;
  }
  return count;
}

static void check_rows(const Motion *m, int grid) {
  bool stopped;
  int moments = moments_of(&m->summary, &stopped);
  assert_int_equal(m->rows, grid + 2 * moments + stopped);
  for (uint32_t i = 0; i < m->summary.events.n; i++) {
    double t = m->summary.events.at[i].t;
    int at = 0;
    for (uint32_t r = 0; r < m->rows; r++) at += m->values.at[r * m->columns.n] == t;
    assert_int_equal(at, m->summary.events.at[i].kind == SIM_STOP ? 1 : 2);
  }
}

static Motion run_with_rows(Context *cx, const char *text) {
  Motion m = motion_load(cx, text, NULL);
  m.options.event_rows = true;
  motion_run(&m);
  assert_int_equal(m.status, QDOT_OK);
  return m;
}

TEST(resets_have_rows_on_both_sides) {
  Random random = random_start("resets_have_rows_on_both_sides");
  static const char *const ways[] = {"rising", "falling", ""};
  for (int k = 0; k < test_rounds(30); k++) {
    double w = random_real(&random, 2, 20), a = random_real(&random, -0.05, 0.05);
    bool stops = random_below(&random, 2);
    Motion m = run_with_rows(
        cx, text_format(&cx->keep,
                        "coord x = 0.1 [m]\nmemory n = 0\nkinetic = 1 [kg]/2*x'^2\n"
                        "potential = %.17g [N/m]/2*x^2\nwhen x = %.17g [m] %s: n = n + 1\n"
                        "output n\n%ssimulate to 3.1 every 3.1\n",
                        w * w, a, ways[k % 3], stops ? "stop when t > 2 and x = 0 falling\n" : ""));
    assert_true(m.summary.events.n > 1 || k % 3 < 2);
    check_rows(&m, stops && m.summary.stopped == STOPPED_NOT && m.summary.t_end < 3.1 ? 1 : 2);
    for (uint32_t r = 1; r < m.rows; r++) {
      const double *at = m.values.at + r * m.columns.n, *before = at - m.columns.n;
      uint32_t n = motion_column(&m, "n");
      // the count goes up between the rows of an event
      if (at[0] > before[0]) CHECK_NEAR(at[n], before[n], 0);
      if (at[0] == before[0]) CHECK_NEAR(at[n], before[n] + 1, 0);
    }
  }
}

// Impacts and sticking, and a force that switches without an event.
TEST(impacts_and_sticking_have_rows_on_both_sides) {
  Random random = random_start("impacts_and_sticking_have_rows_on_both_sides");
  for (int k = 0; k < test_rounds(20); k++) {
    Motion ball = run_with_rows(
        cx, text_format(&cx->keep,
                        "coord y = 1 [m], z = 0.1 [m]\nkinetic = 1 [kg]/2*(y'^2 + z'^2)\n"
                        "potential = 1 [kg]*9.81 [m/s^2]*y\nforce z = if(z > 0, -2 [N], 1 [N])\n"
                        "contact floor: y >= 0, restitution %.17g\nsimulate to 1 every 1\n",
                        random_real(&random, 0.5, 0.9)));
    check_rows(&ball, 2);
    Motion block = run_with_rows(
        cx,
        text_format(&cx->keep,
                    "coord x = 0, x' = %.17g [m/s]\nkinetic = 1 [kg]/2*x'^2\n"
                    "force x = 2 [N]*sin(3 [rad/s]*t) - 1 [N]*sign(x')\nsimulate to 4 every 4\n",
                    random_real(&random, 0.5, 2)));
    check_rows(&block, 2);
  }
}

RUN_TESTS(cmocka_unit_test(resets_have_rows_on_both_sides),
          cmocka_unit_test(impacts_and_sticking_have_rows_on_both_sides))
