// Where labels stand over whole motions: within the drawing, apart from each other, on nothing that
// is drawn; arcs as wide as their angles, arrows as long as what they name.
#include <math.h>
#include <string.h>

#include "expr/value/eval.h"
#include "model/values.h"
#include "scene/scene_draw.h"
#include "support/check.h"
#include "support/examples.h"
#include "support/recordings.h"

typedef struct Picture {
  Context *cx;
  Scene scene;
  Poses poses;
  SceneLabels labels;
  Canvas *canvas;
} Picture;

static Picture picture_of(Context *cx, const Result *result, double end) {
  Picture p = {.cx = cx, .scene = scene_from_result(cx, &cx->keep, result)};
  uint32_t first = scene_add_coordinates(&p.scene);
  p.poses = poses_read(&p.scene, &cx->keep, 0, end, end / 100, 101);
  scene_settle(&p.scene, &p.poses);
  p.labels = scene_labels(&p.scene, &p.poses, first);
  assert_int_equal(canvas_open(cx, CANVAS_PIXELS, NULL, 10, 10, &p.canvas), QDOT_OK);
  return p;
}

static uint32_t shown_labels, all_labels;

static void check_boxes(const PlacedLabels *placed, const View *view) {
  for (uint32_t i = 0; i < placed->n; i++) {
    const PlacedLabel *a = &placed->at[i];
    all_labels++;
    if (!a->is_shown) continue;
    const LabelBox *box = &a->symbol;
    double x = box->centre.x, y = box->centre.y, w = box->half_width, h = box->half_height;
    if (!(x - w >= 0 && x + w <= view->width && y - h >= 0 && y + h <= view->height))
      fail_msg("'%s' is outside: %g, %g", a->label->name, x, y);
    for (uint32_t k = 0; k < i; k++) {
      const PlacedLabel *b = &placed->at[k];
      bool overlap = fabs(b->symbol.centre.x - x) < b->symbol.half_width + w &&
                     fabs(b->symbol.centre.y - y) < b->symbol.half_height + h;
      if (b->is_shown && overlap) fail_msg("'%s' covers '%s'", a->label->name, b->label->name);
    }
    shown_labels++;
  }
}

static double luminance(uint32_t pixel) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    double c = (pixel >> (16 - 8 * i) & 255) / 255.0;
    c = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
    sum += c * (const double[]){0.2126, 0.7152, 0.0722}[i];
  }
  return sum;
}

// The mechanism alone, drawn: where symbols will stand are paper, paths and the light insides of
// plates.
static void check_pixels(const Picture *p, const View *view, uint32_t number,
                         const PlacedLabels *placed) {
  const double dark = 0.33;
  Canvas *canvas;
  assert_int_equal(canvas_open(p->cx, CANVAS_PIXELS, NULL, view->width, view->height, &canvas),
                   QDOT_OK);
  scene_draw(canvas, &p->scene, view, &p->poses, number, &(SceneStyle){.decimal_sign = '.'});
  const uint32_t *pixels = canvas_pixels(canvas);
  for (uint32_t i = 0; i < placed->n; i++) {
    const PlacedLabel *label = &placed->at[i];
    const LabelBox *box = &label->symbol;
    uint32_t covered = 0;
    for (double y = ceil(box->centre.y - box->half_height); y < box->centre.y + box->half_height;
         y++)
      for (double x = ceil(box->centre.x - box->half_width); x < box->centre.x + box->half_width;
           x++)
        if (label->is_shown)
          covered += luminance(pixels[(size_t)y * view->width + (size_t)x]) < dark;
    if (covered > 0)
      fail_msg("'%s' covers %u dark pixels at %g, %g in pose %u", label->label->name, covered,
               box->centre.x, box->centre.y, number);
  }
  canvas_close(p->cx, canvas);
}

// The arc begins at its zero and ends at the arm; it sweeps the coordinate's value, and its arrow
// goes in the positive direction, to the arm where that is far enough.
static void check_angle(const PlacedLabel *p, const double *pose) {
  const double *from = pose + p->label->from, *to = pose + p->label->to;
  double arm = atan2(to[1] - from[1], to[0] - from[0]);
  double off = remainder(p->zero + p->sweep - arm, 2 * M_PI);
  if (!(fabs(off) <= 1e-5)) fail_msg("the arc of '%s' misses its arm by %g", p->label->name, off);
  CHECK_NEAR(remainder(fabs(p->sweep) - fabs(pose[p->label->value]), 2 * M_PI), 0, 1e-9);
  assert_true(p->label->sign * p->arrow >= fmin(24 / p->radius, 1.5));
  if (p->label->sign * p->sweep > M_PI / 2) CHECK_NEAR(p->arrow, p->sweep, 0);
}

static double value_of(const Picture *p, const char *name, const double *pose) {
  const Model *model = p->scene.result->model;
  const NameEntry *entry = model_find_text(model, name);
  assert_non_null(entry);
  if (entry->kind == NAME_COORDINATE)
    return pose[p->scene.signals.n - model->coordinates.n + entry->number];
  double *values;
  assert_int_equal(model_values(p->cx, model, &p->cx->keep, &values), QDOT_OK);
  return values[symbol_variable(p->cx, model->parameters.at[entry->number].symbol)];
}

