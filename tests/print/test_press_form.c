// Friction in joints as it is told: it opposes the sliding that it names, which is that of the
// equations of motion.
#include "print/press_form.h"

#include <math.h>
#include <string.h>

#include "derive/formulate.h"
#include "expr/build.h"
#include "expr/value/eval.h"
#include "expr/walk.h"
#include "lang/read.h"
#include "support/check.h"
#include "support/expressions.h"

// A wedge under a load, or a chain of pins and slides.
static const char *random_model(Context *cx, Random *random) {
  Text text = text_new(&cx->keep);
  text_add(&text, "param g = 9.81 [m/s^2], mu = 0.2, r = 20 [mm], L = 1 [m], a = 0.3 [rad]\n"
                  "gravity (0, -g)\n");
  int bodies = 1 + random_below(random, 3);
  for (int i = 1; i <= bodies; i++) {
    bool slides = random_below(random, 2);
    text_addf(&text, "body b_%d: rod L, mass %d [kg], angle %d [deg]\n", i, i, 20 * i);
    const char *before = i == 1 ? "ground (0, 0)" : text_format(&cx->keep, "b_%d (L/2, 0)", i - 1);
    text_addf(&text, "joint j_%d: %s %s, b_%d (-L/2, 0), %s\n", i,
              slides ? "prismatic" : "revolute", before, i,
              slides ? "axis a, friction mu" : "friction mu, radius r");
  }
  if (random_below(random, 2))
    text_add(&text, "body w: plate (1 [m], L), mass 5 [kg], at = (3 [m], 0)\n"
                    "body l: plate (L, L), mass 9 [kg], at = (3 [m], 2*L)\n"
                    "joint floor: prismatic ground (3 [m], 0), w (0, 0), axis 0, friction mu\n"
                    "joint face: slot w (0, L), l (0, -L), axis a, friction mu\n"
                    "joint guide: prismatic ground (3 [m], 2*L), l (0, 0), axis 90 [deg]\n");
  return text.at;
}

static bool has_sign_of(Context *cx, const Listing *listing, Expr slip) {
  const Listed *Q = &listing->at[LISTED_Q];
  ExprList all = expr_walk(cx, Q->values, Q->rows, visit_all, NULL);
  for (uint32_t i = 0; i < all.n; i++)
    if (op_of(cx, all.at[i]) == OP_SIGN && expr_child(cx, all.at[i], 0) == slip) return true;
  return false;
}

TEST(friction_opposes_the_sliding_that_is_told) {
  Random random = random_start("friction_opposes_the_sliding_that_is_told");
  for (int round = 0; round < test_rounds(15); round++) {
    const char *text = random_model(cx, &random);
    Model *model;
    System system;
    assert_int_equal(model_read(cx, "rubs", text, strlen(text), NULL, &model), QDOT_OK);
    assert_int_equal(model_formulate(cx, model, FORMULATION_LAGRANGE, &model), QDOT_OK);
    assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &system), QDOT_OK);
    Mark mark = arena_mark(&cx->scratch);
    Listing listing;
    ListingOptions options = {SIMPLIFY_NORMAL, NULL, true};
    assert_int_equal(listing_open(&system, &options, &listing), QDOT_OK);
    Samples samples = {.cx = cx, .random = &random};
    for (uint32_t i = 0; i < model->presses.n; i++) {
      const Press *press = &model->presses.at[i];
      PressForm form = press_form(&listing, i);
      if (!has_sign_of(cx, &listing, form.slip))
        fail_msg("%s%s", text, symbol_text(cx, press->name));
      double *values = random_values(&samples, 0.3, 1.4);
      double slip = expr_eval(cx, form.slip, values), own = expr_eval(cx, press->slip, values);
      CHECK_NEAR(fabs(slip), fabs(own), 1e-12);
      CHECK_NEAR(expr_eval(cx, form.force, values) * slip,
                 -fabs(expr_eval(cx, press->force, values) * own), 1e-12);
      if (form.value)
        CHECK_NEAR(expr_eval(cx, form.value, values), expr_eval(cx, press->value, values), 1e-9);
    }
    arena_release(&cx->scratch, mark);
  }
}

RUN_TESTS(cmocka_unit_test(friction_opposes_the_sliding_that_is_told))
