// Resistance to rolling: closed forms, at contacts and in joints, in all formulations.
#include <math.h>

#include "base/random.h"
#include "base/text.h"
#include "support/motion.h"

static const double G = 9.81;

static const Formulation all[] = {FORMULATION_LAGRANGE, FORMULATION_NEWTON_EULER,
                                  FORMULATION_MAXIMAL, FORMULATION_NATURAL};

// How a wheel of radius 0.3 touches the line y = 0: by a contact, with a grip, or without slip.
typedef enum Hold { CONTACT, GRIP, SURE, HOLDS } Hold;

static Motion wheel(Context *cx, Hold hold, Formulation formulation, double mu, double f,
                    double alpha, double v, double spin, const char *push, double end) {
  Text text = text_new(&cx->keep);
  text_addf(&text, "param g = 9.81, alpha = %.17g\ngravity (g*sin(alpha), -g*cos(alpha))\n", alpha);
  text_addf(&text,
            "body w: mass 2, inertia 0.09, at = (0, 0.3), angle = 0, velocity = (%.17g, 0), spin "
            "= %.17g\n",
            v, spin);
  text_add(&text, hold == CONTACT ? "contact A: w (0, 0), line (0, 0)"
                                  : "joint A: rolling ground (0, 0), w (0, 0)");
  if (hold != SURE) text_addf(&text, ", friction %.17g", mu);
  text_addf(&text, ", radius 0.3, rolling %.17g\n", f);
  text_addf(&text,
            "%soutput N = A.N, M = A.M\nsimulate to %.17g every 0.05 using rk853(rtol = "
            "1e-11)\n",
            push, end);
  Motion m = motion_load_as(cx, text.at, NULL, formulation);
  motion_run(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.stopped, STOPPED_NOT);
  assert_true(m.summary.energy_drift < 1e-9);
  return m;
}

// The mass that resists a force at the centre of a wheel that rolls, and its inertia.
static const double MASS = 2, R = 0.3, J = 0.09, ROLLING_MASS = 2 + 0.09 / 0.09;

// A wheel that rolls up a slope comes to rest, and stays where tan(alpha) < f/R, else rolls back.
TEST(slope_holds_a_wheel) {
  for (int hold = 0; hold < HOLDS; hold++)
    for (size_t i = 0; i < 4; i++)
      for (int steep = 0; steep < 2; steep++) {
        double f = 0.02, alpha = atan(f / R) * (steep ? 1.5 : 0.5), v = -2;
        Motion m = wheel(cx, hold, all[i], 0.5, f, alpha, v, -v / R, "", 6);
        double N = MASS * G * cos(alpha);
        double up = (MASS * G * sin(alpha) + f * N / R) / ROLLING_MASS, t = -v / up;
        double back = fmax(0, (MASS * G * sin(alpha) - f * N / R) / ROLLING_MASS), left = 6 - t;
        CHECK_NEAR(motion_at(&m, 6, "w.x"), v * t / 2 + back * left * left / 2, 1e-8);
        CHECK_NEAR(motion_at(&m, 6, "N"), N, 1e-8);
        CHECK_NEAR(motion_at(&m, 6, "M"), steep ? f * N : MASS * G * sin(alpha) * R, 1e-8);
        double way = -v * t / 2 + back * left * left / 2;
        CHECK_NEAR(m.summary.work_friction, -f * N * way / R, 1e-7);
        // a joint that goes over from one side to the other needs no word
        assert_int_equal(m.summary.events.n, steep && hold != CONTACT ? 0 : 1);
        if (m.summary.events.n == 0) continue;
        const SimEvent *event = &m.summary.events.at[0];
        CHECK_NEAR(event->t, t, 1e-8);
        assert_int_equal(event->kind, steep ? SIM_SLIP : SIM_STICK);
        assert_string_equal(sim_event_name(&m.system, event), "A.rolling");
      }
}

// A wheel at rest, pulled ever harder at its centre, begins to roll when F R = f N.
TEST(pull_begins_to_roll) {
  for (int hold = 0; hold < HOLDS; hold++)
    for (size_t i = 0; i < 4; i++) {
      double f = 0.03, c = 1.5, begin = f * MASS * G / (R * c), left = 3 - begin;
      Motion m = wheel(cx, hold, all[i], 0.5, f, 0, 0, 0, "force w (0, 0) = (1.5 [N/s]*t, 0)\n", 3);
      assert_int_equal(m.summary.events.n, 1);
      CHECK_NEAR(motion_event(&m, 0, SIM_SLIP)->t, begin, 1e-8);
      CHECK_NEAR(motion_at(&m, 1, "M"), 1.5 * R, 1e-9);
      CHECK_NEAR(motion_at(&m, 3, "w.x"), c * left * left * left / 6 / ROLLING_MASS, 1e-8);
    }
}

