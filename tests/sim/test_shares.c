// Friction at rest that is shared: what is told is one equilibrium, and the one that is used most
// is used least.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

enum { MOST_CONTACTS = 4 };

typedef struct Hold {
  double x, y, axis, mu, N, R; // where, which way the line goes, and what it could carry
} Hold;

static double use_of(double N, double R, double mu) { return fabs(R) / (mu * N); }

// A plate between lines, and the load that forces within the cones of friction would carry.
static Motion hold_plate(Context *cx, Random *random, const Hold *holds, int n, bool turned) {
  Text text = text_new(&cx->keep);
  double F_x = 0, F_y = 0, T = 0, x_c = random_real(random, -0.1, 0.1);
  for (int i = 0; i < n; i++) {
    const Hold *h = &holds[i];
    double f_x = -h->N * sin(h->axis) + h->R * cos(h->axis);
    double f_y = h->N * cos(h->axis) + h->R * sin(h->axis);
    F_x -= f_x, F_y -= f_y, T -= (h->x - x_c) * f_y - h->y * f_x;
  }
  double a = turned ? 0.7 : 0;
  text_addf(&text,
            "body b: mass 2 [kg], inertia 0.3 [kg*m^2], at (%.17g [m], 0), angle = %g\n"
            "force b (0, 0) = (%.17g [N], %.17g [N])\ntorque b = %.17g [N*m]\n",
            x_c, a, F_x, F_y, T);
  for (int i = 0; i < n; i++) {
    double x = holds[i].x - x_c, y = holds[i].y;
    text_addf(&text,
              "contact c_%d: b (%.17g [m], %.17g [m]), line (%.17g [m], %.17g [m]), axis %.17g, "
              "friction %.17g\n"
              "measure N_%d = start(c_%d.N), R_%d = final(c_%d.R)\noutput P_%d = c_%d.N, Q_%d = "
              "c_%d.R\n",
              i, x * cos(a) + y * sin(a), -x * sin(a) + y * cos(a), holds[i].x, holds[i].y,
              holds[i].axis, holds[i].mu, i, i, i, i, i, i, i, i);
  }
  text_add(&text, "simulate to 0.1 [s] every 0.05 [s]\n");
  return motion_of(cx, text.at);
}

TEST(held_plates_are_in_equilibrium) {
  Random random = random_start("held_plates_are_in_equilibrium");
  int compared = 0;
  for (int round = 0; round < 100; round++) {
    Hold holds[MOST_CONTACTS];
    int n = 2 + random_below(&random, MOST_CONTACTS - 1);
    double given = 0, told = 0, f_x = 0, f_y = 0, f_x_told = 0, f_y_told = 0, T = 0, T_told = 0;
    for (int i = 0; i < n; i++) {
      double around = 2 * M_PI * i / n - M_PI + random_real(&random, -0.5, 0.5);
      Hold h = {cos(around),
                sin(around),
                around + M_PI / 2 + random_real(&random, -0.4, 0.4),
                random_real(&random, 0.4, 1),
                random_real(&random, 1, 9),
                0};
      h.R = random_real(&random, -0.6, 0.6) * h.mu * h.N;
      holds[i] = h;
      given = fmax(given, use_of(h.N, h.R, h.mu));
    }
    Motion m = hold_plate(cx, &random, holds, n, round % 2);
    // several motions are possible, and it is not at rest
    if (m.summary.stopped != STOPPED_NOT || m.summary.events.n > 0 ||
        motion_at(&m, 0.1, "E_kin") > 1e-12)
      continue;
    for (int i = 0; i < n; i++) {
      const Hold *h = &holds[i];
      double N = motion_at(&m, 0.05, text_format(&cx->keep, "P_%d", i));
      double R = motion_at(&m, 0.05, text_format(&cx->keep, "Q_%d", i));
      assert_true(N >= -1e-9);
      told = fmax(told, fabs(R) > 1e-9 ? use_of(N, R, h->mu) : 0);
      f_x += -h->N * sin(h->axis) + h->R * cos(h->axis);
      f_y += h->N * cos(h->axis) + h->R * sin(h->axis);
      f_x_told += -N * sin(h->axis) + R * cos(h->axis);
      f_y_told += N * cos(h->axis) + R * sin(h->axis);
      T += h->x * (h->N * cos(h->axis) + h->R * sin(h->axis)) -
           h->y * (-h->N * sin(h->axis) + h->R * cos(h->axis));
      T_told += h->x * (N * cos(h->axis) + R * sin(h->axis)) -
                h->y * (-N * sin(h->axis) + R * cos(h->axis));
      CHECK_NEAR(m.summary.measures[2 * i], N, 1e-9);
      CHECK_NEAR(m.summary.measures[2 * i + 1], R, 1e-9);
    }
    CHECK_NEAR(f_x_told, f_x, 1e-9);
    CHECK_NEAR(f_y_told, f_y, 1e-9);
    CHECK_NEAR(T_told, T, 1e-9);
    // what is wedged carries the least loads that hold
    double most = n == 2 ? given : 1;
    if (!(told <= most * (1 + 1e-9))) fail_msg("round %d: %.9g of %.9g", round, told, most);
    compared++;
  }
  print_message("%d of 100 compared\n", compared);
  assert_true(compared > 80);
}

