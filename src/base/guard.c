// Non-local exit for exhaustion and cancellation.
#include "base/guard.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

static void close_handles(Guard *guard) {
  while (guard->handles != guard->outer) {
    Handle *handle = guard->handles;
    guard->handles = handle->next;
    handle->close(handle->object);
  }
}

// Polls stand where nothing is half made, so that work can go on after them; memory may run out
// anywhere.
static bool is_passing(Status why) { return why == QDOT_CANCELLED || why == QDOT_TIMEOUT; }

Status guard_run(Guard *guard, Status (*body)(void *argument), void *argument) {
  if (guard->status != QDOT_OK) return guard->status;
  // A nested call keeps the outer target: an escape always ends the outermost body.
  if (guard->target) return body(argument);
  jmp_buf target;
  guard->outer = guard->handles;
  guard->target = &target;
  guard->has_escaped = false;
  Status status;
  if (setjmp(target) == 0) {
    status = body(argument);
  } else {
    status = guard->status;
    guard->has_escaped = true;
    if (is_passing(status)) guard->status = QDOT_OK;
  }
  guard->target = NULL;
  return status;
}

_Noreturn void guard_escape(Guard *guard, Status why) {
  assert(why != QDOT_OK);
  if (!guard->target) abort(); // our mistake: work outside the guard
  guard->status = why;
  // Before the jump: handles usually live in the frames that it leaves.
  close_handles(guard);
  longjmp(*guard->target, 1);
}

void guard_register(Guard *guard, Handle *handle, void *object, void (*close)(void *object)) {
  *handle = (Handle){.object = object, .close = close, .next = guard->handles};
  atomic_signal_fence(memory_order_seq_cst); // guard_abandon may come now
  guard->handles = handle;
}

void guard_close(Guard *guard, Handle *handle) {
  Handle **place = &guard->handles;
  while (*place && *place != handle) place = &(*place)->next;
  assert(*place);
  *place = handle->next;
  // A handle of an earlier call may be the one that this call's escape would stop at.
  if (guard->outer == handle) guard->outer = handle->next;
  handle->close(handle->object);
}

void guard_close_all(Guard *guard) {
  guard->outer = NULL;
  close_handles(guard);
}

void guard_abandon(const Guard *guard) {
  for (const Handle *handle = guard->handles; handle; handle = handle->next)
    if (handle->abandon) handle->abandon(handle->object);
}
