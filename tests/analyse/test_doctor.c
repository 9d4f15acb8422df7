// What is found about mechanisms: mobility, joints that are too many, gaps, loose bodies.
#include "analyse/mobility/doctor.h"
#include "analyse/mobility/freedom.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "derive/formulate.h"
#include "lang/read.h"
#include "support/check.h"

static Doctor examined(Context *cx, const char *text) {
  Model *model;
  Doctor d;
  assert_int_equal(model_read(cx, "test", text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(model_formulate(cx, model, FORMULATION_LAGRANGE, &model), QDOT_OK);
  assert_int_equal(doctor_examine(cx, model, &d), QDOT_OK);
  return d;
}

#define LINKS                                                                                      \
  "body crank: rod 1 [m], mass 1 [kg], angle = 60 [deg]\n"                                         \
  "body coupler: rod 2 [m], mass 1 [kg], angle 20 [deg]\n"                                         \
  "body rocker: rod 2 [m], mass 1 [kg], angle 110 [deg]\n"                                         \
  "joint A: revolute ground (0, 0), crank (-0.5 [m], 0)\n"                                         \
  "joint B: revolute crank (0.5 [m], 0), coupler (-1 [m], 0)\n"                                    \
  "joint C: revolute coupler (1 [m], 0), rocker (1 [m], 0)\n"

// The same of length s, as yet without its last joint.
#define FOUR_BAR                                                                                   \
  "body crank: rod s, mass 1 [kg], angle = 60 [deg]\n"                                             \
  "body coupler: rod 2*s, mass 1 [kg], angle 20 [deg]\n"                                           \
  "body rocker: rod 2*s, mass 1 [kg], angle 110 [deg]\n"                                           \
  "joint A: revolute ground (0, 0), crank (-s/2, 0)\n"                                             \
  "joint B: revolute crank (s/2, 0), coupler (-1*s, 0)\n"                                          \
  "joint C: revolute coupler (s, 0), rocker (s, 0)\n"

TEST(a_four_bar_has_one_freedom) {
  Doctor d = examined(cx, LINKS "joint D: revolute rocker (-1 [m], 0), ground (2 [m], 0)\n"
                                "motor A: speed 2 [rad/s]\n");
  assert_int_equal(d.gruebler, 1);
  assert_int_equal(d.mobility, 1);
  assert_int_equal(d.drives, 1);
  assert_int_equal(d.gaping, 0);
  assert_int_equal(d.superfluous.n + d.loose.n, 0);
}

// Stretched out, the rods reach from the end of the crank, which is kept, towards the pin.
TEST(a_linkage_that_is_too_short_gapes) {
  Doctor d = examined(cx, LINKS "joint D: revolute rocker (-1 [m], 0), ground (6 [m], 0)\n");
  assert_true(d.gaping != 0);
  CHECK_NEAR(d.gap, hypot(6 - cos(M_PI / 3), sin(M_PI / 3)) - 4, 1e-5);
}

// From these guesses the loop closes only after the rods have turned far.
TEST(guesses_may_be_poor) {
  for (int angle = -170; angle < 180; angle += 40) {
    char text[1000];
    snprintf(text, sizeof text,
             "body crank: rod 1 [m], mass 1 [kg], angle = 60 [deg]\n"
             "body coupler: rod 2 [m], mass 1 [kg], angle %d [deg]\n"
             "body rocker: rod 2 [m], mass 1 [kg], angle %d [deg]\n"
             "joint A: revolute ground (0, 0), crank (-0.5 [m], 0)\n"
             "joint B: revolute crank (0.5 [m], 0), coupler (-1 [m], 0)\n"
             "joint C: revolute coupler (1 [m], 0), rocker (1 [m], 0)\n"
             "joint D: revolute rocker (-1 [m], 0), ground (2 [m], 0)\n",
             angle, angle + 170);
    Doctor d = examined(cx, text);
    assert_int_equal(d.gaping, 0);
    assert_int_equal(d.mobility, 1);
  }
}

// The third crank of a double parallelogram: counting says 0, and yet it moves.
TEST(a_parallel_crank_is_superfluous) {
  Doctor d =
      examined(cx, "body beam: rod 2 [m], mass 1 [kg], at (0.5 [m], 0.8 [m]), angle = 0\n"
                   "for i in 1..3\n"
                   "  body crank[i]: rod 1 [m], mass 1 [kg], angle 60 [deg]\n"
                   "  joint foot[i]: revolute ground ((i - 2)*1 [m], 0), crank[i] (-0.5 [m], 0)\n"
                   "  joint head[i]: revolute crank[i] (0.5 [m], 0), beam ((i - 2)*1 [m], 0)\n"
                   "end\n");
  assert_int_equal(d.gruebler, 0);
  assert_int_equal(d.mobility, 1);
  assert_int_equal(d.superfluous.n, 1);
  assert_string_equal(symbol_text(cx, d.superfluous.at[0]), "head[3]");
}

TEST(a_body_without_joints_is_loose) {
  Doctor d = examined(cx, LINKS "body ball: disc 1 [m], mass 1 [kg]\n");
  assert_int_equal(d.loose.n, 1);
  assert_string_equal(symbol_text(cx, d.loose.at[0]), "ball");
  assert_int_equal(d.mobility, d.gruebler);
}

// A point has two freedoms, and a slide or a weld takes no angle from it.
TEST(points_are_counted_without_their_angles) {
  static const char *const heads[] = {
      "", "body arm: rod 1 [m], mass 1 [kg]\njoint O: revolute ground (0, 0), arm (-0.5 [m], 0)\n"};
  static const char *const joints[] = {"revolute", "prismatic", "weld", "slot"};
  static const int removed[] = {2, 1, 2, 1};
  for (int h = 0; h < 2; h++)
    for (int k = 0; k < 4; k++) {
      if (h == 0 && removed[k] == 2) continue; // nothing would be left to move
      char text[400];
      snprintf(text, sizeof text,
               "%sbody dot: point, mass 1 [kg], at (0.5 [m], 0)\njoint A: %s %s, dot (0, 0)\n",
               heads[h], joints[k], h ? "arm (0, 0)" : "ground (0.5 [m], 0)");
      Doctor d = examined(cx, text);
      assert_int_equal(d.points, 1);
      assert_int_equal(d.gruebler, h + 2 - removed[k]);
      assert_int_equal(d.mobility, d.gruebler);
    }
}

static uint32_t freedom_of(Context *cx, const char *text) {
  Model *model;
  assert_int_equal(model_read(cx, "test", text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(model_formulate(cx, model, FORMULATION_LAGRANGE, &model), QDOT_OK);
  return model_freedom(model);
}

TEST(what_is_stated_twice_counts_once) {
  const char *head = "param m = 1, L = 1\ncoord x = 1, y ~ 0\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
                     "constraint rod: x^2 + y^2 = L^2\n";
  char text[500];
  assert_int_equal(freedom_of(cx, head), 1);
  snprintf(text, sizeof text, "%sconstraint again: sqrt(x^2 + y^2) = L\n", head);
  assert_int_equal(freedom_of(cx, text), 1);
  snprintf(text, sizeof text, "%sconstraint other: y = 2*x - 2\n", head);
  assert_int_equal(freedom_of(cx, text), 0);
  // only where it is assembled does the third crank of a parallelogram say nothing new
  const char *cranks =
      "body beam: rod 2 [m], mass 1 [kg], at (0.5 [m], 0.8 [m]), angle = 0\n"
      "for i in 1..3\n"
      "  body crank[i]: rod 1 [m], mass 1 [kg], angle 60 [deg]\n"
      "  joint foot[i]: revolute ground ((i - 2)*1 [m], 0), crank[i] (-0.5 [m], 0)\n"
      "  joint head[i]: revolute crank[i] (0.5 [m], 0), beam ((i - 2)*1 [m], 0)\n"
      "end\n";
  assert_int_equal(freedom_of(cx, cranks), 1);
}

// Watches and bridges are examined alike.
TEST(sizes_do_not_matter) {
  static const char *const mechanisms[] = {
      // a four-bar; one that is too short; a third crank; a guide that blocks; a slider with rod
      FOUR_BAR "joint D: revolute rocker (-1*s, 0), ground (2*s, 0)\n",
      FOUR_BAR "joint D: revolute rocker (-1*s, 0), ground (6*s, 0)\n",
      "body beam: rod 2*s, mass 1 [kg], at (s/2, 0.8*s), angle = 0\n"
      "for i in 1..3\n"
      "  body crank[i]: rod s, mass 1 [kg], angle 60 [deg]\n"
      "  joint foot[i]: revolute ground ((i - 2)*s, 0), crank[i] (-s/2, 0)\n"
      "  joint head[i]: revolute crank[i] (s/2, 0), beam ((i - 2)*s, 0)\n"
      "end\n",
      FOUR_BAR "joint D: revolute rocker (-1*s, 0), ground (2*s, 0)\n"
               "joint E: prismatic ground (0, 0), coupler (0, 0), axis 0\n",
      "body crank: rod s, mass 1 [kg], angle = 50 [deg]\n"
      "body rod: rod 3*s, mass 1 [kg], angle -10 [deg]\n"
      "body block: plate (s, s), mass 1 [kg], at (3*s, 0)\n"
      "joint A: revolute ground (0, 0), crank (-s/2, 0)\n"
      "joint B: revolute crank (s/2, 0), rod (-1.5*s, 0)\n"
      "joint C: revolute rod (1.5*s, 0), block (0, 0)\n"
      "joint D: prismatic ground (0, 0), block (0, 0), axis 0\n"
      "joint F: prismatic ground (s, 0), block (s/2, 0), axis 0\n",
  };
  for (size_t k = 0; k < sizeof mechanisms / sizeof *mechanisms; k++) {
    Doctor usual = {0};
    for (int power = 0; power <= 15; power++) {
      // 1 m first
      double s = pow(10, (power + 6) % 16 - 6);
      char text[1500];
      snprintf(text, sizeof text, "param s = %.17g [m]\n%s", s, mechanisms[k]);
      Doctor d = examined(cx, text);
      if (power == 0) usual = d;
      assert_int_equal(d.mobility, usual.mobility);
      assert_int_equal(d.gaping != 0, usual.gaping != 0);
      CHECK_NEAR(d.gap / s, usual.gap, 1e-5);
      assert_int_equal(d.superfluous.n, usual.superfluous.n);
      for (uint32_t i = 0; i < d.superfluous.n; i++)
        assert_int_equal(d.superfluous.at[i], usual.superfluous.at[i]);
      assert_int_equal(d.undetermined.n, usual.undetermined.n);
      for (uint32_t i = 0; i < d.undetermined.n; i++)
        assert_int_equal(d.undetermined.at[i], usual.undetermined.at[i]);
      int freedom = (int)freedom_of(cx, text);
      assert_int_equal(
          freedom, freedom_of(cx, text_format(&cx->keep, "param s = 1 [m]\n%s", mechanisms[k])));
    }
  }
}

RUN_TESTS(cmocka_unit_test(sizes_do_not_matter), cmocka_unit_test(what_is_stated_twice_counts_once),
          cmocka_unit_test(a_four_bar_has_one_freedom),
          cmocka_unit_test(a_linkage_that_is_too_short_gapes),
          cmocka_unit_test(guesses_may_be_poor), cmocka_unit_test(a_parallel_crank_is_superfluous),
          cmocka_unit_test(a_body_without_joints_is_loose),
          cmocka_unit_test(points_are_counted_without_their_angles))
