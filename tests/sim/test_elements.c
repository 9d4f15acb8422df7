// Elements, and stops of joints, against their closed forms, in all formulations.
#include <math.h>
#include <string.h>

#include "support/motion.h"

static Motion run_as(Context *cx, const char *text, Formulation formulation) {
  Motion m = motion_load_as(cx, text, NULL, formulation);
  m.options.method.rtol = 1e-11, m.options.method.atol = 1e-13;
  motion_run(&m);
  if (m.status != QDOT_OK) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_true(m.summary.energy_drift < 1e-6);
  return m;
}

// Every output and member, in all formulations.
static void check_alike(Context *cx, const char *text, double t_end, double tolerance) {
  Motion first = run_as(cx, text, FORMULATION_LAGRANGE);
  for (int f = 1; f < FORMULATIONS; f++) {
    Motion other = run_as(cx, text, (Formulation)f);
    for (uint32_t i = 0; i < first.columns.n; i++) {
      const char *name = first.columns.at[i].name;
      if (first.columns.at[i].kind != COLUMN_MEMBER && first.columns.at[i].kind != COLUMN_OUTPUT)
        continue;
      for (double t = 0; t <= t_end; t += t_end / 4) {
        double value = motion_at(&first, t, name);
        CHECK_NEAR(motion_at(&other, t, name), value, tolerance * (1 + fabs(value)));
      }
    }
  }
}

// ---- Bushings

// m x'' + c x' + k x = F from rest
static double step_response(double m, double c, double k, double F, double t) {
  double d = c / (2 * m), w = sqrt(k / m - d * d);
  return F / k * (1 - exp(-d * t) * (cos(w * t) + d / w * sin(w * t)));
}

TEST(a_bushing_is_three_oscillators) {
  const char *text =
      "gravity (3 [m/s^2], -9.81 [m/s^2])\n"
      "body arm: mass 2 [kg], inertia 0.1 [kg*m^2], at = (1 [m], 2 [m]), angle = 0\n"
      "bushing b: ground (1 [m], 2 [m]), arm (0, 0), stiffness (400 [N/m], 900 [N/m], 30 [N*m]), "
      "damping (4 [N*s/m], 6 [N*s/m], 0.2 [N*m*s])\n"
      "torque arm = 5 [N*m]\n"
      "output b.x, b.y, b.angle, b.F_x, b.F_y, b.T, b.power\n"
      "output rate = b.x', angle_rate = b.angle', y_rate = b.y'\n"
      "simulate to 1 [s] every 0.1 [s]\n";
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, text, (Formulation)f);
    for (double t = 0.1; t < 1.05; t += 0.3) {
      CHECK_NEAR(motion_at(&m, t, "b.x"), step_response(2, 4, 400, 2 * 3, t), 1e-9);
      CHECK_NEAR(motion_at(&m, t, "b.y"), step_response(2, 6, 900, -2 * 9.81, t), 1e-9);
      CHECK_NEAR(motion_at(&m, t, "b.angle"), step_response(0.1, 0.2, 30, 5, t), 1e-9);
      double F_x = -400 * motion_at(&m, t, "b.x") - 4 * motion_at(&m, t, "rate");
      double F_y = -900 * motion_at(&m, t, "b.y") - 6 * motion_at(&m, t, "y_rate");
      double T = -30 * motion_at(&m, t, "b.angle") - 0.2 * motion_at(&m, t, "angle_rate");
      CHECK_NEAR(motion_at(&m, t, "b.F_x"), F_x, 1e-9);
      CHECK_NEAR(motion_at(&m, t, "b.F_y"), F_y, 1e-9);
      CHECK_NEAR(motion_at(&m, t, "b.T"), T, 1e-9);
      double power = F_x * motion_at(&m, t, "rate") + F_y * motion_at(&m, t, "y_rate") +
                     T * motion_at(&m, t, "angle_rate");
      CHECK_NEAR(motion_at(&m, t, "b.power"), power, 1e-9);
    }
  }
}

