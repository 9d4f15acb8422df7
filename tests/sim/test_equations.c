// Forward dynamics as a program against a dense solve of the reference values.
#include "sim/equations.h"

#include <math.h>

#include "code/compiled.h"
#include "expr/eval.h"
#include "support/mechanisms.h"

static void solve_dense(double *A, double *b, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) {
    uint32_t best = k;
    for (uint32_t i = k; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    for (uint32_t j = 0; j < n; j++) {
      double kept = A[k * n + j];
      A[k * n + j] = A[best * n + j], A[best * n + j] = kept;
    }
    double kept = b[k];
    b[k] = b[best], b[best] = kept;
    for (uint32_t i = k + 1; i < n; i++) {
      double factor = A[i * n + k] / A[k * n + k];
      for (uint32_t j = k; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (uint32_t k = n; k-- > 0;) {
    for (uint32_t j = k + 1; j < n; j++) b[k] -= A[k * n + j] * b[j];
    b[k] /= A[k * n + k];
  }
}

static void fill_row(Context *cx, const System *s, const Row *row, uint32_t at, double *A,
                     double *b, uint32_t size, const double *values) {
  for (uint32_t j = 0; j < s->n; j++)
    A[at * size + j] = A[j * size + at] = expr_eval(cx, row->phi_q[j], values);
  b[at] = expr_eval(cx, row->gamma, values);
}

// q'', lambda, contact lambda (closed ones) from the matrices; in scratch memory.
static double *solve_plainly(Context *cx, const System *s, bool closed, const double *values) {
  uint32_t n = s->n, size = n + s->row_count + (closed ? s->contact_count : 0);
  double *A = arena_array(&cx->scratch, double, size *size);
  double *b = arena_array(&cx->scratch, double, size);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) A[i * size + j] = expr_eval(cx, s->M[i * n + j], values);
    b[i] = expr_eval(cx, s->Q[i], values) - expr_eval(cx, s->h[i], values) -
           expr_eval(cx, s->D[i], values) - expr_eval(cx, s->G[i], values);
  }
  for (uint32_t r = 0; r < s->row_count; r++)
    fill_row(cx, s, &s->rows[r], n + r, A, b, size, values);
  for (uint32_t r = 0; closed && r < s->contact_count; r++)
    fill_row(cx, s, &s->contacts[r], n + s->row_count + r, A, b, size, values);
  solve_dense(A, b, size);
  return b;
}

static void fill_inputs(const System *s, const Layout *l, const double *values, double *in) {
  Context *cx = s->cx;
  in[l->t] = values[symbol_variable(cx, s->t)];
  for (uint32_t i = 0; i < l->n; i++) {
    in[l->q + i] = values[symbol_variable(cx, s->q[i])];
    in[l->qd + i] = values[symbol_variable(cx, s->qd[i])];
  }
  for (uint32_t i = 0; i < l->inputs; i++)
    in[l->u + i] = values[symbol_variable(cx, s->model->inputs.at[i].symbol)];
  for (uint32_t i = 0; i < l->parameter_count; i++)
    in[l->parameters + i] = values[symbol_variable(cx, s->model->parameters.at[i].symbol)];
}

static void compare_forward(Context *cx, Random *random, const System *s, bool closed,
                            double tolerance) {
  Mark mark = arena_mark(&cx->scratch);
  double *values = arena_array(&cx->scratch, double, cx->exprs->symbols.n);
  for (uint32_t i = 0; i < cx->exprs->symbols.n; i++) values[i] = random_real(random, 0.3, 1.4);
  Equations e;
  equations_open(&e, s);
  Forward forward;
  bool active[16];
  for (uint32_t i = 0; i < 16; i++) active[i] = closed;
  assert_true(equations_forward(&e, active, &forward));
  for (uint32_t i = 0; i < s->n; i++) program_output(&e.builder, forward.zdd[i]);
  for (uint32_t i = 0; i < s->row_count; i++) program_output(&e.builder, forward.lambda[i]);
  for (uint32_t i = 0; i < s->contact_count; i++)
    program_output(&e.builder, forward.contact_lambda[i]);
  program_output(&e.builder, forward.loss);
  const Program *p = program_finish(&e.builder, &cx->keep);
  Compiled compiled = compile_program(cx, p, BACKEND_BEST, &cx->keep);
  double *work = arena_array(&cx->keep, double, compiled.work_size + 1);
  double *in = arena_array(&cx->keep, double, e.layout.count);
  double *out = arena_array(&cx->keep, double, p->output_count);
  fill_inputs(s, &e.layout, values, in);
  compiled_prepare(&compiled, in, work);
  compiled_run(&compiled, in, out, work);
  compiled_close(&compiled);
  equations_close(&e);
  double *expected = solve_plainly(cx, s, closed, values);
  uint32_t n = s->n + s->row_count + (closed ? s->contact_count : 0);
  double trust = out[p->output_count - 1];
  if (trust < 1e5)
    for (uint32_t i = 0; i < n; i++) CHECK_NEAR(out[i], expected[i], tolerance);
  arena_release(&cx->scratch, mark);
}

TEST(random_mechanisms) {
  Random random = random_start("random_mechanisms");
  for (int round = 0; round < test_rounds(60); round++) {
    System s;
    const Model *model = mechanism_random(cx, &random);
    assert_int_equal(derive_system(cx, model, DERIVE_MATRICES | DERIVE_LIFTED, &s), QDOT_OK);
    compare_forward(cx, &random, &s, false, 1e-7);
    compare_forward(cx, &random, &s, true, 1e-7);
  }
}

TEST(pendulums) {
  Random random = random_start("pendulums");
  for (int links = 1; links <= 12; links++) {
    System s;
    const Model *model = mechanism_pendulum(cx, links);
    assert_int_equal(derive_system(cx, model, DERIVE_MATRICES | DERIVE_LIFTED, &s), QDOT_OK);
    compare_forward(cx, &random, &s, false, 1e-9);
  }
}

RUN_TESTS(cmocka_unit_test(random_mechanisms), cmocka_unit_test(pendulums))
