// What a model says, for a terminal.
#ifndef QDOT_PRINT_MODEL_TEXT_H
#define QDOT_PRINT_MODEL_TEXT_H

#include "model/model.h"

// Title, coordinates and parameters with their values and units, and what was inferred.
Status model_text(const Model *model, bool unicode, Text *out);
// Counts, and what the examination of its mechanism has found, as JSON.
Status model_json(const Model *model, Text *out);

#endif
