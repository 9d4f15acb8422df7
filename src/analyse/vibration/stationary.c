// The search for where the effective potential is level.
#include "analyse/vibration/stationary.h"

#include "derive/roads/routh.h"
#include "expr/build.h"
#include "expr/subst.h"
#include "expr/value/eval.h"
#include "model/values.h"

// V_eff with momenta as parameters, and what is known of the cyclic coordinates.
static Status take_routh(Context *cx, Model *model, Stationary *out) {
  System *s;
  Routh routh;
  Status status = model_system(model, DERIVE_MATRICES, &s);
  if (status == QDOT_OK) status = routh_derive(cx, s, &routh);
  if (status != QDOT_OK) return status;
  Expr *qd = arena_array(&cx->keep, Expr, routh.cyclic),
       *p = arena_array(&cx->keep, Expr, routh.cyclic);
  Substitution *list = arena_array(&cx->keep, Substitution, routh.cyclic);
  for (uint32_t k = 0; k < routh.cyclic; k++) {
    const Coordinate *c = &model->coordinates.at[routh.cyclic_at[k]];
    qd[k] = c->qd;
    p[k] = expr_symbol(cx, SYMBOL_PARAMETER, symbol_name(cx, routh.p[k]));
    list[k] = (Substitution){routh.p[k], p[k]};
  }
  out->cyclic = routh.cyclic, out->qd = qd, out->p = p;
  out->potential = expr_subst(cx, routh.effective, list, routh.cyclic);
  return QDOT_OK;
}

static void find_rates(Context *cx, const Model *moving, Stationary *s) {
  s->rate = arena_array(&cx->keep, double, (size_t)s->found.n * s->cyclic + 1);
  for (uint32_t i = 0; i < s->found.n; i++) {
    for (uint32_t k = 0; k < s->reduced->n; k++)
      s->values[symbol_variable(cx, s->reduced->q[k])] = s->found.at[i].state->q[k];
    for (uint32_t k = 0; k < s->cyclic; k++)
      s->rate[i * s->cyclic + k] = expr_eval(cx, moving->states.at[k].rate, s->values);
  }
}

bool stationary_find(Context *cx, Model *model, uint32_t starts, Stationary *out, Status *status) {
  Model *rest = routh_reduction(model, false), *moving = routh_reduction(model, true);
  *status = QDOT_OK;
  if (!rest || !moving) return false;
  *out = (Stationary){0};
  *status = take_routh(cx, model, out);
  if (*status == QDOT_OK) *status = model_system(rest, DERIVE_MATRICES, &out->reduced);
  if (*status == QDOT_OK) *status = model_values(cx, rest, &cx->keep, &out->values);
  if (*status == QDOT_OK)
    *status = equilibria_find(cx, out->reduced, out->values, NULL, starts, &out->found);
  if (*status == QDOT_OK) find_rates(cx, moving, out);
  return true;
}
