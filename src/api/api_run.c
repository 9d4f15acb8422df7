// Simulating models and storing what comes out.
#include "api/api_run.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "api/api_call.h"
#include "api/frequencies.h"
#include "base/folder.h"
#include "print/certificate_text.h"
#include "result/certificate.h"
#include "result/csv.h"
#include "result/mat.h"
#include "sim/sim.h"
#include "sim/verify.h"

struct qdot_run {
  Context *cx;
  System system;
  SimSummary summary;
  Columns columns;
  const char *results; // path of the rows, or NULL
};

qdot_run_options qdot_run_defaults(void) { return (qdot_run_options){0}; }

typedef struct Running {
  Model *model;
  const qdot_run_options *o;
  SimOptions sim;
  qdot_run *run;
  CsvWriter csv;
  bool has_csv;
  const char **names;
} Running;

// ---- Rows

static Status take_row(void *user, const double *values, uint32_t n) {
  Running *r = user;
  Status status = r->has_csv ? csv_writer_row(&r->csv, values) : QDOT_OK;
  if (status == QDOT_OK && r->o->row && r->o->row(r->o->row_user, values, n) != 0) status = QDOT_IO;
  return status;
}

static Status keep_rows(void *user, double *position) {
  Running *r = user;
  uint64_t bytes = 0;
  Status status = r->has_csv ? csv_writer_keep(&r->csv, &bytes) : QDOT_OK;
  *position = (double)bytes;
  return status;
}

// What a run that was killed may have left behind.
static void remove_leftovers(Running *r) {
  static const char *const always[] = {"checkpoint.new", "results.csv.copy",
                                       "results.csv.copy.part"};
  static const char *const anew[] = {"checkpoint", "results.csv.part"};
  Arena *scratch = &r->model->cx->scratch;
  for (size_t i = 0; i < sizeof always / sizeof *always; i++)
    unlink(folder_path(scratch, r->o->folder, always[i]));
  for (size_t i = 0; i < sizeof anew / sizeof *anew && !r->sim.resume; i++)
    unlink(folder_path(scratch, r->o->folder, anew[i]));
}

// Killed after its rows had got their name, before anything else: they are unfinished again.
static void take_rows_back(Running *r) {
  const char *part = text_format(&r->model->cx->scratch, "%s.part", r->run->results);
  if (access(part, F_OK) != 0) rename(r->run->results, part);
}

// A resumed run goes on behind the rows that were on disk at its checkpoint.
static Status open_rows(Running *r) {
  Context *cx = r->model->cx;
  const char *path = r->run->results;
  uint32_t columns = r->run->columns.n;
  double position = 0;
  Status status = QDOT_OK;
  if (r->o->checkpoint && r->sim.resume && access(r->sim.checkpoint, F_OK) != 0)
    r->sim.resume = false; // both were asked for: anew where there is nothing to go on from
  if (r->sim.resume) status = sim_resume_position(cx, r->model, &r->sim, &position);
  if (status != QDOT_OK || !path) return status;
  remove_leftovers(r);
  if (r->sim.resume) take_rows_back(r);
  status = r->sim.resume
               ? csv_writer_resume(cx, path, r->names, columns, (uint64_t)position, &r->csv)
               : csv_writer_open(cx, path, r->names, columns, &r->csv);
  r->has_csv = status == QDOT_OK;
  r->csv.keeps_part = r->sim.checkpoint != NULL;
  return status;
}

// ---- What is asked for

static double or_silent(double given) { return given != 0 ? given : NAN; }

Status api_sim_options(const Model *model, const qdot_run_options *o, SimOptions *out) {
  Context *cx = model->cx;
  Status status = sim_options(cx, model, out);
  if (status != QDOT_OK) return status;
  SimOverrides over = {.method = o->method,
                       .t_end = or_silent(o->t_end),
                       .every = or_silent(o->every),
                       .rtol = or_silent(o->rtol),
                       .atol = or_silent(o->atol),
                       .step = or_silent(o->step)};
  status = sim_override(cx, &over, out);
  out->event_rows = o->event_rows != 0;
  out->stop = o->stop;
  out->progress = o->progress;
  out->progress_user = o->progress_user;
  out->resume = o->resume != 0;
  if (o->folder && (o->checkpoint || o->resume))
    out->checkpoint = folder_path(&cx->keep, o->folder, "checkpoint");
  return status;
}

// A fixed step is measured against the vibrations of the linearized system.
static void find_frequencies(Running *r) {
  if (!method_get(r->sim.method.method)->fixed_step) return;
  NaturalFrequencies natural = natural_frequencies(r->model->cx, r->model);
  r->sim.natural = natural.omega, r->sim.natural_count = natural.n;
}

static Status open_folder(Running *r) {
  Context *cx = r->model->cx;
  if (!r->o->folder) return QDOT_OK;
  r->run->results = folder_path(&cx->keep, r->o->folder, "results.csv");
  return folder_make(cx, r->o->folder);
}

// ---- What is left behind

static Status store(Running *r) {
  Context *cx = r->model->cx;
  if (!r->o->folder) return QDOT_OK;
  Text summary = text_new(&cx->scratch);
  certificate_json(cx, &r->run->system, &r->run->summary, &summary);
  Status status = folder_write(cx, r->o->folder, "summary.json", summary.at, summary.n);
  const Source *source = &cx->sources.at[r->model->source];
  if (status == QDOT_OK)
    status = folder_write(cx, r->o->folder, "model.qdot", source->text, source->length);
  return status;
}

static const double *next_stored(void *user) { return csv_reader_next(user); }

