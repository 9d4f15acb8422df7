// Plots of a result, from the plan to the files.
#include "chart/plot.h"

#include <string.h>

#include "base/host/folder.h"
#include "chart/chart_svg.h"
#include "chart/overlay.h"
#include "chart/plot_plan.h"
#include "chart/svg.h"
#include "print/gnuplot_text.h"

static const struct {
  unsigned format;
  const char *word;
} formats[] = {{PICTURE_SVG, "svg"}, {PICTURE_PNG, "png"}, {PICTURE_PDF, "pdf"}};
#define FORMATS (sizeof formats / sizeof *formats)

// The picture without gnuplot.
static Status write_own(Context *cx, const Chart *chart, const PlotOptions *options) {
  Text svg = text_new(&cx->scratch);
  if (!(options->formats & PICTURE_SVG) || gnuplot_exists(&options->gnuplot)) return QDOT_OK;
  chart_svg(chart, options->decimal_sign, &svg);
  return folder_write(cx, options->folder, text_format(&cx->scratch, "%s.svg", chart->name), svg.at,
                      svg.n);
}

static Status write_chart(Context *cx, const Chart *chart, const PlotOptions *options) {
  Mark mark = arena_mark(&cx->scratch);
  Text script = text_new(&cx->scratch), data = text_new(&cx->scratch);
  chart_script(chart, options->decimal_sign, &script);
  chart_data(chart, &data);
  Status status = folder_write(cx, options->folder, text_format(&cx->scratch, "%s.gp", chart->name),
                               script.at, script.n);
  if (status == QDOT_OK)
    status = folder_write(cx, options->folder, text_format(&cx->scratch, "%s.dat", chart->name),
                          data.at, data.n);
  if (status == QDOT_OK) status = write_own(cx, chart, options);
  arena_release(&cx->scratch, mark);
  return status;
}

// A picture that gnuplot writes as NAME.svg.part.
typedef struct Drawn {
  const Picture *picture;
  const char *word; // svg
  Part part;
} Drawn;

// gnuplot says nothing when the disk is full: a whole picture has its end.
static bool is_whole(const char *bytes, size_t n, const char *word) {
  static const struct {
    const char *word, *end;
    size_t within; // bytes of the file's end
  } ends[] = {{"svg", "</svg>", 10}, {"png", "IEND", 8}, {"pdf", "%%EOF", 10}};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    if (strcmp(word, ends[i].word) != 0) continue;
    size_t tail = n < ends[i].within ? n : ends[i].within;
    return tail && memmem(bytes + n - tail, tail, ends[i].end, strlen(ends[i].end));
  }
  return true;
}

// An SVG gets its title, as NAME.svg.part again.
static Status finish(Context *cx, const Drawn *drawn) {
  Mark mark = arena_mark(&cx->scratch);
  const char *bytes;
  size_t n;
  Status status = folder_read(cx, &cx->scratch, "", drawn->part.path, &bytes, &n);
  if (status == QDOT_OK && !is_whole(bytes, n, drawn->word)) {
    status = diag_error_plain(cx, QDOT_IO, "gnuplot could not write all of '%s'; is the disk full?",
                              drawn->part.final);
  } else if (status == QDOT_OK && drawn->word[0] == 's') {
    Text svg = text_new(&cx->scratch);
    svg_finish(bytes, drawn->picture->name, drawn->picture->description, &svg);
    status = folder_write(cx, "", drawn->part.path, svg.at, svg.n);
  }
  arena_release(&cx->scratch, mark);
  return status;
}

// SVG is drawn by ourselves where gnuplot is not installed; other formats wait for it.
static Status tell_missing(Context *cx, const PlotOptions *options) {
  unsigned others = options->formats & (PICTURE_PNG | PICTURE_PDF);
  if (!others) return QDOT_OK;
  const char *words = others == PICTURE_PNG ? "PNG" : others == PICTURE_PDF ? "PDF" : "PNG or PDF";
  diag_warning_plain(cx, "no plots as %s: gnuplot, which draws them, is not installed", words);
  diag_note(cx, "scripts and data are in '%s'; 'gnuplot NAME.gp' draws them later",
            options->folder);
  return options->formats & PICTURE_SVG ? QDOT_OK : QDOT_NO_PROGRAM;
}

static Status draw(Context *cx, const PictureList *pictures, const PlotOptions *options) {
  if (!gnuplot_exists(&options->gnuplot)) return tell_missing(cx, options);
  Text commands = text_new(&cx->scratch);
  Drawn *drawn = arena_array(&cx->scratch, Drawn, pictures->n * FORMATS);
  size_t n = 0;
  for (uint32_t i = 0; i < pictures->n; i++)
    for (size_t k = 0; k < FORMATS; k++) {
      if (!(options->formats & formats[k].format)) continue;
      const char *name = pictures->at[i].name, *word = formats[k].word;
      text_addf(&commands, "kind = \"%s\"; picture = \"%s.%s.part\"; load \"%s.gp\"\n", word, name,
                word, name);
      drawn[n].picture = &pictures->at[i], drawn[n].word = word;
      part_open(cx, options->folder, text_format(&cx->scratch, "%s.%s", name, word),
                &drawn[n++].part);
    }
  Status status = gnuplot_run(cx, &options->gnuplot, options->folder, commands.at);
  while (n-- > 0) {
    if (status == QDOT_OK) status = finish(cx, &drawn[n]);
    status = part_end(cx, &drawn[n].part, status);
  }
  return status;
}

