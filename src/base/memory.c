// Counted and limited blocks for the arenas.
#include "base/memory.h"

#include <stdlib.h>

static void *take_from_heap(void *user, size_t size) {
  (void)user;
  return calloc(1, size);
}

static void give_to_heap(void *user, void *block, size_t size) {
  (void)user, (void)size;
  free(block);
}

Memory memory_defaults(void) {
  return (Memory){.take = take_from_heap,
                  .give = give_to_heap,
                  .gives_zeros = true,
                  .first_block = 16384,
                  .largest_block = (size_t)1 << 20};
}

void *memory_take(Memory *memory, size_t size) {
  if (memory->limit && (size > memory->limit || memory->used > memory->limit - size)) return NULL;
  void *block = memory->take(memory->user, size);
  if (!block) memory->is_refused = true;
  if (!block) return NULL;
  memory->used += size;
  if (memory->used > memory->peak) memory->peak = memory->used;
  return block;
}

void memory_give(Memory *memory, void *block, size_t size) {
  memory->used -= size;
  memory->give(memory->user, block, size);
}
