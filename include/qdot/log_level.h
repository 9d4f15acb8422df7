// Levels of log messages; part of qdot.h.
#ifndef QDOT_LOG_LEVEL_H
#define QDOT_LOG_LEVEL_H

typedef enum qdot_log_level {
  QDOT_LOG_ERROR = 0,
  QDOT_LOG_WARN = 1,
  QDOT_LOG_INFO = 2,
  QDOT_LOG_DEBUG = 3
} qdot_log_level;

#endif
