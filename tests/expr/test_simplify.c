// The reader's form: equal to what came in, no larger, and what the textbooks print.
#include "expr/algebra/simplify.h"

#include <math.h>

#include "expr/algebra/cost.h"
#include "expr/algebra/equal.h"
#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/canonical.h"
#include "expr/define.h"
#include "expr/print.h"
#include "expr/value/bound.h"
#include "support/textbook.h"
#include "support/trigonometry.h"

static const char *text(Context *cx, Expr e) { return expr_text(cx, &cx->keep, e); }

// Same value at a random point, within rounding errors; false where the point is unfit.
static bool same_value(Samples *s, Expr a, Expr b) {
  double *values = random_values(s, 0.2, 1.8);
  Bounded x = expr_eval_bounded(s->cx, a, values), y = expr_eval_bounded(s->cx, b, values);
  double allowed = x.error + y.error;
  if (!(allowed < 1e-6 * (1 + fabs(x.value)))) return false;
  if (fabs(x.value - y.value) > allowed)
    fail_msg("%s is %.17g, %s is %.17g", text(s->cx, a), x.value, text(s->cx, b), y.value);
  return true;
}

// ---- Any expression

static void check_any(Context *cx, SimplifyLevel level, int rounds, bool trigonometric) {
  Random random = random_start(trigonometric ? "trigonometric" : "any");
  Samples s = samples_open(cx, &random);
  int compared = 0;
  for (int i = 0; i < rounds; i++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = trigonometric ? rewrite_randomly(&s, random_trigonometric(&s, 3, i % 2 == 0))
                           : random_expr(&s, 4, true);
    Expr simple = expr_simplify(cx, e, level);
    assert_true(expr_is_canonical(cx, simple));
    if (expr_cost(cx, simple) > expr_cost(cx, e))
      fail_msg("%s became %s", text(cx, e), text(cx, simple));
    if (expr_is_defined(cx, simple)) compared += same_value(&s, e, simple);
    arena_release(&cx->scratch, mark);
  }
  assert_true(compared > rounds / 3);
}

TEST(keeps_the_value_and_never_grows) { check_any(cx, SIMPLIFY_NORMAL, test_rounds(5000), false); }

TEST(keeps_the_value_of_trigonometric_functions) {
  check_any(cx, SIMPLIFY_NORMAL, test_rounds(2000), true);
  check_any(cx, SIMPLIFY_FULL, test_rounds(500), true);
}

// ---- Textbooks

typedef struct Simplified {
  Textbook book;
  uint32_t n;
  Expr *M, *h, *G;
} Simplified;

static Simplified simplified(Context *cx, const char *model, const char *override) {
  Simplified s = {.book = textbook_derive(cx, model, override)};
  const System *system = &s.book.system;
  uint32_t n = s.n = system->n, total = n * n + 2 * n;
  Expr *in = arena_array(&cx->keep, Expr, total), *out = arena_array(&cx->keep, Expr, total);
  for (uint32_t i = 0; i < n * n; i++) in[i] = system->M[i];
  for (uint32_t i = 0; i < n; i++) in[n * n + i] = system->h[i], in[n * n + n + i] = system->G[i];
  expr_simplify_many(cx, in, total, SIMPLIFY_NORMAL, out);
  s.M = out, s.h = out + n * n, s.G = s.h + n;
  for (uint32_t i = 0; i < total; i++) {
    if (expr_zero_test(cx, expr_sub(cx, in[i], out[i]), 1000000) != ZERO_YES)
      fail_msg("%s is not equal to what came in", text(cx, out[i]));
  }
  return s;
}

// The same node: word for word up to the order of terms and factors and the place of a sign.
static void check_same(Context *cx, const Simplified *s, Expr got, const char *expected) {
  if (got != textbook_expr(cx, &s->book, expected))
    fail_msg("expected %s\n     got %s", expected, text(cx, got));
}

static void check_all(Context *cx, const Simplified *s, const Expr *got, uint32_t n,
                      const char *const *expected) {
  for (uint32_t i = 0; i < n; i++) check_same(cx, s, got[i], expected[i]);
}

