// Results and the pictures made from them.
#include <math.h>
#include <string.h>

#include "api/api_call.h"
#include "api/api_options.h"
#include "api/api_read.h"
#include "api/api_result.h"
#include "api/frequencies.h"
#include "base/host/folder.h"
#include "base/room.h"
#include "derive/roads/moving.h"
#include "report/captions.h"
#include "scene/animate.h"
#include "scene/free_body.h"
#include "scene/magnify.h"
#include "scene/meaning.h"

// ---- Opening

typedef struct Opening {
  Context *cx;
  const char *folder;
  Model *model;
  bool belongs;
  qdot_result *result;
} Opening;

static Status ask_existence(void *argument) {
  Opening *o = argument;
  o->belongs = stored_belongs(o->cx, o->folder, o->model);
  return QDOT_OK;
}

int qdot_result_exists(qdot_model *model, const char *folder) {
  if (!model) return 0;
  Opening opening = {.cx = model->cx, .folder = folder, .model = model};
  return api_call(model->cx, ask_existence, &opening) == QDOT_OK && opening.belongs;
}

static Status read_stored_model(Opening *o) {
  const char *text;
  size_t length;
  StoredSettings stored;
  Status status = stored_model(o->cx, o->folder, &text, &length, &stored);
  if (status != QDOT_OK) return status;
  qdot_model_options settings = {.size = sizeof settings,
                                 .settings = stored.settings,
                                 .setting_count = stored.count,
                                 .formulation = stored.formulation};
  return api_read_model(o->cx, folder_path(&o->cx->keep, o->folder, "model.qdot"), text, length,
                        true, &settings, &o->model);
}

// The folder keeps the model as it is now: its plot and draw lines may be new.
static Status adopt_model(Opening *o) {
  if (!stored_belongs(o->cx, o->folder, o->model))
    return diag_error_plain(o->cx, QDOT_BAD_FILE, "'%s' has no result of this model", o->folder);
  const Source *source = &o->cx->sources.at[o->model->source];
  return folder_write(o->cx, o->folder, "model.qdot", source->text, source->length);
}

qdot_result *api_result_of_plan(Context *cx, const StoredPlan *plan, Result *result) {
  qdot_result *out = arena_new(&result->arena, qdot_result);
  *out = (qdot_result){.cx = cx, .plan = plan, .result = result};
  return out;
}

qdot_result *api_result_new(Model *model, Result *result) {
  qdot_result *out = arena_new(&result->arena, qdot_result);
  *out = (qdot_result){.cx = model->cx, .model = model, .result = result};
  return out;
}

static Status open_result(void *argument) {
  Opening *o = argument;
  Status status = o->model ? adopt_model(o) : read_stored_model(o);
  Result *result;
  System *system; // names what events happen to
  if (status == QDOT_OK) o->model = model_moving(o->model);
  if (status == QDOT_OK) status = model_system(o->model, DERIVE_BASIC, &system);
  if (status == QDOT_OK) status = result_load(o->cx, o->folder, o->model, &result);
  if (status == QDOT_OK) o->result = api_result_new(o->model, result);
  return status;
}

void qdot_result_close(qdot_result *result) {
  // After exhaustion only the context can be closed, which then closes this too.
  if (!result || result->cx->guard.status != QDOT_OK) return;
  if (result->owns_model)
    room_close(result->cx);
  else
    result_close(result->result);
}

qdot_status qdot_result_open(qdot_context *cx, const char *folder, qdot_model *model,
                             qdot_result **out) {
  if (out) *out = NULL;
  if (!cx || !out) return QDOT_BAD_ARGUMENT;
  Opening opening = {.cx = model ? model->cx : api_room(cx), .folder = folder, .model = model};
  if (!opening.cx) return cx->guard.status;
  Status status = api_call(opening.cx, open_result, &opening);
  if (status == QDOT_OK) {
    *out = opening.result;
    opening.result->owns_model = !model;
  } else if (!model && cx->guard.status == QDOT_OK) {
    room_close(opening.cx);
  }
  return status;
}

// ---- Files

static void add_file(qdot_result *result, const char *name, const char *ending,
                     const char *description) {
  file_list_add(&result->files, &result->target,
                text_format(&result->cx->keep, "%s.%s", name, ending), description);
}

size_t qdot_result_file_count(const qdot_result *result) {
  if (!result) return 0;
  return result->files.n;
}

const qdot_file *qdot_result_file_at(const qdot_result *result, size_t i) {
  if (!result) return NULL;
  return file_list_at(&result->files, i);
}

