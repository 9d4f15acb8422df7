// Every public function that works on a context enters the guard here.
#ifndef QDOT_API_API_CALL_H
#define QDOT_API_API_CALL_H

#include "base/context.h"
#include "qdot/qdot.h"

// Runs body(argument) as one call: starts the clock of the context's time limit, and gives the
// scratch memory back at the end. A call that was cancelled or ran out of time is explained by a
// diagnostic, and the context can be used again.
Status api_call(Context *cx, Status (*body)(void *argument), void *argument);
// The last call on the context was left in its middle, and what it had opened is closed.
bool api_was_left(const Context *cx);

// A room of the caller's context for a new model; NULL when the context's status says why not.
Context *api_room(Context *owner);

#endif
