// Models that start from Hamilton's function, starts in momenta, momenta in definitions.
#include <math.h>
#include <string.h>

#include "derive/momenta.h"
#include "derive/roads/hamilton.h"
#include "derive/system.h"
#include "expr/algebra/equal.h"
#include "expr/build.h"
#include "expr/value/eval.h"
#include "lang/read.h"
#include "model/momentum.h"
#include "support/check.h"

static Status try_model(Context *cx, const char *text, Model **out) {
  Status status = model_read(cx, "trial", text, strlen(text), NULL, out);
  return status == QDOT_OK ? momenta_take(out) : status;
}

static Model *model_of(Context *cx, const char *text) {
  Model *model;
  assert_int_equal(try_model(cx, text, &model), QDOT_OK);
  return model;
}

// n coordinates, H = sum of a_ij p_i p_j/2 + sum of c_i p_i + U with random factors of coordinates:
// a_ij is diagonally dominant, so that it is regular.
static const char *random_hamiltonian(Context *cx, Random *r, int n) {
  Text text = text_new(&cx->keep);
  text_add(&text, "param J = 2 [kg*m^2], w = 3 [1/s], U = 5 [J]\n");
  for (int i = 1; i <= n; i++) text_addf(&text, "coord q_%d = 0 [rad]\n", i);
  text_add(&text, "hamiltonian = 0");
  for (int i = 1; i <= n; i++) {
    text_addf(&text, " + (%d + cos(q_%d))*p_q_%d^2/(2*J)", 5 + random_below(r, 5),
              1 + random_below(r, n), i);
    if (i > 1) text_addf(&text, " + sin(q_%d - q_%d)*p_q_%d*p_q_%d/J", i, i - 1, i, i - 1);
    if (random_below(r, 2))
      text_addf(&text, " + %d*w*q_%d*p_q_%d", 1 + random_below(r, 4), 1 + random_below(r, n), i);
    text_addf(&text, " + %d*U*q_%d^2*(1 - cos(q_%d))", 1 + random_below(r, 4), i,
              1 + random_below(r, n));
  }
  text_add(&text, "\n");
  return text.at;
}

// Legendre's transformation there and back.
TEST(back_to_hamilton) {
  Random r = random_start("back_to_hamilton");
  for (int round = 0; round < test_rounds(20); round++) {
    Mark mark = arena_mark(&cx->scratch);
    const char *text = random_hamiltonian(cx, &r, 1 + round % 3);
    Model *model = model_of(cx, text);
    assert_true(model_has_energy(model, ENERGY_LAGRANGIAN));
    System *s;
    Hamilton h;
    Evidence evidence;
    assert_int_equal(model_system(model, DERIVE_MATRICES, &s), QDOT_OK);
    assert_int_equal(hamilton_derive(cx, s, &h), QDOT_OK);
    Expr stated = model_energy(model, ENERGY_HAMILTONIAN);
    if (expr_equal(cx, stated, h.H, &evidence) != EQUAL_YES) fail_msg("another H of\n%s", text);
    arena_release(&cx->scratch, mark);
  }
}

static double velocity_of(Context *cx, const Model *model, uint32_t i) {
  double *values = arena_array(&cx->keep, double, cx->exprs->symbols.n);
  for (uint32_t k = 0; k < model->parameters.n; k++)
    values[symbol_variable(cx, model->parameters.at[k].symbol)] =
        expr_eval(cx, model->parameters.at[k].value, values);
  return expr_eval(cx, model->coordinates.at[i].velocity.value, values);
}

TEST(starts_in_momenta) {
  Model *model = model_of(cx, "param m = 2 [kg], L = 0.5 [m]\n"
                              "coord r = 3 [m], phi = 1 [rad], phi' = 4 [rad/s], p_r = 6 [kg*m/s]\n"
                              "kinetic = 1/2*m*(r'^2 + r^2*phi'^2 + 2*L*r'*phi')\n");
  // p_r = m (r' + L phi')
  CHECK_NEAR(velocity_of(cx, model, 0), 6 / 2. - 0.5 * 4, 1e-14);
  assert_int_equal(model->coordinates.at[0].velocity.kind, INITIAL_GIVEN);
  model = model_of(cx, "param m = 2 [kg], L = 0.5 [m]\n"
                       "coord r = 3 [m], phi = 1 [rad], p_phi ~ 5 [kg*m^2/s], p_r = 6 [kg*m/s]\n"
                       "kinetic = 1/2*m*(r'^2 + r^2*phi'^2 + 2*L*r'*phi')\n");
  double a = velocity_of(cx, model, 0), b = velocity_of(cx, model, 1);
  CHECK_NEAR(2 * (a + 0.5 * b), 6, 1e-13);
  CHECK_NEAR(2 * (9 * b + 0.5 * a), 5, 1e-13);
  assert_int_equal(model->coordinates.at[1].velocity.kind, INITIAL_GUESS);
}

