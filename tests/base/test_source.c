// Line and column of an offset against a count by hand; UTF-8.
#include "base/source.h"
#include "base/words/greek.h"

#include <string.h>

#include "base/utf8.h"
#include "support/check.h"

TEST(places_agree_with_counting) {
  const char *text = "ab\n\nθ_1 = 2\r\nlast";
  uint32_t source = source_add(&cx->keep, &cx->sources, "m", text, strlen(text));
  uint32_t line = 1, column = 1;
  for (uint32_t offset = 0; offset <= strlen(text); offset++) {
    bool inside = ((unsigned char)text[offset] & 0xC0) == 0x80;
    Place place = source_place(&cx->sources, source, offset);
    if (!inside) {
      assert_int_equal(place.line, line);
      assert_int_equal(place.column, column);
      column++;
    }
    if (text[offset] == '\n') line++, column = 1;
    assert_null(memchr(place.line_text, '\r', place.line_length));
  }
  Place beyond = source_place(&cx->sources, source, 1000);
  assert_int_equal(beyond.line, 4);
  assert_int_equal(beyond.column, 5);
}

TEST(sources_are_copies) {
  char text[] = "model";
  source_add(&cx->keep, &cx->sources, "one", text, 5);
  text[0] = 'X';
  assert_int_equal(source_add(&cx->keep, &cx->sources, "two", text, 5), 1);
  assert_string_equal(cx->sources.at[0].text, "model");
  assert_string_equal(cx->sources.at[1].text, "Xodel");
}

static void spans_join(void **state) {
  (void)state;
  Span joined = span_join((Span){0, 3, 5}, (Span){0, 9, 12});
  assert_int_equal(joined.begin, 3);
  assert_int_equal(joined.end, 12);
  assert_int_equal(span_join((Span){0, 3, 5}, (Span){1, 9, 12}).end, 5);
}

static void utf8_round_trip(void **state) {
  (void)state;
  for (uint32_t c = 1; c < 0x110000; c += c < 0x3000 ? 1 : 37) {
    if (c >= 0xD800 && c < 0xE000) continue;
    char bytes[4];
    size_t n = utf8_put(c, bytes);
    uint32_t back = 0;
    assert_int_equal(utf8_decode(bytes, n, &back), n);
    assert_int_equal(back, c);
    if (n > 1) assert_int_equal(utf8_decode(bytes, n - 1, &back), 0);
  }
}

static void utf8_refuses_what_is_not_valid(void **state) {
  (void)state;
  static const char *const bad[] = {"\x80", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80",
                                    "\xE2\x82"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    uint32_t character;
    assert_int_equal(utf8_decode(bad[i], strlen(bad[i]), &character), 0);
  }
}

// Letters that look alike are one: the word is the same, and a word's letter has that word.
static void greek_letters_have_one_word(void **state) {
  (void)state;
  static const struct {
    uint32_t letter;
    const char *word;
  } rows[] = {{0xB5, "mu"},      {0x3BC, "mu"},   {0x3D1, "theta"},   {0x3B8, "theta"},
              {0x3D5, "phi"},    {0x3C6, "phi"},  {0x3F5, "epsilon"}, {0x3B5, "epsilon"},
              {0x2126, "Omega"}, {0x3A9, "Omega"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_string_equal(greek_word(rows[i].letter), rows[i].word);
    uint32_t letter = greek_from_word(rows[i].word, strlen(rows[i].word));
    assert_string_equal(greek_word(letter), rows[i].word);
  }
  assert_null(greek_word('a'));
  assert_int_equal(greek_from_word("thet", 4), 0);
}

static void names_are_letters_digits_and_underscores(void **state) {
  (void)state;
  assert_true(utf8_starts_name('a') && utf8_starts_name('_') && utf8_starts_name(0x3B8));
  assert_false(utf8_starts_name('1') || utf8_starts_name('\'') || utf8_starts_name(0x2212));
  assert_true(utf8_continues_name('9'));
  assert_false(utf8_continues_name('.'));
  assert_int_equal(utf8_width("θ_2", strlen("θ_2")), 3);
  assert_int_equal(utf8_width("重さ", strlen("重さ")), 4);
}

RUN_TESTS(cmocka_unit_test(places_agree_with_counting), cmocka_unit_test(sources_are_copies),
          cmocka_unit_test(spans_join), cmocka_unit_test(utf8_round_trip),
          cmocka_unit_test(utf8_refuses_what_is_not_valid),
          cmocka_unit_test(greek_letters_have_one_word),
          cmocka_unit_test(names_are_letters_digits_and_underscores))