// Between two free bodies it changes neither momentum nor angular momentum, however it is turned.
TEST(a_bushing_acts_alike_on_both_bodies) {
  check_alike(cx,
              "body a: rod 1 [m], mass 1 [kg], spin = 3 [rad/s], velocity = (0.3 [m/s], 0)\n"
              "body b: rod 2 [m], mass 3 [kg], at = (1.4 [m], 0.1 [m]), angle = 20 [deg]\n"
              "bushing w: a (0.5 [m], 0), b (-1 [m], 0), stiffness (40 [N/m], 90 [N/m], 3 [N*m]), "
              "damping (1 [N*s/m], 2 [N*s/m], 0.2 [N*m*s]), axis 30 [deg], angle 15 [deg]\n"
              "output w.x, w.y, w.angle, w.F_x, w.F_y, w.T, w.power\n"
              "output p_x = a.x' + 3*b.x', p_y = a.y' + 3*b.y'\n"
              "output H = a.x*a.y' - a.y*a.x' + 3*(b.x*b.y' - b.y*b.x') + "
              "(1 [m^2])*(a.omega/12 + b.omega)\n"
              "simulate to 2 [s] every 0.5 [s]\n",
              2, 1e-7);
  Motion m = run_as(cx,
                    "body a: rod 1 [m], mass 1 [kg], spin = 3 [rad/s], velocity = (0.3 [m/s], 0)\n"
                    "body b: rod 2 [m], mass 3 [kg], at = (1.4 [m], 0.1 [m]), angle = 20 [deg]\n"
                    "bushing w: a (0.5 [m], 0), b (-1 [m], 0), stiffness (40, 90, 3), "
                    "damping (1, 2, 0.2), axis 30 [deg]\n"
                    "output H = a.x*a.y' - a.y*a.x' + 3*(b.x*b.y' - b.y*b.x') + "
                    "(1 [m^2])*(a.omega/12 + b.omega)\n"
                    "simulate to 2 [s] every 0.5 [s]\n",
                    FORMULATION_LAGRANGE);
  CHECK_NEAR(motion_at(&m, 2, "H"), motion_at(&m, 0, "H"), 1e-9);
}

// ---- Ropes

// m g (h + s) = k s^2/2 at the lowest point: F = m g + sqrt((m g)^2 + 2 k m g h).
TEST(a_bungee_pulls_as_energy_says) {
  const char *text = "gravity (0, -10 [m/s^2])\n"
                     "body load: point, mass 2 [kg], at = (0, -0.1 [m])\n"
                     "rope r: ground (0, 0), load (0, 0), length 0.6 [m], stiffness 500 [N/m]\n"
                     "output r.F, r.length, r.power\nmeasure most = max(r.F)\n"
                     "simulate to 3 [s] every 1 [ms]\n";
  double expected = 20 + sqrt(400 + 2 * 500 * 20 * 0.5);
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, text, (Formulation)f);
    double most = 0, least = 0;
    for (double t = 0; t < 3; t += 1e-3) {
      most = fmax(most, motion_at(&m, t, "r.F")), least = fmin(least, motion_at(&m, t, "r.F"));
      double stretch = fmax(0, motion_at(&m, t, "r.length") - 0.6);
      CHECK_NEAR(motion_at(&m, t, "r.F"), 500 * stretch, 1e-9);
    }
    assert_true(least == 0);
    CHECK_NEAR(most, expected, 1e-3); // the rows are near the peak
  }
}

TEST(a_damped_rope_never_pushes) {
  const char *text = "gravity (0, -10 [m/s^2])\n"
                     "body load: point, mass 2 [kg], at = (0.2 [m], -0.1 [m])\n"
                     "rope r: ground (0, 0), load (0, 0), length 0.6 [m], stiffness 5000 [N/m], "
                     "damping 200 [N*s/m]\n"
                     "output r.F, r.length, r.power\n"
                     "simulate to 1 [s] every 1 [ms]\n";
  Motion m = run_as(cx, text, FORMULATION_LAGRANGE);
  for (double t = 0; t < 1; t += 1e-3) assert_true(motion_at(&m, t, "r.F") >= 0);
  check_alike(cx, text, 1, 1e-6);
}

