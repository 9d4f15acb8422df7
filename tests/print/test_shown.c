// Models as readers see them: numbers of energies, forces and constraints keep their units.
#include <math.h>
#include <string.h>

#include "derive/formulate.h"
#include "derive/system.h"
#include "expr/build.h"
#include "expr/value/eval.h"
#include "lang/read.h"
#include "model/values.h"
#include "print/quantity.h"
#include "print/typeset.h"
#include "support/check.h"

static Model *reads(Context *cx, const char *text) {
  Model *read, *model;
  assert_int_equal(model_read(cx, "test", text, strlen(text), NULL, &read), QDOT_OK);
  assert_int_equal(model_formulate(cx, read, FORMULATION_LAGRANGE, &model), QDOT_OK);
  if (model != read) model->formulation = formulation_text(FORMULATION_LAGRANGE);
  return model;
}

// ---- Random models, in which every number with a unit is a quantity

static const char *number(Context *cx, Random *random) {
  return text_format(&cx->keep, "%g", random_below(random, 400) / 40.0 + 0.1);
}

// Every # is replaced by a number.
static void add_term(Context *cx, Random *random, const char *pattern, Text *out) {
  for (const char *at = pattern; *at; at++)
    if (*at == '#')
      text_add(out, number(cx, random));
    else
      text_add_char(out, *at);
}

static void add_terms(Context *cx, Random *random, const char *word, const char *const *patterns,
                      int n, Text *out) {
  int first = random_below(random, n);
  text_addf(out, "%s = ", word);
  for (int i = 0; i <= random_below(random, n); i++) {
    if (i) text_add(out, " + ");
    add_term(cx, random, patterns[(first + i) % n], out);
  }
  text_add_char(out, '\n');
}

static const char *random_model(Context *cx, Random *random) {
  static const char *const kinetic[] = {"1/2*# [kg]*x'^2", "# [g]*x'*(# [cm]*phi')",
                                        "1/2*# [kg]*(# [mm])^2*phi'^2",
                                        "1/2*# [kg]*v^2 + 1/2*# [kg]*x'^2"};
  static const char *const potential[] = {
      "1/2*# [N/mm]*(x - # [mm])^2", "# [kg]*# [m/s^2]*x", "# [N*m]*cos(phi)",
      "# [J]*exp(-x/(# [m]))",       "k/2*(x + d)^2",      "# [N]*sqrt(x^2 + (# [mm])^2)"};
  static const char *const force[] = {"# [N]*sin(# [rad/s]*t)", "-# [N*s/m]*x'", "-d*(# [kN/m])",
                                      "if(x > # [m], -# [N], # [mN])"};
  Text out = text_new(&cx->keep);
  text_add(&out, "param k = 3 [N/m]\ncoord x = 0.2 [m], phi = 0.1 [rad]\n");
  add_term(cx, random, "let d = # [mm], v = x' + # [cm]*cos(phi)*phi'\n", &out);
  text_add(&out, "kinetic = 1/2*0.5 [kg]*x'^2 + 1/2*0.1 [kg*m^2]*phi'^2\n");
  add_terms(cx, random, "kinetic", kinetic, 4, &out);
  add_terms(cx, random, "potential", potential, 6, &out);
  add_terms(cx, random, "force x", force, 4, &out);
  return out.at;
}

// ---- The same equations

static double error_of(Context *cx, Expr a, Expr b, const double *at_a, const double *at_b) {
  double x = expr_eval(cx, a, at_a), y = expr_eval(cx, b, at_b);
  return fabs(x - y) / (1 + fabs(x));
}

static void assert_same_equations(Context *cx, Random *random, Model *model, Model *shown) {
  System *a, *b;
  assert_int_equal(model_system(model, DERIVE_MATRICES, &a), QDOT_OK);
  assert_int_equal(model_system(shown, DERIVE_MATRICES, &b), QDOT_OK);
  assert_int_equal(a->n, b->n);
  double *at_a, *at_b;
  assert_int_equal(model_values(cx, model, &cx->keep, &at_a), QDOT_OK);
  assert_int_equal(model_values(cx, shown, &cx->keep, &at_b), QDOT_OK);
  for (uint32_t i = 0; i < a->n; i++) {
    uint32_t q = symbol_variable(cx, a->q[i]), qd = symbol_variable(cx, a->qd[i]);
    at_a[q] = at_b[q] = random_real(random, 0.1, 0.9);
    at_a[qd] = at_b[qd] = random_real(random, -2, 2);
  }
  for (uint32_t i = 0; i < a->n; i++) {
    for (uint32_t k = 0; k < a->n; k++)
      assert_true(error_of(cx, a->M[i * a->n + k], b->M[i * a->n + k], at_a, at_b) < 1e-12);
    assert_true(error_of(cx, a->h[i], b->h[i], at_a, at_b) < 1e-12);
    assert_true(error_of(cx, a->G[i], b->G[i], at_a, at_b) < 1e-12);
    assert_true(error_of(cx, a->Q[i], b->Q[i], at_a, at_b) < 1e-12);
  }
}

static void assert_dimension(Context *cx, const Model *model, Expr e, Dimension wanted) {
  if (op_of(cx, e) == OP_NUMBER && expr_is_zero(cx, e)) return;
  Quantity q = quantity_of(cx, model, e);
  if (q.is_known && dimension_is_equal(q.dimension, wanted)) return;
  Text text = text_new(&cx->keep);
  typeset(cx, e, &ascii_face, NULL, &text);
  fail_msg("the dimension has vanished from %s", text.at);
}

