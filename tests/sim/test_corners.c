// Contacts on surfaces with edges, in place and in time, against closed forms piece by piece.
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "support/motion.h"

enum { KNOTS = 12 };
static const double G = 9.81;

// A polygon y = h(x): level before its first and behind its last knot.
typedef struct Polygon {
  double x[KNOTS], y[KNOTS];
  bool is_time; // x is time, along which all goes with the speed 1
} Polygon;

static Polygon random_polygon(Random *random, bool is_time) {
  Polygon p = {.is_time = is_time};
  for (int k = 1; k < KNOTS; k++) {
    p.x[k] = p.x[k - 1] + random_real(random, 0.05, 0.4) * (is_time ? 0.3 : 1);
    p.y[k] = p.y[k - 1] + random_real(random, -0.3, 0.3) * (p.x[k] - p.x[k - 1]);
  }
  return p;
}

static double slope_behind(const Polygon *p, int knot) {
  return knot + 1 < KNOTS ? (p->y[knot + 1] - p->y[knot]) / (p->x[knot + 1] - p->x[knot]) : 0;
}

// ---- Sliding and flying, a piece at a time

typedef struct Mover {
  double t, x, y, u, v;
  int knot; // the one behind which it is
  bool flies;
} Mover;

// Nothing bounces: what is left goes along the surface.
static void meet(const Polygon *p, Mover *m) {
  double s = slope_behind(p, m->knot);
  m->u = p->is_time ? 1 : (m->u + s * m->v) / (1 + s * s);
  m->v = s * m->u;
  m->flies = false;
}

// The time until x has gone by `way` at the speed u and the acceleration a; INFINITY: never.
static double time_for(double way, double u, double a) {
  double root = u * u + 2 * a * way;
  return root < 0 ? INFINITY : 2 * way / (u + sqrt(root));
}

// When what flies meets the piece it is over; INFINITY: not before the next knot.
static double time_to_meet(const Polygon *p, const Mover *m) {
  double s = slope_behind(p, m->knot);
  double above = m->y - (p->y[m->knot] + s * (m->x - p->x[m->knot])), rise = m->v - s * m->u;
  double dt = (rise + sqrt(fmax(rise * rise + 2 * G * above, 0))) / G;
  return dt > 1e-13 ? dt : INFINITY;
}

static double acceleration(const Polygon *p, const Mover *m) {
  double s = slope_behind(p, m->knot);
  return m->flies || p->is_time ? 0 : -G * s / (1 + s * s);
}

static void move_on(const Polygon *p, Mover *m, double dt) {
  double s = slope_behind(p, m->knot), a = acceleration(p, m);
  m->t += dt;
  m->x += (m->u + a * dt / 2) * dt;
  m->u += a * dt;
  m->y = m->flies ? m->y + (m->v - G * dt / 2) * dt : p->y[m->knot] + s * (m->x - p->x[m->knot]);
  m->v = m->flies ? m->v - G * dt : s * m->u;
}

static void go_to(const Polygon *p, Mover *m, double t) {
  while (m->t < t) {
    double way = m->knot + 1 < KNOTS ? p->x[m->knot + 1] - m->x : INFINITY;
    double to_knot = isfinite(way) ? time_for(way, m->u, acceleration(p, m)) : INFINITY;
    double to_meet = m->flies ? time_to_meet(p, m) : INFINITY;
    double dt = fmin(fmin(to_knot, to_meet), t - m->t);
    move_on(p, m, dt);
    if (dt == to_meet) {
      meet(p, m);
    } else if (dt == to_knot) {
      double before = slope_behind(p, m->knot++);
      m->x = p->x[m->knot];
      if (!m->flies) m->y = p->y[m->knot];
      bool falls_away = slope_behind(p, m->knot) < before;
      if (!m->flies && falls_away) m->flies = true;
      if (!m->flies && !falls_away) meet(p, m);
    }
  }
}

// ---- Against runs