// A man climbs a ladder: it slips where no share of the load holds it.
TEST(ladder_holds_as_long_as_it_can) {
  Motion m = motion_to_end(
      cx, "param m = 20 [kg], L = 4 [m], g = 9.81 [m/s^2], mu = 0.35, nu = 0.25, a = 60 [deg], "
          "W = 700 [N], v = 0.4 [m/s]\ngravity (0, -g)\n"
          "body b: rod L, mass m, at = (L/2*cos(a), L/2*sin(a)), angle = -a\n"
          "contact floor: b (L/2, 0), line (0, 0), friction mu\n"
          "contact wall: b (-L/2, 0), line (0, 0), axis -90 [deg], friction nu\n"
          "force b (0, 0) = (0, -W)\ntorque b = -W*(L/2 - v*t)*cos(b.theta)\n"
          "simulate to 7 [s] every 0.1 [s]\n");
  // both slide: N_w = mu N_f, N_f + nu N_w = m g + W; moments about the foot
  double g = 9.81, a = M_PI / 3, all = 20 * g + 700, N_f = all / (1 + 0.35 * 0.25);
  double N_w = 0.35 * N_f, moment = N_w * 4 * sin(a) + 0.25 * N_w * 4 * cos(a);
  double s = (moment - 20 * g * 2 * cos(a)) / (700 * cos(a)); // the man, from the foot
  CHECK_NEAR(motion_event(&m, 0, SIM_SLIP)->t, s / 0.4, 1e-8);
}

// A stack whose box k is pushed ever harder: that box and what stands on it slip over the one below
// when F = mu (N - k + 1) m g, and nothing else does. Loads that are shared in many ways need no
// more pieces of motion and no more evaluations than others.
static void push_stack(Context *cx, int count, int pushed, double mu) {
  Text text = text_new(&cx->keep);
  double g = 9.81, at = mu * (count - pushed + 1) * g;
  text_addf(
      &text,
      "param a = 300 [mm], b = 50 [mm], mu = %.17g\ncount N = %d\ngravity (0, -9.81 [m/s^2])\n"
      "for i in 1..N\n  body box[i]: plate (2*a, 2*b), mass 1 [kg], at = (0, (2*i - 1)*b), "
      "angle = 0, velocity = (0, 0), spin = 0\nend\n"
      "contact left[1]: box[1] (-a, -b), line (0, 0), friction mu\n"
      "contact right[1]: box[1] (a, -b), line (0, 0), friction mu\nfor i in 2..N\n"
      "  contact left[i]: box[i] (-a, -b), line box[i-1] (0, b), axis 0, friction mu\n"
      "  contact right[i]: box[i] (a, -b), line box[i-1] (0, b), axis 0, friction mu\nend\n"
      "force box[%d] (0, 0) = (%.17g [N/s]*t, 0)\n"
      "output R = left[%d].R + right[%d].R, use = left[%d].R/left[%d].N\n"
      "simulate to 1.1 [s] every 0.25 [s]\n",
      mu, count, pushed, at, pushed, pushed, pushed, pushed);
  Motion m = motion_load(cx, text.at, NULL);
  m.keeps_stretches = true;
  motion_run(&m);
  print_message("%d boxes, %d pushed: %ld steps, %u stretches\n", count, pushed, m.summary.steps,
                m.stretches.n);
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.events.n, 2);
  for (uint32_t i = 0; i < 2; i++) {
    const SimEvent *e = motion_event(&m, i, SIM_SLIP);
    CHECK_NEAR(e->t, 1, 1e-9);
    assert_string_equal(sim_event_name(&m.system, e),
                        text_format(&cx->keep, "%s[%d]", i == 0 ? "left" : "right", pushed));
  }
  // the force of the push; its corners use the same part of what they hold
  CHECK_NEAR(motion_at(&m, 0.75, "R"), -0.75 * at, 1e-8 * at);
  if (count == 1) CHECK_NEAR(motion_at(&m, 0.75, "use"), -0.75 * mu, 1e-8);
  assert_true(m.stretches.n <= 4 * (uint32_t)m.summary.steps);
}

