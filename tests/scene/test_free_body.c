// Free-body diagrams: every body has its group, what a joint does to its two bodies is opposite,
// and all arrows stand within the picture.
#include "scene/free_body.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host/folder.h"
#include "support/check.h"
#include "support/examples.h"
#include "support/recordings.h"

static uint32_t pictures, pairs;

static const char *picture_of(Context *cx, const Result *result) {
  const char *folder = scratch_folder(cx, "free_body"), *svg;
  size_t length;
  assert_int_equal(draw_free_bodies(cx, result, folder), QDOT_OK);
  assert_int_equal(folder_read(cx, &cx->keep, folder, "free-body.svg", &svg, &length), QDOT_OK);
  remove_folder(folder);
  return svg;
}

typedef struct Arrow {
  double value, way[2];
} Arrow;

// The arrow of this name behind a place; NULL where there is none, else where it ends.
static const char *read_arrow(Context *cx, const char *at, const char *name, Arrow *out) {
  const char *key = text_format(&cx->keep, "<g class=\"force\" data-name=\"%s\"", name);
  double x[2], y[2];
  if (!(at = strstr(at, key))) return NULL;
  assert_int_equal(sscanf(strstr(at, "data-value=\""), "data-value=\"%lf", &out->value), 1);
  const char *shaft = strstr(at, "class=\"shaft\"");
  assert_int_equal(sscanf(shaft, "class=\"shaft\" d=\"M%lf %lfL%lf %lf", x, y, x + 1, y + 1), 4);
  out->way[0] = x[1] - x[0], out->way[1] = y[1] - y[0];
  return shaft;
}

static void check_joint(Context *cx, const Joint *joint, const char *svg) {
  for (int k = 0; k < 2; k++) {
    const char *name = text_format(&cx->keep, "%s.F_%c", symbol_text(cx, joint->name), "xy"[k]);
    Arrow arrows[2];
    const char *at = read_arrow(cx, svg, name, &arrows[0]);
    assert_non_null(at);
    bool is_on_ground = joint->first.body == GROUND || joint->second.body == GROUND;
    at = read_arrow(cx, at, name, &arrows[1]);
    assert_int_equal(at == NULL, is_on_ground);
    assert_true(fabs(arrows[0].way[1 - k]) < 1e-9 && fabs(arrows[0].way[k]) > 10);
    if (!at) continue;
    // the same value of the joint's force, shown against each other
    assert_true(fabs(arrows[0].value - arrows[1].value) <= 1e-5 * fabs(arrows[0].value) + 1e-9);
    assert_true(fabs(arrows[0].way[k] + arrows[1].way[k]) < 0.02);
    pairs++;
  }
}

static void check_example(Context *cx, const char *path) {
  Result *result = recording_of_run(cx, path, example_text(cx, path), 0.2);
  const Model *origin = result->model->origin;
  if (!origin) return;
  Mark mark = arena_mark(&cx->scratch);
  const char *svg = picture_of(cx, result);
  const Mechanism *m = &origin->mechanism;
  for (uint32_t i = 0; i < m->bodies.n; i++)
    assert_non_null(strstr(
        svg, text_format(&cx->keep, "<g id=\"body-%s\"", symbol_text(cx, m->bodies.at[i].name))));
  for (uint32_t i = 0; i < m->joints.n; i++)
    if (joint_type(m->joints.at[i].kind)->joins_points) check_joint(cx, &m->joints.at[i], svg);
  for (const char *at = svg; (at = strstr(at, "class=\"shaft\" d=\"M")); at++) {
    double x, y; // in a cell
    assert_int_equal(sscanf(at, "class=\"shaft\" d=\"M%lf %lf", &x, &y), 2);
    assert_true(x > -60 && x < 360 && y > -60 && y < 330);
  }
  arena_release(&cx->scratch, mark);
  pictures++;
}

TEST(bodies_of_examples_are_drawn_by_themselves) {
  pictures = pairs = 0;
  with_every_example(check_example);
  assert_true(pictures >= 15 && pairs >= 30);
}

TEST(models_without_bodies_are_refused) {
  Result *result = recording_of_run(cx, "x.qdot",
                                    "param m = 1 [kg], k = 10 [N/m]\ncoord x = 0.1 [m]\n"
                                    "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
                                    "simulate to 1 [s]\n",
                                    0.2);
  assert_int_equal(draw_free_bodies(cx, result, "."), QDOT_BAD_MODEL);
}

RUN_TESTS(cmocka_unit_test(bodies_of_examples_are_drawn_by_themselves),
          cmocka_unit_test(models_without_bodies_are_refused))
