// Which parameter does how much: a tornado of bars.
#ifndef QDOT_CHART_ASK_SENSITIVITY_CHART_H
#define QDOT_CHART_ASK_SENSITIVITY_CHART_H

#include "ask/sensitivity.h"
#include "chart/chart.h"

// A panel for each measure that has slopes: bars of what one percent more of each parameter does,
// the longest on top. In scratch memory.
Chart sensitivity_chart(const Sensitivity *sensitivity);

#endif
