// The search for values: descents from several starts, each result certified by a run.
#include "ask/find.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/nonlinear.h"
#include "base/random.h"
#include "expr/value/eval.h"

enum {
  FEW_STARTS = 6,
  MANY_STARTS = 48,
  TRADE_POINTS = 11,
  MOST_RUNS = 400,
  IN_VAIN = 40,
  MOST_HALVES = 60
};
// A condition is met within this part; a path within this part of its own size.
static const double MET = 1e-6, PATH_MET = 0.01;
// Two results are the same within this part of the ranges.
static const double SAME = 1e-3;

typedef struct Search {
  Find *find;
  Rerun rerun;
  uint32_t *places;
  const volatile int *stop;
  uint32_t aim;   // the number of the aim that is made best, or UINT32_MAX
  double scale;   // of its value
  uint32_t other; // of two aims: the other, which is held below
  double most;    // this; NAN: it is not
  double *x, *measures, *slopes_room;
  bool *acts;       // by unknown: something that is aimed at depends on it
  bool is_good;     // the last run was whole
  double path_size; // how far its points lie apart
  Found kept;       // the best of this descent
  double kept_merit;
  uint32_t in_vain; // runs since it was found
  // A condition may be broken without a slope that tells the way back: beyond the speed at which a
  // contact opens, its least force is 0 and stays so.
  bool is_blind;  // the descent met such a run,
  double *beyond; // the last at this place
  FindProgress *progress;
  void *progress_user;
} Search;

static bool is_best(const FindAim *aim) { return aim->kind == AIM_LEAST || aim->kind == AIM_MOST; }

static const FindAim *aim_at(const Search *s, uint32_t i) { return &s->find->request->aims.at[i]; }

// ---- One run

// A point of a timed path lies within the run.
static bool is_reached(Search *s, uint32_t point) {
  uint32_t reduction = s->find->request->points.at[point].reduction;
  if (isfinite(rerun_reduction(&s->rerun, reduction, NULL))) return true;
  snprintf(s->rerun.why, sizeof s->rerun.why, "it ends before point %u of the path", point + 1);
  return false;
}

static Status run_at(Search *s, const double *x) {
  Status status = rerun_measures(&s->rerun, s->places, x, s->find->count, s->measures);
  s->find->runs++;
  s->is_good = status == QDOT_OK;
  for (uint32_t i = 0; s->is_good && i < s->find->request->aims.n; i++)
    s->is_good = isfinite(s->measures[aim_at(s, i)->measure]);
  for (uint32_t i = 0; s->is_good && i < s->find->request->points.n; i++)
    s->is_good = is_reached(s, i);
  if (!s->is_good && status != QDOT_STOPPED) s->find->failed++;
  if (s->progress) s->progress(s->progress_user, s->find->runs, s->kept.value);
  return status;
}

static double target_scale(const Search *s, uint32_t i) {
  double target = fabs(s->find->targets[i]);
  return target > 0 ? target : 1;
}

// By how much a condition is broken, as a part; below 0 for what is more than met.
static double broken(const Search *s, uint32_t i, const double *measures) {
  const FindAim *aim = aim_at(s, i);
  double off = (measures[aim->measure] - s->find->targets[i]) / target_scale(s, i);
  return aim->kind == AIM_EQUAL ? fabs(off) : aim->kind == AIM_AT_MOST ? off : -off;
}

static double path_distance(const Search *s) {
  double largest = 0;
  for (uint32_t i = 0; i < s->find->request->points.n; i++) {
    double square = rerun_reduction(&s->rerun, s->find->request->points.at[i].reduction, NULL);
    largest = fmax(largest, sqrt(fmax(square, 0)));
  }
  return largest;
}

static double residual_of(const Search *s) {
  double largest = path_distance(s);
  for (uint32_t i = 0; i < s->find->request->aims.n; i++)
    if (!is_best(aim_at(s, i))) largest = fmax(largest, broken(s, i, s->measures));
  return largest;
}

static double sign_of(const FindAim *aim) { return aim->kind == AIM_MOST ? -1 : 1; }

