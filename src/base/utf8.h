// Every utf8proc call: which characters names consist of, and how wide text is on a terminal.
#ifndef QDOT_BASE_UTF8_H
#define QDOT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Decodes one character of at most n bytes; returns its length, or 0 when it is not valid UTF-8.
size_t utf8_decode(const char *text, size_t n, uint32_t *character);
// Appends the character to out (room for 4 bytes); returns its length.
size_t utf8_put(uint32_t character, char *out);
bool utf8_starts_name(uint32_t character);    // letters and '_'
bool utf8_continues_name(uint32_t character); // also digits
bool utf8_is_control(uint32_t character);
// Columns on a terminal; control characters and invalid bytes count one each.
size_t utf8_width(const char *text, size_t n);

#endif
