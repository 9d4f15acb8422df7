// Coordinates as first-order states: symbols, names, definitions and whatever uses them.
#include "derive/as_states.h"

#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "model/expressions.h"

int as_states_place(const AsStates *a, uint32_t coordinate) {
  for (uint32_t k = 0; k < a->n; k++)
    if (a->at[k] == coordinate) return (int)k;
  return -1;
}

uint32_t as_states_number(const AsStates *a, uint32_t coordinate) {
  uint32_t number = coordinate;
  for (uint32_t k = 0; k < a->n; k++) number -= a->at[k] < coordinate;
  return number;
}

Expr as_states_in_new_symbols(AsStates *a, Expr e) {
  return expr_subst(a->cx, e, a->list.at, a->list.n);
}

// The rate of e where those of the states are what they are.
static Expr rate_of(AsStates *a, Expr e) {
  return as_states_in_new_symbols(a, expr_time_derivative(a->cx, e));
}

static void list_symbols(AsStates *a) {
  Context *cx = a->cx;
  for (uint32_t k = 0; k < a->n; k++) {
    const Coordinate *c = &a->from->coordinates.at[a->at[k]];
    a->symbol[k] = expr_symbol(cx, SYMBOL_STATE, c->name);
    vec_push(&cx->scratch, &a->list, ((Substitution){c->q, a->symbol[k]}));
  }
  for (uint32_t k = 0; k < a->n; k++) a->rate[k] = as_states_in_new_symbols(a, a->rate[k]);
  for (uint32_t k = 0; k < a->n; k++) {
    const Coordinate *c = &a->from->coordinates.at[a->at[k]];
    vec_push(&cx->scratch, &a->list, ((Substitution){c->qd, a->rate[k]}));
    Expr sd = expr_time_derivative(cx, a->symbol[k]);
    vec_push(&cx->scratch, &a->list, ((Substitution){sd, a->rate[k]}));
  }
  for (uint32_t k = 0; k < a->n; k++) {
    Substitution faster = {a->from->coordinates.at[a->at[k]].qdd, rate_of(a, a->rate[k])};
    vec_push(&cx->scratch, &a->list, faster);
  }
}

static void divide_coordinates(AsStates *a) {
  Context *cx = a->cx;
  Model *out = a->out;
  memset(&out->coordinates, 0, sizeof out->coordinates);
  memset(&out->states, 0, sizeof out->states);
  for (uint32_t i = 0; i < a->from->coordinates.n; i++) {
    const Coordinate *c = &a->from->coordinates.at[i];
    int k = as_states_place(a, i);
    if (k < 0) {
      vec_push(&cx->keep, &out->coordinates, *c);
      continue;
    }
    ModelState state = {.name = c->name,
                        .s = a->symbol[k],
                        .sd = expr_time_derivative(cx, a->symbol[k]),
                        .value = c->position.value ? c->position.value : expr_int(cx, 0),
                        .rate = a->rate[k],
                        .measure = c->measure,
                        .description = c->description,
                        .span = c->span,
                        .rate_span = c->span};
    vec_push(&cx->keep, &out->states, state);
  }
  for (uint32_t i = 0; i < a->from->states.n; i++)
    vec_push(&cx->keep, &out->states, a->from->states.at[i]);
}

static void divide_names(AsStates *a) {
  Model *out = a->out;
  memset(&out->names, 0, sizeof out->names);
  memset(&out->name_of_symbol, 0, sizeof out->name_of_symbol);
  for (uint32_t i = 0; i < a->from->names.n; i++) {
    NameEntry entry = a->from->names.at[i];
    int k = entry.kind == NAME_COORDINATE ? as_states_place(a, entry.number) : -1;
    if (k >= 0)
      entry.kind = NAME_STATE, entry.number = (uint32_t)k;
    else if (entry.kind == NAME_COORDINATE)
      entry.number = as_states_number(a, entry.number);
    else if (entry.kind == NAME_STATE)
      entry.number += a->n;
    model_add_name(out, entry.name, entry.kind, entry.number, entry.span);
    out->names.at[out->names.n - 1].is_used = entry.is_used;
  }
}

static void divide_definitions(AsStates *a) {
  Context *cx = a->cx;
  memset(&a->out->definitions, 0, sizeof a->out->definitions);
  for (uint32_t i = 0; i < a->from->definitions.n; i++) {
    Definition d = a->from->definitions.at[i];
    Expr old = d.value;
    if (expr_is_definition(cx, old)) {
      Expr body = as_states_in_new_symbols(a, definition_body(cx, old));
      if (body != definition_body(cx, old)) d.value = expr_define(cx, d.name, body);
    }
    vec_push(&cx->keep, &a->out->definitions, d);
    Expr now = d.value;
    for (int order = 0; order < 3 && d.value != old; order++) {
      vec_push(&cx->scratch, &a->list, ((Substitution){old, now}));
      old = expr_time_derivative(cx, old);
      if (order < 2) now = rate_of(a, now);
    }
  }
}

void as_states_put(AsStates *a) {
  Context *cx = a->cx;
  ExprPlaces places = {0};
  statement_expressions(cx, a->out, &places);
  request_expressions(cx, &a->out->requests, &places);
  for (uint32_t i = 0; i < places.n; i++)
    *places.at[i] = as_states_in_new_symbols(a, *places.at[i]);
  // what a linearization says about it is said of the state
  for (uint32_t i = 0; i < a->out->requests.linearizations.n; i++) {
    LinearizeRequest *request = &a->out->requests.linearizations.at[i];
    for (uint32_t k = 0; k < request->point.n; k++)
      for (uint32_t j = 0; j < a->n; j++)
        if (request->point.at[k].symbol == a->from->coordinates.at[a->at[j]].q)
          request->point.at[k].symbol = a->symbol[j];
  }
  VEC(uint32_t) kept = {0};
  for (uint32_t i = 0; i < a->from->requests.independent.n; i++) {
    uint32_t number = a->from->requests.independent.at[i];
    if (as_states_place(a, number) < 0) vec_push(&cx->keep, &kept, as_states_number(a, number));
  }
  memcpy(&a->out->requests.independent, &kept, sizeof kept);
}

void as_states_divide(AsStates *a) {
  a->out = arena_new(&a->cx->keep, Model);
  *a->out = *a->from;
  a->out->system = NULL, a->out->named_twin = NULL, a->out->moving = NULL;
  a->out->shown_twin = NULL;
  list_symbols(a);
  divide_coordinates(a);
  divide_names(a);
  divide_definitions(a);
}
