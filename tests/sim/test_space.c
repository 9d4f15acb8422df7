// Solids by points and unit vectors against equations of other kinds.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/read.h"
#include "support/motion.h"

#define FRAME "u (1, 0, 0), v (0, 1, 0), w (0, 0, 1)"
#define OUTPUTS "output w_1 = dot(v', w), w_2 = dot(w', u), w_3 = dot(u', v)\n"

static Motion moved(Context *cx, const char *text) {
  Motion m = motion_load(cx, text, NULL);
  m.options.method.rtol = 1e-11;
  m.options.method.atol = 1e-12;
  motion_run(&m);
  if (m.status != QDOT_OK) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_true(m.summary.position.value < 1e-12);
  return m;
}

// ---- Euler's equations J w' = J w x w, by Runge and Kutta's method with small steps

static void euler_rate(const double J[3], const double w[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = (J[(i + 1) % 3] - J[(i + 2) % 3]) * w[(i + 1) % 3] * w[(i + 2) % 3] / J[i];
}

static void euler_step(const double J[3], double w[3], double h) {
  double k[4][3], at[3];
  for (int stage = 0; stage < 4; stage++) {
    double along = stage == 0 ? 0 : stage == 3 ? h : h / 2;
    for (int i = 0; i < 3; i++) at[i] = w[i] + (stage ? along * k[stage - 1][i] : 0);
    euler_rate(J, at, k[stage]);
  }
  for (int i = 0; i < 3; i++) w[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

// One of even density, one that is flat: its third vector has no mass.
TEST(free_rotation_obeys_eulers_equations) {
  static const double inertia[2][3] = {{1, 2, 2.5}, {1, 2, 3}};
  for (int flat = 0; flat < 2; flat++) {
    const double *J = inertia[flat];
    char text[800];
    snprintf(text, sizeof text,
             "point G ~ (1, 2, 3)\nvector u ~ (1, 0, 0), v ~ (0, 1, 0), w ~ (0, 0, 1)\n"
             "solid body: G (0, 0, 0), " FRAME ", mass 1 [kg], inertia (%g, %g, %g), "
             "spin (0.1, 2, 0.1), velocity (1, 0, 0)\n" OUTPUTS
             "simulate to 10 [s] every 500 [ms]\n",
             J[0], J[1], J[2]);
    Motion m = moved(cx, text);
    double w[3] = {0.1, 2, 0.1};
    for (int row = 1; row <= 20; row++) {
      for (int step = 0; step < 1000; step++) euler_step(J, w, 0.0005);
      CHECK_NEAR(motion_at(&m, 0.5 * row, "w_1"), w[0], 1e-7);
      CHECK_NEAR(motion_at(&m, 0.5 * row, "w_2"), w[1], 1e-7);
      CHECK_NEAR(motion_at(&m, 0.5 * row, "w_3"), w[2], 1e-7);
      CHECK_NEAR(motion_at(&m, 0.5 * row, "G.x"), 1 + 0.5 * row, 1e-9);
    }
    assert_true(m.summary.energy_drift < 1e-8);
  }
}

static void rotation_of(double x, double y, double z, double R[3][3]) {
  double cx = cos(x), sx = sin(x), cy = cos(y), sy = sin(y), cz = cos(z), sz = sin(z);
  double rows[3][3] = {{cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz},
                       {cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz},
                       {-sy, sx * cy, cx * cy}};
  for (int i = 0; i < 9; i++) R[i / 3][i % 3] = rows[i / 3][i % 3];
}

// The same body in a frame whose axes are not principal: J = R diag(J) R^T, its products with a
// minus sign.
TEST(products_of_inertia_turn_the_principal_axes) {
  Random random = random_start("products of inertia");
  for (int round = 0; round < 3; round++) {
    const double J[3] = {1, 2, round == 0 ? 3 : 2.5};
    double R[3][3], T[3][3] = {{0}}, w[3] = {0.1, 2, 0.1}, spin[3] = {0};
    rotation_of(random_real(&random, -3, 3), random_real(&random, -3, 3),
                random_real(&random, -3, 3), R);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) {
        spin[i] += R[i][k] * w[k];
        for (int j = 0; j < 3; j++) T[i][j] += R[i][k] * J[k] * R[j][k];
      }
    char text[1000];
    snprintf(text, sizeof text,
             "point G ~ (1, 2, 3)\nvector u ~ (1, 0, 0), v ~ (0, 1, 0), w ~ (0, 0, 1)\n"
             "solid body: G (0, 0, 0), " FRAME ", mass 1 [kg], inertia (%.17g, %.17g, %.17g), "
             "products (%.17g, %.17g, %.17g), spin (%.17g, %.17g, %.17g)\n" OUTPUTS
             "simulate to 5 [s] every 500 [ms]\n",
             T[0][0], T[1][1], T[2][2], -T[0][1], -T[0][2], -T[1][2], spin[0], spin[1], spin[2]);
    Motion m = moved(cx, text);
    static const char *const names[] = {"w_1", "w_2", "w_3"};
    for (int row = 1; row <= 10; row++) {
      for (int step = 0; step < 1000; step++) euler_step(J, w, 0.0005);
      for (int i = 0; i < 3; i++) {
        double expected = R[i][0] * w[0] + R[i][1] * w[1] + R[i][2] * w[2];
        CHECK_NEAR(motion_at(&m, 0.5 * row, names[i]), expected, 1e-7);
      }
    }
    assert_true(m.summary.energy_drift < 1e-8);
  }
}

// ---- The top against its model in Euler's angles

TEST(the_top_agrees_with_its_euler_angles) {
  Motion m = moved(
      cx, "param g = 9.81 [m/s^2], l = 0.04 [m], m = 0.3 [N*m]/(g*l)\n"
          "param J_1 = 0.002 [kg*m^2] - m*l^2, J_3 = 0.001 [kg*m^2], a = 0.5 [rad]\n"
          "gravity (0, 0, -g)\npoint O = (0, 0, 0) fixed\n"
          "vector u ~ (1, 0, 0), v ~ rotx(a, (0, 1, 0)), w ~ rotx(a, (0, 0, 1))\n"
          "solid top: O (0, 0, 0), " FRAME ", mass m, inertia (J_1, J_1, J_3), "
          "centre (0, 0, l), spin = (0, 0, 100 [rad/s])\n"
          "output theta = acos(w.z), phi = atan2(w.x, -w.y)\nsimulate to 1 [s] every 10 [ms]\n");
  char path[600];
  const char *root = getenv("QDOT_ROOT");
  snprintf(path, sizeof path, "%s/examples/symmetric_top.qdot", root ? root : ".");
  Motion book = motion_load_file(cx, path, NULL);
  book.options.method.rtol = 1e-11;
  motion_run(&book);
  assert_int_equal(book.status, QDOT_OK);
  for (double t = 0.05; t < 1.01; t += 0.05) {
    CHECK_NEAR(motion_at(&m, t, "theta"), motion_at(&book, t, "theta"), 1e-7);
    double turn = motion_at(&m, t, "phi") - motion_at(&book, t, "phi");
    CHECK_NEAR(remainder(turn, 2 * M_PI), 0, 1e-7);
  }
  // the values of 1 s of the reference, to all its digits that matter
  CHECK_NEAR(motion_at(&m, 1, "theta"), 0.50662507479926464, 1e-7);
}

// ---- Joints by sharing

static const char *const plane =
    "param g = 9.81 [m/s^2], L = 1 [m], m = 1 [kg]\ngravity (g, 0)\n"
    "body one: rod L, mass m, angle 90 [deg]\nbody two: rod L, mass 2*m, angle 90 [deg]\n"
    "joint A: revolute ground (0, 0), one (-L/2, 0)\n"
    "joint B: revolute one (L/2, 0), two (-L/2, 0)\n"
    "output x = two.y, z = -two.x\nsimulate to 2 [s] every 100 [ms]\n";

// One rod is fixed by two points and two vectors, the other by a point and three vectors; both
// share a point, and the direction of their hinge with the world.
static const char *const space =
    "param g = 9.81 [m/s^2], L = 1 [m], m = 1 [kg], J = m*L^2/12, i = J/10\n"
    "gravity (0, 0, -g)\npoint O = (0, 0, 0) fixed\npoint B ~ (L, 0, 0)\n"
    "vector k = (0, 1, 0) fixed\nvector p ~ (0, 0, 1), u ~ (1, 0, 0), v ~ (0, 0, 1)\n"
    "solid one: O (0, 0, 0), B (L, 0, 0), k (0, 1, 0), p (0, 0, 1), mass m, centre (L/2, 0, 0), "
    "inertia (i, J, J)\n"
    "solid two: B (0, 0, 0), u (1, 0, 0), v (0, 0, 1), k (0, 1, 0), mass 2*m, centre (L/2, 0, 0), "
    "inertia (i, 2*J, 2*J)\n"
    "output x = two.r.x, z = two.r.z\nsimulate to 2 [s] every 100 [ms]\n";

TEST(a_shared_point_and_vector_are_a_hinge) {
  Motion a = moved(cx, space), b = moved(cx, plane);
  assert_int_equal(a.summary.freedom, 2);
  for (double t = 0.1; t < 2.05; t += 0.1) {
    CHECK_NEAR(motion_at(&a, t, "x"), motion_at(&b, t, "x"), 1e-7);
    CHECK_NEAR(motion_at(&a, t, "z"), motion_at(&b, t, "z"), 1e-7);
  }
}

// A ball joint alone: the end of a rod on a string is a spherical pendulum for its centre.
TEST(a_shared_point_is_a_ball) {
  Motion m =
      moved(cx, "param g = 9.81 [m/s^2], l = 1 [m], m = 1 [kg]\ngravity (0, 0, -g)\n"
                "point O = (0, 0, 0) fixed\nvector u ~ (1, 0, 0), v ~ (0, 1, 0), w ~ (0, 0, 1)\n"
                "solid bob: O (0, 0, 0), " FRAME ", mass m, ball 0.1 [m], centre (l, 0, 0), "
                "spin (0, 0, 2 [rad/s])\n"
                "force (bob.r.x, bob.r.y, bob.r.z) = (0, 0, m*g)\n"
                "output x = bob.r.x\nsimulate to 1 [s] every 100 [ms]\n");
  // its weight is carried, so it turns evenly
  for (double t = 0.1; t < 1.05; t += 0.1) CHECK_NEAR(motion_at(&m, t, "x"), cos(2 * t), 1e-8);
}

// Links on balls, in a loop of statements: the energy stays, and the top link's length.
TEST(a_rope_of_solids_keeps_its_energy) {
  Motion m = moved(
      cx, "count N = 6\nparam g = 9.81 [m/s^2], L = 0.5 [m], m = 0.2 [kg]\ngravity (0, 0, -g)\n"
          "point P[0] = (0, 0, 0) fixed\nfor i in 1..N\n  point P[i] ~ (i*L, 0, 0)\n"
          "  vector v[i] ~ (0, 1, 0), w[i] ~ (0, 0, 1)\n"
          "  solid link[i]: P[i-1] (0, 0, 0), P[i] (L, 0, 0), v[i] (0, 1, 0), w[i] (0, 0, 1), "
          "mass m, block (L, L/10, L/20), centre (L/2, 0, 0)\nend\n"
          "point P[N]' ~ (0, 1 [m/s], 0)\noutput d = norm(P[1])\n"
          "simulate to 1 [s] every 100 [ms]\n");
  assert_int_equal(m.summary.freedom, 18);
  assert_true(m.summary.energy_drift < 1e-9);
  CHECK_NEAR(motion_at(&m, 1, "d"), 0.5, 1e-12);
}

// ---- Frames of either hand, and frames that are functions

typedef struct Frame {
  double at[3][3]; // a unit vector a row
} Frame;

// By Gram and Schmidt, right-handed.
static Frame random_frame(Random *random) {
  Frame f;
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 3; k++) f.at[i][k] = random_real(random, -1, 1);
    double dot = 0, square = 0;
    for (int k = 0; i && k < 3; k++) dot += f.at[0][k] * f.at[1][k];
    for (int k = 0; i && k < 3; k++) f.at[1][k] -= dot * f.at[0][k];
    for (int k = 0; k < 3; k++) square += f.at[i][k] * f.at[i][k];
    for (int k = 0; k < 3; k++) f.at[i][k] /= sqrt(square);
  }
  for (int k = 0; k < 3; k++)
    f.at[2][k] =
        f.at[0][(k + 1) % 3] * f.at[1][(k + 2) % 3] - f.at[0][(k + 2) % 3] * f.at[1][(k + 1) % 3];
  return f;
}