// How good a run is, for keeping the best of a descent: conditions first.
static double merit_of(const Search *s) {
  double residual = residual_of(s), value = 0;
  bool is_path = s->find->request->points.n > 0;
  if (s->aim != UINT32_MAX)
    value = sign_of(aim_at(s, s->aim)) * s->measures[aim_at(s, s->aim)->measure] / s->scale;
  double excess =
      isnan(s->most)
          ? 0
          : sign_of(aim_at(s, s->other)) * s->measures[aim_at(s, s->other)->measure] - s->most;
  if (excess > MET * fabs(s->most)) residual = fmax(residual, excess / (fabs(s->most) + 1e-300));
  return is_path ? residual : fmax(residual - MET, 0) * 1e6 + value;
}

static Found found_here(const Search *s, const double *x) {
  uint32_t measures = s->find->model->requests.measurements.n;
  Arena *keep = s->find->cx->results;
  Found f = {.x = arena_array(keep, double, s->find->count),
             .measures = arena_array(keep, double, measures + 1),
             .residual = residual_of(s)};
  memcpy(f.x, x, s->find->count * sizeof *x);
  memcpy(f.measures, s->measures, measures * sizeof *f.measures);
  if (s->aim != UINT32_MAX) f.value = s->measures[aim_at(s, s->aim)->measure];
  return f;
}

static void keep_if_better(Search *s, const double *x) {
  double merit = merit_of(s);
  if (s->kept.x && !(merit < s->kept_merit)) return;
  s->kept_merit = merit;
  s->in_vain = 0;
  if (!s->kept.x) {
    s->kept = found_here(s, x);
    return;
  }
  memcpy(s->kept.x, x, s->find->count * sizeof *x);
  memcpy(s->kept.measures, s->measures,
         s->find->model->requests.measurements.n * sizeof *s->measures);
  s->kept.residual = residual_of(s);
  if (s->aim != UINT32_MAX) s->kept.value = s->measures[aim_at(s, s->aim)->measure];
}

// ---- As NLopt sees it

static double slope_of(const Search *s, uint32_t measure, uint32_t j) {
  double slope = s->rerun.slopes ? s->rerun.slopes[(size_t)measure * s->find->count + j] : 0;
  return isfinite(slope) ? slope * (s->find->high[j] - s->find->low[j]) : 0;
}

static void unscale(const Search *s, const double *u, double *x) {
  const Find *f = s->find;
  for (uint32_t j = 0; j < f->count; j++) {
    double part = fmin(fmax(u[j], 0), 1);
    x[j] = part == 1 ? f->high[j] : f->low[j] + part * (f->high[j] - f->low[j]);
  }
}

// The squares of the distances from a path.
static double path_value(Search *s, double *gradient) {
  Find *f = s->find;
  double sum = 0, size = s->path_size * s->path_size;
  for (uint32_t i = 0; i < f->request->points.n; i++) {
    double square = rerun_reduction(&s->rerun, f->request->points.at[i].reduction, s->slopes_room);
    sum += square / size;
    for (uint32_t j = 0; j < f->count; j++) {
      double slope = s->slopes_room[j] * (f->high[j] - f->low[j]) / size;
      gradient[j] += isfinite(slope) ? slope : 0;
    }
  }
  return sum;
}

// Conditions alone: the value is what they lack, so that the search knows when it stands still.
static double broken_squares(uint32_t n, uint32_t equal, uint32_t conditions, const double *c,
                             const double *slopes, double *gradient) {
  double sum = 0;
  for (uint32_t i = 0; i < conditions; i++) {
    if (i >= equal && c[i] <= 0) continue;
    sum += c[i] * c[i] / 2;
    for (uint32_t j = 0; j < n; j++) gradient[j] += c[i] * slopes[(size_t)i * n + j];
  }
  return sum;
}

static bool is_met(const Search *s, const Found *f) {
  bool is_path = s->find->request->points.n > 0;
  return f->x && f->residual <= (is_path ? PATH_MET * s->path_size : 2 * MET);
}

