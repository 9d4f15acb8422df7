// Status sentences, version and default limits.
#include "qdot/qdot.h"

const char *qdot_status_text(qdot_status status) {
  static const char *const sentence[] = {
#define QDOT_STATUS_SENTENCE(name, text) [name] = text,
      QDOT_STATUS_TABLE(QDOT_STATUS_SENTENCE)
#undef QDOT_STATUS_SENTENCE
  };
  unsigned index = (unsigned)status;
  return index < sizeof sentence / sizeof *sentence ? sentence[index] : "unknown status";
}

const char *qdot_version(void) { return QDOT_VERSION; }

qdot_limits qdot_limits_defaults(void) {
  return (qdot_limits){.memory_bytes = (size_t)4 << 30,
                       .nodes = 50 * 1000 * 1000,
                       .nesting = 500,
                       .statements = 1000 * 1000};
}
