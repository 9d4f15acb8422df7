// Animations: decoded again, they have their frames, their duration, and something that moves.
#include "scene/animate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/host/folder.h"
#include "scene/gif.h"
#include "scene/poses.h"
#include "scene/view.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/gif_reading.h"
#include "support/recordings.h"

// ---- The encoder alone

TEST(frames_come_back_as_they_were) {
  enum { WIDTH = 37, HEIGHT = 23, FRAMES = 9, PIXELS = WIDTH * HEIGHT };
  static const uint32_t colours[] = {0xFFFFFF, 0x000000, 0xFF0000, 0x00FF00, 0x0000FF, 0x848484};
  Random random = random_start("gif");
  GifHistogram *histogram = arena_new(&cx->keep, GifHistogram);
  GifPalette *palette = arena_new(&cx->keep, GifPalette);
  gif_count(histogram, colours, 6);
  gif_choose_palette(cx, histogram, palette);
  assert_int_equal(palette->count, 6);
  const char *folder = scratch_folder(cx, "gif");
  const char *file = folder_path(&cx->keep, folder, "test.gif");
  Gif *gif;
  uint32_t pixels[PIXELS];
  assert_int_equal(gif_open(cx, file, WIDTH, HEIGHT, 4, palette, &gif), QDOT_OK);
  for (int i = 0; i < FRAMES; i++) {
    int changes = i == 0 ? PIXELS : i == 4 ? 0 : 30;
    for (int k = 0; k < changes; k++)
      pixels[i == 0 ? k : random_below(&random, PIXELS)] = colours[random_below(&random, 6)];
    assert_int_equal(gif_frame(cx, gif, pixels), QDOT_OK);
  }
  assert_int_equal(gif_close(cx, gif), QDOT_OK);
  Decoded d = gif_decode(cx, file);
  assert_int_equal(d.frames, FRAMES);
  assert_int_equal(d.centiseconds, 4 * FRAMES);
  assert_true(d.repeats);
  for (int k = 0; k < PIXELS; k++)
    for (int c = 0; c < 3; c++)
      assert_int_equal(d.last[3 * k + c], pixels[k] >> (16 - 8 * c) & 255);
  remove_folder(folder);
}

TEST(palettes_keep_the_ground_and_come_near_to_everything) {
  GifHistogram *histogram = arena_new(&cx->keep, GifHistogram);
  GifPalette *palette = arena_new(&cx->keep, GifPalette);
  Random random = random_start("palette");
  static uint32_t pixels[100000];
  for (int i = 0; i < 100000; i++) {
    uint32_t grey = (uint32_t)random_below(&random, 256);
    pixels[i] = i % 10 ? 0xFFFFFF : grey << 16 | grey << 8 | (255 - grey);
  }
  gif_count(histogram, pixels, 100000);
  gif_choose_palette(cx, histogram, palette);
  assert_true(palette->count > 16 && palette->count <= GIF_COLOURS);
  assert_int_equal(palette->colours[palette->nearest[0x7FFF]], 0xFFFFFF);
  for (uint32_t grey = 0; grey < 256; grey++) {
    uint32_t bin = grey >> 3 << 10 | grey >> 3 << 5 | (255 - grey) >> 3;
    assert_true(abs((int)(palette->colours[palette->nearest[bin]] >> 16) - (int)grey) < 20);
  }
}

// ---- Whole animations

static const char pendulum[] = "model \"Pendulum\"\n"
                               "param L = 1 [m], m = 1 [kg]\n"
                               "coord theta = 1 [rad]\n"
                               "let r = (L*sin(theta), -L*cos(theta))\n"
                               "kinetic = 1/2*m*dot(r', r')\n";

static AnimateOptions options_for(const char *folder) {
  AnimateOptions options = animate_defaults();
  options.folder = folder;
  return options;
}

