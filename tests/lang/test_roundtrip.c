// Printed expressions read back to the same node; bad text gets an error and nothing worse.
#include <string.h>

#include "expr/print.h"
#include "lang/read.h"
#include "support/expressions.h"
#include "support/pendulum.h"

static Model *sample_model(Context *cx) {
  Model *model = model_new(cx);
  static const char *const parameters[] = {"a", "m_1", "b[1]", "beta"};
  static const char *const coordinates[] = {"x", "theta_2"};
  for (uint32_t i = 0; i < 4; i++) {
    mechanism_parameter(model, parameters[i]);
    model_add_name(model, symbol_from_text(cx, parameters[i]), NAME_PARAMETER, i, (Span){0});
  }
  for (uint32_t i = 0; i < 2; i++) {
    mechanism_coordinate(model, coordinates[i]);
    model_add_name(model, symbol_from_text(cx, coordinates[i]), NAME_COORDINATE, i, (Span){0});
  }
  return model;
}

#define EXPRESSIONS 100000
#define PER_CONTEXT 5000 // sources are kept as long as their context

static Random random_stream;
static bool with_velocities; // then the units of a random expression rarely fit

static void a_batch_reads_back(Context *cx) {
  Samples s = samples_open(cx, &random_stream);
  Model *model = sample_model(cx);
  for (int i = 0; i < 2 && !with_velocities; i++)
    s.symbol[4 + i] = model->parameters.at[2 + i].symbol;
  int compared = 0;
  for (int i = 0; i < PER_CONTEXT; i++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = random_expr(&s, 5, i % 2), back = 0;
    char *text = expr_text(cx, &cx->scratch, e);
    if (expr_is_defined(cx, e)) {
      Status status = expression_read(cx, model, "printed", text, strlen(text), &back);
      // log(-2) and its like are refused where the language sees them; so are units that do not fit
      bool refused = status == QDOT_UNDEFINED || (with_velocities && status == QDOT_BAD_UNIT);
      if (!refused) {
        if (back != e) print_error("%s\n%s\n", text, back ? expr_text(cx, &cx->keep, back) : "-");
        if (status != QDOT_OK) {
          Text said = text_new(&cx->keep);
          diag_print(&cx->sources, &cx->diagnostics.list.at[0], false, &said);
          print_error("%s", said.at);
        }
        assert_int_equal(status, QDOT_OK);
        assert_int_equal(back, e);
        compared++;
      }
    }
    arena_release(&cx->scratch, mark);
  }
  assert_true(compared > PER_CONTEXT / (with_velocities ? 10 : 2));
}

static void printed_text_reads_back_to_the_same_node(void **state) {
  (void)state;
  random_stream = random_start("printed_text_reads_back_to_the_same_node");
  for (int done = 0; done < test_rounds(EXPRESSIONS); done += PER_CONTEXT) {
    with_velocities = done / PER_CONTEXT % 4 == 3;
    with_context(a_batch_reads_back);
  }
}

static char *repeated(Context *cx, const char *before, const char *middle, const char *after,
                      int n) {
  Text text = text_new(&cx->keep);
  for (int i = 0; i < n; i++) text_add(&text, before);
  text_add(&text, middle);
  for (int i = 0; i < n; i++) text_add(&text, after);
  return text.at;
}

static void refuses(Context *cx, const char *text) {
  Expr e = 0;
  uint32_t errors = cx->diagnostics.errors;
  Status status = expression_read(cx, NULL, "bad", text, strlen(text), &e);
  if (status == QDOT_OK) print_error("accepted: %.40s\n", text);
  assert_int_not_equal(status, QDOT_OK);
  assert_true(cx->diagnostics.errors > errors);
}

TEST(bad_text_is_refused) {
  refuses(cx, "");
  refuses(cx, "(a + b");
  refuses(cx, "a + b)");
  refuses(cx, "a + * b");
  refuses(cx, "1e400");
  refuses(cx, "1e-401");
  refuses(cx, "0.12345678901234567890123456789012345678901234567890");
  refuses(cx, "2^100000000");
  refuses(cx, "2^99999999999999999999");
  refuses(cx, "1/0");
  refuses(cx, "sin()");
  refuses(cx, "sin(1, 2)");
  refuses(cx, "a\xff");
  refuses(cx, "\xc3(");
  refuses(cx, repeated(cx, "(", "a", ")", 10000));
  refuses(cx, repeated(cx, "-(", "a", ")", 10000));
  refuses(cx, repeated(cx, "sin(", "a", ")", 10000));
  refuses(cx, repeated(cx, "[", "a", "]", 10000));
}

RUN_TESTS(cmocka_unit_test(printed_text_reads_back_to_the_same_node),
          cmocka_unit_test(bad_text_is_refused))
