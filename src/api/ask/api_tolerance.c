// Tolerances: many runs on all cores, and what they amount to.
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "api/api_call.h"
#include "api/api_object.h"
#include "api/api_options.h"
#include "api/api_write.h"
#include "api/ask/crew.h"
#include "ask/tolerance.h"
#include "base/host/folder.h"
#include "chart/ask/tolerance_chart.h"
#include "chart/plot.h"
#include "print/ask/tolerance_text.h"
#include "result/answer_store.h"

struct qdot_tolerance {
  Object object;
  Tolerance tolerance;
  bool is_drawn, is_stopped;
  qdot_distribution *shown;
};

// Who makes the runs.
typedef struct Making {
  const qdot_tolerance_options *o;
  Tolerance *tolerance;
  uint32_t block;   // runs that are begun together
  atomic_uint next; // block that nobody has begun
  atomic_uint done; // runs
} Making;

// Every thread gets several blocks, and a block fills the lanes several times.
static uint32_t block_of(uint32_t runs, uint32_t threads) {
  enum { BLOCKS = 8, LEAST = 8, MOST = 256 };
  uint32_t block = runs / (BLOCKS * threads);
  return block < LEAST ? LEAST : block > MOST ? MOST : block;
}

// Runs until none is left.
static void make_runs(Making *m, const CrewMember *member, ToleranceWorker *worker, bool tells) {
  Tolerance *t = m->tolerance;
  while (!crew_is_stopped(member)) {
    uint64_t first = (uint64_t)atomic_fetch_add(&m->next, 1) * m->block;
    if (first >= t->runs) return;
    uint32_t left = t->runs - (uint32_t)first, count = left < m->block ? left : m->block;
    if (!tolerance_run(t, worker, (uint32_t)first, count)) return;
    uint32_t done = atomic_fetch_add(&m->done, count) + count;
    if (tells && m->o->progress) m->o->progress(m->o->progress_user, done, t->runs);
  }
}

static Status help(void *user, const CrewMember *member) {
  ToleranceWorker worker;
  Status status = tolerance_worker_open(&worker, member->cx, member->system, &member->options, 0);
  if (status != QDOT_OK) return status;
  make_runs(user, member, &worker, false);
  tolerance_worker_close(&worker);
  return QDOT_OK;
}

typedef struct Asking {
  Model *model;
  const qdot_tolerance_options *o;
  const qdot_run_options *run;
  qdot_tolerance *out;
} Asking;

static Status no_line(const Model *model) {
  Status status = diag_error_plain(model->cx, QDOT_BAD_MODEL, "the model has no tolerance line");
  diag_note(model->cx, "it would read 'tolerance r = 0.05 [mm], l = normal 0.02 [mm], runs 1000: "
                       "peak'");
  return status;
}

static void show(Asking *a) {
  const Tolerance *t = &a->out->tolerance;
  a->out->shown = arena_array(t->cx->results, qdot_distribution, t->distributions.n);
  for (uint32_t i = 0; i < t->distributions.n; i++) {
    const Distribution *d = &t->distributions.at[i];
    a->out->shown[i] = (qdot_distribution){
        .name = symbol_text(t->cx, t->model->requests.measurements.at[d->measure].name),
        .runs = d->count,
        .nominal = d->nominal,
        .mean = d->mean,
        .std = d->std,
        .linear_std = d->linear_std,
        .least = d->least,
        .most = d->most,
        .sorted = d->sorted,
        .shares = d->contribution};
  }
}

static Status sample_all(Asking *a, const CrewMember *own, ToleranceWorker *worker) {
  Tolerance *t = &a->out->tolerance;
  Status status =
      tolerance_open(t, a->model, worker, a->o->runs, a->o->has_seed ? &a->o->seed : NULL);
  if (status == QDOT_OK) status = tolerance_predict(t, worker);
  if (status != QDOT_OK) return status;
  Making *making = arena_new(t->cx->results, Making);
  double began = context_seconds();
  uint32_t size = crew_size(a->o->threads, t->runs / 8 + 1);
  *making = (Making){.o = a->o, .tolerance = t, .block = block_of(t->runs, size)};
  Crew *crew = crew_hire(a->model, a->run, size, help, making);
  make_runs(making, own, worker, true);
  crew_wait(crew);
  t->seconds = context_seconds() - began;
  tolerance_finish(t, worker);
  a->out->is_stopped = t->seen < t->runs;
  show(a);
  return QDOT_OK;
}

