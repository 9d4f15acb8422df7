// Runs of model files.
#include "timed_run.h"

#include "measure.h"

static Status keep_last(void *user, const double *values, uint32_t count) {
  TimedRun *run = user;
  if (run->column < count) run->last = values[run->column];
  return QDOT_OK;
}

static void run_once(void *argument) {
  TimedRun *run = argument;
  RowSink sink = {.user = run, .row = keep_last};
  SimSummary summary;
  sim_run(run->model->cx, &run->model->system, &run->options, &sink, &summary);
  run->steps = summary.steps;
  run->evaluations = summary.evaluations;
}

static Status measure(TextModel *model, void *argument) {
  TimedRun *run = argument;
  run->model = model;
  Status status = sim_options(model->cx, model->system.model, &run->options);
  if (status == QDOT_OK) run->seconds = measure_work(run_once, run);
  return status;
}

bool timed_run(const char *path, uint32_t column, TimedRun *out) {
  *out = (TimedRun){.column = column};
  TextModel model;
  bool fine = text_model_open(&model, path, 0, measure, out);
  text_model_close(&model);
  return fine;
}
