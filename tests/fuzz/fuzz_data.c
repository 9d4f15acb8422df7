// Any bytes as a data file: every column, by number and by heading.
#include <stdint.h>
#include <stdlib.h>

#include "data/data.h"
#include "room.h"

static Status read_data(void *argument) {
  Context *cx = argument;
  const DataFile *f;
  Status status = data_read(cx, &cx->keep, room_folder(), "data.csv", NULL, &f);
  for (uint32_t i = 0; status == QDOT_OK && i < f->columns && i < 50; i++) {
    const double *values;
    uint32_t column;
    if (data_column_number(cx, f, i + 1.0, &column) != QDOT_OK || column != i) abort();
    if (data_column_named(cx, f, f->headings[i].name, &column) == QDOT_OK && column != i) abort();
    Status whole = data_values(cx, &cx->keep, f, i, false, &values);
    Status gaps = data_values(cx, &cx->keep, f, i, true, &values);
    if (whole == QDOT_OK && gaps != QDOT_OK) abort();
    data_need_ascending(cx, f, i);
  }
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  room_put("data.csv", data, size);
  Limits limits = limits_defaults();
  Memory memory = memory_defaults();
  Context *cx = context_open(&limits, &memory);
  guard_run(&cx->guard, read_data, cx);
  context_close(cx);
  return 0;
}
