// Units beside outputs, curves and forces: the same whether a number stands behind a name or not.
#include "print/quantity.h"

#include <string.h>

#include "derive/formulate.h"
#include "expr/build.h"
#include "expr/value/eval.h"
#include "lang/read.h"
#include "model/values.h"
#include "support/check.h"

static const Model *reads(Context *cx, const char *text) {
  Model *model;
  assert_int_equal(model_read(cx, "test", text, strlen(text), NULL, &model), QDOT_OK);
  return model;
}

static const Model *formulated(Context *cx, const char *text, Formulation formulation) {
  Model *model;
  assert_int_equal(model_formulate(cx, reads(cx, text), formulation, &model), QDOT_OK);
  return model;
}

static const char *output_unit(Context *cx, const Model *model, const char *name) {
  for (uint32_t i = 0; i < model->outputs.n; i++) {
    const Output *output = &model->outputs.at[i];
    if (strcmp(symbol_text(cx, output->name), name) == 0)
      return quantity_unit(&cx->keep, quantity_of_output(cx, model, output));
  }
  fail_msg("no output %s", name);
  return "";
}

static const char *unit(Context *cx, const Model *model, Expr e) {
  return quantity_unit(&cx->keep, quantity_of(cx, model, e));
}

static const char *force_unit(Context *cx, const Model *model, const char *name) {
  for (uint32_t i = 0; i < model->constraints.n; i++)
    if (strcmp(symbol_text(cx, model->constraints.at[i].name), name) == 0)
      return unit(cx, model, model->constraints.at[i].multiplier);
  return NULL;
}

// A parameter that follows from others has the unit of what it follows from.
TEST(parameters_follow_their_formulas) {
  const Model *m = reads(cx, "param Omega = 2 [rad/s], beta = 30 [deg], f = 3 [1/s], L = 2 [m]\n"
                             "param a = Omega*sin(beta), b = a/2, c = f*sin(beta), d = 2*beta\n"
                             "param e = Omega*L, h = atan(L/(1 [m])), k = Omega^2\n"
                             "coord x = 0 [m]\nkinetic = x'^2*(1/2)*(1 [kg])\n"
                             "force x = (a + b + c + e/L + k/Omega)*(d + h)*(1 [N*s])\n");
  static const char *const units[][2] = {{"a", "rad/s"}, {"b", "rad/s"}, {"c", "1/s"},
                                         {"d", "rad"},   {"e", "m/s"},   {"h", "rad"}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    const NameEntry *entry = model_find_text(m, units[i][0]);
    assert_string_equal(unit(cx, m, m->parameters.at[entry->number].symbol), units[i][1]);
  }
}

// ---- Space

