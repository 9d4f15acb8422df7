// Momenta that results name, as what they are.
#ifndef QDOT_DERIVE_MOMENTA_H
#define QDOT_DERIVE_MOMENTA_H

#include "model/model.h"

// In outputs, plots, measures and drawings of the model, p_x becomes dL/dx'. Nothing where they
// name none.
void momenta_put(Model *model);
// All that the text says in momenta, see from_hamiltonian.h, then the same. *model may become a
// copy.
Status momenta_take(Model **model);
// The same in one expression.
Expr momenta_open(const Model *model, Expr e);

#endif
