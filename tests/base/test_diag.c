// Places in sources and the caret printer.
#include "base/diag.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "support/check.h"

// The span of the n-th occurrence (from 0) of a piece in the text of source 0.
static Span span_of(Context *cx, const char *piece, int n) {
  const char *text = cx->sources.at[0].text, *at = strstr(text, piece);
  for (; n > 0; n--) at = strstr(at + 1, piece);
  assert_non_null(at);
  uint32_t begin = (uint32_t)(at - text);
  return (Span){0, begin, begin + (uint32_t)strlen(piece)};
}

static void add_source(Context *cx, const char *text) {
  source_add(&cx->keep, &cx->sources, "arm.qdot", text, strlen(text));
}

static void check_prints(Context *cx, const char *expected) {
  Text out = text_new(&cx->keep);
  diag_print(&cx->sources, &cx->diagnostics.list.at[cx->diagnostics.list.n - 1], false, &out);
  assert_string_equal(out.at, expected);
}

TEST(caret_covers_the_whole_name) {
  add_source(cx, "param L = 1\nlet x_2 = x_1 + L_2*sin(thta_2)\n");
  assert_int_equal(
      diag_error(cx, QDOT_UNKNOWN_NAME, span_of(cx, "thta_2", 0), "unknown name '%s'", "thta_2"),
      QDOT_UNKNOWN_NAME);
  diag_suggest(cx, "theta_2");
  check_prints(cx, "arm.qdot:2:25: error: unknown name 'thta_2'\n"
                   "    let x_2 = x_1 + L_2*sin(thta_2)\n"
                   "                            ^~~~~~ did you mean 'theta_2'?\n");
}

TEST(a_mistake_of_ours_is_an_error_at_its_place) {
  add_source(cx, "plot a, b\n");
  diag_own_mistake(cx, (Span){0, 8, 9});
  assert_int_equal(cx->diagnostics.errors, 1);
  check_prints(cx, "arm.qdot:1:9: error: Qdot cannot carry this out and does not know why\n"
                   "    plot a, b\n"
                   "            ^\n"
                   "    this is a mistake in Qdot; please report it with the model\n");
}

TEST(errors_can_be_softened_from_a_place_on) {
  diag_error_plain(cx, QDOT_BAD_MODEL, "first");
  diag_error_plain(cx, QDOT_BAD_MODEL, "second");
  diag_soften(cx, 1);
  assert_int_equal(cx->diagnostics.errors, 1);
  assert_int_equal(cx->diagnostics.warnings, 1);
  check_prints(cx, "warning: second\n");
}

TEST(two_spans_on_a_line_get_their_labels_below) {
  add_source(cx, "potential = m_1*g*y_1 + m_2*y_2\n");
  diag_error(cx, QDOT_BAD_UNIT, span_of(cx, "m_1*g*y_1", 0), "these two terms cannot be added");
  diag_label(cx, "kg m²/s²");
  diag_second(cx, span_of(cx, "m_2*y_2", 0), "kg m");
  diag_note(cx, "is 'g' missing?");
  check_prints(cx, "arm.qdot:1:13: error: these two terms cannot be added\n"
                   "    potential = m_1*g*y_1 + m_2*y_2\n"
                   "                ^~~~~~~~~   ^~~~~~~\n"
                   "                kg m²/s²    kg m\n"
                   "    is 'g' missing?\n");
}

TEST(long_labels_do_not_run_together) {
  add_source(cx, "a + b\n");
  diag_warning(cx, span_of(cx, "a", 0), "units differ");
  diag_label(cx, "kg m²/s²");
  diag_second(cx, span_of(cx, "b", 0), "kg m");
  check_prints(cx, "arm.qdot:1:1: warning: units differ\n"
                   "    a + b\n"
                   "    ^   ^\n"
                   "    kg m²/s²  kg m\n");
}

TEST(second_place_on_another_line_is_named) {
  add_source(cx, "param m = 1\n\nparam m = 2\n");
  diag_error(cx, QDOT_DUPLICATE_NAME, span_of(cx, "m = 2", 0), "'m' is defined twice");
  diag_second(cx, span_of(cx, "m = 1", 0), "first here");
  check_prints(cx, "arm.qdot:3:7: error: 'm' is defined twice\n"
                   "    param m = 2\n"
                   "          ^~~~~\n"
                   "    arm.qdot:1:7: first here\n");
}

TEST(tabs_and_wide_characters_keep_the_caret_below) {
  add_source(cx, "\tlet\tθ_2 = 重さ*x\r\n");
  diag_error(cx, QDOT_UNKNOWN_NAME, span_of(cx, "x", 0), "unknown name 'x'");
  check_prints(cx, "arm.qdot:1:15: error: unknown name 'x'\n"
                   "     let θ_2 = 重さ*x\n"
                   "                    ^\n");
}

TEST(control_characters_do_not_reach_the_terminal) {
  add_source(cx, "a\x1b[31m\x7f\xc2\x9b\xff + b\n");
  diag_error(cx, QDOT_SYNTAX, span_of(cx, "b", 0), "unexpected name");
  check_prints(cx, "arm.qdot:1:13: error: unexpected name\n"
                   "    a?[31m??? + b\n"
                   "                ^\n");
}

TEST(end_of_line_and_end_of_text_have_a_place) {
  add_source(cx, "a +");
  diag_error(cx, QDOT_SYNTAX, (Span){0, 3, 3}, "expected a term");
  check_prints(cx, "arm.qdot:1:4: error: expected a term\n"
                   "    a +\n"
                   "       ^\n");
  add_source(cx, "");
  diag_error(cx, QDOT_SYNTAX, (Span){1, 0, 0}, "the model is empty");
  check_prints(cx, "arm.qdot:1:1: error: the model is empty\n"
                   "    \n"
                   "    ^\n");
}

