// Faces of bodies: what slides or rolls along a line of a body sees the wedge below it.
#include <math.h>

#include "scene/poses.h"
#include "support/check.h"
#include "support/recordings.h"

typedef struct Staged {
  Scene scene;
  Poses poses;
} Staged;

static Staged staged(Context *cx, const char *text) {
  Result *result = recording_of_motion(cx, text, motion_of_sines, 101, 0.01);
  Staged s = {.scene = scene_from_result(cx, &cx->keep, result)};
  s.poses = poses_read(&s.scene, &cx->keep, 0, 1, 0.05, 100);
  scene_settle(&s.scene, &s.poses);
  return s;
}

static const SceneShape *find_track(const Staged *s, TrackStyle style, uint32_t *count) {
  const SceneShape *found = NULL;
  *count = 0;
  for (uint32_t i = 0; i < s->scene.shapes.n; i++) {
    const SceneShape *shape = &s->scene.shapes.at[i];
    if (shape->shape != DRAW_TRACK || shape->is_hidden || shape->track != style) continue;
    found = shape, ++*count;
  }
  return found;
}

static bool has_box_of(const Staged *s, uint32_t body) {
  for (uint32_t i = 0; i < s->scene.shapes.n; i++)
    if (s->scene.shapes.at[i].shape == DRAW_BOX && s->scene.shapes.at[i].body == body) return true;
  return false;
}

static double along(const SceneShape *track, const double *pose, const double *point) {
  const double *p = pose + track->points;
  return (point[0] - p[0]) * (p[3] - p[0]) + (point[1] - p[1]) * (p[4] - p[1]);
}

// The line has the slope, every follower is on it, feet stand on the floor, on which a rail lies.
static void check_wedge(const Staged *s, double slope, double floor) {
  uint32_t faces, rails;
  const SceneShape *face = find_track(s, TRACK_FACE, &faces);
  const SceneShape *rail = find_track(s, TRACK_RAIL, &rails);
  assert_int_equal(faces, 1);
  assert_int_equal(rails, 1);
  assert_false(has_box_of(s, face->body));
  for (uint32_t i = 0; i < s->poses.count; i++) {
    const double *pose = pose_at(&s->poses, i), *p = pose + face->points;
    CHECK_NEAR(atan2(p[4] - p[1], p[3] - p[0]), slope, 1e-9);
    for (int end = 0; end < 2; end++) {
      double at[3], foot[3];
      track_end(face, pose, end, at);
      face_foot(face, pose, end, foot);
      CHECK_NEAR(foot[0], at[0], 1e-9);
      CHECK_NEAR(foot[1], floor, 1e-9);
      assert_true(at[1] >= floor - 1e-9);
      double place = along(rail, pose, foot);
      assert_true(place >= rail->low - 1e-9 && place <= rail->high + 1e-9);
    }
  }
}

// High above its floor, so that it has no tip within the motion.
TEST(wedges_stand_on_what_they_slide_on) {
  static const char two_corners[] =
      "contact c: block (0, -0.1 [m]), line wedge (0, h), axis a\n"
      "contact d: block (0.1 [m], -0.1 [m]), line wedge (0, h), axis a\n";
  static const char *const riders[] = {
      two_corners, "joint c: rolling wedge (0, h), block (0, 0), radius 0.1 [m], axis a\n",
      "joint c: slot wedge (0, h), block (0, -0.1 [m]), axis a\n",
      "joint c: prismatic wedge (0, h), block (0, 0), axis a\n"};
  static const char *const shapes[] = {"", "point, ", "plate (1.2 [m], 0.3 [m]), "};
  Random random = random_start("wedges");
  for (int round = 0; round < 24; round++) {
    int shape = random_below(&random, 3);
    double slope = random_real(&random, 0.1, 0.9) * (random_below(&random, 2) ? 1 : -1);
    const char *text = text_format(&cx->keep,
                                   "param a = %.9g [rad], h = 9 [m]\nbody wedge: %smass 1 [kg]%s\n"
                                   "joint floor: prismatic ground (0, 0.5 [m]), wedge (0, 0)\n"
                                   "body block: plate (0.2 [m], 0.2 [m]), mass 1 [kg]\n%s",
                                   slope, shapes[shape], shape == 0 ? ", inertia 1 [kg*m^2]" : "",
                                   riders[round % 4]);
    Staged s = staged(cx, text);
    check_wedge(&s, slope, shape == 2 ? 0.35 : 0.5);
  }
}