TEST(refused_starts) {
  static const char *const wrong[] = {
      "param m = 2 [kg]\ncoord x = 0 [m], x' = 1 [m/s], p_x = 6 [kg*m/s]\nkinetic = m*x'^2/2\n",
      "param m = 2 [kg]\ncoord x = 0 [m], p_x = 6 [kg*m/s], p_x = 7 [kg*m/s]\nkinetic = m*x'^2/2\n",
      "param m = 2 [kg]\ncoord x = 0 [m], p_x\nkinetic = m*x'^2/2\n",
      "param m = 2 [kg]\ncoord x = 0 [m], p_x = 6 [kg]\nkinetic = m*x'^2/2\n",
      "param m = 2 [kg]\ncoord r = 0 [m], a = 0 [rad], p_a = 6 [kg*m^2/s]\n"
      "kinetic = m*(r'^2 + r^2*a'^2)/2\n",
      "param m = 2 [kg]\ncoord x = 0 [m], y ~ 1 [m], p_x = 1 [kg*m/s]\n"
      "kinetic = m*(x'^2 + y'^2)/2\nconstraint c: x = y\n",
      "param m = 2 [kg], c = 1 [m/s]\ncoord x = 0 [m], p_x = 1 [kg*m/s]\n"
      "lagrangian = -m*c^2*sqrt(1 - x'^2/c^2)\n"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    Model *model;
    assert_true(try_model(cx, wrong[i], &model) != QDOT_OK);
  }
}

TEST(momenta_in_definitions) {
  Model *model = model_of(cx, "param m = 2 [kg]\ncoord x = 1 [m], y = 2 [m]\n"
                              "kinetic = m*(x'^2 + y'^2)/2\n"
                              "let j = x*p_y - y*p_x, twice = 2*j\noutput a = twice', b = p_x'\n");
  Expr expected =
      expr_mul(cx, expr_int(cx, 2), expr_symbol(cx, SYMBOL_PARAMETER, symbol_from_text(cx, "m")));
  const Coordinate *x = &model->coordinates.at[0], *y = &model->coordinates.at[1];
  Expr rest = expr_sub(cx, expr_mul(cx, x->q, y->qdd), expr_mul(cx, y->q, x->qdd));
  Evidence evidence;
  expected = expr_mul(cx, expected, rest);
  assert_int_equal(expr_equal(cx, model->outputs.at[0].value, expected, &evidence), EQUAL_YES);
  expected = expr_mul(cx, expr_symbol(cx, SYMBOL_PARAMETER, symbol_from_text(cx, "m")), x->qdd);
  assert_int_equal(expr_equal(cx, model->outputs.at[1].value, expected, &evidence), EQUAL_YES);
}

// Where H is not quadratic, the canonical equations themselves.
TEST(canonical_states) {
  Model *model = model_of(cx, "param a = 1, b = 1, c = 1\ncoord x = 1 [m], y = 2 [m]\n"
                              "coord p_x = 3 [kg*m/s], p_y = 4 [kg*m/s]\n"
                              "hamiltonian = a*p_x^4/4 + b*x*p_y + c*x^2*y^2\n");
  assert_int_equal(model->coordinates.n, 0);
  assert_int_equal(model->states.n, 4);
  const double values[] = {27, 1, -4 - 8, -4}; // p_x^3, x, -p_y - 2 x y^2, -2 x^2 y
  double *at = arena_array(&cx->keep, double, cx->exprs->symbols.n);
  for (uint32_t i = 0; i < 3; i++) at[symbol_variable(cx, model->parameters.at[i].symbol)] = 1;
  for (uint32_t i = 0; i < 4; i++)
    at[symbol_variable(cx, model->states.at[i].s)] = expr_eval(cx, model->states.at[i].value, at);
  for (uint32_t i = 0; i < 4; i++)
    CHECK_NEAR(expr_eval(cx, model->states.at[i].rate, at), values[i], 1e-12);
  assert_string_equal(symbol_text(cx, model->outputs.at[0].name), "H");
}

RUN_TESTS(cmocka_unit_test(back_to_hamilton), cmocka_unit_test(starts_in_momenta),
          cmocka_unit_test(refused_starts), cmocka_unit_test(momenta_in_definitions),
          cmocka_unit_test(canonical_states))