Status result_need_rows(const qdot_result *result) {
  if (result->plan) {
    Status status = diag_error_plain(result->cx, QDOT_UNSUPPORTED,
                                     "a run of a plan has rows and a summary alone: pictures and "
                                     "reports need the model");
    diag_note(result->cx, "simulate the model itself");
    return status;
  }
  if (result->result->rows.next) return QDOT_OK;
  Status status = diag_error_plain(result->cx, QDOT_BAD_ARGUMENT,
                                   "there is nothing to draw: the rows of the run did not fit "
                                   "into the memory that they may take");
  diag_note(result->cx, "a larger 'every' in the simulate line makes fewer; a folder takes all");
  return status;
}

Status result_begin_files(qdot_result *result, qdot_file_sink sink) {
  Status status = result_need_rows(result);
  if (status != QDOT_OK) return status;
  if (!sink.write && !result->result->folder)
    return diag_error_plain(result->cx, QDOT_BAD_ARGUMENT,
                            "the result is in memory only, and pictures and reports are files: "
                            "simulate into a folder, or take them with a sink");
  // A folder for the moment has no pictures yet.
  if (sink.write) result->plot_formats = result->animation_formats = 0;
  return file_target_open(&result->target, result->cx, result->result->folder, sink);
}

Status result_end_files(qdot_result *result, Status so_far) {
  bool is_taken = result->target.sink.write;
  if (is_taken) result->plot_formats = result->animation_formats = 0;
  return file_target_close(&result->target, so_far);
}

Status result_language(Context *cx, const char *code, const Language **out) {
  *out = language_find(code ? code : "en");
  if (*out) return QDOT_OK;
  return diag_error_plain(cx, QDOT_BAD_ARGUMENT, "unknown language '%s'; expected en, de, es or pt",
                          code);
}

// ---- Plots

typedef struct Plotting {
  qdot_result *result;
  qdot_plot_options o;
  PlotOverlay *others;
} Plotting;

static void list_plots(qdot_result *result, const PictureList *list, unsigned formats) {
  static const struct {
    unsigned format;
    const char *ending;
  } endings[] = {{PICTURE_SVG, "svg"}, {PICTURE_PNG, "png"}, {PICTURE_PDF, "pdf"}};
  for (uint32_t i = 0; i < list->n; i++)
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
      if (formats & endings[k].format & ~result->unlisted)
        add_file(result, list->at[i].name, endings[k].ending, list->at[i].description);
}

static bool has_spectrum(const Requests *requests) {
  for (uint32_t i = 0; i < requests->plots.n; i++)
    if (requests->plots.at[i].kind == PLOT_SPECTRUM) return true;
  return false;
}

// What spectra are compared with.
static void find_frequencies(Context *cx, Model *model, PlotOptions *options) {
  if (!has_spectrum(&model->requests) && !options->with_everything) return;
  NaturalFrequencies natural = natural_frequencies(cx, model);
  double *hz = arena_array(&cx->keep, double, natural.n + 1);
  for (uint32_t i = 0; i < natural.n; i++) hz[i] = natural.omega[i] / (2 * M_PI);
  options->frequencies = hz, options->frequency_count = natural.n;
}

static const char *name_of_result(const qdot_result *result) {
  const char *folder = result->result->folder ? result->result->folder : "";
  size_t end = strlen(folder);
  while (end > 1 && folder[end - 1] == '/') end--;
  size_t begin = end;
  while (begin && folder[begin - 1] != '/') begin--;
  return arena_copy(&result->cx->keep, folder + begin, end - begin);
}

// What every result needs of the options, before it is drawn.
static Status open_plot_options(qdot_result *result, const qdot_plot_options *o,
                                const Language **language, PlotOptions *options) {
  Status status = result_language(result->cx, o->language, language);
  if (status != QDOT_OK) return status;
  *options = plot_defaults();
  options->decimal_sign = (*language)->decimal;
  options->words = plot_words(*language);
  options->with_everything = o->everything != 0;
  find_frequencies(result->cx, result->model, options);
  options->coordinate_colours = scene_palette_places(result->cx, &result->cx->keep, result->result);
  return QDOT_OK;
}

