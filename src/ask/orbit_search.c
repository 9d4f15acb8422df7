// Periodic motions by shooting: x(T; x_0) = x_0, Newton's steps with the slopes of the run.
#include "ask/orbit.h"

#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "expr/walk.h"
#include "sim/run/slopes.h"
#include "sim/switches.h"
#include "solve/algebra/lapack.h"
#include "solve/algebra/svd.h"

enum { LOOKS = 2001, MOST_STEPS = 40 };
// Where a search begins, as a part of the period behind the start: events may lie next to that.
static const double LATER = 0.35;
static const double CLOSED = 1e-8;  // of the size of the state
static const double AT_REST = 1e-6; // the same: what moves less stands
// A multiplier is stable within the unit circle, but for this.
static const double ON_CIRCLE = 1e-5;
// Two multipliers that meet at 1 are known to the root of what one is.
static const double NEUTRAL = 1e-4;

typedef struct Shooting {
  Orbit *orbit;
  Rerun rerun;
  uint32_t *places;
  double *times, *seen; // of the looks, and the states there (looks x state)
  double *S, *rate;     // at the last look: slopes, and the derivative of the state
  uint32_t looks, taken;
  SlopeLook look;
  double *size, *measures;
  bool *is_angle;
  const volatile int *stop;
  OrbitProgress *progress;
  void *progress_user;
} Shooting;

static void take_look(void *user, uint32_t number, const double *x, const double *S,
                      const double *signals, const double *signal_slopes) {
  (void)signals, (void)signal_slopes;
  Shooting *s = user;
  uint32_t n = s->orbit->state;
  memcpy(s->seen + (size_t)number * n, x, n * sizeof *x);
  if (number + 1 == s->looks) {
    memcpy(s->S, S, (size_t)n * n * sizeof *S);
    slopes_motion(s->rerun.simulation.run.slopes, s->times[number], x, s->rate);
  }
  s->taken++;
}

// A run from x to the time of the last look.
static Status run_from(Shooting *s, const double *x) {
  s->taken = 0;
  s->look.count = s->looks;
  s->rerun.simulation.options.t_end = s->times[s->looks - 1];
  Status status = rerun_measures(&s->rerun, s->places, x, s->orbit->state, s->measures);
  s->orbit->runs++;
  if (s->progress) s->progress(s->progress_user, s->orbit->runs, s->orbit->residual);
  if (status == QDOT_OK && s->taken < s->looks) return QDOT_UNDEFINED; // slopes were lost
  return status;
}

// ---- The period

static double distance(const Shooting *s, const double *a, const double *b) {
  double sum = 0;
  for (uint32_t i = 0; i < s->orbit->state; i++) {
    double off = a[i] - b[i];
    if (s->is_angle[i]) off = remainder(off, 2 * M_PI);
    sum += off * off / (s->size[i] * s->size[i]);
  }
  return sqrt(sum);
}

// How far value i of the state goes.
static double range_of(const Shooting *s, uint32_t i, uint32_t seen) {
  uint32_t n = s->orbit->state;
  double low = INFINITY, high = -INFINITY;
  for (uint32_t k = 0; k < seen; k++) {
    low = fmin(low, s->seen[(size_t)k * n + i]);
    high = fmax(high, s->seen[(size_t)k * n + i]);
  }
  return s->is_angle[i] ? fmin(high - low, M_PI) : high - low;
}

// What the state is measured by; what hardly moves by a thousandth of its like.
static void find_sizes(Shooting *s, uint32_t seen) {
  uint32_t n = s->orbit->state, coordinates = s->orbit->model->coordinates.n;
  double most[3] = {0};
  for (uint32_t i = 0; i < n; i++) {
    double *of_kind = &most[i < coordinates ? 0 : i < 2 * coordinates ? 1 : 2];
    s->size[i] = range_of(s, i, seen);
    *of_kind = fmax(*of_kind, s->size[i]);
  }
  for (uint32_t i = 0; i < n; i++) {
    double of_kind = most[i < coordinates ? 0 : i < 2 * coordinates ? 1 : 2];
    s->size[i] = of_kind > 0 ? fmax(s->size[i], 1e-3 * of_kind) : 1;
  }
}

