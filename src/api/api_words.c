// Words to choose from, and suggestions for misspelt ones.
#include <limits.h>

#include "base/words/suggest.h"
#include "derive/formulate.h"
#include "derive/roads/road.h"
#include "export/export.h"
#include "qdot/qdot.h"
#include "report/document/language.h"
#include "solve/method.h"

const char *qdot_word_nearest(const char *word, const char *const *candidates, size_t count) {
  if (!word || !candidates) return NULL;
  Nearest nearest = nearest_to(word);
  for (size_t i = 0; i < count; i++) nearest_offer(&nearest, candidates[i]);
  return nearest.best;
}

const char *qdot_word_at(qdot_vocabulary vocabulary, size_t i) {
  const Language *language;
  switch (vocabulary) {
  case QDOT_WORDS_FORMULATIONS:
    if (i < FORMULATIONS) return formulation_text((Formulation)i);
    i += ROAD_LAGRANGE + 1 - FORMULATIONS;
    return i < ROADS ? road_text((Road)i) : NULL;
  case QDOT_WORDS_METHODS: return i < METHOD_COUNT ? method_name((MethodId)i) : NULL;
  case QDOT_WORDS_REPORT_LANGUAGES:
    language = i < INT_MAX ? language_at((int)i) : NULL;
    return language ? language->code : NULL;
  case QDOT_WORDS_EXPORT_LANGUAGES:
    return i < EXPORT_LANGUAGES ? export_word((ExportLanguage)i) : NULL;
  }
  return NULL;
}

size_t qdot_word_count(qdot_vocabulary vocabulary) {
  size_t n = 0;
  while (qdot_word_at(vocabulary, n)) n++;
  return n;
}
