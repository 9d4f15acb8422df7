// The sentences of statuses.
#include "base/status_text.h"

const char *status_text(qdot_status status) {
  static const char *const sentence[] = {
#define QDOT_STATUS_SENTENCE(name, number, text) [name] = text,
      QDOT_STATUS_TABLE(QDOT_STATUS_SENTENCE)
#undef QDOT_STATUS_SENTENCE
  };
  unsigned index = (unsigned)status;
  return index < sizeof sentence / sizeof *sentence ? sentence[index] : "unknown status";
}
