// The statements that move a system: energies, forces, constraints.
#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "lang/lower/property.h"

#define BIT(kind) KIND_BIT(SYMBOL_##kind)
#define ANY_ACCELERATION (BIT(ACCELERATION) | BIT(POSE_ACCELERATION))
#define ANY_VELOCITY (BIT(VELOCITY) | BIT(POSE_VELOCITY))
#define ANY_POSITION (BIT(COORDINATE) | BIT(POSE))
#define ANY_STATE (BIT(STATE) | BIT(STATE_RATE))

// ---- Energies

static bool lower_energy(Lowering *l, const Statement *s, EnergyKind kind) {
  static const Rules rules[] = {
      {ANY_ACCELERATION | BIT(MULTIPLIER) | BIT(INPUT) | ANY_STATE, "a kinetic energy"},
      {ANY_ACCELERATION | ANY_VELOCITY | BIT(MULTIPLIER) | BIT(STATE_RATE), "a potential"},
      {ANY_ACCELERATION | BIT(MULTIPLIER) | BIT(STATE_RATE), "a dissipation"},
      {ANY_ACCELERATION | BIT(MULTIPLIER) | BIT(INPUT) | ANY_STATE, "a Lagrangian"},
      {ANY_ACCELERATION | ANY_VELOCITY | BIT(MULTIPLIER) | BIT(INPUT) | BIT(STATE_RATE) |
           PLACE_OF_MOMENTA,
       "a Hamiltonian"},
  };
  const Item *item = &s->items.at[0];
  Symbol name = item->name ? item_symbol(l, item) : 0;
  l->whole = item->value, l->energy = kind;
  Value v = lower_scalar(l, item->value, &rules[kind]);
  if (has_value(v)) {
    need_dimension(l, item->value, v.form[0], energy_form(kind), energy_text(kind));
    Energy energy = {kind, name, v.at[0], item->value->span};
    vec_push(&l->cx->keep, &l->model->energies, energy);
  }
  l->whole = NULL;
  return has_value(v);
}

// A model states its energies in one of these ways: by T and V, by L, or by H.
static EnergyKind way_of(EnergyKind kind) {
  return kind == ENERGY_POTENTIAL ? ENERGY_KINETIC : kind;
}

static bool is_one_way(Lowering *l, const Statement *s, EnergyKind kind) {
  for (uint32_t i = 0; i < l->model->energies.n; i++) {
    const Energy *energy = &l->model->energies.at[i];
    if (energy->kind == ENERGY_DISSIPATION) continue;
    if (way_of(energy->kind) == way_of(kind)) return true; // as all after it
    bool has_hamiltonian = energy->kind == ENERGY_HAMILTONIAN || kind == ENERGY_HAMILTONIAN;
    if (lower_error(l, QDOT_BAD_MODEL, s->word,
                    has_hamiltonian
                        ? "a model has a Hamiltonian or other energies, not both"
                        : "a model has a Lagrangian or kinetic and potential energies, not both"))
      diag_second(l->cx, energy->span, "the other is here");
    return false;
  }
  return true;
}

bool lower_kinetic(Lowering *l, const Statement *s) {
  return is_one_way(l, s, ENERGY_KINETIC) && lower_energy(l, s, ENERGY_KINETIC);
}

bool lower_potential(Lowering *l, const Statement *s) {
  return is_one_way(l, s, ENERGY_POTENTIAL) && lower_energy(l, s, ENERGY_POTENTIAL);
}

bool lower_dissipation(Lowering *l, const Statement *s) {
  return lower_energy(l, s, ENERGY_DISSIPATION);
}

bool lower_lagrangian(Lowering *l, const Statement *s) {
  return is_one_way(l, s, ENERGY_LAGRANGIAN) && lower_energy(l, s, ENERGY_LAGRANGIAN);
}

bool lower_hamiltonian(Lowering *l, const Statement *s) {
  if (!is_one_way(l, s, ENERGY_HAMILTONIAN) || !lower_energy(l, s, ENERGY_HAMILTONIAN))
    return false;
  const Energy *energy = &l->model->energies.at[l->model->energies.n - 1];
  for (uint32_t i = 0; i < l->model->states.n; i++) {
    if (!expr_depends(l->cx, energy->value, l->model->states.at[i].s)) continue;
    lower_error(l, QDOT_BAD_VALUE, energy->span, "a state cannot be used in a Hamiltonian");
    return false;
  }
  return true;
}

