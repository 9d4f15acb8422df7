// A growable string in an arena, always ended by a zero byte.
// Sources: text.c, text_double.c
#ifndef QDOT_BASE_TEXT_H
#define QDOT_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#include "base/arena.h"

typedef struct Text {
  Arena *arena;
  char *at; // never NULL after text_new
  size_t n, capacity;
} Text;

Text text_new(Arena *arena);
void text_add(Text *text, const char *string);
void text_add_bytes(Text *text, const char *bytes, size_t n);
void text_add_char(Text *text, char c);
void text_addf(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_addv(Text *text, const char *format, va_list arguments);
// The shortest of %.15g, %.16g, %.17g that reads back to the same double; always with '.'.
void text_add_double(Text *text, double value);
// Is the name one of "a, b, c"?
bool text_lists(const char *names, const char *name);
// Formatted text in the arena.
char *text_format(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
