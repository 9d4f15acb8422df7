// What the values of options can be: the words of choices.def or of the library.
#ifndef QDOT_APP_CHOICES_H
#define QDOT_APP_CHOICES_H

#include "options.h"

typedef enum ValueKind { VALUE_FREE, VALUE_WORDS, VALUE_FILE, VALUE_FOLDER } ValueKind;

enum { MOST_HELP = 600 };

ValueKind choices_kind(OptionId id);
// The i-th word that the value can be, copied to out; false beyond the last.
bool choices_word(OptionId id, size_t i, char *out, size_t size);
// The help of an option, with its words, "a, b or c", in place of {}.
void choices_help(OptionId id, char *out, size_t size);

#endif
