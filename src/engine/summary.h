// What a run says of itself at the end, and the table of its fields.
#ifndef QDOT_ENGINE_SUMMARY_H
#define QDOT_ENGINE_SUMMARY_H

#include <stdint.h>

#include "base/remark.h"
#include "base/vec.h"
#include "engine/stretch.h"

typedef enum SimEventKind {
  SIM_IMPACT,
  SIM_CONTACT,
  SIM_RELEASE,
  SIM_JUMP,
  SIM_STICK,
  SIM_SLIP,
  SIM_RESET,
  SIM_STOP,
  SIM_EVENT_KINDS
} SimEventKind;
const char *sim_event_text(SimEventKind kind);
bool sim_event_is_of_contact(SimEventKind kind);
bool sim_event_is_of_model(SimEventKind kind); // of a `when` or a `stop`

typedef struct SimEvent {
  double t;
  uint32_t number; // of the contact; of a jump: the constraint's, then the coordinate's behind
                   // them; of what sticks or slips: the first coordinate that it depends on;
                   // of a reset or stop: the model's event
  SimEventKind kind;
  double before, after; // of an impact: speed of approach, d(phi)/dt
  bool closes;          // an impact after which the contact stays closed, pressed together
} SimEvent;

// To whom it happens, with the number in the list of these; slips are the resistances to rolling.
typedef enum EventOwner {
  EVENT_OF_CONTACT,
  EVENT_OF_SLIP,
  EVENT_OF_JOINT_FRICTION,
  EVENT_OF_CONSTRAINT,
  EVENT_OF_COORDINATE,
  EVENT_OF_MODEL
} EventOwner;
typedef struct EventCounts {
  uint32_t coordinates, constraints, contacts, frictions; // the latter of joints
} EventCounts;
EventOwner sim_event_owner(const SimEvent *event, const EventCounts *counts, uint32_t *number);

typedef enum Stopped { STOPPED_NOT, STOPPED_USER, STOPPED_LIMIT, STOPPED_BLOW_UP } Stopped;
// "user", "limit", "blow-up"; NULL for a run that reached its end. And back, from any text.
const char *stopped_text(Stopped stopped);
Stopped stopped_from_text(const char *text);

// A residual with the row and time at which it was largest; row among constraints, then contacts.
typedef struct Worst {
  double value, t;
  int row;
} Worst;

// The kinds of fields, and what each is in C.
#define SUMMARY_KINDS(KIND)                                                                        \
  KIND(TEXT, const char *) /* or NULL */                                                           \
  KIND(REMARK, Remark)                                                                             \
  KIND(FLAG, bool)                                                                                 \
  KIND(NUMBER, double) /* 0 where a document says nothing */                                       \
  KIND(MAYBE, double)  /* NaN where a document says nothing */                                     \
  KIND(WHOLE, int64_t)                                                                             \
  KIND(COUNT, uint32_t)                                                                            \
  KIND(COORDINATE, uint32_t) /* its number; its name in documents */                               \
  KIND(WORST, Worst)                                                                               \
  KIND(STOP, Stopped)

#define KIND(kind, type) typedef type SummaryType_##kind;
SUMMARY_KINDS(KIND)
#undef KIND
#define KIND(kind, type) SUMMARY_##kind,
typedef enum SummaryKind { SUMMARY_KINDS(KIND) SUMMARY_KIND_COUNT } SummaryKind;
#undef KIND

typedef struct SimSummary {
#define FIELD(kind, name, key, said, unit, sentence) SummaryType_##kind name;
#include "engine/summary.def"
#undef FIELD
  VEC(SimEvent) events;
  double *measures;       // in the model's order; NAN: no value. NULL without any
  double *measure_slopes; // measures x directions; NAN where there is none, and
  const char **undefined; // by measure why there is none, else NULL
  Extremes *extremes;     // by column, of the whole motion; NULL where it was not kept
  Status failure;         // why a run ended early, QDOT_OK otherwise
  // guesses did not close: so many motions were free, so many without a kept value, and what
  // would decide those
  uint32_t free_motions, chosen_motions;
  const char *would_keep;
  // the fastest coordinate that starts to move though nobody gave it a velocity and no constraint
  // contains it: 1 + its number, 0 for none
  uint32_t thrown;
  double thrown_velocity;
} SimSummary;

typedef enum SummaryFieldId {
#define FIELD(kind, name, key, said, unit, sentence) FIELD_##name,
#include "engine/summary.def"
#undef FIELD
  SUMMARY_FIELDS
} SummaryFieldId;

typedef struct SummaryField {
  SummaryKind kind;
  size_t offset;    // in SimSummary
  const char *name; // in C
  const char *key;  // in documents, or NULL
  const char *unit;
  bool (*is_said)(const SimSummary *summary);
} SummaryField;

extern const SummaryField summary_fields[SUMMARY_FIELDS];

// Where the field lies; its type is that of its kind.
static inline void *summary_at(SimSummary *summary, const SummaryField *field) {
  return (char *)summary + field->offset;
}
static inline const void *summary_get(const SimSummary *summary, const SummaryField *field) {
  return (const char *)summary + field->offset;
}

// The object in which the field stands, "" for the document itself, and its key there.
const char *summary_group(const SummaryField *field, Arena *arena);
const char *summary_key(const SummaryField *field);

#endif
