// The reduced model: Routh's function for a Lagrangian, momenta for parameters.
#include <string.h>

#include "derive/as_states.h"
#include "derive/roads/routh.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "model/expressions.h"

typedef struct Reducing {
  Context *cx;
  Model *model;
  const System *s;
  Routh routh;
  Expr *parameter; // of each momentum
  AsStates states;
} Reducing;

// They may vary the start.
static bool has_questions(const Requests *r) {
  return r->tolerance.span.end || r->sensitivity.span.end || r->fit.span.end || r->find.span.end ||
         r->orbit.span.end || r->sweep.span.end;
}

// The start is what the lines say, and momenta stay what they are there.
static bool is_known(const Model *model) {
  return !model->constraints.n && !model->contacts.n && !model->occasions.n &&
         !model->samplings.n && !model->mechanism.bodies.n && !model->origin &&
         !model->space.solids.n && !has_questions(&model->requests);
}

// p_c where the motion begins, in parameters.
static void find_starts(const Reducing *r, Expr *value) {
  Context *cx = r->cx;
  const Model *model = r->model;
  uint32_t n = model->coordinates.n;
  Substitution *list =
      arena_array(&cx->scratch, Substitution, 2 * n + model->states.n + model->inputs.n + 1);
  uint32_t count = 0;
  Expr zero = expr_int(cx, 0);
  for (uint32_t i = 0; i < n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    list[count++] = (Substitution){c->q, c->position.value ? c->position.value : zero};
    list[count++] = (Substitution){c->qd, c->velocity.value ? c->velocity.value : zero};
  }
  for (uint32_t i = 0; i < model->states.n; i++)
    list[count++] = (Substitution){model->states.at[i].s, model->states.at[i].value};
  for (uint32_t i = 0; i < model->inputs.n; i++)
    list[count++] = (Substitution){model->inputs.at[i].symbol, model->inputs.at[i].value};
  list[count++] = (Substitution){r->s->t, zero};
  expr_subst_many(cx, r->routh.momentum, r->routh.cyclic, list, count, value);
}

// A parameter has the name of the momentum.
static void add_parameters(Reducing *r, Model *out, const Expr *value) {
  Context *cx = r->cx;
  VEC(Parameter) all = {0};
  for (uint32_t i = 0; i < out->parameters.n; i++) vec_push(&cx->keep, &all, out->parameters.at[i]);
  for (uint32_t k = 0; k < r->routh.cyclic; k++) {
    const Coordinate *c = &r->model->coordinates.at[r->routh.cyclic_at[k]];
    Symbol name = symbol_name(cx, r->routh.p[k]);
    Measure measure = {.is_known = c->measure.is_known,
                       .dimension = dimension_div(dimension_base(1, 2, -1), c->measure.dimension)};
    Parameter parameter = {.name = name,
                           .symbol = r->parameter[k],
                           .value = value[k],
                           .measure = measure,
                           .span = c->span};
    if (!model_find(out, name)) model_add_name(out, name, NAME_PARAMETER, all.n, c->span);
    vec_push(&cx->keep, &all, parameter);
  }
  memcpy(&out->parameters, &all, sizeof all);
}

static Expr with_parameters(const Reducing *r, Expr e) {
  Substitution *list = arena_array(&r->cx->scratch, Substitution, r->routh.cyclic + 1);
  for (uint32_t k = 0; k < r->routh.cyclic; k++)
    list[k] = (Substitution){r->routh.p[k], r->parameter[k]};
  return expr_subst(r->cx, e, list, r->routh.cyclic);
}

