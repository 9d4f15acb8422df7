// Which shapes mesh, and with how many teeth.
#include "scene/teeth.h"

#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/order.h"
#include "expr/subst.h"
#include "expr/value/eval.h"
#include "model/values.h"

#define TOUCHING 1e-3 // of the radii: so far may pitch circles be from each other

enum { FEWEST = 12, MANY = 40, MOST = 200, FEWEST_TOLD = 6 }; // teeth

typedef struct Mesh {
  uint32_t a, b;     // shapes; b may be a rack
  double told_a;     // teeth that the model's ratio tells of a, or 0
  bool is_from_ring; // one of them has its teeth inside
  bool has_play;     // each turns as its body does
} Mesh;

typedef struct Meshing {
  Scene *scene;
  const double *pose, *values;
  VEC(Mesh) list;
} Meshing;

static SceneShape *shape_of(const Meshing *m, uint32_t i) { return &m->scene->shapes.at[i]; }

static double radius_of(const Meshing *m, uint32_t i) {
  uint32_t signal = shape_of(m, i)->radius;
  return signal == NO_SIGNAL ? 0 : fabs(m->pose[signal]);
}

static double distance_of(const Meshing *m, uint32_t i, uint32_t k) {
  const double *a = m->pose + shape_of(m, i)->points, *b = m->pose + shape_of(m, k)->points;
  return hypot(b[0] - a[0], b[1] - a[1]);
}

// ---- Who meshes with whom

// A wheel of this body, or what the joint itself drew for one that stands fast.
static bool is_wheel(const Meshing *m, uint32_t i, uint32_t body, const char *joint) {
  const SceneShape *shape = shape_of(m, i);
  if (shape->is_hidden || !(radius_of(m, i) > 0)) return false;
  if (body != GROUND) return shape->shape == DRAW_DISC && shape->body == body + 1;
  return shape->shape == DRAW_POST && shape->part && strcmp(shape->part, joint) == 0;
}

static bool do_touch(const Meshing *m, uint32_t a, uint32_t b, bool inside) {
  double r = radius_of(m, a), s = radius_of(m, b);
  double wanted = inside ? fabs(r - s) : r + s;
  return fabs(distance_of(m, a, b) - wanted) <= TOUCHING * (r + s) && (!inside || r != s);
}

// The value of a parameter that stands alone, where it may be a number of teeth; 0.
static double told_teeth(const Meshing *m, const Pair *pairs, uint32_t count) {
  Context *cx = m->scene->cx;
  if (count != 1 || op_of(cx, pairs[0].expr) != OP_SYMBOL || pairs[0].number != NUMBER_ONE)
    return 0;
  double value = expr_eval(cx, pairs[0].expr, m->values);
  return value == floor(value) && value >= FEWEST_TOLD && value <= MOST ? value : 0;
}

// n_2 of the ratio -n_2/n_3, where both are numbers of teeth for such radii.
static double told_by_ratio(const Meshing *m, Expr ratio, uint32_t a, uint32_t b) {
  Arena *scratch = &m->scene->cx->scratch;
  Mark mark = arena_mark(scratch);
  Quotient q = expr_quotient(m->scene->cx, ratio, false);
  bool is_plain = q.number == NUMBER_ONE && q.divisor == NUMBER_ONE;
  double top = told_teeth(m, q.top, q.top_count), bottom = told_teeth(m, q.bottom, q.bottom_count);
  arena_release(scratch, mark);
  double wanted = top * radius_of(m, b);
  bool fits = fabs(wanted - bottom * radius_of(m, a)) <= 1e-9 * wanted;
  return is_plain && top > 0 && bottom > 0 && fits ? top : 0;
}

static void find_gear(Meshing *m, const Joint *joint, bool has_play) {
  const char *name = symbol_text(m->scene->cx, joint->name);
  bool inside = expr_eval(m->scene->cx, joint->ratio, m->values) > 0;
  for (uint32_t a = 0; a < m->scene->shapes.n; a++)
    for (uint32_t b = 0; b < m->scene->shapes.n; b++) {
      if (!is_wheel(m, a, joint->first.body, name) || !is_wheel(m, b, joint->second.body, name) ||
          !do_touch(m, a, b, inside))
        continue;
      Mesh mesh = {a, b, told_by_ratio(m, joint->ratio, a, b), inside, has_play};
      vec_push(m->scene->arena, &m->list, mesh);
      return;
    }
}