// The first time at which a motion that has gone away comes back.
static double first_return(Shooting *s, const double *x, double end) {
  s->looks = LOOKS;
  for (int k = 0; k < LOOKS; k++) s->times[k] = end * k / (LOOKS - 1);
  if (run_from(s, x) != QDOT_OK && s->taken < 3) return NAN;
  uint32_t n = s->orbit->state, seen = s->taken;
  find_sizes(s, seen);
  double most = 0;
  x = s->seen; // on the constraints
  for (uint32_t k = 0; k < seen; k++) most = fmax(most, distance(s, s->seen + (size_t)k * n, x));
  double before = 0, at = 0;
  bool is_away = false;
  for (uint32_t k = 1; k < seen; k++) {
    double next = distance(s, s->seen + (size_t)k * n, x);
    if (is_away && at < before && at <= next && at < 0.35 * most) return s->times[k - 1];
    is_away |= next > 0.5 * most;
    before = at, at = next;
  }
  return NAN;
}

// The period of what depends on time, from sines and cosines of w t + phase; 0: nothing does; NAN:
// it cannot be told.
static double forced_period(Shooting *s, const System *system) {
  Context *cx = s->orbit->cx;
  const double *values = s->rerun.simulation.run.machine.values;
  Mark mark = arena_mark(&cx->scratch);
  ExprList roots = system_acting_expressions(cx, system);
  ExprList all = expr_walk(cx, roots.at, roots.n, visit_all, NULL);
  double period = 0;
  bool any = false;
  for (uint32_t i = 0; i < roots.n; i++)
    any |= expr_has_kind(cx, roots.at[i], KIND_BIT(SYMBOL_TIME));
  for (uint32_t i = 0; any && i < all.n; i++) {
    const Node *node = node_of(cx, all.at[i]);
    if ((node->op != OP_SIN && node->op != OP_COS) ||
        !expr_has_kind(cx, all.at[i], KIND_BIT(SYMBOL_TIME)))
      continue;
    Expr rate = expr_diff(cx, node->args[0], system->t);
    bool is_plain = !expr_has_kind(cx, rate,
                                   ~(KIND_BIT(SYMBOL_PARAMETER) | KIND_BIT(SYMBOL_INPUT)) &
                                       ((1u << SYMBOL_KINDS) - 1));
    double own = is_plain ? 2 * M_PI / fabs(expr_eval(cx, rate, values)) : NAN;
    if (period == 0 || isnan(own)) {
      period = own;
    } else if (!isnan(period)) {
      double longer = fmax(period, own), shorter = fmin(period, own), k = 1;
      while (k < 64 && fabs(remainder(k * longer, shorter)) > 1e-9 * longer) k++;
      period = k < 64 ? k * longer : NAN;
    }
  }
  arena_release(&cx->scratch, mark);
  return any && period == 0 ? NAN : period;
}

// ---- Newton's steps

// x(T) - x, angles but for whole turns, with x moved onto the constraints; the rate of x at T; S.
static Status shoot(Shooting *s, double *x, double T, double *rest, double *rate) {
  uint32_t n = s->orbit->state;
  s->looks = 2;
  s->times[0] = 0, s->times[1] = T;
  Status status = run_from(s, x);
  if (status != QDOT_OK) return status;
  const double *end = s->seen + n;
  memcpy(x, s->seen, n * sizeof *x);
  for (uint32_t i = 0; i < n; i++) {
    rest[i] = end[i] - x[i];
    if (s->is_angle[i]) rest[i] = remainder(rest[i], 2 * M_PI);
    rate[i] = s->rate[i];
  }
  return QDOT_OK;
}

static double size_of_rest(const Shooting *s, const double *rest) {
  double most = 0;
  for (uint32_t i = 0; i < s->orbit->state; i++) most = fmax(most, fabs(rest[i]) / s->size[i]);
  return most;
}

