// The picture of a sweep.
#include "chart/sweep_chart.h"

#include <math.h>

#include "base/host/folder.h"
#include "chart/chart.h"
#include "print/ask/sweep_text.h"
#include "print/gnuplot_text.h"

enum { MOST_PANELS = 6, MOST_SIDE = 4 };

typedef struct Picture {
  Context *cx;
  const SweepCloud *cloud;
  const Sweep *sweep;
  Text script;
} Picture;

// ---- Data

// Blank lines part the scans of a map.
static void add_data(const Picture *p, uint64_t scan, Text *out) {
  uint32_t columns = p->sweep->axes + p->sweep->measures;
  for (uint64_t i = 0; i < p->cloud->cases; i++) {
    if (scan > 0 && i > 0 && i % scan == 0) text_add_char(out, '\n');
    for (uint32_t k = 0; k < columns; k++) {
      double value = p->cloud->cells[i * columns + k];
      if (k) text_add_char(out, ' ');
      if (isfinite(value))
        text_addf(out, "%.9g", value);
      else
        text_add(out, "NaN");
    }
    text_add_char(out, '\n');
  }
}

// ---- Words

static const char *title_of(const Picture *p, uint32_t column) {
  const Sweep *s = p->sweep;
  Arena *arena = &p->cx->scratch;
  bool is_axis = column < s->axes;
  const char *name = is_axis ? sweep_axis_name(s, column) : sweep_measure_name(s, column - s->axes);
  const char *unit = is_axis ? sweep_axis_unit(s, column) : sweep_measure_unit(s, column - s->axes);
  const char *marked = is_axis && s->request->axes.at[column].varied.is_start
                           ? markup_from_text(arena, name)
                           : markup_from_name(p->cx, arena, name);
  return *unit ? text_format(arena, "%s [%s]", marked, unit) : marked;
}

static void add_label(Picture *p, const char *axis, uint32_t column) {
  text_addf(&p->script, "set %s ", axis);
  add_quoted(&p->script, title_of(p, column));
  text_add_char(&p->script, '\n');
}

static void begin(Picture *p, uint32_t across, uint32_t down, unsigned width, unsigned height) {
  text_addf(&p->script,
            "reset\nset encoding utf8\nset minussign\n"
            "set terminal svg enhanced size %u,%u font \"sans-serif,13\" background \"#ffffff\"\n"
            "set output \"sweep.svg\"\nset datafile missing \"NaN\"\nset key off\n"
            "set tics nomirror out scale 0.5\nset border 3\n"
            "set multiplot layout %u,%u\n",
            width, height, down, across);
}

// Where a column's values lie; false where there are none to be drawn.
static bool find_range(const Picture *p, uint32_t column, double *low, double *high) {
  uint32_t columns = p->sweep->axes + p->sweep->measures;
  *low = INFINITY, *high = -INFINITY;
  for (uint64_t i = 0; i < p->cloud->cases; i++) {
    double value = p->cloud->cells[i * columns + column];
    if (!isfinite(value)) continue;
    *low = fmin(*low, value), *high = fmax(*high, value);
  }
  return *low <= *high;
}

// With a margin; what does not vary has one, too.
static void add_range(Picture *p, const char *axis, uint32_t column) {
  double low, high;
  if (!find_range(p, column, &low, &high)) return;
  double margin = high > low ? 0.05 * (high - low) : fmax(0.05 * fabs(low), 1e-9);
  text_addf(&p->script, "set %s [%.9g:%.9g]\n", axis, low - margin, high + margin);
}

// ---- Kinds

// The columns of measures that have a value, at most so many.
static uint32_t find_measures(const Picture *p, uint32_t most, uint32_t *out) {
  const Sweep *s = p->sweep;
  uint32_t count = 0;
  double low, high;
  for (uint32_t k = 0; k < s->measures && count < most; k++)
    if (find_range(p, s->axes + k, &low, &high)) out[count++] = s->axes + k;
  return count;
}

static void add_curves(Picture *p, uint32_t axis, const uint32_t *measures, uint32_t shown) {
  begin(p, 1, shown, CHART_WIDTH, 60 + 240 * shown);
  text_add(&p->script, "set grid\n");
  add_label(p, "xlabel", axis);
  add_range(p, "xrange", axis);
  for (uint32_t k = 0; k < shown; k++) {
    add_label(p, "ylabel", measures[k]);
    add_range(p, "yrange", measures[k]);
    text_addf(&p->script,
              "plot \"sweep.dat\" using %u:%u with linespoints linewidth 1.8 pointtype 7 pointsize "
              "0.3 linecolor rgb \"#2458a6\"\n",
              axis + 1, measures[k] + 1);
  }
}

