// Analysis of models given as text.
#include "support/analysis.h"

#include <math.h>
#include <string.h>

#include "derive/formulate.h"
#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/print.h"
#include "expr/value/eval.h"
#include "lang/read.h"
#include "model/values.h"
#include "solve/algebra/kkt.h"

static void print_diagnostics(Context *cx) {
  Text text = text_new(&cx->keep);
  for (uint32_t i = 0; i < cx->diagnostics.list.n; i++)
    diag_print(&cx->sources, &cx->diagnostics.list.at[i], false, &text);
  if (text.n) print_message("%s", text.at);
}

Analysed analysed_file(Context *cx, const char *path, const char *text) {
  Analysed a = {.cx = cx, .system = arena_new(&cx->keep, System)};
  Status status = model_read(cx, path, text, strlen(text), NULL, &a.model);
  if (status == QDOT_OK) status = model_formulate(cx, a.model, FORMULATION_LAGRANGE, &a.model);
  if (status == QDOT_OK) status = derive_system(cx, a.model, DERIVE_MATRICES, a.system);
  if (status == QDOT_OK) status = model_values(cx, a.model, &cx->keep, &a.values);
  if (status != QDOT_OK) print_diagnostics(cx);
  assert_int_equal(status, QDOT_OK);
  return a;
}

Analysed analysed(Context *cx, const char *text) { return analysed_file(cx, "test", text); }

static Status run(const Analysed *a, Linearized *out) {
  const Requests *r = &a->model->requests;
  LinearizeOptions options = {r->linearizations.n ? &r->linearizations.at[0] : NULL, false};
  return linearize_system(a->cx, a->system, a->values, &options, out);
}

Linearized linearized(const Analysed *a) {
  Linearized l;
  Status status = run(a, &l);
  if (status != QDOT_OK) print_diagnostics(a->cx);
  assert_int_equal(status, QDOT_OK);
  return l;
}

const char *linearize_error(const Analysed *a) {
  Linearized l;
  assert_int_not_equal(run(a, &l), QDOT_OK);
  assert_true(a->cx->diagnostics.list.n > 0);
  Text text = text_new(&a->cx->keep);
  diag_print(&a->cx->sources, &a->cx->diagnostics.list.at[a->cx->diagnostics.list.n - 1], false,
             &text);
  return text.at;
}

Expr expression(const Analysed *a, const char *text) {
  Expr e;
  Status status = expression_read(a->cx, a->model, "expected", text, strlen(text), &e);
  if (status != QDOT_OK) print_diagnostics(a->cx);
  assert_int_equal(status, QDOT_OK);
  return e;
}

void check_matrix(const Analysed *a, const Expr *entries, const char *const *expected, size_t n) {
  for (size_t i = 0; i < n; i++) {
    Expr difference = expr_sub(a->cx, entries[i], expression(a, expected[i]));
    if (expr_zero_test(a->cx, difference, 1000000) == ZERO_YES) continue;
    print_message("entry %zu: %s, expected %s\n", i, expr_text(a->cx, &a->cx->keep, entries[i]),
                  expected[i]);
    fail();
  }
}

// ---- Differences

typedef struct Differences {
  const Analysed *a;
  const Linearized *l;
  Balance b;
  bool *q_fixed, *qd_fixed;
  Steady *s;
} Differences;

static double *values_of(Differences *d, const Expr *e, size_t n) {
  double *out = arena_array(&d->a->cx->scratch, double, n + 1);
  expr_eval_many(d->a->cx, e, n, d->b.values, out);
  return out;
}