// The step of least size that closes the motion to first order; scaled by the size of the state.
static Status newton_step(Shooting *s, const double *rest, const double *rate, double T, double *dx,
                          double *dT) {
  uint32_t n = s->orbit->state, columns = s->orbit->is_forced ? n : n + 1, rows = columns;
  Arena *scratch = &s->orbit->cx->scratch;
  Mark mark = arena_mark(scratch);
  double *A = arena_array(scratch, double, (size_t)rows *columns);
  double *b = arena_array(scratch, double, rows), *step = arena_array(scratch, double, columns);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++)
      A[i * columns + j] = (s->S[(size_t)j * n + i] - (i == j)) * s->size[j] / s->size[i];
    if (columns > n) A[i * columns + n] = rate[i] * T / s->size[i];
    b[i] = -rest[i] / s->size[i];
  }
  // where the motion goes, it is not moved along itself
  for (uint32_t j = 0; columns > n && j < n; j++) A[n * columns + j] = rate[j] * T / s->size[j];
  Status status = svd_least_norm(scratch, (int)rows, (int)columns, A, b, 1e-9, step, NULL);
  for (uint32_t j = 0; j < n; j++) dx[j] = step[j] * s->size[j];
  *dT = columns > n ? step[n] * T : 0;
  arena_release(scratch, mark);
  return status;
}

// A motion that repeats after k periods of the forces may repeat after fewer.
static Status find_least_period(Shooting *s, double forced, double *x, double *T) {
  Orbit *o = s->orbit;
  Arena *keep = o->cx->results;
  double *rest = arena_array(keep, double, o->state), *rate = arena_array(keep, double, o->state);
  uint32_t k = (uint32_t)nearbyint(*T / forced);
  o->periods = k;
  for (uint32_t part = 1; part < k && o->residual <= CLOSED; part++) {
    if (k % part != 0) continue;
    Status status = shoot(s, x, part * forced, rest, rate);
    if (status != QDOT_OK) return status;
    if (size_of_rest(s, rest) > CLOSED) continue;
    o->periods = part;
    *T = part * forced;
    return QDOT_OK;
  }
  return k > 1 ? shoot(s, x, *T, rest, rate) : QDOT_OK;
}

static Status close_orbit(Shooting *s, double *x, double *T) {
  Orbit *o = s->orbit;
  uint32_t n = o->state;
  Arena *keep = o->cx->results;
  double *rest = arena_array(keep, double, n), *rate = arena_array(keep, double, n);
  double *dx = arena_array(keep, double, n), *trial = arena_array(keep, double, n), dT;
  Status status = shoot(s, x, *T, rest, rate);
  if (status != QDOT_OK) return status;
  o->residual = size_of_rest(s, rest);
  for (int round = 0; round < MOST_STEPS && o->residual > CLOSED * 1e-3; round++) {
    status = newton_step(s, rest, rate, *T, dx, &dT);
    if (status != QDOT_OK) return status;
    double part = 1, reached = INFINITY, T_new = *T;
    for (int halving = 0; halving < 8; halving++, part /= 2) {
      for (uint32_t i = 0; i < n; i++) trial[i] = x[i] + part * dx[i];
      T_new = *T + part * dT;
      if (!(T_new > 0.2 * *T && T_new < 5 * *T)) continue;
      status = shoot(s, trial, T_new, rest, rate);
      if (status == QDOT_STOPPED) return status;
      reached = status == QDOT_OK ? size_of_rest(s, rest) : INFINITY;
      if (reached < o->residual) break;
    }
    if (!(reached < o->residual)) break;
    memcpy(x, trial, n * sizeof *x);
    *T = T_new;
    o->residual = reached;
  }
  return shoot(s, x, *T, rest, rate);
}

// ---- Stability

