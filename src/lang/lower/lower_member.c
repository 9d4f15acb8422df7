// What belongs to a part of a mechanism: rod.omega, rail.s, s.F, A.power, floor.N, lambda_A_x.
//
// Each is an expression in the poses of the bodies and in multipliers, so that every formulation
// gives it the same value. Poses and reactions are names of their own; these are made when asked
// for.
#include <math.h>
#include <string.h>

#include "base/words/phrase.h"
#include "base/words/suggest.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/plane.h"
#include "lang/lower/lower.h"
#include "model/element_type.h"
#include "model/part_name.h"

// ---- What there is

typedef enum OwnerKind {
  OWNER_BODY,
  OWNER_GROUND,
  OWNER_JOINT,
  OWNER_SPRING,
  OWNER_ELEMENT,
  OWNER_CONTACT,
  OWNER_SOLID
} OwnerKind;

typedef struct Owner {
  OwnerKind kind;
  uint32_t number;
  const char *called;                // "a revolute joint"
  const char *has[MOST_MEMBERS + 1]; // its members
} Owner;

// The line of a body beside a pin: towards another joint of it, or across the slide that guides it.
static bool line_of_body(const Lowering *l, const Joint *pin, uint32_t body, Expr out[2]) {
  const Mechanism *m = &l->model->mechanism;
  Context *cx = l->cx;
  const Anchor *here = pin->first.body == body ? &pin->first : &pin->second;
  for (uint32_t i = 0; i < m->joints.n && body != GROUND; i++) {
    const Joint *j = &m->joints.at[i];
    if (j == pin || (j->first.body != body && j->second.body != body)) continue;
    if (joint_leaves(j, LEAVES_SLIDE)) {
      Expr axis = j->axis ? j->axis : expr_int(cx, 0);
      Expr angle = expr_add(cx, body_angle(cx, m, j->first.body), axis);
      out[0] = expr_neg(cx, expr_sin(cx, angle)), out[1] = expr_cos(cx, angle);
      return true;
    }
    const Anchor *there = j->first.body == body ? &j->first : &j->second;
    bool same = there->at[0] == here->at[0] && there->at[1] == here->at[1];
    if (!joint_type(j->kind)->holds_point || same) continue;
    Expr a[2], b[2];
    anchor_point(cx, m, here, a);
    anchor_point(cx, m, there, b);
    for (int k = 0; k < 2; k++) out[k] = expr_sub(cx, b[k], a[k]);
    return true;
  }
  return false;
}

// Both bodies of the pin have a line.
static bool lines_of_pin(const Lowering *l, uint32_t number, Expr u[2], Expr v[2]) {
  const Joint *pin = &l->model->mechanism.joints.at[number];
  return joint_leaves(pin, LEAVES_TURN) && line_of_body(l, pin, pin->first.body, u) &&
         line_of_body(l, pin, pin->second.body, v);
}

static bool has_transmission(const Lowering *l, uint32_t number) {
  Expr u[2], v[2];
  return lines_of_pin(l, number, u, v);
}

static bool has_motor(const Mechanism *m, uint32_t joint) {
  for (uint32_t i = 0; i < m->motors.n; i++)
    if (m->motors.at[i].joint == joint) return true;
  return false;
}

