// p = dL/dq' where it stands in a model's results.
#include "derive/momenta.h"

#include "expr/build.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "model/expressions.h"
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

void momenta_put(Model *model) {
  if (!model->has_momenta) return;
  Context *cx = model->cx;
  Mark mark = arena_mark(&cx->scratch);
  ExprPlaces places = {0};
  statement_expressions(cx, model, &places);
  request_expressions(cx, &model->requests, &places);
  Expr *values = arena_array(&cx->scratch, Expr, places.n + 1);
  for (uint32_t i = 0; i < places.n; i++) values[i] = *places.at[i];
  expr_subst_many(cx, values, places.n, list_momenta(model), model->coordinates.n, values);
  for (uint32_t i = 0; i < places.n; i++) *places.at[i] = values[i];
  arena_release(&cx->scratch, mark);
}
