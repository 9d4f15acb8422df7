// The names of momenta, as stated or p_x for a coordinate x, and of velocities taken as
// quasi-velocities, u_x, unless the model has such a name already.
#ifndef QDOT_MODEL_MOMENTUM_H
#define QDOT_MODEL_MOMENTUM_H

#include "model/model.h"

// The symbol of a coordinate's momentum, and that of its rate. Momenta are first-order states of
// the canonical equations, and so are their symbols.
Expr momentum_symbol(const Model *model, uint32_t coordinate);
Expr momentum_rate_symbol(const Model *model, uint32_t coordinate);

// The same of a coordinate's velocity where it is a quasi-velocity.
Expr speed_symbol(const Model *model, uint32_t coordinate);
Expr speed_rate_symbol(const Model *model, uint32_t coordinate);

// The coordinate whose momentum has this name, or -1.
int momentum_coordinate(const Model *model, Symbol name);

#endif
