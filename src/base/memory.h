// Where all memory of a context comes from: counted, limited, and made to fail by tests.
#ifndef QDOT_BASE_MEMORY_H
#define QDOT_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Memory {
  void *(*take)(void *user, size_t size); // NULL when there is none
  void (*give)(void *user, void *block, size_t size);
  bool gives_zeros; // blocks are zero when they are taken: pages nobody writes to cost nothing
  void *user;
  size_t used, peak, limit; // bytes; a limit of 0 means none
  bool is_refused;          // the machine had no more, whatever the limit
  size_t first_block;       // bytes of an arena's first block; later ones double
  size_t largest_block;     // up to this, larger only for a single large allocation
} Memory;

// The C library's heap, without a limit.
Memory memory_defaults(void);

// NULL when the limit or the machine is exhausted.
void *memory_take(Memory *memory, size_t size);
void memory_give(Memory *memory, void *block, size_t size);

#endif
