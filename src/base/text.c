// Growable strings.
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(Text *text, size_t more) {
  if (text->capacity - text->n > more) return;
  size_t wanted = arena_size(text->arena, text->capacity + more + 1, 2);
  char *larger = arena_alloc(text->arena, wanted);
  if (text->n) memcpy(larger, text->at, text->n);
  text->at = larger;
  text->capacity = wanted;
}

Text text_new(Arena *arena) {
  Text text = {.arena = arena};
  reserve(&text, 32);
  return text;
}

void text_add_bytes(Text *text, const char *bytes, size_t n) {
  reserve(text, n);
  if (n) memcpy(text->at + text->n, bytes, n);
  text->n += n;
  text->at[text->n] = 0;
}

void text_add(Text *text, const char *string) { text_add_bytes(text, string, strlen(string)); }

void text_add_char(Text *text, char c) { text_add_bytes(text, &c, 1); }

void text_addv(Text *text, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int n = vsnprintf(NULL, 0, format, arguments);
  if (n > 0) {
    reserve(text, (size_t)n);
    vsnprintf(text->at + text->n, (size_t)n + 1, format, again);
    text->n += (size_t)n;
  }
  va_end(again);
}

void text_addf(Text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_addv(text, format, arguments);
  va_end(arguments);
}

char *text_format(Arena *arena, const char *format, ...) {
  Text text = text_new(arena);
  va_list arguments;
  va_start(arguments, format);
  text_addv(&text, format, arguments);
  va_end(arguments);
  return text.at;
}

bool text_lists(const char *names, const char *name) {
  size_t n = strlen(name);
  for (const char *at = names; (at = strstr(at, name)); at++) {
    bool begins = at == names || at[-1] == ' ', ends = at[n] == '\0' || at[n] == ',';
    if (begins && ends) return true;
  }
  return false;
}
