// Self-checks of a derivation.
#include "derive/selfcheck.h"

#include <math.h>

#include "base/random.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "model/values.h"

#define MOST_TRIES 8 // for each state that should be finite

typedef struct Routes {
  Expr *hessian; // n x n: d2T/dq'2 from the gradient of T
  Expr power;    // dE/dt, differentiated as it stands
} Routes;

// In [-1.5, 1.5)
static double random_value(uint64_t *state) { return 3 * random_mixed_fraction(state) - 1.5; }

static void scatter(const Context *cx, const System *s, uint64_t *seed, double *values) {
  for (uint32_t i = 0; i < s->n; i++) {
    values[symbol_variable(cx, s->q[i])] = random_value(seed);
    values[symbol_variable(cx, s->qd[i])] = random_value(seed);
    values[symbol_variable(cx, s->qdd[i])] = random_value(seed);
  }
  for (uint32_t i = 0; i < s->model->inputs.n; i++)
    values[symbol_variable(cx, s->model->inputs.at[i].symbol)] = random_value(seed);
  values[symbol_variable(cx, s->t)] = 1 + random_value(seed);
}

// The error relative to the largest term that entered it; false when something is not finite.
static bool enter(double *worst, double error, double scale) {
  if (!isfinite(error) || !isfinite(scale)) return false;
  *worst = fmax(*worst, fabs(error) / fmax(scale, 1e-300));
  return true;
}

static bool check_state(Context *cx, const System *s, const Routes *routes, const double *values,
                        Selfcheck *out) {
  Mark mark = arena_mark(&cx->scratch);
  uint32_t n = s->n;
  double *M = arena_array(&cx->scratch, double, (size_t)n *n);
  double *hessian = arena_array(&cx->scratch, double, (size_t)n *n);
  double *h = arena_array(&cx->scratch, double, n), *G = arena_array(&cx->scratch, double, n);
  expr_eval_many(cx, s->M, (size_t)n * n, values, M);
  expr_eval_many(cx, routes->hessian, (size_t)n * n, values, hessian);
  expr_eval_many(cx, s->h, n, values, h);
  expr_eval_many(cx, s->G, n, values, G);
  double largest = 0, power = 0, size = 0;
  for (uint32_t i = 0; i < n * n; i++) largest = fmax(largest, fabs(hessian[i]));
  Selfcheck next = *out;
  bool finite = true;
  for (uint32_t i = 0; i < n && finite; i++) {
    double force = h[i] + G[i], qd = values[symbol_variable(cx, s->qd[i])];
    size += fabs(qd) * (fabs(h[i]) + fabs(G[i]));
    for (uint32_t j = 0; j < n; j++) {
      double part = M[i * n + j] * values[symbol_variable(cx, s->qdd[j])];
      force += part, size += fabs(qd * part);
      finite = finite && enter(&next.mass_error, M[i * n + j] - hessian[i * n + j], largest) &&
               enter(&next.mass_error, M[i * n + j] - M[j * n + i], largest);
    }
    power += qd * force;
  }
  double L_t = expr_eval(cx, s->L_t, values), rate = expr_eval(cx, routes->power, values);
  finite = finite && enter(&next.power_error, rate - (power - L_t), size + fabs(L_t));
  arena_release(&cx->scratch, mark);
  if (finite) *out = next;
  return finite;
}

Status system_selfcheck(Context *cx, const System *s, int states, uint64_t seed, Selfcheck *out) {
  Mark mark = arena_mark(&cx->scratch);
  *out = (Selfcheck){0};
  uint32_t n = s->n;
  out->is_good = n == 0; // states alone: there is no other route to their rates
  if (n == 0) return QDOT_OK;
  Expr *momentum = arena_array(&cx->scratch, Expr, n);
  Routes routes = {.hessian = arena_array(&cx->scratch, Expr, (size_t)n * n)};
  expr_gradient(cx, s->T, s->qd, n, momentum);
  expr_jacobian(cx, momentum, n, s->qd, n, routes.hessian);
  routes.power = expr_time_derivative(cx, s->energy);
  double *values;
  Status status = model_values(cx, s->model, &cx->scratch, &values);
  for (int tries = 0; status == QDOT_OK && out->states < states && tries < MOST_TRIES * states;
       tries++) {
    scatter(cx, s, &seed, values);
    out->states += check_state(cx, s, &routes, values, out);
  }
  out->is_good = out->mass_error < 1e-8 && out->power_error < 1e-8;
  arena_release(&cx->scratch, mark);
  return status;
}
