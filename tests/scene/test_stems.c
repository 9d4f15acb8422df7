// Springs keep out of the parts that they hold: their coils begin where the way leaves the part.
// And outlines of bodies told by their joints do not cross themselves.
#include "scene/stems.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "scene/poses.h"
#include "support/check.h"
#include "support/recordings.h"

#define STEPS 4000 // at which the way is looked at

static double random_between(double low, double high) {
  return low + (high - low) * rand() / RAND_MAX;
}

// By its definition: points of the turned frame.
static bool is_inside(const SceneShape *part, const double *pose, double x, double y) {
  x -= pose[part->points], y -= pose[part->points + 1];
  if (part->shape == DRAW_DISC) return hypot(x, y) < pose[part->radius];
  double turn = pose[part->angle];
  return fabs(x * cos(turn) + y * sin(turn)) < 0.5 * pose[part->size_a] &&
         fabs(y * cos(turn) - x * sin(turn)) < 0.5 * pose[part->size_b];
}

// How far the first stretch within the part goes, from one end.
static double way_within(const SceneShape *part, const double *pose, const double *from,
                         const double *to) {
  int i = 0;
  while (i <= STEPS && is_inside(part, pose, from[0] + (to[0] - from[0]) * i / STEPS,
                                 from[1] + (to[1] - from[1]) * i / STEPS))
    i++;
  return (double)i / STEPS;
}

TEST(stems_end_where_parts_end) {
  unsigned seed = (unsigned)time(NULL);
  print_message("seed %u\n", seed);
  srand(seed);
  uint32_t with_stems = 0;
  for (int round = 0; round < 2000; round++) {
    SceneShape spring = shape_at(DRAW_SPRING, 0, 2), parts[2];
    double pose[20] = {0};
    for (int i = 0; i < 2; i++) {
      pose[3 * i] = random_between(-1, 1), pose[3 * i + 1] = random_between(-1, 1);
      parts[i] = shape_at(rand() % 2 ? DRAW_DISC : DRAW_BOX, 6 + 3 * i, 1);
      pose[6 + 3 * i] = pose[3 * i] + random_between(-0.3, 0.3);
      pose[7 + 3 * i] = pose[3 * i + 1] + random_between(-0.3, 0.3);
      parts[i].radius = 12 + i, parts[i].angle = 14 + i;
      parts[i].size_a = 16 + 2 * i, parts[i].size_b = 17 + 2 * i;
      pose[12 + i] = random_between(0.1, 0.6), pose[14 + i] = random_between(-4, 4);
      pose[16 + 2 * i] = random_between(0.2, 0.9), pose[17 + 2 * i] = random_between(0.2, 0.9);
      if (parts[i].shape == DRAW_BOX) parts[i].radius = NO_SIGNAL;
    }
    Scene scene = {.cx = cx, .arena = &cx->keep};
    for (int i = 0; i < 2; i++) scene_add(&scene, parts[i]);
    double found[2], expected[2] = {0};
    stems_of(&scene, pose, &spring, found);
    for (int i = 0; i < 2; i++)
      for (int k = 0; k < 2; k++)
        expected[i] =
            fmax(expected[i], way_within(&parts[k], pose, pose + 3 * i, pose + 3 - 3 * i));
    if (fabs(expected[0] + expected[1] - 0.75) < 0.01) continue; // about to be left out
    bool is_short = expected[0] + expected[1] > 0.75;
    for (int i = 0; i < 2; i++)
      assert_true(fabs(found[i] - (is_short ? 0 : expected[i])) < 2.0 / STEPS);
    with_stems += found[0] > 0;
  }
  assert_true(with_stems > 100);
}

// ---- Outlines

static double side_of(const double *a, const double *b, const double *p) {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

static bool do_cross(const double *a, const double *b, const double *c, const double *d) {
  return side_of(a, b, c) * side_of(a, b, d) < 0 && side_of(c, d, a) * side_of(c, d, b) < 0;
}

// Its corners are told in the order of the statements, which is a bow tie.
static Result *tub(Context *cx) {
  return recording_of_run(
      cx, "tub.qdot",
      "gravity (0, -9.81 [m/s^2])\n"
      "body tub: mass 10 [kg], inertia 1 [kg*m^2], at = (0, 0), angle = 10 [deg]\n"
      "spring a: ground (-1 [m], -1 [m]), tub (-0.5 [m], -0.3 [m]), stiffness 1000 [N/m]\n"
      "spring b: ground (1 [m], 1 [m]), tub (0.5 [m], 0.3 [m]), stiffness 1000 [N/m]\n"
      "spring c: ground (1 [m], -1 [m]), tub (0.5 [m], -0.3 [m]), stiffness 1000 [N/m]\n"
      "spring d: ground (-1 [m], 1 [m]), tub (-0.5 [m], 0.3 [m]), stiffness 1000 [N/m]\n"
      "simulate to 1 [s]\n",
      0.2);
}

TEST(outlines_do_not_cross_themselves) {
  Result *result = tub(cx);
  Scene scene = scene_from_result(cx, &cx->keep, result);
  Poses poses = poses_of_rows(&scene, &cx->keep, 50);
  uint32_t found = 0;
  for (uint32_t i = 0; i < scene.shapes.n; i++) {
    const SceneShape *s = &scene.shapes.at[i];
    if (s->shape != DRAW_POLYGON) continue;
    uint32_t n = s->point_count;
    assert_int_equal(n, 4);
    found++;
    for (uint32_t p = 0; p < poses.count; p++) {
      const double *at = pose_at(&poses, p) + s->points;
      for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < a; b++)
          assert_false(
              do_cross(at + 3 * a, at + 3 * ((a + 1) % n), at + 3 * b, at + 3 * ((b + 1) % n)));
    }
  }
  assert_int_equal(found, 1);
}

// A support stands above the spring that hangs from it and below the one that stands on it.
TEST(supports_are_on_the_far_side) {
  Result *result = tub(cx);
  Scene scene = scene_from_result(cx, &cx->keep, result);
  Poses poses = poses_of_rows(&scene, &cx->keep, 50);
  scene_settle(&scene, &poses);
  uint32_t hanging = 0, standing = 0;
  for (uint32_t i = 0; i < scene.shapes.n; i++) {
    const SceneShape *s = &scene.shapes.at[i];
    if (s->shape != DRAW_GROUND) continue;
    assert_int_equal(s->hangs, pose_at(&poses, 0)[s->points + 1] > 0);
    *(s->hangs ? &hanging : &standing) += 1;
  }
  assert_int_equal(hanging, 2);
  assert_int_equal(standing, 2);
}

RUN_TESTS(cmocka_unit_test(supports_are_on_the_far_side),
          cmocka_unit_test(stems_end_where_parts_end),
          cmocka_unit_test(outlines_do_not_cross_themselves))
