// Is what a fit leaves noise? Wald and Wolfowitz's test of runs, and Durbin and Watson's statistic.
//
// Intervals of a fit suppose independent errors. Where the model lacks something, or the search has
// ended in the wrong valley, residuals follow each other. Sources: A. Wald, J. Wolfowitz, On a test
// whether two samples are from the same population, Ann. Math. Statist. 11 (1940) 147-162;
// J. Durbin, G. S. Watson, Testing for serial correlation in least squares regression,
// Biometrika 37 (1950) 409-428.
#include <math.h>

#include "ask/fit.h"

// So rarely noise may be taken for something else.
static const double LEVEL = 1e-3;
// Fewer values show nothing.
enum { LEAST_VALUES = 8 };

static double log_choose(double n, double k) {
  if (k < 0 || k > n) return -INFINITY;
  return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

// The probability of so few runs of a signs of one kind and b of the other, exactly.
static double chance_of_runs(uint32_t runs, double a, double b) {
  double all = log_choose(a + b, a), sum = 0;
  for (uint32_t r = 2; r <= runs; r++) {
    double k = r / 2;
    if (r % 2 == 0)
      sum += 2 * exp(log_choose(a - 1, k - 1) + log_choose(b - 1, k - 1) - all);
    else
      sum += exp(log_choose(a - 1, k) + log_choose(b - 1, k - 1) - all) +
             exp(log_choose(a - 1, k - 1) + log_choose(b - 1, k) - all);
  }
  return a > 0 && b > 0 ? fmin(sum, 1) : pow(0.5, a + b - 1); // all of one sign
}

// Rows without a value are no gaps between their neighbours.
static void judge_curve(FitCurve *curve, uint32_t rows, const double *residual, double accuracy,
                        double level) {
  double above = 0, below = 0, squares = 0, steps = 0, size = 0, before = 0;
  bool is_first = true;
  curve->runs = 0;
  for (uint32_t i = 0; i < rows; i++) {
    if (isnan(curve->measured[i])) continue;
    double r = residual[i];
    size += curve->measured[i] * curve->measured[i];
    squares += r * r;
    curve->runs += is_first || (r > 0) != (before > 0);
    steps += is_first ? 0 : (r - before) * (r - before);
    above += r > 0, below += !(r > 0);
    before = r, is_first = false;
  }
  double n = above + below;
  curve->expected_runs = 1 + 2 * above * below / n;
  curve->durbin_watson = squares > 0 ? steps / squares : 2;
  // near 2, normally spread, of variance 4/n
  double by_chance = 0.5 * erfc((2 - curve->durbin_watson) * sqrt(n / 8));
  curve->is_noise = n < LEAST_VALUES || sqrt(squares) <= accuracy * curve->weight * sqrt(size) ||
                    (chance_of_runs(curve->runs, above, below) >= level && by_chance >= level);
}

void fit_judge_noise(Fit *fit, const double *residual, double accuracy) {
  size_t at = 0;
  fit->is_noise = true;
  for (uint32_t c = 0; c < fit->curves.n; c++) {
    FitCurve *curve = &fit->curves.at[c];
    uint32_t rows = fit->request->files.at[curve->file].rows;
    judge_curve(curve, rows, residual + at, accuracy, LEVEL / fit->curves.n);
    fit->is_noise &= curve->is_noise;
    at += rows;
  }
}
