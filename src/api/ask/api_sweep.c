// Sweeps: blocks of cases on all cores, kept one by one, joined to a table.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "api/api_call.h"
#include "api/api_object.h"
#include "api/api_options.h"
#include "api/api_write.h"
#include "api/ask/sweep_files.h"
#include "api/ask/sweep_make.h"
#include "api/ask/sweep_rows.h"
#include "ask/sweep_table.h"
#include "base/host/folder.h"
#include "print/ask/sweep_text.h"

struct qdot_sweep {
  Object object;
  Sweep sweep;
  SweepStory story;
  bool is_stopped;
  qdot_table table;
  FileList files;
};

// ---- Before the first run

static uint32_t processes(const qdot_sweep_options *o) {
  return o->peers ? o->peers->ranks : o->job ? o->ranks : 1;
}

// What is missing of the blocks, then the table beside them.
static Status check_room(const Making *m, qdot_table table, double stored) {
  const Sweep *s = m->sweep;
  struct statvfs disk;
  double share = m->o->shards > 0 ? 1.0 / m->o->shards : 1;
  double blocks = share * sweep_blocks_bytes(s), all = sweep_table_bytes(s, table);
  double takes = fmax(blocks - stored, 0) + (m->o->shards > 0 ? 0 : all);
  if (!m->folder || statvfs(m->folder, &disk) != 0) return QDOT_OK;
  double room = (double)disk.f_bavail * (double)disk.f_frsize;
  if (takes <= room) return QDOT_OK;
  return diag_error_plain(
      s->cx, QDOT_IO,
      "the blocks and the table of %.3g cases take about %.3g MB more; '%s' has "
      "room for %.3g MB",
      (double)s->cases, takes / 1e6, m->folder, room / 1e6);
}

// Cases that tell how long all of them take, evenly among these.
typedef struct Trial {
  const Sweep *sweep;
  SweepWorker *worker;
  uint64_t next, end;
  bool is_stopped;
} Trial;

enum { TRIED = 2 * MOST_LANES };

static void try_cases(void *user, Rerun *rerun) {
  Trial *t = user;
  const Sweep *s = t->sweep;
  double *at = arena_array(&t->worker->arena, double, s->axes);
  double *measures = arena_array(&t->worker->arena, double, s->model->requests.measurements.n);
  while (t->next < t->end && !t->is_stopped) {
    sweep_values(s, s->cases / TRIED * t->next++, at);
    t->is_stopped = rerun_measures(rerun, s->places, at, s->axes, measures) == QDOT_STOPPED;
  }
}

// Seconds that each case takes, by so many as are made at once; the first compile what all need,
// and are taken for the others only where they take long.
static double time_cases(const Sweep *s, SweepWorker *w) {
  const double LONG = 1;
  const uint64_t group = s->cases < MOST_LANES ? s->cases : MOST_LANES;
  double seconds = 0;
  Trial t = {.sweep = s, .worker = w};
  for (int round = 0; round < 2 && seconds < LONG && !t.is_stopped; round++) {
    double began = context_seconds();
    t.end += group;
    runs_make(&w->runs, group, try_cases, &t);
    seconds = context_seconds() - began;
  }
  return t.is_stopped ? NAN : seconds / (double)group;
}

static void estimate(const Making *m, SweepWorker *w, uint32_t threads, qdot_table table) {
  const Sweep *s = m->sweep;
  if (!m->o->estimate) return;
  double each = time_cases(s, w);
  if (isnan(each)) return;
  m->o->estimate(m->o->user, s->cases, each * (double)s->cases / threads,
                 sweep_table_bytes(s, table));
}

typedef struct Asking {
  Model *model;
  const qdot_sweep_options *o;
  const qdot_run_options *run;
  qdot_sweep *out;
} Asking;

static Status no_line(const Model *model) {
  Status status = diag_error_plain(model->cx, QDOT_BAD_MODEL, "the model has no sweep line");
  diag_note(model->cx, "it would read 'sweep r = 20..60 [mm] steps 41: peak'");
  return status;
}

static Status begin_folder(const Asking *a, const Making *making, const SweepStore *store) {
  SweepFound found = {0};
  Status status = folder_make(store->cx, a->run->folder);
  if (status == QDOT_OK) status = sweep_store_begin(store, &found);
  if (status == QDOT_OK && a->o->job) sweep_store_arrive(store, a->o->rank, a->o->job);
  if (found.removed > 0)
    diag_warning_plain(store->cx,
                       "'%s' had %u blocks of another sweep, of another model or other options, "
                       "which were removed",
                       a->run->folder, found.removed);
  return status == QDOT_OK ? check_room(making, a->out->table, found.bytes) : status;
}