TEST(prints_the_triple_pendulum_arm_as_the_paper_does) {
  Simplified s = simplified(cx, textbook_triple_arm, NULL);
  // Eq. 54-62
  check_all(cx, &s, s.M, 9,
            (const char *[]){"L_1^2*m_2 + L_1^2*m_3 + m_1*z_1^2",
                             "L_1*cos(q_1 - q_2)*(L_2*m_3 + m_2*z_2)", "L_1*m_3*z_3*cos(q_1 - q_3)",
                             "L_1*cos(q_1 - q_2)*(L_2*m_3 + m_2*z_2)", "m_3*L_2^2 + m_2*z_2^2",
                             "L_2*m_3*z_3*cos(q_2 - q_3)", "L_1*m_3*z_3*cos(q_1 - q_3)",
                             "L_2*m_3*z_3*cos(q_2 - q_3)", "m_3*z_3^2"});
  // Eq. 63-65, each coefficient factored
  check_all(cx, &s, s.h, 3,
            (const char *[]){"L_1*(L_2*m_3 + m_2*z_2)*sin(q_1 - q_2)*q_2'^2"
                             " + L_1*m_3*z_3*sin(q_1 - q_3)*q_3'^2",
                             "-L_1*(L_2*m_3 + m_2*z_2)*sin(q_1 - q_2)*q_1'^2"
                             " + L_2*m_3*z_3*sin(q_2 - q_3)*q_3'^2",
                             "-L_1*m_3*z_3*sin(q_1 - q_3)*q_1'^2"
                             " - L_2*m_3*z_3*sin(q_2 - q_3)*q_2'^2"});
  // Eq. 66-68
  check_all(cx, &s, s.G, 3,
            (const char *[]){"(-g)*sin(q_1)*(L_1*m_2 + L_1*m_3 + m_1*z_1)",
                             "(-g)*sin(q_2)*(L_2*m_3 + m_2*z_2)", "(-g)*m_3*z_3*sin(q_3)"});
}

// M q'' + h + G of one coordinate.
static Expr left_side(Context *cx, const System *system, uint32_t i) {
  Expr sum = expr_add(cx, system->h[i], system->G[i]);
  for (uint32_t k = 0; k < system->n; k++)
    sum = expr_add(cx, sum, expr_mul(cx, system->M[system->n * i + k], system->qdd[k]));
  return sum;
}

// Eq. 51-53: the whole left side, collected by the accelerations and squares of velocities.
TEST(collects_the_torques_of_the_triple_pendulum_arm) {
  Simplified s = simplified(cx, textbook_triple_arm, NULL);
  const char *expected[] = {
      "(L_1^2*m_2 + L_1^2*m_3 + m_1*z_1^2)*q_1''"
      " + L_1*(L_2*m_3 + m_2*z_2)*cos(q_1 - q_2)*q_2''"
      " + L_1*(L_2*m_3 + m_2*z_2)*sin(q_1 - q_2)*q_2'^2"
      " + L_1*m_3*z_3*cos(q_1 - q_3)*q_3'' + L_1*m_3*z_3*sin(q_1 - q_3)*q_3'^2"
      " - g*(L_1*m_2 + L_1*m_3 + m_1*z_1)*sin(q_1)",
      "L_1*(L_2*m_3 + m_2*z_2)*cos(q_1 - q_2)*q_1''"
      " - L_1*(L_2*m_3 + m_2*z_2)*sin(q_1 - q_2)*q_1'^2"
      " + (m_3*L_2^2 + m_2*z_2^2)*q_2'' + L_2*m_3*z_3*cos(q_2 - q_3)*q_3''"
      " + L_2*m_3*z_3*sin(q_2 - q_3)*q_3'^2 - g*(L_2*m_3 + m_2*z_2)*sin(q_2)",
      "L_1*m_3*z_3*cos(q_1 - q_3)*q_1'' - L_1*m_3*z_3*sin(q_1 - q_3)*q_1'^2"
      " + L_2*m_3*z_3*cos(q_2 - q_3)*q_2'' - L_2*m_3*z_3*sin(q_2 - q_3)*q_2'^2"
      " + m_3*z_3^2*q_3'' - g*m_3*z_3*sin(q_3)"};
  for (uint32_t i = 0; i < 3; i++)
    check_same(cx, &s, expr_simplify(cx, left_side(cx, &s.book.system, i), SIMPLIFY_NORMAL),
               expected[i]);
}

