// Bode plots of frequency responses, and charts of sweeps.
#ifndef QDOT_CHART_RESPONSE_CHART_H
#define QDOT_CHART_RESPONSE_CHART_H

#include "analyse/vibration/response.h"
#include "analyse/vibration/sweep.h"
#include "chart/chart.h"

// Gain and phase over the frequency, all pairs in one picture; "response". In the scratch arena.
Chart response_chart(Context *cx, const Model *model, const Response *response);
// Frequencies and the real parts of eigenvalues over the parameter; "sweep".
Chart sweep_chart(Context *cx, const Model *model, const Sweep *sweep);

#endif
