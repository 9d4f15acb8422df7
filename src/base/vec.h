// A growable array in an arena: struct { T *at; uint32_t n, capacity; }.
#ifndef QDOT_BASE_VEC_H
#define QDOT_BASE_VEC_H

#include <stdint.h>

#include "base/arena.h"

#define VEC(T)                                                                                     \
  struct {                                                                                         \
    T *at;                                                                                         \
    uint32_t n, capacity;                                                                          \
  }

// Appends one value.
#define vec_push(arena, vec, value)                                                                \
  do {                                                                                             \
    if ((vec)->n == (vec)->capacity)                                                               \
      (vec)->at = vec_grow((arena), (vec)->at, sizeof *(vec)->at, &(vec)->capacity);               \
    (vec)->at[(vec)->n++] = (value);                                                               \
  } while (0)

// Twice the room, contents kept; the old array stays in the arena until it is released.
void *vec_grow(Arena *arena, void *old, size_t item_size, uint32_t *capacity);

#endif
