// Animations read back.
#include "support/gif_reading.h"

#include <gif_lib.h>
#include <string.h>

Decoded gif_decode(Context *cx, const char *file) {
  int error = 0;
  GifFileType *gif = DGifOpenFileName(file, &error);
  assert_non_null(gif);
  assert_int_equal(DGifSlurp(gif), GIF_OK);
  Decoded d = {.width = gif->SWidth, .height = gif->SHeight, .frames = gif->ImageCount};
  size_t pixels = (size_t)d.width * d.height;
  uint8_t *shown = arena_array(&cx->keep, uint8_t, pixels);
  uint8_t *first = arena_array(&cx->keep, uint8_t, pixels);
  for (int i = 0; i < gif->ImageCount; i++) {
    const SavedImage *image = &gif->SavedImages[i];
    GraphicsControlBlock control;
    assert_int_equal(DGifSavedExtensionToGCB(gif, i, &control), GIF_OK);
    d.centiseconds += control.DelayTime;
    const GifImageDesc *at = &image->ImageDesc;
    assert_true(at->Left + at->Width <= d.width && at->Top + at->Height <= d.height);
    for (int y = 0; y < at->Height; y++)
      for (int x = 0; x < at->Width; x++) {
        uint8_t value = image->RasterBits[y * at->Width + x];
        if (value != control.TransparentColor)
          shown[(size_t)(at->Top + y) * d.width + at->Left + x] = value;
        else
          assert_true(i > 0);
      }
    if (i == 0) memcpy(first, shown, pixels);
    if (i == gif->ImageCount / 2)
      for (size_t k = 0; k < pixels; k++) d.changed += shown[k] != first[k];
    for (int k = 0; k < image->ExtensionBlockCount; k++)
      d.repeats = d.repeats || image->ExtensionBlocks[k].Function == APPLICATION_EXT_FUNC_CODE;
  }
  d.last = arena_array(&cx->keep, uint8_t, 3 * pixels);
  for (size_t k = 0; k < pixels; k++) {
    GifColorType c = gif->SColorMap->Colors[shown[k]];
    d.last[3 * k] = c.Red, d.last[3 * k + 1] = c.Green, d.last[3 * k + 2] = c.Blue;
  }
  DGifCloseFile(gif, &error);
  return d;
}
