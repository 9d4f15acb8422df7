// What a run says of itself at the end: its JSON, written and read.
#ifndef QDOT_RESULT_CERTIFICATE_H
#define QDOT_RESULT_CERTIFICATE_H

#include "sim/sim.h"

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
