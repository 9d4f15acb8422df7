// What the values of options can be.
#include "choices.h"

#include <stdio.h>
#include <string.h>

#include "qdot/qdot.h"

typedef struct Choices {
  ValueKind kind;
  const char *words;          // separated by blanks; NULL: those of the library
  qdot_vocabulary vocabulary; // then
} Choices;

static const Choices choices[OPTION_COUNT] = {
#define CHOICES(id, list) [OPTION_##id] = {VALUE_WORDS, list, 0},
#define WORDS(id, of) [OPTION_##id] = {VALUE_WORDS, NULL, of},
#define FOLDERS(id) [OPTION_##id] = {VALUE_FOLDER, NULL, 0},
#define FILES(id) [OPTION_##id] = {VALUE_FILE, NULL, 0},
#include "choices.def"
#undef CHOICES
#undef WORDS
#undef FOLDERS
#undef FILES
};

ValueKind choices_kind(OptionId id) { return choices[id].kind; }

bool choices_word(OptionId id, size_t i, char *out, size_t size) {
  const char *word = choices[id].words;
  if (choices[id].kind != VALUE_WORDS) return false;
  if (!word) word = qdot_word_at(choices[id].vocabulary, i), i = 0;
  for (; word && i > 0; i--) word = strchr(word, ' ') ? strchr(word, ' ') + 1 : NULL;
  if (word) snprintf(out, size, "%.*s", (int)strcspn(word, " "), word);
  return word != NULL;
}

void choices_help(OptionId id, char *out, size_t size) {
  const char *help = option_info[id].help, *place = strstr(help, "{}");
  size_t n = (size_t)snprintf(out, size, "%.*s", place ? (int)(place - help) : -1, help);
  if (!place) return;
  char word[40], next[40];
  bool more = choices_word(id, 0, word, sizeof word);
  for (size_t i = 0; more; i++, memcpy(word, next, sizeof word)) {
    more = choices_word(id, i + 1, next, sizeof next);
    const char *before = i == 0 ? "" : more ? ", " : " or ";
    if (n < size) n += (size_t)snprintf(out + n, size - n, "%s%s", before, word);
  }
  if (n < size) snprintf(out + n, size - n, "%s", place + 2);
}
