// Tables of sentences.
#include "show/language.h"

#include <stddef.h>
#include <string.h>

#define SAY(key, text) [SAY_##key] = text,
static const char *const english[SENTENCE_COUNT] = {
#include "show/sentences_en.def"
};
static const char *const german[SENTENCE_COUNT] = {
#include "show/sentences_de.def"
};
static const char *const spanish[SENTENCE_COUNT] = {
#include "show/sentences_es.def"
};
static const char *const portuguese[SENTENCE_COUNT] = {
#include "show/sentences_pt.def"
};
#undef SAY

static const Language languages[] = {
    {"en", "english", '.', english},
    {"de", "ngerman", ',', german},
    {"es", "spanish", ',', spanish},
    {"pt", "portuguese", ',', portuguese},
};

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
