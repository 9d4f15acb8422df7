// Plots of a result: the model's plot lines, or what suits it when it has none.
#ifndef QDOT_CHART_PLOT_H
#define QDOT_CHART_PLOT_H

#include "chart/chart.h"
#include "chart/picture.h"
#include "result/result.h"

// Reads the motion once, however long it is, and draws everything; plots that were in the folder
// before are removed. Without gnuplot the scripts and data are written and the status is
// QDOT_NO_PROGRAM; other failures are QDOT_IO. The list is in the keep arena.
Status plot_result(Context *cx, const Result *result, const PlotOptions *options, PictureList *out);

// The charts of another result, whose own context cx is, for PlotOptions.others; in the keep arena.
Status plot_overlay(Context *cx, const Result *result, const PlotOptions *options, const char *name,
                    PlotOverlay *out);

// Writes and draws charts that somebody else made.
Status plot_charts(Context *cx, const Chart *charts, uint32_t n, const PlotOptions *options);

#endif
