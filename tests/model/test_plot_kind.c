// The kinds of plots: words that differ, and stand in the documents.
#include "model/plot_kind.h"

#include <stdlib.h>
#include <string.h>

#include "base/host/folder.h"
#include "base/text.h"
#include "support/check.h"

TEST(every_kind_is_documented) {
  const char *root = getenv("QDOT_ROOT"), *language;
  size_t n;
  if (!root) skip();
  assert_int_equal(folder_read(cx, &cx->keep, root, "doc/language.md", &language, &n), QDOT_OK);
  for (int i = 0; i < PLOT_KINDS; i++) {
    const char *word = plot_type((PlotKind)i)->word;
    for (int k = 0; k < i; k++) assert_string_not_equal(word, plot_type((PlotKind)k)->word);
    assert_non_null(strstr(language, text_format(&cx->keep, "`plot %s", word)));
  }
}

RUN_TESTS(cmocka_unit_test(every_kind_is_documented))
