// When a motion comes back: looks along a first run, and periods of what drives it.
#include <math.h>

#include "ask/orbit_shoot.h"
#include "base/random.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "expr/walk.h"
#include "sim/switches.h"

enum { MOST_MULTIPLE = 1000, TRIALS = 16 };
// Looks tell the turns of a motion apart if none moves further than this part of its extent.
static const double ONE_LOOK = 0.25;
// Parts of the extent: what is away, and what is back.
static const double AWAY = 0.5, BACK = 0.35;

// ---- Sizes

// How far value i of the state goes.
static double range_of(const Shooting *s, uint32_t i, uint32_t seen) {
  double low = INFINITY, high = -INFINITY;
  for (uint32_t k = 0; k < seen; k++) {
    low = fmin(low, orbit_seen(s, k)[i]);
    high = fmax(high, orbit_seen(s, k)[i]);
  }
  return s->is_angle[i] ? fmin(high - low, M_PI) : high - low;
}

// Positions, velocities, states and what is assigned are kinds: a thing is measured by its like.
static int kind_of(const Shooting *s, uint32_t i) {
  uint32_t coordinates = s->orbit->model->coordinates.n;
  return i < coordinates ? 0 : i < 2 * coordinates ? 1 : i < s->moving ? 2 : 3;
}

// What the state is measured by; what hardly moves by a thousandth of its like.
static void find_sizes(Shooting *s, uint32_t seen) {
  double most[4] = {0};
  for (uint32_t i = 0; i < s->orbit->state; i++) {
    s->size[i] = range_of(s, i, seen);
    most[kind_of(s, i)] = fmax(most[kind_of(s, i)], s->size[i]);
  }
  for (uint32_t i = 0; i < s->orbit->state; i++) {
    double of_kind = most[kind_of(s, i)];
    s->size[i] = of_kind > 0 ? fmax(s->size[i], 1e-3 * of_kind) : 1;
  }
}

// ---- Returns

static double extent_of(const Shooting *s, uint32_t seen) {
  double most = 0;
  for (uint32_t k = 0; k < seen; k++)
    most = fmax(most, orbit_distance(s, orbit_seen(s, k), s->seen));
  return most;
}

static bool looks_tell(const Shooting *s, uint32_t seen, double extent) {
  for (uint32_t k = 1; k < seen; k++) {
    bool jumps = s->event[k] >= s->times[k - 1];
    if (!jumps && orbit_distance(s, orbit_seen(s, k), orbit_seen(s, k - 1)) > ONE_LOOK * extent)
      return false;
  }
  return true;
}

// The lowest place of the parabola through three squared distances at equal times.
static Return lowest(double before, double at, double after, double t, double step) {
  double a = before * before, b = at * at, c = after * after, bend = a - 2 * b + c;
  double off = bend > 0 ? fmax(-1, fmin(1, (a - c) / (2 * bend))) : 0;
  return (Return){t + off * step, sqrt(fmax(0, b - (a - c) * off / 4))};
}

uint32_t orbit_returns(Shooting *s, const double *x, double *end, Return *out, uint32_t most) {
  uint32_t seen = 0, n = 0;
  double extent = 0;
  for (int round = 0; round < 5; round++, *end /= 8) {
    Status status = orbit_watch(s, x, *end);
    if (status != QDOT_OK && s->taken < 3) return 0;
    seen = s->taken;
    find_sizes(s, seen);
    extent = extent_of(s, seen);
    if (looks_tell(s, seen, extent)) break;
  }
  double before = 0, at = 0;
  bool is_away = false;
  for (uint32_t k = 1; k < seen && n < most; k++) {
    double next = orbit_distance(s, orbit_seen(s, k), s->seen);
    if (is_away && at < before && at <= next && at < BACK * extent) {
      out[n++] = lowest(before, at, next, s->times[k - 1], s->times[1]);
      out[n - 1].miss /= extent;
      is_away = false;
    }
    is_away |= next > AWAY * extent;
    before = at, at = next;
  }
  return n;
}

bool orbit_begins_at_event(const Shooting *s, double T) {
  double close = 0.02 * T;
  for (uint32_t k = 0; k < s->taken && s->times[k] < T + 2 * close; k++)
    if (fabs(s->event[k]) < close || fabs(s->event[k] - T) < close) return true;
  return false;
}

// ---- What drives

static double common_period(double a, double b) {
  if (a == 0 || isnan(b)) return b;
  if (b == 0 || isnan(a)) return a;
  double longer = fmax(a, b), shorter = fmin(a, b);
  for (int k = 1; k <= MOST_MULTIPLE; k++)
    if (fabs(remainder(k * longer, shorter)) <= 1e-9 * longer) return k * longer;
  return NAN;
}

// Of a sine or cosine of w t + phase.
static double period_of_wave(Context *cx, const Node *node, const System *system,
                             const double *values) {
  Expr rate = expr_diff(cx, node->args[0], system->t);
  unsigned plain = KIND_BIT(SYMBOL_PARAMETER) | KIND_BIT(SYMBOL_INPUT);
  if (expr_has_kind(cx, rate, ~plain & ((1u << SYMBOL_KINDS) - 1))) return NAN;
  return 2 * M_PI / fabs(expr_eval(cx, rate, values));
}

static double period_of_samples(const Shooting *s, const double *values) {
  const Model *model = s->orbit->model;
  double period = 0;
  for (uint32_t i = 0; i < model->samplings.n; i++)
    period = common_period(period, expr_eval(s->orbit->cx, model->samplings.at[i].period, values));
  return period;
}

// Any state at any time, with the values of the model.
static void draw_values(const Shooting *s, const System *system, double T, uint64_t *random,
                        double *values) {
  Context *cx = s->orbit->cx;
  const Model *model = s->orbit->model;
  const double *known = s->rerun.simulation.run.machine.values;
  uint32_t parameters = model->parameters.n;
  for (uint32_t i = 0; i < cx->exprs->symbols.n; i++)
    values[i] = 0.1 + random_mixed_fraction(random);
  for (uint32_t i = 0; i < parameters + model->inputs.n; i++) {
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

double orbit_forced_period(Shooting *s, const System *system) {
  Context *cx = s->orbit->cx;
  const double *values = s->rerun.simulation.run.machine.values;
  Mark mark = arena_mark(&cx->scratch);
  ExprList roots = system_acting_expressions(cx, system);
  ExprList all = expr_walk(cx, roots.at, roots.n, visit_all, NULL);
  double waves = 0;
  bool any = false;
  for (uint32_t i = 0; i < roots.n; i++)
    any |= expr_has_kind(cx, roots.at[i], KIND_BIT(SYMBOL_TIME));
  for (uint32_t i = 0; any && i < all.n; i++) {
    const Node *node = node_of(cx, all.at[i]);
    if ((node->op == OP_SIN || node->op == OP_COS) &&
        expr_has_kind(cx, all.at[i], KIND_BIT(SYMBOL_TIME)))
      waves = common_period(waves, period_of_wave(cx, node, system, values));
  }
  waves = least_period(s, system, &roots, waves);
  arena_release(&cx->scratch, mark);
  if (any && waves == 0) return NAN;
  s->orbit->is_sampled = s->orbit->model->samplings.n > 0;
  s->orbit->has_waves = waves != 0;
  return common_period(waves, period_of_samples(s, values));
}
