// A result and where its rows come from.
#include "result/result.h"

#include <string.h>

#include "base/host/folder.h"

#define POINTS 2000 // of a curve over time, at least

// The arena lies in its own memory.
static void close_arena(void *object) {
  Arena arena = *(Arena *)object;
  arena_close(&arena);
}

Result *result_new(Context *cx, const Model *model) {
  Arena arena;
  arena_open(&arena, &cx->memory, &cx->guard);
  Result *r = arena_new(&arena, Result);
  *r = (Result){.cx = cx, .model = model, .arena = arena};
  guard_register(&cx->guard, &r->handle, &r->arena, close_arena);
  return r;
}

void result_close(Result *r) {
  if (r->file.stream) motion_reader_close(&r->file);
  if (r->csv.stream) csv_reader_close(&r->csv);
  guard_close(&r->cx->guard, &r->handle);
}

int result_column(const Result *r, const char *name) {
  for (uint32_t i = 0; i < r->column_count; i++)
    if (strcmp(r->columns[i], name) == 0) return (int)i;
  return -1;
}

// ---- Rows

static const double *next_row(void *user) { return csv_reader_next(user); }
static void rewind_rows(void *user) { csv_reader_rewind(user); }
static Status status_of_rows(void *user) { return ((CsvReader *)user)->status; }

static Status open_csv(Result *r) {
  const char *path = folder_path(&r->cx->keep, r->folder, "results.csv");
  Status status = csv_reader_open(r->cx, path, &r->csv);
  if (status != QDOT_OK) return status;
  r->rows = (RowSource){&r->csv, next_row, rewind_rows, status_of_rows, NULL};
  if (r->columns) return QDOT_OK;
  r->column_count = r->csv.columns;
  r->columns = r->csv.names;
  return QDOT_OK;
}

// A result that was stored without its motion has the rows alone.
static Status open_motion(Result *r) {
  const char *path = folder_path(&r->cx->keep, r->folder, "motion.bin");
  r->motion = r->rows;
  Status status = motion_reader_open(r->cx, path, r->column_count, &r->file);
  if (status == QDOT_IO) return QDOT_OK;
  if (status != QDOT_OK) return status;
  r->motion = motion_rows(&r->fine, &r->arena, motion_reader_source(&r->file), r->column_count,
                          r->summary.t_end / POINTS);
  return QDOT_OK;
}

Status result_open_rows(Result *r) {
  ResultMemory *m = &r->memory;
  if (m->width > 0 && !m->is_full) {
    r->rows = r->motion = result_memory_rows(m);
    if (m->stretches.n > 0)
      r->motion = motion_rows(&r->fine, &r->arena, result_memory_motion(m), r->column_count,
                              r->summary.t_end / POINTS);
    return QDOT_OK;
  }
  Status status = r->folder ? open_csv(r) : QDOT_OK;
  return status == QDOT_OK && r->folder ? open_motion(r) : status;
}
