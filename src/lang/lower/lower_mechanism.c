// Bodies, joints, springs and motors, in the words of the drawing.
#include <math.h>
#include <string.h>

#include "base/words/phrase.h"
#include "base/words/suggest.h"
#include "expr/build.h"
#include "expr/value/eval.h"
#include "lang/lower/anchor.h"
#include "lang/lower/lower_number.h"
#include "lang/lower/lower_space.h"
#include "lang/lower/property.h"

#define BIT(kind) KIND_BIT(SYMBOL_##kind)
#define EVERYTHING ((1u << SYMBOL_KINDS) - 1)

static const Rules fixed_rules = {EVERYTHING & ~BIT(PARAMETER), "the description of a body"};
static const Rules ground_rules = {EVERYTHING & ~(BIT(PARAMETER) | BIT(TIME)),
                                   "a place on the ground"};
static const Rules law_rules = {
    BIT(ACCELERATION) | BIT(POSE_ACCELERATION) | BIT(MULTIPLIER) | BIT(STATE_RATE), "a force"};

// ---- Dimensions

typedef enum Quantity {
  QUANTITY_PURE,
  QUANTITY_LENGTH,
  QUANTITY_MASS,
  QUANTITY_INERTIA,
  QUANTITY_SPEED,
  QUANTITY_RATE,
  QUANTITY_FORCE,
  QUANTITY_TORQUE,
  QUANTITY_ACCELERATION,
  QUANTITY_STIFFNESS,
  QUANTITY_DAMPING,
  QUANTITY_TORSION,
  QUANTITY_TORSION_DAMPING
} Quantity;

static Form quantity_form(Quantity quantity) {
  static const int8_t exponents[][3] = {
      [QUANTITY_PURE] = {0, 0, 0},
      [QUANTITY_LENGTH] = {0, 1, 0},
      [QUANTITY_MASS] = {1, 0, 0},
      [QUANTITY_INERTIA] = {1, 2, 0},
      [QUANTITY_SPEED] = {0, 1, -1},
      [QUANTITY_RATE] = {0, 0, -1},
      [QUANTITY_FORCE] = {1, 1, -2},
      [QUANTITY_TORQUE] = {1, 2, -2},
      [QUANTITY_ACCELERATION] = {0, 1, -2},
      [QUANTITY_STIFFNESS] = {1, 0, -2},
      [QUANTITY_DAMPING] = {1, 0, -1},
      [QUANTITY_TORSION] = {1, 2, -2},
      [QUANTITY_TORSION_DAMPING] = {1, 2, -1},
  };
  const int8_t *e = exponents[quantity];
  return form_known(dimension_base(e[0], e[1], e[2]));
}

// One number of the quantity; no expression after a mistake.
static Expr lower_quantity(Lowering *l, const Ast *ast, Quantity quantity, const Rules *rules,
                           const char *what, double *number) {
  Value v = lower_scalar(l, ast, rules);
  if (!has_value(v) || !need_dimension(l, ast, v.form[0], quantity_form(quantity), what)) return 0;
  if (number) *number = v.number;
  return v.at[0];
}

static bool lower_plane_vector(Lowering *l, const Ast *ast, Quantity quantity, const Rules *rules,
                               const char *what, Expr out[2]) {
  Value v = lower_ruled(l, ast, rules);
  if (!has_value(v)) return false;
  if (v.n != 2) {
    if (lower_error(l, QDOT_BAD_VALUE, ast->span, "%s has two components", what))
      diag_label(l->cx, "write (x, y)");
    return false;
  }
  for (int i = 0; i < 2; i++)
    if (!need_dimension(l, ast, v.form[i], quantity_form(quantity), what)) return false;
  memcpy(out, v.at, 2 * sizeof *out);
  return true;
}

// ---- Properties

static bool is_word(const Lowering *l, Symbol symbol, const char *word) {
  return strcmp(symbol_text(l->cx, symbol), word) == 0;
}

// named: as what the part of that name has it where it is a number; NULL where it stays one.
static Expr named_value(Lowering *l, const Statement *s, const char *word, Quantity quantity,
                        Symbol owner, const char *named) {
  const Clause *clause = property_find(l, s, word);
  if (!clause) return 0;
  bool is_start = strcmp(s->row->word, "body") == 0; // asked about once the model is whole
  bool is_number = clause->value->kind == AST_NUMBER || clause->value->kind == AST_NEGATE;
  if (quantity == QUANTITY_PURE && strcmp(word, "ratio") != 0 && !(is_start && is_number))
    warn_degrees(l, clause->value);
  if (quantity == QUANTITY_RATE) warn_hertz(l, clause->value);
  Expr value = lower_quantity(l, clause->value, quantity, &fixed_rules,
                              text_format(l->arena, "'%s'", word), NULL);
  if (!value || !named) return value;
  return name_number(l, owner, named, clause->value, quantity_form(quantity), value, NULL);
}

static Expr property_value(Lowering *l, const Statement *s, const char *word, Quantity quantity) {
  return named_value(l, s, word, quantity, 0, NULL);
}

// ---- Gravity

