// Scenes from draw lines.
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>

#include "expr/build.h"

uint32_t scene_signal(Scene *scene, Expr value) {
  vec_push(scene->arena, &scene->signals, signal_from_expr(value));
  return scene->signals.n - 1;
}

uint32_t scene_point(Scene *scene, Expr x, Expr y, Expr z) {
  uint32_t first = scene_signal(scene, x);
  scene_signal(scene, y);
  scene_signal(scene, z ? z : expr_int(scene->cx, 0));
  return first;
}

SceneShape shape_at(DrawShape shape, uint32_t points, uint32_t count) {
  return (SceneShape){.shape = shape,
                      .point_count = count,
                      .points = points,
                      .radius = NO_SIGNAL,
                      .width = NO_SIGNAL,
                      .angle = NO_SIGNAL,
                      .size_a = NO_SIGNAL,
                      .size_b = NO_SIGNAL,
                      .partner = NO_PARTNER};
}

void scene_add(Scene *scene, SceneShape shape) { vec_push(scene->arena, &scene->shapes, shape); }

static bool is_same_point(const Scene *scene, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < 3; i++)
    if (scene->signals.at[a + i].value != scene->signals.at[b + i].value) return false;
  return true;
}

void scene_add_hinge(Scene *scene, uint32_t point) {
  for (uint32_t i = 0; i < scene->hinges.n; i++)
    if (is_same_point(scene, scene->hinges.at[i], point)) return;
  vec_push(scene->arena, &scene->hinges, point);
}

void track_end(const SceneShape *track, const double *pose, int end, double out[3]) {
  const double *p = pose + track->points;
  double along = end ? track->high : track->low;
  for (int i = 0; i < 3; i++) out[i] = p[i] + along * (p[3 + i] - p[i]);
}

void face_foot(const SceneShape *face, const double *pose, int end, double out[3]) {
  const double *p = pose + face->points + 9;
  double at[3], along = 0;
  track_end(face, pose, end, at);
  for (int i = 0; i < 3; i++) along += (at[i] - p[i]) * (p[3 + i] - p[i]);
  for (int i = 0; i < 3; i++) out[i] = p[i] + along * (p[3 + i] - p[i]);
}

static uint32_t optional_signal(Scene *scene, Expr value) {
  return value ? scene_signal(scene, value) : NO_SIGNAL;
}

static void add_request(Scene *scene, const DrawRequest *draw) {
  uint32_t first = scene->signals.n;
  for (uint32_t i = 0; i < draw->point_count; i++)
    scene_point(scene, draw->points[i][0], draw->points[i][1],
                draw->dimensions == 3 ? draw->points[i][2] : 0);
  SceneShape shape = shape_at(draw->shape, first, draw->point_count);
  shape.radius = optional_signal(scene, draw->radius);
  shape.width = optional_signal(scene, draw->width);
  shape.angle = optional_signal(scene, draw->angle);
  shape.size_a = optional_signal(scene, draw->size[0]);
  shape.size_b = optional_signal(scene, draw->size[1]);
  shape.text = draw->text;
  shape.group = draw->body ? draw->body - 1 : scene->shapes.n;
  shape.body = draw->body;
  if (draw->part) shape.part = symbol_text(scene->cx, draw->part);
  if (!draw->part && draw->span.source == scene->result->model->source) shape.line = draw->span;
  shape.track = draw->track, shape.rider = draw->rider, shape.beside = draw->beside;
  if (draw->shape == DRAW_TRACK) shape.point_count = 0;
  // what joins bodies and is none: a rope, a distance
  if (draw->part && !draw->body && draw->shape == DRAW_LINE)
    shape.has_colour = true, shape.colour = (Colour){90, 96, 104};
  if (draw->colour) {
    shape.has_colour = colour_from_name(draw->colour, &shape.colour);
    if (!shape.has_colour) {
      diag_warning(scene->cx, draw->span, "unknown colour '%s'", draw->colour);
      diag_note(scene->cx, "write a name or a code, for example \"red\" or \"#c82820\"");
    }
  }
  scene->is_spatial = scene->is_spatial || draw->dimensions == 3;
  scene_add(scene, shape);
}

// ---- Outlines of bodies whose points are told by their joints, in no order

typedef struct Corner {
  Expr at[3];
  double angle;
} Corner;

static int by_angle(const void *a, const void *b) {
  const Corner *x = a, *y = b;
  return (x->angle > y->angle) - (x->angle < y->angle);
}

// Around their middle, as they stand in a row.
static void order_outline(Scene *scene, const SceneShape *shape, const double *values) {
  Context *cx = scene->cx;
  uint32_t n = shape->point_count;
  Mark mark = arena_mark(&cx->scratch);
  Corner *corners = arena_array(&cx->scratch, Corner, n);
  double x = 0, y = 0;
  Signal *signals = scene->signals.at + shape->points;
  const double *p = values + shape->points;
  for (uint32_t i = 0; i < n; i++) x += p[3 * i] / n, y += p[3 * i + 1] / n;
  for (uint32_t i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) corners[i].at[k] = signals[3 * i + (uint32_t)k].value;
    corners[i].angle = atan2(p[3 * i + 1] - y, p[3 * i] - x);
  }
  qsort(corners, n, sizeof *corners, by_angle);
  for (uint32_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) signals[3 * i + (uint32_t)k] = signal_from_expr(corners[i].at[k]);
  arena_release(&cx->scratch, mark);
}

static bool has_open_order(const SceneShape *shape) {
  return shape->shape == DRAW_POLYGON && shape->part && shape->body && shape->point_count > 3;
}

static void order_outlines(Scene *scene) {
  const RowSource *rows = &scene->result->motion;
  bool any = false;
  for (uint32_t i = 0; i < scene->shapes.n; i++) any = any || has_open_order(&scene->shapes.at[i]);
  if (!any || !rows->next) return;
  rows->rewind(rows->user);
  const double *row = rows->next(rows->user);
  if (!row) return;
  Sampler sampler;
  double *values = arena_array(scene->arena, double, scene->signals.n);
  sampler_open(&sampler, scene->cx, scene->result, scene->signals.at, scene->signals.n);
  sampler_read(&sampler, row, values);
  sampler_close(&sampler);
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    if (has_open_order(&scene->shapes.at[i])) order_outline(scene, &scene->shapes.at[i], values);
}

Scene scene_from_result(Context *cx, Arena *arena, const Result *result) {
  Scene scene = {.cx = cx, .arena = arena, .result = result, .unit = "m"};
  const Requests *requests = &result->model->requests;
  for (uint32_t i = 0; i < requests->draws.n; i++) add_request(&scene, &requests->draws.at[i]);
  if (scene.shapes.n == 0) scene_guess(&scene);
  order_outlines(&scene);
  scene_add_applied(&scene);
  return scene;
}
