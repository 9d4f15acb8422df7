// Time stepping over contacts: closed forms, piles that stand, and what is poured.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "support/motion.h"

static const double G = 9.81;

// A block that is thrown up a slope comes to rest and stays, or slides back: exact but for the step
// in which it stops.
TEST(block_on_a_slope) {
  for (int steep = 0; steep < 2; steep++) {
    double a = steep ? 0.5 : 0.2, mu = 0.3, v = 3;
    Motion m = motion_to_end(
        cx, text_format(
                &cx->keep,
                "param g = 9.81, mu = 0.3, a = %g, v = 3 [m/s]\ngravity (0, -g)\n"
                "body b: mass 2, inertia 1, at = (0, 0), angle = a, velocity = (v*cos(a), "
                "v*sin(a)), spin = 0\ncontact left: b (-0.2, 0), line (0, 0), axis a, friction mu\n"
                "contact right: b (0.2, 0), line (0, 0), axis a, friction mu\n"
                "output s = b.x*cos(a) + b.y*sin(a), N = left.N + right.N\n"
                "simulate to 2 every 0.1 using moreau(step = 0.0001)\n",
                a));
    double up = G * (sin(a) + mu * cos(a)), stop = v / up, top = v * v / 2 / up;
    double back = steep ? G * (sin(a) - mu * cos(a)) * (2 - stop) * (2 - stop) / 2 : 0;
    CHECK_NEAR(motion_at(&m, 0.3, "s"), v * 0.3 - up * 0.09 / 2, 1e-9);
    CHECK_NEAR(motion_at(&m, 2, "s"), top - back, steep ? 1e-3 : 1e-6);
    CHECK_NEAR(motion_at(&m, 1, "N"), 2 * G * cos(a), 1e-8);
    // where it turns within a step, friction is that of its end
    assert_true(m.summary.energy_drift < 1e-9 && m.summary.impact_gain < 1e-7);
  }
}

// The error of a ball that bounces shrinks with the step.
TEST(steps_converge) {
  const char *text =
      "param g = 9.81\ngravity (0, -g)\nbody b: disc 0.1, mass 1, at = (0, 1), angle = 0, "
      "velocity = (1, 0), spin = 0\ncontact floor: b (0, 0), radius 0.1, line (0, 0), "
      "restitution 0.7, friction 0.3\nsimulate to 1.2 every 0.1 using %s\n";
  Motion truth = motion_to_end(cx, text_format(&cx->keep, text, "rk853"));
  double last = INFINITY;
  for (double step = 4e-3; step > 1e-5; step /= 16) {
    Motion m = motion_to_end(
        cx, text_format(&cx->keep, text, text_format(&cx->keep, "moreau(step = %g)", step)));
    double off = fabs(motion_at(&m, 1.2, "b.y") - motion_at(&truth, 1.2, "b.y")) +
                 fabs(motion_at(&m, 1.2, "b.x") - motion_at(&truth, 1.2, "b.x"));
    assert_true(off < 0.5 * last && off < 5 * step);
    last = off;
  }
}

static const char *stack(Context *cx, int boxes, const char *request) {
  Text model = text_new(&cx->keep);
  text_addf(
      &model,
      "param g = 9.81, mu = 0.4, a = 0.2, b = 0.1\ncount N = %d\ngravity (0, -g)\nfor i in 1..N\n"
      "body box[i]: plate (2*a, 2*b), mass 1, at = (0, (2*i - 1)*b), angle = 0, velocity = "
      "(0, 0), spin = 0\nend\n"
      "contact l[1]: box[1] (-a, -b), line (0, 0), friction mu\n"
      "contact r[1]: box[1] (a, -b), line (0, 0), friction mu\nfor i in 2..N\n"
      "contact l[i]: box[i] (-a, -b), line box[i-1] (0, b), axis 0, friction mu\n"
      "contact r[i]: box[i] (a, -b), line box[i-1] (0, b), axis 0, friction mu\nend\n"
      "simulate to %s\n",
      boxes, request);
  return model.at;
}

