// The sentence that belongs to a status.
#ifndef QDOT_BASE_STATUS_TEXT_H
#define QDOT_BASE_STATUS_TEXT_H

#include "qdot/status.h"

// Never NULL.
const char *status_text(qdot_status status);

#endif
