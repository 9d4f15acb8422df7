// Joints of bodies against closed forms, in every formulation.
#include "support/motion.h"

#define HEAD "param r = 0.2 [m], m = 1 [kg]\n"
#define TAIL "simulate to 1 [s] every 500 [ms]\n"

static void ends_with(Context *cx, const char *text, const char *column, double expected) {
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion motion = motion_load_as(cx, text, NULL, (Formulation)f);
    motion_run(&motion);
    if (motion.status != QDOT_OK) motion_explain(&motion);
    assert_int_equal(motion.status, QDOT_OK);
    CHECK_NEAR(motion_at(&motion, 1, column), expected, 1e-6);
  }
}

// A torque of 1 N m turns by t^2 / (2 J); J = 0.02 + 0.08 / 4.
TEST(gears_share_a_torque) {
  ends_with(cx,
            HEAD "body a: disc r, mass m\nbody b: disc 2*r, mass m, at (0.6 [m], 0)\n"
                 "joint A: revolute ground (0, 0), a (0, 0)\n"
                 "joint B: revolute ground (0.6 [m], 0), b (0, 0)\n"
                 "gear: a, b, ratio -1/2\ntorque a = 1 [N*m]\noutput turned = a.theta\n" TAIL,
            "turned", 12.5);
}

// J = 0.02 + m r^2; the rack moves by r times the angle.
TEST(a_pinion_moves_its_rack) {
  ends_with(cx,
            HEAD "body a: disc r, mass m\n"
                 "body b: mass m, inertia 1 [kg*m^2], at (0, 0.2 [m])\n"
                 "joint A: revolute ground (0, 0), a (0, 0)\n"
                 "joint B: prismatic ground (0, 0.2 [m]), b (0, 0), axis 0\n"
                 "rack: a, b, radius r\ntorque a = 1 [N*m]\noutput way = b.x\n" TAIL,
            "way", 0.2 * 25 / 3);
}

TEST(a_wheel_rolls_by_its_arc) {
  ends_with(cx,
            HEAD "body a: disc r, mass m, at (0, r), spin = -2 [rad/s]\n"
                 "joint R: rolling ground (0, 0), a (0, 0), radius r\noutput way = a.x\n" TAIL,
            "way", 0.4);
}

TEST(a_motor_drives_a_slanted_slide) {
  ends_with(cx,
            HEAD "body a: mass m, inertia 1 [kg*m^2], angle 30 [deg]\n"
                 "joint S: prismatic ground (0, 0), a (0, 0), axis 90 [deg]\n"
                 "motor S: speed 2 [m/s]\noutput height = a.y\n" TAIL,
            "height", 2);
}

// A point has no angle: on a string, free, and pinned at its place.
TEST(a_point_does_not_turn) {
  ends_with(cx, HEAD "body a: point, mass m, velocity (3 [m/s], 0)\noutput way = a.x\n" TAIL, "way",
            3);
  // a round trip of the string takes 1 s
  ends_with(cx,
            HEAD "body a: point, mass m, at (r, 0), velocity (0, 2*pi*r/1 [s])\n"
                 "joint D: distance ground (0, 0), a (0, 0), length r\noutput way = a.x\n" TAIL,
            "way", 0.2);
  // the end of a rod without weight: J = m r^2 + m r^2, torque 1 N m
  ends_with(cx,
            HEAD
            "body a: point, mass m\nbody b: mass m, inertia 0 [kg*m^2]\n"
            "joint A: revolute ground (0, 0), b (-r, 0)\njoint B: revolute b (0, 0), a (0, 0)\n"
            "torque b = 1 [N*m]\noutput turned = b.theta\n" TAIL,
            "turned", 0.5 / 0.08);
}

// Dropped by 1 m, thrown back at half the speed, twice within a second.
TEST(a_ball_bounces_on_a_line) {
  ends_with(cx,
            HEAD "gravity (0, -9.81 [m/s^2])\nbody a: disc r, mass m, at = (0, 1 [m] + r)\n"
                 "contact floor: a (0, 0), radius r, line (0, 0), axis 0, restitution 0.5\n"
                 "output height = a.y - r\n" TAIL,
            "height", 0.06125556565754);
}

