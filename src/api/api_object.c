// Objects that lie in their own memory.
#include "api/api_object.h"

#include "api/api_call.h"

static void close_arena(void *object) {
  Arena arena = *(Arena *)object;
  arena_close(&arena);
}

void *object_new(Context *cx, size_t size) {
  Arena arena;
  arena_open(&arena, &cx->memory, &cx->guard);
  Object *object = arena_alloc(&arena, size);
  *object = (Object){.cx = cx, .arena = arena};
  guard_register(&cx->guard, &object->handle, &object->arena, close_arena);
  object_enter(object);
  return object;
}

void object_enter(void *entered) {
  Object *object = entered;
  object->cx->results = &object->arena;
}

void object_close(void *closed) {
  Object *object = closed;
  if (object) guard_close(&object->cx->guard, &object->handle);
}

void *object_of(Context *cx, Status status, void *object) {
  if (status == QDOT_OK) return object;
  // an escape has closed what the call had opened
  if (!api_was_left(cx)) object_close(object);
  return NULL;
}
