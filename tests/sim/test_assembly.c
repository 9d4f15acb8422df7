// Guesses that do not close: one assembly for all formulations, the nearest one, and a word where
// it was a choice.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "support/motion.h"

// ---- Random mechanisms, built where they close and told with errors

typedef struct EquationProgram {
  Context *cx;
  Random *random;
  double error; // of guesses: rad, and of lengths
  Text text;
  int bodies, joints;
  double x[16], y[16], angle[16]; // where they close
} EquationProgram;

static double between(EquationProgram *k, double low, double high) {
  return random_real(k->random, low, high);
}

static double off(EquationProgram *k) { return k->error * random_real(k->random, -1, 1); }

// A rod whose ends are at a and b; some are told by angle alone, some by their place, too.
static int add_rod(EquationProgram *k, const double a[2], const double b[2], bool is_kept) {
  int i = k->bodies++;
  double length = hypot(b[0] - a[0], b[1] - a[1]);
  k->x[i] = (a[0] + b[0]) / 2, k->y[i] = (a[1] + b[1]) / 2;
  k->angle[i] = atan2(b[1] - a[1], b[0] - a[0]);
  text_addf(&k->text, "body b_%d: rod %.17g, mass %.3g", i, length, between(k, 0.5, 2));
  if (random_real(k->random, 0, 1) < 0.5)
    text_addf(&k->text, ", at (%.17g, %.17g)", k->x[i] + off(k), k->y[i] + off(k));
  text_addf(&k->text, ", angle %s%.17g", is_kept ? "= " : "", k->angle[i] + (is_kept ? 0 : off(k)));
  if (random_real(k->random, 0, 1) < 0.4) text_addf(&k->text, ", spin %.3g", between(k, -2, 2));
  text_add(&k->text, "\n");
  return i;
}

// The point in the frame of a body.
static const char *point_of(EquationProgram *k, int body, const double at[2]) {
  if (body < 0) return text_format(&k->cx->keep, "ground (%.17g, %.17g)", at[0], at[1]);
  double dx = at[0] - k->x[body], dy = at[1] - k->y[body];
  double c = cos(k->angle[body]), s = sin(k->angle[body]);
  return text_format(&k->cx->keep, "b_%d (%.17g, %.17g)", body, c * dx + s * dy, c * dy - s * dx);
}

static int add_pin(EquationProgram *k, int a, int b, const double at[2]) {
  text_addf(&k->text, "joint J_%d: revolute %s, %s\n", k->joints, point_of(k, a, at),
            point_of(k, b, at));
  return k->joints++;
}

// A chain from the point `at` of a body through random points; returns its last body and point.
static int add_chain(EquationProgram *k, int from, double at[2], int links, bool is_kept) {
  for (int i = 0; i < links; i++) {
    double turn = between(k, -1.2, 1.2), length = between(k, 0.6, 1.4);
    double next[2] = {at[0] + length * cos(turn), at[1] + length * sin(turn)};
    int body = add_rod(k, at, next, is_kept && i == 0);
    add_pin(k, from, body, at);
    from = body;
    memcpy(at, next, 2 * sizeof *at);
  }
  return from;
}

// A block on a slide of the ground through `at`, and a pin on it there.
static void close_on_slide(EquationProgram *k, int body, const double at[2]) {
  int i = k->bodies++;
  k->x[i] = at[0], k->y[i] = at[1], k->angle[i] = 0;
  double axis = between(k, -1, 1), back = between(k, 0.3, 1);
  double foot[2] = {at[0] - back * cos(axis), at[1] - back * sin(axis)};
  text_addf(&k->text, "body b_%d: plate (0.1, 0.1), mass 1", i);
  if (random_real(k->random, 0, 1) < 0.5)
    text_addf(&k->text, ", at (%.17g, %.17g)", at[0] + off(k), at[1] + off(k));
  text_addf(&k->text, "\njoint J_%d: prismatic %s, b_%d (0, 0), axis %.17g\n", k->joints++,
            point_of(k, -1, foot), i, axis);
  add_pin(k, body, i, at);
}

typedef enum Shape { OPEN, ONE_LOOP, TWO_LOOPS, SLIDE, DRIVEN, KEPT, SHAPES } Shape;

