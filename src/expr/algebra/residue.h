// Arithmetic modulo a prime p < 2^62 with (p - 1)/2 prime.
#ifndef QDOT_EXPR_ALGEBRA_RESIDUE_H
#define QDOT_EXPR_ALGEBRA_RESIDUE_H

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t residue_add(uint64_t p, uint64_t a, uint64_t b) {
  uint64_t sum = a + b;
  return sum >= p ? sum - p : sum;
}

static inline uint64_t residue_sub(uint64_t p, uint64_t a, uint64_t b) {
  return a >= b ? a - b : a + p - b;
}

static inline uint64_t residue_mul(uint64_t p, uint64_t a, uint64_t b) {
  return (uint64_t)((unsigned __int128)a * b % p);
}

static inline uint64_t residue_power(uint64_t p, uint64_t a, uint64_t n) {
  uint64_t result = 1;
  for (; n; n /= 2, a = residue_mul(p, a, a)) {
    if (n % 2) result = residue_mul(p, result, a);
  }
  return result;
}

static inline uint64_t residue_inverse(uint64_t p, uint64_t a) {
  return residue_power(p, a, p - 2);
}

// +1 for a square, -1 for others, 0 for 0: it multiplies as signs do.
static inline int residue_character(uint64_t p, uint64_t a) {
  if (a == 0) return 0;
  return residue_power(p, a, (p - 1) / 2) == 1 ? 1 : -1;
}

// The square root that is a square itself; false where there is none.
static inline bool residue_root(uint64_t p, uint64_t a, uint64_t *root) {
  *root = residue_power(p, a, (p + 1) / 4);
  if (residue_mul(p, *root, *root) != a) return false;
  if (residue_character(p, *root) < 0) *root = residue_sub(p, 0, *root);
  return true;
}

// The one r with r^d = a, for odd d: p is a safe prime, so d has an inverse modulo p - 1.
static inline uint64_t residue_odd_root(uint64_t p, uint64_t a, uint64_t d) {
  __int128 order = (__int128)p - 1, x = 0, y = 1, u = order, v = d;
  while (v) {
    __int128 quotient = u / v, rest = u - quotient * v, next = x - quotient * y;
    u = v, v = rest, x = y, y = next;
  }
  return residue_power(p, a, (uint64_t)(x < 0 ? x + order : x));
}

// (c, s) := (c, s) * (c2, s2), the sum of two angles
static inline void residue_turn_once(uint64_t p, uint64_t *c, uint64_t *s, uint64_t c2,
                                     uint64_t s2) {
  uint64_t c1 = *c, s1 = *s;
  *c = residue_sub(p, residue_mul(p, c1, c2), residue_mul(p, s1, s2));
  *s = residue_add(p, residue_mul(p, s1, c2), residue_mul(p, c1, s2));
}

static inline void residue_turn(uint64_t p, uint64_t *c, uint64_t *s, uint64_t c2, uint64_t s2,
                                int64_t n) {
  if (n < 0) s2 = residue_sub(p, 0, s2), n = -n;
  for (; n; n /= 2) {
    if (n % 2) residue_turn_once(p, c, s, c2, s2);
    residue_turn_once(p, &c2, &s2, c2, s2);
  }
}

// A residue that looks random and depends on all words.
static inline uint64_t residue_random(uint64_t p, uint64_t seed, uint64_t a, uint64_t b) {
  uint64_t z = seed; // splitmix64 over the words
  for (int i = 0; i < 2; i++) {
    z += (i ? b : a) * 0xD1342543DE82EF95u + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
  }
  return z % p;
}

#endif