// ---- After the last

static Status write_files(Asking *a, const SweepStore *stores, uint32_t count) {
  qdot_sweep *out = a->out;
  SweepFiles files = {.sweep = &out->sweep,
                      .stores = stores,
                      .count = count,
                      .folder = a->run->folder,
                      .table = out->table,
                      .story = &out->story,
                      .list = &out->files};
  return sweep_write_files(&files);
}

// Blocks that are sent to another process need no folder; rows are in one until they are sent.
static Status make_and_send(Asking *a, const CrewMember *own, SweepWorker *worker, Making *making,
                            uint32_t threads) {
  Context *cx = own->cx;
  const char *set = getenv("TMPDIR"), *under = set && *set ? set : "/tmp";
  char *rows = NULL;
  if (a->out->sweep.request->keeps) {
    rows = text_format(cx->results, "%s/qdot-rows-XXXXXX", under);
    if (!mkdtemp(rows)) return diag_error_plain(cx, QDOT_IO, "cannot make a folder in '%s'", under);
    making->folder = rows;
  }
  making_run(making, a->model, a->run, threads, own, worker);
  if (rows) rmdir(folder_path(&cx->scratch, rows, "rows")), rmdir(rows);
  a->out->is_stopped = crew_is_stopped(own);
  return making->is_broken ? diag_error_plain(cx, making->status, "%s", making->why) : QDOT_OK;
}

static Status tell_of_failure(const Making *making, Context *cx, uint32_t errors) {
  Status status = making->status;
  if (cx->diagnostics.errors == errors) status = diag_error_plain(cx, status, "%s", making->why);
  diag_note(cx, "finished blocks are kept: the same sweep makes the others");
  return status;
}

static Status make_all(Asking *a, const CrewMember *own, SweepWorker *worker) {
  qdot_sweep *out = a->out;
  Context *cx = own->cx;
  Making *making = arena_new(cx->results, Making);
  making_open(making, a->o, &out->sweep);
  uint32_t threads = crew_size(a->o->threads, out->sweep.blocks);
  if (making_sends(making)) return make_and_send(a, own, worker, making, threads);
  making->folder = a->run->folder;
  SweepStore store = {0};
  Status status = QDOT_OK;
  if (making->folder) {
    store = sweep_store(cx, &out->sweep, making->folder);
    status = begin_folder(a, making, &store);
  }
  if (status != QDOT_OK) return status;
  estimate(making, worker, threads * processes(a->o), out->table);
  double began = context_seconds();
  uint32_t errors = cx->diagnostics.errors;
  making_run(making, a->model, a->run, threads, own, worker);
  out->story.done = making->done, out->story.failed = making->failed;
  out->story.kept = making->kept, out->story.seconds = context_seconds() - began;
  if (making->is_broken) return tell_of_failure(making, cx, errors);
  bool is_whole = a->o->shards == 0 && (!a->o->job || a->o->rank == 0);
  out->is_stopped = crew_is_stopped(own);
  if (out->is_stopped || !is_whole || !making->folder) return QDOT_OK;
  if (a->o->job) {
    out->story.done = out->story.failed = out->story.kept = 0;
    status = sweep_count_stored(&out->sweep, &store, NULL, 1, NULL, &out->story);
  }
  if (status == QDOT_OK) status = write_files(a, &store, 1);
  if (status == QDOT_OK) sweep_store_remove(&store);
  return status;
}

static Status join(Asking *a) {
  qdot_sweep *out = a->out;
  Context *cx = a->model->cx;
  uint32_t count = (uint32_t)a->o->merge_count;
  SweepStore *stores = arena_array(cx->results, SweepStore, count);
  for (uint32_t i = 0; i < count; i++) stores[i] = sweep_store(cx, &out->sweep, a->o->merge[i]);
  double began = context_seconds();
  Status status = folder_make(cx, a->run->folder);
  if (status == QDOT_OK)
    status =
        sweep_count_stored(&out->sweep, stores, a->o->merge, count, a->run->folder, &out->story);
  if (status == QDOT_OK) status = write_files(a, stores, count);
  out->story.seconds = context_seconds() - began;
  return status;
}

