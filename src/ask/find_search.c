// The search for values: descents from several starts, each result certified by a run.
#include <math.h>
#include <string.h>

#include "ask/find_descent.h"
#include "ask/find_edge.h"
#include "ask/nonlinear.h"
#include "base/random.h"
#include "expr/value/eval.h"
#include "sim/direction_rates.h"
#include "sim/run_source.h"

enum { FEW_STARTS = 6, MANY_STARTS = 48, TRADE_POINTS = 11, MOST_TRIALS = 10 };
// Two results are the same within this part of the ranges.
static const double SAME = 1e-3;

// ---- Many starts

static void random_place(const FindSearch *s, uint64_t *random, double *x) {
  for (uint32_t j = 0; j < s->find->count; j++)
    x[j] = s->find->low[j] + random_mixed_fraction(random) * (s->find->high[j] - s->find->low[j]);
}

static bool is_same(const FindSearch *s, const Found *a, const Found *b) {
  for (uint32_t j = 0; j < s->find->count; j++)
    if (!s->find->is_idle[j] &&
        fabs(a->x[j] - b->x[j]) > SAME * (s->find->high[j] - s->find->low[j]))
      return false;
  return true;
}

static bool is_better(const FindSearch *s, const Found *a, const Found *b) {
  if (!b->x) return true;
  bool met = find_is_met(s, a), was = find_is_met(s, b);
  if (met != was) return met;
  if (!met && a->broken != b->broken) return a->broken < b->broken;
  if (!met || s->aim == UINT32_MAX) return a->residual < b->residual;
  double sign = aim_sign(find_aim(s, s->aim));
  return sign * a->value < sign * b->value - 1e-12 * fabs(b->value);
}

// The best first; others that are met and lie elsewhere behind it.
static void take(FindSearch *s, Found f) {
  Find *find = s->find;
  if (!f.x) return;
  if (find->best.x && is_same(s, &f, &find->best)) {
    if (is_better(s, &f, &find->best)) find->best = f;
    return;
  }
  if (is_better(s, &f, &find->best)) {
    Found before = find->best;
    find->best = f;
    f = before;
  }
  if (!f.x || !find_is_met(s, &f)) return;
  for (uint32_t i = 0; i < find->alternatives.n; i++)
    if (is_same(s, &f, &find->alternatives.at[i])) return;
  vec_push(find->cx->results, &find->alternatives, f);
}

static void search_all(FindSearch *s, const double *from, uint32_t starts) {
  uint64_t random = 1;
  double *x = arena_array(s->find->cx->results, double, s->find->count);
  find_descend(s, from);
  take(s, s->kept);
  for (uint32_t k = 1; k < starts && !find_is_stopped(s); k++) {
    uint32_t before = s->find->starts;
    for (int trial = 0; trial < MOST_TRIALS && s->find->starts == before; trial++) {
      random_place(s, &random, x);
      find_descend(s, x);
    }
    take(s, s->kept);
  }
}

// A descent may end before it is there. What is told has stood a walk from it along its conditions;
// of several unknowns, places that stand in for no other are those that slopes lead nowhere from: a
// descent may also have come to a halt at a jump, where other ways are left.
static void walk_from_all(FindSearch *s) {
  Find *f = s->find;
  if (s->aim == UINT32_MAX || !find_is_met(s, &f->best)) return;
  uint32_t count = f->alternatives.n + 1;
  Found *all = arena_array(f->cx->results, Found, count);
  all[0] = f->best;
  for (uint32_t i = 1; i < count; i++) all[i] = f->alternatives.at[i - 1];
  f->best = (Found){0}, f->alternatives.n = 0;
  for (uint32_t i = 0; i < count; i++) {
    s->kept = all[i];
    bool walks = !all[i].jumps && !find_is_stopped(s) && find_run(s, all[i].x) == QDOT_OK;
    s->kept_merit = walks && s->is_good ? find_merit(s) : INFINITY;
    bool stands = walks && s->is_good && find_walk_edge(s);
    if (i == 0 || stands || f->count == 1 || is_better(s, &s->kept, &f->best)) take(s, s->kept);
  }
}

// Edges without slopes may have a better place: around the best of all starts it is looked for.
static void look_around_best(FindSearch *s) {
  Find *f = s->find;
  bool is_rough = f->best.jumps || f->failed > 0;
  if (!is_rough || s->aim == UINT32_MAX || !find_is_met(s, &f->best) || find_is_stopped(s)) return;
  if (find_run(s, f->best.x) != QDOT_OK || !s->is_good) return;
  s->kept = f->best;
  s->kept_merit = find_merit(s);
  bool jumps = f->best.jumps;
  double beside = f->best.beside;
  find_look_around(s);
  if (jumps && !s->kept.jumps) s->kept.jumps = true, s->kept.beside = beside;
  take(s, s->kept);
}

