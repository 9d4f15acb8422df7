// Routh's reduction of random systems: its accelerations as numbers against those of all
// coordinates, and the reduced model against both.
#include <math.h>
#include <string.h>

#include "derive/roads/motion_rate.h"
#include "derive/roads/routh.h"
#include "expr/build.h"
#include "expr/subst.h"
#include "expr/value/eval.h"
#include "lang/read.h"
#include "support/check.h"

// r and z with T coupled to the cyclic a and b; what acts on them damps and drives r.
static const char *random_text(Context *cx, Random *r) {
  const int n = 2 + random_below(r, 5);
  return text_format(
      &cx->keep,
      "param m = 2 [kg], l = 0.7 [m], k = 3 [N/m], c = 0.3 [N*s/m], F = 1 [N], w = 2 [1/s]\n"
      "coord r = %d [m], z = 0.%d [m], a = 0 [rad], b = 0 [rad]\n"
      "coord r' = 0.%d [m/s], z' = -0.2 [m/s], a' = %d [rad/s], b' = 0.%d [rad/s]\n"
      "kinetic = 1/2*m*(r'^2 + z'^2) + 1/2*m*(r^2 + l^2)*a'^2 + 1/2*m*l^2*%d*b'^2\n"
      "kinetic = m*l*%d*a'*r'*cos(z/l) + 1/2*m*(l*b' + z*a')^2\n"
      "potential = 1/2*k*(r - l)^2 + %d*k*z^2\ndissipation = 1/2*c*r'^2\n"
      "force r = F*sin(w*t) - c*%d*l*a'\n",
      n, 1 + random_below(r, 9), 1 + random_below(r, 9), 1 + random_below(r, 4),
      1 + random_below(r, 9), 1 + random_below(r, 3), random_below(r, 2), 1 + random_below(r, 3),
      random_below(r, 3));
}

static void scatter(Context *cx, const System *s, const Routh *routh, Random *r, double *at) {
  for (uint32_t i = 0; i < cx->exprs->symbols.n; i++) at[i] = random_real(r, 0.3, 1.2);
  for (uint32_t k = 0; k < routh->cyclic; k++) {
    double p = expr_eval(cx, routh->momentum[k], at);
    at[symbol_variable(cx, routh->p[k])] = p;
    Expr parameter = expr_symbol(cx, SYMBOL_PARAMETER, symbol_name(cx, routh->p[k]));
    at[symbol_variable(cx, parameter)] = p;
  }
  (void)s;
}

// Cyclic velocities, and m q'' = right with the accelerations of Lagrange's equations.
static void check_equations(Context *cx, const System *s, const Routh *routh, const Expr *qdd,
                            const double *at) {
  for (uint32_t k = 0; k < routh->cyclic; k++)
    CHECK_NEAR(expr_eval(cx, routh->velocity[k], at),
               at[symbol_variable(cx, s->qd[routh->cyclic_at[k]])], 1e-11);
  for (uint32_t k = 0; k < routh->rest; k++) {
    double left = 0;
    for (uint32_t j = 0; j < routh->rest; j++)
      left += expr_eval(cx, routh->m[k * routh->rest + j], at) *
              expr_eval(cx, qdd[routh->rest_at[j]], at);
    CHECK_NEAR(expr_eval(cx, routh->right[k], at), left, 1e-9 * (1 + fabs(left)));
  }
}

static void check_reduced(Context *cx, Model *model, const Routh *routh, const Expr *qdd,
                          const double *at) {
  Model *reduced = routh_reduction(model, true);
  assert_non_null(reduced);
  assert_int_equal(reduced->coordinates.n, 2);
  assert_int_equal(reduced->states.n, 2);
  System *s;
  assert_int_equal(model_system(reduced, DERIVE_MATRICES, &s), QDOT_OK);
  Expr *x = arena_array(&cx->keep, Expr, s->n + 1);
  assert_true(motion_solve(cx, s, x));
  for (uint32_t k = 0; k < routh->rest; k++) {
    double expected = expr_eval(cx, qdd[routh->rest_at[k]], at);
    CHECK_NEAR(expr_eval(cx, x[k], at), expected, 1e-9 * (1 + fabs(expected)));
  }
}

TEST(random_systems) {
  Random r = random_start("random_systems");
  for (int round = 0; round < test_rounds(20); round++) {
    const char *text = random_text(cx, &r);
    Model *model;
    System *s;
    Routh routh;
    assert_int_equal(model_read(cx, "test", text, strlen(text), NULL, &model), QDOT_OK);
    assert_int_equal(model_system(model, DERIVE_MATRICES, &s), QDOT_OK);
    assert_int_equal(routh_derive(cx, s, &routh), QDOT_OK);
    assert_int_equal(routh.cyclic, 2);
    Expr *qdd = arena_array(&cx->keep, Expr, s->n + 1);
    assert_true(motion_solve(cx, s, qdd));
    double *at = arena_array(&cx->keep, double, cx->exprs->symbols.n + 64);
    assert_non_null(routh_reduction(model, true)); // makes the symbols of its parameters
    scatter(cx, s, &routh, &r, at);
    check_equations(cx, s, &routh, qdd, at);
    check_reduced(cx, model, &routh, qdd, at);
  }
}

RUN_TESTS(cmocka_unit_test(random_systems))
