// Charts of several results in one: curves of the same name have the same colour, each result its
// own dashes.
#ifndef QDOT_CHART_OVERLAY_H
#define QDOT_CHART_OVERLAY_H

#include "chart/chart.h"

// Adds the curves of another result's chart to the panels of the same quantities; number: from 1.
void overlay_add(Chart *chart, const Chart *other, uint32_t number, const char *name, Arena *arena);
// Once all are there: names the chart's own curves where others stand beside them.
void overlay_name(Chart *chart, const char *name, Arena *arena);

#endif
