// Null spaces at random parameters, and the same with one of them doubled.
#include "derive/roads/coefficients.h"

#include <math.h>
#include <stdlib.h>

#include "derive/roads/nullspace.h"
#include "expr/build.h"

enum { MOST_POWER = 4 };

static Solution solve(Coefficients *c) {
  Arena *arena = &c->cx->scratch;
  uint32_t states = 3 + (c->count * 5 / 4) / c->full_rows, found = 0;
  size_t size = (size_t)c->rows * c->count;
  Solution s = {.A = arena_array(arena, double, states *size)};
  s.is_free = arena_array(arena, bool, c->count);
  s.pivot_row = arena_array(arena, uint32_t, c->count);
  for (uint32_t i = 0; i < 8 * states && found < states; i++)
    if (c->rows_at(c->problem, s.A + found * size)) found++;
  s.is_good = found == states;
  if (s.is_good) nullspace_reduce(s.A, states * c->rows, c->count, s.is_free, s.pivot_row);
  return s;
}

void coefficients_solve(Coefficients *c) { c->first = solve(c); }

static void vary_parameters(Coefficients *c) {
  c->doubled = arena_array(&c->cx->scratch, Solution, c->model->parameters.n);
  for (uint32_t p = 0; p < c->model->parameters.n; p++) {
    if (!trial_is_free(&c->trial, p)) continue;
    trial_scale(&c->trial, p, 2);
    c->doubled[p] = solve(c);
    trial_scale(&c->trial, p, 0.5);
  }
}

static bool power_of_two(double ratio, int *power) {
  double exponent = log2(ratio);
  *power = (int)lround(exponent);
  return ratio > 0 && fabs(exponent - *power) < 1e-6 && abs(*power) <= MOST_POWER;
}

// 0 where it is no such product.
static Expr entry_by_parameters(const Coefficients *c, uint32_t free, uint32_t j, double value) {
  Context *cx = c->cx;
  Expr product = expr_int(cx, 1);
  double rest = value; // without the parameters found so far
  for (uint32_t p = 0; p < c->model->parameters.n; p++) {
    if (!trial_is_free(&c->trial, p)) continue;
    const Solution *s = &c->doubled[p];
    if (!s->is_good || !s->is_free[free] || s->is_free[j]) return 0;
    int power;
    double there = -s->A[s->pivot_row[j] * c->count + free];
    if (!power_of_two(there / value, &power)) return 0;
    Expr symbol = c->model->parameters.at[p].symbol;
    product = expr_mul(cx, product, expr_power(cx, symbol, number_int(cx, power)));
    rest /= pow(c->trial.values[symbol_variable(cx, symbol)], power);
  }
  Number number = rational_near(cx, rest);
  return number == NUMBER_NONE ? 0 : expr_scale(cx, number, product);
}

Expr *coefficients_vector(Coefficients *c, uint32_t free) {
  Context *cx = c->cx;
  double *x = arena_array(&cx->scratch, double, c->count);
  Expr *out = arena_array(&cx->scratch, Expr, c->count);
  nullspace_vector(c->first.A, c->count, c->first.is_free, c->first.pivot_row, free, x);
  for (uint32_t k = 0; k < c->count; k++) {
    out[k] = expr_int(cx, 0);
    if (fabs(x[k]) < NULLSPACE_ZERO) continue;
    Number number = rational_near(cx, x[k]);
    // random parameters give no simple number
    bool is_simple = number != NUMBER_NONE && fabs(x[k] * 12 - round(x[k] * 12)) < 1e-7;
    if (!is_simple && !c->doubled) vary_parameters(c);
    out[k] = is_simple ? expr_number(cx, number) : entry_by_parameters(c, free, k, x[k]);
    if (!out[k]) return NULL;
  }
  return out;
}
