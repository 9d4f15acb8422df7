// Modes drawn on the mechanism.
#include "api/analyse/api_analyse.h"
#include "api/api_call.h"
#include "api/api_options.h"
#include "api/api_view.h"
#include "report/mode_picture.h"

typedef struct Drawing {
  qdot_linear *linear;
  size_t number;
  const qdot_mode_picture_options *o;
} Drawing;

static const struct {
  unsigned format, still, animation;
  const char *ending;
} kinds[] = {{QDOT_FILE_SVG, STILL_SVG, 0, "svg"},
             {QDOT_FILE_PNG, STILL_PNG, 0, "png"},
             {QDOT_FILE_PDF, STILL_PDF, 0, "pdf"},
             {QDOT_FILE_GIF, 0, ANIMATION_GIF, "gif"},
             {QDOT_FILE_MP4, 0, ANIMATION_MP4, "mp4"}};
#define KINDS (sizeof kinds / sizeof *kinds)

static void list_files(const Drawing *d, const FileTarget *target, unsigned formats,
                       const char *name) {
  Arena *scratch = &target->cx->scratch;
  for (size_t i = 0; i < KINDS; i++)
    if (formats & kinds[i].format)
      file_list_add(&d->linear->files, target, text_format(scratch, "%s.%s", name, kinds[i].ending),
                    NULL);
}

static Status no_such_mode(Context *cx, size_t number, size_t count) {
  return diag_error_plain(cx, QDOT_BAD_ARGUMENT, "there is no mode %zu; the system has %zu",
                          number + 1, count);
}

static Status draw(void *argument) {
  Drawing *d = argument;
  const Linearized *l = &d->linear->linearized;
  Context *cx = l->cx;
  size_t count = qdot_mode_count(d->linear);
  if (d->number >= count) return no_such_mode(cx, d->number, count);
  unsigned formats = d->o->formats ? d->o->formats : QDOT_FILE_GIF | QDOT_FILE_SVG;
  ModePictureOptions options = {.animate = animate_defaults()};
  options.language = language_find(d->o->language ? d->o->language : "en");
  if (!options.language)
    return diag_error_plain(cx, QDOT_BAD_ARGUMENT,
                            "unknown language '%s'; expected en, de, es or pt", d->o->language);
  options.animate.formats = 0;
  if (d->o->width) options.animate.width = d->o->width;
  if (d->o->ffmpeg) options.animate.ffmpeg = d->o->ffmpeg;
  for (size_t i = 0; i < KINDS; i++)
    if (formats & kinds[i].format)
      options.stills |= kinds[i].still, options.animate.formats |= kinds[i].animation;
  FileTarget target;
  Status status = file_target_open(&target, cx, d->o->folder ? d->o->folder : ".", d->o->files);
  if (status != QDOT_OK) return status;
  options.animate.folder = target.folder;
  const char *name;
  status = mode_picture(cx, l, &d->linear->modes, d->linear->values, (uint32_t)d->number, &options,
                        &name);
  if (status == QDOT_NO_PROGRAM) formats &= ~(unsigned)QDOT_FILE_MP4;
  if (status == QDOT_OK || status == QDOT_NO_PROGRAM) list_files(d, &target, formats, name);
  return file_target_close(&target, status);
}

qdot_status qdot_mode_draw(qdot_linear *linear, size_t i,
                           const qdot_mode_picture_options *options) {
  if (!linear) return QDOT_BAD_ARGUMENT;
  qdot_mode_picture_options own;
  if (!api_options(options, &own, sizeof own) || own.width > 4000) return QDOT_BAD_ARGUMENT;
  Drawing drawing = {linear, i, &own};
  return api_call(linear->linearized.cx, draw, &drawing);
}

typedef struct Viewing {
  qdot_linear *linear;
  size_t number;
  const qdot_view_options *o;
  qdot_view *view;
} Viewing;

static Status view_mode(void *argument) {
  Viewing *v = argument;
  const Linearized *l = &v->linear->linearized;
  size_t count = qdot_mode_count(v->linear);
  Live live = {.cx = l->cx, .system = (System *)l->system, .has_no_curves = true, .magnify = 1};
  if (v->number >= count) return no_such_mode(l->cx, v->number, count);
  live.language = language_find(v->o->language ? v->o->language : "en");
  if (!live.language) return QDOT_BAD_ARGUMENT;
  Status status = mode_rows(l->cx, l, &v->linear->modes, v->linear->values, (uint32_t)v->number,
                            &live.result, &live.all_motions);
  return status == QDOT_OK ? api_view(&live, v->o, &v->view) : status;
}

qdot_status qdot_mode_view(qdot_linear *linear, size_t i, const qdot_view_options *options,
                           qdot_view **out) {
  if (out) *out = NULL;
  if (!linear || !out) return QDOT_BAD_ARGUMENT;
  qdot_view_options own;
  if (!api_options(options, &own, sizeof own)) return QDOT_BAD_ARGUMENT;
  Viewing viewing = {.linear = linear, .number = i, .o = &own};
  Status status = api_call(linear->linearized.cx, view_mode, &viewing);
  *out = object_of(linear->linearized.cx, status, viewing.view);
  return status;
}

size_t qdot_linear_file_count(const qdot_linear *linear) {
  if (!linear) return 0;
  return linear->files.n;
}

const qdot_file *qdot_linear_file_at(const qdot_linear *linear, size_t i) {
  if (!linear) return NULL;
  return file_list_at(&linear->files, i);
}