// Eq. 78-79: the force of the slide and the torque of the turn, word for word.
TEST(collects_the_force_and_torque_of_the_polar_robot) {
  Simplified s = simplified(cx, textbook_polar_robot, NULL);
  const char *expected[] = {"m_2*q_1'' + (-m_2*q_1)*q_2'^2 + g*m_2*sin(q_2)",
                            "(2*m_2*q_1)*q_1'*q_2'"
                            " + (m_1*l_1^2/3 + m_2*l_2^2/12 + m_2*q_1^2)*q_2''"
                            " + g*cos(q_2)*(l_1*m_1 + 2*m_2*q_1)/2"};
  for (uint32_t i = 0; i < 2; i++)
    check_same(cx, &s, expr_simplify(cx, left_side(cx, &s.book.system, i), SIMPLIFY_NORMAL),
               expected[i]);
}

TEST(prints_the_polar_robot_as_the_paper_does) {
  Simplified s = simplified(cx, textbook_polar_robot, NULL);
  // Eq. 80-83
  check_all(cx, &s, s.M, 4,
            (const char *[]){"m_2", "0", "0", "m_1*l_1^2/3 + m_2*l_2^2/12 + m_2*q_1^2"});
  // Eq. 84-87
  check_all(cx, &s, s.h, 2, (const char *[]){"-m_2*q_1*q_2'^2", "2*m_2*q_1'*q_1*q_2'"});
  check_all(cx, &s, s.G, 2,
            (const char *[]){"(-g)*(-m_2*sin(q_2))", "g*cos(q_2)*(l_1*m_1 + 2*m_2*q_1)/2"});
}

TEST(prints_other_pendulums_as_textbooks_do) {
  Simplified s = simplified(cx, textbook_spherical_pendulum, NULL);
  check_all(cx, &s, s.M, 4, (const char *[]){"m*l^2", "0", "0", "m*l^2*sin(theta)^2"});
  check_all(cx, &s, s.h, 2,
            (const char *[]){"-m*l^2*sin(theta)*cos(theta)*phi'^2",
                             "2*m*l^2*sin(theta)*cos(theta)*theta'*phi'"});
  s = simplified(cx, textbook_cart_double_pendulum, NULL);
  check_all(cx, &s, s.M, 3,
            (const char *[]){"M + m_1 + m_2",
                             "(m_1 + m_2)*L_1*cos(theta_1) + m_2*L_2*cos(theta_1 + theta_2)",
                             "m_2*L_2*cos(theta_1 + theta_2)"});
  check_same(cx, &s, s.h[0],
             "-(m_1 + m_2)*L_1*sin(theta_1)*theta_1'^2"
             " - m_2*L_2*sin(theta_1 + theta_2)*(theta_1' + theta_2')^2");
  s = simplified(cx, textbook_spring_pendulum, NULL);
  check_same(cx, &s, s.G[1], "m*g + k*y - k*l_0*y/sqrt((x - a)^2 + y^2)");
}

TEST(writes_springs_by_their_lengths) {
  Simplified s = simplified(cx, textbook_two_springs, NULL);
  check_all(cx, &s, s.G, 2,
            (const char *[]){"k*(l - l_0)*(x - a)/l + K*(L - L_0)*(x - b)/L",
                             "m*g + k*(l - l_0)*y/l + K*(L - L_0)*y/L"});
  check_same(cx, &s, expr_simplify(cx, s.book.system.D[1], SIMPLIFY_NORMAL), "c*l'*y/l");
}

static bool has_double_angle(Context *cx, Expr e) {
  bool found = false;
  Mark mark = arena_mark(&cx->scratch);
  ExprList list = expr_walk(cx, &e, 1, visit_all, NULL);
  for (uint32_t i = 0; i < list.n; i++) {
    const Node *node = node_of(cx, list.at[i]);
    if (op_is_wave((Op)node->op)) found = found || op_of(cx, node->args[0]) != OP_SYMBOL;
  }
  arena_release(&cx->scratch, mark);
  return found;
}

TEST(a_body_in_euler_angles_has_short_entries) {
  Simplified s = simplified(cx, textbook_euler_body, NULL);
  for (uint32_t i = 0; i < 9; i++) {
    const Node *node = node_of(cx, s.M[i]);
    assert_true(node->op != OP_SUM || node->count <= 3);
    assert_false(has_double_angle(cx, s.M[i]));
  }
  check_same(cx, &s, s.M[0],
             "I_1*sin(theta)^2*sin(psi)^2 + I_2*sin(theta)^2*cos(psi)^2 + I_3*cos(theta)^2");
  check_same(cx, &s, s.M[1], "(I_1 - I_2)*sin(theta)*sin(psi)*cos(psi)");
}