// Would a run know, by its slopes, that the best so far meets what it breaks itself?
static bool knows_way_back(const Search *s, uint32_t n, bool is_equal, double c,
                           const double *slopes) {
  const Find *f = s->find;
  double size = is_equal ? fabs(c) : c, back = c;
  if (size <= MET) return true;
  for (uint32_t j = 0; j < n; j++)
    back += slopes[j] * (s->kept.x[j] - s->x[j]) / (f->high[j] - f->low[j]);
  return (is_equal ? fabs(back) : back) < 0.5 * size;
}

static void note_blind(Search *s, uint32_t n, uint32_t equal, uint32_t conditions, const double *c,
                       const double *slopes) {
  bool is_blind = !s->is_good;
  if (!is_met(s, &s->kept)) return;
  for (uint32_t i = 0; i < conditions && !is_blind; i++)
    is_blind = !knows_way_back(s, n, i < equal, c[i], slopes + (size_t)i * n);
  if (!is_blind) return;
  s->is_blind = true;
  memcpy(s->beyond, s->x, n * sizeof *s->beyond);
}

// Which unknowns an aim or a point of a path depends on, as far as this run shows.
static void see_what_acts(Search *s) {
  const Find *f = s->find;
  for (uint32_t i = 0; i < f->request->aims.n; i++)
    for (uint32_t j = 0; s->rerun.slopes && j < f->count; j++)
      s->acts[j] |= s->rerun.slopes[(size_t)aim_at(s, i)->measure * f->count + j] != 0;
  for (uint32_t i = 0; i < f->request->points.n; i++) {
    rerun_reduction(&s->rerun, f->request->points.at[i].reduction, s->slopes_room);
    for (uint32_t j = 0; j < f->count; j++) s->acts[j] |= s->slopes_room[j] != 0;
  }
}

static bool evaluate(void *user, const double *u, double *value, double *gradient,
                     double *conditions, double *slopes) {
  Search *s = user;
  Find *f = s->find;
  uint32_t n = f->count, equal = 0, below = 0;
  unscale(s, u, s->x);
  if (s->in_vain++ > IN_VAIN || run_at(s, s->x) == QDOT_STOPPED) return false;
  for (uint32_t j = 0; j < n; j++) gradient[j] = 0;
  *value = 0;
  if (!s->is_good) *value = 1e6; // nothing is known here: turn back
  for (uint32_t i = 0; i < f->request->aims.n; i++) equal += aim_at(s, i)->kind == AIM_EQUAL;
  below = equal, equal = 0;
  for (uint32_t i = 0; i < f->request->aims.n; i++) {
    const FindAim *aim = aim_at(s, i);
    bool is_other = i == s->other && !isnan(s->most);
    if (is_best(aim) && !is_other) continue;
    uint32_t at = aim->kind == AIM_EQUAL ? equal++ : below++;
    double scale = is_other ? fmax(fabs(s->most), 1e-300) : target_scale(s, i);
    double sign = is_other ? sign_of(aim) : aim->kind == AIM_AT_LEAST ? -1 : 1;
    double target = is_other ? s->most : sign * f->targets[i];
    conditions[at] = s->is_good ? (sign * s->measures[aim->measure] - target) / scale : 1;
    for (uint32_t j = 0; j < n; j++)
      slopes[(size_t)at * n + j] = s->is_good ? sign * slope_of(s, aim->measure, j) / scale : 0;
  }
  note_blind(s, n, equal, below, conditions, slopes);
  if (!s->is_good) return true;
  see_what_acts(s);
  if (f->request->points.n > 0) *value = path_value(s, gradient);
  if (s->aim != UINT32_MAX) {
    const FindAim *aim = aim_at(s, s->aim);
    *value = sign_of(aim) * s->measures[aim->measure] / s->scale;
    for (uint32_t j = 0; j < n; j++)
      gradient[j] = sign_of(aim) * slope_of(s, aim->measure, j) / s->scale;
  }
  if (s->aim == UINT32_MAX && f->request->points.n == 0)
    *value = broken_squares(n, equal, below, conditions, slopes, gradient);
  keep_if_better(s, s->x);
  return true;
}