static void check_stands(Context *cx, int boxes, const char *request) {
  Motion m = motion_to_end(cx, stack(cx, boxes, request));
  for (int i = 1; i <= boxes; i++)
    for (int k = 0; k < 3; k++) {
      static const char *const names[] = {"x", "y", "theta"};
      const char *column = text_format(&cx->keep, "box[%d].%s", i, names[k]);
      CHECK_NEAR(motion_at(&m, 60, column), motion_at(&m, 0, column), 1e-9);
    }
  assert_true(m.summary.penetration < 1e-10);
}

// Ten boxes stand on each other for a minute, by steps and, which takes longer, by events.
TEST(stack_stands) {
  check_stands(cx, 10, "60 every 1 using moreau(step = 0.01)");
  check_stands(cx, test_rounds(20) > 1 ? 10 : 4, "60 every 10 using rk853");
}

// What stands on a falling floor of others stops with it: a high stack is held by impulses alone,
// whatever the number of its layers, and is never drawn apart.
TEST(high_stack_needs_no_projection) {
  Motion m = motion_to_end(cx, stack(cx, 25, "0.2 every 0.1 using moreau(step = 0.002)"));
  CHECK_NEAR(m.summary.work_projection, 0, 1e-10);
  CHECK_NEAR(motion_at(&m, 0.2, "box[25].y"), 4.9, 1e-10);
  assert_true(m.summary.complementarity < 1e-10);
}

// Discs in a funnel: all pairs may touch.
static const char *funnel(Context *cx, Random *random, int discs, const char *method) {
  Text model = text_new(&cx->keep);
  text_addf(
      &model,
      "param g = 9.81, mu = %.17g, e = %.17g, r = 0.02, a = 0.9, w = %.17g\ngravity (0, -g)\n",
      random_real(random, 0, 0.8), random_real(random, 0, 0.6), random_real(random, 0.02, 0.2));
  for (int i = 0; i < discs; i++)
    text_addf(&model,
              "body d[%d]: disc r, mass %.17g, at = (%.17g, %.17g), angle = 0, velocity = (%.17g, "
              "0), spin "
              "= %.17g\n",
              i, random_real(random, 0.05, 0.2), 0.05 * (i % 4 - 1.5), 0.25 + 0.05 * (i / 4),
              random_real(random, -0.3, 0.3), random_real(random, -20, 20));
  for (int i = 0; i < discs; i++) {
    text_addf(&model,
              "contact left_%d: d[%d] (0, 0), radius r, line (-w/2, 0), axis -a, restitution e, "
              "friction mu\n"
              "contact right_%d: d[%d] (0, 0), radius r, line (w/2, 0), axis a, restitution e, "
              "friction mu\n",
              i, i, i, i);
    for (int j = i + 1; j < discs; j++)
      text_addf(
          &model,
          "contact c_%d_%d: d[%d] (0, 0), radius r, circle d[%d] (0, 0), ring r, restitution e, "
          "friction mu\n",
          i, j, i, j);
  }
  text_addf(&model, "simulate to 0.6 every 0.01 using %s\n", method);
  return model.at;
}

// No energy is made beyond what is told, nothing overlaps, and formulations agree until chaos parts
// them.
TEST(discs_are_poured) {
  Random random = random_start("discs_are_poured");
  for (int round = 0; round < test_rounds(4); round++) {
    const char *text = funnel(cx, &random, 4 + random_below(&random, 6), "moreau(step = 0.0005)");
    Motion m = motion_to_end(cx, text),
           other = motion_load_as(cx, text, NULL, FORMULATION_NEWTON_EULER);
    motion_run(&other);
    assert_true(m.summary.energy_drift < 1e-9 && m.summary.penetration < 1e-9);
    assert_true(m.summary.complementarity < 1e-8);
    double most = m.summary.work_projection + m.summary.impact_gain;
    for (double t = 0; t < 0.605; t += 0.01)
      assert_true(motion_at(&m, t, "E_tot") <= motion_at(&m, 0, "E_tot") + fmax(most, 0) + 1e-9);
    // where a normal between discs turns by x in a step, the part 1 - cos(x/2) of the speed along
    // points out of it in the middle: they fall half a metre, and are two radii apart
    double turns = sqrt(2 * G * 0.5) * 0.0005 / 0.04;
    assert_true(m.summary.impact_gain <= turns * turns / 8 * m.summary.exchanged);
    CHECK_NEAR(motion_at(&m, 0.15, "d[0].x"), motion_at(&other, 0.15, "d[0].x"), 1e-9);
  }
}

