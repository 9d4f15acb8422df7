// How fuzzing programs for models change a text: by lines, words and numbers as well as by bytes,
// so that more of what comes out is a model. A line taken over from another text brings its names.
#include <ctype.h>
#include <stdint.h>
#include <string.h>

typedef struct Piece {
  size_t at, n;
} Piece;

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
                                 size_t two_size, uint8_t *out, size_t most, unsigned seed);

static size_t below(unsigned *seed, size_t n) {
  *seed = *seed * 1664525u + 1013904223u;
  return n ? (*seed >> 8) % n : 0;
}

// The line, with its end, in which a byte chosen by chance stands.
static Piece any_line(const uint8_t *data, size_t size, unsigned *seed) {
  size_t from = below(seed, size), to = from;
  while (from > 0 && data[from - 1] != '\n') from--;
  while (to < size && data[to] != '\n') to++;
  return (Piece){from, to + (to < size) - from};
}

static int is_word(uint8_t c) { return isalnum(c) || c == '_' || c == '.' || c >= 0x80; }

// The name or number behind a byte chosen by chance; empty when there is none.
static Piece any_word(const uint8_t *data, size_t size, unsigned *seed) {
  size_t from = below(seed, size), to;
  while (from < size && !is_word(data[from])) from++;
  while (from > 0 && is_word(data[from - 1])) from--;
  for (to = from; to < size && is_word(data[to]);) to++;
  return (Piece){from, to - from};
}

// Puts n bytes in the place of a piece; the size as it was when there is no room.
static size_t replace(uint8_t *data, size_t size, size_t most, Piece old, const void *bytes,
                      size_t n) {
  if (size - old.n + n > most) return size;
  memmove(data + old.at + n, data + old.at + old.n, size - old.at - old.n);
  memcpy(data + old.at, bytes, n);
  return size - old.n + n;
}

static size_t copy_word(uint8_t *data, size_t size, size_t most, unsigned *seed) {
  uint8_t kept[64];
  Piece from = any_word(data, size, seed), to = any_word(data, size, seed);
  if (from.n > sizeof kept) return size;
  memcpy(kept, data + from.at, from.n);
  return replace(data, size, most, to, kept, from.n);
}

static size_t other_number(uint8_t *data, size_t size, size_t most, unsigned *seed) {
  static const char *const odd[] = {
      "0",   "-1", "1/3",     "1e-300", "1e300", "1e-9",  "9.3e18", "4294967296", "0.5", "2",
      "1e5", "3",  "(1 - 1)", "pi",     "100",   "1e-12", "t",      "sqrt(2)",    "7",   "sin(t)"};
  for (int tries = 0; tries < 20; tries++) {
    Piece word = any_word(data, size, seed);
    if (!word.n || !isdigit(data[word.at])) continue;
    const char *text = odd[below(seed, sizeof odd / sizeof *odd)];
    return replace(data, size, most, word, text, strlen(text));
  }
  return size;
}

static size_t move_line(uint8_t *data, size_t size, size_t most, int stays, unsigned *seed) {
  uint8_t kept[256];
  Piece line = any_line(data, size, seed);
  if (line.n > sizeof kept) return size;
  memcpy(kept, data + line.at, line.n);
  if (!stays) size = replace(data, size, most, line, "", 0);
  size_t at = any_line(data, size, seed).at;
  return replace(data, size, most, (Piece){at, 0}, kept, line.n);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  switch (below(&seed, 10)) {
  case 0: return replace(data, size, most, any_line(data, size, &seed), "", 0);
  case 1: return move_line(data, size, most, 1, &seed);
  case 2: return move_line(data, size, most, 0, &seed);
  case 3:
  case 4: return copy_word(data, size, most, &seed);
  case 5:
  case 6: return other_number(data, size, most, &seed);
  default: return LLVMFuzzerMutate(data, size, most);
  }
}

// The first text with up to six lines of the second somewhere in it.
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two,
                                 size_t two_size, uint8_t *out, size_t most, unsigned seed) {
  size_t size = one_size < most ? one_size : most;
  memcpy(out, one, size);
  Piece lines = any_line(two, two_size, &seed);
  for (size_t more = below(&seed, 6); more > 0; more--)
    while (lines.at + lines.n < two_size && two[lines.at + lines.n++] != '\n') {}
  size_t at = below(&seed, 2) ? any_line(out, size, &seed).at : size;
  return replace(out, size, most, (Piece){at, 0}, two + lines.at, lines.n);
}
