// Source texts and places in them.
#include "base/source.h"

#include <string.h>

#include "base/utf8.h"

// Puts '?' for each byte that is not UTF-8; returns where the first was, or the length.
static uint32_t make_valid(char *text, uint32_t length) {
  uint32_t first = length;
  for (uint32_t at = 0; at < length;) {
    uint32_t character;
    size_t used = text[at] & 0x80 ? utf8_decode(text + at, length - at, &character) : 1;
    if (!used) {
      text[at] = '?', used = 1;
      if (first == length) first = at;
    }
    at += (uint32_t)used;
  }
  return first;
}

uint32_t source_add(Arena *arena, Sources *sources, const char *name, const char *text,
                    size_t length) {
  if (length > (size_t)1 << 30) guard_escape(arena->guard, QDOT_TOO_LARGE);
  char *copy = arena_copy(arena, text, length);
  uint32_t invalid = make_valid(copy, (uint32_t)length);
  Source source = {.name = arena_copy(arena, name, strlen(name)),
                   .text = copy,
                   .length = (uint32_t)length,
                   .invalid = invalid};
  vec_push(arena, sources, source);
  return sources->n - 1;
}

// Bytes that continue a UTF-8 character do not count as columns.
static uint32_t count_characters(const char *from, const char *to) {
  uint32_t n = 0;
  for (; from < to; from++) n += ((unsigned char)*from & 0xC0) != 0x80;
  return n;
}

Place source_place(const Sources *sources, uint32_t source, uint32_t offset) {
  const Source *s = &sources->at[source];
  if (offset > s->length) offset = s->length;
  uint32_t line = 1, begin = 0;
  for (uint32_t i = 0; i < offset; i++) {
    if (s->text[i] == '\n') line++, begin = i + 1;
  }
  uint32_t end = begin;
  while (end < s->length && s->text[end] != '\n' && s->text[end] != '\r') end++;
  return (Place){.line = line,
                 .column = 1 + count_characters(s->text + begin, s->text + offset),
                 .line_text = s->text + begin,
                 .line_length = end - begin,
                 .line_begin = begin};
}

Span span_join(Span first, Span last) {
  if (last.source == first.source && last.end > first.end) first.end = last.end;
  return first;
}
