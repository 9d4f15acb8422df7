// Coefficients of friction, and the friction of joints: Coulomb's or viscous, by its unit.
#include <math.h>

#include "expr/build.h"
#include "lang/lower/part_number.h"
#include "lang/lower/property.h"

#define BIT(kind) KIND_BIT(SYMBOL_##kind)

static Value lower_coefficient(Lowering *l, const Ast *ast) {
  static const Rules rules = {~BIT(PARAMETER), "a coefficient of friction"};
  Value v = lower_scalar(l, ast, &rules);
  if (!has_value(v) || !need_pure(l, ast, v.form[0], "a coefficient of friction"))
    return value_none();
  if (v.number >= 0 || isnan(v.number)) return v;
  if (lower_error(l, QDOT_BAD_VALUE, ast->span, "a coefficient of friction cannot be negative"))
    diag_label(l->cx, "this is %g", v.number);
  return value_none();
}

bool lower_coefficients(Lowering *l, const Clause *clause, Expr *mu_rest, Expr *mu) {
  Value rest = lower_coefficient(l, clause->value);
  Value slide = clause->second ? lower_coefficient(l, clause->second) : rest;
  if (!has_value(rest) || !has_value(slide)) return false;
  if (slide.number > rest.number) {
    if (lower_error(l, QDOT_BAD_VALUE, clause->second->span,
                    "sliding friction cannot exceed friction at rest"))
      diag_label(l->cx, "%g at rest comes first, then %g while sliding", rest.number, slide.number);
    return false;
  }
  *mu_rest = rest.at[0], *mu = slide.at[0];
  return true;
}

Symbol rolling_name(Lowering *l, Symbol owner) {
  return symbol_from_text(l->cx, text_format(l->arena, "%s.rolling", symbol_text(l->cx, owner)));
}

Expr lower_resistance(Lowering *l, const Statement *s, Symbol owner) {
  const Ast *ast = property_find(l, s, "rolling")->value;
  Expr f = part_named(l, s, "rolling", QUANTITY_LENGTH, owner, "rolling");
  double number = f ? lower_scalar(l, ast, &part_rules).number : NAN;
  if (!(number < 0)) return f;
  if (lower_error(l, QDOT_BAD_VALUE, ast->span, "resistance to rolling cannot be negative"))
    diag_label(l->cx, "this is %g m", number);
  return 0;
}

bool lower_wrap(Lowering *l, const Statement *s, Expr *mu_rest, Expr *mu) {
  Context *cx = l->cx;
  const Clause *clause = property_find(l, s, "wrap");
  Expr beta = clause ? 0 : expr_pi(cx);
  if (clause) {
    Value v = lower_scalar(l, clause->value, &part_rules);
    if (!has_value(v) || !need_pure(l, clause->value, v.form[0], "an angle of wrap")) return false;
    beta = v.at[0];
    if (v.number < 0) {
      if (lower_error(l, QDOT_BAD_VALUE, clause->value->span, "an angle of wrap is 0 or more"))
        diag_label(l->cx, "this is %g", v.number);
      return false;
    }
  }
  Expr *both[] = {mu_rest, mu};
  for (int i = 0; i < 2; i++) {
    Expr half = expr_mul3(cx, expr_ratio(cx, 1, 2), *both[i], beta);
    *both[i] = expr_function1(cx, OP_TANH, half);
  }
  return true;
}

// ---- Joints

// Above this a number without a unit is hardly a coefficient.
static const double MOST_WITHOUT_UNIT = 2;

// Has nobody said what it is: no unit, and nothing else that tells?
static bool is_open(Lowering *l, Form form) {
  Dimension dimension;
  return form.kind == FORM_BARE || !form_is_known(&l->inference, form, &dimension);
}

static bool is_coulomb(Lowering *l, const Clause *clause, Form form) {
  Dimension dimension;
  if (clause->second || form.kind == FORM_BARE) return true;
  return !form_is_known(&l->inference, form, &dimension) || dimension_is_pure(dimension);
}

static bool refuse_doubt(Lowering *l, const Clause *clause, double number, bool slides) {
  if (lower_error(l, QDOT_BAD_UNIT, clause->value->span,
                  "is this Coulomb's coefficient of friction, or viscous friction?"))
    diag_label(l->cx, "write %g [1] for the first, %g [%s] for the other", number, number,
               slides ? "N*s/m" : "N*m*s");
  return false;
}

