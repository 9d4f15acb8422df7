// Lists of file formats in an option: --format svg,pdf.
#include "formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned format_of(const FormatWord *words, const char *text, size_t length) {
  for (; words->word; words++)
    if (strlen(words->word) == length && strncmp(words->word, text, length) == 0)
      return words->format;
  return 0;
}

static void unknown_format(const Arguments *arguments, const FormatWord *words, const char *text,
                           size_t length) {
  fprintf(stderr, "qdot %s: unknown format '%.*s'; expected", arguments->command->name, (int)length,
          text);
  for (const FormatWord *w = words; w->word; w++)
    fprintf(stderr, "%s %s", w == words ? "" : w[1].word ? "," : " or", w->word);
  fputs("\n", stderr);
  exit(EXIT_USAGE);
}

unsigned formats_of(const Arguments *arguments, const FormatWord *words) {
  unsigned formats = 0;
  const char *at = option_given(arguments, OPTION_FORMAT) ? arguments->value[OPTION_FORMAT] : "";
  while (*at) {
    size_t length = strcspn(at, ",");
    unsigned format = format_of(words, at, length);
    if (!format) unknown_format(arguments, words, at, length);
    formats |= format;
    at += length + (at[length] == ',');
  }
  return formats;
}
