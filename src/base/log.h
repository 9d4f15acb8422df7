// Messages for whoever embeds the library: levels and one callback; the library never prints.
#ifndef QDOT_BASE_LOG_H
#define QDOT_BASE_LOG_H

#include "qdot/log_level.h"

typedef struct Log {
  qdot_log_level level; // messages above it are dropped
  void (*write)(void *user, qdot_log_level level, const char *line);
  void *user;
} Log;

// Each line starts with its module: log_line(&cx->log, QDOT_LOG_INFO, "sim: ...").
void log_line(const Log *log, qdot_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
