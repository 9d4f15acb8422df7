// The directions in which slopes of a run are taken: parameters and inputs, with all that is
// computed from them, and start values.
#ifndef QDOT_SIM_DIRECTIONS_H
#define QDOT_SIM_DIRECTIONS_H

#include "model/model.h"

typedef struct Directions {
  uint32_t n;
  const uint32_t *places; // numbers of parameters; inputs behind these; then q, q' and states,
                          // whose start it is
} Directions;

// The place of what is varied; -1 with a diagnostic where the formulation at hand has none.
int directions_place(Context *cx, const Model *model, const Varied *varied);

// The number of the start (among q, q', states) that direction j is, or -1.
int directions_start(const Model *model, const Directions *directions, uint32_t j);
// Is the start of this number a direction of its own?
bool directions_have_start(const Model *model, const Directions *directions, uint32_t number);

// How the parameters, then the inputs of a model change along direction j: expressions of
// parameters. What is a direction of its own does not follow others.
void directions_rates(Context *cx, const Model *model, const Directions *directions, uint32_t j,
                      Expr *out);
// The same as numbers; values: by symbol_variable.
void directions_values(Context *cx, const Model *model, const Directions *directions, uint32_t j,
                       const double *values, double *out);
// What the values of the model make of d e / d (direction j), for an e of parameters and inputs.
double directions_slope(Context *cx, const Model *model, const Directions *directions, uint32_t j,
                        const double *values, Expr e);

#endif
