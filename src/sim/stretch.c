// Polynomials of a motion: values by the barycentric formula, extremes where they turn.
#include "sim/stretch.h"

#include <assert.h>
#include <math.h>

// (1 - cos(pi i / (nodes - 1))) / 2
static const double *nodes_of(uint32_t nodes) {
  static const double two[] = {0, 1}, three[] = {0, 0.5, 1};
  static const double five[] = {0, 0.14644660940672624, 0.5, 0.85355339059327376, 1};
  static const double eight[] = {0,
                                 0.049515566048790427,
                                 0.18825509907063326,
                                 0.38873953302184281,
                                 0.61126046697815719,
                                 0.81174490092936674,
                                 0.95048443395120957,
                                 1};
  switch (nodes) {
  case 2: return two;
  case 3: return three;
  case 5: return five;
  default: assert(nodes == 8); return eight;
  }
}

double stretch_node(uint32_t nodes, uint32_t i) { return nodes_of(nodes)[i]; }

double stretch_begin(const Stretch *s) { return s->cells[0]; }

double stretch_end(const Stretch *s) { return s->cells[(size_t)(s->nodes - 1) * s->columns]; }

// Barycentric, up to a common factor.
static double node_weight(uint32_t nodes, uint32_t i) {
  double size = i == 0 || i == nodes - 1 ? 0.5 : 1;
  return i % 2 ? -size : size;
}

// What every node weighs at x; a node itself has all the weight.
static void weights_at(uint32_t nodes, double x, double *weight) {
  const double *at = nodes_of(nodes);
  double sum = 0;
  for (uint32_t i = 0; i < nodes; i++) {
    if (x == at[i]) {
      for (uint32_t k = 0; k < nodes; k++) weight[k] = k == i;
      return;
    }
    weight[i] = node_weight(nodes, i) / (x - at[i]);
    sum += weight[i];
  }
  for (uint32_t i = 0; i < nodes; i++) weight[i] /= sum;
}

static double share_of(const Stretch *s, double t) {
  double begin = stretch_begin(s), length = stretch_end(s) - begin;
  return length > 0 ? fmin(fmax((t - begin) / length, 0), 1) : 0;
}

static double weighed(const Stretch *s, uint32_t column, const double *weight) {
  double value = 0;
  for (uint32_t i = 0; i < s->nodes; i++)
    if (weight[i] != 0) value += weight[i] * s->cells[(size_t)i * s->columns + column];
  return value;
}

static double value_at(const Stretch *s, uint32_t column, double x) {
  double weight[STRETCH_MOST_NODES];
  weights_at(s->nodes, x, weight);
  return weighed(s, column, weight);
}

double stretch_value(const Stretch *s, uint32_t column, double t) {
  return value_at(s, column, share_of(s, t));
}

void stretch_row(const Stretch *s, double t, double *row) {
  double weight[STRETCH_MOST_NODES];
  weights_at(s->nodes, share_of(s, t), weight);
  row[0] = t;
  for (uint32_t c = 1; c < s->columns; c++) row[c] = weighed(s, c, weight);
}

bool stretch_follows(const Stretch *s, const double *row, const double *sizes, double near) {
  double weight[STRETCH_MOST_NODES];
  weights_at(s->nodes, share_of(s, row[0]), weight);
  for (uint32_t c = 1; c < s->columns; c++)
    if (fabs(weighed(s, c, weight) - row[c]) > near * sizes[c]) return false;
  return true;
}

// ---- Extremes

Extremes extremes_none(void) { return (Extremes){NAN, NAN, NAN, NAN}; }

void extremes_widen_by_value(Extremes *e, double t, double value) {
  if (!isfinite(value)) return;
  if (!(e->least <= value)) e->least = value, e->t_least = t;
  if (!(e->most >= value)) e->most = value, e->t_most = t;
}

// The slope at the nodes: the derivative of the polynomial, per length of the stretch.
static void slopes_of(const Stretch *s, uint32_t column, double *slope) {
  const double *at = nodes_of(s->nodes);
  for (uint32_t i = 0; i < s->nodes; i++) {
    double here = s->cells[(size_t)i * s->columns + column];
    slope[i] = 0;
    for (uint32_t k = 0; k < s->nodes; k++) {
      if (k == i) continue;
      double there = s->cells[(size_t)k * s->columns + column];
      slope[i] +=
          node_weight(s->nodes, k) / node_weight(s->nodes, i) * (there - here) / (at[i] - at[k]);
    }
  }
}