static Status ask(void *argument) {
  Asking *a = argument;
  Context *cx = a->model->cx;
  if (!a->model->requests.sweep.is_given) return no_line(a->model);
  if (a->o->lanes > 1 && a->o->lanes > packed_most_lanes())
    return diag_error_plain(cx, QDOT_UNSUPPORTED, "this processor has no vectors of %u lanes",
                            a->o->lanes);
  CrewMember own;
  Status status = crew_member_open(a->model, a->run, &own);
  if (status != QDOT_OK) return status;
  a->out = object_new(cx, sizeof *a->out);
  SweepWorker worker;
  status = sweep_worker_open(&worker, cx, own.system, &own.options, a->o->lanes);
  if (status != QDOT_OK) return status;
  status =
      sweep_open(&a->out->sweep, a->model, &worker.runs.rerun, a->o->has_seed ? &a->o->seed : NULL);
  if (status == QDOT_OK && a->run->folder)
    status = sweep_choose_table(&a->out->sweep, a->o->table, &a->out->table);
  if (status == QDOT_OK) status = a->o->merge_count > 0 ? join(a) : make_all(a, &own, &worker);
  if (status == QDOT_OK)
    a->out->story.backend =
        a->o->merge_count > 0 ? "merged" : sweep_backend(&a->out->sweep, &worker);
  sweep_worker_close(&worker);
  return status;
}

static bool makes_sense(const qdot_sweep_options *o, const qdot_run_options *run) {
  if (o->shards > 0 && (o->shard < 1 || o->shard > o->shards)) return false;
  if (o->job && (!run->folder || o->rank >= o->ranks || strpbrk(o->job, "/ "))) return false;
  if (o->peers && (!run->folder || o->peers->rank >= o->peers->ranks || o->shards > 0 || o->job))
    return false;
  if (o->table < QDOT_TABLE_AUTO || o->table > QDOT_TABLE_H5) return false;
  if (o->lanes != 0 && o->lanes != 1 && o->lanes != 4 && o->lanes != 8) return false;
  return run->folder || (o->merge_count == 0 && o->shards == 0);
}

qdot_status qdot_model_sweep(qdot_model *model, const qdot_sweep_options *options,
                             qdot_sweep **out) {
  if (out) *out = NULL;
  if (!model || !out) return QDOT_BAD_ARGUMENT;
  qdot_sweep_options own;
  qdot_run_options run;
  if (!api_options(options, &own, sizeof own) || !api_options(own.run, &run, sizeof run) ||
      !makes_sense(&own, &run))
    return QDOT_BAD_ARGUMENT;
  Asking asking = {.model = model, .o = &own, .run = &run};
  Status status = api_call(model->cx, ask, &asking);
  *out = object_of(model->cx, status, asking.out);
  return status;
}

void qdot_sweep_close(qdot_sweep *sweep) { object_close(sweep); }

int qdot_sweep_is_stopped(const qdot_sweep *sweep) {
  if (!sweep) return 0;
  return sweep->is_stopped;
}
uint64_t qdot_sweep_cases(const qdot_sweep *sweep) {
  if (!sweep) return 0;
  return sweep->sweep.cases;
}
uint64_t qdot_sweep_done(const qdot_sweep *sweep) {
  if (!sweep) return 0;
  return sweep->story.done;
}
uint64_t qdot_sweep_failed(const qdot_sweep *sweep) {
  if (!sweep) return 0;
  return sweep->story.failed;
}
const char *qdot_sweep_backend(const qdot_sweep *sweep) {
  if (!sweep) return NULL;
  return sweep->story.backend;
}
size_t qdot_sweep_file_count(const qdot_sweep *sweep) {
  if (!sweep) return 0;
  return sweep->files.n;
}

const qdot_file *qdot_sweep_file_at(const qdot_sweep *sweep, size_t i) {
  if (!sweep) return NULL;
  return file_list_at(&sweep->files, i);
}

static Status print_sweep(Context *cx, void *object, const qdot_write_options *options, Text *out) {
  const qdot_sweep *sweep = object;
  switch (options->format) {
  case QDOT_FORMAT_JSON: sweep_json(&sweep->sweep, &sweep->story, out); return QDOT_OK;
  case QDOT_FORMAT_TEXT: sweep_text(&sweep->sweep, &sweep->story, out); return QDOT_OK;
  default: return api_only_text_and_json(cx, "a sweep");
  }
}

qdot_status qdot_sweep_write(qdot_sweep *sweep, const qdot_write_options *options, qdot_sink sink) {
  if (!sweep) return QDOT_BAD_ARGUMENT;
  return api_write(sweep->sweep.cx, sweep, print_sweep, options, sink);
}
