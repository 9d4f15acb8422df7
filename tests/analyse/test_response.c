// Frequency responses against closed forms and against the state space; sweeps against formulas.
#include "analyse/vibration/response.h"

#include <complex.h>
#include <math.h>

#include "analyse/vibration/sweep.h"
#include "support/analysis.h"

static Response respond(const Analysed *a, const Linearized *l, const ResponseTask *task) {
  Modes *modes = arena_new(&a->cx->keep, Modes);
  Response r;
  assert_int_equal(modes_find(l, &a->cx->keep, modes), QDOT_OK);
  assert_int_equal(response_compute(l, modes, a->values, task, &a->cx->keep, &r), QDOT_OK);
  return r;
}

static double complex value_of(const Response *r, uint32_t k, uint32_t o, uint32_t i) {
  size_t at = ((size_t)k * r->task.output_count + o) * r->task.input_count + i;
  return r->re[at] + I * r->im[at];
}

static const char oscillator[] = "param m = 2 [kg], c = 3 [N*s/m], k = 50 [N/m]\n"
                                 "coord x = 0 [m]\n"
                                 "input F = 0 [N]\n"
                                 "kinetic = 1/2*m*x'^2\n"
                                 "potential = 1/2*k*x^2\n"
                                 "dissipation = 1/2*c*x'^2\n"
                                 "force x = F\n";

TEST(oscillator_has_the_textbook_response) {
  Analysed a = analysed(cx, oscillator);
  Linearized l = linearized(&a);
  ResponseInput inputs[] = {{"F", false, 0}, {"x", true, 0}};
  ResponseOutput outputs[] = {{"x", expression(&a, "x")},
                              {"x''", expression(&a, "x''")},
                              {"load", expression(&a, "F - c*x'")}};
  Response r = respond(&a, &l, &(ResponseTask){inputs, outputs, 2, 3, 0.1, 10, 50});
  assert_true(r.n > 50);
  for (uint32_t k = 0; k < r.n; k++) {
    double w = 2 * M_PI * r.hz[k];
    double complex G = 1 / (50 - 2 * w * w + I * w * 3);
    for (uint32_t i = 0; i < 2; i++) {
      assert_true(cabs(value_of(&r, k, 0, i) - G) < 1e-12 * cabs(G));
      assert_true(cabs(value_of(&r, k, 1, i) + w * w * G) < 1e-11);
    }
    // a force on the coordinate is not the input itself
    assert_true(cabs(value_of(&r, k, 2, 0) - (1 - I * w * 3 * G)) < 1e-11);
    assert_true(cabs(value_of(&r, k, 2, 1) - (-I * w * 3 * G)) < 1e-11);
  }
  CHECK_NEAR(r.rest[0], 1.0 / 50, 1e-14);
  uint32_t peak;
  assert_int_equal(response_peaks(&r, 0, 0, &peak, 1), 1);
  CHECK_NEAR(2 * M_PI * r.hz[peak], sqrt(25 - 9.0 / 8), 1e-2);
}

// Rolling: the response solves the state equations i w x = A x + B u.
TEST(rolling_response_solves_the_state_equations) {
  Analysed a = analysed(cx, "param m = 2 [kg], J = 0.3 [kg*m^2], a = 0.4 [m], v = 1.5 [m/s]\n"
                            "param k = 2 [N*m]\n"
                            "coord x = 0 [m], y = 0 [m], psi = 0 [rad]\n"
                            "let r = (x + a*cos(psi), y + a*sin(psi))\n"
                            "input T = 0 [N*m]\n"
                            "kinetic = 1/2*m*dot(r', r') + 1/2*J*psi'^2\n"
                            "force psi = T - k*psi\n"
                            "constraint edge: y'*cos(psi) - x'*sin(psi) = 0\n"
                            "linearize at motion x' = v\n");
  Linearized l = linearized(&a);
  assert_true(l.p > l.f);
  ResponseInput input = {"T", false, 0};
  ResponseOutput outputs[] = {{"x", expression(&a, "x")},
                              {"y", expression(&a, "y")},
                              {"psi", expression(&a, "psi")},
                              {"x'", expression(&a, "x'")},
                              {"psi'", expression(&a, "psi'")}};
  Response r = respond(&a, &l, &(ResponseTask){&input, outputs, 1, 5, 0.1, 10, 20});
  uint32_t size = l.p + l.f, order[5] = {0};
  // the state in its own order
  for (uint32_t i = 0; i < l.p; i++) order[i] = l.choice.z[i];
  for (uint32_t i = 0; i < l.f; i++) order[l.p + i] = l.choice.z[i] == 0 ? 3 : 4;
  for (uint32_t k = 0; k < r.n; k++) {
    double w = 2 * M_PI * r.hz[k];
    for (uint32_t i = 0; i < size; i++) {
      double complex rest = I * w * value_of(&r, k, order[i], 0) - l.state.B[i];
      for (uint32_t j = 0; j < size; j++)
        rest -= l.state.A[i * size + j] * value_of(&r, k, order[j], 0);
      assert_true(cabs(rest) < 1e-10);
    }
  }
}

// A pendulum on a turning frame is stable up to w^2 = g/L.
// Over a wide range the steps have equal ratios, and the frequency is that of the formula at each.
TEST(wide_sweeps_go_by_ratios) {
  Analysed a = analysed(cx, "param m = 2 [kg], k = 1 [N/m]\ncoord x = 0 [m]\n"
                            "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n");
  Sweep sweep;
  assert_int_equal(sweep_parameter(cx, a.system, NULL, 1, 1e-3, 1e6, 19, &sweep), QDOT_OK);
  assert_true(sweep.is_geometric);
  for (uint32_t i = 0; i < sweep.n; i++) {
    double k = 1e-3 * pow(10, 0.5 * i);
    CHECK_NEAR(sweep.step[i].value / k, 1, 1e-12);
    CHECK_NEAR(sweep.step[i].modes.mode[0].omega / sqrt(k / 2), 1, 1e-12);
  }
}

TEST(sweep_finds_where_stability_ends) {
  Analysed a = analysed(cx, "param m = 1 [kg], L = 0.5 [m], g = 9.81 [m/s^2], w = 1 [rad/s]\n"
                            "coord theta = 0 [rad]\n"
                            "kinetic = 1/2*m*L^2*(theta'^2 + w^2*sin(theta)^2)\n"
                            "potential = -m*g*L*cos(theta)\n"
                            "linearize at theta = 0\n");
  Sweep s;
  const LinearizeRequest *request = &a.model->requests.linearizations.at[0];
  assert_int_equal(sweep_parameter(cx, a.system, request, 3, 1, 8, 15, &s), QDOT_OK);
  for (uint32_t i = 0; i < s.n; i++) {
    double square = 9.81 / 0.5 - s.step[i].value * s.step[i].value;
    assert_true(s.step[i].is_found);
    assert_int_equal(s.step[i].modes.stability == STABILITY_UNSTABLE, square < 0);
    CHECK_NEAR(s.step[i].modes.mode[0].omega, sqrt(fabs(square)), 1e-10);
  }
  assert_int_equal(s.changes.n, 1);
  assert_true(s.changes.at[0].becomes_unstable);
  CHECK_NEAR(s.changes.at[0].value, sqrt(9.81 / 0.5), 1e-7);
}

RUN_TESTS(cmocka_unit_test(oscillator_has_the_textbook_response),
          cmocka_unit_test(rolling_response_solves_the_state_equations),
          cmocka_unit_test(wide_sweeps_go_by_ratios),
          cmocka_unit_test(sweep_finds_where_stability_ends))
