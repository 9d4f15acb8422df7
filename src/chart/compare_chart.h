// The distance of the formulations' motions over time.
#ifndef QDOT_CHART_COMPARE_CHART_H
#define QDOT_CHART_COMPARE_CHART_H

#include "analyse/compare.h"
#include "chart/chart.h"

// How far the motions are apart over time, on a logarithmic scale; "compare". In the scratch arena.
Chart compare_chart(const Comparison *comparison);

#endif
