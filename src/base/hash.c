// Hash of a byte string.
#include "base/hash.h"

#include <string.h>

uint32_t hash_bytes(const void *bytes, size_t n) {
  const unsigned char *at = bytes;
  uint32_t hash = (uint32_t)n;
  for (; n >= 4; n -= 4, at += 4) {
    uint32_t word =
        (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    hash = hash_word(hash, word);
  }
  uint32_t rest = 0;
  for (size_t i = 0; i < n; i++) rest = rest << 8 | at[i];
  return hash_word(hash, rest);
}
