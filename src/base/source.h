// Texts that diagnostics point into, and the step from a byte offset to line and column.
#ifndef QDOT_BASE_SOURCE_H
#define QDOT_BASE_SOURCE_H

#include <stdbool.h>

#include "base/vec.h"

typedef struct Source {
  const char *name; // as the user gave it
  const char *text; // followed by a zero byte
  uint32_t length;
  uint32_t invalid; // where the first byte stood that is not UTF-8; length for nowhere
  bool has_no_text; // it is a file of bytes: places in it have no line
  uint32_t reported_as, reported_in; // of a room: its number among the owner's, see room.h
} Source;

typedef VEC(Source) Sources;

// Bytes begin..end-1 of a source.
typedef struct Span {
  uint32_t source, begin, end;
} Span;

typedef struct Place {
  uint32_t line, column; // from 1; the column counts characters
  const char *line_text; // the whole line, without its end
  uint32_t line_length;  // bytes
  uint32_t line_begin;   // offset of the line in the source
} Place;

// Copies both texts; returns the source's number for spans. A text over 1 GiB escapes. Each byte
// that is not UTF-8 becomes '?', so that whatever shows the text later stays valid.
uint32_t source_add(Arena *arena, Sources *sources, const char *name, const char *text,
                    size_t length);
Place source_place(const Sources *sources, uint32_t source, uint32_t offset);
// From the start of one to the end of the other, in the source of the first.
Span span_join(Span first, Span last);

#endif
