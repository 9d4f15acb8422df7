// Status sentences and version.
#include "base/status_text.h"
#include "qdot/qdot.h"

const char *qdot_status_text(qdot_status status) { return status_text(status); }

const char *qdot_version(void) { return QDOT_VERSION; }

int qdot_version_number(void) { return QDOT_VERSION_NUMBER; }
