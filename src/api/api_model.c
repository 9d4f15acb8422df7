// Reading models.
#include <string.h>

#include "api/api_call.h"
#include "api/api_file.h"
#include "api/api_options.h"
#include "api/api_read.h"
#include "api/api_write.h"
#include "base/room.h"
#include "base/words/suggest.h"
#include "derive/formulate.h"
#include "derive/momenta.h"
#include "derive/roads/road.h"
#include "lang/read.h"
#include "print/model_text.h"

typedef struct Reading {
  Context *cx;
  const char *name, *text; // text is NULL when name is a file to read
  size_t length;
  ReadOptions options;
  const char *formulation; // or NULL
  Model *model;
} Reading;

// A stored result says with which values it was made.
static void remember_settings(Reading *reading) {
  const ReadOptions *options = &reading->options;
  Arena *keep = &reading->cx->keep;
  const char **settings = arena_array(keep, const char *, options->override_count);
  for (size_t i = 0; i < options->override_count; i++)
    settings[i] = arena_copy(keep, options->overrides[i], strlen(options->overrides[i]));
  reading->model->settings = settings;
  reading->model->setting_count = options->override_count;
}

// span: where the model names it, or NULL.
static Status unknown_formulation(Context *cx, const char *text, const Span *span) {
  static const char message[] = "there is no formulation '%s'";
  Status status = span ? diag_error(cx, QDOT_BAD_ARGUMENT, *span, message, text)
                       : diag_error_plain(cx, QDOT_BAD_ARGUMENT, message, text);
  Nearest nearest = nearest_to(text);
  for (int i = 0; i < FORMULATIONS; i++) nearest_offer(&nearest, formulation_text((Formulation)i));
  for (int i = ROAD_LAGRANGE + 1; i < ROADS; i++) nearest_offer(&nearest, road_text((Road)i));
  diag_suggest(cx, nearest.best);
  return status;
}

// Plots of what this formulation does not have.
static void warn_empty_plots(const Model *model) {
  for (uint32_t i = 0; i < model->requests.plots.n; i++) {
    const PlotRequest *plot = &model->requests.plots.at[i];
    if (plot_type(plot->kind)->is_of_rows && model->constraints.n == 0)
      diag_warning(model->cx, plot->span,
                   "nothing to plot here: the equations have no constraints");
  }
}

static bool states_hamiltonian(const Model *model) {
  return model_has_energy(model, ENERGY_HAMILTONIAN);
}

// Bodies and joints become coordinates, as the caller or the model asks for.
static Status formulate(Reading *reading) {
  Context *cx = reading->cx;
  Symbol asked = reading->model->requests.derive.formulation;
  const char *text = reading->formulation ? reading->formulation
                     : asked              ? symbol_text(cx, asked)
                                          : "lagrange";
  Formulation formulation = FORMULATION_LAGRANGE;
  Road road = ROAD_LAGRANGE;
  if (!road_from_text(text, &road) && !formulation_from_text(text, &formulation))
    return unknown_formulation(cx, text,
                               reading->formulation ? NULL : &reading->model->requests.derive.span);
  bool has_bodies = reading->model->mechanism.bodies.n > 0;
  if (!reading->formulation && !asked && states_hamiltonian(reading->model)) road = ROAD_HAMILTON;
  reading->model->road = road_text(road);
  Status status = model_formulate(cx, reading->model, formulation, &reading->model);
  if (status == QDOT_OK) status = momenta_take(&reading->model);
  // the canonical equations as states have no other road
  if (status == QDOT_OK && reading->model->coordinates.n == 0) reading->model->road = NULL;
  if (status == QDOT_OK) warn_empty_plots(reading->model);
  if (status == QDOT_OK && has_bodies) reading->model->formulation = formulation_text(formulation);
  return status;
}

static Status read_model(void *argument) {
  Reading *reading = argument;
  Context *cx = reading->cx;
  double began = context_seconds();
  const char *text = reading->text;
  size_t length = reading->length;
  if (!text) {
    Text content;
    Status status = file_read(cx, reading->name, &content);
    if (status != QDOT_OK) return status;
    text = content.at, length = content.n;
  }
  Status status = model_read(cx, reading->name, text, length, &reading->options, &reading->model);
  if (status == QDOT_OK) status = formulate(reading);
  if (status != QDOT_OK) return status;
  remember_settings(reading);
  reading->model->read_seconds = context_seconds() - began;
  return QDOT_OK;
}

static void take_options(Reading *reading, const qdot_model_options *options) {
  reading->options = (ReadOptions){.overrides = options->settings,
                                   .override_count = options->setting_count,
                                   .overrides_name = options->settings_name,
                                   .all_columns = options->all_columns != 0,
                                   .kinematics = options->kinematics != 0};
  reading->formulation = options->formulation;
}

Status api_read_model(Context *cx, const char *name, const char *text, size_t length,
                      bool data_is_stored, const qdot_model_options *options, Model **out) {
  Reading reading = {.cx = cx, .name = name, .text = text, .length = length};
  take_options(&reading, options);
  reading.options.data_is_stored = data_is_stored;
  Status status = read_model(&reading);
  *out = status == QDOT_OK ? reading.model : NULL;
  return status;
}

static qdot_status run_reading(Reading *reading, const qdot_model_options *options,
                               qdot_model **out) {
  qdot_model_options own;
  *out = NULL;
  if (!api_options(options, &own, sizeof own)) return QDOT_BAD_ARGUMENT;
  take_options(reading, &own);
  Context *owner = reading->cx;
  reading->cx = api_room(owner);
  if (!reading->cx) return owner->guard.status;
  Status status = api_call(reading->cx, read_model, reading);
  if (status == QDOT_OK)
    *out = reading->model;
  else if (owner->guard.status == QDOT_OK)
    room_close(reading->cx);
  return status;
}

qdot_status qdot_model_load(qdot_context *cx, const char *path, const qdot_model_options *options,
                            qdot_model **out) {
  if (out) *out = NULL;
  if (!cx || !out) return QDOT_BAD_ARGUMENT;
  Reading reading = {.cx = cx, .name = path};
  return run_reading(&reading, options, out);
}

qdot_status qdot_model_parse(qdot_context *cx, const char *name, const char *text, size_t length,
                             const qdot_model_options *options, qdot_model **out) {
  if (out) *out = NULL;
  if (!cx || !out) return QDOT_BAD_ARGUMENT;
  Reading reading = {.cx = cx, .name = name, .text = text, .length = length};
  return run_reading(&reading, options, out);
}

void qdot_model_close(qdot_model *model) {
  if (model && model->cx->owner) room_close(model->cx);
}

const char *qdot_model_title(const qdot_model *model) {
  if (!model) return NULL;
  return model->title;
}

static Status print_model(Context *cx, void *object, const qdot_write_options *options, Text *out) {
  const Model *model = object;
  switch (options->format) {
  case QDOT_FORMAT_TEXT: return model_text(model, !options->ascii, out);
  case QDOT_FORMAT_JSON: return model_json(model, NULL, out);
  default: return api_only_text_and_json(cx, "a model");
  }
}

qdot_status qdot_model_write(qdot_model *model, const qdot_write_options *options, qdot_sink sink) {
  if (!model) return QDOT_BAD_ARGUMENT;
  return api_write(model->cx, model, print_model, options, sink);
}
