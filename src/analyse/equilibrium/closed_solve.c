// Solving for closed forms: one equation in one unknown, linear sets, likely values.
#include <math.h>
#include <string.h>

#include "analyse/equilibrium/closed_finder.h"
#include "analyse/equilibrium/closed_root.h"
#include "analyse/equilibrium/expr_matrix.h"
#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "expr/value/eval.h"

#define MOST_LINEAR 6 // unknowns of a linear set

// ---- Proofs of zero

static bool is_zero(Finder *f, Expr e) { return expr_zero_test(f->cx, e, ZERO_BUDGET) == ZERO_YES; }

bool finder_is_zero(Finder *f, Expr e) {
  if (is_zero(f, e)) return true;
  Context *cx = f->cx;
  const Model *model = f->b->system->model;
  Mark mark = arena_mark(&cx->scratch);
  Expr rest = expr_normal(cx, e);
  Substitution *list = arena_array(&cx->scratch, Substitution, model->parameters.n + 1);
  uint32_t n = 0;
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    Expr p = model->parameters.at[i].symbol;
    bool taken = f->b->values[symbol_variable(cx, p)] == 0 && expr_depends(cx, rest, p);
    if (taken) list[n++] = (Substitution){p, expr_int(cx, 0)};
  }
  bool zero = n > 0 && is_zero(f, expr_subst(cx, rest, list, n));
  for (uint32_t i = 0; i < n && zero; i++) {
    bool listed = false;
    for (uint32_t k = 0; k < f->zeros.n; k++) listed = listed || f->zeros.at[k] == list[i].from;
    if (!listed) vec_push(cx->results, &f->zeros, list[i].from);
  }
  arena_release(&cx->scratch, mark);
  return zero;
}

// ---- One equation in one unknown

// 0 or a multiple of pi/12 that the number looks like; 0 (no expression) when there is none.
static Expr likely_value(Finder *f, uint32_t u) {
  double x = f->number[u];
  if (fabs(x) < 1e-9) return expr_int(f->cx, 0);
  if (u >= f->n) return 0;
  double k = round(x * 12 / M_PI);
  if (!(fabs(k) <= 48) || fabs(x - k * M_PI / 12) > 1e-9) return 0;
  return expr_scale(f->cx, number_ratio(f->cx, (int64_t)k, 12), expr_pi(f->cx));
}

static Expr solve_for(Finder *f, Expr e, uint32_t u) {
  Expr value = root_of_polynomial(f->cx, e, f->symbol[u], f->number[u], f->b->values);
  if (value) return value;
  Expr likely = likely_value(f, u);
  if (likely && finder_is_zero(f, expr_subst(f->cx, e, &(Substitution){f->symbol[u], likely}, 1)))
    return likely;
  return root_of(f->cx, e, f->symbol[u], f->number[u], f->b->values);
}

// What was solved is known from the next pass on: the other equations still contain it.
static void accept_new(Finder *f) {
  for (uint32_t u = 0; u < f->count; u++) {
    if (f->is_new[u]) f->known[u] = SOLVED;
    f->is_new[u] = false;
  }
}

bool finder_solve_single(Finder *f) {
  bool progress = false;
  for (uint32_t i = 0; i < f->equations; i++) {
    uint32_t u = 0;
    Expr e = f->current[i];
    if (finder_open_unknowns(f, e, &u) != 1) continue;
    e = expr_normal(f->cx, e);
    if (finder_open_unknowns(f, e, &u) != 1) continue;
    Expr value = solve_for(f, e, u);
    if (value) f->value[u] = value, f->is_new[u] = progress = true;
  }
  accept_new(f);
  return progress;
}

bool finder_guess(Finder *f) {
  bool progress = false;
  for (uint32_t u = 0; u < 2 * f->n; u++) {
    Expr value = f->known[u] == OPEN && !f->banned[u] ? likely_value(f, u) : 0;
    if (!value) continue;
    f->known[u] = GUESSED, f->value[u] = value;
    progress = true;
  }
  return progress;
}

// ---- Linear sets

typedef struct LinearSet {
  uint32_t n, rows;
  uint32_t unknown[MOST_LINEAR], row[MOST_LINEAR];
} LinearSet;

