// The model is made once more from its bodies, as if somebody asked for all that acts on them.
//
// What is given by an energy, by virtual work or by a multiplier acts on a body by its derivatives
// with respect to the body's x, y and angle: a force, and a torque about its centre.
#include "derive/body_loads.h"

#include <string.h>

#include "derive/formulate.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"

enum { LOAD_PARTS = 5, BODY_PARTS = 8 }; // place, force, torque; mass, inertia, pose and its rates

typedef struct Asking {
  Context *cx;
  Arena *arena;
  const Model *origin;
  const Mechanism *m;
  BodyLoads out; // in pose symbols
} Asking;

// ---- What acts, in pose symbols

static Expr *parts_of(BodyLoad *load, int part) {
  return part < 2 ? &load->place[part] : part < 4 ? &load->force[part - 2] : &load->torque;
}

static void add_load(Asking *a, BodyLoad load) {
  Expr zero = expr_int(a->cx, 0);
  for (int k = 0; k < LOAD_PARTS; k++)
    if (!*parts_of(&load, k)) *parts_of(&load, k) = zero;
  // as it is written: what only pulls where it is taut may well be zero elsewhere
  bool is_none = load.kind != LOAD_JOINT && load.force[0] == zero && load.force[1] == zero &&
                 load.torque == zero;
  if (load.body != GROUND && !is_none) vec_push(a->arena, &a->out.loads, load);
}

static const char *named(const Asking *a, Symbol name, const char *word) {
  return text_format(a->arena, "%s.%s", symbol_text(a->cx, name), word);
}

static void add_weights(Asking *a) {
  for (uint32_t b = 0; b < a->m->bodies.n; b++) {
    const Body *body = &a->m->bodies.at[b];
    BodyLoad load = {.kind = LOAD_WEIGHT, .body = b, .name = named(a, body->name, "G")};
    load.has_place = true;
    for (int k = 0; k < 2; k++) {
      load.place[k] = body->pose[k];
      if (a->m->gravity[k]) load.force[k] = expr_mul(a->cx, body->mass, a->m->gravity[k]);
    }
    if (body->mass && (load.force[0] || load.force[1])) add_load(a, load);
  }
}

// What the first does to the second at the second's point, and the same in reverse. A coupling of
// angles without bearings turns the first by the ratio.
static void add_joints(Asking *a, Model *asked) {
  for (uint32_t i = 0; i < a->m->joints.n; i++) {
    const Joint *joint = &a->m->joints.at[i];
    asked->mechanism.joints.at[i].is_measured = true;
    BodyLoad load = {.kind = LOAD_JOINT, .name = symbol_text(a->cx, joint->name)};
    load.has_place = true, load.is_pin = joint_type(joint->kind)->joins_points;
    anchor_point(a->cx, a->m, &joint->second, load.place);
    for (int side = 0; side < 2; side++) {
      load.body = side ? joint->first.body : joint->second.body;
      load.is_reversed = side == 1;
      for (int k = 0; k < 3; k++)
        *parts_of(&load, 2 + k) = side ? expr_neg(a->cx, joint->reaction[k]) : joint->reaction[k];
      add_load(a, load);
    }
  }
}

static void add_springs(Asking *a) {
  Context *cx = a->cx;
  for (uint32_t i = 0; i < a->m->springs.n; i++) {
    const Spring *spring = &a->m->springs.at[i];
    Expr pull = spring_force(cx, a->m, spring), ends[2][2], length = 0;
    BodyLoad load = {.kind = LOAD_GIVEN,
                     .name = named(a, spring->name, spring->is_torsional ? "T" : "F")};
    if (!spring->is_torsional) {
      anchor_point(cx, a->m, &spring->first, ends[0]);
      anchor_point(cx, a->m, &spring->second, ends[1]);
      length = spring_length(cx, a->m, spring);
    }
    for (int side = 0; side < 2; side++) {
      load.body = side ? spring->second.body : spring->first.body;
      Expr own = side ? expr_neg(cx, pull) : pull;
      load.has_place = !spring->is_torsional;
      if (spring->is_torsional) load.torque = own;
      for (int k = 0; k < 2 && load.has_place; k++) {
        load.place[k] = ends[side][k];
        load.force[k] =
            expr_div(cx, expr_mul(cx, own, expr_sub(cx, ends[1][k], ends[0][k])), length);
      }
      add_load(a, load);
    }
  }
}

