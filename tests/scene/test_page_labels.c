// Labels on the page stand where those of pictures do: both place the labels of all examples.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/labels.h"
#include "support/check.h"
#include "support/examples.h"
#include "support/recordings.h"

static void add_signal(Text *out, const char *name, uint32_t signal) {
  if (signal != NO_SIGNAL) text_addf(out, ", \"%s\": %u", name, signal);
}

static void add_shape(const SceneShape *s, Text *out) {
  static const char *const words[] = {
#define SHAPE(name, word, least, most, takes) [DRAW_##name] = word,
#include "model/shapes.def"
#undef SHAPE
      [DRAW_TRACK] = "track", [DRAW_POST] = "post",   [DRAW_BELT] = "belt",    [DRAW_TURN] = "turn",
      [DRAW_PUSH] = "push",   [DRAW_FORCE] = "force", [DRAW_SPIRAL] = "spiral"};
  text_addf(out, "{\"shape\": \"%s\", \"points\": %u, \"count\": %u", words[s->shape], s->points,
            s->point_count);
  add_signal(out, "radius", s->radius);
  add_signal(out, "width", s->width);
  add_signal(out, "angle", s->angle);
  add_signal(out, "size_a", s->size_a);
  add_signal(out, "size_b", s->size_b);
  if (s->beside) text_addf(out, ", \"beside\": %d", s->beside);
  if (s->text) text_addf(out, ", \"text\": \"%s\"", s->text);
  if (s->hangs) text_add(out, ", \"hangs\": true");
  if (s->teeth) text_addf(out, ", \"teeth\": %u", s->teeth);
  if (s->is_ring) text_add(out, ", \"is_ring\": true");
  static const char *const tracks[] = {[TRACK_FIXED] = "fixed",
                                       [TRACK_MOVING] = "moving",
                                       [TRACK_TOOTHED] = "toothed",
                                       [TRACK_RAIL] = "rail",
                                       [TRACK_FACE] = "face"};
  if (s->shape == DRAW_TRACK)
    text_addf(out, ", \"track\": \"%s\", \"low\": %.17g, \"high\": %.17g, \"is_beneath\": %s",
              tracks[s->track], s->low, s->high, s->is_beneath ? "true" : "false");
  text_add(out, "}");
}

static void add_label(Canvas *canvas, const SceneLabel *l, uint32_t first, Text *out) {
  static const char *const kinds[] = {
      [LABEL_ANGLE] = "angle",   [LABEL_LENGTH] = "length",     [LABEL_MASS] = "mass",
      [LABEL_SPRING] = "spring", [LABEL_POSITION] = "position", [LABEL_GRAVITY] = "gravity",
      [LABEL_RADIUS] = "radius", [LABEL_AXES] = "axes"};
  text_addf(out, "{\"kind\": \"%s\", \"name\": \"%s\", \"width\": %.17g", kinds[l->kind], l->name,
            canvas_symbol_width(canvas, SYMBOL_SIZE, l->text, l->subscript));
  add_signal(out, "from", l->from);
  add_signal(out, "to", l->to);
  add_signal(out, "base_from", l->base_from);
  add_signal(out, "base_to", l->base_to);
  if (l->kind == LABEL_RADIUS)
    add_signal(out, "radius", l->value);
  else if (l->value != NO_SIGNAL)
    text_addf(out, ", \"coordinate\": %u", l->value - first);
  text_addf(out, ", \"is_dimension\": %s, \"sign\": %d, \"axis\": %d, \"zero\": %.17g",
            l->is_dimension ? "true" : "false", l->sign, l->axis, l->zero);
  text_addf(out, ", \"way\": [%.17g, %.17g], \"aside\": %u, \"slots\": [", l->way[0], l->way[1],
            l->aside);
  for (uint32_t k = 0; k < l->slot_count; k++) text_addf(out, "%s%u", k ? ", " : "", l->slots[k]);
  text_add(out, "]}");
}

static void add_numbers(Text *out, const double *at, uint32_t n) {
  text_add(out, "[");
  for (uint32_t i = 0; i < n; i++)
    text_addf(out, isfinite(at[i]) ? "%s%.17g" : "%snull", i ? ", " : "", at[i]);
  text_add(out, "]");
}

