// Sweeps over a parameter.
#include <math.h>
#include <string.h>

#include "api/api_analyse.h"
#include "api/api_call.h"
#include "api/api_chart.h"
#include "api/api_options.h"
#include "api/api_system.h"
#include "api/api_write.h"
#include "base/folder.h"
#include "chart/response_chart.h"
#include "expr/value/eval.h"
#include "lang/read.h"
#include "model/values.h"
#include "print/linear/response_table.h"
#include "print/linear/response_text.h"

struct qdot_sweep {
  System *system;
  Sweep sweep;
  qdot_sweep_step *steps;
};

typedef struct Job {
  Context *cx;
  System *system;
  qdot_system *whole;
  const qdot_sweep_options *sweep;
  qdot_sweep *out;
} Job;

typedef struct SweepRange {
  uint32_t parameter;
  double from, to;
} SweepRange;

static Status wrong_range(Context *cx, const char *text) {
  Status status = diag_error_plain(cx, QDOT_BAD_ARGUMENT, "'%s' is not a parameter range", text);
  diag_note(cx, "write NAME=A..B, for example v=0..10 or 'L=20 [mm]..50 [mm]'");
  return status;
}

static Status read_number(const Job *job, const char *text, size_t n, const double *values,
                          double *out) {
  Expr e;
  Status status = expression_read(job->cx, (Model *)job->system->model, "sweep", text, n, &e);
  if (status == QDOT_OK) *out = expr_eval(job->cx, e, values);
  return status;
}

static bool names_number(const Job *job) {
  const char *text = job->sweep->range ? job->sweep->range : "";
  const Model *model = job->system->model, *named = model->named;
  const char *name = arena_copy(&job->cx->scratch, text, strcspn(text, "="));
  return named && model_find_text(named, name) && !model_find_text(model, name);
}

static Status read_range(const Job *job, const double *values, SweepRange *out) {
  const char *text = job->sweep->range;
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
  Status status = read_number(job, equals + 1, (size_t)(dots - equals - 1), values, &out->from);
  if (status == QDOT_OK) status = read_number(job, dots + 2, strlen(dots + 2), values, &out->to);
  bool good = status != QDOT_OK || (out->from - out->from == 0 && out->to - out->to == 0);
  return good ? status : wrong_range(job->cx, text);
}

static Status save_sweep(const Job *job, const Sweep *sweep) {
  const char *folder = job->sweep->folder;
  if (!folder) return QDOT_OK;
  Status status = folder_make(job->cx, folder);
  if (status == QDOT_OK)
    status = sweep_csv(job->cx, sweep, folder_path(&job->cx->keep, folder, "sweep.csv"));
  if (status != QDOT_OK) return status;
  Chart chart = sweep_chart(job->cx, job->system->model, sweep);
  return api_draw_chart(job->cx, folder, &chart);
}

static void show_steps(Context *cx, qdot_sweep *sweep) {
  sweep->steps = arena_array(&cx->keep, qdot_sweep_step, sweep->sweep.n);
  for (uint32_t i = 0; i < sweep->sweep.n; i++) {
    const SweepStep *step = &sweep->sweep.step[i];
    sweep->steps[i] = (qdot_sweep_step){.value = step->value, .is_found = step->is_found};
    if (!step->is_found) continue;
    sweep->steps[i].stability = api_stability(&step->modes);
    sweep->steps[i].eigenvalue_count = step->modes.eigenvalue_count;
    sweep->steps[i].eigenvalues = (const double *)step->modes.eigenvalue;
  }
}

// What is swept may be a number of a part, which has its name in these equations only.
static Status use_names(Job *job) {
  System *named;
  Status status = api_named_system(job->whole, &named);
  if (status == QDOT_OK) job->system = named;
  return status;
}

static Status sweep_range(void *argument) {
  Job *job = argument;
  Context *cx = job->cx;
  Status named = names_number(job) ? use_names(job) : QDOT_OK;
  if (named != QDOT_OK) return named;
  const Requests *requests = &job->system->model->requests;
  double *values;
  SweepRange range = {0};
  Status status = model_values(cx, job->system->model, &cx->scratch, &values);
  if (status == QDOT_OK) status = read_range(job, values, &range);
  if (status != QDOT_OK) return status;
  derive_matrices(cx, job->system);
  uint32_t steps = job->sweep->steps == 0 ? 121 : job->sweep->steps > 1 ? job->sweep->steps : 2;
  job->out = arena_new(&cx->keep, qdot_sweep);
  job->out->system = job->system;
  Sweep *sweep = &job->out->sweep;
  status = sweep_parameter(cx, job->system,
                           requests->linearizations.n ? &requests->linearizations.at[0] : NULL,
                           range.parameter, range.from, range.to, steps, sweep);
  if (status == QDOT_OK) status = save_sweep(job, sweep);
  if (status == QDOT_OK) show_steps(cx, job->out);
  return status;
}

qdot_status qdot_system_sweep(qdot_system *system, const qdot_sweep_options *options,
                              qdot_sweep **out) {
  qdot_sweep_options own;
  *out = NULL;
  if (!api_options(options, &own, sizeof own)) return QDOT_BAD_ARGUMENT;
  Job job = {.cx = system->system->cx, .system = system->system, .whole = system, .sweep = &own};
  Status status = api_call(job.cx, sweep_range, &job);
  if (status == QDOT_OK) *out = job.out;
  return status;
}

size_t qdot_sweep_step_count(const qdot_sweep *sweep) { return sweep->sweep.n; }

const qdot_sweep_step *qdot_sweep_step_at(const qdot_sweep *sweep, size_t i) {
  return i < sweep->sweep.n ? &sweep->steps[i] : NULL;
}

size_t qdot_sweep_change_count(const qdot_sweep *sweep) { return sweep->sweep.changes.n; }

double qdot_sweep_change_at(const qdot_sweep *sweep, size_t i) {
  return i < sweep->sweep.changes.n ? sweep->sweep.changes.at[i].value : NAN;
}

static Status print_sweep(Context *cx, void *object, const qdot_write_options *options, Text *out) {
  const qdot_sweep *s = object;
  if (options->format == QDOT_FORMAT_LATEX) return api_only_text_and_json(cx, "a sweep");
  if (options->format == QDOT_FORMAT_JSON)
    sweep_json(s->system, &s->sweep, out);
  else
    sweep_text(s->system, &s->sweep, out);
  return QDOT_OK;
}

qdot_status qdot_sweep_write(qdot_sweep *sweep, const qdot_write_options *options, qdot_sink sink) {
  return api_write(sweep->system->cx, sweep, print_sweep, options, sink);
}
