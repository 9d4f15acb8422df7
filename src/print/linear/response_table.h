// Frequency responses and root loci as tables: CSV files.
#ifndef QDOT_PRINT_LINEAR_RESPONSE_TABLE_H
#define QDOT_PRINT_LINEAR_RESPONSE_TABLE_H

#include "analyse/excited/random_response.h"
#include "analyse/vibration/locus.h"
#include "analyse/vibration/response.h"

// frequency_hz, then gain(y/u) and phase_deg(y/u) of every pair.
Status response_csv(Context *cx, const Response *response, const char *path);
// frequency_hz, then density(y) of every output, density(y W_k) of what is weighted.
Status random_csv(Context *cx, const Response *response, const RandomResponse *random,
                  const char *path);
// The parameter, unstable (0 or 1), then hz_k, damping_k of every mode by modulus and re_k, im_k of
// every eigenvalue; empty where there are fewer.
Status locus_csv(Context *cx, const Locus *locus, const char *path);

#endif