static void find_rack(Meshing *m, const Joint *joint) {
  const char *name = symbol_text(m->scene->cx, joint->name);
  uint32_t wheel = UINT32_MAX, track = UINT32_MAX;
  for (uint32_t i = 0; i < m->scene->shapes.n; i++) {
    const SceneShape *shape = shape_of(m, i);
    bool is_track = shape->shape == DRAW_TRACK && shape->track == TRACK_TOOTHED;
    if (is_track && shape->part && strcmp(shape->part, name) == 0) track = i;
    if (is_wheel(m, i, joint->first.body, name) && wheel == UINT32_MAX) wheel = i;
  }
  if (wheel == UINT32_MAX || track == UINT32_MAX) return;
  Mesh mesh = {.a = wheel, .b = track};
  vec_push(m->scene->arena, &m->list, mesh);
}

// A backlash with a ratio is a pair of gears.
static void find_backlash(Meshing *m, const Element *element) {
  if (element->kind != ELEMENT_BACKLASH || !element->values[0][0]) return;
  Joint gears = {.name = element->name,
                 .first = element->first,
                 .second = element->second,
                 .ratio = element->values[0][0]};
  find_gear(m, &gears, true);
}

// Do the discs roll on each other whenever they turn?
static bool do_roll(const Meshing *m, const Poses *poses, uint32_t a, uint32_t b) {
  const SceneShape *one = shape_of(m, a), *two = shape_of(m, b);
  double turned = 0, off = 0;
  for (uint32_t i = 0; i < poses->count; i++) {
    const double *pose = pose_at(poses, i);
    double x = radius_of(m, a) * (pose[one->angle] - m->pose[one->angle]);
    double y = radius_of(m, b) * (pose[two->angle] - m->pose[two->angle]);
    turned = fmax(turned, fabs(x)), off = fmax(off, fabs(x + y));
  }
  return turned > 0 && off <= TOUCHING * turned;
}

// Discs of draw lines that touch and roll, whose radii are numbers of teeth times one length.
static void find_drawn_gears(Meshing *m, const Poses *poses) {
  Context *cx = m->scene->cx;
  for (uint32_t a = 0; a < m->scene->shapes.n; a++)
    for (uint32_t b = 0; b < a; b++) {
      const SceneShape *one = shape_of(m, a), *two = shape_of(m, b);
      bool are_discs = one->shape == DRAW_DISC && two->shape == DRAW_DISC && !one->part &&
                       !two->part && one->angle != NO_SIGNAL && two->angle != NO_SIGNAL;
      if (!are_discs || !(radius_of(m, a) > 0) || !(radius_of(m, b) > 0)) continue;
      if (!do_touch(m, a, b, false) || !do_roll(m, poses, a, b)) continue;
      Expr radius = expr_open(cx, m->scene->signals.at[one->radius].value);
      Expr other = expr_open(cx, m->scene->signals.at[two->radius].value);
      Expr ratio = expr_div(cx, radius, other);
      Mesh mesh = {a, b, told_by_ratio(m, ratio, a, b), false, false};
      if (mesh.told_a > 0) vec_push(m->scene->arena, &m->list, mesh);
    }
}

// ---- Trains: wheels whose teeth are of one size

static bool is_rack(const Meshing *m, uint32_t i) { return shape_of(m, i)->shape == DRAW_TRACK; }

// How well so many teeth on the smallest wheel go into all others.
static double misfit(const Meshing *m, const uint32_t *train, uint32_t own, double pitch) {
  double worst = 0;
  for (uint32_t i = 0; i < m->scene->shapes.n; i++) {
    if (train[i] != own || is_rack(m, i)) continue;
    double teeth = 2 * M_PI * radius_of(m, i) / pitch;
    worst = fmax(worst, teeth > MOST ? 1 : fabs(teeth - round(teeth)));
  }
  return worst;
}