// Falls h, is thrown back with e times its speed; later hangs with its weight on it.
TEST(an_inextensible_rope_strikes_and_holds) {
  const char *text = "gravity (0, -10 [m/s^2])\n"
                     "body load: point, mass 2 [kg], at = (0, -0.1 [m])\n"
                     "rope r: ground (0, 0), load (0, 0), length 0.6 [m], restitution 0.5\n"
                     "output r.F, r.length, r.power\n"
                     "simulate to 3 [s] every 0.1 [s]\n";
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, text, (Formulation)f);
    double fall = sqrt(2 * 0.5 / 10);
    CHECK_NEAR(motion_event(&m, 0, SIM_IMPACT)->t, fall, 1e-9);
    CHECK_NEAR(motion_event(&m, 1, SIM_IMPACT)->t, 2 * fall, 1e-8);
    CHECK_NEAR(motion_at(&m, 3, "r.F"), 20, 1e-8);
    CHECK_NEAR(motion_at(&m, 3, "r.length"), 0.6, 1e-9);
  }
}

// A pendulum on a rope: F = m (g cos a + L a'^2).
TEST(a_taut_rope_is_a_pendulum) {
  const char *text = "gravity (0, -10 [m/s^2])\n"
                     "body load: point, mass 2 [kg], at = (0.6 [m]*0.6, -0.6 [m]*0.8)\n"
                     "rope r: ground (0, 0), load (0, 0), length 0.6 [m]\n"
                     "output r.F, speed2 = load.x'^2 + load.y'^2, down = -load.y\n"
                     "simulate to 2 [s] every 0.1 [s]\n";
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, text, (Formulation)f);
    for (double t = 0; t < 2; t += 0.3) {
      double down = motion_at(&m, t, "down"), v2 = 2 * 10 * (down - 0.48);
      CHECK_NEAR(motion_at(&m, t, "speed2"), v2, 1e-8);
      CHECK_NEAR(motion_at(&m, t, "r.F"), 2 * (10 * down / 0.6 + v2 / 0.6), 1e-7);
    }
  }
}

// ---- Cylinders

// The cosine law gives the boom's angle from the length, its second derivative the torque.
TEST(a_cylinder_of_given_length) {
  const char *text = "gravity (0, -10 [m/s^2])\n"
                     "body boom: rod 2 [m], mass 20 [kg], angle 10 [deg]\n"
                     "joint A: revolute ground (0, 0), boom (-1 [m], 0)\n"
                     "cylinder c: ground (0, -0.8 [m]), boom (-0.4 [m], 0), length 1 [m] + 0.1 "
                     "[m]*sin(2 [rad/s]*t)\n"
                     "output c.F, c.length, c.power, boom.theta\n"
                     "simulate to 3 [s] every 0.1 [s]\n";
  double a = 0.8, b = 0.6, J = 20 * 4 / 3.;
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, text, (Formulation)f);
    for (double t = 0; t < 3; t += 0.3) {
      double l = 1 + 0.1 * sin(2 * t), l1 = 0.2 * cos(2 * t), l2 = -0.4 * sin(2 * t);
      // l^2 = a^2 + b^2 + 2 a b sin(theta)
      double s = (l * l - a * a - b * b) / (2 * a * b), theta = asin(s);
      double slope = a * b * cos(theta) / l; // dl/dtheta
      double curve = -a * b * s / l - slope * slope / l, w = l1 / slope;
      double alpha = (l2 - curve * w * w) / slope;
      double F = (J * alpha + 20 * 10 * cos(theta)) / slope;
      CHECK_NEAR(motion_at(&m, t, "boom.theta"), theta, 1e-9);
      CHECK_NEAR(motion_at(&m, t, "c.length"), l, 1e-9);
      CHECK_NEAR(motion_at(&m, t, "c.F"), F, 1e-7 * fabs(F));
      CHECK_NEAR(motion_at(&m, t, "c.power"), F * l1, 1e-6 * fabs(F));
    }
  }
}

