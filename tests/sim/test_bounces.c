// Balls that bounce on what moves: every impact against flights in closed form, cams, boxes.
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "support/motion.h"

// ---- A ball on a table a sin(w t), told by its own arithmetic

typedef struct Table {
  double g, a, w, e;
} Table;

static double height(const Table *b, double t) { return b->a * sin(b->w * t); }
static double speed(const Table *b, double t) { return b->a * b->w * cos(b->w * t); }
// With which the gap closes in free flight.
static double pull(const Table *b, double t) { return b->g - b->a * b->w * b->w * sin(b->w * t); }

// The gap at d after a start on the table at t with a relative speed u. Differences of sines as
// products: small gaps keep their digits.
static double gap(const Table *b, double t, double u, double d) {
  double half = b->w * d / 2;
  double rise = 2 * b->a * sin(half) * cos(b->w * t + half); // of the table
  return speed(b, t) * d + u * d - b->g / 2 * d * d - rise;
}

static double gap_rate(const Table *b, double t, double u, double d) {
  return speed(b, t) + u - b->g * d - speed(b, t + d);
}

// The lowest gap between two places around it.
static double lowest(const Table *b, double t, double u, double low, double high) {
  for (int i = 0; i < 100; i++) {
    double left = low + (high - low) / 3, right = high - (high - low) / 3;
    if (gap(b, t, u, left) < gap(b, t, u, right))
      high = right;
    else
      low = left;
  }
  return low;
}

