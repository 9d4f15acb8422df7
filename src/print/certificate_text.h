// What a run says of itself at the end, for a terminal.
#ifndef QDOT_PRINT_CERTIFICATE_TEXT_H
#define QDOT_PRINT_CERTIFICATE_TEXT_H

#include "result/origin.h"

// How far the result can be trusted comes first, then events, steps, energy balance, residuals.
// results: the file with the rows, or NULL.
void certificate_text(Context *cx, RunOrigin origin, const SimSummary *summary, const char *results,
                      bool unicode, Text *out);

#endif
