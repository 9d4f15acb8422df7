// Sweeps: blocks of cases on all cores, kept one by one, joined to a table.
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "api/api_call.h"
#include "api/api_options.h"
#include "api/api_write.h"
#include "api/ask/crew.h"
#include "api/ask/sweep_files.h"
#include "api/ask/sweep_rows.h"
#include "ask/sweep_table.h"
#include "base/host/folder.h"
#include "print/ask/sweep_text.h"

struct qdot_sweep {
  Sweep sweep;
  SweepStory story;
  bool is_stopped;
  qdot_table table;
  FileList files;
};

// ---- Who makes the runs

typedef struct Making {
  const qdot_sweep_options *o;
  const Sweep *sweep;
  const char *folder; // or NULL
  qdot_table table;
  _Atomic uint64_t next, done, failed, kept;
  double longest;       // seconds of a block of the first thread
  pthread_mutex_t lock; // of the caller's function and of the reason
  atomic_bool is_broken;
  Status status; // why it is
  char why[256];
} Making;

// The first mistake of any thread ends all; its words outlive its context.
static void give_up(Making *m, Context *cx, Status status) {
  pthread_mutex_lock(&m->lock);
  const Diagnostics *d = &cx->diagnostics;
  if (!m->is_broken) {
    m->status = status;
    snprintf(m->why, sizeof m->why, "%s", d->newest ? d->list.at[d->newest - 1].message : "");
    m->is_broken = true;
  }
  pthread_mutex_unlock(&m->lock);
}

static bool is_mine(const Making *m, uint64_t block) {
  return m->o->shards < 2 || block % m->o->shards == m->o->shard - 1;
}

static void hand_over(Making *m, Arena *arena, const SweepBlock *b) {
  const Sweep *s = m->sweep;
  if (!m->o->block) return;
  double *values = arena_array(arena, double, (size_t)b->count * s->axes);
  const char **reasons = arena_array(arena, const char *, b->count);
  for (uint32_t i = 0; i < b->count; i++) {
    sweep_values(s, b->first + i, values + (size_t)i * s->axes);
    reasons[i] = sweep_reason(b, i);
  }
  qdot_sweep_block shown = {b->first, b->count, s->axes, s->measures, values, b->values, reasons};
  pthread_mutex_lock(&m->lock);
  m->o->block(m->o->user, &shown);
  pthread_mutex_unlock(&m->lock);
}

// A block that is there from an earlier call counts as done.
static bool take_stored(Making *m, const SweepStore *store, SweepWorker *w, uint64_t block) {
  if (!m->folder || !sweep_store_read(store, &w->arena, block, &w->block)) return false;
  return sweep_rows_are_there(m->folder, &w->block);
}

static Status make_block(Making *m, const SweepStore *store, SweepWorker *w, uint64_t block) {
  if (!sweep_run(m->sweep, w, block)) return QDOT_STOPPED;
  if (!m->folder) return QDOT_OK;
  Status status = sweep_keep_rows(m->sweep, w, m->folder);
  return status == QDOT_OK ? sweep_store_write(store, &w->block) : status;
}

static void make_blocks(Making *m, const CrewMember *member, SweepWorker *w, bool tells) {
  SweepStore store = {0};
  if (m->folder) store = sweep_store(member->cx, m->sweep, m->folder);
  while (!crew_is_stopped(member) && !m->is_broken) {
    uint64_t block = atomic_fetch_add(&m->next, 1);
    if (block >= m->sweep->blocks) return;
    if (!is_mine(m, block)) continue;
    double began = context_seconds();
    if (!take_stored(m, &store, w, block)) {
      if (m->o->job && !sweep_store_claim(&store, block, m->o->job)) continue;
      Status status = make_block(m, &store, w, block);
      if (status == QDOT_STOPPED) return;
      if (status != QDOT_OK) {
        give_up(m, member->cx, status);
        return;
      }
    }
    hand_over(m, &w->arena, &w->block);
    if (tells) m->longest = fmax(m->longest, context_seconds() - began);
    atomic_fetch_add(&m->failed, w->block.failed);
    atomic_fetch_add(&m->kept, w->block.kept.n);
    uint64_t done = atomic_fetch_add(&m->done, w->block.count) + w->block.count;
    if (tells && m->o->progress) m->o->progress(m->o->user, done, m->sweep->cases);
  }
}

// The blocks of the other processes of a job: waited for without work, unless nothing comes any
// more: then who has them hangs, and they are made here.
static void await_others(Making *m, const CrewMember *member, SweepWorker *w) {
  SweepStore store = sweep_store(member->cx, m->sweep, m->folder);
  double since = context_seconds(), patience = 3 + 50 * m->longest;
  for (uint64_t block = 0; block < m->sweep->blocks && !crew_is_stopped(member);) {
    if (sweep_store_has(&store, block)) {
      since = context_seconds();
      block++;
      continue;
    }
    if (context_seconds() - since > patience) {
      Status status = make_block(m, &store, w, block);
      if (status == QDOT_STOPPED) return;
      if (status != QDOT_OK) {
        give_up(m, member->cx, status);
        return;
      }
    }
    usleep(20000);
  }
}

static Status help(void *user, const CrewMember *member) {
  SweepWorker worker;
  Status status = sweep_worker_open(&worker, member->cx, member->system, &member->options);
  if (status != QDOT_OK) return status;
  make_blocks(user, member, &worker, false);
  sweep_worker_close(&worker);
  return QDOT_OK;
}

// ---- Before the first run