TEST(ten_seconds_are_small_and_move) {
  Result *result = recording_of_motion(cx, pendulum, motion_of_sines, 1001, 0.01);
  const char *folder = scratch_folder(cx, "gif");
  AnimateOptions options = options_for(folder);
  Animation animation;
  assert_int_equal(animate_result(cx, result, &options, &animation), QDOT_OK);
  const char *file = folder_path(&cx->keep, folder, "animation.gif");
  Decoded d = gif_decode(cx, file);
  assert_int_equal(d.frames, 251);
  assert_int_equal(d.centiseconds, 1004);
  assert_true(animation.speed == 1 && animation.is_guessed && d.changed > 500);
  assert_true((uint32_t)d.width == animation.width && (uint32_t)d.height == animation.height);
  struct stat about;
  assert_int_equal(stat(file, &about), 0);
  assert_true(about.st_size < 3000000);
  remove_folder(folder);
}

TEST(speed_is_chosen_or_given) {
  static const struct {
    uint64_t rows;
    double step, speed, expected;
    int frames;
  } cases[] = {
      {101, 1e-3, 0, 0.02, 126}, {201, 0.02, 2, 2, 51},  {11, 0.2, 0.5, 0.5, 101},
      {2001, 0.1, 0, 20, 251},   {501, 0.01, 0, 1, 126},
  };
  for (int i = 0; i < 5; i++) {
    Result *result =
        recording_of_motion(cx, pendulum, motion_of_sines, cases[i].rows, cases[i].step);
    const char *folder = scratch_folder(cx, "gif");
    AnimateOptions options = options_for(folder);
    options.speed = cases[i].speed;
    options.width = 240;
    Animation animation;
    assert_int_equal(animate_result(cx, result, &options, &animation), QDOT_OK);
    CHECK_NEAR(animation.speed, cases[i].expected, 1e-9);
    assert_int_equal(animation.frames, cases[i].frames);
    remove_folder(folder);
  }
}

TEST(a_small_budget_gives_a_smaller_picture) {
  Result *result = recording_of_motion(cx, pendulum, motion_of_sines, 401, 0.01);
  const char *folder = scratch_folder(cx, "gif");
  AnimateOptions options = options_for(folder);
  options.bytes_a_second = 30000;
  Animation animation;
  assert_int_equal(animate_result(cx, result, &options, &animation), QDOT_OK);
  struct stat about;
  assert_int_equal(stat(folder_path(&cx->keep, folder, "animation.gif"), &about), 0);
  assert_true(animation.width < 500 && about.st_size <= 4.1 * 30000);
  remove_folder(folder);
}

// ---- Shapes and guesses

static uint32_t count_shapes(const Scene *scene, DrawShape shape) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    n += scene->shapes.at[i].shape == shape && !scene->shapes.at[i].is_hidden;
  return n;
}

static Scene settled_scene(Context *cx, const char *text, Motion *motion) {
  Result *result = recording_of_motion(cx, text, motion, 101, 0.01);
  Scene scene = scene_from_result(cx, &cx->keep, result);
  Poses poses = poses_read(&scene, &cx->keep, 0, 1, 0.05, 100);
  assert_int_equal(poses.count, 21);
  scene_settle(&scene, &poses);
  return scene;
}

static void motion_of_cart(double t, uint32_t i, double out[3]) { motion_of_sines(t, i, out); }

// A crank of length 1 about the origin and a rod of length 2 whose end slides along x.
static void motion_of_slider(double t, uint32_t i, double out[3]) {
  double phi = 2 * t, psi = -asin(sin(phi) / 2);
  double all[6] = {0.5 * cos(phi),      0.5 * sin(phi),      phi,
                   cos(phi) + cos(psi), sin(phi) + sin(psi), psi};
  out[0] = all[i], out[1] = out[2] = 0;
}

