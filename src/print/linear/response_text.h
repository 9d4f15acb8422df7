// Frequency responses and root loci for a terminal, and as JSON.
// Sources: response_json.c, response_text.c
#ifndef QDOT_PRINT_LINEAR_RESPONSE_TEXT_H
#define QDOT_PRINT_LINEAR_RESPONSE_TEXT_H

#include "analyse/vibration/locus.h"
#include "analyse/vibration/response.h"

// Static gain and resonances of every pair.
void response_text(const Linearized *l, const Response *response, Text *out);
// A dozen of the steps, and where stability changes.
void locus_text(const System *system, const Locus *locus, Text *out);

void response_json(const Linearized *l, const Response *response, Text *out);
void locus_json(const System *system, const Locus *locus, Text *out);

#endif
