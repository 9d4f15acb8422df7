// What a run says of itself at the end, as text and as JSON.
#ifndef QDOT_SHOW_CERTIFICATE_H
#define QDOT_SHOW_CERTIFICATE_H

#include "sim/sim.h"

// How far the result can be trusted comes first, then events, steps, energy balance, residuals.
// results: the file with the rows, or NULL.
void certificate_text(Context *cx, const System *system, const SimSummary *summary,
                      const char *results, bool unicode, Text *out);

// The document of the contract: method, steps ... stopped.
void certificate_json(Context *cx, const System *system, const SimSummary *summary, Text *out);

#endif
