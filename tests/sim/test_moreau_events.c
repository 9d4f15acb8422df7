// Events of contacts that time steps pass over, against the same motions by events; and the forces
// of the first row.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

// The same model by both methods.
typedef struct Both {
  Motion exact, stepped;
} Both;

static Both by_both(Context *cx, const char *text, double end, double step) {
  const char *by_steps = text_format(
      &cx->keep, "%ssimulate to %.17g every 0.05 using moreau(step = %.17g)\n", text, end, step);
  const char *by_events =
      text_format(&cx->keep, "%ssimulate to %.17g every 0.05 using rk853\n", text, end);
  return (Both){motion_to_end(cx, by_events), motion_to_end(cx, by_steps)};
}

// The first events are the same, each found late by at most the steps that the impacts before it
// have been late, and by two of its own: one to see it, one in which friction turns.
static void compare_events(const Both *pair, double step, uint32_t least) {
  const SimSummary *a = &pair->exact.summary, *b = &pair->stepped.summary;
  CHECK_NEAR(b->event_step, step, 0);
  assert_true(a->events.n >= least && b->events.n >= least);
  double late = 2 * step;
  for (uint32_t i = 0; i < least; i++) {
    const SimEvent *one = &a->events.at[i], *other = &b->events.at[i];
    if (one->kind != other->kind || one->number != other->number ||
        !(fabs(other->t - one->t) <= late + 1e-12))
      fail_msg("event %u: %s %u at %g, by steps %s %u at %g", i, sim_event_text(one->kind),
               one->number, one->t, sim_event_text(other->kind), other->number, other->t);
    if (one->kind != SIM_IMPACT) continue;
    assert_true(one->closes == other->closes);
    // what is late by a time falls faster by g times that
    CHECK_NEAR(other->before, one->before, 9.81 * late);
    late += 2 * step;
  }
}

TEST(bounces_are_listed) {
  Random random = random_start("bounces_are_listed");
  for (int round = 0; round < test_rounds(8); round++) {
    double e = random_real(&random, 0.3, 0.8), height = random_real(&random, 0.5, 2), step = 1e-4;
    Both pair =
        by_both(cx,
                text_format(&cx->keep,
                            "gravity (0, -9.81)\nbody b: disc 0.1, mass 1, at = (0, %.17g), "
                            "angle = 0, velocity = (1, 0), spin = 0\ncontact floor: b (0, "
                            "0), radius 0.1, line (0, 0), restitution %.17g, friction 0.3\n",
                            height, e),
                3, step);
    compare_events(&pair, step, 4);
  }
}

// A disc that slides begins to roll; one with back-spin is turned back.
TEST(rolling_begins) {
  Random random = random_start("rolling_begins");
  for (int round = 0; round < test_rounds(8); round++) {
    double step = 1e-3;
    Both pair =
        by_both(cx,
                text_format(&cx->keep,
                            "gravity (0, -9.81)\nbody b: disc 0.1, mass 1, at = (0, 0.1), angle = "
                            "0, velocity = (%.17g, 0), spin = %.17g\ncontact floor: b (0, 0), "
                            "radius 0.1, line (0, 0), friction %.17g\n",
                            random_real(&random, 0.5, 2), random_real(&random, 0, 30),
                            random_real(&random, 0.2, 0.6)),
                3, step);
    compare_events(&pair, step, 1);
    assert_int_equal(pair.stepped.summary.events.n, 1);
    assert_string_equal(pair.stepped.summary.closed_at_start, "floor");
  }
}

