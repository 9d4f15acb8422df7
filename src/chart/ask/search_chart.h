// Measurements beside the motion that fits them, and what two aims cost each other.
#ifndef QDOT_CHART_ASK_SEARCH_CHART_H
#define QDOT_CHART_ASK_SEARCH_CHART_H

#include "ask/find.h"
#include "ask/fit.h"
#include "chart/chart.h"

// A chart for each signal: data and motion, and below them what is left. In scratch memory.
Chart fit_chart(const Fit *fit, uint32_t curve);
// The trade-off curve of two aims; without panels where there is none.
Chart find_chart(const Find *find);

#endif
