// Remarks of a run find their sentence in every language.
#include "report/language.h"

#include <string.h>

#include "support/check.h"

static void check_remark(Context *cx, const char *language, const char *remark,
                         const char *expected) {
  const Language *l = language_find(language);
  assert_string_equal(language_remark(l, &cx->keep, remark), expected);
}

TEST(remarks_are_translated_with_their_numbers) {
  const char *energy =
      "the result does not meet its tolerance: energy balance 3.1e-03 at t = 4.17 s";
  check_remark(cx, "en", energy, energy);
  check_remark(
      cx, "de", energy,
      "das Ergebnis hält seine Toleranz nicht ein, die Energiebilanz weicht bei t = 4,17 s "
      "um 3,1e-03 ab");
  check_remark(cx, "pt", "rk853: smooth and not stiff", "rk853: suave e não rígido");
  check_remark(cx, "es", "something that nobody says", "something that nobody says");
}

// No remark is left in English, and none loses a number.
TEST(every_language_has_every_remark) {
  for (int k = 1; language_at(k); k++)
    for (int i = SAY_REMARK_ENERGY; i < SENTENCE_COUNT; i++) {
      const char *english = language_say(language_at(0), (Sentence)i);
      const char *other = language_say(language_at(k), (Sentence)i);
      assert_string_not_equal(english, other);
      for (char hole[] = "{0}"; hole[1] < '4'; hole[1]++)
        assert_int_equal(strstr(english, hole) != NULL, strstr(other, hole) != NULL);
      assert_string_equal(language_remark(language_at(k), &cx->keep, english), other);
    }
}

RUN_TESTS(cmocka_unit_test(remarks_are_translated_with_their_numbers),
          cmocka_unit_test(every_language_has_every_remark))
