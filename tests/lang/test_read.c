// Models and what is read from them; mistakes and their messages, word for word.
#include "lang/read.h"

#include <string.h>

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
  ReadOptions options = {sets, 0};
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
  check_cases("tests/lang/bodies.case", read_and_describe);
  check_cases("tests/lang/mechanisms.case", read_and_describe);
}

RUN_TESTS(cmocka_unit_test(models), cmocka_unit_test(fine_print), cmocka_unit_test(wrong_models))
