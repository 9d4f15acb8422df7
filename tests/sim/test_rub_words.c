// What friction cannot do is told, and what it need not do is not done.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "support/motion.h"

// Do the diagnostics of a run contain this?
static bool says(const Motion *m, const char *part) {
  for (uint32_t i = 0; i < m->cx->diagnostics.list.n; i++)
    if (strstr(m->cx->diagnostics.list.at[i].message, part)) return true;
  return false;
}

// An arm on a pin: on the floor its tip cannot move, and needs no friction.
static const char arm[] =
    "param g = 9.81\ngravity (0, -g)\n"
    "body arm: rod 1 [m], mass 1, at ~ (0.5, 0.5), angle = 0.3, spin = 0\n"
    "joint p: revolute ground (0, 0.3), arm (-0.5, 0)%s\n"
    "contact floor: arm (0.5, 0), line (0, 0), restitution 0.5, friction 0.3\n"
    "output N = floor.N, R = floor.R\nsimulate to %g every 0.1\n";

TEST(arm_comes_to_rest) {
  Motion m = motion_to_end(cx, text_format(&cx->keep, arm, "", 1.0));
  CHECK_NEAR(motion_at(&m, 1, "arm.theta"), -asin(0.3), 1e-9);
  CHECK_NEAR(motion_at(&m, 1, "N"), 9.81 / 2, 1e-8);
  CHECK_NEAR(motion_at(&m, 1, "R"), 0, 0);
}

// Where a drive jumps, joints that rub give no impulse.
TEST(drives_that_jump) {
  for (int jumps = 0; jumps < 2; jumps++) {
    cx->diagnostics.list.n = 0;
    Motion m =
        motion_of(cx, text_format(&cx->keep,
                                  "body crank: rod 0.2, mass 1, angle = 0\n"
                                  "body bob: mass 2, inertia 0.1, at ~ (0.3, 0), angle = 0\n"
                                  "joint A: revolute ground (0, 0), crank (-0.1, 0)\n"
                                  "joint B: revolute crank (0.1, 0), bob (-0.1, 0), friction "
                                  "0.2, radius 0.01\nmotor A: speed %s\n"
                                  "simulate to 0.5 every 0.1\n",
                                  jumps ? "if(t < 0.2, 0, 3)" : "(3 [rad/s^2])*t"));
    assert_true(says(&m, "at t = 0.2 s a speed jumps: the friction of joint 'B' gives no impulse "
                         "where drives do, only in impacts") == jumps);
  }
}

// A block on a rail along the floor that it also touches: the rail takes its weight.
TEST(joints_take_the_load) {
  static const char *const rails[] = {"joint G: prismatic ground (0, 0.05), b (0, 0)\n", ""};
  for (int free = 0; free < 2; free++)
    for (Formulation f = FORMULATION_LAGRANGE; f <= FORMULATION_MAXIMAL; f++) {
      cx->diagnostics.list.n = 0;
      Motion m = motion_load_as(
          cx,
          text_format(
              &cx->keep,
              "gravity (0, -9.81)\nbody b: mass 2, inertia 1, at = (0, 0.05)\n%s"
              "contact f: b (0, -0.05), line (0, 0), friction 0.3\nforce b (0, 0) = (3, 0)\n"
              "simulate to 0.1 every 0.05\n",
              rails[free]),
          NULL, f);
      motion_run(&m);
      assert_true(says(&m, "contact 'f' has no friction: joints keep its gap closed") == !free);
    }
}

TEST(steps_know_one_coefficient) {
  for (int two = 0; two < 2; two++) {
    Motion m = motion_of(
        cx, text_format(&cx->keep,
                        "param m = 1, g = 9.81\ncoord x = 0 [m], y = 0 [m]\nkinetic = "
                        "1/2*m*(x'^2 + y'^2)\npotential = m*g*y\nforce x = 1\ncontact floor: y >= "
                        "0, friction 0.5%s, along x\nsimulate to 0.1 every 0.01 using moreau\n",
                        two ? ", 0.3" : ""));
    assert_int_equal(m.status, QDOT_OK);
    m.options.event_rows = true;
    motion_run(&m);
    assert_true(says(&m, "no rows are added at contacts: moreau steps over them; rows at every "
                         "step, 'every 10 [ms]', show what they do"));
    assert_true(says(&m, "moreau takes the friction of sliding for contact 'floor' at rest, too: "
                         "0.3 instead of 0.5") == (two == 1));
  }
}

RUN_TESTS(cmocka_unit_test(arm_comes_to_rest), cmocka_unit_test(drives_that_jump),
          cmocka_unit_test(joints_take_the_load), cmocka_unit_test(steps_know_one_coefficient))
