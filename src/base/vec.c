// Growth of arena arrays.
#include "base/vec.h"

#include <string.h>

void *vec_grow(Arena *arena, void *old, size_t item_size, uint32_t *capacity) {
  if (*capacity > UINT32_MAX / 2) guard_escape(arena->guard, QDOT_TOO_LARGE);
  uint32_t larger = *capacity ? 2 * *capacity : 8;
  void *grown = arena_alloc(arena, arena_size(arena, larger, item_size));
  if (*capacity) memcpy(grown, old, *capacity * item_size);
  *capacity = larger;
  return grown;
}
