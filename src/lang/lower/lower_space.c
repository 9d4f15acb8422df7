// Points and unit vectors in space become coordinates.
#include "lang/lower/lower_space.h"

#include <math.h>
#include <string.h>

#include "expr/algebra/zero_test.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"

#define EVERYTHING ((1u << SYMBOL_KINDS) - 1)

static const Rules fixed_rules = {EVERYTHING & ~KIND_BIT(SYMBOL_PARAMETER),
                                  "the description of a body"};
const Rules *space_fixed_rules(void) { return &fixed_rules; }

Expr space_dot(Context *cx, const Expr a[3], const Expr b[3]) {
  Expr terms[3];
  for (int i = 0; i < 3; i++) terms[i] = expr_mul(cx, a[i], b[i]);
  return expr_sum(cx, terms, 3);
}

void space_cross(Context *cx, const Expr a[3], const Expr b[3], Expr out[3]) {
  for (int i = 0; i < 3; i++) {
    Expr forward = expr_mul(cx, a[(i + 1) % 3], b[(i + 2) % 3]);
    out[i] = expr_sub(cx, forward, expr_mul(cx, a[(i + 2) % 3], b[(i + 1) % 3]));
  }
}

bool lower_components(Lowering *l, const Ast *ast, Dimension dimension, const Rules *rules,
                      const char *what, Expr out[3]) {
  Value v = lower_ruled(l, ast, rules);
  if (!has_value(v)) return false;
  if (v.n != 3) {
    if (lower_error(l, QDOT_BAD_VALUE, ast->span, "%s has three components", what))
      diag_label(l->cx, "write (x, y, z)");
    return false;
  }
  for (int i = 0; i < 3; i++)
    if (!need_dimension(l, ast, v.form[i], form_known(dimension), what)) return false;
  memcpy(out, v.at, 3 * sizeof *out);
  return true;
}

// ---- Constraints

#define ZERO_BUDGET 200000 // term operations

// The largest value among some times, with parameters as they are given.
static double size_in_time(Lowering *l, Expr phi) {
  Context *cx = l->cx;
  Expr t = expr_symbol(cx, SYMBOL_TIME, symbol_from_text(cx, "t"));
  double most = 0;
  for (int k = 0; k < 4; k++) {
    Expr at = expr_subst(cx, phi, &(Substitution){t, expr_ratio(cx, 37 * k, 100)}, 1);
    most = fmax(most, fabs(parameter_value(l, at)));
  }
  return most;
}

static void check_fixed_row(Lowering *l, const SpaceRow *row) {
  double off = size_in_time(l, row->phi);
  if (!(off > 1e-9 * row->size)) return;
  if (lower_error(l, QDOT_BAD_VALUE, row->span,
                  "these points and vectors do not fit the frame of their solid"))
    diag_note(l->cx, "'%s' is off by %.3g, and nothing that moves can change it",
              symbol_text(l->cx, row->name), off);
}

void add_space_row(Lowering *l, const SpaceRow *row) {
  Context *cx = l->cx;
  if (!expr_has_kind(cx, row->phi, KIND_BIT(SYMBOL_COORDINATE))) {
    check_fixed_row(l, row);
    return;
  }
  if (expr_zero_test(cx, row->phi, ZERO_BUDGET) == ZERO_YES) return;
  Symbol multiplier = row_multiplier(cx, row->name);
  Constraint c = {.name = row->name,
                  .multiplier = expr_symbol(cx, SYMBOL_MULTIPLIER, multiplier),
                  .phi = row->phi,
                  .measure = {.dimension = dimension_base(1, 2 - row->length_power, -2),
                              .is_known = true}, // an energy over the dimension of phi
                  .span = row->span,
                  .equation = row->span};
  if (!model_find(l->model, multiplier))
    model_add_name(l->model, multiplier, NAME_CONSTRAINT_FORCE, l->model->constraints.n, row->span);
  vec_push(&cx->keep, &l->model->constraints, c);
  vec_push(l->arena, &l->constraint_slopes, ((Slope){0}));
}

// ---- Points and vectors

typedef struct Naming {
  const Item *item;
  Symbol name;
  bool is_vector, is_fixed;
  Expr start[3];
} Naming;

static Dimension dimension_of(const Naming *n) { return dimension_base(0, !n->is_vector, 0); }