TEST(guesses_find_rods_carts_bodies_and_springs) {
  Scene rods = settled_scene(cx,
                             "model \"Two rods\"\nparam L = 1 [m], m = 1 [kg]\n"
                             "coord a = 1 [rad], b = 1 [rad]\n"
                             "let r_1 = (L*sin(a), -L*cos(a))\n"
                             "let r_2 = r_1 + (L*sin(b), -L*cos(b))\n"
                             "kinetic = 1/2*m*dot(r_2', r_2') + 1/2*m*dot(r_1', r_1')\n",
                             motion_of_sines);
  assert_int_equal(count_shapes(&rods, DRAW_LINE), 2);
  assert_int_equal(count_shapes(&rods, DRAW_DISC), 2);
  assert_int_equal(count_shapes(&rods, DRAW_GROUND), 1);
  assert_int_equal(count_shapes(&rods, DRAW_SPRING), 0);
  assert_int_equal(rods.hinges.n, 2);

  Scene cart = settled_scene(cx,
                             "model \"Cart\"\nparam L = 1 [m], m = 1 [kg]\n"
                             "coord x = 0 [m], theta = 1 [rad]\n"
                             "let r = (x + L*sin(theta), -L*cos(theta))\n"
                             "kinetic = 1/2*m*x'^2 + 1/2*m*dot(r', r')\n",
                             motion_of_cart);
  assert_int_equal(count_shapes(&cart, DRAW_BOX), 1);
  assert_int_equal(count_shapes(&cart, DRAW_LINE), 1);
  assert_int_equal(count_shapes(&cart, DRAW_SPRING), 0);

  Scene bodies = settled_scene(
      cx,
      "model \"Slider\"\nparam L = 1 [m], m = 1 [kg], J = 1 [kg*m^2]\n"
      "coord x_1 ~ 0 [m], y_1 ~ 0 [m], phi_1 = 0 [rad]\n"
      "coord x_2 ~ 0 [m], y_2 ~ 0 [m], phi_2 ~ 0 [rad]\n"
      "kinetic = 1/2*m*(x_1'^2 + y_1'^2 + x_2'^2 + y_2'^2) + 1/2*J*(phi_1'^2 + phi_2'^2)\n"
      "constraint A_x: x_1 = L/2*cos(phi_1)\nconstraint A_y: y_1 = L/2*sin(phi_1)\n"
      "constraint B_x: x_1 + L/2*cos(phi_1) = x_2 - L*cos(phi_2)\n"
      "constraint B_y: y_1 + L/2*sin(phi_1) = y_2 - L*sin(phi_2)\n"
      "constraint C: y_2 + L*sin(phi_2) = 0\n",
      motion_of_slider);
  assert_int_equal(count_shapes(&bodies, DRAW_LINE), 2);
  assert_int_equal(count_shapes(&bodies, DRAW_GROUND), 1);
  assert_true(bodies.hinges.n >= 2);

  Scene angle = settled_scene(cx,
                              "model \"Shaft\"\ncoord phi = 1 [rad]\n"
                              "kinetic = 1/2*2 [kg*m^2]*phi'^2\n",
                              motion_of_sines);
  assert_int_equal(count_shapes(&angle, DRAW_LINE), 1);
  assert_string_equal(angle.unit, "");
}

// Without any place in the plane, coordinates are shown one by one: pointers and marks on scales.
TEST(coordinates_without_places_are_dials_and_sliders) {
  static const char tanks[] =
      "param m = 1 [kg/m^4], J = 1 [kg*m^2]\n"
      "coord phi_1 = 0 [rad], v_1 = 1 [m^3], v_2 = 0 [m^3], phi_2 = 1 [rad]\n"
      "kinetic = 1/2*m*(v_1'^2 + v_2'^2) + 1/2*J*(phi_1'^2 + phi_2'^2)\n";
  Scene scene = settled_scene(cx, tanks, motion_of_sines);
  assert_int_equal(count_shapes(&scene, DRAW_DISC), 6); // two faces with their zeros, two marks
  assert_int_equal(count_shapes(&scene, DRAW_LINE), 6);
  assert_int_equal(count_shapes(&scene, DRAW_GROUND), 0); // nothing that looks like a mechanism
  assert_int_equal(count_shapes(&scene, DRAW_LABEL), 4);
  assert_string_equal(scene.unit, ""); // no metres
  // each on a row of its own, with the mark where its coordinate is
  double heights[2];
  int marks = 0;
  for (uint32_t i = 0; i < scene.shapes.n; i++) {
    const SceneShape *mark = &scene.shapes.at[i];
    const Signal *at = scene.signals.at + mark->points;
    if (mark->shape != DRAW_DISC || op_of(cx, at[0].value) != OP_SYMBOL) continue;
    assert_true(marks < 2);
    heights[marks++] = number_to_double(cx, node_of(cx, at[1].value)->number);
  }
  assert_int_equal(marks, 2);
  assert_true(heights[1] < heights[0] && heights[0] < 0);
}

