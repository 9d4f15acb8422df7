// Formulations side by side.
#include <math.h>

#include "analyse/compare.h"
#include "api/api_call.h"
#include "base/folder.h"
#include "chart/compare_chart.h"
#include "chart/plot.h"
#include "print/compare_text.h"

struct qdot_comparison {
  Comparison comparison;
  bool is_drawn; // compare.svg is in the folder
};

qdot_compare_options qdot_compare_defaults(void) { return (qdot_compare_options){0}; }

typedef struct Comparing {
  Model *model;
  const qdot_compare_options *o;
  qdot_comparison *comparison;
} Comparing;

static double or_silent(double given) { return given != 0 ? given : NAN; }

static CompareOptions options_of(const qdot_compare_options *o) {
  return (CompareOptions){.overrides = {.method = o->run.method,
                                        .t_end = or_silent(o->run.t_end),
                                        .every = or_silent(o->run.every),
                                        .rtol = or_silent(o->run.rtol),
                                        .atol = or_silent(o->run.atol),
                                        .step = or_silent(o->run.step)},
                          .stop = o->run.stop,
                          .progress = o->run.progress,
                          .progress_user = o->run.progress_user,
                          .stage = o->stage,
                          .stage_user = o->stage_user};
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

static Status compare(void *argument) {
  Comparing *c = argument;
  Context *cx = c->model->cx;
  CompareOptions options = options_of(c->o);
  const Model *origin = c->model->origin ? c->model->origin : c->model;
  c->comparison = arena_new(&cx->keep, qdot_comparison);
  Status status = compare_formulations(cx, origin, &options, &c->comparison->comparison);
  if (status == QDOT_OK && c->o->run.folder) status = draw(cx, c->o->run.folder, c->comparison);
  return status;
}

qdot_status qdot_model_compare(qdot_model *model, const qdot_compare_options *options,
                               qdot_comparison **out) {
  qdot_compare_options defaults = qdot_compare_defaults();
  Comparing comparing = {.model = model, .o = options ? options : &defaults};
  Status status = api_call(model->cx, compare, &comparing);
  *out = status == QDOT_OK ? comparing.comparison : NULL;
  return status;
}

int qdot_comparison_is_proved(const qdot_comparison *comparison) {
  return comparison->comparison.is_proved;
}

int qdot_comparison_is_stopped(const qdot_comparison *comparison) {
  return comparison->comparison.is_stopped;
}

int qdot_comparison_is_drawn(const qdot_comparison *comparison) { return comparison->is_drawn; }

typedef struct Writing {
  const Comparison *comparison;
  qdot_style style;
  qdot_sink sink;
} Writing;

static Status write_comparison(void *argument) {
  Writing *w = argument;
  Context *cx = w->comparison->cx;
  Text out = text_new(&cx->scratch);
  TextStyle style = {w->style.unicode != 0, w->style.width};
  switch (w->style.format) {
  case QDOT_JSON: compare_json(w->comparison, &out); break;
  case QDOT_TEXT: compare_text(w->comparison, &style, &out); break;
  default: return diag_error_plain(cx, QDOT_UNSUPPORTED, "a comparison is written as text or json");
  }
  return w->sink.write(w->sink.user, out.at, out.n) == 0 ? QDOT_OK : QDOT_IO;
}

qdot_status qdot_comparison_write(qdot_comparison *comparison, const qdot_style *style,
                                  qdot_sink sink) {
  Writing writing = {&comparison->comparison, style ? *style : qdot_style_defaults(), sink};
  return api_call(comparison->comparison.cx, write_comparison, &writing);
}
