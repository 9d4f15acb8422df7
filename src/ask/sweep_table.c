// The table of a sweep.
#include "ask/sweep_table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/host/folder.h"
#include "base/words/digits.h"

// ---- Joining

static Status report_missing(const Sweep *s, const SweepStore *stores, uint32_t count) {
  Context *cx = s->cx;
  uint64_t missing = 0, first = 0;
  for (uint64_t b = 0; b < s->blocks; b++) {
    bool has = false;
    for (uint32_t i = 0; i < count && !has; i++) has = sweep_store_has(&stores[i], b);
    if (!has && missing++ == 0) first = b;
  }
  Status status = diag_error_plain(
      cx, QDOT_IO, "%llu of %llu blocks are missing, the first with the cases %llu to %llu",
      (unsigned long long)missing, (unsigned long long)s->blocks,
      (unsigned long long)sweep_first(s, first) + 1,
      (unsigned long long)(sweep_first(s, first) + sweep_count(s, first)));
  diag_note(cx, "a part of the sweep has not ended, or belongs to another model or other options");
  return status;
}

Status sweep_join(const Sweep *s, const SweepStore *stores, uint32_t count, SweepTake *take,
                  void *user) {
  Status status = QDOT_OK;
  for (uint64_t b = 0; b < s->blocks && status == QDOT_OK; b++) {
    Mark mark = arena_mark(&s->cx->scratch);
    SweepBlock block;
    bool has = false;
    for (uint32_t i = 0; i < count && !has; i++)
      has = sweep_store_read(&stores[i], &s->cx->scratch, b, &block);
    status = has ? take(user, &block) : report_missing(s, stores, count);
    arena_release(&s->cx->scratch, mark);
  }
  return status;
}

// ---- CSV

typedef struct CsvTable {
  const Sweep *sweep;
  FILE *file;
  double *at;
} CsvTable;

static void put_number(FILE *file, double value) {
  char digits[DIGITS_ROOM];
  fputc(',', file);
  if (isfinite(value)) fwrite(digits, 1, digits_write(value, digits), file);
}

// In quotes where it has to be.
static void put_text(FILE *file, const char *text) {
  bool plain = strpbrk(text, ",\"\n\r") == NULL;
  if (!plain) fputc('"', file);
  for (const char *c = text; *c; c++) {
    if (*c == '"') fputc('"', file);
    fputc(*c == '\n' || *c == '\r' ? ' ' : *c, file);
  }
  if (!plain) fputc('"', file);
}

static void put_header(const CsvTable *t) {
  const Sweep *s = t->sweep;
  fputs("case", t->file);
  for (uint32_t i = 0; i < s->axes; i++)
    fputc(',', t->file), put_text(t->file, sweep_axis_name(s, i));
  for (uint32_t k = 0; k < s->measures; k++)
    fputc(',', t->file), put_text(t->file, sweep_measure_name(s, k));
  fputs(",status\n", t->file);
}

static Status put_block(void *user, const SweepBlock *b) {
  CsvTable *t = user;
  const Sweep *s = t->sweep;
  for (uint32_t i = 0; i < b->count; i++) {
    const char *reason = sweep_reason(b, i);
    fprintf(t->file, "%llu", (unsigned long long)(b->first + i + 1));
    sweep_values(s, b->first + i, t->at);
    for (uint32_t k = 0; k < s->axes; k++) put_number(t->file, t->at[k]);
    for (uint32_t k = 0; k < s->measures; k++)
      put_number(t->file, b->values[(size_t)i * s->measures + k]);
    fputc(',', t->file);
    put_text(t->file, reason ? reason : "ok");
    fputc('\n', t->file);
  }
  return ferror(t->file) ? QDOT_IO : QDOT_OK;
}

Status sweep_write_csv(Context *cx, const Sweep *s, const SweepStore *stores, uint32_t count,
                       const char *folder) {
  Part part;
  part_open(cx, folder, "table.csv", &part);
  CsvTable table = {.sweep = s, .file = fopen(part.path, "wbe")};
  table.at = arena_array(cx->results, double, s->axes);
  Status status = QDOT_IO;
  uint32_t errors = cx->diagnostics.errors;
  errno = 0;
  if (table.file) {
    put_header(&table);
    status = sweep_join(s, stores, count, put_block, &table);
    if (fclose(table.file) != 0) status = QDOT_IO;
  }
  if (status == QDOT_IO && cx->diagnostics.errors == errors)
    diag_error_plain(cx, QDOT_IO, "cannot write '%s': %s", part.final,
                     errno ? strerror(errno) : "the disk may be full");
  return part_end(cx, &part, status);
}

double sweep_csv_bytes(const Sweep *s) {
  return (double)s->cases * (10 + 19.0 * (s->axes + s->measures));
}
