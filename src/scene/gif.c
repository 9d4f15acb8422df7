// Every giflib call: frames that store only what changed.
#include "scene/gif.h"

#include <errno.h>
#include <gif_lib.h>
#include <stdio.h>
#include <string.h>

#define SAME (GIF_COLOURS) // the palette's last place: the pixel stays as it was

struct Gif {
  const char *path;
  FILE *file;
  GifFileType *gif;
  const GifPalette *palette;
  uint32_t width, height, centiseconds;
  uint8_t *shown; // places in the palette of what is to be seen
  uint8_t *next;
  uint32_t *pixels; // of the frame before
  bool has_frames, has_failed;
  Handle handle;
};

static void destroy(void *object) {
  Gif *gif = object;
  int error;
  if (gif->gif) EGifCloseFile(gif->gif, &error);
  if (gif->file) fclose(gif->file);
  gif->gif = NULL, gif->file = NULL;
}

static int write_bytes(GifFileType *file, const GifByteType *bytes, int n) {
  Gif *gif = file->UserData;
  return (int)fwrite(bytes, 1, (size_t)n, gif->file);
}

static Status cannot_write(Context *cx, const Gif *gif) {
  return diag_error_plain(cx, QDOT_IO, "cannot write '%s': %s", gif->path,
                          errno ? strerror(errno) : "the animation cannot be encoded");
}

