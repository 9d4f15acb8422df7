// What assembling a mechanism needs, before coordinates are chosen.
#include "model/assembly.h"

#include "derive/mechanics.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"

typedef struct Collecting {
  Mechanics *mech;
  Expr *z, *zd, *mass;
  Initial *position, *velocity;
  uint32_t n;
} Collecting;

static void collect(Collecting *c, Expr z, Expr mass, Initial position, Initial velocity) {
  c->z[c->n] = z;
  c->zd[c->n] = expr_time_derivative(c->mech->cx, z);
  c->mass[c->n] = mass;
  c->position[c->n] = position;
  c->velocity[c->n++] = velocity;
}

static void collect_body(Collecting *c, uint32_t body) {
  Mechanics *mech = c->mech;
  const Body *b = &mech->m->bodies.at[body];
  for (int k = 0; k < 3; k++) {
    Initial start = mechanics_start(mech, body, k), rate = mechanics_start_rate(mech, body, k);
    // an angle that nobody asks for stays where it is
    if (k == 2 && mech->is_idle[body]) {
      start.kind = INITIAL_GIVEN;
      rate = (Initial){INITIAL_GIVEN, expr_int(mech->cx, 0), b->span};
    }
    collect(c, b->pose[k], k < 2 ? b->mass : b->inertia, start, rate);
  }
}

typedef struct RowList {
  Expr *phi;
  Symbol *names;
  Span *spans;
  uint32_t n;
} RowList;

static void collect_row(RowList *list, Expr phi, Symbol name, Span span) {
  list->phi[list->n] = phi;
  list->names[list->n] = name;
  list->spans[list->n++] = span;
}

static void collect_rows(Mechanics *mech, bool nonholonomic, RowList *list) {
  for (uint32_t i = 0; i < mech->rows.n; i++) {
    const PoseRow *row = &mech->rows.at[i];
    if (row->is_nonholonomic == nonholonomic) collect_row(list, row->phi, row->name, row->span);
  }
  for (uint32_t i = 0; i < mech->model->constraints.n; i++) {
    const Constraint *c = &mech->model->constraints.at[i];
    if (c->is_nonholonomic == nonholonomic) collect_row(list, c->phi, c->name, c->span);
  }
}

const Assembly *mechanics_assembly(Mechanics *mech) {
  Context *cx = mech->cx;
  Arena *keep = &cx->keep;
  const Model *model = mech->model;
  uint32_t own = model->coordinates.n, n = own + 3 * mech->n;
  Collecting c = {.mech = mech};
  c.z = arena_array(keep, Expr, n), c.zd = arena_array(keep, Expr, n);
  c.mass = arena_array(keep, Expr, n);
  c.position = arena_array(keep, Initial, n), c.velocity = arena_array(keep, Initial, n);
  for (uint32_t i = 0; i < own; i++) {
    const Coordinate *q = &model->coordinates.at[i];
    collect(&c, q->q, 0, q->position, q->velocity);
  }
  for (uint32_t i = 0; i < mech->n; i++) collect_body(&c, i);
  uint32_t rows = mech->rows.n + model->constraints.n;
  RowList list = {arena_array(keep, Expr, rows), arena_array(keep, Symbol, rows),
                  arena_array(keep, Span, rows), 0};
  Assembly *out = arena_new(keep, Assembly);
  collect_rows(mech, false, &list);
  out->holonomic = list.n;
  collect_rows(mech, true, &list);
  out->rows = list.phi, out->names = list.names, out->spans = list.spans;
  out->row_count = list.n;
  out->n = n, out->own = own, out->z = c.z, out->zd = c.zd, out->mass = c.mass;
  out->position = c.position, out->velocity = c.velocity;
  out->energy = model_inertial_energy(model);
  return out;
}
