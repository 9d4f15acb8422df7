// The limits of a context that was opened without any.
#include "base/limits.h"

// Half of what a machine with addresses of 32 bits can have.
#if SIZE_MAX > UINT32_MAX
#define MEMORY_BYTES ((size_t)4 << 30)
#else
#define MEMORY_BYTES ((size_t)2 << 30)
#endif

Limits limits_defaults(void) {
  return (Limits){.memory_bytes = MEMORY_BYTES,
                  .nodes = 50 * 1000 * 1000,
                  .nesting = 500,
                  .statements = 1000 * 1000};
}
