// What mechanisms draw by themselves: wheels, belts, racks, lines to roll on, surfaces, motors.
#include "scene/scene.h"

#include <math.h>
#include <string.h>

#include "scene/poses.h"
#include "scene/teeth.h"
#include "scene/view.h"
#include "support/check.h"
#include "support/recordings.h"

typedef struct Staged {
  Scene scene;
  Poses poses;
} Staged;

static Staged staged(Context *cx, const char *text, Motion *motion) {
  Result *result = recording_of_motion(cx, text, motion, 101, 0.01);
  Staged s = {.scene = scene_from_result(cx, &cx->keep, result)};
  s.poses = poses_read(&s.scene, &cx->keep, 0, 1, 0.05, 100);
  scene_settle(&s.scene, &s.poses);
  return s;
}

// The shape of a kind that comes as the given number, from 0.
static const SceneShape *find_shape(const Scene *scene, DrawShape kind, uint32_t number) {
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    if (scene->shapes.at[i].shape == kind && !scene->shapes.at[i].is_hidden && number-- == 0)
      return &scene->shapes.at[i];
  return NULL;
}

static double value(const Staged *s, uint32_t signal) { return pose_at(&s->poses, 0)[signal]; }

static void check_disc(const Staged *s, uint32_t number, double x, double y, double radius) {
  const SceneShape *disc = find_shape(&s->scene, DRAW_DISC, number);
  assert_non_null(disc);
  CHECK_NEAR(value(s, disc->points), x, 1e-12);
  CHECK_NEAR(value(s, disc->points + 1), y, 1e-12);
  CHECK_NEAR(value(s, disc->radius), radius, 1e-12);
  assert_true(disc->angle != NO_SIGNAL);
}

#define PINNED(name, x, y)                                                                         \
  "body " name ": mass 1 [kg], inertia 0.01 [kg*m^2]\n"                                            \
  "joint " name "_pin: revolute ground (" x ", " y "), " name " (0, 0)\n"

TEST(gears_touch_at_their_pitch_circles) {
  Staged s = staged(cx,
                    PINNED("small", "0", "0") PINNED("large", "0.3 [m]", "0")
                        PINNED("ring", "0.3 [m]", "0.1 [m]") "gear: small, large, ratio -1/2\n"
                                                             "gear: large, ring, ratio 2/3\n",
                    motion_of_sines);
  check_disc(&s, 0, 0, 0, 0.1);
  check_disc(&s, 1, 0.3, 0, 0.2);
  // The second gear meshes from within: 0.3 - 0.2 is the distance; the large wheel is drawn once
  // where both give the same number as the same expression, else over itself.
  const SceneShape *last = NULL;
  for (uint32_t i = 0; find_shape(&s.scene, DRAW_DISC, i); i++)
    last = find_shape(&s.scene, DRAW_DISC, i);
  CHECK_NEAR(value(&s, last->radius), 0.3, 1e-12);
  assert_int_equal(s.scene.hinges.n, 3);
}

// ---- Teeth

static double gear_ratio; // of the motion below

static void motion_of_gears(double t, uint32_t i, double out[3]) {
  double rate = i == 0 ? 2 : 2 * gear_ratio;
  out[0] = rate * t, out[1] = rate, out[2] = 0;
}

// The part of a pitch by which a direction lies behind the middle of a tooth, 0 to 1.
static double part_of_pitch(const Staged *s, uint32_t pose, const SceneShape *wheel,
                            double direction) {
  uint32_t number = (uint32_t)(wheel - s->scene.shapes.at);
  double phase = teeth_phase(&s->scene, pose_at(&s->poses, pose), number);
  double part = (direction - phase) * wheel->teeth / (2 * M_PI);
  return part - floor(part);
}

// A tooth of one stands in a gap of the other in every pose, and all teeth turn with their bodies.
static void check_mesh(const Staged *s, const SceneShape *a, const SceneShape *b, bool inside) {
  double first = 0;
  for (uint32_t i = 0; i < s->poses.count; i++) {
    const double *pose = pose_at(&s->poses, i), *from = pose + a->points, *to = pose + b->points;
    double towards = atan2(to[1] - from[1], to[0] - from[0]);
    bool a_is_ring = inside && a->is_ring;
    double at_a = towards + (inside && !a_is_ring ? M_PI : 0);
    double f = part_of_pitch(s, i, a, at_a),
           g = part_of_pitch(s, i, b, inside ? at_a : towards + M_PI);
    double sum = inside ? f - g : f + g;
    CHECK_NEAR(fabs(sum - floor(sum) - 0.5), 0, 1e-6);
    double turned = part_of_pitch(s, i, b, pose[b->angle]);
    double drift = turned - (i ? first : turned);
    if (i == 0) first = turned;
    CHECK_NEAR(drift - round(drift), 0, 1e-6);
  }
}

