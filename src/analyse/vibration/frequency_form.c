// Roots of the characteristic polynomial det(K^ - mu M^).
#include "analyse/vibration/frequency_form.h"

#include <stdlib.h>

#include "analyse/equilibrium/closed_root.h"
#include "expr/algebra/cost.h"
#include "expr/algebra/determinant.h"
#include "expr/algebra/expand.h"
#include "expr/algebra/factor.h"
#include "expr/build.h"

#define LARGEST 6    // of a determinant by minors
#define READABLE 300 // cost of a root that somebody would still read

bool frequency_forms_may_exist(const Linearized *l) {
  if (l->p != l->f || l->f == 0 || l->f > LARGEST || l->sampled) return false;
  for (uint32_t i = 0; i < l->f * l->f; i++)
    if (l->number.C[i] != 0) return false;
  return true;
}

static bool is_undamped(const Linearized *l) {
  if (!l->M || l->is_large || !frequency_forms_may_exist(l)) return false;
  for (uint32_t i = 0; i < l->f * l->f; i++)
    if (!expr_is_zero(l->cx, l->C[i])) return false;
  return true;
}

// Blocks of coordinates that neither M^ nor K^ couples have a determinant each.
static uint32_t find_blocks(const Linearized *l, uint32_t *block) {
  uint32_t f = l->f, count = 0;
  for (uint32_t i = 0; i < f; i++) block[i] = UINT32_MAX;
  for (uint32_t i = 0; i < f; i++) {
    if (block[i] != UINT32_MAX) continue;
    block[i] = count;
    for (bool grown = true; grown;) {
      grown = false;
      for (uint32_t a = 0; a < f; a++)
        for (uint32_t b = 0; b < f; b++) {
          if (block[a] != count || block[b] == count) continue;
          size_t ab = (size_t)a * f + b, ba = (size_t)b * f + a;
          bool coupled = !expr_is_zero(l->cx, l->M[ab]) || !expr_is_zero(l->cx, l->K[ab]) ||
                         !expr_is_zero(l->cx, l->M[ba]) || !expr_is_zero(l->cx, l->K[ba]);
          if (coupled) block[b] = count, grown = true;
        }
    }
    count++;
  }
  return count;
}

// The values of parameters and of the point's names, by variable.
static double *all_values(const Linearized *l, const double *values) {
  Context *cx = l->cx;
  const Model *model = l->system->model;
  double *out = arena_array(&cx->scratch, double, cx->exprs->symbols.n + 1);
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    uint32_t at = symbol_variable(cx, model->parameters.at[i].symbol);
    out[at] = values[at];
  }
  for (uint32_t i = 0; i < l->form.names.n; i++)
    out[symbol_variable(cx, l->form.names.at[i].symbol)] = l->form.names.at[i].value;
  return out;
}

// The numbers that omega^2 may have: those of the modes, negative where it falls over.
static double square_of(const Mode *mode) {
  return mode->kind == MODE_EXPONENTIAL ? -mode->re * mode->re : mode->im * mode->im;
}

static void add_form(const Linearized *l, Expr square, double value, FrequencyForms *out) {
  for (uint32_t i = 0; i < out->n; i++)
    if (out->at[i].square == square) return;
  if (out->n < l->f && expr_cost(l->cx, square) <= READABLE)
    out->at[out->n++] = (FrequencyForm){square, value};
}

// Roots of each factor of p in mu, found by the numbers they must have.
static void add_roots(const Linearized *l, Expr p, Expr mu, const double *numbers,
                      const Modes *modes, FrequencyForms *out) {
  Context *cx = l->cx;
  Mark mark = arena_mark(&cx->scratch);
  Expansion *x = expansion_open(cx, EXPAND_PLAIN, 50000);
  Gather gather = {0};
  if (expansion_run(x, &p, 1)) {
    Fraction form = expansion_fraction(x, p);
    Factored factored = poly_factor(cx, &gather, form.numerator);
    for (uint32_t k = 0; k < factored.n; k++) {
      Expr factor = poly_to_expr(cx, factored.factor[k].poly);
      if (!expr_depends(cx, factor, mu)) continue;
      for (uint32_t i = 0; i < modes->count; i++) {
        double value = square_of(&modes->mode[i]);
        Expr root = value == 0 ? 0 : root_of(cx, factor, mu, value, numbers);
        if (root) add_form(l, root, value, out);
      }
    }
  }
  expansion_close(x);
  arena_release(&cx->scratch, mark);
}

static int by_value(const void *a, const void *b) {
  double x = ((const FrequencyForm *)a)->value, y = ((const FrequencyForm *)b)->value;
  return x < y ? -1 : x > y;
}

FrequencyForms frequency_forms(const Linearized *l, const Modes *modes, const double *values) {
  FrequencyForms out = {0};
  if (!is_undamped(l)) return out;
  Context *cx = l->cx;
  Mark mark = arena_mark(&cx->scratch);
  uint32_t f = l->f, *block = arena_array(&cx->scratch, uint32_t, f);
  uint32_t blocks = find_blocks(l, block);
  out.at = arena_array(cx->results, FrequencyForm, f);
  Expr mu = expr_symbol(cx, SYMBOL_PARAMETER, symbol_from_text(cx, "omega^2"));
  double *numbers = all_values(l, values);
  for (uint32_t b = 0; b < blocks; b++) {
    Expr *A = arena_array(&cx->scratch, Expr, (size_t)f * f);
    uint32_t size = 0, at = 0;
    for (uint32_t i = 0; i < f; i++) size += block[i] == b;
    for (uint32_t i = 0; i < f; i++)
      for (uint32_t j = 0; j < f; j++) {
        if (block[i] != b || block[j] != b) continue;
        size_t ij = (size_t)i * f + j;
        A[at++] = expr_sub(cx, l->K[ij], expr_mul(cx, mu, l->M[ij]));
      }
    Expr p = expr_determinant(cx, A, size);
    add_roots(l, p, mu, numbers, modes, &out);
  }
  qsort(out.at, out.n, sizeof *out.at, by_value);
  arena_release(&cx->scratch, mark);
  return out;
}