// What a cylinder of given force does is what the forces on its ends do.
TEST(a_cylinder_of_given_force) {
  static const char bodies[] = "gravity (0, -10 [m/s^2])\n"
                               "body boom: rod 2 [m], mass 20 [kg], angle = 10 [deg]\n"
                               "body arm: rod 1 [m], mass 5 [kg], angle = -40 [deg]\n"
                               "joint A: revolute ground (0, 0), boom (-1 [m], 0)\n"
                               "joint B: revolute boom (1 [m], 0), arm (-0.5 [m], 0)\n";
  const char *last = "simulate to 1 [s] every 0.1 [s]\n";
  Text one = text_new(&cx->keep), two = text_new(&cx->keep);
  text_addf(&one, "%scylinder c: boom (0, 0.2 [m]), arm (0.1 [m], 0), force 50 [N] + 9 [N/s]*t\n%s",
            bodies, "output c.F, c.length, c.power, boom.theta, arm.theta, B.F_x, B.F_y\n");
  text_add(&one, last);
  text_addf(&two,
            "%slet p = (boom.x - 0.2 [m]*sin(boom.theta), boom.y + 0.2 [m]*cos(boom.theta))\n"
            "let q = (arm.x + 0.1 [m]*cos(arm.theta), arm.y + 0.1 [m]*sin(arm.theta))\n"
            "let F = (50 [N] + 9 [N/s]*t)/norm(q - p)\n"
            "force boom (0, 0.2 [m]) = -F*(q - p)\nforce arm (0.1 [m], 0) = F*(q - p)\n"
            "output boom.theta, arm.theta, B.F_x, B.F_y\n%s",
            bodies, last);
  check_alike(cx, one.at, 1, 1e-7);
  Motion a = run_as(cx, one.at, FORMULATION_LAGRANGE), b = run_as(cx, two.at, FORMULATION_MAXIMAL);
  static const char *const names[] = {"boom.theta", "arm.theta", "B.F_x", "B.F_y"};
  for (int i = 0; i < 4; i++)
    CHECK_NEAR(motion_at(&a, 1, names[i]), motion_at(&b, 1, names[i]), 1e-6);
}

// ---- Rotors

// m x'' + k x = U w^2 cos(w t) from rest, and the weight of the unbalance on the drive.
TEST(an_unbalance_shakes_its_frame) {
  const char *text =
      "param w = 20 [rad/s]\ngravity (0, -10 [m/s^2])\n"
      "body frame: mass 5 [kg], inertia 1 [kg*m^2], velocity = (0, 0)\n"
      "body rotor: disc 0.1 [m], mass 2 [kg], angle = 0\n"
      "joint rail: prismatic ground (0, 0), frame (0, 0), axis 0\n"
      "joint A: revolute frame (0, 0), rotor (0, 0)\n"
      "unbalance u: rotor (0, 0), moment 0.02 [kg*m]\n"
      "spring s: ground (-1 [m], 0), frame (0, 0), stiffness 7000 [N/m], length 1 [m]\n"
      "motor A: speed w\noutput x = frame.x, a = frame.x'', u.F, A.T\n"
      "simulate to 1 [s] every 10 [ms]\n";
  double w = 20, n = sqrt(7000 / 7.), U = 0.02, A = U * w * w / (7000 - 7 * w * w);
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, text, (Formulation)f);
    for (double t = 0; t < 1; t += 0.13) {
      double x = A * (cos(w * t) - cos(n * t));
      CHECK_NEAR(motion_at(&m, t, "x"), x, 1e-9);
      CHECK_NEAR(motion_at(&m, t, "u.F"), U * w * w, 1e-9);
      double a = motion_at(&m, t, "a"), angle = w * t;
      CHECK_NEAR(motion_at(&m, t, "A.T"), U * (10 * cos(angle) - a * sin(angle)), 1e-8);
    }
  }
}

// Two wheels under a belt: each bearing carries both strands, whatever torque goes through.
TEST(a_belt_loads_its_bearings) {
  const char *text = "body a: disc 0.1 [m], mass 1 [kg]\nbody b: disc 0.1 [m], mass 1 [kg]\n"
                     "joint A: revolute ground (0, 0), a (0, 0)\n"
                     "joint B: revolute ground (0.6 [m], 0.8 [m]), b (0, 0)\n"
                     "belt: a, b, ratio 1, tension 100 [N]\ntorque a = 1 [N*m]\n"
                     "output A.F_x, A.F_y, B.F_x, B.F_y\nsimulate to 1 [s] every 0.5 [s]\n";
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, text, (Formulation)f);
    CHECK_NEAR(motion_at(&m, 1, "A.F_x"), -120, 1e-9);
    CHECK_NEAR(motion_at(&m, 1, "A.F_y"), -160, 1e-9);
    CHECK_NEAR(motion_at(&m, 1, "B.F_x"), 120, 1e-9);
    CHECK_NEAR(motion_at(&m, 1, "B.F_y"), 160, 1e-9);
  }
}

// ---- Roads and cams