Status plot_charts(Context *cx, const Chart *charts, uint32_t n, const PlotOptions *options) {
  Mark mark = arena_mark(&cx->scratch);
  PictureList pictures = {0};
  Status status = QDOT_OK;
  for (uint32_t i = 0; i < n && status == QDOT_OK; i++) {
    status = write_chart(cx, &charts[i], options);
    Picture picture = {charts[i].name, CHART_ANALYSIS, charts[i].description, ""};
    vec_push(&cx->scratch, &pictures, picture);
  }
  if (status == QDOT_OK && n) status = draw(cx, &pictures, options);
  arena_release(&cx->scratch, mark);
  return status;
}

// plot-12-time.svg, whatever drew it.
static bool is_picture(const char *name, void *unused) {
  (void)unused;
  static const char *const endings[] = {".svg", ".png", ".pdf", ".gp", ".dat"};
  if (strncmp(name, "plot-", 5) != 0) return false;
  size_t digits = strspn(name + 5, "0123456789");
  const char *kind = name + 5 + digits;
  if (digits == 0 || *kind++ != '-') return false;
  for (int i = 0; i < CHART_KINDS; i++) {
    size_t length = strlen(chart_kind_word((ChartKind)i));
    if (strncmp(kind, chart_kind_word((ChartKind)i), length) != 0) continue;
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
      if (strcmp(kind + length, endings[k]) == 0) return true;
  }
  return false;
}

// ---- Several results

Status plot_overlay(Context *cx, const Result *result, const PlotOptions *options, const char *name,
                    PlotOverlay *out) {
  PlotPlan plan = plan_plots(cx, &cx->keep, result, options);
  double begin, end;
  Status status = plan_collect(&plan, &begin, &end);
  Chart *charts = arena_array(&cx->keep, Chart, plan.charts.n + 1);
  for (uint32_t i = 0; i < plan.charts.n && status == QDOT_OK; i++)
    charts[i] = plan_finish(&plan, &plan.charts.at[i], i + 1, begin, end);
  *out = (PlotOverlay){name, charts, status == QDOT_OK && begin <= end ? plan.charts.n : 0};
  return status;
}

// The curves of other results in their charts of the same words.
static void add_others(Context *cx, const PlotOptions *options, Chart *chart) {
  Arena *arena = &cx->scratch;
  for (uint32_t i = 0; i < options->other_count; i++) {
    const PlotOverlay *other = &options->others[i];
    const char *name = markup_from_text(arena, other->name);
    for (uint32_t k = 0; k < other->n; k++)
      if (strcmp(other->charts[k].description, chart->description) == 0)
        overlay_add(chart, &other->charts[k], i + 1, name, arena);
  }
  if (options->other_count == 0) return;
  overlay_name(chart, markup_from_text(arena, options->own_name), arena);
  const char *number = chart->name + strlen("plot-");
  chart->name = text_format(&cx->keep, "compare-%s", number);
}

Status plot_result(Context *cx, const Result *result, const PlotOptions *options,
                   PictureList *out) {
  *out = (PictureList){0};
  Mark mark = arena_mark(&cx->scratch);
  PlotPlan plan = plan_plots(cx, &cx->scratch, result, options);
  double begin, end;
  Status status = plan_collect(&plan, &begin, &end);
  if (status == QDOT_OK && !(begin <= end))
    status =
        diag_error_plain(cx, QDOT_BAD_FILE, "there is nothing to plot: the result has no rows");
  // Pictures of an earlier plan would lie between the new ones.
  if (status == QDOT_OK && !options->other_count)
    folder_clear(cx, options->folder, is_picture, NULL);
  for (uint32_t i = 0; i < plan.charts.n && status == QDOT_OK; i++) {
    PlannedChart *planned = &plan.charts.at[i];
    Chart chart = plan_finish(&plan, planned, i + 1, begin, end);
    add_others(cx, options, &chart);
    status = write_chart(cx, &chart, options);
    Picture picture = {chart.name, planned->kind, chart.description,
                       arena_copy(&cx->keep, planned->names, strlen(planned->names))};
    if (status == QDOT_OK) vec_push(&cx->keep, out, picture);
  }
  if (status == QDOT_OK && out->n) status = draw(cx, out, options);
  arena_release(&cx->scratch, mark);
  return status;
}
