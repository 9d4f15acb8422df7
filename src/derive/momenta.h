// Momenta that results name, as what they are.
#ifndef QDOT_DERIVE_MOMENTA_H
#define QDOT_DERIVE_MOMENTA_H

#include "model/model.h"

// In outputs, plots, measures and drawings of the model, p_x becomes dL/dx'. Nothing where they
// name none.
void momenta_put(Model *model);
// The same in one expression.
Expr momenta_open(const Model *model, Expr e);

#endif