// A ladder slides down; its upper end leaves the wall, once.
TEST(ladder_leaves_the_wall) {
  Random random = random_start("ladder_leaves_the_wall");
  for (int round = 0; round < test_rounds(8); round++) {
    double step = 1e-3;
    Both pair = by_both(
        cx,
        text_format(
            &cx->keep,
            "param L = 2, a = %.17g, mu = %.17g\ngravity (0, -9.81)\nbody ladder: rod L, mass "
            "10, at = (L/2*cos(a), L/2*sin(a)), angle = pi - a, velocity = (0, 0), spin = 0\n"
            "contact wall: ladder (L/2, 0), line (0, 0), axis -90 [deg], friction mu\n"
            "contact floor: ladder (-L/2, 0), line (0, 0), axis 0, friction mu\n"
            "output a_N = wall.N, a_R = wall.R, b_N = floor.N, b_R = floor.R\n",
            random_real(&random, 0.9, 1.1), random_real(&random, 0, 0.2)),
        0.9, step);
    compare_events(&pair, step, 1);
    assert_int_equal(pair.stepped.summary.events.at[0].kind, SIM_RELEASE);
    assert_string_equal(pair.stepped.summary.closed_at_start, "wall, floor");
    // the forces of the start, which no step has made yet, as those of all rows
    static const char *const forces[] = {"a_N", "a_R", "b_N", "b_R", "ladder.x''"};
    for (int i = 0; i < 5; i++)
      CHECK_NEAR(motion_at(&pair.stepped, 0, forces[i]), motion_at(&pair.exact, 0, forces[i]),
                 1e-9);
    for (int i = 0; i < 5; i++)
      CHECK_NEAR(motion_at(&pair.stepped, 0.5, forces[i]), motion_at(&pair.exact, 0.5, forces[i]),
                 100 * step);
  }
}

// A box on a table that begins to shake sticks, slips to both sides, and sticks again.
TEST(box_sticks_and_slips) {
  double step = 1e-3;
  Both pair = by_both(
      cx,
      "param A = 4, w = 3\ngravity (0, -9.81)\nbody b: plate (0.4, 0.1), mass 1, at = (0, 0.05), "
      "angle = 0, velocity = (0, 0), spin = 0\nforce b (0, -0.05) = (A*sin(w*t), 0)\n"
      "contact left: b (-0.2, -0.05), line (0, 0), friction 0.25\n"
      "contact right: b (0.2, -0.05), line (0, 0), friction 0.25\n",
      3, step);
  assert_true(pair.exact.summary.events.n >= 6);
  assert_int_equal(pair.exact.summary.events.n, pair.stepped.summary.events.n);
  compare_events(&pair, step, pair.exact.summary.events.n);
}

// More than a reader wants are counted only.
TEST(events_are_bounded) {
  Motion m = motion_to_end(
      cx,
      "gravity (0, -9.81)\nfor i in 1..40\nbody b[i]: disc 0.1, mass 1, at = (i, 0.2), angle = 0, "
      "velocity = (0, 0), spin = 0\ncontact floor[i]: b[i] (0, 0), radius 0.1, line (0, 0), "
      "restitution 1\nend\nsimulate to 30 every 1 using moreau(step = 0.001)\n");
  assert_int_equal(m.summary.events.n, 4000);
  assert_true(m.summary.events_left_out > 0);
  assert_int_equal((m.summary.events.n + m.summary.events_left_out) % 40, 0);
}

// An event of the model ends the step in which it happens: a sledge that is driven otherwise from
// place to place, as exact as with events alone, with the works of what was stepped.
TEST(events_of_the_model_end_steps) {
  Random random = random_start("events_of_the_model_end_steps");
  for (int round = 0; round < 8; round++) {
    const char *text = text_format(
        &cx->keep,
        "gravity (0, -9.81)\nbody b: plate (0.4, 0.1), mass 2, at = (0, 0.05), angle = 0, "
        "velocity = (%.17g, 0), spin = 0\ninput F = %.17g [N]\n"
        "contact l: b (-0.2, -0.05), line (0, 0), friction 0.3\n"
        "contact r: b (0.2, -0.05), line (0, 0), friction 0.3\nforce b (0, 0) = (F, 0)\n"
        "when b.x > 0.5: F = %.17g [N]\nwhen b.x > 1: F = 1 [N]\nstop when b.x > 1.2\n"
        "simulate to 3 every 0.1 using %%s\n",
        random_real(&random, 3.5, 5), random_real(&random, -4, 4), random_real(&random, -4, 15));
    Motion truth = motion_of(cx, text_format(&cx->keep, text, "rk853"));
    Motion m = motion_of(cx, text_format(&cx->keep, text,
                                         text_format(&cx->keep, "moreau(step = %.17g)",
                                                     0.1 / (3 + random_below(&random, 30)))));
    assert_int_equal(m.summary.events.n, truth.summary.events.n);
    for (uint32_t i = 0; i < m.summary.events.n; i++) {
      assert_int_equal(m.summary.events.at[i].kind, truth.summary.events.at[i].kind);
      CHECK_NEAR(m.summary.events.at[i].t, truth.summary.events.at[i].t, 1e-9);
    }
    CHECK_NEAR(m.summary.work_friction, truth.summary.work_friction, 1e-8);
    CHECK_NEAR(m.summary.work_forces, truth.summary.work_forces, 1e-8);
    assert_true(m.summary.energy_drift < 1e-11); // rows stand at ends of steps
  }
}

