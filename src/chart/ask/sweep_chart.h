// The picture of a sweep: a curve over one value, maps over two, points over more and over drawn
// ones.
#ifndef QDOT_CHART_ASK_SWEEP_CHART_H
#define QDOT_CHART_ASK_SWEEP_CHART_H

#include "ask/sweep.h"
#include "chart/chart.h"

enum { SWEEP_MOST_DRAWN = 250000 };

// All cases, row by row: the axes, then the measures; NAN where there is no value.
typedef struct SweepCloud {
  const Sweep *sweep;
  uint64_t cases;
  double *cells;
} SweepCloud;

// Without panels where no case has a value. In the scratch arena.
Chart sweep_chart(Context *cx, const SweepCloud *cloud);

#endif
