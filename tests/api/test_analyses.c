// What analyses and runs found, as numbers, against closed forms.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static qdot_model *parse(qdot_context *cx, const char *text) {
  qdot_model *model = NULL;
  qdot_status status = qdot_model_parse(cx, "text.qdot", text, strlen(text), NULL, &model);
  if (status != QDOT_OK) qdot_diagnostics_write(cx, NULL, qdot_sink_stream(stderr));
  assert_int_equal(status, QDOT_OK);
  return model;
}

static qdot_system *derive(qdot_context *cx, const char *text) {
  qdot_system *system;
  assert_int_equal(qdot_system_derive(parse(cx, text), &system), QDOT_OK);
  return system;
}

// A pendulum hangs or stands on its head.
static void equilibria_are_numbers(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *s = derive(cx, "param m = 1 [kg], g = 9.81 [m/s^2], L = 0.5 [m], c = 0.1 [N*m*s]\n"
                              "coord theta = 0.3 [rad]\nkinetic = 1/2*m*L^2*theta'^2\n"
                              "potential = -m*g*L*cos(theta)\ndissipation = 1/2*c*theta'^2\n");
  assert_int_equal(qdot_system_name_find(s, QDOT_PART_PARAMETERS, "L"), 2);
  assert_true(qdot_system_name_find(s, QDOT_PART_PARAMETERS, "theta") == QDOT_NOT_FOUND);
  qdot_equilibria *found;
  assert_int_equal(qdot_system_equilibria(s, NULL, &found), QDOT_OK);
  assert_int_equal(qdot_equilibrium_count(found), 2);
  const qdot_equilibrium *hangs = qdot_equilibrium_at(found, 0),
                         *stands = qdot_equilibrium_at(found, 1);
  CHECK_NEAR(sin(hangs->q[0]), 0, 1e-12);
  CHECK_NEAR(cos(hangs->q[0]), 1, 1e-12);
  CHECK_NEAR(cos(stands->q[0]), -1, 1e-12);
  assert_int_equal(hangs->stability, QDOT_STABILITY_ASYMPTOTIC);
  assert_int_equal(stands->stability, QDOT_STABILITY_UNSTABLE);
  assert_string_equal(stands->stability_text, "unstable");
  assert_true(hangs->residual < 1e-12 && hangs->qd[0] == 0);
  assert_null(qdot_equilibrium_at(found, 2));
  qdot_equilibria_options one = qdot_equilibria_defaults();
  one.only_initial_state = 1;
  assert_int_equal(qdot_system_equilibria(s, &one, &found), QDOT_OK);
  assert_int_equal(qdot_equilibrium_count(found), 1);
  qdot_context_close(cx);
}

static const char oscillator[] =
    "param m = 2 [kg], d = 0.8 [N*s/m], k = 50 [N/m]\ncoord x = 0.1 [m]\ninput F = 0 [N]\n"
    "output pull = k*x\nkinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
    "dissipation = 1/2*d*x'^2\nforce x = F\nsimulate to 2 [s] every 0.1 [s]\n";

