// Animated GIF files, frame by frame.
// Sources: gif.c, gif_palette.c
#ifndef QDOT_SCENE_GIF_H
#define QDOT_SCENE_GIF_H

#include "base/context.h"

// A palette of few colours, chosen from sample pictures.
#define GIF_COLOURS 63 // and one more for "as before"

typedef struct GifPalette {
  uint32_t count;
  uint32_t colours[GIF_COLOURS]; // 0x00RRGGBB
  uint8_t nearest[1 << 15];      // by the five upper bits of red, green and blue
} GifPalette;

// Counts the colours of sample pictures.
typedef struct GifHistogram {
  uint32_t count[1 << 15];
} GifHistogram;
void gif_count(GifHistogram *histogram, const uint32_t *pixels, size_t n);
void gif_choose_palette(Context *cx, const GifHistogram *histogram, GifPalette *out);

typedef struct Gif Gif;

// Repeats for ever; each frame stays for centiseconds/100 s. Must be closed.
Status gif_open(Context *cx, const char *file, uint32_t width, uint32_t height,
                uint32_t centiseconds, const GifPalette *palette, Gif **out);
// Only what changed since the last frame is stored. pixels: width * height of 0x00RRGGBB.
Status gif_frame(Context *cx, Gif *gif, const uint32_t *pixels);
// QDOT_IO when the file could not be written as a whole.
Status gif_close(Context *cx, Gif *gif);

#endif
