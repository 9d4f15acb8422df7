// Reductions of a motion, piece by piece.
#include "engine/run/gauges.h"

#include <math.h>

void gauges_open(Gauges *g, Arena *arena, const PlanMeasures *measures, uint32_t guards,
                 const double *from) {
  *g = (Gauges){
      .n = measures->reduction_count, .guards = guards, .reductions = measures->reductions};
  if (g->n == 0) return;
  g->needs_forces = measures->need_forces;
  g->shows_switches = measures->show_switches;
  g->at = arena_array(arena, Gauge, g->n);
  for (uint32_t i = 0; i < g->n; i++) {
    g->at[i] = (Gauge){.from = from[i],
                       .extreme = NAN,
                       .first = NAN,
                       .first_at = NAN,
                       .met_at = NAN,
                       .left_at = NAN,
                       .final = NAN,
                       .met = NAN,
                       .left = NAN};
  }
  g->size = arena_array(arena, double, guards);
  g->sign = arena_array(arena, double, guards);
  g->wanted_sign = arena_array(arena, double, guards);
  g->watched = arena_array(arena, double, GAUGE_NODES *(size_t)guards);
  g->signals = arena_array(arena, double, 2 * GAUGE_NODES * (size_t)g->n);
  g->watched_ranges = arena_array(arena, ColumnRange, guards);
  g->ranges = arena_array(arena, ColumnRange, g->n);
  g->row = arena_array(arena, double, 2 * (size_t)g->n);
}

bool gauge_is_active(const Gauge *gauge, double a) { return a >= gauge->from; }

double gauges_snapped(const Gauges *g, uint32_t guard, double value) {
  return fabs(value) <= 1e-13 * g->size[guard] ? 0 : value;
}

// ---- Integrals and how well they are known

bool gauge_is_integral(ReductionKind kind) {
  return kind == REDUCE_MEAN || kind == REDUCE_RMS || kind == REDUCE_INTEGRAL;
}

bool gauge_is_extreme(ReductionKind kind) { return kind == REDUCE_MAX || kind == REDUCE_MIN; }

static double integrand(ReductionKind kind, double value) {
  return kind == REDUCE_RMS ? value * value : value;
}

// Clenshaw and Curtis' weights of the nodes.
const double gauge_weights[GAUGE_NODES] = {
    0.010204081632653062, 0.095070503609104181, 0.17612121185907956,  0.21860420289916319,
    0.21860420289916319,  0.17612121185907956,  0.095070503609104181, 0.010204081632653062};
// What gives the last two Chebyshev coefficients of a polynomial through them.
const double gauge_tails[2][GAUGE_NODES] = {
    {0.14285714285714286, -0.25741967654354832, 0.17813994338820973, -0.063577409701804092,
     -0.063577409701804092, 0.17813994338820973, -0.25741967654354832, 0.14285714285714286},
    {0.071428571428571425, -0.14285714285714286, 0.14285714285714286, -0.14285714285714286,
     0.14285714285714286, -0.14285714285714286, 0.14285714285714286, -0.071428571428571425}};

void gauges_find_ranges(Gauges *g, uint32_t nodes) {
  for (uint32_t k = 0; k < g->guards; k++)
    g->watched_ranges[k] = column_range(g->watched + k * GAUGE_NODES, nodes);
  for (uint32_t i = 0; i < g->n; i++) g->ranges[i] = column_range(gauge_values(g, i), nodes);
}

static double size_of(const ColumnRange *range) {
  return fabs(range->least) > fabs(range->most) ? fabs(range->least) : fabs(range->most);
}

// What the nodes of a piece say of its polynomial: is it followed, or at least sure not to come to
// where it is of interest, from `low` to `high`? It may be beyond its range at the nodes, and its
// tail, several times, is what it leaves out. What is not finite stays so however short the pieces
// are.
static bool is_resolved(ReductionKind kind, const double *values, const ColumnRange *range,
                        double scale, double low, double high) {
  if (!range->is_finite) return true;
  double tail[2][4] = {{0}};
  for (uint32_t k = 0; k < GAUGE_NODES; k++) {
    double taken = kind == REDUCE_RMS ? values[k] * values[k] : values[k];
    for (int order = 0; order < 2; order++) tail[order][k % 4] += gauge_tails[order][k] * taken;
  }
  double sum[2];
  for (int order = 0; order < 2; order++)
    sum[order] = (tail[order][0] + tail[order][2]) + (tail[order][1] + tail[order][3]);
  if (size_of(range) > scale) scale = size_of(range);
  double size = fabs(sum[0]) + fabs(sum[1]);
  if (!(size > 1e-7 * integrand(kind, scale))) return true;
  double room = STRETCH_MOST_BEYOND * (range->most - range->least) + GAUGE_TAILS * size;
  return range->most + room < low || range->least - room > high;
}

bool gauges_are_resolved(const Gauges *g, uint32_t nodes) {
  if (nodes != GAUGE_NODES) return true;
  for (uint32_t i = 0; i < g->n; i++) {
    ReductionKind kind = g->reductions[i].kind;
    double met = g->at[i].extreme;
    if (!gauge_is_extreme(kind) && !gauge_is_integral(kind)) continue;
    if (!gauge_is_active(&g->at[i], g->times[0])) continue;
    if (!is_resolved(kind, gauge_values(g, i), &g->ranges[i], g->at[i].scale,
                     kind == REDUCE_MAX ? met : -INFINITY, kind == REDUCE_MIN ? met : INFINITY))
      return false;
  }
  return true;
}

