// Teeth on the page are those of the pictures: both draw the same random gears and racks.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scene/poses.h"
#include "scene/shapes.h"
#include "scene/teeth.h"
#include "support/check.h"
#include "support/recordings.h"

static double ratio_of_motion;

static void motion_of_gears(double t, uint32_t i, double out[3]) {
  double rate = i == 0 ? 2 : 2 * ratio_of_motion;
  out[0] = rate * t, out[1] = rate, out[2] = 0;
}

static void add_shape(const SceneShape *s, Text *out) {
  text_addf(out, "{\"shape\": \"%s\", \"points\": %u, \"teeth\": %u, \"train\": %u",
            s->shape == DRAW_TRACK  ? "track"
            : s->shape == DRAW_POST ? "post"
                                    : "disc",
            s->points, s->teeth, s->train);
  text_addf(out, ", \"pitch\": %.17g, \"ahead\": %.17g", s->pitch, s->ahead);
  if (s->is_ring) text_add(out, ", \"is_ring\": true");
  if (s->radius != NO_SIGNAL) text_addf(out, ", \"radius\": %u", s->radius);
  if (s->angle != NO_SIGNAL) text_addf(out, ", \"angle\": %u", s->angle);
  if (s->partner != NO_PARTNER) text_addf(out, ", \"partner\": %u", s->partner);
  text_add(out, "}");
}

static void add_wheel(const Scene *scene, const Poses *poses, uint32_t shape, uint32_t pose,
                      Text *out) {
  static Place2 points[MOST_TEETH_POINTS];
  Teeth teeth = {scene->shapes.at[shape].teeth, 100,
                 teeth_phase(scene, pose_at(poses, pose), shape)};
  size_t n = teeth_outline(&teeth, (Place2){7, 9}, 1.25, 1, points);
  text_addf(out, "{\"shape\": %u, \"pose\": %u, \"teeth\": %u, \"phase\": %.17g", shape, pose,
            teeth.n, teeth.phase);
  text_add(out, ", \"outline\": [");
  for (size_t i = 0; i < n; i++)
    text_addf(out, "%s[%.17g, %.17g]", i ? ", " : "", points[i].x, points[i].y);
  text_add(out, "]}");
}

static void add_scene(Context *cx, const char *text, Text *out) {
  Result *result = recording_of_motion(cx, text, motion_of_gears, 101, 0.01);
  Scene scene = scene_from_result(cx, &cx->keep, result);
  Poses poses = poses_read(&scene, &cx->keep, 0, 1, 0.25, 5);
  scene_settle(&scene, &poses);
  text_add(out, "{\"shapes\": [");
  for (uint32_t i = 0; i < scene.shapes.n; i++) {
    if (i) text_add(out, ", ");
    add_shape(&scene.shapes.at[i], out);
  }
  text_add(out, "],\n\"poses\": [");
  for (uint32_t i = 0; i < poses.count; i++) {
    text_add(out, i ? ", [" : "[");
    for (uint32_t k = 0; k < poses.width; k++)
      text_addf(out, "%s%.17g", k ? ", " : "", pose_at(&poses, i)[k]);
    text_add(out, "]");
  }
  text_add(out, "],\n\"wheels\": [");
  uint32_t wheels = 0;
  for (uint32_t i = 0; i < poses.count; i += 2)
    for (uint32_t k = 0; k < scene.shapes.n; k++) {
      if (scene.shapes.at[k].teeth < 2) continue;
      if (wheels++) text_add(out, ",\n");
      add_wheel(&scene, &poses, k, i, out);
    }
  assert_true(wheels > 0);
  text_add(out, "]}");
}

#define WHEEL(name, x)                                                                             \
  "body " name ": mass 1 [kg], inertia 0.01 [kg*m^2]\n"                                            \
  "joint " name "_pin: revolute ground (" x ", 0), " name " (0, 0)\n"

static const char *random_gears(Context *cx, Random *random) {
  static const char *const kinds[] = {"gear: a, b, ratio %s%d/%d\n",
                                      "backlash g: a, b, ratio %s%d/%d, play 0.1 [deg]\n"};
  int n = 1 + random_below(random, 9), m = 1 + random_below(random, 9);
  bool inside = random_below(random, 3) == 0;
  if (inside && n == m) m++;
  ratio_of_motion = (inside ? 1.0 : -1.0) * n / m;
  const char *pair =
      text_format(&cx->keep, kinds[random_below(random, 2)], inside ? "" : "-", n, m);
  return text_format(&cx->keep, "param D = %.3g [m]\n%s%s", random_real(random, 0.1, 2),
                     WHEEL("a", "0") WHEEL("b", "D"), pair);
}

static const char *random_rack(Context *cx, Random *random) {
  ratio_of_motion = random_real(random, 0.1, 0.5);
  return text_format(&cx->keep,
                     "param r = %.3g [m]\n%sbody bar: plate (1 [m], 0.1 [m]), mass 1 [kg]\n"
                     "joint s: prismatic ground (0, r), bar (0, 0)\nrack: a, bar, radius r\n",
                     ratio_of_motion, WHEEL("a", "0"));
}

TEST(teeth_of_the_page_are_those_of_pictures) {
  if (system("command -v node >/dev/null")) skip();
  Random random = random_start("page_teeth");
  Text text = text_new(&cx->keep);
  text_add(&text, "[");
  for (int i = 0; i < 24; i++) {
    if (i) text_add(&text, ",\n");
    add_scene(cx, i % 4 ? random_gears(cx, &random) : random_rack(cx, &random), &text);
  }
  text_add(&text, "]\n");
  const char *folder = scratch_folder(cx, "page_teeth");
  const char *file = text_format(&cx->keep, "%s/cases.json", folder);
  FILE *out = fopen(file, "w");
  assert_non_null(out);
  assert_int_equal(fwrite(text.at, 1, text.n, out), text.n);
  assert_int_equal(fclose(out), 0);
  const char *root = getenv("QDOT_ROOT") ? getenv("QDOT_ROOT") : ".";
  int status = system(text_format(
      &cx->keep, "node %s/tests/scene/page_teeth.mjs %s/src/report/page %s", root, root, file));
  remove_folder(folder);
  assert_int_equal(status, 0);
}

RUN_TESTS(cmocka_unit_test(teeth_of_the_page_are_those_of_pictures))
