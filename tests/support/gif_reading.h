// Animations read back.
#ifndef QDOT_TESTS_GIF_READING_H
#define QDOT_TESTS_GIF_READING_H

#include "support/check.h"

typedef struct Decoded {
  int width, height, frames;
  int centiseconds;
  bool repeats;
  size_t changed; // pixels that differ between the first and the middle frame
  uint8_t *last;  // colours of the last frame, three bytes a pixel
} Decoded;

// Lays each frame over the picture so far; fails the test when the file is no GIF.
Decoded gif_decode(Context *cx, const char *file);

#endif
