// Numbers for the symbols of a model.
#ifndef QDOT_MODEL_VALUES_H
#define QDOT_MODEL_VALUES_H

#include "model/model.h"

// An array by symbol_variable, for expr_eval: parameters and inputs at their values, all other
// symbols 0. In the arena, with room for every symbol made so far. A parameter whose value is not
// finite is an error that names it.
Status model_values(Context *cx, const Model *model, Arena *arena, double **out);

#endif