// Along one axis it is g, towards the side that the number says.
static void name_gravity(Lowering *l, const Ast *ast, Expr gravity[2]) {
  Context *cx = l->cx;
  Symbol owner = symbol_from_text(cx, "gravity");
  Form form = quantity_form(QUANTITY_ACCELERATION);
  for (int i = 0; i < 2; i++) {
    bool alone = expr_is_zero(cx, gravity[1 - i]) && !expr_is_zero(cx, gravity[i]);
    if (!alone || expr_has_kind(cx, gravity[i], EVERYTHING)) continue;
    const Ast *part = ast->kind == AST_VECTOR ? ast->args[i] : ast;
    bool down = expr_eval(cx, gravity[i], NULL) < 0;
    Expr size = down ? expr_neg(cx, gravity[i]) : gravity[i];
    Expr g = name_number(l, owner, "g", part, form, size, NULL);
    gravity[i] = down ? expr_neg(cx, g) : g;
  }
}

bool lower_gravity(Lowering *l, const Statement *s) {
  bool done;
  if (lower_space_gravity(l, s, &done)) return done;
  Mechanism *m = &l->model->mechanism;
  if (m->gravity[0]) {
    if (lower_error(l, QDOT_DUPLICATE_NAME, s->word, "gravity is already given"))
      diag_second(l->cx, m->gravity_span, "here");
    return false;
  }
  static const Rules rules = {EVERYTHING & ~BIT(PARAMETER), "gravity"};
  if (!lower_plane_vector(l, s->left, QUANTITY_ACCELERATION, &rules, "gravity", m->gravity))
    return false;
  name_gravity(l, s->left, m->gravity);
  m->gravity_span = s->span;
  return true;
}

// ---- Bodies

static Initial initial_from(const Clause *clause, Expr value) {
  return (Initial){clause->is_given ? INITIAL_GIVEN : INITIAL_GUESS, value, clause->span};
}

static void lower_start(Lowering *l, const Statement *s, Body *body) {
  const Clause *at = property_find(l, s, "at"), *velocity = property_find(l, s, "velocity");
  const Clause *angle = property_find(l, s, "angle"), *spin = property_find(l, s, "spin");
  Expr v[2];
  if (at && lower_plane_vector(l, at->value, QUANTITY_LENGTH, &fixed_rules, "a place", v))
    for (int i = 0; i < 2; i++) body->start[i] = initial_from(at, v[i]);
  if (velocity &&
      lower_plane_vector(l, velocity->value, QUANTITY_SPEED, &fixed_rules, "a velocity", v))
    for (int i = 0; i < 2; i++) body->velocity[i] = initial_from(velocity, v[i]);
  Expr e = property_value(l, s, "angle", QUANTITY_PURE);
  if (e) body->start[2] = initial_from(angle, e);
  e = property_value(l, s, "spin", QUANTITY_RATE);
  if (e) body->velocity[2] = initial_from(spin, e);
}

static bool lower_mass(Lowering *l, const Statement *s, Body *body) {
  const Clause *clause = property_find(l, s, "mass");
  if (!clause && l->kinematics) {
    body->mass = expr_int(l->cx, 0);
    return true;
  }
  if (!clause) {
    if (lower_error(l, QDOT_BAD_MODEL, s->items.at[0].span, "body '%s' has no mass",
                    symbol_text(l->cx, body->name)))
      diag_label(l->cx, "add ', mass m'");
    return false;
  }
  double number = NAN;
  body->mass = lower_quantity(l, clause->value, QUANTITY_MASS, &fixed_rules, "'mass'", &number);
  if (!body->mass) return false;
  body->mass = name_number(l, body->name, "mass", clause->value, quantity_form(QUANTITY_MASS),
                           body->mass, &number);
  if (!(number < 0)) return true;
  if (lower_error(l, QDOT_BAD_VALUE, clause->value->span, "body '%s' has a negative mass",
                  symbol_text(l->cx, body->name)))
    diag_label(l->cx, "%g kg", number);
  return false;
}

// m L^2 / 12, m R^2 / 2, m (a^2 + b^2) / 12 or 0, unless the inertia is given.
static Expr shape_inertia(Lowering *l, const Body *b) {
  Context *cx = l->cx;
  if (!b->mass) return 0; // reported
  Expr square = b->size[0] ? expr_square(cx, b->size[0]) : 0;
  switch (b->shape) {
  case BODY_ROD: return expr_mul3(cx, expr_ratio(cx, 1, 12), b->mass, square);
  case BODY_DISC: return expr_mul3(cx, expr_ratio(cx, 1, 2), b->mass, square);
  case BODY_PLATE:
    return expr_mul3(cx, expr_ratio(cx, 1, 12), b->mass,
                     expr_add(cx, square, expr_square(cx, b->size[1])));
  default: return expr_int(cx, 0);
  }
}