static bool is_stopped(const Search *s) { return s->stop && *s->stop; }

// Is anything better a little way towards the place beyond?
static bool leads_on(Search *s, const double *from, double *room) {
  for (uint32_t j = 0; j < s->find->count; j++) room[j] = from[j] + 1e-3 * (s->beyond[j] - from[j]);
  if (run_at(s, room) == QDOT_STOPPED) return false;
  return !s->is_good || residual_of(s) > MET || merit_of(s) < s->kept_merit;
}

// From a place that is fine towards the one beyond which nothing can be told, by halves.
static void halve_towards(Search *s, const double *from) {
  uint32_t n = s->find->count;
  Mark mark = arena_mark(&s->find->cx->scratch);
  double *good = arena_array(&s->find->cx->scratch, double, 2 * (size_t)n), *middle = good + n;
  memcpy(good, from, n * sizeof *good);
  bool goes = leads_on(s, good, middle);
  for (int k = 0; goes && k < MOST_HALVES; k++) {
    double apart = 0;
    for (uint32_t j = 0; j < n; j++) {
      middle[j] = 0.5 * (good[j] + s->beyond[j]);
      apart = fmax(apart, fabs(good[j] - s->beyond[j]) / (s->find->high[j] - s->find->low[j]));
    }
    if (apart < 1e-11 || run_at(s, middle) == QDOT_STOPPED) break;
    bool is_fine = s->is_good && residual_of(s) <= MET;
    if (is_fine) keep_if_better(s, middle);
    memcpy(is_fine ? good : s->beyond, middle, n * sizeof *good);
  }
  arena_release(&s->find->cx->scratch, mark);
}

// The search ended at a run that tells no way back: what is best lies between it and the best so
// far.
static void sharpen(Search *s) {
  if (!s->is_blind || !is_met(s, &s->kept)) return;
  Mark mark = arena_mark(&s->find->cx->scratch);
  double *from = arena_array(&s->find->cx->scratch, double, s->find->count);
  memcpy(from, s->kept.x, s->find->count * sizeof *from);
  halve_towards(s, from);
  arena_release(&s->find->cx->scratch, mark);
}

// From x; s->kept is the best on the way, without x where no run was whole.
static void descend(Search *s, const double *x) {
  Find *f = s->find;
  uint32_t equal = 0, below = isnan(s->most) ? 0 : 1;
  for (uint32_t i = 0; i < f->request->aims.n; i++) {
    equal += aim_at(s, i)->kind == AIM_EQUAL;
    below += aim_at(s, i)->kind == AIM_AT_MOST || aim_at(s, i)->kind == AIM_AT_LEAST;
  }
  Nonlinear problem = {.n = f->count,
                       .equal = equal,
                       .below = below,
                       .user = s,
                       .evaluate = evaluate,
                       .most = MOST_RUNS,
                       .near = 1e-10};
  double *u = arena_array(f->cx->results, double, f->count);
  for (uint32_t j = 0; j < f->count; j++) u[j] = (x[j] - f->low[j]) / (f->high[j] - f->low[j]);
  s->kept = (Found){.value = NAN};
  s->kept_merit = INFINITY;
  s->in_vain = 0;
  s->is_blind = false;
  if (run_at(s, x) == QDOT_STOPPED || !s->is_good) return;
  double size = s->aim != UINT32_MAX ? fabs(s->measures[aim_at(s, s->aim)->measure]) : 1;
  s->scale = size > 0 ? size : 1;
  keep_if_better(s, x);
  nonlinear_descend(&problem, u);
  sharpen(s);
  f->starts++;
}

// ---- Many starts

static void random_place(const Search *s, uint64_t *random, double *x) {
  for (uint32_t j = 0; j < s->find->count; j++)
    x[j] = s->find->low[j] + random_mixed_fraction(random) * (s->find->high[j] - s->find->low[j]);
}

