// Tables in a model against a search of our own.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

enum { MOST = 40 };

typedef struct Points {
  int n;
  double x[MOST], y[MOST];
} Points;

static double looked_up(const Points *p, double x) {
  if (x <= p->x[0]) return p->y[0];
  for (int i = 1; i < p->n; i++)
    if (x <= p->x[i])
      return p->y[i - 1] + (p->y[i] - p->y[i - 1]) * (x - p->x[i - 1]) / (p->x[i] - p->x[i - 1]);
  return p->y[p->n - 1];
}

static double area(const Points *p, double until) {
  double sum = 0, before = 0;
  for (int i = 0; i <= p->n; i++) {
    double x = i < p->n ? fmin(fmax(p->x[i], 0), until) : until;
    sum += (x - before) * (looked_up(p, x) + looked_up(p, before)) / 2;
    before = x;
  }
  return sum;
}

// A force over time: its values and its impulse; and a spring with a measured law: its energy.
TEST(against_search) {
  Random random = random_start(__func__);
  for (int round = 0; round < test_rounds(50); round++) {
    Points p = {.n = 2 + random_below(&random, MOST - 1)};
    Text table = text_new(&cx->keep);
    text_add(&table, "table(%s");
    double x = random_real(&random, -0.3, 0.3);
    for (int i = 0; i < p.n; i++) {
      x += random_real(&random, 0.01, 0.2);
      p.x[i] = x, p.y[i] = random_real(&random, -5, 5);
      text_addf(&table, ", (%.17g, %.17g)", p.x[i], p.y[i]);
    }
    text_add(&table, ")");
    const char *of_time = text_format(&cx->keep, table.at, "t/t_0");
    Motion m = motion_of(cx, text_format(&cx->keep,
                                         "param m = 1, F = 1, t_0 = 1\ncoord x = 0\n"
                                         "kinetic = 1/2*m*x'^2\nforce x = F*%s\n"
                                         "output y = %s\nsimulate to 3 every 0.0625\n",
                                         of_time, of_time));
    assert_int_equal(m.status, QDOT_OK);
    for (double t = 0; t <= 3; t += 0.0625)
      CHECK_NEAR(motion_at(&m, t, "y"), looked_up(&p, t), 1e-12);
    CHECK_NEAR(motion_at(&m, 3, "x'"), area(&p, 3), 1e-9);
    m = motion_of(cx, text_format(&cx->keep,
                                  "param m = 1, k = 1, L = 1\ncoord x = 0.1\n"
                                  "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
                                  "force x = k*L*%s\nsimulate to 3 every 0.1\n",
                                  text_format(&cx->keep, table.at, "x/L")));
    assert_int_equal(m.status, QDOT_OK);
    assert_true(m.summary.energy_drift < 1e-7);
  }
}

RUN_TESTS(cmocka_unit_test(against_search))