// A body has one shape, and what a point has no extent for is not inertia.
static bool shapes_agree(Lowering *l, const Statement *s, const Body *b) {
  static const char *const shapes[] = {"rod", "disc", "plate", "point"};
  const char *name = symbol_text(l->cx, b->name);
  const Clause *first = NULL;
  for (uint32_t i = 0; i < s->clauses.n; i++) {
    const Clause *clause = &s->clauses.at[i];
    for (int k = 0; k < 4; k++) {
      if (!is_word(l, clause->word, shapes[k])) continue;
      bool second = first && first->word != clause->word;
      if (second &&
          lower_error(l, QDOT_DUPLICATE_NAME, clause->span, "body '%s' has two shapes", name))
        diag_second(l->cx, first->span, "the other one is here");
      if (second) return false;
      first = first ? first : clause;
    }
  }
  const Clause *inertia = property_find(l, s, "inertia");
  if (!inertia || !first || !is_word(l, first->word, "point")) return true;
  const Clause *later = inertia > first ? inertia : first;
  if (lower_error(l, QDOT_BAD_MODEL, later->span, "body '%s' is a point, which has no inertia",
                  name))
    diag_label(l->cx, "keep one of them");
  return false;
}

static Expr name_side(Lowering *l, const Body *b, const Ast *plate, int i) {
  const Ast *ast = plate->kind == AST_VECTOR ? plate->args[i] : plate;
  return name_number(l, b->name, i ? "height" : "width", ast, quantity_form(QUANTITY_LENGTH),
                     b->size[i], NULL);
}

static bool lower_shape(Lowering *l, const Statement *s, Body *b) {
  const Clause *plate = property_find(l, s, "plate");
  Expr rod = named_value(l, s, "rod", QUANTITY_LENGTH, b->name, "length");
  Expr disc = named_value(l, s, "disc", QUANTITY_LENGTH, b->name, "radius");
  if (rod) b->shape = BODY_ROD, b->size[0] = rod;
  if (disc) b->shape = BODY_DISC, b->size[0] = disc;
  if (property_find(l, s, "point")) b->shape = BODY_POINT;
  if (plate) {
    if (!lower_plane_vector(l, plate->value, QUANTITY_LENGTH, &fixed_rules, "the size of a plate",
                            b->size))
      return false;
    b->size[0] = name_side(l, b, plate->value, 0);
    b->size[1] = name_side(l, b, plate->value, 1);
    b->shape = BODY_PLATE;
  }
  const Clause *inertia = property_find(l, s, "inertia");
  if (inertia) {
    b->inertia = named_value(l, s, "inertia", QUANTITY_INERTIA, b->name, "inertia");
    return b->inertia != 0;
  }
  if (b->shape == BODY_PLAIN) {
    if (property_find(l, s, "rod") || property_find(l, s, "disc")) return false; // reported
    if (l->kinematics) {
      b->inertia = expr_int(l->cx, 0);
      return true;
    }
    if (lower_error(l, QDOT_BAD_MODEL, s->items.at[0].span, "body '%s' has no inertia",
                    symbol_text(l->cx, b->name)))
      diag_label(l->cx, "add ', inertia J', or a shape: rod L, disc r, plate (a, b), point");
    return false;
  }
  b->inertia = shape_inertia(l, b);
  if (b->inertia && b->name)
    b->inertia = name_computed(l, b->name, "inertia", s->items.at[0].span,
                               quantity_form(QUANTITY_INERTIA), b->inertia);
  return b->inertia != 0;
}

static void name_poses(Lowering *l, Body *body, uint32_t number, Span span) {
  static const char *const parts[] = {"x", "y", "theta"};
  Context *cx = l->cx;
  for (uint32_t i = 0; i < 3; i++) {
    Symbol name =
        symbol_from_text(cx, text_format(l->arena, "%s.%s", symbol_text(cx, body->name), parts[i]));
    body->pose[i] = expr_symbol(cx, SYMBOL_POSE, name);
    if (!model_find(l->model, name))
      model_add_name(l->model, name, NAME_POSE, 3 * number + i, span);
  }
}

bool lower_body(Lowering *l, const Statement *s) {
  const Item *item = &s->items.at[0];
  Mechanism *m = &l->model->mechanism;
  Body body = {.name = item_symbol(l, item), .span = item->span};
  if (body.name && is_word(l, body.name, "ground")) {
    lower_error(l, QDOT_DUPLICATE_NAME, item->span, "'ground' already exists and does not move");
    return false;
  }
  bool good = properties_fit(l, s, "a body", NULL);
  good = shapes_agree(l, s, &body) && good;
  good = lower_mass(l, s, &body) && good;
  good = lower_shape(l, s, &body) && good;
  lower_start(l, s, &body);
  if (!good || !define_name(l, body.name, item, NAME_BODY, m->bodies.n)) {
    break_name(l, item);
    return false;
  }
  name_poses(l, &body, m->bodies.n, item->span);
  vec_push(&l->cx->keep, &m->bodies, body);
  return true;
}

// Another name for what does not move: the frame of a machine, link[0] of a chain.
bool lower_ground(Lowering *l, const Statement *s) {
  bool good = true;
  for (uint32_t i = 0; i < s->items.n; i++) {
    const Item *item = &s->items.at[i];
    Symbol name = item_symbol(l, item);
    bool same = name && is_word(l, name, "ground");
    good = (same || define_name(l, name, item, NAME_BODY, GROUND)) && good;
  }
  return good;
}

// ---- Anchors

