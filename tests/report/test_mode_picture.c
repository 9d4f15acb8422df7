// Modes on the mechanism: constraints are kept along them, and their animations repeat.
#include "report/mode_picture.h"

#include <math.h>

#include "analyse/vibration/mode_motion.h"
#include "base/host/folder.h"
#include "support/analysis.h"
#include "support/gif_reading.h"
#include "support/recordings.h"

static const char rods[] = "param g = 9.81 [m/s^2], m = 1 [kg], L = 1 [m]\n"
                           "coord x_1 ~ 0.1 [m], y_1 ~ -1 [m], x_2 ~ 0 [m], y_2 ~ -2 [m]\n"
                           "kinetic = 1/2*m*(x_1'^2 + y_1'^2) + 1/2*m*(x_2'^2 + y_2'^2)\n"
                           "potential = m*g*(y_1 + y_2)\n"
                           "constraint a: x_1^2 + y_1^2 = L^2\n"
                           "constraint b: (x_2 - x_1)^2 + (y_2 - y_1)^2 = L^2\n";

static Modes modes_of(const Linearized *l) {
  Modes modes;
  assert_int_equal(modes_find(l, &l->cx->keep, &modes), QDOT_OK);
  return modes;
}

TEST(constraints_are_kept_along_a_mode) {
  Analysed a = analysed(cx, rods);
  Linearized l = linearized(&a);
  Modes modes = modes_of(&l);
  ModeMotion motion;
  mode_motion_open(&motion, &l, a.values);
  for (uint32_t k = 0; k < modes.count; k++)
    for (int i = 0; i < 16; i++) {
      double part = 0.3 * cos(0.4 * i), q[4];
      const Mode *mode = &modes.mode[k];
      assert_int_equal(mode_motion_at(&motion, mode, part, 0, q), QDOT_OK);
      CHECK_NEAR(hypot(q[0], q[1]), 1, 1e-12);
      CHECK_NEAR(hypot(q[2] - q[0], q[3] - q[1]), 1, 1e-12);
      CHECK_NEAR(q[0], part * mode->shape_re[0], 1e-12);
      CHECK_NEAR(q[2], part * mode->shape_re[2], 1e-12);
      assert_true(q[1] < -0.8 && q[3] < -1.6);
    }
  // a rod of 1 m does not reach 3 m
  double q[4];
  assert_int_equal(mode_motion_at(&motion, &modes.mode[0], 3, 0, q), QDOT_INCONSISTENT);
  mode_motion_close(&motion);
}

static Decoded draw(Context *cx, const char *text, uint32_t k, const char *folder) {
  Analysed a = analysed(cx, text);
  Linearized l = linearized(&a);
  Modes modes = modes_of(&l);
  ModePictureOptions options = {.animate = animate_defaults(), .stills = STILL_SVG};
  options.animate.folder = folder;
  options.language = language_find("en");
  const char *name;
  assert_int_equal(mode_picture(cx, &l, &modes, a.values, k, &options, &name), QDOT_OK);
  const char *file = text_format(&cx->keep, "%s.gif", folder_path(&cx->keep, folder, name));
  return gif_decode(cx, file);
}

TEST(a_film_is_one_period_and_moves) {
  const char *folder = scratch_folder(cx, "mode");
  for (uint32_t k = 0; k < 2; k++) {
    Decoded d = draw(cx, rods, k, folder);
    assert_int_equal(d.frames, 40);
    assert_int_equal(d.centiseconds, 160);
    assert_true(d.repeats && d.changed > 500);
  }
  const char *text;
  size_t length;
  assert_int_equal(folder_read(cx, &cx->keep, folder, "mode-2.svg", &text, &length), QDOT_OK);
  remove_folder(folder);
}

