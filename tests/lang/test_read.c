// Models and what is read from them; mistakes and their messages, word for word.
#include "lang/read.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/cases.h"
#include "support/check.h"
#include "support/describe.h"

#define MOST_SETS 8

// Lines that start with "--set " give values from outside.
static const char *take_sets(Context *cx, const char *input, const char **sets, size_t *n) {
  for (*n = 0; strncmp(input, "--set ", 6) == 0 && *n < MOST_SETS; ++*n) {
    size_t length = strcspn(input, "\n");
    sets[*n] = arena_copy(&cx->keep, input + 6, length - 6);
    input += length + (input[length] == '\n');
  }
  return input;
}

static const char *read_and_describe(Context *cx, const char *input) {
  const char *sets[MOST_SETS];
  ReadOptions options = {.overrides = sets};
  input = take_sets(cx, input, sets, &options.override_count);
  Model *model;
  Status status = model_read(cx, "case", input, strlen(input), &options, &model);
  assert_int_equal(status != QDOT_OK, model == NULL);
  return model ? describe_model(model) : NULL;
}

static void models(void **state) {
  (void)state;
  check_cases("tests/lang/model.case", read_and_describe);
}

static void fine_print(void **state) {
  (void)state;
  check_cases("tests/lang/fineprint.case", read_and_describe);
}

static void wrong_models(void **state) {
  (void)state;
  check_cases("tests/lang/wrong.case", read_and_describe);
  check_cases("tests/lang/sweep.case", read_and_describe);
  check_cases("tests/lang/search.case", read_and_describe);
  check_cases("tests/lang/excitation.case", read_and_describe);
  check_cases("tests/lang/states.case", read_and_describe);
  check_cases("tests/lang/actions.case", read_and_describe);
  check_cases("tests/lang/bodies.case", read_and_describe);
  check_cases("tests/lang/mechanisms.case", read_and_describe);
  check_cases("tests/lang/elements.case", read_and_describe);
}

// Data files lie in a folder beside the cases.
static const char *read_with_data(Context *cx, const char *input) {
  const char *root = getenv("QDOT_ROOT");
  char here[4096];
  assert_non_null(getcwd(here, sizeof here));
  assert_int_equal(chdir(text_format(&cx->keep, "%s/tests/lang/data", root ? root : ".")), 0);
  const char *answer = read_and_describe(cx, input);
  assert_int_equal(chdir(here), 0);
  return answer;
}

static void data_files(void **state) {
  (void)state;
  check_cases("tests/lang/data.case", read_with_data);
  check_cases("tests/lang/parts.case", read_with_data);
}

static const char *const cures[] = {
#define ELSEWHERE(word, expression) word, expression,
#include "lang/parse/cures.def"
};

// What a message says to write can be written, and the message says it.
TEST(cures_of_functions_are_expressions) {
  for (size_t i = 0; i < sizeof cures / sizeof *cures; i += 2) {
    const char *text = text_format(&cx->keep,
                                   "coord x = 0 [m]\nlet a = x/(1 [m]), b = 2*a, c = 3*a\n"
                                   "kinetic = 1/2*(1 [kg])*x'^2\nlet y = %s\nforce x = y*(1 [N])\n",
                                   cures[i + 1]);
    Model *model;
    if (model_read(cx, "cure", text, strlen(text), NULL, &model) != QDOT_OK)
      fail_msg("for %s: %s is no expression", cures[i], cures[i + 1]);
  }
}

// In the properties of a body '~' and no sign are guesses, '=' is kept.
TEST(signs_of_start_values) {
  static const char *const signs[] = {"", "~", "="};
  for (int i = 0; i < 3; i++) {
    const char *s = signs[i];
    const char *text =
        text_format(&cx->keep,
                    "body a: mass 1 [kg], rod 1 [m], at %s (0.5 [m], 0), angle %s 40 "
                    "[deg], velocity %s (0, 0), spin %s 1 [rad/s]\n",
                    s, s, s, s);
    Model *model;
    assert_int_equal(model_read(cx, "case", text, strlen(text), NULL, &model), QDOT_OK);
    const Body *body = &model->mechanism.bodies.at[0];
    InitialKind wanted = *s == '=' ? INITIAL_GIVEN : INITIAL_GUESS;
    for (int k = 0; k < 3; k++) {
      assert_int_equal(body->start[k].kind, wanted);
      assert_int_equal(body->velocity[k].kind, wanted);
    }
  }
}

