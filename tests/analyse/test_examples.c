// Every example at its equilibria: the linearization against differences of its accelerations.
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/vibration/stability.h"
#include "support/analysis.h"
#include "support/cases.h"

static const char *current; // the text of the example at hand

static bool is_refused(Context *cx) {
  for (uint32_t i = 0; i < cx->diagnostics.list.n; i++) {
    const char *message = cx->diagnostics.list.at[i].message;
    static const char *const reasons[] = {"depends on t", "not steady", "friction of contact"};
    for (size_t k = 0; k < 3; k++)
      if (strstr(message, reasons[k])) return true;
  }
  return false;
}

static void check_example(Context *cx) {
  Analysed a = analysed(cx, current);
  Equilibria e;
  Status status = equilibria_find(cx, a.system, a.values, NULL, 8, &e);
  // examples that are driven by a motor, pushed for ever or held by friction have no equilibrium
  if (status != QDOT_OK) {
    assert_true(is_refused(cx) || status == QDOT_NO_CONVERGENCE);
    return;
  }
  for (uint32_t i = 0; i < e.n && i < 4; i++)
    if (e.at[i].linearized.has_state_space) check_by_differences(&a, &e.at[i].linearized);
}

static void examples(void **state) {
  (void)state;
  const char *root = getenv("QDOT_ROOT");
  char pattern[4096];
  snprintf(pattern, sizeof pattern, "%s/examples/*.qdot", root ? root : ".");
  glob_t list;
  assert_int_equal(glob(pattern, 0, NULL, &list), 0);
  for (size_t i = 0; i < list.gl_pathc; i++) {
    const char *name = strstr(list.gl_pathv[i], "examples/");
    size_t length;
    char *text = read_source_file(name, &length);
    current = text;
    print_message("%s\n", name);
    with_context(check_example);
    free(text);
  }
  globfree(&list);
}

RUN_TESTS(cmocka_unit_test(examples))