bool lower_body_name(Lowering *l, const Item *item, uint32_t *body) {
  Symbol name = item_symbol(l, item);
  if (!name) return false;
  *body = GROUND;
  if (is_word(l, name, "ground")) return true;
  NameEntry *entry = need_name(l, name, item->base_span, NAME_BODY);
  if (!entry) return false;
  entry->is_used = true;
  *body = entry->number;
  return true;
}

bool lower_anchor(Lowering *l, const Item *item, Symbol owner, int which, Anchor *out) {
  out->span = item->span;
  out->at[0] = out->at[1] = expr_int(l->cx, 0);
  if (!lower_body_name(l, item, &out->body)) return false;
  const Rules *rules = out->body == GROUND ? &ground_rules : &fixed_rules;
  if (item->value &&
      !lower_plane_vector(l, item->value, QUANTITY_LENGTH, rules, "a point of a body", out->at))
    return false;
  name_place(l, owner, which, out->body, item->value, out->at);
  return true;
}

bool lower_two_anchors(Lowering *l, const Statement *s, Symbol owner, Anchor *first,
                       Anchor *second) {
  bool good = lower_anchor(l, &s->items.at[1], owner, 1, first);
  good = lower_anchor(l, &s->items.at[2], owner, 2, second) && good;
  if (good && first->body == second->body) {
    lower_error(l, QDOT_BAD_MODEL, s->items.at[2].span, "both ends are on the same body");
    return false;
  }
  return good;
}

// ---- Joints

// The joint that other books and programs call so, or NULL.
static const char *joint_called(const char *word) {
  for (int i = 0; i < JOINT_KINDS; i++) {
    const JointType *type = joint_type((JointKind)i);
    for (int k = 0; k < 4 && type->others[k]; k++)
      if (strcmp(type->others[k], word) == 0) return type->word;
  }
  return NULL;
}

// "revolute, prismatic ... or rack"
static const char *all_joints(Arena *arena) {
  Text out = text_new(arena);
  const char *words[JOINT_KINDS];
  size_t count = 0;
  for (int i = 0; i < JOINT_KINDS; i++)
    if (i != JOINT_GRIP) words[count++] = joint_word((JointKind)i); // that is written as rolling
  phrase_list(&out, words, count, "or");
  return out.at;
}

static bool find_joint_kind(Lowering *l, const Statement *s, JointKind *kind) {
  Nearest nearest = nearest_to(symbol_text(l->cx, s->kind));
  for (int i = 0; i < JOINT_KINDS; i++) {
    if (is_word(l, s->kind, joint_word((JointKind)i))) {
      *kind = (JointKind)i;
      return true;
    }
    nearest_offer(&nearest, joint_word((JointKind)i));
  }
  if (lower_error(l, QDOT_UNKNOWN_NAME, s->kind_span, "unknown kind of joint '%s'",
                  symbol_text(l->cx, s->kind))) {
    const char *called = joint_called(symbol_text(l->cx, s->kind));
    diag_suggest(l->cx, called ? called : nearest.best);
    diag_note(l->cx, "%s", all_joints(l->arena));
  }
  return false;
}

// What draws, or loads, nothing.
static bool is_idle_length(const Joint *j) {
  return j->kind == JOINT_PRISMATIC && j->first.body != GROUND && !j->mu;
}

static bool need_property(Lowering *l, const Statement *s, Expr value, const char *word,
                          JointKind kind) {
  if (value) return true;
  if (!property_find(l, s, word))
    lower_error(l, QDOT_BAD_MODEL, s->word, "%s needs '%s'", phrase_one(l->arena, joint_word(kind)),
                word);
  return false;
}

// From 0 to less than a right angle, of what has teeth.
static bool lower_pressure(Lowering *l, const Statement *s, Joint *j) {
  const Clause *clause = property_find(l, s, "pressure");
  double number = NAN;
  if (!clause) return true;
  j->pressure =
      lower_quantity(l, clause->value, QUANTITY_PURE, &fixed_rules, "'pressure'", &number);
  if (!j->pressure || !(number < 0 || number >= 1.57)) return j->pressure != 0;
  if (lower_error(l, QDOT_BAD_VALUE, clause->value->span,
                  "the pressure angle lies between 0 and 90 degrees"))
    diag_label(l->cx, "%g rad; write 20 [deg]", number);
  return false;
}

// Two bodies that meet somewhere: their centres are rarely meant.
static void warn_centres(Lowering *l, const Statement *s, JointKind kind) {
  bool meets = joint_type(kind)->holds_point && !joint_type(kind)->needs;
  for (uint32_t i = 1; i < 3; i++) {
    if (!meets || s->items.n < 3 || s->items.at[i].value) return;
    const NameEntry *entry = model_find(l->model, item_symbol(l, &s->items.at[i]));
    if (!entry || entry->kind != NAME_BODY || entry->number == GROUND) return;
  }
  const char *word = joint_word(kind), *first = symbol_text(l->cx, s->items.at[1].name),
             *second = symbol_text(l->cx, s->items.at[2].name);
  if (lower_warning(l, s->items.at[1].span, "without points the centres of '%s' and '%s' meet",
                    first, second))
    diag_label(l->cx, "for others write %s %s (x, y), %s (x, y)", word, first, second);
}

