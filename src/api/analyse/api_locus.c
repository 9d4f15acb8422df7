// Root loci: eigenvalues over a parameter.
#include <math.h>
#include <string.h>

#include "api/analyse/api_analyse.h"
#include "api/analyse/api_chart.h"
#include "api/api_call.h"
#include "api/api_options.h"
#include "api/api_system.h"
#include "api/api_write.h"
#include "base/host/folder.h"
#include "chart/response_chart.h"
#include "derive/with_states.h"
#include "expr/value/eval.h"
#include "lang/read.h"
#include "model/values.h"
#include "print/linear/response_table.h"
#include "print/linear/response_text.h"

struct qdot_locus {
  Object object;
  System *system;
  Locus locus;
  qdot_locus_step *steps;
};

typedef struct Job {
  Context *cx;
  System *system;
  qdot_system *whole;
  const qdot_locus_options *options;
  qdot_locus *out;
} Job;

typedef struct LocusRange {
  uint32_t parameter;
  double from, to;
} LocusRange;

static Status wrong_range(Context *cx, const char *text) {
  Status status = diag_error_plain(cx, QDOT_BAD_ARGUMENT, "'%s' is not a parameter range", text);
  diag_note(cx, "write NAME=A..B, for example v=0..10 or 'L=20..50 [mm]'");
  return status;
}

static bool names_number(const Job *job) {
  const char *text = job->options->range ? job->options->range : "";
  const Model *model = job->system->model, *named = model->named;
  const char *name = arena_copy(&job->cx->scratch, text, strcspn(text, "="));
  return named && model_find_text(named, name) && !model_find_text(model, name);
}

static Status read_range(const Job *job, const double *values, LocusRange *out) {
  const char *text = job->options->range;
  const char *equals = text ? strchr(text, '=') : NULL, *dots = text ? strstr(text, "..") : NULL;
  if (!equals || !dots || dots < equals) return wrong_range(job->cx, text ? text : "");
  const char *name = arena_copy(&job->cx->scratch, text, (size_t)(equals - text));
  const NameEntry *entry = model_find_text(job->system->model, name);
  if (!entry || entry->kind != NAME_PARAMETER) {
    Status status =
        diag_error_plain(job->cx, QDOT_UNKNOWN_NAME, "there is no parameter '%s'", name);
    diag_suggest(job->cx, model_nearest(job->system->model, name));
    return status;
  }
  out->parameter = entry->number;
  const Measure *measure = &job->system->model->parameters.at[entry->number].measure;
  const char *what = text_format(&job->cx->scratch, "the range of '%s'", name);
  Expr from, to;
  Status status = range_read(job->cx, (Model *)job->system->model, "sweep", equals + 1,
                             strlen(equals + 1), measure, what, &from, &to);
  if (status != QDOT_OK) return status;
  out->from = expr_eval(job->cx, from, values), out->to = expr_eval(job->cx, to, values);
  return isfinite(out->from) && isfinite(out->to) ? QDOT_OK : wrong_range(job->cx, text);
}

static Status save_locus(const Job *job, const Locus *locus) {
  const char *folder = job->options->folder;
  if (!folder) return QDOT_OK;
  Status status = folder_make(job->cx, folder);
  if (status == QDOT_OK)
    status = locus_csv(job->cx, locus, folder_path(job->cx->results, folder, "sweep.csv"));
  if (status != QDOT_OK) return status;
  Chart chart = locus_chart(job->cx, job->system->model, locus);
  return api_draw_chart(job->cx, folder, &chart);
}

static void show_steps(Context *cx, qdot_locus *locus) {
  locus->steps = arena_array(cx->results, qdot_locus_step, locus->locus.n);
  for (uint32_t i = 0; i < locus->locus.n; i++) {
    const LocusStep *step = &locus->locus.step[i];
    locus->steps[i] = (qdot_locus_step){.value = step->value, .is_found = step->is_found};
    if (!step->is_found) continue;
    locus->steps[i].stability = api_stability(&step->modes);
    locus->steps[i].eigenvalue_count = step->modes.eigenvalue_count;
    locus->steps[i].eigenvalues = (const double *)step->modes.eigenvalue;
  }
}

// What is swept may be a number of a part, which has its name in these equations only.
static Status use_names(Job *job) {
  System *named;
  Status status = api_named_system(job->whole, &named);
  if (status == QDOT_OK) job->system = named;
  return status;
}

static Status trace_range(void *argument) {
  Job *job = argument;
  Context *cx = job->cx;
  Status named = names_number(job) ? use_names(job) : QDOT_OK;
  if (named != QDOT_OK) return named;
  const Requests *requests = &job->system->model->requests;
  double *values;
  LocusRange range = {0};
  Status status = model_values(cx, job->system->model, &cx->scratch, &values);
  if (status == QDOT_OK) status = read_range(job, values, &range);
  if (status != QDOT_OK) return status;
  derive_matrices(cx, job->system);
  job->system = system_with_states(cx, job->system);
  uint32_t steps = job->options->steps == 0  ? 121
                   : job->options->steps > 1 ? job->options->steps
                                             : 2;
  job->out = object_new(cx, sizeof *job->out);
  job->out->system = job->system;
  Locus *locus = &job->out->locus;
  status = locus_of_parameter(cx, job->system,
                              requests->linearizations.n ? &requests->linearizations.at[0] : NULL,
                              range.parameter, range.from, range.to, steps, locus);
  if (status == QDOT_OK) status = save_locus(job, locus);
  if (status == QDOT_OK) show_steps(cx, job->out);
  return status;
}

qdot_status qdot_system_locus(qdot_system *system, const qdot_locus_options *options,
                              qdot_locus **out) {
  if (out) *out = NULL;
  if (!system || !out) return QDOT_BAD_ARGUMENT;
  qdot_locus_options own;
  if (!api_options(options, &own, sizeof own)) return QDOT_BAD_ARGUMENT;
  Job job = {.cx = system->system->cx, .system = system->system, .whole = system, .options = &own};
  Status status = api_call(job.cx, trace_range, &job);
  *out = object_of(job.cx, status, job.out);
  return status;
}

void qdot_locus_close(qdot_locus *locus) { object_close(locus); }

size_t qdot_locus_step_count(const qdot_locus *locus) {
  if (!locus) return 0;
  return locus->locus.n;
}

const qdot_locus_step *qdot_locus_step_at(const qdot_locus *locus, size_t i) {
  if (!locus) return NULL;
  return i < locus->locus.n ? &locus->steps[i] : NULL;
}

size_t qdot_locus_change_count(const qdot_locus *locus) {
  if (!locus) return 0;
  return locus->locus.changes.n;
}

double qdot_locus_change_at(const qdot_locus *locus, size_t i) {
  if (!locus) return NAN;
  return i < locus->locus.changes.n ? locus->locus.changes.at[i].value : NAN;
}

static Status print_locus(Context *cx, void *object, const qdot_write_options *options, Text *out) {
  const qdot_locus *s = object;
  if (options->format > QDOT_FORMAT_JSON) return api_only_text_and_json(cx, "a root locus");
  if (options->format == QDOT_FORMAT_JSON)
    locus_json(s->system, &s->locus, out);
  else
    locus_text(s->system, &s->locus, out);
  return QDOT_OK;
}

qdot_status qdot_locus_write(qdot_locus *locus, const qdot_write_options *options, qdot_sink sink) {
  if (!locus) return QDOT_BAD_ARGUMENT;
  return api_write(locus->system->cx, locus, print_locus, options, sink);
}