// momentum p of x
static bool lower_momentum_name(Lowering *l, const Item *name, const Item *of) {
  Symbol momentum = item_symbol(l, name);
  NameEntry *entry = need_name(l, item_symbol(l, of), of->span, NAME_COORDINATE);
  if (!entry || !is_free_name(l, momentum, name->span)) return false;
  l->model->coordinates.at[entry->number].momentum = momentum;
  entry->is_used = true;
  return true;
}

bool lower_momentum(Lowering *l, const Statement *s) {
  bool good = true;
  for (uint32_t i = 0; i + 1 < s->items.n; i += 2)
    good = lower_momentum_name(l, &s->items.at[i], &s->items.at[i + 1]) && good;
  return good;
}

// ---- Forces

static const Rules force_rules = {
    ANY_ACCELERATION | BIT(MULTIPLIER) | BIT(STATE_RATE) | PLACE_OF_MOMENTA, "a force"};
static const Rules point_rules = {ANY_ACCELERATION | ANY_VELOCITY | BIT(MULTIPLIER) | BIT(INPUT) |
                                      ANY_STATE,
                                  "the point of a force"};

// The coordinate on the left of a force, or -1.
static int force_coordinate(Lowering *l, const Ast *left) {
  if (left->kind != AST_NAME || left->in_brackets) return -1;
  Symbol name = ast_symbol(l, left);
  return name ? model_coordinate(l->model, name) : -1;
}

static bool lower_generalized_force(Lowering *l, const Statement *s, uint32_t coordinate) {
  Value v = lower_scalar(l, s->right, &force_rules);
  if (!has_value(v)) return false;
  Form wanted = form_div(&l->inference, energy_form(ENERGY_POTENTIAL),
                         measure_form(l->model->coordinates.at[coordinate].measure));
  const char *what = text_format(l->arena, "the force on '%s'",
                                 symbol_text(l->cx, l->model->coordinates.at[coordinate].name));
  need_dimension(l, s->right, v.form[0], wanted, what);
  Force force = {coordinate, v.at[0], s->right->span};
  vec_push(&l->cx->keep, &l->model->forces, force);
  return true;
}

static bool lower_point_force(Lowering *l, const Statement *s, Value point) {
  Value v = lower_ruled(l, s->right, &force_rules);
  if (!has_value(v)) return false;
  if (v.n != point.n) {
    if (lower_error(l, QDOT_BAD_VALUE, s->right->span,
                    v.n == 1 ? "expected a vector, found a number"
                             : "the force and its point differ in length"))
      diag_label(l->cx, "the point has %u components", point.n);
    return false;
  }
  PointForce force = {.n = v.n, .span = span_join(s->left->span, s->right->span)};
  for (uint32_t i = 0; i < v.n; i++) {
    Form wanted = form_div(&l->inference, energy_form(ENERGY_POTENTIAL), point.form[i]);
    if (point.form[i].kind == FORM_FIXED)
      need_dimension(l, s->right, v.form[i], wanted, "a force at a point");
    force.point[i] = point.at[i], force.force[i] = v.at[i];
  }
  vec_push(&l->cx->keep, &l->model->point_forces, force);
  return true;
}

bool lower_force(Lowering *l, const Statement *s) {
  if (s->items.n) return lower_body_force(l, s);
  int coordinate = force_coordinate(l, s->left);
  if (coordinate >= 0) {
    l->model->names.at[l->model->name_of_symbol.at[l->model->coordinates.at[coordinate].name] - 1]
        .is_used = true;
    return lower_generalized_force(l, s, (uint32_t)coordinate);
  }
  Value point = lower_ruled(l, s->left, &point_rules);
  if (point.n > 1) return lower_point_force(l, s, point);
  if (has_value(point))
    lower_error(l, QDOT_BAD_VALUE, s->left->span,
                "expected a coordinate or a point on the left of a force");
  return false;
}

// ---- Constraints

