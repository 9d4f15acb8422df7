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
