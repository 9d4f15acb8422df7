// Formulations are proved equal, and mistakes in one of them are found.
#include "derive/agreement.h"

#include "derive/formulate.h"
#include "expr/build.h"
#include "support/motion.h"

static const char *const four_bar =
    "param g = 9.81 [m/s^2], L_1 = 2.5 [m], L_2 = 1 [m], L_3 = 2 [m], rho = 1 [kg/m]\n"
    "gravity (0, -g)\n"
    "body crank: rod L_2, mass rho*L_2, angle 60 [deg]\n"
    "body coupler: rod L_3, mass rho*L_3, angle 20 [deg]\n"
    "body rocker: rod L_3, mass rho*L_3, angle 120 [deg]\n"
    "joint A: revolute ground (0, 0), crank (-L_2/2, 0)\n"
    "joint B: revolute crank (L_2/2, 0), coupler (-L_3/2, 0), friction 0.1 [N*m*s]\n"
    "joint C: revolute coupler (L_3/2, 0), rocker (L_3/2, 0)\n"
    "joint D: revolute rocker (-L_3/2, 0), ground (L_1, 0)\n"
    "spring s: ground (1 [m], 1 [m]), coupler (0, 0), stiffness 10 [N/m], length 1 [m]\n";

static System formulated(Context *cx, const char *text, Formulation formulation) {
  return motion_load_as(cx, text, NULL, formulation).system;
}

static Agreement agree(Context *cx, System *lagrange, System *other) {
  const Expr *y = agreement_coordinates(cx, other->model, lagrange->model->poses);
  return agreement_prove(cx, lagrange, other, y);
}

static System open_tree(Context *cx, const System *natural) {
  Model *cut;
  System s;
  assert_int_equal(model_formulate_cut(cx, natural->model->origin, &cut), QDOT_OK);
  assert_int_equal(derive_system(cx, cut, DERIVE_BASIC, &s), QDOT_OK);
  return s;
}

TEST(maximal_coordinates_project_onto_the_tree) {
  System lagrange = formulated(cx, four_bar, FORMULATION_LAGRANGE);
  System maximal = formulated(cx, four_bar, FORMULATION_MAXIMAL);
  Agreement a = agree(cx, &lagrange, &maximal);
  assert_int_equal(a.equality, EQUAL_YES);
  assert_int_equal(a.satisfied, 6);
  assert_int_equal(a.shared, 2);
  assert_int_equal(a.identities, 3 + 8);
}

TEST(natural_coordinates_close_their_loops_by_sharing_points) {
  System lagrange = formulated(cx, four_bar, FORMULATION_LAGRANGE);
  System natural = formulated(cx, four_bar, FORMULATION_NATURAL);
  System cut = open_tree(cx, &natural);
  assert_true(cut.n > natural.n);
  assert_int_equal(agree(cx, &lagrange, &cut).equality, EQUAL_YES);
  Expr closed[32];
  for (uint32_t i = 0; i < cut.n; i++) closed[i] = cut.model->meanings.at[i].closed;
  assert_int_equal(agreement_prove(cx, &natural, &cut, closed).equality, EQUAL_YES);
}

TEST(momentum_balances_are_lagranges_equations) {
  System lagrange = formulated(cx, four_bar, FORMULATION_LAGRANGE);
  System balances = formulated(cx, four_bar, FORMULATION_NEWTON_EULER);
  assert_int_equal(agreement_prove(cx, &lagrange, &balances, lagrange.q).equality, EQUAL_YES);
}

// A force, a mass and a constraint that are not the same.
TEST(what_differs_is_named) {
  System lagrange = formulated(cx, four_bar, FORMULATION_LAGRANGE);
  System maximal = formulated(cx, four_bar, FORMULATION_MAXIMAL), wrong = maximal;
  Expr G[9];
  for (int i = 0; i < 9; i++) G[i] = expr_add(cx, maximal.G[i], expr_int(cx, i == 7));
  wrong.G = G;
  Agreement a = agree(cx, &lagrange, &wrong);
  assert_int_equal(a.equality, EQUAL_NO);
  assert_string_equal(a.where, "rocker.theta");
  wrong = maximal;
  wrong.row_count--;
  assert_int_equal(agree(cx, &lagrange, &wrong).equality, EQUAL_NO);
  Row rows[8];
  for (int i = 0; i < 8; i++) rows[i] = maximal.rows[i];
  rows[2].phi = expr_add(cx, rows[2].phi, maximal.q[0]);
  wrong = maximal;
  wrong.rows = rows;
  a = agree(cx, &lagrange, &wrong);
  assert_int_equal(a.equality, EQUAL_NO);
  assert_string_equal(a.where, "B_x");
}

RUN_TESTS(cmocka_unit_test(maximal_coordinates_project_onto_the_tree),
          cmocka_unit_test(natural_coordinates_close_their_loops_by_sharing_points),
          cmocka_unit_test(momentum_balances_are_lagranges_equations),
          cmocka_unit_test(what_differs_is_named))
