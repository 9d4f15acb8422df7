// Mixing of words and bytes into 32-bit hashes; the same on every machine.
#ifndef QDOT_BASE_HASH_H
#define QDOT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

// Joins a word to a running hash.
static inline uint32_t hash_word(uint32_t hash, uint32_t word) {
  uint64_t product = (uint64_t)(hash ^ word ^ 0x9E3779B9u) * 0x9E3779B97F4A7C15u;
  return (uint32_t)(product >> 32) ^ (uint32_t)product;
}

static inline uint32_t hash_word64(uint32_t hash, uint64_t word) {
  return hash_word(hash_word(hash, (uint32_t)word), (uint32_t)(word >> 32));
}

uint32_t hash_bytes(const void *bytes, size_t n);

#endif
