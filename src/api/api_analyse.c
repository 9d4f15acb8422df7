// Equilibria, linearizations and modes.
#include "api/api_analyse.h"

#include "analyse/mobility/doctor.h"
#include "analyse/vibration/stability.h"
#include "analyse/vibration/valley.h"
#include "api/api_call.h"
#include "api/api_system.h"
#include "model/values.h"
#include "print/linear/linear_json.h"
#include "print/linear/linear_tex.h"
#include "print/linear/linear_text.h"

qdot_style qdot_style_defaults(void) {
  return (qdot_style){.format = QDOT_TEXT, .unicode = 1, .width = 100};
}

typedef struct Writing {
  Context *cx;
  System *system;
  qdot_linear *linear;
  uint32_t starts;
  size_t line; // which linearize line
  qdot_style style;
  qdot_sink sink;
} Writing;

static Status put(const Writing *w, const Text *text) {
  return w->sink.write(w->sink.user, text->at, text->n) == 0 ? QDOT_OK : QDOT_IO;
}

static Status no_latex(Context *cx, const char *what) {
  return diag_error_plain(cx, QDOT_UNSUPPORTED, "%s can be written as text or json", what);
}

static const LinearizeRequest *first_request(const Model *model) {
  return model->requests.linearizations.n ? &model->requests.linearizations.at[0] : NULL;
}

// ---- Equilibria

static Status write_equilibria(void *argument) {
  Writing *w = argument;
  Context *cx = w->cx;
  if (w->style.format == QDOT_LATEX) return no_latex(cx, "equilibria");
  double *values;
  Status status = model_values(cx, w->system->model, &cx->scratch, &values);
  if (status != QDOT_OK) return status;
  derive_matrices(cx, w->system);
  // a point is a guess here
  const LinearizeRequest *request = first_request(w->system->model);
  LinearizeRequest guess;
  if (request && request->kind == LINEARIZE_POINT) {
    guess = *request;
    guess.kind = LINEARIZE_EQUILIBRIUM;
    request = &guess;
  }
  Equilibria found;
  status = equilibria_find(cx, w->system, values, request, w->starts, &found);
  if (status != QDOT_OK) return status;
  Text out = text_new(&cx->scratch);
  TextStyle style = {w->style.unicode != 0, w->style.width};
  if (w->style.format == QDOT_JSON)
    equilibria_json(w->system, &found, &out);
  else
    equilibria_text(w->system, &found, &style, &out);
  return put(w, &out);
}

qdot_status qdot_equilibria_write(qdot_system *system, uint32_t starts, const qdot_style *style,
                                  qdot_sink sink) {
  Writing w = {.cx = system->system->cx, .system = system->system, .starts = starts, .sink = sink};
  w.style = style ? *style : qdot_style_defaults();
  return api_call(w.cx, write_equilibria, &w);
}

// ---- Linearization

static Status linearize(void *argument) {
  Writing *w = argument;
  Context *cx = w->cx;
  const Requests *requests = &w->system->model->requests;
  size_t lines = requests->linearizations.n;
  if (w->line > 0 && w->line >= lines)
    return diag_error_plain(cx, QDOT_BAD_ARGUMENT,
                            "there is no linearize line %zu; the model has %zu", w->line + 1,
                            lines);
  qdot_linear *linear = arena_new(&cx->keep, qdot_linear);
  Status status = model_values(cx, w->system->model, &cx->keep, &linear->values);
  if (status != QDOT_OK) return status;
  derive_matrices(cx, w->system);
  LinearizeOptions options = {.request = lines ? &requests->linearizations.at[w->line] : NULL,
                              .numbers_only = true}; // entries come when somebody reads them
  status = linearize_system(cx, w->system, linear->values, &options, &linear->linearized);
  if (status == QDOT_OK) status = doctor_warn_of_outputs(cx, w->system->model, "a linearization");
  if (status != QDOT_OK) return status;
  Status found = modes_find(&linear->linearized, &cx->keep, &linear->modes);
  linear->has_modes = found == QDOT_OK;
  if (linear->has_modes) energy_judge_alone(&linear->linearized, linear->values, &linear->modes);
  w->linear = linear;
  if (found == QDOT_OK || found == QDOT_SINGULAR_MASS) return QDOT_OK;
  return diag_error_plain(cx, found,
                          "the eigenvalues cannot be computed: some entries are not finite");
}

size_t qdot_system_points(const qdot_system *system) {
  return system->system->model->requests.linearizations.n;
}

qdot_status qdot_system_linearize(qdot_system *system, qdot_linear **out) {
  return qdot_system_linearize_at(system, 0, out);
}

