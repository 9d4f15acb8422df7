// Remarks of a run in every language.
#include "report/document/language.h"

#include <string.h>

#include "support/check.h"

static void check_remark(Context *cx, const char *language, Remark remark, const char *expected) {
  assert_string_equal(language_remark(language_find(language), &cx->keep, &remark), expected);
}

TEST(remarks_are_translated_with_their_numbers) {
  Remark energy = {REMARK_ENERGY, {3.1e-3, 4.17}};
  check_remark(cx, "en", energy,
               "the result does not meet its tolerance: energy balance 3.1e-03 at t = 4.17 s");
  check_remark(
      cx, "de", energy,
      "das Ergebnis hält seine Toleranz nicht ein, die Energiebilanz weicht bei t = 4,17 s "
      "um 3,1e-03 ab");
  check_remark(cx, "pt", (Remark){.id = REMARK_SMOOTH},
               "rk853: equações suaves e não rígidas (stiff)");
  Remark none = {0};
  assert_null(language_remark(language_find("es"), &cx->keep, &none));
}

// No remark is left in English, none loses a number, and files bring it back.
TEST(every_language_has_every_remark) {
  for (int id = REMARK_NONE + 1; id < REMARK_COUNT; id++) {
    Remark remark = {(RemarkId)id, {11.25, 22.5, 33.75}};
    const char *english = remark_english(&remark, &cx->keep);
    assert_int_equal(remark_from_key(remark_key(remark.id)), id);
    assert_null(strchr(english, '{'));
    for (int k = 0; language_at(k); k++) {
      const Language *language = language_at(k);
      const char *text = language_remark(language, &cx->keep, &remark);
      assert_null(strchr(text, '{'));
      assert_true((strcmp(language->code, "en") == 0) == (strcmp(text, english) == 0));
      static const char *const first[] = {"1", "2", "3"};
      for (int i = 0; i < remark_number_count(remark.id); i++)
        assert_non_null(strstr(text, first[i]));
    }
  }
  assert_int_equal(remark_from_key("something that nobody says"), REMARK_NONE);
}

RUN_TESTS(cmocka_unit_test(remarks_are_translated_with_their_numbers),
          cmocka_unit_test(every_language_has_every_remark))