static bool find_owner(const Lowering *l, Symbol name, Owner *out) {
  const Mechanism *m = &l->model->mechanism;
  const NameEntry *entry = model_find(l->model, name);
  int contact = model_contact(l->model, name);
  Owner o = {.number = entry ? entry->number : 0};
  bool ground = strcmp(symbol_text(l->cx, name), "ground") == 0;
  if (ground || (entry && entry->kind == NAME_BODY && entry->number == GROUND)) {
    o.kind = OWNER_GROUND, o.called = "the ground";
  } else if (entry && entry->kind == NAME_BODY) {
    o = (Owner){OWNER_BODY, o.number, "a body", {"x", "y", "theta", "omega"}};
  } else if (entry && entry->kind == NAME_JOINT) {
    const JointType *type = joint_type(m->joints.at[o.number].kind);
    o.kind = OWNER_JOINT;
    o.called = text_format(l->arena, "%s joint", phrase_one(l->arena, type->word));
    uint32_t n = 0;
    if (type->slides) o.has[n++] = "s";
    if (type->turns) o.has[n++] = "angle";
    if (has_transmission(l, o.number)) o.has[n++] = "transmission";
    if (type->slides || type->turns) o.has[n++] = "power";
    if (has_motor(m, o.number)) o.has[n++] = "motor", o.has[n++] = "motor_power";
    o.has[n++] = "F_x", o.has[n++] = "F_y", o.has[n++] = "T";
    const Joint *joint = &m->joints.at[o.number];
    if (joint->mu || joint->rolling) o.has[n++] = "N";
    if (joint->mu) o.has[n++] = "R";
    if (joint->rolling) o.has[n++] = "M";
  } else if (entry && entry->kind == NAME_SPRING) {
    bool turns = m->springs.at[o.number].is_torsional;
    o.kind = OWNER_SPRING;
    o.called = turns ? "a torsional spring or damper" : "a spring or damper";
    o.has[0] = turns ? "angle" : "length", o.has[1] = turns ? "T" : "F", o.has[2] = "power";
  } else if (entry && entry->kind == NAME_ELEMENT) {
    const Element *element = &m->elements.at[o.number];
    o.kind = OWNER_ELEMENT;
    o.called = element_type(element->kind)->called;
    for (uint32_t i = 0; element->members[i].word; i++) o.has[i] = element->members[i].word;
  } else if (entry && entry->kind == NAME_SOLID) {
    o = (Owner){OWNER_SOLID, o.number, "a solid", {"r"}};
  } else if (contact >= 0 && !entry) {
    const Contact *c = &l->model->contacts.at[contact];
    uint32_t n = 1;
    o = (Owner){OWNER_CONTACT, (uint32_t)contact, "a contact", {"N"}};
    if (c->friction) o.called = "a contact with friction", o.has[n++] = "R";
    if (c->spin) o.has[n++] = "M";
  } else {
    return false;
  }
  *out = o;
  return true;
}

size_t member_words(Model *model, Symbol owner, Arena *arena, const char **called,
                    const char *words[MOST_MEMBERS]) {
  Lowering l = {.cx = model->cx, .arena = arena, .model = model};
  Owner o;
  if (!find_owner(&l, owner, &o)) return 0;
  *called = o.called;
  size_t n = 0;
  for (; o.has[n]; n++) words[n] = o.has[n];
  return n;
}

// ---- Messages

// Do other books write `word` for the member?
static bool is_called(const char *word, const char *member) {
  static const char *const names[][2] = {
      {"w", "omega"},   {"spin", "omega"},  {"phi", "theta"},   {"angle", "theta"},
      {"phi", "angle"}, {"alpha", "angle"}, {"theta", "angle"}, {"X", "x"},
      {"Y", "y"},       {"x", "s"},         {"X", "s"},         {"l", "length"},
      {"L", "length"},  {"force", "F"},     {"f", "F"},         {"torque", "T"},
      {"M", "T"},       {"F", "T"},         {"P", "power"},     {"F", "N"},
      {"F_n", "N"},     {"F", "F_x"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i][0], word) == 0 && strcmp(names[i][1], member) == 0) return true;
  return false;
}

static const char *nearest_member(const Owner *o, const char *word) {
  Nearest nearest = nearest_to(word);
  for (uint32_t i = 0; o->has[i]; i++)
    if (is_called(word, o->has[i])) return o->has[i];
  for (uint32_t i = 0; o->has[i]; i++) nearest_offer(&nearest, o->has[i]);
  return nearest.best;
}

// "a body has x, y, theta, omega and their rates"
static const char *members_text(Lowering *l, const Owner *o) {
  if (o->kind == OWNER_GROUND) return "the ground does not move; bodies have x, y, theta, omega";
  if (o->kind == OWNER_SOLID) return "a solid has its centre r; its points have x, y and z";
  Text text = text_new(l->arena);
  text_addf(&text, "%s has", o->called);
  bool rates = o->kind == OWNER_BODY;
  for (uint32_t i = 0; o->has[i]; i++)
    text_addf(&text, "%s%s", i == 0 ? " " : o->has[i + 1] || rates ? ", " : " and ", o->has[i]);
  if (rates) text_add(&text, " and their rates");
  return text.at;
}

