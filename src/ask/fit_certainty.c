// How well a fit is known: rank, intervals, correlations, and what can be found at all.
#include <math.h>
#include <string.h>

#include "ask/fit.h"
#include "ask/quantile.h"
#include "solve/algebra/svd.h"

// Relative to the largest: a direction of the unknowns that does less is not determined.
static const double RANK_CUT = 1e-6;
// A part of an unknown in such a direction is rounding below this.
static const double LEAST_PART = 1e-3;

static void add_power(Text *text, const char *name, double power) {
  double exponent = fabs(power);
  text_addf(text, "%s%s", power < 0 ? (text->n ? "/" : "1/") : (text->n ? "*" : ""), name);
  if (fabs(exponent - 1) < 1e-6) return;
  if (fabs(exponent - nearbyint(exponent)) < 1e-6)
    text_addf(text, "^%.0f", exponent);
  else
    text_addf(text, "^%.3g", exponent);
}

// Positive powers first.
static const char *product_of_powers(Fit *fit, const double *power) {
  Text text = text_new(fit->cx->results);
  for (int sign = 1; sign >= -1; sign -= 2)
    for (uint32_t j = 0; j < fit->count; j++)
      if (sign * power[j] > 1e-6) add_power(&text, fit_name(fit, j), power[j]);
  return text.at;
}

// Combinations of what is not determined alone that are determined all the same: rows of V that the
// data see, reduced so that each begins with a 1 of its own.
static void find_combinations(Fit *fit, double *rows, uint32_t count) {
  uint32_t n = fit->count, at = 0;
  for (uint32_t column = 0; column < n && at < count; column++) {
    uint32_t pivot = at;
    for (uint32_t r = at; r < count; r++)
      if (fabs(rows[r * n + column]) > fabs(rows[pivot * n + column])) pivot = r;
    if (fabs(rows[pivot * n + column]) < LEAST_PART) continue;
    for (uint32_t c = 0; c < n; c++) {
      double kept = rows[at * n + c];
      rows[at * n + c] = rows[pivot * n + c];
      rows[pivot * n + c] = kept;
    }
    double lead = rows[at * n + column];
    for (uint32_t c = 0; c < n; c++) rows[at * n + c] /= lead;
    for (uint32_t r = 0; r < count; r++) {
      double factor = r == at ? 0 : rows[r * n + column];
      for (uint32_t c = 0; c < n && factor != 0; c++) rows[r * n + c] -= factor * rows[at * n + c];
    }
    at++;
  }
  for (uint32_t r = 0; r < at; r++) {
    bool is_simple = true, is_combined = false, first = true;
    for (uint32_t c = 0; c < n; c++) {
      double *power = &rows[r * n + c], simple = nearbyint(*power * 12) / 12;
      if (fabs(*power) < LEAST_PART) *power = 0;
      is_simple &= fabs(*power - simple) < 5 * LEAST_PART;
      if (*power != 0) *power = simple;
      is_combined |= *power != 0 && !first;
      first &= *power == 0;
      is_simple &= *power == 0 || fit->results[c].value != 0;
    }
    if (is_simple && is_combined)
      vec_push(fit->cx->results, &fit->determined, product_of_powers(fit, rows + r * n));
  }
}

Status fit_judge(Fit *fit, uint32_t residuals, const double *slopes, double squares,
                 const double *unit) {
  uint32_t n = fit->count, rows_of_J = residuals < n ? n : residuals; // few data: rows of zeros
  Arena *keep = fit->cx->results;
  fit->correlation = arena_array(keep, double, (size_t)n *n);
  double *J = arena_array(keep, double, (size_t)rows_of_J *n),
         *C = arena_array(keep, double, (size_t)n *n);
  double *size = arena_array(keep, double, n), *rows = arena_array(keep, double, (size_t)n *n);
  for (uint32_t j = 0; j < n; j++)
    size[j] = fit->results[j].value != 0 ? fabs(fit->results[j].value) : unit[j];
  for (uint32_t k = 0; k < residuals; k++)
    for (uint32_t j = 0; j < n; j++) J[(size_t)k * n + j] = slopes[(size_t)k * n + j] * size[j];
  Svd *svd = svd_new(keep, (int)rows_of_J, (int)n);
  Status status = svd_compute(svd, (int)rows_of_J, J);
  if (status != QDOT_OK) return status;
  for (uint32_t i = 0; i < n; i++) fit->rank += svd->sigma[i] > RANK_CUT * svd->sigma[0];
  for (uint32_t i = fit->rank; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      fit->results[j].is_undetermined |= fabs(svd->Vt[i * n + j]) > LEAST_PART;
  double freedom = (double)fit->values - fit->rank;
  double variance = freedom > 0 ? squares / freedom : NAN;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      for (uint32_t k = 0; k < fit->rank; k++)
        C[i * n + j] += svd->Vt[k * n + i] * svd->Vt[k * n + j] / (svd->sigma[k] * svd->sigma[k]);
  double quantile = freedom > 0 ? student_quantile(0.975, freedom) : NAN;
  for (uint32_t i = 0; i < n; i++) {
    FitResult *r = &fit->results[i];
    double reach = quantile * sqrt(variance * C[i * n + i]) * size[i];
    // of squares that could still be less nothing is known, nor of what is left that is no noise
    bool has_interval = !r->is_undetermined && fit->converged && fit->is_noise;
    r->low = has_interval ? r->value - reach : NAN;
    r->high = has_interval ? r->value + reach : NAN;
    for (uint32_t j = 0; j < n; j++) {
      bool known = has_interval && !fit->results[j].is_undetermined;
      fit->correlation[i * n + j] = !known   ? NAN
                                    : i == j ? 1
                                             : C[i * n + j] / sqrt(C[i * n + i] * C[j * n + j]);
    }
  }
  for (uint32_t i = 0; i < fit->rank; i++) memcpy(rows + i * n, svd->Vt + i * n, n * sizeof *rows);
  if (fit->rank < n) find_combinations(fit, rows, fit->rank);
  return QDOT_OK;
}
