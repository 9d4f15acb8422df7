// A drawing for a model without draw lines, guessed from the names of its definitions.
//
// Points are vectors of lengths and pairs such as x_1, y_1; coordinates that are pairs and occur in
// constraints are bodies whose joints the constraints show. What keeps its distance is a rod. A
// model without any points shows the point that its kinetic energy is of, or its coordinates.
#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "print/names.h"
#include "scene/dials.h"
#include "scene/polar.h"
#include "scene/scene.h"
#include "scene/spring_guess.h"

#define LINKS_BACK 6 // earlier points that a point may hang on
#define MOST_POINTS 400

typedef struct GuessPoint {
  Expr x, y, z; // z 0 in the plane
  uint32_t signal;
  bool moves, is_cart;
  int body; // number of the body whose centre it is, or -1
} GuessPoint;

typedef struct Guess {
  Scene *scene;
  Context *cx;
  const Model *model;
  VEC(GuessPoint) points;
  uint32_t group; // of the next body
} Guess;

static bool may_be_length(const Measure *measure) {
  return !measure->is_known || dimension_is_equal(measure->dimension, dimension_base(0, 1, 0));
}

static bool is_angle(const Measure *measure) {
  return measure->is_known && dimension_is_pure(measure->dimension);
}

static bool has_motion(const Context *cx, Expr e) {
  return expr_has_kind(cx, e, KIND_BIT(SYMBOL_COORDINATE) | KIND_BIT(SYMBOL_TIME));
}

static void add_point(Guess *g, Expr x, Expr y, Expr z) {
  for (uint32_t i = 0; i < g->points.n; i++)
    if (g->points.at[i].x == x && g->points.at[i].y == y && g->points.at[i].z == z) return;
  if (g->points.n == MOST_POINTS) return;
  GuessPoint point = {.x = x, .y = y, .z = z, .body = -1};
  point.moves = has_motion(g->cx, x) || has_motion(g->cx, y) || (z && has_motion(g->cx, z));
  point.signal = scene_point(g->scene, x, y, z);
  if (z) g->scene->is_spatial = true;
  vec_push(g->scene->arena, &g->points, point);
}

// ---- Points by name

// A scalar length of this name: coordinate or definition; 0 when there is none.
static Expr length_named(const Guess *g, const char *name) {
  const NameEntry *entry = model_find_text(g->model, name);
  if (!entry) return 0;
  if (entry->kind == NAME_COORDINATE) {
    const Coordinate *c = &g->model->coordinates.at[entry->number];
    return may_be_length(&c->measure) ? c->q : 0;
  }
  if (entry->kind != NAME_DEFINITION) return 0;
  const Definition *d = &g->model->definitions.at[entry->number];
  return may_be_length(&d->measure) ? d->value : 0;
}

// x_1 has the partners y_1 and z_1.
static Expr partner(const Guess *g, const char *name, char letter) {
  char *other = text_format(g->scene->arena, "%s", name);
  other[0] = (char)(letter - 'x' + name[0]);
  return length_named(g, other);
}

static const Coordinate *coordinate_of(const Guess *g, Expr q) {
  for (uint32_t i = 0; i < g->model->coordinates.n; i++)
    if (g->model->coordinates.at[i].q == q) return &g->model->coordinates.at[i];
  return NULL;
}

// What a coordinate moves when it moves alone.
static Expr own_mass(const Guess *g, const Coordinate *c) {
  Expr energy = model_inertial_energy(g->model);
  return expr_diff(g->cx, expr_diff(g->cx, expr_open(g->cx, energy), c->qd), c->qd);
}

// Two coordinates of one point move the same mass; x and y of a car and its wheel do not.
static bool may_be_one_point(const Guess *g, Expr x, Expr y) {
  const Coordinate *a = coordinate_of(g, x), *b = coordinate_of(g, y);
  return !a || !b || own_mass(g, a) == own_mass(g, b);
}

static void add_pair(Guess *g, const char *name, Expr x) {
  if ((name[0] != 'x' && name[0] != 'X') || strchr(name, '.')) return;
  Expr y = partner(g, name, 'y'), z = partner(g, name, 'z');
  if (y && may_be_one_point(g, x, y)) add_point(g, x, y, z);
}

