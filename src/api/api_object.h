// Objects that callers may close: each lies in its own memory, with all that its call found.
#ifndef QDOT_API_API_OBJECT_H
#define QDOT_API_API_OBJECT_H

#include "base/context.h"

// The first member of such an object.
typedef struct Object {
  Context *cx;
  Arena arena;
  Handle handle;
} Object;

// Within a call: a new object, zeroed; from here on the results of the call go to its memory.
void *object_new(Context *cx, size_t size);
// Within another call on the object: the same.
void object_enter(void *object);
// NULL is allowed.
void object_close(void *object);
// After the call that made it: the object, or NULL after a failure, which closes it. It may be NULL
// where the call did not come that far.
void *object_of(Context *cx, Status status, void *object);

#endif