// H = 1/(k - m w^2 + i d w), its peak at w^2 = k/m - d^2/(2 m^2).
static void responses_are_numbers(void **state) {
  (void)state;
  const double m = 2, d = 0.8, k = 50;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_linear *linear;
  qdot_response *r;
  assert_int_equal(qdot_system_linearize(derive(cx, oscillator), 0, &linear), QDOT_OK);
  qdot_response_options o = qdot_response_defaults();
  o.outputs = "x, pull", o.from = 0.1, o.to = 5, o.points = 40;
  assert_int_equal(qdot_linear_response(linear, &o, &r), QDOT_OK);
  assert_int_equal(qdot_response_input_count(r), 1);
  assert_string_equal(qdot_response_input_at(r, 0), "F");
  assert_null(qdot_response_input_at(r, 1));
  assert_int_equal(qdot_response_output_count(r), 2);
  assert_string_equal(qdot_response_output_at(r, 1), "pull");
  size_t n;
  const double *hz = qdot_response_frequencies(r, &n);
  assert_true(n >= 40);
  for (size_t i = 0; i < n; i++) {
    double w = 2 * M_PI * hz[i], a = k - m * w * w, b = d * w, re, im;
    qdot_response_value(r, 0, 0, i, &re, &im);
    CHECK_NEAR(re, a / (a * a + b * b), 1e-12);
    CHECK_NEAR(im, -b / (a * a + b * b), 1e-12);
    qdot_response_value(r, 1, 0, i, &re, &im);
    CHECK_NEAR(im, -k * b / (a * a + b * b), 1e-11);
  }
  double re, im;
  qdot_response_value(r, 2, 0, 0, &re, &im);
  assert_true(isnan(re) && isnan(im));
  assert_int_equal(qdot_resonance_count(r, 0, 0), 1);
  const qdot_peak *peak = qdot_resonance_at(r, 0, 0, 0);
  double w = sqrt(k / m - d * d / (2 * m * m)), a = k - m * w * w, b = d * w;
  CHECK_NEAR(peak->hz, w / (2 * M_PI), 1e-9);
  CHECK_NEAR(peak->gain, 1 / sqrt(a * a + b * b), 1e-12);
  CHECK_NEAR(peak->phase, atan2(-b, a), 1e-9);
  assert_true(!peak->is_unlimited && peak->low < peak->hz && peak->hz < peak->high);
  assert_null(qdot_resonance_at(r, 0, 0, 1));
  assert_int_equal(qdot_resonance_count(r, 7, 0), 0);
  // k / |k - m w^2 + i d w| = 1
  assert_int_equal(qdot_crossing_count(r, 1, 0, QDOT_CROSSING_GAIN), 1);
  const qdot_crossing *crossing = qdot_crossing_at(r, 1, 0, QDOT_CROSSING_GAIN, 0);
  w = sqrt(2 * k / m - d * d / (m * m));
  CHECK_NEAR(crossing->hz, w / (2 * M_PI), 1e-9);
  CHECK_NEAR(crossing->gain, 1, 1e-9);
  CHECK_NEAR(crossing->phase, -atan2(d * w, k - m * w * w), 1e-9);
  CHECK_NEAR(crossing->margin, M_PI + crossing->phase, 1e-9);
  assert_int_equal(qdot_crossing_count(r, 1, 0, QDOT_CROSSING_PHASE), 0);
  assert_null(qdot_crossing_at(r, 1, 0, QDOT_CROSSING_GAIN, 1));
  qdot_context_close(cx);
}

// A pendulum on a turning shaft: upright rest is lost at w^2 = g/L.
// White noise G on the oscillator: x^2 = G/(4 d k).
static void random_responses_are_numbers(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  char text[1000];
  snprintf(text, sizeof text, "%srandom F = 3 [N^2/Hz]\ncomfort W_d: x''\n", oscillator);
  qdot_linear *linear;
  qdot_response *r;
  assert_int_equal(qdot_system_linearize(derive(cx, text), 0, &linear), QDOT_OK);
  qdot_response_options options = qdot_response_defaults();
  options.outputs = "pull, x''";
  assert_int_equal(qdot_linear_response(linear, &options, &r), QDOT_OK);
  assert_int_equal(qdot_random_output_count(r), 3);
  const qdot_random_output *pull = qdot_random_output_at(r, 0);
  assert_string_equal(pull->name, "pull");
  assert_string_equal(pull->unit, "N");
  assert_null(pull->weighting);
  CHECK_NEAR(pull->rms, 50 * sqrt(3 / (4 * 0.8 * 50)), 1e-8);
  assert_true(pull->relative_error < 1e-9);
  assert_true(isinf(qdot_random_output_at(r, 1)->rms));
  const qdot_random_output *felt = qdot_random_output_at(r, 2);
  assert_string_equal(felt->weighting, "W_d");
  assert_true(felt->rms > 0 && isfinite(felt->rms));
  assert_null(qdot_random_output_at(r, 3));
  size_t n, k = 7;
  const double *hz = qdot_response_frequencies(r, &n);
  double re, im, w = 2 * M_PI * hz[k];
  qdot_response_value(r, 0, 0, k, &re, &im);
  CHECK_NEAR(pull->density[k], 3 * (re * re + im * im), 1e-12);
  CHECK_NEAR(hypot(re, im), 50 / hypot(50 - 2 * w * w, 0.8 * w), 1e-9);
  qdot_response_close(r);
  qdot_context_close(cx);
}

