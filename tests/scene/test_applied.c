// Forces that the model applies are arrows where they act, in the direction in which they act; what
// elements and friction do has none.
#include <math.h>

#include "scene/shapes.h"
#include "scene/view.h"
#include "support/check.h"
#include "support/recordings.h"

#define PRINTED 1e-8 // the model has nine digits of its numbers

static uint32_t shapes_of(const Scene *scene, DrawShape wanted, const SceneShape **last) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    if (scene->shapes.at[i].shape == wanted) n++, *last = &scene->shapes.at[i];
  return n;
}

TEST(arrows_point_as_forces_act) {
  Random random = random_start("applied");
  for (int round = 0; round < 20; round++) {
    double a = random_real(&random, -3, 3), x = random_real(&random, -0.4, 0.4);
    Result *result = recording_of_run(
        cx, "x.qdot",
        text_format(
            &cx->keep,
            "param F = 30 [N], a = %.9g [rad], M = 2 [N*m]\n"
            "body rod: rod 1 [m], mass 1 [kg], at = (0.5 [m], 0), angle = 0\n"
            "joint A: revolute ground (0, 0), rod (-0.5 [m], 0), friction 1 [N*m*s]\n"
            "rope r: ground (0.5 [m], 1 [m]), rod (0, 0), length 2 [m], stiffness 10 [N/m], "
            "damping 1 [N*s/m]\n"
            "force rod (%.9g [m], 0) = F*(cos(a), sin(a))\ntorque rod = -M\n"
            "simulate to 1 [s]\n",
            a, x),
        0.3);
    Scene scene = scene_from_result(cx, &cx->keep, result);
    const SceneShape *arrow = NULL, *turn = NULL;
    assert_int_equal(shapes_of(&scene, DRAW_FORCE, &arrow), 1);
    assert_int_equal(shapes_of(&scene, DRAW_TURN, &turn), 1);
    assert_string_equal(applied_name(&scene, arrow), "F");
    Poses poses = poses_of_rows(&scene, &cx->keep, 30);
    View view = {.width = 400, .height = 400, .scale = 100};
    assert_true(poses.count > 3);
    for (uint32_t i = 0; i < poses.count; i++) {
      const double *pose = pose_at(&poses, i);
      Place2 ends[2], at = view_pixel(&view, pose + arrow->points);
      assert_true(force_ends(at, pose[arrow->size_a], pose[arrow->size_b], ends));
      double dx = ends[1].x - ends[0].x, dy = ends[0].y - ends[1].y; // y of pixels points down
      CHECK_NEAR(remainder(atan2(dy, dx) - a, 2 * M_PI), 0, PRINTED);
      assert_true(hypot(ends[1].x - at.x, ends[1].y - at.y) < 6); // its head is where it acts
      double away = hypot(pose[arrow->points], pose[arrow->points + 1]);
      CHECK_NEAR(away, 0.5 + x, PRINTED); // from the pin
      assert_true(pose[turn->angle] < 0);
    }
  }
}

RUN_TESTS(cmocka_unit_test(arrows_point_as_forces_act))
