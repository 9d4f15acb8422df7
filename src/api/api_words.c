// Suggestions for misspelt words of the command line.
#include "base/suggest.h"
#include "qdot/qdot.h"

const char *qdot_nearest_word(const char *word, const char *const *candidates, size_t count) {
  Nearest nearest = nearest_to(word);
  for (size_t i = 0; i < count; i++) nearest_offer(&nearest, candidates[i]);
  return nearest.best;
}
