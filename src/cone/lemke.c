// Lemke's method. The tableau holds w - M z - z0 = q, one row for each basic variable; variables
// are w (0 .. n), z (n .. 2n) and z0 (2n). Where several rows could leave, the one that is first by
// the rows of the inverse basis does, so that no basis comes twice.
#include "cone/lemke.h"

#include <math.h>
#include <string.h>

// Entries below this part of the largest of their column are rounding.
static const double LEAST_PIVOT = 1e-11;
// z0 below this part of what it began with is nothing.
static const double ROUNDING = 1e-13;

typedef struct Tableau {
  int n, width; // 2n + 2: w, z, z0, the right side
  double *at;
  int *basic; // variable of each row
} Tableau;

static double *row_of(const Tableau *t, int i) { return t->at + (size_t)i * (size_t)t->width; }

static void tableau_open(Tableau *t, Arena *scratch, int n, const double *M, const double *q) {
  *t = (Tableau){.n = n, .width = 2 * n + 2};
  t->at = arena_array(scratch, double, (size_t)n *(size_t)t->width);
  t->basic = arena_array(scratch, int, n);
  for (int i = 0; i < n; i++) {
    double *row = row_of(t, i);
    row[i] = 1;
    for (int j = 0; j < n; j++) row[n + j] = -M[(size_t)i * (size_t)n + (size_t)j];
    row[2 * n] = -1;
    row[2 * n + 1] = q[i];
    t->basic[i] = i;
  }
}

static void pivot(Tableau *t, int row, int column) {
  double *base = row_of(t, row), inverse = 1 / base[column];
  for (int k = 0; k < t->width; k++) base[k] *= inverse;
  base[column] = 1;
  for (int i = 0; i < t->n; i++) {
    double *other = row_of(t, i), factor = other[column];
    if (i == row || factor == 0) continue;
    for (int k = 0; k < t->width; k++) other[k] -= factor * base[k];
    other[column] = 0;
  }
  t->basic[row] = column;
}

// Does row a come before row b when both are divided by their entries of the column?
static bool comes_before(const Tableau *t, int a, int b, int column) {
  const double *x = row_of(t, a), *y = row_of(t, b);
  double p = x[column], r = y[column];
  double left = x[t->width - 1] / p, right = y[t->width - 1] / r;
  double scale = fmax(fabs(left), fabs(right));
  if (fabs(left - right) > 1e-13 * scale) return left < right;
  for (int k = 0; k < t->n; k++) {
    left = x[k] / p, right = y[k] / r;
    if (fabs(left - right) > 1e-12 * fmax(fabs(left), fabs(right))) return left < right;
  }
  return a < b;
}

// The row whose variable leaves when that of the column enters; -1 when none does.
static int leaving_row(const Tableau *t, int column) {
  double largest = 0;
  for (int i = 0; i < t->n; i++) largest = fmax(largest, fabs(row_of(t, i)[column]));
  int best = -1;
  for (int i = 0; i < t->n; i++) {
    if (!(row_of(t, i)[column] > LEAST_PIVOT * largest)) continue;
    // z0 leaves as soon as it may: that is the end
    bool ends = best >= 0 && t->basic[i] == 2 * t->n &&
                row_of(t, i)[t->width - 1] / row_of(t, i)[column] <=
                    row_of(t, best)[t->width - 1] / row_of(t, best)[column] *
                        (1 + copysign(1e-13, row_of(t, best)[t->width - 1]));
    if (best < 0 || ends || comes_before(t, i, best, column)) best = i;
  }
  return best;
}

// The value of z0, which is basic until the end.
static double left_over(const Tableau *t) {
  for (int i = 0; i < t->n; i++)
    if (t->basic[i] == 2 * t->n) return row_of(t, i)[t->width - 1];
  return 0;
}

bool lemke_solve(Arena *scratch, int n, const double *M, const double *q, double *z) {
  Mark mark = arena_mark(scratch);
  Tableau t;
  tableau_open(&t, scratch, n, M, q);
  int first = -1, most = 50 * n + 50;
  for (int i = 0; i < n; i++)
    if (q[i] < 0 && (first < 0 || q[i] < q[first])) first = i;
  bool solved = first < 0;
  if (!solved) {
    pivot(&t, first, 2 * n);
    int entering = n + first;
    double nothing = ROUNDING * -q[first];
    for (int round = 0; round < most && !solved; round++) {
      int row = leaving_row(&t, entering);
      if (row < 0) break;
      int leaving = t.basic[row];
      pivot(&t, row, entering);
      solved = leaving == 2 * n || left_over(&t) <= nothing;
      entering = leaving < n ? leaving + n : leaving - n;
    }
  }
  for (int i = 0; i < n; i++) z[i] = 0;
  for (int i = 0; solved && i < n; i++)
    if (t.basic[i] >= n && t.basic[i] < 2 * n)
      z[t.basic[i] - n] = fmax(row_of(&t, i)[t.width - 1], 0);
  arena_release(scratch, mark);
  return solved;
}
