// Tables of numbers against closed forms, a plain search, and their own derivatives.
#include <math.h>

#include "expr/build.h"
#include "expr/diff.h"
#include "expr/spline.h"
#include "expr/value/eval.h"
#include "support/check.h"

enum { MOST = 60 };

typedef struct Points {
  uint32_t n;
  double x[MOST], y[MOST];
} Points;

static Points random_points(Random *random) {
  Points p = {.n = 2 + (uint32_t)random_below(random, MOST - 1)};
  double x = random_real(random, -5, 5), widest = pow(10, random_real(random, -3, 1));
  for (uint32_t i = 0; i < p.n; i++) {
    x += random_real(random, 1e-3, 1) * widest;
    p.x[i] = x, p.y[i] = random_real(random, -3, 3);
  }
  return p;
}

static double looked_up(const Points *p, double x) {
  if (x <= p->x[0]) return p->y[0];
  for (uint32_t i = 1; i < p->n; i++)
    if (x <= p->x[i])
      return p->y[i - 1] + (p->y[i] - p->y[i - 1]) * (x - p->x[i - 1]) / (p->x[i] - p->x[i - 1]);
  return p->y[p->n - 1];
}

TEST(straight_lines_against_search) {
  Random random = random_start(__func__);
  for (int round = 0; round < test_rounds(300); round++) {
    Points p = random_points(&random);
    TableId id = table_linear(cx, p.n, p.x, p.y);
    assert_int_equal(table_linear(cx, p.n, p.x, p.y), id);
    const TableData *t = table_get(cx, id);
    double span = p.x[p.n - 1] - p.x[0];
    for (int k = 0; k < 100; k++) {
      double x = random_real(&random, p.x[0] - span / 4, p.x[p.n - 1] + span / 4);
      CHECK_NEAR(table_value(t, TABLE_VALUE, x), looked_up(&p, x), 1e-12);
      double piece = table_piece_number(t, x), h = 1e-7 * span;
      assert_true(piece >= 0 && piece <= p.n);
      assert_true(piece == 0 ? x < p.x[0] : p.x[(int)piece - 1] <= x);
      assert_true(piece == p.n ? x >= p.x[p.n - 1] : x < p.x[(int)piece]);
      if (table_piece_number(t, x - h) != piece || table_piece_number(t, x + h) != piece) continue;
      double slope =
          (table_value(t, TABLE_VALUE, x + h) - table_value(t, TABLE_VALUE, x - h)) / (2 * h);
      CHECK_NEAR(table_value(t, TABLE_SLOPE, x), slope, 1e-5 * (1 + fabs(slope)));
      assert_true(table_value(t, TABLE_VALUE, x) >= t->low - 1e-12);
      assert_true(table_value(t, TABLE_VALUE, x) <= t->high + 1e-12);
    }
    for (uint32_t i = 0; i < p.n; i++) {
      assert_true(table_value(t, TABLE_VALUE, p.x[i]) == p.y[i]);
      assert_true(table_at_knot(t, i) == p.y[i]);
      assert_true(table_value(t, TABLE_SINCE, p.x[i]) == 0);
    }
    assert_true(table_value(t, TABLE_VALUE, INFINITY) == p.y[p.n - 1]);
    assert_true(table_value(t, TABLE_VALUE, -INFINITY) == p.y[0]);
    assert_true(isnan(table_value(t, TABLE_VALUE, NAN)));
  }
}

// Pieces of x^3 - 2x, and of a wave that repeats.
TEST(cubic_pieces_against_closed_forms) {
  Random random = random_start(__func__);
  enum { N = 9 };
  double x[N], c[4 * N];
  for (int i = 0; i < N; i++) {
    x[i] = -2 + 0.5 * i;
    double f[4] = {pow(x[i], 3) - 2 * x[i], 3 * x[i] * x[i] - 2, 3 * x[i], 1};
    for (int k = 0; k < 4; k++) c[4 * i + k] = f[k];
  }
  const TableData *t = table_get(cx, table_from_pieces(cx, N, 3, x, c, c[4 * (N - 1)], false));
  const TableData *wave = table_get(cx, table_from_pieces(cx, N, 3, x, c, c[0], true));
  for (int k = 0; k < test_rounds(1000); k++) {
    double a = random_real(&random, -2, 2);
    CHECK_NEAR(table_value(t, TABLE_VALUE, a), a * a * a - 2 * a, 1e-13);
    CHECK_NEAR(table_value(t, TABLE_SLOPE, a), 3 * a * a - 2, 1e-13);
    CHECK_NEAR(table_value(t, TABLE_BEND, a), 6 * a, 1e-13);
    CHECK_NEAR(table_value(t, TABLE_THIRD, a), 6, 1e-13);
    int turns = random_below(&random, 2001) - 1000;
    double far = a + 4 * turns;
    CHECK_NEAR(table_value(wave, TABLE_VALUE, far), a * a * a - 2 * a, 1e-9);
    TablePiece piece = table_piece(wave, table_piece_number(wave, far));
    assert_true(piece.lower <= far && far <= piece.upper);
  }
  CHECK_NEAR(t->low, -4, 1e-12);
  CHECK_NEAR(t->high, 4, 1e-12);
}