static const char *model_of(Context *cx, const Polygon *p, double speed, const char *method) {
  Text text = text_new(&cx->keep);
  if (!p->is_time)
    text_addf(&text, "coord x = -0.1 [m]\ncoord x' = %.17g [m/s]\nkinetic = (2 [kg])*x'^2/2\n",
              speed);
  text_addf(&text,
            "param g = %.17g [m/s^2]\ncoord y = 0 [m]\nkinetic = (2 [kg])*y'^2/2\n"
            "potential = (2 [kg])*g*y\nlet h = table(%s",
            G, p->is_time ? "t - 0.1 [s]" : "x");
  for (int k = 0; k < KNOTS; k++)
    text_addf(&text, ", (%.17g [%s], %.17g [m])", p->x[k], p->is_time ? "s" : "m", p->y[k]);
  text_addf(&text, ")\ncontact ground: y >= h\nsimulate to 1 [s] every 50 [ms] using %s\n", method);
  return text.at;
}

static void check_edges(Context *cx, bool is_time) {
  static const char *const methods[] = {"rk853(rtol = 1e-11)", "rk45(rtol = 1e-11)"};
  Random random = random_start(is_time ? "edges in time" : "edges in place");
  for (int round = 0; round < test_rounds(20); round++) {
    Polygon p = random_polygon(&random, is_time);
    double speed = is_time ? 1 : random_real(&random, 2, 4);
    for (int k = 0; k < 2; k++) {
      const char *text = model_of(cx, &p, speed, methods[k]);
      Motion m = motion_of(cx, text);
      if (m.status != QDOT_OK || m.rows != 21) printf("%s\n", text), motion_explain(&m);
      assert_int_equal(m.rows, 21);
      Mover mover = {.x = -0.1, .u = speed};
      // before the first knot it slides on the level
      mover.t = 0.1 / speed, mover.x = 0;
      if (slope_behind(&p, 0) < 0)
        mover.flies = true;
      else
        meet(&p, &mover);
      for (int row = 0; row <= 20; row++) {
        double t = 0.05 * row;
        if (t < 0.1 / speed) continue;
        go_to(&p, &mover, t);
        CHECK_NEAR(motion_at(&m, t, "y"), mover.y, 1e-8);
        if (!is_time) CHECK_NEAR(motion_at(&m, t, "x"), mover.x, 1e-8);
      }
    }
  }
}

// ---- Surfaces that jump

static const char *const trap =
    "coord y = %g [m]\nkinetic = (1 [kg])*y'^2/2\npotential = (1 [kg])*(9.81 [m/s^2])*y\n"
    "contact floor: y >= if(t < 0.1 [s], 0 [m], %g [m])\nsimulate to 1 [s] every 50 [ms]\n";

// The floor is gone: what stood on it falls.
TEST(a_floor_that_drops) {
  Motion m = motion_to_end(cx, text_format(&cx->keep, trap, 0., -0.2));
  double hits = 0.1 + sqrt(2 * 0.2 / G);
  CHECK_NEAR(motion_event(&m, 0, SIM_RELEASE)->t, 0.1, 1e-12);
  CHECK_NEAR(motion_event(&m, 1, SIM_IMPACT)->t, hits, 1e-9);
  CHECK_NEAR(motion_at(&m, 0.2, "y"), -G * 0.1 * 0.1 / 2, 1e-9);
  CHECK_NEAR(motion_at(&m, 1, "y"), -0.2, 1e-12);
  assert_true(m.summary.energy_drift < 1e-8);
}

// Into what stands on it, or past what is above it: nothing can follow.
TEST(a_floor_that_leaps) {
  for (int i = 0; i < 2; i++) {
    Motion m = motion_of(cx, text_format(&cx->keep, trap, i ? 0.1 : 0., 0.3));
    assert_true(m.rows < 21);
    assert_true(m.values.at[(m.rows - 1) * m.columns.n + motion_column(&m, "y")] < 0.2);
  }
}

TEST(edges_of_surfaces) { check_edges(cx, false); }
TEST(edges_in_time) { check_edges(cx, true); }

RUN_TESTS(cmocka_unit_test(a_floor_that_drops), cmocka_unit_test(a_floor_that_leaps),
          cmocka_unit_test(edges_of_surfaces), cmocka_unit_test(edges_in_time))
