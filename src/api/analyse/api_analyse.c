// Linearizations and modes.
#include "api/analyse/api_analyse.h"

#include "analyse/linear/sampled.h"
#include "analyse/mobility/doctor.h"
#include "analyse/vibration/valley.h"
#include "api/api_call.h"
#include "api/api_system.h"
#include "api/api_write.h"
#include "derive/with_states.h"
#include "model/values.h"
#include "print/linear/linear_json.h"
#include "print/linear/linear_tex.h"
#include "print/linear/linear_text.h"

typedef struct Linearizing {
  qdot_system *whole;
  System *system; // of it, or its twin
  size_t line;    // which linearize line
  qdot_linear *out;
} Linearizing;

// The modes as callers see them.
static void show_modes(qdot_linear *linear, Arena *arena) {
  static const qdot_mode_kind kinds[] = {[MODE_RIGID] = QDOT_MODE_RIGID,
                                         [MODE_OSCILLATION] = QDOT_MODE_OSCILLATION,
                                         [MODE_EXPONENTIAL] = QDOT_MODE_EXPONENTIAL};
  linear->shown = arena_array(arena, qdot_mode, linear->modes.count);
  for (uint32_t i = 0; i < linear->modes.count; i++) {
    const Mode *m = &linear->modes.mode[i];
    linear->shown[i] = (qdot_mode){.kind = kinds[m->kind],
                                   .re = m->re,
                                   .im = m->im,
                                   .omega = m->omega,
                                   .hz = m->hz,
                                   .damping = m->damping,
                                   .shape_re = m->shape_re,
                                   .shape_im = m->shape_im};
  }
}

// At the linearize line, or where the motion starts.
static Status linearize_values(const Linearizing *w, Linearized *out, double **values) {
  Context *cx = w->system->cx;
  const Requests *requests = &w->system->model->requests;
  Status status = model_values(cx, w->system->model, cx->results, values);
  if (status != QDOT_OK) return status;
  derive_matrices(cx, w->system);
  LinearizeOptions options = {
      .request = requests->linearizations.n ? &requests->linearizations.at[w->line] : NULL,
      .numbers_only = true}; // entries come when somebody reads them
  return linearize_system(cx, system_with_states(cx, w->system), *values, &options, out);
}

static Status linearize(void *argument) {
  Linearizing *w = argument;
  w->system = w->whole->system;
  Context *cx = w->system->cx;
  size_t lines = w->system->model->requests.linearizations.n;
  if (w->line > 0 && w->line >= lines)
    return diag_error_plain(cx, QDOT_BAD_ARGUMENT,
                            "there is no linearize line %zu; the model has %zu", w->line + 1,
                            lines);
  qdot_linear *linear = w->out = object_new(cx, sizeof *linear);
  linear->whole = w->whole, linear->line = w->line;
  Status status = linearize_values(w, &linear->linearized, &linear->values);
  if (status == QDOT_OK) status = doctor_warn_of_outputs(cx, w->system->model, "a linearization");
  if (status != QDOT_OK) return status;
  Status found = modes_find(&linear->linearized, cx->results, &linear->modes);
  linear->has_modes = found == QDOT_OK;
  if (linear->has_modes) energy_judge_alone(&linear->linearized, linear->values, &linear->modes);
  if (linear->has_modes) show_modes(linear, cx->results);
  if (found == QDOT_OK || found == QDOT_SINGULAR_MASS) return QDOT_OK;
  return diag_error_plain(cx, found,
                          "the eigenvalues cannot be computed: some entries are not finite");
}

size_t qdot_system_point_count(const qdot_system *system) {
  if (!system) return 0;
  return system->system->model->requests.linearizations.n;
}

qdot_status qdot_system_linearize(qdot_system *system, size_t i, qdot_linear **out) {
  if (out) *out = NULL;
  if (!system || !out) return QDOT_BAD_ARGUMENT;
  Linearizing w = {.whole = system, .line = i};
  Status status = api_call(system->system->cx, linearize, &w);
  *out = object_of(system->system->cx, status, w.out);
  return status;
}

void qdot_linear_close(qdot_linear *linear) { object_close(linear); }

// The same as readers see it. Where it cannot be had so, it is shown with its numbers.
static Status print_entries(qdot_linear *linear) {
  Context *cx = linear->linearized.cx;
  if (linear->printed) return QDOT_OK;
  linear->printed = &linear->linearized, linear->printed_values = linear->values;
  System *shown;
  Diagnostics before = diag_mark(cx);
  Linearizing w = {.line = linear->line};
  Linearized *twin = arena_new(cx->results, Linearized);
  if (!linear->linearized.sampled && api_shown_system(linear->whole, &shown) == QDOT_OK &&
      shown != linear->whole->system) {
    w.system = shown;
    if (linearize_values(&w, twin, &linear->printed_values) == QDOT_OK &&
        linearized_add_entries(twin, linear->printed_values) == QDOT_OK && !twin->is_too_large)
      linear->printed = twin;
    else
      linear->printed_values = linear->values;
  }
  diag_rollback(cx, before);
  if (linear->printed == twin) return QDOT_OK;
  return linearized_add_entries(&linear->linearized, linear->values);
}

