// Motions that nobody would see are drawn larger, linearly and by a round factor; others are not.
#include "scene/magnify.h"

#include <math.h>
#include <string.h>

#include "scene/view.h"
#include "support/check.h"
#include "support/recordings.h"

static double amplitude[8], offset[8], rate[8]; // of the coordinates below

static void motion_of_small_sines(double t, uint32_t i, double out[3]) {
  double w = rate[i], a = amplitude[i];
  out[0] = offset[i] + a * sin(w * t), out[1] = a * w * cos(w * t),
  out[2] = -a * w * w * sin(w * t);
}

static void set_motion(Random *random, double size) {
  for (int i = 0; i < 8; i++) {
    amplitude[i] = size * random_real(random, 0.3, 1);
    offset[i] = 0, rate[i] = random_real(random, 10, 30);
  }
}

typedef struct Staged {
  Scene scene;
  Poses poses, drawn;
  double factor;
} Staged;

static Poses copy_of(Context *cx, const Poses *poses) {
  Poses copy = *poses;
  copy.values = arena_array(&cx->keep, double, (size_t)poses->count * poses->width + 1);
  memcpy(copy.values, poses->values, (size_t)poses->count * poses->width * sizeof(double));
  return copy;
}

static Staged staged(Context *cx, const char *text) {
  Result *result = recording_of_motion(cx, text, motion_of_small_sines, 201, 0.01);
  Staged s = {.scene = scene_from_result(cx, &cx->keep, result)};
  s.poses = poses_read(&s.scene, &cx->keep, 0, 2, 0.01, 201);
  scene_settle(&s.scene, &s.poses);
  s.factor = magnify_factor(&s.scene, &s.poses);
  s.drawn = copy_of(cx, &s.poses);
  magnify_poses(&s.scene, &s.drawn, s.factor > 0 ? s.factor : 1);
  return s;
}

static bool is_round(double factor) {
  double part = factor / pow(10, floor(log10(factor) + 1e-9));
  return fabs(part - 1) < 1e-9 || fabs(part - 2) < 1e-9 || fabs(part - 5) < 1e-9;
}

// The longest way of a point between two of the poses, in parts of the drawing.
static double span_of(const Staged *s, const Poses *poses) {
  double most = 0;
  for (uint32_t i = 0; i < s->scene.shapes.n; i++) {
    const SceneShape *shape = &s->scene.shapes.at[i];
    for (uint32_t k = shape->points; k < shape->points + 3 * shape->point_count; k++) {
      double low = INFINITY, high = -INFINITY;
      for (uint32_t n = 0; n < poses->count; n++)
        low = fmin(low, pose_at(poses, n)[k]), high = fmax(high, pose_at(poses, n)[k]);
      most = fmax(most, high - low);
    }
  }
  return most / view_size(&s->scene, pose_at(&s->poses, 0));
}

static const char chain[] = "coord u_1 = 0 [m], u_2 = 0 [m], u_3 = 0 [m], u_4 = 0 [m]\n"
                            "kinetic = 1/2*(1 [kg])*(u_1'^2 + u_2'^2 + u_3'^2 + u_4'^2)\n"
                            "draw ground (0, -1 [m]), (0, 1 [m])\n"
                            "draw spring (0, 0), (1 [m] + u_1, 0)\n"
                            "draw spring (1 [m] + u_1, 0), (2 [m] + u_2, 0)\n"
                            "draw spring (2 [m] + u_2, 0), (3 [m] + u_3, u_4)\n"
                            "draw disc (1 [m] + u_1, 0) radius 0.1 [m]\n"
                            "draw disc (2 [m] + u_2, 0) radius 0.1 [m]\n"
                            "draw box (3 [m] + u_3, u_4) size (0.2 [m], 0.1 [m])\n"
                            "draw trail (3 [m] + u_3, u_4)\n";

// Every place goes `factor` times as far from where another pose has it.
static void check_is_linear(const Staged *s) {
  const double *first = pose_at(&s->poses, 0), *drawn = pose_at(&s->drawn, 0);
  for (uint32_t n = 1; n < s->poses.count; n++)
    for (uint32_t k = 0; k < s->poses.width; k++) {
      double way = pose_at(&s->poses, n)[k] - first[k], is = pose_at(&s->drawn, n)[k] - drawn[k];
      CHECK_NEAR(is, s->factor * way, 1e-9 + 1e-14 * s->factor);
    }
}

// Points that are one stay one.
static void check_is_joined(const Staged *s, uint32_t a, uint32_t b) {
  for (uint32_t n = 0; n < s->drawn.count; n++)
    for (int i = 0; i < 3; i++)
      CHECK_NEAR(pose_at(&s->drawn, n)[a + i], pose_at(&s->drawn, n)[b + i], 0);
}

TEST(small_motions_become_visible_and_stay_joined) {
  Random random = random_start("magnify");
  for (int round = 0; round < 30; round++) {
    set_motion(&random, pow(10, random_real(&random, -7.5, -2.2)));
    Staged s = staged(cx, chain);
    double span = span_of(&s, &s.drawn);
    assert_true(s.factor > 1 && is_round(s.factor));
    assert_true(span > 0.03 && span < 0.25);
    check_is_linear(&s);
    const SceneShape *springs = &s.scene.shapes.at[1];
    check_is_joined(&s, springs[0].points + 3, springs[1].points);
    check_is_joined(&s, springs[1].points + 3, springs[2].points);
    check_is_joined(&s, springs[2].points + 3, springs[6].points);
  }
}

