// Bode plots of frequency responses, and charts of root loci.
#ifndef QDOT_CHART_RESPONSE_CHART_H
#define QDOT_CHART_RESPONSE_CHART_H

#include "analyse/excited/random_response.h"
#include "analyse/excited/synchronous.h"
#include "analyse/vibration/locus.h"
#include "analyse/vibration/response.h"
#include "chart/chart.h"

// Gain and phase over the frequency, all pairs in one picture; "response". In the scratch arena.
Chart response_chart(Context *cx, const Model *model, const Response *response);
// Densities of outputs over the frequency, those of one unit in one panel; "density".
Chart random_chart(Context *cx, const Linearized *l, const Response *response,
                   const RandomResponse *random);
// Amplitude and phase over the speed of a rotor; "synchronous".
Chart synchronous_chart(Context *cx, const Model *model, const Synchronous *synchronous);
// Frequencies and the real parts of eigenvalues over the parameter; "sweep".
Chart locus_chart(Context *cx, const Model *model, const Locus *locus);

#endif
