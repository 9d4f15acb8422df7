// Many loops in minimal coordinates: the motion is that of maximal coordinates, and the program
// grows as the mechanism does.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "sim/equation_maker.h"
#include "support/motion.h"

// A scissor lift whose stages differ: rods cross at their middles, lengths of stage i are all l[i].
// Which joints come first decides which make the tree: loops are short, or as long as the ladder.
#define MIDDLE "joint M%d: revolute p%d (0, 0), q%d (0, 0)\n"
static const char *scissor(Context *cx, Random *random, int stages, bool middles_first) {
  Text out = text_new(&cx->keep);
  double y = 0, width = random_real(random, 0.7, 0.85);
  text_add(&out, "gravity (0, -9.81 [m/s^2])\n");
  for (int i = 0; i < stages; i++) {
    double l = random_real(random, 0.9, 1.1), a = acos(width / l), h = l * sin(a);
    for (int side = 0; side < 2; side++)
      text_addf(&out,
                "body %c%d: rod %.17g [m], mass %.17g [kg], at (%.17g [m], %.17g [m]), angle "
                "%.17g [rad]\n",
                "pq"[side], i, l, random_real(random, 0.5, 2), width / 2, y + h / 2,
                side ? 3.141592653589793 - a : a);
    if (middles_first) text_addf(&out, MIDDLE, i, i, i);
    if (i == 0)
      text_addf(&out,
                "joint F: revolute ground (0, 0), p0 (%.17g [m], 0)\n"
                "joint S: slot ground (0, 0), q0 (%.17g [m], 0), axis 0\n",
                -l / 2, -l / 2);
    else
      text_addf(&out,
                "joint R%d: revolute p%d (p%d_end, 0), q%d (%.17g [m], 0)\n"
                "joint T%d: revolute q%d (p%d_end, 0), p%d (%.17g [m], 0)\n",
                i, i - 1, i - 1, i, -l / 2, i, i - 1, i - 1, i, -l / 2);
    if (!middles_first) text_addf(&out, MIDDLE, i, i, i);
    text_addf(&out, "param p%d_end = %.17g [m]\n", i, l / 2);
    y += h;
  }
  text_addf(&out, "output top = p%d.y, speed = q%d.x', push = q%d.theta''\n", stages - 1,
            stages - 1, stages / 2);
  text_add(&out, "simulate to 0.2 [s] every 0.1 [s]\n");
  return out.at;
}

static Motion moved(Context *cx, const char *text, Formulation formulation) {
  Motion motion = motion_load_as(cx, text, NULL, formulation);
  motion.options.method.rtol = 1e-11, motion.options.method.atol = 1e-12;
  motion_run(&motion);
  if (motion.status != QDOT_OK) motion_explain(&motion);
  assert_int_equal(motion.status, QDOT_OK);
  return motion;
}

TEST(ladders_move_alike_in_minimal_and_maximal_coordinates) {
  Random random = random_start("ladders_move_alike_in_minimal_and_maximal_coordinates");
  for (int round = 0; round < test_rounds(4); round++) {
    const char *text = scissor(cx, &random, 12 + random_below(&random, 8), round % 2);
    Motion minimal = moved(cx, text, FORMULATION_LAGRANGE);
    Motion maximal = moved(cx, text, FORMULATION_MAXIMAL);
    assert_true(minimal.summary.energy_drift < 1e-9);
    for (double t = 0; t < 0.25; t += 0.1) {
      CHECK_NEAR(motion_at(&minimal, t, "top"), motion_at(&maximal, t, "top"), 1e-8);
      CHECK_NEAR(motion_at(&minimal, t, "speed"), motion_at(&maximal, t, "speed"), 1e-7);
      CHECK_NEAR(motion_at(&minimal, t, "push"), motion_at(&maximal, t, "push"), 1e-6);
    }
  }
}

static double steps_of(Context *cx, Random *random, int stages, bool middles_first,
                       Formulation formulation) {
  const char *text = scissor(cx, random, stages, middles_first);
  Motion motion = motion_load_as(cx, text, NULL, formulation);
  Equations *e = equations_open(cx, &motion.system, NULL, 0, BACKEND_INTERP, &cx->keep);
  assert_true(e->has_forward);
  double steps = e->parts[PART_FORWARD].program->main_count;
  equations_close(e);
  return steps;
}

TEST(the_work_grows_with_the_number_of_loops) {
  Random random = random_start("the_work_grows_with_the_number_of_loops");
  static const Formulation forms[] = {FORMULATION_LAGRANGE, FORMULATION_MAXIMAL,
                                      FORMULATION_NATURAL};
  for (int k = 0; k < 6; k++) {
    Formulation f = forms[k / 2];
    double half = steps_of(cx, &random, 20, k % 2, f), whole = steps_of(cx, &random, 40, k % 2, f);
    print_message("%s: %.0f steps, %.0f for twice the stages\n", formulation_text(f), half, whole);
    assert_true(whole < 2.3 * half);
  }
}

RUN_TESTS(cmocka_unit_test(ladders_move_alike_in_minimal_and_maximal_coordinates),
          cmocka_unit_test(the_work_grows_with_the_number_of_loops))