// What acts by one name on a body is one: the spring of a rope and its damper.
static BodyLoad *load_named(Asking *a, const char *name, uint32_t body) {
  for (uint32_t i = 0; i < a->out.loads.n; i++) {
    BodyLoad *load = &a->out.loads.at[i];
    if (load->kind == LOAD_GIVEN && !load->has_place && load->body == body &&
        strcmp(load->name, name) == 0)
      return load;
  }
  return NULL;
}

// The rate of what a function says of a body: its derivative by the pose, or by that's velocity.
static void add_slopes(Asking *a, const char *name, const Expr *factors, const Expr *values,
                       uint32_t n, bool by_rates) {
  Context *cx = a->cx;
  for (uint32_t b = 0; b < a->m->bodies.n; b++) {
    BodyLoad load = {.kind = LOAD_GIVEN, .body = b, .name = name};
    for (int k = 0; k < 3; k++) {
      Expr by = a->m->bodies.at[b].pose[k], sum = expr_int(cx, 0);
      if (by_rates) by = expr_time_derivative(cx, by);
      for (uint32_t i = 0; i < n; i++)
        sum = expr_add(cx, sum,
                       expr_mul(cx, factors[i], expr_diff(cx, expr_open(cx, values[i]), by)));
      *parts_of(&load, 2 + k) = sum;
    }
    BodyLoad *same = load_named(a, name, b);
    for (int k = 2; same && k < LOAD_PARTS; k++)
      *parts_of(same, k) = expr_add(cx, *parts_of(same, k), *parts_of(&load, k));
    if (!same) add_load(a, load);
  }
}

static void add_energies(Asking *a) {
  Expr minus = expr_int(a->cx, -1);
  for (uint32_t i = 0; i < a->origin->energies.n; i++) {
    const Energy *energy = &a->origin->energies.at[i];
    const char *name = energy->name ? named(a, energy->name, "F") : "V";
    if (energy->kind == ENERGY_POTENTIAL) add_slopes(a, name, &minus, &energy->value, 1, false);
    if (energy->kind == ENERGY_DISSIPATION) add_slopes(a, name, &minus, &energy->value, 1, true);
  }
}

// The contact whose friction or rolling it is, the element on whose line it stands, or a number.
static const char *name_of_force(const Asking *a, uint32_t number) {
  const PointForce *force = &a->origin->point_forces.at[number];
  for (uint32_t i = 0; i < a->origin->contacts.n; i++) {
    const Contact *contact = &a->origin->contacts.at[i];
    for (uint32_t k = 0; k < force->n; k++) {
      Expr value = expr_open(a->cx, force->force[k]);
      if (contact->friction && expr_depends(a->cx, value, contact->friction))
        return named(a, contact->name, "R");
      if (contact->torque && expr_depends(a->cx, value, contact->torque))
        return named(a, contact->name, "M");
    }
  }
  for (uint32_t i = 0; i < a->m->elements.n; i++)
    if (memcmp(&a->m->elements.at[i].span, &force->span, sizeof force->span) == 0)
      return named(a, a->m->elements.at[i].name, "F");
  return text_format(a->arena, "%s_%u", force->n == 1 ? "T" : "F", number + 1);
}

static void add_forces(Asking *a) {
  const Model *origin = a->origin;
  for (uint32_t i = 0; i < origin->point_forces.n; i++) {
    const PointForce *f = &origin->point_forces.at[i];
    add_slopes(a, name_of_force(a, i), f->force, f->point, f->n, false);
  }
  for (uint32_t i = 0; i < origin->contacts.n; i++) {
    const Contact *c = &origin->contacts.at[i];
    Expr push = expr_neg(a->cx, c->multiplier); // where it is open phi is negative
    add_slopes(a, named(a, c->name, "N"), &push, &c->phi, 1, false);
  }
  for (uint32_t i = 0; i < origin->constraints.n; i++) {
    const Constraint *c = &origin->constraints.at[i];
    Expr pull = expr_neg(a->cx, c->multiplier);
    if (!c->is_nonholonomic) add_slopes(a, named(a, c->name, "F"), &pull, &c->phi, 1, false);
  }
}