// A block that is pushed: forces do work along the mean of the velocities of each step, so that the
// balance is exact, whether friction holds it or not.
TEST(works_are_those_of_the_step) {
  Random random = random_start("works_are_those_of_the_step");
  for (int round = 0; round < test_rounds(8); round++) {
    double push = random_real(&random, 1, 9), mu = random_real(&random, 0.1, 0.8);
    Motion m = motion_to_end(
        cx, text_format(&cx->keep,
                        "param P = %.17g\ngravity (0, -9.81)\nbody b: point, mass 1, at = (0, 0), "
                        "velocity = (0, 0)\ncontact f: b (0, 0), line (0, 0), friction %.17g\n"
                        "force b (0, 0) = (P, 0)\nsimulate to 0.5 every 0.1 using moreau(step = "
                        "0.01)\n",
                        push, mu));
    double a = fmax(push - mu * G, 0), way = a * 0.25 / 2;
    CHECK_NEAR(motion_at(&m, 0.5, "b.x"), way, 1e-12);
    CHECK_NEAR(m.summary.work_forces, push * way, 1e-12);
    CHECK_NEAR(m.summary.work_friction, -mu * G * way, 1e-12);
    assert_true(m.summary.energy_drift < 1e-12);
  }
}

// What does not touch each other does not know of each other: discs that are poured, whose
// restitution is lowered now and then, move in the same way beside a ball that bounces high and one
// that does not, and these bounce as they do alone.
TEST(islands_are_apart) {
  Random random = random_start("islands_are_apart");
  for (int round = 0; round < test_rounds(2); round++) {
    const char *discs = funnel(cx, &random, 6, "moreau(step = 0.001)");
    const char *request = strstr(discs, "simulate");
    Motion all[2];
    for (int i = 0; i < 2; i++) {
      const char *ball = text_format(
          &cx->keep,
          "body b: disc 0.1, mass 1, at = (2, 1), angle = 0, velocity = (0, 0), spin = 3\n"
          "contact floor: b (0, 0), radius 0.1, line (2, 0), restitution %g\n",
          i ? 0.9 : 0.3);
      all[i] = motion_to_end(
          cx, text_format(&cx->keep, "%.*s%s%s", (int)(request - discs), discs, ball, request));
      Motion alone = motion_to_end(
          cx, text_format(&cx->keep, "param g = 9.81\ngravity (0, -g)\n%s%s", ball, request));
      for (double t = 0.1; t < 0.65; t += 0.1)
        CHECK_NEAR(motion_at(&all[i], t, "b.y"), motion_at(&alone, t, "b.y"), 1e-9);
    }
    for (double t = 0.1; t < 0.65; t += 0.1)
      CHECK_NEAR(motion_at(&all[0], t, "d[0].x"), motion_at(&all[1], t, "d[0].x"), 1e-9);
  }
}

// What rests does not bounce, whatever its restitution: nothing is lowered, nothing moves.
TEST(resting_contacts_do_not_bounce) {
  const char *text = stack(cx, 6, "1 every 0.5 using moreau(step = 0.002)");
  Text model = text_new(&cx->keep);
  for (const char *c = text; *c; c++) {
    if (strncmp(c, "friction mu", 11) == 0) text_add(&model, "restitution 0.6, ");
    text_addf(&model, "%c", *c);
  }
  Motion m = motion_to_end(cx, model.at);
  assert_int_equal(m.summary.impacts_softened, 0);
  CHECK_NEAR(motion_at(&m, 1, "box[6].y"), 1.1, 1e-10);
}

// Thirty discs that jam or flow: the law of contacts is met, whatever becomes of them.
TEST(piles_obey_the_law) {
  Random random = random_start("piles_obey_the_law");
  for (int round = 0; round < test_rounds(2); round++) {
    Motion m = motion_to_end(cx, funnel(cx, &random, 30, "moreau(step = 0.001)"));
    assert_true(m.summary.complementarity < 1e-8 && m.summary.penetration < 1e-9);
  }
}

