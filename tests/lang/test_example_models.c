// Every example is read without a word, and the smallest ones stay small.
#include <stdlib.h>
#include <string.h>

#include "lang/read.h"
#include "support/cases.h"
#include "support/check.h"
#include "support/examples.h"

static void read_silently(Context *cx, const char *path) {
  const char *text = example_text(cx, path);
  Model *model;
  Status status = model_read(cx, path, text, strlen(text), NULL, &model);
  if (cx->diagnostics.list.n) {
    Text out = text_new(&cx->keep);
    diag_print(&cx->sources, &cx->diagnostics.list.at[0], false, &out);
    print_error("%s", out.at);
  }
  assert_int_equal(status, QDOT_OK);
  assert_int_equal(cx->diagnostics.list.n, 0);
  for (uint32_t i = 0; i < model->coordinates.n; i++)
    assert_true(model->coordinates.at[i].measure.is_known);
}

static void every_example_is_read(void **state) {
  (void)state;
  with_every_example(read_silently);
}

static size_t count_lines(const char *file) {
  size_t n, lines = 0;
  char *text = read_source_file(file, &n);
  for (size_t i = 0; i < n; i++) lines += text[i] == '\n';
  free(text);
  return lines;
}

TEST(small_mechanisms_are_small_models) {
  assert_true(count_lines("examples/pendulum.qdot") <= 6);
  assert_true(count_lines("examples/double_pendulum.qdot") <= 14);
  assert_true(count_lines("examples/crank_rocker.qdot") <= 10);
  assert_true(count_lines("examples/n_link_chain.qdot") <= 10);
}

RUN_TESTS(cmocka_unit_test(every_example_is_read),
          cmocka_unit_test(small_mechanisms_are_small_models))
