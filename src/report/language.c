// Tables of sentences.
#include "report/language.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

enum { MOST_HOLES = 4 };

#define SAY(key, text) [SAY_##key] = text,
static const char *const english[SENTENCE_COUNT] = {
#include "report/sentences_en.def"
};
static const char *const german[SENTENCE_COUNT] = {
#include "report/sentences_de.def"
};
static const char *const spanish[SENTENCE_COUNT] = {
#include "report/sentences_es.def"
};
static const char *const portuguese[SENTENCE_COUNT] = {
#include "report/sentences_pt.def"
};
#undef SAY

// All there is to say of a language; the command and the library's functions take it from here.
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

Sentence sentence_named(const char *prefix, const char *word) {
  static const char *const keys[SENTENCE_COUNT] = {
#define SAY(key, text) [SAY_##key] = #key,
#include "report/sentences_en.def"
#undef SAY
  };
  size_t n = strlen(prefix);
  for (int i = 0; i < SENTENCE_COUNT; i++)
    if (strncmp(keys[i], prefix, n) == 0 && strcasecmp(keys[i] + n, word) == 0) return (Sentence)i;
  return SENTENCE_COUNT;
}

// ---- Remarks

typedef struct Hole {
  const char *text;
  size_t length;
} Hole;

static bool is_hole(const char *at) { return at[0] == '{' && at[1] && at[2] == '}'; }

// Does the text follow the pattern? What stands in the place of {0}, {1} ... goes into holes.
static bool follows(const char *text, const char *pattern, Hole holes[MOST_HOLES]) {
  while (*pattern) {
    if (!is_hole(pattern)) {
      if (*pattern++ != *text++) return false;
      continue;
    }
    // A hole is a number; it ends at the next blank or bracket.
    Hole *hole = &holes[(pattern[1] - '0') % MOST_HOLES];
    *hole = (Hole){text, strcspn(text, " ()")};
    text += hole->length, pattern += 3;
  }
  return *text == 0;
}

static void add_filled(Text *out, const Language *language, const char *sentence,
                       const Hole holes[MOST_HOLES]) {
  for (; *sentence; sentence++) {
    if (!is_hole(sentence)) {
      text_add_char(out, *sentence);
      continue;
    }
    Hole hole = holes[(sentence[1] - '0') % MOST_HOLES];
    for (size_t i = 0; i < hole.length; i++)
      text_add_char(out, hole.text[i] == '.' ? language->decimal : hole.text[i]);
    sentence += 2;
  }
}

const char *language_remark(const Language *language, Arena *arena, const char *remark) {
  for (int i = SAY_REMARK_ENERGY; i < SENTENCE_COUNT; i++) {
    Hole holes[MOST_HOLES] = {{0}};
    if (!follows(remark, english[i], holes)) continue;
    Text out = text_new(arena);
    add_filled(&out, language, language->sentences[i], holes);
    return out.at;
  }
  return remark;
}