static const char *random_mechanism(Context *cx, Random *random, Shape shape, double error) {
  EquationProgram k = {.cx = cx, .random = random, .error = error, .text = text_new(&cx->keep)};
  text_add(&k.text, "gravity (0, -9.81)\n");
  double at[2] = {0, 0};
  int links = 2 + (int)(2 * random_real(random, 0, 1));
  int last = add_chain(&k, -1, at, links, shape == KEPT);
  if (shape == SLIDE) close_on_slide(&k, last, at);
  if (shape == ONE_LOOP || shape == TWO_LOOPS || shape == DRIVEN || shape == KEPT) {
    double foot[2] = {at[0] + between(&k, 0.3, 0.8), at[1] - between(&k, 0.6, 1.2)};
    int rocker = add_rod(&k, foot, at, false);
    add_pin(&k, -1, rocker, foot);
    add_pin(&k, last, rocker, at);
    if (shape == TWO_LOOPS) {
      double from[2] = {(foot[0] + at[0]) / 2, (foot[1] + at[1]) / 2};
      int arm = add_chain(&k, rocker, from, 2, false);
      double end[2] = {from[0] + 0.4, from[1] - 0.8};
      int stay = add_rod(&k, end, from, false);
      add_pin(&k, -1, stay, end);
      add_pin(&k, arm, stay, from);
    }
  }
  if (shape == DRIVEN) text_add(&k.text, "motor J_0: speed 1.5\n");
  text_add(&k.text, "simulate to 0.2 every 0.1\noutput ");
  for (int i = 0; i < k.bodies; i++)
    text_addf(&k.text,
              "%sx_%d = b_%d.x, y_%d = b_%d.y, c_%d = cos(b_%d.theta), s_%d = sin(b_%d.theta), "
              "u_%d = b_%d.x', v_%d = b_%d.y'",
              i ? ", " : "", i, i, i, i, i, i, i, i, i, i, i, i);
  text_add(&k.text, "\n");
  return k.text.at;
}

static double furthest(const Motion *a, const Motion *b, double t) {
  double most = 0;
  for (uint32_t i = 0; i < a->system.model->outputs.n; i++) {
    const char *name = symbol_text(a->cx, a->system.model->outputs.at[i].name);
    most = fmax(most, fabs(motion_at(a, t, name) - motion_at(b, t, name)));
  }
  return most;
}

static bool load_and_run(Context *cx, const char *text, Formulation f, Motion *out) {
  *out = motion_load_as(cx, text, NULL, f);
  out->options.method.rtol = 1e-10;
  motion_run(out);
  return out->status == QDOT_OK && !out->summary.stopped;
}

TEST(formulations_start_and_move_alike) {
  Random random = random_start("formulations_start_and_move_alike");
  int ran = 0, rounds = test_rounds(8 * SHAPES);
  for (int round = 0; round < rounds; round++) {
    Shape shape = (Shape)(round % SHAPES);
    const char *text = random_mechanism(cx, &random, shape, 0.25);
    Motion motions[FORMULATIONS];
    bool good[FORMULATIONS];
    for (int f = 0; f < FORMULATIONS; f++)
      good[f] = load_and_run(cx, text, (Formulation)f, &motions[f]);
    for (int f = 1; f < FORMULATIONS; f++) {
      double start = good[0] && good[f] ? furthest(&motions[0], &motions[f], 0) : 0;
      double end = good[0] && good[f] ? furthest(&motions[0], &motions[f], 0.2) : 0;
      if (good[f] != good[0] || start > 1e-9 || end > 1e-5) {
        print_error("%s: %d and %d, apart %g at the start, %g at the end\n%s",
                    formulation_text((Formulation)f), good[0], good[f], start, end, text);
        motion_explain(&motions[f]);
      }
      assert_int_equal(good[f], good[0]);
      assert_true(start <= 1e-9);
      assert_true(end <= 1e-5);
    }
    ran += good[0];
  }
  assert_true(8 * ran >= 7 * rounds);
}

// Small errors lead back to about where it closes: no body on the other side, none turned round.
TEST(the_nearest_assembly) {
  Random random = random_start("the_nearest_assembly");
  for (int round = 0; round < test_rounds(6 * SHAPES); round++) {
    Random before = random;
    Motion exact, moved;
    const char *closed = random_mechanism(cx, &random, (Shape)(round % SHAPES), 0);
    random = before;
    const char *text = random_mechanism(cx, &random, (Shape)(round % SHAPES), 0.02);
    for (int f = 0; f < FORMULATIONS; f++) {
      if (!load_and_run(cx, closed, (Formulation)f, &exact)) continue;
      bool good = load_and_run(cx, text, (Formulation)f, &moved);
      // a motor begins where its guess says, from where a linkage may not close or soon ends
      if (!good && round % SHAPES == DRIVEN) continue;
      if (!good) motion_explain(&moved);
      assert_true(good);
      double most = 0;
      for (uint32_t i = 0; i < exact.system.model->outputs.n; i++)
        if (i % 6 < 4) {
          const char *name = symbol_text(cx, exact.system.model->outputs.at[i].name);
          most = fmax(most, fabs(motion_at(&exact, 0, name) - motion_at(&moved, 0, name)));
        }
      if (most > 0.4) print_error("%g apart\n%s\n%s", most, closed, text);
      assert_true(most <= 0.4);
    }
  }
}

