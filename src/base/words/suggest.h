// "Did you mean ...?": the candidate with the fewest edits from a misspelt word.
#ifndef QDOT_BASE_WORDS_SUGGEST_H
#define QDOT_BASE_WORDS_SUGGEST_H

#include <stddef.h>

typedef struct Nearest {
  const char *word;
  const char *best; // NULL while nothing is near enough
  size_t best_distance;
} Nearest;

Nearest nearest_to(const char *word);
// Considers one candidate; its text must outlive the search.
void nearest_offer(Nearest *nearest, const char *candidate);

#endif
