// Limits and log levels of a context; part of qdot.h.
#ifndef QDOT_LIMITS_H
#define QDOT_LIMITS_H

#include <stddef.h>
#include <stdint.h>

// What a context may use before a call fails with a clear error. 0 means no limit.
typedef struct qdot_limits {
  size_t memory_bytes; // all memory of the context
  uint32_t nodes;      // nodes of the expression graph
  double seconds;      // time of one call
  uint32_t nesting;    // depth of brackets and blocks in a model's text
  uint32_t statements; // statements after loops are expanded
} qdot_limits;

typedef enum qdot_log_level {
  QDOT_LOG_ERROR,
  QDOT_LOG_WARN,
  QDOT_LOG_INFO,
  QDOT_LOG_DEBUG
} qdot_log_level;

#endif
