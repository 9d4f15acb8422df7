// Hamilton's equations of random systems: against Lagrange's, and against the derivatives of H.
#include <math.h>

#include "derive/roads/bracket.h"
#include "derive/roads/road_type.h"
#include "derive/vanishes.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "support/mechanisms.h"

typedef struct Both {
  Context *cx;
  System s;
  Hamilton h;
  double *at; // by symbol: a random state, momenta by their definition
} Both;

static double value(const Both *b, Expr e) { return expr_eval(b->cx, e, b->at); }

static Both derived(Context *cx, const Model *model) {
  Both b = {.cx = cx};
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &b.s), QDOT_OK);
  assert_int_equal(hamilton_derive(cx, &b.s, &b.h), QDOT_OK);
  return b;
}

static void scatter(Both *b, Random *random) {
  Context *cx = b->cx;
  b->at = arena_array(&cx->keep, double, cx->exprs->symbols.n + 1);
  for (uint32_t i = 0; i < cx->exprs->symbols.n; i++) b->at[i] = random_real(random, 0.3, 1.4);
  for (uint32_t i = 0; i < b->h.n; i++)
    b->at[symbol_variable(cx, b->h.p[i])] = value(b, b->h.momentum[i]);
}

// r = M q'' + h + D + G - Q + sum lambda phi_q, of Lagrange's equation as it was derived.
static double residual(const Both *b, uint32_t i) {
  const System *s = &b->s;
  double sum = value(b, s->inertia[i]) + value(b, s->D[i]) + value(b, s->G[i]) - value(b, s->Q[i]);
  for (uint32_t k = 0; k < s->row_count; k++)
    sum += value(b, s->rows[k].multiplier) * value(b, s->rows[k].phi_q[i]);
  for (uint32_t k = 0; k < s->contact_count; k++)
    sum += value(b, s->contacts[k].multiplier) * value(b, s->contacts[k].phi_q[i]);
  return sum;
}

// p' of the definition less p' of the equation is Lagrange's residual, for any accelerations.
static void check_state(Both *b) {
  Context *cx = b->cx;
  for (uint32_t i = 0; i < b->h.n; i++) {
    CHECK_NEAR(value(b, b->h.velocity[i]), value(b, b->s.qd[i]), 1e-8);
    CHECK_NEAR(value(b, expr_diff(cx, b->h.H, b->h.p[i])), value(b, b->s.qd[i]), 1e-8);
    CHECK_NEAR(-value(b, expr_diff(cx, b->h.H, b->s.q[i])), value(b, b->h.slope[i]), 1e-7);
    double rate = value(b, expr_time_derivative(cx, b->h.momentum[i]));
    CHECK_NEAR(rate - value(b, hamilton_rate(cx, &b->h, i)), residual(b, i), 1e-7);
  }
  CHECK_NEAR(value(b, b->h.H), value(b, b->s.energy), 1e-8);
}

TEST(random_systems_agree_with_lagrange) {
  Random random = random_start("random_systems_agree_with_lagrange");
  for (int round = 0; round < test_rounds(20); round++) {
    Both b = derived(cx, mechanism_random(cx, &random));
    scatter(&b, &random);
    check_state(&b);
  }
}

// What the road's record lists for a proof of equality vanishes, and does not for another H.
TEST(differences_vanish) {
  Random random = random_start("differences_vanish");
  const RoadType *type = road_type(ROAD_HAMILTON);
  for (int round = 0; round < test_rounds(10); round++) {
    Both b = derived(cx, mechanism_random(cx, &random));
    Mark mark = arena_mark(&cx->scratch);
    ExprList differences = {0}, wrong = {0};
    type->differences(cx, &b.s, &b.h, &differences);
    scatter(&b, &random);
    assert_int_equal(differences.n, 2 * b.h.n + b.h.states);
    for (uint32_t i = 0; i < differences.n; i++) CHECK_NEAR(value(&b, differences.at[i]), 0, 1e-7);
    b.h.slope[0] = expr_add(cx, b.h.slope[0], b.s.q[0]);
    type->differences(cx, &b.s, &b.h, &wrong);
    assert_true(fabs(value(&b, wrong.at[1])) > 0.1);
    arena_release(&cx->scratch, mark);
  }
}

// The reader's form has the same values.
TEST(forms_for_readers_are_equal) {
  Random random = random_start("forms_for_readers_are_equal");
  for (int round = 0; round < test_rounds(6); round++) {
    Both b = derived(cx, mechanism_random(cx, &random));
    hamilton_simplify(cx, &b.s, SIMPLIFY_NORMAL, false, &b.h);
    scatter(&b, &random);
    check_state(&b);
  }
}

