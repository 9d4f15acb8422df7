// Formulations side by side.
#include <math.h>

#include "analyse/compare.h"
#include "api/api_call.h"
#include "api/api_object.h"
#include "api/api_options.h"
#include "api/api_run.h"
#include "api/api_write.h"
#include "base/host/folder.h"
#include "chart/compare_chart.h"
#include "chart/plot.h"
#include "print/compare_text.h"

struct qdot_comparison {
  Object object;
  Comparison comparison;
  bool is_drawn;                             // compare.svg is in the folder
  qdot_compared shown[FORMULATIONS + ROADS]; // of these or of those
};

typedef struct Comparing {
  Model *model;
  const qdot_compare_options *o;
  const qdot_run_options *run;
  qdot_comparison *comparison;
} Comparing;

static double or_silent(double given) { return given != 0 ? given : NAN; }

static void tell_stage(void *user, const char *formulation, CompareStage stage) {
  static const qdot_stage stages[] = {[COMPARE_DERIVE] = QDOT_STAGE_DERIVE,
                                      [COMPARE_PROVE] = QDOT_STAGE_PROVE,
                                      [COMPARE_SIMULATE] = QDOT_STAGE_SIMULATE};
  const qdot_compare_options *o = user;
  if (o->stage) o->stage(o->stage_user, formulation, stages[stage]);
}

static CompareOptions options_of(const Comparing *c) {
  const qdot_run_options *run = c->run;
  return (CompareOptions){.overrides = {.method = run->method,
                                        .t_end = or_silent(run->t_end),
                                        .every = or_silent(run->every),
                                        .rtol = or_silent(run->rtol),
                                        .atol = or_silent(run->atol),
                                        .step = or_silent(run->step)},
                          .stop = run->stop,
                          .progress = run->progress,
                          .progress_user = run->progress_user,
                          .stage = tell_stage,
                          .stage_user = (void *)c->o};
}

// The picture is welcome but not needed: without gnuplot its script and data are left.
static Status draw(Context *cx, const char *folder, qdot_comparison *comparison) {
  Chart chart = compare_chart(&comparison->comparison);
  if (chart.panels.at[0].curves.n == 0) return QDOT_OK;
  Status status = folder_make(cx, folder);
  if (status != QDOT_OK) return status;
  PlotOptions options = plot_defaults();
  options.folder = folder;
  status = plot_charts(cx, &chart, 1, &options);
  comparison->is_drawn = status == QDOT_OK;
  return status == QDOT_NO_PROGRAM ? QDOT_OK : status;
}

static qdot_compared show(const FormulationRun *run) {
  bool is_equal = run->is_reference || run->agreement.equality == EQUAL_YES;
  return (qdot_compared){.formulation = run->name,
                         .refusal = run->refusal,
                         .coordinates = run->n,
                         .constraints = run->rows,
                         .derive_seconds = run->derive_seconds,
                         .run_seconds = run->has_run ? run->summary.wall_seconds : NAN,
                         .is_reference = run->is_reference,
                         .is_equal = is_equal,
                         .error = run->is_reference ? 0 : run->agreement.evidence.error,
                         .position = run->has_run ? run->deviation.position : NAN,
                         .angle = run->has_run ? run->deviation.angle : NAN,
                         .energy = run->has_run ? run->deviation.energy : NAN};
}

static qdot_compared show_road(const Model *model, const RoadRun *run) {
  bool is_lagrange = run->agreement.identities == 0 && !run->refusal;
  return (qdot_compared){.formulation = run->name,
                         .refusal = run->refusal,
                         .coordinates = model->coordinates.n,
                         .constraints = model->constraints.n,
                         .derive_seconds = run->derive_seconds,
                         .run_seconds = NAN,
                         .is_reference = is_lagrange,
                         .is_equal = !run->refusal && run->agreement.equality == EQUAL_YES,
                         .error = run->agreement.evidence.error,
                         .position = NAN,
                         .angle = NAN,
                         .energy = NAN};
}

static Status compare(void *argument) {
  Comparing *c = argument;
  Context *cx = c->model->cx;
  CompareOptions options = options_of(c);
  const Model *origin = c->model->origin ? c->model->origin : c->model;
  c->comparison = object_new(cx, sizeof *c->comparison);
  Comparison *found = &c->comparison->comparison;
  Status status = api_check_numbers(cx, c->run);
  if (status == QDOT_OK) status = compare_formulations(cx, origin, &options, found);
  for (int i = 0; status == QDOT_OK && found->roads && i < ROADS; i++)
    c->comparison->shown[i] = show_road(origin, &found->roads->runs[i]);
  if (found->roads) return status;
  if (status == QDOT_OK && c->run->folder && !found->is_stopped)
    status = draw(cx, c->run->folder, c->comparison);
  for (int i = 0; i < FORMULATIONS; i++) c->comparison->shown[i] = show(&found->runs[i]);
  return status;
}

qdot_status qdot_model_compare(qdot_model *model, const qdot_compare_options *options,
                               qdot_comparison **out) {
  if (out) *out = NULL;
  if (!model || !out) return QDOT_BAD_ARGUMENT;
  qdot_compare_options own;
  qdot_run_options run;
  if (!api_options(options, &own, sizeof own) || !api_options(own.run, &run, sizeof run))
    return QDOT_BAD_ARGUMENT;
  Comparing comparing = {.model = model, .o = &own, .run = &run};
  Status status = api_call(model->cx, compare, &comparing);
  *out = object_of(model->cx, status, comparing.comparison);
  return status;
}

void qdot_comparison_close(qdot_comparison *comparison) { object_close(comparison); }

int qdot_comparison_is_proved(const qdot_comparison *comparison) {
  if (!comparison) return 0;
  return comparison->comparison.is_proved;
}

int qdot_comparison_is_stopped(const qdot_comparison *comparison) {
  if (!comparison) return 0;
  return comparison->comparison.is_stopped;
}

int qdot_comparison_is_drawn(const qdot_comparison *comparison) {
  if (!comparison) return 0;
  return comparison->is_drawn;
}

size_t qdot_compared_count(const qdot_comparison *comparison) {
  if (!comparison) return 0;
  return comparison->comparison.roads ? (size_t)ROADS : (size_t)FORMULATIONS;
}

const qdot_compared *qdot_compared_at(const qdot_comparison *comparison, size_t i) {
  if (!comparison) return NULL;
  return i < qdot_compared_count(comparison) ? &comparison->shown[i] : NULL;
}

static Status print_comparison(Context *cx, void *object, const qdot_write_options *options,
                               Text *out) {
  const Comparison *comparison = &((qdot_comparison *)object)->comparison;
  TextStyle style = api_text_style(options);
  switch (options->format) {
  case QDOT_FORMAT_JSON: compare_json(comparison, out); return QDOT_OK;
  case QDOT_FORMAT_TEXT: compare_text(comparison, &style, out); return QDOT_OK;
  default: return api_only_text_and_json(cx, "a comparison");
  }
}

qdot_status qdot_comparison_write(qdot_comparison *comparison, const qdot_write_options *options,
                                  qdot_sink sink) {
  if (!comparison) return QDOT_BAD_ARGUMENT;
  return api_write(comparison->comparison.cx, comparison, print_comparison, options, sink);
}
