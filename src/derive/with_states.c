// First-order states as coordinates without mass.
#include "derive/with_states.h"

#include <string.h>

#include "expr/build.h"

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
  if (s->states == 0) return s;
  derive_matrices(cx, s);
  System *out = arena_new(&cx->keep, System);
  uint32_t n = s->n, all = n + s->states;
  const Model *model = model_with_states(cx, s->model);
  *out = *s;
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