// A rail is drawn where it stands still; places are nothing to what couples angles.
static void warn_unused(Lowering *l, const Statement *s, const Joint *j, const char *what) {
  const Clause *length = property_find(l, s, "length");
  const Clause *radius = property_find(l, s, "radius");
  if (j->kind == JOINT_REVOLUTE && radius && !j->mu &&
      lower_warning(l, radius->span, "without friction the radius of a pin does nothing"))
    diag_label(l->cx, "add ', friction mu', or leave it out");
  if (length && is_idle_length(j) &&
      lower_warning(l, length->span, "only a rail on the ground is drawn"))
    diag_label(l->cx, "'length' only draws a rail here");
  for (uint32_t i = 1; i < 3; i++)
    if (joint_type(j->kind)->couples_angles) warn_place(l, &s->items.at[i], what);
}

// Points at no distance have no direction in which a rod could push.
static bool is_long(Lowering *l, const Statement *s, const Joint *j) {
  if (j->kind != JOINT_DISTANCE || !j->length) return true;
  const Ast *length = property_find(l, s, "length")->value;
  double number = lower_scalar(l, length, &fixed_rules).number;
  if (!(number <= 0)) return true;
  if (lower_error(l, QDOT_BAD_VALUE, length->span, "the length of a distance must be positive"))
    diag_label(l->cx,
               number < 0 ? "this is %g m"
                          : "this is %g m: where points meet, 'revolute' joins them",
               number);
  return false;
}

static bool lower_joint_properties(Lowering *l, const Statement *s, Joint *j) {
  const JointType *type = joint_type(j->kind);
  const char *joint = is_word(l, s->kind, type->word) ? " joint" : "";
  const char *what = phrase_one(l->arena, text_format(l->arena, "%s%s", type->word, joint));
  if (!properties_fit(l, s, what, type->takes)) return false;
  const struct {
    const char *word;
    Expr *value;
    Quantity quantity;
    const char *named;
  } properties[] = {
      {"axis", &j->axis, QUANTITY_PURE, NULL},
      {"length", &j->length, QUANTITY_LENGTH, "length"},
      {"radius", &j->radius, QUANTITY_LENGTH, "radius"},
      {"ratio", &j->ratio, QUANTITY_PURE, NULL},
      {"friction", &j->friction, type->slides ? QUANTITY_DAMPING : QUANTITY_TORSION_DAMPING,
       "friction"},
  };
  size_t count = sizeof properties / sizeof *properties;
  bool is_viscous;
  if (!lower_joint_friction(l, s, j, &fixed_rules, &is_viscous)) return false;
  for (size_t i = 0; i < (is_viscous ? count : count - 1); i++)
    *properties[i].value =
        named_value(l, s, properties[i].word, properties[i].quantity, j->name, properties[i].named);
  if (!lower_pressure(l, s, j) || !is_long(l, s, j)) return false;
  warn_centres(l, s, j->kind);
  warn_unused(l, s, j, what);
  for (size_t i = 0; type->needs && i < count; i++)
    if (strcmp(properties[i].word, type->needs) == 0)
      return need_property(l, s, *properties[i].value, type->needs, j->kind);
  return true;
}

static bool lower_carrier(Lowering *l, const Statement *s, Joint *j) {
  const Clause *clause = property_find(l, s, "carrier");
  j->carrier = GROUND;
  if (!clause) return true;
  const Ast *ast = clause->value;
  if (ast->kind != AST_NAME) {
    lower_error(l, QDOT_SYNTAX, ast->span, "expected the body that carries the gears");
    return false;
  }
  Item item = {.name = ast->name,
               .span = ast->span,
               .base_span = ast->span,
               .index_count = ast->n,
               .indices = ast->args};
  return lower_body_name(l, &item, &j->carrier);
}

// The joint that keeps a body from turning: a weld or a slide towards the ground; 0 where none
// does.
static const Joint *holding_joint(const Mechanism *m, uint32_t body) {
  for (uint32_t i = 0; i < m->joints.n; i++) {
    const Joint *j = &m->joints.at[i];
    bool grounded = j->first.body == GROUND || j->second.body == GROUND;
    bool touches = j->first.body == body || j->second.body == body;
    if (grounded && touches && (joint_leaves(j, LEAVES_NOTHING) || joint_leaves(j, LEAVES_SLIDE)))
      return j;
  }
  return NULL;
}

// A gear wheel that cannot turn says nothing.
static bool check_turning(Lowering *l, const Statement *s, const Joint *j) {
  const Anchor *ends[2] = {&j->first, &j->second};
  for (int i = 0; i < joint_type(j->kind)->must_turn; i++) {
    bool turns = ends[i]->body != GROUND || j->carrier != GROUND;
    if (turns && ends[i]->body != GROUND &&
        l->model->mechanism.bodies.at[ends[i]->body].shape == BODY_POINT)
      turns = false;
    // beside a carrier that turns, a ring that is held does
    bool stands = ends[i]->body != GROUND && j->carrier == GROUND;
    const Joint *held = stands ? holding_joint(&l->model->mechanism, ends[i]->body) : NULL;
    if (turns && !held) continue;
    if (lower_error(l, QDOT_BAD_MODEL, s->items.at[1 + i].span, "this end of the %s does not turn",
                    joint_word(j->kind)) &&
        held)
      diag_label(l->cx, "'%s' holds it by the %s joint '%s'", "ground", joint_word(held->kind),
                 symbol_text(l->cx, held->name));
    return false;
  }
  return true;
}

