// Small parts of English sentences, for messages.
#ifndef QDOT_BASE_WORDS_PHRASE_H
#define QDOT_BASE_WORDS_PHRASE_H

#include "base/text.h"

// "a, b or c", with `last` for the word before the last one.
void phrase_list(Text *text, const char *const *words, size_t count, const char *last);

// "a pin" or "an input", as the word sounds.
const char *phrase_one(Arena *arena, const char *word);

#endif
