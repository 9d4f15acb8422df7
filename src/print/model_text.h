// What a model says, for a terminal.
#ifndef QDOT_PRINT_MODEL_TEXT_H
#define QDOT_PRINT_MODEL_TEXT_H

#include "model/model.h"

// Title, coordinates and parameters with their values and units, and what was inferred.
Status model_text(const Model *model, bool unicode, Text *out);
// Counts, and what the examination of its mechanism has found, as JSON. problems: what trying the
// lines that ask for something has told, or NULL when nobody has tried.
typedef VEC(Diagnostic) Problems;
Status model_json(const Model *model, const Problems *problems, Text *out);

#endif
