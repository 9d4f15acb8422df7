// Coordinates with damping and without inertia, for those who follow the motion.
#ifndef QDOT_DERIVE_OVERDAMPED_H
#define QDOT_DERIVE_OVERDAMPED_H

#include "derive/system.h"

// The model in which coordinates that the kinetic energy does not know, but linear damping does,
// are first-order states: c y' = what acts on y. The same model where there are none; else a copy
// in the keep arena. A coordinate that a constraint or contact holds, and one whose
// damping is not linear, stays what it is.
Model *model_overdamped(Model *model);

#endif