// Where no start gives a run, one is looked for.
static void search_desperately(FindSearch *s) {
  uint64_t random = 77;
  double *x = arena_array(s->find->cx->results, double, s->find->count);
  for (int k = 0; k < 200 && !s->find->best.x && !find_is_stopped(s); k++) {
    random_place(s, &random, x);
    find_descend(s, x);
    take(s, s->kept);
  }
}

// ---- Two aims

// Are both aims as good at the one as at the other?
static bool is_as_good(const FindSearch *s, const Found *a, const Found *b, uint32_t first,
                       uint32_t second) {
  uint32_t of[2] = {find_aim(s, first)->measure, find_aim(s, second)->measure};
  for (int k = 0; k < 2; k++) {
    double size = fmax(fabs(a->measures[of[k]]), fabs(b->measures[of[k]]));
    if (fabs(a->measures[of[k]] - b->measures[of[k]]) > 10 * FIND_MET * size) return false;
  }
  return true;
}

// Where it is none of those that are there.
static void add_trade(FindSearch *s, Found one, uint32_t first, uint32_t second) {
  Find *f = s->find;
  for (uint32_t i = 0; i < f->tradeoff.n; i++)
    if (is_as_good(s, &one, &f->tradeoff.at[i], first, second)) return;
  vec_push(f->cx->results, &f->tradeoff, one);
}

// From the best of the one to the best of the other, each point the best that the other allows.
static void trade(FindSearch *s, const double *from, uint32_t first, uint32_t second) {
  Find *f = s->find;
  Found ends[2];
  for (int k = 0; k < 2; k++) {
    s->aim = k ? second : first, s->other = UINT32_MAX, s->most = NAN;
    f->best = (Found){0}, f->alternatives.n = 0;
    search_all(s, k && ends[0].x ? ends[0].x : from, f->request->is_global ? MANY_STARTS / 2 : 4);
    ends[k] = f->best;
    if (!ends[k].x) return;
  }
  double sign = aim_sign(find_aim(s, second));
  double a = sign * ends[0].measures[find_aim(s, second)->measure];
  double b = sign * ends[1].measures[find_aim(s, second)->measure];
  vec_push(f->cx->results, &f->tradeoff, ends[0]);
  f->alternatives.n = 0;
  f->best = ends[0];
  if (is_as_good(s, &ends[0], &ends[1], first, second)) return; // nothing to choose
  const double *x = ends[0].x;
  for (int k = 1; k + 1 < TRADE_POINTS && !find_is_stopped(s); k++) {
    s->aim = first, s->other = second;
    s->most = a + (b - a) * k / (TRADE_POINTS - 1);
    find_descend(s, x);
    if (!s->kept.x) continue;
    add_trade(s, s->kept, first, second);
    x = s->kept.x;
  }
  s->aim = first, s->other = UINT32_MAX, s->most = NAN;
  if (find_run(s, ends[1].x) == QDOT_OK) add_trade(s, find_here(s, ends[1].x), first, second);
}

// ---- The whole

// How far the points of a path lie apart.
static double path_size(const FindSearch *s) {
  const FindRequest *request = s->find->request;
  const double *values = s->rerun.simulation.run.machine.values;
  double most = 0;
  for (uint32_t i = 0; i < request->points.n; i++)
    for (uint32_t k = 0; k <= i; k++) {
      double square = 0;
      for (uint32_t c = 0; c < request->points.at[i].n; c++) {
        double a = expr_eval(s->find->cx, request->points.at[i].at[c], values);
        double b = k == i ? 0 : expr_eval(s->find->cx, request->points.at[k].at[c], values);
        square += (a - b) * (a - b);
      }
      if (k < i || request->points.n == 1) most = fmax(most, sqrt(square));
    }
  return most > 0 ? most : 1;
}

// Is all that is aimed at the same at the ends of the range of an unknown? What counts has no
// slope, and changes nevertheless.
static bool changes_nothing(FindSearch *s, uint32_t j) {
  const Find *f = s->find;
  memcpy(s->x, f->best.x, f->count * sizeof *s->x);
  for (int end = 0; end < 2; end++) {
    s->x[j] = end ? f->high[j] : f->low[j];
    if (find_run(s, s->x) != QDOT_OK || !s->is_good) return false;
    for (uint32_t i = 0; i < f->request->aims.n; i++) {
      uint32_t measure = find_aim(s, i)->measure;
      double is = s->measures[measure], was = f->best.measures[measure];
      if (fabs(is - was) > FIND_MET * fmax(fabs(is), fabs(was))) return false;
    }
    if (f->request->points.n > 0 &&
        fabs(find_residual(s) - f->best.residual) > FIND_MET * s->path_size)
      return false;
  }
  return true;
}

