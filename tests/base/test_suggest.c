// Suggestions for misspelt words.
#include "base/words/suggest.h"
#include "support/check.h"

static const char *suggestion(const char *word) {
  static const char *const names[] = {"theta_1", "theta_2", "L_1", "g", "mass", "damping"};
  Nearest nearest = nearest_to(word);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) nearest_offer(&nearest, names[i]);
  return nearest.best ? nearest.best : "";
}

static void finds_the_nearest_name(void **state) {
  (void)state;
  assert_string_equal(suggestion("thta_2"), "theta_2");
  assert_string_equal(suggestion("teh_1"), "");
  assert_string_equal(suggestion("dmaping"), "damping");
  assert_string_equal(suggestion("l_1"), "L_1");
  assert_string_equal(suggestion("Mass"), "mass");
  assert_string_equal(suggestion("zzz"), "");
}

RUN_TESTS(cmocka_unit_test(finds_the_nearest_name))
