// Events to the accuracy of the solver: against closed forms, grazing ones, several at once.
#include <math.h>
#include <string.h>

#include "solve/event.h"
#include "support/integrate.h"

// A ball in free fall, and a clock: q'' = (-g, 0).
static Status fall(void *user, double t, const double *q, const double *qd, double *qdd,
                   double *lambda, double *rates) {
  (void)user, (void)t, (void)q, (void)qd, (void)lambda, (void)rates;
  qdd[0] = -9.81;
  return QDOT_OK;
}

static Status height(void *user, double t, const double *q, const double *qd, double *g) {
  (void)user, (void)t, (void)qd;
  g[0] = q[0];
  return QDOT_OK;
}

// Bounces with restitution 0.8: every flight is known in closed form.
TEST(bouncing_ball) {
  const MethodId methods[] = {METHOD_RK853, METHOD_RK45, METHOD_RK4, METHOD_BDF};
  for (int k = 0; k < 4 && !method_get(methods[k])->lacks; k++) {
    Mark mark = arena_mark(&cx->scratch);
    Problem problem = {.n = 1, .forward = fall};
    MethodOptions options = with_tolerance(methods[k], 1e-10);
    options.step = 0.05;
    Stepper *s;
    Events events;
    double q = 1, qd = 0, t = 0, expected = sqrt(2 / 9.81), speed = 9.81 * expected;
    assert_int_equal(stepper_open(&cx->scratch, &problem, &options, &s), QDOT_OK);
    events_open(&events, &cx->scratch, s, 1, height, NULL);
    events.side[0] = 1;
    for (int bounce = 0; bounce < 12; bounce++) {
      bool found = false;
      assert_int_equal(stepper_start(s, t, &q, &qd, NULL), QDOT_OK);
      while (!found) {
        assert_int_equal(stepper_step(s, 5), QDOT_OK);
        assert_int_equal(events_find(&events, s, &found, &t), QDOT_OK);
      }
      double y[4];
      assert_int_equal(stepper_dense(s, t, y), QDOT_OK);
      CHECK_NEAR(t, expected, methods[k] == METHOD_BDF ? 1e-8 : 1e-13);
      assert_true(fabs(y[0]) < 1e-14);
      q = y[0];
      qd = -0.8 * y[1];
      speed *= 0.8;
      expected += 2 * speed / 9.81;
    }
    stepper_close(s);
    arena_release(&cx->scratch, mark);
  }
}

// An oscillator q = sin t that reaches above levels only just, and two functions that meet.
static Status swing(void *user, double t, const double *q, const double *qd, double *qdd,
                    double *lambda, double *rates) {
  (void)user, (void)t, (void)qd, (void)lambda, (void)rates;
  qdd[0] = -q[0];
  return QDOT_OK;
}

static double level;
static Status above_level(void *user, double t, const double *q, const double *qd, double *g) {
  (void)user, (void)t, (void)qd;
  g[0] = q[0] - level;
  g[1] = 2 * (q[0] - level);
  g[2] = q[0] - 2;
  return QDOT_OK;
}

TEST(grazing) {
  Random random = random_start("grazing");
  for (int i = 0; i < test_rounds(300); i++) {
    Mark mark = arena_mark(&cx->scratch);
    Problem problem = {.n = 1, .forward = swing};
    MethodOptions options = with_tolerance(METHOD_RK853, 1e-10);
    Stepper *s;
    Events events;
    level = 1 - pow(10, random_real(&random, -7, -0.5));
    double q = 0, qd = 1, t = 0;
    assert_int_equal(stepper_open(&cx->scratch, &problem, &options, &s), QDOT_OK);
    events_open(&events, &cx->scratch, s, 3, above_level, NULL);
    events.side[0] = events.side[1] = events.side[2] = -1;
    assert_int_equal(stepper_start(s, 0, &q, &qd, NULL), QDOT_OK);
    bool found = false;
    while (!found) {
      assert_int_equal(stepper_step(s, 100), QDOT_OK);
      assert_int_equal(events_find(&events, s, &found, &t), QDOT_OK);
    }
    // the time of a grazing event is as sharp as the square root of the error
    CHECK_NEAR(t, asin(level), 1e-9 / sqrt(1 - level));
    assert_true(events.hit[0] && events.hit[1] && !events.hit[2]);
    arena_release(&cx->scratch, mark);
  }
}