// How long the flight lasts.
static double flight(const Table *b, double t, double u) {
  double step = 0.01 / b->w, about = 2 * u / fabs(pull(b, t));
  if (u > 0) step = fmin(step, about / 20);
  double before = step * 1e-3, d = before;
  while (gap(b, t, u, before) <= 0) d = before *= 2; // lifts off with no speed at all
  for (;; before = d) {
    d += step;
    if (gap(b, t, u, d) < 0) break;
    double rate = gap_rate(b, t, u, before), next = gap_rate(b, t, u, d);
    if (!(rate < 0 && next > 0)) continue;
    double low = lowest(b, t, u, before, d);
    if (gap(b, t, u, low) >= 0) continue;
    d = low;
    break;
  }
  double low = before, high = d;
  for (int i = 0; i < 200 && high > low; i++) {
    double middle = (low + high) / 2;
    if (middle == low || middle == high) break;
    if (gap(b, t, u, middle) > 0)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// From a start with relative speed u at *t to the next impact faster than `least`: its speed.
// Bounces below 1e-9 of that are rest; the table lets go where it falls faster than the ball.
static double next_impact(const Table *b, double *t, double u, double least) {
  for (;;) {
    if (u < 1e-9 * least) {
      double top = b->g / (b->a * b->w * b->w);
      if (pull(b, *t) > 0) {
        if (top >= 1) return NAN; // never again
        double phase = fmod(b->w * *t, 2 * M_PI), release = asin(top);
        if (phase > release) release += 2 * M_PI;
        *t += (release - phase) / b->w;
      }
      u = 0;
    }
    double d = flight(b, *t, u), before = -gap_rate(b, *t, u, d);
    *t += d;
    if (before > least) return before;
    u = b->e * before;
  }
}

static long checked;

static bool is_fast(const SimEvent *event, double least) {
  return event->kind == SIM_IMPACT && event->before > least;
}

// Every fast impact must be where a flight from the one before it ends.
static void check_impacts(const Motion *m, const Table *b) {
  double least = 1e-4 * b->a * b->w;
  const SimEvent *from = NULL;
  for (uint32_t i = 0; i < m->summary.events.n; i++) {
    const SimEvent *event = &m->summary.events.at[i];
    if (!is_fast(event, least)) continue;
    CHECK_NEAR(event->after, -b->e * event->before, 1e-12);
    if (from) {
      double t = from->t, before = next_impact(b, &t, -from->after, least);
      // a graze, or one about as fast as the least that counts, may be told otherwise
      if (before < 4 * least || event->before < 4 * least) {
        from = event;
        continue;
      }
      double slow = fmax(1, b->a * b->w / before);
      if (fabs(event->t - t) > 1e-7 * slow * (1 + t) ||
          fabs(event->before - before) > 1e-6 * slow * before)
        printf("from %.17g at %.9g: %.17g at %.17g, expected %.17g at %.17g\n", from->after,
               from->t, event->before, event->t, before, t);
      CHECK_NEAR(event->t, t, 1e-7 * slow);
      assert_true(fabs(event->before - before) <= 1e-6 * slow * before);
      checked++;
    }
    from = event;
  }
  // and none is missing at the end
  if (!from) return;
  double t = from->t, before = next_impact(b, &t, -from->after, least);
  assert_true(!(before > 4 * least && t < m->summary.t_end * (1 - 1e-6)));
}

static const char *const table_text =
    "param m = 1 [kg], g = 9.81 [m/s^2], a = %.17g [m], w = %.17g [rad/s], e = %.17g\n"
    "coord y = %.17g [m]\ncoord y' = %.17g [m/s]\nkinetic = 1/2*m*y'^2\npotential = m*g*y\n"
    "contact table: y >= a*sin(w*t) restitution e\nsimulate to %.17g [s] every %.17g [s] using "
    "%s\n";

static void check_no_overlap(const Motion *m, const Table *b) {
  for (uint32_t i = 0; i < m->rows; i++) {
    const double *row = m->values.at + (size_t)i * m->columns.n;
    assert_true(row[1] >= height(b, row[0]) - 1e-12);
  }
}

TEST(tables) {
  Random r = random_start("tables");
  for (int round = 0; round < test_rounds(150); round++) {
    Mark mark = arena_mark(&cx->scratch);
    double a = pow(10, random_real(&r, -4, 0)), peak = 9.81 * pow(10, random_real(&r, -1, 1));
    Table b = {9.81, a, sqrt(peak / a), random_real(&r, 0, 0.95)};
    if (round % 8 == 0) b.e = 0;
    double t_end = 40 * 2 * M_PI / b.w;
    double y = round % 3 == 0 ? 0 : a * random_real(&r, 0, 3);
    double v = round % 3 == 0 ? a * b.w : a * b.w * random_real(&r, -1, 1);
    Motion m = motion_of(cx, text_format(&cx->keep, table_text, b.a, b.w, b.e, y, v, t_end,
                                         t_end / 50, round % 2 ? "rk853" : "rk45"));
    if (m.status != QDOT_OK || m.summary.stopped) {
      printf("a = %.17g, w = %.17g, e = %.17g, y = %.17g, y' = %.17g\n", b.a, b.w, b.e, y, v);
      motion_explain(&m);
    }
    assert_int_equal(m.status, QDOT_OK);
    assert_int_equal(m.summary.stopped, STOPPED_NOT);
    assert_true(m.summary.energy_drift < 1e-5);
    check_impacts(&m, &b);
    check_no_overlap(&m, &b);
    arena_release(&cx->scratch, mark);
  }
  printf("%ld impacts\n", checked);
  assert_true(checked > 5 * test_rounds(150));
}

// ---- Balls in a box, in one and two dimensions

enum { MOST_BALLS = 6 };

static bool is_free(const double at[][2], int n, const double *place, double apart) {
  for (int i = 0; i < n; i++)
    if (hypot(at[i][0] - place[0], at[i][1] - place[1]) < apart) return false;
  return true;
}

static const char *box_text(Context *cx, Random *r, int balls, double e) {
  double at[MOST_BALLS][2];
  Arena *keep = &cx->keep;
  const char *text = text_format(keep, "param g = 9.81, m = 0.1, r = 0.05, e = %.17g\n", e);
  for (int i = 0; i < balls; i++) {
    do {
      at[i][0] = random_real(r, 0.06, 0.94), at[i][1] = random_real(r, 0.06, 0.94);
    } while (!is_free((const double(*)[2])at, i, at[i], 0.11));
    text =
        text_format(keep,
                    "%scoord x[%d] = %.17g, y[%d] = %.17g\ncoord x[%d]' = %.17g, y[%d]' = %.17g\n"
                    "kinetic = 1/2*m*(x[%d]'^2 + y[%d]'^2)\npotential = m*g*y[%d]\n"
                    "contact floor[%d]: y[%d] >= r restitution e\n"
                    "contact left[%d]: x[%d] >= r restitution e\n"
                    "contact right[%d]: x[%d] <= 1 - r restitution e\n",
                    text, i, at[i][0], i, at[i][1], i, random_real(r, -2, 2), i,
                    random_real(r, -2, 2), i, i, i, i, i, i, i, i, i);
    for (int j = 0; j < i; j++)
      text = text_format(keep,
                         "%scontact c[%d, %d]: sqrt((x[%d] - x[%d])^2 + (y[%d] - y[%d])^2) >= 2*r"
                         " restitution e\n",
                         text, j, i, i, j, i, j);
  }
  return text_format(keep, "%ssimulate to 2 every 0.01\n", text);
}

static void check_energy_falls(const Motion *m) {
  double before = INFINITY, first = m->values.at[m->columns.n - 1];
  for (uint32_t i = 0; i < m->rows; i++) {
    double E = m->values.at[(size_t)(i + 1) * m->columns.n - 1];
    assert_true(E <= before + 1e-6 * first); // the error of the method while contacts are closed
    before = E;
  }
}

static void check_in_box(const Motion *m, int balls) {
  for (uint32_t row = 0; row < m->rows; row++) {
    const double *q = m->values.at + (size_t)row * m->columns.n + 1;
    for (int i = 0; i < balls; i++) {
      assert_true(q[2 * i] >= 0.05 - 1e-8 && q[2 * i] <= 0.95 + 1e-8 &&
                  q[2 * i + 1] >= 0.05 - 1e-8);
      for (int j = 0; j < i; j++)
        assert_true(hypot(q[2 * i] - q[2 * j], q[2 * i + 1] - q[2 * j + 1]) >= 0.1 - 1e-8);
    }
  }
}

static void must_finish(const Motion *m, const char *text) {
  if (m->status != QDOT_OK || m->summary.stopped) {
    printf("%s", text);
    motion_explain(m);
  }
  assert_int_equal(m->status, QDOT_OK);
  assert_int_equal(m->summary.stopped, STOPPED_NOT);
}

TEST(boxes) {
  Random r = random_start("boxes");
  for (int round = 0; round < test_rounds(24); round++) {
    int balls = 2 + random_below(&r, MOST_BALLS - 1);
    const char *text = box_text(cx, &r, balls, random_real(&r, 0, 0.9));
    Motion m = motion_of(cx, text);
    must_finish(&m, text);
    check_energy_falls(&m);
    check_in_box(&m, balls);
  }
}

// A column of balls on a table that shakes: no order of impacts holds the run.
TEST(columns_of_balls) {
  Random r = random_start("columns_of_balls");
  for (int round = 0; round < test_rounds(30); round++) {
    int balls = 2 + random_below(&r, 5);
    const char *text = text_format(&cx->keep, "param g = 9.81, a = %.17g, w = %.17g, e = %.17g\n",
                                   pow(10, random_real(&r, -3, -1)), random_real(&r, 5, 80),
                                   random_real(&r, 0, 0.9));
    for (int i = 1; i <= balls; i++)
      text = text_format(&cx->keep,
                         "%sparam m_%d = %.17g\ncoord y_%d = %g\nkinetic = 1/2*m_%d*y_%d'^2\n"
                         "potential = m_%d*g*y_%d\ncontact c_%d: y_%d >= %s restitution e\n",
                         text, i, pow(10, random_real(&r, -1, 1)), i, 0.3 * i, i, i, i, i, i, i,
                         i == 1 ? "a*sin(w*t)" : text_format(&cx->keep, "y_%d", i - 1));
    text = text_format(&cx->keep, "%ssimulate to 2 every 0.01\n", text);
    Motion m = motion_of(cx, text);
    must_finish(&m, text);
    assert_true(m.summary.energy_drift < 1e-6);
    for (uint32_t row = 0; row < m.rows; row++) {
      const double *q = m.values.at + (size_t)row * m.columns.n + 1;
      for (int i = 1; i < balls; i++) assert_true(q[i] >= q[i - 1] - 1e-8);
    }
  }
}

// A follower on a cam under a spring: it stays on while the spring is strong enough, then jumps.
TEST(cams) {
  double m_ = 0.2, k = 2000, g = 9.81, R = 0.03, d = 0.008, p = 0.02;
  for (double w = 5; w < 1000; w *= 1.4)
    for (double e = 0; e < 0.8; e += 0.3) {
      const char *text = text_format(
          &cx->keep,
          "param m = %g, k = %g, g = %g, R = %g, d = %g, p = %g, w = %.17g\ncoord y = R - d\n"
          "kinetic = 1/2*m*y'^2\npotential = 1/2*k*(y + p)^2 + m*g*y\n"
          "contact cam: y >= R - d*cos(w*t) restitution %g\nsimulate to %.17g every %.17g\n",
          m_, k, g, R, d, p, w, e, 60 / w, 0.5 / w);
      Motion m = motion_of(cx, text);
      must_finish(&m, text);
      // the force on the cam, m y'' + k (y + p) + m g, is least at the top
      bool stays = k * (R + d + p) + m_ * g > m_ * d * w * w;
      assert_int_equal(m.summary.events.n > 0, !stays);
      for (uint32_t i = 0; i < m.rows; i++) {
        const double *row = m.values.at + (size_t)i * m.columns.n;
        assert_true(row[1] >= R - d * cos(w * row[0]) - 1e-9);
      }
    }
}

RUN_TESTS(cmocka_unit_test(tables), cmocka_unit_test(boxes), cmocka_unit_test(columns_of_balls),
          cmocka_unit_test(cams))
