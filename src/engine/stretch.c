// Polynomials of a motion: values by the barycentric formula, extremes where they turn.
#include "engine/stretch.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "solve/algebra/dense.h"

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
  memset(row, 0, s->columns * sizeof *row);
  for (uint32_t i = 0; i < s->nodes; i++)
    if (weight[i] != 0)
      dense_add((int)s->columns, weight[i], s->cells + (size_t)i * s->columns, row);
  row[0] = t;
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

// What values at the nodes make of a moment x.
static double weighed_at(uint32_t nodes, const double *values, double x) {
  double weight[STRETCH_MOST_NODES], value = 0;
  weights_at(nodes, x, weight);
  for (uint32_t i = 0; i < nodes; i++)
    if (weight[i] != 0) value += weight[i] * values[i];
  return value;
}

// Where the slope vanishes between a and b, at which it has different signs (Illinois' rule).
static double turning_point(uint32_t nodes, const double *slope, double a, double b) {
  double at_a = weighed_at(nodes, slope, a), at_b = weighed_at(nodes, slope, b), x = a;
  int kept = 0; // the end that stayed where it was: -1 for a, 1 for b
  for (int i = 0; i < 100 && b - a > 1e-14; i++) {
    x = fmin(fmax((a * at_b - b * at_a) / (at_b - at_a), a), b);
    double at_x = weighed_at(nodes, slope, x);
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

// The derivative of the polynomial that is 1 at node k and 0 at the others, at node i.
static void slopes_at_node(uint32_t nodes, uint32_t i, double *from) {
  const double *at = nodes_of(nodes);
  from[i] = 0;
  for (uint32_t k = 0; k < nodes; k++) {
    if (k == i) continue;
    from[k] = node_weight(nodes, k) / node_weight(nodes, i) / (at[i] - at[k]);
    from[i] -= from[k];
  }
}

static void find_looks(uint32_t nodes, Looks *known) {
  known->nodes = nodes;
  for (uint32_t i = 0; i < nodes; i++) slopes_at_node(nodes, i, known->at_node[i]);
  for (uint32_t look = 0; look < STRETCH_LOOKS * (nodes - 1); look++) {
    double from = stretch_node(nodes, look / STRETCH_LOOKS),
           to = stretch_node(nodes, look / STRETCH_LOOKS + 1);
    double weight[STRETCH_MOST_NODES];
    known->at[look] = from + (to - from) * (look % STRETCH_LOOKS + 1) / STRETCH_LOOKS;
    weights_at(nodes, known->at[look], weight);
    for (uint32_t k = 0; k < nodes; k++) {
      known->between[k][look] = 0;
      for (uint32_t i = 0; i < nodes; i++)
        known->between[k][look] += weight[i] * known->at_node[i][k];
    }
  }
}

// Made by the first who asks; others who ask meanwhile wait for the few microseconds.
enum { LOOKS_UNKNOWN, LOOKS_BEING_MADE, LOOKS_KNOWN };
static atomic_int looks_state = LOOKS_UNKNOWN;
static Looks looks_of_most, looks_of_five, looks_of_three, looks_of_two;

static void find_all_looks(void) {
  find_looks(STRETCH_MOST_NODES, &looks_of_most);
  find_looks(5, &looks_of_five);
  find_looks(3, &looks_of_three);
  find_looks(2, &looks_of_two);
}

const Looks *stretch_looks(uint32_t nodes) {
  int expected = LOOKS_UNKNOWN;
  if (atomic_compare_exchange_strong(&looks_state, &expected, LOOKS_BEING_MADE)) {
    find_all_looks();
    atomic_store(&looks_state, LOOKS_KNOWN);
  }
  while (atomic_load(&looks_state) != LOOKS_KNOWN) continue;
  return nodes == STRETCH_MOST_NODES ? &looks_of_most
         : nodes == 5                ? &looks_of_five
         : nodes == 3                ? &looks_of_three
                                     : &looks_of_two;
}

static double sum_of(const double *weight, const double *value, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += weight[i] * value[i];
  return sum;
}

// A column at the nodes of a stretch.
typedef struct Column {
  uint32_t nodes, number;
  const double *times, *values;
} Column;

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
static void widen_between(const Column *c, ExactRows *exact, Extremes *e) {
  const Looks *looks = stretch_looks(c->nodes);
  double slope[STRETCH_MOST_NODES] = {0}, rise[STRETCH_MOST_NODES],
         slopes[STRETCH_MOST_LOOKS] = {0};
  double begin = c->times[0], length = c->times[c->nodes - 1] - begin;
  // from the first value, so that a large constant does not hide the rest
  for (uint32_t i = 0; i < c->nodes; i++) rise[i] = c->values[i] - c->values[0];
  for (uint32_t i = 1; i < c->nodes; i++)
    for (uint32_t k = 0; k < STRETCH_MOST_LOOKS; k++) slopes[k] += looks->between[i][k] * rise[i];
  slope[0] = sum_of(looks->at_node[0], rise, c->nodes);
  bool is_whole = false; // slope at all nodes
  double x = 0, before = slope[0];
  for (uint32_t k = 0; k < STRETCH_LOOKS * (c->nodes - 1); k++) {
    double now = slopes[k];
    if ((before > 0 && now < 0 && e->most != INFINITY) ||
        (before < 0 && now > 0 && e->least != -INFINITY)) {
      for (uint32_t i = 1; i < c->nodes && !is_whole; i++)
        slope[i] = sum_of(looks->at_node[i], rise, c->nodes);
      is_whole = true;
      double turns = turning_point(c->nodes, slope, x, looks->at[k]);
      widen_at(e, exact, c->number, begin + turns * length, weighed_at(c->nodes, c->values, turns));
    }
    x = looks->at[k], before = now;
  }
}

// Two values at a time: every machine has vectors of these.
typedef double Two __attribute__((vector_size(16), aligned(8)));
typedef int64_t TwoBits __attribute__((vector_size(16), aligned(8)));

static ColumnRange range_of_most(const double *values) {
  const Two *at = (const Two *)values;
  Two least = at[0], most = at[0], lost = at[0] - at[0];
  for (int i = 1; i < STRETCH_MOST_NODES / 2; i++) {
    TwoBits is_less = at[i]<least, is_more = at[i]> most;
    least = (Two)(((TwoBits)at[i] & is_less) | ((TwoBits)least & ~is_less));
    most = (Two)(((TwoBits)at[i] & is_more) | ((TwoBits)most & ~is_more));
    lost += at[i] - at[i];
  }
  return (ColumnRange){least[0] < least[1] ? least[0] : least[1],
                       most[0] > most[1] ? most[0] : most[1], lost[0] + lost[1] == 0};
}

ColumnRange column_range(const double *values, uint32_t n) {
  if (n == STRETCH_MOST_NODES) return range_of_most(values);
  ColumnRange r = {values[0], values[0], true};
  for (uint32_t i = 0; i < n; i++) {
    r.is_finite &= values[i] - values[i] == 0;
    r.least = values[i] < r.least ? values[i] : r.least;
    r.most = values[i] > r.most ? values[i] : r.most;
  }
  return r;
}

static void widen_column(Extremes *e, const Column *c, const ColumnRange *range, ExactRows *exact) {
  if (range->is_finite) {
    double room = STRETCH_MOST_BEYOND * (range->most - range->least);
    if (e->least <= range->least - room && e->most >= range->most + room) return;
  }
  for (uint32_t i = 0; i < c->nodes; i++) extremes_widen_by_value(e, c->times[i], c->values[i]);
  if (c->number > 0 && range->is_finite && range->most > range->least) widen_between(c, exact, e);
}

void extremes_widen_column(Extremes *e, const double *times, const double *values,
                           const ColumnRange *range) {
  widen_column(e, &(Column){STRETCH_MOST_NODES, 1, times, values}, range, NULL);
}

void extremes_widen(Extremes *extremes, const Stretch *s, ExactRows *exact) {
  double times[STRETCH_MOST_NODES], values[STRETCH_MOST_NODES];
  for (uint32_t i = 0; i < s->nodes; i++) times[i] = s->cells[(size_t)i * s->columns];
  for (uint32_t c = 0; c < s->columns; c++) {
    for (uint32_t i = 0; i < s->nodes; i++) values[i] = s->cells[(size_t)i * s->columns + c];
    ColumnRange range = column_range(values, s->nodes);
    widen_column(&extremes[c], &(Column){s->nodes, c, times, values}, &range, exact);
  }
}