static Status find_multipliers(Shooting *s) {
  Orbit *o = s->orbit;
  uint32_t n = o->state;
  double *A = arena_array(o->cx->results, double, (size_t)n *n);
  o->re = arena_array(o->cx->results, double, n);
  o->im = arena_array(o->cx->results, double, n);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      A[i * n + j] = s->S[(size_t)j * n + i] * s->size[j] / s->size[i];
  Status status = lapack_eigen(&o->cx->scratch, (int)n, A, o->re, o->im, NULL);
  if (status != QDOT_OK) return status;
  o->multipliers = n;
  for (uint32_t i = 1; i < n; i++) // largest first
    for (uint32_t k = i; k > 0 && hypot(o->re[k], o->im[k]) > hypot(o->re[k - 1], o->im[k - 1]);
         k--) {
      double re = o->re[k], im = o->im[k];
      o->re[k] = o->re[k - 1], o->im[k] = o->im[k - 1];
      o->re[k - 1] = re, o->im[k - 1] = im;
    }
  // what leaves the constraints does not come back
  const Problem *problem = &s->rerun.simulation.run.machine.problem;
  uint32_t gone = (uint32_t)(problem->holonomic + problem->m);
  n = o->multipliers = gone < n ? n - gone : 0;
  o->trivial = n;
  double nearest = 1e-3;
  for (uint32_t i = 0; !o->is_forced && i < n; i++)
    if (hypot(o->re[i] - 1, o->im[i]) < nearest) {
      nearest = hypot(o->re[i] - 1, o->im[i]);
      o->trivial = i;
    }
  o->is_stable = true;
  for (uint32_t i = 0; i < n; i++)
    if (i != o->trivial && hypot(o->re[i], o->im[i]) > 1 - ON_CIRCLE) o->is_stable = false;
  o->is_neutral = !o->is_stable;
  for (uint32_t i = 0; i < n; i++)
    if (hypot(o->re[i], o->im[i]) > 1 + NEUTRAL) o->is_neutral = false;
  return QDOT_OK;
}

// ---- The whole

const char *orbit_name(const Orbit *o, uint32_t i) {
  uint32_t n = o->model->coordinates.n;
  if (i >= 2 * n) return symbol_text(o->cx, o->model->states.at[i - 2 * n].name);
  const char *name = symbol_text(o->cx, o->model->coordinates.at[i % n].name);
  return i < n ? name : text_format(&o->cx->scratch, "%s'", name);
}

// Where joined bodies start.
static Status assembled_start(Shooting *s, double *x) {
  Machine *m = &s->rerun.simulation.run.machine;
  m->start_is_guess = false;
  Status status = rerun_start(&s->rerun, x);
  m->start_is_guess = true;
  if (status == QDOT_OK) return QDOT_OK;
  return diag_error(s->orbit->cx, status, s->orbit->request->span,
                    "the bodies have no start there: %s", s->rerun.why);
}

static Status guess(Shooting *s, double *x) {
  Orbit *o = s->orbit;
  const Model *model = o->model;
  uint32_t values = model->parameters.n + model->inputs.n;
  for (uint32_t i = 0; i < o->state; i++) {
    x[i] = rerun_given(&s->rerun, s->places[i]);
    uint32_t c = i % model->coordinates.n;
    const Measure *measure = &model->coordinates.at[c].measure;
    s->is_angle[i] =
        i < model->coordinates.n && measure->is_known && dimension_is_pure(measure->dimension);
    s->size[i] = 0;
  }
  for (uint32_t k = 0; k < o->request->starts.n; k++) {
    const OrbitStart *start = &o->request->starts.at[k];
    int place = directions_place(o->cx, model, &start->varied);
    if (place < 0) return QDOT_UNKNOWN_NAME;
    double value = expr_eval(o->cx, start->value, s->rerun.simulation.run.machine.values);
    if ((uint32_t)place < values)
      s->rerun.given[place] = value; // where a body starts
    else
      x[(uint32_t)place - values] = value;
  }
  s->rerun.simulation.run.machine.start_is_guess = true;
  return model->assembly ? assembled_start(s, x) : QDOT_OK;
}

// A state of rest repeats itself after any time.
static Status is_rest(const Shooting *s) {
  const Orbit *o = s->orbit;
  Status status =
      diag_error(o->cx, QDOT_NO_CONVERGENCE, o->request->span,
                 "from there the search ends in an equilibrium, which is no periodic motion");
  diag_note(o->cx, "a periodic motion needs something that drives it, or nothing that brakes it; a "
                   "start nearer to one may lead to it");
  return status;
}

// The place of the orbit that is nearest to the guess.
static Status nearest_start(Shooting *s, const double *near, double *x) {
  uint32_t n = s->orbit->state, best = 0;
  double extent = 0;
  s->looks = LOOKS;
  for (int k = 0; k < LOOKS; k++) s->times[k] = s->orbit->period * k / (LOOKS - 1);
  Status status = run_from(s, x);
  if (status != QDOT_OK) return status;
  for (uint32_t k = 1; k < LOOKS; k++)
    extent = fmax(extent, distance(s, s->seen + (size_t)k * n, s->seen));
  if (s->orbit->is_found && extent < AT_REST) return is_rest(s);
  for (uint32_t k = 1; k < LOOKS; k++)
    if (distance(s, s->seen + (size_t)k * n, near) < distance(s, s->seen + (size_t)best * n, near))
      best = k;
  memcpy(x, s->seen + (size_t)best * n, n * sizeof *x);
  return QDOT_OK;
}

