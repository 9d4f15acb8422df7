// Homogeneous functions of velocities, and jumps where one is zero, by values at random states.
#include "report/degree.h"

#include <math.h>

#include "base/random.h"
#include "expr/build.h"
#include "expr/subst.h"
#include "expr/value/eval.h"
#include "model/values.h"

enum { STATES = 12 };

// Coordinates, velocities and time somewhere general.
static void scatter(Context *cx, const System *s, uint64_t *seed, double *values) {
  for (uint32_t i = 0; i < s->n; i++) {
    values[symbol_variable(cx, s->q[i])] = 3 * random_mixed_fraction(seed) - 1.5;
    values[symbol_variable(cx, s->qd[i])] = 3 * random_mixed_fraction(seed) - 1.5;
  }
  values[symbol_variable(cx, s->t)] = 1 + random_mixed_fraction(seed);
}

static void scale_velocities(Context *cx, const System *s, double factor, double *values) {
  for (uint32_t i = 0; i < s->n; i++) values[symbol_variable(cx, s->qd[i])] *= factor;
}

double velocity_degree(Context *cx, const System *s, Expr e) {
  Mark mark = arena_mark(&cx->scratch);
  double *values, degree = NAN;
  uint64_t seed = 7;
  bool holds = model_values(cx, s->model, &cx->scratch, &values) == QDOT_OK;
  for (int state = 0; holds && state < STATES; state++) {
    scatter(cx, s, &seed, values);
    double here = expr_eval(cx, e, values);
    scale_velocities(cx, s, 3, values);
    double there = expr_eval(cx, e, values), power = log(there / here) / log(3);
    if (!isfinite(here) || !isfinite(there)) continue; // outside of its domain
    if (isnan(degree)) degree = round(power * 1e6) / 1e6;
    holds = fabs(power - degree) < 1e-6;
  }
  arena_release(&cx->scratch, mark);
  return holds ? degree : NAN;
}

// ---- Jumps

typedef struct Decision {
  Expr atom, as;
} Decision;

static Rewrite decide(Context *cx, Expr e, void *argument) {
  (void)cx;
  const Decision *it = argument;
  return e == it->atom ? (Rewrite){REWRITE_TO, it->as} : (Rewrite){.kind = REWRITE_INSIDE};
}

static Expr decided(Context *cx, Expr e, Expr atom, int value) {
  Decision decision = {atom, expr_int(cx, value)};
  Expr out;
  expr_rewrite(cx, &e, 1, decide, &decision, &out);
  return out;
}

// Changes one velocity so that slip, which is linear in the velocities, is 0.
static bool stop_slip(Context *cx, const System *s, Expr slip, double *values) {
  for (uint32_t i = 0; i < s->n; i++) {
    double *qd = &values[symbol_variable(cx, s->qd[i])], was = *qd, v = expr_eval(cx, slip, values);
    *qd = was + 1;
    double slope = expr_eval(cx, slip, values) - v;
    *qd = was - v / slope;
    if (fabs(slope) > 1e-9 && fabs(expr_eval(cx, slip, values)) < 1e-9) return true;
    *qd = was;
  }
  return false;
}

bool jumps_at(Context *cx, const System *s, const Expr *e, uint32_t n, Expr atom, Expr slip,
              int low, int high) {
  Mark mark = arena_mark(&cx->scratch);
  double *values;
  uint64_t seed = 11;
  bool jumps = model_values(cx, s->model, &cx->scratch, &values) != QDOT_OK;
  for (uint32_t i = 0; !jumps && i < n; i++) {
    Expr before = decided(cx, e[i], atom, low), behind = decided(cx, e[i], atom, high);
    for (int state = 0; before != behind && !jumps && state < STATES; state++) {
      scatter(cx, s, &seed, values);
      double size = fabs(expr_eval(cx, before, values)) + fabs(expr_eval(cx, behind, values));
      if (!stop_slip(cx, s, slip, values)) jumps = true;
      double step = expr_eval(cx, behind, values) - expr_eval(cx, before, values);
      if (fabs(step) > 1e-6 * size) jumps = true;
    }
  }
  arena_release(&cx->scratch, mark);
  return jumps;
}
