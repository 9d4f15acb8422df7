// Elements: bushings, ropes, cylinders ..., by the records of elements.def.
#include <math.h>
#include <string.h>

#include "expr/plane.h"
#include "lang/lower/anchor.h"
#include "lang/lower/lower_number.h"
#include "lang/lower/property.h"
#include "model/element_type.h"

#define BIT(kind) KIND_BIT(SYMBOL_##kind)
#define EVERYTHING ((1u << SYMBOL_KINDS) - 1)

// ---- Properties

static const Rules *rules_for(ElementContent content) {
  static const Rules rules[] = {
      [ELEMENT_FIXED] = {EVERYTHING & ~BIT(PARAMETER), "the description of a part"},
      [ELEMENT_RESTITUTION] = {EVERYTHING & ~BIT(PARAMETER), "a restitution"},
      [ELEMENT_RATIO] = {EVERYTHING & ~BIT(PARAMETER), "a ratio"},
      [ELEMENT_POSITIVE] = {EVERYTHING & ~BIT(PARAMETER), "the description of a part"},
      [ELEMENT_SIZE] = {EVERYTHING & ~BIT(PARAMETER), "the description of a part"},
      [ELEMENT_TIMED] = {EVERYTHING & ~(BIT(PARAMETER) | BIT(TIME)), "a given length"},
      [ELEMENT_PLACED] = {EVERYTHING & ~(BIT(PARAMETER) | BIT(TIME) | BIT(COORDINATE) | BIT(POSE)),
                          "a given shape"},
      [ELEMENT_LAW] = {BIT(ACCELERATION) | BIT(POSE_ACCELERATION) | BIT(MULTIPLIER) |
                           BIT(STATE_RATE),
                       "a force"}};
  return &rules[content];
}

static Form unit_form(const int8_t unit[3]) {
  return form_known(dimension_base(unit[0], unit[1], unit[2]));
}

static bool is_restitution(Lowering *l, const Ast *ast, double number) {
  if (!(number < 0 || number > 1)) return true;
  if (lower_error(l, QDOT_BAD_VALUE, ast->span, "a restitution lies between 0 and 1"))
    diag_label(l->cx, "this is %g", number);
  return false;
}

// "(x, y, angle)"
static const char *parts_text(Lowering *l, const ElementProperty *p) {
  return text_format(l->arena, "(%s, %s, %s)", p->parts[0], p->parts[1], p->parts[2]);
}

static bool is_size(Lowering *l, const ElementProperty *p, const Ast *ast, double number) {
  if (!(number < 0)) return true;
  if (lower_error(l, QDOT_BAD_VALUE, ast->span, "'%s' cannot be negative", p->word)) {
    Text unit = text_new(l->arena);
    dimension_print(unit_form(p->unit[0]).known, &unit);
    diag_label(l->cx, "this is %g %s", number, unit.at);
  }
  return false;
}

static bool lower_value_of(Lowering *l, const ElementProperty *p, const Clause *clause,
                           Symbol owner, Expr out[3]) {
  const Ast *ast = clause->value;
  const char *what = text_format(l->arena, "'%s'", p->word);
  uint32_t n = p->parts[0] ? 3 : 1;
  bool may_be_angle = p->may_be == ELEMENT_FIXED || p->may_be == ELEMENT_POSITIVE;
  bool is_angle = n == 1 && may_be_angle && !p->unit[0][0] && !p->unit[0][1];
  if (is_angle) warn_degrees(l, ast);
  Value v = lower_ruled(l, ast, rules_for(p->may_be));
  if (!has_value(v)) return false;
  if (v.n != n) {
    if (lower_error(l, QDOT_BAD_VALUE, ast->span, "%s has %s", what,
                    n == 1 ? "one value" : "three components"))
      diag_label(l->cx, n == 1 ? "a number, not a vector" : "write %s", parts_text(l, p));
    return false;
  }
  for (uint32_t i = 0; i < n; i++)
    if (!need_dimension(l, ast, v.form[i], unit_form(p->unit[i]), what)) return false;
  if (p->may_be == ELEMENT_RESTITUTION && !is_restitution(l, ast, v.number)) return false;
  if (p->may_be == ELEMENT_POSITIVE && v.number <= 0) {
    if (lower_error(l, QDOT_BAD_VALUE, ast->span, "%s is above 0", what))
      diag_label(l->cx, "this is %g", v.number);
    return false;
  }
  const char *named = p->named ? p->named : p->word;
  for (uint32_t i = 0; i < n; i++) {
    const Ast *part = n > 1 && ast->kind == AST_VECTOR ? ast->args[i] : ast;
    const char *name = n == 1 ? named : text_format(l->arena, "%s_%s", named, p->parts[i]);
    bool is_number = p->may_be != ELEMENT_RESTITUTION && p->may_be != ELEMENT_RATIO && !is_angle;
    double number = v.number;
    out[i] = is_number ? name_number(l, owner, name, part, unit_form(p->unit[i]), v.at[i], &number)
                       : v.at[i];
    if (p->may_be == ELEMENT_SIZE && !is_size(l, p, ast, number)) return false;
  }
  return true;
}

