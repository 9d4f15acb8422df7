// Rows in memory as a source, and columns by name.
#include "result/recording.h"

#include <string.h>

int recording_column(const Recording *recording, const char *name) {
  for (uint32_t i = 0; i < recording->column_count; i++)
    if (strcmp(recording->columns[i], name) == 0) return (int)i;
  return -1;
}

Status rows_status(const RowSource *rows) {
  return rows->status ? rows->status(rows->user) : QDOT_OK;
}

static const double *next_of_array(void *user) {
  RowArray *array = user;
  return array->next < array->rows ? array->cells + array->width * array->next++ : NULL;
}

static void rewind_array(void *user) { ((RowArray *)user)->next = 0; }

RowSource rows_from_array(RowArray *array) {
  return (RowSource){.user = array, .next = next_of_array, .rewind = rewind_array};
}