// m y'' = k (r + z - y) - m g over z = a sin(Omega t), from where it would rest on a flat road.
TEST(a_tyre_follows_its_road) {
  const char *text =
      "param v = 8 [m/s], kappa = 2 [1/m], a = 5 [mm]\ngravity (0, -10 [m/s^2])\n"
      "body wheel: disc 0.3 [m], mass 20 [kg], at = (0, 0.298 [m])\n"
      "body guide: point, mass 1 [kg]\njoint rail: prismatic ground (0, 0), guide (0, 0), axis 0\n"
      "joint post: prismatic guide (0, 0), wheel (0, 0), axis 90 [deg]\nmotor rail: speed v\n"
      "tyre w: wheel (0, 0), stiffness 1e5 [N/m], radius 0.3 [m], road a*sin(kappa*wheel.x)\n"
      "output y = wheel.y, w.N, w.deflection\nsimulate to 0.5 [s] every 10 [ms]\n";
  double W = 16, n = sqrt(1e5 / 20), a = 0.005, A = a * n * n / (n * n - W * W);
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, text, (Formulation)f);
    for (double t = 0; t < 0.5; t += 0.05) {
      double y = 0.298 + A * (sin(W * t) - W / n * sin(n * t));
      CHECK_NEAR(motion_at(&m, t, "y"), y, 1e-9);
      CHECK_NEAR(motion_at(&m, t, "w.N"), 1e5 * (0.3 + a * sin(W * t) - y), 1e-4);
    }
  }
}

// Dropped from h: N = m g + sqrt((m g)^2 + 2 k m g h) at most, and 0 in the air.
TEST(a_tyre_only_pushes) {
  Motion m =
      run_as(cx,
             "gravity (0, -10 [m/s^2])\nbody wheel: point, mass 20 [kg], at = (0, 0.4 [m])\n"
             "tyre w: wheel (0, 0), stiffness 1e5 [N/m], damping 200 [N*s/m], radius 0.3 [m]\n"
             "output w.N, w.deflection, w.power\nsimulate to 1 [s] every 1 [ms]\n",
             FORMULATION_LAGRANGE);
  double most = 0;
  for (double t = 0; t < 1; t += 1e-3) {
    double N = motion_at(&m, t, "w.N");
    assert_true(N >= 0);
    if (motion_at(&m, t, "w.deflection") < 0) assert_true(N == 0);
    most = fmax(most, N);
  }
  assert_true(most > 200 && most < 200 + sqrt(200 * 200 + 2 * 1e5 * 200 * 0.1));
}

// The follower's force is m (g + s''), the drive's torque N ds/dtheta; too fast, it lifts off.
TEST(a_cam_pushes_its_follower) {
  static const char text[] =
      "param w = %s [rad/s], h = 10 [mm]\ngravity (0, -10 [m/s^2])\n"
      "body shaft: disc 50 [mm], mass 1 [kg], angle = 0\n"
      "body follower: plate (20 [mm], 60 [mm]), mass 0.5 [kg], at = (0, 0)\n"
      "joint A: revolute ground (0, 0), shaft (0, 0)\n"
      "joint guide: prismatic ground (0, 0.1 [m]), follower (0, 0), axis 90 [deg]\n"
      "cam c: follower (0, 0), axis 90 [deg], lift h/2*(1 - cos(shaft.theta))\n"
      "motor A: speed w\noutput c.N, c.lift, y = follower.y, A.T\n"
      "simulate to 1 [s] every 10 [ms]\n";
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, text_format(&cx->keep, text, "30"), (Formulation)f);
    for (double t = 0; t < 1; t += 0.07) {
      double N = 0.5 * (10 + 0.005 * 900 * cos(30 * t));
      CHECK_NEAR(motion_at(&m, t, "y"), 0.005 * (1 - cos(30 * t)), 1e-9);
      CHECK_NEAR(motion_at(&m, t, "c.N"), N, 1e-8);
      CHECK_NEAR(motion_at(&m, t, "A.T"), N * 0.005 * sin(30 * t), 1e-8);
    }
  }
  // beyond w = sqrt(2 g/h) = 44.7 rad/s it flies
  Motion slow = run_as(cx, text_format(&cx->keep, text, "44"), FORMULATION_LAGRANGE);
  Motion fast = run_as(cx, text_format(&cx->keep, text, "46"), FORMULATION_LAGRANGE);
  assert_int_equal(slow.summary.events.n, 0);
  motion_event(&fast, 0, SIM_RELEASE);
}

