// Eigenvalues in the complex plane, with what bounds the stable ones.
#ifndef QDOT_CHART_EIGENVALUE_CHART_H
#define QDOT_CHART_EIGENVALUE_CHART_H

#include "analyse/vibration/modes.h"
#include "chart/chart.h"

// Of a sampled loop with the unit circle, else with the imaginary axis; "eigenvalues". In the
// scratch arena.
Chart eigenvalue_chart(Context *cx, const Modes *modes);

#endif
