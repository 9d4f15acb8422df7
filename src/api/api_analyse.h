// What a public linearization consists of.
#ifndef QDOT_API_API_ANALYSE_H
#define QDOT_API_API_ANALYSE_H

#include "analyse/vibration/modes.h"
#include "qdot/qdot.h"

struct qdot_linear {
  Linearized linearized;
  bool has_modes;
  Modes modes;
  double *values; // of parameters and inputs, by variable
};

// Why a linearization has no modes.
Status api_no_modes(const qdot_linear *linear, const char *what);

#endif