static bool is_same(const Search *s, const Found *a, const Found *b) {
  for (uint32_t j = 0; j < s->find->count; j++)
    if (!s->find->is_idle[j] &&
        fabs(a->x[j] - b->x[j]) > SAME * (s->find->high[j] - s->find->low[j]))
      return false;
  return true;
}

static bool is_better(const Search *s, const Found *a, const Found *b) {
  if (!b->x) return true;
  bool met = is_met(s, a), was = is_met(s, b);
  if (met != was) return met;
  if (!met || s->aim == UINT32_MAX) return a->residual < b->residual;
  double sign = sign_of(aim_at(s, s->aim));
  return sign * a->value < sign * b->value - 1e-12 * fabs(b->value);
}

// The best first; others that are met and lie elsewhere behind it.
static void take(Search *s, Found f) {
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
  if (!f.x || !is_met(s, &f)) return;
  for (uint32_t i = 0; i < find->alternatives.n; i++)
    if (is_same(s, &f, &find->alternatives.at[i])) return;
  vec_push(find->cx->results, &find->alternatives, f);
}

static void search_all(Search *s, const double *from, uint32_t starts) {
  uint64_t random = 1;
  double *x = arena_array(s->find->cx->results, double, s->find->count);
  descend(s, from);
  take(s, s->kept);
  for (uint32_t k = 1; k < starts && !is_stopped(s); k++) {
    random_place(s, &random, x);
    descend(s, x);
    take(s, s->kept);
  }
}

// Where no start gives a run, one is looked for.
static void search_desperately(Search *s) {
  uint64_t random = 77;
  double *x = arena_array(s->find->cx->results, double, s->find->count);
  for (int k = 0; k < 200 && !s->find->best.x && !is_stopped(s); k++) {
    random_place(s, &random, x);
    descend(s, x);
    take(s, s->kept);
  }
}

// ---- Two aims

// Are both aims as good at the one as at the other?
static bool is_as_good(const Search *s, const Found *a, const Found *b, uint32_t first,
                       uint32_t second) {
  uint32_t of[2] = {aim_at(s, first)->measure, aim_at(s, second)->measure};
  for (int k = 0; k < 2; k++) {
    double size = fmax(fabs(a->measures[of[k]]), fabs(b->measures[of[k]]));
    if (fabs(a->measures[of[k]] - b->measures[of[k]]) > 10 * MET * size) return false;
  }
  return true;
}

// Where it is none of those that are there.
static void add_trade(Search *s, Found one, uint32_t first, uint32_t second) {
  Find *f = s->find;
  for (uint32_t i = 0; i < f->tradeoff.n; i++)
    if (is_as_good(s, &one, &f->tradeoff.at[i], first, second)) return;
  vec_push(f->cx->results, &f->tradeoff, one);
}

// From the best of the one to the best of the other, each point the best that the other allows.
static void trade(Search *s, const double *from, uint32_t first, uint32_t second) {
  Find *f = s->find;
  Found ends[2];
  for (int k = 0; k < 2; k++) {
    s->aim = k ? second : first, s->other = UINT32_MAX, s->most = NAN;
    f->best = (Found){0}, f->alternatives.n = 0;
    search_all(s, k && ends[0].x ? ends[0].x : from, f->request->is_global ? MANY_STARTS / 2 : 4);
    ends[k] = f->best;
    if (!ends[k].x) return;
  }
  double sign = sign_of(aim_at(s, second));
  double a = sign * ends[0].measures[aim_at(s, second)->measure];
  double b = sign * ends[1].measures[aim_at(s, second)->measure];
  vec_push(f->cx->results, &f->tradeoff, ends[0]);
  f->alternatives.n = 0;
  f->best = ends[0];
  if (is_as_good(s, &ends[0], &ends[1], first, second)) return; // nothing to choose
  const double *x = ends[0].x;
  for (int k = 1; k + 1 < TRADE_POINTS && !is_stopped(s); k++) {
    s->aim = first, s->other = second;
    s->most = a + (b - a) * k / (TRADE_POINTS - 1);
    descend(s, x);
    if (!s->kept.x) continue;
    add_trade(s, s->kept, first, second);
    x = s->kept.x;
  }
  s->aim = first, s->other = UINT32_MAX, s->most = NAN;
  if (run_at(s, ends[1].x) == QDOT_OK) add_trade(s, found_here(s, ends[1].x), first, second);
}

