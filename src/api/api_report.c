// Reports of stored results.
#include "analyse/vibration/valley.h"
#include "api/api_call.h"
#include "api/api_file.h"
#include "api/api_options.h"
#include "api/api_result.h"
#include "base/host/folder.h"
#include "base/text.h"
#include "chart/backbone_chart.h"
#include "chart/eigenvalue_chart.h"
#include "chart/plot.h"
#include "chart/potential_chart.h"
#include "derive/formulate.h"
#include "derive/with_states.h"
#include "model/values.h"
#include "report/captions.h"
#include "report/pdflatex.h"
#include "report/report.h"

typedef struct Reporting {
  qdot_result *result;
  const qdot_report_options *o;
  Context *cx;
  unsigned formats;
  ReportOptions options;
  Notation notation;
  System *system;
  Selfcheck check;
  ReportContent content;
} Reporting;

static void announce(const Reporting *r, qdot_stage stage) {
  if (r->o->stage) r->o->stage(r->o->stage_user, stage);
}

// ---- Options

static Status read_options(Reporting *r) {
  static const Detail details[] = {[QDOT_DETAIL_TEXTBOOK] = DETAIL_TEXTBOOK,
                                   [QDOT_DETAIL_RESULT] = DETAIL_RESULT,
                                   [QDOT_DETAIL_EVERY] = DETAIL_EVERY};
  r->formats = r->o->formats ? r->o->formats : QDOT_FILE_HTML | QDOT_FILE_TEX | QDOT_FILE_PDF;
  if (r->formats & QDOT_FILE_PDF) r->formats |= QDOT_FILE_TEX;
  r->options = report_defaults();
  r->options.detail = details[r->o->detail];
  r->options.notation = &r->notation;
  Status status = result_language(r->cx, r->o->language, &r->options.language);
  if (status != QDOT_OK || !r->o->notation) return status;
  Text lines;
  status = file_read(r->cx, r->o->notation, &lines);
  return status == QDOT_OK ? notation_read(r->cx, &r->notation, lines.at) : status;
}

// ---- Pictures

// Without gnuplot the report has no plots; a warning has said so.
static Status draw_plots(Reporting *r, unsigned formats) {
  qdot_result *result = r->result;
  bool drawn =
      result->plot_language == r->options.language && (formats & ~result->plot_formats) == 0;
  if (drawn || result->has_no_gnuplot) return QDOT_OK;
  announce(r, QDOT_STAGE_PLOT);
  qdot_plot_options options = qdot_plot_defaults();
  options.formats = formats | result->plot_formats;
  options.everything = r->o->everything;
  options.language = r->o->language;
  options.gnuplot = r->o->gnuplot;
  Status status = result_plot(result, &options);
  return status == QDOT_NO_PROGRAM ? QDOT_OK : status;
}

// Without cairo there is no film; a warning has said so.
static Status draw_animation(Reporting *r, unsigned formats) {
  qdot_result *result = r->result;
  if (result->animation_language == r->options.language) formats &= ~result->animation_formats;
  if (!formats) return QDOT_OK;
  announce(r, QDOT_STAGE_ANIMATE);
  qdot_animate_options options = qdot_animate_defaults();
  options.formats = formats;
  options.speed = r->o->speed;
  options.magnify = r->o->magnify;
  options.language = r->o->language;
  options.labels = 1;
  Status status = result_animate(result, &options);
  return status == QDOT_NO_PROGRAM ? QDOT_OK : status;
}

static Status draw_pictures(Reporting *r) {
  bool html = r->formats & QDOT_FILE_HTML, tex = r->formats & QDOT_FILE_TEX;
  unsigned stills = (html ? QDOT_FILE_SVG : 0) | (tex ? QDOT_FILE_PDF : 0);
  // LaTeX's pictures come twice; one of them is enough to be told of.
  r->result->unlisted = html ? QDOT_FILE_PDF : 0;
  Status status = draw_plots(r, stills);
  if (status == QDOT_OK) status = draw_animation(r, stills);
  r->result->unlisted = 0;
  return status;
}

static void list_pictures(Reporting *r) {
  const qdot_result *result = r->result;
  Arena *scratch = &r->cx->scratch;
  ReportPicture *pictures = arena_array(scratch, ReportPicture, result->plots.n);
  for (uint32_t i = 0; i < result->plots.n; i++) {
    const Picture *p = &result->plots.at[i];
    pictures[i] = (ReportPicture){p->name, picture_caption(r->options.language, p, scratch)};
  }
  r->content.pictures = pictures;
  r->content.picture_count = result->plots.n;
  r->content.folder = result->target.folder;
  r->content.is_labelled = result->still.is_labelled;
  r->content.has_ghosts = result->still.has_ghosts;
  r->content.magnify = r->o->magnify;
  if (!result->still.is_empty) r->content.still = "mechanism";
}

