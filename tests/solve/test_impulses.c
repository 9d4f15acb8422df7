// Contacts of a step: borders against new factors, and the law of contacts for random ones.
#include <math.h>
#include <string.h>

#include "solve/touch/touch_border.h"
#include "solve/touch/touch_solve.h"
#include "support/motion.h"

typedef struct Masses {
  double *v, *inverse;
} Masses;

static SparseRow respond(Context *cx, const Masses *m, const SparseRow *row) {
  SparseRow out = *row;
  out.value = arena_array(&cx->keep, double, row->n);
  for (int k = 0; k < row->n; k++) out.value[k] = row->value[k] * m->inverse[row->index[k]];
  return out;
}

// Bodies a and b (-1: the ground) touch in a direction, with levers.
static Touch touch(Context *cx, Random *random, const Masses *m, int a, int b) {
  double angle = random_real(random, 0, 6.3), n[2] = {cos(angle), sin(angle)};
  Touch c = {.mu = random_below(random, 5) ? random_real(random, 0, 1) : 0};
  SparseRow *rows[] = {&c.normal, &c.along};
  for (int k = 0; k < 2; k++) {
    SparseRow *row = rows[k];
    row->index = arena_array(&cx->keep, int, 6);
    row->value = arena_array(&cx->keep, double, 6);
    for (int side = 0; side < 2; side++) {
      int body = side ? b : a;
      double sign = side ? -1 : 1;
      for (int j = 0; body >= 0 && j < 3; j++) {
        double lever = k == 0 ? random_real(random, -0.3, 0.3) : 1;
        double value = j == 2 ? lever : k == 0 ? sign * n[j] : sign * (j ? n[0] : -n[1]);
        row->index[row->n] = 3 * body + j, row->value[row->n++] = value;
      }
    }
  }
  c.push = respond(cx, m, &c.normal), c.rub = respond(cx, m, &c.along);
  for (int k = 0; k < c.push.n; k++) c.own_push += c.push.value[k] * c.normal.value[k];
  for (int k = 0; k < c.rub.n; k++) c.own_rub += c.rub.value[k] * c.along.value[k];
  c.size_push = sqrt(c.own_push), c.size_rub = sqrt(c.own_rub);
  return c;
}

// Bodies in a heap: each touches some before it, or the ground.
static Touches heap(Context *cx, Random *random, int bodies) {
  Touches t = {.n = 3 * bodies, .at = arena_array(&cx->keep, Touch, 2 * bodies)};
  double *before = arena_array(&cx->keep, double, t.n);
  Masses m = {arena_array(&cx->keep, double, t.n), arena_array(&cx->keep, double, t.n)};
  for (int j = 0; j < t.n; j++) {
    m.inverse[j] = 1 / random_real(random, 0.2, 2);
    before[j] = random_real(random, -1, 1);
    m.v[j] = before[j] - 0.01 * (j % 3 == 1);
  }
  for (int body = 0; body < bodies; body++)
    for (int k = 0; k < 2; k++) {
      Touch *c = &t.at[t.count];
      *c = touch(cx, random, &m, body,
                 random_below(random, 4) ? random_below(random, body + 1) - 1 : -1);
      double approach = -sparse_dot(&c->normal, before);
      c->bounce = random_below(random, 2) ? 0 : 0.5 * fmax(approach, 0);
      c->contact = t.count++;
    }
  t.v = m.v, t.before = before;
  return t;
}

// Impulses by factors of a while ago with a border are those of new factors.
TEST(border_like_factors) {
  Random random = random_start("border_like_factors");
  for (int round = 0; round < test_rounds(10); round++) {
    Touches t = heap(cx, &random, 1 + random_below(&random, 8));
    int n = t.count;
    TouchMatrix matrix, other;
    TouchBorder border, fresh;
    TouchState *state = arena_array(&cx->keep, TouchState, n);
    double *a = arena_array(&cx->keep, double, n), *b = arena_array(&cx->keep, double, n);
    double *p = arena_array(&cx->keep, double, n), *r = arena_array(&cx->keep, double, n);
    double *p_new = arena_array(&cx->keep, double, n), *r_new = arena_array(&cx->keep, double, n);
    for (int i = 0; i < n; i++)
      a[i] = random_real(&random, -1, 1), b[i] = random_real(&random, -1, 1);
    touch_matrix_open(&matrix, &cx->keep, &t), touch_matrix_open(&other, &cx->keep, &t);
    touch_border_open(&border, &matrix, a, b, 1e-2), touch_border_open(&fresh, &other, a, b, 1e-2);
    for (int turn = 0; turn < 60; turn++) {
      int i = random_below(&random, n);
      bool rubs = touch_rubs(&t.at[i]);
      TouchState states[] = {TOUCH_OPEN, rubs ? TOUCH_RESTS : TOUCH_SMOOTH, TOUCH_SLIDES_UP,
                             TOUCH_SLIDES_DOWN};
      state[i] = states[random_below(&random, rubs ? 4 : 2)];
      bool found = touch_border_solve(&border, state, false, p, r);
      bool found_new = touch_border_solve(&fresh, state, true, p_new, r_new);
      double size = 1e-3;
      assert_true(found == found_new);
      for (int k = 0; k < n; k++) size = fmax(size, fmax(fabs(p_new[k]), fabs(r_new[k])));
      for (int k = 0; found && k < n; k++) {
        CHECK_NEAR(p[k], p_new[k], 1e-8 * size);
        CHECK_NEAR(r[k], r_new[k], 1e-8 * size);
      }
    }
  }
}

// The law, from the answers alone: 0 <= p, w >= aim, one of them 0; r within its cone, full where
// it slides; and no energy is made.
TEST(random_heaps_obey_the_law) {
  Random random = random_start("random_heaps_obey_the_law");
  for (int round = 0; round < test_rounds(40); round++) {
    Touches t = heap(cx, &random, 1 + random_below(&random, 30));
    touches_solve(&t, &cx->scratch);
    double near = 1e-6 * t.speed; // 1e-9 of what a load of 1000 times as much may be
    assert_true(t.residual < 1e-9 && touches_made(&t) <= near * t.speed);
    for (int i = 0; i < t.count; i++) {
      const Touch *c = &t.at[i];
      double w = touch_apart(c, t.v) - c->aim, u = c->mu > 0 ? touch_along(c, t.v) : 0;
      assert_true(c->p * c->size_push >= -near && w >= -near * c->size_push);
      assert_true(c->aim <= c->bounce);
      assert_true(fmin(c->p * c->size_push, w / c->size_push) <= near);
      assert_true(fabs(c->r) <= c->mu * c->p + near / c->size_push);
      if (u > near * c->size_rub) CHECK_NEAR(c->r, -c->mu * c->p, near / c->size_rub);
      if (u < -near * c->size_rub) CHECK_NEAR(c->r, c->mu * c->p, near / c->size_rub);
    }
  }
}

RUN_TESTS(cmocka_unit_test(border_like_factors), cmocka_unit_test(random_heaps_obey_the_law))