TEST(random_energies_keep_their_dimensions_and_values) {
  Random random = random_start(__func__);
  for (int round = 0; round < test_rounds(60); round++) {
    Model *model = reads(cx, random_model(cx, &random)), *shown = model_shown(model);
    assert_ptr_not_equal(model, shown);
    assert_ptr_equal(shown, model_shown(model));
    assert_same_equations(cx, &random, model, shown);
    System *system = shown->system;
    Dimension energy = dimension_base(1, 2, -2);
    assert_dimension(cx, shown, system->T, energy);
    assert_dimension(cx, shown, system->V, energy);
    for (uint32_t i = 0; i < 2; i++) {
      Dimension force = dimension_div(energy, shown->coordinates.at[i].measure.dimension);
      assert_dimension(cx, shown, system->G[i], force);
      assert_dimension(cx, shown, system->h[i], force);
      assert_dimension(cx, shown, system->Q[i], force);
    }
  }
}

// ---- In print

static const char *printed(Context *cx, Expr e, const Typeface *face) {
  Text text = text_new(&cx->keep);
  typeset(cx, e, face, NULL, &text);
  return text.at;
}

TEST(quantities_stand_in_brackets_among_factors) {
  Model *model = reads(cx, "coord x = 1 [m]\n"
                           "kinetic = 1/2*2 [kg]*x'^2\n"
                           "potential = 1/2*2 [kg]*(0.5 [1/s])^2*(x - 20 [mm])^2\n");
  System *s;
  assert_int_equal(model_system(model_shown(model), DERIVE_MATRICES, &s), QDOT_OK);
  assert_string_equal(printed(cx, s->M[0], &terminal_face), "2 [kg]");
  assert_string_equal(printed(cx, s->M[0], &latex_face), "2\\,\\mathrm{kg}");
  assert_string_equal(printed(cx, s->V, &ascii_face), "(2 [kg])*(0.5 [1/s])^2*(x - 20 [mm])^2/2");
  assert_string_equal(printed(cx, s->V, &terminal_face), "(2 [kg]) (0.5 [1/s])² (x − 20 [mm])²/2");
  assert_string_equal(printed(cx, s->T, &latex_face),
                      "\\frac{1}{2} \\, (2\\,\\mathrm{kg}) \\, \\dot{x}^{2}");
  assert_non_null(strstr(printed(cx, s->V, &latex_face), "(0.5\\mathrm{/s})"));
}

// Numbers of parts have names; those of laws have none, and tables are of numbers.
TEST(parts_have_names_laws_have_units) {
  Model *model =
      reads(cx, "gravity (0, -9.81 [m/s^2])\n"
                "body ram: mass 2 [kg], inertia 1 [kg*m^2]\n"
                "joint guide: prismatic ground (0, 10 [mm]), ram (0, 0), axis 90 [deg]\n"
                "spring s: ground (0, 0), ram (0, 0), stiffness = 300 [N/m], length = 5 [mm]\n"
                "force ram (0, 0) = (0, 20 [N]*exp(-ram.y/(5 [mm])))\n"
                "force ram (0, 0) = (0, table(ram.y, (0 [mm], 1 [N]), (9 [mm], 2 [N])))\n");
  Model *named = model_named(model), *shown = model_shown(model);
  assert_ptr_not_equal(named, model);
  assert_ptr_not_equal(shown, named);
  Random random = random_start(__func__);
  assert_same_equations(cx, &random, model, shown);
  const System *s = shown->system;
  uint32_t quantities = 0, numbers = 0;
  for (uint32_t i = 0; i < shown->parameters.n; i++) {
    const Parameter *p = &shown->parameters.at[i];
    bool is_used = expr_depends(cx, s->Q[0], p->symbol) || expr_depends(cx, s->G[0], p->symbol) ||
                   expr_depends(cx, s->M[0], p->symbol);
    quantities += p->is_quantity && is_used;
    numbers += p->is_number;
  }
  assert_int_equal(quantities, 2);
  assert_int_equal(numbers, named->parameters.n);
  assert_non_null(strstr(printed(cx, s->Q[0], &terminal_face), "(9 mm, 2 N)"));
}

// In courses over time, too, numbers keep their units; angles do not, so that sines are numbers.
TEST(courses_over_time_keep_units) {
  Model *model = reads(cx, "body arm: rod 2 [m], mass 3 [kg]\n"
                           "joint A: revolute ground (0, 0), arm (-1 [m], 0)\n"
                           "cylinder lift: ground (1 [m], -2 [m]), arm (0, 0), "
                           "length 1.5 [m] + 0.3 [m]*cos(2 [rad/s]*t)\n");
  Model *shown = model_shown(model);
  assert_same_equations(cx, &(Random){1}, model, shown);
  const char *text = printed(cx, shown->constraints.at[0].phi, &terminal_face);
  if (!strstr(text, "1.5 [m]") || !strstr(text, "0.3 [m]")) fail_msg("%s", text);
}

TEST(without_such_numbers_nothing_is_read_again) {
  Model *model = reads(
      cx, "param m = 2 [kg]\ncoord x = 1 [m]\nkinetic = 1/2*m*x'^2\n"
          "let zero = 0 [m]\nparam g = 9.81 [m/s^2]\npotential = m*g*sin(30 [deg])*(x + zero)\n"
          "output y = x + zero\n");
  assert_null(model->read_quantities);
  assert_ptr_equal(model_shown(model), model);
}

RUN_TESTS(cmocka_unit_test(random_energies_keep_their_dimensions_and_values),
          cmocka_unit_test(quantities_stand_in_brackets_among_factors),
          cmocka_unit_test(parts_have_names_laws_have_units),
          cmocka_unit_test(courses_over_time_keep_units),
          cmocka_unit_test(without_such_numbers_nothing_is_read_again))