static double slope_at(const Stretch *s, const double *slope, double x) {
  double weight[STRETCH_MOST_NODES], value = 0;
  weights_at(s->nodes, x, weight);
  for (uint32_t i = 0; i < s->nodes; i++) value += weight[i] * slope[i];
  return value;
}

// Where the slope vanishes between a and b, at which it has different signs (Illinois' rule).
static double turning_point(const Stretch *s, const double *slope, double a, double b) {
  double at_a = slope_at(s, slope, a), at_b = slope_at(s, slope, b), x = a;
  int kept = 0; // the end that stayed where it was: -1 for a, 1 for b
  for (int i = 0; i < 100 && b - a > 1e-14; i++) {
    x = fmin(fmax((a * at_b - b * at_a) / (at_b - at_a), a), b);
    double at_x = slope_at(s, slope, x);
    if (at_x == 0) return x;
    if ((at_x > 0) == (at_a > 0)) {
      a = x, at_a = at_x;
      if (kept == 1) at_b *= 0.5;
      kept = 1;
    } else {
      b = x, at_b = at_x;
      if (kept == -1) at_a *= 0.5;
      kept = -1;
    }
  }
  return x;
}

// Where the slopes are looked at, four times from node to node, and what the nodes weigh there.
enum { LOOKS = 4, MOST_LOOKS = LOOKS * (STRETCH_MOST_NODES - 1) };
typedef struct Looks {
  double at[MOST_LOOKS], weight[MOST_LOOKS][STRETCH_MOST_NODES];
} Looks;

static void looks_of(uint32_t nodes, Looks *out) {
  for (uint32_t i = 0; i + 1 < nodes; i++) {
    double from = stretch_node(nodes, i), to = stretch_node(nodes, i + 1);
    for (uint32_t k = 0; k < LOOKS; k++) {
      double at = from + (to - from) * (k + 1) / LOOKS;
      out->at[i * LOOKS + k] = at;
      weights_at(nodes, at, out->weight[i * LOOKS + k]);
    }
  }
}

// A polynomial is near a column within a millionth, which may be beyond what the column can reach.
static void widen_at(Extremes *e, ExactRows *exact, uint32_t column, double t, double value) {
  double near = exact ? 1e-9 * exact->sizes[column] : 0;
  if (value >= e->least - near && value <= e->most + near) return;
  const double *row = NULL;
  if (exact && exact->left > 0) {
    exact->left--;
    row = exact->row(exact->user, t);
  }
  extremes_widen_by_value(e, t, row && isfinite(row[column]) ? row[column] : value);
}

// Between the nodes, too, where the slope changes its sign.
static void widen_between(const Stretch *s, uint32_t column, const Looks *looks, ExactRows *exact,
                          Extremes *e) {
  double slope[STRETCH_MOST_NODES], begin = stretch_begin(s), length = stretch_end(s) - begin;
  slopes_of(s, column, slope);
  double x = 0, before = slope[0];
  for (uint32_t k = 0; k < LOOKS * (s->nodes - 1); k++) {
    double now = 0;
    for (uint32_t i = 0; i < s->nodes; i++) now += looks->weight[k][i] * slope[i];
    if ((before > 0 && now < 0) || (before < 0 && now > 0)) {
      double turns = turning_point(s, slope, x, looks->at[k]);
      widen_at(e, exact, column, begin + turns * length, value_at(s, column, turns));
    }
    x = looks->at[k], before = now;
  }
}

void extremes_widen(Extremes *extremes, const Stretch *s, ExactRows *exact) {
  Looks looks;
  bool has_looks = false;
  for (uint32_t c = 0; c < s->columns; c++) {
    Extremes *e = &extremes[c], here = extremes_none();
    bool whole = true;
    for (uint32_t i = 0; i < s->nodes; i++) {
      double t = s->cells[(size_t)i * s->columns], value = s->cells[(size_t)i * s->columns + c];
      whole &= isfinite(value) != 0;
      extremes_widen_by_value(&here, t, value);
    }
    if (isnan(here.least)) continue;
    // a polynomial through these nodes stays within its range widened by less than the range
    double room = here.most - here.least;
    bool may_widen = !(e->least <= here.least - room) || !(e->most >= here.most + room);
    extremes_widen_by_value(e, here.t_least, here.least);
    extremes_widen_by_value(e, here.t_most, here.most);
    if (c == 0 || !whole || !may_widen || room == 0) continue;
    if (!has_looks) looks_of(s->nodes, &looks);
    has_looks = true;
    widen_between(s, c, &looks, exact, e);
  }
}