// A closed loop, a mode that grows, a turn about an axis that nothing resists, a circle.
TEST(every_kind_of_mode_is_drawn) {
  static const char *const texts[] = {
      "param m = 1 [kg], g = 9.81 [m/s^2], L = 1 [m]\ncoord theta = 3 [rad]\n"
      "kinetic = 1/2*m*L^2*theta'^2\npotential = -m*g*L*cos(theta)\n"
      "linearize at theta = pi\n",
      "param J = 1 [kg*m^2]\ncoord a = 0 [rad], b = 0 [rad]\n"
      "kinetic = 1/2*J*(a'^2 + b'^2)\npotential = 1/2*3 [N*m]*(a - b)^2\n",
      "param m = 1 [kg], k = 2 [N/m], W = 0.3 [1/s]\ncoord x = 0 [m], y = 0 [m]\n"
      "kinetic = 1/2*m*(x'^2 + y'^2) + m*W*(x*y' - y*x')\npotential = 1/2*k*(x^2 + y^2)\n",
      "param m = 1 [kg], g = 9.81 [m/s^2], r = 1 [m]\n"
      "coord x ~ 0.9 [m], y ~ 0.1 [m], u ~ 1.9 [m], v ~ 0.2 [m]\n"
      "kinetic = 1/2*m*(x'^2 + y'^2 + u'^2 + v'^2)\npotential = -m*g*(y + v)\n"
      "constraint a: x^2 + y^2 = r^2\n"
      "constraint b: (u - x)^2 + (v - y)^2 = r^2\n"
      "constraint c: (u - 2*r)^2 + v^2 = r^2/4\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *folder = scratch_folder(cx, "mode");
    Decoded d = draw(cx, texts[i], 0, folder);
    assert_true(d.frames == 40 && d.changed > 100);
    remove_folder(folder);
  }
}

// A spring is stretched by less than half its length, however large the rest of the scene is.
TEST(springs_are_not_drawn_through_themselves) {
  static const char text[] = "param m = 1 [kg], k = 2 [N/m]\ncoord x = 1 [m]\n"
                             "kinetic = 1/2*m*x'^2\npotential = 1/2*k*(x - 1 [m])^2\n"
                             "draw spring (0, 0) (x, 0)\ndraw ground (-8, -1) (8, -1)\n";
  const char *folder = scratch_folder(cx, "mode");
  Decoded d = draw(cx, text, 0, folder);
  assert_true(d.frames == 40 && d.changed > 20);
  remove_folder(folder);
}

// A mechanism that is small beside what is drawn around it moves as far as it can.
TEST(small_mechanisms_reach_as_far_as_they_can) {
  const char *folder = scratch_folder(cx, "mode");
  const char *text = text_format(&cx->keep,
                                 "%sdraw ground (-1e4, -3) (1e4, -3)\n"
                                 "draw line (0, 0) (x_1, y_1) (x_2, y_2)\n",
                                 rods);
  assert_true(draw(cx, text, 1, folder).frames > 0);
  remove_folder(folder);
}

// Numbers in a caption have the language's sign, its words stay.
TEST(captions_use_the_languages_decimal_sign) {
  const char *folder = scratch_folder(cx, "mode");
  Analysed a = analysed(cx, rods);
  Linearized l = linearized(&a);
  Modes modes = modes_of(&l);
  ModePictureOptions options = {.animate = animate_defaults(), .stills = STILL_SVG};
  options.animate.folder = folder;
  options.animate.formats = 0;
  Text files[2];
  const char *const languages[] = {"en", "de"};
  for (int i = 0; i < 2; i++) {
    const char *name, *text;
    size_t length;
    options.language = language_find(languages[i]);
    assert_int_equal(mode_picture(cx, &l, &modes, a.values, 0, &options, &name), QDOT_OK);
    assert_int_equal(folder_read(cx, &cx->keep, folder, "mode-1.svg", &text, &length), QDOT_OK);
    files[i] = text_new(&cx->keep);
    text_add_bytes(&files[i], text, length);
  }
  assert_string_not_equal(files[0].at, files[1].at);
  remove_folder(folder);
}

RUN_TESTS(cmocka_unit_test(constraints_are_kept_along_a_mode),
          cmocka_unit_test(a_film_is_one_period_and_moves),
          cmocka_unit_test(every_kind_of_mode_is_drawn),
          cmocka_unit_test(springs_are_not_drawn_through_themselves),
          cmocka_unit_test(small_mechanisms_reach_as_far_as_they_can),
          cmocka_unit_test(captions_use_the_languages_decimal_sign))
