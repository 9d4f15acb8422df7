// Small parts of English sentences.
#include "base/words/phrase.h"

#include <stdbool.h>
#include <string.h>

void phrase_list(Text *text, const char *const *words, size_t count, const char *last) {
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && i + 1 == count)
      text_addf(text, " %s ", last);
    else if (i > 0)
      text_add(text, ", ");
    text_add(text, words[i]);
  }
}

const char *phrase_one(Arena *arena, const char *word) {
  bool sounds_like_you = strncmp(word, "uni", 3) == 0 || strncmp(word, "use", 3) == 0;
  bool is_open = *word && strchr("aeiouAEIOU", *word) && !sounds_like_you;
  return text_format(arena, "%s %s", is_open ? "an" : "a", word);
}
