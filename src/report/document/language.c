// Tables of sentences.
#include "report/document/language.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

// clang-format off
// All there is to say of a language; the command and the library's functions take it from here.
#define LANGUAGE(code, babel, decimal, sine) {code, babel, decimal, sine, (const char *const[SENTENCE_COUNT]) {
#define SAY(key, text) [SAY_##key] = text,
#define LANGUAGE_END }},
static const Language languages[] = {
#include "report/document/report_languages.def"
};
// clang-format on
#undef LANGUAGE
#undef SAY
#undef LANGUAGE_END

const Language *language_at(int i) {
  return i >= 0 && (size_t)i < sizeof languages / sizeof *languages ? &languages[i] : NULL;
}

const Language *language_find(const char *code) {
  for (int i = 0; language_at(i); i++)
    if (strcmp(languages[i].code, code) == 0) return &languages[i];
  return NULL;
}

const char *language_say(const Language *language, Sentence sentence) {
  return language->sentences[sentence];
}

static const char *const keys[SENTENCE_COUNT] = {
#define SAY(key, text) [SAY_##key] = #key,
#include "report/document/sentences_en.def"
#undef SAY
};

const char *sentence_key(Sentence sentence) { return keys[sentence]; }

Sentence sentence_named(const char *prefix, const char *word) {
  size_t n = strlen(prefix);
  for (int i = 0; i < SENTENCE_COUNT; i++)
    if (strncmp(keys[i], prefix, n) == 0 && strcasecmp(keys[i] + n, word) == 0) return (Sentence)i;
  return SENTENCE_COUNT;
}

const char *language_remark(const Language *language, Arena *arena, const Remark *remark) {
  static const Sentence sentences[] = {
#define REMARK(id, formats, english) [REMARK_##id] = SAY_REMARK_##id,
#include "base/remarks.def"
#undef REMARK
  };
  return remark_is_made(remark) ? remark_text(remark, language->sentences[sentences[remark->id]],
                                              language->decimal, arena)
                                : NULL;
}