static bool has_unknown(const LinearSet *set, uint32_t u) {
  for (uint32_t k = 0; k < set->n; k++)
    if (set->unknown[k] == u) return true;
  return false;
}

// All unknowns that equations tie to the first one. False when they are too many.
static bool collect_set(const Finder *f, uint32_t first, LinearSet *set) {
  *set = (LinearSet){.n = 1, .unknown = {first}};
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t i = 0; i < f->equations; i++) {
      bool touches = false;
      for (uint32_t k = 0; k < set->n; k++)
        touches = touches || expr_depends(f->cx, f->current[i], f->symbol[set->unknown[k]]);
      for (uint32_t u = 0; u < f->count && touches; u++) {
        if (f->known[u] != OPEN || has_unknown(set, u)) continue;
        if (!expr_depends(f->cx, f->current[i], f->symbol[u])) continue;
        if (set->n == MOST_LINEAR) return false;
        set->unknown[set->n++] = u, grown = true;
      }
    }
  }
  return set->n > 1;
}

// As many equations as unknowns whose numbers are independent: Gram-Schmidt on their slopes.
static bool choose_rows(const Finder *f, LinearSet *set) {
  double basis[MOST_LINEAR][MOST_LINEAR] = {{0}};
  for (uint32_t i = 0; i < f->equations && set->rows < set->n; i++) {
    double v[MOST_LINEAR], size = 0, rest = 0;
    for (uint32_t k = 0; k < set->n; k++) {
      v[k] = finder_slope(f, i, set->unknown[k]);
      size += v[k] * v[k];
    }
    for (uint32_t b = 0; b < set->rows; b++) {
      double along = 0;
      for (uint32_t k = 0; k < set->n; k++) along += v[k] * basis[b][k];
      for (uint32_t k = 0; k < set->n; k++) v[k] -= along * basis[b][k];
    }
    for (uint32_t k = 0; k < set->n; k++) rest += v[k] * v[k];
    if (!(rest > 1e-12 * size) || size == 0) continue;
    for (uint32_t k = 0; k < set->n; k++) basis[set->rows][k] = v[k] / sqrt(rest);
    set->row[set->rows++] = i;
  }
  return set->rows == set->n;
}

static bool solve_set(Finder *f, const LinearSet *set) {
  Context *cx = f->cx;
  uint32_t n = set->n;
  Expr S[MOST_LINEAR * MOST_LINEAR], X[MOST_LINEAR];
  double numbers[MOST_LINEAR * MOST_LINEAR];
  Substitution at_zero[MOST_LINEAR];
  for (uint32_t k = 0; k < n; k++)
    at_zero[k] = (Substitution){f->symbol[set->unknown[k]], expr_int(cx, 0)};
  for (uint32_t i = 0; i < n; i++) {
    Expr e = expr_normal(cx, f->current[set->row[i]]);
    for (uint32_t k = 0; k < n; k++) {
      Expr slope = expr_normal(cx, expr_diff(cx, e, f->symbol[set->unknown[k]]));
      uint32_t ignored;
      if (finder_open_unknowns(f, slope, &ignored) > 0) return false;
      S[i * n + k] = slope;
      numbers[i * n + k] = finder_slope(f, set->row[i], set->unknown[k]);
    }
    X[i] = expr_neg(cx, expr_subst(cx, e, at_zero, n));
  }
  Exact exact = {.cx = cx};
  expr_matrix_solve(&exact, n, 1, S, numbers, X);
  bool good = !exact.is_large;
  for (uint32_t k = 0; k < n && good; k++)
    good = root_is_short(cx, X[k], f->number[set->unknown[k]], f->b->values);
  for (uint32_t k = 0; k < n && good; k++)
    f->known[set->unknown[k]] = SOLVED, f->value[set->unknown[k]] = X[k];
  return good;
}

bool finder_solve_linear(Finder *f) {
  LinearSet set;
  for (uint32_t u = 0; u < f->count; u++)
    if (f->known[u] == OPEN && collect_set(f, u, &set) && choose_rows(f, &set) &&
        solve_set(f, &set))
      return true;
  return false;
}