// ---- A choice is told

static const Diagnostic *warning_of(const Motion *m) {
  const Diagnostics *d = &m->cx->diagnostics;
  for (uint32_t i = 0; i < d->list.n; i++)
    if (strstr(d->list.at[i].message, "was chosen for you")) return &d->list.at[i];
  return NULL;
}

// Boom, stick and bucket, each moved by a cylinder of two sliding parts.
static const char *excavator(Context *cx, const char *boom, const char *stick, const char *bucket) {
  return text_format(
      &cx->keep,
      "gravity (0, -9.81)\n"
      "body boom: rod 4, mass 800, at (2, 1), angle %s\n"
      "body stick: rod 2, mass 400, at (4.5, 0.5), angle %s\n"
      "body bucket: rod 1, mass 300, at (4.5, -1), angle %s\n"
      "body c_1: rod 1, mass 40, at (1, -0.4)\nbody r_1: rod 1, mass 20, at (1.5, 0)\n"
      "body c_2: rod 1, mass 40, at (2.5, 2)\nbody r_2: rod 1, mass 20, at (3.5, 2)\n"
      "body c_3: rod 0.6, mass 20, at (4.8, 0.8)\nbody r_3: rod 0.6, mass 10, at (4.8, 0)\n"
      "joint A: revolute ground (0, 0), boom (-2, 0)\n"
      "joint B: revolute boom (2, 0), stick (-0.7, 0)\n"
      "joint C: revolute stick (1.3, 0), bucket (-0.5, 0)\n"
      "joint D_1: revolute ground (0.5, -0.8), c_1 (-0.5, 0)\n"
      "joint E_1: prismatic c_1 (0, 0), r_1 (0, 0)\n"
      "joint F_1: revolute r_1 (0.5, 0), boom (0, 0)\n"
      "joint D_2: revolute boom (0, 0.4), c_2 (-0.5, 0)\n"
      "joint E_2: prismatic c_2 (0, 0), r_2 (0, 0)\n"
      "joint F_2: revolute r_2 (0.5, 0), stick (-1, 0.2)\n"
      "joint D_3: revolute stick (-0.3, 0.3), c_3 (-0.3, 0)\n"
      "joint E_3: prismatic c_3 (0, 0), r_3 (0, 0)\n"
      "joint F_3: revolute r_3 (0.3, 0), bucket (0.2, 0.2)\n"
      "simulate to 0.01 every 0.01\noutput x = bucket.x, y = bucket.y, l = c_2.x - r_2.x\n",
      boom, stick, bucket);
}

TEST(an_excavator_of_guesses) {
  Motion motions[FORMULATIONS];
  const char *text = excavator(cx, "0.6", "-0.9", "-1.2");
  for (int f = 0; f < FORMULATIONS; f++) {
    if (!load_and_run(cx, text, (Formulation)f, &motions[f])) motion_explain(&motions[f]);
    assert_int_equal(motions[f].status, QDOT_OK);
    assert_true(furthest(&motions[0], &motions[f], 0) < 1e-9);
    assert_int_equal(motions[f].summary.free_motions, 3);
    assert_int_equal(motions[f].summary.chosen_motions, 3);
  }
  const Diagnostic *d = warning_of(&motions[0]);
  assert_string_equal(d->message, "3 free motions, 0 kept values: where the mechanism starts was "
                                  "chosen for you");
  assert_string_equal(d->note,
                      "the guesses do not close, and were moved as little as possible; with '=' a "
                      "value is kept, such as the angle of 'boom', the angle of 'stick' and the "
                      "angle of 'bucket'");
}

TEST(one_value_is_missing) {
  Motion m;
  load_and_run(cx, excavator(cx, "= 0.6", "-0.9", "= -1.2"), FORMULATION_LAGRANGE, &m);
  assert_int_equal(m.status, QDOT_OK);
  assert_string_equal(warning_of(&m)->message,
                      "3 free motions, 2 kept values: where the mechanism starts was chosen for "
                      "you");
  CHECK_NEAR(motion_at(&m, 0, "boom.theta"), 0.6, 1e-15);
  CHECK_NEAR(motion_at(&m, 0, "bucket.theta"), -1.2, 1e-15);
}