TEST(span_over_several_lines_marks_the_first) {
  add_source(cx, "let r = (1,\n  2\n");
  diag_error(cx, QDOT_SYNTAX, (Span){0, 8, 15}, "bracket not closed");
  check_prints(cx, "arm.qdot:1:9: error: bracket not closed\n"
                   "    let r = (1,\n"
                   "            ^~~\n");
}

TEST(diagnostic_without_place) {
  diag_error_plain(cx, QDOT_IO, "cannot read 'x.qdot'");
  diag_label(cx, "No such file or directory");
  check_prints(cx, "error: cannot read 'x.qdot'\n    No such file or directory\n");
}

// A line of a megabyte is shown by a window around the caret.
TEST(very_long_lines_are_shown_in_part) {
  size_t n = (size_t)1 << 20;
  char *line = arena_alloc(&cx->keep, n + 1);
  for (size_t i = 0; i + 1 < n; i += 2) memcpy(line + i, "é", 2);
  size_t places[] = {0, 100, 300000, n - 2};
  source_add(&cx->keep, &cx->sources, "long.qdot", line, n);
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    uint32_t at = (uint32_t)places[i] & ~1u;
    diag_error(cx, QDOT_SYNTAX, (Span){0, at, at + 2}, "here");
    Text out = text_new(&cx->keep);
    diag_print(&cx->sources, &cx->diagnostics.list.at[i], false, &out);
    assert_true(out.n < 600);
    uint32_t character;
    for (size_t used, k = 0; k < out.n; k += used)
      assert_true((used = utf8_decode(out.at + k, out.n - k, &character)) > 0);
    // The caret stands below a character of the excerpt.
    const char *excerpt = strchr(out.at, '\n') + 1, *carets = strchr(excerpt, '\n') + 1;
    size_t column = strcspn(carets, "^");
    assert_true(column < utf8_width(excerpt, (size_t)(carets - excerpt) - 1));
  }
}

TEST(warnings_do_not_hide_errors) {
  add_source(cx, "x");
  for (int i = 0; i < 150; i++) diag_warning(cx, (Span){0, 0, 1}, "warning %d", i);
  diag_error(cx, QDOT_SYNTAX, (Span){0, 0, 1}, "the error");
  diag_note(cx, "its note");
  diag_warning(cx, (Span){0, 0, 1}, "one more");
  diag_note(cx, "of the one more");
  const Diagnostic *last = &cx->diagnostics.list.at[cx->diagnostics.list.n - 1];
  assert_string_equal(last->message, "the error");
  assert_string_equal(last->note, "its note");
}

TEST(only_a_hundred_are_kept_and_all_are_counted) {
  add_source(cx, "x\n");
  for (int i = 0; i < 250; i++) {
    diag_error(cx, QDOT_SYNTAX, (Span){0, 0, 1}, "error %d", i);
    diag_note(cx, "note %d", i);
  }
  assert_int_equal(cx->diagnostics.errors, 250);
  assert_int_equal(cx->diagnostics.list.n, 100);
  assert_int_equal(cx->diagnostics.dropped, 150);
  assert_string_equal(cx->diagnostics.list.at[99].note, "note 99");
}

// However full the list is: errors that drove warnings out of it go, the warnings come back.
TEST(a_rollback_forgets_all_that_came_after) {
  for (int before = 0; before <= MOST_DIAGNOSTICS + 5; before += 15) {
    cx->diagnostics = (Diagnostics){0};
    for (int i = 0; i < before; i++) diag_warning_plain(cx, "before %d", i);
    Diagnostics mark = diag_mark(cx);
    for (int i = 0; i < 20; i++) diag_warning_plain(cx, "after");
    for (int i = 0; i < 20; i++) diag_error_plain(cx, QDOT_BAD_MODEL, "after");
    diag_rollback(cx, mark);
    const Diagnostics *now = &cx->diagnostics;
    int kept = before < MOST_DIAGNOSTICS ? before : MOST_DIAGNOSTICS;
    assert_int_equal(now->list.n, kept);
    assert_int_equal(now->errors, 0);
    assert_int_equal(now->warnings, before);
    assert_int_equal(now->dropped, before - kept);
    for (int i = 0; i < kept; i++)
      assert_string_equal(now->list.at[i].message, text_format(&cx->keep, "before %d", i));
  }
}

RUN_TESTS(cmocka_unit_test(caret_covers_the_whole_name),
          cmocka_unit_test(a_mistake_of_ours_is_an_error_at_its_place),
          cmocka_unit_test(errors_can_be_softened_from_a_place_on),
          cmocka_unit_test(two_spans_on_a_line_get_their_labels_below),
          cmocka_unit_test(long_labels_do_not_run_together),
          cmocka_unit_test(second_place_on_another_line_is_named),
          cmocka_unit_test(tabs_and_wide_characters_keep_the_caret_below),
          cmocka_unit_test(control_characters_do_not_reach_the_terminal),
          cmocka_unit_test(end_of_line_and_end_of_text_have_a_place),
          cmocka_unit_test(span_over_several_lines_marks_the_first),
          cmocka_unit_test(diagnostic_without_place),
          cmocka_unit_test(very_long_lines_are_shown_in_part),
          cmocka_unit_test(warnings_do_not_hide_errors),
          cmocka_unit_test(only_a_hundred_are_kept_and_all_are_counted),
          cmocka_unit_test(a_rollback_forgets_all_that_came_after))
