// Joints as constraints on the poses of two bodies.
#include <string.h>

#include "base/text.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/plane.h"
#include "expr/subst.h"
#include "model/mechanism.h"
#include "model/sketch.h"

const char *joint_word(JointKind kind) { return joint_type(kind)->word; }
uint32_t joint_row_count(JointKind kind) { return joint_type(kind)->row_count; }
bool joint_makes_tree(JointKind kind) { return joint_type(kind)->leaves != LEAVES_MORE; }
bool joint_leaves(const Joint *joint, JointFreedom freedom) {
  return joint_type(joint->kind)->leaves == freedom;
}

Symbol joint_row_name(Context *cx, const Joint *joint, uint32_t row) {
  const char *name = symbol_text(cx, joint->name), *bracket = strchr(name, '[');
  int length = bracket ? (int)(bracket - name) : (int)strlen(name);
  Text text = text_new(&cx->keep);
  text_addf(&text, "%.*s_%s%s", length, name, joint_type(joint->kind)->row_names[row],
            bracket ? bracket : "");
  return symbol_from_text(cx, text.at);
}

bool joint_row_is_length(JointKind kind, uint32_t row) {
  return strcmp(joint_type(kind)->row_names[row], "angle") != 0;
}

// ---- Geometry

Expr body_angle(Context *cx, const Mechanism *m, uint32_t body) {
  return body == GROUND ? expr_int(cx, 0) : m->bodies.at[body].pose[2];
}

void anchor_point(Context *cx, const Mechanism *m, const Anchor *anchor, Expr out[2]) {
  if (anchor->body == GROUND) {
    out[0] = anchor->at[0], out[1] = anchor->at[1];
    return;
  }
  const Body *body = &m->bodies.at[anchor->body];
  plane_turn_by(cx, body->pose[2], anchor->at, out);
  for (int i = 0; i < 2; i++) out[i] = expr_add(cx, body->pose[i], out[i]);
}

Expr expr_at_start(Context *cx, Expr e) {
  if (!expr_has_kind(cx, e, KIND_BIT(SYMBOL_TIME))) return e;
  Expr t = expr_symbol(cx, SYMBOL_TIME, symbol_from_text(cx, "t"));
  return expr_subst(cx, e, &(Substitution){t, expr_int(cx, 0)}, 1);
}

void ground_start(Context *cx, const Anchor *anchor, Expr at[2], Expr rate[2]) {
  for (int i = 0; i < 2; i++) {
    at[i] = expr_at_start(cx, anchor->at[i]);
    rate[i] = expr_at_start(cx, expr_time_derivative(cx, anchor->at[i]));
  }
}

// The same for numbers at the start: pose symbols replaced by where the bodies are assembled.
static void start_point(Context *cx, const Anchor *anchor, const StartPose *start, Expr out[2]) {
  Expr rate[2];
  if (anchor->body == GROUND) {
    ground_start(cx, anchor, out, rate);
    return;
  }
  const StartPose *pose = &start[anchor->body];
  plane_turn_by(cx, pose->at[2], anchor->at, out);
  for (int i = 0; i < 2; i++) out[i] = expr_add(cx, pose->at[i], out[i]);
}

static Expr start_angle(Context *cx, uint32_t body, const StartPose *start) {
  return body == GROUND ? expr_int(cx, 0) : start[body].at[2];
}

// From the first anchor to the second, along and across a direction.
static void gap(Context *cx, const Expr from[2], const Expr to[2], Expr direction, Expr *along,
                Expr *across) {
  Expr d[2] = {expr_sub(cx, to[0], from[0]), expr_sub(cx, to[1], from[1])}, turned[2];
  plane_turn_by(cx, expr_neg(cx, direction), d, turned);
  *along = turned[0], *across = turned[1];
}

