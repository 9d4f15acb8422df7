// Cubic splines: the bends at the knots solve a diagonally dominant system of three diagonals.
#include "expr/spline.h"

#include <string.h>

typedef struct Points {
  uint32_t n;
  const double *x, *y;
} Points;

static double width(const Points *p, uint32_t i) { return p->x[i + 1] - p->x[i]; }
static double slope(const Points *p, uint32_t i) { return (p->y[i + 1] - p->y[i]) / width(p, i); }

// Solves below[i] u[i-1] + on[i] u[i] + above[i] u[i+1] = u[i] in place; the diagonal is spoilt.
static void solve_three(uint32_t n, const double *below, double *on, const double *above,
                        double *u) {
  for (uint32_t i = 1; i < n; i++) {
    double factor = below[i] / on[i - 1];
    on[i] -= factor * above[i - 1];
    u[i] -= factor * u[i - 1];
  }
  u[n - 1] /= on[n - 1];
  for (uint32_t i = n - 1; i-- > 0;) u[i] = (u[i] - above[i] * u[i + 1]) / on[i];
}

// Six times the change of the slope at an inner knot.
static double load(const Points *p, uint32_t i) { return 6 * (slope(p, i) - slope(p, i - 1)); }

// Bends of a spline that is one polynomial over its first two pieces, and over its last two: the
// bends of both ends are eliminated beforehand.
static void bends_not_a_knot(Arena *scratch, const Points *p, double *bend) {
  uint32_t n = p->n, inner = n - 2;
  if (n == 2) return;
  if (n == 3) {
    for (int i = 0; i < 3; i++) bend[i] = load(p, 1) / 3 / (p->x[2] - p->x[0]);
    return;
  }
  double *below = arena_array(scratch, double, inner), *on = arena_array(scratch, double, inner);
  double *above = arena_array(scratch, double, inner);
  for (uint32_t i = 0; i < inner; i++) {
    double left = width(p, i), right = width(p, i + 1);
    below[i] = left, on[i] = 2 * (left + right), above[i] = right;
    bend[i + 1] = load(p, i + 1);
  }
  double h0 = width(p, 0), h1 = width(p, 1), k0 = width(p, n - 2), k1 = width(p, n - 3);
  on[0] = h0 + 2 * h1, above[0] = h1 - h0, bend[1] *= h1 / (h0 + h1);
  on[inner - 1] = k0 + 2 * k1, below[inner - 1] = k1 - k0, bend[n - 2] *= k1 / (k0 + k1);
  solve_three(inner, below, on, above, bend + 1);
  bend[0] = bend[1] + h0 / h1 * (bend[1] - bend[2]);
  bend[n - 1] = bend[n - 2] + k0 / k1 * (bend[n - 2] - bend[n - 3]);
}

// Bends where the last knot is the first: the two entries beside the three diagonals are a
// correction of rank one.
static void bends_periodic(Arena *scratch, const Points *p, double *bend) {
  uint32_t m = p->n - 1; // knots
  if (m == 1) return;
  double *below = arena_array(scratch, double, m), *on = arena_array(scratch, double, m);
  double *above = arena_array(scratch, double, m), *other = arena_array(scratch, double, m);
  for (uint32_t i = 0; i < m; i++) {
    uint32_t before = i ? i - 1 : m - 1;
    below[i] = width(p, before), above[i] = width(p, i);
    on[i] = 2 * (below[i] + above[i]);
    bend[i] = 6 * (slope(p, i) - slope(p, before));
  }
  if (m == 2) { // both neighbours are the same knot
    double beside = below[0] + above[0], span = on[0] * on[1] - beside * beside;
    double first = (bend[0] * on[1] - beside * bend[1]) / span;
    bend[1] = (on[0] * bend[1] - beside * bend[0]) / span;
    bend[0] = bend[2] = first;
    return;
  }
  double corner = below[0], pivot = -on[0];
  on[0] -= pivot, on[m - 1] -= corner * corner / pivot;
  double *copy = arena_array(scratch, double, m);
  memcpy(copy, on, m * sizeof *on);
  other[0] = pivot, other[m - 1] = corner;
  solve_three(m, below, on, above, bend);
  solve_three(m, below, copy, above, other);
  double factor =
      (bend[0] + bend[m - 1] * corner / pivot) / (1 + other[0] + other[m - 1] * corner / pivot);
  for (uint32_t i = 0; i < m; i++) bend[i] -= factor * other[i];
  bend[m] = bend[0];
}

static void cubic_piece(const Points *p, const double *bend, uint32_t i, double *c) {
  double h = width(p, i);
  c[0] = p->y[i];
  c[1] = slope(p, i) - h * (2 * bend[i] + bend[i + 1]) / 6;
  c[2] = bend[i] / 2;
  c[3] = (bend[i + 1] - bend[i]) / (6 * h);
}

TableId table_through(Context *cx, uint32_t n, const double *x, const double *y, Spline kind) {
  Mark mark = arena_mark(&cx->scratch);
  Points p = {n, x, y};
  uint32_t degree = kind.is_cubic ? 3 : 1;
  double *bend = arena_array(&cx->scratch, double, n);
  double *pieces = arena_array(&cx->scratch, double, ((size_t)n - 1) * (degree + 1));
  if (kind.is_cubic && kind.is_periodic)
    bends_periodic(&cx->scratch, &p, bend);
  else if (kind.is_cubic)
    bends_not_a_knot(&cx->scratch, &p, bend);
  for (uint32_t i = 0; i + 1 < n; i++) {
    double *c = pieces + (size_t)i * (degree + 1);
    if (kind.is_cubic)
      cubic_piece(&p, bend, i, c);
    else
      c[0] = y[i], c[1] = slope(&p, i);
  }
  TableId id = table_from_pieces(cx, n, degree, x, pieces, y[n - 1], kind.is_periodic);
  arena_release(&cx->scratch, mark);
  return id;
}

TableId table_linear(Context *cx, uint32_t n, const double *x, const double *y) {
  return table_through(cx, n, x, y, (Spline){0});
}