// ---- Backlash

// Two discs, J_1 = 0.2 and J_2 = 0.5 kg m^2, of which the first turns with 3 rad/s; the second one
// has a gap of 0.4 rad of its own and turns by -2 times the first beyond it.
#define TWO_DISCS                                                                                  \
  "body a: mass 1 [kg], inertia 0.2 [kg*m^2], at = (0, 0), angle = 10 [deg], spin = 3 [rad/s]\n"   \
  "body b: mass 1 [kg], inertia 0.5 [kg*m^2], at = (1 [m], 0), angle = 70 [deg], spin = 0\n"       \
  "joint A: revolute ground (0, 0), a (0, 0)\njoint B: revolute ground (1 [m], 0), b (0, 0)\n"
static const double ratio = -2, play = 0.4, together = 1 / (1 / 0.5 + 4 / 0.2);

// psi' = w_2 - ratio w_1 changes its sign and keeps a share e at every strike.
TEST(a_hard_backlash_strikes_both_flanks) {
  const char *text = TWO_DISCS "backlash g: a, b, ratio -2, play 0.4 [rad], restitution 0.5\n"
                               "output g.angle, g.T, w_1 = a.omega, w_2 = b.omega\n"
                               "simulate to 0.3 [s] every 10 [ms]\n";
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, text, (Formulation)f);
    double t = play / 2 / 6, speed = 6, w_1 = 3, w_2 = 0; // free for half of the gap
    CHECK_NEAR(motion_at(&m, 0.03, "g.angle"), 6 * 0.03, 1e-9);
    for (int strike = 0; strike < 2; strike++) {
      double impulse = -1.5 * speed * together;
      w_2 += impulse / 0.5, w_1 -= ratio * impulse / 0.2;
      speed *= -0.5;
      double at = ceil(t * 100) / 100;
      CHECK_NEAR(motion_at(&m, at, "w_1"), w_1, 1e-8);
      CHECK_NEAR(motion_at(&m, at, "w_2"), w_2, 1e-8);
      double flank = strike == 0 ? play / 2 : -play / 2;
      CHECK_NEAR(motion_at(&m, at, "g.angle"), flank + speed * (at - t), 1e-8);
      t += play / fabs(speed);
    }
  }
}

// Flight, half an oscillation at a flank, flight back: T = 2 b/v + 2 pi sqrt(J/k).
TEST(an_elastic_backlash_has_its_period) {
  const double k = 300, period = 2 * play / 6 + 2 * acos(-1) * sqrt(together / k);
  const char *text = TWO_DISCS "backlash g: a, b, ratio -2, play 0.4 [rad], stiffness 300 [N*m]\n"
                               "output g.angle, g.T, g.power, rate = g.angle'\n"
                               "simulate to %.17g [s] every %.17g [s]\n";
  char model[1000];
  snprintf(model, sizeof model, text, 2 * period, period / 4);
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, model, (Formulation)f);
    double deepest = 6 * sqrt(together / k);
    CHECK_NEAR(motion_at(&m, period / 4, "g.angle"), play / 2 + deepest, 1e-7);
    CHECK_NEAR(motion_at(&m, period / 4, "g.T"), -k * deepest, 1e-5);
    CHECK_NEAR(motion_at(&m, period / 2, "rate"), -6, 1e-7);
    CHECK_NEAR(motion_at(&m, 3 * period / 4, "g.T"), k * deepest, 1e-5);
    CHECK_NEAR(motion_at(&m, 2 * period, "g.angle"), 0, 1e-7);
    CHECK_NEAR(motion_at(&m, 2 * period, "rate"), 6, 1e-7);
  }
}

