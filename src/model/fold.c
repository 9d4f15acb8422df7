// rod.mass becomes 0.6 again wherever a model of bodies uses it.
#include "model/fold.h"

#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"

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
  VEC(Expr *) places; // of all expressions that may contain a number's name
} Folding;

static void take(Folding *f, Expr *places, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (places[i]) vec_push(&f->cx->scratch, &f->places, &places[i]);
}

#define TAKE(place) take(f, &(place), 1)
#define TAKE_ALL(array) take(f, array, sizeof(array) / sizeof *(array))

// A list of its own, for each of whose records `it` the expressions are taken.
#define EACH(type, list, ...)                                                                      \
  do {                                                                                             \
    VEC(type) copy_ = {0};                                                                         \
    for (uint32_t i_ = 0; i_ < (list).n; i_++) vec_push(&f->cx->keep, &copy_, (list).at[i_]);      \
    memcpy(&(list), &copy_, sizeof copy_);                                                         \
    for (uint32_t i_ = 0; i_ < (list).n; i_++) {                                                   \
      type *it = &(list).at[i_];                                                                   \
      __VA_ARGS__;                                                                                 \
    }                                                                                              \
  } while (0)

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

static void fold_definitions(Folding *f) {
  Context *cx = f->cx;
  EACH(Definition, f->out->definitions, {
    Expr old = it->value;
    if (!expr_is_definition(cx, old)) {
      it->value = expr_subst(cx, old, f->list.at, f->list.n);
      continue;
    }
    Expr body = expr_subst(cx, definition_body(cx, old), f->list.at, f->list.n);
    if (body == definition_body(cx, old)) continue;
    it->value = expr_define(cx, it->name, body);
    replace_with_rates(cx, &f->list, old, it->value);
  });
}

// ---- Where they stand

static void take_anchor(Folding *f, Anchor *anchor) { TAKE_ALL(anchor->at); }

static void take_mechanism(Folding *f) {
  Mechanism *m = &f->out->mechanism;
  TAKE_ALL(m->gravity);
  EACH(Body, m->bodies, {
    TAKE(it->mass), TAKE(it->inertia), TAKE_ALL(it->size);
    for (int k = 0; k < 3; k++) TAKE(it->start[k].value), TAKE(it->velocity[k].value);
  });
  EACH(Joint, m->joints, {
    take_anchor(f, &it->first), take_anchor(f, &it->second);
    TAKE(it->axis), TAKE(it->length), TAKE(it->ratio), TAKE(it->radius);
    TAKE(it->pressure), TAKE(it->friction);
  });
  EACH(Spring, m->springs, {
    take_anchor(f, &it->first), take_anchor(f, &it->second);
    TAKE(it->stiffness), TAKE(it->length), TAKE(it->damping), TAKE(it->preload);
  });
  EACH(Motor, m->motors, TAKE(it->value));
  EACH(Surface, m->surfaces, {
    take_anchor(f, &it->anchor);
    TAKE_ALL(it->from);
    TAKE(it->axis), TAKE(it->radius), TAKE(it->ring);
  });
}

static void take_statements(Folding *f) {
  Model *out = f->out;
  EACH(Coordinate, out->coordinates, TAKE(it->position.value), TAKE(it->velocity.value));
  EACH(Vector, out->vectors, TAKE_ALL(it->at));
  EACH(Energy, out->energies, TAKE(it->value));
  EACH(Force, out->forces, TAKE(it->value));
  EACH(PointForce, out->point_forces, TAKE_ALL(it->point), TAKE_ALL(it->force));
  EACH(Constraint, out->constraints, TAKE(it->phi));
  EACH(Contact, out->contacts, TAKE(it->phi), TAKE(it->restitution), TAKE(it->slip),
       TAKE(it->mu_rest), TAKE(it->mu));
  EACH(Input, out->inputs, TAKE(it->value));
  EACH(Output, out->outputs, TAKE(it->value));
  EACH(Output, out->members, TAKE(it->value));
}

static void take_draw(Folding *f, DrawRequest *draw) {
  Expr(*points)[3] = arena_alloc(&f->cx->keep, draw->point_count * sizeof *points);
  memcpy(points, draw->points, draw->point_count * sizeof *points);
  draw->points = points;
  for (uint32_t k = 0; k < draw->point_count; k++) TAKE_ALL(points[k]);
  TAKE(draw->radius), TAKE(draw->width), TAKE(draw->angle), TAKE_ALL(draw->size);
}

static void take_point(Folding *f, LinearizeRequest *request) {
  EACH(PointValue, request->point, TAKE(it->value));
}

static void take_curves(Folding *f, PlotRequest *plot) {
  EACH(Curve, plot->curves, TAKE(it->value));
}

static void take_requests(Folding *f) {
  Requests *r = &f->out->requests;
  TAKE(r->simulate.end), TAKE(r->simulate.every);
  EACH(Option, r->simulate.method.options, TAKE(it->value));
  EACH(Option, r->simulate.stabilize.options, TAKE(it->value));
  EACH(LinearizeRequest, r->linearizations, take_point(f, it));
  EACH(PlotRequest, r->plots, take_curves(f, it));
  EACH(DrawRequest, r->draws, take_draw(f, it));
}

static void put_numbers(Folding *f) {
  Expr *values = arena_array(&f->cx->scratch, Expr, f->places.n + 1);
  for (uint32_t i = 0; i < f->places.n; i++) values[i] = *f->places.at[i];
  expr_subst_many(f->cx, values, f->places.n, f->list.at, f->list.n, values);
  for (uint32_t i = 0; i < f->places.n; i++) *f->places.at[i] = values[i];
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
  fold_definitions(&f);
  take_mechanism(&f);
  take_statements(&f);
  take_requests(&f);
  put_numbers(&f);
  arena_release(&cx->scratch, mark);
  return f.out;
}
