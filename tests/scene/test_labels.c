// Symbols in a drawing: each is found where it must be, and nothing is named that could be another.
#include "scene/labels.h"

#include <math.h>
#include <string.h>

#include "support/check.h"
#include "support/recordings.h"

typedef struct Labelled {
  Scene scene;
  Poses poses;
  SceneLabels labels;
} Labelled;

static Labelled labelled_result(Context *cx, const Result *result) {
  Labelled l = {.scene = scene_from_result(cx, &cx->keep, result)};
  uint32_t first = scene_add_coordinates(&l.scene);
  l.poses = poses_read(&l.scene, &cx->keep, 0, 1, 0.01, 101);
  scene_settle(&l.scene, &l.poses);
  l.labels = scene_labels(&l.scene, &l.poses, first);
  return l;
}

static Labelled labelled(Context *cx, const char *text) {
  return labelled_result(cx, recording_of_motion(cx, text, motion_of_sines, 101, 0.01));
}

// An angle, and a point that it takes around a circle of 0.7 m.
static void motion_on_ring(double t, uint32_t i, double out[3]) {
  const double r = 0.7;
  out[0] = i == 0 ? 0.3 + t : r * (i == 1 ? cos(t) : sin(t));
  out[1] = i == 0 ? 1 : r * (i == 1 ? -sin(t) : cos(t));
  out[2] = i == 0 ? 0 : -out[0];
}

static const SceneLabel *find(const Labelled *l, LabelKind kind, const char *name) {
  for (uint32_t i = 0; i < l->labels.n; i++)
    if (l->labels.at[i].kind == kind && strcmp(l->labels.at[i].name, name) == 0)
      return &l->labels.at[i];
  return NULL;
}

static uint32_t count(const Labelled *l, LabelKind kind) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < l->labels.n; i++) n += l->labels.at[i].kind == kind;
  return n;
}

#define NUMBERS(l1, l2)                                                                            \
  "param g = 9.81 [m/s^2], m_1 = 1 [kg], m_2 = 1 [kg], L_1 = " l1 " [m], L_2 = " l2 " [m]\n"       \
  "coord theta_1 = 0.3, theta_2 = 0.2\n"

#define ENERGIES                                                                                   \
  "kinetic = 1/2*m_1*dot(r_1', r_1') + 1/2*m_2*dot(r_2', r_2')\n"                                  \
  "potential = m_1*g*r_1.y + m_2*g*r_2.y\n"

static void check_double_pendulum(const Labelled *l, double zero) {
  for (int i = 1; i <= 2; i++) {
    char angle[] = "theta_1", length[] = "L_1", mass[] = "m_1";
    angle[6] = length[2] = mass[2] = (char)('0' + i);
    const SceneLabel *label = find(l, LABEL_ANGLE, angle);
    assert_non_null(label);
    CHECK_NEAR(label->zero, zero, 1e-9);
    assert_int_equal(label->sign, 1);
    assert_non_null(find(l, LABEL_LENGTH, length));
    assert_non_null(find(l, LABEL_MASS, mass));
  }
  const SceneLabel *gravity = find(l, LABEL_GRAVITY, "g");
  assert_non_null(gravity);
  CHECK_NEAR(gravity->way[1], -1, 0);
}

TEST(a_double_pendulum_is_named_in_full) {
  Labelled l = labelled(cx, NUMBERS("1", "1") //
                        "let r_1 = (L_1*sin(theta_1), -L_1*cos(theta_1))\n"
                        "let r_2 = r_1 + (L_2*sin(theta_2), -L_2*cos(theta_2))\n" ENERGIES
                        "draw line (0, 0) r_1 r_2\n");
  check_double_pendulum(&l, -M_PI / 2);
  assert_int_equal(find(&l, LABEL_ANGLE, "theta_2")->base_from, NO_SIGNAL);
}

// The second angle is measured from the first rod.
TEST(relative_angles_have_a_piece_for_their_base) {
  Labelled l =
      labelled(cx, NUMBERS("0.7", "1.1") //
               "let r_1 = (L_1*cos(theta_1), L_1*sin(theta_1))\n"
               "let r_2 = r_1 + (L_2*cos(theta_1 + theta_2), L_2*sin(theta_1 + theta_2))\n" ENERGIES
               "draw line (0, 0) r_1 r_2\n");
  check_double_pendulum(&l, 0);
  const SceneLabel *second = find(&l, LABEL_ANGLE, "theta_2");
  assert_int_equal(second->base_to, second->from);
}

