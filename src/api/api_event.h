// Events as the public interface shows them.
// Sources: api_result_numbers.c
#ifndef QDOT_API_EVENT_H
#define QDOT_API_EVENT_H

#include "qdot/qdot.h"
#include "result/origin.h"

qdot_event api_event(RunOrigin origin, const SimEvent *event);

#endif