// R takes the place of the energies; what damps and drives the others stays, on their new numbers.
static void divide_forces(Reducing *r, Model *out) {
  Context *cx = r->cx;
  memset(&out->energies, 0, sizeof out->energies);
  memset(&out->forces, 0, sizeof out->forces);
  Span span = r->model->energies.at[0].span;
  Energy function = {ENERGY_LAGRANGIAN, 0, with_parameters(r, r->routh.function), span};
  vec_push(&cx->keep, &out->energies, function);
  for (uint32_t i = 0; i < r->model->energies.n; i++)
    if (r->model->energies.at[i].kind == ENERGY_DISSIPATION)
      vec_push(&cx->keep, &out->energies, r->model->energies.at[i]);
  for (uint32_t i = 0; i < r->model->forces.n; i++) {
    Force force = r->model->forces.at[i];
    if (as_states_place(&r->states, force.coordinate) >= 0) continue;
    force.coordinate = as_states_number(&r->states, force.coordinate);
    vec_push(&cx->keep, &out->forces, force);
  }
}

// Velocities and accelerations of cyclic coordinates are columns as before.
static void add_columns(const Reducing *r, Model *out) {
  Context *cx = r->cx;
  VEC(Output) all = {0};
  for (uint32_t i = 0; i < out->members.n; i++) vec_push(&cx->keep, &all, out->members.at[i]);
  for (uint32_t k = 0; k < r->routh.cyclic; k++) {
    const Coordinate *c = &r->model->coordinates.at[r->routh.cyclic_at[k]];
    const Expr value[] = {c->qd, c->qdd};
    for (int order = 0; order < 2; order++) {
      const char *name =
          text_format(&cx->scratch, "%s%s", symbol_text(cx, c->name), order ? "''" : "'");
      Output column = {.name = symbol_from_text(cx, name), .value = value[order], .span = c->span};
      column.measure = c->measure;
      column.measure.unit = NULL;
      Dimension rate = dimension_base(0, 0, order ? -2 : -1);
      column.measure.dimension = dimension_mul(c->measure.dimension, rate);
      vec_push(&cx->keep, &all, column);
    }
  }
  memcpy(&out->members, &all, sizeof all);
}

static Model *reduce(Reducing *r) {
  Context *cx = r->cx;
  uint32_t n = r->routh.cyclic;
  Expr *rate = arena_array(&cx->scratch, Expr, n + 1),
       *value = arena_array(&cx->scratch, Expr, n + 1);
  r->parameter = arena_array(&cx->keep, Expr, n + 1);
  for (uint32_t k = 0; k < n; k++)
    r->parameter[k] = expr_symbol(cx, SYMBOL_PARAMETER, symbol_name(cx, r->routh.p[k]));
  find_starts(r, value);
  for (uint32_t k = 0; k < n; k++) rate[k] = with_parameters(r, r->routh.velocity[k]);
  r->states = (AsStates){.cx = cx,
                         .from = r->model,
                         .n = n,
                         .at = r->routh.cyclic_at,
                         .rate = rate,
                         .symbol = arena_array(&cx->scratch, Expr, n + 1)};
  as_states_divide(&r->states);
  Model *out = r->states.out;
  out->road = NULL;
  out->unreduced = r->model;
  add_parameters(r, out, value);
  divide_forces(r, out);
  add_columns(r, out);
  as_states_put(&r->states);
  return out;
}

// What is left where nobody asks for the cyclic coordinates.
static void forget_cyclic(Reducing *r, Model *out) {
  VEC(ModelState) kept = {0};
  for (uint32_t i = r->routh.cyclic; i < out->states.n; i++)
    vec_push(&r->cx->keep, &kept, out->states.at[i]);
  memcpy(&out->states, &kept, sizeof kept);
  Requests none = {0};
  out->requests = none;
  out->outputs.n = out->members.n = 0;
}

Model *routh_reduction(Model *model, bool with_cyclic) {
  Context *cx = model->cx;
  System *s;
  if (!is_known(model) || model_system(model, DERIVE_MATRICES, &s) != QDOT_OK) return NULL;
  Mark mark = arena_mark(&cx->scratch);
  Reducing r = {.cx = cx, .model = model, .s = s};
  Model *out = NULL;
  Diagnostics before = diag_mark(cx);
  if (routh_derive(cx, s, &r.routh) == QDOT_OK && r.routh.rest > 0) out = reduce(&r);
  if (out && !with_cyclic) forget_cyclic(&r, out);
  diag_rollback(cx, before);
  arena_release(&cx->scratch, mark);
  return out;
}
