// Joints, gears, belts and racks.
#include <math.h>
#include <string.h>

#include "base/words/phrase.h"
#include "base/words/suggest.h"
#include "expr/build.h"
#include "lang/lower/anchor.h"
#include "lang/lower/lower_number.h"
#include "lang/lower/part_number.h"
#include "lang/lower/property.h"

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
    if (i != JOINT_GRIP && i != JOINT_BAND) // these are written as rolling and belt
      words[count++] = joint_word((JointKind)i);
  phrase_list(&out, words, count, "or");
  return out.at;
}

static bool find_joint_kind(Lowering *l, const Statement *s, JointKind *kind) {
  Nearest nearest = nearest_to(symbol_text(l->cx, s->kind));
  for (int i = 0; i < JOINT_KINDS; i++) {
    if (symbol_is(l, s->kind, joint_word((JointKind)i))) {
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
  j->pressure = part_quantity(l, clause->value, QUANTITY_PURE, &part_rules, "'pressure'", &number);
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
  double number = lower_scalar(l, length, &part_rules).number;
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
  const char *joint = symbol_is(l, s->kind, type->word) ? " joint" : "";
  const char *what = phrase_one(l->arena, text_format(l->arena, "%s%s", type->word, joint));
  if (!properties_fit(l, s, what, type->takes)) return false;
  const struct {
    const char *word;
    Expr *value;
    PartQuantity quantity;
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
  if (!lower_tension(l, s, j)) return false;
  if (!lower_joint_friction(l, s, j, &part_rules, &is_viscous)) return false;
  for (size_t i = 0; i < (is_viscous ? count : count - 1); i++) {
    // a rack on the other side, and a wheel below its line, have a negative radius
    bool is_size =
        (properties[i].value == &j->length && j->kind != JOINT_DISTANCE) ||
        (properties[i].value == &j->radius && (j->kind == JOINT_REVOLUTE || j->kind == JOINT_BAND));
    *properties[i].value = (is_size ? part_extent : part_named)(
        l, s, properties[i].word, properties[i].quantity, j->name, properties[i].named);
    if (is_size && !*properties[i].value && property_find(l, s, properties[i].word)) return false;
  }
  if (j->kind == JOINT_BAND && !j->radius) j->radius = radius_of_wheel(l, j);
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
  lower_pull_of_belt(l, s, j);
  return lower_stops(l, s, j);
}

bool lower_joint(Lowering *l, const Statement *s) {
  Joint j = {.name = item_symbol(l, &s->items.at[0])};
  if (j.name && find_joint_kind(l, s, &j.kind)) return add_joint(l, s, &j);
  break_name(l, &s->items.at[0]);
  return false;
}

// wheel[2] as part of a name: wheel_2.
static void add_plain(Text *out, const char *name) {
  for (; *name; name++)
    if (*name != ']') text_add_char(out, *name == '[' || *name == ',' ? '_' : *name);
}

// gear: a, b is gear_a_b, and a_b where a is called gear_2; numbered where that is taken.
static Symbol name_of_coupling(Lowering *l, const Statement *s, const char *word) {
  if (s->items.at[0].name) return item_symbol(l, &s->items.at[0]);
  Symbol ends[2] = {item_symbol(l, &s->items.at[1]), item_symbol(l, &s->items.at[2])};
  if (!ends[0] || !ends[1]) return 0;
  const char *first = symbol_text(l->cx, ends[0]);
  Text stem = text_new(l->arena);
  if (strncmp(first, word, strlen(word)) != 0) text_addf(&stem, "%s_", word);
  add_plain(&stem, first);
  text_add_char(&stem, '_');
  add_plain(&stem, symbol_text(l->cx, ends[1]));
  Symbol name = symbol_from_text(l->cx, stem.at);
  for (int i = 2; model_find(l->model, name); i++)
    name = symbol_from_text(l->cx, text_format(l->arena, "%s_%d", stem.at, i));
  return name;
}

static bool lower_coupling(Lowering *l, const Statement *s, JointKind kind) {
  Joint j = {.kind = kind, .name = name_of_coupling(l, s, joint_word(kind))};
  return j.name && add_joint(l, s, &j);
}

bool lower_gear(Lowering *l, const Statement *s) { return lower_coupling(l, s, JOINT_GEAR); }
bool lower_belt(Lowering *l, const Statement *s) { return lower_coupling(l, s, JOINT_BELT); }
bool lower_rack(Lowering *l, const Statement *s) { return lower_coupling(l, s, JOINT_RACK); }