bool define_multiplier(Lowering *l, Symbol name, Symbol multiplier, const Item *item, NameKind kind,
                       uint32_t number) {
  const NameEntry *entry = model_find(l->model, multiplier);
  if (entry && (entry->kind == NAME_CONSTRAINT_FORCE || entry->kind == NAME_CONTACT_FORCE)) {
    if (lower_error(l, QDOT_DUPLICATE_NAME, item->span, "the name '%s' is taken",
                    symbol_text(l->cx, name)))
      diag_second(l->cx, entry->span,
                  entry->kind == NAME_CONTACT_FORCE ? "by this contact" : "by this constraint");
    return false;
  }
  return define_name(l, multiplier, item, kind, number);
}

bool restrains(Lowering *l, const Statement *s, Expr phi, const char *what) {
  if (expr_has_kind(l->cx, phi, ANY_POSITION | ANY_VELOCITY)) return true;
  Span span = span_join(s->left->span, s->right->span);
  if (expr_is_zero(l->cx, phi))
    lower_error(l, QDOT_BAD_MODEL, span, "this %s says nothing: both sides are the same", what);
  else
    lower_error(l, QDOT_BAD_MODEL, span, "this %s contains no coordinate", what);
  return false;
}

// Two constraints that move alike with their first variable may be multiples of each other.
static Slope slope_of(const Lowering *l, Expr phi) {
  for (uint32_t i = 0; i < l->model->coordinates.n; i++) {
    const Coordinate *c = &l->model->coordinates.at[i];
    Expr variable = expr_depends(l->cx, phi, c->qd)  ? c->qd
                    : expr_depends(l->cx, phi, c->q) ? c->q
                                                     : 0;
    if (!variable) continue;
    Expr slope = expr_diff(l->cx, phi, variable);
    return (Slope){variable, expr_without_coefficient(l->cx, slope),
                   expr_coefficient(l->cx, slope)};
  }
  return (Slope){0};
}

// The number that an expression of parameters is with their values; NaN for others.
static double value_with_parameters(const Lowering *l, Expr e) {
  Context *cx = l->cx;
  if (expr_has_kind(cx, e, ~BIT(PARAMETER))) return NAN;
  Mark mark = arena_mark(&cx->scratch);
  double *values = arena_array(&cx->scratch, double, cx->exprs->symbols.n);
  for (uint32_t i = 0; i < l->model->parameters.n; i++)
    values[symbol_variable(cx, l->model->parameters.at[i].symbol)] = l->parameter_numbers.at[i];
  double value = expr_eval(cx, e, values);
  arena_release(&cx->scratch, mark);
  return value;
}

// Another constraint of which this one is a multiple: both say the same, or can never hold.
static bool contradicts(Lowering *l, const Statement *s, Expr phi, Slope slope) {
  Context *cx = l->cx;
  for (uint32_t i = 0; slope.variable && i < l->constraint_slopes.n; i++) {
    const Slope *known = &l->constraint_slopes.at[i];
    if (known->variable != slope.variable || known->direction != slope.direction) continue;
    const Constraint *other = &l->model->constraints.at[i];
    Number ratio = number_div(cx, slope.coefficient, known->coefficient);
    double rest = value_with_parameters(l, expr_sub(cx, phi, expr_scale(cx, ratio, other->phi)));
    if (isnan(rest)) continue;
    Span span = span_join(s->left->span, s->right->span);
    const char *name = symbol_text(cx, other->name);
    bool same = fabs(rest) < 1e-12;
    bool said =
        same ? lower_warning(l, span, "this constraint says the same as '%s'", name)
             : lower_error(l, QDOT_INCONSISTENT, span, "this constraint contradicts '%s'", name);
    if (said) diag_second(cx, other->equation, "which is here");
    return !same;
  }
  return false;
}

// A nonholonomic constraint must be linear in the velocities.
static bool is_linear(Lowering *l, const Statement *s, Expr phi) {
  for (uint32_t i = 0; i < l->model->coordinates.n; i++) {
    Expr qd = l->model->coordinates.at[i].qd;
    if (!expr_depends(l->cx, phi, qd)) continue;
    Expr slope = expr_diff(l->cx, phi, qd);
    if (!expr_has_kind(l->cx, slope, ANY_VELOCITY)) continue;
    if (lower_error(l, QDOT_BAD_MODEL, span_join(s->left->span, s->right->span),
                    "a constraint must be linear in the velocities"))
      diag_label(l->cx, "it is not linear in %s'",
                 symbol_text(l->cx, l->model->coordinates.at[i].name));
    return false;
  }
  return true;
}