// Parameters without a unit are pure numbers in a constraint where nothing says that one is not;
// what depends on coordinates without units stays open.
TEST(units_of_multipliers) {
  static const struct {
    const char *lines;
    const char *unit; // NULL: unknown
  } rows[] = {
      {"param a = 2, b = 3\nconstraint c: a*p = -b*q\n", "torque"},
      {"param a = 2, b = 3\nconstraint c: a*x = b*y\n", "force"},
      {"param a = 2, b = 3, d = a/b\nconstraint c: x = d*y\n", "force"},
      {"param a = 2, b = 3\nconstraint c: x = a*p\n", "force"},         // a is a length
      {"param a = 2, b = 3\nconstraint c: a*x = b*p\n", NULL},          // b is a times a length
      {"param a = 2, b = 3\nconstraint c: a*(x - b*p) = 0\n", "force"}, // a may be a number
      {"param a = 2\ncoord z = 0\nkinetic = z'^2*(1 [kg])\nconstraint c: a*z = x\n", "force"},
      {"param a = 2\ncoord z = 0\nforce z = 0\nkinetic = a*z'^2\nconstraint c: z = 1\n", NULL},
      {"input u = 0\nparam a = 2\nforce x = a*u\nconstraint c: a*p = 2*a*q\n", NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *text =
        text_format(&cx->keep,
                    "coord p = 0 [rad], q = 0 [rad], x = 0 [m], y = 0 [m]\n"
                    "kinetic = (p'^2 + q'^2)*(1 [kg*m^2]) + (x'^2 + y'^2)*(1 [kg])\n%s",
                    rows[i].lines);
    Model *model;
    assert_int_equal(model_read(cx, "case", text, strlen(text), NULL, &model), QDOT_OK);
    const Measure *found = &model->constraints.at[0].measure;
    if (found->is_known != (rows[i].unit != NULL)) fail_msg("%s: known %d", text, found->is_known);
    int length = rows[i].unit && strcmp(rows[i].unit, "torque") == 0 ? 2 : 1;
    if (found->is_known && !dimension_is_equal(found->dimension, dimension_base(1, length, -2)))
      fail_msg("%s: not a %s", text, rows[i].unit);
  }
}

// Gears, belts and racks without a name are called by what they join.
TEST(couplings_are_named_by_their_bodies) {
  static const struct {
    const char *bodies[2], *line, *name;
  } rows[] = {{{"crank", "wheel"}, "gear: crank, wheel, ratio -2", "gear_crank_wheel"},
              {{"gear_2", "gear_3"}, "gear: gear_2, gear_3, ratio -2", "gear_2_gear_3"},
              {{"a[1]", "a[2]"}, "belt: a[1], a[2], ratio 2", "belt_a_1_a_2"},
              {{"a", "b"}, "gear S: a, b, ratio 2", "S"},
              {{"a", "b"}, "param gear_a_b = 1\ngear: a, b, ratio -gear_a_b", "gear_a_b_2"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Text text = text_new(&cx->keep);
    for (int k = 0; k < 2; k++)
      text_addf(&text,
                "body %s: disc 0.1 [m], mass 1 [kg]\njoint P_%d: revolute ground (%d [m], 0), %s "
                "(0, 0)\n",
                rows[i].bodies[k], k, k, rows[i].bodies[k]);
    text_addf(&text, "%s\n", rows[i].line);
    Model *model;
    assert_int_equal(model_read(cx, "gears", text.at, text.n, NULL, &model), QDOT_OK);
    const Mechanism *m = &model->mechanism;
    assert_string_equal(symbol_text(cx, m->joints.at[m->joints.n - 1].name), rows[i].name);
  }
}

RUN_TESTS(cmocka_unit_test(couplings_are_named_by_their_bodies),
          cmocka_unit_test(units_of_multipliers), cmocka_unit_test(models),
          cmocka_unit_test(fine_print), cmocka_unit_test(wrong_models),
          cmocka_unit_test(data_files), cmocka_unit_test(cures_of_functions_are_expressions),
          cmocka_unit_test(signs_of_start_values))
