// Determinants by minors.
#include "expr/algebra/determinant.h"

#include "expr/build.h"

// The determinant of the rows from `row` on and the columns not in `used`, by minors.
static Expr determinant(Context *cx, const Expr *A, uint32_t n, uint32_t row, uint32_t used) {
  if (row == n) return expr_int(cx, 1);
  Expr sum = expr_int(cx, 0);
  bool minus = false;
  for (uint32_t j = 0; j < n; j++) {
    if (used >> j & 1) continue;
    Expr a = A[row * n + j];
    if (!expr_is_zero(cx, a)) {
      Expr term = expr_mul(cx, a, determinant(cx, A, n, row + 1, used | 1u << j));
      sum = minus ? expr_sub(cx, sum, term) : expr_add(cx, sum, term);
    }
    minus = !minus;
  }
  return sum;
}

Expr expr_determinant(Context *cx, const Expr *A, uint32_t n) {
  return determinant(cx, A, n, 0, 0);
}