static Status print_linear(Context *cx, void *object, const qdot_write_options *options,
                           Text *out) {
  qdot_linear *linear = object;
  const Linearized *l = &linear->linearized;
  object_enter(linear);
  TextStyle style = api_text_style(options);
  if (options->format > QDOT_FORMAT_LATEX)
    return diag_error_plain(cx, QDOT_UNSUPPORTED,
                            "a linearization can be written as text, JSON or LaTeX");
  bool is_read = options->format != QDOT_FORMAT_JSON;
  Status status =
      is_read ? print_entries(linear) : linearized_add_entries(&linear->linearized, linear->values);
  if (status != QDOT_OK) return status;
  if (is_read) l = linear->printed;
  const Modes *modes = linear->has_modes ? &linear->modes : NULL;
  if (l->sampled && options->format == QDOT_FORMAT_LATEX)
    return diag_error_plain(cx, QDOT_UNSUPPORTED,
                            "the map of a sampled loop can be written as text or JSON");
  if (l->is_too_large && options->format == QDOT_FORMAT_LATEX)
    return diag_error_plain(cx, QDOT_UNSUPPORTED,
                            "the exact matrices are too large for LaTeX; JSON has their numbers");
  switch (options->format) {
  case QDOT_FORMAT_JSON: linear_json(l, modes, out); break;
  case QDOT_FORMAT_LATEX: linear_tex(l, out); break;
  default: linear_text(l, modes, &style, out);
  }
  return QDOT_OK;
}

qdot_status qdot_linear_write(qdot_linear *linear, const qdot_write_options *options,
                              qdot_sink sink) {
  if (!linear) return QDOT_BAD_ARGUMENT;
  return api_write(linear->linearized.cx, linear, print_linear, options, sink);
}

// ---- Modes

Status api_no_modes(const qdot_linear *linear, const char *what) {
  const Linearized *l = &linear->linearized;
  const char *name =
      symbol_text(l->cx, l->system->model->coordinates.at[linear->modes.undetermined].name);
  Status status = diag_error_plain(
      l->cx, QDOT_SINGULAR_MASS,
      "%s: '%s' has neither mass nor damping nor stiffness at this point", what, name);
  diag_note(l->cx,
            "the linearized equations do not determine it; try other coordinates or another point");
  return status;
}

static Status print_modes(Context *cx, void *object, const qdot_write_options *options, Text *out) {
  qdot_linear *linear = object;
  const Linearized *l = &linear->linearized;
  object_enter(linear);
  TextStyle style = api_text_style(options);
  if (options->format > QDOT_FORMAT_JSON) return api_only_text_and_json(cx, "modes");
  if (!linear->has_modes) return api_no_modes(linear, "there are no modes");
  Status status = QDOT_OK;
  bool is_read = options->format != QDOT_FORMAT_JSON, may_exist = frequency_forms_may_exist(l);
  if (may_exist && is_read)
    status = print_entries(linear);
  else if (may_exist)
    status = linearized_add_entries(&linear->linearized, linear->values);
  if (status != QDOT_OK) return status;
  if (may_exist && is_read) l = linear->printed;
  FrequencyForms forms = frequency_forms(
      l, &linear->modes, l == &linear->linearized ? linear->values : linear->printed_values);
  if (options->format == QDOT_FORMAT_JSON)
    modes_json(l, &linear->modes, &forms, out);
  else
    modes_text(l, &linear->modes, &forms, &style, out);
  return QDOT_OK;
}

qdot_status qdot_modes_write(qdot_linear *linear, const qdot_write_options *options,
                             qdot_sink sink) {
  if (!linear) return QDOT_BAD_ARGUMENT;
  return api_write(linear->linearized.cx, linear, print_modes, options, sink);
}

// ---- Numbers

const double *qdot_linear_matrix(const qdot_linear *linear, qdot_matrix which, size_t *rows,
                                 size_t *columns) {
  if (!linear || !rows || !columns) return NULL;
  const Linearized *l = &linear->linearized;
  size_t f = l->f, p = l->p, size = l->state.size, map = l->sampled ? l->sampled->size : size;
  const struct {
    const double *at;
    size_t rows, columns;
  } matrices[] = {[QDOT_MATRIX_MASS] = {l->number.M, f, f},
                  [QDOT_MATRIX_DAMPING] = {l->number.C, f, f},
                  [QDOT_MATRIX_STIFFNESS] = {l->number.K, f, p},
                  [QDOT_MATRIX_INPUT_FORCE] = {l->number.B, f, l->inputs},
                  [QDOT_MATRIX_A] = {l->sampled ? l->sampled->A : l->state.A, map, map},
                  [QDOT_MATRIX_B] = {l->sampled ? l->sampled->B : l->state.B, map, l->inputs},
                  [QDOT_MATRIX_C] = {l->C_out, l->outputs, size},
                  [QDOT_MATRIX_D] = {l->D_out, l->outputs, l->inputs}};
  bool known = (size_t)which < sizeof matrices / sizeof *matrices;
  if (!known || (which >= QDOT_MATRIX_A && !l->has_state_space)) return NULL;
  *rows = matrices[which].rows, *columns = matrices[which].columns;
  return matrices[which].at;
}

size_t qdot_mode_count(const qdot_linear *linear) {
  if (!linear) return 0;
  return linear->has_modes ? linear->modes.count : 0;
}

qdot_stability qdot_linear_stability(const qdot_linear *linear, const char **text) {
  if (text) *text = "";
  if (!linear) return QDOT_STABILITY_UNKNOWN;
  if (text) *text = linear->has_modes ? stability_text(&linear->modes) : "there are no modes";
  return linear->has_modes ? api_stability(&linear->modes) : QDOT_STABILITY_UNKNOWN;
}

const qdot_mode *qdot_mode_at(const qdot_linear *linear, size_t i) {
  if (!linear) return NULL;
  return i < qdot_mode_count(linear) ? &linear->shown[i] : NULL;
}
