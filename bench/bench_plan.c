// Plans: how large they are, how long it takes until a motion that was stored begins, and how long
// it takes beside one whose programs were written for it.
#include <stdio.h>

#include "engine/run/run_whole.h"
#include "measure.h"
#include "sim/plan_source.h"
#include "sim/sim.h"
#include "text_model.h"

// What runs of the same work differ by.
static const double NOT_SLOWER = 1.1;

typedef struct Stored {
  TextModel *model;
  SimOptions options;
  PlanBytes bytes;
  double read, begin, stored, direct; // seconds: read and checked; to the first row; whole runs
  Context *cx;                        // that knows no model
  Status status;
} Stored;

static Status drop(void *user, const double *values, uint32_t count) {
  (void)user, (void)values, (void)count;
  return QDOT_OK;
}

// ---- From bytes, in a context of its own each time

typedef enum Depth { READ, BEGIN, RUN } Depth;

typedef struct PlanVisit {
  Stored *stored;
  Depth depth;
} PlanVisit;

static Status visit(void *argument) {
  PlanVisit *v = argument;
  Stored *s = v->stored;
  const StoredPlan *plan;
  Status status = plan_read(s->cx, &s->cx->keep, "bench", s->bytes.at, s->bytes.n, &plan);
  if (status != QDOT_OK || v->depth == READ) return status;
  Programs *programs = stored_programs(s->cx, &s->cx->keep, plan, BACKEND_BEST);
  RowSink sink = {.row = drop};
  SimSummary summary;
  status = run_plan(programs, &s->options, &sink, &summary, v->depth == BEGIN);
  programs_close(programs);
  return status;
}

static void work(void *argument) {
  PlanVisit *v = argument;
  Limits limits = limits_defaults();
  Memory memory = memory_defaults();
  v->stored->cx = context_open(&limits, &memory);
  Status status = guard_run(&v->stored->cx->guard, visit, v);
  if (status != QDOT_OK) v->stored->status = status;
  context_close(v->stored->cx);
}

static double seconds_of(Stored *stored, Depth depth) {
  PlanVisit v = {stored, depth};
  return measure_work(work, &v);
}

// ---- From the system that the programs were written for

static void run_direct(void *argument) {
  Stored *s = argument;
  RowSink sink = {.row = drop};
  SimSummary summary;
  Status status = sim_run(s->model->cx, &s->model->system, &s->options, &sink, &summary);
  if (status != QDOT_OK) s->status = status;
}

static Status measure(TextModel *model, void *argument) {
  Stored *s = argument;
  s->model = model, s->status = QDOT_OK;
  Status status = sim_options(model->cx, model->system.model, &s->options);
  if (status != QDOT_OK) return status;
  s->direct = measure_work(run_direct, s); // its programs are written by the first run
  PlanSource *source = plan_source_of(&model->system, BACKEND_BEST);
  StoredPlan plan;
  plan_source_store(source, &s->options, &plan);
  s->bytes = plan_write(&model->cx->keep, &plan);
  s->read = seconds_of(s, READ), s->begin = seconds_of(s, BEGIN), s->stored = seconds_of(s, RUN);
  return s->status;
}

int main(void) {
  static const char *const models[] = {"double_pendulum", "four_bar", "crank_rocker", "woodpecker",
                                       "n_link_chain"};
  static const char *const names[] = {"model", "plan, kB",      "read",    "to the first row",
                                      "run",   "by the system", "overhead"};
  static const int widths[] = {16, 9, 10, 17, 10, 14, 9};
  Sheet sheet = sheet_begin("Motions from stored plans", names, widths, 7);
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    static Stored stored;
    TextModel model;
    char path[200];
    snprintf(path, sizeof path, "examples/%s.qdot", models[i]);
    bool fine = text_model_open(&model, path, 0, measure, &stored);
    if (fine) {
      sheet_text(&sheet, models[i]);
      sheet_number(&sheet, "%.0f", (double)stored.bytes.n / 1000);
      sheet_seconds(&sheet, stored.read);
      sheet_seconds(&sheet, stored.begin);
      sheet_seconds(&sheet, stored.stored);
      sheet_seconds(&sheet, stored.direct);
      sheet_number(&sheet, "%.2f", (stored.stored - stored.begin) / stored.direct);
      char job[250];
      double run = stored.stored - stored.begin;
      snprintf(job, sizeof job, "motion of %s by its stored plan, behind its start", models[i]);
      measure_summary(job, run, "the system", stored.direct, "not slower",
                      run <= NOT_SLOWER * stored.direct);
    }
    text_model_close(&model);
    if (!fine) {
      fprintf(stderr, "%s: no motion\n", models[i]);
      return 1;
    }
  }
  return 0;
}
