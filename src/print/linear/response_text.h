// Frequency responses and root loci for a terminal, and as JSON.
// Sources: random_text.c, response_json.c, response_text.c
#ifndef QDOT_PRINT_LINEAR_RESPONSE_TEXT_H
#define QDOT_PRINT_LINEAR_RESPONSE_TEXT_H

#include "analyse/excited/random_response.h"
#include "analyse/vibration/locus.h"
#include "analyse/vibration/response.h"

// Static gain and resonances of every pair.
void response_text(const Linearized *l, const Response *response, Text *out);
// A dozen of the steps, and where stability changes.
void locus_text(const System *system, const Locus *locus, Text *out);

// What is random, and the root mean squares of the outputs; nothing where nothing is random.
void random_text(const Linearized *l, const RandomResponse *random, Text *out);

// What random inputs do, without the curves.
void random_json(const Linearized *l, const RandomResponse *random, Text *out);
// With what random inputs do, where there are any.
void response_json(const Linearized *l, const Response *response, const RandomResponse *random,
                   Text *out);
void locus_json(const System *system, const Locus *locus, Text *out);

#endif
