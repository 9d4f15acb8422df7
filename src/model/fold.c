// rod.mass becomes 0.6 again wherever a model of bodies uses it.
#include "model/fold.h"

#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "model/expressions.h"

void replace_with_rates(Context *cx, Substitutions *list, Expr from, Expr to) {
  for (int order = 0; order < 3; order++) {
    vec_push(&cx->scratch, list, ((Substitution){from, to}));
    from = expr_time_derivative(cx, from), to = expr_time_derivative(cx, to);
  }
}

typedef struct Folding {
  Context *cx;
  Model *out;
  Substitutions list;
} Folding;

// ---- What there is to replace

// Parameters that stay, and for all others what they are: a number, or an inertia of parameters.
static void divide_parameters(Folding *f, const Model *model) {
  Context *cx = f->cx;
  memset(&f->out->parameters, 0, sizeof f->out->parameters);
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    Parameter p = model->parameters.at[i];
    p.value = expr_subst(cx, p.value, f->list.at, f->list.n);
    if (p.is_number && !p.is_varied)
      vec_push(&cx->scratch, &f->list, ((Substitution){p.symbol, p.value}));
    else
      vec_push(&cx->keep, &f->out->parameters, p);
  }
}

// The same names without those of the numbers, parameters at their new places.
static void divide_names(Folding *f, const Model *model) {
  memset(&f->out->names, 0, sizeof f->out->names);
  memset(&f->out->name_of_symbol, 0, sizeof f->out->name_of_symbol);
  uint32_t *place = arena_array(&f->cx->scratch, uint32_t, model->parameters.n + 1), n = 0;
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    place[i] = p->is_number && !p->is_varied ? UINT32_MAX : n++;
  }
  for (uint32_t i = 0; i < model->names.n; i++) {
    NameEntry entry = model->names.at[i];
    if (entry.kind == NAME_PARAMETER) entry.number = place[entry.number];
    if (entry.kind == NAME_PARAMETER && entry.number == UINT32_MAX) continue;
    model_add_name(f->out, entry.name, entry.kind, entry.number, entry.span);
    f->out->names.at[f->out->names.n - 1].is_used = entry.is_used;
  }
}

static void fold_definitions(Folding *f, const Model *model) {
  Context *cx = f->cx;
  memset(&f->out->definitions, 0, sizeof f->out->definitions);
  for (uint32_t i = 0; i < model->definitions.n; i++) {
    Definition d = model->definitions.at[i];
    Expr old = d.value;
    if (!expr_is_definition(cx, old)) {
      d.value = expr_subst(cx, old, f->list.at, f->list.n);
    } else {
      Expr body = expr_subst(cx, definition_body(cx, old), f->list.at, f->list.n);
      if (body != definition_body(cx, old)) {
        d.value = expr_define(cx, d.name, body);
        replace_with_rates(cx, &f->list, old, d.value);
      }
    }
    vec_push(&cx->keep, &f->out->definitions, d);
  }
}

// ---- Where they stand

static void put_numbers(Folding *f) {
  Context *cx = f->cx;
  ExprPlaces places = {0};
  mechanism_expressions(cx, &f->out->mechanism, &places);
  statement_expressions(cx, f->out, &places);
  request_expressions(cx, &f->out->requests, &places);
  Expr *values = arena_array(&cx->scratch, Expr, places.n + 1);
  for (uint32_t i = 0; i < places.n; i++) values[i] = *places.at[i];
  expr_subst_many(cx, values, places.n, f->list.at, f->list.n, values);
  for (uint32_t i = 0; i < places.n; i++) *places.at[i] = values[i];
}

const Model *model_fold(Context *cx, const Model *model) {
  bool has_numbers = false;
  for (uint32_t i = 0; i < model->parameters.n && !has_numbers; i++)
    has_numbers = model->parameters.at[i].is_number && !model->parameters.at[i].is_varied;
  if (!has_numbers) return model;
  Mark mark = arena_mark(&cx->scratch);
  Folding f = {.cx = cx, .out = arena_new(&cx->keep, Model)};
  *f.out = *model;
  f.out->named = model;
  divide_parameters(&f, model);
  divide_names(&f, model);
  fold_definitions(&f, model);
  put_numbers(&f);
  arena_release(&cx->scratch, mark);
  return f.out;
}