// Of a tooth and the gap behind it.
static double pitch_of_train(const Meshing *m, const uint32_t *train, uint32_t own) {
  double smallest = INFINITY, best = 0, least = INFINITY;
  for (uint32_t i = 0; i < m->list.n; i++) {
    const Mesh *mesh = &m->list.at[i];
    if (train[mesh->a] == own && mesh->told_a > 0)
      return 2 * M_PI * radius_of(m, mesh->a) / mesh->told_a;
  }
  for (uint32_t i = 0; i < m->scene->shapes.n; i++)
    if (train[i] == own && !is_rack(m, i)) smallest = fmin(smallest, radius_of(m, i));
  for (int teeth = FEWEST; teeth <= MANY; teeth++) {
    double pitch = 2 * M_PI * smallest / teeth, miss = misfit(m, train, own, pitch);
    if (miss < least - 1e-6) least = miss, best = pitch;
  }
  return best;
}

static void number_teeth(const Meshing *m, const uint32_t *train, uint32_t own) {
  double pitch = pitch_of_train(m, train, own);
  for (uint32_t i = 0; i < m->scene->shapes.n; i++) {
    SceneShape *shape = shape_of(m, i);
    if (train[i] != own || !(pitch > 0)) continue;
    double teeth = fmax(round(2 * M_PI * radius_of(m, i) / pitch), 1);
    shape->train = own;
    shape->teeth = is_rack(m, i) ? 1 : (uint32_t)teeth;
    shape->pitch = is_rack(m, i) ? pitch : 2 * M_PI * radius_of(m, i) / teeth;
  }
}

// The number of the first shape of its train + 1, of every shape; 0 where it meshes with none.
static uint32_t *find_trains(const Meshing *m) {
  uint32_t *train = arena_array(m->scene->arena, uint32_t, m->scene->shapes.n + 1);
  for (uint32_t i = 0; i < m->list.n; i++)
    train[m->list.at[i].a] = m->list.at[i].a + 1, train[m->list.at[i].b] = m->list.at[i].b + 1;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < m->list.n; i++) {
      uint32_t *a = &train[m->list.at[i].a], *b = &train[m->list.at[i].b];
      changed |= *a != *b;
      *a = *b = *a < *b ? *a : *b;
    }
  }
  return train;
}

// ---- Whose teeth follow whose

// What stands fast and racks come first, since they have no angle of their own.
static uint32_t root_of(const Meshing *m, const uint32_t *train, uint32_t own) {
  uint32_t root = own - 1;
  for (uint32_t i = 0; i < m->scene->shapes.n; i++)
    if (train[i] == own && shape_of(m, i)->shape != DRAW_DISC) root = i;
  return root;
}

static void follow_partners(const Meshing *m, const uint32_t *train, uint32_t own) {
  bool *settled = arena_array(m->scene->arena, bool, m->scene->shapes.n + 1);
  settled[root_of(m, train, own)] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < m->list.n; i++) {
      uint32_t a = m->list.at[i].a, b = m->list.at[i].b;
      if (settled[a] == settled[b]) continue;
      uint32_t known = settled[a] ? a : b, other = settled[a] ? b : a;
      shape_of(m, other)->partner = known, settled[other] = changed = true;
    }
  }
}

// The same wheel once more, without teeth, would cover the gaps.
static void hide_twins(const Meshing *m) {
  for (uint32_t i = 0; i < m->scene->shapes.n; i++)
    for (uint32_t k = 0; k < m->scene->shapes.n; k++) {
      SceneShape *twin = shape_of(m, k);
      const SceneShape *shape = shape_of(m, i);
      bool same = shape->teeth && !twin->teeth && twin->shape == DRAW_DISC && twin->part &&
                  twin->body == shape->body && twin->body &&
                  fabs(radius_of(m, i) - radius_of(m, k)) <= TOUCHING * radius_of(m, i) &&
                  distance_of(m, i, k) <= TOUCHING * radius_of(m, i);
      if (same) twin->is_hidden = true;
    }
}

