// Without giflib, and therefore without cairo, whose pixels it takes: no animated GIF is written.
#include "scene/gif.h"

Status gif_open(Context *cx, const char *file, uint32_t width, uint32_t height,
                uint32_t centiseconds, const GifPalette *palette, Gif **out) {
  (void)width, (void)height, (void)centiseconds, (void)palette;
  *out = NULL;
  return diag_error_plain(cx, QDOT_NO_PROGRAM, "cannot write '%s': this build has no giflib", file);
}

Status gif_frame(Context *cx, Gif *gif, const uint32_t *pixels) {
  (void)cx, (void)gif, (void)pixels;
  return QDOT_NO_PROGRAM;
}

Status gif_close(Context *cx, Gif *gif) {
  (void)cx, (void)gif;
  return QDOT_NO_PROGRAM;
}
