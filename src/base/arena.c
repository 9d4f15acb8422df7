// Arenas: a stack of blocks, each twice as large as the one before.
#include "base/arena.h"

#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

struct ArenaBlock {
  ArenaBlock *below;
  size_t size, used; // bytes of data[]
  size_t written;    // of these so many may be other than zero
  alignas(max_align_t) unsigned char data[];
};

void arena_open(Arena *arena, Memory *memory, Guard *guard) {
  *arena = (Arena){.memory = memory, .guard = guard, .next_size = memory->first_block};
}

static void free_block(Arena *arena, ArenaBlock *block) {
  if (block) memory_give(arena->memory, block, sizeof *block + block->size);
}

// The larger of it and the spare one stays for later: work that marks, allocates and releases at
// the edge of a block would otherwise ask the heap every time.
static void drop_top(Arena *arena) {
  ArenaBlock *block = arena->top;
  arena->top = block->below;
  bool keeps = block->size > 0 && block->size <= arena->memory->largest_block &&
               (!arena->spare || arena->spare->size < block->size);
  free_block(arena, keeps ? arena->spare : block);
  if (keeps) arena->spare = block;
}

void arena_close(Arena *arena) {
  while (arena->top) drop_top(arena);
  free_block(arena, arena->spare);
  arena->spare = NULL;
}

static ArenaBlock *take_block(Arena *arena, size_t size) {
  ArenaBlock *block = memory_take(arena->memory, sizeof *block + size);
  if (block || !arena->spare) return block;
  // What is kept for later must not be what is missing now.
  free_block(arena, arena->spare);
  arena->spare = NULL;
  return memory_take(arena->memory, sizeof *block + size);
}

static ArenaBlock *push_block(Arena *arena, size_t at_least) {
  if (arena->spare && arena->spare->size >= at_least) {
    ArenaBlock *block = arena->spare;
    *block = (ArenaBlock){.below = arena->top, .size = block->size, .written = block->written};
    arena->spare = NULL;
    return arena->top = block;
  }
  size_t size = at_least > arena->next_size ? at_least : arena->next_size;
  if (size > SIZE_MAX - sizeof(ArenaBlock)) guard_escape(arena->guard, QDOT_NO_MEMORY);
  ArenaBlock *block = take_block(arena, size);
  if (!block) guard_escape(arena->guard, QDOT_NO_MEMORY);
  *block = (ArenaBlock){
      .below = arena->top, .size = size, .written = arena->memory->gives_zeros ? 0 : size};
  arena->top = block;
  if (arena->next_size < arena->memory->largest_block) arena->next_size *= 2;
  return block;
}

void *arena_alloc(Arena *arena, size_t size) {
  const size_t align = alignof(max_align_t);
  if (size > SIZE_MAX - align) guard_escape(arena->guard, QDOT_NO_MEMORY);
  size = (size + align - 1) / align * align;
  ArenaBlock *block = arena->top;
  if (!block || block->size - block->used < size) block = push_block(arena, size);
  unsigned char *result = block->data + block->used;
  size_t begin = block->used, end = begin + size;
  block->used = end;
  if (begin < block->written)
    memset(result, 0, (end < block->written ? end : block->written) - begin);
  if (end > block->written) block->written = end;
  return result;
}

char *arena_copy(Arena *arena, const void *bytes, size_t size) {
  char *copy = arena_alloc(arena, size + 1);
  if (size) memcpy(copy, bytes, size);
  return copy;
}

Mark arena_mark(const Arena *arena) {
  return (Mark){arena->top, arena->top ? arena->top->used : 0};
}

void arena_release(Arena *arena, Mark mark) {
  while (arena->top != mark.block) drop_top(arena);
  if (arena->top) arena->top->used = mark.used;
}

size_t arena_size(Arena *arena, size_t n, size_t size) {
  if (size && n > SIZE_MAX / size) guard_escape(arena->guard, QDOT_TOO_LARGE);
  return n * size;
}