static const char *takes_of(Lowering *l, const ElementType *type) {
  Text out = text_new(l->arena);
  for (int i = 0; i < ELEMENT_PROPERTIES && type->properties[i].word; i++)
    text_addf(&out, "%s%s", i ? " " : "", type->properties[i].word);
  return out.at;
}

// "',  stiffness ..' or ', damping ..'"
static const char *cure_for(Lowering *l, const char *one_of) {
  Text out = text_new(l->arena);
  for (const char *at = one_of; *at;) {
    int n = (int)strcspn(at, " ");
    text_addf(&out, "%s', %.*s ...'", at == one_of ? "add " : " or ", n, at);
    at += n + (at[n] == ' ');
  }
  return out.at;
}

// Does the property say something beside the others?
static bool fits_others(Lowering *l, const Statement *s, const ElementType *type,
                        const ElementProperty *p, const Clause *clause) {
  const Clause *other = p->excludes ? property_find(l, s, p->excludes) : NULL;
  if (other) {
    if (lower_error(l, QDOT_BAD_MODEL, clause->span, "%s has '%s' or '%s', not both", type->called,
                    p->excludes, p->word))
      diag_second(l->cx, other->span, "the other one is here");
    return false;
  }
  if (p->needs && !property_find(l, s, p->needs)) {
    if (lower_error(l, QDOT_BAD_MODEL, clause->span, "without '%s' its '%s' does nothing", p->needs,
                    p->word))
      diag_label(l->cx, "add ', %s ...', or leave it out", p->needs);
    return false;
  }
  return true;
}

static bool lower_properties(Lowering *l, const Statement *s, Element *e) {
  const ElementType *type = element_type(e->kind);
  bool good = properties_fit(l, s, type->called, takes_of(l, type)), acts = !type->one_of;
  for (int i = 0; i < ELEMENT_PROPERTIES && type->properties[i].word; i++) {
    const ElementProperty *p = &type->properties[i];
    const Clause *clause = property_find(l, s, p->word);
    if (!clause && p->is_needed) {
      if (lower_error(l, QDOT_BAD_MODEL, s->word, "%s needs '%s'", type->called, p->word))
        diag_label(l->cx, "add ', %s ...'", p->word);
      good = false;
    }
    if (!clause) continue;
    acts = acts || strstr(type->one_of, p->word);
    good = fits_others(l, s, type, p, clause) &&
           lower_value_of(l, p, clause, e->name, e->values[i]) && good;
  }
  if (acts || !good) return good;
  if (lower_error(l, QDOT_BAD_MODEL, e->span, "'%s' does nothing", symbol_text(l->cx, e->name)))
    diag_label(l->cx, "%s", cure_for(l, type->one_of));
  return false;
}

// ---- What it does

static void add_energy(Lowering *l, EnergyKind kind, const Element *e, Expr value) {
  if (!value || expr_is_zero(l->cx, value)) return;
  vec_push(&l->cx->keep, &l->model->energies, ((Energy){kind, e->name, value, e->span}));
}

static Measure force_measure(Lowering *l, bool is_torque) {
  return measure_of(l, form_known(dimension_base(1, 1 + is_torque, -2)), NULL);
}

