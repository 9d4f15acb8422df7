// A run's rows and stretches on their way into a result.
#include "result/recorder.h"

#include <unistd.h>

#include "base/host/folder.h"
#include "base/text.h"

static const char *const names[] = {"results.csv", "motion.bin"};
enum { FILES = sizeof names / sizeof *names };

static const char *path_of(const Recorder *r, const char *name, const char *ending) {
  Arena *keep = &r->result->cx->keep;
  return folder_path(keep, r->result->folder, text_format(keep, "%s%s", name, ending));
}

static Status take_row(void *user, const double *values, uint32_t n) {
  Recorder *r = user;
  Status status = r->has_files ? csv_writer_row(&r->rows, values) : QDOT_OK;
  if (r->options.memory) result_memory_row(&r->result->memory, values);
  if (status == QDOT_OK && r->options.row) status = r->options.row(r->options.user, values, n);
  return status;
}

static Status take_stretch(void *user, const Stretch *stretch) {
  Recorder *r = user;
  if (r->options.memory) result_memory_stretch(&r->result->memory, stretch);
  return r->has_files ? motion_writer_add(&r->motion, stretch) : QDOT_OK;
}

static Status keep(void *user, SinkPosition *position) {
  Recorder *r = user;
  uint64_t bytes[FILES] = {0};
  Status status = QDOT_OK;
  if (r->has_files) status = csv_writer_keep(&r->rows, &bytes[0]);
  if (r->has_files && status == QDOT_OK && !r->motion.is_left_out)
    status = stream_keep(&r->motion.stream, &bytes[1]);
  *position = (SinkPosition){(double)bytes[0], (double)bytes[1]};
  return status;
}

RowSink recorder_sink(Recorder *r) {
  bool writes = r->has_files && !r->motion.is_left_out;
  bool wants_motion = writes || (r->options.memory && !r->options.rows_alone);
  return (RowSink){
      .user = r, .row = take_row, .stretch = wants_motion ? take_stretch : NULL, .keep = keep};
}

// ---- Files

// What a run that was killed may have left behind.
static void remove_leftovers(const Recorder *r, bool resumes) {
  for (int i = 0; i < FILES; i++) {
    unlink(path_of(r, names[i], ".copy"));
    unlink(path_of(r, names[i], ".copy.part"));
    if (!resumes) unlink(path_of(r, names[i], ".part"));
  }
}

// Killed after a file had got its name, before anything else: it is unfinished again.
static void take_names_back(const Recorder *r) {
  for (int i = 0; i < FILES; i++) {
    const char *part = path_of(r, names[i], ".part");
    if (access(part, F_OK) != 0) rename(path_of(r, names[i], ""), part);
  }
}

static void begin(Recorder *r, Result *result, const RecorderOptions *options) {
  *r = (Recorder){.result = result, .options = *options};
  result_memory_open(&result->memory, &result->arena, result->column_count, options->memory);
}

static Status began(Recorder *r, Status rows, Status motion) {
  if (rows == QDOT_OK && motion != QDOT_OK) csv_writer_leave(&r->rows);
  r->has_files = rows == QDOT_OK && motion == QDOT_OK;
  r->rows.stream.keeps_part = r->motion.stream.keeps_part = r->options.may_go_on;
  r->motion.most = r->options.most_motion;
  if (r->has_files && r->options.no_motion) motion_writer_leave_out(&r->motion);
  return rows == QDOT_OK ? motion : rows;
}

Status recorder_open(Recorder *r, Result *result, const RecorderOptions *options) {
  Context *cx = result->cx;
  begin(r, result, options);
  if (!result->folder) return QDOT_OK;
  remove_leftovers(r, false);
  Status motion = QDOT_OK, rows = csv_writer_open(cx, path_of(r, names[0], ""), result->columns,
                                                  result->column_count, &r->rows);
  if (rows == QDOT_OK)
    motion = motion_writer_open(cx, path_of(r, names[1], ""), result->column_count, &r->motion);
  return began(r, rows, motion);
}

Status recorder_resume(Recorder *r, Result *result, const RecorderOptions *options,
                       SinkPosition position) {
  Context *cx = result->cx;
  begin(r, result, options);
  result->memory.is_full = true; // what came before is in the files only
  if (!result->folder) return QDOT_OK;
  remove_leftovers(r, true);
  take_names_back(r);
  Status motion = QDOT_OK,
         rows = csv_writer_resume(cx, path_of(r, names[0], ""), result->columns,
                                  result->column_count, (uint64_t)position.rows, &r->rows);
  if (rows == QDOT_OK)
    motion = motion_writer_resume(cx, path_of(r, names[1], ""), result->column_count,
                                  (uint64_t)position.stretches, &r->motion);
  return began(r, rows, motion);
}

bool recorder_left_out(const Recorder *r) {
  return r->has_files && r->motion.is_left_out && !r->options.no_motion;
}

// ---- Ends

// That of a run before this one would be taken for the motion of this one.
static Status finish_motion(Recorder *r) {
  if (!r->motion.is_left_out) return stream_finish(&r->motion.stream);
  unlink(path_of(r, names[1], ""));
  return QDOT_OK;
}

Status recorder_finish(Recorder *r) {
  Status status = QDOT_OK;
  if (r->has_files) {
    // the rows last: where they have their name, all has
    status = finish_motion(r);
    Status rows = status == QDOT_OK ? csv_writer_finish(&r->rows) : QDOT_OK;
    if (status != QDOT_OK)
      csv_writer_leave(&r->rows);
    else
      status = rows;
  }
  return status == QDOT_OK ? result_open_rows(r->result) : status;
}

void recorder_leave(Recorder *r) {
  if (!r->has_files) return;
  if (!r->motion.is_left_out) stream_leave(&r->motion.stream, true);
  csv_writer_leave(&r->rows);
}

// Beside, under a name of its own: the .part stays where it is.
static Status copy_part(const Recorder *r, const char *name) {
  Context *cx = r->result->cx;
  const char *part = text_format(&cx->keep, "%s.part", name);
  const char *copy = text_format(&cx->keep, "%s.copy", name);
  const char *path = path_of(r, name, ""), *copy_path = path_of(r, name, ".copy");
  Status status = folder_copy(cx, r->result->folder, part, copy);
  if (status == QDOT_OK && rename(copy_path, path) != 0)
    status = diag_error_plain(cx, QDOT_IO, "cannot write '%s'", path);
  if (status != QDOT_OK) unlink(copy_path);
  return status;
}

Status recorder_pause(Recorder *r) {
  recorder_leave(r);
  Status status = QDOT_OK;
  for (int i = FILES; r->has_files && i-- > 0 && status == QDOT_OK;)
    status = i == 1 && r->motion.is_left_out ? finish_motion(r) : copy_part(r, names[i]);
  return status == QDOT_OK ? result_open_rows(r->result) : status;
}