TEST(a_unit_vector_turns_in_radians) {
  const Model *m =
      reads(cx, "param m = 1 [kg], a = 0.3 [m], n = 6 [rad/s]\n"
                "point G ~ (0, 0, 0)\n"
                "vector u ~ (1, 0, 0), v ~ (0, 1, 0), w ~ (0, 0, 1)\n"
                "solid body: G (0, 0, 0), u (1, 0, 0), v (0, 1, 0), w (0, 0, 1), mass m, "
                "block (a, 2*a, 3*a), spin (0, n, 0)\n"
                "output turn = dot(v', w), back = -2*dot(u', v), rate = u.x', way = u.x\n"
                "output speed = a*dot(v', w), all = dot(v', w) + n, other = u.x'*v.x^2\n");
  static const char *const units[][2] = {{"turn", "rad/s"}, {"back", "rad/s"}, {"rate", "1/s"},
                                         {"way", ""},       {"speed", "m/s"},  {"all", "rad/s"},
                                         {"other", "1/s"}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    assert_string_equal(output_unit(cx, m, units[i][0]), units[i][1]);
}

// A slip has no unit, whether an angle or unit vectors tell how the wheel turns; its angular
// velocity has rad/s.
TEST(slips_are_numbers) {
  const Model *plane = reads(cx, "param r = 0.3 [m], m = 1 [kg], J = 1 [kg m^2]\n"
                                 "coord x = 2 [m], phi = 0 [rad], x' = 3 [m/s]\n"
                                 "kinetic = 1/2*m*x'^2 + 1/2*J*phi'^2\n"
                                 "output slip = (x' - r*phi')/x', ratio = r*phi'/x'\n"
                                 "output rate = phi'\n");
  const Model *space =
      reads(cx, "param r = 0.3 [m], m = 1 [kg], n = 6 [rad/s]\npoint G ~ (0, 0, 0)\n"
                "vector u ~ (1, 0, 0), v ~ (0, 1, 0), w ~ (0, 0, 1)\n"
                "solid body: G (0, 0, 0), u (1, 0, 0), v (0, 1, 0), w (0, 0, 1), mass m, "
                "block (r, 2*r, 3*r), spin (n, 0, 0), velocity (3 [m/s], 0, 0)\n"
                "output slip = (G.x' - r*dot(v', w))/G.x', ratio = r*dot(v', w)/G.x'\n"
                "output rate = dot(v', w)\n");
  const Model *models[] = {plane, space};
  for (int i = 0; i < 2; i++) {
    assert_string_equal(output_unit(cx, models[i], "slip"), "");
    assert_string_equal(output_unit(cx, models[i], "ratio"), "");
    assert_string_equal(output_unit(cx, models[i], "rate"), "rad/s");
  }
}

// ---- Energies

TEST(numbers_keep_their_units) {
  const Model *m = reads(cx, "param k = 3 [N/m], M = 2 [kg]\n"
                             "coord x = 0.2 [m]\n"
                             "kinetic = 1/2*M*x'^2\n"
                             "potential = 1/2*k*x^2\n"
                             "let mass = 2 [kg]\n"
                             "let pull = k*x/(1 [kg])\n"
                             "output named = k*x/M, a = k*x/(2 [kg]), b = k*x/mass, F = k*x/2\n"
                             "output one = k*x/(1 [kg]), c = pull, d = 2*pull, v = x'*(2 [kg])\n"
                             "plot k*x/(2 [kg]), k*x/2\n");
  static const char *const alike[] = {"named", "a", "b", "one", "c", "d"};
  for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
    assert_string_equal(output_unit(cx, m, alike[i]), "m/s²");
  // the same expression as 'a', of another dimension
  assert_string_equal(output_unit(cx, m, "F"), "N");
  assert_string_equal(output_unit(cx, m, "v"), "N s");
  static const char *const curves[] = {"m/s²", "N"};
  for (uint32_t i = 0; i < 2; i++) {
    const Curve *c = &m->requests.plots.at[0].curves.at[i];
    Quantity q = quantity_measured(cx, m, c->value, c->measure.dimension, c->measure.is_known);
    assert_string_equal(quantity_unit(&cx->keep, q), curves[i]);
  }
}

// What a motor is written with comes back in the same words.
TEST(electrical_units_have_their_names) {
  static const char *const written[][2] = {
      {"V", "V"},       {"ohm", "ohm"}, {"mH", "H"},    {"F", "F"},     {"C", "C"},
      {"N*m/A", "V s"}, {"V*s", "V s"}, {"A", "A"},     {"V/s", "V/s"}, {"N/A", "N/A"},
      {"kW", "W"},      {"W/A", "V"},   {"V/ohm", "A"}, {"H*A/s", "V"}, {"V*A*s", "N m"}};
  for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
    const Model *m = reads(cx, text_format(&cx->keep,
                                           "param M = 2 [kg], u = 3 [%s]\ncoord x = 0.2 [m]\n"
                                           "kinetic = 1/2*M*x'^2\noutput a = u\n",
                                           written[i][0]));
    assert_string_equal(output_unit(cx, m, "a"), written[i][1]);
  }
}

TEST(expressions_alone_tell_only_what_is_certain) {
  static const char hidden[] = "param k = 3 [N/m]\ncoord x = 0.2 [m]\n"
                               "kinetic = 1/2*(2 [kg])*x'^2\npotential = 1/2*k*x^2\n"
                               "output F = k*x, p = x\n";
  static const char named[] = "param k = 3 [N/m], m = 2 [kg]\ncoord x = 0.2 [m]\n"
                              "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
                              "output F = k*x, p = x\nsimulate to 2 [s]\n";
  const Model *m = reads(cx, hidden);
  assert_true(m->hides_units);
  assert_string_equal(unit(cx, m, m->outputs.at[0].value), "");
  assert_string_equal(unit(cx, m, m->outputs.at[1].value), "m");
  m = reads(cx, named);
  assert_false(m->hides_units);
  assert_string_equal(unit(cx, m, m->outputs.at[0].value), "N");
}

