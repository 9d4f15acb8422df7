// Lists and articles of messages.
#include "base/words/phrase.h"
#include "support/check.h"

static const char *list(Arena *arena, size_t count) {
  static const char *const words[] = {"pins", "slides", "welds"};
  Text text = text_new(arena);
  phrase_list(&text, words, count, "or");
  return text.at;
}

TEST(lists_have_commas_and_a_last_word) {
  Arena *arena = &cx->keep;
  assert_string_equal(list(arena, 0), "");
  assert_string_equal(list(arena, 1), "pins");
  assert_string_equal(list(arena, 2), "pins or slides");
  assert_string_equal(list(arena, 3), "pins, slides or welds");
}

TEST(articles_follow_the_sound) {
  Arena *arena = &cx->keep;
  assert_string_equal(phrase_one(arena, "oldham joint"), "an oldham joint");
  assert_string_equal(phrase_one(arena, "revolute joint"), "a revolute joint");
  assert_string_equal(phrase_one(arena, "input"), "an input");
  assert_string_equal(phrase_one(arena, "universal joint"), "a universal joint");
  assert_string_equal(phrase_one(arena, "unknown"), "an unknown");
}

RUN_TESTS(cmocka_unit_test(lists_have_commas_and_a_last_word),
          cmocka_unit_test(articles_follow_the_sound))
