// The derivation, pass by pass.
#include "derive/system.h"

#include "derive/derive.h"
#include "expr/build.h"
#include "expr/subst.h"

static void list_coordinates(Context *cx, System *s) {
  s->n = s->model->coordinates.n;
  Expr *q = arena_array(&cx->keep, Expr, s->n), *qd = arena_array(&cx->keep, Expr, s->n);
  Expr *qdd = arena_array(&cx->keep, Expr, s->n);
  for (uint32_t i = 0; i < s->n; i++) {
    const Coordinate *c = &s->model->coordinates.at[i];
    q[i] = c->q, qd[i] = c->qd, qdd[i] = c->qdd;
  }
  s->q = q, s->qd = qd, s->qdd = qdd;
}

static void list_states(Context *cx, System *s) {
  s->states = s->model->states.n;
  Expr *at = arena_array(&cx->keep, Expr, s->states), *sd = arena_array(&cx->keep, Expr, s->states);
  Expr *rates = arena_array(&cx->keep, Expr, s->states);
  for (uint32_t i = 0; i < s->states; i++) {
    const ModelState *state = &s->model->states.at[i];
    at[i] = state->s, sd[i] = state->sd, rates[i] = state->rate;
  }
  s->s = at, s->sd = sd, s->rates = rates;
}

Expr system_open_rates(Context *cx, const System *s, Expr e) {
  if (s->states == 0 || !expr_has_kind(cx, e, KIND_BIT(SYMBOL_STATE_RATE))) return e;
  Mark mark = arena_mark(&cx->scratch);
  Substitution *list = arena_array(&cx->scratch, Substitution, s->states);
  for (uint32_t i = 0; i < s->states; i++) list[i] = (Substitution){s->sd[i], s->rates[i]};
  Expr opened = expr_subst(cx, e, list, s->states);
  arena_release(&cx->scratch, mark);
  return opened;
}

void system_forget_plans(System *s) {
  s->plans = arena_array(&s->cx->keep, struct PlanSource *, SYSTEM_PLANS);
}

#define MOST_COORDINATES 30000 // so that entries of matrices can be counted in 32 bits

static Status derive_parts(Context *cx, const Model *model, DeriveParts parts, System *out) {
  expr_store(cx);
  System s = {.cx = cx, .model = model};
  if (model->coordinates.n > MOST_COORDINATES)
    return diag_error_plain(cx, QDOT_TOO_LARGE, "%u coordinates are too many; the limit is %d",
                            model->coordinates.n, MOST_COORDINATES);
  system_forget_plans(&s);
  list_coordinates(cx, &s);
  list_states(cx, &s);
  derive_energies(cx, &s);
  derive_forces(cx, &s);
  Status status = derive_constraints(cx, &s);
  if (status != QDOT_OK) return status;
  if (parts & DERIVE_MATRICES) derive_matrices(cx, &s);
  if (parts & DERIVE_LIFTED) derive_lifted(cx, &s);
  *out = s;
  return QDOT_OK;
}

Status derive_system(Context *cx, const Model *model, DeriveParts parts, System *out) {
  WorkStage outer = context_enter_stage(cx, STAGE_DERIVED);
  Status status = derive_parts(cx, model, parts, out);
  context_leave_stage(cx, outer);
  return status;
}

Status model_system(Model *model, DeriveParts parts, System **out) {
  Context *cx = model->cx;
  // a model that was made of another one has equations of its own
  if (!model->system || model->system->model != model) {
    System *fresh = arena_new(&cx->keep, System);
    Status status = derive_system(cx, model, DERIVE_BASIC, fresh);
    if (status != QDOT_OK) return status;
    model->system = fresh;
  }
  WorkStage outer = context_resume_stage(cx, STAGE_DERIVED);
  if (parts & DERIVE_MATRICES) derive_matrices(cx, model->system);
  if (parts & DERIVE_LIFTED) derive_lifted(cx, model->system);
  context_leave_stage(cx, outer);
  *out = model->system;
  return QDOT_OK;
}
