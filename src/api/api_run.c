// Simulating models and storing what comes out.
#include "api/api_run.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "api/api_call.h"
#include "api/api_options.h"
#include "api/api_result.h"
#include "api/api_write.h"
#include "api/frequencies.h"
#include "base/host/folder.h"
#include "derive/roads/moving.h"
#include "print/certificate_text.h"
#include "print/measure_text.h"
#include "result/certificate.h"
#include "result/mat.h"
#include "result/recorder.h"
#include "sim/sim.h"
#include "sim/verify.h"

typedef struct Running {
  Model *model;
  const qdot_run_options *o;
  SimOptions sim;
  System *system;
  Result *result;
  Recorder recorder;
  qdot_result *out;
} Running;

// ---- What is asked for

static double or_silent(double given) { return given != 0 ? given : NAN; }

int64_t api_row_stride(const SimOptions *options, const qdot_run_options *o) {
  return o->rough > 0 ? (int64_t)(options->t_end / options->every / (double)o->rough) + 1
                      : options->row_stride;
}

// 0 leaves a number to the model; anything else that is not above 0 is a mistake.
Status api_check_numbers(Context *cx, const qdot_run_options *o) {
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"t_end", o->t_end},
                 {"every", o->every},
                 {"rtol", o->rtol},
                 {"atol", o->atol},
                 {"step", o->step}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (!(numbers[i].value >= 0 && isfinite(numbers[i].value)))
      return diag_error_plain(cx, QDOT_BAD_VALUE, "%s must be 0 or greater, not %g",
                              numbers[i].name, numbers[i].value);
  if (o->motion < QDOT_MOTION_BOUNDED || o->motion > QDOT_MOTION_NONE)
    return diag_error_plain(cx, QDOT_BAD_VALUE, "motion must be one of QDOT_MOTION_..., not %d",
                            o->motion);
  return QDOT_OK;
}

Status api_take_options(Context *cx, const qdot_run_options *o, SimOptions *out) {
  SimOverrides over = {.method = o->method,
                       .t_end = or_silent(o->t_end),
                       .every = or_silent(o->every),
                       .rtol = or_silent(o->rtol),
                       .atol = or_silent(o->atol),
                       .step = or_silent(o->step)};
  Status status = sim_override(cx, &over, out);
  out->event_rows = o->event_rows != 0;
  if (status == QDOT_OK) out->row_stride = api_row_stride(out, o);
  out->stop = o->stop;
  out->progress = o->progress;
  out->progress_user = o->progress_user;
  return status;
}

