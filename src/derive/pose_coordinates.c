// Expressions in place of poses: a model of coordinates from a model of bodies.
#include "derive/mechanics.h"

#include <string.h>

#include "expr/define.h"
#include "expr/diff.h"
#include "expr/plane.h"
#include "expr/walk.h"
#include "model/expressions.h"
#include "model/fold.h"

// The unit in which a body's place or angle was written.
static const char *written_unit(const Model *model, Symbol name) {
  const Mechanism *m = model->origin ? &model->origin->mechanism : &model->mechanism;
  for (uint32_t i = 0; i < m->bodies.n; i++)
    for (int k = 0; k < 3; k++)
      if (m->bodies.at[i].pose[k] && symbol_name(model->cx, m->bodies.at[i].pose[k]) == name)
        return m->bodies.at[i].unit[k];
  return NULL;
}

Expr model_add_coordinate(Model *model, Symbol name, bool is_angle, Initial position,
                          Initial velocity, Span span) {
  Context *cx = model->cx;
  Coordinate c = {.name = name,
                  .q = expr_symbol(cx, SYMBOL_COORDINATE, name),
                  .position = position,
                  .velocity = velocity,
                  .measure = {.dimension = dimension_base(0, !is_angle, 0), .is_known = true},
                  .span = span};
  c.measure.unit = written_unit(model, name);
  c.measure.is_given = c.measure.unit != NULL;
  c.qd = expr_time_derivative(cx, c.q);
  c.qdd = expr_time_derivative(cx, c.qd);
  model_add_name(model, name, NAME_COORDINATE, model->coordinates.n, span);
  vec_push(&cx->keep, &model->coordinates, c);
  return c.q;
}

Expr model_add_meaning(Model *model, Symbol name, bool is_angle, Initial position, Initial velocity,
                       Span span, Expr meaning) {
  Expr q = model_add_coordinate(model, name, is_angle, position, velocity, span);
  vec_push(&model->cx->keep, &model->meanings, ((Meaning){meaning, q}));
  return q;
}

Expr model_add_definition(Model *model, Symbol name, Expr body, bool is_angle, Span span) {
  Context *cx = model->cx;
  Definition d = {.name = name,
                  .value = expr_define(cx, name, body),
                  .measure = {.dimension = dimension_base(0, !is_angle, 0), .is_known = true},
                  .span = span};
  model_add_name(model, name, NAME_DEFINITION, model->definitions.n, span);
  vec_push(&cx->keep, &model->definitions, d);
  return d.value;
}

// ---- Replacing

static Substitutions pose_substitutions(const Mechanics *mech, const Placement *placements) {
  Substitutions list = {0};
  for (uint32_t i = 0; i < mech->n; i++) {
    for (int k = 0; k < 3; k++)
      replace_with_rates(mech->cx, &list, mech->m->bodies.at[i].pose[k], placements[i].pose[k]);
  }
  return list;
}

void mechanics_put_poses(const Mechanics *mech, const Expr *in, size_t n, Expr *out) {
  Mark mark = arena_mark(&mech->cx->scratch);
  Substitutions list = pose_substitutions(mech, mech->placements);
  expr_subst_many(mech->cx, in, n, list.at, list.n, out);
  arena_release(&mech->cx->scratch, mark);
}

static Expr replaced(Context *cx, const Substitutions *list, Expr e) {
  return e ? expr_subst(cx, e, list->at, list->n) : 0;
}

static void replace_all(Context *cx, const Substitutions *list, Expr *e, size_t n) {
  for (size_t i = 0; i < n; i++) e[i] = replaced(cx, list, e[i]);
}

// The user's definitions keep their names; later ones use the replaced earlier ones.
static void replace_definitions(Model *out, const Model *from, Substitutions *list) {
  Context *cx = out->cx;
  for (uint32_t i = 0; i < from->definitions.n; i++) {
    Definition d = from->definitions.at[i];
    Expr old = d.value;
    if (expr_is_definition(cx, old)) {
      Expr body = replaced(cx, list, definition_body(cx, old));
      if (body != definition_body(cx, old)) {
        d.value = expr_define(cx, d.name, body);
        replace_with_rates(cx, list, old, d.value);
      }
    } else {
      d.value = replaced(cx, list, old);
    }
    vec_push(&cx->keep, &out->definitions, d);
  }
}

#define APPEND(list)                                                                               \
  for (uint32_t i = 0; i < copy.list.n; i++) vec_push(&cx->keep, &out->list, copy.list.at[i])
#define COPY(list)                                                                                 \
  for (uint32_t i = 0; i < from->list.n; i++) vec_push(&cx->keep, &out->list, from->list.at[i])

// Definitions of the bodies come before those that vectors consist of.
static void number_vectors(Model *out, const Model *from) {
  for (uint32_t i = 0; i < out->vectors.n; i++) {
    Vector *v = &out->vectors.at[i];
    Symbol first = v->moves ? 0 : from->definitions.at[v->first].name;
    for (uint32_t k = 0; !v->moves && k < out->definitions.n; k++)
      if (out->definitions.at[k].name == first) v->first = k;
  }
}