// Where a rack that says nothing has its teeth, in its own frame: along the slide that guides it.
static Expr slide_axis(Context *cx, const Mechanism *m, uint32_t body, const StartPose *start) {
  for (uint32_t i = 0; i < m->joints.n; i++) {
    const Joint *slide = &m->joints.at[i];
    bool guides = slide->first.body == body || slide->second.body == body;
    if (!joint_leaves(slide, LEAVES_SLIDE) || !guides) continue;
    Expr axis = slide->axis ? slide->axis : expr_int(cx, 0);
    Expr base = start_angle(cx, slide->first.body, start);
    return expr_add(cx, axis, expr_sub(cx, base, start_angle(cx, body, start)));
  }
  return expr_int(cx, 0);
}

static JointView view_joint(Context *cx, const Mechanism *m, const Joint *j,
                            const StartPose *start) {
  JointView v = {.cx = cx,
                 .m = m,
                 .joint = j,
                 .start = start,
                 .first = body_angle(cx, m, j->first.body),
                 .second = body_angle(cx, m, j->second.body)};
  anchor_point(cx, m, &j->first, v.from);
  anchor_point(cx, m, &j->second, v.to);
  // a rack's teeth lie along its slider, everything else along the first body
  bool rack = joint_type(j->kind)->axis_on_second;
  Expr axis = j->axis ? j->axis : rack ? slide_axis(cx, m, j->second.body, start) : expr_int(cx, 0);
  v.direction = expr_add(cx, rack ? v.second : v.first, axis);
  gap(cx, v.from, v.to, v.direction, &v.along, &v.across);
  Expr first = start_angle(cx, j->first.body, start), from[2], to[2], unused;
  Expr second = start_angle(cx, j->second.body, start);
  Expr turned_at_start = expr_sub(cx, second, first);
  v.turned = expr_sub(cx, expr_sub(cx, v.second, v.first), turned_at_start);
  start_point(cx, &j->first, start, from);
  start_point(cx, &j->second, start, to);
  gap(cx, from, to, expr_add(cx, rack ? second : first, axis), &v.along_start, &unused);
  return v;
}

Expr joint_direction(Context *cx, const Mechanism *m, const Joint *joint, const StartPose *start) {
  return view_joint(cx, m, joint, start).direction;
}

// ---- Equations of the kinds

// The anchors are one point.
static void pin_rows(const JointView *v, Expr *out) {
  for (int i = 0; i < 2; i++) out[i] = expr_sub(v->cx, v->from[i], v->to[i]);
}

static void weld_rows(const JointView *v, Expr *out) {
  pin_rows(v, out);
  out[2] = v->turned;
}

static void slide_rows(const JointView *v, Expr *out) { out[0] = v->across, out[1] = v->turned; }

static void slot_row(const JointView *v, Expr *out) { out[0] = v->across; }

static void distance_row(const JointView *v, Expr *out) {
  out[0] = expr_sub(v->cx, plane_distance(v->cx, v->from, v->to), v->joint->length);
}

// Above the line by the radius; the arc rolled is the way travelled, backwards when turning on.
static void rolling_rows(const JointView *v, Expr *out) {
  Context *cx = v->cx;
  Expr way = expr_sub(cx, v->along, v->along_start);
  out[0] = expr_sub(cx, v->across, v->joint->radius);
  out[1] = expr_add(cx, way, expr_mul(cx, v->joint->radius, v->turned));
}

// The same for a wheel that may slip.
static void grip_row(const JointView *v, Expr *out) {
  out[0] = expr_sub(v->cx, v->across, v->joint->radius);
}

// How far a body has turned since the start, seen from the carrier.
static Expr turned_by(const JointView *v, uint32_t body, uint32_t carrier) {
  Context *cx = v->cx;
  Expr own = body_angle(cx, v->m, body), of_carrier = body_angle(cx, v->m, carrier);
  Expr now = expr_sub(cx, own, of_carrier);
  own = start_angle(cx, body, v->start), of_carrier = start_angle(cx, carrier, v->start);
  Expr then = expr_sub(cx, own, of_carrier);
  return expr_sub(cx, now, then);
}

