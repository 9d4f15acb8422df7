// Modes drawn on the mechanism.
#include "api/api_analyse.h"
#include "api/api_call.h"
#include "base/folder.h"
#include "report/mode_picture.h"

qdot_mode_picture_options qdot_mode_picture_defaults(void) {
  return (qdot_mode_picture_options){.folder = "."};
}

typedef struct Drawing {
  qdot_linear *linear;
  size_t number;
  const qdot_mode_picture_options *o;
  qdot_sink sink;
} Drawing;

static const struct {
  unsigned format, still, animation;
  const char *ending;
} kinds[] = {{QDOT_SVG, STILL_SVG, 0, "svg"},
             {QDOT_PNG, STILL_PNG, 0, "png"},
             {QDOT_PDF, STILL_PDF, 0, "pdf"},
             {QDOT_GIF, 0, ANIMATION_GIF, "gif"},
             {QDOT_MP4, 0, ANIMATION_MP4, "mp4"}};
#define KINDS (sizeof kinds / sizeof *kinds)

static Status name_files(const Drawing *d, Context *cx, unsigned formats, const char *name) {
  Text out = text_new(&cx->scratch);
  for (size_t i = 0; i < KINDS; i++)
    if (formats & kinds[i].format)
      text_addf(&out, "%s.%s\n", folder_path(&cx->scratch, d->o->folder, name), kinds[i].ending);
  if (!d->sink.write) return QDOT_OK;
  return d->sink.write(d->sink.user, out.at, out.n) == 0 ? QDOT_OK : QDOT_IO;
}

static Status no_such_mode(Context *cx, size_t number, size_t count) {
  return diag_error_plain(cx, QDOT_BAD_ARGUMENT, "there is no mode %zu, but %zu mode%s", number + 1,
                          count, count == 1 ? "" : "s");
}

static Status draw(void *argument) {
  Drawing *d = argument;
  const Linearized *l = &d->linear->linearized;
  Context *cx = l->cx;
  size_t count = qdot_mode_count(d->linear);
  if (d->number >= count) return no_such_mode(cx, d->number, count);
  unsigned formats = d->o->formats ? d->o->formats : QDOT_GIF | QDOT_SVG;
  ModePictureOptions options = {.animate = animate_defaults()};
  options.language = language_find(d->o->language ? d->o->language : "en");
  if (!options.language)
    return diag_error_plain(cx, QDOT_BAD_ARGUMENT,
                            "unknown language '%s'; expected en, de, es or pt", d->o->language);
  options.animate.folder = d->o->folder;
  options.animate.formats = 0;
  if (d->o->width) options.animate.width = d->o->width;
  if (d->o->ffmpeg) options.animate.ffmpeg = d->o->ffmpeg;
  for (size_t i = 0; i < KINDS; i++)
    if (formats & kinds[i].format)
      options.stills |= kinds[i].still, options.animate.formats |= kinds[i].animation;
  Status status = folder_make(cx, d->o->folder);
  const char *name;
  if (status == QDOT_OK)
    status = mode_picture(cx, l, &d->linear->modes, d->linear->values, (uint32_t)d->number,
                          &options, &name);
  if (status == QDOT_NO_PROGRAM) formats &= ~(unsigned)QDOT_MP4;
  if (status != QDOT_OK && status != QDOT_NO_PROGRAM) return status;
  Status named = name_files(d, cx, formats, name);
  return status == QDOT_OK ? named : status;
}

qdot_status qdot_mode_draw(qdot_linear *linear, size_t i, const qdot_mode_picture_options *options,
                           qdot_sink sink) {
  qdot_mode_picture_options defaults = qdot_mode_picture_defaults();
  Drawing drawing = {linear, i, options ? options : &defaults, sink};
  if (drawing.o->width > 4000 || !drawing.o->folder) return QDOT_BAD_ARGUMENT;
  return api_call(linear->linearized.cx, draw, &drawing);
}
