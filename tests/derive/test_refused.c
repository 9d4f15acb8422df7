// What a model may say and a derivation refuses, word for word.
#include <string.h>

#include "derive/formulate.h"
#include "derive/momenta.h"
#include "derive/roads/road_type.h"
#include "derive/system.h"
#include "expr/build.h"
#include "lang/read.h"
#include "model/values.h"
#include "support/cases.h"
#include "support/mechanisms.h"

// A first line "--formulation NAME" chooses one.
static const char *read_and_derive(Context *cx, const char *input) {
  Formulation formulation = FORMULATION_LAGRANGE;
  Road road = ROAD_LAGRANGE;
  void *result;
  if (strncmp(input, "--formulation ", 14) == 0) {
    size_t length = strcspn(input, "\n");
    const char *name = arena_copy(&cx->keep, input + 14, length - 14);
    assert_true(road_from_text(name, &road) || formulation_from_text(name, &formulation));
    input += length + 1;
  }
  ReadOptions options = {0};
  Model *model, *plain;
  System system;
  double *values;
  if (model_read(cx, "case", input, strlen(input), &options, &model) != QDOT_OK) return NULL;
  if (model_formulate(cx, model, formulation, &plain) != QDOT_OK) return NULL;
  if (momenta_take(&plain) != QDOT_OK) return NULL;
  if (model_values(cx, model, &cx->keep, &values) != QDOT_OK) return NULL;
  if (derive_system(cx, plain, DERIVE_MATRICES, &system) != QDOT_OK) return NULL;
  const RoadType *type = road_type(road);
  if (type && type->derive(cx, &system, &result) != QDOT_OK) return NULL;
  return "derived";
}

static void refused_models(void **state) {
  (void)state;
  check_cases("tests/derive/refused.case", read_and_derive);
}

// The language finds this; a model that a program builds may still have it.
TEST(constraints_must_be_linear_in_velocities) {
  Model *model = mechanism_pendulum(cx, 1);
  Expr qd = model->coordinates.at[0].qd;
  Constraint c = {.name = symbol_from_text(cx, "rolling"), .is_nonholonomic = true};
  c.multiplier = expr_symbol(cx, SYMBOL_MULTIPLIER, symbol_from_text(cx, "lambda_rolling"));
  c.phi = expr_square(cx, qd);
  vec_push(&cx->keep, &model->constraints, c);
  System system;
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &system), QDOT_BAD_MODEL);
  const Diagnostic *d = &cx->diagnostics.list.at[cx->diagnostics.list.n - 1];
  assert_string_equal(d->message, "constraint 'rolling' is not linear in the velocities");
  assert_string_equal(d->note, "a constraint on velocities has the form a(q, t)*q' + b(q, t) = 0");
}

RUN_TESTS(cmocka_unit_test(refused_models),
          cmocka_unit_test(constraints_must_be_linear_in_velocities))
