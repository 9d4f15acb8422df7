// The answer to the key of a WebSocket's handshake: base64(SHA-1(key + a fixed text)). SHA-1 proves
// here that the server speaks the protocol; it keeps no secret.
#include "handshake.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t rotate(uint32_t x, int by) { return x << by | x >> (32 - by); }

// FIPS 180-4, 6.1.2.
static void add_block(uint32_t h[5], const unsigned char *block) {
  uint32_t w[80];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
           (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < 80; i++) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
  for (int i = 0; i < 80; i++) {
    uint32_t f = i < 20              ? (b & c) | (~b & d)
                 : i < 40 || i >= 60 ? b ^ c ^ d
                                     : (b & c) | (b & d) | (c & d);
    uint32_t k = i < 20 ? 0x5A827999 : i < 40 ? 0x6ED9EBA1 : i < 60 ? 0x8F1BBCDC : 0xCA62C1D6;
    uint32_t next = rotate(a, 5) + f + e + k + w[i];
    e = d, d = c, c = rotate(b, 30), b = a, a = next;
  }
  h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}

// Of at most 119 bytes: two blocks.
static void sha1(const char *text, unsigned char out[20]) {
  uint32_t h[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  unsigned char blocks[128] = {0};
  size_t n = strlen(text), all = n < 56 ? 64 : 128;
  memcpy(blocks, text, n);
  blocks[n] = 0x80;
  for (size_t i = 0; i < 8; i++) blocks[all - 1 - i] = (unsigned char)((uint64_t)n * 8 >> 8 * i);
  for (size_t i = 0; i < all; i += 64) add_block(h, blocks + i);
  for (int i = 0; i < 20; i++) out[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

void handshake_accept(const char *key, char accept[ACCEPT_LENGTH + 1]) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char text[100];
  unsigned char hash[21] = {0};
  snprintf(text, sizeof text, "%.60s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
  sha1(text, hash);
  for (int i = 0, k = 0; i < 21; i += 3) {
    uint32_t word = (uint32_t)hash[i] << 16 | (uint32_t)hash[i + 1] << 8 | hash[i + 2];
    for (int shift = 18; shift >= 0; shift -= 6) accept[k++] = digits[word >> shift & 63];
  }
  accept[ACCEPT_LENGTH - 1] = '='; // 20 bytes are one short of 21
  accept[ACCEPT_LENGTH] = 0;
}
