// Numbers for the symbols of a model.
#ifndef QDOT_MODEL_VALUES_H
#define QDOT_MODEL_VALUES_H

#include "model/model.h"

// An array by symbol_variable, for expr_eval: parameters and inputs at their values, all other
// symbols 0. In the arena, with room for every symbol made so far. A parameter whose value is not
// finite is an error that names it.
Status model_values(Context *cx, const Model *model, Arena *arena, double **out);

// Are both measured alike? What is not known is like what is not known.
bool measure_is_alike(const Measure *a, const Measure *b);
// The size of the largest parameter that is measured like `kind`; 0 where there is none.
double model_parameter_size(Context *cx, const Model *model, const double *values,
                            const Measure *kind);

#endif
