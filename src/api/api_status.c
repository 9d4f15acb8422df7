// Status sentences, version and default limits.
#include "base/status_text.h"
#include "qdot/qdot.h"

const char *qdot_status_text(qdot_status status) { return status_text(status); }

const char *qdot_version(void) { return QDOT_VERSION; }

qdot_limits qdot_limits_defaults(void) {
  return (qdot_limits){.memory_bytes = (size_t)4 << 30,
                       .nodes = 50 * 1000 * 1000,
                       .nesting = 500,
                       .statements = 1000 * 1000};
}
