// The limits of a context that was opened without any.
#include "base/limits.h"

Limits limits_defaults(void) {
  return (Limits){.memory_bytes = (size_t)4 << 30,
                  .nodes = 50 * 1000 * 1000,
                  .nesting = 500,
                  .statements = 1000 * 1000};
}