// ---- Small vibrations

// What is wrong with a point is a warning here: the rest of the report does not depend on it.
static void excuse(Reporting *r, Diagnostics before) {
  const Diagnostics *now = &r->cx->diagnostics;
  const char *message = now->list.n > before.list.n ? now->list.at[before.list.n].message : NULL;
  diag_rollback(r->cx, before);
  diag_warning_plain(r->cx, "the report has no chapter on small vibrations");
  if (message) diag_note(r->cx, "%s", message);
}

static Status linearize_one(Reporting *r, System *system, const LinearizeRequest *request,
                            ReportLinear *out) {
  LinearizeOptions how = {.request = request};
  double *values;
  Status status = model_values(r->cx, system->model, &r->cx->keep, &values);
  if (status == QDOT_OK)
    status =
        linearize_system(r->cx, system_with_states(r->cx, system), values, &how, &out->linearized);
  if (status != QDOT_OK) return status;
  out->has_modes = modes_find(&out->linearized, &r->cx->keep, &out->modes) == QDOT_OK;
  if (out->has_modes) energy_judge_alone(&out->linearized, values, &out->modes);
  if (out->has_modes && frequency_forms_may_exist(&out->linearized))
    out->forms = frequency_forms(&out->linearized, &out->modes, values);
  Weakly *weakly = arena_new(&r->cx->keep, Weakly);
  if (out->has_modes && weakly_find(&out->linearized, values, weakly)) out->weakly = weakly;
  return QDOT_OK;
}

// Those of a sampled loop, with the unit circle.
static void draw_eigenvalues(Reporting *r, ReportLinear *linear) {
  if (!linear->has_modes || !linear->linearized.sampled) return;
  Chart chart = eigenvalue_chart(r->cx, &linear->modes);
  if (r->content.linear_count > 0)
    chart.name =
        text_format(&r->cx->keep, "%s-%u", chart.name, (unsigned)r->content.linear_count + 1);
  linear->picture = chart.name;
  PlotOptions options = plot_defaults();
  options.folder = r->result->target.folder;
  options.formats = PICTURE_SVG | PICTURE_PDF; // for the page and for paper
  plot_charts(r->cx, &chart, 1, &options);     // what is not drawn is not shown
}

// A picture of the report's own: what hinders it was said of the plots.
static void draw_chart(Reporting *r, const Chart *chart) {
  PlotOptions options = plot_defaults();
  options.folder = r->result->target.folder;
  options.formats = PICTURE_SVG | PICTURE_PDF; // for the page and for paper
  Diagnostics before = diag_mark(r->cx);
  plot_charts(r->cx, chart, 1, &options);
  diag_rollback(r->cx, before);
}

// The unit of the one coordinate.
static void draw_backbone(Reporting *r, ReportLinear *linear) {
  if (!linear->weakly) return;
  const Measure *measure = &linear->linearized.system->model->coordinates.at[0].measure;
  Text unit = text_new(&r->cx->scratch);
  if (!dimension_is_pure(measure->dimension)) dimension_print(measure->dimension, &unit);
  Chart chart = backbone_chart(r->cx, linear->weakly, unit.n ? unit.at : "rad");
  if (r->content.linear_count > 0)
    chart.name =
        text_format(&r->cx->keep, "%s-%u", chart.name, (unsigned)r->content.linear_count + 1);
  linear->backbone = chart.name;
  draw_chart(r, &chart);
}

// As it is printed; with numbers where that fails.
static void linearize_all(Reporting *r) {
  const Requests *requests = &r->result->model->requests;
  ReportLinear *linear = arena_array(&r->cx->keep, ReportLinear, requests->linearizations.n);
  r->content.linear = linear;
  for (uint32_t i = 0; i < requests->linearizations.n; i++) {
    const LinearizeRequest *request = &requests->linearizations.at[i];
    ReportLinear *next = &linear[r->content.linear_count];
    Diagnostics before = diag_mark(r->cx);
    Status status = linearize_one(r, r->content.system, request, next);
    if (status != QDOT_OK && r->content.system != r->system) {
      diag_rollback(r->cx, before);
      before = diag_mark(r->cx);
      status = linearize_one(r, r->system, request, next);
    }
    if (status == QDOT_OK) draw_eigenvalues(r, next), draw_backbone(r, next);
    if (status == QDOT_OK)
      r->content.linear_count++;
    else
      excuse(r, before);
  }
}

