// The runner of case tables, on a table of carets.
#include "support/cases.h"

#include <string.h>

#include "support/check.h"

static const char *mark_name(Context *cx, const char *input) {
  size_t name_length = strcspn(input, "\n");
  if (name_length == 0) return "no name";
  uint32_t source = source_add(&cx->keep, &cx->sources, "case", input, strlen(input));
  char *name = arena_copy(&cx->keep, input, name_length);
  uint32_t begin = (uint32_t)(strstr(input + name_length, name) - input);
  diag_error(cx, QDOT_SYNTAX, (Span){source, begin, begin + (uint32_t)name_length}, "here");
  return NULL;
}

static void carets(void **state) {
  (void)state;
  check_cases("tests/base/diag.case", mark_name);
}

RUN_TESTS(cmocka_unit_test(carets))