// A gear or a belt: the second turns by the ratio times the first.
static void coupling_row(const JointView *v, Expr *out) {
  const Joint *j = v->joint;
  Expr first = turned_by(v, j->first.body, j->carrier);
  Expr second = turned_by(v, j->second.body, j->carrier);
  out[0] = expr_sub(v->cx, second, expr_mul(v->cx, j->ratio, first));
}

static void no_rows(const JointView *v, Expr *out) { (void)v, (void)out; }

// The second slides along the axis by the arc that the first rolls on it.
static void rack_row(const JointView *v, Expr *out) {
  Context *cx = v->cx;
  const Joint *j = v->joint;
  Expr arc = expr_mul(cx, j->radius, turned_by(v, j->first.body, j->second.body));
  out[0] = expr_sub(cx, expr_sub(cx, v->along, v->along_start), arc);
}

const JointType *joint_type(JointKind kind) {
  static const JointType types[JOINT_KINDS] = {
#define JOINT(name, ...) [JOINT_##name] = {__VA_ARGS__},
#include "model/joints.def"
#undef JOINT
  };
  return &types[kind];
}

void joint_rows(Context *cx, const Mechanism *m, const Joint *j, const StartPose *start,
                Expr *out) {
  JointView v = view_joint(cx, m, j, start);
  joint_type(j->kind)->equations(&v, out);
}

Expr joint_motion(Context *cx, const Mechanism *m, const Joint *j) {
  Expr first = body_angle(cx, m, j->first.body), second = body_angle(cx, m, j->second.body);
  if (!joint_type(j->kind)->slides) return expr_sub(cx, second, first);
  Expr from[2], to[2], along, across;
  anchor_point(cx, m, &j->first, from);
  anchor_point(cx, m, &j->second, to);
  gap(cx, from, to, expr_add(cx, first, j->axis ? j->axis : expr_int(cx, 0)), &along, &across);
  return along;
}

// ---- Friction

// Of the first body, in the world.
static Expr direction_of(Context *cx, const Mechanism *m, const Joint *j) {
  Expr first = body_angle(cx, m, j->first.body);
  return expr_add(cx, first, j->axis ? j->axis : expr_int(cx, 0));
}

// How far the second is ahead of what the ratio gives it.
static Expr turned_ahead(Context *cx, const Mechanism *m, const Joint *j) {
  Expr arm = body_angle(cx, m, j->carrier);
  Expr first = expr_sub(cx, body_angle(cx, m, j->first.body), arm);
  Expr second = expr_sub(cx, body_angle(cx, m, j->second.body), arm);
  return expr_sub(cx, second, expr_mul(cx, j->ratio, first));
}

Expr joint_slip(Context *cx, const Mechanism *m, const Joint *j) {
  if (j->kind == JOINT_BAND) return turned_ahead(cx, m, j);
  if (j->kind != JOINT_GRIP) return joint_motion(cx, m, j);
  Expr from[2], to[2], along, across, turned = joint_motion(cx, m, j);
  anchor_point(cx, m, &j->first, from);
  anchor_point(cx, m, &j->second, to);
  gap(cx, from, to, direction_of(cx, m, j), &along, &across);
  return expr_add(cx, along, expr_mul(cx, j->radius, turned));
}

static bool is_wheel(const Joint *j) { return j->kind == JOINT_ROLLING || j->kind == JOINT_GRIP; }

bool joint_rubs_by_torque(const Joint *j) {
  return j->kind == JOINT_REVOLUTE || j->kind == JOINT_BAND;
}

Expr joint_grip(Context *cx, const Joint *j) {
  return joint_rubs_by_torque(j) ? expr_mul(cx, j->mu, j->radius) : j->mu;
}