// From 0 to the value, beside both; the arrow goes in the positive direction, whatever the value.
static void check_position(const PlacedLabel *p, double value) {
  double to[] = {p->to.x - p->from.x, p->from.y - p->to.y};
  double feet[] = {p->feet[1].x - p->feet[0].x, p->feet[0].y - p->feet[1].y};
  int along = p->label->axis, across = 1 - along;
  CHECK_NEAR(to[across], 0, 1e-9);
  CHECK_NEAR(feet[across], 0, 1e-9);
  CHECK_NEAR(feet[along], value, 1e-5 * fabs(value) + 1e-6);
  CHECK_NEAR(to[along], fmax(feet[along], 24), 1e-9 * fabs(value) + 1e-9);
}

// The arrow is as long as what it names, beside the points whose distance it is.
static void check_length(const Picture *picture, const View *view, const PlacedLabel *p,
                         const double *pose) {
  double wide = p->to.x - p->from.x, high = p->to.y - p->from.y, length = hypot(wide, high);
  double value = value_of(picture, p->label->name, pose), wanted = view->scale * fabs(value);
  if (p->label->kind == LABEL_POSITION) {
    check_position(p, view->scale * value);
    return;
  }
  if (!(fabs(length - wanted) <= 1e-5 * wanted + 1e-6))
    fail_msg("'%s' is %g pixels long instead of %g", p->label->name, length, wanted);
  if (p->label->kind == LABEL_RADIUS) return;
  Place2 feet[] = {view_pixel(view, pose + p->label->from), view_pixel(view, pose + p->label->to)};
  for (int i = 0; i < 2; i++) {
    Place2 end = i ? p->to : p->from;
    CHECK_NEAR((end.x - feet[i].x) * wide + (end.y - feet[i].y) * high, 0, 1e-6 * length);
    assert_true(p->label->is_dimension || hypot(end.x - feet[i].x, end.y - feet[i].y) == 0);
  }
}

static void check_pose(const Picture *p, const View *fixed, uint32_t number) {
  const double *pose = pose_at(&p->poses, number);
  View view = view_at(fixed, &p->scene, pose);
  PlacedLabels placed = labels_layout(p->canvas, &p->cx->keep, &p->scene, &view, &p->labels, pose);
  check_boxes(&placed, &view);
  check_pixels(p, &view, number, &placed);
  for (uint32_t i = 0; i < placed.n; i++) {
    const PlacedLabel *label = &placed.at[i];
    if (!label->is_shown) continue;
    if (label->label->kind == LABEL_ANGLE) check_angle(label, pose);
    if (label->label->kind == LABEL_LENGTH || label->label->kind == LABEL_POSITION ||
        label->label->kind == LABEL_RADIUS)
      check_length(p, &view, label, pose);
  }
}

static void check_picture(Picture *p, uint32_t width) {
  if (p->labels.n > 0) {
    uint32_t best = labels_best_pose(&p->scene, &p->labels, &p->poses);
    View alone = labels_view(&p->scene, &p->poses, &p->labels, best, width);
    Poses one = p->poses;
    one.values += (size_t)one.width * best, one.count = 1;
    labels_place(&p->scene, &alone, &one, &p->labels);
    check_pose(p, &alone, best);
    View whole = view_of_motion(&p->scene, &p->poses, width);
    labels_place(&p->scene, &whole, &p->poses, &p->labels);
    for (uint32_t i = 0; i < p->poses.count; i += 20) check_pose(p, &whole, i);
  }
  canvas_close(p->cx, p->canvas);
}

static void check_example(Context *cx, const char *path) {
  Result *result = recording_of_run(cx, path, example_text(cx, path), 2);
  Picture p = picture_of(cx, result, 2);
  check_picture(&p, 560);
}

TEST(labels_of_examples_stand_apart) {
  shown_labels = all_labels = 0;
  with_every_example(check_example);
  assert_true(all_labels > 1500 && shown_labels >= 0.98 * all_labels);
}

// Chains of links of all lengths in narrow pictures: where there is no room, less is named.
TEST(labels_of_crowds_stand_apart) {
  Random random = random_start("crowds");
  shown_labels = 0;
  for (int round = 0; round < 12; round++) {
    int n = 2 + random_below(&random, 9);
    Text text = text_new(&cx->keep), line = text_new(&cx->keep);
    text_add(&line, "draw line (0, 0)");
    for (int i = 1; i <= n; i++) {
      text_addf(&text, "param L_%d = %.3g [m], m_%d = 1 [kg]\ncoord theta_%d = 0.3\n", i,
                random_real(&random, 0.1, 2), i, i);
      text_addf(&text, "let r_%d = %s(L_%d*sin(theta_%d), -L_%d*cos(theta_%d))\n", i,
                i > 1 ? text_format(&cx->keep, "r_%d + ", i - 1) : "", i, i, i, i);
      text_addf(&text, "kinetic = 1/2*m_%d*dot(r_%d', r_%d')\n", i, i, i);
      text_addf(&line, " r_%d", i);
    }
    text_addf(&text, "%s\n", line.at);
    Result *result = recording_of_motion(cx, text.at, motion_of_sines, 101, 0.01);
    Picture p = picture_of(cx, result, 1);
    assert_true(p.labels.n >= 3 * (uint32_t)n);
    check_picture(&p, 200 + 40 * (uint32_t)random_below(&random, 10));
  }
  assert_true(shown_labels > 500);
}

RUN_TESTS(cmocka_unit_test(labels_of_examples_stand_apart),
          cmocka_unit_test(labels_of_crowds_stand_apart))