static Status verify(Running *r) {
  Context *cx = r->model->cx;
  if (!r->o->verify || !r->run->results || r->run->summary.stopped) return QDOT_OK;
  CsvReader reader;
  Status status = csv_reader_open(cx, r->run->results, &reader);
  if (status != QDOT_OK) return status;
  FirstRun first = {.user = &reader, .next = next_stored};
  status = sim_verify(cx, &r->run->system, &r->sim, first, &r->run->summary);
  csv_reader_close(&reader);
  return status;
}

// The rows once more, for MATLAB and Octave.
static Status write_mat(Running *r) {
  Context *cx = r->model->cx;
  if (!r->o->mat || !r->run->results) return QDOT_OK;
  CsvReader reader;
  Status status = csv_reader_open(cx, r->run->results, &reader);
  if (status != QDOT_OK) return status;
  MatTable table = {.title = r->model->title,
                    .columns = reader.columns,
                    .names = reader.names,
                    .rows = csv_reader_count(&reader),
                    .next = next_stored,
                    .user = &reader};
  status = mat_write(cx, r->o->folder, "results.mat", &table);
  csv_reader_close(&reader);
  return status;
}

static void name_columns(Running *r) {
  r->run->columns = sim_columns(r->model->cx, &r->run->system);
  r->names = arena_array(&r->model->cx->keep, const char *, r->run->columns.n);
  for (uint32_t i = 0; i < r->run->columns.n; i++) r->names[i] = r->run->columns.at[i].name;
}

static bool may_be_resumed(const Running *r) {
  return r->run->summary.stopped == STOPPED_USER && r->sim.checkpoint &&
         access(r->sim.checkpoint, F_OK) == 0;
}

// A run that can be resumed keeps its results.csv.part; what it has so far is there to be read.
static Status leave_rows(Running *r) {
  Context *cx = r->model->cx;
  csv_writer_leave(&r->csv);
  // beside, under a name of its own: the .part stays where it is
  Status status = folder_copy(cx, r->o->folder, "results.csv.part", "results.csv.copy");
  const char *copy = folder_path(&cx->scratch, r->o->folder, "results.csv.copy");
  if (status == QDOT_OK && rename(copy, r->run->results) != 0)
    status = diag_error_plain(cx, QDOT_IO, "cannot write '%s'", r->run->results);
  if (status != QDOT_OK) unlink(copy);
  return status;
}

static Status integrate(Running *r) {
  RowSink sink = {.user = r, .row = take_row, .keep = keep_rows};
  Status status = open_rows(r);
  if (status != QDOT_OK) return status;
  status = sim_run(r->model->cx, &r->run->system, &r->sim, &sink, &r->run->summary);
  if (!r->has_csv) return status;
  if (status == QDOT_OK && may_be_resumed(r)) return leave_rows(r);
  if (status == QDOT_OK) return csv_writer_finish(&r->csv);
  csv_writer_leave(&r->csv);
  return status;
}

static Status simulate(void *argument) {
  Running *r = argument;
  Context *cx = r->model->cx;
  double began = context_seconds();
  r->run = arena_new(&cx->keep, qdot_run);
  r->run->cx = cx;
  Status status = api_sim_options(r->model, r->o, &r->sim);
  if (status == QDOT_OK) status = sim_check_options(cx, &r->sim);
  if (status == QDOT_OK) status = derive_system(cx, r->model, DERIVE_BASIC, &r->run->system);
  if (status != QDOT_OK) return status;
  name_columns(r);
  find_frequencies(r);
  double derived = context_seconds();
  status = open_folder(r);
  if (status == QDOT_OK) status = integrate(r);
  r->run->summary.setup_seconds += r->model->read_seconds + derived - began;
  if (status == QDOT_OK) status = verify(r);
  if (status == QDOT_OK) status = write_mat(r);
  if (status == QDOT_OK) status = store(r);
  if (status == QDOT_OK && !may_be_resumed(r)) sim_forget(&r->sim);
  return status;
}

qdot_status qdot_model_simulate(qdot_model *model, const qdot_run_options *options,
                                qdot_run **out) {
  qdot_run_options defaults = qdot_run_defaults();
  Running running = {.model = model, .o = options ? options : &defaults};
  Status status = api_call(model->cx, simulate, &running);
  *out = status == QDOT_OK ? running.run : NULL;
  return status;
}

const char *qdot_run_stopped(const qdot_run *run) {
  static const char *const stops[] = {NULL, "user", "limit", "blow-up"};
  return stops[run->summary.stopped];
}

size_t qdot_run_columns(const qdot_run *run) { return run->columns.n; }

const char *qdot_run_column(const qdot_run *run, size_t i) {
  return i < run->columns.n ? run->columns.at[i].name : NULL;
}

typedef struct Writing {
  qdot_run *run;
  qdot_format format;
  bool unicode;
  qdot_sink sink;
} Writing;

static Status write_run(void *argument) {
  Writing *w = argument;
  Context *cx = w->run->cx;
  Text out = text_new(&cx->scratch);
  switch (w->format) {
  case QDOT_JSON: certificate_json(cx, &w->run->system, &w->run->summary, &out); break;
  case QDOT_TEXT:
    certificate_text(cx, &w->run->system, &w->run->summary, w->run->results, w->unicode, &out);
    break;
  default: return diag_error_plain(cx, QDOT_UNSUPPORTED, "a run is written as text or json");
  }
  return w->sink.write(w->sink.user, out.at, out.n) == 0 ? QDOT_OK : QDOT_IO;
}

qdot_status qdot_run_write(qdot_run *run, qdot_format format, int unicode, qdot_sink sink) {
  Writing writing = {run, format, unicode != 0, sink};
  return api_call(run->cx, write_run, &writing);
}
