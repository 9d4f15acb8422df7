// Accelerations and multipliers as formulas: put into the equations, they solve them at any state.
#include <math.h>
#include <string.h>

#include "derive/formulate.h"
#include "expr/value/eval.h"
#include "lang/read.h"
#include "print/listing.h"
#include "support/check.h"

static System derived(Context *cx, const char *text) {
  Model *model;
  System system;
  assert_int_equal(model_read(cx, "solved.qdot", text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(model_formulate(cx, model, FORMULATION_LAGRANGE, &model), QDOT_OK);
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &system), QDOT_OK);
  return system;
}

#define TWO_MASSES                                                                                 \
  "param g = 9.81 [m/s^2], m_1 = 2 [kg], m_2 = 1 [kg], l = 1 [m]\n"                                \
  "coord x = 0.1 [m], y ~ 0.2 [m]\nkinetic = 1/2*m_1*x'^2 + 1/2*m_2*y'^2\n"

#define CART_AND_POLE                                                                              \
  "param g = 9.81 [m/s^2], M = 2 [kg], m = 1 [kg], l = 1 [m]\ncoord x = 0 [m], theta = 0.3\n"      \
  "let r = (x + l*sin(theta), -l*cos(theta))\n"                                                    \
  "kinetic = 1/2*M*x'^2 + 1/2*m*dot(r', r')\npotential = m*g*r.y\nforce x = M*g*sin(theta)\n"

#define SPHERICAL                                                                                  \
  "param g = 9.81 [m/s^2], m = 1 [kg], l = 1 [m]\ncoord theta = 0.3, phi = 0\n"                    \
  "kinetic = 1/2*m*l^2*(theta'^2 + sin(theta)^2*phi'^2)\npotential = -m*g*l*cos(theta)\n"

static const char *const models[] = {
    TWO_MASSES "potential = -m_1*g*x - m_2*g*y\nconstraint rope: x + y = 0\n",
    TWO_MASSES "potential = m_2*g*y\nconstraint wire: y = x^2/l\n",
    TWO_MASSES "potential = 1/2*m_1*g/l*(x - y)^2\ndissipation = 1/2*m_1*sqrt(g/l)*x'^2\n",
    CART_AND_POLE, SPHERICAL};

// M q'' + h + D + G + Phi_q^T lambda - Q, then Phi_q q'' - gamma.
static double residual(const System *s, const double *values, const double *x, uint32_t row,
                       double *size) {
  Context *cx = s->cx;
  uint32_t n = s->n;
  double sum = 0;
  *size = 1e-9;
  for (uint32_t j = 0; j < n + s->row_count; j++) {
    if (row >= n && j >= n) break;
    Expr factor = row >= n ? s->rows[row - n].phi_q[j]
                  : j >= n ? s->rows[j - n].phi_q[row]
                           : s->M[row * n + j];
    double term = expr_eval(cx, factor, values) * x[j];
    sum += term, *size += fabs(term);
  }
  Expr rest[] = {s->h[row % n], s->D[row % n], s->G[row % n], s->Q[row % n]};
  if (row >= n) return sum - expr_eval(cx, s->rows[row - n].gamma, values);
  for (int k = 0; k < 4; k++) sum += (k == 3 ? -1 : 1) * expr_eval(cx, rest[k], values);
  return sum;
}

TEST(formulas_solve_the_equations) {
  Random random = random_start("solved");
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    System system = derived(cx, models[k]);
    Mark mark = arena_mark(&cx->scratch);
    ListingOptions options = {SIMPLIFY_NORMAL, NULL, true};
    Listing listing;
    ExprList found;
    assert_int_equal(listing_open(&system, &options, &listing), QDOT_OK);
    assert_true(listing_accelerations(&listing, &found));
    uint32_t n = system.n + system.row_count;
    assert_int_equal(found.n, n);
    for (int round = 0; round < test_rounds(20); round++) {
      double values[200], x[8], size;
      assert_true(cx->exprs->symbols.n < 200);
      for (int i = 0; i < 200; i++) values[i] = random_real(&random, 0.3, 1.7);
      for (uint32_t i = 0; i < n; i++) x[i] = expr_eval(cx, found.at[i], values);
      for (uint32_t i = 0; i < n; i++) {
        double off = residual(&system, values, x, i, &size);
        if (!(fabs(off) < 1e-9 * (1 + size))) fail_msg("model %zu, row %u: %g", k, i, off);
      }
    }
    arena_release(&cx->scratch, mark);
  }
}

// Rows that say the same twice have no solution of their own, long ones are not shown.
TEST(what_is_singular_or_long_is_left_alone) {
  static const char *const others[] = {
      TWO_MASSES "potential = m_2*g*y\nconstraint a: x + y = 0\nconstraint b: 2*x + 2*y = 0\n",
      "param m = 1 [kg], l = 1 [m]\ncoord x = 0 [m]\nkinetic = 1/2*m*x'^2\n"};
  for (size_t k = 0; k < 2; k++) {
    System system = derived(cx, others[k]);
    Mark mark = arena_mark(&cx->scratch);
    ListingOptions options = {SIMPLIFY_NORMAL, NULL, true};
    Listing listing;
    ExprList found;
    assert_int_equal(listing_open(&system, &options, &listing), QDOT_OK);
    assert_false(listing_accelerations(&listing, &found));
    arena_release(&cx->scratch, mark);
  }
}

RUN_TESTS(cmocka_unit_test(formulas_solve_the_equations),
          cmocka_unit_test(what_is_singular_or_long_is_left_alone))
