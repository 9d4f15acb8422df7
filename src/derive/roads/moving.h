// The model whose motion is followed.
#ifndef QDOT_DERIVE_ROADS_MOVING_H
#define QDOT_DERIVE_ROADS_MOVING_H

#include "model/model.h"

// Coordinates without mass are first-order states of it (overdamped.h), and by Routh's road the
// cyclic ones (roads/routh.h). The same model where there are none; else a copy, made once.
Model *model_moving(Model *model);

#endif
