// The letters of formulas.
#include "scene/letters.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

// Unicode's block of mathematical italics, which has no h: the constant of Planck is one.
static uint32_t italic(uint32_t letter) {
  static const struct {
    uint32_t first, last, italic;
  } ranges[] = {
      {'A', 'Z', 0x1D434}, {'a', 'z', 0x1D44E}, {0x391, 0x3A9, 0x1D6E2}, {0x3B1, 0x3C9, 0x1D6FC}};
  if (letter == 'h') return 0x210E;
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (letter >= ranges[i].first && letter <= ranges[i].last)
      return ranges[i].italic + letter - ranges[i].first;
  return letter;
}

static bool is_letter(uint32_t character) {
  return character != '_' && utf8_starts_name(character);
}

bool is_lone_letter(const char *name) {
  uint32_t first, next;
  size_t n = strlen(name), length = utf8_decode(name, n, &first);
  if (!length || italic(first) == first) return false;
  return !utf8_decode(name + length, n - length, &next) || !is_letter(next);
}

const char *formula_letters(Arena *arena, const char *name) {
  Text out = text_new(arena);
  bool after_letter = false;
  for (const char *at = name; *at;) {
    uint32_t character;
    size_t length = utf8_decode(at, strlen(at), &character);
    char bytes[4];
    if (!after_letter && is_lone_letter(at))
      text_add_bytes(&out, bytes, utf8_put(italic(character), bytes));
    else
      text_add_bytes(&out, at, length ? length : 1);
    after_letter = length && is_letter(character);
    at += length ? length : 1;
  }
  return out.at;
}
