// Every example at its equilibria: the linearization against differences of its accelerations.
#include <stdlib.h>
#include <string.h>

#include "analyse/vibration/stability.h"
#include "support/analysis.h"
#include "support/examples.h"

static bool is_refused(Context *cx) {
  for (uint32_t i = 0; i < cx->diagnostics.list.n; i++) {
    const char *message = cx->diagnostics.list.at[i].message;
    static const char *const reasons[] = {"depends on t", "not steady", "friction of contact",
                                          "friction of joint"};
    for (size_t k = 0; k < 4; k++)
      if (strstr(message, reasons[k])) return true;
  }
  return false;
}

static void check_example(Context *cx, const char *path) {
  Analysed a = analysed_file(cx, path, example_text(cx, path));
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
  with_every_example(check_example);
}

RUN_TESTS(cmocka_unit_test(examples))
