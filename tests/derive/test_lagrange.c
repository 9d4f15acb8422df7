// The equations of motion: against a plain derivation with everything opened, and the lifted form
// against the matrices.
#include "derive/system.h"

#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "expr/value/eval.h"
#include "support/mechanisms.h"

// Residual of Lagrange's equation of q_i by the book, all definitions opened:
// d/dt dT/dq'_i - dT/dq_i
static Expr plain_residual(Context *cx, const System *s, uint32_t i) {
  Expr T = expr_open(cx, s->T);
  Expr p = expr_diff(cx, T, s->qd[i]);
  return expr_sub(cx, expr_time_derivative(cx, p), expr_diff(cx, T, s->q[i]));
}

static double *random_state(Context *cx, Random *random) {
  double *values = arena_array(&cx->scratch, double, cx->exprs->symbols.n);
  for (uint32_t i = 0; i < cx->exprs->symbols.n; i++) values[i] = random_real(random, 0.3, 1.4);
  return values;
}

static void check_matrices(Context *cx, const System *s, const double *at) {
  for (uint32_t i = 0; i < s->n; i++) {
    double expected = expr_eval(cx, plain_residual(cx, s, i), at);
    double sum = expr_eval(cx, s->h[i], at);
    for (uint32_t j = 0; j < s->n; j++)
      sum += expr_eval(cx, s->M[i * s->n + j], at) * at[symbol_variable(cx, s->qdd[j])];
    CHECK_NEAR(sum, expected, 1e-9);
    CHECK_NEAR(expr_eval(cx, s->G[i], at),
               expr_eval(cx, expr_diff(cx, expr_open(cx, s->V), s->q[i]), at), 1e-10);
    CHECK_NEAR(expr_eval(cx, s->D[i], at),
               expr_eval(cx, expr_diff(cx, expr_open(cx, s->R), s->qd[i]), at), 1e-10);
  }
}

// gamma term by term, as the book has it.
static void check_gamma(Context *cx, const System *s, const Row *row, const double *at) {
  Expr phi = expr_open(cx, row->phi), t = s->t, sum = cx->exprs->zero;
  for (uint32_t i = 0; i < s->n; i++) {
    if (row->is_nonholonomic) {
      sum = expr_add(cx, sum, expr_mul(cx, expr_diff(cx, phi, s->q[i]), s->qd[i]));
      continue;
    }
    Expr phi_q = expr_diff(cx, phi, s->q[i]);
    sum = expr_add(cx, sum, expr_mul3(cx, expr_int(cx, 2), expr_diff(cx, phi_q, t), s->qd[i]));
    for (uint32_t j = 0; j < s->n; j++)
      sum = expr_add(cx, sum, expr_mul3(cx, expr_diff(cx, phi_q, s->q[j]), s->qd[i], s->qd[j]));
  }
  Expr last = expr_diff(cx, phi, t);
  if (!row->is_nonholonomic) last = expr_diff(cx, last, t);
  CHECK_NEAR(expr_eval(cx, row->gamma, at), -expr_eval(cx, expr_add(cx, sum, last), at), 1e-9);
}

