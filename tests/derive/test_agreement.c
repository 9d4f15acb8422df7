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

// Without a row of its loop, or without a coordinate's row, a formulation says less.
TEST(missing_rows_are_named) {
  System lagrange = formulated(cx, four_bar, FORMULATION_LAGRANGE);
  System maximal = formulated(cx, four_bar, FORMULATION_MAXIMAL), wrong = maximal;
  for (uint32_t gone = 0; gone < maximal.row_count; gone++) {
    Row rows[8];
    uint32_t n = 0;
    bool is_shared = false;
    for (uint32_t i = 0; i < maximal.row_count; i++)
      if (i != gone) rows[n++] = maximal.rows[i];
    for (uint32_t i = 0; i < lagrange.row_count; i++)
      is_shared |= lagrange.rows[i].name == maximal.rows[gone].name;
    wrong.rows = rows, wrong.row_count = n;
    Agreement a = agree(cx, &lagrange, &wrong);
    assert_int_equal(a.equality, EQUAL_NO);
    assert_string_equal(a.where,
                        is_shared ? "the number of constraints" : "the number of coordinates");
  }
}

static const char *chain_of(Context *cx, int n, const char *spring) {
  Text text = text_new(&cx->keep);
  text_addf(&text,
            "param g = 9.81 [m/s^2], L = 0.5 [m], mu = 2 [kg/m]\ngravity (0, -g)\n"
            "for i in 1..%d\n  body rod[i]: rod L, mass mu*L, angle (10*i)*1 [deg]\n%send\n"
            "joint A[1]: revolute ground (0, 0), rod[1] (-L/2, 0)\nfor i in 2..%d\n"
            "  joint A[i]: revolute rod[i-1] (L/2, 0), rod[i] (-L/2, 0), friction 0.1 [N*m*s]\n"
            "end\n",
            n, spring, n);
  return text.at;
}

// Many identities are proved as one, with a symbol before each; what fails is looked up.
TEST(many_identities_are_proved_as_one) {
  const char *chain = chain_of(cx, 14, "");
  System lagrange = formulated(cx, chain, FORMULATION_LAGRANGE);
  System maximal = formulated(cx, chain, FORMULATION_MAXIMAL), wrong = maximal;
  Agreement a = agree(cx, &lagrange, &maximal);
  assert_int_equal(a.equality, EQUAL_YES);
  assert_int_equal(a.identities, 14 + 28);
  Expr G[42];
  for (int i = 0; i < 42; i++) G[i] = expr_add(cx, maximal.G[i], expr_int(cx, i == 3 * 6 + 2));
  wrong.G = G;
  a = agree(cx, &lagrange, &wrong);
  assert_int_equal(a.equality, EQUAL_NO);
  assert_string_equal(a.where, "rod[7].theta");
}

// Roots of many kinds are beyond the field: the values agree to the digits that are told.
TEST(unproved_identities_agree_to_so_many_digits) {
  const char *chain = chain_of(cx, 4,
                               "  spring s[i]: ground ((0.1*i)*1 [m], 1 [m]), rod[i] (0, 0.1 [m]), "
                               "stiffness 10 [N/m], length 1 [m]\n");
  System lagrange = formulated(cx, chain, FORMULATION_LAGRANGE);
  System maximal = formulated(cx, chain, FORMULATION_MAXIMAL);
  Agreement a = agree(cx, &lagrange, &maximal);
  assert_int_equal(a.equality, EQUAL_UNKNOWN);
  assert_int_equal(a.evidence.kind, EVIDENCE_DIGITS);
  assert_true(a.evidence.digits >= 8 && a.evidence.digits <= 16);
}

// Equations larger than anybody decides are compared at points.
TEST(endless_equations_are_compared_at_points) {
  System lagrange = formulated(cx, four_bar, FORMULATION_LAGRANGE);
  System mine = lagrange, other = lagrange;
  enum { TERMS = 31000 };
  Expr *terms = arena_array(&cx->keep, Expr, TERMS);
  for (int i = 0; i < TERMS; i++) {
    Expr turn = expr_mul(cx, expr_int(cx, i + 1), lagrange.q[0]);
    terms[i] = expr_div(cx, expr_sin(cx, turn), expr_int(cx, TERMS));
  }
  Expr large = expr_sum(cx, terms, TERMS), G[3], H[3];
  for (int i = 0; i < 3; i++) {
    G[i] = expr_add(cx, lagrange.G[i], large);
    H[i] = expr_add(cx, G[i], expr_int(cx, i == 1));
  }
  mine.G = other.G = G;
  Agreement a = agreement_prove(cx, &mine, &other, lagrange.q);
  assert_int_equal(a.equality, EQUAL_UNKNOWN);
  assert_int_equal(a.evidence.kind, EVIDENCE_DIGITS);
  // sin(31000 q) keeps 16 - 4.5 digits, and the sum may be small at the points that are drawn
  assert_true(a.evidence.digits >= 6);
  other.G = H;
  a = agreement_prove(cx, &mine, &other, lagrange.q);
  assert_int_equal(a.equality, EQUAL_NO);
  assert_int_equal(a.evidence.kind, EVIDENCE_POINT);
  assert_string_equal(a.where, "a random state");
}

RUN_TESTS(cmocka_unit_test(maximal_coordinates_project_onto_the_tree),
          cmocka_unit_test(natural_coordinates_close_their_loops_by_sharing_points),
          cmocka_unit_test(momentum_balances_are_lagranges_equations),
          cmocka_unit_test(what_differs_is_named), cmocka_unit_test(missing_rows_are_named),
          cmocka_unit_test(many_identities_are_proved_as_one),
          cmocka_unit_test(unproved_identities_agree_to_so_many_digits),
          cmocka_unit_test(endless_equations_are_compared_at_points))