static bool add_effects(Lowering *l, const Item *item, const Element *e, Symbol multiplier,
                        const ElementEffects *effects) {
  Model *model = l->model;
  Expr symbol = expr_symbol(l->cx, SYMBOL_MULTIPLIER, multiplier);
  if (effects->limit) {
    if (!define_multiplier(l, e->name, multiplier, item, NAME_CONTACT_FORCE, model->contacts.n))
      return false;
    Contact contact = {.name = e->name,
                       .multiplier = symbol,
                       .phi = effects->limit,
                       .measure = force_measure(l, effects->turns),
                       .restitution = effects->restitution,
                       .span = e->span,
                       .condition = e->span};
    vec_push(&l->cx->keep, &model->contacts, contact);
  }
  if (effects->row) {
    if (!define_multiplier(l, e->name, multiplier, item, NAME_CONSTRAINT_FORCE,
                           model->constraints.n))
      return false;
    Constraint row = {.name = e->name,
                      .multiplier = symbol,
                      .phi = effects->row,
                      .measure = force_measure(l, false),
                      .span = e->span,
                      .equation = e->span};
    vec_push(&l->cx->keep, &model->constraints, row);
    vec_push(l->arena, &l->constraint_slopes, (Slope){0}); // of poses: a multiple of none
  }
  add_energy(l, ENERGY_KINETIC, e, effects->kinetic);
  add_energy(l, ENERGY_POTENTIAL, e, effects->potential);
  add_energy(l, ENERGY_DISSIPATION, e, effects->dissipation);
  if (effects->force.n) {
    PointForce force = effects->force;
    force.span = e->span;
    vec_push(&l->cx->keep, &model->point_forces, force);
  }
  return true;
}

static bool lower_ends(Lowering *l, const Statement *s, Element *e) {
  if (element_type(e->kind)->ends == 2)
    return lower_two_anchors(l, s, e->name, &e->first, &e->second);
  bool good = lower_anchor(l, &s->items.at[1], e->name, 1, &e->first);
  e->second = e->first;
  if (!good || e->first.body != GROUND) return good;
  lower_error(l, QDOT_BAD_MODEL, s->items.at[1].span, "%s belongs to a body that moves",
              element_type(e->kind)->called);
  return false;
}

static bool lower_element(Lowering *l, const Statement *s, ElementKind kind) {
  const Item *item = &s->items.at[0];
  Mechanism *m = &l->model->mechanism;
  Element e = {.name = item_symbol(l, item), .kind = kind, .span = item->span};
  bool good = e.name && lower_ends(l, s, &e);
  good = lower_properties(l, s, &e) && good;
  if (!good || !define_name(l, e.name, item, NAME_ELEMENT, m->elements.n)) {
    break_name(l, item);
    return false;
  }
  ElementEffects effects;
  Symbol multiplier = row_multiplier(l->cx, e.name);
  element_act(l->cx, m, &e, expr_symbol(l->cx, SYMBOL_MULTIPLIER, multiplier), &effects);
  vec_push(&l->cx->keep, &m->elements, e);
  return add_effects(l, item, &e, multiplier, &effects);
}

void lower_weigh_elements(Lowering *l) {
  Context *cx = l->cx;
  const Mechanism *m = &l->model->mechanism;
  for (uint32_t i = 0; i < m->elements.n && m->gravity[0]; i++) {
    const Element *e = &m->elements.at[i];
    if (!e->lever[0]) continue;
    Expr lift = plane_dot(cx, m->gravity, e->lever);
    add_energy(l, ENERGY_POTENTIAL, e, expr_neg(cx, lift));
  }
}

bool lower_bushing(Lowering *l, const Statement *s) { return lower_element(l, s, ELEMENT_BUSHING); }
bool lower_rope(Lowering *l, const Statement *s) { return lower_element(l, s, ELEMENT_ROPE); }
bool lower_cylinder(Lowering *l, const Statement *s) {
  return lower_element(l, s, ELEMENT_CYLINDER);
}
bool lower_unbalance(Lowering *l, const Statement *s) {
  return lower_element(l, s, ELEMENT_UNBALANCE);
}
bool lower_tyre(Lowering *l, const Statement *s) { return lower_element(l, s, ELEMENT_TYRE); }
bool lower_cam(Lowering *l, const Statement *s) { return lower_element(l, s, ELEMENT_CAM); }
bool lower_backlash(Lowering *l, const Statement *s) {
  return lower_element(l, s, ELEMENT_BACKLASH);
}
