// The files that a sweep leaves in its folder.
#include "api/ask/sweep_files.h"

#include <unistd.h>

#include "api/ask/sweep_picture.h"
#include "ask/sweep_hdf5.h"
#include "base/host/folder.h"

// ---- Which kind of table

enum { MOST_AS_TEXT = 100000 }; // cases

Status sweep_choose_table(const Sweep *s, qdot_table asked, qdot_table *out) {
  bool is_large = s->cases > MOST_AS_TEXT;
  *out = asked != QDOT_TABLE_AUTO ? asked : is_large ? QDOT_TABLE_H5 : QDOT_TABLE_CSV;
  if (*out != QDOT_TABLE_H5 || sweep_hdf5_is_there()) return QDOT_OK;
  if (asked == QDOT_TABLE_H5) return sweep_hdf5_missing(s->cx);
  diag_warning_plain(s->cx, "the table is written as CSV: the HDF5 library, which large tables are "
                            "better kept in, is not installed");
  *out = QDOT_TABLE_CSV;
  return QDOT_OK;
}

double sweep_table_bytes(const Sweep *s, qdot_table table) {
  return table == QDOT_TABLE_H5 ? sweep_hdf5_bytes(s) : sweep_csv_bytes(s);
}

// ---- Writing

static Status write_hdf5(const SweepFiles *f) {
  const Sweep *s = f->sweep;
  Context *cx = s->cx;
  Mark mark = arena_mark(&cx->scratch);
  SweepColumn *columns = arena_array(&cx->scratch, SweepColumn, s->axes + s->measures);
  for (uint32_t i = 0; i < s->axes; i++)
    columns[i] = (SweepColumn){sweep_axis_name(s, i), sweep_axis_unit(s, i)};
  for (uint32_t k = 0; k < s->measures; k++)
    columns[s->axes + k] = (SweepColumn){sweep_measure_name(s, k), sweep_measure_unit(s, k)};
  Status status = sweep_write_hdf5(cx, s, f->stores, f->count, columns, f->folder);
  arena_release(&cx->scratch, mark);
  return status;
}

// A table of the other kind would be one of an earlier sweep.
static Status write_table(const SweepFiles *f, const FileTarget *target) {
  Context *cx = f->sweep->cx;
  bool is_h5 = f->table == QDOT_TABLE_H5;
  const char *name = is_h5 ? "table.h5" : "table.csv";
  Status status =
      is_h5 ? write_hdf5(f) : sweep_write_csv(cx, f->sweep, f->stores, f->count, f->folder);
  if (status != QDOT_OK) return status;
  unlink(folder_path(&cx->scratch, f->folder, is_h5 ? "table.csv" : "table.h5"));
  f->story->table = folder_path(cx->results, f->folder, name);
  file_list_add(f->list, target, name, "a row for every case");
  return QDOT_OK;
}

static Status write_about(const SweepFiles *f, const FileTarget *target) {
  Context *cx = f->sweep->cx;
  Text about = text_new(&cx->scratch);
  sweep_about(f->sweep, f->story, &about);
  Status status = folder_write(cx, f->folder, "table.json", about.at, about.n);
  if (status == QDOT_OK)
    file_list_add(f->list, target, "table.json", "units, seed, model and version");
  return status;
}

Status sweep_write_files(const SweepFiles *f) {
  FileTarget target = {.cx = f->sweep->cx, .folder = f->folder};
  Status status = write_table(f, &target);
  if (status != QDOT_OK) return status;
  Status drawn = sweep_picture(f->sweep, f->stores, f->count, f->folder, f->story);
  status = write_about(f, &target);
  if (drawn == QDOT_OK)
    file_list_add(f->list, &target, "sweep.svg", "the measures over what varies");
  return status != QDOT_OK || drawn == QDOT_NO_PROGRAM ? status : drawn;
}
