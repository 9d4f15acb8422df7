// Contacts that friction holds at the start, as constraints.
#include "derive/at_rest.h"

#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/subst.h"
#include "expr/value/eval.h"
#include "model/values.h"

typedef struct Holding {
  Context *cx;
  const Model *from;
  Model *out;
  double *values;
  Substitution *start; // coordinates and velocities by their values at the start
  uint32_t count;
  Substitution *friction; // all forces of friction by 0
  uint32_t friction_count;
} Holding;

static Expr or_zero(Context *cx, Expr e) { return e ? e : expr_int(cx, 0); }

static Status open_holding(Holding *h) {
  Context *cx = h->cx;
  const Model *model = h->from;
  h->start = arena_array(&cx->scratch, Substitution, 2 * model->coordinates.n);
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    h->start[h->count++] = (Substitution){c->q, or_zero(cx, c->position.value)};
    h->start[h->count++] = (Substitution){c->qd, or_zero(cx, c->velocity.value)};
  }
  h->friction = arena_array(&cx->scratch, Substitution, 2 * model->contacts.n);
  for (uint32_t i = 0; i < model->contacts.n; i++) {
    const Contact *c = &model->contacts.at[i];
    Expr zero = expr_int(cx, 0);
    if (c->friction) h->friction[h->friction_count++] = (Substitution){c->friction, zero};
    if (c->torque) h->friction[h->friction_count++] = (Substitution){c->torque, zero};
  }
  return model_values(cx, model, &cx->scratch, &h->values);
}

static Expr at_start(const Holding *h, Expr e) { return expr_subst(h->cx, e, h->start, h->count); }

static double value_at_start(const Holding *h, Expr e) {
  return expr_eval(h->cx, at_start(h, e), h->values);
}

// Is it zero at the start, beside the terms that it is the sum of?
static bool is_zero_at_start(const Holding *h, Expr e) {
  Context *cx = h->cx;
  Expr open = expr_open(cx, e);
  double sum = fabs(value_at_start(h, open)), size = 0;
  if (op_of(cx, open) != OP_SUM) return sum <= 1e-12;
  for (uint32_t i = 0; i < node_of(cx, open)->count; i++) {
    Pair pair = pairs_of(node_of(cx, open))[i];
    Expr term = expr_mul(cx, expr_number(cx, pair.number), pair.expr);
    size += fabs(value_at_start(h, term));
  }
  size += fabs(expr_eval(cx, expr_number(cx, node_of(cx, open)->number), h->values));
  return sum <= fmax(1e-9 * size, 1e-12);
}

static void hold(Holding *h, uint32_t contact, uint32_t normal, Symbol name, Expr place, Expr force,
                 Expr most) {
  const Contact *c = &h->from->contacts.at[contact];
  Context *cx = h->cx;
  if (!(expr_eval(cx, most, h->values) > 0)) return;
  // its multiplier is the force along the place itself
  Constraint row = {.name = name,
                    .multiplier = force,
                    .phi = expr_sub(cx, at_start(h, place), place),
                    .measure = c->measure,
                    .span = c->span,
                    .equation = c->condition};
  Held held = {contact, normal, h->out->constraints.n, most};
  vec_push(&cx->keep, &h->out->constraints, row);
  vec_push(&cx->keep, &h->out->held, held);
}

static Symbol slip_name(Holding *h, const Contact *c) {
  const char *name = text_format(&h->cx->scratch, "%s.slip", symbol_text(h->cx, c->name));
  return symbol_from_text(h->cx, name);
}

static void hold_contact(Holding *h, uint32_t i) {
  Context *cx = h->cx;
  const Contact *c = &h->from->contacts.at[i];
  Constraint touch = {.name = c->name,
                      .multiplier = c->multiplier,
                      .phi = c->phi,
                      .measure = c->measure,
                      .span = c->span,
                      .equation = c->condition};
  uint32_t normal = h->out->constraints.n;
  vec_push(&cx->keep, &h->out->constraints, touch);
  if (c->slip) hold(h, i, normal, slip_name(h, c), c->place, c->friction, c->mu_rest);
  if (c->spin) hold(h, i, normal, c->rolls, c->turned, c->torque, c->rolling);
}

static void copy_contacts(Holding *h) {
  Context *cx = h->cx;
  for (uint32_t i = 0; i < h->from->contacts.n; i++) {
    Contact c = h->from->contacts.at[i];
    bool rubs = c.slip || c.spin, touches = rubs && is_zero_at_start(h, c.phi);
    bool slides = touches && ((c.slip && !is_zero_at_start(h, c.slip)) ||
                              (c.spin && !is_zero_at_start(h, c.spin)));
    bool holds = (c.slip && expr_eval(cx, c.mu_rest, h->values) > 0) ||
                 (c.spin && expr_eval(cx, c.rolling, h->values) > 0);
    if (!holds) c.slip = c.spin = c.friction = c.torque = 0;
    if (holds && touches && !slides) {
      hold_contact(h, i);
      continue;
    }
    if (!touches) c.slip = c.spin = 0;
    vec_push(&cx->keep, &h->out->contacts, c);
  }
}

static void copy_forces(Holding *h) {
  Context *cx = h->cx;
  for (uint32_t i = 0; i < h->from->point_forces.n; i++) {
    PointForce f = h->from->point_forces.at[i];
    for (uint32_t k = 0; k < f.n; k++)
      f.force[k] = expr_subst(cx, f.force[k], h->friction, h->friction_count);
    vec_push(&cx->keep, &h->out->point_forces, f);
  }
}

System *system_at_rest(Context *cx, System *s) {
  const Model *from = s->model;
  bool rubs = false;
  for (uint32_t i = 0; i < from->contacts.n; i++)
    rubs |= from->contacts.at[i].slip || from->contacts.at[i].spin;
  if (!rubs) return s;
  Mark mark = arena_mark(&cx->scratch);
  Model *model = arena_new(&cx->keep, Model);
  *model = *from;
  model->system = NULL;
  memset(&model->contacts, 0, sizeof model->contacts);
  memset(&model->constraints, 0, sizeof model->constraints);
  memset(&model->point_forces, 0, sizeof model->point_forces);
  for (uint32_t i = 0; i < from->constraints.n; i++)
    vec_push(&cx->keep, &model->constraints, from->constraints.at[i]);
  Holding h = {.cx = cx, .from = from, .out = model};
  Status status = open_holding(&h);
  System *out = arena_new(&cx->keep, System);
  if (status == QDOT_OK) {
    copy_contacts(&h);
    copy_forces(&h);
    status = derive_system(cx, model, DERIVE_MATRICES, out);
  }
  arena_release(&cx->scratch, mark);
  return status == QDOT_OK ? out : s;
}
