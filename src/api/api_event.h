// Events as the public interface shows them.
// Sources: api_result_numbers.c
#ifndef QDOT_API_EVENT_H
#define QDOT_API_EVENT_H

#include "qdot/qdot.h"
#include "sim/sim.h"

qdot_event api_event(const System *system, const SimEvent *event);

#endif
