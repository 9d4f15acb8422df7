// Inputs and parameters, from their variables to the places where programs read them.
#include "support/equation_values.h"

const System *equations_system(const Equations *e) {
  return ((const EquationMaker *)e->maker.user)->system;
}

const Row *equations_row(const Equations *e, uint32_t row) {
  return ((const EquationMaker *)e->maker.user)->rows[row];
}

void equations_set_values(const Equations *e, const double *values, double *in) {
  const Model *model = equations_system(e)->model;
  for (uint32_t i = 0; i < model->inputs.n; i++)
    in[e->layout.u + i] = values[symbol_variable(e->cx, model->inputs.at[i].symbol)];
  for (uint32_t i = 0; i < model->parameters.n; i++)
    in[e->layout.parameters + i] = values[symbol_variable(e->cx, model->parameters.at[i].symbol)];
}
