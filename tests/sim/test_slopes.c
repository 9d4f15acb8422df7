// Exact slopes of accelerations and multipliers against differences of forward dynamics.
#include <math.h>

#include "model/values.h"
#include "sim/equation_maker.h"
#include "support/mechanisms.h"
#include "support/motion.h"

static double *run(Context *cx, Equations *d, EquationPart part, const double *in) {
  const Compiled *program = equations_part(d, part);
  assert_non_null(program);
  double *out = arena_array(&cx->scratch, double, program->program->output_count + 1);
  double *work = arena_array(&cx->scratch, double, program->work_size + 1);
  compiled_prepare(program, in, work);
  compiled_run(program, in, out, work);
  return out;
}

// Richardson's extrapolation of central differences of output i by input x.
static void differences(Context *cx, Equations *d, double *in, uint32_t x, double *out) {
  double at = in[x], h = 1e-3 * fmax(1, fabs(at));
  uint32_t all = d->n + d->m;
  double *value[4];
  static const double steps[4] = {-1, 1, -0.5, 0.5};
  for (int k = 0; k < 4; k++) {
    in[x] = at + steps[k] * h;
    value[k] = run(cx, d, PART_FORWARD, in);
  }
  in[x] = at;
  for (uint32_t i = 0; i < all; i++) {
    double coarse = (value[1][i] - value[0][i]) / (2 * h), fine = (value[3][i] - value[2][i]) / h;
    out[i] = fine + (fine - coarse) / 3;
    if (fabs(fine - coarse) > 1e-3 * (1 + fabs(fine))) out[i] = NAN;
  }
}

static int compare(Context *cx, Equations *d, double *in, EquationPart part, uint32_t first,
                   uint32_t count) {
  if (!count) return 0;
  const double *slopes = run(cx, d, part, in);
  double *expected = arena_array(&cx->scratch, double, d->n + d->m);
  int compared = 0;
  for (uint32_t j = 0; j < count; j++) {
    differences(cx, d, in, first + j, expected);
    for (uint32_t i = 0; i < d->n + d->m; i++) {
      if (isnan(expected[i])) continue;
      CHECK_NEAR(slopes[(size_t)i * count + j], expected[i], 2e-4);
      compared++;
    }
  }
  return compared;
}

static int check_model(Context *cx, Random *random, const Model *model) {
  System system;
  assert_int_equal(derive_system(cx, model, DERIVE_BASIC, &system), QDOT_OK);
  Equations *d = equations_open(cx, &system, NULL, 0, BACKEND_BEST, &cx->keep);
  Mark mark = arena_mark(&cx->scratch);
  const InputLayout *at = &d->layout;
  double *in = arena_array(&cx->scratch, double, at->count);
  for (uint32_t i = 0; i < at->count; i++) in[i] = random_real(random, 0.4, 1.3);
  double loss = run(cx, d, PART_FORWARD, in)[d->n + d->m + POWER_KINDS];
  int compared = 0;
  if (d->has_forward && loss < 1e3) {
    compared += compare(cx, d, in, PART_STATE_SLOPES, at->q, 2 * d->n);
    compared += compare(cx, d, in, PART_INPUT_SLOPES, at->u, model->inputs.n);
    compared += compare(cx, d, in, PART_PARAMETER_SLOPES, at->parameters, model->parameters.n);
  }
  arena_release(&cx->scratch, mark);
  equations_close(d);
  return compared;
}

TEST(of_random_mechanisms) {
  Random random = random_start("of_random_mechanisms");
  int compared = 0;
  for (int i = 0; i < test_rounds(60); i++)
    compared += check_model(cx, &random, mechanism_random(cx, &random));
  assert_true(compared > test_rounds(60));
}

TEST(of_pendulums) {
  Random random = random_start("of_pendulums");
  for (int links = 1; links <= 12; links += links < 4 ? 1 : 8)
    assert_true(check_model(cx, &random, mechanism_pendulum(cx, links)) > 0);
}

TEST(with_inputs_and_constraints) {
  Random random = random_start("with_inputs_and_constraints");
  Motion motion = motion_load(cx,
                              "param g = 9.81 [m/s^2], L = 1 [m], m = 2 [kg], J = m*L^2/12\n"
                              "coord x ~ 0.3 [m], y ~ 0.4 [m], theta = 60 [deg]\n"
                              "input F = 1 [N], tau = 0.3 [N*m]\n"
                              "kinetic = 1/2*m*(x'^2 + y'^2) + 1/2*J*theta'^2\n"
                              "potential = m*g*y\n"
                              "force theta = tau*cos(theta)\n"
                              "force x = F\n"
                              "constraint A_x: x = L/2*cos(theta)\n"
                              "constraint A_y: y = L/2*sin(theta)\n",
                              NULL);
  assert_true(check_model(cx, &random, motion.system.model) > 0);
}

RUN_TESTS(cmocka_unit_test(of_random_mechanisms), cmocka_unit_test(of_pendulums),
          cmocka_unit_test(with_inputs_and_constraints))
