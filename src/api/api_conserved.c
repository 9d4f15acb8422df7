// First integrals of systems.
#include <math.h>

#include "api/api_call.h"
#include "api/api_options.h"
#include "api/api_system.h"
#include "api/api_write.h"
#include "expr/value/eval.h"
#include "model/values.h"
#include "print/integrals_text.h"

typedef struct Conserving {
  qdot_system *system;
  int degree;
  qdot_write_options options;
  qdot_sink sink;
} Conserving;

// Puts one start into the values; false where it is only guessed and constraints may move it.
static bool take_start(const System *s, Expr symbol, const Initial *start, double *values) {
  if (start->kind != INITIAL_GIVEN && s->row_count) return false;
  if (start->value) values[symbol_variable(s->cx, symbol)] = expr_eval(s->cx, start->value, values);
  return true;
}

// Of each integral where the motion starts.
static Status values_at_start(const System *s, const Integrals *found, double **out) {
  Context *cx = s->cx;
  double *values;
  Status status = model_values(cx, s->model, &cx->scratch, &values);
  if (status != QDOT_OK) return status;
  bool is_known = true;
  for (uint32_t i = 0; i < s->n; i++) {
    const Coordinate *c = &s->model->coordinates.at[i];
    is_known = take_start(s, c->q, &c->position, values) && is_known;
    is_known = take_start(s, c->qd, &c->velocity, values) && is_known;
  }
  *out = arena_array(&cx->scratch, double, found->list.n + 1);
  for (uint32_t i = 0; i < found->list.n; i++)
    (*out)[i] = is_known ? expr_eval(cx, found->list.at[i].value, values) : NAN;
  return QDOT_OK;
}

static Status write_conserved(void *argument) {
  Conserving *c = argument;
  System *system;
  bool is_json = c->options.format == QDOT_FORMAT_JSON;
  Status status =
      is_json ? api_named_system(c->system, &system) : api_shown_system(c->system, &system);
  if (status != QDOT_OK) return status;
  Context *cx = system->cx;
  Integrals found;
  integrals_find(cx, system, c->degree, &found);
  ShownIntegrals shown = {.cx = cx, .system = system, .found = &found};
  double *values;
  status = values_at_start(system, &found, &values);
  if (status != QDOT_OK) return status;
  shown.values = values;
  claims_judge(cx, system, &shown.claims);
  Text out = text_new(&cx->scratch);
  if (is_json) {
    integrals_json(&shown, &out);
  } else if (c->options.format == QDOT_FORMAT_TEXT) {
    TextStyle style = api_text_style(&c->options);
    integrals_text(&shown, &style, &out);
  } else {
    return api_only_text_and_json(cx, "first integrals");
  }
  return c->sink.write(c->sink.user, out.at, out.n) == 0 ? QDOT_OK : QDOT_IO;
}

qdot_status qdot_system_conserved_write(qdot_system *system, int degree,
                                        const qdot_write_options *options, qdot_sink sink) {
  if (!system) return QDOT_BAD_ARGUMENT;
  Conserving c = {.system = system, .degree = degree, .sink = sink};
  if (degree < 0 || degree > 2 || !api_options(options, &c.options, sizeof c.options))
    return QDOT_BAD_ARGUMENT;
  return api_call(system->system->cx, write_conserved, &c);
}
