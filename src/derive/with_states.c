// First-order states as coordinates without mass.
#include "derive/with_states.h"

#include <string.h>

#include "derive/at_rest.h"
#include "expr/build.h"

// ---- Values that samples hold

// The assignment of a sample to an input, and its period; NULL where no sample assigns it.
static const Assignment *assignment_of(const Model *model, Expr input, Expr *period) {
  for (uint32_t i = 0; i < model->samplings.n; i++) {
    const Sampling *line = &model->samplings.at[i];
    for (uint32_t k = 0; k < line->count; k++) {
      const Assignment *a = &model->assignments.at[line->first + k];
      *period = line->period;
      if (a->target == input) return a;
    }
  }
  return NULL;
}

// A held value w is a state with the rate (its next value - w)/T: it rests where samples change
// nothing.
static void list_held(Context *cx, const Model *from, Model *out) {
  memset(&out->inputs, 0, sizeof out->inputs);
  memset(&out->states, 0, sizeof out->states);
  for (uint32_t i = 0; i < from->states.n; i++)
    vec_push(&cx->keep, &out->states, from->states.at[i]);
  for (uint32_t i = 0; i < from->inputs.n; i++) {
    const Input *input = &from->inputs.at[i];
    Expr period;
    const Assignment *a = assignment_of(from, input->symbol, &period);
    if (!a) {
      vec_push(&cx->keep, &out->inputs, *input);
      continue;
    }
    Expr change = expr_sub(cx, a->value, input->symbol);
    ModelState state = {.name = input->name,
                        .s = input->symbol,
                        .sd = expr_symbol(cx, SYMBOL_STATE_RATE, input->name),
                        .value = input->value,
                        .rate = expr_div(cx, change, period),
                        .measure = input->measure,
                        .description = input->description,
                        .span = input->span,
                        .rate_span = a->span};
    vec_push(&cx->keep, &out->states, state);
  }
}

static void number_names(const Model *from, Model *out) {
  memset(&out->names, 0, sizeof out->names);
  memset(&out->name_of_symbol, 0, sizeof out->name_of_symbol);
  uint32_t inputs = 0, held = from->states.n;
  for (uint32_t i = 0; i < from->names.n; i++) {
    NameEntry entry = from->names.at[i];
    Expr period;
    if (entry.kind == NAME_INPUT) {
      bool is_held = assignment_of(from, from->inputs.at[entry.number].symbol, &period) != NULL;
      entry.kind = is_held ? NAME_STATE : NAME_INPUT;
      entry.number = is_held ? held++ : inputs++;
    }
    model_add_name(out, entry.name, entry.kind, entry.number, entry.span);
    out->names.at[out->names.n - 1].is_used = entry.is_used;
  }
}

static bool has_held(const Model *model) {
  Expr period;
  for (uint32_t i = 0; i < model->inputs.n; i++)
    if (assignment_of(model, model->inputs.at[i].symbol, &period)) return true;
  return false;
}

// The same system with held values among its states.
static System *with_held(Context *cx, System *s) {
  Model *model = arena_new(&cx->keep, Model);
  *model = *s->model;
  model->system = NULL;
  list_held(cx, s->model, model);
  number_names(s->model, model);
  System *out = arena_new(&cx->keep, System);
  *out = *s;
  system_forget_plans(out);
  out->model = model;
  out->held = model->states.n - s->states;
  out->states = model->states.n;
  Expr *symbols = arena_array(&cx->keep, Expr, out->states), *rates;
  Expr *sd = arena_array(&cx->keep, Expr, out->states);
  rates = arena_array(&cx->keep, Expr, out->states);
  for (uint32_t i = 0; i < out->states; i++) {
    symbols[i] = i < s->states ? s->s[i] : model->states.at[i].s;
    sd[i] = i < s->states ? s->sd[i] : model->states.at[i].sd;
    rates[i] = i < s->states ? s->rates[i] : model->states.at[i].rate;
  }
  out->s = symbols, out->sd = sd, out->rates = rates;
  return out;
}

// ---- States as coordinates

static Model *model_with_states(Context *cx, const Model *from) {
  Model *out = arena_new(&cx->keep, Model);
  *out = *from;
  out->system = NULL;
  memset(&out->coordinates, 0, sizeof out->coordinates);
  for (uint32_t i = 0; i < from->coordinates.n; i++)
    vec_push(&cx->keep, &out->coordinates, from->coordinates.at[i]);
  for (uint32_t i = 0; i < from->states.n; i++) {
    const ModelState *state = &from->states.at[i];
    Coordinate c = {.name = state->name,
                    .q = state->s,
                    .qd = state->sd,
                    .qdd = expr_symbol(cx, SYMBOL_ACCELERATION, state->name),
                    .position = {.kind = INITIAL_GIVEN, .value = state->value, .span = state->span},
                    .measure = state->measure,
                    .description = state->description,
                    .span = state->span};
    vec_push(&cx->keep, &out->coordinates, c);
  }
  return out;
}

// The list of n with what follows for the states.
static Expr *longer(Context *cx, const Expr *list, uint32_t n, const Expr *more, uint32_t states) {
  Expr *out = arena_array(&cx->keep, Expr, n + states);
  for (uint32_t i = 0; i < n + states; i++)
    out[i] = i < n ? list[i] : more ? more[i - n] : expr_int(cx, 0);
  return out;
}

static Row *longer_rows(Context *cx, const System *s, const Row *rows, uint32_t count) {
  Row *out = arena_array(&cx->keep, Row, count);
  for (uint32_t k = 0; k < count; k++) {
    out[k] = rows[k];
    out[k].phi_q = longer(cx, rows[k].phi_q, s->n, NULL, s->states);
  }
  return out;
}

System *system_with_states(Context *cx, System *s) {
  s = system_at_rest(cx, s);
  bool holds = has_held(s->model);
  if (s->states == 0 && !holds) return s;
  derive_matrices(cx, s);
  if (holds) s = with_held(cx, s);
  System *out = arena_new(&cx->keep, System);
  uint32_t n = s->n, all = n + s->states;
  const Model *model = model_with_states(cx, s->model);
  *out = *s;
  system_forget_plans(out);
  out->model = model;
  out->n = all, out->states = 0;
  out->inertia = NULL, out->lifted = NULL;
  Expr *qdd = longer(cx, s->qdd, n, NULL, s->states);
  for (uint32_t i = n; i < all; i++) qdd[i] = model->coordinates.at[i].qdd;
  out->q = longer(cx, s->q, n, s->s, s->states);
  out->qd = longer(cx, s->qd, n, s->sd, s->states);
  out->qdd = qdd;
  out->G = longer(cx, s->G, n, NULL, s->states);
  out->h = longer(cx, s->h, n, NULL, s->states);
  out->D = longer(cx, s->D, n, s->sd, s->states);
  out->Q = longer(cx, s->Q, n, s->rates, s->states);
  out->M = arena_array(&cx->keep, Expr, (size_t)all * all);
  for (uint32_t i = 0; i < all; i++)
    for (uint32_t j = 0; j < all; j++)
      out->M[(size_t)i * all + j] = i < n && j < n ? s->M[(size_t)i * n + j] : expr_int(cx, 0);
  out->rows = longer_rows(cx, s, s->rows, s->row_count);
  out->contacts = longer_rows(cx, s, s->contacts, s->contact_count);
  return out;
}