static Symbol component_name(Lowering *l, Symbol name, int i) {
  return symbol_from_text(l->cx,
                          text_format(l->arena, "%s.%c", symbol_text(l->cx, name), "xyz"[i]));
}

static Expr add_coordinate(Lowering *l, const Naming *n, int i) {
  Context *cx = l->cx;
  Model *model = l->model;
  Symbol name = component_name(l, n->name, i);
  const Item *item = n->item;
  Coordinate c = {
      .name = name,
      .q = expr_symbol(cx, SYMBOL_COORDINATE, name),
      .position = {item->relation == TOKEN_TILDE ? INITIAL_GUESS : INITIAL_GIVEN, n->start[i],
                   item->value->span},
      .measure = {.dimension = dimension_of(n), .is_known = true, .is_cosine = n->is_vector},
      .description = item->text,
      .span = item->span};
  c.qd = expr_time_derivative(cx, c.q);
  c.qdd = expr_time_derivative(cx, c.qd);
  model_add_name(model, name, NAME_COORDINATE, model->coordinates.n, item->span);
  vec_push(&cx->keep, &model->coordinates, c);
  return c.q;
}

static Expr add_constant(Lowering *l, const Naming *n, int i) {
  Context *cx = l->cx;
  Model *model = l->model;
  Symbol name = component_name(l, n->name, i);
  Definition d = {.name = name,
                  .value = expr_define(cx, name, n->start[i]),
                  .measure = {.dimension = dimension_of(n), .is_known = true},
                  .span = n->item->span};
  model_add_name(model, name, NAME_DEFINITION, model->definitions.n, n->item->span);
  vec_push(&cx->keep, &model->definitions, d);
  vec_push(l->arena, &l->definition_numbers, NAN);
  return d.value;
}

static bool components_are_free(Lowering *l, const Naming *n) {
  for (int i = 0; i < 3; i++) {
    const NameEntry *entry = model_find(l->model, component_name(l, n->name, i));
    if (!entry) continue;
    if (lower_error(l, QDOT_DUPLICATE_NAME, n->item->span, "'%s' is already defined",
                    symbol_text(l->cx, component_name(l, n->name, i))))
      show_taken(l, entry);
    return false;
  }
  return true;
}

static bool add_space_name(Lowering *l, Naming *n) {
  Context *cx = l->cx;
  Model *model = l->model;
  const char *what = n->is_vector ? "a unit vector" : "a point";
  bool good =
      n->name && lower_components(l, n->item->value, dimension_of(n), &fixed_rules, what, n->start);
  if (!good || !components_are_free(l, n) ||
      !define_name(l, n->name, n->item, NAME_VECTOR, model->vectors.n)) {
    break_name(l, n->item);
    return false;
  }
  Vector vector = {.name = n->name, .n = 3, .moves = !n->is_fixed, .span = n->item->span};
  vector.first = n->is_fixed ? model->definitions.n : model->coordinates.n;
  for (int i = 0; i < 3; i++)
    vector.at[i] = n->is_fixed ? add_constant(l, n, i) : add_coordinate(l, n, i);
  SpaceName record = {.name = n->name,
                      .is_vector = n->is_vector,
                      .is_fixed = n->is_fixed,
                      .vector = model->vectors.n,
                      .span = n->item->span};
  vec_push(&cx->keep, &model->vectors, vector);
  vec_push(&cx->keep, &model->space.names, record);
  return true;
}

// point B' = (0, 0, 1 [m/s])
static bool set_velocity(Lowering *l, const Naming *n) {
  NameEntry *entry = need_name(l, n->name, n->item->base_span, NAME_VECTOR);
  if (!entry) return false;
  const Vector *vector = &l->model->vectors.at[entry->number];
  Expr value[3];
  if (!vector->moves || n->item->primes > 1) {
    lower_error(l, QDOT_BAD_VALUE, n->item->span, "this has no initial velocity");
    return false;
  }
  if (!lower_components(l, n->item->value, dimension_base(0, !n->is_vector, -1), &fixed_rules,
                        "a velocity", value))
    return false;
  const Initial *given = &l->model->coordinates.at[vector->first].velocity;
  if (given->kind != INITIAL_NONE) {
    if (lower_error(l, QDOT_DUPLICATE_NAME, n->item->span,
                    "this velocity already has an initial value"))
      diag_second(l->cx, given->span, "it is given here");
    return false;
  }
  InitialKind kind = n->item->relation == TOKEN_TILDE ? INITIAL_GUESS : INITIAL_GIVEN;
  for (uint32_t i = 0; i < 3; i++)
    l->model->coordinates.at[vector->first + i].velocity =
        (Initial){kind, value[i], n->item->value->span};
  return true;
}