static void add_bodies(Asking *a) {
  for (uint32_t b = 0; b < a->m->bodies.n; b++) {
    const Body *body = &a->m->bodies.at[b];
    LoadedBody out = {.name = body->name, .mass = body->mass, .inertia = body->inertia};
    for (int k = 0; k < 3; k++) {
      out.pose[k] = body->pose[k];
      out.acceleration[k] = expr_time_derivative(a->cx, expr_time_derivative(a->cx, body->pose[k]));
    }
    vec_push(a->arena, &a->out.bodies, out);
  }
}

// ---- The same in the model's coordinates

// A name that nobody can write.
static Symbol part_name(Context *cx, const char *what, uint32_t number, int part) {
  return symbol_from_text(cx, text_format(&cx->scratch, "%s %u part %d", what, number, part));
}

static void ask(Model *asked, const char *what, uint32_t number, int part, Expr value) {
  Context *cx = asked->cx;
  Output member = {.name = part_name(cx, what, number, part), .value = value, .is_offered = true};
  vec_push(&cx->keep, &asked->members, member);
}

static Expr *body_part(LoadedBody *body, int part) {
  return part == 0   ? &body->mass
         : part == 1 ? &body->inertia
         : part < 5  ? &body->pose[part - 2]
                     : &body->acceleration[part - 5];
}

// False where a part is not known in these coordinates.
static bool read_part(const Model *twin, const char *what, uint32_t number, int part, Expr *out) {
  Symbol name = part_name(twin->cx, what, number, part);
  for (uint32_t i = 0; i < twin->members.n; i++)
    if (twin->members.at[i].name == name) {
      *out = twin->members.at[i].value;
      return true;
    }
  return false;
}

#define COPY(field)                                                                                \
  memset(&asked->field, 0, sizeof asked->field);                                                   \
  for (uint32_t i = 0; i < origin->field.n; i++)                                                   \
  vec_push(&cx->keep, &asked->field, origin->field.at[i])

static Model *copy_to_ask(const Model *origin) {
  Context *cx = origin->cx;
  Model *asked = arena_new(&cx->keep, Model);
  *asked = *origin;
  COPY(members);
  COPY(mechanism.joints);
  return asked;
}

static bool is_of_angle(int part) { return part == 1 || part == 4 || part == 7; }

// A body whose angle nothing depends on has none in the model's coordinates, and no inertia.
static bool read_all(Asking *a, const Model *twin) {
  Expr zero = expr_int(a->cx, 0);
  for (uint32_t i = 0; i < a->out.loads.n; i++)
    for (int k = 0; k < LOAD_PARTS; k++)
      if (!read_part(twin, "load", i, k, parts_of(&a->out.loads.at[i], k))) return false;
  for (uint32_t i = 0; i < a->out.bodies.n; i++) {
    LoadedBody *body = &a->out.bodies.at[i];
    bool turns = read_part(twin, "body", i, 4, &body->pose[2]);
    for (int k = 0; k < BODY_PARTS; k++)
      if (!turns && is_of_angle(k))
        *body_part(body, k) = zero;
      else if (!read_part(twin, "body", i, k, body_part(body, k)))
        return false;
  }
  return true;
}

BodyLoads body_loads(const Model *model, Arena *arena) {
  Context *cx = model->cx;
  const Model *origin = model->origin;
  if (!origin || !model->formulation) return (BodyLoads){0};
  Mark mark = arena_mark(&cx->scratch);
  Diagnostics before = diag_mark(cx); // all that there is to say was said of the model
  Asking a = {.cx = cx, .arena = arena, .origin = origin, .m = &origin->mechanism};
  Model *asked = copy_to_ask(origin);
  add_bodies(&a);
  add_joints(&a, asked);
  add_weights(&a);
  add_springs(&a);
  add_energies(&a);
  add_forces(&a);
  for (uint32_t i = 0; i < a.out.loads.n; i++)
    for (int k = 0; k < LOAD_PARTS; k++) ask(asked, "load", i, k, *parts_of(&a.out.loads.at[i], k));
  for (uint32_t i = 0; i < a.out.bodies.n; i++)
    for (int k = 0; k < BODY_PARTS; k++) {
      Expr *part = body_part(&a.out.bodies.at[i], k);
      ask(asked, "body", i, k, *part ? *part : expr_int(cx, 0));
    }
  const Model *twin = model_twin(model, asked);
  diag_rollback(cx, before);
  a.out.is_known = twin && read_all(&a, twin);
  arena_release(&cx->scratch, mark);
  return a.out;
}