Status api_sim_options(const Model *model, const qdot_run_options *o, SimOptions *out) {
  Context *cx = model->cx;
  Status status = api_check_numbers(cx, o);
  if (status == QDOT_OK) status = sim_options(cx, model, out);
  if (status == QDOT_OK) status = api_take_options(cx, o, out);
  if (status != QDOT_OK) return status;
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

// ---- The run

static void name_columns(Running *r) {
  Context *cx = r->model->cx;
  Columns columns = sim_columns(cx, r->system);
  const char **names = arena_array(&cx->keep, const char *, columns.n);
  for (uint32_t i = 0; i < columns.n; i++) names[i] = columns.at[i].name;
  r->result->columns = names;
  r->result->column_count = columns.n;
}

static Status hand_on_row(void *user, const double *values, uint32_t n) {
  const qdot_run_options *o = user;
  return o->row(o->row_user, values, n) == 0 ? QDOT_OK : QDOT_IO;
}

// Bytes of motion.bin, unless all of it is asked for.
static const uint64_t MOST_MOTION = 10000000;

RecorderOptions api_recorder_options(const qdot_run_options *o, const SimOptions *sim) {
  RecorderOptions options = {.memory = o->memory,
                             .may_go_on = sim->checkpoint != NULL,
                             .rows_alone = sim->row_stride > 1,
                             .no_motion = o->motion == QDOT_MOTION_NONE,
                             .most_motion = o->motion == QDOT_MOTION_FULL ? 0 : MOST_MOTION};
  if (o->row) options.row = hand_on_row, options.user = (void *)o;
  return options;
}

// A resumed run continues after what was on disk at its checkpoint.
static Status open_recorder(Running *r) {
  Context *cx = r->model->cx;
  RecorderOptions options = api_recorder_options(r->o, &r->sim);
  if (r->o->checkpoint && r->sim.resume && access(r->sim.checkpoint, F_OK) != 0)
    r->sim.resume = false; // both were asked for: anew where there is nothing to continue from
  if (r->o->folder) {
    unlink(folder_path(&cx->scratch, r->o->folder, "checkpoint.new"));
    if (!r->sim.resume) unlink(folder_path(&cx->scratch, r->o->folder, "checkpoint"));
  }
  if (!r->sim.resume) return recorder_open(&r->recorder, r->result, &options);
  SinkPosition position;
  Status status = sim_resume_position(cx, r->model, &r->sim, &position);
  return status == QDOT_OK ? recorder_resume(&r->recorder, r->result, &options, position) : status;
}

static bool may_be_resumed(const Running *r) {
  return r->result->summary.stopped == STOPPED_USER && r->sim.checkpoint &&
         access(r->sim.checkpoint, F_OK) == 0;
}

static Status integrate(Running *r) {
  Status status = open_recorder(r);
  if (status != QDOT_OK) return status;
  RowSink sink = recorder_sink(&r->recorder);
  status = sim_run(r->model->cx, r->system, &r->sim, &sink, &r->result->summary);
  if (status != QDOT_OK) {
    recorder_leave(&r->recorder);
    return status;
  }
  r->result->summary.motion_left_out = recorder_left_out(&r->recorder);
  return may_be_resumed(r) ? recorder_pause(&r->recorder) : recorder_finish(&r->recorder);
}

// ---- What is left behind

static Status verify(Running *r) {
  Result *result = r->result;
  const RowSource *rows = &result->rows;
  if (!r->o->verify || !rows->next || result->summary.stopped) return QDOT_OK;
  if (r->o->verify == QDOT_VERIFY_IF_CHEAP && !verify_is_cheap(r->system, &result->summary))
    return QDOT_OK;
  rows->rewind(rows->user);
  FirstRun first = {.user = rows->user, .next = rows->next};
  return sim_verify(r->model->cx, r->system, &r->sim, first, &result->summary);
}

// The rows once more, for MATLAB and Octave.
Status api_write_mat(const Result *result, const char *title) {
  MatTable table = {.title = title,
                    .columns = result->column_count,
                    .names = result->columns,
                    .rows = (uint64_t)result->summary.rows,
                    .next = result->rows.next,
                    .user = result->rows.user};
  result->rows.rewind(result->rows.user);
  return mat_write(result->cx, result->folder, "results.mat", &table);
}

static Status run_and_store(Running *r, double began) {
  Context *cx = r->model->cx;
  double derived = context_seconds();
  Status status = r->o->folder ? folder_make(cx, r->o->folder) : QDOT_OK;
  if (status == QDOT_OK) status = integrate(r);
  r->result->summary.setup_seconds += r->model->read_seconds + derived - began;
  if (status == QDOT_OK) status = verify(r);
  if (status == QDOT_OK && r->o->mat && r->result->folder)
    status = api_write_mat(r->result, r->model->title);
  if (status == QDOT_OK && r->o->folder)
    status = result_store(r->result, origin_of_system(r->system));
  if (status == QDOT_OK && !may_be_resumed(r)) sim_forget(&r->sim);
  return status;
}

static Status simulate(void *argument) {
  Running *r = argument;
  Context *cx = r->model->cx;
  double began = context_seconds();
  r->model = model_moving(r->model);
  Status status = api_sim_options(r->model, r->o, &r->sim);
  if (status == QDOT_OK) status = sim_check_options(cx, &r->sim);
  if (status == QDOT_OK) status = model_system(r->model, DERIVE_BASIC, &r->system);
  if (status != QDOT_OK) return status;
  r->result = result_new(cx, r->model);
  if (r->o->folder) r->result->folder = arena_copy(&cx->keep, r->o->folder, strlen(r->o->folder));
  name_columns(r);
  if (r->model->requests.measurements.n > 0) r->result->measure_units = measure_units(cx, r->model);
  find_frequencies(r);
  status = run_and_store(r, began);
  if (status == QDOT_OK)
    r->out = api_result_new(r->model, r->result);
  else
    result_close(r->result);
  return status;
}

qdot_status qdot_model_simulate(qdot_model *model, const qdot_run_options *options,
                                qdot_result **out) {
  if (out) *out = NULL;
  if (!model || !out) return QDOT_BAD_ARGUMENT;
  qdot_run_options own;
  if (!api_options(options, &own, sizeof own)) return QDOT_BAD_ARGUMENT;
  Running running = {.model = model, .o = &own};
  Status status = api_call(model->cx, simulate, &running);
  if (status == QDOT_OK) *out = running.out;
  return status;
}

// ---- The certificate as text

Status result_origin(const qdot_result *result, RunOrigin *out) {
  *out = origin_of_plan(result->plan);
  if (result->plan) return QDOT_OK;
  System *system;
  Status status = model_system(result->model, DERIVE_BASIC, &system);
  if (status == QDOT_OK) *out = origin_of_system(system);
  return status;
}

static Status print_result(Context *cx, void *object, const qdot_write_options *options,
                           Text *out) {
  qdot_result *result = object;
  const Result *r = result->result;
  RunOrigin origin;
  Status status = result_origin(result, &origin);
  if (status != QDOT_OK) return status;
  const char *rows = r->folder ? folder_path(&cx->scratch, r->folder, "results.csv") : NULL;
  switch (options->format) {
  case QDOT_FORMAT_JSON: certificate_json(cx, origin, r, out); return QDOT_OK;
  case QDOT_FORMAT_TEXT:
    certificate_text(cx, origin, &r->summary, rows, !options->ascii, out);
    return QDOT_OK;
  default: return api_only_text_and_json(cx, "a result");
  }
}

qdot_status qdot_result_write(qdot_result *result, const qdot_write_options *options,
                              qdot_sink sink) {
  if (!result) return QDOT_BAD_ARGUMENT;
  return api_write(result->cx, result, print_result, options, sink);
}
