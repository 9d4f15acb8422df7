// The picture of a sweep.
#include "api/ask/sweep_picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart/ask/sweep_chart.h"
#include "chart/plot.h"

enum { MOST_FOR_PDF = 20000 }; // cases; reports in LaTeX show them

static Status draw(Context *cx, const SweepCloud *cloud, const char *folder) {
  Chart chart = sweep_chart(cx, cloud);
  PlotOptions options = plot_defaults();
  options.folder = folder;
  if (cloud->cases <= MOST_FOR_PDF) options.formats = PICTURE_SVG | PICTURE_PDF;
  return chart.panels.n > 0 ? plot_charts(cx, &chart, 1, &options) : QDOT_NO_PROGRAM;
}

static Status collect(void *user, const SweepBlock *b) {
  SweepCloud *cloud = user;
  const Sweep *s = cloud->sweep;
  uint32_t columns = s->axes + s->measures;
  for (uint32_t i = 0; i < b->count; i++) {
    double *row = cloud->cells + (b->first + i) * columns;
    sweep_values(s, b->first + i, row);
    memcpy(row + s->axes, b->values + (size_t)i * s->measures, s->measures * sizeof *row);
  }
  return QDOT_OK;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Between the two values next to it, in equal parts of their number.
static double percentile_of(const double *sorted, uint64_t n, double percent) {
  double at = percent / 100 * (double)(n - 1);
  uint64_t below = (uint64_t)at;
  if (below + 1 >= n) return sorted[n - 1];
  return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

static void find_percentiles(const SweepCloud *cloud, SweepStory *story) {
  const Sweep *s = cloud->sweep;
  uint32_t columns = s->axes + s->measures;
  double *sorted = arena_array(&s->cx->scratch, double, cloud->cases);
  story->percentiles = arena_array(s->cx->results, double, (size_t)s->measures *SWEEP_PERCENTILES);
  for (uint32_t k = 0; k < s->measures; k++) {
    uint64_t n = 0;
    for (uint64_t i = 0; i < cloud->cases; i++) {
      double value = cloud->cells[i * columns + s->axes + k];
      if (isfinite(value)) sorted[n++] = value;
    }
    qsort(sorted, n, sizeof *sorted, ascending);
    for (int i = 0; i < SWEEP_PERCENTILES; i++)
      story->percentiles[k * SWEEP_PERCENTILES + (uint32_t)i] =
          n > 0 ? percentile_of(sorted, n, sweep_percentiles[i]) : NAN;
  }
}

Status sweep_picture(const Sweep *s, const SweepStore *stores, uint32_t count, const char *folder,
                     SweepStory *story) {
  Context *cx = s->cx;
  if (s->cases > SWEEP_MOST_DRAWN) return QDOT_NO_PROGRAM;
  Mark mark = arena_mark(&cx->scratch);
  SweepCloud cloud = {.sweep = s, .cases = s->cases};
  cloud.cells = arena_array(&cx->scratch, double, s->cases *(s->axes + s->measures));
  Status status = sweep_join(s, stores, count, collect, &cloud);
  if (status == QDOT_OK && s->request->runs > 0) find_percentiles(&cloud, story);
  if (status == QDOT_OK) status = draw(cx, &cloud, folder);
  arena_release(&cx->scratch, mark);
  return status;
}
