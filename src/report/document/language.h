// The sentences of reports, one table per language.
#ifndef QDOT_REPORT_LANGUAGE_H
#define QDOT_REPORT_LANGUAGE_H

#include "base/remark.h"
#include "base/text.h"

typedef enum Sentence {
#define SAY(key, text) SAY_##key,
#include "report/document/sentences_en.def"
#undef SAY
  SENTENCE_COUNT
} Sentence;

typedef struct Language {
  const char *code;  // "de"
  const char *babel; // its name in LaTeX
  char decimal;      // '.' or ','
  const char *sine;  // what a sine is called; NULL for sin
  // In a sentence {0}, {1} ... are what the caller inserts, {M} and {q'} are set as formulas.
  const char *const *sentences;
} Language;

// The sentence whose key is the prefix and the word in capitals; SENTENCE_COUNT when there is none.
Sentence sentence_named(const char *prefix, const char *word);

const char *sentence_key(Sentence sentence);

// "en", "de", "es" or "pt"; NULL for others.
const Language *language_find(const char *code);
// All of them; NULL ends the list.
const Language *language_at(int i);
// What a run has remarked, in this language; NULL where it has not.
const char *language_remark(const Language *language, Arena *arena, const Remark *remark);
const char *language_say(const Language *language, Sentence sentence);

#endif