TEST(rows_and_their_forces) {
  const Model *m = reads(cx, "param M = 1 [kg]\ncoord x = 0.2 [m], y = 0.2 [m], a = 0\n"
                             "kinetic = 1/2*M*(x'^2 + y'^2) + 1/2*M*(1 [m])^2*a'^2\n"
                             "constraint c: (2 [kg])*x = (2 [kg])*y\n"
                             "constraint r: x' = (3 [m])*a'\n"
                             "contact wall: x - 1 [m] <= 0\n"
                             "contact stop: a - 1 <= 0\n");
  assert_string_equal(force_unit(cx, m, "c"), "m/s²");
  assert_string_equal(force_unit(cx, m, "r"), "N");
  static const char *const rates[] = {"m", "m/s", "m/s²"}, *const turns[] = {"rad", "rad/s"};
  for (int order = 1; order < 3; order++) {
    Quantity q = quantity_of_constraint(cx, m, &m->constraints.at[1], order);
    assert_string_equal(quantity_unit(&cx->keep, q), rates[order]);
  }
  for (int order = 0; order < 2; order++) {
    Quantity wall = quantity_of_contact(cx, m, &m->contacts.at[0], order);
    Quantity stop = quantity_of_contact(cx, m, &m->contacts.at[1], order);
    assert_string_equal(quantity_unit(&cx->keep, wall), rates[order]);
    assert_string_equal(quantity_unit(&cx->keep, stop), turns[order]);
  }
  assert_string_equal(unit(cx, m, m->contacts.at[0].multiplier), "N");
  assert_string_equal(unit(cx, m, m->contacts.at[1].multiplier), "N m");
}

// Angles in degrees and speeds in turns a minute are no radians, however they are written.
TEST(angles_in_other_units_are_no_radians) {
  const Model *m =
      reads(cx, "param J = 1 [kg*m^2], w_0 = 3 [rad/s], p = 20 [mm]\n"
                "coord a = 0.2 [rad], x = 0 [m]\n"
                "kinetic = 1/2*J*a'^2 + 1/2*(2 [kg])*x'^2\n"
                "let d = a/(1 [deg])\n"
                "output by_unit = a/(1 [deg]), by_hand = a*180/pi, named = d\n"
                "output rpm = a'/(1 [rpm]), rpm_by_hand = a'*30/pi + 2, s = a'/(1 [rad/s])\n"
                "output mm = x/(1 [mm]), ratio = a'/w_0\n"
                "output angle = 2*a, more = a + 3 [deg], rate = a', lead = p*a/(2*pi)\n");
  static const char *const units[][2] = {{"by_unit", ""}, {"by_hand", ""},     {"named", ""},
                                         {"rpm", ""},     {"rpm_by_hand", ""}, {"s", ""},
                                         {"mm", ""},      {"ratio", ""},       {"angle", "rad"},
                                         {"more", "rad"}, {"rate", "rad/s"},   {"lead", "m"}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    assert_string_equal(output_unit(cx, m, units[i][0]), units[i][1]);
}

// ---- Bodies

#define PENDULUM(L, M, G)                                                                          \
  "gravity (0, -" G ")\nbody a: rod " L ", mass " M ", angle = 0.3\n"                              \
  "joint A: revolute ground (0, 0), a (-" L ", 0)\n"                                               \
  "output F = A.F_y, pin = norm((A.F_x, A.F_y)), T = A.T, w = a.theta', v = a.x'\n"                \
  "output per = A.F_x/(" M ")\n"

TEST(reactions_are_forces_in_every_formulation) {
  static const char *const models[] = {
      "param L = 1 [m], m = 2 [kg], g = 9.81 [m/s^2]\n" PENDULUM("L", "m", "g"),
      PENDULUM("1 [m]", "2 [kg]", "9.81 [m/s^2]"),
      PENDULUM("1 [m]", "1 [kg]", "9.81 [m/s^2]"),
  };
  static const char *const units[][2] = {{"F", "N"},     {"pin", "N"}, {"T", "N m"},
                                         {"w", "rad/s"}, {"v", "m/s"}, {"per", "m/s²"}};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    for (int f = 0; f < FORMULATIONS; f++) {
      const Model *m = formulated(cx, models[i], (Formulation)f);
      for (size_t k = 0; k < sizeof units / sizeof *units; k++)
        assert_string_equal(output_unit(cx, m, units[k][0]), units[k][1]);
    }
  }
}