static void collect_points(Guess *g) {
  const Model *model = g->model;
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    if (may_be_length(&c->measure)) add_pair(g, symbol_text(g->cx, c->name), c->q);
  }
  for (uint32_t i = 0; i < model->definitions.n; i++) {
    const Definition *d = &model->definitions.at[i];
    if (may_be_length(&d->measure)) add_pair(g, symbol_text(g->cx, d->name), d->value);
  }
  for (uint32_t i = 0; i < model->vectors.n; i++) {
    const Vector *v = &model->vectors.at[i];
    if (may_be_length(&model->definitions.at[v->first].measure))
      add_point(g, v->at[0], v->at[1], v->n == 3 ? v->at[2] : 0);
  }
}

// Does the velocity of this coordinate stand alone in that of x?
static bool carries(const Guess *g, const Coordinate *c, Expr x) {
  Expr rate = expr_time_derivative(g->cx, expr_open(g->cx, x));
  Expr rest = expr_sub(g->cx, rate, c->qd);
  return expr_depends(g->cx, rate, c->qd) && !expr_depends(g->cx, rest, c->qd);
}

static void add_cart(Guess *g, const Coordinate *c) {
  Expr zero = expr_int(g->cx, 0);
  GuessPoint point = {.x = c->q, .y = zero, .moves = true, .body = -1, .is_cart = true};
  point.signal = scene_point(g->scene, c->q, zero, 0);
  SceneShape box = shape_at(DRAW_BOX, point.signal, 1);
  box.group = g->group++;
  scene_add(g->scene, box);
  // Later points hang on it, so it comes first.
  vec_push(g->scene->arena, &g->points, point);
  for (uint32_t i = g->points.n - 1; i > 0; i--) g->points.at[i] = g->points.at[i - 1];
  g->points.at[0] = point;
}

// In the plane, a coordinate along x that carries points and is none itself is a cart.
static void add_carts(Guess *g) {
  for (uint32_t i = 0; i < g->model->coordinates.n && !g->scene->is_spatial; i++) {
    const Coordinate *c = &g->model->coordinates.at[i];
    if (!may_be_length(&c->measure) || partner(g, symbol_text(g->cx, c->name), 'y')) continue;
    bool is_cart = false, is_point = false;
    for (uint32_t k = 0; k < g->points.n; k++) {
      is_cart = is_cart || carries(g, c, g->points.at[k].x);
      is_point = is_point || g->points.at[k].x == c->q;
    }
    if (is_cart && !is_point) add_cart(g, c);
  }
}

// ---- Bodies that constraints join

typedef struct GuessBody {
  Expr x, y, theta; // theta 0 when it has none
  uint32_t point;
  uint32_t joint_count;
  uint32_t joints[16]; // signals
  uint32_t group;
} GuessBody;

// A coordinate in a constraint with factor 1 or -1, and all terms that belong to its body.
static Expr body_part(Guess *g, const GuessBody *body, Expr phi, Expr coordinate) {
  Context *cx = g->cx;
  const Node *node = node_of(cx, phi);
  if (node->op != OP_SUM) return phi == coordinate ? phi : 0;
  Expr part = expr_int(cx, 0);
  Number factor = NUMBER_NONE;
  for (uint32_t i = 0; i < node->count; i++) {
    Pair pair = pairs_of(node)[i];
    bool belongs = expr_depends(cx, pair.expr, body->x) || expr_depends(cx, pair.expr, body->y) ||
                   (body->theta && expr_depends(cx, pair.expr, body->theta));
    if (pair.expr == coordinate) factor = pair.number;
    if (belongs) part = expr_add(cx, part, expr_scale(cx, pair.number, pair.expr));
  }
  if (factor == NUMBER_NONE) return 0;
  double sign = number_to_double(cx, factor);
  return sign == 1 ? part : sign == -1 ? expr_neg(cx, part) : 0;
}

static bool depends_on_body(const Context *cx, Expr e, const GuessBody *body) {
  return expr_depends(cx, e, body->x) || expr_depends(cx, e, body->y) ||
         (body->theta && expr_depends(cx, e, body->theta));
}