TEST(springs_and_places_are_named) {
  Labelled l = labelled(cx, "param m = 2 [kg], k = 50 [N/m], l_0 = 0.3 [m]\n"
                            "coord x = 0.2 [m]\n"
                            "kinetic = 1/2*m*x'^2\n"
                            "potential = 1/2*k*(x + 1 [m] - l_0)^2\n"
                            "draw spring (-1 [m], 0) (x, 0)\n"
                            "draw box (x, 0) size (0.2 [m], 0.1 [m])\n");
  assert_non_null(find(&l, LABEL_SPRING, "k"));
  assert_non_null(find(&l, LABEL_MASS, "m"));
  assert_non_null(find(&l, LABEL_POSITION, "x"));
  assert_int_equal(count(&l, LABEL_GRAVITY), 0);
}

// Two parameters of one value, and nothing tells which one it is; a mass that is elsewhere.
TEST(what_could_be_another_is_not_named) {
  Labelled l = labelled(cx, "param a = 1 [m], b = 1 [m], m = 1 [kg], c = 2 [m]\n"
                            "coord theta = 0.3\n"
                            "kinetic = 1/2*m*(c*theta')^2\n"
                            "potential = m*9.81 [m/s^2]*a*b/c*cos(theta)\n"
                            "draw line (0, 0) (sin(theta)*1 [m], cos(theta)*1 [m])\n");
  assert_int_equal(count(&l, LABEL_LENGTH), 0);
  assert_int_equal(count(&l, LABEL_MASS), 0);
  assert_int_equal(count(&l, LABEL_ANGLE), 1);
  assert_int_equal(find(&l, LABEL_ANGLE, "theta")->sign, -1);
}

// Values that happen to be equal name nothing: a length that is twice b is not a, whatever a is; a
// length that only constraints keep is the parameter they keep it at.
TEST(equal_values_are_no_reason) {
  Random random = random_start("equal_values");
  for (int round = 0; round < 20; round++) {
    double b = random_real(&random, 0.01, 2), c = random_real(&random, 0.01, 2);
    const char *text = text_format(
        &cx->keep,
        "param b = %.17g [m], c = %.17g [m], a = %.17g [m], s = %.17g [m], L = 0.7 [m]\n"
        "param K = 0.7 [m]\ncoord theta = 0.3, x ~ 0.6 [m], y ~ 0.2 [m]\n"
        "kinetic = 1/2*1 [kg]*(L^2*theta'^2 + x'^2 + y'^2)\n"
        "constraint ring: x^2 + y^2 = L^2\n"
        "draw line (-b, 0) (b, 0)\ndraw line (0, 0) (b*cos(theta) + c*sin(theta), "
        "b*sin(theta) - c*cos(theta))\ndraw line (0, 0) (c*cos(theta), c*sin(theta))\n"
        "draw line (0, 0) (x, y)\n",
        b, c, 2 * b, hypot(b, c));
    Result *result = recording_of_motion(cx, text, motion_on_ring, 101, 0.01);
    Labelled l = labelled_result(cx, result);
    assert_non_null(find(&l, LABEL_LENGTH, "c"));
    assert_non_null(find(&l, LABEL_LENGTH, "L"));
    assert_int_equal(count(&l, LABEL_LENGTH), 2);
  }
}

// A radius has the name of the parameter that it is, and none of one that is as large.
TEST(radii_are_named) {
  Labelled l = labelled(cx, "param m = 1 [kg], r = 0.1 [m], R = 0.5 [m], d = 0.2 [m]\n"
                            "coord theta = 0.3, s = 0.4 [m]\n"
                            "kinetic = 1/2*m*((R - r)^2*theta'^2 + s'^2)\n"
                            "draw disc (0, 0) radius R\n"
                            "draw disc ((R - r)*cos(theta), (R - r)*sin(theta)) radius r\n"
                            "draw disc (0, 1 [m]) radius 2*r\ndraw disc (0, 2 [m]) radius s\n");
  assert_non_null(find(&l, LABEL_RADIUS, "R"));
  assert_non_null(find(&l, LABEL_RADIUS, "r"));
  assert_null(find(&l, LABEL_RADIUS, "d"));
  const SceneLabel *changing = find(&l, LABEL_RADIUS, "s");
  assert_true(!changing || changing->value != NO_SIGNAL);
  assert_true(count(&l, LABEL_RADIUS) <= 3);
}

