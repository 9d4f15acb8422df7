// Charts of analyses.
// Sources: api_response.c
#ifndef QDOT_API_CHART_H
#define QDOT_API_CHART_H

#include "chart/chart.h"

// Draws it into the folder. Without gnuplot its script and data are left, which is not a failure.
Status api_draw_chart(Context *cx, const char *folder, const Chart *chart);
// The same for a chart that a report shows, on a page and on paper.
Status api_draw_answer(Context *cx, const char *folder, const Chart *chart);

#endif
