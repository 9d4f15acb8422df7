// Opening, closing and limiting a context.
#include "base/context.h"

#include <string.h>
#include <time.h>

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

double context_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void context_start_clock(Context *cx) {
  cx->deadline = cx->limits.seconds > 0 ? context_seconds() + cx->limits.seconds : 0;
}

void context_poll(Context *cx) {
  bool cancelled = cx->cancelled || (cx->owner && cx->owner->cancelled);
  if (cancelled) guard_escape(&cx->guard, QDOT_CANCELLED);
  if (cx->deadline > 0 && context_seconds() > cx->deadline) guard_escape(&cx->guard, QDOT_TIMEOUT);
}