// A state may say how fast something moves; where it moves to, and in which ratio, it may not: its
// own rate would then be an acceleration.
static bool leaves_states_alone(Lowering *l, const Statement *s, Expr phi, bool nonholonomic) {
  Context *cx = l->cx;
  bool alone = nonholonomic || !expr_has_kind(cx, phi, BIT(STATE));
  for (uint32_t i = 0; nonholonomic && i < l->model->coordinates.n; i++)
    alone &= !expr_has_kind(cx, expr_diff(cx, phi, l->model->coordinates.at[i].qd), BIT(STATE));
  if (!alone && lower_error(l, QDOT_BAD_MODEL, span_join(s->left->span, s->right->span),
                            "a state cannot hold a coordinate in place"))
    diag_label(cx, "a constraint may give a velocity by it, x' = i*c, or let a force follow it");
  return alone;
}

static bool add_constraint(Lowering *l, const Statement *s, Symbol name, Expr phi, Form form) {
  Model *model = l->model;
  const Item *item = &s->items.at[0];
  if (!restrains(l, s, phi, "constraint")) return false;
  Slope slope = slope_of(l, phi);
  if (contradicts(l, s, phi, slope)) return false;
  bool nonholonomic = expr_has_kind(l->cx, phi, ANY_VELOCITY);
  if (nonholonomic && !is_linear(l, s, phi)) return false;
  if (!leaves_states_alone(l, s, phi, nonholonomic)) return false;
  Symbol multiplier = row_multiplier(l->cx, name);
  if (!define_multiplier(l, name, multiplier, item, NAME_CONSTRAINT_FORCE, model->constraints.n))
    return false;
  // lambda phi is an energy, or a power where phi is a velocity.
  Form work = energy_form(nonholonomic ? ENERGY_DISSIPATION : ENERGY_POTENTIAL);
  Constraint constraint = {.name = name,
                           .multiplier = expr_symbol(l->cx, SYMBOL_MULTIPLIER, multiplier),
                           .phi = phi,
                           .measure = measure_of(l, form_div(&l->inference, work, form), NULL),
                           .is_nonholonomic = nonholonomic,
                           .span = item->span,
                           .equation = span_join(s->left->span, s->right->span)};
  vec_push(&l->cx->keep, &model->constraints, constraint);
  vec_push(l->arena, &l->constraint_slopes, slope);
  return true;
}

Value lower_difference(Lowering *l, const Statement *s, const Rules *rules) {
  Value a = lower_ruled(l, s->left, rules), b = lower_ruled(l, s->right, rules);
  if (!has_value(a) || !has_value(b)) return value_none();
  if (a.n != b.n) {
    lower_error(l, QDOT_BAD_VALUE, span_join(s->left->span, s->right->span),
                "both sides are numbers, or vectors of one length");
    return value_none();
  }
  for (uint32_t i = 0; i < a.n; i++) {
    if (!equate_values(l, s->left, a.form[i], s->right, b.form[i],
                       "the two sides have different dimensions"))
      return value_none();
    if (a.form[i].kind == FORM_BARE) a.form[i] = b.form[i];
    a.at[i] = expr_sub(l->cx, a.at[i], b.at[i]);
  }
  return a;
}

bool lower_constraint(Lowering *l, const Statement *s) {
  static const Rules rules = {ANY_ACCELERATION | BIT(MULTIPLIER) | BIT(INPUT) | BIT(STATE_RATE),
                              "a constraint"};
  Symbol name = item_symbol(l, &s->items.at[0]);
  Value phi = lower_difference(l, s, &rules);
  if (!name || !has_value(phi)) {
    break_name(l, &s->items.at[0]);
    return false;
  }
  if (phi.n == 1) return add_constraint(l, s, name, phi.at[0], phi.form[0]);
  bool good = true;
  for (uint32_t i = 0; i < phi.n; i++) {
    char *part = text_format(l->arena, "%s_%c", symbol_text(l->cx, name), "xyz"[i]);
    good = add_constraint(l, s, symbol_from_text(l->cx, part), phi.at[i], phi.form[i]) && good;
  }
  return good;
}