// Eight cases, evenly among all.
static Status estimate(const Making *m, SweepWorker *w, uint32_t threads) {
  enum { TRIED = 8 };
  const Sweep *s = m->sweep;
  double began = context_seconds(), bytes = sweep_table_bytes(s, m->table);
  struct statvfs disk;
  if (m->folder && statvfs(m->folder, &disk) == 0) {
    double room = (double)disk.f_bavail * (double)disk.f_frsize;
    if (2 * bytes > room)
      return diag_error_plain(
          s->cx, QDOT_IO,
          "the table of %.3g cases takes about %.3g GB, and its blocks as much; "
          "'%s' has room for %.3g GB",
          (double)s->cases, bytes / 1e9, m->folder, room / 1e9);
  }
  if (!m->o->estimate) return QDOT_OK;
  for (uint64_t i = 0; i < TRIED; i++) {
    sweep_values(s, s->cases / TRIED * i, w->at);
    if (rerun_measures(&w->rerun, s->places, w->at, s->axes, w->measures) == QDOT_STOPPED)
      return QDOT_OK;
  }
  double each = (context_seconds() - began) / TRIED;
  m->o->estimate(m->o->user, s->cases, each * (double)s->cases / threads, bytes);
  return QDOT_OK;
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

static Status begin_folder(const Asking *a, const SweepStore *store) {
  uint32_t removed = 0;
  Status status = folder_make(store->cx, a->run->folder);
  if (status == QDOT_OK) status = sweep_store_begin(store, &removed);
  if (removed > 0)
    diag_warning_plain(store->cx,
                       "'%s' had %u blocks of another sweep, of another model or other options, "
                       "which were removed",
                       a->run->folder, removed);
  return status;
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

static Status make_all(Asking *a, const CrewMember *own, SweepWorker *worker) {
  qdot_sweep *out = a->out;
  Context *cx = own->cx;
  Making *making = arena_new(&cx->keep, Making);
  *making =
      (Making){.o = a->o, .sweep = &out->sweep, .folder = a->run->folder, .table = out->table};
  pthread_mutex_init(&making->lock, NULL);
  uint32_t threads = crew_size(a->o->threads, out->sweep.blocks);
  SweepStore store = {0};
  Status status = QDOT_OK;
  if (making->folder) {
    store = sweep_store(cx, &out->sweep, making->folder);
    status = begin_folder(a, &store);
  }
  if (status == QDOT_OK) status = estimate(making, worker, threads);
  if (status != QDOT_OK) return status;
  double began = context_seconds();
  uint32_t errors = cx->diagnostics.errors;
  Crew *crew = crew_hire(a->model, a->run, threads, help, making);
  make_blocks(making, own, worker, true);
  crew_wait(crew);
  if (a->o->job && a->o->rank == 0 && !making->is_broken) await_others(making, own, worker);
  out->story.done = making->done, out->story.failed = making->failed;
  out->story.kept = making->kept, out->story.seconds = context_seconds() - began;
  if (making->is_broken) {
    status = making->status;
    if (cx->diagnostics.errors == errors) status = diag_error_plain(cx, status, "%s", making->why);
    diag_note(cx, "blocks that are done are kept: the same command goes on with the others");
    return status;
  }
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
  SweepStore *stores = arena_array(&cx->keep, SweepStore, count);
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
  CrewMember own;
  Status status = crew_member_open(a->model, a->run, &own);
  if (status != QDOT_OK) return status;
  a->out = arena_new(&cx->keep, qdot_sweep);
  a->out->story.backend = "scalar";
  SweepWorker worker;
  status = sweep_worker_open(&worker, cx, own.system, &own.options);
  if (status != QDOT_OK) return status;
  status = sweep_open(&a->out->sweep, a->model, &worker.rerun, a->o->has_seed ? &a->o->seed : NULL);
  if (status == QDOT_OK && a->run->folder)
    status = sweep_choose_table(&a->out->sweep, a->o->table, &a->out->table);
  if (status == QDOT_OK) status = a->o->merge_count > 0 ? join(a) : make_all(a, &own, &worker);
  sweep_worker_close(&worker);
  return status;
}

static bool makes_sense(const qdot_sweep_options *o, const qdot_run_options *run) {
  if (o->shards > 0 && (o->shard < 1 || o->shard > o->shards)) return false;
  if (o->job && (!run->folder || o->rank >= o->ranks || strpbrk(o->job, "/ "))) return false;
  if (o->table < QDOT_TABLE_AUTO || o->table > QDOT_TABLE_H5) return false;
  return run->folder || (o->merge_count == 0 && o->shards == 0);
}

qdot_status qdot_model_sweep(qdot_model *model, const qdot_sweep_options *options,
                             qdot_sweep **out) {
  qdot_sweep_options own;
  qdot_run_options run;
  *out = NULL;
  if (!api_options(options, &own, sizeof own) || !api_options(own.run, &run, sizeof run) ||
      !makes_sense(&own, &run))
    return QDOT_BAD_ARGUMENT;
  Asking asking = {.model = model, .o = &own, .run = &run};
  Status status = api_call(model->cx, ask, &asking);
  if (status == QDOT_OK) *out = asking.out;
  return status;
}

int qdot_sweep_is_stopped(const qdot_sweep *sweep) { return sweep->is_stopped; }
uint64_t qdot_sweep_cases(const qdot_sweep *sweep) { return sweep->sweep.cases; }
uint64_t qdot_sweep_done(const qdot_sweep *sweep) { return sweep->story.done; }
uint64_t qdot_sweep_failed(const qdot_sweep *sweep) { return sweep->story.failed; }
const char *qdot_sweep_backend(const qdot_sweep *sweep) { return sweep->story.backend; }
size_t qdot_sweep_file_count(const qdot_sweep *sweep) { return sweep->files.n; }

const qdot_file *qdot_sweep_file_at(const qdot_sweep *sweep, size_t i) {
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
  return api_write(sweep->sweep.cx, sweep, print_sweep, options, sink);
}