static Status shoot_all(Shooting *s, const System *system, double end) {
  Orbit *o = s->orbit;
  double *x = o->start;
  Status status = guess(s, x);
  if (status != QDOT_OK) return status;
  double forced = forced_period(s, system), T = first_return(s, x, end);
  if (s->stop && *s->stop) return QDOT_STOPPED;
  o->is_forced = forced != 0;
  if (isnan(forced))
    return diag_error(o->cx, QDOT_UNSUPPORTED, o->request->span,
                      "the period of what depends on time cannot be told");
  if (o->is_forced) T = isnan(T) ? forced : forced * fmax(1, nearbyint(T / forced));
  if (isnan(T)) {
    status = diag_error(o->cx, QDOT_NO_CONVERGENCE, o->request->span,
                        "the motion does not come back near its start within %g s", end);
    diag_note(o->cx, "a start nearer to the periodic motion, or a later end of the run, may help");
    return status;
  }
  double *near = arena_array(o->cx->results, double, o->state);
  memcpy(near, x, o->state * sizeof *x);
  if (!o->is_forced)
    memcpy(x, s->seen + (size_t)(LATER * T / end * (LOOKS - 1)) * o->state, o->state * sizeof *x);
  o->residual = INFINITY;
  status = close_orbit(s, x, &T);
  if (status == QDOT_OK && o->is_forced) status = find_least_period(s, forced, x, &T);
  o->is_stopped = status == QDOT_STOPPED;
  if (o->is_stopped && !isfinite(o->residual)) return status;
  if (o->is_stopped) {
    o->period = T;
    return QDOT_OK;
  }
  if (status != QDOT_OK)
    return diag_error(o->cx, status, o->request->span, "no slopes around the motion: %s",
                      s->rerun.why[0] ? s->rerun.why : "they are not defined along it");
  o->period = T;
  o->is_found = o->residual <= CLOSED;
  status = find_multipliers(s);
  if (status == QDOT_OK && !o->is_forced) return nearest_start(s, near, x);
  return status;
}

Status orbit_find(Orbit *o, Context *cx, System *system, const OrbitRequest *request,
                  const SimOptions *options, OrbitProgress *progress, void *progress_user) {
  *o = (Orbit){.cx = cx, .model = system->model, .request = request};
  const Model *model = system->model;
  Arena *keep = cx->results;
  uint32_t n = o->state = 2 * system->n + system->states;
  Shooting *s = arena_new(keep, Shooting);
  *s = (Shooting){
      .orbit = o, .stop = options->stop, .progress = progress, .progress_user = progress_user};
  s->places = arena_array(keep, uint32_t, n);
  for (uint32_t i = 0; i < n; i++) s->places[i] = model->parameters.n + model->inputs.n + i;
  o->start = arena_array(keep, double, n);
  s->times = arena_array(keep, double, LOOKS);
  s->seen = arena_array(keep, double, (size_t)LOOKS *n);
  s->S = arena_array(keep, double, (size_t)n *n);
  s->rate = arena_array(keep, double, n);
  s->size = arena_array(keep, double, n);
  s->is_angle = arena_array(keep, bool, n);
  s->measures = arena_array(keep, double, model->requests.measurements.n + 1);
  s->look = (SlopeLook){.times = s->times, .user = s, .take = take_look};
  Directions directions = {n, s->places};
  SimOptions own = *options;
  own.directions = &directions;
  own.look = &s->look;
  if (!(own.method.rtol < 1e-10)) own.method.rtol = 1e-10; // Newton's steps need it
  double began = context_seconds();
  Status status = rerun_open(&s->rerun, cx, system, &own);
  if (status != QDOT_OK) return status;
  s->rerun.follows_end = false;
  status = shoot_all(s, system, options->t_end);
  rerun_close(&s->rerun);
  o->seconds = context_seconds() - began;
  return status;
}