// The same where a ball strikes in such steps: what impacts take is counted once.
TEST(works_of_impacts_are_counted_once) {
  Random random = random_start("works_of_impacts_are_counted_once");
  for (int round = 0; round < 8; round++) {
    Motion m = motion_to_end(
        cx,
        text_format(&cx->keep,
                    "gravity (0, -9.81)\nbody b: disc 0.1, mass 1, at = (0, 1), angle = 0, "
                    "velocity = (1, 0), spin = 3\ninput k = 0\nlet w = sin(%.17g [rad/s]*t)\n"
                    "contact floor: b (0, 0), radius 0.1, line (0, 0), restitution 0.7, friction "
                    "0.3\nwhen w > 0.1: k = 1\nwhen w < -0.1: k = 2\n"
                    "when b.y < 0.11: k = 3\nsimulate to 1.5 every 0.1 using moreau(step = 0.01)\n",
                    random_real(&random, 20, 200)));
    assert_true(m.summary.energy_drift < 1e-9);
    assert_true(m.summary.work_impacts < -1);
  }
}

// A pendulum that hits nothing: its error falls with the square of the step.
TEST(flight_is_of_second_order) {
  const char *text =
      "param g = 9.81, L = 0.7\ngravity (0, -g)\nbody a: rod L, mass 1, at (0.35, 0)\n"
      "body b: rod L, mass 2, at (1.05, 0)\njoint A: revolute ground (0, 0), a (-L/2, 0)\n"
      "joint B: revolute a (L/2, 0), b (-L/2, 0)\n"
      "contact floor: b (L/2, 0), line (0, -5), friction 0.3\n"
      "simulate to 1 every 0.5 using %s\n";
  Motion truth = motion_to_end(cx, text_format(&cx->keep, text, "rk853(rtol = 1e-12)"));
  double last = 0;
  for (int k = 0; k < 4; k++) {
    Motion m = motion_to_end(
        cx, text_format(&cx->keep, text,
                        text_format(&cx->keep, "moreau(step = %g)", 0.004 / (1 << k))));
    double off = 0;
    for (uint32_t i = 0; i < 4; i++) {
      size_t at = (size_t)(m.rows - 1) * m.columns.n + 1 + i;
      off = fmax(off, fabs(m.values.at[at] - truth.values.at[at]));
    }
    if (k > 0) print_message("order %.3f\n", log2(last / off));
    if (k > 0) assert_true(fabs(log2(last / off) - 2) < 0.1);
    last = off;
  }
}

RUN_TESTS(cmocka_unit_test(bounces_are_listed), cmocka_unit_test(rolling_begins),
          cmocka_unit_test(ladder_leaves_the_wall), cmocka_unit_test(box_sticks_and_slips),
          cmocka_unit_test(events_are_bounded), cmocka_unit_test(events_of_the_model_end_steps),
          cmocka_unit_test(works_of_impacts_are_counted_once),
          cmocka_unit_test(flight_is_of_second_order))