TEST(a_chain_of_links_shows_its_pattern) {
  for (int n = 3; n <= 5; n += 2) {
    Simplified s = simplified(cx, textbook_chain, n == 3 ? "N=3" : "N=5");
    for (int i = 1; i <= n; i++) {
      for (int k = i; k <= n; k++) {
        Text mass = text_new(&cx->keep);
        for (int j = k; j <= n; j++) text_addf(&mass, "%sm[%d]", j > k ? " + " : "", j);
        const char *expected =
            i == k ? text_format(&cx->keep, "(%s)*L[%d]^2", mass.at, i)
                   : text_format(&cx->keep, "(%s)*L[%d]*L[%d]*cos(theta[%d] - theta[%d])", mass.at,
                                 i, k, i, k);
        check_same(cx, &s, s.M[(i - 1) * n + k - 1], expected);
      }
    }
  }
}

// ---- Limits

TEST(leaves_what_would_swell) {
  Textbook book = textbook_derive(cx, textbook_chain, "N=5");
  Expr sum = cx->exprs->one;
  for (uint32_t i = 0; i < 5; i++) sum = expr_add(cx, sum, book.system.h[i]);
  Expr large = expr_power(cx, sum, number_int(cx, 12));
  assert_int_equal(expr_simplify(cx, large, SIMPLIFY_NORMAL), large);
  assert_int_equal(expr_simplify(cx, large, SIMPLIFY_NONE), large);
}

// Written out, this has more terms than any number of 64 bits, and at last than a double.
TEST(what_doubles_at_every_level_is_no_danger) {
  Expr twins = expr_symbol(cx, SYMBOL_COORDINATE, symbol_from_text(cx, "x"));
  for (int i = 0; i < 1200; i++) {
    twins = expr_add(cx, expr_sin(cx, twins), expr_cos(cx, twins));
    if (i == 80 || i == 1199) expr_simplify(cx, twins, SIMPLIFY_NORMAL);
  }
  assert_false(isfinite(expr_cost(cx, twins)));
}

// Depth costs time, never the stack.
TEST(deep_nests_are_no_danger) {
  Expr x = expr_symbol(cx, SYMBOL_COORDINATE, symbol_from_text(cx, "x"));
  Expr waves = x, roots = x, sums = x;
  for (int i = 0; i < 10000; i++) {
    waves = expr_sin(cx, expr_add(cx, waves, x));
    roots = expr_sqrt(cx, expr_power(cx, roots, NUMBER_MINUS_ONE));
    sums = expr_div(cx, x, expr_add(cx, sums, expr_int(cx, 1)));
  }
  Expr deep[] = {waves, roots, sums}, out[3];
  expr_simplify_many(cx, deep, 3, SIMPLIFY_NORMAL, out);
  for (int i = 0; i < 3; i++) {
    expr_normal(cx, deep[i]);
    assert_int_not_equal(expr_equal(cx, deep[i], expr_add(cx, deep[i], x), NULL), EQUAL_YES);
  }
}

RUN_TESTS(cmocka_unit_test(keeps_the_value_and_never_grows),
          cmocka_unit_test(keeps_the_value_of_trigonometric_functions),
          cmocka_unit_test(prints_the_triple_pendulum_arm_as_the_paper_does),
          cmocka_unit_test(collects_the_torques_of_the_triple_pendulum_arm),
          cmocka_unit_test(collects_the_force_and_torque_of_the_polar_robot),
          cmocka_unit_test(prints_the_polar_robot_as_the_paper_does),
          cmocka_unit_test(prints_other_pendulums_as_textbooks_do),
          cmocka_unit_test(writes_springs_by_their_lengths),
          cmocka_unit_test(a_body_in_euler_angles_has_short_entries),
          cmocka_unit_test(a_chain_of_links_shows_its_pattern),
          cmocka_unit_test(leaves_what_would_swell),
          cmocka_unit_test(what_doubles_at_every_level_is_no_danger),
          cmocka_unit_test(deep_nests_are_no_danger))
