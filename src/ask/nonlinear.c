// Sequential quadratic programming, by NLopt (Kraft's SLSQP).
#include "ask/nonlinear.h"

#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

// NLopt asks for the value and for the conditions one after the other at the same place.
typedef struct Cache {
  const Nonlinear *problem;
  nlopt_opt opt;
  bool is_known;
  double value;
  double *x, *gradient, *conditions, *slopes;
} Cache;

static void know(Cache *c, const double *x) {
  const Nonlinear *p = c->problem;
  if (c->is_known && memcmp(c->x, x, p->n * sizeof *x) == 0) return;
  memcpy(c->x, x, p->n * sizeof *x);
  c->is_known = p->evaluate(p->user, x, &c->value, c->gradient, c->conditions, c->slopes);
  if (!c->is_known) nlopt_force_stop(c->opt);
}

static double value_at(unsigned n, const double *x, double *gradient, void *user) {
  Cache *c = user;
  know(c, x);
  if (gradient) memcpy(gradient, c->gradient, n * sizeof *gradient);
  return c->value;
}

static void conditions_at(Cache *c, const double *x, uint32_t first, unsigned m, unsigned n,
                          double *out, double *slopes) {
  know(c, x);
  memcpy(out, c->conditions + first, m * sizeof *out);
  if (slopes) memcpy(slopes, c->slopes + (size_t)first * n, (size_t)m * n * sizeof *slopes);
}

static void equal_at(unsigned m, double *out, unsigned n, const double *x, double *slopes,
                     void *user) {
  conditions_at(user, x, 0, m, n, out, slopes);
}

static void below_at(unsigned m, double *out, unsigned n, const double *x, double *slopes,
                     void *user) {
  conditions_at(user, x, ((Cache *)user)->problem->equal, m, n, out, slopes);
}

static bool descend(Cache *c, double *x, double *near) {
  const Nonlinear *p = c->problem;
  double value;
  nlopt_set_lower_bounds1(c->opt, 0);
  nlopt_set_upper_bounds1(c->opt, 1);
  nlopt_set_min_objective(c->opt, value_at, c);
  if (p->equal > 0) nlopt_add_equality_mconstraint(c->opt, p->equal, equal_at, c, near);
  if (p->below > 0) nlopt_add_inequality_mconstraint(c->opt, p->below, below_at, c, near);
  nlopt_set_xtol_rel(c->opt, p->near);
  nlopt_set_ftol_rel(c->opt, p->near);
  nlopt_set_maxeval(c->opt, (int)p->most);
  nlopt_optimize(c->opt, x, &value); // what it says of its end is judged by the results
  return true;
}

bool nonlinear_exists(void) { return true; }

bool nonlinear_descend(const Nonlinear *p, double *x) {
  uint32_t conditions = p->equal + p->below;
  size_t cells = 2 * (size_t)p->n + conditions * ((size_t)p->n + 2) + 1;
  double *room = calloc(cells, sizeof *room);
  nlopt_opt opt = room ? nlopt_create(NLOPT_LD_SLSQP, p->n) : NULL;
  bool good = false;
  if (opt) {
    Cache cache = {.problem = p, .opt = opt, .x = room, .gradient = room + p->n};
    cache.conditions = cache.gradient + p->n;
    cache.slopes = cache.conditions + conditions;
    double *near = cache.slopes + (size_t)conditions * p->n;
    for (uint32_t i = 0; i < conditions; i++) near[i] = 1e-9;
    good = descend(&cache, x, near);
  }
  nlopt_destroy(opt);
  free(room);
  return good;
}
