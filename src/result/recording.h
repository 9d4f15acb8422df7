// What a run left behind, as pictures need it: rows in order, the names of columns, the events.
#ifndef QDOT_RESULT_RECORDING_H
#define QDOT_RESULT_RECORDING_H

#include "model/model.h"

// Rows one after the other, so that a long result never has to be in memory as a whole.
typedef struct RowSource {
  void *user;
  const double *(*next)(void *user); // the next row until the next call; NULL at the end
  void (*rewind)(void *user);
  Status (*status)(void *user); // why next answered NULL; NULL: there is always an end
} RowSource;

Status rows_status(const RowSource *rows);

typedef enum EventKind { EVENT_IMPACT, EVENT_CONTACT, EVENT_RELEASE, EVENT_OTHER } EventKind;

typedef struct RecordedEvent {
  double t;
  const char *name; // of the contact
  EventKind kind;
  bool stays; // an impact after which the contact is closed
} RecordedEvent;

typedef struct Recording {
  const Model *model;
  uint32_t column_count;
  const char *const *columns; // as in the header: t, q, q', q'', lambda_NAME, outputs, E_kin ...
  RowSource rows;
  uint32_t event_count;
  const RecordedEvent *events; // in order of time
} Recording;

// The column with this name, or -1.
int recording_column(const Recording *recording, const char *name);

// Rows that stand in memory one after the other.
typedef struct RowArray {
  const double *cells;
  uint64_t rows, next;
  uint32_t width;
} RowArray;
RowSource rows_from_array(RowArray *array);

#endif