// A.F_x, A.F_y, A.T: what the first body does to the second, at the second one's point.
static void name_reactions(Lowering *l, Joint *j, uint32_t number) {
  static const char *const parts[] = {"F_x", "F_y", "T"};
  Context *cx = l->cx;
  for (uint32_t i = 0; i < 3; i++) {
    const char *text = text_format(l->arena, "%s.%s", symbol_text(cx, j->name), parts[i]);
    Symbol name = symbol_from_text(cx, text);
    j->reaction[i] = expr_symbol(cx, SYMBOL_MULTIPLIER, name);
    if (!model_find(l->model, name))
      model_add_name(l->model, name, NAME_REACTION, 3 * number + i, j->span);
  }
}

static bool add_joint(Lowering *l, const Statement *s, Joint *j) {
  const Item *item = &s->items.at[0];
  Mechanism *m = &l->model->mechanism;
  j->span = item->span;
  bool good = lower_two_anchors(l, s, joint_type(j->kind)->couples_angles ? 0 : j->name, &j->first,
                                &j->second);
  good = lower_joint_properties(l, s, j) && good;
  good = lower_carrier(l, s, j) && good;
  if (good) good = check_turning(l, s, j);
  if (!good || !define_name(l, j->name, item, NAME_JOINT, m->joints.n)) {
    break_name(l, item);
    return false;
  }
  name_reactions(l, j, m->joints.n);
  vec_push(&l->cx->keep, &m->joints, *j);
  good = lower_stops(l, s, j);
  return lower_tension(l, s, j) && good;
}

bool lower_joint(Lowering *l, const Statement *s) {
  Joint j = {.name = item_symbol(l, &s->items.at[0])};
  if (j.name && find_joint_kind(l, s, &j.kind)) return add_joint(l, s, &j);
  break_name(l, &s->items.at[0]);
  return false;
}

// gear: a, b is gear_1, gear_2 ...
static Symbol name_of_coupling(Lowering *l, const Item *item, const char *word) {
  if (item->name) return item_symbol(l, item);
  for (int i = 1;; i++) {
    Symbol name = symbol_from_text(l->cx, text_format(l->arena, "%s_%d", word, i));
    if (!model_find(l->model, name)) return name;
  }
}

static bool lower_coupling(Lowering *l, const Statement *s, JointKind kind) {
  Joint j = {.kind = kind, .name = name_of_coupling(l, &s->items.at[0], joint_word(kind))};
  return j.name && add_joint(l, s, &j);
}

bool lower_gear(Lowering *l, const Statement *s) { return lower_coupling(l, s, JOINT_GEAR); }
bool lower_belt(Lowering *l, const Statement *s) { return lower_coupling(l, s, JOINT_BELT); }
bool lower_rack(Lowering *l, const Statement *s) { return lower_coupling(l, s, JOINT_RACK); }

// ---- Springs, motors, torques

// What it is at rest says something beside a stiffness only.
static void warn_idle_parts(Lowering *l, const Statement *s, const char *what) {
  bool turns = s->kind != 0;
  const Clause *rest = property_find(l, s, turns ? "angle" : "length");
  if (rest && !property_find(l, s, "stiffness") &&
      lower_warning(l, rest->span, "without 'stiffness' its '%s' at rest does nothing",
                    turns ? "angle" : "length"))
    diag_label(l->cx, "add ', stiffness k', or leave it out");
  for (uint32_t i = 1; turns && i < 3; i++) warn_place(l, &s->items.at[i], what);
}

bool lower_spring(Lowering *l, const Statement *s) {
  const Item *item = &s->items.at[0];
  Mechanism *m = &l->model->mechanism;
  Spring spring = {.name = item_symbol(l, item), .is_torsional = s->kind != 0, .span = item->span};
  bool turns = spring.is_torsional;
  const char *what = text_format(l->arena, "a %s%s", turns ? "torsional " : "", s->row->word);
  bool good = lower_two_anchors(l, s, turns ? 0 : spring.name, &spring.first, &spring.second);
  good = properties_fit(l, s, what,
                        turns ? "stiffness angle damping preload"
                              : "stiffness length damping preload") &&
         good;
  const struct {
    const char *word, *named;
    Quantity along, about; // of a line, of an angle
    Expr *value;
  } properties[] = {
      {"stiffness", "stiffness", QUANTITY_STIFFNESS, QUANTITY_TORSION, &spring.stiffness},
      {"damping", "damping", QUANTITY_DAMPING, QUANTITY_TORSION_DAMPING, &spring.damping},
      {"preload", "preload", QUANTITY_FORCE, QUANTITY_TORQUE, &spring.preload},
      {turns ? "angle" : "length", turns ? "angle_0" : "length_0", QUANTITY_LENGTH, QUANTITY_PURE,
       &spring.length}};
  for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
    *properties[i].value =
        named_value(l, s, properties[i].word, turns ? properties[i].about : properties[i].along,
                    spring.name, properties[i].named);
  bool acts = property_find(l, s, "stiffness") || property_find(l, s, "damping") ||
              property_find(l, s, "preload");
  if (good && !acts) {
    if (lower_error(l, QDOT_BAD_MODEL, item->span, "'%s' does nothing",
                    symbol_text(l->cx, spring.name)))
      diag_label(l->cx, "add ', stiffness k' or ', damping c'");
    good = false;
  }
  if (good) warn_idle_parts(l, s, what);
  if (!good || !define_name(l, spring.name, item, NAME_SPRING, m->springs.n)) {
    break_name(l, item);
    return false;
  }
  vec_push(&l->cx->keep, &m->springs, spring);
  return true;
}

