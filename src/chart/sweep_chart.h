// The picture of a sweep: a curve over one value, maps over two, points over more and over drawn
// ones.
#ifndef QDOT_CHART_SWEEP_CHART_H
#define QDOT_CHART_SWEEP_CHART_H

#include "ask/sweep.h"
#include "chart/gnuplot.h"

enum { SWEEP_MOST_DRAWN = 250000 };

// All cases, row by row: the axes, then the measures; NAN where there is no value.
typedef struct SweepCloud {
  const Sweep *sweep;
  uint64_t cases;
  double *cells;
} SweepCloud;

// Writes sweep.gp and sweep.dat into the folder and draws sweep.svg. QDOT_NO_PROGRAM without
// gnuplot, and where no case has a value.
Status sweep_draw(Context *cx, const SweepCloud *cloud, const char *folder);

#endif
