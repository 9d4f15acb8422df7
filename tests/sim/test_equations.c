// The compiled programs of a system against the reference evaluation and a dense solve.
#include "sim/equation_maker.h"

#include <math.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "model/values.h"
#include "solve/algebra/lapack.h"
#include "support/equation_values.h"
#include "support/mechanisms.h"

typedef struct State {
  double *values; // by variable
  double *in;     // as the programs read it
} State;

static void place(const Context *cx, State *s, Expr symbol, uint32_t at, double value) {
  s->values[symbol_variable(cx, symbol)] = value;
  s->in[at] = value;
}

static State random_state(Context *cx, Random *random, const Equations *d) {
  const System *sys = equations_system(d);
  State s = {.in = arena_array(&cx->scratch, double, d->layout.count)};
  model_values(cx, sys->model, &cx->scratch, &s.values);
  for (uint32_t i = 0; i < sys->model->parameters.n; i++) {
    Expr p = sys->model->parameters.at[i].symbol;
    s.values[symbol_variable(cx, p)] = random_real(random, 0.5, 1.5);
  }
  equations_set_values(d, s.values, s.in);
  place(cx, &s, sys->t, d->layout.t, random_real(random, 0.1, 1));
  for (uint32_t i = 0; i < d->n; i++) {
    place(cx, &s, sys->q[i], d->layout.q + i, random_real(random, 0.2, 1.4));
    place(cx, &s, sys->qd[i], d->layout.qd + i, random_real(random, 0.2, 1.4));
    place(cx, &s, sys->qdd[i], d->layout.qdd + i, random_real(random, 0.2, 1.4));
  }
  for (uint32_t r = 0; r < sys->row_count; r++)
    place(cx, &s, sys->rows[r].multiplier, d->layout.lambda + r, random_real(random, 0.2, 1.4));
  return s;
}

static double *run(Context *cx, Equations *d, EquationPart part, const State *s) {
  const Compiled *program = equations_part(d, part);
  assert_non_null(program);
  double *out = arena_array(&cx->scratch, double, program->program->output_count);
  double *work = arena_array(&cx->scratch, double, program->work_size);
  compiled_prepare(program, s->in, work);
  compiled_run(program, s->in, out, work);
  return out;
}

// M qdd + Phi_q^T lambda = f, Phi_q qdd = gamma, with the parts of TERMS.
static void check_forward(Context *cx, Equations *d, const State *s) {
  uint32_t n = d->n, m = d->m;
  double *terms = run(cx, d, PART_TERMS, s), *x = run(cx, d, PART_FORWARD, s);
  double *M = terms, *f = M + n * n, *Phi_q = f + n, *gamma = Phi_q + m * n;
  double loss = x[n + m + POWER_KINDS], scale = 1;
  for (uint32_t i = 0; i < n + m; i++) scale = fmax(scale, fabs(x[i]));
  if (!(loss < 1e6)) return; // close to singular: the caller would not use it
  for (uint32_t i = 0; i < n; i++) {
    double sum = -f[i];
    for (uint32_t j = 0; j < n; j++) sum += M[i * n + j] * x[j];
    for (uint32_t r = 0; r < m; r++) sum += Phi_q[r * n + i] * x[n + r];
    CHECK_NEAR(sum / scale, 0, 1e-8);
  }
  for (uint32_t r = 0; r < m; r++) {
    double sum = -gamma[r];
    for (uint32_t j = 0; j < n; j++) sum += Phi_q[r * n + j] * x[j];
    CHECK_NEAR(sum / scale, 0, 1e-8);
  }
}

// One Newton step onto the constraints leaves only the second order.
static void check_projection(Context *cx, Equations *d, State *s) {
  double *step = run(cx, d, PART_PROJECT_VELOCITY, s);
  if (!(step[d->n + d->m] < 1e6)) return;
  double size = 1;
  for (uint32_t i = 0; i < d->n; i++) {
    s->in[d->layout.qd + i] += step[i];
    size = fmax(size, fabs(step[i]));
  }
  double *residual = run(cx, d, PART_VELOCITY, s);
  for (uint32_t r = 0; r < d->m; r++) CHECK_NEAR(residual[r] / size, 0, 1e-8);
  for (uint32_t i = 0; i < d->n; i++) s->in[d->layout.qd + i] -= step[i];
}