// The picture is welcome but not needed.
static Status draw(Asking *a) {
  Context *cx = a->model->cx;
  const char *folder = a->run->folder;
  if (!folder) return QDOT_OK;
  Chart chart = tolerance_chart(&a->out->tolerance);
  Text json = text_new(&cx->scratch);
  tolerance_json(&a->out->tolerance, &json);
  Status status = folder_make(cx, folder);
  if (status == QDOT_OK) status = answer_store(cx, a->model, folder, "tolerance", &json);
  // whoever stops does not wait for pictures
  if (status != QDOT_OK || chart.panels.n == 0 || a->out->is_stopped) return status;
  PlotOptions options = plot_defaults();
  options.folder = folder;
  options.formats = PICTURE_SVG | PICTURE_PDF;
  status = plot_charts(cx, &chart, 1, &options);
  a->out->is_drawn = status == QDOT_OK;
  return status == QDOT_NO_PROGRAM ? QDOT_OK : status;
}

static Status ask(void *argument) {
  Asking *a = argument;
  Context *cx = a->model->cx;
  if (!a->model->requests.tolerance.is_given) return no_line(a->model);
  CrewMember own;
  Status status = crew_member_open(a->model, a->run, &own);
  if (status != QDOT_OK) return status;
  a->out = object_new(cx, sizeof *a->out);
  ToleranceWorker worker;
  status = tolerance_worker_open(&worker, cx, own.system, &own.options, 0);
  if (status != QDOT_OK) return status;
  status = sample_all(a, &own, &worker);
  tolerance_worker_close(&worker);
  if (status == QDOT_STOPPED && !a->o->only_whole)
    return diag_error_plain(cx, status, "stopped before the first runs");
  bool is_kept = status == QDOT_OK && !(a->out->is_stopped && a->o->only_whole);
  return is_kept ? draw(a) : status;
}

size_t qdot_model_question_count(const qdot_model *model) {
  if (!model) return 0;
  size_t n = 0;
  while (qdot_model_question_at(model, n)) n++;
  return n;
}

const char *qdot_model_question_at(const qdot_model *model, size_t i) {
  if (!model) return NULL;
  const Requests *requests = &model->requests;
  const char *asked[] = {requests->tolerance.is_given ? "tolerance" : NULL,
                         requests->sweep.is_given ? "sweep" : NULL,
                         requests->sensitivity.is_given ? "sensitivity" : NULL,
                         requests->fit.is_given ? "fit" : NULL,
                         requests->find.is_given ? "find" : NULL,
                         requests->orbit.is_given ? "orbit" : NULL,
                         requests->randoms.n > 0 ? "random" : NULL,
                         requests->synchronous.is_given ? "synchronous" : NULL};
  for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
    if (asked[k] && i-- == 0) return asked[k];
  return NULL;
}

qdot_status qdot_model_tolerance(qdot_model *model, const qdot_tolerance_options *options,
                                 qdot_tolerance **out) {
  if (out) *out = NULL;
  if (!model || !out) return QDOT_BAD_ARGUMENT;
  qdot_tolerance_options own;
  qdot_run_options run;
  if (!api_options(options, &own, sizeof own) || !api_options(own.run, &run, sizeof run))
    return QDOT_BAD_ARGUMENT;
  Asking asking = {.model = model, .o = &own, .run = &run};
  Status status = api_call(model->cx, ask, &asking);
  *out = object_of(model->cx, status, asking.out);
  return status;
}

void qdot_tolerance_close(qdot_tolerance *tolerance) { object_close(tolerance); }

int qdot_tolerance_is_stopped(const qdot_tolerance *tolerance) {
  if (!tolerance) return 0;
  return tolerance->is_stopped;
}

int qdot_tolerance_is_drawn(const qdot_tolerance *tolerance) {
  if (!tolerance) return 0;
  return tolerance->is_drawn;
}

uint32_t qdot_tolerance_run_count(const qdot_tolerance *tolerance) {
  if (!tolerance) return 0;
  return tolerance->tolerance.seen;
}

uint32_t qdot_tolerance_failed_count(const qdot_tolerance *tolerance) {
  if (!tolerance) return 0;
  return tolerance->tolerance.failed;
}

size_t qdot_distribution_count(const qdot_tolerance *tolerance) {
  if (!tolerance) return 0;
  return tolerance->tolerance.distributions.n;
}

const qdot_distribution *qdot_distribution_at(const qdot_tolerance *tolerance, size_t i) {
  if (!tolerance) return NULL;
  return i < tolerance->tolerance.distributions.n ? &tolerance->shown[i] : NULL;
}

static Status print_tolerance(Context *cx, void *object, const qdot_write_options *options,
                              Text *out) {
  const Tolerance *tolerance = &((qdot_tolerance *)object)->tolerance;
  switch (options->format) {
  case QDOT_FORMAT_JSON: tolerance_json(tolerance, out); return QDOT_OK;
  case QDOT_FORMAT_TEXT: tolerance_text(tolerance, out); return QDOT_OK;
  default: return api_only_text_and_json(cx, "a tolerance");
  }
}

qdot_status qdot_tolerance_write(qdot_tolerance *tolerance, const qdot_write_options *options,
                                 qdot_sink sink) {
  if (!tolerance) return QDOT_BAD_ARGUMENT;
  return api_write(tolerance->tolerance.cx, tolerance, print_tolerance, options, sink);
}
