// Inference of dimensions: a hidden assignment is found again from random consistent equations.
#include "model/infer.h"
#include "support/check.h"

#define UNKNOWNS 6

// A random monomial in the unknowns and its dimension under the hidden assignment.
static Form random_monomial(Inference *in, Random *r, const Form *unknown, const Dimension *hidden,
                            Dimension *value) {
  Form form =
      form_known(dimension_base(random_below(r, 3), random_below(r, 3), -random_below(r, 3)));
  *value = form.known;
  for (int k = 0; k < 2; k++) {
    int i = random_below(r, UNKNOWNS);
    Ratio power = ratio_from(random_below(r, 5) - 2, 1 + random_below(r, 2));
    form = form_mul(in, form, form_pow(in, unknown[i], power));
    *value = dimension_mul(*value, dimension_pow(hidden[i], power));
  }
  return form;
}

static void rediscover(Context *cx) {
  Random r = random_start("infer");
  for (int round = 0; round < test_rounds(2000); round++) {
    Mark mark = arena_mark(&cx->scratch);
    Inference in = inference_new(cx, &cx->scratch);
    Form unknown[UNKNOWNS];
    Dimension hidden[UNKNOWNS];
    for (int i = 0; i < UNKNOWNS; i++) {
      unknown[i] = inference_unknown(&in, symbol_from_text(cx, "u"));
      hidden[i] =
          dimension_base(random_below(&r, 3) - 1, random_below(&r, 5) - 2, random_below(&r, 5) - 2);
    }
    // Every equation that is true under the assignment is accepted, in whatever order.
    for (int k = 0; k < 30; k++) {
      Dimension a, b;
      Form left = random_monomial(&in, &r, unknown, hidden, &a);
      Form right = random_monomial(&in, &r, unknown, hidden, &b);
      right = form_mul(&in, right, form_known(dimension_div(a, b)));
      assert_true(form_equate(&in, left, right));
    }
    // What is determined is what was hidden, and its contradiction is refused.
    for (int i = 0; i < UNKNOWNS; i++) {
      Dimension found;
      if (!form_is_known(&in, unknown[i], &found)) continue;
      assert_true(dimension_is_equal(found, hidden[i]));
      Form wrong = form_known(dimension_mul(found, dimension_base(1, 0, 0)));
      assert_false(form_equate(&in, unknown[i], wrong));
    }
    arena_release(&cx->scratch, mark);
  }
}

static void printing(Context *cx) {
  Inference in = inference_new(cx, &cx->keep);
  Form m = inference_unknown(&in, symbol_from_text(cx, "m"));
  Text text = text_new(&cx->keep);
  form_print(&in,
             form_mul(&in, form_pow(&in, m, (Ratio){2, 1}), form_known(dimension_base(0, 1, -1))),
             &text);
  assert_string_equal(text.at, "[m]^2 m/s");
  Text pure = text_new(&cx->keep);
  form_print(&in, form_div(&in, m, m), &pure);
  assert_string_equal(pure.at, "pure number");
}

static void consistent_equations_are_solved(void **state) { (void)state, with_context(rediscover); }
static void forms_print(void **state) { (void)state, with_context(printing); }

RUN_TESTS(cmocka_unit_test(consistent_equations_are_solved), cmocka_unit_test(forms_print))
