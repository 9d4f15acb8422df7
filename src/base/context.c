// Opening, closing and limiting a context.
#include "base/context.h"

#include <string.h>

static Status open_tables(void *argument) {
  Context *cx = argument;
  interner_open(&cx->names, &cx->keep);
  return QDOT_OK;
}

Context *context_open(const Limits *limits, const Memory *memory) {
  Memory counted = *memory;
  counted.limit = limits->memory_bytes;
  Context *cx = memory_take(&counted, sizeof *cx);
  if (!cx) return NULL;
  *cx = (Context){.memory = counted, .limits = *limits};
  arena_open(&cx->keep, &cx->memory, &cx->guard);
  arena_open(&cx->scratch, &cx->memory, &cx->guard);
  arena_open(&cx->told, &cx->memory, &cx->guard);
  cx->results = &cx->keep;
  cx->reports = 1;
  cx->stages.since = context_seconds();
  if (guard_run(&cx->guard, open_tables, cx) == QDOT_OK) return cx;
  context_close(cx);
  return NULL;
}

void context_close(Context *cx) {
  if (!cx) return;
  for (Context *next; cx->rooms; cx->rooms = next) {
    next = cx->rooms->next_room;
    context_close(cx->rooms);
  }
  guard_close_all(&cx->guard);
  arena_close(&cx->scratch);
  arena_close(&cx->keep);
  arena_close(&cx->told);
  if (cx->shown) memory_give(&cx->memory, cx->shown, MOST_DIAGNOSTICS * sizeof *cx->shown);
  Memory memory = cx->memory;
  memory_give(&memory, cx, sizeof *cx);
}

Symbol symbol_from_text(Context *cx, const char *text) {
  return intern_bytes(&cx->names, text, strlen(text));
}

const char *symbol_text(const Context *cx, Symbol symbol) {
  return cx->names.names.at[symbol].text;
}

const char *context_text(Context *cx, const char *text) {
  return symbol_text(cx, symbol_from_text(cx, text));
}

void context_start_clock(Context *cx) {
  cx->deadline = cx->limits.seconds > 0 ? context_seconds() + cx->limits.seconds : 0;
}

Status context_due(Context *cx) {
  if (cx->polls_left && --cx->polls_left == 0) return QDOT_CANCELLED;
  if (cx->cancelled || (cx->owner && cx->owner->cancelled)) return QDOT_CANCELLED;
  return cx->deadline > 0 && context_seconds() > cx->deadline ? QDOT_TIMEOUT : QDOT_OK;
}

void context_poll(Context *cx) {
  if (cx->is_patient) return;
  Status due = context_due(cx);
  if (due != QDOT_OK) guard_escape(&cx->guard, due);
}

void context_abandon(const Context *cx) {
  for (const Context *room = cx->rooms; room; room = room->next_room) context_abandon(room);
  guard_abandon(&cx->guard);
}

static StageClock *clock_of(Context *cx) { return cx->owner ? &cx->owner->stages : &cx->stages; }

WorkStage context_enter_stage(Context *cx, WorkStage stage) {
  clock_of(cx)->times[stage]++;
  return context_resume_stage(cx, stage);
}

WorkStage context_resume_stage(Context *cx, WorkStage stage) {
  return stage_change(clock_of(cx), stage, context_seconds());
}

void context_leave_stage(Context *cx, WorkStage interrupted) {
  context_resume_stage(cx, interrupted);
}
