// Bump allocation with marks. An arena owns everything in it; nothing is freed one by one.
#ifndef QDOT_BASE_ARENA_H
#define QDOT_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/guard.h"
#include "base/memory.h"

typedef struct ArenaBlock ArenaBlock;

typedef struct Arena {
  Memory *memory;
  Guard *guard;
  ArenaBlock *top;   // newest block
  ArenaBlock *spare; // one that was released, for the next that is needed; or NULL
  size_t next_size;
} Arena;

typedef struct Mark {
  ArenaBlock *block;
  size_t used;
} Mark;

void arena_open(Arena *arena, Memory *memory, Guard *guard);
void arena_close(Arena *arena);

// size bytes, zeroed, aligned for any type. Never NULL: exhaustion escapes to the guard.
void *arena_alloc(Arena *arena, size_t size);
// A copy of size bytes followed by a zero byte.
char *arena_copy(Arena *arena, const void *bytes, size_t size);

// arena_release gives back all that was allocated since the mark was taken.
Mark arena_mark(const Arena *arena);
void arena_release(Arena *arena, Mark mark);

// n * size with a check for overflow; escapes with QDOT_TOO_LARGE.
size_t arena_size(Arena *arena, size_t n, size_t size);

#define arena_array(arena, type, n)                                                                \
  ((type *)arena_alloc((arena), arena_size((arena), (size_t)(n), sizeof(type))))
#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))

#endif