// What no joint holds is a box that turns; a row of velocities joins nothing.
TEST(loose_bodies_are_boxes) {
  static const char loose[] =
      "param m = 1 [kg], J = 1 [kg*m^2]\n"
      "coord x_1 = 0 [m], y_1 = 0 [m], phi_1 = 0 [rad], x_2 = 1 [m], y_2 = 0 [m], phi_2 = 0 [rad]\n"
      "kinetic = 1/2*m*(x_1'^2 + y_1'^2 + x_2'^2 + y_2'^2) + 1/2*J*(phi_1'^2 + phi_2'^2)\n"
      "constraint a: x_1'*sin(phi_1) = y_1'*cos(phi_1)\n"
      "constraint b: x_2'*sin(phi_2) = y_2'*cos(phi_2)\n";
  Scene scene = settled_scene(cx, loose, motion_of_sines);
  assert_int_equal(count_shapes(&scene, DRAW_BOX), 2);
  assert_int_equal(scene.hinges.n, 0);
  for (uint32_t i = 0; i < scene.shapes.n; i++)
    if (scene.shapes.at[i].shape == DRAW_BOX) assert_true(scene.shapes.at[i].angle != NO_SIGNAL);
}

TEST(every_shape_is_drawn) {
  static const char *const text =
      "model \"Shapes\"\nparam a = 1 [m], m = 1 [kg]\ncoord x = 0 [m]\n"
      "kinetic = 1/2*m*x'^2\n"
      "draw line (0, 0) (x, a) (2*a, a)\n"
      "draw polygon (0, 0) (a, 0) (x, a) colour \"green\"\n"
      "draw disc (x, 0) radius a/4 angle x/a\n"
      "draw box (x, a) size (a, a/2) angle x/a colour \"#804000\"\n"
      "draw spring (0, 0) (x, 0)\ndraw damper (0, a) (x, a) width a/5\n"
      "draw ground (-a, 0) (a, 0)\ndraw ground (0, 0) angle x/a\n"
      "draw trail (x, 2*a)\ndraw arrow (0, 0) (x, x)\ndraw label (x, a) \"point <A>\"\n";
  Result *result = recording_of_motion(cx, text, motion_of_sines, 301, 0.01);
  const char *folder = scratch_folder(cx, "gif");
  AnimateOptions options = options_for(folder);
  Animation animation;
  assert_int_equal(animate_result(cx, result, &options, &animation), QDOT_OK);
  assert_false(animation.is_guessed);
  assert_int_equal(gif_decode(cx, folder_path(&cx->keep, folder, "animation.gif")).frames, 76);
  options.name = "mechanism";
  unsigned all = STILL_SVG | STILL_PDF | STILL_PNG;
  assert_int_equal(draw_still(cx, result, &options, all, 5, NULL), QDOT_OK);
  const char *svg;
  size_t n;
  assert_int_equal(folder_read(cx, &cx->keep, folder, "mechanism.svg", &svg, &n), QDOT_OK);
  assert_non_null(strstr(svg, "</svg>"));
  assert_non_null(strstr(svg, "width=\"560px\""));
  assert_int_equal(folder_read(cx, &cx->keep, folder, "mechanism.pdf", &svg, &n), QDOT_OK);
  assert_memory_equal(svg, "%PDF", 4);
  assert_int_equal(folder_read(cx, &cx->keep, folder, "mechanism.png", &svg, &n), QDOT_OK);
  assert_memory_equal(svg, "\x89PNG", 4);
  assert_int_equal(cx->diagnostics.list.n, 0);
  remove_folder(folder);
}