TEST(nothing_to_choose) {
  Motion m;
  load_and_run(cx, excavator(cx, "= 0.6", "= -0.9", "= -1.2"), FORMULATION_LAGRANGE, &m);
  assert_int_equal(m.status, QDOT_OK);
  assert_null(warning_of(&m));
  // guesses that close by themselves
  load_and_run(cx,
               "body a: rod 1, mass 1, angle 60 [deg]\n"
               "joint A: revolute ground (0, 0), a (-0.5, 0)\nsimulate to 0.1 every 0.1\n",
               FORMULATION_MAXIMAL, &m);
  assert_int_equal(m.status, QDOT_OK);
  assert_null(warning_of(&m));
}

// The least move by hand: of a rod's end on a circle, told by a place and an angle that disagree.
TEST(the_least_move_of_a_pendulum) {
  double m = 2, J = 2.0 / 12, X = 0.5, Y = 0.1, A = 0.9, best = 1e9, at = 0;
  for (double a = -1; a < 2; a += 1e-6) {
    double d = m * (pow(cos(a) / 2 - X, 2) + pow(sin(a) / 2 - Y, 2)) + J * (a - A) * (a - A);
    if (d < best) best = d, at = a;
  }
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion p;
    load_and_run(cx,
                 "body a: rod 1, mass 2, at (0.5, 0.1), angle 0.9\n"
                 "joint A: revolute ground (0, 0), a (-0.5, 0)\nsimulate to 0.1 every 0.1\n"
                 "output x = a.x, y = a.y\n",
                 (Formulation)f, &p);
    assert_int_equal(p.status, QDOT_OK);
    CHECK_NEAR(motion_at(&p, 0, "x"), cos(at) / 2, 1e-6);
    CHECK_NEAR(motion_at(&p, 0, "y"), sin(at) / 2, 1e-6);
  }
}

// A body on a pin, a slide, or a pin with another welded on, told to move as they allow or not.
typedef enum Support { ON_PIN, ON_SLIDE, WELDED_ON, SUPPORTS } Support;

static const char *told_to_move(Context *cx, Random *random, Support support, bool is_allowed,
                                double *spin) {
  Text text = text_new(&cx->keep);
  double a = random_real(random, -3, 3), r = random_real(random, 0.3, 1.5);
  double w = random_real(random, 0.5, 3), off = is_allowed ? 0 : random_real(random, 1e-3, 1);
  // along the way, and across it what nothing allows
  double way[2] = {support == ON_SLIDE ? cos(a) : -sin(a), support == ON_SLIDE ? sin(a) : cos(a)};
  double u = w * r * way[0] + off * way[1], v = w * r * way[1] - off * way[0];
  bool by_spin = support == WELDED_ON || random_real(random, 0, 1) < 0.3;
  *spin = support == ON_SLIDE ? 0 : w;
  text_addf(&text, "body b: mass 1.3, inertia 0.2, at = (%.17g, %.17g), angle = %.17g, ",
            r * cos(a), r * sin(a), a);
  text_addf(&text, "velocity = (%.17g, %.17g)", u, v);
  if (by_spin) text_addf(&text, ", spin = %.17g", *spin + off);
  if (support == ON_SLIDE)
    text_addf(&text, "\njoint A: prismatic ground (0, 0), b (0, 0), axis %.17g\n", a);
  else
    text_addf(&text, "\njoint A: revolute ground (0, 0), b (%.17g, 0)\n", -r);
  if (support == WELDED_ON)
    text_addf(&text,
              "body c: mass 1, inertia 0.1, spin = %.17g\njoint B: weld b (0.1, 0), c (0, 0.2)\n",
              w - off);
  text_add(&text, "simulate to 0.01 every 0.01\noutput w = b.omega, u = b.x', v = b.y'\n");
  return text.at;
}

TEST(given_velocities_are_kept_or_refused) {
  Random random = random_start("given_velocities_are_kept_or_refused");
  for (int round = 0; round < test_rounds(40); round++) {
    bool is_allowed = round % 2;
    double spin;
    const char *text =
        told_to_move(cx, &random, (Support)random_below(&random, SUPPORTS), is_allowed, &spin);
    for (int f = 0; f < FORMULATIONS; f++) {
      Motion p;
      load_and_run(cx, text, (Formulation)f, &p);
      if ((p.status == QDOT_OK) != is_allowed) fail_msg("%s: status %d", text, p.status);
      if (is_allowed) CHECK_NEAR(motion_at(&p, 0, "w"), spin, 1e-12);
    }
  }
}

RUN_TESTS(cmocka_unit_test(formulations_start_and_move_alike),
          cmocka_unit_test(the_nearest_assembly), cmocka_unit_test(an_excavator_of_guesses),
          cmocka_unit_test(one_value_is_missing), cmocka_unit_test(nothing_to_choose),
          cmocka_unit_test(the_least_move_of_a_pendulum),
          cmocka_unit_test(given_velocities_are_kept_or_refused))
