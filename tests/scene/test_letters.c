// Letters of formulas: what stands alone is italic, everything else stays.
#include "scene/letters.h"

#include <string.h>

#include "base/utf8.h"
#include "support/check.h"

TEST(lone_letters_are_italic) {
  static const char *const rows[][2] = {{"x", "𝑥"},
                                        {"h", "ℎ"},
                                        {"θ", "𝜃"},
                                        {"Ω", "𝛺"},
                                        {"speed", "speed"},
                                        {"A,x", "𝐴,𝑥"},
                                        {"arm,2", "arm,2"},
                                        {"2", "2"},
                                        {"5000 θ", "5000 𝜃"},
                                        {"", ""},
                                        {"ω1", "𝜔1"},
                                        {"é", "é"},
                                        {"\xff"
                                         "x",
                                         "\xff"
                                         "𝑥"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_string_equal(formula_letters(&cx->keep, rows[i][0]), rows[i][1]);
}

// Words of random characters: as many characters, and none changed that has a letter beside it.
TEST(characters_stay_as_many) {
  static const uint32_t characters[] = {'a', 'h', 'Z', '7', ',', ' ', 0x3B8, 0x3A9, 0xE9, 0x4E2D};
  Random random = random_start("letters");
  for (int round = 0; round < 200; round++) {
    char text[64] = "";
    uint32_t of_text[12], n = 1 + (uint32_t)random_below(&random, 12);
    size_t length = 0;
    for (uint32_t i = 0; i < n; i++) {
      of_text[i] = characters[random_below(&random, 10)];
      length += utf8_put(of_text[i], text + length);
    }
    text[length] = 0;
    const char *out = formula_letters(&cx->keep, text);
    for (uint32_t i = 0; i < n; i++) {
      uint32_t character;
      bool before = i > 0 && utf8_starts_name(of_text[i - 1]);
      bool behind = i + 1 < n && utf8_starts_name(of_text[i + 1]);
      out += utf8_decode(out, strlen(out), &character);
      assert_true(character == of_text[i] || (!before && !behind && character >= 0x210E));
    }
    assert_int_equal(*out, 0);
  }
}

RUN_TESTS(cmocka_unit_test(lone_letters_are_italic), cmocka_unit_test(characters_stay_as_many))