static Status read_frame(Context *cx, const Frame *f, const int order[3], double last) {
  char text[1000];
  snprintf(text, sizeof text,
           "point G ~ (1, 2, 3)\nvector u ~ (%.17g, %.17g, %.17g), v ~ (%.17g, %.17g, %.17g), "
           "w ~ (%.17g, %.17g, %.17g)\n"
           "solid s: G (0, 0, 0), %c (1, 0, 0), %c (0, 1, 0), %c (0, 0, %g), mass 1 [kg], "
           "inertia (1, 2, 2.5), spin (0.1, 2, 0.1)\nsimulate to 1 [s] every 1 [s]\n",
           f->at[0][0], f->at[0][1], f->at[0][2], f->at[1][0], f->at[1][1], f->at[1][2],
           f->at[2][0], f->at[2][1], f->at[2][2], "uvw"[order[0]], "uvw"[order[1]], "uvw"[order[2]],
           last);
  Model *model;
  return model_read(cx, "test", text, strlen(text), NULL, &model);
}

// Every order of three vectors and both signs of the last: half of them are mirror images.
TEST(mirror_images_are_refused) {
  static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                   {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
  Random random = random_start("mirror_images_are_refused");
  for (int round = 0; round < test_rounds(40); round++) {
    Frame f = random_frame(&random);
    for (int k = 0; k < 6; k++)
      for (int minus = 0; minus < 2; minus++) {
        bool right = (k < 3) == !minus;
        assert_true((read_frame(cx, &f, orders[k], minus ? -1 : 1) == QDOT_OK) == right);
      }
  }
}

// A body on points that two angles place: the same pendulum as by points and vectors. Rows that
// hold whatever the angles are none, to the last digit of any number.
TEST(solids_on_functions_have_no_rows) {
  Random random = random_start("solids_on_functions_have_no_rows");
  for (int round = 0; round < test_rounds(20); round++) {
    double place[3][3], p = random_real(&random, -1, 1), q = random_real(&random, -1, 1);
    char lets[1200], text[2400];
    int n = 0;
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) place[i][k] = (i == k) * 0.5 + random_real(&random, -0.2, 0.2);
      n += snprintf(lets + n, sizeof lets - (size_t)n,
                    "let %c = rotx(q, rotz(p, (%.4f [m], %.4f [m], %.4f [m])))\n", "ABC"[i],
                    place[i][0], place[i][1], place[i][2]);
    }
    snprintf(
        text, sizeof text,
        "coord q = %.4f [rad], p = %.4f [rad]\nlet O = (0 [m], 0 [m], 0 [m])\n"
        "gravity (0, 0, -9.81 [m/s^2])\n%s"
        "solid s: O (0, 0, 0), A (%.4f [m], %.4f [m], %.4f [m]), B (%.4f [m], %.4f [m], %.4f "
        "[m]), C (%.4f [m], %.4f [m], %.4f [m]), mass 2 [kg], block (0.1 [m], 0.2 [m], 0.3 [m]), "
        "centre (0.1 [m], 0.05 [m], -0.2 [m])\noutput z = s.r.z\n"
        "simulate to 1 [s] every 100 [ms]\n",
        q, p, lets, place[0][0], place[0][1], place[0][2], place[1][0], place[1][1], place[1][2],
        place[2][0], place[2][1], place[2][2]);
    Motion m = moved(cx, text);
    assert_int_equal(m.system.row_count, 0);
    assert_true(m.summary.energy_drift < 1e-8);
  }
}

RUN_TESTS(cmocka_unit_test(mirror_images_are_refused),
          cmocka_unit_test(solids_on_functions_have_no_rows),
          cmocka_unit_test(free_rotation_obeys_eulers_equations),
          cmocka_unit_test(products_of_inertia_turn_the_principal_axes),
          cmocka_unit_test(the_top_agrees_with_its_euler_angles),
          cmocka_unit_test(a_shared_point_and_vector_are_a_hinge),
          cmocka_unit_test(a_shared_point_is_a_ball),
          cmocka_unit_test(a_rope_of_solids_keeps_its_energy))
