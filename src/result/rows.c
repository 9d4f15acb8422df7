// Rows in memory as a source.
#include "result/rows.h"

Status rows_status(const RowSource *rows) {
  return rows->status ? rows->status(rows->user) : QDOT_OK;
}

bool rows_pass(const RowSource *rows, int time, double *t) {
  if (rows->pass) return rows->pass(rows->user, t);
  const double *row = rows->next(rows->user);
  if (row) *t = row[time];
  return row;
}

static const double *next_of_array(void *user) {
  RowArray *array = user;
  return array->next < array->rows ? array->cells + array->width * array->next++ : NULL;
}

static void rewind_array(void *user) { ((RowArray *)user)->next = 0; }

RowSource rows_from_array(RowArray *array) {
  return (RowSource){.user = array, .next = next_of_array, .rewind = rewind_array};
}
