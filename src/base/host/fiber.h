// A call that can be left in its middle and gone on with later: it has a stack of its own.
#ifndef QDOT_BASE_HOST_FIBER_H
#define QDOT_BASE_HOST_FIBER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Fiber {
  void *pages; // of its stack, the lowest of which nobody may touch
  size_t size;
  void *at;     // where it goes on
  void *caller; // where fiber_resume was called
  void (*body)(void *argument);
  void *argument;
  bool is_over;
  // of the address sanitizer: what both sides call their stacks
  void *own_shadow, *caller_shadow;
  const void *caller_bottom;
  size_t caller_size;
} Fiber;

// Is there such a thing on this machine?
bool fiber_available(void);
// A stack, of which memory is taken as it is used; false where there is none.
bool fiber_open(Fiber *fiber);
void fiber_close(Fiber *fiber);

// Begins a call in it; the one before is over, or is forgotten.
void fiber_begin(Fiber *fiber, void (*body)(void *argument), void *argument);
// Goes on with it, until it yields or is over.
void fiber_resume(Fiber *fiber);
// Within it: back to who has resumed it.
void fiber_yield(Fiber *fiber);

#endif