// A disc with back-spin slides, then rolls, then stands.
TEST(back_spin_ends_in_rest) {
  for (int hold = 0; hold < SURE; hold++)
    for (size_t i = 0; i < 4; i++) {
      double mu = 0.2, f = 0.02, v = 3, w = 4, N = MASS * G; // it rolls without sliding at w = -v/R
      Motion m = wheel(cx, hold, all[i], mu, f, 0, v, w, "", 12);
      // at first it turns forwards on the spot: both slow it down
      double stop = w * J / ((mu * R + f) * N);
      double v1 = v - mu * G * stop, x1 = v * stop - mu * G * stop * stop / 2;
      double spin_up = (mu * R - f) * N / J; // then it turns the other way
      double t2 = v1 / (mu * G + R * spin_up), v2 = v1 - mu * G * t2;
      double x2 = x1 + v1 * t2 - mu * G * t2 * t2 / 2;
      double slow = f * N / R / ROLLING_MASS, t3 = v2 / slow;
      CHECK_NEAR(motion_at(&m, 12, "w.x"), x2 + v2 * t3 / 2, 1e-8);
      const struct {
        SimEventKind kind;
        const char *name;
        double t;
      } events[] = {{SIM_SLIP, "A.rolling", stop},
                    {SIM_STICK, "A", stop + t2},
                    {SIM_STICK, "A.rolling", stop + t2 + t3}};
      uint32_t first = 0;
      if (hold == GRIP) first = 1; // see above
      assert_int_equal(m.summary.events.n, 3 - first);
      for (uint32_t k = first; k < 3; k++) {
        const SimEvent *event = motion_event(&m, k - first, events[k].kind);
        assert_string_equal(sim_event_name(&m.system, event), events[k].name);
        CHECK_NEAR(event->t, events[k].t, 1e-8);
      }
    }
}

// A disc falls and turns: the impulse that stops it rubs and resists.
TEST(blow_resists_rolling) {
  double mu = 0.1, f = 0.02, h = 0.5, spin = 40, p = MASS * sqrt(2 * G * h);
  Motion m = motion_load(cx,
                         "param g = 9.81\ngravity (0, -g)\n"
                         "body w: mass 2, inertia 0.09, at = (0, 0.8), angle = 0, velocity = (0, "
                         "0), spin = 40\ncontact A: w (0, 0), radius 0.3, line (0, 0), friction "
                         "0.1, rolling 0.02\nstop when w.y' > -0.001 and w.y < 0.5\n"
                         "simulate to 1 every 0.001\n",
                         NULL);
  motion_run(&m);
  assert_int_equal(m.status, QDOT_OK);
  double t = sqrt(2 * h / G);
  CHECK_NEAR(motion_event(&m, 0, SIM_IMPACT)->t, t, 1e-9);
  CHECK_NEAR(motion_at(&m, 1, "w.x'"), -mu * p / MASS, 1e-8);
  CHECK_NEAR(motion_at(&m, 1, "w.theta'"), spin - (mu * R + f) * p / J, 1e-8);
}

// A contact and a joint say the same, by other means, also where the wheel slips.
TEST(contact_and_joint_agree) {
  Random random = random_start("contact_and_joint_agree");
  for (int round = 0; round < 20; round++) {
    double mu = random_real(&random, 0.02, 0.5), f = random_real(&random, 0.001, 0.05);
    double alpha = random_real(&random, -0.3, 0.3), v = random_real(&random, -3, 3);
    double spin = random_real(&random, -10, 10);
    Motion a = wheel(cx, CONTACT, FORMULATION_LAGRANGE, mu, f, alpha, v, spin, "", 3);
    Motion b = wheel(cx, GRIP, FORMULATION_LAGRANGE, mu, f, alpha, v, spin, "", 3);
    double moved = 1 + fabs(motion_at(&a, 3, "w.x"));
    CHECK_NEAR(motion_at(&a, 3, "w.x"), motion_at(&b, 3, "w.x"), 1e-8 * moved);
    CHECK_NEAR(motion_at(&a, 3, "w.theta"), motion_at(&b, 3, "w.theta"), 1e-7 * moved);
    CHECK_NEAR(a.summary.work_friction, b.summary.work_friction, 1e-7 * moved);
  }
}

// A wheel on a cart: what the resistance does to the one, it does to the other.
TEST(wheel_on_a_cart) {
  Motion m = motion_to_end(
      cx,
      "param g = 9.81\ngravity (0, -g)\n"
      "body cart: mass 3, inertia 1, at = (0, 0), angle = 0, velocity = (0, 0), spin = 0\n"
      "joint rail: prismatic ground (0, 0), cart (0, 0)\n"
      "body w: mass 2, inertia 0.09, at = (0, 0.3), angle = 0, velocity = (1, 0), spin = -1/0.3\n"
      "contact A: w (0, 0), radius 0.3, line cart (0, 0), friction 0.5, rolling 0.02\n"
      "simulate to 20 every 0.1\n");
  CHECK_NEAR(motion_at(&m, 20, "w.x'"), 2.0 / 5, 1e-9);
  CHECK_NEAR(motion_at(&m, 20, "w.theta'"), 0, 1e-9);
  assert_string_equal(sim_event_name(&m.system, motion_event(&m, 0, SIM_STICK)), "A.rolling");
}

RUN_TESTS(cmocka_unit_test(slope_holds_a_wheel), cmocka_unit_test(pull_begins_to_roll),
          cmocka_unit_test(back_spin_ends_in_rest), cmocka_unit_test(blow_resists_rolling),
          cmocka_unit_test(contact_and_joint_agree), cmocka_unit_test(wheel_on_a_cart))
