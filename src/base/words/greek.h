// Greek letters and the words that stand for them in names.
#ifndef QDOT_BASE_WORDS_GREEK_H
#define QDOT_BASE_WORDS_GREEK_H

#include <stddef.h>
#include <stdint.h>

// The letter that a word of a name stands for ("theta"), or 0.
uint32_t greek_from_word(const char *word, size_t length);
// The word for a letter, or NULL. Variant forms (ϑ, ϕ, ϵ, µ) give the word of the plain letter.
const char *greek_word(uint32_t letter);

#endif