TEST(teeth_stand_in_gaps_and_turn_with_their_wheels) {
  Random random = random_start("teeth");
  for (int round = 0; round < 40; round++) {
    int n = 1 + random_below(&random, 9), m = 1 + random_below(&random, 9);
    bool inside = random_below(&random, 5) < 2;
    if (inside && n == m) m++;
    gear_ratio = (inside ? 1.0 : -1.0) * n / m;
    double angle = random_real(&random, 0, 6), far = random_real(&random, 0.1, 1);
    const char *text = text_format(
        &cx->keep,
        PINNED("a", "0", "0") "body b: mass 1 [kg], inertia 0.01 [kg*m^2]\n"
                              "joint b_pin: revolute ground (%.9g [m], %.9g [m]), b (0, 0)\n"
                              "gear: a, b, ratio %d/%d\n",
        far * cos(angle), far * sin(angle), inside ? n : -n, m);
    Staged s = staged(cx, text, motion_of_gears);
    const SceneShape *a = find_shape(&s.scene, DRAW_DISC, 0),
                     *b = find_shape(&s.scene, DRAW_DISC, 1);
    assert_true(a->teeth >= 12 && b->teeth >= 12);
    assert_int_equal(a->teeth * (uint32_t)m, b->teeth * (uint32_t)n); // a ratio of whole numbers
    CHECK_NEAR(a->pitch, b->pitch, 1e-9);
    assert_int_equal(a->is_ring, inside && n > m);
    assert_int_equal(b->is_ring, inside && m > n);
    check_mesh(&s, a, b, inside);
  }
}

// Wheels with play turn as their bodies do, and are gears all the same.
TEST(gears_with_play_have_teeth) {
  gear_ratio = -0.5;
  Staged s =
      staged(cx,
             PINNED("a", "0", "0")
                 PINNED("b", "0.3 [m]",
                        "0") "backlash g: a, b, ratio -1/2, play 0.2 [deg], stiffness 10 [N*m]\n",
             motion_of_gears);
  const SceneShape *a = find_shape(&s.scene, DRAW_DISC, 0), *b = find_shape(&s.scene, DRAW_DISC, 1);
  assert_true(a->teeth >= 12);
  assert_int_equal(b->teeth, 2 * a->teeth);
  assert_true(a->partner == NO_PARTNER && b->partner == NO_PARTNER);
  check_mesh(&s, a, b, false);
}