TEST(what_is_seen_to_move_stays_as_it_is) {
  Random random = random_start("magnify");
  for (int round = 0; round < 30; round++) {
    set_motion(&random, pow(10, random_real(&random, -7, -2.2)));
    int one = random_below(&random, 4); // a car that drives while it trembles
    amplitude[one] = random_real(&random, 0.02, 100);
    Staged s = staged(cx, chain);
    CHECK_NEAR(s.factor, 1, 0);
    CHECK_NEAR(span_of(&s, &s.drawn), span_of(&s, &s.poses), 0);
  }
}

TEST(rounding_is_no_motion) {
  Random random = random_start("magnify");
  set_motion(&random, 0);
  CHECK_NEAR(staged(cx, chain).factor, 0, 0);
  set_motion(&random, 1e-13);
  CHECK_NEAR(staged(cx, chain).factor, 0, 0);
}

// Wheels turn visibly about their centres, in mesh, and by less than they would be mistaken.
TEST(small_turns_are_drawn_as_larger_turns) {
  Random random = random_start("magnify");
  for (int round = 0; round < 20; round++) {
    set_motion(&random, pow(10, random_real(&random, -7, -3.2)));
    amplitude[1] = -amplitude[0] / 2, rate[1] = rate[0];
    Staged s = staged(cx, "body a: mass 1 [kg], inertia 0.01 [kg*m^2]\n"
                          "body b: mass 1 [kg], inertia 0.01 [kg*m^2]\n"
                          "joint A: revolute ground (0, 0), a (0, 0)\n"
                          "joint B: revolute ground (0.3 [m], 0), b (0, 0)\n"
                          "gear: a, b, ratio -1/2\n");
    const SceneShape *wheel = NULL;
    for (uint32_t i = 0; i < s.scene.shapes.n && !wheel; i++)
      if (s.scene.shapes.at[i].shape == DRAW_DISC) wheel = &s.scene.shapes.at[i];
    assert_true(wheel && s.factor > 1 && is_round(s.factor));
    double low = INFINITY, high = -INFINITY;
    for (uint32_t n = 0; n < s.drawn.count; n++) {
      double angle = pose_at(&s.drawn, n)[wheel->angle];
      low = fmin(low, angle), high = fmax(high, angle);
      CHECK_NEAR(pose_at(&s.drawn, n)[wheel->points], 0, 1e-9);
      CHECK_NEAR(pose_at(&s.drawn, n)[wheel->radius], pose_at(&s.poses, n)[wheel->radius], 0);
    }
    assert_true(high - low > 0.1 && high - low < 0.75);
  }
}

// An arrow moves with what it acts on, and is as long as before.
TEST(arrows_keep_their_length) {
  Random random = random_start("magnify");
  set_motion(&random, 1e-5);
  amplitude[1] = 0.4; // the force
  Staged s = staged(cx, "coord u = 0 [m], F = 0 [m]\nkinetic = 1/2*(1 [kg])*(u'^2 + F'^2)\n"
                        "draw ground (0, 0), (2 [m], 0)\n"
                        "draw disc (1 [m] + u, 0) radius 0.2 [m]\n"
                        "draw arrow (1 [m] + u, 0), (1 [m] + u, F)\n");
  const SceneShape *arrow = &s.scene.shapes.at[2];
  assert_true(s.factor > 100);
  for (uint32_t n = 0; n < s.drawn.count; n++) {
    const double *is = pose_at(&s.drawn, n) + arrow->points,
                 *was = pose_at(&s.poses, n) + arrow->points;
    for (int i = 0; i < 3; i++) CHECK_NEAR(is[3 + i] - is[i], was[3 + i] - was[i], 1e-12);
    CHECK_NEAR(is[0], pose_at(&s.drawn, n)[s.scene.shapes.at[1].points], 0);
  }
}

// A gap keeps its size, so that what bounces would be drawn through the wall.
TEST(contacts_that_close_are_not_magnified) {
  Random random = random_start("magnify");
  set_motion(&random, 1e-5);
  Result *result = recording_of_motion(cx, chain, motion_of_small_sines, 201, 0.01);
  SimEvent event = {.t = 0.5, .kind = SIM_IMPACT};
  vec_push(&cx->keep, &result->summary.events, event);
  Scene scene = scene_from_result(cx, &cx->keep, result);
  Poses poses = poses_read(&scene, &cx->keep, 0, 2, 0.01, 201);
  scene_settle(&scene, &poses);
  CHECK_NEAR(magnify_factor(&scene, &poses), 1, 0);
}

TEST(factors_are_written_as_people_write_them) {
  static const struct {
    double factor;
    const char *words;
  } cases[] = {{2, "2 times"},         {1.5, "1,5 times"},       {1000, "1000 times"},
               {50000, "50000 times"}, {500000, "500000 times"}, {1e6, "10⁶ times"},
               {2e7, "2·10⁷ times"},   {1e12, "10¹² times"},     {1234567, "1,235·10⁶ times"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_string_equal(factor_words(&cx->keep, "{0} times", cases[i].factor, ','), cases[i].words);
}

RUN_TESTS(cmocka_unit_test(small_motions_become_visible_and_stay_joined),
          cmocka_unit_test(what_is_seen_to_move_stays_as_it_is),
          cmocka_unit_test(rounding_is_no_motion),
          cmocka_unit_test(small_turns_are_drawn_as_larger_turns),
          cmocka_unit_test(arrows_keep_their_length),
          cmocka_unit_test(contacts_that_close_are_not_magnified),
          cmocka_unit_test(factors_are_written_as_people_write_them))
