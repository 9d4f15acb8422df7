// Conditions on velocities as columns.
#include "lang/held.h"

#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/print.h"
#include "expr/walk.h"
#include "model/expressions.h"

#define VELOCITIES (KIND_BIT(SYMBOL_VELOCITY) | KIND_BIT(SYMBOL_POSE_VELOCITY))

// What changes its sign where a condition on velocities switches; 0 for others.
static Expr guard_of(Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  Expr guard = 0;
  switch (node->op) {
  case OP_ABS:
  case OP_SIGN: guard = node->args[0]; break;
  case OP_MIN:
  case OP_MAX:
  case OP_LT:
  case OP_LE: guard = expr_sub(cx, node->args[0], node->args[1]); break;
  default: break;
  }
  return guard && expr_has_kind(cx, guard, VELOCITIES) ? guard : 0;
}

static bool jumps(const Context *cx, Expr e) {
  Op op = op_of(cx, e);
  return op == OP_SIGN || op == OP_LT || op == OP_LE;
}

static bool is_written(const Model *model, Expr value) {
  for (uint32_t i = 0; i < model->outputs.n; i++)
    if (model->outputs.at[i].value == value) return true;
  for (uint32_t i = 0; i < model->members.n; i++)
    if (model->members.at[i].value == value) return true;
  return false;
}

// All that stands in these places, bodies of definitions included.
static ExprList parts_of(Context *cx, const ExprPlaces *places) {
  ExprList roots = {0};
  for (uint32_t i = 0; i < places->n; i++) vec_push(&cx->scratch, &roots, *places->at[i]);
  return expr_walk(cx, roots.at, roots.n, visit_all, NULL);
}

// The jumps in plots and drawings; what is a column as a whole needs no more.
static ExprList shown_jumps(Context *cx, const Model *model) {
  Requests shown = {0};
  memcpy(&shown.plots, &model->requests.plots, sizeof shown.plots);
  memcpy(&shown.draws, &model->requests.draws, sizeof shown.draws);
  ExprPlaces places = {0};
  request_expressions(cx, &shown, &places);
  for (uint32_t i = places.n; i-- > 0;)
    if (is_written(model, *places.at[i])) places.at[i] = places.at[--places.n];
  ExprList all = parts_of(cx, &places), found = {0};
  for (uint32_t i = 0; i < all.n; i++)
    if (jumps(cx, all.at[i]) && guard_of(cx, all.at[i])) vec_push(&cx->scratch, &found, all.at[i]);
  return found;
}

// Has it a product that divides by velocities, as v/norm(v), or, where roots count, norm(v), whose
// slope does?
static bool any_divides(Context *cx, const ExprList *all, bool roots_count) {
  for (uint32_t i = 0; i < all->n; i++) {
    const Node *node = node_of(cx, all->at[i]);
    for (uint32_t k = 0; node->op == OP_PRODUCT && k < node->count; k++) {
      Pair pair = pairs_of(node)[k];
      bool counts =
          number_sign(cx, pair.number) < 0 || (roots_count && !number_is_integer(cx, pair.number));
      if (counts && expr_has_kind(cx, pair.expr, VELOCITIES)) return true;
    }
  }
  return false;
}

static ExprList acting_parts(Context *cx, const Model *model) {
  Model acting = *model;
  memset(&acting.outputs, 0, sizeof acting.outputs);
  memset(&acting.members, 0, sizeof acting.members);
  ExprPlaces places = {0};
  statement_expressions(cx, &acting, &places);
  mechanism_expressions(cx, &acting.mechanism, &places);
  return parts_of(cx, &places);
}

// The guards of all that acts; an abs in a dissipation is a sign in the force.
static ExprList acting_guards(Context *cx, const Model *model) {
  ExprList all = acting_parts(cx, model), guards = {0};
  for (uint32_t i = 0; i < all.n; i++) {
    Expr guard = guard_of(cx, all.at[i]);
    if (guard) vec_push(&cx->scratch, &guards, guard);
  }
  return guards;
}

static bool has(const ExprList *list, Expr e) {
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i] == e) return true;
  return false;
}

// Friction in a plane, v/norm(v), has no value at rest by itself: curves with it are columns.
static void add_curve(Context *cx, Model *model, const Curve *curve) {
  ExprList all = expr_walk(cx, &curve->value, 1, visit_all, NULL);
  if (is_written(model, curve->value) || !any_divides(cx, &all, false)) return;
  all = acting_parts(cx, model);
  Output column = {.name = symbol_from_text(cx, curve->label),
                   .value = curve->value,
                   .measure = curve->measure,
                   .span = curve->span};
  if (any_divides(cx, &all, true)) vec_push(&cx->keep, &model->members, column);
}

void held_add_switches(Context *cx, Model *model) {
  Mark mark = arena_mark(&cx->scratch);
  for (uint32_t i = 0; i < model->requests.plots.n; i++)
    for (uint32_t k = 0; k < model->requests.plots.at[i].curves.n; k++)
      add_curve(cx, model, &model->requests.plots.at[i].curves.at[k]);
  ExprList shown = shown_jumps(cx, model), acting = {0};
  if (shown.n > 0) acting = acting_guards(cx, model);
  for (uint32_t i = 0; i < shown.n; i++) {
    Expr guard = guard_of(cx, shown.at[i]);
    bool acts = has(&acting, guard) || has(&acting, expr_neg(cx, guard));
    if (!acts || is_written(model, shown.at[i])) continue;
    const char *text = expr_text(cx, &cx->scratch, shown.at[i]);
    Output column = {
        .name = symbol_from_text(cx, text), .value = shown.at[i], .measure = {.is_known = true}};
    vec_push(&cx->keep, &model->members, column);
  }
  arena_release(&cx->scratch, mark);
}