// Two contacts with one line make one face, which all corners reach.
TEST(faces_reach_as_far_as_what_slides_on_them) {
  Staged s = staged(cx, "param a = 0.3 [rad]\nbody wedge: mass 1 [kg], inertia 1 [kg*m^2]\n"
                        "joint floor: prismatic ground (0, 0), wedge (0, 0)\n"
                        "body block: plate (0.4 [m], 0.2 [m]), mass 1 [kg], at = (3 [m], 1 [m])\n"
                        "contact c: block (-0.2 [m], -0.1 [m]), line wedge (0, 9 [m]), axis a\n"
                        "contact d: block (0.2 [m], -0.1 [m]), line wedge (0, 9 [m]), axis a\n");
  uint32_t n;
  const SceneShape *face = find_track(&s, TRACK_FACE, &n);
  assert_int_equal(n, 1);
  for (uint32_t i = 0; i < s.poses.count; i++)
    for (uint32_t k = 0; k < s.scene.shapes.n; k++) {
      const SceneShape *box = &s.scene.shapes.at[k];
      if (box->shape != DRAW_BOX) continue;
      const double *pose = pose_at(&s.poses, i);
      double place = along(face, pose, pose + box->points);
      assert_true(place > face->low && place < face->high);
    }
}

// It is longer only where what slides on it goes beyond.
TEST(faces_of_plates_end_where_the_plate_ends) {
  for (int width = 1; width <= 20; width += 19) {
    Staged s = staged(
        cx, text_format(&cx->keep,
                        "param a = 0.3 [rad]\nbody wedge: plate (%d [m], 0.2 [m]), mass 1 [kg]\n"
                        "joint floor: prismatic ground (0, 0), wedge (0, 0)\n"
                        "body pin: mass 1 [kg], point\n"
                        "joint c: prismatic wedge (0, 5 [m]), pin (0, 0), axis a\n",
                        width));
    uint32_t n;
    const SceneShape *face = find_track(&s, TRACK_FACE, &n);
    const double *pose = pose_at(&s.poses, 0);
    double from[3], to[3], slide = pose[face->points], half = 0.5 * width;
    track_end(face, pose, 0, from), track_end(face, pose, 1, to);
    assert_true(from[0] <= slide - half + 1e-9 && to[0] >= slide + half - 1e-9);
    if (width == 20) CHECK_NEAR(to[0] - from[0], 20, 1e-9);
  }
}

// A face that crosses the floor ends there; one that lies below it is a line and no solid.
TEST(wedges_have_a_tip) {
  static const struct {
    const char *place;
    bool is_solid;
  } rows[] = {{"(1 [m], 0.1 [m])", true}, {"(-1 [m], -1 [m])", false}};
  for (int i = 0; i < 2; i++) {
    Staged s = staged(cx, text_format(&cx->keep,
                                      "body wedge: mass 1 [kg], inertia 1 [kg*m^2]\n"
                                      "joint floor: prismatic ground (0, 0), wedge (0, 0)\n"
                                      "body block: disc 0.2 [m], mass 1 [kg]\n"
                                      "joint c: prismatic wedge %s, block (0, 0), axis 30 [deg]\n",
                                      rows[i].place));
    uint32_t faces, lines;
    const SceneShape *face = find_track(&s, TRACK_FACE, &faces);
    find_track(&s, TRACK_MOVING, &lines);
    assert_int_equal(faces, rows[i].is_solid);
    assert_int_equal(lines, !rows[i].is_solid);
    if (face) check_wedge(&s, M_PI / 6, 0);
  }
}

// An edge of a plate is drawn by the plate, a beam on a pin by a line.
TEST(what_is_no_wedge_is_none) {
  uint32_t n;
  Staged s = staged(cx, "body desk: plate (2 [m], 0.2 [m]), mass 1 [kg]\n"
                        "joint floor: prismatic ground (0, 0), desk (0, 0)\n"
                        "body box: plate (0.2 [m], 0.2 [m]), mass 1 [kg]\n"
                        "contact c: box (0, -0.1 [m]), line desk (0, 0.1 [m])\n");
  find_track(&s, TRACK_FACE, &n);
  assert_int_equal(n, 0);
  find_track(&s, TRACK_MOVING, &n);
  assert_int_equal(n, 0);
  assert_true(has_box_of(&s, 1));
  s = staged(cx, "body beam: mass 1 [kg], inertia 1 [kg*m^2]\n"
                 "joint A: revolute ground (0, 0), beam (0, 0)\n"
                 "body ball: disc 0.2 [m], mass 1 [kg]\n"
                 "joint c: rolling beam (0, 0), ball (0, 0), radius 0.2 [m]\n");
  find_track(&s, TRACK_MOVING, &n);
  assert_int_equal(n, 1);
}

RUN_TESTS(cmocka_unit_test(wedges_stand_on_what_they_slide_on),
          cmocka_unit_test(faces_reach_as_far_as_what_slides_on_them),
          cmocka_unit_test(faces_of_plates_end_where_the_plate_ends),
          cmocka_unit_test(wedges_have_a_tip), cmocka_unit_test(what_is_no_wedge_is_none))