static void add_joint(Guess *g, GuessBody *bodies, uint32_t n, uint32_t which, Expr x, Expr y,
                      Expr phi) {
  GuessBody *body = &bodies[which];
  if (body->joint_count == 16) return;
  uint32_t signal = scene_point(g->scene, x, y, 0);
  body->joints[body->joint_count++] = signal;
  scene_add_hinge(g->scene, signal);
  bool grounded = true;
  for (uint32_t i = 0; i < n; i++)
    if (i != which && depends_on_body(g->cx, phi, &bodies[i])) grounded = false;
  if (grounded && !expr_has_kind(g->cx, phi, KIND_BIT(SYMBOL_TIME)))
    scene_add(g->scene, shape_at(DRAW_GROUND, signal, 1));
}

// A constraint on x of some bodies and the next one on their y say where they are joined.
static void find_joints(Guess *g, GuessBody *bodies, uint32_t n) {
  const Model *model = g->model;
  for (uint32_t i = 0; i + 1 < model->constraints.n; i++) {
    Expr phi_x = expr_open(g->cx, model->constraints.at[i].phi);
    Expr phi_y = expr_open(g->cx, model->constraints.at[i + 1].phi);
    if (model->constraints.at[i].is_nonholonomic || model->constraints.at[i + 1].is_nonholonomic)
      continue;
    bool found = false;
    for (uint32_t k = 0; k < n; k++) {
      Expr x = body_part(g, &bodies[k], phi_x, bodies[k].x);
      Expr y = body_part(g, &bodies[k], phi_y, bodies[k].y);
      if (x && y) add_joint(g, bodies, n, k, x, y, phi_x), found = true;
    }
    if (found) i++;
  }
}

// An angle with the same subscript: x_2, y_2, theta_2.
static Expr angle_of_body(Guess *g, Expr x) {
  NameParts of_x = name_split(symbol_text(g->cx, symbol_name(g->cx, x)));
  for (uint32_t i = 0; i < g->model->coordinates.n; i++) {
    const Coordinate *c = &g->model->coordinates.at[i];
    NameParts parts = name_split(symbol_text(g->cx, c->name));
    if (is_angle(&c->measure) && parts.subscript_length == of_x.subscript_length &&
        strncmp(parts.subscript, of_x.subscript, of_x.subscript_length) == 0)
      return c->q;
  }
  return 0;
}

static void draw_body(Guess *g, const GuessBody *body) {
  uint32_t centre = g->points.at[body->point].signal;
  const GuessPoint *p = &g->points.at[body->point];
  if (body->joint_count == 0) {
    SceneShape box = shape_at(DRAW_BOX, centre, 1);
    box.angle = body->theta ? scene_signal(g->scene, body->theta) : NO_SIGNAL;
    box.group = body->group;
    scene_add(g->scene, box);
    return;
  }
  // From joint to joint, or from the only joint to the centre.
  for (uint32_t i = 0; i < body->joint_count; i++) {
    const Signal *from = g->scene->signals.at + body->joints[i];
    bool last = i + 1 == body->joint_count;
    if (last && body->joint_count > 1) break;
    const Signal *to = last ? NULL : g->scene->signals.at + body->joints[i + 1];
    Expr ends[4] = {from[0].value, from[1].value, to ? to[0].value : p->x, to ? to[1].value : p->y};
    uint32_t first = scene_point(g->scene, ends[0], ends[1], 0);
    scene_point(g->scene, ends[2], ends[3], 0);
    SceneShape rod = shape_at(DRAW_LINE, first, 2);
    rod.group = body->group;
    scene_add(g->scene, rod);
  }
  if (body->joint_count == 1) {
    SceneShape mass = shape_at(DRAW_DISC, centre, 1);
    mass.group = body->group;
    scene_add(g->scene, mass);
  }
}

// Pairs of coordinates that have an angle, in a model with constraints.
static void add_bodies(Guess *g) {
  if (g->model->constraints.n == 0 || g->scene->is_spatial) return;
  GuessBody *bodies = arena_array(g->scene->arena, GuessBody, g->points.n);
  uint32_t n = 0;
  for (uint32_t i = 0; i < g->points.n; i++) {
    GuessPoint *p = &g->points.at[i];
    if (op_of(g->cx, p->x) != OP_SYMBOL || op_of(g->cx, p->y) != OP_SYMBOL) continue;
    Expr theta = angle_of_body(g, p->x);
    if (!theta) continue;
    bodies[n] = (GuessBody){p->x, p->y, theta, i, 0, {0}, g->group++};
    p->body = (int)n++;
  }
  find_joints(g, bodies, n);
  for (uint32_t i = 0; i < n; i++) draw_body(g, &bodies[i]);
}

// ---- Points that hang together