static void unknown_member(Lowering *l, const Ast *ast, Symbol owner, const Owner *o) {
  const char *name = symbol_text(l->cx, owner), *word = symbol_text(l->cx, ast->name);
  if (!lower_error(l, QDOT_UNKNOWN_NAME, ast->span, "'%s' has no '%s'", name, word)) return;
  bool asks_motor = o->kind == OWNER_JOINT && strncmp(word, "motor", 5) == 0;
  if (asks_motor && !has_motor(&l->model->mechanism, o->number)) {
    diag_label(l->cx, "no line above gives it a motor");
    return;
  }
  const char *nearest = nearest_member(o, word), *has = members_text(l, o);
  if (nearest)
    diag_label(l->cx, "%s; did you mean '%s.%s'?", has, name, nearest);
  else
    diag_label(l->cx, "%s", has);
}

bool lower_owner_alone(Lowering *l, const Ast *ast, Symbol name) {
  Owner o;
  if (!find_owner(l, name, &o)) return false;
  const char *text = symbol_text(l->cx, name);
  if (!lower_error(l, QDOT_BAD_VALUE, ast->span, "'%s' is %s, not a number", text, o.called))
    return true;
  diag_label(l->cx, "%s", members_text(l, &o));
  return true;
}

// ---- Values

static Value quantity(Expr e, int mass, int length, int time) {
  return value_scalar(e, form_known(dimension_base(mass, length, time)), NAN);
}

static bool has_member(const Owner *o, const char *word) {
  for (uint32_t i = 0; o->has[i]; i++)
    if (strcmp(o->has[i], word) == 0) return true;
  return false;
}

// Between the lines of the two bodies, from 0 to a right angle, which transmits forces best.
static Expr transmission_angle(const Lowering *l, uint32_t number) {
  Context *cx = l->cx;
  Expr u[2] = {0}, v[2] = {0};
  lines_of_pin(l, number, u, v);
  Expr u2 = plane_dot(cx, u, u);
  Expr sizes = expr_sqrt(cx, expr_mul(cx, u2, plane_dot(cx, v, v)));
  Expr cosine = expr_div(cx, expr_function1(cx, OP_ABS, plane_dot(cx, u, v)), sizes);
  return expr_function1(cx, OP_ACOS, expr_function2(cx, OP_MIN, cosine, expr_int(cx, 1)));
}

// What the motor itself delivers, its own bearing's friction included.
static Value motor_member(Lowering *l, const Ast *ast, uint32_t number) {
  Context *cx = l->cx;
  Mechanism *m = &l->model->mechanism;
  Joint *joint = &m->joints.at[number];
  bool is_power = strcmp(symbol_text(cx, ast->name), "motor_power") == 0;
  if (!joint->power_use.end) joint->power_use = ast->span;
  Expr drive = joint_drive(cx, m, number);
  if (!is_power) return quantity(drive, 1, 1 + !joint_leaves(joint, LEAVES_SLIDE), -2);
  Expr rate = expr_time_derivative(cx, joint_motion(cx, m, joint));
  return quantity(expr_mul(cx, drive, rate), 1, 2, -3);
}

static Value joint_member(Lowering *l, const Ast *ast, uint32_t number, char word) {
  Context *cx = l->cx;
  Mechanism *m = &l->model->mechanism;
  Joint *joint = &m->joints.at[number];
  switch (word) {
  case 'm': return motor_member(l, ast, number);
  case 's': return quantity(joint_motion(cx, m, joint), 0, 1, 0);
  case 't': return quantity(transmission_angle(l, number), 0, 0, 0);
  case 'N': return quantity(joint->press ? joint->press : joint->roll_press, 1, 1, -2);
  case 'M': return quantity(joint->roll_torque, 1, 2, -2);
  case 'R': return quantity(joint->rub, 1, 1 + joint_rubs_by_torque(joint), -2);
  case 'a': {
    Expr second = body_angle(cx, m, joint->second.body);
    return quantity(expr_sub(cx, second, body_angle(cx, m, joint->first.body)), 0, 0, 0);
  }
  default: // power
    if (!joint->power_use.end) joint->power_use = ast->span;
    return quantity(joint_power(cx, m, number), 1, 2, -3);
  }
}