static Status draw_plots(qdot_result *result, const qdot_plot_options *o,
                         const PlotOverlay *others) {
  Context *cx = result->cx;
  const Language *language;
  PlotOptions options;
  Status status = open_plot_options(result, o, &language, &options);
  if (status != QDOT_OK) return status;
  options.folder = result->target.folder;
  if (o->formats & QDOT_FILE_PDF) options.formats |= PICTURE_PDF;
  if (o->formats & QDOT_FILE_PNG) options.formats |= PICTURE_PNG;
  if (o->formats && !(o->formats & QDOT_FILE_SVG)) options.formats &= ~(unsigned)PICTURE_SVG;
  options.gnuplot.program = o->gnuplot;
  options.own_name = name_of_result(result);
  options.others = others, options.other_count = (uint32_t)o->other_count;
  PictureList list;
  status = plot_result(cx, result->result, &options, &list);
  result->has_no_gnuplot = status == QDOT_NO_PROGRAM;
  if (status != QDOT_OK) return status;
  list_plots(result, &list, options.formats);
  if (o->other_count) return QDOT_OK; // a report shows the result's own
  result->plots = list;
  result->plot_formats = o->formats ? o->formats : QDOT_FILE_SVG;
  result->plot_language = language;
  return QDOT_OK;
}

Status result_plot(qdot_result *result, const qdot_plot_options *o) {
  WorkStage outer = context_enter_stage(result->cx, STAGE_DRAWN);
  Status status = draw_plots(result, o, NULL);
  context_leave_stage(result->cx, outer);
  return status;
}

static Status plot(void *argument) {
  Plotting *p = argument;
  Status status = result_begin_files(p->result, p->o.files);
  if (status != QDOT_OK) return status;
  return result_end_files(p->result, draw_plots(p->result, &p->o, p->others));
}

static Status make_room(void *argument) {
  Plotting *p = argument;
  p->others = arena_array(&p->result->cx->keep, PlotOverlay, p->o.other_count + 1);
  return QDOT_OK;
}

static Status collect_overlay(void *argument) {
  Plotting *p = argument;
  const Language *language;
  PlotOptions options;
  Status status = result_need_rows(p->result);
  if (status == QDOT_OK) status = open_plot_options(p->result, &p->o, &language, &options);
  if (status != QDOT_OK) return status;
  return plot_overlay(p->result->cx, p->result->result, &options, name_of_result(p->result),
                      p->others);
}

qdot_status qdot_result_plot(qdot_result *result, const qdot_plot_options *options) {
  if (!result) return QDOT_BAD_ARGUMENT;
  Plotting plotting = {.result = result};
  if (!api_options(options, &plotting.o, sizeof plotting.o)) return QDOT_BAD_ARGUMENT;
  Status status = api_call(result->cx, make_room, &plotting);
  // each result is read in its own context
  for (size_t i = 0; status == QDOT_OK && i < plotting.o.other_count; i++) {
    Plotting other = {plotting.o.others[i], plotting.o, plotting.others + i};
    status = api_call(other.result->cx, collect_overlay, &other);
  }
  return status == QDOT_OK ? api_call(result->cx, plot, &plotting) : status;
}

// ---- Animations

typedef struct Animating {
  qdot_result *result;
  qdot_animate_options o;
} Animating;

#define STROBE 6 // earlier poses in a still picture

// What an animation shows of a motion is still a number beyond.
static const double FASTEST = 1e15, SLOWEST = 1e-15;

bool result_may_magnify(double factor) { return factor == 0 || (factor >= 1 && factor <= FASTEST); }
bool result_may_play(double speed) { return speed == 0 || (speed >= SLOWEST && speed <= FASTEST); }

// What a picture shows, and whether it exaggerates.
static const char *with_factor(const qdot_result *result, const AnimateOptions *options,
                               const char *words, double factor) {
  Arena *keep = &result->cx->keep;
  if (!(factor > 1)) return words;
  return text_format(keep, "%s (%s)", words,
                     factor_words(keep, options->larger, factor, options->decimal_sign));
}

static Status draw_stills(qdot_result *result, AnimateOptions options, unsigned formats,
                          const Language *language) {
  static const struct {
    unsigned format, still;
    const char *ending;
  } kinds[] = {{QDOT_FILE_SVG, STILL_SVG, "svg"},
               {QDOT_FILE_PNG, STILL_PNG, "png"},
               {QDOT_FILE_PDF, STILL_PDF, "pdf"}};
  unsigned wanted = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (formats & kinds[i].format) wanted |= kinds[i].still;
  if (!wanted) return QDOT_OK;
  options.name = "mechanism";
  Status status = draw_still(result->cx, result->result, &options, wanted, STROBE, &result->still);
  if (result->still.is_empty) return status;
  const char *words = with_factor(result, &options, language_say(language, SAY_FILE_STILL),
                                  result->still.magnified);
  unsigned drawn = stills_drawn(wanted);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && status == QDOT_OK; i++)
    if (formats & kinds[i].format & ~result->unlisted && drawn & kinds[i].still)
      add_file(result, "mechanism", kinds[i].ending, words);
  return status;
}