static FILE *cases;
static bool is_first;

static void add_pose(const Scene *scene, const Poses *poses, const SceneLabels *labels,
                     uint32_t first, uint32_t number, Canvas *canvas, Text *out) {
  const double *pose = pose_at(poses, number);
  View whole = view_of_motion(scene, poses, 560), view = view_at(&whole, scene, pose);
  PlacedLabels layout = labels_layout(canvas, scene->arena, scene, &view, labels, pose);
  text_add(out, "{\"shapes\": [");
  bool any = false;
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    if (scene->shapes.at[i].is_hidden) continue;
    if (any) text_add(out, ", ");
    add_shape(&scene->shapes.at[i], out), any = true;
  }
  text_add(out, "],\n\"hinges\": [");
  for (uint32_t i = 0; i < scene->hinges.n; i++)
    text_addf(out, "%s%u", i ? ", " : "", scene->hinges.at[i]);
  text_add(out, "],\n\"labels\": [");
  for (uint32_t i = 0; i < labels->n; i++) {
    if (i) text_add(out, ", ");
    add_label(canvas, &labels->at[i], first, out);
  }
  text_addf(out, "],\n\"view\": {\"width\": %u, \"height\": %u, \"scale\": %.17g, \"rod\": %.17g",
            view.width, view.height, view.scale, view.rod);
  text_addf(out, ", \"follows\": %s", view.follows ? "true" : "false");
  text_addf(out, ", \"centre\": [%.17g, %.17g]},\n\"pose\": ", view.centre.x, view.centre.y);
  add_numbers(out, pose, first);
  text_add(out, ",\n\"q\": ");
  add_numbers(out, pose + first, poses->width - first);
  text_add(out, ",\n\"placed\": [");
  for (uint32_t i = 0; i < layout.n; i++) {
    const PlacedLabel *p = &layout.at[i];
    text_add(out, i ? ", " : "");
    if (p->is_shown)
      text_addf(out, "[%.17g, %.17g]", p->symbol.centre.x, p->symbol.centre.y);
    else
      text_add(out, "null");
  }
  text_add(out, "]}");
}

static void add_example(Context *cx, const char *path) {
  Result *result = recording_of_run(cx, path, example_text(cx, path), 0.2);
  Scene scene = scene_from_result(cx, &cx->keep, result);
  uint32_t first = scene_add_coordinates(&scene);
  Poses poses = poses_read(&scene, &cx->keep, 0, 0.2, 0.002, 101);
  scene_settle(&scene, &poses);
  SceneLabels labels = scene_labels(&scene, &poses, first);
  View view = view_of_motion(&scene, &poses, 560);
  labels_place(&scene, &view, &poses, &labels);
  Canvas *canvas;
  assert_int_equal(canvas_open(cx, CANVAS_PIXELS, NULL, 10, 10, &canvas), QDOT_OK);
  for (uint32_t i = 0; i < poses.count && labels.n > 0; i += 40) {
    Text text = text_new(&cx->keep);
    if (!is_first) text_add(&text, ",\n");
    is_first = false;
    add_pose(&scene, &poses, &labels, first, i, canvas, &text);
    assert_int_equal(fwrite(text.at, 1, text.n, cases), text.n);
  }
  canvas_close(cx, canvas);
}

TEST(labels_of_the_page_stand_where_pictures_have_them) {
  if (system("command -v node >/dev/null")) skip();
  const char *folder = scratch_folder(cx, "page_labels");
  const char *file = text_format(&cx->keep, "%s/cases.json", folder);
  const char *root = getenv("QDOT_ROOT") ? getenv("QDOT_ROOT") : ".";
  assert_non_null(cases = fopen(file, "w"));
  is_first = true;
  fputs("[", cases);
  with_every_example(add_example);
  fputs("]\n", cases);
  assert_int_equal(fclose(cases), 0);
  int status = system(text_format(
      &cx->keep, "node %s/tests/scene/page_labels.mjs %s/src/report/page %s", root, root, file));
  remove_folder(folder);
  assert_int_equal(status, 0);
}

RUN_TESTS(cmocka_unit_test(labels_of_the_page_stand_where_pictures_have_them))
