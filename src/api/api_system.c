// Deriving systems and writing them.
#include "api/api_system.h"
#include "api/api_call.h"
#include "derive/selfcheck.h"
#include "show/listing_json.h"
#include "show/listing_text.h"

typedef struct Derivation {
  Context *cx;
  const Model *model;
  qdot_system *system;
} Derivation;

static Status derive(void *argument) {
  Derivation *d = argument;
  double began = context_seconds();
  d->system = arena_new(&d->cx->keep, qdot_system);
  Status status = derive_system(d->cx, d->model, DERIVE_MATRICES, &d->system->system);
  d->system->seconds = context_seconds() - began;
  return status;
}

qdot_status qdot_system_derive(qdot_model *model, qdot_system **out) {
  Derivation d = {.cx = model->cx, .model = model};
  Status status = api_call(model->cx, derive, &d);
  *out = status == QDOT_OK ? d.system : NULL;
  return status;
}

double qdot_system_seconds(const qdot_system *system) { return system->seconds; }

qdot_system_options qdot_system_defaults(void) {
  return (qdot_system_options){.format = QDOT_TEXT, .width = 100, .unicode = 1};
}

typedef struct Writing {
  qdot_system *system;
  const qdot_system_options *options;
  qdot_sink sink;
} Writing;

static SimplifyLevel simplify_of(qdot_simplify wish) {
  switch (wish) {
  case QDOT_SIMPLIFY_NONE: return SIMPLIFY_NONE;
  case QDOT_SIMPLIFY_FULL: return SIMPLIFY_FULL;
  default: return SIMPLIFY_NORMAL;
  }
}

static Status write_system(void *argument) {
  Writing *writing = argument;
  const qdot_system_options *options = writing->options;
  System *system = &writing->system->system;
  ListingOptions wishes = {simplify_of(options->simplify), options->only,
                           options->format != QDOT_JSON};
  Listing listing;
  Status status = listing_open(system, &wishes, &listing);
  if (status != QDOT_OK) return status;
  Text out = text_new(&system->cx->scratch);
  switch (options->format) {
  case QDOT_JSON: status = listing_json(&listing, &out); break;
  case QDOT_TEXT: {
    TextStyle style = {options->unicode != 0, options->width};
    listing_text(&listing, &style, &out);
    break;
  }
  default: return diag_error_plain(system->cx, QDOT_UNSUPPORTED, "no such format");
  }
  if (status != QDOT_OK) return status;
  return writing->sink.write(writing->sink.user, out.at, out.n) == 0 ? QDOT_OK : QDOT_IO;
}

qdot_status qdot_system_write(qdot_system *system, const qdot_system_options *options,
                              qdot_sink sink) {
  qdot_system_options defaults = qdot_system_defaults();
  Writing writing = {system, options ? options : &defaults, sink};
  return api_call(system->system.cx, write_system, &writing);
}

typedef struct Checking {
  qdot_system *system;
  qdot_selfcheck *out;
} Checking;

static Status check_system(void *argument) {
  Checking *checking = argument;
  System *system = &checking->system->system;
  Selfcheck found;
  Status status = system_selfcheck(system->cx, system, 16, 1, &found);
  *checking->out = (qdot_selfcheck){.states = found.states,
                                    .mass_error = found.mass_error,
                                    .power_error = found.power_error,
                                    .is_good = found.is_good};
  return status;
}

qdot_status qdot_system_check(qdot_system *system, qdot_selfcheck *out) {
  Checking checking = {system, out};
  return api_call(system->system.cx, check_system, &checking);
}