static Status draw_motion(qdot_result *result, const AnimateOptions *options,
                          const Language *language) {
  if (!options->formats) return QDOT_OK;
  Animation animation;
  Status status = animate_result(result->cx, result->result, options, &animation);
  result->still.is_empty = animation.is_empty;
  if (animation.is_empty) return status;
  const char *words =
      with_factor(result, options, language_say(language, SAY_FILE_ANIMATION), animation.magnified);
  bool has_gif = animation_drawn(options->formats) & ANIMATION_GIF;
  bool has_animation = options->formats & ANIMATION_MP4 && status == QDOT_OK;
  if (has_gif && (status == QDOT_OK || status == QDOT_NO_PROGRAM))
    add_file(result, "animation", "gif", words);
  if (has_animation) add_file(result, "animation", "mp4", words);
  return status;
}

static Status draw_by_themselves(qdot_result *result, const qdot_animate_options *o,
                                 const Language *language) {
  if (o->formats & ~(unsigned)QDOT_FILE_SVG)
    return diag_error_plain(result->cx, QDOT_BAD_ARGUMENT, "free-body diagrams are written as SVG");
  Status status = draw_free_bodies(result->cx, result->result, result->target.folder);
  if (status == QDOT_OK)
    add_file(result, "free-body", "svg", language_say(language, SAY_FILE_FREE_BODY));
  return status;
}

static Status draw_all(qdot_result *result, const qdot_animate_options *o) {
  unsigned formats = o->formats ? o->formats : QDOT_FILE_GIF;
  const Language *language;
  Status status = result_language(result->cx, o->language, &language);
  if (status != QDOT_OK) return status;
  if (o->free_body) return draw_by_themselves(result, o, language);
  AnimateOptions options = animate_defaults();
  options.folder = result->target.folder;
  options.formats =
      (formats & QDOT_FILE_GIF ? ANIMATION_GIF : 0) | (formats & QDOT_FILE_MP4 ? ANIMATION_MP4 : 0);
  options.speed = o->speed;
  options.decimal_sign = language->decimal;
  options.slower = language_say(language, SAY_PAGE_SLOWER);
  options.faster = language_say(language, SAY_PAGE_FASTER);
  options.magnify = o->magnify;
  options.larger = language_say(language, SAY_PAGE_LARGER);
  options.has_labels = o->labels;
  if (o->width) options.width = o->width;
  if (o->ffmpeg) options.ffmpeg = o->ffmpeg;
  status = draw_stills(result, options, formats, language);
  if (status == QDOT_OK) status = draw_motion(result, &options, language);
  if (status != QDOT_OK) return status;
  if (result->animation_language != language) result->animation_formats = 0;
  result->animation_formats |= formats;
  result->animation_language = language;
  return QDOT_OK;
}

static Status nothing_to_draw(Context *cx) {
  Status status = diag_error_plain(cx, QDOT_BAD_MODEL, "there is nothing to draw");
  diag_note(cx, "a drawing is made of bodies, of 'draw' lines, or of positions that the model "
                "defines; 'qdot plot' draws curves");
  return status;
}

Status result_animate(qdot_result *result, const qdot_animate_options *o) {
  WorkStage outer = context_enter_stage(result->cx, STAGE_DRAWN);
  Status status = draw_all(result, o);
  context_leave_stage(result->cx, outer);
  return status;
}

static Status animate(void *argument) {
  Animating *a = argument;
  Status status = result_begin_files(a->result, a->o.files);
  if (status != QDOT_OK) return status;
  status = result_animate(a->result, &a->o);
  if (status == QDOT_OK && a->result->still.is_empty) status = nothing_to_draw(a->result->cx);
  return result_end_files(a->result, status);
}

qdot_status qdot_result_animate(qdot_result *result, const qdot_animate_options *options) {
  if (!result) return QDOT_BAD_ARGUMENT;
  Animating animating = {.result = result};
  if (!api_options(options, &animating.o, sizeof animating.o)) return QDOT_BAD_ARGUMENT;
  if (animating.o.width > 4000 || !result_may_play(animating.o.speed)) return QDOT_BAD_ARGUMENT;
  if (!result_may_magnify(animating.o.magnify)) return QDOT_BAD_ARGUMENT;
  return api_call(result->cx, animate, &animating);
}
