// The boundary: one call, one guard, one clock.
#include "api/api_call.h"

Status api_call(Context *cx, Status (*body)(void *argument), void *argument) {
  Mark mark = arena_mark(&cx->scratch);
  context_start_clock(cx);
  Status status = guard_run(&cx->guard, body, argument);
  arena_release(&cx->scratch, mark);
  return status;
}