// Colours from dark to light, also in shades of grey, with lines of equal values.
static void add_maps(Picture *p, const uint32_t axes[2], const uint32_t *measures, uint32_t shown) {
  begin(p, 1, shown, CHART_WIDTH, 40 + 400 * shown);
  text_add(&p->script,
           "set palette defined (0 \"#440154\", 1 \"#3b528b\", 2 \"#21918c\", 3 \"#5ec962\", 4 "
           "\"#fde725\")\nset view map\nset contour base\nset cntrparam levels auto 8\n"
           "set cntrparam linear\nset cntrlabel onecolor\nset border 15\n"
           "set autoscale xfix\nset autoscale yfix\n");
  add_label(p, "xlabel", axes[0]);
  add_label(p, "ylabel", axes[1]);
  for (uint32_t k = 0; k < shown; k++) {
    unsigned x = axes[0] + 1, y = axes[1] + 1, z = measures[k] + 1;
    double low, high;
    bool varies = find_range(p, measures[k], &low, &high) && high > low;
    add_label(p, "cblabel", measures[k]);
    add_range(p, "zrange", measures[k]);
    if (varies)
      text_addf(&p->script, "set cbrange [%.9g:%.9g]\n", low, high);
    else
      add_range(p, "cbrange", measures[k]);
    text_addf(&p->script, "splot \"sweep.dat\" using %u:%u:%u with pm3d nocontour", x, y, z);
    if (varies)
      text_addf(&p->script,
                ", \"\" using %u:%u:%u with lines nosurface linewidth 0.8 linecolor rgb "
                "\"#202020\"",
                x, y, z);
    text_add_char(&p->script, '\n');
  }
}

// Every measure over everything that varies.
static void add_points(Picture *p, const uint32_t *measures, uint32_t shown) {
  const Sweep *s = p->sweep;
  uint32_t across = s->axes < MOST_SIDE ? s->axes : MOST_SIDE;
  double size = p->cloud->cases > 3000 ? 0.1 : p->cloud->cases > 300 ? 0.2 : 0.4;
  begin(p, across, shown, 60 + 250 * across, 40 + 220 * shown);
  for (uint32_t k = 0; k < shown; k++)
    for (uint32_t i = 0; i < across; i++) {
      add_label(p, "xlabel", i);
      add_label(p, "ylabel", measures[k]);
      add_range(p, "xrange", i);
      add_range(p, "yrange", measures[k]);
      text_addf(&p->script,
                "plot \"sweep.dat\" using %u:%u with points pointtype 7 pointsize %g linecolor rgb "
                "\"#2458a6\"\n",
                i + 1, measures[k] + 1, size);
    }
}

// The axes of a grid that have more than one value; *count of them.
static void find_axes(const Sweep *s, uint32_t found[2], uint32_t *count) {
  *count = 0;
  for (uint32_t i = 0; i < s->axes; i++) {
    if (s->request->axes.at[i].steps < 2) continue;
    if (*count < 2) found[*count] = i;
    ++*count;
  }
}

Status sweep_draw(Context *cx, const SweepCloud *cloud, const char *folder) {
  const Sweep *s = cloud->sweep;
  Picture p = {.cx = cx, .cloud = cloud, .sweep = s, .script = text_new(&cx->scratch)};
  uint32_t axes[2] = {0, 0}, count;
  uint64_t scan = 0;
  find_axes(s, axes, &count);
  uint32_t measures[MOST_PANELS], shown = find_measures(&p, MOST_PANELS, measures);
  if (shown == 0) return QDOT_NO_PROGRAM; // nothing to be drawn
  bool is_grid = s->request->runs == 0 && s->request->axes.at[0].kind != AXIS_CASES;
  if (is_grid && count == 1) {
    add_curves(&p, axes[0], measures, shown);
  } else if (is_grid && count == 2) {
    scan = s->request->axes.at[axes[1]].steps;
    add_maps(&p, axes, measures, shown);
  } else {
    add_points(&p, measures, shown < MOST_SIDE ? shown : MOST_SIDE);
  }
  text_add(&p.script, "unset multiplot\nunset output\n");
  Text data = text_new(&cx->scratch);
  add_data(&p, scan, &data);
  Status status = folder_write(cx, folder, "sweep.dat", data.at, data.n);
  if (status == QDOT_OK) status = folder_write(cx, folder, "sweep.gp", p.script.at, p.script.n);
  GnuplotOptions options = {0};
  return status == QDOT_OK ? gnuplot_run(cx, &options, folder, "load \"sweep.gp\"\n") : status;
}