bool gauges_see_guards(const Gauges *g) {
  for (uint32_t k = 0; k < g->guards; k++)
    if (!is_resolved(REDUCE_MAX, g->watched + k * GAUGE_NODES, &g->watched_ranges[k], g->size[k], 0,
                     0))
      return false;
  return true;
}

// ---- Pieces

void gauge_take_value(Gauge *gauge, ReductionKind kind, double value) {
  if (!isfinite(value)) return;
  bool is_better = kind == REDUCE_MAX ? value > gauge->extreme : value < gauge->extreme;
  if (is_better || isnan(gauge->extreme)) gauge->extreme = value;
  gauge->scale = fmax(gauge->scale, fabs(value));
}

// What held at the beginning has not become true.
static void take_condition(Gauge *gauge, bool holds, bool is_beginning, double t, double value) {
  if (holds && gauge->holds == 0) {
    if (isnan(gauge->met)) gauge->met = value, gauge->met_at = t;
    if (!is_beginning) gauge->count++;
  }
  if (!holds && gauge->holds != 0) gauge->left = value, gauge->left_at = t;
  gauge->holds = holds;
}

void gauges_take_moment(Gauges *g, double t, const double *signals) {
  for (uint32_t i = 0; i < g->n; i++) {
    Gauge *gauge = &g->at[i];
    const double *at = signals + 2 * (size_t)i;
    if (!g->reductions[i].has_condition || !gauge_is_active(gauge, t)) continue;
    take_condition(gauge, at[1] != 0, gauge->begun == 0, t, at[0]);
  }
}

static void sum_up(const Gauges *g, uint32_t i, uint32_t nodes) {
  Gauge *gauge = &g->at[i];
  const double *values = gauge_values(g, i);
  double length = g->times[nodes - 1] - g->times[0], sum = 0;
  for (uint32_t k = 0; k < nodes; k++) {
    double weight = nodes == GAUGE_NODES ? gauge_weights[k] : 0.5;
    sum += weight * integrand(g->reductions[i].kind, values[k]);
    gauge->scale = fmax(gauge->scale, fabs(values[k]));
  }
  gauge->sum += sum * length;
  gauge->duration += length;
}

// All values at the nodes, as gauge_take_value does.
static void take_values(Gauge *gauge, ReductionKind kind, const double *values,
                        const ColumnRange *range, uint32_t nodes) {
  for (uint32_t k = 0; !range->is_finite && k < nodes; k++)
    gauge_take_value(gauge, kind, values[k]);
  if (!range->is_finite) return;
  gauge->scale = fmax(gauge->scale, size_of(range));
  gauge_take_value(gauge, kind, kind == REDUCE_MAX ? range->most : range->least);
}

void gauges_take_piece(Gauges *g, uint32_t nodes) {
  double begin = g->times[0];
  for (uint32_t i = 0; i < g->n; i++) {
    Gauge *gauge = &g->at[i];
    ReductionKind kind = g->reductions[i].kind;
    if (!gauge_is_active(gauge, begin)) continue;
    const double *values = gauge_values(g, i), *holds = values + GAUGE_NODES;
    if (g->reductions[i].has_condition)
      take_condition(gauge, holds[nodes / 2] != 0, gauge->begun == 0, begin, values[0]);
    if (gauge->begun == 0) gauge->first = values[0], gauge->first_at = begin;
    gauge->begun = 1;
    if (gauge_is_integral(kind)) sum_up(g, i, nodes);
    if (gauge_is_extreme(kind)) take_values(gauge, kind, values, &g->ranges[i], nodes);
    gauge->final = values[nodes - 1];
  }
}

void gauges_take_last(Gauges *g, double t, const double *signals) {
  gauges_take_moment(g, t, signals);
  for (uint32_t i = 0; i < g->n; i++) {
    Gauge *gauge = &g->at[i];
    double value = signals[2 * (size_t)i];
    if (!gauge_is_active(gauge, t)) continue;
    if (gauge->begun == 0) gauge->first = value, gauge->first_at = t;
    gauge->begun = 1;
    if (gauge_is_extreme(g->reductions[i].kind))
      gauge_take_value(gauge, g->reductions[i].kind, value);
    gauge->final = value;
  }
}

double gauge_result(const Gauge *gauge, ReductionKind kind) {
  if (gauge->begun == 0) return NAN;
  switch (kind) {
  case REDUCE_MAX:
  case REDUCE_MIN: return gauge->extreme;
  case REDUCE_MEAN: return gauge->sum / gauge->duration;
  case REDUCE_RMS: return sqrt(gauge->sum / gauge->duration);
  case REDUCE_INTEGRAL: return gauge->sum;
  case REDUCE_FIRST: return gauge->met;
  case REDUCE_LAST: return gauge->holds != 0 ? gauge->final : gauge->left;
  case REDUCE_FINAL: return gauge->final;
  case REDUCE_START: return gauge->first;
  case REDUCE_COUNT: return gauge->count;
  }
  return NAN;
}
