// Deriving systems and writing them.
#include "api/api_system.h"

#include "api/api_call.h"
#include "api/api_file.h"
#include "api/api_options.h"
#include "derive/formulate.h"
#include "derive/selfcheck.h"
#include "print/listing_json.h"
#include "print/listing_text.h"
#include "report/story.h"
#include <math.h>

typedef struct Derivation {
  Context *cx;
  Model *model;
  qdot_system *system;
} Derivation;

static Status derive(void *argument) {
  Derivation *d = argument;
  double began = context_seconds();
  d->system = object_new(d->cx, sizeof *d->system);
  d->cx->results = &d->cx->keep; // the equations are the model's
  Status status = model_system(d->model, DERIVE_MATRICES, &d->system->system);
  d->system->seconds = context_seconds() - began;
  return status;
}

qdot_status qdot_system_derive(qdot_model *model, qdot_system **out) {
  if (out) *out = NULL;
  if (!model || !out) return QDOT_BAD_ARGUMENT;
  Derivation d = {.cx = model->cx, .model = model};
  Status status = api_call(model->cx, derive, &d);
  *out = object_of(model->cx, status, d.system);
  return status;
}

void qdot_system_close(qdot_system *system) { object_close(system); }

// The system of that model, made once.
static Status derive_twin(qdot_system *system, Model *twin, System **made, System **out) {
  double began = context_seconds();
  Status status = QDOT_OK;
  if (!*made && twin == system->system->model) *made = system->system;
  if (!*made) {
    status = model_system(twin, DERIVE_MATRICES, made);
    system->seconds += context_seconds() - began;
  }
  *out = *made;
  return status;
}

Status api_named_system(qdot_system *system, System **out) {
  Model *named = model_named((Model *)system->system->model);
  return derive_twin(system, named, &system->named, out);
}

Status api_shown_system(qdot_system *system, System **out) {
  Model *shown = model_shown((Model *)system->system->model);
  return derive_twin(system, shown, &system->shown, out);
}

double qdot_system_seconds(const qdot_system *system) {
  if (!system) return NAN;
  return system->seconds;
}

typedef struct Writing {
  qdot_system *system;
  qdot_system_write_options options;
  qdot_sink sink;
} Writing;

static SimplifyLevel simplify_of(qdot_simplify asked) {
  switch (asked) {
  case QDOT_SIMPLIFY_NONE: return SIMPLIFY_NONE;
  case QDOT_SIMPLIFY_FULL: return SIMPLIFY_FULL;
  default: return SIMPLIFY_NORMAL;
  }
}

static Detail detail_of(qdot_detail asked) {
  switch (asked) {
  case QDOT_DETAIL_RESULT: return DETAIL_RESULT;
  case QDOT_DETAIL_EVERY: return DETAIL_EVERY;
  default: return DETAIL_TEXTBOOK;
  }
}

// Steps and LaTeX are documents.
static Status write_document(Context *cx, const Listing *listing,
                             const qdot_system_write_options *options, Text *out) {
  Notation notation = {0};
  const char *language = options->language ? options->language : "en";
  Document document = {.cx = cx,
                       .medium = options->format == QDOT_FORMAT_LATEX  ? &latex_medium
                                 : options->format == QDOT_FORMAT_HTML ? &html_medium
                                 : options->ascii                      ? &ascii_medium
                                                                       : &terminal_medium,
                       .language = language_find(language),
                       .notation = &notation,
                       .out = out,
                       .width = options->width,
                       .is_fragment = options->format >= QDOT_FORMAT_LATEX};
  if (!document.language)
    return diag_error_plain(cx, QDOT_BAD_ARGUMENT,
                            "unknown language '%s'; expected en, de, es or pt", language);
  if (options->notation) {
    Text lines;
    Status status = file_read(cx, options->notation, &lines);
    if (status == QDOT_OK) status = notation_read(cx, &notation, lines.at);
    if (status != QDOT_OK) return status;
  }
  Story story;
  story_open(&document, listing, detail_of(options->detail), (ExprList){0}, &story);
  if (options->steps)
    story_tell(&story);
  else
    story_result(&story);
  story_parts(&story);
  story_close(&story);
  return QDOT_OK;
}

static Status write_system(void *argument) {
  Writing *writing = argument;
  const qdot_system_write_options *options = &writing->options;
  System *system;
  Status status = options->format == QDOT_FORMAT_JSON ? api_named_system(writing->system, &system)
                                                      : api_shown_system(writing->system, &system);
  if (status != QDOT_OK) return status;
  ListingOptions listed = {simplify_of(options->simplify), options->only,
                           options->format != QDOT_FORMAT_JSON};
  Listing listing;
  status = listing_open(system, &listed, &listing);
  if (status != QDOT_OK) return status;
  Text out = text_new(&system->cx->scratch);
  if (options->format == QDOT_FORMAT_JSON) {
    status = listing_json(&listing, &out);
  } else if (options->format >= QDOT_FORMAT_LATEX || options->steps) {
    status = write_document(system->cx, &listing, options, &out);
  } else {
    TextStyle style = {!options->ascii, options->width};
    listing_text(&listing, &style, &out);
  }
  if (status != QDOT_OK) return status;
  return writing->sink.write(writing->sink.user, out.at, out.n) == 0 ? QDOT_OK : QDOT_IO;
}

qdot_status qdot_system_write(qdot_system *system, const qdot_system_write_options *options,
                              qdot_sink sink) {
  if (!system) return QDOT_BAD_ARGUMENT;
  Writing writing = {.system = system, .sink = sink};
  if (!sink.write || !api_options(options, &writing.options, sizeof writing.options))
    return QDOT_BAD_ARGUMENT;
  if (writing.options.width == 0) writing.options.width = 100;
  return api_call(system->system->cx, write_system, &writing);
}

static Status check_system(void *argument) {
  qdot_system *system = argument;
  Selfcheck found = {0};
  Status status = system_selfcheck(system->system->cx, system->system, 16, 1, &found);
  system->check = (qdot_selfcheck){.states = found.states,
                                   .mass_error = found.mass_error,
                                   .power_error = found.power_error,
                                   .is_good = found.is_good};
  return status;
}

qdot_status qdot_system_check(qdot_system *system, const qdot_selfcheck **out) {
  if (out) *out = NULL;
  if (!system || !out) return QDOT_BAD_ARGUMENT;
  Status status = api_call(system->system->cx, check_system, system);
  *out = status == QDOT_OK ? &system->check : NULL;
  return status;
}
