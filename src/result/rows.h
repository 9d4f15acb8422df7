// Rows one after the other, so that a long result never has to be in memory as a whole.
#ifndef QDOT_RESULT_ROWS_H
#define QDOT_RESULT_ROWS_H

#include "base/context.h"

typedef struct RowSource {
  void *user;
  const double *(*next)(void *user); // the next row until the next call; NULL at the end
  void (*rewind)(void *user);
  Status (*status)(void *user);        // why next answered NULL; NULL: there is always an end
  bool (*pass)(void *user, double *t); // over the next row, of which only the time is wanted
} RowSource;

Status rows_status(const RowSource *rows);
// Passes over the next row; its time is in column `time`. False at the end.
bool rows_pass(const RowSource *rows, int time, double *t);

// Rows that stand in memory one after the other.
typedef struct RowArray {
  const double *cells;
  uint64_t rows, next;
  uint32_t width;
} RowArray;
RowSource rows_from_array(RowArray *array);

#endif
