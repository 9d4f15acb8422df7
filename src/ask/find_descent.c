// A descent: what NLopt sees, and what is left to halving where a run cannot tell the way back.
#include "ask/find_descent.h"

#include <math.h>
#include <string.h>

#include "ask/find_edge.h"
#include "ask/nonlinear.h"

enum { MOST_RUNS = 300, IN_VAIN = 15 };

// ---- As NLopt sees it

// Would a run know, by its slopes, that the best so far meets what it breaks itself?
static bool knows_way_back(const FindSearch *s, uint32_t n, bool is_equal, double c,
                           const double *slopes) {
  const Find *f = s->find;
  double size = is_equal ? fabs(c) : c, back = c;
  if (size <= FIND_MET) return true;
  for (uint32_t j = 0; j < n; j++)
    back += slopes[j] * (s->kept.x[j] - s->x[j]) / (f->high[j] - f->low[j]);
  return (is_equal ? fabs(back) : back) < 0.5 * size;
}

static void note_blind(FindSearch *s, uint32_t n, uint32_t equal, uint32_t conditions,
                       const double *c, const double *slopes) {
  bool is_blind = !s->is_good;
  if (!find_is_met(s, &s->kept)) return;
  for (uint32_t i = 0; i < conditions && !is_blind; i++)
    is_blind = !knows_way_back(s, n, i < equal, c[i], slopes + (size_t)i * n);
  if (!is_blind) return;
  s->is_blind = true;
  memcpy(s->beyond, s->x, n * sizeof *s->beyond);
}

static bool evaluate(void *user, const double *u, double *value, double *gradient,
                     double *conditions, double *slopes) {
  FindSearch *s = user;
  uint32_t equal, below;
  if (s->in_vain++ > IN_VAIN + 5 * s->find->count) return false;
  if (find_look(s, u, value, gradient, conditions, slopes) == QDOT_STOPPED) return false;
  find_count(s, &equal, &below);
  note_blind(s, s->find->count, equal, equal + below, conditions, slopes);
  if (s->is_good) find_keep_if_better(s, s->x);
  if (!s->kept.jumps) return true;
  memcpy(s->beyond, s->x, s->find->count * sizeof *s->beyond); // the place that has shown it
  return false;
}

void find_descend(FindSearch *s, const double *x) {
  Find *f = s->find;
  Nonlinear problem = {
      .n = f->count, .user = s, .evaluate = evaluate, .most = MOST_RUNS, .near = 1e-10};
  find_count(s, &problem.equal, &problem.below);
  double *u = arena_array(f->cx->results, double, f->count);
  find_scale(s, x, u);
  s->kept = (Found){.value = NAN};
  s->kept_merit = INFINITY;
  s->in_vain = 0;
  s->is_blind = false;
  if (find_run(s, x) == QDOT_STOPPED || !s->is_good) return;
  double size = s->aim != UINT32_MAX ? fabs(s->measures[find_aim(s, s->aim)->measure]) : 1;
  s->scale = size > 0 ? size : 1;
  find_keep_if_better(s, x);
  nonlinear_descend(&problem, u);
  if (!find_is_met(s, &s->kept) && !find_is_stopped(s)) find_mend(s);
  bool is_met = find_is_met(s, &s->kept);
  if (is_met && (s->is_blind || s->kept.jumps)) find_halve(s);
  if (is_met && s->is_blind && f->count > 1) find_walk_edge(s);
  f->starts++;
}