// What the user wrote beside the bodies; what members say is found later.
static void replace_statements(Model *out, const Model *from, const Substitutions *list) {
  Context *cx = out->cx;
  Model copy = *from;
  ExprPlaces places = {0};
  statement_expressions(cx, &copy, &places);
  request_expressions(cx, &copy.requests, &places);
  for (uint32_t i = 0; i < places.n; i++) *places.at[i] = replaced(cx, list, *places.at[i]);
  APPEND(states);
  APPEND(energies);
  APPEND(forces);
  APPEND(point_forces);
  APPEND(constraints);
  APPEND(contacts);
  APPEND(assignments);
  APPEND(samplings);
  APPEND(occasions);
  APPEND(outputs);
  APPEND(vectors);
  number_vectors(out, from);
  out->requests = copy.requests;
}

// ---- The mechanism itself

// The multiplier that a row of a tree joint would have, from what the joint transmits: the force of
// its first body on its second is -Phi_q^T lambda.
static Expr force_of_row(Mechanics *mech, const Joint *joint, uint32_t row, const Expr value[3]) {
  Context *cx = mech->cx;
  if (!joint_leaves(joint, LEAVES_SLIDE)) return row < 2 ? value[row] : expr_neg(cx, value[2]);
  if (row == 1) return expr_neg(cx, value[2]);
  Expr direction = joint_direction(cx, mech->m, joint, mech->start);
  Expr s = expr_sin(cx, direction);
  Expr c = expr_cos(cx, direction);
  return plane_cross(cx, value, (Expr[]){c, s});
}

static bool is_kept(const Mechanics *mech, Symbol name,
                    bool (*keeps)(const Mechanics *mech, const PoseRow *row)) {
  for (uint32_t i = 0; i < mech->rows.n; i++)
    if (mech->rows.at[i].name == name && keeps(mech, &mech->rows.at[i])) return true;
  return false;
}

static void replace_rows(Mechanics *mech, const Reaction *r, Substitutions *list,
                         bool (*keeps)(const Mechanics *mech, const PoseRow *row)) {
  Context *cx = mech->cx;
  const Joint *joint = &mech->m->joints.at[r->joint];
  for (uint32_t k = 0; joint_makes_tree(joint->kind) && k < joint_row_count(joint->kind); k++) {
    Symbol name = joint_row_name(cx, joint, k);
    if (is_kept(mech, name, keeps)) continue;
    Expr lambda = expr_symbol(cx, SYMBOL_MULTIPLIER, row_multiplier(cx, name));
    Expr force = replaced(cx, list, force_of_row(mech, joint, k, r->value));
    vec_push(&cx->scratch, list, ((Substitution){lambda, force}));
  }
}

// What stands for the reactions of joints, for all statements that come after.
static void replace_reactions(Mechanics *mech, Substitutions *list,
                              bool (*keeps)(const Mechanics *mech, const PoseRow *row)) {
  Context *cx = mech->cx;
  for (uint32_t i = 0; i < mech->reactions.n; i++) {
    const Reaction *r = &mech->reactions.at[i];
    Expr placed[3];
    for (int k = 0; k < 3; k++) placed[k] = replaced(cx, list, r->value[k]);
    replace_rows(mech, r, list, keeps);
    for (int k = 0; k < 3; k++) {
      Expr symbol = mech->m->joints.at[r->joint].reaction[k];
      vec_push(&cx->scratch, list, ((Substitution){symbol, placed[k]}));
    }
  }
}

static void add_loads(Mechanics *mech, Model *out, const Substitutions *list) {
  for (uint32_t i = 0; i < mech->loads.n; i++) {
    Load load = mech->loads.at[i];
    load.value = replaced(mech->cx, list, load.value);
    vec_push(&mech->cx->keep, &out->loads, load);
  }
  if (mech->loads.n) out->load_length2 = mechanism_size2(mech->cx, mech->m);
}

// Reactions and outputs know friction by its name.
static void replace_rubs(Mechanics *mech, Substitutions *list) {
  for (uint32_t i = 0; i < mech->presses.n; i++) {
    Substitution rub = {mech->presses.at[i].rub,
                        replaced(mech->cx, list, mech->presses.at[i].force)};
    vec_push(&mech->cx->scratch, list, rub);
  }
}

static void add_presses(Mechanics *mech, Model *out, const Substitutions *list) {
  Context *cx = mech->cx;
  for (uint32_t i = 0; i < mech->presses.n; i++) {
    Press press = mech->presses.at[i];
    press.value = replaced(cx, list, press.value);
    press.slip = replaced(cx, list, press.slip);
    press.force = replaced(cx, list, press.force);
    vec_push(&cx->keep, &out->presses, press);
  }
}

// lambda phi is an energy, and a power where phi is a rate.
static Dimension row_force(const PoseRow *row) {
  return dimension_base(1, 2 - (int)row->length_power, -2);
}