// Unknowns that nothing depends on, in all runs of the search; of the alternatives those stay that
// differ in others.
static void find_idle(FindSearch *s) {
  Find *f = s->find;
  for (uint32_t j = 0; j < f->count; j++) f->is_idle[j] = !s->acts[j] && changes_nothing(s, j);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->alternatives.n; i++) {
    bool is_new = !is_same(s, &f->alternatives.at[i], &f->best);
    for (uint32_t k = 0; k < kept; k++)
      is_new = is_new && !is_same(s, &f->alternatives.at[i], &f->alternatives.at[k]);
    if (is_new) f->alternatives.at[kept++] = f->alternatives.at[i];
  }
  f->alternatives.n = kept;
}

// No run could be used: ranges are to blame unless the run ends too early.
static Status refuse_all(const FindSearch *s) {
  const Find *f = s->find;
  Status status = diag_error(f->cx, QDOT_NO_CONVERGENCE, f->request->span,
                             s->ends_early ? "no run reaches the end of the path: %s"
                                           : "nothing within the ranges gives a whole run: %s",
                             s->why);
  if (s->ends_early) diag_note(f->cx, "a later end in the simulate line gives the path its time");
  return status;
}

static Status search(FindSearch *s) {
  Find *f = s->find;
  uint32_t best[2] = {UINT32_MAX, UINT32_MAX}, aims = 0;
  double *from = arena_array(f->cx->results, double, f->count);
  const double *values = s->rerun.simulation.run.machine.values;
  for (uint32_t i = 0; i < f->request->aims.n; i++) {
    Expr value = find_aim(s, i)->value;
    f->targets[i] = value ? expr_eval(f->cx, value, values) : NAN;
    if (aim_is_best(find_aim(s, i)) && aims < 2) best[aims++] = i;
  }
  for (uint32_t j = 0; j < f->count; j++) {
    f->low[j] = expr_eval(f->cx, f->request->unknowns.at[j].low, values);
    f->high[j] = expr_eval(f->cx, f->request->unknowns.at[j].high, values);
    from[j] = fmin(fmax(rerun_given(&s->rerun, s->places[j]), f->low[j]), f->high[j]);
  }
  s->aim = best[0], s->other = UINT32_MAX, s->most = NAN, s->path_size = path_size(s);
  if (aims == 2)
    trade(s, from, best[0], best[1]);
  else
    search_all(s, from, f->request->is_global ? MANY_STARTS : FEW_STARTS);
  if (aims < 2 && f->best.x) walk_from_all(s);
  if (aims < 2 && f->best.x) look_around_best(s);
  if (!f->best.x) search_desperately(s);
  f->is_stopped = find_is_stopped(s);
  if (!f->best.x) return f->is_stopped ? QDOT_STOPPED : refuse_all(s);
  // certified: what is told comes from a run of its own
  Found told = f->best;
  if (find_run(s, told.x) == QDOT_OK && s->is_good) f->best = find_here(s, told.x);
  f->best.jumps = told.jumps, f->best.beside = told.beside;
  find_idle(s);
  if (f->failed > 0) f->why = arena_copy(f->cx->results, s->why, strlen(s->why));
  f->is_found = find_is_met(s, &f->best);
  return QDOT_OK;
}

Status find_values(Find *f, Context *cx, System *system, const FindRequest *request,
                   const SimOptions *options, FindProgress *progress, void *progress_user) {
  *f = (Find){.cx = cx, .model = system->model, .request = request, .count = request->unknowns.n};
  if (!nonlinear_exists()) {
    diag_error_plain(cx, QDOT_UNSUPPORTED, "'find' needs NLopt, without which this build was made");
    diag_note(cx, "'sweep' tries values on a grid");
    return QDOT_UNSUPPORTED;
  }
  Arena *keep = cx->results;
  FindSearch *s = arena_new(keep, FindSearch);
  *s = (FindSearch){
      .find = f, .stop = options->stop, .progress = progress, .progress_user = progress_user};
  s->places = arena_array(keep, uint32_t, f->count);
  f->low = arena_array(keep, double, f->count);
  f->is_idle = arena_array(keep, bool, f->count);
  f->high = arena_array(keep, double, f->count);
  f->targets = arena_array(keep, double, request->aims.n + 1);
  s->x = arena_array(keep, double, f->count);
  s->acts = arena_array(keep, bool, f->count);
  s->path_slopes = arena_array(keep, double, (size_t)f->count * request->points.n + 1);
  s->beyond = arena_array(keep, double, f->count);
  size_t measures = system->model->requests.measurements.n + 1;
  s->measures = arena_array(keep, double, measures);
  s->slopes = arena_array(keep, double, measures * f->count);
  for (uint32_t j = 0; j < f->count; j++) {
    int place = directions_place(cx, system->model, &request->unknowns.at[j].by.varied);
    if (place < 0) return QDOT_UNKNOWN_NAME;
    s->places[j] = (uint32_t)place;
  }
  Directions directions = {f->count, s->places};
  SimOptions own = *options;
  own.directions = &directions;
  double began = context_seconds();
  Status status = rerun_open(&s->rerun, system, &own);
  if (status != QDOT_OK) return status;
  status = search(s);
  rerun_close(&s->rerun);
  f->seconds = context_seconds() - began;
  return status;
}