// What is too long for that stays in velocities, and is the same.
TEST(implicit_forms_are_equal) {
  Random random = random_start("implicit_forms_are_equal");
  Both b = derived(cx, mechanism_pendulum(cx, 5));
  hamilton_simplify(cx, &b.s, SIMPLIFY_NORMAL, true, &b.h);
  assert_true(b.h.is_implicit);
  scatter(&b, &random);
  for (uint32_t i = 0; i < b.h.n; i++) {
    double rate = value(&b, expr_time_derivative(cx, b.h.momentum[i]));
    CHECK_NEAR(rate - value(&b, hamilton_rate(cx, &b.h, i)), residual(&b, i), 1e-7);
  }
  CHECK_NEAR(value(&b, b.h.H), value(&b, b.s.energy), 1e-8);
}

// From four links on the velocities come from an elimination with shared parts.
TEST(chains_are_eliminated) {
  Random random = random_start("chains_are_eliminated");
  for (int links = 1; links <= 10; links += 3) {
    Both b = derived(cx, mechanism_pendulum(cx, links));
    scatter(&b, &random);
    check_state(&b);
  }
}

// {q, p} = 1, {f, g} = -{g, f}, and Jacobi's identity for random functions of a random system.
TEST(brackets_keep_their_rules) {
  Random random = random_start("brackets_keep_their_rules");
  for (int round = 0; round < test_rounds(8); round++) {
    Both b = derived(cx, mechanism_pendulum(cx, 2));
    Expr f[3];
    for (int i = 0; i < 3; i++) {
      Expr q = b.s.q[random_below(&random, 2)], p = b.h.p[random_below(&random, 2)];
      Expr wave = random_below(&random, 2) ? expr_sin(cx, q) : expr_square(cx, q);
      f[i] = expr_add(cx, expr_mul(cx, wave, p), expr_square(cx, b.h.p[i % 2]));
    }
    Expr sum = expr_int(cx, 0);
    for (int i = 0; i < 3; i++) {
      Bracket inner, outer, back;
      assert_int_equal(bracket_derive(cx, &b.s, &b.h, f[(i + 1) % 3], f[(i + 2) % 3], &inner),
                       QDOT_OK);
      assert_int_equal(bracket_derive(cx, &b.s, &b.h, f[i], inner.value, &outer), QDOT_OK);
      assert_int_equal(bracket_derive(cx, &b.s, &b.h, inner.value, f[i], &back), QDOT_OK);
      assert_true(vanishes(cx, expr_add(cx, outer.value, back.value)));
      sum = expr_add(cx, sum, outer.value);
    }
    assert_true(vanishes(cx, sum));
    Bracket one;
    assert_int_equal(bracket_derive(cx, &b.s, &b.h, b.s.q[0], b.h.p[0], &one), QDOT_OK);
    assert_true(expr_is_one(cx, one.value));
    assert_int_equal(bracket_derive(cx, &b.s, &b.h, b.s.q[0], b.h.H, &one), QDOT_OK);
    assert_true(vanishes(cx, expr_sub(cx, one.value, b.h.velocity[0])));
    assert_int_equal(bracket_derive(cx, &b.s, &b.h, b.s.qdd[0], b.h.H, &one), QDOT_BAD_ARGUMENT);
  }
}

// T = (x' + y')^2 m/2: what it leaves open is a relation of the momenta alone.
TEST(singular_transformations_name_the_constraint) {
  Model *model = model_new(cx);
  Expr m = mechanism_parameter(model, "m"), half = expr_ratio(cx, 1, 2);
  Expr x = mechanism_coordinate(model, "x"), y = mechanism_coordinate(model, "y");
  Expr v = expr_time_derivative(cx, expr_add(cx, x, y));
  mechanism_energy(model, ENERGY_KINETIC, expr_mul3(cx, half, m, expr_square(cx, v)));
  mechanism_energy(model, ENERGY_POTENTIAL, expr_square(cx, x));
  System s;
  Hamilton h;
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &s), QDOT_OK);
  assert_int_equal(hamilton_derive(cx, &s, &h), QDOT_SINGULAR_MASS);
  const Diagnostic *d = &cx->diagnostics.list.at[cx->diagnostics.list.n - 1];
  assert_string_equal(d->message, "the velocities do not follow from the momenta: p_y - p_x = 0");
}

RUN_TESTS(cmocka_unit_test(random_systems_agree_with_lagrange),
          cmocka_unit_test(differences_vanish), cmocka_unit_test(forms_for_readers_are_equal),
          cmocka_unit_test(chains_are_eliminated), cmocka_unit_test(implicit_forms_are_equal),
          cmocka_unit_test(brackets_keep_their_rules),
          cmocka_unit_test(singular_transformations_name_the_constraint))
