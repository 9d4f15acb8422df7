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

static void unknown_format(const Options *options, const FormatWord *words, const char *text,
                           size_t length) {
  fprintf(stderr, "qdot %s: unknown format '%.*s', expected", options->command->name, (int)length,
          text);
  for (const FormatWord *w = words; w->word; w++)
    fprintf(stderr, "%s %s", w == words ? "" : w[1].word ? "," : " or", w->word);
  fputs("\n", stderr);
  exit(EXIT_USAGE);
}

unsigned formats_of(const Options *options, const FormatWord *words) {
  unsigned formats = 0;
  const char *at = option_given(options, OPTION_FORMAT) ? options->value[OPTION_FORMAT] : "";
  while (*at) {
    size_t length = strcspn(at, ",");
    unsigned format = format_of(words, at, length);
    if (!format) unknown_format(options, words, at, length);
    formats |= format;
    at += length + (at[length] == ',');
  }
  return formats;
}
