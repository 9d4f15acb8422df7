// Values of a model as programs of its equations read them.
#ifndef QDOT_TESTS_SUPPORT_EQUATION_VALUES_H
#define QDOT_TESTS_SUPPORT_EQUATION_VALUES_H

#include "sim/equation_maker.h"

// The system that programs were written from.
const System *equations_system(const Equations *equations);
// Its row of a constraint or contact, in the order of the programs.
const Row *equations_row(const Equations *equations, uint32_t row);
// Inputs and parameters, by symbol_variable, into an input array of layout.count numbers.
void equations_set_values(const Equations *equations, const double *values, double *in);

#endif