// x = U w^2/(k - m w^2 + i c w)
static void rotors_are_numbers(void **state) {
  (void)state;
  const double m = 2, k = 800, c = 4, U = 0.01;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *s = derive(cx, "param m = 2 [kg], k = 800 [N/m], c = 4 [N*s/m], U = 0.01 [kg*m]\n"
                              "param w = 3 [rad/s]\ncoord x = 0 [m]\nkinetic = 1/2*m*x'^2\n"
                              "potential = 1/2*k*x^2\ndissipation = 1/2*c*x'^2\n"
                              "force x = U*w^2*cos(w*t)\nsynchronous w in 5..50 [rad/s]: U\n");
  qdot_synchronous *r;
  qdot_response_options options = qdot_response_defaults();
  options.points = 20;
  assert_int_equal(qdot_system_synchronous(s, &options, &r), QDOT_OK);
  assert_int_equal(qdot_synchronous_output_count(r), 1);
  assert_string_equal(qdot_synchronous_output_at(r, 0), "x");
  assert_null(qdot_synchronous_output_at(r, 1));
  size_t n, critical;
  const double *speeds = qdot_synchronous_speeds(r, &n);
  assert_true(n > 20);
  for (size_t i = 0; i < n; i++) {
    double re, im, w = speeds[i];
    qdot_synchronous_value(r, 0, i, &re, &im);
    CHECK_NEAR(hypot(re, im), U * w * w / hypot(k - m * w * w, c * w), 1e-12);
  }
  CHECK_NEAR(qdot_synchronous_critical(r, &critical)[0], sqrt(k / m - c * c / (4 * m * m)), 1e-9);
  assert_int_equal(critical, 1);
  double speed, amplitude, zeta = c / (2 * sqrt(k * m));
  assert_int_equal(qdot_synchronous_peak_count(r, 0), 1);
  qdot_synchronous_peak_at(r, 0, 0, &speed, &amplitude);
  CHECK_NEAR(speed, sqrt(k / m) / sqrt(1 - 2 * zeta * zeta), 1e-4);
  CHECK_NEAR(amplitude, U / m / (2 * zeta * sqrt(1 - zeta * zeta)), 1e-10);
  qdot_synchronous_peak_at(r, 0, 1, &speed, &amplitude);
  assert_true(isnan(speed) && isnan(amplitude));
  double re, im;
  qdot_synchronous_value(r, 1, 0, &re, &im);
  assert_true(isnan(re) && isnan(im));
  qdot_synchronous_close(r);
  s = derive(cx, oscillator);
  assert_int_equal(qdot_system_synchronous(s, NULL, &r), QDOT_BAD_ARGUMENT);
  qdot_context_close(cx);
}