Expr joint_friction(Context *cx, const Mechanism *m, const Joint *j) {
  Expr rate = expr_time_derivative(cx, joint_slip(cx, m, j));
  Expr grip = joint_grip(cx, j);
  return expr_neg(cx, expr_mul3(cx, grip, j->press, expr_function1(cx, OP_SIGN, rate)));
}

Expr joint_roll_torque(Context *cx, const Mechanism *m, const Joint *j) {
  Expr rate = expr_time_derivative(cx, joint_motion(cx, m, j));
  return expr_neg(cx, expr_mul3(cx, j->rolling, j->roll_press, expr_function1(cx, OP_SIGN, rate)));
}

Expr joint_load(Context *cx, const Mechanism *m, const Joint *j) {
  const Expr *F = j->reaction;
  if (j->kind == JOINT_BAND) return expr_mul(cx, expr_int(cx, 2), j->tension);
  if (j->kind == JOINT_REVOLUTE) return expr_sqrt(cx, plane_square(cx, F));
  Expr direction = direction_of(cx, m, j);
  Expr c = expr_cos(cx, direction);
  Expr s = expr_sin(cx, direction);
  Expr across = plane_cross(cx, (Expr[]){c, s}, F);
  // a wheel stands on the left side of its line; what pulls it up gives no grip
  if (is_wheel(j)) return expr_function2(cx, OP_MAX, expr_int(cx, 0), across);
  Expr force = expr_function1(cx, OP_ABS, across);
  if (j->kind != JOINT_PRISMATIC || !j->length) return force;
  // two forces at the ends of the guide: |N/2 + T/l| + |N/2 - T/l|
  Expr pair =
      expr_function1(cx, OP_ABS, expr_div(cx, expr_mul(cx, expr_int(cx, 2), F[2]), j->length));
  return expr_function2(cx, OP_MAX, force, pair);
}

// ---- Size

// Do its anchors say how large its bodies are?
static bool has_points(JointKind kind) {
  return joint_type(kind)->holds_point || joint_type(kind)->slides;
}

typedef struct Cloud {
  uint32_t n;
  Expr sum[2], squares;
} Cloud;

static void add_point(Context *cx, Cloud *cloud, const Anchor *anchor) {
  for (int i = 0; i < 2; i++) {
    Expr at = expr_at_start(cx, anchor->at[i]);
    cloud->sum[i] = cloud->n ? expr_add(cx, cloud->sum[i], at) : at;
    Expr square = expr_square(cx, at);
    cloud->squares = cloud->squares ? expr_add(cx, cloud->squares, square) : square;
  }
  cloud->n++;
}

Expr mechanism_size2(Context *cx, const Mechanism *m) {
  Mark mark = arena_mark(&cx->scratch);
  Cloud *clouds = arena_array(&cx->scratch, Cloud, m->bodies.n + 1);
  for (uint32_t i = 0; i < m->joints.n; i++) {
    const Joint *joint = &m->joints.at[i];
    const Anchor *ends[2] = {&joint->first, &joint->second};
    for (int k = 0; k < 2 && has_points(joint->kind); k++)
      add_point(cx, &clouds[ends[k]->body == GROUND ? m->bodies.n : ends[k]->body], ends[k]);
  }
  Expr total = expr_int(cx, 0);
  int64_t count = 0;
  for (uint32_t i = 0; i <= m->bodies.n; i++) {
    const Cloud *c = &clouds[i];
    if (c->n < 2) continue;
    // sum |p - mean|^2 = sum |p|^2 - |sum p|^2 / n
    Expr middle = plane_square(cx, c->sum);
    Expr spread = expr_sub(cx, c->squares, expr_mul(cx, expr_ratio(cx, 1, c->n), middle));
    total = expr_add(cx, total, spread);
    count += c->n;
  }
  arena_release(&cx->scratch, mark);
  return count ? expr_mul(cx, expr_ratio(cx, 1, count), total) : total;
}
