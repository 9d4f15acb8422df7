// What a public system consists of.
#ifndef QDOT_API_API_SYSTEM_H
#define QDOT_API_API_SYSTEM_H

#include "derive/system.h"
#include "qdot/qdot.h"

struct qdot_system {
  System *system;
  double seconds; // that reading and deriving took
};

#endif
