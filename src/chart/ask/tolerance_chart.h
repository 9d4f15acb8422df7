// Histograms of the measures under tolerances.
#ifndef QDOT_CHART_ASK_TOLERANCE_CHART_H
#define QDOT_CHART_ASK_TOLERANCE_CHART_H

#include "ask/tolerance.h"
#include "chart/chart.h"

// A panel for each measure that varies. In scratch memory.
Chart tolerance_chart(const Tolerance *tolerance);

#endif