// The header with the palette, and the wish to be repeated.
static bool put_header(Gif *gif) {
  GifColorType colours[64] = {{0}};
  for (uint32_t i = 0; i < gif->palette->count; i++) {
    uint32_t c = gif->palette->colours[i];
    colours[i] = (GifColorType){(GifByteType)(c >> 16), (GifByteType)(c >> 8), (GifByteType)c};
  }
  ColorMapObject *map = GifMakeMapObject(64, colours);
  if (!map) return false;
  EGifSetGifVersion(gif->gif, true);
  bool done = EGifPutScreenDesc(gif->gif, (int)gif->width, (int)gif->height, 8, 0, map) == GIF_OK &&
              EGifPutExtensionLeader(gif->gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
              EGifPutExtensionBlock(gif->gif, 11, "NETSCAPE2.0") == GIF_OK &&
              EGifPutExtensionBlock(gif->gif, 3, "\x01\x00\x00") == GIF_OK &&
              EGifPutExtensionTrailer(gif->gif) == GIF_OK;
  GifFreeMapObject(map);
  return done;
}

Status gif_open(Context *cx, const char *path, uint32_t width, uint32_t height,
                uint32_t centiseconds, const GifPalette *palette, Gif **out) {
  Gif *gif = arena_new(&cx->keep, Gif);
  *gif = (Gif){.path = path,
               .palette = palette,
               .width = width,
               .height = height,
               .centiseconds = centiseconds};
  gif->shown = arena_array(&cx->keep, uint8_t, (size_t)width * height);
  memset(gif->shown, 255, (size_t)width * height); // no place of the palette
  gif->next = arena_array(&cx->keep, uint8_t, (size_t)width * height);
  gif->pixels = arena_array(&cx->keep, uint32_t, (size_t)width * height);
  guard_register(&cx->guard, &gif->handle, gif, destroy);
  errno = 0;
  gif->file = fopen(path, "wbe");
  int error = 0;
  if (gif->file) gif->gif = EGifOpen(gif, write_bytes, &error);
  if (!gif->gif || !put_header(gif)) {
    Status status = cannot_write(cx, gif);
    guard_close(&cx->guard, &gif->handle);
    return status;
  }
  *out = gif;
  return QDOT_OK;
}

// The rectangle of pixels that differ.
typedef struct Change {
  uint32_t left, top, right, bottom; // right and bottom are one past
} Change;

static Change find_change(const Gif *gif) {
  if (!gif->has_frames) return (Change){0, 0, gif->width, gif->height};
  Change c = {gif->width, gif->height, 0, 0};
  for (uint32_t y = 0; y < gif->height; y++) {
    const uint8_t *old = gif->shown + (size_t)y * gif->width, *new = gif->next + (old - gif->shown);
    if (memcmp(old, new, gif->width) == 0) continue;
    uint32_t left = 0, right = gif->width;
    while (old[left] == new[left]) left++;
    while (old[right - 1] == new[right - 1]) right--;
    if (left < c.left) c.left = left;
    if (right > c.right) c.right = right;
    if (c.top == gif->height) c.top = y;
    c.bottom = y + 1;
  }
  return c.right > 0 ? c : (Change){0, 0, 1, 1};
}

static bool put_control(Gif *gif) {
  GraphicsControlBlock control = {.DisposalMode = DISPOSE_DO_NOT,
                                  .DelayTime = (int)gif->centiseconds,
                                  .TransparentColor = SAME};
  GifByteType block[4];
  size_t n = EGifGCBToExtension(&control, block);
  return EGifPutExtension(gif->gif, GRAPHICS_EXT_FUNC_CODE, (int)n, block) == GIF_OK;
}

// new -> old, and SAME -> new where nothing changes.
static void keep_changes(uint8_t *restrict old, uint8_t *restrict new, uint32_t n) {
  for (uint32_t x = 0; x < n; x++) {
    uint8_t was = old[x], is = new[x];
    old[x] = is;
    new[x] = was == is ? SAME : is;
  }
}

// Pixels that stay are transparent, which makes long runs that compress well.
static bool put_change(Gif *gif, Change c) {
  uint32_t width = c.right - c.left;
  if (EGifPutImageDesc(gif->gif, (int)c.left, (int)c.top, (int)width, (int)(c.bottom - c.top),
                       false, NULL) != GIF_OK)
    return false;
  for (uint32_t y = c.top; y < c.bottom; y++) {
    size_t at = (size_t)y * gif->width + c.left;
    keep_changes(gif->shown + at, gif->next + at, width);
    if (EGifPutLine(gif->gif, gif->next + at, (int)width) != GIF_OK) return false;
  }
  return true;
}

// Rows that stay are not looked up again.
static void find_colours(Gif *gif, const uint32_t *pixels) {
  for (uint32_t y = 0; y < gif->height; y++) {
    size_t at = (size_t)y * gif->width;
    if (gif->has_frames && memcmp(gif->pixels + at, pixels + at, 4 * (size_t)gif->width) == 0) {
      memcpy(gif->next + at, gif->shown + at, gif->width);
      continue;
    }
    memcpy(gif->pixels + at, pixels + at, 4 * (size_t)gif->width);
    uint32_t last = ~pixels[at];
    uint8_t place = 0;
    for (size_t i = at; i < at + gif->width; i++) {
      uint32_t p = pixels[i];
      if (p != last)
        place = gif->palette->nearest[(p >> 9 & 0x7C00) | (p >> 6 & 0x3E0) | (p >> 3 & 0x1F)];
      gif->next[i] = place, last = p;
    }
  }
}

Status gif_frame(Context *cx, Gif *gif, const uint32_t *pixels) {
  find_colours(gif, pixels);
  errno = 0;
  bool done = put_control(gif) && put_change(gif, find_change(gif));
  gif->has_frames = true;
  gif->has_failed = gif->has_failed || !done;
  return done ? QDOT_OK : cannot_write(cx, gif);
}

Status gif_close(Context *cx, Gif *gif) {
  int error;
  errno = 0;
  bool done = EGifCloseFile(gif->gif, &error) == GIF_OK;
  gif->gif = NULL;
  done = fclose(gif->file) == 0 && done;
  gif->file = NULL;
  guard_close(&cx->guard, &gif->handle);
  return done || gif->has_failed ? QDOT_OK : cannot_write(cx, gif);
}
