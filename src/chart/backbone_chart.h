// Amplitude against frequency of one weakly nonlinear coordinate.
#ifndef QDOT_CHART_BACKBONE_CHART_H
#define QDOT_CHART_BACKBONE_CHART_H

#include "analyse/vibration/weakly.h"
#include "chart/chart.h"

// The backbone by Lindstedt and Poincare with computed points on it, and the forced response where
// there is one; "backbone". unit: of the coordinate. In the scratch arena.
Chart backbone_chart(Context *cx, const Weakly *weakly, const char *unit);

#endif
