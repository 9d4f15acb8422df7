// Bodies that are given by the place and velocity of their centres: joints tell the angles.
#include <math.h>

#include "support/motion.h"

typedef struct Arm {
  double angle, spin;
  double near[2], far[2]; // pins in its own frame
  double centre[2], velocity[2];
} Arm;

static void turn(double angle, const double v[2], double out[2]) {
  out[0] = cos(angle) * v[0] - sin(angle) * v[1];
  out[1] = sin(angle) * v[0] + cos(angle) * v[1];
}

// A random arm on a pin at `pin` that moves with `speed`; both become those of its far pin.
static Arm random_arm(Random *random, double pin[2], double speed[2]) {
  Arm a = {.angle = random_real(random, -3.1, 3.1), .spin = random_real(random, -2, 2)};
  for (int i = 0; i < 2; i++) {
    a.near[i] = random_real(random, -1, 1);
    a.far[i] = random_real(random, -1, 1);
  }
  double near[2], far[2];
  turn(a.angle, a.near, near), turn(a.angle, a.far, far);
  a.centre[0] = pin[0] - near[0], a.centre[1] = pin[1] - near[1];
  a.velocity[0] = speed[0] + a.spin * near[1], a.velocity[1] = speed[1] - a.spin * near[0];
  pin[0] = a.centre[0] + far[0], pin[1] = a.centre[1] + far[1];
  speed[0] = a.velocity[0] - a.spin * far[1], speed[1] = a.velocity[1] + a.spin * far[0];
  return a;
}

static void add_arm(Text *text, const char *name, const Arm *a) {
  text_addf(text,
            "body %s: mass 1 [kg], inertia 0.1 [kg*m^2], at (%.17g [m], %.17g [m]), "
            "velocity (%.17g [m/s], %.17g [m/s])\n",
            name, a->centre[0], a->centre[1], a->velocity[0], a->velocity[1]);
}

// The second joint may name its bodies in either order.
static const char *model_of(Context *cx, const Arm *a, const Arm *b, bool reversed) {
  Text text = text_new(&cx->keep);
  add_arm(&text, "a", a), add_arm(&text, "b", b);
  text_addf(&text, "joint A: revolute ground (0.3 [m], 0.2 [m]), a (%.17g [m], %.17g [m])\n",
            a->near[0], a->near[1]);
  const char *form = reversed
                         ? "joint B: revolute b (%.17g [m], %.17g [m]), a (%.17g [m], %.17g [m])\n"
                         : "joint B: revolute a (%.17g [m], %.17g [m]), b (%.17g [m], %.17g [m])\n";
  const double *first = reversed ? b->near : a->far, *second = reversed ? a->far : b->near;
  text_addf(&text, form, first[0], first[1], second[0], second[1]);
  text_add(&text, "simulate to 1 [ms] every 1 [ms]\n");
  return text.at;
}

static void check_start(Context *cx, const char *text, const Arm *a, const Arm *b,
                        Formulation formulation) {
  Motion m = motion_load_as(cx, text, NULL, formulation);
  motion_run(&m);
  if (m.status != QDOT_OK) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  // within half a turn, where the text has no angle
  CHECK_NEAR(motion_at(&m, 0, "a.theta"), a->angle, 1e-9);
  CHECK_NEAR(motion_at(&m, 0, "b.theta"), b->angle, 1e-9);
  CHECK_NEAR(motion_at(&m, 0, "a.theta'"), a->spin, 1e-9);
  CHECK_NEAR(motion_at(&m, 0, "b.theta'"), b->spin, 1e-9);
}

TEST(angles_and_spins_follow_from_centres) {
  Random random = random_start("angles_and_spins_follow_from_centres");
  for (int i = 0; i < test_rounds(40); i++) {
    double pin[2] = {0.3, 0.2}, speed[2] = {0};
    Arm a = random_arm(&random, pin, speed), b = random_arm(&random, pin, speed);
    // a pin near the centre tells nothing
    if (hypot(a.near[0], a.near[1]) < 0.1 || hypot(b.near[0], b.near[1]) < 0.1) continue;
    const char *text = model_of(cx, &a, &b, i % 2);
    check_start(cx, text, &a, &b, i % 4 < 2 ? FORMULATION_LAGRANGE : FORMULATION_MAXIMAL);
  }
}

// A body that is said to be where its joint is has no direction: it is left as it was drawn.
TEST(a_centre_on_its_joint_tells_no_angle) {
  Motion m = motion_of(cx, "body a: mass 1 [kg], inertia 1 [kg*m^2], at (0, 0)\n"
                           "body b: mass 1 [kg], inertia 1 [kg*m^2], at (1 [m], 2 [m]), "
                           "velocity (1 [m/s], 0)\n"
                           "joint A: revolute ground (0, 0), a (-1 [m], 0)\n"
                           "joint B: revolute ground (1 [m], 2 [m]), b (0, 0)\n"
                           "simulate to 1 [ms] every 1 [ms]\n");
  assert_int_equal(m.status, QDOT_OK);
  assert_true(motion_at(&m, 0, "a.theta") == 0);
  assert_true(motion_at(&m, 0, "b.theta") == 0 && motion_at(&m, 0, "b.theta'") == 0);
}

RUN_TESTS(cmocka_unit_test(angles_and_spins_follow_from_centres),
          cmocka_unit_test(a_centre_on_its_joint_tells_no_angle))