// Accelerations at the state d->s by the saddle point of the active rows.
static void accelerate(Differences *d, double *qdd) {
  Context *cx = d->a->cx;
  const System *sys = d->a->system;
  uint32_t n = sys->n, m = 0;
  assert_true(balance_evaluate(&d->b, d->s->q, d->s->qd, d->s->lambda));
  double *M = values_of(d, sys->M, (size_t)n * n), *f = values_of(d, d->b.applied, n);
  double *Phi_q = arena_array(&cx->scratch, double, (size_t)d->b.m *n + 1);
  double *gamma = arena_array(&cx->scratch, double, d->b.m + 1);
  double *lambda = arena_array(&cx->scratch, double, d->b.m + 1);
  for (uint32_t k = 0; k < d->b.m; k++) {
    if (!d->s->is_active[k]) continue;
    memcpy(Phi_q + (size_t)m * n, d->b.Phi_q + (size_t)k * n, n * sizeof *Phi_q);
    gamma[m++] = expr_eval(cx, d->b.rows[k]->gamma, d->b.values);
  }
  for (uint32_t i = 0; i < n; i++) f[i] = -f[i];
  Kkt kkt;
  kkt_open(&kkt, &cx->scratch, (int)n, (int)m, false);
  assert_int_equal(kkt_factor(&kkt, M, Phi_q, (int)m), QDOT_OK);
  kkt_solve(&kkt, Phi_q, f, gamma, qdd, lambda);
}

// dx/dt at the point with state (or input) number j moved by h.
static void rates_beside(Differences *d, uint32_t j, double h, double *out) {
  const Linearized *l = d->l;
  const Analysed *a = d->a;
  Mark mark = arena_mark(&a->cx->scratch);
  uint32_t row, size = l->p + l->f;
  steady_copy(&d->b, l->point, d->s);
  SteadyFreedom fixed = {.q_fixed = d->q_fixed, .qd_fixed = d->qd_fixed};
  double *input = NULL, before = 0;
  if (j < l->p) d->s->q[l->choice.z[j]] += h;
  if (j >= l->p && j < size) d->s->qd[l->choice.z[j - l->p]] += h;
  if (j >= size) {
    input = &d->b.values[symbol_variable(a->cx, a->model->inputs.at[j - size].symbol)];
    before = *input, *input += h;
  }
  assert_int_equal(steady_assemble(&d->b, &fixed, d->s, &row), QDOT_OK);
  assert_int_equal(steady_velocities(&d->b, &fixed, d->s, &row), QDOT_OK);
  double *qdd = arena_array(&a->cx->scratch, double, l->n);
  accelerate(d, qdd);
  for (uint32_t i = 0; i < l->p; i++) out[i] = d->s->qd[l->choice.z[i]];
  for (uint32_t i = 0; i < l->f; i++) out[l->p + i] = qdd[l->choice.z[i]];
  if (input) *input = before;
  arena_release(&a->cx->scratch, mark);
}

void check_by_differences(const Analysed *a, const Linearized *l) {
  Arena *scratch = &a->cx->scratch;
  Mark mark = arena_mark(scratch);
  Differences d = {.a = a, .l = l};
  uint32_t size = l->p + l->f, columns = size + l->inputs;
  d.q_fixed = arena_array(scratch, bool, l->n), d.qd_fixed = arena_array(scratch, bool, l->n);
  for (uint32_t i = 0; i < l->p; i++) d.q_fixed[l->choice.z[i]] = true;
  for (uint32_t i = 0; i < l->f; i++) d.qd_fixed[l->choice.z[i]] = true;
  double *up = arena_array(scratch, double, size), *down = arena_array(scratch, double, size);
  balance_open(&d.b, a->cx, a->system, a->values);
  for (uint32_t i = 0; i < l->left_out.n; i++) balance_leave_out(&d.b, l->left_out.at[i]);
  d.s = steady_new(scratch, &d.b);
  assert_true(l->has_state_space);
  double scale = 0;
  for (uint32_t i = 0; i < size * size; i++) scale = fmax(scale, fabs(l->state.A[i]));
  for (uint32_t j = 0; j < columns; j++) {
    double h = 1e-5;
    rates_beside(&d, j, h, up);
    rates_beside(&d, j, -h, down);
    for (uint32_t i = 0; i < size; i++) {
      double slope = (up[i] - down[i]) / (2 * h);
      double exact = j < size ? l->state.A[i * size + j] : l->state.B[i * l->inputs + j - size];
      if (fabs(slope - exact) <= 1e-6 * fmax(1, scale)) continue;
      print_message("entry (%u, %u): %.12g, by differences %.12g\n", i, j, exact, slope);
      fail();
    }
  }
  balance_close(&d.b);
  arena_release(scratch, mark);
}