// Discs of draw lines are gears where their radii count teeth and they roll on each other.
TEST(drawn_discs_are_gears_where_that_is_proved) {
  static const struct {
    const char *radii[2], *angle;
    uint32_t teeth;
  } rows[] = {{{"z_1*u", "z_2*u"}, "-z_1/z_2*p", 17},
              {{"z_1*u", "z_2*u"}, "z_1/z_2*p", 0},
              {{"z_1*u", "z_2*u"}, "p", 0},
              {{"0.17 [m]", "0.23 [m]"}, "-17/23*p", 0},
              {{"z_1*u", "0.9*z_2*u"}, "-z_1/z_2/0.9*p", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *text =
        text_format(&cx->keep,
                    "param z_1 = 17, z_2 = 23, u = 10 [mm], J = 1 [kg*m^2]\ncoord p = 0 [rad]\n"
                    "kinetic = 1/2*J*p'^2\ndraw disc (0, 0) radius %s, angle p\n"
                    "draw disc ((z_1 + z_2)*u, 0) radius %s, angle %s\n",
                    rows[i].radii[0], rows[i].radii[1], rows[i].angle);
    Staged s = staged(cx, text, motion_of_sines);
    assert_int_equal(find_shape(&s.scene, DRAW_DISC, 0)->teeth, rows[i].teeth);
  }
}

// What a spring line says is drawn: a spring, a damper, or both side by side.
TEST(springs_with_damping_have_a_damper) {
  static const struct {
    const char *says;
    int beside[2]; // of the spring and of the damper; 9: there is none
  } rows[] = {{"stiffness 9 [N/m]", {0, 9}},
              {"damping 2 [N*s/m]", {9, 0}},
              {"stiffness 9 [N/m], damping 2 [N*s/m]", {-1, 1}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Staged s = staged(cx,
                      text_format(&cx->keep,
                                  "body b: mass 1 [kg], point\n"
                                  "joint A: prismatic ground (0, 0), b (0, 0)\n"
                                  "spring s: ground (2 [m], 0), b (0, 0), %s\n",
                                  rows[i].says),
                      motion_of_sines);
    static const DrawShape kinds[] = {DRAW_SPRING, DRAW_DAMPER};
    for (int k = 0; k < 2; k++) {
      const SceneShape *shape = find_shape(&s.scene, kinds[k], 0);
      assert_int_equal(shape ? shape->beside : 9, rows[i].beside[k]);
      assert_null(find_shape(&s.scene, kinds[k], 1));
    }
  }
}

// A rope has no support, wherever it ends; a rod has.
TEST(ropes_rest_in_no_support) {
  Staged s = staged(cx,
                    "param m = 1 [kg], R = 0.2 [m]\ncoord y = -1 [m]\nkinetic = 1/2*m*y'^2\n"
                    "draw disc (0, 0) radius R\ndraw line (R, 0) (R, y)\n",
                    motion_of_sines);
  assert_null(find_shape(&s.scene, DRAW_GROUND, 0));
  s = staged(cx,
             "param m = 1 [kg], R = 0.2 [m]\ncoord p = 1 [rad]\nkinetic = 1/2*m*R^2*p'^2\n"
             "draw line (R, 0) (R + R*cos(p), R*sin(p))\n",
             motion_of_sines);
  assert_non_null(find_shape(&s.scene, DRAW_GROUND, 0));
}

// Numbers of teeth in a ratio are drawn as they are.
TEST(gears_have_the_teeth_that_the_model_gives_them) {
  gear_ratio = -17.0 / 23;
  Staged s = staged(cx,
                    "param z_1 = 17, z_2 = 23, u = 10 [mm]\n"
                    "body a: disc z_1*u, mass 1 [kg]\nbody b: disc z_2*u, mass 1 [kg]\n"
                    "joint A: revolute ground (0, 0), a (0, 0)\n"
                    "joint B: revolute ground (0, (z_1 + z_2)*u), b (0, 0)\n"
                    "gear: a, b, ratio -z_1/z_2\n",
                    motion_of_gears);
  assert_int_equal(find_shape(&s.scene, DRAW_DISC, 0)->teeth, 17);
  assert_int_equal(find_shape(&s.scene, DRAW_DISC, 1)->teeth, 23);
  check_mesh(&s, find_shape(&s.scene, DRAW_DISC, 0), find_shape(&s.scene, DRAW_DISC, 1), false);
}

// A spring is drawn where an energy depends on the distance alone, and nowhere else.
TEST(springs_are_not_invented) {
  static const struct {
    const char *point, *energy;
    bool is_spring;
  } rows[] = {{"(r*sin(phi), -r*cos(phi))", "1/2*k*(r - l)^2 - m*g*r*cos(phi)", true},
              {"(r*sin(phi), -r*cos(phi))", "1/2*k*phi^2*l^2", false},
              {"(r + l*cos(phi), l*sin(phi))", "1/2*k*r^2", false},
              {"(l*cos(w*t), r + l*sin(w*t))", "1/2*k*r^2 + m*g*(r + l*sin(w*t))", false},
              {"(0*l, r + l)", "1/2*k*r^2", true},
              {"(r*cos(phi), r*sin(phi))", "-k*l^3/r", false},
              {"(r*cos(phi), r*sin(phi))", "1/4*k*r^4/l^2", false},
              {"(r*cos(phi), r*sin(phi))", "-1/2*k*r^2", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *text = text_format(
        &cx->keep,
        "param m = 1 [kg], k = 3 [N/m], l = 2 [m], g = 9.81 [m/s^2], w = 2 [rad/s]\n"
        "coord r = 1 [m], phi = 0 [rad]\nlet p = %s\nkinetic = 1/2*m*(r'^2 + l^2*phi'^2)\n"
        "potential = %s\n",
        rows[i].point, rows[i].energy);
    Scene scene =
        scene_from_result(cx, &cx->keep, recording_of_motion(cx, text, motion_of_sines, 11, 0.1));
    bool found = false;
    for (uint32_t k = 0; k < scene.shapes.n; k++) found |= scene.shapes.at[k].shape == DRAW_SPRING;
    if (found != rows[i].is_spring) fail_msg("%s", text);
  }
}

// One of many coordinates: the springs of the last are looked at as those of the first.
TEST(springs_of_many_coordinates_are_found) {
  Text text = text_new(&cx->keep);
  text_add(&text, "param m = 1 [kg], k = 3 [N/m], l = 1 [m]\n");
  for (int i = 0; i < 60; i++) text_addf(&text, "coord s_%d = 1 [m]\nkinetic = m*s_%d'^2\n", i, i);
  for (int i = 0; i < 59; i++) text_addf(&text, "potential = k*s_%d^2\n", i);
  text_add(&text, "coord phi = 0 [rad]\nkinetic = m*l^2*phi'^2\n"
                  "let p = (s_59*sin(phi), -s_59*cos(phi))\npotential = 1/2*k*(s_59 - l)^2\n");
  Scene scene =
      scene_from_result(cx, &cx->keep, recording_of_motion(cx, text.at, motion_of_sines, 11, 0.1));
  uint32_t n = 0;
  for (uint32_t k = 0; k < scene.shapes.n; k++) n += scene.shapes.at[k].shape == DRAW_SPRING;
  assert_int_equal(n, 1);
}

// A kinetic energy that is that of one point in polar coordinates tells where it is.
TEST(polar_points_are_drawn_where_they_are) {
  static const struct {
    const char *kinetic, *potential;
    double angle; // of the point from the x axis at phi = 0; NAN: no point
  } rows[] = {{"1/2*m*(r'^2 + r^2*phi'^2)", "-k*l^3/r", 0},
              {"1/2*m*(r'^2 + r^2*phi'^2)", "-m*g*r*cos(phi)", -M_PI / 2},
              {"1/2*m*(r'^2 + r^2*phi'^2)", "m*g*r*cos(phi)", M_PI / 2},
              {"1/2*m*(r'^2 + r^2*phi'^2)", "m*g*r*sin(phi)", 0},
              {"1/2*m*(r'^2 + (r/2)^2*phi'^2)", "m*g*r", NAN},
              {"m*(r'^2 + r^2*phi'^2)", "m*g*r", NAN},
              {"1/2*m*r'^2 + 1/2*m*l^2*phi'^2", "m*g*r", NAN}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *text = text_format(&cx->keep,
                                   "param m = 1 [kg], k = 3 [N/m], l = 2 [m], g = 9.81 [m/s^2]\n"
                                   "coord r = 1 [m], phi = 0 [rad]\nkinetic = %s\npotential = %s\n",
                                   rows[i].kinetic, rows[i].potential);
    Staged s = staged(cx, text, motion_of_sines);
    bool is_point = find_shape(&s.scene, DRAW_TRAIL, 0) != NULL;
    assert_int_equal(is_point, !isnan(rows[i].angle));
    if (!is_point) continue;
    // r = sin t and phi = 2 sin 2t
    const double *pose = pose_at(&s.poses, 10);
    double t = 0.5, r = sin(t), a = rows[i].angle + 2 * sin(2 * t);
    const SceneShape *disc = find_shape(&s.scene, DRAW_DISC, 0);
    CHECK_NEAR(pose[disc->points], r * cos(a), 1e-9);
    CHECK_NEAR(pose[disc->points + 1], r * sin(a), 1e-9);
  }
}

// Wheels under a belt have none, nor has a gear whose wheels do not touch.
TEST(only_what_touches_has_teeth) {
  Staged belt = staged(cx, PINNED("a", "0", "0") PINNED("b", "1 [m]", "0") "belt: a, b, ratio 2\n",
                       motion_of_sines);
  assert_int_equal(find_shape(&belt.scene, DRAW_DISC, 0)->teeth, 0);
  Staged apart = staged(cx,
                        "body a: disc 0.1 [m], mass 1 [kg]\nbody b: disc 0.1 [m], mass 1 [kg]\n"
                        "joint A: revolute ground (0, 0), a (0, 0)\n"
                        "joint B: revolute ground (1 [m], 0), b (0, 0)\n"
                        "gear: a, b, ratio -1\n",
                        motion_of_sines);
  assert_int_equal(find_shape(&apart.scene, DRAW_DISC, 0)->teeth, 0);
}

// A wheel that stands fast is drawn about the arm's pin, as a ring where the teeth are inside.
TEST(fixed_wheels_are_rings_or_posts) {
  Staged s = staged(cx,
                    "body arm: rod 0.3 [m], mass 1 [kg]\n"
                    "body planet: disc 0.1 [m], mass 1 [kg], at (0.3 [m], 0)\n"
                    "joint A: revolute ground (1 [m], 0), arm (-0.15 [m], 0)\n"
                    "joint B: revolute arm (0.15 [m], 0), planet (0, 0)\n"
                    "gear: planet, ground, ratio 0.25, carrier arm\n",
                    motion_of_sines);
  const SceneShape *ring = find_shape(&s.scene, DRAW_POST, 0);
  assert_non_null(ring);
  CHECK_NEAR(value(&s, ring->points), 1, 1e-12);
  CHECK_NEAR(value(&s, ring->radius), -0.4, 1e-12);
}

TEST(a_disc_tells_the_size_of_its_partner) {
  Staged s =
      staged(cx,
             "body a: disc 0.2 [m], mass 1 [kg]\njoint A: revolute ground (0, 0), a (0, 0)\n" //
             PINNED("b", "1 [m]", "0") "belt: a, b, ratio -4\n",
             motion_of_sines);
  const SceneShape *belt = find_shape(&s.scene, DRAW_BELT, 0);
  assert_non_null(belt);
  CHECK_NEAR(value(&s, belt->size_a), 0.2, 1e-12);
  CHECK_NEAR(value(&s, belt->size_b), -0.05, 1e-12);
  check_disc(&s, 1, 1, 0, 0.05);
}

static void motion_along(double t, uint32_t i, double out[3]) {
  (void)i;
  out[0] = 3 * t, out[1] = 3, out[2] = 0;
}

// The first body of the text moves along x, everything else keeps to its place.
static void check_track(const Staged *s, TrackStyle style, double low, double high) {
  const SceneShape *track;
  for (uint32_t i = 0; (track = find_shape(&s->scene, DRAW_TRACK, i)); i++)
    if (track->track == style) break;
  assert_non_null(track);
  double from[3], to[3];
  track_end(track, pose_at(&s->poses, 0), 0, from);
  track_end(track, pose_at(&s->poses, 0), 1, to);
  double overhang = 0.08 * (high - low);
  CHECK_NEAR(from[0], low - overhang, 1e-9);
  CHECK_NEAR(to[0], high + overhang, 1e-9);
}

TEST(surfaces_reach_as_far_as_the_motion) {
  Staged s = staged(cx,
                    "body cart: plate (0.6 [m], 0.8 [m]), mass 1 [kg]\n"
                    "joint A: prismatic ground (0, 0), cart (0, 0), axis 0\n"
                    "contact floor: cart (0, 0), line (5 [m], -1 [m]), axis 0\n"
                    "contact post: cart (0, 0), circle (4 [m], 0), ring 0.25 [m]\n"
                    "motor A: force 1 [N]\n",
                    motion_along);
  // The plate's corner is half a metre from its centre, the post ends at 4.25.
  check_track(&s, TRACK_FIXED, -0.5, 4.25);
  const SceneShape *post = find_shape(&s.scene, DRAW_POST, 0);
  assert_non_null(post);
  CHECK_NEAR(value(&s, post->radius), 0.25, 1e-12);
  assert_non_null(find_shape(&s.scene, DRAW_PUSH, 0));
  View view = view_of_motion(&s.scene, &s.poses, 560);
  assert_false(view.follows);
  double floor[3] = {4.25, -1, 0};
  Place2 at = view_pixel(&view, floor);
  assert_true(at.x > 0 && at.x < view.width && at.y > 0 && at.y < view.height);
}

// A way of three metres: a ball of a tenth of that, or less by another factor of two, is seen
// together with it; the camera goes along with a grain.
TEST(the_camera_follows_what_would_be_a_speck) {
  static const struct {
    const char *radius;
    bool follows;
  } rows[] = {{"0.15", false}, {"0.075", false}, {"0.03", true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *text =
        text_format(&cx->keep, "body ball: disc %s [m], mass 1 [kg]\n", rows[i].radius);
    Staged s = staged(cx, text, motion_along);
    assert_int_equal(view_of_motion(&s.scene, &s.poses, 560).follows, rows[i].follows);
  }
}

// A body without a shape is drawn by where it touches: a ladder by its ends, a ball by its radius.
TEST(bodies_are_drawn_through_the_points_that_touch) {
  Staged s =
      staged(cx,
             "body ladder: mass 1 [kg], inertia 1 [kg*m^2]\n"
             "body ball: mass 1 [kg], inertia 1 [kg*m^2]\n"
             "contact floor: ladder (-2 [m], 0), line (0, -5 [m]), axis 0\n"
             "contact wall: ladder (2 [m], 0), line (-5 [m], 0), axis -90 [deg]\n"
             "contact below: ball (0, 0), radius 0.3 [m], line (0, -5 [m]), axis 0\n"
             "contact beside: ball (0, 0), radius 0.3 [m], line (-5 [m], 0), axis -90 [deg]\n",
             motion_along);
  const SceneShape *rod = find_shape(&s.scene, DRAW_LINE, 0);
  assert_non_null(rod);
  CHECK_NEAR(value(&s, rod->points) - value(&s, rod->points + 3), -4, 1e-12);
  const SceneShape *disc = find_shape(&s.scene, DRAW_DISC, 0);
  assert_non_null(disc);
  CHECK_NEAR(value(&s, disc->radius), 0.3, 1e-12);
  assert_null(find_shape(&s.scene, DRAW_DISC, 1));
  assert_null(find_shape(&s.scene, DRAW_BOX, 0));
}

TEST(racks_and_rolling_lines_follow_their_wheels) {
  Staged s =
      staged(cx,
             "body slider: plate (0.6 [m], 0.1 [m]), mass 1 [kg], at (0, -0.5 [m])\n"
             "joint A: prismatic ground (0, -0.5 [m]), slider (0, 0), axis 0\n" //
             PINNED("pinion", "0", "0") "rack: pinion, slider, radius 0.25 [m]\n"
                                        "motor pinion_pin: torque 1 [N*m]\n"
                                        "spring s: torsional ground, pinion, stiffness 1 [N*m]\n",
             motion_along);
  const SceneShape *rack = find_shape(&s.scene, DRAW_TRACK, 0);
  assert_non_null(rack);
  assert_int_equal(rack->track, TRACK_TOOTHED);
  CHECK_NEAR(value(&s, rack->points + 1), -0.25, 1e-12);
  // While the slider goes 3 to the right, the pinion goes as far to the left of it.
  CHECK_NEAR(rack->high - rack->low, 1.16 * (3 + 2 * 1.2 * 0.25), 1e-9);
  assert_non_null(find_shape(&s.scene, DRAW_TURN, 0));
  assert_non_null(find_shape(&s.scene, DRAW_SPIRAL, 0));

  Staged r = staged(cx,
                    "body cart: plate (0.6 [m], 0.1 [m]), mass 1 [kg]\n"
                    "joint A: prismatic ground (0, 0), cart (0, 0), axis 0\n"
                    "body wheel: mass 1 [kg], inertia 1 [kg*m^2], at (0, 0.25 [m])\n"
                    "joint B: rolling ground (0, -1 [m]), wheel (0, 0), radius 0.5 [m]\n",
                    motion_along);
  assert_non_null(find_shape(&r.scene, DRAW_DISC, 0));
  assert_int_equal(find_shape(&r.scene, DRAW_TRACK, 0)->track, TRACK_FIXED);
}

// x and y are one point where they move the same mass; else they are two lengths, each on a scale.
TEST(pairs_of_coordinates_are_points_or_lengths) {
  Staged point = staged(cx,
                        "coord x = 1 [m], y = 0 [m]\nparam m = 2 [kg]\n"
                        "kinetic = 1/2*m*(x'^2 + y'^2)\n",
                        motion_of_sines);
  Staged masses = staged(cx,
                         "coord x = 1 [m], y = 0 [m]\nparam m = 2 [kg], m_w = 1 [kg]\n"
                         "kinetic = 1/2*m*x'^2 + 1/2*m_w*y'^2\n",
                         motion_of_sines);
  assert_null(find_shape(&point.scene, DRAW_LABEL, 0));
  assert_non_null(find_shape(&masses.scene, DRAW_LABEL, 1));
  assert_non_null(find_shape(&masses.scene, DRAW_DISC, 1));
  assert_null(find_shape(&masses.scene, DRAW_GROUND, 0));
}

// Every shape tells the part that draws itself so, or the line of the text that draws it.
TEST(shapes_tell_whose_they_are) {
  static const char text[] = "gravity (0, -9.81 [m/s^2])\n"
                             "body bar: rod 1 [m], mass 1 [kg], at (0.5 [m], 0), angle 0 [deg]\n"
                             "body car: plate (0.4 [m], 0.2 [m]), mass 1 [kg], at (2 [m], 0)\n"
                             "joint pin: revolute ground (0, 0), bar (-0.5 [m], 0)\n"
                             "joint rail: prismatic ground (2 [m], 0), car (0, 0), length 1 [m]\n"
                             "spring coil: bar (0.5 [m], 0), car (0, 0), stiffness 10 [N/m]\n"
                             "motor pin: torque 1 [N*m]\n"
                             "draw line (0, 0) (bar.x, bar.y)\n";
  static const char *const parts[] = {"bar", "car", "pin", "rail", "coil"};
  Staged s = staged(cx, text, motion_of_sines);
  bool seen[5] = {false}, has_line = false;
  for (uint32_t i = 0; i < s.scene.shapes.n; i++) {
    const SceneShape *shape = &s.scene.shapes.at[i];
    if (shape->is_hidden) continue;
    bool is_drawn = shape->line.end > shape->line.begin;
    assert_true(is_drawn != (shape->part != NULL));
    has_line = has_line || (is_drawn && strncmp(text + shape->line.begin, "draw", 4) == 0);
    for (int k = 0; k < 5 && shape->part; k++)
      seen[k] = seen[k] || strcmp(shape->part, parts[k]) == 0;
  }
  for (int k = 0; k < 5; k++) assert_true(seen[k]);
  assert_true(has_line);
}

// A pointer of a guessed drawing names its angle as formulas do, how many times it is magnified
// first.
TEST(dials_have_typeset_names) {
  Staged s = staged(cx,
                    "param J = 1 [kg*m^2], k = 3 [N*m/rad]\n"
                    "coord phi_M = 0.1 [rad], alpha = 0.02 [rad]\n"
                    "kinetic = 1/2*J*phi_M'^2 + 1/2*J*alpha'^2\n"
                    "potential = 1/2*k*(phi_M - alpha)^2\n",
                    motion_of_sines);
  const SceneShape *first = find_shape(&s.scene, DRAW_LABEL, 0);
  const SceneShape *second = find_shape(&s.scene, DRAW_LABEL, 1);
  assert_non_null(first);
  assert_non_null(second);
  assert_string_equal(first->text + strlen(first->text) - strlen("φ"), "φ");
  assert_string_equal(first->subscript, "M");
  assert_string_equal(second->text + strlen(second->text) - strlen("α"), "α");
  assert_string_equal(second->subscript, "");
}

RUN_TESTS(cmocka_unit_test(dials_have_typeset_names), cmocka_unit_test(shapes_tell_whose_they_are),
          cmocka_unit_test(pairs_of_coordinates_are_points_or_lengths),
          cmocka_unit_test(gears_touch_at_their_pitch_circles),
          cmocka_unit_test(teeth_stand_in_gaps_and_turn_with_their_wheels),
          cmocka_unit_test(gears_have_the_teeth_that_the_model_gives_them),
          cmocka_unit_test(gears_with_play_have_teeth),
          cmocka_unit_test(drawn_discs_are_gears_where_that_is_proved),
          cmocka_unit_test(ropes_rest_in_no_support),
          cmocka_unit_test(springs_with_damping_have_a_damper),
          cmocka_unit_test(only_what_touches_has_teeth), cmocka_unit_test(springs_are_not_invented),
          cmocka_unit_test(springs_of_many_coordinates_are_found),
          cmocka_unit_test(polar_points_are_drawn_where_they_are),
          cmocka_unit_test(fixed_wheels_are_rings_or_posts),
          cmocka_unit_test(a_disc_tells_the_size_of_its_partner),
          cmocka_unit_test(surfaces_reach_as_far_as_the_motion),
          cmocka_unit_test(bodies_are_drawn_through_the_points_that_touch),
          cmocka_unit_test(the_camera_follows_what_would_be_a_speck),
          cmocka_unit_test(racks_and_rolling_lines_follow_their_wheels))
