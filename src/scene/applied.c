// Forces and torques that the model applies: those of its own lines, not what elements and contacts
// do.
#include <string.h>

#include "scene/scene.h"

enum { MOST_APPLIED = 12 };

static bool is_same_span(const Span *a, const Span *b) { return memcmp(a, b, sizeof *a) == 0; }

// Does an element or the friction of a contact do it?
static bool is_of_part(const Model *written, const PointForce *force) {
  for (uint32_t i = 0; i < written->mechanism.elements.n; i++)
    if (is_same_span(&written->mechanism.elements.at[i].span, &force->span)) return true;
  return false;
}

static bool has_own_arrows(const Scene *scene) {
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    if (scene->shapes.at[i].shape == DRAW_ARROW) return true;
  return false;
}

// It is unknown until the equations are solved: friction, what holds.
static bool is_given(const Scene *scene, const Expr *force, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (expr_has_kind(scene->cx, force[i], KIND_BIT(SYMBOL_MULTIPLIER))) return false;
  return true;
}

static void add_force(Scene *scene, const PointForce *force) {
  SceneShape arrow = shape_at(DRAW_FORCE, scene->signals.n, 1);
  scene_point(scene, force->point[0], force->point[1], 0);
  arrow.size_a = scene_signal(scene, force->force[0]);
  arrow.size_b = scene_signal(scene, force->force[1]);
  scene_add(scene, arrow);
}

// The body whose angle it is on, in the poses of the model's bodies; -1 where it is none.
static int body_turned(const Model *written, Expr angle, const Context *cx) {
  for (uint32_t b = 0; b < written->mechanism.bodies.n; b++)
    if (expr_depends(cx, angle, written->mechanism.bodies.at[b].pose[2])) return (int)b;
  return -1;
}

static void add_torque(Scene *scene, const PointForce *written, const PointForce *torque) {
  const Model *model = scene->result->model;
  int body = body_turned(model->origin, written->point[0], scene->cx);
  if (body < 0 || !model->poses) return;
  SceneShape turn = shape_at(DRAW_TURN, scene->signals.n, 1);
  scene_point(scene, model->poses[3 * body], model->poses[3 * body + 1], 0);
  turn.angle = scene_signal(scene, torque->force[0]);
  scene_add(scene, turn);
}

void scene_add_applied(Scene *scene) {
  const Model *model = scene->result->model, *written = model->origin ? model->origin : model;
  uint32_t n = 0;
  if (scene->is_spatial || scene->is_guessed || scene->shapes.n == 0 || has_own_arrows(scene))
    return;
  for (uint32_t i = 0; i < written->point_forces.n && n < MOST_APPLIED; i++) {
    const PointForce *own = &written->point_forces.at[i], *force = NULL;
    for (uint32_t k = 0; k < model->point_forces.n && !force; k++)
      if (model->point_forces.at[k].n == own->n &&
          is_same_span(&model->point_forces.at[k].span, &own->span))
        force = &model->point_forces.at[k];
    if (!force || is_of_part(written, own) || !is_given(scene, own->force, own->n)) continue;
    if (own->n == 2) add_force(scene, force), n++;
    if (own->n == 1 && model->origin) add_torque(scene, own, force), n++;
  }
}

const char *applied_name(const Scene *scene, const SceneShape *force) {
  const Model *model = scene->result->model;
  const Expr parts[] = {scene->signals.at[force->size_a].value,
                        scene->signals.at[force->size_b].value};
  Expr found = 0;
  const char *name = NULL;
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    bool is_force =
        p->measure.is_known && dimension_is_equal(p->measure.dimension, dimension_base(1, 1, -2));
    bool is_in = expr_depends(scene->cx, parts[0], p->symbol) ||
                 expr_depends(scene->cx, parts[1], p->symbol);
    if (!is_force || !is_in) continue;
    if (found) return NULL; // a sum of several
    found = p->symbol, name = symbol_text(scene->cx, p->name);
  }
  return name;
}
