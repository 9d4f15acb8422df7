// Contexts as the public header shows them.
#include "api/api_options.h"
#include "base/context.h"
#include "qdot/qdot.h"

qdot_context *qdot_context_open(const qdot_limits *limits) {
  qdot_limits given;
  if (!api_options(limits, &given, sizeof given)) return NULL;
  Limits chosen = limits_defaults();
  if (given.memory_bytes) chosen.memory_bytes = given.memory_bytes;
  if (given.nodes) chosen.nodes = given.nodes;
  if (given.seconds > 0) chosen.seconds = given.seconds;
  if (given.nesting) chosen.nesting = given.nesting;
  if (given.statements) chosen.statements = given.statements;
  chosen.own_folder = given.own_folder != 0;
  Memory memory = memory_defaults();
  return context_open(&chosen, &memory);
}

void qdot_context_close(qdot_context *cx) { context_close(cx); }

size_t qdot_context_memory(const qdot_context *cx) {
  if (!cx) return 0;
  return cx->memory.used;
}

int qdot_context_stage(const qdot_context *cx, size_t i, qdot_stage_time *out) {
  if (!cx) return 0;
  WorkStage stage = (WorkStage)(i + 1);
  if (!cx || !out || i + 1 >= STAGES) return 0;
  *out = (qdot_stage_time){stage_text(stage), cx->stages.times[stage], cx->stages.seconds[stage]};
  return 1;
}

void qdot_context_cancel(qdot_context *cx) {
  if (!cx) return;
  cx->cancelled = 1;
}

void qdot_context_abandon(qdot_context *cx) {
  if (!cx) return;
  context_abandon(cx);
}

void qdot_context_log(qdot_context *cx, qdot_log_level level,
                      void (*write)(void *user, qdot_log_level level, const char *line),
                      void *user) {
  if (!cx) return;
  cx->log = (Log){.level = level, .write = write, .user = user};
  for (Context *room = cx->rooms; room; room = room->next_room) room->log = cx->log;
}
