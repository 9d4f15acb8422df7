// Any bytes as a table: every row twice, the second time after a rewind.
#include <stdint.h>
#include <stdlib.h>

#include "qdot/qdot.h"
#include "result/csv.h"
#include "room.h"

typedef struct Reading {
  Context *cx;
  const char *path;
} Reading;

static Status read_table(void *argument) {
  Reading *reading = argument;
  CsvReader reader;
  Status status = csv_reader_open(reading->cx, reading->path, &reader);
  if (status != QDOT_OK) return status;
  uint64_t rows[2] = {0};
  for (int pass = 0; pass < 2; pass++) {
    while (csv_reader_next(&reader)) rows[pass]++;
    status = reader.status;
    csv_reader_rewind(&reader);
  }
  if (rows[0] != rows[1]) abort();
  csv_reader_close(&reader);
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  room_put("table.csv", data, size);
  Limits limits = limits_defaults();
  Memory memory = memory_defaults();
  Reading reading = {context_open(&limits, &memory), NULL};
  char path[300];
  snprintf(path, sizeof path, "%s/table.csv", room_folder());
  reading.path = path;
  guard_run(&reading.cx->guard, read_table, &reading);
  context_close(reading.cx);
  return 0;
}
