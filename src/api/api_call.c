// The boundary: one call, one guard, one clock.
#include "api/api_call.h"

#include "base/room.h"
#include "expr/node.h"

// Nothing can be done with a context one of whose rooms has run out of something.
static void trip_owner(Context *room, Status why) {
  Context *owner = room->owner;
  uint32_t limit = room->limits.nodes;
  owner->is_full = limit && room->exprs && expr_count(room) >= limit;
  owner->guard.status = why;
}

Status api_call(Context *cx, Status (*body)(void *argument), void *argument) {
  if (cx->owner && cx->owner->guard.status != QDOT_OK) return cx->owner->guard.status;
  bool is_inner = cx->guard.target;
  Mark mark = arena_mark(&cx->scratch);
  Arena *results = cx->results;
  context_start_clock(cx);
  Status status = guard_run(&cx->guard, body, argument);
  arena_release(&cx->scratch, mark);
  cx->results = results;
  if (!cx->owner || is_inner) return status;
  room_report(cx);
  if (cx->guard.status != QDOT_OK) trip_owner(cx, cx->guard.status);
  return status;
}

Context *api_room(Context *owner) {
  if (owner->guard.status != QDOT_OK) return NULL;
  Context *room = room_open(owner);
  if (!room) owner->guard.status = QDOT_NO_MEMORY;
  return room;
}