// All that there are beside the one that the start leads to; what is wrong with them is no matter
// of the report.
static void find_equilibria(Reporting *r) {
  enum { STARTS = 32, MOST_COORDINATES = 8 };
  bool any = false;
  for (uint32_t i = 0; i < r->content.linear_count; i++) {
    const Linearized *l = &r->content.linear[i].linearized;
    bool moves = false;
    for (uint32_t k = 0; k < l->n; k++) moves |= l->point->qd[k] != 0;
    any |= l->is_balanced && !moves;
  }
  if (!any || r->system->n > MOST_COORDINATES) return;
  Diagnostics before = diag_mark(r->cx);
  Equilibria *found = arena_new(&r->cx->keep, Equilibria);
  double *values;
  Status status = model_values(r->cx, r->system->model, &r->cx->keep, &values);
  if (status == QDOT_OK)
    status =
        equilibria_find(r->cx, system_with_states(r->cx, r->system), values, NULL, STARTS, found);
  diag_rollback(r->cx, before);
  if (status == QDOT_OK) r->content.equilibria = found;
}

// ---- Documents

// The chapters tell of the model as it was written, its road and all its coordinates.
static Status tell_unreduced(Reporting *r) {
  Model *model = (Model *)r->result->model->unreduced;
  System *told;
  Status status = model_system(model_shown(model), DERIVE_MATRICES, &told);
  if (status == QDOT_OK) status = model_system(model, DERIVE_MATRICES, &r->system);
  r->content.system = told;
  return status;
}

static Status derive_all(Reporting *r) {
  Status status = model_system(r->result->model, DERIVE_MATRICES, &r->system);
  if (status == QDOT_OK) status = system_selfcheck(r->cx, r->system, 16, 1, &r->check);
  // readers see the numbers of parts under their names, and all with their units
  System *played = r->system, *shown = NULL;
  Model *named = model_named(r->result->model), *printed = model_shown(r->result->model);
  if (status == QDOT_OK && named != r->result->model)
    status = model_system(named, DERIVE_MATRICES, &played);
  if (status == QDOT_OK && printed != named)
    status = model_system(printed, DERIVE_MATRICES, &shown);
  const Source *source = &r->cx->sources.at[r->result->model->source];
  r->content.system = shown ? shown : played;
  r->content.played = played;
  r->content.check = &r->check;
  r->content.text = source->text;
  r->content.text_length = source->length;
  if (status == QDOT_OK && r->result->model->unreduced) status = tell_unreduced(r);
  return status;
}

static Status write_one(Reporting *r, const Medium *medium, const char *file) {
  Mark mark = arena_mark(&r->cx->scratch);
  Text out = text_new(&r->cx->scratch);
  Status status = report_write(r->cx, &r->content, &r->options, medium, &out);
  if (status == QDOT_OK)
    status = folder_write(r->cx, r->result->target.folder, file, out.at, out.n);
  arena_release(&r->cx->scratch, mark);
  return status;
}

static Status draw_film(void *argument) {
  Status status = draw_animation(argument, QDOT_FILE_GIF);
  announce(argument, QDOT_STAGE_TYPESET);
  return status;
}

// The film is drawn while pdflatex makes its first run.
static Status write_pdf(Reporting *r, bool *is_made) {
  PdflatexOptions how = {r->o->pdflatex, r->o->pdflatex_seconds, draw_film, r};
  Status status = pdflatex_run(r->cx, &how, r->result->target.folder, "report");
  bool asked = r->o->formats & QDOT_FILE_PDF;
  *is_made = status == QDOT_OK;
  return status == QDOT_NO_PROGRAM && !asked ? QDOT_OK : status;
}

static void list_file(Reporting *r, const char *file, Sentence words) {
  file_list_add(&r->result->files, &r->result->target, file,
                language_say(r->options.language, words));
}

static Status write_all(Reporting *r) {
  Status status = QDOT_OK;
  bool html = r->formats & QDOT_FILE_HTML, tex = r->formats & QDOT_FILE_TEX, pdf = false;
  if (html) status = write_one(r, &html_medium, "report.html");
  if (status == QDOT_OK && tex) status = write_one(r, &latex_medium, "report.tex");
  if (status != QDOT_OK) return status;
  status = r->formats & QDOT_FILE_PDF ? write_pdf(r, &pdf) : draw_animation(r, QDOT_FILE_GIF);
  if (html) list_file(r, "report.html", SAY_FILE_REPORT);
  if (tex) list_file(r, "report.tex", SAY_FILE_TEX);
  if (pdf) list_file(r, "report.pdf", SAY_FILE_PDF);
  return status;
}

