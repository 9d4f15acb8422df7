// Weightings as products of filters: ISO 2631-1, Annex A.
#include "analyse/excited/weighting.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// Corner frequencies in Hz and qualities; 0 for a filter that is absent.
typedef struct Weighting {
  const char *name;
  double f_1, f_2;           // band: high pass and low pass, both of Butterworth's second order
  double f_3, f_4, Q_4;      // from acceleration to velocity
  double f_5, Q_5, f_6, Q_6; // a step upwards
} Weighting;

static const Weighting weightings[] = {
    {"W_k", 0.4, 100, 12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91},
    {"W_d", 0.4, 100, 2.0, 2.0, 0.63, 0, 0, 0, 0},
    {"W_f", 0.08, 0.63, INFINITY, 0.25, 0.86, 0.0625, 0.80, 0.10, 0.80},
    {"W_c", 0.4, 100, 8.0, 8.0, 0.63, 0, 0, 0, 0},
    {"W_e", 0.4, 100, 1.0, 1.0, 0.63, 0, 0, 0, 0},
    {"W_j", 0.4, 100, 0, 0, 0, 3.75, 0.91, 5.32, 0.91},
};

// |1 - r^2 + i r/Q|, r = f/f_0: the denominator of a second order.
static double second_order(double f, double f_0, double Q) {
  double r = f / f_0;
  return hypot(1 - r * r, r / Q);
}

static double gain_of(const Weighting *w, double f) {
  double quality = sqrt(0.5), r = f / w->f_1;
  double gain = r * r / second_order(f, w->f_1, quality) / second_order(f, w->f_2, quality);
  if (w->f_4 > 0) gain *= hypot(1, f / w->f_3) / second_order(f, w->f_4, w->Q_4);
  if (w->f_5 > 0) {
    double step = w->f_5 / w->f_6;
    gain *= step * step * second_order(f, w->f_5, w->Q_5) / second_order(f, w->f_6, w->Q_6);
  }
  return gain;
}

double weighting_gain(const char *name, double hz) {
  for (size_t i = 0; i < sizeof weightings / sizeof *weightings; i++)
    if (strcmp(weightings[i].name, name) == 0) return gain_of(&weightings[i], hz);
  return NAN;
}