static void add_link(Guess *g, const GuessPoint *from, const GuessPoint *to, bool may_be_spring,
                     uint32_t group) {
  Context *cx = g->cx;
  Expr zero = expr_int(cx, 0);
  uint32_t first = from ? scene_point(g->scene, from->x, from->y, from->z)
                        : scene_point(g->scene, zero, zero, g->scene->is_spatial ? zero : 0);
  scene_point(g->scene, to->x, to->y, to->z);
  SceneShape link = shape_at(may_be_spring ? DRAW_SPRING : DRAW_LINE, first, 2);
  link.is_guess = true;
  link.group = group;
  scene_add(g->scene, link);
}

static bool shares_constraint(const Guess *g, const GuessPoint *a, const GuessPoint *b) {
  for (uint32_t i = 0; i < g->model->constraints.n; i++) {
    Expr phi = g->model->constraints.at[i].phi;
    if (expr_depends(g->cx, phi, a->x) && expr_depends(g->cx, phi, b->x)) return true;
  }
  return false;
}

static bool is_coordinate_point(const Guess *g, const GuessPoint *p) {
  return op_of(g->cx, p->x) == OP_SYMBOL && op_of(g->cx, p->y) == OP_SYMBOL;
}

// A point hangs on the nearest earlier one from which its distance stays, else on the origin.
static void link_point(Guess *g, uint32_t i) {
  const GuessPoint *p = &g->points.at[i];
  uint32_t group = g->group++;
  if (is_coordinate_point(g, p) && g->model->constraints.n) {
    for (uint32_t k = 0; k < i; k++)
      if (is_coordinate_point(g, &g->points.at[k]) && shares_constraint(g, &g->points.at[k], p))
        add_link(g, &g->points.at[k], p, false, g->group++);
  } else {
    for (uint32_t back = 1; back <= i && back <= LINKS_BACK; back++)
      add_link(g, &g->points.at[i - back], p, false, group);
  }
  bool may_be_spring =
      i == 0 && !is_coordinate_point(g, p) && spring_may_hold(g->scene, p->x, p->y, p->z);
  if (!g->points.at[0].is_cart) add_link(g, NULL, p, may_be_spring, group);
  SceneShape mass = shape_at(DRAW_DISC, p->signal, 1);
  mass.group = group;
  scene_add(g->scene, mass);
}

static void link_points(Guess *g) {
  uint32_t last = UINT32_MAX;
  for (uint32_t i = 0; i < g->points.n; i++) {
    const GuessPoint *p = &g->points.at[i];
    if (!p->moves) {
      if (!p->z) scene_add(g->scene, shape_at(DRAW_GROUND, p->signal, 1));
      continue;
    }
    if (p->body < 0 && !p->is_cart) link_point(g, i), last = i;
  }
  if (last == UINT32_MAX) return;
  SceneShape trail = shape_at(DRAW_TRAIL, g->points.at[last].signal, 1);
  trail.group = g->group;
  scene_add(g->scene, trail);
}

// Where nothing holds the point, an arrow from the centre shows what r and phi are.
static void add_radius(Guess *g, const GuessPoint *p) {
  Expr zero = expr_int(g->cx, 0);
  if (spring_may_hold(g->scene, p->x, p->y, 0)) return;
  SceneShape arrow = shape_at(DRAW_ARROW, scene_point(g->scene, zero, zero, 0), 2);
  scene_point(g->scene, p->x, p->y, 0);
  arrow.has_colour = true, arrow.colour = mark_colour.light;
  scene_add(g->scene, arrow);
}

void scene_guess(Scene *scene) {
  Guess g = {.scene = scene, .cx = scene->cx, .model = scene->result->model};
  scene->is_guessed = true;
  collect_points(&g);
  bool moves = false;
  for (uint32_t i = 0; i < g.points.n; i++) moves = moves || g.points.at[i].moves;
  Expr at[2];
  if (!moves && scene_polar_point(scene, at)) {
    g.points.n = 0, scene->is_spatial = false, moves = true;
    add_point(&g, at[0], at[1], 0);
    if (scene->result->model->coordinates.n == 2) add_radius(&g, &g.points.at[0]);
  }
  if (!moves) {
    scene->is_spatial = false;
    scene_show_coordinates(scene);
    return;
  }
  add_carts(&g);
  add_bodies(&g);
  link_points(&g);
}