static Value spring_member(Lowering *l, uint32_t number, char word) {
  Context *cx = l->cx;
  const Mechanism *m = &l->model->mechanism;
  const Spring *spring = &m->springs.at[number];
  int turns = spring->is_torsional;
  switch (word) {
  case 'l':
  case 'a': return quantity(spring_length(cx, m, spring), 0, !turns, 0);
  case 'F':
  case 'T': return quantity(spring_force(cx, m, spring), 1, 1 + turns, -2);
  default: return quantity(spring_power(cx, m, spring), 1, 2, -3);
  }
}

static Value element_member(Lowering *l, const Ast *ast, uint32_t number) {
  const ElementMember *member = l->model->mechanism.elements.at[number].members;
  while (strcmp(member->word, symbol_text(l->cx, ast->name)) != 0) member++;
  return quantity(member->value, member->unit[0], member->unit[1], member->unit[2]);
}

// The members of a kind differ in their first letters, those of elements apart.
static Value member_value(Lowering *l, const Ast *ast, const Owner *o) {
  char word = symbol_text(l->cx, ast->name)[0];
  const Model *model = l->model;
  switch (o->kind) {
  case OWNER_BODY: {
    Expr theta = model->mechanism.bodies.at[o->number].pose[2];
    return quantity(expr_time_derivative(l->cx, theta), 0, 0, -1);
  }
  case OWNER_JOINT: return joint_member(l, ast, o->number, word);
  case OWNER_SPRING: return spring_member(l, o->number, word);
  case OWNER_ELEMENT: return element_member(l, ast, o->number);
  case OWNER_CONTACT:
    if (word == 'M') return quantity(model->contacts.at[o->number].torque, 1, 2, -2);
    return value_scalar(word == 'N' ? model->contacts.at[o->number].multiplier
                                    : model->contacts.at[o->number].friction,
                        multiplier_form(l, model->contacts.at[o->number].measure), NAN);
  case OWNER_GROUND:
  case OWNER_SOLID: break;
  }
  return value_none();
}

bool lower_member(Lowering *l, const Ast *ast, Symbol owner, Value *out) {
  Owner o;
  *out = value_none();
  if (!find_owner(l, owner, &o)) return false;
  if (has_member(&o, symbol_text(l->cx, ast->name)))
    *out = member_value(l, ast, &o);
  else
    unknown_member(l, ast, owner, &o);
  return true;
}

// ---- Columns

void lower_ask(Lowering *l, Symbol name, const Value *v, Span span) {
  if (!l->asks || !has_value(*v)) return;
  for (uint32_t i = 0; i < l->model->members.n; i++)
    if (l->model->members.at[i].name == name) return;
  Output member = {
      .name = name, .value = v->at[0], .measure = measure_of(l, v->form[0], NULL), .span = span};
  vec_push(&l->cx->keep, &l->model->members, member);
}

// OWNER.word as an expression, as if a plot line had it.
static void ask_for(Lowering *l, Symbol owner, const char *word, Span span) {
  Ast name = {.kind = AST_NAME, .span = span, .name = owner};
  Ast ast = {.kind = AST_COMPONENT,
             .span = span,
             .n = 1,
             .args = (Ast *[]){&name},
             .name = symbol_from_text(l->cx, word)};
  lower_ruled(l, &ast, NULL);
}

static void ask_all_of(Lowering *l, Symbol owner, Span span) {
  Owner o;
  if (!find_owner(l, owner, &o) || o.kind == OWNER_SOLID) return;
  for (uint32_t i = 0; o.has[i]; i++) ask_for(l, owner, o.has[i], span);
}