// Solves A x = b in place by elimination with pivoting.
static void solve_dense(double *A, double *b, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    uint32_t best = k;
    for (uint32_t i = k; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    for (uint32_t j = 0; j < n; j++) {
      double kept = A[k * n + j];
      A[k * n + j] = A[best * n + j], A[best * n + j] = kept;
    }
    double kept = b[k];
    b[k] = b[best], b[best] = kept;
    for (uint32_t i = k + 1; i < n; i++) {
      double factor = A[i * n + k] / A[k * n + k];
      for (uint32_t j = k; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (uint32_t k = n; k-- > 0;) {
    for (uint32_t j = k + 1; j < n; j++) b[k] -= A[k * n + j] * b[j];
    b[k] /= A[k * n + k];
  }
}

// q'' and lambda from the matrices.
static double *solve_plain(Context *cx, const System *s, const double *at) {
  uint32_t n = s->n, size = n + s->row_count;
  double *A = arena_array(&cx->scratch, double, size *size);
  double *b = arena_array(&cx->scratch, double, size);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) A[i * size + j] = expr_eval(cx, s->M[i * n + j], at);
    b[i] = expr_eval(cx, s->Q[i], at) - expr_eval(cx, s->h[i], at) - expr_eval(cx, s->D[i], at) -
           expr_eval(cx, s->G[i], at);
  }
  for (uint32_t r = 0; r < s->row_count; r++) {
    for (uint32_t j = 0; j < n; j++)
      A[(n + r) * size + j] = A[j * size + n + r] = expr_eval(cx, s->rows[r].phi_q[j], at);
    b[n + r] = expr_eval(cx, s->rows[r].gamma, at);
  }
  solve_dense(A, b, size);
  return b;
}

// The same from the lifted system: unknowns z'', mu, lambda.
static double *solve_lifted(Context *cx, const System *s, const double *at) {
  const Lifted *l = s->lifted;
  uint32_t nz = l->n + l->m, size = nz + l->m + s->row_count;
  double *A = arena_array(&cx->scratch, double, size *size);
  double *b = arena_array(&cx->scratch, double, size);
  for (uint32_t i = 0; i < l->H.n; i++) {
    Entry e = l->H.at[i];
    A[e.row * size + e.column] = A[e.column * size + e.row] = expr_eval(cx, e.value, at);
  }
  for (uint32_t i = 0; i < nz; i++) b[i] = expr_eval(cx, l->f[i], at);
  for (uint32_t k = 0; k < l->m; k++) {
    uint32_t row = nz + k, unit = l->n + k;
    A[row * size + unit] = A[unit * size + row] = 1;
    b[row] = expr_eval(cx, l->b[k], at);
  }
  for (uint32_t i = 0; i < l->J.n; i++) {
    Entry e = l->J.at[i];
    double value = expr_eval(cx, e.value, at);
    A[(nz + e.row) * size + e.column] += value;
    A[e.column * size + nz + e.row] += value;
  }
  for (uint32_t i = 0; i < l->constraints.n; i++) {
    Entry e = l->constraints.at[i];
    uint32_t row = nz + l->m + e.row;
    A[row * size + e.column] = A[e.column * size + row] = expr_eval(cx, e.value, at);
  }
  for (uint32_t r = 0; r < s->row_count; r++) b[nz + l->m + r] = expr_eval(cx, l->gamma[r], at);
  solve_dense(A, b, size);
  memmove(b + s->n, b + nz + l->m, s->row_count * sizeof *b);
  return b;
}

static void check_model(Context *cx, Random *random, const Model *model) {
  Mark mark = arena_mark(&cx->scratch);
  System s;
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES | DERIVE_LIFTED, &s), QDOT_OK);
  double *at = random_state(cx, random);
  check_matrices(cx, &s, at);
  for (uint32_t r = 0; r < s.row_count; r++) check_gamma(cx, &s, &s.rows[r], at);
  double *plain = solve_plain(cx, &s, at), *lifted = solve_lifted(cx, &s, at);
  for (uint32_t i = 0; i < s.n + s.row_count; i++) {
    // a random constraint may be nearly singular; then both are only as good as that allows
    if (fabs(plain[i]) < 1e4) CHECK_NEAR(lifted[i], plain[i], 1e-6);
  }
  arena_release(&cx->scratch, mark);
}

TEST(random_mechanisms) {
  Random random = random_start("random_mechanisms");
  for (int i = 0; i < test_rounds(400); i++)
    check_model(cx, &random, mechanism_random(cx, &random));
}

TEST(pendulums) {
  Random random = random_start("pendulums");
  for (int links = 1; links <= 6; links++) check_model(cx, &random, mechanism_pendulum(cx, links));
}

// M and h of N links stay quadratic and linear in nodes.
TEST(growth_is_bounded) {
  uint32_t nodes[2];
  for (int i = 0; i < 2; i++) {
    System s;
    uint32_t before = expr_count(cx);
    derive_system(cx, mechanism_pendulum(cx, i ? 40 : 20), DERIVE_MATRICES, &s);
    nodes[i] = expr_count(cx) - before;
  }
  assert_true(nodes[1] < 5 * nodes[0]);
}

RUN_TESTS(cmocka_unit_test(pendulums), cmocka_unit_test(random_mechanisms),
          cmocka_unit_test(growth_is_bounded))