TEST(a_stack_slips_where_it_is_pushed) {
  Random random = random_start("a_stack_slips_where_it_is_pushed");
  for (int round = 0; round < 6; round++) {
    int count = round == 0 ? 1 : 1 + random_below(&random, 8);
    push_stack(cx, count, 1 + random_below(&random, count), random_real(&random, 0.1, 0.3));
  }
}

// A plate on many feet that is pulled by r t at height h: of all loads that carry it the least,
// N = a + b x with the sum and moment of the load, as long as none pulls. All feet slip at once,
// when r t = mu m g, and none is released.
TEST(many_feet_carry_the_least_loads) {
  Random random = random_start("many_feet_carry_the_least_loads");
  int compared = 0;
  for (int round = 0; round < 30; round++) {
    int n = 3 + random_below(&random, 4);
    double x[8], sum = 0, square = 0, W = 9.81 * 3, mu = random_real(&random, 0.1, 0.5);
    double h = random_real(&random, 0.05, 0.4), r = mu * W, slip_at = 1;
    Text text = text_new(&cx->keep);
    text_addf(&text,
              "gravity (0, -9.81 [m/s^2])\nbody b: plate (2 [m], 0.1 [m]), mass 3 [kg], at = (0, "
              "%.17g [m]), angle = 0, velocity = (0, 0), spin = 0\n"
              "force b (0, 0) = (%.17g [N/s]*t, 0)\nsimulate to 1.2 [s] every 0.1 [s]\n",
              h, r);
    for (int i = 0; i < n; i++) {
      x[i] = -1 + 2 * (i + random_real(&random, -0.3, 0.3)) / (n - 1);
      sum += x[i], square += x[i] * x[i];
      text_addf(&text,
                "contact foot_%d: b (%.17g [m], %.17g [m]), line (0, 0), friction %.17g\n"
                "output N_%d = foot_%d.N\n",
                i, x[i], -h, mu, i, i);
    }
    bool pushes = true;
    for (int k = 0; k <= 12; k++)
      for (int i = 0; i < n; i++) {
        double M = fmin(k / 10.0, slip_at) * r * h, d = n * square - sum * sum;
        pushes &= (W * square - M * sum + (n * M - W * sum) * x[i]) / d > 1e-3 * W;
      }
    if (!pushes) continue;
    compared++;
    Motion m = motion_to_end(cx, text.at);
    assert_int_equal(m.summary.events.n, n);
    for (int i = 0; i < n; i++)
      CHECK_NEAR(motion_event(&m, (uint32_t)i, SIM_SLIP)->t, slip_at, 1e-9);
    for (int k = 0; k <= 12; k++)
      for (int i = 0; i < n; i++) {
        double t = k / 10.0, M = fmin(t, slip_at) * r * h, d = n * square - sum * sum;
        if (k == 10) continue; // the row of the slip itself
        // behind the slip, the force that is not held accelerates at the middle
        double N = (W * square - M * sum + (n * M - W * sum) * x[i]) / d;
        CHECK_NEAR(motion_at(&m, t, text_format(&cx->keep, "N_%d", i)), N, 1e-7 * W);
      }
  }
  print_message("%d of 30 compared\n", compared);
  assert_true(compared > 10);
}

// A drawer that is pulled beside its middle touches its guides at two corners only, from the first
// row on: F - 2 mu N = m a, N l = F e.
TEST(what_would_pull_is_open_at_the_start) {
  double speeds[] = {0, 0.5}, mus[] = {0.3, 0.7};
  for (int k = 0; k < 2; k++) {
    Motion m = motion_of(
        cx,
        text_format(&cx->keep,
                    "param w = 0.6 [m], l = 0.3 [m], mu = %g\nbody d: plate (l, w), mass 3 [kg], "
                    "at = (0, 0), angle = 0, velocity = (%g [m/s], 0), spin = 0\n"
                    "contact a1: d (-l/2, w/2), line (0, w/2), axis 180 [deg], friction mu\n"
                    "contact a2: d (l/2, w/2), line (0, w/2), axis 180 [deg], friction mu\n"
                    "contact b1: d (-l/2, -w/2), line (0, -w/2), friction mu\n"
                    "contact b2: d (l/2, -w/2), line (0, -w/2), friction mu\n"
                    "force d (l/2, 0.25 [m]) = (20 [N], 0)\nsimulate to 0.2 [s] every 0.1 [s]\n",
                    mus[k], speeds[k]));
    double N = 20 * 0.25 / 0.3, a = (20 - 2 * mus[k] * N) / 3;
    assert_int_equal(m.summary.events.n, 0);
    for (int row = 0; row < 3; row++) {
      CHECK_NEAR(motion_at(&m, row / 10.0, "d.x''"), a, 1e-9);
      CHECK_NEAR(motion_at(&m, row / 10.0, "lambda_a1"), N, 1e-9);
      CHECK_NEAR(motion_at(&m, row / 10.0, "lambda_a2"), 0, 1e-12);
    }
  }
}