TEST(bare_numbers_of_bodies_do_not_matter) {
  const Model *m = formulated(cx, PENDULUM("1", "2", "9.81"), FORMULATION_LAGRANGE);
  assert_string_equal(output_unit(cx, m, "F"), "N");
  assert_string_equal(output_unit(cx, m, "T"), "N m");
}

TEST(multipliers_of_joints_and_motors) {
  static const char text[] = "body a: rod 1 [m], mass 2 [kg]\n"
                             "body b: plate (1 [m], 1 [m]), mass 1 [kg], at (2 [m], 0)\n"
                             "joint A: revolute ground (0, 0), a (-0.5 [m], 0)\n"
                             "joint B: prismatic ground (0, 0), b (0, 0)\n"
                             "motor A: speed 2 [rad/s]\n"
                             "motor B: speed sin(t/(1 [s]))*(1 [m/s])\n"
                             "output turn = lambda_A_motor, push = lambda_B_motor\n";
  for (int f = 0; f < FORMULATIONS; f++) {
    const Model *m = formulated(cx, text, (Formulation)f);
    assert_string_equal(output_unit(cx, m, "turn"), "N m");
    assert_string_equal(output_unit(cx, m, "push"), "N");
    static const char *const rows[][2] = {
        {"A_motor", "N m"}, {"B_motor", "N"}, {"A_x", "N"}, {"B_normal", "N"}, {"B_angle", "N m"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
      const char *found = force_unit(cx, m, rows[i][0]);
      if (found) assert_string_equal(found, rows[i][1]);
    }
    assert_non_null(force_unit(cx, m, "A_motor"));
  }
}

TEST(components_of_unit_vectors_are_no_angles) {
  const Model *m = formulated(cx, PENDULUM("1 [m]", "2 [kg]", "9.81 [m/s^2]"), FORMULATION_NATURAL);
  for (uint32_t i = 0; i < m->coordinates.n; i++) {
    const Coordinate *c = &m->coordinates.at[i];
    bool cosine = strstr(symbol_text(cx, c->name), ".u_") != NULL;
    if (cosine) assert_string_equal(unit(cx, m, c->q), "");
    if (cosine) assert_string_equal(unit(cx, m, c->qd), "1/s");
  }
}

// ---- Units as they are written

// Sums of coordinates whose starts have random units are shown in the unit that all of them have.
// Squares of velocities and of deflections make energies; moments are none.
TEST(energies_are_in_joules) {
  const Model *model =
      reads(cx, "param m = 1 [kg], k = 2 [N/m], J = 1 [kg*m^2], c = 3 [N*m/rad], g = 9.81 [m/s^2]\n"
                "coord x = 0 [m], y = 0 [m], phi = 0 [rad]\n"
                "kinetic = 1/2*m*(x'^2 + y'^2) + 1/2*J*phi'^2\npotential = 1/2*k*x^2 + m*g*y\n"
                "output moving = 1/2*m*x'^2, plane = m*(x'^2 + y'^2), turning = J*phi'^2,"
                "  bent = 1/2*k*x^2, twisted = 1/2*c*phi^2, all = 1/2*m*x'^2 + m*g*y,"
                "  moment = c*phi, lever = m*g*x, fling = J*sin(phi)*phi'^2, force = k*x\n");
  static const char *const units[][2] = {
      {"moving", "J"}, {"plane", "J"},    {"turning", "J"}, {"bent", "J"},    {"twisted", "J"},
      {"all", "J"},    {"moment", "N m"}, {"lever", "N m"}, {"fling", "N m"}, {"force", "N"}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    assert_string_equal(output_unit(cx, model, units[i][0]), units[i][1]);
}

static Quantity of_unit(Context *cx, const char *unit) {
  const char *text =
      text_format(&cx->keep, "param p = 1 [%s]\ncoord x = 0\nkinetic = x'^2\n", unit);
  return quantity_of_measure(&reads(cx, text)->parameters.at[0].measure);
}

// One for each of another is told by the units of both, unless it has a name that people use.
TEST(quotients_keep_the_units_of_both) {
  static const char *const units[][3] = {
      {"m", "V", "m/V"},  {"m", "kg", "m/kg"},     {"N*m", "m", "N"},       {"N", "m", "N/m"},
      {"m", "m", ""},     {"N*m", "kg", "N m/kg"}, {"s", "N/m", "s/(N/m)"}, {"A", "V", "A/V"},
      {"rad", "rad", ""}, {"m", "rad", "m/rad"},   {"1", "m", "1/m"},       {"V", "A", "ohm"},
      {"m", "m/s", "s"},  {"m^2", "m", "m"}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    Mark mark = arena_mark(&cx->scratch);
    const char *unit = quotient_unit(&cx->keep, of_unit(cx, units[i][0]), of_unit(cx, units[i][1]));
    assert_string_equal(unit, units[i][2]);
    arena_release(&cx->scratch, mark);
  }
}

TEST(sums_have_the_unit_of_their_terms) {
  static const char *const units[] = {"deg", "rad", "gon"};
  Random random = random_start(__func__);
  for (int round = 0; round < test_rounds(40); round++) {
    const char *unit_of[3], *common = NULL;
    Text text = text_new(&cx->keep);
    for (int i = 0; i < 3; i++) unit_of[i] = units[random_below(&random, 3)];
    text_addf(&text, "param J = 1 [kg*m^2]\ncoord a = 1 [%s], b = 2 [%s], c = 3 [%s]\n", unit_of[0],
              unit_of[1], unit_of[2]);
    text_add(&text, "kinetic = 1/2*J*(a'^2 + b'^2 + c'^2)\n");
    const Model *m = reads(cx, text.at);
    Expr sum = expr_int(cx, 0);
    bool agree = true;
    int terms = 1 + random_below(&random, 3);
    for (int i = 0; i < terms; i++) {
      sum = expr_add(cx, sum, expr_mul(cx, expr_int(cx, 1 + i), m->coordinates.at[i].q));
      agree = agree && (!common || strcmp(common, unit_of[i]) == 0);
      common = unit_of[i];
    }
    UnitScale found = unit_of_expr(cx, &cx->keep, m, sum, quantity_of(cx, m, sum));
    assert_string_equal(found.unit, agree ? common : "rad");
    double *values;
    assert_int_equal(model_values(cx, m, &cx->keep, &values), QDOT_OK);
    for (int i = 0; i < 3; i++)
      values[symbol_variable(cx, m->coordinates.at[i].q)] = random_real(&random, -3, 3);
    double number = expr_eval(cx, unit_number(cx, sum, found), values);
    assert_float_equal(number * found.factor, expr_eval(cx, sum, values), 1e-12);
  }
}

TEST(other_quantities_stay_in_si_units) {
  const Model *m = reads(cx, "param J = 1 [kg*m^2], L = 20 [mm], w = 3 [rpm], mu = 30 [%]\n"
                             "coord phi = 20 [deg], x = 1 [m], y = 3 [mm]\n"
                             "kinetic = 1/2*J*(phi'^2 + (x'/L)^2 + (y'/L)^2)\n"
                             "let rise = L*sin(phi)\n"
                             "output a = rise, b = x + y, c = phi' - w, d = sin(phi)*mu, e = phi'\n"
                             "output f = y*cos(phi), g = J*phi'^2\n");
  static const char *const wanted[][2] = {{"a", "mm"},    {"b", "m"},  {"c", "rpm"}, {"d", ""},
                                          {"e", "rad/s"}, {"f", "mm"}, {"g", "J"}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    const Output *output = &m->outputs.at[i];
    assert_string_equal(symbol_text(cx, output->name), wanted[i][0]);
    UnitScale found =
        unit_of_expr(cx, &cx->keep, m, output->value, quantity_of_output(cx, m, output));
    assert_string_equal(found.unit, wanted[i][1]);
  }
}

RUN_TESTS(cmocka_unit_test(parameters_follow_their_formulas),
          cmocka_unit_test(energies_are_in_joules),
          cmocka_unit_test(quotients_keep_the_units_of_both),
          cmocka_unit_test(sums_have_the_unit_of_their_terms),
          cmocka_unit_test(other_quantities_stay_in_si_units),
          cmocka_unit_test(angles_in_other_units_are_no_radians),
          cmocka_unit_test(a_unit_vector_turns_in_radians), cmocka_unit_test(slips_are_numbers),
          cmocka_unit_test(numbers_keep_their_units),
          cmocka_unit_test(electrical_units_have_their_names),
          cmocka_unit_test(expressions_alone_tell_only_what_is_certain),
          cmocka_unit_test(rows_and_their_forces),
          cmocka_unit_test(reactions_are_forces_in_every_formulation),
          cmocka_unit_test(bare_numbers_of_bodies_do_not_matter),
          cmocka_unit_test(multipliers_of_joints_and_motors),
          cmocka_unit_test(components_of_unit_vectors_are_no_angles))