// What is left by Routh's road, with its picture.
static void find_stationary(Reporting *r) {
  enum { STARTS = 32 };
  if (road_of(r->system->model->road) != ROAD_ROUTH) return;
  Stationary *found = arena_new(&r->cx->keep, Stationary);
  Status status;
  Chart chart;
  Diagnostics before = diag_mark(r->cx);
  bool good = stationary_find(r->cx, (Model *)r->system->model, STARTS, found, &status);
  diag_rollback(r->cx, before);
  if (!good || status != QDOT_OK) return;
  r->content.stationary = found;
  if (!potential_chart(r->cx, found, &chart)) return;
  r->content.potential_picture = chart.name;
  draw_chart(r, &chart);
}

static void find_shortest_road(Reporting *r) {
  enum { MOST_UNKNOWNS = 4 };
  const System *s = r->system;
  if (s->n == 0 || s->n + s->row_count + s->contact_count > MOST_UNKNOWNS) return;
  RoadComparison *c = arena_new(&r->cx->keep, RoadComparison);
  Diagnostics before = diag_mark(r->cx);
  if (compare_roads(r->cx, (Model *)s->model, c) == QDOT_OK) r->content.roads = c;
  diag_rollback(r->cx, before);
}

static Status tell_all(Reporting *r) {
  Status status = read_options(r);
  if (status == QDOT_OK) status = draw_pictures(r);
  announce(r, QDOT_STAGE_REPORT);
  if (status == QDOT_OK) status = derive_all(r);
  if (status == QDOT_OK) {
    linearize_all(r), find_equilibria(r);
    find_stationary(r), find_shortest_road(r);
  }
  if (status != QDOT_OK) return status;
  r->content.result = r->result->result;
  r->content.model = r->result->model;
  SimOptions how;
  if (sim_options(r->cx, r->result->model, &how) == QDOT_OK)
    r->content.stabilize = how.method.stabilize;
  list_pictures(r);
  return write_all(r);
}

static Status make_report(Reporting *r) {
  WorkStage outer = context_enter_stage(r->cx, STAGE_TOLD);
  Status status = tell_all(r);
  context_leave_stage(r->cx, outer);
  return status;
}

static Status report(void *argument) {
  Reporting *r = argument;
  if (r->result->has_set_values)
    return diag_error_plain(r->cx, QDOT_BAD_ARGUMENT,
                            "a report tells the values of the model, and this run was made with "
                            "others: give them as settings when the model is read");
  Status status = result_begin_files(r->result, r->o->files);
  return status == QDOT_OK ? result_end_files(r->result, make_report(r)) : status;
}

qdot_status qdot_result_report(qdot_result *result, const qdot_report_options *options) {
  if (!result) return QDOT_BAD_ARGUMENT;
  qdot_report_options own;
  if (!api_options(options, &own, sizeof own)) return QDOT_BAD_ARGUMENT;
  Reporting reporting = {.result = result, .o = &own, .cx = result->cx};
  if (!result_may_magnify(own.magnify)) return QDOT_BAD_ARGUMENT;
  if (!result_may_play(own.speed) || (unsigned)own.detail > QDOT_DETAIL_EVERY)
    return QDOT_BAD_ARGUMENT;
  return api_call(result->cx, report, &reporting);
}

const char *qdot_stage_text(qdot_stage stage, const char *language) {
  static const Sentence words[] = {
      [QDOT_STAGE_SIMULATE] = SAY_STAGE_SIMULATE, [QDOT_STAGE_PLOT] = SAY_STAGE_PLOT,
      [QDOT_STAGE_ANIMATE] = SAY_STAGE_ANIMATE,   [QDOT_STAGE_REPORT] = SAY_STAGE_REPORT,
      [QDOT_STAGE_TYPESET] = SAY_STAGE_TYPESET,   [QDOT_STAGE_DERIVE] = SAY_STAGE_DERIVE,
      [QDOT_STAGE_PROVE] = SAY_STAGE_PROVE};
  const Language *found = language_find(language ? language : "en");
  bool known = (size_t)stage < sizeof words / sizeof *words;
  return found && known ? language_say(found, words[stage]) : NULL;
}
