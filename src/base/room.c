// Rooms and what they report.
#include "base/room.h"

#include <string.h>

static void *take(void *owner, size_t size) { return memory_take(owner, size); }
static void give(void *owner, void *block, size_t size) { memory_give(owner, block, size); }

Context *room_open(Context *owner) {
  Memory memory = owner->memory;
  memory.take = take, memory.give = give, memory.user = &owner->memory;
  memory.used = memory.peak = 0;
  Context *room = context_open(&owner->limits, &memory);
  if (!room) return NULL;
  room->owner = owner;
  room->log = owner->log;
  room->next_room = owner->rooms;
  owner->rooms = room;
  return room;
}

void room_close(Context *room) {
  Context **place = &room->owner->rooms;
  while (*place != room) place = &(*place)->next_room;
  *place = room->next_room;
  context_close(room);
}

// ---- Reports

static const char *copy_text(Arena *arena, const char *text) {
  return text ? arena_copy(arena, text, strlen(text)) : NULL;
}

// The owner's copy of a source of the room.
static uint32_t report_source(Context *room, uint32_t number) {
  Context *owner = room->owner;
  Source *source = &room->sources.at[number];
  if (source->reported_in != owner->reports) {
    source->reported_as =
        source_add(&owner->told, &owner->sources, source->name, source->text, source->length);
    owner->sources.at[source->reported_as].has_no_text = source->has_no_text;
    source->reported_in = owner->reports;
  }
  return source->reported_as;
}

static Status hand_over(void *argument) {
  Context *room = argument, *owner = room->owner;
  const Diagnostics *all = &room->diagnostics;
  for (uint32_t i = 0; i < room->sources.n; i++) report_source(room, i); // in their order
  for (uint32_t i = 0; i < all->list.n; i++) {
    Diagnostic d = all->list.at[i];
    if (d.has_span) d.span.source = report_source(room, d.span.source);
    if (d.has_second) d.second.source = report_source(room, d.second.source);
    d.message = copy_text(&owner->told, d.message);
    d.label = copy_text(&owner->told, d.label);
    d.second_label = copy_text(&owner->told, d.second_label);
    d.note = copy_text(&owner->told, d.note);
    d.suggestion = copy_text(&owner->told, d.suggestion);
    diag_take(owner, &owner->told, d);
  }
  // counted by the room, but not kept
  uint32_t kept_errors = 0, kept = all->list.n;
  for (uint32_t i = 0; i < kept; i++) kept_errors += all->list.at[i].severity == SEVERITY_ERROR;
  owner->diagnostics.errors += all->errors - kept_errors;
  owner->diagnostics.warnings += all->warnings - (kept - kept_errors);
  owner->diagnostics.dropped += all->dropped;
  return QDOT_OK;
}

void room_report(Context *room) {
  if (room->diagnostics.errors + room->diagnostics.warnings == 0) return;
  guard_run(&room->owner->guard, hand_over, room);
  room->diagnostics = (Diagnostics){0};
}

void room_forget_reports(Context *owner) {
  owner->diagnostics = (Diagnostics){0};
  if (!owner->told.top) return;
  owner->sources = (Sources){0};
  arena_close(&owner->told);
  owner->reports++;
}
