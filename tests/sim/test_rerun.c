// Runs with other values: each is that of a model read with these values, whatever ran before it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "sim/run_source.h"
#include "support/motion.h"

static const char *const models[] = {
    // impacts, then rest
    "param p = 0.6, m = 1 [kg], g = 9.81 [m/s^2]\ncoord y = 1 [m]\nkinetic = m*y'^2/2\n"
    "potential = m*g*y\ncontact floor: y >= 0 restitution p\n"
    "measure a = count(y <= 0), b = max(abs(y')), c = mean(y)\nsimulate to 3 [s] every 0.1 [s]\n",
    // what sticks
    "param p = 0.3, m = 1 [kg], g = 9.81 [m/s^2], k = 20 [N/m]\ncoord x = 1 [m]\n"
    "kinetic = m*x'^2/2\npotential = k*x^2/2\ndissipation = p*m*g*abs(x')\n"
    "measure a = final(x), b = first(t, x < 0), c = integral(p*m*g*abs(x'))\n"
    "simulate to 4 [s] every 0.1 [s]\n",
    // what rubs
    "param p = 0.4, m = 2 [kg], g = 9.81 [m/s^2]\ngravity (0, -g)\n"
    "body box: mass m, plate (0.6 [m], 0.4 [m]), at = (0, 0.3 [m]), angle = 0.2, "
    "velocity = (2 [m/s], 0), spin = -1 [rad/s]\n"
    "contact left: box (-0.3 [m], -0.2 [m]), line (0, 0), friction p\n"
    "contact right: box (0.3 [m], -0.2 [m]), line (0, 0), friction p\n"
    "measure a = final(box.x), b = integral(abs(left.R)), c = max(left.N)\n"
    "simulate to 2 [s] every 0.1 [s]\n",
    // a loop that is assembled anew, its end computed from a parameter
    "param p = 0.3 [m], w = 10 [rad/s], T = 1.2*p/(0.3 [m])*(1 [s])\n"
    "body crank: mass 1 [kg], rod p, angle = 60 [deg]\n"
    "body rod: mass 2 [kg], rod 1 [m], angle ~ -15 [deg]\nbody ram: mass 3 [kg], point\n"
    "joint A: revolute ground (0, 0), crank (-p/2, 0)\n"
    "joint B: revolute crank (p/2, 0), rod (-0.5 [m], 0)\n"
    "joint C: revolute rod (0.5 [m], 0), ram (0, 0)\n"
    "joint D: prismatic ground (0, 0), ram (0, 0), axis 0\nmotor A: speed w\n"
    "measure a = max(ram.x) - min(ram.x), b = max(abs(A.T)), c = final(t)\n"
    "simulate to T every 0.1 [s]\n"};

static Motion load(Context *cx, const char *text, const char *const *set) {
  return motion_load_as(cx, text, set, FORMULATION_LAGRANGE);
}

TEST(a_run_depends_on_its_own_values_alone) {
  Random random = random_start("a_run_depends_on_its_own_values_alone");
  enum { RUNS = 12, MEASURES = 3 };
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    Motion m = load(cx, models[k], NULL);
    Rerun rerun;
    assert_int_equal(rerun_open(&rerun, &m.system, &m.options), QDOT_OK);
    uint32_t place = (uint32_t)settings_find(&rerun.simulation.settings, "p");
    double p[RUNS], first[RUNS][MEASURES], again[MEASURES];
    for (int i = 0; i < RUNS; i++) {
      p[i] = rerun.given[place] * random_real(&random, 0.7, 1.2);
      assert_int_equal(rerun_measures(&rerun, &place, &p[i], 1, first[i]), QDOT_OK);
    }
    for (int i = RUNS; i-- > 0;) {
      assert_int_equal(rerun_measures(&rerun, &place, &p[i], 1, again), QDOT_OK);
      assert_memory_equal(again, first[i], sizeof again);
    }
    rerun_close(&rerun);
    // a model that was read with the value
    for (int i = 0; i < 3; i++) {
      const char *set[] = {text_format(&cx->keep, "p=%.17g", p[i]), NULL};
      Motion fresh = load(cx, models[k], set);
      motion_run(&fresh);
      for (int j = 0; j < MEASURES; j++)
        CHECK_NEAR(first[i][j], fresh.summary.measures[j], 1e-6 * (1 + fabs(first[i][j])));
    }
  }
}

// A value that makes no sense, and one that leaves the loop open: no measures, and no messages.
TEST(runs_that_fail_leave_no_trace) {
  for (int k = 0; k < 2; k++) {
    Motion m = load(cx, models[3 * k], NULL);
    Rerun rerun;
    assert_int_equal(rerun_open(&rerun, &m.system, &m.options), QDOT_OK);
    uint32_t place = (uint32_t)settings_find(&rerun.simulation.settings, "p");
    double good = rerun.given[place], bad = 5, before[3], after[3], none[3];
    assert_int_equal(rerun_measures(&rerun, &place, &good, 1, before), QDOT_OK);
    assert_int_not_equal(rerun_measures(&rerun, &place, &bad, 1, none), QDOT_OK);
    for (int i = 0; i < 3; i++) assert_true(isnan(none[i]));
    assert_int_equal(rerun_measures(&rerun, &place, &good, 1, after), QDOT_OK);
    assert_memory_equal(before, after, sizeof after);
    assert_int_equal(cx->diagnostics.errors, 0);
    rerun_close(&rerun);
  }
}

RUN_TESTS(cmocka_unit_test(a_run_depends_on_its_own_values_alone),
          cmocka_unit_test(runs_that_fail_leave_no_trace))
