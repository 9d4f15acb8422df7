// What will be plotted: charts whose curves wait for the rows.
// Sources: plot_collect.c, plot_default.c, plot_finish.c, plot_plan.c
#ifndef QDOT_CHART_PLOT_PLAN_H
#define QDOT_CHART_PLOT_PLAN_H

#include "analyse/vibration/spectrum.h"
#include "chart/chart.h"
#include "chart/picture.h"
#include "print/quantity.h"
#include "result/sampler.h"

typedef enum CollectKind { COLLECT_TIME, COLLECT_PATH, COLLECT_SPECTRUM } CollectKind;

typedef struct PlannedCurve {
  CollectKind kind;
  uint32_t x, y;      // signals; x of a path only
  const char *label;  // NULL: not in the legend
  bool is_from_start; // less its first value
  double turn;        // an angle brought into half of it to both sides; 0: as it is
  uint32_t wraps;     // so often
  int coordinate;     // that it is, or -1
  // What the rows leave behind
  Thinner thinner;
  ChartJumps jumps;
  PathThinner path;
  SampleStore samples;
  uint64_t seen;     // finite values
  Point first, last; // of those
  double last_t;     // of a path: the time of its last point
  double low, high;  // before wrapping
  uint32_t role;     // 0, or the place in the palette that is kept for it
} PlannedCurve;

typedef struct PlannedPanel {
  ChartPanel panel; // its curves come later
  VEC(PlannedCurve) curves;
  bool is_gap; // of the chart's contact
} PlannedPanel;

typedef struct PlannedChart {
  ChartKind kind;
  const char *description, *names; // see Picture
  uint32_t columns;
  int contact; // whose events are shown; -1 for all
  VEC(PlannedPanel) panels;
} PlannedChart;

typedef struct PlotPlan {
  Context *cx;
  Arena *arena;
  const Result *result;
  const PlotOptions *options;
  VEC(Signal) signals; // the first is t
  VEC(PlannedChart) charts;
} PlotPlan;

PlotPlan plan_plots(Context *cx, Arena *arena, const Result *result, const PlotOptions *options);
// Reads the motion; the times of its first and last row, begin > end when there are none.
Status plan_collect(PlotPlan *plan, double *begin, double *end);
// The chart with its curves, once the rows are read.
Chart plan_finish(PlotPlan *plan, PlannedChart *planned, uint32_t number, double begin, double end);

// ---- Charts of a plot line: plan_time_request and its like

#define CHART(KEY, file, caption)
#define PLOT(KEY, name, word, takes, of_rows, file, caption)                                       \
  void plan_##name##_request(PlotPlan *plan, const PlotRequest *request);
#include "model/plots.def"
#undef PLOT
#undef CHART

// ---- Charts to choose from

typedef struct TimeCurve {
  Expr value;
  const char *name; // as the user writes it
  Quantity quantity;
} TimeCurve;
TimeCurve time_curve(PlotPlan *plan, Expr value, const char *name);
// Curves over time, those of one unit in one panel. Angles that turn are also shown wrapped.
void plan_time(PlotPlan *plan, ChartKind kind, const TimeCurve *curves, uint32_t n);
// Pairs of abscissa and ordinate, each in its own panel.
void plan_phase(PlotPlan *plan, const Curve *curves, uint32_t n);
// Of every coordinate.
void plan_all_phases(PlotPlan *plan);
void plan_energy(PlotPlan *plan);
// Gap and force of a contact, and whether it is closed.
void plan_contact(PlotPlan *plan, uint32_t number);
// The largest violation of a position and of a velocity over time.
void plan_residual(PlotPlan *plan);
void plan_multipliers(PlotPlan *plan);
// What suits the model and is not planned yet; every kind when the options ask for it.
void plan_what_suits(PlotPlan *plan);

#endif
