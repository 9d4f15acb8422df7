// How all that is computed from parameters and inputs changes along directions
// (engine/directions.h).
#ifndef QDOT_SIM_DIRECTION_RATES_H
#define QDOT_SIM_DIRECTION_RATES_H

#include "engine/directions.h"
#include "model/model.h"

// The place of what is varied; -1 with a diagnostic where the formulation at hand has none.
int directions_place(Context *cx, const Model *model, const Varied *varied);

// The symbol of a parameter, or of an input behind all parameters.
Expr directions_symbol(const Model *model, uint32_t place);

// How the parameters, then the inputs of a model change along direction j: expressions of
// parameters. What is a direction of its own does not follow others.
void directions_rates(Context *cx, const Model *model, const Directions *directions, uint32_t j,
                      Expr *out);

#endif
