// Contexts as the public header shows them.
#include "base/context.h"
#include "qdot/qdot.h"

qdot_context *qdot_context_open(const qdot_limits *limits) {
  Limits chosen = limits ? *limits : qdot_limits_defaults();
  Memory memory = memory_defaults();
  return context_open(&chosen, &memory);
}

void qdot_context_close(qdot_context *cx) { context_close(cx); }

void qdot_context_cancel(qdot_context *cx) { cx->cancelled = 1; }

void qdot_context_log(qdot_context *cx, qdot_log_level level,
                      void (*write)(void *user, qdot_log_level level, const char *line),
                      void *user) {
  cx->log = (Log){.level = level, .write = write, .user = user};
}