static void loci_are_numbers(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *s = derive(cx, "param g = 9.81 [m/s^2], L = 0.5 [m], w = 1 [rad/s]\n"
                              "coord theta = 0 [rad]\nkinetic = 1/2*theta'^2*(1 [kg*m^2])\n"
                              "potential = (1 [kg*m^2])*(-g/L*cos(theta) + 1/2*w^2*cos(theta)^2)\n"
                              "linearize at theta = 0\n");
  qdot_locus_options o = qdot_locus_defaults();
  o.range = "w=1..8", o.steps = 15;
  qdot_locus *locus;
  assert_int_equal(qdot_system_locus(s, &o, &locus), QDOT_OK);
  assert_int_equal(qdot_locus_step_count(locus), 15);
  assert_int_equal(qdot_locus_change_count(locus), 1);
  CHECK_NEAR(qdot_locus_change_at(locus, 0), sqrt(9.81 / 0.5), 1e-6);
  assert_true(isnan(qdot_locus_change_at(locus, 1)));
  for (size_t i = 0; i < 15; i++) {
    const qdot_locus_step *step = qdot_locus_step_at(locus, i);
    double square = 9.81 / 0.5 - step->value * step->value; // theta'' = -square theta
    assert_true(step->is_found && step->eigenvalue_count == 2);
    CHECK_NEAR(fabs(step->eigenvalues[square > 0 ? 1 : 0]), sqrt(fabs(square)), 1e-9);
    assert_int_equal(step->stability, square > 0 ? QDOT_STABILITY_STABLE : QDOT_STABILITY_UNSTABLE);
  }
  assert_null(qdot_locus_step_at(locus, 15));
  qdot_context_close(cx);
}

static void comparisons_are_numbers(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_comparison *comparison;
  qdot_model *model = parse(cx, "body a: rod 1 [m], mass 1 [kg]\n"
                                "joint A: revolute ground (0, 0), a (-0.5 [m], 0)\n"
                                "simulate to 0.5 [s] every 0.1 [s]\n");
  assert_int_equal(qdot_model_compare(model, NULL, &comparison), QDOT_OK);
  assert_in_range(qdot_compared_count(comparison), 4, qdot_word_count(QDOT_WORDS_FORMULATIONS));
  int references = 0;
  for (size_t i = 0; i < qdot_compared_count(comparison); i++) {
    const qdot_compared *one = qdot_compared_at(comparison, i);
    assert_string_equal(one->formulation, qdot_word_at(QDOT_WORDS_FORMULATIONS, i));
    assert_null(one->refusal);
    assert_true(one->is_equal && one->error < 1e-6 && one->coordinates >= 1);
    assert_true(one->position < 1e-5 && one->angle < 1e-5 && one->energy < 1e-3);
    references += one->is_reference;
  }
  assert_int_equal(references, 1);
  assert_null(qdot_compared_at(comparison, qdot_compared_count(comparison)));
  qdot_context_close(cx);
}

// What the damper took is what the spring lost.
static void certificates_are_numbers(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_result *result;
  qdot_run_options o = qdot_run_defaults();
  o.memory = 1 << 20, o.verify = 1;
  assert_int_equal(qdot_model_simulate(parse(cx, oscillator), &o, &result), QDOT_OK);
  const qdot_certificate *c = qdot_result_certificate(result);
  assert_int_equal(c->stop, QDOT_STOP_NONE);
  assert_true(c->t_end == 2 && c->rows == 21 && c->steps > 0 && c->evaluations > c->steps);
  assert_true(isnan(c->step) && c->rtol > 0 && c->verified < 1e-4);
  size_t column = qdot_result_column_find(result, "E_tot"), rows;
  assert_true(qdot_result_column_find(result, "nothing") == QDOT_NOT_FOUND);
  const double *energy = qdot_result_values(result, column, &rows);
  assert_int_equal(rows, 21);
  CHECK_NEAR(energy[0] - energy[20], -c->work_dissipation, 1e-6);
  assert_true(c->energy_drift < 1e-6 && c->work_impacts == 0);
  assert_int_equal(c->freedom, 1);
  qdot_context_close(cx);
}

RUN_TESTS(cmocka_unit_test(equilibria_are_numbers), cmocka_unit_test(responses_are_numbers),
          cmocka_unit_test(random_responses_are_numbers), cmocka_unit_test(rotors_are_numbers),
          cmocka_unit_test(loci_are_numbers), cmocka_unit_test(comparisons_are_numbers),
          cmocka_unit_test(certificates_are_numbers))