// A driving torque presses one flank; damping lets it come to rest there and never pulls.
TEST(a_damped_backlash_drives) {
  const char *text = TWO_DISCS
      "backlash g: a, b, ratio -2, play 0.02 [rad], stiffness 300 [N*m], damping 1.2 [N*m*s]\n"
      "torque a = 4 [N*m]\nspring load: torsional ground, b, damping 3 [N*m*s]\n"
      "output g.angle, g.T, w_2 = b.omega\nsimulate to 6 [s] every 0.5 [s]\n";
  check_alike(cx, text, 6, 1e-6);
  Motion m = run_as(cx, text, FORMULATION_LAGRANGE);
  CHECK_NEAR(motion_at(&m, 6, "g.T"), -2, 1e-4); // 4 N m over the ratio
  CHECK_NEAR(motion_at(&m, 6, "w_2"), -2. / 3, 1e-4);
  CHECK_NEAR(motion_at(&m, 6, "g.angle"), 0.01 + 2. / 300, 1e-6);
}

// Without a ratio it is a coupling with play; the middle of the gap may be told.
TEST(a_coupling_with_play) {
  Motion m = run_as(cx,
                    "body a: mass 1 [kg], inertia 0.2 [kg*m^2], at = (0, 0), angle = 0, spin = 3\n"
                    "joint A: revolute ground (0, 0), a (0, 0)\n"
                    "backlash g: ground, a, play 0.4 [rad], angle 0.1 [rad], restitution 1\n"
                    "output g.angle\nsimulate to 0.2 [s] every 10 [ms]\n",
                    FORMULATION_LAGRANGE);
  CHECK_NEAR(motion_at(&m, 0.05, "g.angle"), 0.05, 1e-9);
  CHECK_NEAR(motion_at(&m, 0.2, "g.angle"), 0.2 - 3 * 0.1, 1e-8); // strikes at 0.1 s
}

// ---- Stops

// A rod falls against a stop: w^2 = 3 g/L (sin 0 + sin 30), comes to rest and leans on it.
TEST(stops_end_the_motion_of_joints) {
  const char *text =
      "gravity (0, -10 [m/s^2])\nbody arm: rod 1 [m], mass 2 [kg], angle = 0\n"
      "joint A: revolute ground (0, 0), arm (-0.5 [m], 0), stops (-30 [deg], 45 [deg])\n"
      "output N = A_low.N, high = A_high.N, A.angle\nsimulate to 2 [s] every 0.1 [s]\n";
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion m = run_as(cx, text, (Formulation)f);
    CHECK_NEAR(motion_at(&m, 2, "A.angle"), -acos(-1) / 6, 1e-9);
    CHECK_NEAR(motion_at(&m, 2, "N"), 2 * 10 * 0.5 * cos(acos(-1) / 6), 1e-8);
    CHECK_NEAR(motion_at(&m, 2, "high"), 0, 1e-12);
  }
  Motion slide = run_as(cx,
                        "body box: point, mass 2 [kg], velocity = (1 [m/s], 0)\n"
                        "joint A: prismatic ground (0, 0), box (0, 0), axis 0, "
                        "stops (-0.1 [m], 0.2 [m]), restitution 1\n"
                        "output A.s\nsimulate to 1.7 [s] every 0.1 [s]\n",
                        FORMULATION_LAGRANGE);
  CHECK_NEAR(motion_at(&slide, 0.5, "A.s"), -0.1, 1e-9); // 0.2, back 0.3
  CHECK_NEAR(motion_at(&slide, 1.7, "A.s"), -0.1, 1e-9);
}

RUN_TESTS(cmocka_unit_test(a_bushing_is_three_oscillators),
          cmocka_unit_test(a_bushing_acts_alike_on_both_bodies),
          cmocka_unit_test(a_bungee_pulls_as_energy_says),
          cmocka_unit_test(a_damped_rope_never_pushes),
          cmocka_unit_test(an_inextensible_rope_strikes_and_holds),
          cmocka_unit_test(a_taut_rope_is_a_pendulum), cmocka_unit_test(a_cylinder_of_given_length),
          cmocka_unit_test(a_cylinder_of_given_force),
          cmocka_unit_test(an_unbalance_shakes_its_frame),
          cmocka_unit_test(a_belt_loads_its_bearings), cmocka_unit_test(a_tyre_follows_its_road),
          cmocka_unit_test(a_tyre_only_pushes), cmocka_unit_test(a_cam_pushes_its_follower),
          cmocka_unit_test(a_hard_backlash_strikes_both_flanks),
          cmocka_unit_test(an_elastic_backlash_has_its_period),
          cmocka_unit_test(a_damped_backlash_drives), cmocka_unit_test(a_coupling_with_play),
          cmocka_unit_test(stops_end_the_motion_of_joints))
