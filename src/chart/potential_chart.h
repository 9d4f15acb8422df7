// The effective potential of Routh's road.
#ifndef QDOT_CHART_POTENTIAL_CHART_H
#define QDOT_CHART_POTENTIAL_CHART_H

#include "analyse/vibration/stationary.h"
#include "chart/chart.h"

// Over the one coordinate that is left, with its stationary motions and the energy of the start;
// "potential". False where more are left, or none is found. In the scratch arena.
bool potential_chart(Context *cx, const Stationary *stationary, Chart *out);

#endif
