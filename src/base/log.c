// Formatting of log lines.
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void log_line(const Log *log, qdot_log_level level, const char *format, ...) {
  if (!log->write || level > log->level) return;
  char line[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  log->write(log->user, level, line);
}