TEST(auto_chooses_it_for_many_contacts) {
  Random random = random_start("auto_chooses_it_for_many_contacts");
  Motion m = motion_to_end(cx, funnel(cx, &random, 12, "auto"));
  assert_string_equal(m.summary.method, "moreau");
  assert_int_equal(m.summary.reason.id, REMARK_MANY_CONTACTS);
  Motion few = motion_load(cx, funnel(cx, &random, 3, "auto"), NULL);
  few.options.t_end = 0.05;
  motion_run(&few);
  assert_string_equal(few.summary.method, "auto");
  assert_int_equal(few.summary.reason.id, REMARK_EVENTS);
}

// Where it is not chosen although contacts are many, the run says why.
TEST(auto_says_why_it_does_not_step) {
  Random random = random_start("auto_says_why_it_does_not_step");
  Text text = text_new(&cx->keep);
  text_add(&text, "body extra: disc 0.02, mass 0.1, at = (3, 3), angle = 0, velocity = (0, 0), "
                  "spin = 0\ncontact far: extra (0, 0), radius 0.02, line (0, 0), friction 0.3, "
                  "rolling 0.001\n");
  text_add(&text, funnel(cx, &random, 12, "auto"));
  Motion m = motion_load(cx, text.at, NULL);
  m.options.t_end = 0.01;
  motion_run(&m);
  assert_string_equal(m.summary.method, "auto");
  assert_int_equal(m.summary.reason.id, REMARK_EVENTS_ROLLING);
  Motion free =
      motion_of(cx, "gravity (0, -9.81)\nbody b: mass 1, inertia 1, at = (0, 0), angle = 0, "
                    "velocity = (1, 0), spin = 0\nsimulate to 1 every 1 using auto\n");
  assert_int_equal(free.summary.reason.id, REMARK_SMOOTH);
}

// A chain of rods is joined by pins and falls onto the floor: constraints and contacts together.
TEST(chain_falls) {
  Text model = text_new(&cx->keep);
  text_add(&model, "param g = 9.81, mu = 0.3\ngravity (0, -g)\n");
  for (int i = 0; i < 5; i++) {
    text_addf(
        &model,
        "body k_%d: rod 0.2, mass 0.5, at = (%g, 0.5), angle = 0, velocity = (0, 0), spin = 0\n", i,
        0.1 + 0.2 * i);
    if (i > 0)
      text_addf(&model, "joint p_%d: revolute k_%d (0.1, 0), k_%d (-0.1, 0)\n", i, i - 1, i);
    text_addf(&model, "contact c_%d: k_%d (0.1, 0), line (0, 0), axis 0.1, friction mu\n", i, i);
  }
  text_add(&model, "contact c: k_0 (-0.1, 0), line (0, 0), axis 0.1, friction mu\n"
                   "simulate to 1 every 0.02 using moreau(step = 0.0005)\n");
  Motion first = motion_load_as(cx, model.at, NULL, FORMULATION_LAGRANGE);
  Motion second = motion_load_as(cx, model.at, NULL, FORMULATION_MAXIMAL);
  motion_run(&first), motion_run(&second);
  for (int i = 0; i < 2; i++) {
    const Motion *m = i ? &second : &first;
    assert_int_equal(m->summary.stopped, STOPPED_NOT);
    assert_true(m->summary.penetration < 1e-9 && m->summary.energy_drift < 1e-3);
    assert_true(motion_at(m, 1, "E_tot") < motion_at(m, 0, "E_tot"));
  }
  assert_true(second.summary.position.value < 1e-11);
}

RUN_TESTS(cmocka_unit_test(block_on_a_slope), cmocka_unit_test(steps_converge),
          cmocka_unit_test(stack_stands), cmocka_unit_test(high_stack_needs_no_projection),
          cmocka_unit_test(discs_are_poured), cmocka_unit_test(auto_chooses_it_for_many_contacts),
          cmocka_unit_test(auto_says_why_it_does_not_step),
          cmocka_unit_test(works_are_those_of_the_step), cmocka_unit_test(piles_obey_the_law),
          cmocka_unit_test(islands_are_apart), cmocka_unit_test(resting_contacts_do_not_bounce),
          cmocka_unit_test(chain_falls))
