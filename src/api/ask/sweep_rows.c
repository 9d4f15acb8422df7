// The rows of chosen cases of a sweep.
#include "api/ask/sweep_rows.h"

#include <stdio.h>
#include <unistd.h>

#include "base/host/folder.h"
#include "result/csv.h"

enum { NAME_ROOM = 64 };

static const char *name_of(uint64_t number, char room[NAME_ROOM]) {
  snprintf(room, NAME_ROOM, "case-%llu.csv", (unsigned long long)number + 1);
  return room;
}

const char *sweep_rows_name(Arena *arena, uint64_t number) {
  char room[NAME_ROOM];
  return text_format(arena, "rows/%s", name_of(number, room));
}

static Status take_row(void *user, const double *values, uint32_t n) {
  (void)n;
  return csv_writer_row(user, values);
}

static Status keep_case(const Sweep *s, SweepWorker *w, const char *rows, uint64_t number) {
  Context *cx = w->runs.rerun.simulation.run.cx;
  const Columns *columns = &w->runs.rerun.simulation.columns;
  char room[NAME_ROOM];
  const char **names = arena_array(&cx->scratch, const char *, columns->n);
  for (uint32_t i = 0; i < columns->n; i++) names[i] = columns->at[i].name;
  CsvWriter writer;
  Status status = csv_writer_open(cx, folder_path(&cx->scratch, rows, name_of(number, room)), names,
                                  columns->n, &writer);
  if (status != QDOT_OK) return status;
  RowSink sink = {.user = &writer, .row = take_row};
  sweep_values(s, number, w->at);
  status = rerun_rows(&w->runs.rerun, s->places, w->at, s->axes, &sink);
  if (status == QDOT_OK) return csv_writer_finish(&writer);
  csv_writer_leave(&writer);
  return status;
}

Status sweep_keep_rows(const Sweep *s, SweepWorker *w, const char *folder) {
  Context *cx = w->runs.rerun.simulation.run.cx;
  const SweepBlock *b = &w->block;
  if (b->kept.n == 0) return QDOT_OK;
  Mark mark = arena_mark(&cx->scratch);
  const char *rows = folder_path(&cx->scratch, folder, "rows");
  Status status = folder_make(cx, rows);
  for (uint32_t i = 0; i < b->kept.n && status == QDOT_OK; i++)
    status = keep_case(s, w, rows, b->first + b->kept.at[i]);
  arena_release(&cx->scratch, mark);
  return status;
}

bool sweep_rows_are_there(const char *folder, const SweepBlock *b) {
  char path[4096], room[NAME_ROOM];
  for (uint32_t i = 0; i < b->kept.n; i++) {
    snprintf(path, sizeof path, "%s/rows/%s", folder, name_of(b->first + b->kept.at[i], room));
    if (access(path, R_OK) != 0) return false;
  }
  return true;
}

// ---- Joining

typedef struct Counting {
  const Sweep *sweep;
  const char *const *folders;
  uint32_t count;
  const char *folder;
  SweepStory *story;
} Counting;

static Status copy_rows(const Counting *c, uint64_t number) {
  Context *cx = c->sweep->cx;
  const char *name = sweep_rows_name(&cx->scratch, number);
  for (uint32_t i = 0; i < c->count; i++) {
    const char *from = text_format(&cx->scratch, "%s/%s", c->folders[i], name);
    const char *bytes;
    size_t n;
    if (access(from, R_OK) != 0) continue;
    Status status = folder_read(cx, &cx->scratch, c->folders[i], name, &bytes, &n);
    if (status == QDOT_OK) status = folder_make(cx, folder_path(&cx->scratch, c->folder, "rows"));
    return status == QDOT_OK ? folder_write(cx, c->folder, name, bytes, n) : status;
  }
  return diag_error_plain(cx, QDOT_IO, "the rows of case %llu are missing",
                          (unsigned long long)number + 1);
}

static Status count_block(void *user, const SweepBlock *b) {
  const Counting *c = user;
  c->story->done += b->count;
  c->story->failed += b->failed;
  c->story->kept += b->kept.n;
  Status status = QDOT_OK;
  for (uint32_t i = 0; c->folder && i < b->kept.n && status == QDOT_OK; i++)
    status = copy_rows(c, b->first + b->kept.at[i]);
  return status;
}

Status sweep_count_stored(const Sweep *s, const SweepStore *stores, const char *const *folders,
                          uint32_t count, const char *folder, SweepStory *story) {
  Counting counting = {s, folders, count, folder, story};
  return sweep_join(s, stores, count, count_block, &counting);
}