void lower_all_members(Lowering *l) {
  const Model *model = l->model;
  const Mechanism *m = &model->mechanism;
  uint32_t asked = model->members.n;
  l->asks = true;
  for (uint32_t i = 0; i < m->bodies.n; i++)
    ask_all_of(l, m->bodies.at[i].name, m->bodies.at[i].span);
  for (uint32_t i = 0; i < m->joints.n; i++)
    ask_all_of(l, m->joints.at[i].name, m->joints.at[i].span);
  for (uint32_t i = 0; i < m->springs.n; i++)
    ask_all_of(l, m->springs.at[i].name, m->springs.at[i].span);
  for (uint32_t i = 0; i < m->elements.n; i++)
    ask_all_of(l, m->elements.at[i].name, m->elements.at[i].span);
  for (uint32_t i = 0; i < model->contacts.n; i++)
    ask_all_of(l, model->contacts.at[i].name, model->contacts.at[i].span);
  l->asks = false;
  for (uint32_t i = asked; i < model->members.n; i++) l->model->members.at[i].is_offered = true;
}

static bool is_driven(const Mechanism *m, uint32_t body) {
  for (uint32_t i = 0; i < m->motors.n; i++) {
    const Joint *j = &m->joints.at[m->motors.at[i].joint];
    bool touches = j->first.body == body || j->second.body == body;
    if (m->motors.at[i].is_speed && body != GROUND && touches) return true;
  }
  return false;
}

void lower_drive_members(Lowering *l) {
  const Mechanism *m = &l->model->mechanism;
  l->asks = true;
  for (uint32_t i = 0; i < m->motors.n; i++) {
    const Joint *j = &m->joints.at[m->motors.at[i].joint];
    bool slides = joint_leaves(j, LEAVES_SLIDE);
    ask_for(l, j->name, slides ? "s" : "angle", j->span);
    ask_for(l, j->name, "power", j->span);
    if (!slides) ask_for(l, j->name, "T", j->span);
    ask_for(l, j->name, "motor", j->span);
    ask_for(l, j->name, "motor_power", j->span);
  }
  for (uint32_t i = 0; i < m->joints.n; i++) {
    const Joint *j = &m->joints.at[i];
    bool inner_pin = !is_driven(m, j->first.body) && !is_driven(m, j->second.body);
    if (inner_pin && has_transmission(l, i)) ask_for(l, j->name, "transmission", j->span);
    if (joint_type(j->kind)->couples_angles) continue;
    ask_for(l, j->name, "F_x", j->span);
    ask_for(l, j->name, "F_y", j->span);
  }
  for (uint32_t i = 0; i < m->elements.n; i++)
    ask_all_of(l, m->elements.at[i].name, m->elements.at[i].span);
  l->asks = false;
}

// ---- Forces of the rows of joints

// lambda_A_x of a joint A whose line is wrong, which has been reported.
static bool is_of_broken(const Lowering *l, const char *text) {
  for (uint32_t i = 0; i < l->model->names.n; i++) {
    const NameEntry *entry = &l->model->names.at[i];
    const char *name = symbol_text(l->cx, entry->name);
    if (entry->kind == NAME_BROKEN && strncmp(text, name, strlen(name)) == 0 &&
        text[strlen(name)] == '_')
      return true;
  }
  return false;
}

bool lower_row_force(Lowering *l, Symbol symbol, Value *out) {
  Context *cx = l->cx;
  Mechanism *m = &l->model->mechanism;
  const char *text = symbol_text(cx, symbol);
  *out = value_none();
  size_t prefix = part_prefix_length(cx, text), word = strlen(MULTIPLIER_PREFIX);
  if (strncmp(text + prefix, MULTIPLIER_PREFIX, word) != 0) return false;
  const char *row = text_format(l->arena, "%.*s%s", (int)prefix, text, text + prefix + word);
  if (is_of_broken(l, row)) return true;
  for (uint32_t i = 0; i < m->joints.n; i++) {
    Joint *joint = &m->joints.at[i];
    for (uint32_t k = 0; k < joint_row_count(joint->kind); k++) {
      if (row_multiplier(cx, joint_row_name(cx, joint, k)) != symbol) continue;
      // where coordinates make the row superfluous, the reaction tells its force
      if (joint_makes_tree(joint->kind)) joint->is_measured = true;
      int turns = !joint_row_is_length(joint->kind, k);
      *out = quantity(expr_symbol(cx, SYMBOL_MULTIPLIER, symbol), 1, 1 + turns, -2);
      return true;
    }
  }
  return false;
}
