// What a run says of itself at the end, as text and as JSON.
#ifndef QDOT_SHOW_CERTIFICATE_H
#define QDOT_SHOW_CERTIFICATE_H

#include "sim/sim.h"

// How far the result can be trusted comes first, then events, steps, energy balance, residuals.
// results: the file with the rows, or NULL.
void certificate_text(Context *cx, const System *system, const SimSummary *summary,
                      const char *results, bool unicode, Text *out);

// On which the work of a run is measured: what was exchanged, and the largest of the works.
double summary_energy(const SimSummary *summary);

// The document of the contract: method, steps ... stopped.
void certificate_json(Context *cx, const System *system, const SimSummary *summary, Text *out);

// ---- Reading it again

// Reads the document of a run of this model; name is what messages call the text.
Status certificate_read(Context *cx, const Model *model, const char *name, const char *text,
                        size_t length, SimSummary *out);

// With which values from outside a stored result was made.
typedef struct StoredSettings {
  const char *const *settings; // NAME=VALUE
  size_t count;
  const char *formulation; // of bodies, or NULL
} StoredSettings;
Status certificate_settings(Context *cx, const char *name, const char *text, size_t length,
                            StoredSettings *out);

#endif