Expr radius_of_wheel(const Lowering *l, const Joint *j) {
  const Mechanism *m = &l->model->mechanism;
  bool is_disc = j->second.body != GROUND && m->bodies.at[j->second.body].shape == BODY_DISC;
  return is_disc ? m->bodies.at[j->second.body].size[0] : 0;
}

// What a belt needs to slip: its tension, and the radius of its second wheel.
static bool is_belt_complete(Lowering *l, const Statement *s, const Clause *clause,
                             const Joint *j) {
  if (!j->tension) {
    if (lower_error(l, QDOT_BAD_MODEL, clause->span, "what presses the belt on its wheels?"))
      diag_label(l->cx, "add ', tension F', the force in each strand at rest");
    return false;
  }
  if (property_find(l, s, "radius") || radius_of_wheel(l, j)) return true;
  if (lower_error(l, QDOT_BAD_MODEL, clause->span, "at which radius does the belt rub?"))
    diag_label(l->cx, "add ', radius r', that of the second wheel, or make it a disc");
  return false;
}

static bool has_radius(Lowering *l, const Statement *s, const Clause *clause, const Joint *j) {
  if (j->kind == JOINT_BELT) return is_belt_complete(l, s, clause, j);
  if (j->kind != JOINT_REVOLUTE || property_find(l, s, "radius")) return true;
  if (lower_error(l, QDOT_BAD_MODEL, clause->span, "at which radius does the pin rub?"))
    diag_label(l->cx, "add ', radius r', or for viscous friction its unit, N*m*s");
  return false;
}

static Expr symbol_of(Lowering *l, const char *letter, Symbol joint) {
  const char *name = text_format(l->arena, "%s_%s", letter, symbol_text(l->cx, joint));
  return expr_symbol(l->cx, SYMBOL_MULTIPLIER, symbol_from_text(l->cx, name));
}

static bool lower_joint_rolling(Lowering *l, const Statement *s, Joint *j) {
  if (!property_find(l, s, "rolling")) return true;
  j->rolling = lower_resistance(l, s, j->name);
  j->rolls = rolling_name(l, j->name);
  j->roll_press = symbol_of(l, j->mu ? "P" : "N", j->name);
  j->roll_torque = symbol_of(l, "M", j->name);
  j->is_measured = true;
  return j->rolling != 0;
}

// Without friction a belt has no use for these.
static bool refuse_idle(Lowering *l, const Statement *s) {
  static const char *const words[] = {"wrap", "radius"};
  for (int i = 0; i < 2; i++) {
    const Clause *clause = property_find(l, s, words[i]);
    if (!clause) continue;
    if (lower_error(l, QDOT_BAD_MODEL, clause->span, "'%s' belongs to friction", words[i]))
      diag_label(l->cx, "add ', friction mu', or leave this out");
    return false;
  }
  return true;
}

static bool lower_grip(Lowering *l, const Statement *s, Joint *j, const Rules *rules,
                       bool *is_viscous) {
  const Clause *clause = property_find(l, s, "friction");
  *is_viscous = clause != NULL;
  if (!clause && j->kind == JOINT_BELT && !refuse_idle(l, s)) return false;
  if (!clause || !joint_type(j->kind)->has_grip) return true;
  bool slides = joint_type(j->kind)->slides || j->kind == JOINT_ROLLING;
  Value v = lower_scalar(l, clause->value, rules);
  if (!has_value(v)) return false;
  Form form = form_resolve(&l->inference, v.form[0]);
  if (j->kind != JOINT_BELT && !is_coulomb(l, clause, form)) return true;
  *is_viscous = false;
  if (is_open(l, form) && !clause->second && v.number > MOST_WITHOUT_UNIT)
    return refuse_doubt(l, clause, v.number, slides);
  if (!has_radius(l, s, clause, j)) return false;
  if (!lower_coefficients(l, clause, &j->mu_rest, &j->mu)) return false;
  if (j->kind == JOINT_BELT && !lower_wrap(l, s, &j->mu_rest, &j->mu)) return false;
  j->press = symbol_of(l, "N", j->name);
  j->rub = symbol_of(l, "R", j->name);
  j->is_measured = true;
  if (j->kind == JOINT_ROLLING) j->kind = JOINT_GRIP;
  if (j->kind == JOINT_BELT) j->kind = JOINT_BAND;
  return true;
}

bool lower_joint_friction(Lowering *l, const Statement *s, Joint *j, const Rules *rules,
                          bool *is_viscous) {
  return lower_grip(l, s, j, rules, is_viscous) && lower_joint_rolling(l, s, j);
}
