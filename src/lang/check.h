// Checks of the whole model once all lines are read.
#ifndef QDOT_LANG_CHECK_H
#define QDOT_LANG_CHECK_H

#include "lang/parse/override.h"
#include "model/model.h"

// Overrides that named nothing are mistakes.
void check_overrides(const Model *model, const Overrides *overrides);
// Mistakes and warnings that no single line shows.
void check_model(Model *model);

#endif