static void add_rows(Mechanics *mech, Model *out, const Substitutions *list,
                     bool (*keeps)(const Mechanics *mech, const PoseRow *row)) {
  Context *cx = mech->cx;
  for (uint32_t i = 0; i < mech->rows.n; i++) {
    const PoseRow *row = &mech->rows.at[i];
    if (!keeps(mech, row)) continue;
    Symbol multiplier = row_multiplier(cx, row->name);
    Constraint c = {.name = row->name,
                    .multiplier = expr_symbol(cx, SYMBOL_MULTIPLIER, multiplier),
                    .phi = replaced(cx, list, row->phi),
                    .measure = {.dimension = row_force(row), .is_known = true},
                    .is_nonholonomic = row->is_nonholonomic,
                    .defines = row->defines,
                    .span = row->span,
                    .equation = row->span};
    if (!model_find(out, multiplier))
      model_add_name(out, multiplier, NAME_CONSTRAINT_FORCE, out->constraints.n, row->span);
    vec_push(&cx->keep, &out->constraints, c);
  }
}

static void add_elements(Mechanics *mech, Model *out, const Substitutions *list) {
  Context *cx = mech->cx;
  for (uint32_t i = 0; i < mech->energies.n; i++) {
    Energy e = mech->energies.at[i];
    e.value = replaced(cx, list, e.value);
    vec_push(&cx->keep, &out->energies, e);
  }
  for (uint32_t i = 0; i < mech->forces.n; i++) {
    PointForce f = mech->forces.at[i];
    replace_all(cx, list, f.point, f.n), replace_all(cx, list, f.force, f.n);
    vec_push(&cx->keep, &out->point_forces, f);
  }
}

// What output and plot lines ask for, unless it is a column in any case; of what else is offered
// that which has a value.
static void replace_members(const Mechanics *mech, Model *out, const Substitutions *list) {
  Context *cx = out->cx;
  const Model *from = mech->model;
  for (uint32_t i = 0; i < from->members.n; i++) {
    Output member = from->members.at[i];
    const NameEntry *entry = model_find(out, member.name);
    if (entry && (entry->kind == NAME_COORDINATE || entry->kind == NAME_CONSTRAINT_FORCE)) continue;
    if (member.is_offered && mechanics_use_idle(mech, member.value)) continue;
    member.value = replaced(cx, list, member.value);
    vec_push(&cx->keep, &out->members, member);
  }
}

// ---- Coordinates by name

// What lines call rail.s or rod.theta is a coordinate where the formulation has one of that name;
// what is none stays a name, for whoever linearizes to refuse.
static void name_coordinates(Model *out) {
  Context *cx = out->cx;
  Requests *r = &out->requests;
  for (uint32_t i = 0; i < r->linearizations.n; i++) {
    LinearizeRequest *request = &r->linearizations.at[i];
    for (uint32_t k = 0; k < request->point.n; k++) {
      PointValue *value = &request->point.at[k];
      int c = value->symbol ? -1 : model_coordinate(out, value->name);
      if (c >= 0)
        value->symbol = value->primes ? out->coordinates.at[c].qd : out->coordinates.at[c].q;
    }
  }
  for (uint32_t i = 0; i < r->independent_parts.n; i++) {
    PartName *part = &r->independent_parts.at[i];
    int c = model_coordinate(out, part->name);
    if (c >= 0) vec_push(&cx->keep, &r->independent, (uint32_t)c);
    part->is_coordinate = c >= 0;
  }
}

// Names of the user's own parts; definitions have moved behind those of the poses.
static void copy_names(Model *out, const Model *from, uint32_t first_definition) {
  for (uint32_t i = 0; i < from->names.n; i++) {
    NameEntry entry = from->names.at[i];
    if (entry.kind == NAME_POSE || entry.kind == NAME_BODY || entry.kind == NAME_COORDINATE ||
        entry.kind == NAME_MOTOR_FORCE || entry.kind == NAME_REACTION)
      continue;
    if (entry.kind == NAME_DEFINITION) entry.number += first_definition;
    if (!model_find(out, entry.name))
      model_add_name(out, entry.name, entry.kind, entry.number, entry.span);
  }
}

Status mechanics_place(Mechanics *mech, Model *out, const Placement *placements,
                       bool (*keeps)(const Mechanics *mech, const PoseRow *row)) {
  Context *cx = mech->cx;
  const Model *from = mech->model;
  Mark mark = arena_mark(&cx->scratch);
  Substitutions list = pose_substitutions(mech, placements);
  COPY(parameters);
  COPY(counts);
  COPY(inputs);
  copy_names(out, from, out->definitions.n);
  replace_definitions(out, from, &list);
  replace_rubs(mech, &list);
  replace_reactions(mech, &list, keeps);
  add_loads(mech, out, &list);
  add_presses(mech, out, &list);
  replace_statements(out, from, &list);
  add_elements(mech, out, &list);
  add_rows(mech, out, &list, keeps);
  replace_members(mech, out, &list);
  arena_release(&cx->scratch, mark);
  Expr *poses = arena_array(&cx->keep, Expr, 3 * mech->n);
  for (uint32_t i = 0; i < 3 * mech->n; i++) poses[i] = placements[i / 3].pose[i % 3];
  out->poses = poses;
  name_coordinates(out);
  return QDOT_OK;
}
