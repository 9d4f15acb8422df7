// The one setjmp: work that runs out of memory, nodes or time, or is cancelled, ends here.
#ifndef QDOT_BASE_GUARD_H
#define QDOT_BASE_GUARD_H

#include <setjmp.h>
#include <stdbool.h>

#include "qdot/status.h"

typedef qdot_status Status;

// A foreign resource that must be closed when a jump skips its owner.
typedef struct Handle {
  void *object;
  void (*close)(void *object);
  // For a process that ends at once, see guard_abandon; the owner sets it behind guard_register.
  void (*abandon)(void *object);
  struct Handle *next;
} Handle;

typedef struct Guard {
  jmp_buf *target;  // NULL outside guard_run
  Status status;    // why the guard tripped; QDOT_OK while it has not
  bool has_escaped; // the last outermost body was left by a jump
  Handle *handles;  // innermost first
  Handle *outer;    // the innermost one when the outermost guard_run began
} Guard;

// Runs body(argument). Returns its status, or the reason of an escape; after an escape all handles
// registered since are closed. What was cancelled or out of time leaves the guard as it was; after
// any other reason every further guard_run fails at once with the same status.
Status guard_run(Guard *guard, Status (*body)(void *argument), void *argument);

// Leaves the running body. Must be inside guard_run.
_Noreturn void guard_escape(Guard *guard, Status why);

// The handle's memory is the caller's (usually a local variable) and must live until guard_close.
void guard_register(Guard *guard, Handle *handle, void *object, void (*close)(void *object));
// Closes a handle, usually the innermost one.
void guard_close(Guard *guard, Handle *handle);
// Closes all that are left, innermost first.
void guard_close_all(Guard *guard);
// In a signal handler of a process that ends now: removes what must not stay (files that are half
// written, programs that were started). Nothing may be done with the guard afterwards.
void guard_abandon(const Guard *guard);

#endif