// An expression of a table: its value, and its derivatives by the chain rule.
TEST(expressions_of_tables) {
  Random random = random_start(__func__);
  Expr u = expr_symbol(cx, SYMBOL_COORDINATE, symbol_from_text(cx, "u"));
  double values[8] = {0};
  for (int round = 0; round < test_rounds(200); round++) {
    Points p = random_points(&random);
    TableId id = table_linear(cx, p.n, p.x, p.y);
    Expr e = expr_square(cx, expr_table(cx, id, TABLE_VALUE, expr_scale(cx, NUMBER_HALF, u)));
    Expr d = expr_diff(cx, e, u);
    double at = random_real(&random, p.x[0], p.x[p.n - 1]), h = 1e-6;
    double *place = &values[symbol_variable(cx, u)];
    double known = looked_up(&p, at);
    *place = 2 * at;
    CHECK_NEAR(expr_eval(cx, e, values), known * known, 1e-11);
    double slope = expr_eval(cx, d, values);
    *place = 2 * at + h;
    double above = expr_eval(cx, e, values);
    *place = 2 * at - h;
    double below = expr_eval(cx, e, values);
    const TableData *t = table_get(cx, id);
    if (table_piece_number(t, at + h) == table_piece_number(t, at - h))
      CHECK_NEAR(slope, (above - below) / (2 * h), 1e-4 * (1 + fabs(slope)));
    // a node each, whatever the number of points
    assert_true(expr_count(cx) < 20 + 20 * (uint32_t)(round + 1));
  }
}

// A million points: as fast as ten, and where they should be.
TEST(a_million_points) {
  enum { N = 1000000 };
  double *x = arena_array(&cx->keep, double, N), *y = arena_array(&cx->keep, double, N);
  for (int i = 0; i < N; i++) x[i] = sinh(1e-5 * (i - N / 2.0)), y[i] = sin(x[i]);
  const TableData *t = table_get(cx, table_linear(cx, N, x, y));
  Random random = random_start(__func__);
  for (int k = 0; k < 100000; k++) {
    double a = random_real(&random, -50, 50);
    CHECK_NEAR(table_value(t, TABLE_VALUE, a), sin(a), 1e-6);
  }
}

// A spline meets its points and is twice differentiable at every knot; cubics come back exactly.
TEST(splines) {
  Random random = random_start(__func__);
  for (int round = 0; round < test_rounds(300); round++) {
    Points p = random_points(&random);
    bool is_periodic = round % 2, is_cubic_curve = round % 3 == 0 && !is_periodic && p.n > 3;
    double c[4] = {random_real(&random, -1, 1), random_real(&random, -1, 1),
                   random_real(&random, -1, 1), random_real(&random, -1, 1)};
    double span = p.x[p.n - 1] - p.x[0];
    for (uint32_t i = 0; i < p.n && is_cubic_curve; i++) {
      double d = (p.x[i] - p.x[0]) / span;
      p.y[i] = c[0] + d * (c[1] + d * (c[2] + d * c[3]));
    }
    if (is_periodic) p.y[p.n - 1] = p.y[0];
    TableId id = table_through(cx, p.n, p.x, p.y, (Spline){true, is_periodic});
    const TableData *t = table_get(cx, id);
    double narrow = INFINITY;
    for (uint32_t i = 1; i < p.n; i++) narrow = fmin(narrow, p.x[i] - p.x[i - 1]);
    for (uint32_t i = 0; i < p.n; i++) {
      CHECK_NEAR(table_value(t, TABLE_VALUE, p.x[i]), p.y[i], is_periodic ? 1e-9 : 0);
      if ((i == 0 || i == p.n - 1) && !is_periodic) continue;
      TablePiece before = table_piece(t, i);
      double d = p.x[i] - before.origin, *a = before.c;
      double at[3] = {a[0] + d * (a[1] + d * (a[2] + d * a[3])),
                      a[1] + d * (2 * a[2] + 3 * d * a[3]), 2 * a[2] + 6 * d * a[3]};
      for (int order = 0; order < 3; order++) {
        double jump = at[order] - table_value(t, (TableAspect)order, p.x[i]);
        assert_true(fabs(jump) < 1e-9 * pow(narrow, -order));
      }
    }
    for (int k = 0; k < 20 && is_cubic_curve; k++) {
      double x = random_real(&random, p.x[0], p.x[p.n - 1]), d = (x - p.x[0]) / span;
      CHECK_NEAR(table_value(t, TABLE_VALUE, x), c[0] + d * (c[1] + d * (c[2] + d * c[3])), 1e-9);
    }
  }
}

RUN_TESTS(cmocka_unit_test(splines), cmocka_unit_test(straight_lines_against_search),
          cmocka_unit_test(cubic_pieces_against_closed_forms),
          cmocka_unit_test(expressions_of_tables), cmocka_unit_test(a_million_points))