// The same on top of a circle.
TEST(a_ball_bounces_on_a_circle) {
  ends_with(cx,
            HEAD "gravity (0, -9.81 [m/s^2])\nbody a: disc r, mass m, at = (0, 1 [m] + r)\n"
                 "contact post: a (0, 0), radius r, circle (0, -1 [m]), ring 1 [m], "
                 "restitution 0.5\n"
                 "output height = a.y - r\n" TAIL,
            "height", 0.06125556565754);
}

// J = 0.02 and c = 0.02: in a second the spin falls to 1/e.
TEST(friction_slows_a_wheel) {
  ends_with(cx,
            HEAD "body a: disc r, mass m, spin = 3 [rad/s]\n"
                 "joint A: revolute ground (0, 0), a (0, 0), friction 0.02 [N*m*s]\n"
                 "output spin = a.theta'\n" TAIL,
            "spin", 1.1036383235143);
}

// A preload without stiffness pulls with a constant force.
TEST(a_preload_pulls) {
  ends_with(cx,
            HEAD "body a: mass m, inertia 1 [kg*m^2], at = (1 [m], 0)\n"
                 "joint S: prismatic ground (0, 0), a (0, 0), axis 0\n"
                 "spring s: ground (0, 0), a (0, 0), preload 0.5 [N]\noutput way = a.x\n" TAIL,
            "way", 0.75);
}

// A belt turns both wheels the same way.
TEST(a_belt_shares_a_torque) {
  ends_with(cx,
            HEAD "body a: disc r, mass m\nbody b: disc 2*r, mass m, at (0.9 [m], 0)\n"
                 "joint A: revolute ground (0, 0), a (0, 0)\n"
                 "joint B: revolute ground (0.9 [m], 0), b (0, 0)\n"
                 "belt: a, b, ratio 1/2\ntorque a = 1 [N*m]\noutput turned = b.theta\n" TAIL,
            "turned", 6.25);
}

// A planetary gear with its ring held: the sun's torque turns the arm by a quarter of the sun, and
// what holds the ring makes up the balance.
TEST(held_ring) {
  for (int f = 0; f < 4; f++) {
    Motion m = motion_load_as(cx,
                              "body sun: inertia 2e-4 [kg*m^2], mass 1 [kg]\n"
                              "body arm: inertia 3e-4 [kg*m^2], mass 1 [kg]\n"
                              "body ring: disc 60 [mm], mass 2 [kg]\n"
                              "joint A: revolute ground (0, 0), sun (0, 0)\n"
                              "joint B: revolute ground (0, 0), arm (0, 0)\n"
                              "joint W: weld ground (0, 0), ring (0, 0)\n"
                              "gear G: sun, ring, ratio -20/60, carrier arm\n"
                              "torque sun = 3 [N*m]\noutput s = sun.theta''\n"
                              "output a = arm.theta''\noutput held = W.T\n"
                              "simulate to 10 [ms] every 10 [ms]\n",
                              NULL, (Formulation)f);
    motion_run(&m);
    assert_int_equal(m.status, QDOT_OK);
    double sun = 3 / (2e-4 + 3e-4 / 16);
    CHECK_NEAR(motion_at(&m, 0, "s"), sun, 1e-9 * sun);
    CHECK_NEAR(motion_at(&m, 0, "a"), sun / 4, 1e-9 * sun);
    CHECK_NEAR(motion_at(&m, 0, "held"), 2e-4 * sun + 3e-4 * sun / 4 - 3, 1e-9);
  }
}

RUN_TESTS(cmocka_unit_test(a_ball_bounces_on_a_line), cmocka_unit_test(a_ball_bounces_on_a_circle),
          cmocka_unit_test(friction_slows_a_wheel), cmocka_unit_test(a_preload_pulls),
          cmocka_unit_test(a_belt_shares_a_torque), cmocka_unit_test(gears_share_a_torque),
          cmocka_unit_test(a_pinion_moves_its_rack), cmocka_unit_test(a_wheel_rolls_by_its_arc),
          cmocka_unit_test(a_motor_drives_a_slanted_slide), cmocka_unit_test(a_point_does_not_turn),
          cmocka_unit_test(held_ring))