// With play a wheel does not follow its partner's teeth: at the start these stand in its gaps, and
// from then on its own turn with its body.
static void turn_with_bodies(const Meshing *m, const Mesh *mesh) {
  uint32_t number = shape_of(m, mesh->b)->partner == mesh->a ? mesh->b : mesh->a;
  SceneShape *shape = shape_of(m, number);
  if (shape->angle == NO_SIGNAL || shape->partner == NO_PARTNER) return;
  shape->ahead = teeth_phase(m->scene, m->pose, number) - m->pose[shape->angle];
  shape->partner = NO_PARTNER;
}

void scene_mesh(Scene *scene, const Poses *poses) {
  const Model *model = scene->result->model;
  const Mechanism *mechanism = &(model->origin ? model->origin : model)->mechanism;
  Meshing m = {.scene = scene, .pose = pose_at(poses, 0)};
  double *values;
  if (scene->is_spatial || model_values(scene->cx, model, scene->arena, &values) != QDOT_OK) return;
  m.values = values;
  for (uint32_t i = 0; i < mechanism->joints.n; i++) {
    const Joint *joint = &mechanism->joints.at[i];
    if (joint->kind == JOINT_GEAR) find_gear(&m, joint, false);
    if (joint->kind == JOINT_RACK) find_rack(&m, joint);
  }
  for (uint32_t i = 0; i < mechanism->elements.n; i++)
    find_backlash(&m, &mechanism->elements.at[i]);
  find_drawn_gears(&m, poses);
  uint32_t *train = find_trains(&m);
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    if (train[i] != i + 1) continue;
    number_teeth(&m, train, i + 1);
    follow_partners(&m, train, i + 1);
  }
  for (uint32_t i = 0; i < m.list.n; i++) {
    uint32_t a = m.list.at[i].a, b = m.list.at[i].b;
    if (m.list.at[i].is_from_ring)
      shape_of(&m, radius_of(&m, a) > radius_of(&m, b) ? a : b)->is_ring = true;
  }
  for (uint32_t i = 0; i < m.list.n; i++)
    if (m.list.at[i].has_play) turn_with_bodies(&m, &m.list.at[i]);
  hide_twins(&m);
}

// ---- Where they stand

// A rack has a tooth at every whole pitch from its first point.
static double phase_at_rack(const SceneShape *wheel, const SceneShape *rack, const double *pose) {
  const double *c = pose + wheel->points, *from = pose + rack->points, *to = from + 3;
  double dx = to[0] - from[0], dy = to[1] - from[1], length = hypot(dx, dy);
  if (!(length > 0)) return 0;
  double along = ((c[0] - from[0]) * dx + (c[1] - from[1]) * dy) / length;
  double x = from[0] + along * dx / length - c[0], y = from[1] + along * dy / length - c[1];
  double contact = atan2(y, x), way = -y * dx + x * dy > 0 ? 1 : -1;
  return contact + way * (0.5 - along / rack->pitch) * 2 * M_PI / wheel->teeth;
}

// f_1 + f_2 = 1/2 at the line of centres, f the part of a pitch from the middle of a tooth.
double teeth_phase(const Scene *scene, const double *pose, uint32_t number) {
  const SceneShape *own = &scene->shapes.at[number];
  if (own->partner == NO_PARTNER)
    return own->ahead + (own->angle == NO_SIGNAL ? 0 : pose[own->angle]);
  const SceneShape *other = &scene->shapes.at[own->partner];
  if (other->shape == DRAW_TRACK) return phase_at_rack(own, other, pose);
  const double *a = pose + other->points, *b = pose + own->points;
  bool inside = own->is_ring != other->is_ring;
  double towards = atan2(b[1] - a[1], b[0] - a[0]) + (own->is_ring ? M_PI : 0);
  double part =
      (teeth_phase(scene, pose, own->partner) - towards) * other->teeth / (2 * M_PI) + 0.5;
  double contact = inside ? towards : towards + M_PI;
  return contact + (inside ? part : -part) * 2 * M_PI / own->teeth;
}
