// p = dL/dq' where it stands in a model's results.
#include "derive/momenta.h"

#include "derive/from_hamiltonian.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "model/expressions.h"
#include "model/fold.h"
#include "model/momentum.h"

static Substitution *list_momenta(const Model *model) {
  Context *cx = model->cx;
  uint32_t n = model->coordinates.n;
  Substitution *list = arena_array(&cx->scratch, Substitution, n + 1);
  Expr T = model_inertial_energy(model);
  for (uint32_t i = 0; i < n; i++)
    list[i] =
        (Substitution){momentum_symbol(model, i), expr_diff(cx, T, model->coordinates.at[i].qd)};
  return list;
}

Expr momenta_open(const Model *model, Expr e) {
  Mark mark = arena_mark(&model->cx->scratch);
  e = expr_subst(model->cx, e, list_momenta(model), model->coordinates.n);
  arena_release(&model->cx->scratch, mark);
  return e;
}

// Definitions that contain momenta anew, with their rates, for all that uses them.
static void put_in_definitions(Model *model, Substitutions *list) {
  Context *cx = model->cx;
  for (uint32_t i = 0; i < model->definitions.n; i++) {
    Definition *d = &model->definitions.at[i];
    Expr old = d->value;
    if (!expr_is_definition(cx, old)) continue;
    Expr body = expr_subst(cx, definition_body(cx, old), list->at, list->n);
    if (body == definition_body(cx, old)) continue;
    d->value = expr_define(cx, d->name, body);
    Expr now = d->value;
    for (int order = 0; order < 3; order++) {
      vec_push(&cx->scratch, list, ((Substitution){old, now}));
      old = expr_time_derivative(cx, old), now = expr_time_derivative(cx, now);
    }
  }
}

static void put(Model *model, Expr **at, uint32_t n, const Substitutions *list) {
  Context *cx = model->cx;
  Expr *values = arena_array(&cx->scratch, Expr, n + 1);
  for (uint32_t i = 0; i < n; i++) values[i] = *at[i];
  expr_subst_many(cx, values, n, list->at, list->n, values);
  for (uint32_t i = 0; i < n; i++) *at[i] = values[i];
}

void momenta_put(Model *model) {
  if (!model->has_momenta) return;
  Context *cx = model->cx;
  Mark mark = arena_mark(&cx->scratch);
  const Substitution *momenta = list_momenta(model);
  Substitutions list = {0};
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    vec_push(&cx->scratch, &list, momenta[i]);
    Expr rate = expr_time_derivative(cx, momenta[i].to);
    vec_push(&cx->scratch, &list, ((Substitution){momentum_rate_symbol(model, i), rate}));
  }
  put_in_definitions(model, &list);
  ExprPlaces places = {0};
  statement_expressions(cx, model, &places);
  request_expressions(cx, &model->requests, &places);
  VEC(Energy) stated = {0}; // H stays a function of momenta
  for (uint32_t i = 0; i < model->energies.n; i++)
    vec_push(&cx->scratch, &stated, model->energies.at[i]);
  put(model, places.at, places.n, &list);
  for (uint32_t i = 0; i < stated.n; i++)
    if (stated.at[i].kind == ENERGY_HAMILTONIAN) model->energies.at[i] = stated.at[i];
  arena_release(&cx->scratch, mark);
}

Status momenta_take(Model **model) {
  Status status = canonical_take(model);
  if (status == QDOT_OK) status = momentum_starts_take(*model);
  if (status == QDOT_OK) momenta_put(*model);
  return status;
}