static bool lower_space_names(Lowering *l, const Statement *s, bool is_vector) {
  bool good = true;
  for (uint32_t i = 0; i < s->items.n; i++) {
    const Item *item = &s->items.at[i];
    Naming n = {.item = item,
                .name = item_symbol(l, item),
                .is_vector = is_vector,
                .is_fixed = s->clauses.n > 0};
    if (n.is_fixed && !item->primes && item->relation == TOKEN_TILDE &&
        lower_warning(l, item->span,
                      "a fixed point is exactly where it is placed: '~' is read as '='"))
      diag_label(l->cx, "write '%s = (x, y, z)'", symbol_text(l->cx, item->name));
    good = (item->primes ? set_velocity(l, &n) : add_space_name(l, &n)) && good;
  }
  return good;
}

bool lower_space_point(Lowering *l, const Statement *s) { return lower_space_names(l, s, false); }
bool lower_space_vector(Lowering *l, const Statement *s) { return lower_space_names(l, s, true); }

// ---- Gravity, and what all lines together imply

bool lower_space_gravity(Lowering *l, const Statement *s, bool *done) {
  static const Rules rules = {EVERYTHING & ~KIND_BIT(SYMBOL_PARAMETER), "gravity"};
  Space *space = &l->model->space;
  Value v = lower_ruled(l, s->left, &rules);
  *done = false;
  if (!has_value(v)) return true;
  if (v.n != 3) return false;
  if (space->gravity[0] || l->model->mechanism.gravity[0]) {
    Span before = space->gravity[0] ? space->gravity_span : l->model->mechanism.gravity_span;
    if (lower_error(l, QDOT_DUPLICATE_NAME, s->word, "gravity is already given"))
      diag_second(l->cx, before, "here");
    return true;
  }
  *done = lower_components(l, s->left, dimension_base(0, 1, -2), &rules, "gravity", space->gravity);
  if (*done) space->gravity_span = s->span;
  return true;
}

// |u| = 1, unless the frame of a solid says so.
static void add_lengths(Lowering *l) {
  Context *cx = l->cx;
  const Space *space = &l->model->space;
  for (uint32_t i = 0; i < space->names.n; i++) {
    const SpaceName *u = &space->names.at[i];
    if (!u->is_vector || u->is_tied) continue;
    const Expr *at = l->model->vectors.at[u->vector].at;
    Symbol name = symbol_from_text(cx, text_format(l->arena, "%s.unit", symbol_text(cx, u->name)));
    Expr length2 = space_dot(cx, at, at);
    Expr phi = expr_sub(cx, length2, expr_int(cx, 1));
    add_space_row(l, &(SpaceRow){.name = name, .phi = phi, .size = 1, .span = u->span});
  }
}

static void add_weights(Lowering *l) {
  Context *cx = l->cx;
  const Space *space = &l->model->space;
  for (uint32_t i = 0; space->gravity[0] && i < space->solids.n; i++) {
    const Solid *solid = &space->solids.at[i];
    Expr lift = expr_mul(cx, solid->mass, space_dot(cx, space->gravity, solid->centre));
    Energy weight = {ENERGY_POTENTIAL, solid->name, expr_neg(cx, lift), solid->span};
    vec_push(&cx->keep, &l->model->energies, weight);
  }
}

void lower_space_finish(Lowering *l) {
  Model *model = l->model;
  add_lengths(l);
  add_weights(l);
  if (model->mechanism.gravity[0] && model->space.solids.n > 0)
    lower_error(l, QDOT_BAD_MODEL, model->mechanism.gravity_span,
                "gravity has three components where solids move in space");
  if (model->space.gravity[0] && model->mechanism.bodies.n > 0)
    lower_error(l, QDOT_BAD_MODEL, model->space.gravity_span,
                "gravity has two components where bodies move in the plane");
  if (model->requests.draws.n == 0 && model->mechanism.bodies.n == 0)
    space_draw(l->cx, &model->space, &model->requests);
}
