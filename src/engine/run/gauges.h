// What the measures of a model have seen of a run so far.
//
// Numbers of a motion that is smooth between two moments: extremes, integrals, the moments at which
// conditions begin and cease to hold. run_gauges.c says where it is smooth.
#ifndef QDOT_ENGINE_RUN_GAUGES_H
#define QDOT_ENGINE_RUN_GAUGES_H

#include "base/arena.h"
#include "engine/plan_measures.h"
#include "engine/stretch.h"

enum { GAUGE_NODES = STRETCH_MOST_NODES };

// One reduction, all of it doubles: a checkpoint keeps them as they are.
typedef struct Gauge {
  double from;                      // not before
  double begun;                     // 1 since its first moment
  double extreme;                   // greatest or least value so far
  double scale;                     // the largest size of the value so far
  double sum, duration;             // integral and the time it extends over
  double first, final;              // values at the first moment, and at the last so far
  double holds;                     // 1, 0: the condition now
  double met, left;                 // values when it first began, last ceased to hold; NAN: never
  double count;                     // how often it has become true after the beginning
  double first_at, met_at, left_at; // when
} Gauge;

enum { GAUGE_DOUBLES = sizeof(Gauge) / sizeof(double) };

typedef struct Gauges {
  uint32_t n, guards;
  const PlanReduction *reductions; // n
  bool needs_forces;               // values that are not of positions and velocities alone
  bool shows_switches;             // values of forces that may stick
  Gauge *at;                       // n
  double *size;                    // of the guards: the largest so far
  double *sign;                    // of the guards: on which side they are taken to be
  // Columns of GAUGE_NODES values, at the nodes of a piece.
  double times[GAUGE_NODES];
  double *watched;                      // of every guard
  double *signals;                      // value and condition of every reduction
  ColumnRange *watched_ranges, *ranges; // of the guards, and of the values
  double *row;                          // value and condition of every reduction at one moment
  double *wanted_sign;
  bool is_unseen;     // samples or events lie behind what they have seen
  bool has_last_look; // they have seen what is behind those at the end of the run
  int halvings_left;  // of the step at hand: noise is not resolved by looking closer
  int cuts_left;      // the same for what guards need
  int noises;         // how often that was in vain
  int close_left;     // of the step at hand: crossings that may follow each other at once
} Gauges;

// Rooms in the arena; from: by reduction, the time before which the motion does not count.
void gauges_open(Gauges *gauges, Arena *arena, const PlanMeasures *measures, uint32_t guards,
                 const double *from);

// Does reduction i take part between a and b, which lie on one side of its `from`?
bool gauge_is_active(const Gauge *gauge, double a);
// The column of the values, then that of the conditions, of reduction i.
static inline const double *gauge_values(const Gauges *gauges, uint32_t i) {
  return gauges->signals + 2 * (size_t)i * GAUGE_NODES;
}
// A value that is no longer smaller than rounding of what it was.
double gauges_snapped(const Gauges *gauges, uint32_t guard, double value);

// Finds the ranges of the columns, of which there are as many nodes.
void gauges_find_ranges(Gauges *gauges, uint32_t nodes);
// Is the motion at the nodes followed by polynomials, as far as the reductions need it?
bool gauges_are_resolved(const Gauges *gauges, uint32_t nodes);
// The same of the guards: is a crossing between the nodes seen?
bool gauges_see_guards(const Gauges *gauges);
// Conditions between a and the end of the piece, then all that is summed up or compared.
void gauges_take_piece(Gauges *gauges, uint32_t nodes);
// Conditions at a single moment, by its signals.
void gauges_take_moment(Gauges *gauges, double t, const double *signals);
// The last moment of all, by its signals.
void gauges_take_last(Gauges *gauges, double t, const double *signals);
// A value that was met between the nodes.
void gauge_take_value(Gauge *gauge, ReductionKind kind, double value);

bool gauge_is_integral(ReductionKind kind);
bool gauge_is_extreme(ReductionKind kind);
// Of the nodes of a piece in an integral over a length of 1.
extern const double gauge_weights[GAUGE_NODES];
// What a piece may be beyond its polynomial, in sizes of that one's tail: where an extreme is
// farther away, the piece is not looked at more closely.
#define GAUGE_TAILS 16
// Of the last two Chebyshev coefficients of the polynomial through the nodes.
extern const double gauge_tails[2][GAUGE_NODES];
// What the reduction amounts to; NAN where it has no value.
double gauge_result(const Gauge *gauge, ReductionKind kind);

#endif
