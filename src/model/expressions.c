// Where a model has expressions.
#include "model/expressions.h"

#include <string.h>

typedef struct Taking {
  Context *cx;
  ExprPlaces *places;
} Taking;

static void take(Taking *t, Expr *places, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (places[i]) vec_push(&t->cx->scratch, t->places, &places[i]);
}

#define TAKE(place) take(t, &(place), 1)
#define TAKE_ALL(array) take(t, array, sizeof(array) / sizeof *(array))

// A list of its own, for each of whose records `it` the expressions are taken.
#define EACH(type, list, ...)                                                                      \
  do {                                                                                             \
    VEC(type) copy_ = {0};                                                                         \
    for (uint32_t i_ = 0; i_ < (list).n; i_++) vec_push(&t->cx->keep, &copy_, (list).at[i_]);      \
    memcpy(&(list), &copy_, sizeof copy_);                                                         \
    for (uint32_t i_ = 0; i_ < (list).n; i_++) {                                                   \
      type *it = &(list).at[i_];                                                                   \
      __VA_ARGS__;                                                                                 \
    }                                                                                              \
  } while (0)

// ---- Bodies

static void take_anchor(Taking *t, Anchor *anchor) { TAKE_ALL(anchor->at); }

void mechanism_expressions(Context *cx, Mechanism *m, ExprPlaces *places) {
  Taking taking = {cx, places}, *t = &taking;
  TAKE_ALL(m->gravity);
  EACH(Body, m->bodies, {
    TAKE(it->mass), TAKE(it->inertia), TAKE_ALL(it->size);
    for (int k = 0; k < 3; k++) TAKE(it->start[k].value), TAKE(it->velocity[k].value);
  });
  EACH(Joint, m->joints, {
    take_anchor(t, &it->first), take_anchor(t, &it->second);
    TAKE(it->axis), TAKE(it->length), TAKE(it->ratio), TAKE(it->radius);
    TAKE(it->pressure), TAKE(it->friction), TAKE(it->mu_rest), TAKE(it->mu);
    TAKE(it->rolling), TAKE(it->tension);
  });
  EACH(Spring, m->springs, {
    take_anchor(t, &it->first), take_anchor(t, &it->second);
    TAKE(it->stiffness), TAKE(it->length), TAKE(it->damping), TAKE(it->preload);
  });
  EACH(Motor, m->motors, TAKE(it->value));
  EACH(Surface, m->surfaces, {
    take_anchor(t, &it->anchor), take_anchor(t, &it->base);
    TAKE(it->axis), TAKE(it->radius), TAKE(it->ring);
  });
  EACH(Element, m->elements, {
    take_anchor(t, &it->first), take_anchor(t, &it->second);
    for (int k = 0; k < ELEMENT_PROPERTIES; k++) TAKE_ALL(it->values[k]);
    for (int k = 0; it->members[k].word; k++) TAKE(it->members[k].value);
    TAKE_ALL(it->lever);
  });
}

// ---- Statements

void statement_expressions(Context *cx, Model *model, ExprPlaces *places) {
  Taking taking = {cx, places}, *t = &taking;
  EACH(Coordinate, model->coordinates,
       { TAKE(it->position.value), TAKE(it->velocity.value), TAKE(it->momentum_start.value); });
  EACH(ModelState, model->states, TAKE(it->value), TAKE(it->rate));
  EACH(Vector, model->vectors, TAKE_ALL(it->at));
  EACH(Energy, model->energies, TAKE(it->value));
  EACH(Force, model->forces, TAKE(it->value));
  EACH(PointForce, model->point_forces, TAKE_ALL(it->point), TAKE_ALL(it->force));
  EACH(Constraint, model->constraints, TAKE(it->phi), TAKE(it->defines));
  EACH(Contact, model->contacts, {
    TAKE(it->phi), TAKE(it->restitution);
    TAKE(it->slip), TAKE(it->place), TAKE(it->mu_rest), TAKE(it->mu);
    TAKE(it->spin), TAKE(it->turned), TAKE(it->rolling);
  });
  EACH(Input, model->inputs, TAKE(it->value), TAKE(it->course), TAKE(it->low), TAKE(it->high));
  EACH(Assignment, model->assignments, TAKE(it->target), TAKE(it->value));
  EACH(Sampling, model->samplings, TAKE(it->period), TAKE(it->delay));
  EACH(Occasion, model->occasions, TAKE(it->function), TAKE(it->condition));
  EACH(Output, model->outputs, TAKE(it->value));
  EACH(Output, model->members, TAKE(it->value));
}

// ---- Requests

static void take_draw(Taking *t, DrawRequest *draw) {
  Expr(*points)[3] = arena_alloc(&t->cx->keep, draw->point_count * sizeof *points);
  if (draw->point_count > 0) memcpy(points, draw->points, draw->point_count * sizeof *points);
  draw->points = points;
  for (uint32_t k = 0; k < draw->point_count; k++) TAKE_ALL(points[k]);
  TAKE(draw->radius), TAKE(draw->width), TAKE(draw->angle), TAKE_ALL(draw->size);
}

static void take_point(Taking *t, LinearizeRequest *request) {
  EACH(PointValue, request->point, TAKE(it->value));
}

static void take_curves(Taking *t, PlotRequest *plot) {
  EACH(Curve, plot->curves, TAKE(it->value));
}

void request_expressions(Context *cx, Requests *r, ExprPlaces *places) {
  Taking taking = {cx, places}, *t = &taking;
  TAKE(r->simulate.end), TAKE(r->simulate.every);
  EACH(Option, r->simulate.method.options, TAKE(it->value));
  EACH(Option, r->simulate.stabilize.options, TAKE(it->value));
  EACH(LinearizeRequest, r->linearizations, take_point(t, it));
  EACH(PlotRequest, r->plots, take_curves(t, it));
  EACH(DrawRequest, r->draws, take_draw(t, it));
  EACH(Reduction, r->reductions, TAKE(it->value), TAKE(it->condition), TAKE(it->from));
  EACH(Measurement, r->measurements, TAKE(it->value));
  EACH(RandomLine, r->randoms, {
    TAKE(it->density), TAKE(it->speed), TAKE(it->delay);
    TAKE(it->lowest), TAKE(it->upper);
  });
  EACH(ComfortLine, r->comforts, TAKE(it->value));
  TAKE(r->synchronous.slow), TAKE(r->synchronous.fast);
  EACH(uint32_t, r->independent, (void)it);
  EACH(PartName, r->independent_parts, (void)it);
}
