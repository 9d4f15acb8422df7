// Gravity, bodies and the ground.
#include <math.h>

#include "expr/plane.h"
#include "expr/value/eval.h"
#include "lang/lower/lower_number.h"
#include "lang/lower/lower_space.h"
#include "lang/lower/part_number.h"
#include "lang/lower/property.h"

#define BIT(kind) KIND_BIT(SYMBOL_##kind)
#define EVERYTHING ((1u << SYMBOL_KINDS) - 1)

// ---- Gravity

// Along one axis it is g, towards the side that the number says.
static void name_gravity(Lowering *l, const Ast *ast, Expr gravity[2]) {
  Context *cx = l->cx;
  Symbol owner = symbol_from_text(cx, "gravity");
  Form form = part_form(QUANTITY_ACCELERATION);
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
  if (!part_vector(l, s->left, QUANTITY_ACCELERATION, &rules, "gravity", m->gravity)) return false;
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
  if (at && part_vector(l, at->value, QUANTITY_LENGTH, &part_rules, "a place", v))
    for (int i = 0; i < 2; i++) {
      body->start[i] = initial_from(at, v[i]);
      if (at->value->kind == AST_VECTOR) body->unit[i] = unit_written(at->value->args[i]);
    }
  if (velocity && part_vector(l, velocity->value, QUANTITY_SPEED, &part_rules, "a velocity", v))
    for (int i = 0; i < 2; i++) body->velocity[i] = initial_from(velocity, v[i]);
  Expr e = part_value(l, s, "angle", QUANTITY_PURE);
  if (e) {
    body->start[2] = initial_from(angle, e);
    body->unit[2] = unit_written(angle->value);
  }
  e = part_value(l, s, "spin", QUANTITY_RATE);
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
  body->mass = part_quantity(l, clause->value, QUANTITY_MASS, &part_rules, "'mass'", &number);
  if (!body->mass) return false;
  body->mass = name_number(l, body->name, "mass", clause->value, part_form(QUANTITY_MASS),
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
    square = plane_square(cx, b->size);
    return expr_mul3(cx, expr_ratio(cx, 1, 12), b->mass, square);
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
      if (!symbol_is(l, clause->word, shapes[k])) continue;
      bool second = first && first->word != clause->word;
      if (second &&
          lower_error(l, QDOT_DUPLICATE_NAME, clause->span, "body '%s' has two shapes", name))
        diag_second(l->cx, first->span, "the other one is here");
      if (second) return false;
      first = first ? first : clause;
    }
  }
  const Clause *inertia = property_find(l, s, "inertia");
  if (!inertia || !first || !symbol_is(l, first->word, "point")) return true;
  const Clause *later = inertia > first ? inertia : first;
  if (lower_error(l, QDOT_BAD_MODEL, later->span, "body '%s' is a point, which has no inertia",
                  name))
    diag_label(l->cx, "keep one of them");
  return false;
}

static Expr name_side(Lowering *l, const Body *b, const Ast *plate, int i) {
  const Ast *ast = plate->kind == AST_VECTOR ? plate->args[i] : plate;
  double number = ast->kind == AST_VECTOR ? NAN : lower_scalar(l, ast, &part_rules).number;
  Expr side = name_number(l, b->name, i ? "height" : "width", ast, part_form(QUANTITY_LENGTH),
                          b->size[i], &number);
  bool is_good = need_size(l, ast, "the side of a plate", number, QUANTITY_LENGTH);
  return is_good ? side : 0;
}

static bool lower_shape(Lowering *l, const Statement *s, Body *b) {
  const Clause *plate = property_find(l, s, "plate");
  Expr rod = part_extent(l, s, "rod", QUANTITY_LENGTH, b->name, "length");
  Expr disc = part_extent(l, s, "disc", QUANTITY_LENGTH, b->name, "radius");
  if (rod) b->shape = BODY_ROD, b->size[0] = rod;
  if (disc) b->shape = BODY_DISC, b->size[0] = disc;
  if (property_find(l, s, "point")) b->shape = BODY_POINT;
  if (plate) {
    if (!part_vector(l, plate->value, QUANTITY_LENGTH, &part_rules, "the size of a plate", b->size))
      return false;
    for (int i = 0; i < 2; i++)
      if (!(b->size[i] = name_side(l, b, plate->value, i))) return false;
    b->shape = BODY_PLATE;
  }
  const Clause *inertia = property_find(l, s, "inertia");
  if (inertia) {
    b->inertia = part_extent(l, s, "inertia", QUANTITY_INERTIA, b->name, "inertia");
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
                               part_form(QUANTITY_INERTIA), b->inertia);
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
  if (body.name && symbol_is(l, body.name, "ground")) {
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
    bool same = name && symbol_is(l, name, "ground");
    good = (same || define_name(l, name, item, NAME_BODY, GROUND)) && good;
  }
  return good;
}
