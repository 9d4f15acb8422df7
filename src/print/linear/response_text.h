// Frequency responses and sweeps for a terminal, and as JSON.
// Sources: response_json.c, response_text.c
#ifndef QDOT_PRINT_LINEAR_RESPONSE_TEXT_H
#define QDOT_PRINT_LINEAR_RESPONSE_TEXT_H

#include "analyse/vibration/response.h"
#include "analyse/vibration/sweep.h"

// Static gain and resonances of every pair.
void response_text(const Linearized *l, const Response *response, Text *out);
// A dozen of the steps, and where stability changes.
void sweep_text(const System *system, const Sweep *sweep, Text *out);

void response_json(const Linearized *l, const Response *response, Text *out);
void sweep_json(const System *system, const Sweep *sweep, Text *out);

#endif