qdot_status qdot_system_linearize_at(qdot_system *system, size_t i, qdot_linear **out) {
  Writing w = {.cx = system->system->cx, .system = system->system, .line = i};
  Status status = api_call(w.cx, linearize, &w);
  *out = status == QDOT_OK ? w.linear : NULL;
  return status;
}

static Status write_linear(void *argument) {
  Writing *w = argument;
  Text out = text_new(&w->cx->scratch);
  TextStyle style = {w->style.unicode != 0, w->style.width};
  const Linearized *l = &w->linear->linearized;
  Status status = linearized_add_entries(&w->linear->linearized, w->linear->values);
  if (status != QDOT_OK) return status;
  const Modes *modes = w->linear->has_modes ? &w->linear->modes : NULL;
  if (l->is_too_large && w->style.format == QDOT_LATEX)
    return diag_error_plain(
        w->cx, QDOT_UNSUPPORTED,
        "the exact matrices are too large for LaTeX; as json they have numbers");
  switch (w->style.format) {
  case QDOT_JSON: linear_json(l, modes, &out); break;
  case QDOT_LATEX: linear_tex(l, &out); break;
  default: linear_text(l, modes, &style, &out);
  }
  return put(w, &out);
}

static Writing writing_of(qdot_linear *linear, const qdot_style *style, qdot_sink sink) {
  Writing w = {.cx = linear->linearized.cx, .linear = linear, .sink = sink};
  w.style = style ? *style : qdot_style_defaults();
  return w;
}

qdot_status qdot_linear_write(qdot_linear *linear, const qdot_style *style, qdot_sink sink) {
  Writing w = writing_of(linear, style, sink);
  return api_call(w.cx, write_linear, &w);
}

// ---- Modes

Status api_no_modes(const qdot_linear *linear, const char *what) {
  const Linearized *l = &linear->linearized;
  const char *name =
      symbol_text(l->cx, l->system->model->coordinates.at[linear->modes.undetermined].name);
  Status status = diag_error_plain(
      l->cx, QDOT_SINGULAR_MASS,
      "%s: '%s' has neither mass nor damping nor stiffness at this point", what, name);
  diag_note(l->cx, "the linearized equations leave it open; other coordinates, or another point, "
                   "may do");
  return status;
}

static Status write_modes(void *argument) {
  Writing *w = argument;
  const Linearized *l = &w->linear->linearized;
  if (w->style.format == QDOT_LATEX) return no_latex(w->cx, "modes");
  if (!w->linear->has_modes) return api_no_modes(w->linear, "there are no modes");
  Text out = text_new(&w->cx->scratch);
  TextStyle style = {w->style.unicode != 0, w->style.width};
  Status status = QDOT_OK;
  if (frequency_forms_may_exist(l))
    status = linearized_add_entries(&w->linear->linearized, w->linear->values);
  if (status != QDOT_OK) return status;
  FrequencyForms forms = frequency_forms(l, &w->linear->modes, w->linear->values);
  if (w->style.format == QDOT_JSON)
    modes_json(l, &w->linear->modes, &forms, &out);
  else
    modes_text(l, &w->linear->modes, &forms, &style, &out);
  return put(w, &out);
}

qdot_status qdot_modes_write(qdot_linear *linear, const qdot_style *style, qdot_sink sink) {
  Writing w = writing_of(linear, style, sink);
  return api_call(w.cx, write_modes, &w);
}

// ---- Numbers

const double *qdot_linear_matrix(const qdot_linear *linear, qdot_matrix which, size_t *rows,
                                 size_t *columns) {
  const Linearized *l = &linear->linearized;
  size_t f = l->f, p = l->p, size = p + f;
  const struct {
    const double *at;
    size_t rows, columns;
  } matrices[] = {{l->number.M, f, f},          {l->number.C, f, f},
                  {l->number.K, f, p},          {l->number.B, f, l->inputs},
                  {l->state.A, size, size},     {l->state.B, size, l->inputs},
                  {l->C_out, l->outputs, size}, {l->D_out, l->outputs, l->inputs}};
  bool known = (size_t)which < sizeof matrices / sizeof *matrices;
  if (!known || (which >= QDOT_MATRIX_A && !l->has_state_space)) return NULL;
  *rows = matrices[which].rows, *columns = matrices[which].columns;
  return matrices[which].at;
}

size_t qdot_mode_count(const qdot_linear *linear) {
  return linear->has_modes ? linear->modes.count : 0;
}

qdot_mode qdot_mode_at(const qdot_linear *linear, size_t i) {
  const Mode *m = &linear->modes.mode[i];
  return (qdot_mode){.kind = (qdot_mode_kind)m->kind,
                     .re = m->re,
                     .im = m->im,
                     .omega = m->omega,
                     .hz = m->hz,
                     .damping = m->damping,
                     .shape_re = m->shape_re,
                     .shape_im = m->shape_im};
}
