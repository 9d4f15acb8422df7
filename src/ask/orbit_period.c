// The period of what drives a motion: forces, samples and events that depend on time.
#include <math.h>

#include "ask/orbit_shoot.h"
#include "base/random.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "expr/walk.h"
#include "sim/switches.h"

enum { MOST_MULTIPLE = 1000, TRIALS = 16 };

static double common_period(double a, double b) {
  if (a == 0 || isnan(b)) return b;
  if (b == 0 || isnan(a)) return a;
  double longer = fmax(a, b), shorter = fmin(a, b);
  for (int k = 1; k <= MOST_MULTIPLE; k++)
    if (fabs(remainder(k * longer, shorter)) <= 1e-9 * longer) return k * longer;
  return NAN;
}

// ---- Waves

// How far its argument goes until it repeats; 0 for what does not.
static double span_of_wave(Context *cx, const Node *node) {
  if (node->op == OP_SIN || node->op == OP_COS || node->op == OP_TAN) return 2 * M_PI;
  bool is_table = node->op == OP_TABLE && node_aspect(node) != TABLE_PIECE;
  return is_table ? table_get(cx, node_table(node))->period : 0;
}

// Of w t + phase: a constant; else 0 (no expression).
static Expr rate_of_wave(Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  if (!(span_of_wave(cx, node) > 0)) return 0;
  Expr rate = expr_diff(cx, node->args[0], expr_symbol(cx, SYMBOL_TIME, symbol_from_text(cx, "t")));
  unsigned plain = KIND_BIT(SYMBOL_PARAMETER) | KIND_BIT(SYMBOL_INPUT);
  return expr_has_kind(cx, rate, ~plain & ((1u << SYMBOL_KINDS) - 1)) ? 0 : rate;
}

static Visit visit_waves(const Context *cx, Expr e, void *own) {
  if (!expr_has_kind(cx, e, KIND_BIT(SYMBOL_TIME))) return VISIT_SKIP;
  return rate_of_wave(own, e) ? VISIT_LIST : VISIT_ENTER;
}

// Time may stand in waves alone: NAN if it does elsewhere.
static double period_of_waves(Context *cx, const ExprList *roots, const double *values) {
  ExprList all = expr_walk(cx, roots->at, roots->n, visit_waves, cx);
  double period = 0;
  for (uint32_t i = 0; i < all.n; i++) {
    Expr rate = rate_of_wave(cx, all.at[i]);
    double span = span_of_wave(cx, node_of(cx, all.at[i]));
    if (rate) period = common_period(period, span / fabs(expr_eval(cx, rate, values)));
    if (op_of(cx, all.at[i]) == OP_SYMBOL) return NAN;
  }
  return period;
}

static double period_of_samples(const Shooting *s, const double *values) {
  const Model *model = s->orbit->model;
  double period = 0;
  for (uint32_t i = 0; i < model->samplings.n; i++)
    period = common_period(period, expr_eval(s->orbit->cx, model->samplings.at[i].period, values));
  return period;
}

// ---- Do they repeat?

// Any state at any time, with the values of the model; what is assigned has any value, too.
static void draw_values(const Shooting *s, const System *system, double T, uint64_t *random,
                        double *values) {
  Context *cx = s->orbit->cx;
  const Model *model = s->orbit->model;
  const double *known = s->rerun.simulation.run.machine.values;
  uint32_t parameters = model->parameters.n;
  for (uint32_t i = 0; i < cx->exprs->symbols.n; i++)
    values[i] = 0.1 + random_mixed_fraction(random);
  for (uint32_t i = 0; i < parameters + model->inputs.n; i++) {
    if (i >= parameters && model->inputs.at[i - parameters].is_assigned) continue;
    uint32_t place = symbol_variable(cx, i < parameters ? model->parameters.at[i].symbol
                                                        : model->inputs.at[i - parameters].symbol);
    values[place] = known[place];
  }
  values[symbol_variable(cx, system->t)] = 3 * T * random_mixed_fraction(random);
}

// Do all expressions have the same values after T, at any state?
static bool repeat_after(const Shooting *s, const System *system, const ExprList *roots, double T) {
  Context *cx = s->orbit->cx;
  Mark mark = arena_mark(&cx->scratch);
  double *values = arena_array(&cx->scratch, double, cx->exprs->symbols.n + 1);
  double *now = arena_array(&cx->scratch, double, (size_t)TRIALS * roots->n);
  double *then = arena_array(&cx->scratch, double, (size_t)TRIALS * roots->n);
  uint64_t random = 1;
  for (uint32_t k = 0; k < TRIALS; k++) {
    draw_values(s, system, T, &random, values);
    expr_eval_many(cx, roots->at, roots->n, values, now + (size_t)k * roots->n);
    values[symbol_variable(cx, system->t)] += T;
    expr_eval_many(cx, roots->at, roots->n, values, then + (size_t)k * roots->n);
  }
  bool same = true;
  for (uint32_t i = 0; i < roots->n; i++) {
    double size = 0, off = 0;
    for (size_t at = i; at < (size_t)TRIALS * roots->n; at += roots->n) {
      size = fmax(size, fabs(now[at]));
      off = fmax(off, fabs(now[at] - then[at]));
    }
    same &= off <= 1e-8 * size;
  }
  arena_release(&cx->scratch, mark);
  return same;
}

// A part of the periods of the waves may be enough, as for abs(sin(w t)); and what is more than
// waves, as t sin(w t), has none.
static double least_period(const Shooting *s, const System *system, const ExprList *roots,
                           double T) {
  static const int parts[] = {2, 3, 5};
  if (!(T > 0)) return T;
  if (!repeat_after(s, system, roots, T)) return NAN;
  double least = T / 64;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    while (T / parts[i] > least && repeat_after(s, system, roots, T / parts[i])) T /= parts[i];
  return T;
}

// ---- The whole

// What acts on the motion, at all times and at moments.
static ExprList driving_expressions(Context *cx, const System *system) {
  const Model *model = system->model;
  ExprList roots = system_acting_expressions(cx, system);
  for (uint32_t i = 0; i < model->assignments.n; i++)
    vec_push(&cx->scratch, &roots, model->assignments.at[i].value);
  for (uint32_t i = 0; i < model->occasions.n; i++) {
    const Occasion *o = &model->occasions.at[i];
    if (o->stops) continue;
    vec_push(&cx->scratch, &roots, o->function);
    if (o->condition) vec_push(&cx->scratch, &roots, o->condition);
  }
  return roots;
}

double orbit_forced_period(Shooting *s, const System *system) {
  Context *cx = s->orbit->cx;
  const double *values = s->rerun.simulation.run.machine.values;
  Mark mark = arena_mark(&cx->scratch);
  ExprList roots = driving_expressions(cx, system);
  double waves = least_period(s, system, &roots, period_of_waves(cx, &roots, values));
  arena_release(&cx->scratch, mark);
  s->orbit->is_sampled = s->orbit->model->samplings.n > 0;
  s->orbit->has_waves = waves != 0;
  return common_period(waves, period_of_samples(s, values));
}
