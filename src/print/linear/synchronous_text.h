// Responses to unbalance for a terminal, as JSON and as a table.
#ifndef QDOT_PRINT_LINEAR_SYNCHRONOUS_TEXT_H
#define QDOT_PRINT_LINEAR_SYNCHRONOUS_TEXT_H

#include "analyse/excited/synchronous.h"

// Critical speeds and peaks.
void synchronous_text(const System *system, const Synchronous *synchronous, Text *out);
void synchronous_json(const System *system, const Synchronous *synchronous, Text *out);
// speed, then amplitude(y) and phase_deg(y) of every output.
Status synchronous_csv(Context *cx, const Synchronous *synchronous, const char *path);

#endif