// ---- The whole

// How far the points of a path lie apart.
static double path_size(const Search *s) {
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

// Unknowns that nothing depends on, in all runs of the search; of the alternatives those stay that
// differ in others.
static void find_idle(Search *s) {
  Find *f = s->find;
  for (uint32_t j = 0; j < f->count; j++) f->is_idle[j] = !s->acts[j];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->alternatives.n; i++) {
    bool is_new = !is_same(s, &f->alternatives.at[i], &f->best);
    for (uint32_t k = 0; k < kept; k++)
      is_new = is_new && !is_same(s, &f->alternatives.at[i], &f->alternatives.at[k]);
    if (is_new) f->alternatives.at[kept++] = f->alternatives.at[i];
  }
  f->alternatives.n = kept;
}

static Status search(Search *s) {
  Find *f = s->find;
  uint32_t best[2] = {UINT32_MAX, UINT32_MAX}, aims = 0;
  double *from = arena_array(f->cx->results, double, f->count);
  const double *values = s->rerun.simulation.run.machine.values;
  for (uint32_t i = 0; i < f->request->aims.n; i++) {
    Expr value = aim_at(s, i)->value;
    f->targets[i] = value ? expr_eval(f->cx, value, values) : NAN;
    if (is_best(aim_at(s, i)) && aims < 2) best[aims++] = i;
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
  if (!f->best.x) search_desperately(s);
  f->is_stopped = is_stopped(s);
  if (!f->best.x) {
    if (f->is_stopped) return QDOT_STOPPED;
    return diag_error(f->cx, QDOT_NO_CONVERGENCE, f->request->span,
                      "nothing within the ranges gives a whole run: %s", s->rerun.why);
  }
  // certified: what is told comes from a run of its own
  if (run_at(s, f->best.x) == QDOT_OK && s->is_good) f->best = found_here(s, f->best.x);
  find_idle(s);
  f->is_found = is_met(s, &f->best);
  return QDOT_OK;
}

Status find_values(Find *f, Context *cx, System *system, const FindRequest *request,
                   const SimOptions *options, FindProgress *progress, void *progress_user) {
  *f = (Find){.cx = cx, .model = system->model, .request = request, .count = request->unknowns.n};
  Arena *keep = cx->results;
  Search *s = arena_new(keep, Search);
  *s = (Search){
      .find = f, .stop = options->stop, .progress = progress, .progress_user = progress_user};
  s->places = arena_array(keep, uint32_t, f->count);
  f->low = arena_array(keep, double, f->count);
  f->is_idle = arena_array(keep, bool, f->count);
  f->high = arena_array(keep, double, f->count);
  f->targets = arena_array(keep, double, request->aims.n + 1);
  s->x = arena_array(keep, double, f->count);
  s->acts = arena_array(keep, bool, f->count);
  s->slopes_room = arena_array(keep, double, f->count);
  s->beyond = arena_array(keep, double, f->count);
  s->measures = arena_array(keep, double, system->model->requests.measurements.n + 1);
  for (uint32_t j = 0; j < f->count; j++) {
    int place = directions_place(cx, system->model, &request->unknowns.at[j].by.varied);
    if (place < 0) return QDOT_UNKNOWN_NAME;
    s->places[j] = (uint32_t)place;
  }
  Directions directions = {f->count, s->places};
  SimOptions own = *options;
  own.directions = &directions;
  double began = context_seconds();
  Status status = rerun_open(&s->rerun, cx, system, &own);
  if (status != QDOT_OK) return status;
  status = search(s);
  rerun_close(&s->rerun);
  f->seconds = context_seconds() - began;
  return status;
}
