// Matrices and wrapped lines on a terminal.
#include "print/text_block.h"

#include <string.h>

#include "base/utf8.h"
#include "support/check.h"

static void check_block(Context *cx, Block block, const char *expected) {
  Text out = text_new(&cx->keep);
  block_print(&block, &out);
  assert_string_equal(out.at, expected);
}

TEST(matrix_and_vectors_stand_beside_each_other) {
  static const char *const M[] = {"L₁² (m₁ + m₂)", "b", "b", "L₂² m₂"};
  static const char *const v[] = {"θ₁", "x", "−2 y"};
  Block matrix = block_labelled(&cx->keep, "M = ", block_matrix(&cx->keep, M, 2, 2, 3, true));
  check_block(cx, matrix,
              "M = ⎡ L₁² (m₁ + m₂)   b      ⎤\n"
              "    ⎣ b               L₂² m₂ ⎦\n");
  Block vector = block_labelled(&cx->keep, "v = ", block_matrix(&cx->keep, v, 3, 1, 3, true));
  check_block(cx, block_beside(&cx->keep, matrix, 3, vector),
              "M = ⎡ L₁² (m₁ + m₂)   b      ⎤   v = ⎡  θ₁  ⎤\n"
              "    ⎣ b               L₂² m₂ ⎦       ⎢  x   ⎥\n"
              "                                     ⎣ −2 y ⎦\n");
  check_block(cx, block_matrix(&cx->keep, M, 2, 2, 3, false),
              "[ L₁² (m₁ + m₂)   b      ]\n[ b               L₂² m₂ ]\n");
  check_block(cx, block_matrix(&cx->keep, M, 1, 1, 3, true), "[ L₁² (m₁ + m₂) ]\n");
}

TEST(long_lines_break_before_signs) {
  Text out = text_new(&cx->keep);
  print_wrapped(&out, "h = aaaa bbbb + cccc (d + e) − ffff gggg + hhhh", 24, 4);
  assert_string_equal(out.at, "h = aaaa bbbb\n"
                              "    + cccc (d + e)\n"
                              "    − ffff gggg + hhhh\n");
  Text whole = text_new(&cx->keep);
  print_wrapped(&whole, "noplacetobreakthislineatall", 10, 2);
  assert_string_equal(whole.at, "noplacetobreakthislineatall\n");
}

// Whatever the width, nothing is lost and lines that can be broken are not too wide.
TEST(wrapping_loses_nothing) {
  Text line = text_new(&cx->keep);
  text_add(&line, "x");
  for (int i = 0; i < 200; i++) text_addf(&line, "%sterm_%d", i % 3 ? " + " : " − ", i);
  for (size_t width = 30; width < 130; width++) {
    Text out = text_new(&cx->keep);
    print_wrapped(&out, line.at, width, 2);
    size_t letters = 0, expected = 0;
    for (const char *c = out.at; *c; c++) letters += *c != ' ' && *c != '\n';
    for (const char *c = line.at; *c; c++) expected += *c != ' ';
    assert_int_equal(letters, expected);
    for (const char *at = out.at; *at; at += strcspn(at, "\n") + 1)
      assert_true(utf8_width(at, strcspn(at, "\n")) <= width);
  }
}

RUN_TESTS(cmocka_unit_test(matrix_and_vectors_stand_beside_each_other),
          cmocka_unit_test(long_lines_break_before_signs), cmocka_unit_test(wrapping_loses_nothing))