static void check_power(Context *cx, Equations *d, const State *s) {
  double expected = expr_eval(cx, equations_system(d)->power, s->values);
  for (uint32_t r = 0; r < d->m; r++)
    expected += s->in[d->layout.lambda + d->lambda[r]] *
                expr_eval(cx, equations_row(d, r)->phi_t, s->values);
  double *power = run(cx, d, PART_POWER, s);
  CHECK_NEAR(power[POWER_FORCES] + power[POWER_DISSIPATION] + power[POWER_DRIVES], expected, 1e-9);
}

// The tangent against differences of the residual.
static void check_tangent(Context *cx, Equations *d, const State *s) {
  uint32_t n = d->n;
  double *KC = run(cx, d, PART_TANGENT, s);
  for (uint32_t kind = 0; kind < 2; kind++) {
    uint32_t first = kind ? d->layout.qd : d->layout.q;
    for (uint32_t j = 0; j < n; j++) {
      double *residual[2], h = 1e-5;
      for (int side = 0; side < 2; side++) {
        double kept = s->in[first + j];
        s->in[first + j] = kept + (side ? h : -h);
        double *terms = run(cx, d, PART_TERMS, s);
        double *M = terms, *f = M + n * n, *Phi_q = f + n;
        residual[side] = arena_array(&cx->scratch, double, n);
        for (uint32_t i = 0; i < n; i++) {
          residual[side][i] = -f[i];
          for (uint32_t k = 0; k < n; k++)
            residual[side][i] += M[i * n + k] * s->in[d->layout.qdd + k];
          for (uint32_t r = 0; r < d->m; r++)
            residual[side][i] += Phi_q[r * n + i] * s->in[d->layout.lambda + d->lambda[r]];
        }
        s->in[first + j] = kept;
      }
      for (uint32_t i = 0; i < n; i++)
        CHECK_NEAR(KC[kind * n * n + i * n + j], (residual[1][i] - residual[0][i]) / (2 * h), 1e-5);
    }
  }
}

static void check_model(Context *cx, Random *random, const Model *model, Backend backend) {
  Mark mark = arena_mark(&cx->scratch);
  System system;
  assert_int_equal(derive_system(cx, model, DERIVE_BASIC, &system), QDOT_OK);
  Equations *d = equations_open(cx, &system, NULL, 0, backend, &cx->keep);
  assert_true(d->has_forward);
  State s = random_state(cx, random, d);
  check_forward(cx, d, &s);
  if (d->m) check_projection(cx, d, &s);
  check_power(cx, d, &s);
  check_tangent(cx, d, &s);
  equations_close(d);
  arena_release(&cx->scratch, mark);
}

static void random_mechanisms(Context *cx) {
  Random random = random_start("random_mechanisms");
  for (int i = 0; i < test_rounds(200); i++)
    check_model(cx, &random, mechanism_random(cx, &random), i % 2 ? BACKEND_JIT : BACKEND_INTERP);
}

static void pendulums(Context *cx) {
  Random random = random_start("pendulums");
  for (int links = 1; links <= 12; links += links < 6 ? 1 : 6)
    check_model(cx, &random, mechanism_pendulum(cx, links), BACKEND_BEST);
}

static uint32_t forward_steps(Context *cx, int links) {
  System system;
  derive_system(cx, mechanism_pendulum(cx, links), DERIVE_BASIC, &system);
  Equations *d = equations_open(cx, &system, NULL, 0, BACKEND_INTERP, &cx->keep);
  uint32_t steps = d->parts[PART_FORWARD].program->main_count;
  equations_close(d);
  return steps;
}

// A chain of links costs the same number of steps for each further link.
static void chains_cost_linear_time(Context *cx) {
  uint32_t at40 = forward_steps(cx, 40), at60 = forward_steps(cx, 60), at80 = forward_steps(cx, 80);
  assert_true(at80 - at60 < (at60 - at40) * 11 / 10);
  assert_true(at80 < 80 * 130);
}

static void run_all(void **state) {
  (void)state;
  with_context(pendulums);
  with_context(random_mechanisms);
  with_context(chains_cost_linear_time);
}

RUN_TESTS(cmocka_unit_test(run_all))