// Levels that are missed by less and less: no event, however near. The solver's own error in the
// amplitude stays far below.
TEST(missed) {
  Random random = random_start("missed");
  for (int i = 0; i < test_rounds(300); i++) {
    Mark mark = arena_mark(&cx->scratch);
    Problem problem = {.n = 1, .forward = swing};
    MethodOptions options = with_tolerance(METHOD_RK853, 1e-12);
    Stepper *s;
    Events events;
    level = 1 + pow(10, random_real(&random, -9, -0.5));
    double q = sin(0.01 * i), qd = cos(0.01 * i), t = 0;
    assert_int_equal(stepper_open(&cx->scratch, &problem, &options, &s), QDOT_OK);
    events_open(&events, &cx->scratch, s, 3, above_level, NULL);
    events.side[0] = events.side[1] = events.side[2] = -1;
    assert_int_equal(stepper_start(s, 0, &q, &qd, NULL), QDOT_OK);
    while (s->t < 20) {
      bool found = false;
      assert_int_equal(stepper_step(s, 20), QDOT_OK);
      assert_int_equal(events_find(&events, s, &found, &t), QDOT_OK);
      assert_false(found);
    }
    stepper_close(s);
    arena_release(&cx->scratch, mark);
  }
}

// Two waves that rarely reach a level, along a clock that asks for no short steps: the first
// crossing is not passed over.
typedef struct Waves {
  double amplitude[2], omega[2], phase[2], level;
} Waves;

static double below_level(const Waves *w, double t) {
  double g = w->level;
  for (int k = 0; k < 2; k++) g -= w->amplitude[k] * sin(w->omega[k] * t + w->phase[k]);
  return g;
}

static Status waves(void *user, double t, const double *q, const double *qd, double *g) {
  (void)t, (void)qd;
  g[0] = below_level(user, q[0]);
  return QDOT_OK;
}

static Status clock_only(void *user, double t, const double *q, const double *qd, double *qdd,
                         double *lambda, double *rates) {
  (void)user, (void)t, (void)q, (void)qd, (void)lambda, (void)rates;
  qdd[0] = 0;
  return QDOT_OK;
}

TEST(first_of_many) {
  enum { LOOKS = 20000 };
  const double t_end = 20;
  Random random = random_start("first_of_many");
  for (int i = 0; i < test_rounds(200); i++) {
    Mark mark = arena_mark(&cx->scratch);
    Waves w = {.level = 0};
    for (int k = 0; k < 2; k++) {
      w.amplitude[k] = random_real(&random, 0.1, 1);
      w.omega[k] = random_real(&random, 0.1, 25);
      w.phase[k] = random_real(&random, 0, 6);
      w.level += w.amplitude[k];
    }
    w.level *= 1 - pow(10, random_real(&random, -4, -1));
    double expected = INFINITY, q = 0, qd = 1, t = INFINITY;
    for (int k = LOOKS; k >= 0; k--)
      if (below_level(&w, t_end * k / LOOKS) < 0) expected = t_end * k / LOOKS;
    if (expected == 0) continue;
    Problem problem = {.n = 1, .forward = clock_only};
    MethodOptions options = with_tolerance(i % 2 ? METHOD_RK853 : METHOD_RK45, 1e-10);
    Stepper *s;
    Events events;
    assert_int_equal(stepper_open(&cx->scratch, &problem, &options, &s), QDOT_OK);
    events_open(&events, &cx->scratch, s, 1, waves, &w);
    events.side[0] = 1;
    assert_int_equal(stepper_start(s, 0, &q, &qd, NULL), QDOT_OK);
    for (bool found = false; !found && s->t < t_end;) {
      assert_int_equal(stepper_step(s, t_end), QDOT_OK);
      assert_int_equal(events_find(&events, s, &found, &t), QDOT_OK);
      if (!found) t = INFINITY;
    }
    assert_true(t <= expected + 1e-9);
    if (isfinite(t)) assert_true(fabs(below_level(&w, t)) < 1e-12);
    arena_release(&cx->scratch, mark);
  }
}

RUN_TESTS(cmocka_unit_test(bouncing_ball), cmocka_unit_test(grazing), cmocka_unit_test(missed),
          cmocka_unit_test(first_of_many))