// A force that jumps to more than friction holds: both corners of a box slip at once, and so does a
// block between two jaws whose pressure falls.
TEST(loads_that_jump_beyond_friction) {
  Random random = random_start("loads_that_jump_beyond_friction");
  for (int round = 0; round < 10; round++) {
    double m = random_real(&random, 0.1, 30), mu = random_real(&random, 0.1, 0.4), g = 9.81;
    double F = random_real(&random, 1.01, 2) * mu * m * g, held = random_real(&random, 0, 0.9);
    Motion box = motion_to_end(
        cx, text_format(&cx->keep,
                        "gravity (0, -9.81 [m/s^2])\nbody b: plate (0.4 [m], 0.1 [m]), mass %.17g "
                        "[kg], at = (0, 0.05 [m]), angle = 0, velocity = (0, 0), spin = 0\n"
                        "contact l: b (-0.2 [m], -0.05 [m]), line (0, 0), friction %.17g\n"
                        "contact r: b (0.2 [m], -0.05 [m]), line (0, 0), friction %.17g\n"
                        "force b (0, 0) = (%.17g [N]*if(t < 1 [s], %.17g, 1), 0)\n"
                        "simulate to 2 [s] every 0.1 [s]\n",
                        m, mu, mu, F, held / 2));
    CHECK_NEAR(motion_event(&box, 1, SIM_SLIP)->t, 1, 1e-12);
    CHECK_NEAR(motion_at(&box, 2, "b.x"), (F / m - mu * g) / 2, 1e-8);
    double clamp = m * g / (2 * mu), less = random_real(&random, 0.1, 0.95) * clamp;
    Motion jaw = motion_to_end(
        cx,
        text_format(&cx->keep,
                    "gravity (0, -9.81 [m/s^2])\nbody j: plate (0.1 [m], 0.2 [m]), mass 1 [kg], "
                    "at = (0.1 [m], 0), angle = 0\njoint G: prismatic ground (0, 0), j (0, 0), "
                    "axis 0\nbody b: plate (0.1 [m], 0.1 [m]), mass %.17g [kg], at = (0, 0), "
                    "angle = 0, velocity = (0, 0), spin = 0\nparam mu = %.17g, d = 50 [mm]\n"
                    "contact l1: b (-d, d), line (-d, 0), axis -90 [deg], friction mu\n"
                    "contact l2: b (-d, -d), line (-d, 0), axis -90 [deg], friction mu\n"
                    "contact r1: b (d, d), line j (-d, 0), axis 90 [deg], friction mu\n"
                    "contact r2: b (d, -d), line j (-d, 0), axis 90 [deg], friction mu\n"
                    "force j (0, 0) = (if(t < 1 [s], %.17g [N], %.17g [N]), 0)\n"
                    "simulate to 1.1 [s] every 0.05 [s]\n",
                    m, mu, -1.3 * clamp, -less));
    assert_int_equal(jaw.summary.events.n, 4);
    for (uint32_t i = 0; i < 4; i++) CHECK_NEAR(motion_event(&jaw, i, SIM_SLIP)->t, 1, 1e-12);
    CHECK_NEAR(motion_at(&jaw, 1.1, "b.y"), -(g - 2 * mu * less / m) * 0.1 * 0.1 / 2, 1e-9);
    assert_true(jaw.summary.rejected < 100);
  }
}

RUN_TESTS(cmocka_unit_test(held_plates_are_in_equilibrium),
          cmocka_unit_test(ladder_holds_as_long_as_it_can),
          cmocka_unit_test(a_stack_slips_where_it_is_pushed),
          cmocka_unit_test(many_feet_carry_the_least_loads),
          cmocka_unit_test(what_would_pull_is_open_at_the_start),
          cmocka_unit_test(loads_that_jump_beyond_friction))
