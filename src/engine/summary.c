// The table of what a run says of itself.
#include "engine/summary.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "solve/method.h"

static bool summary_method_takes(const SimSummary *s, const char *option) {
  return s->method && method_takes(method_find(s->method), option);
}

#define FIELD(kind, name, key, said, unit, sentence)                                               \
  static bool has_##name(const SimSummary *s) {                                                    \
    (void)s;                                                                                       \
    return said;                                                                                   \
  }
#include "engine/summary.def"
#undef FIELD

const SummaryField summary_fields[SUMMARY_FIELDS] = {
#define FIELD(kind, name, key, said, unit, sentence)                                               \
  [FIELD_##name] = {SUMMARY_##kind, offsetof(SimSummary, name), #name, key, unit, has_##name},
#include "engine/summary.def"
#undef FIELD
};

const char *summary_group(const SummaryField *field, Arena *arena) {
  const char *dot = strchr(field->key, '.');
  return dot ? arena_copy(arena, field->key, (size_t)(dot - field->key)) : "";
}

const char *summary_key(const SummaryField *field) {
  const char *dot = strchr(field->key, '.');
  return dot ? dot + 1 : field->key;
}

// ---- Words

static const char *const stops[] = {[STOPPED_NOT] = NULL,
                                    [STOPPED_USER] = "user",
                                    [STOPPED_LIMIT] = "limit",
                                    [STOPPED_BLOW_UP] = "blow-up"};

const char *stopped_text(Stopped stopped) { return stops[stopped]; }

Stopped stopped_from_text(const char *text) {
  for (size_t i = 1; text && i < sizeof stops / sizeof *stops; i++)
    if (strcmp(text, stops[i]) == 0) return (Stopped)i;
  return STOPPED_NOT;
}

const char *sim_event_text(SimEventKind kind) {
  static const char *const names[SIM_EVENT_KINDS] = {"impact", "contact", "release", "jump",
                                                     "stick",  "slip",    "reset",   "stop"};
  return names[kind];
}

bool sim_event_is_of_contact(SimEventKind kind) { return kind <= SIM_RELEASE; }

bool sim_event_is_of_model(SimEventKind kind) { return kind == SIM_RESET || kind == SIM_STOP; }

EventOwner sim_event_owner(const SimEvent *e, const EventCounts *counts, uint32_t *number) {
  bool sticks = e->kind == SIM_STICK || e->kind == SIM_SLIP;
  uint32_t contact = counts->coordinates, joint = contact + counts->contacts;
  uint32_t rolling = joint + counts->frictions;
  uint32_t rows = e->kind == SIM_JUMP ? counts->constraints : 0;
  *number = e->number;
  if (sim_event_is_of_model(e->kind)) return EVENT_OF_MODEL;
  if (sim_event_is_of_contact(e->kind)) return EVENT_OF_CONTACT;
  if (sticks && e->number >= rolling) {
    *number = e->number - rolling + counts->contacts;
    return EVENT_OF_SLIP;
  }
  if (sticks && e->number >= joint) {
    *number = e->number - joint;
    return EVENT_OF_JOINT_FRICTION;
  }
  if (sticks && e->number >= contact) {
    *number = e->number - contact;
    return EVENT_OF_CONTACT;
  }
  if (e->number < rows) return EVENT_OF_CONSTRAINT;
  *number = e->number - rows;
  return EVENT_OF_COORDINATE;
}