TEST(space_is_drawn_from_its_points) {
  Result *result =
      recording_of_motion(cx,
                          "model \"Spherical\"\nparam L = 1 [m], m = 1 [kg]\n"
                          "coord theta = 1 [rad], phi = 0 [rad]\n"
                          "let r = (L*sin(theta)*cos(phi), L*sin(theta)*sin(phi), -L*cos(theta))\n"
                          "kinetic = 1/2*m*dot(r', r')\n",
                          motion_of_sines, 201, 0.01);
  const char *folder = scratch_folder(cx, "gif");
  AnimateOptions options = options_for(folder);
  Animation animation;
  assert_int_equal(animate_result(cx, result, &options, &animation), QDOT_OK);
  assert_true(gif_decode(cx, folder_path(&cx->keep, folder, "animation.gif")).changed > 300);
  remove_folder(folder);
}

// ---- Odd results

static void motion_that_breaks(double t, uint32_t i, double out[3]) {
  motion_of_sines(t, i, out);
  if (t > 0.5) out[0] = NAN;
}

static void motion_far_away(double t, uint32_t i, double out[3]) {
  out[0] = 1000 * t, out[1] = 1000, out[2] = 0 * i;
}

TEST(odd_results_are_drawn_as_far_as_they_go) {
  static const char moving[] = "model \"Mass\"\nparam m = 1 [kg]\ncoord x = 0 [m], y = 0 [m]\n"
                               "kinetic = 1/2*m*(x'^2 + y'^2)\n";
  static const struct {
    const char *model;
    Motion *motion;
    uint64_t rows;
  } cases[] = {{pendulum, motion_that_breaks, 101},
               {pendulum, motion_of_sines, 1},
               {moving, motion_far_away, 101}};
  for (int i = 0; i < 3; i++) {
    Result *result = recording_of_motion(cx, cases[i].model, cases[i].motion, cases[i].rows, 0.03);
    const char *folder = scratch_folder(cx, "gif");
    AnimateOptions options = options_for(folder);
    options.width = 200;
    Animation animation;
    assert_int_equal(animate_result(cx, result, &options, &animation), QDOT_OK);
    assert_int_equal(gif_decode(cx, folder_path(&cx->keep, folder, "animation.gif")).frames,
                     cases[i].rows == 1 ? 1 : 76);
    remove_folder(folder);
  }
  Result *none = recording_of_motion(cx, pendulum, motion_of_sines, 0, 0.01);
  AnimateOptions options = options_for("/nowhere");
  Animation animation;
  assert_int_equal(animate_result(cx, none, &options, &animation), QDOT_BAD_FILE);
  Result *fine = recording_of_motion(cx, pendulum, motion_of_sines, 10, 0.01);
  assert_int_equal(animate_result(cx, fine, &options, &animation), QDOT_IO);
  assert_int_equal(draw_still(cx, fine, &options, STILL_SVG, 0, NULL), QDOT_IO);
  const Diagnostic *last = &cx->diagnostics.list.at[cx->diagnostics.list.n - 1];
  assert_non_null(strstr(last->message, "/nowhere/"));
  assert_non_null(strstr(last->message, "No such file or directory"));
  assert_string_equal(cx->diagnostics.list.at[1].message,
                      "cannot write '/nowhere/animation.gif.part': No such file or directory");
}

// Smaller than the margins are otherwise.
TEST(stamps_are_drawn) {
  Result *result = recording_of_motion(cx, pendulum, motion_of_sines, 20, 0.1);
  const char *folder = scratch_folder(cx, "gif");
  AnimateOptions options = options_for(folder);
  for (options.width = 2; options.width < 80; options.width += 13) {
    Animation animation;
    assert_int_equal(animate_result(cx, result, &options, &animation), QDOT_OK);
    assert_int_equal(animation.width, options.width / 2 * 2 + options.width % 2 * 2);
    assert_true(animation.height < 200);
  }
  remove_folder(folder);
}