// Letters, what stands below them, and the colour of the part that an angle turns.
// Several that move one part share its colour; where a draw line chose one, theirs is no place.
TEST(every_coordinate_has_the_colour_of_its_part) {
  static const char *const drawings[] = {
      "draw box (x, y) size (0.2 [m], 0.1 [m]) angle theta\ndraw disc (u, 0)\n",
      "draw box (x, y) angle theta colour \"red\"\ndraw disc (u, 0) colour \"#123456\"\n",
      "draw line (0, 0) (x, y)\ndraw line (0, 0) (u*cos(theta), u*sin(theta))\n"};
  for (size_t i = 0; i < sizeof drawings / sizeof *drawings; i++) {
    const char *text = text_format(
        &cx->keep,
        "param m = 1 [kg], J = 1 [kg*m^2]\ncoord x = 0 [m], y = 0 [m], theta = 0 [rad], "
        "u = 0 [m]\nkinetic = 1/2*m*(x'^2 + y'^2 + u'^2) + 1/2*J*theta'^2\n%s",
        drawings[i]);
    Result *result = recording_of_motion(cx, text, motion_of_sines, 101, 0.01);
    const int *places = scene_palette_places(cx, &cx->keep, result);
    const int expected[3][4] = {{0, 0, 0, 1}, {-1, -1, -1, -1}, {0, 0, 1, 1}};
    assert_memory_equal(places, expected[i], sizeof expected[i]);
  }
}

TEST(symbols_are_taken_apart_as_a_paper_prints_them) {
  Labelled l = labelled(cx, "param L = 1 [m], m = 1 [kg]\ncoord theta[1] = 0.3, phi_arm_2 = 0.2\n"
                            "kinetic = 1/2*m*L^2*(theta[1]'^2 + phi_arm_2'^2)\n"
                            "draw line (0, 0) (L*cos(theta[1]), L*sin(theta[1]))\n"
                            "draw line (2*L, 0) (2*L + cos(phi_arm_2)*L, L*sin(phi_arm_2))\n");
  const SceneLabel *theta = find(&l, LABEL_ANGLE, "theta[1]");
  const SceneLabel *phi = find(&l, LABEL_ANGLE, "phi_arm_2");
  assert_non_null(theta);
  assert_non_null(phi);
  assert_string_equal(theta->text, "θ");
  assert_string_equal(theta->subscript, "1");
  assert_string_equal(phi->text, "φ");
  assert_string_equal(phi->subscript, "arm,2");
  assert_memory_not_equal(&theta->colour, &phi->colour, sizeof theta->colour);
}

// A drawing whose lengths are made up names its angle and nothing else.
TEST(a_lone_pointer_has_its_angle) {
  Labelled l = labelled(cx, "param m = 1 [kg], L = 1 [m], g = 9.81 [m/s^2]\ncoord theta = 0.3\n"
                            "kinetic = 3/4*m*L^2*theta'^2\npotential = -m*g*L*cos(theta)\n");
  assert_non_null(find(&l, LABEL_ANGLE, "theta"));
  assert_int_equal(l.labels.n, 1);
}

RUN_TESTS(cmocka_unit_test(every_coordinate_has_the_colour_of_its_part),
          cmocka_unit_test(a_double_pendulum_is_named_in_full),
          cmocka_unit_test(relative_angles_have_a_piece_for_their_base),
          cmocka_unit_test(springs_and_places_are_named),
          cmocka_unit_test(what_could_be_another_is_not_named),
          cmocka_unit_test(equal_values_are_no_reason), cmocka_unit_test(radii_are_named),
          cmocka_unit_test(symbols_are_taken_apart_as_a_paper_prints_them),
          cmocka_unit_test(a_lone_pointer_has_its_angle))