bool lower_damper(Lowering *l, const Statement *s) { return lower_spring(l, s); }

bool lower_motor(Lowering *l, const Statement *s) {
  const Item *item = &s->items.at[0];
  const Clause *clause = &s->clauses.at[0];
  Mechanism *m = &l->model->mechanism;
  Symbol name = item_symbol(l, item);
  NameEntry *entry = name ? need_name(l, name, item->base_span, NAME_JOINT) : NULL;
  if (!entry) return false;
  const Joint *joint = &m->joints.at[entry->number];
  bool slides = joint_leaves(joint, LEAVES_SLIDE);
  if (!slides && !joint_leaves(joint, LEAVES_TURN)) {
    if (lower_error(l, QDOT_BAD_MODEL, item->span, "a motor cannot drive the %s '%s'",
                    joint_word(joint->kind), symbol_text(l->cx, name)))
      diag_label(l->cx, "it drives a revolute or a prismatic joint");
    return false;
  }
  for (uint32_t i = 0; i < m->motors.n && is_word(l, clause->word, "speed"); i++) {
    const Motor *other = &m->motors.at[i];
    if (other->joint != entry->number || !other->is_speed) continue;
    if (lower_error(l, QDOT_DUPLICATE_NAME, item->span, "the speed of '%s' is already given",
                    symbol_text(l->cx, name)))
      diag_second(l->cx, other->span, "it is given here");
    return false;
  }
  for (uint32_t i = 0; i < m->motors.n; i++) {
    const Motor *other = &m->motors.at[i];
    if (other->joint != entry->number || other->is_speed || is_word(l, clause->word, "speed"))
      continue;
    diag_warning(l->cx, item->span, "two motors drive '%s': their %ss add up",
                 symbol_text(l->cx, name), slides ? "force" : "torque");
    diag_second(l->cx, other->span, "the other is here");
    break;
  }
  if (joint->power_use.end) {
    if (lower_error(l, QDOT_BAD_MODEL, item->span, "the power of '%s' is used before its motor",
                    symbol_text(l->cx, name)))
      diag_second(l->cx, joint->power_use, "move the motor above this line");
    return false;
  }
  bool speed = is_word(l, clause->word, "speed"), force = is_word(l, clause->word, "force");
  if (!speed && force != slides) {
    lower_error(l, QDOT_BAD_VALUE, clause->span, "the motor of %s joint has a %s",
                phrase_one(l->arena, joint_word(joint->kind)), slides ? "force" : "torque");
    return false;
  }
  Quantity quantity = speed ? (slides ? QUANTITY_SPEED : QUANTITY_RATE)
                            : (slides ? QUANTITY_FORCE : QUANTITY_TORQUE);
  static const Rules speed_rules = {
      EVERYTHING & ~(BIT(PARAMETER) | BIT(TIME) | BIT(INPUT) | BIT(STATE)), "the speed of a motor"};
  Motor motor = {.joint = entry->number, .is_speed = speed, .span = item->span};
  const char *row = text_format(l->arena, "%s_motor", symbol_text(l->cx, name));
  motor.name = symbol_from_text(l->cx, row);
  if (quantity == QUANTITY_RATE) warn_hertz(l, clause->value);
  motor.value = lower_quantity(l, clause->value, quantity, speed ? &speed_rules : &law_rules,
                               "a motor", NULL);
  if (!motor.value) return false;
  motor.value = name_number(l, name, symbol_text(l->cx, clause->word), clause->value,
                            quantity_form(quantity), motor.value, NULL);
  // What a given speed takes is a multiplier, for outputs and plots.
  Symbol multiplier = row_multiplier(l->cx, motor.name);
  if (speed && !model_find(l->model, multiplier))
    model_add_name(l->model, multiplier, NAME_MOTOR_FORCE, m->motors.n, item->span);
  vec_push(&l->cx->keep, &m->motors, motor);
  return true;
}

bool lower_torque(Lowering *l, const Statement *s) {
  uint32_t first, second = GROUND;
  bool good = lower_body_name(l, &s->items.at[0], &first);
  if (s->items.n > 1) good = lower_body_name(l, &s->items.at[1], &second) && good;
  Expr value = lower_quantity(l, s->right, QUANTITY_TORQUE, &law_rules, "a torque", NULL);
  if (!good || !value) return false;
  for (uint32_t i = 0; i < s->items.n; i++) warn_place(l, &s->items.at[i], "a torque");
  const Mechanism *m = &l->model->mechanism;
  PointForce torque = {.n = 1, .span = s->span};
  torque.point[0] = expr_sub(l->cx, body_angle(l->cx, m, first), body_angle(l->cx, m, second));
  torque.force[0] = value;
  vec_push(&l->cx->keep, &l->model->point_forces, torque);
  return true;
}

