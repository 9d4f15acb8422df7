// The boundary: one call, one guard, one clock.
#include "api/api_call.h"

#include "base/room.h"
#include "base/status_text.h"
#include "expr/node.h"

// Nothing can be done with a context one of whose rooms has run out of something.
static void trip_owner(Context *room, Status why) {
  Context *owner = room->owner;
  uint32_t limit = room->limits.nodes;
  owner->is_full = limit && room->exprs && expr_count(room) >= limit;
  owner->guard.status = why;
}

typedef struct Ending {
  Context *cx;
  Status why;
} Ending;

static Status record_end(void *argument) {
  const Ending *ending = argument;
  diag_error_plain(ending->cx, ending->why, "%s", status_text(ending->why));
  double seconds = ending->cx->limits.seconds;
  if (ending->why == QDOT_TIMEOUT && seconds > 0)
    diag_note(ending->cx, "the limit is %.6g s", seconds);
  return QDOT_OK;
}

// A call that was cancelled or took too long is over, and the context as before it.
static void end_early(Context *cx, Status why) {
  cx->cancelled = 0;
  cx->deadline = 0;
  if (cx->owner) cx->owner->cancelled = 0;
  Ending ending = {cx, why};
  guard_run(&cx->guard, record_end, &ending);
}

Status api_call(Context *cx, Status (*body)(void *argument), void *argument) {
  if (cx->owner && cx->owner->guard.status != QDOT_OK) return cx->owner->guard.status;
  bool is_inner = cx->guard.target;
  Mark mark = arena_mark(&cx->scratch);
  Arena *results = cx->results;
  if (!is_inner) context_start_clock(cx);
  Status status = guard_run(&cx->guard, body, argument);
  if (is_inner) {
    arena_release(&cx->scratch, mark);
    cx->results = results;
    return status;
  }
  bool has_escaped = cx->guard.has_escaped;
  arena_release(&cx->scratch, mark);
  cx->results = results;
  cx->is_patient = false;
  bool is_early = status == QDOT_CANCELLED || status == QDOT_TIMEOUT;
  if (is_early) end_early(cx, status);
  if (cx->owner) room_report(cx);
  if (cx->owner && cx->guard.status != QDOT_OK) trip_owner(cx, cx->guard.status);
  cx->guard.has_escaped = has_escaped;
  return status;
}

bool api_was_left(const Context *cx) { return cx->guard.has_escaped; }

Context *api_room(Context *owner) {
  if (owner->guard.status != QDOT_OK) return NULL;
  Context *room = room_open(owner);
  if (!room) owner->guard.status = QDOT_NO_MEMORY;
  return room;
}