TEST(films_go_to_ffmpeg_and_a_missing_one_is_a_message) {
  Result *result = recording_of_motion(cx, pendulum, motion_of_sines, 201, 0.01);
  const char *folder = scratch_folder(cx, "gif");
  AnimateOptions options = options_for(folder);
  options.formats = ANIMATION_GIF | ANIMATION_MP4;
  options.width = 120;
  options.ffmpeg = "ffmpeg-that-is-not-there";
  Animation animation;
  assert_int_equal(animate_result(cx, result, &options, &animation), QDOT_NO_PROGRAM);
  assert_string_equal(cx->diagnostics.list.at[0].message,
                      "no MP4: 'ffmpeg-that-is-not-there' is not installed");
  assert_int_equal(access(folder_path(&cx->keep, folder, "animation.gif"), F_OK), 0);

  // A program in its place that keeps what it is given in the file that it is told.
  static const char script[] = "#!/bin/sh\nfor last; do :; done\ncat > \"$last\"\n";
  assert_int_equal(folder_write(cx, folder, "keep", script, sizeof script - 1), QDOT_OK);
  options.ffmpeg = folder_path(&cx->keep, folder, "keep");
  assert_int_equal(chmod(options.ffmpeg, 0755), 0);
  options.formats = ANIMATION_MP4;
  assert_int_equal(animate_result(cx, result, &options, &animation), QDOT_OK);
  struct stat about;
  assert_int_equal(stat(folder_path(&cx->keep, folder, "animation.mp4"), &about), 0);
  assert_int_equal(about.st_size, 4 * animation.width * animation.height * animation.frames);

  static const char failing[] = "#!/bin/sh\necho no codec >&2\nexit 1\n";
  assert_int_equal(folder_write(cx, folder, "keep", failing, sizeof failing - 1), QDOT_OK);
  assert_int_equal(chmod(options.ffmpeg, 0755), 0);
  assert_int_equal(animate_result(cx, result, &options, &animation), QDOT_NO_PROGRAM);
  assert_non_null(strstr(cx->diagnostics.list.at[1].message, "failed: no codec"));
  remove_folder(folder);
}

// ---- Exhaustion

static Status animate_into(Context *cx, void *folder) {
  Result *result = recording_of_motion(cx, pendulum, motion_of_sines, 30, 0.1);
  AnimateOptions options = options_for(folder);
  options.width = 200;
  options.speed = 20;
  Animation animation;
  Status status = animate_result(cx, result, &options, &animation);
  return status == QDOT_OK ? draw_still(cx, result, &options, STILL_SVG, 3, NULL) : status;
}

TEST(memory_that_ends_leaves_nothing_open) {
  const char *folder = scratch_folder(cx, "gif");
  fail_each_allocation(animate_into, (void *)folder, QDOT_OK);
  remove_folder(folder);
}

RUN_TESTS(cmocka_unit_test(frames_come_back_as_they_were),
          cmocka_unit_test(palettes_keep_the_ground_and_come_near_to_everything),
          cmocka_unit_test(ten_seconds_are_small_and_move),
          cmocka_unit_test(speed_is_chosen_or_given),
          cmocka_unit_test(a_small_budget_gives_a_smaller_picture),
          cmocka_unit_test(guesses_find_rods_carts_bodies_and_springs),
          cmocka_unit_test(coordinates_without_places_are_dials_and_sliders),
          cmocka_unit_test(loose_bodies_are_boxes), cmocka_unit_test(every_shape_is_drawn),
          cmocka_unit_test(space_is_drawn_from_its_points),
          cmocka_unit_test(odd_results_are_drawn_as_far_as_they_go),
          cmocka_unit_test(stamps_are_drawn),
          cmocka_unit_test(films_go_to_ffmpeg_and_a_missing_one_is_a_message),
          cmocka_unit_test(memory_that_ends_leaves_nothing_open))
