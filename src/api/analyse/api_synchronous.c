// Responses to unbalance.
#include <math.h>

#include "analyse/excited/synchronous.h"
#include "api/analyse/api_analyse.h"
#include "api/analyse/api_chart.h"
#include "api/api_call.h"
#include "api/api_options.h"
#include "api/api_system.h"
#include "api/api_write.h"
#include "base/host/folder.h"
#include "chart/response_chart.h"
#include "derive/with_states.h"
#include "print/linear/synchronous_text.h"
#include "result/answer_store.h"

struct qdot_synchronous {
  Object object;
  System *system;
  Synchronous synchronous;
};

typedef struct Job {
  Context *cx;
  System *system;
  const qdot_response_options *options;
  qdot_synchronous *out;
} Job;

static Status save(const Job *job, const Synchronous *s) {
  Context *cx = job->cx;
  const char *folder = job->options->folder;
  if (!folder) return QDOT_OK;
  Status status = folder_make(cx, folder);
  if (status == QDOT_OK)
    status = synchronous_csv(cx, s, folder_path(cx->results, folder, "synchronous.csv"));
  if (status != QDOT_OK) return status;
  Text answer = text_new(&cx->scratch);
  synchronous_json(job->system, s, &answer);
  status = answer_store(cx, job->system->model, folder, "synchronous", &answer);
  if (status != QDOT_OK) return status;
  Chart chart = synchronous_chart(cx, job->system->model, s);
  return api_draw_answer(cx, folder, &chart);
}

static Status respond(void *argument) {
  Job *job = argument;
  Context *cx = job->cx;
  const Model *model = job->system->model;
  if (!model->requests.synchronous.is_given)
    return diag_error_plain(cx, QDOT_BAD_ARGUMENT, "the model has no synchronous line");
  if (model_acts(model))
    return diag_error(cx, QDOT_UNSUPPORTED, model->requests.synchronous.span,
                      "the response of a sampled loop to unbalance is not known");
  derive_matrices(cx, job->system);
  job->system = system_with_states(cx, job->system);
  uint32_t *all = arena_array(cx->results, uint32_t, model->coordinates.n + 1);
  for (uint32_t i = 0; i < model->coordinates.n; i++) all[i] = i;
  OutputList outputs = {0};
  Status status =
      api_outputs(cx, model, job->options->outputs, all, model->coordinates.n, &outputs);
  if (status != QDOT_OK) return status;
  job->out = object_new(cx, sizeof *job->out);
  job->out->system = job->system;
  Synchronous *s = &job->out->synchronous;
  uint32_t points = job->options->points ? job->options->points : 400;
  status = synchronous_respond(cx, job->system, outputs.at, outputs.n, points, s);
  return status == QDOT_OK ? save(job, s) : status;
}

qdot_status qdot_system_synchronous(qdot_system *system, const qdot_response_options *options,
                                    qdot_synchronous **out) {
  if (out) *out = NULL;
  if (!system || !out) return QDOT_BAD_ARGUMENT;
  qdot_response_options own;
  if (!api_options(options, &own, sizeof own)) return QDOT_BAD_ARGUMENT;
  Job job = {.cx = system->system->cx, .system = system->system, .options = &own};
  Status status = api_call(job.cx, respond, &job);
  *out = object_of(job.cx, status, job.out);
  return status;
}

void qdot_synchronous_close(qdot_synchronous *synchronous) { object_close(synchronous); }

const double *qdot_synchronous_speeds(const qdot_synchronous *synchronous, size_t *count) {
  if (!synchronous) return NULL;
  *count = synchronous->synchronous.n;
  return synchronous->synchronous.speeds;
}

const double *qdot_synchronous_critical(const qdot_synchronous *synchronous, size_t *count) {
  if (!synchronous) return NULL;
  *count = synchronous->synchronous.critical_speeds.n;
  return synchronous->synchronous.critical_speeds.at;
}

size_t qdot_synchronous_output_count(const qdot_synchronous *synchronous) {
  if (!synchronous) return 0;
  return synchronous->synchronous.output_count;
}

const char *qdot_synchronous_output_at(const qdot_synchronous *synchronous, size_t i) {
  if (!synchronous) return NULL;
  const Synchronous *s = &synchronous->synchronous;
  return i < s->output_count ? s->outputs[i].name : NULL;
}

void qdot_synchronous_value(const qdot_synchronous *synchronous, size_t output, size_t k,
                            double *re, double *im) {
  if (!synchronous) return;
  const Synchronous *s = &synchronous->synchronous;
  *re = *im = NAN;
  if (output >= s->output_count || k >= s->n) return;
  *re = s->re[k * s->output_count + output], *im = s->im[k * s->output_count + output];
}

size_t qdot_synchronous_peak_count(const qdot_synchronous *synchronous, size_t output) {
  if (!synchronous) return 0;
  const Synchronous *s = &synchronous->synchronous;
  return output < s->output_count ? s->outputs[output].peaks.n : 0;
}

void qdot_synchronous_peak_at(const qdot_synchronous *synchronous, size_t output, size_t i,
                              double *speed, double *amplitude) {
  if (!synchronous) return;
  *speed = *amplitude = NAN;
  if (i >= qdot_synchronous_peak_count(synchronous, output)) return;
  const SynchronousPeak *peak = &synchronous->synchronous.outputs[output].peaks.at[i];
  *speed = peak->speed, *amplitude = peak->amplitude;
}

static Status print_synchronous(Context *cx, void *object, const qdot_write_options *options,
                                Text *out) {
  const qdot_synchronous *s = object;
  if (options->format > QDOT_FORMAT_JSON)
    return api_only_text_and_json(cx, "a response to unbalance");
  if (options->format == QDOT_FORMAT_JSON)
    synchronous_json(s->system, &s->synchronous, out);
  else
    synchronous_text(s->system, &s->synchronous, out);
  return QDOT_OK;
}

qdot_status qdot_synchronous_write(qdot_synchronous *synchronous, const qdot_write_options *options,
                                   qdot_sink sink) {
  if (!synchronous) return QDOT_BAD_ARGUMENT;
  return api_write(synchronous->system->cx, synchronous, print_synchronous, options, sink);
}
