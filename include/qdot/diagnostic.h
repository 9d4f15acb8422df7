// A diagnostic as data; part of qdot.h.
#ifndef QDOT_DIAGNOSTIC_H
#define QDOT_DIAGNOSTIC_H

#include <stddef.h>
#include <stdint.h>

#include "qdot/status.h"

typedef enum qdot_severity { QDOT_SEVERITY_ERROR = 0, QDOT_SEVERITY_WARNING = 1 } qdot_severity;

// Its texts live until the diagnostics are cleared or the context is closed.
typedef struct qdot_diagnostic {
  qdot_severity severity;
  qdot_status status;     // of an error
  const char *file;       // as it was given; NULL if it belongs to no place
  size_t begin, end;      // the bytes of the file's text that it is about
  uint32_t line, column;  // of the first of them, from 1; the column counts
                          // characters; both 0 in a plan, which has no text
  const char *text;       // what is wrong
  const char *label;      // the words beside the caret, or NULL
  const char *note;       // what can be done about it, or NULL
  const char *suggestion; // what to write in place of these bytes, or NULL
} qdot_diagnostic;

#endif