// ---- Forces and contacts at a point of a body

bool lower_body_force(Lowering *l, const Statement *s) {
  Anchor anchor;
  PointForce force = {.n = 2, .span = s->span};
  bool good = lower_anchor(l, &s->items.at[0], 0, 1, &anchor);
  good =
      lower_plane_vector(l, s->right, QUANTITY_FORCE, &law_rules, "a force", force.force) && good;
  if (!good) return false;
  anchor_point(l->cx, &l->model->mechanism, &anchor, force.point);
  vec_push(&l->cx->keep, &l->model->point_forces, force);
  return true;
}

// What a point of a body touches: a line or a circle, of the ground or of another body.
typedef struct Touched {
  const Clause *line, *circle;
  uint32_t body;
  Expr from[2];
} Touched;

static bool lower_touched(Lowering *l, const Statement *s, const Anchor *anchor, Symbol owner,
                          Touched *out) {
  Context *cx = l->cx;
  const Clause *line = property_find(l, s, "line"), *circle = property_find(l, s, "circle");
  *out = (Touched){.line = line, .circle = circle, .body = GROUND};
  if (line && circle) {
    const Clause *later = line > circle ? line : circle;
    if (lower_error(l, QDOT_BAD_MODEL, later->span, "a contact is with a line or with a circle"))
      diag_second(cx, (line > circle ? circle : line)->span, "the other one is here");
    return false;
  }
  if (!line && !circle) {
    if (lower_error(l, QDOT_BAD_MODEL, s->items.at[0].span, "what does it touch?"))
      diag_label(cx, "add ', line (x, y), axis angle' or ', circle (x, y), ring R'");
    return false;
  }
  if (!properties_fit(l, s, line ? "a contact with a line" : "a contact with a circle",
                      line ? "radius line axis restitution friction"
                           : "radius circle ring restitution friction"))
    return false;
  if (s->items.n > 2) {
    Anchor other;
    if (!lower_anchor(l, &s->items.at[2], owner, 2, &other)) return false;
    out->body = other.body;
    anchor_point(cx, &l->model->mechanism, &other, out->from);
    if (other.body != anchor->body) return true;
    lower_error(l, QDOT_BAD_MODEL, s->items.at[2].span, "a body does not touch itself");
    return false;
  }
  const Ast *place = (line ? line : circle)->value;
  if (!lower_plane_vector(l, place, QUANTITY_LENGTH, &ground_rules, "a point", out->from))
    return false;
  name_place(l, owner, 2, GROUND, place, out->from);
  return true;
}

bool lower_body_contact(Lowering *l, const Statement *s, BodyGap *out) {
  Context *cx = l->cx;
  const Mechanism *m = &l->model->mechanism;
  Anchor anchor;
  Touched touched;
  Expr point[2], d[2], zero = expr_int(cx, 0);
  Symbol owner = item_symbol(l, &s->items.at[0]);
  if (!lower_anchor(l, &s->items.at[1], owner, 1, &anchor)) return false;
  if (!lower_touched(l, s, &anchor, owner, &touched)) return false;
  Expr radius = named_value(l, s, "radius", QUANTITY_LENGTH, owner, "radius");
  Expr axis = property_value(l, s, "axis", QUANTITY_PURE),
       ring = named_value(l, s, "ring", QUANTITY_LENGTH, owner, "ring");
  radius = radius ? radius : zero, axis = axis ? axis : zero, ring = ring ? ring : zero;
  Expr other_angle = body_angle(cx, m, touched.body), direction = expr_add(cx, other_angle, axis);
  Expr cosine = expr_cos(cx, direction), sine = expr_sin(cx, direction);
  anchor_point(cx, m, &anchor, point);
  for (int i = 0; i < 2; i++) d[i] = expr_sub(cx, point[i], touched.from[i]);
  // the height above the line, on the left of its direction; or the distance from the circle
  Expr height = expr_sub(cx, expr_mul(cx, cosine, d[1]), expr_mul(cx, sine, d[0]));
  Expr distance = expr_sqrt(cx, expr_add(cx, expr_square(cx, d[0]), expr_square(cx, d[1])));
  bool line = touched.line != NULL;
  *out = (BodyGap){.phi = expr_sub(cx, expr_add(cx, radius, ring), line ? height : distance),
                   .point = {point[0], point[1]},
                   .from = {touched.from[0], touched.from[1]},
                   .angle = body_angle(cx, m, anchor.body),
                   .radius = radius,
                   .other_angle = other_angle,
                   .ring = ring};
  out->along[0] = line ? cosine : expr_div(cx, d[1], distance);
  out->along[1] = line ? sine : expr_div(cx, expr_neg(cx, d[0]), distance);
  if (touched.body != GROUND) return true; // drawn as the body that it is
  Surface surface = {anchor, {touched.from[0], touched.from[1]}, axis, radius, ring, !line};
  vec_push(&cx->keep, &l->model->mechanism.surfaces, surface);
  return true;
}
