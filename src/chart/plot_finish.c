// Planned charts, once the rows are read, as charts.
#include <math.h>
#include <string.h>

#include "chart/palette.h"
#include "chart/plot_plan.h"
#include "print/gnuplot_text.h"

#define PIXELS_X 460.0 // of the axes
#define PIXELS_Y 250.0
#define INVISIBLE 0.07  // pixels
#define LOG_FLOOR 1e-18 // a residual of exactly 0

// ---- Curves

static void include_all(Extent *range, Points points) {
  for (uint32_t i = 0; i < points.n; i++) extent_include(range, points.at[i]);
}

static Points finish_time(PlotPlan *plan, const PlannedCurve *curve, bool is_log) {
  Points points = thinner_finish(&curve->thinner, plan->arena);
  for (uint32_t i = 0; is_log && i < points.n; i++)
    if (points.at[i].y < LOG_FLOOR) points.at[i].y = LOG_FLOOR;
  return points;
}

// A curve's points as few as they can be where the axes have this range.
static void drop_invisible(Points *points, const Extent *range) {
  double x = (range->high_x - range->low_x) / PIXELS_X;
  double y = (range->high_y - range->low_y) / PIXELS_Y;
  if (x > 0 && y > 0) points->n = simplify_path(points->at, points->n, x, y, INVISIBLE);
}

static void add_end_marks(PlotPlan *plan, ChartPanel *panel, const PlannedCurve *curve,
                          uint32_t colour) {
  if (curve->seen == 0) return;
  ChartMark start = {curve->first, MARK_START, colour, NULL};
  ChartMark end = {curve->last, MARK_END, colour, NULL};
  vec_push(plan->arena, &panel->marks, start);
  vec_push(plan->arena, &panel->marks, end);
}

enum { MOST_WRAPS = 24 }; // of all curves of a panel; more are a picket fence

// Does an angle make a whole turn, and so seldom that the turns can be told apart? An angle that
// swings about half a turn would only fall apart.
static bool does_turn(const PlannedPanel *planned) {
  bool turns = false;
  uint32_t wraps = 0;
  for (uint32_t i = 0; i < planned->curves.n; i++) {
    const PlannedCurve *curve = &planned->curves.at[i];
    turns = turns || curve->high - curve->low > curve->turn * 1.001;
    wraps += curve->wraps;
  }
  return turns && wraps <= MOST_WRAPS;
}

static uint32_t users_of(const ChartPanel *panel, uint32_t colour) {
  uint32_t users = 0;
  for (uint32_t i = 0; i < panel->curves.n; i++) users += panel->curves.at[i].colour == colour;
  return users;
}

// Is it that of the part of a later curve's coordinate?
static bool is_of_later(const PlotPlan *plan, const PlannedPanel *source, uint32_t number,
                        uint32_t colour) {
  const int *of_parts = plan->options->coordinate_colours;
  for (uint32_t i = number + 1; of_parts && i < source->curves.n; i++) {
    int coordinate = source->curves.at[i].coordinate;
    if (coordinate >= 0 && of_parts[coordinate] == (int)colour) return true;
  }
  return false;
}

// The colour of its role or of the part that the coordinate moves, else the first that is free. Two
// curves can have each: a solid one and a dashed one.
static uint32_t choose_colour(const PlotPlan *plan, const ChartPanel *panel,
                              const PlannedPanel *source, uint32_t number) {
  const PlannedCurve *curve = &source->curves.at[number];
  const int *of_parts = plan->options->coordinate_colours;
  if (curve->role) return curve->role;
  if (source->curves.n > MOST_TOLD_APART) return number; // in order
  const uint32_t most = 2;                               // a solid one and a dashed one
  int own = of_parts && curve->coordinate >= 0 ? of_parts[curve->coordinate] : -1;
  if (own >= 0 && users_of(panel, (uint32_t)own) < most) return (uint32_t)own;
  for (uint32_t users = 0; users < most; users++)
    for (uint32_t colour = 0; colour < CURVE_COLOURS; colour++)
      if (users_of(panel, colour) == users && !is_of_later(plan, source, number, colour))
        return colour;
  for (uint32_t colour = 0; colour < CURVE_COLOURS; colour++)
    if (users_of(panel, colour) < most) return colour;
  return number;
}

// ---- Spectra

// Frequencies up to which something is to be seen.
static double last_frequency(const Spectrum *s) {
  double highest = 0, last = 0;
  for (uint32_t i = 0; i < s->n; i++) highest = fmax(highest, (double)s->amplitude[i]);
  for (uint32_t i = 0; i < s->n; i++)
    if (s->amplitude[i] > 0.01 * highest) last = i * s->bin;
  for (uint32_t i = 0; i < s->peak_count; i++) last = fmax(last, 1.15 * s->peaks[i].frequency);
  return fmin(fmax(1.1 * last, 12 * s->bin), (s->n - 1) * s->bin);
}

static Points spectrum_points(PlotPlan *plan, const Spectrum *s, double last) {
  Thinner thinner = thinner_new(plan->arena, 1500);
  for (uint32_t i = 0; i < s->n && i * s->bin <= last * 1.0001; i++)
    thinner_add(&thinner, i * s->bin, (double)s->amplitude[i]);
  return thinner_finish(&thinner, plan->arena);
}

static const char *frequency_text(PlotPlan *plan, double frequency) {
  char *text = text_format(plan->arena, "%.4g Hz", frequency);
  if (plan->options->decimal_sign == ',')
    for (char *c = text; *c; c++)
      if (*c == '.') *c = ',';
  return text;
}

static void label_peak(PlotPlan *plan, ChartPanel *panel, SpectrumPeak peak, uint32_t colour) {
  double width = panel->range.high_x, height = panel->range.high_y;
  ChartMark mark = {
      {peak.frequency, peak.amplitude}, MARK_PEAK, colour, frequency_text(plan, peak.frequency)};
  bool is_free = mark.at.y > 0.015 * height && mark.at.x < width;
  for (uint32_t k = 0; k < panel->marks.n && is_free; k++) {
    Point other = panel->marks.at[k].at;
    double apart = fabs(other.x - mark.at.x);
    bool is_same = apart < 0.01 * width; // the peak of another curve
    is_free = !is_same && (apart > 0.16 * width || fabs(other.y - mark.at.y) > 0.08 * height);
  }
  if (is_free) vec_push(plan->arena, &panel->marks, mark);
}

// From the highest on, as long as the labels do not touch.
static void label_peaks(PlotPlan *plan, ChartPanel *panel, const Spectrum *spectra, uint32_t n) {
  uint32_t *next = arena_array(plan->arena, uint32_t, n);
  for (;;) {
    uint32_t best = n;
    for (uint32_t i = 0; i < n; i++) {
      if (next[i] == spectra[i].peak_count) continue;
      if (best == n ||
          spectra[i].peaks[next[i]].amplitude > spectra[best].peaks[next[best]].amplitude)
        best = i;
    }
    if (best == n) return;
    label_peak(plan, panel, spectra[best].peaks[next[best]++], panel->curves.at[best].colour);
  }
}

// Natural frequencies not far beyond what the signals show are worth the room.
static double reach_natural_frequencies(const PlotPlan *plan, double last, double highest) {
  const PlotOptions *options = plan->options;
  double reach = last;
  for (uint32_t i = 0; i < options->frequency_count; i++) {
    double f = 1.08 * options->frequencies[i];
    if (f <= 2 * last && f <= highest) reach = fmax(reach, f);
  }
  return reach;
}

#define MOST_LISTED 4 // natural frequencies that stand in the legend as numbers

// "natural frequencies", with their numbers where they are few.
static const char *natural_label(PlotPlan *plan, const ChartPanel *panel) {
  const PlotOptions *options = plan->options;
  Text out = text_new(plan->arena);
  uint32_t listed = 0;
  for (uint32_t i = 0; i < options->frequency_count; i++) {
    double f = options->frequencies[i];
    if (!(f > 0) || f > panel->range.high_x) continue;
    if (listed++ == MOST_LISTED) return markup_from_text(plan->arena, options->words.natural);
    const char *text = frequency_text(plan, f);
    text_addf(&out, "%s %.*s",
              listed == 1                    ? ":"
              : options->decimal_sign == ',' ? ";"
                                             : ",",
              (int)strcspn(text, " "), text);
  }
  return markup_from_text(plan->arena,
                          text_format(plan->arena, "%s%s Hz", options->words.natural, out.at));
}

static void add_natural_frequencies(PlotPlan *plan, ChartPanel *panel) {
  const PlotOptions *options = plan->options;
  for (uint32_t i = 0; i < options->frequency_count; i++) {
    double f = options->frequencies[i];
    if (!(f > 0) || f > panel->range.high_x) continue;
    bool first = panel->lines.n == 0;
    ChartLine line = {f, first ? natural_label(plan, panel) : NULL};
    vec_push(plan->arena, &panel->lines, line);
  }
}

static void finish_spectrum(PlotPlan *plan, const PlannedPanel *planned, ChartPanel *panel) {
  uint32_t n = planned->curves.n;
  Spectrum *spectra = arena_array(plan->arena, Spectrum, n);
  double last = 0, highest = 0;
  for (uint32_t i = 0; i < n; i++) {
    const SampleStore *samples = &planned->curves.at[i].samples;
    spectra[i] = spectrum_from_samples(plan->cx, &plan->cx->keep, samples->values.at,
                                       samples->values.n, samples->interval);
    if (spectra[i].n == 0) continue;
    last = fmax(last, last_frequency(&spectra[i]));
    highest = fmax(highest, (spectra[i].n - 1) * spectra[i].bin);
  }
  last = reach_natural_frequencies(plan, last, highest);
  panel->range = (Extent){0, last > 0 ? last : 1, 0, 0};
  for (uint32_t i = 0; i < n; i++) {
    ChartCurve curve = {.label = planned->curves.at[i].label,
                        .points = spectrum_points(plan, &spectra[i], last),
                        .colour = choose_colour(plan, panel, planned, i)};
    include_all(&panel->range, curve.points);
    vec_push(plan->arena, &panel->curves, curve);
  }
  if (panel->range.high_y <= 0) panel->range.high_y = 1;
  // A little room above the highest peak for its label.
  panel->range.high_y *= 1.13;
  label_peaks(plan, panel, spectra, n);
  for (uint32_t i = 0; i < n; i++) drop_invisible(&panel->curves.at[i].points, &panel->range);
  add_natural_frequencies(plan, panel);
}

// ---- Events

static bool is_shown(const PlannedChart *planned, const SimEvent *e) {
  if (planned->contact < 0) return true;
  return sim_event_is_of_contact(e->kind) && e->number == (uint32_t)planned->contact;
}

static bool closes(const SimEvent *e) {
  return e->kind == SIM_CONTACT || (e->kind == SIM_IMPACT && e->closes);
}

// The nearest event of the same contact before or after this one that opens or closes it; NULL when
// there is none.
static const SimEvent *neighbour(const Result *r, uint32_t i, int step) {
  const SimEvent *events = r->summary.events.at;
  for (int64_t k = (int64_t)i + step; k >= 0 && k < r->summary.events.n; k += step) {
    const SimEvent *e = &events[k];
    if (!sim_event_is_of_contact(e->kind)) continue;
    if (e->number == events[i].number && (closes(e) || e->kind == SIM_RELEASE)) return e;
  }
  return NULL;
}

static bool begins_closed(const Result *r, uint32_t contact) {
  const char *names = r->summary.closed_at_start;
  return names && text_lists(names, symbol_text(r->cx, r->model->contacts.at[contact].name));
}

// Closed from the start, until the first release.
static void add_first_bands(PlotPlan *plan, const PlannedChart *planned, Chart *chart, double begin,
                            double end) {
  const Result *r = plan->result;
  for (uint32_t contact = 0; contact < r->model->contacts.n; contact++) {
    if (planned->contact >= 0 && (uint32_t)planned->contact != contact) continue;
    if (!begins_closed(r, contact)) continue;
    ChartBand band = {begin, end};
    for (uint32_t i = 0; i < r->summary.events.n && band.to == end; i++) {
      const SimEvent *e = &r->summary.events.at[i];
      if (e->kind == SIM_RELEASE && e->number == contact) band.to = e->t;
    }
    vec_push(plan->arena, &chart->bands, band);
  }
}

// Times between closing and release, each contact for itself. Where several contacts would share
// the colour, it would not say which of them is closed.
static void add_bands(PlotPlan *plan, const PlannedChart *planned, Chart *chart, double begin,
                      double end) {
  const Result *r = plan->result;
  bool has_bands = planned->contact >= 0 || r->model->contacts.n == 1;
  if (has_bands) add_first_bands(plan, planned, chart, begin, end);
  for (uint32_t i = 0; i < r->summary.events.n; i++) {
    const SimEvent *e = &r->summary.events.at[i];
    if (!is_shown(planned, e)) continue;
    if (e->kind == SIM_IMPACT) vec_push(plan->arena, &chart->impacts, e->t);
    if (!has_bands || !sim_event_is_of_contact(e->kind) || !closes(e)) continue;
    const SimEvent *before = neighbour(r, i, -1), *after = neighbour(r, i, 1);
    if (before ? closes(before) : begins_closed(r, e->number)) continue;
    ChartBand band = {e->t, end};
    // Several closings in a row are one; it lasts until the first release.
    for (uint32_t k = i; after && closes(after);) {
      k = (uint32_t)(after - r->summary.events.at);
      after = neighbour(r, k, 1);
    }
    if (after) band.to = after->t;
    vec_push(plan->arena, &chart->bands, band);
  }
}

// 1 while the contact is closed.
static void finish_state(PlotPlan *plan, const Chart *chart, ChartPanel *panel, double begin,
                         double end) {
  Points points = {.at = arena_array(plan->arena, Point, 4 * (size_t)chart->bands.n + 2)};
  points.at[points.n++] = (Point){begin, 0};
  for (uint32_t i = 0; i < chart->bands.n; i++) {
    ChartBand band = chart->bands.at[i];
    if (band.from <= begin)
      points.n = 0;
    else
      points.at[points.n++] = (Point){band.from, 0};
    points.at[points.n++] = (Point){band.from, 1};
    points.at[points.n++] = (Point){band.to, 1};
    points.at[points.n++] = (Point){band.to, 0};
  }
  if (chart->bands.n && chart->bands.at[chart->bands.n - 1].to >= end)
    points.n--;
  else
    points.at[points.n++] = (Point){end, 0};
  ChartCurve curve = {.points = points};
  include_all(&panel->range, points);
  vec_push(plan->arena, &panel->curves, curve);
}

// ---- The chart

// While a contact is closed its gap is 0; what is left of it is the error of the method.
static void close_gap(const Chart *chart, Points points) {
  for (uint32_t i = 0; i < chart->bands.n; i++)
    for (uint32_t k = 0; k < points.n; k++)
      if (points.at[k].x >= chart->bands.at[i].from && points.at[k].x <= chart->bands.at[i].to)
        points.at[k].y = 0;
}

// Does the path go to and fro over its panel so often that a pen of the usual width would fill it?
static bool is_dense(const PlannedCurve *curve, Points points) {
  const double often = 60;
  Extent extent = extent_of(points);
  double wide = extent.high_x - extent.low_x, high = extent.high_y - extent.low_y, way = 0;
  double side = fmax(wide, high);
  for (uint32_t i = 1; i < points.n && curve->kind == COLLECT_PATH && side > 0; i++) {
    double step = hypot(points.at[i].x - points.at[i - 1].x, points.at[i].y - points.at[i - 1].y);
    if (isfinite(step)) way += step / side;
  }
  return way > often;
}

static void finish_curves(PlotPlan *plan, const Chart *chart, const PlannedPanel *source,
                          ChartPanel *panel) {
  uint32_t n = source->curves.n;
  for (uint32_t i = 0; i < n; i++) {
    PlannedCurve *from = &source->curves.at[i];
    Points points = from->kind == COLLECT_TIME ? finish_time(plan, from, panel->is_log)
                                               : path_thinner_finish(&from->path);
    if (source->is_gap) close_gap(chart, points);
    uint32_t colour = choose_colour(plan, panel, source, i);
    ChartCurve curve = {
        .label = from->label, .points = points, .colour = colour, .jumps = from->jumps};
    curve.is_dense = is_dense(from, points);
    include_all(&panel->range, points);
    vec_push(plan->arena, &panel->curves, curve);
    if (from->kind == COLLECT_PATH) add_end_marks(plan, panel, from, colour);
  }
  for (uint32_t i = 0; i < n; i++)
    if (!panel->is_log) drop_invisible(&panel->curves.at[i].points, &panel->range);
}

// ---- Rounding

#define ROUNDING 1e-11 // of the other panels' ranges

static double *low_of(ChartPanel *panel, bool x) {
  return x ? &panel->range.low_x : &panel->range.low_y;
}
static double *high_of(ChartPanel *panel, bool x) {
  return x ? &panel->range.high_x : &panel->range.high_y;
}
static const char *unit_of_axis(const ChartPanel *panel, bool x) {
  return x ? panel->x_unit : panel->y_unit;
}

static void flatten(ChartPanel *panel, bool x, double value) {
  for (uint32_t i = 0; i < panel->curves.n; i++)
    for (uint32_t k = 0; k < panel->curves.at[i].points.n; k++) {
      Point *point = &panel->curves.at[i].points.at[k];
      if (isfinite(point->x) && isfinite(point->y)) *(x ? &point->x : &point->y) = value;
    }
  for (uint32_t i = 0; i < panel->marks.n; i++)
    *(x ? &panel->marks.at[i].at.x : &panel->marks.at[i].at.y) = value;
  *low_of(panel, x) = *high_of(panel, x) = value;
}

// What rounding makes of a coordinate at rest is not motion beside those that move.
static void clear_rounding(Chart *chart, bool x) {
  for (uint32_t i = 0; i < chart->panels.n; i++) {
    ChartPanel *panel = &chart->panels.at[i];
    double largest = 0, low = *low_of(panel, x), high = *high_of(panel, x);
    for (uint32_t k = 0; k < chart->panels.n; k++) {
      ChartPanel *other = &chart->panels.at[k];
      if (strcmp(unit_of_axis(other, x), unit_of_axis(panel, x)) == 0)
        largest = fmax(largest, *high_of(other, x) - *low_of(other, x));
    }
    if (!(high - low < ROUNDING * largest)) continue;
    double middle = 0.5 * (low + high);
    flatten(panel, x, fabs(middle) < ROUNDING * largest ? 0 : middle);
  }
}

Chart plan_finish(PlotPlan *plan, PlannedChart *planned, uint32_t number, double begin,
                  double end) {
  const PlotWords *words = &plan->options->words;
  Chart chart = {
      .name = text_format(&plan->cx->keep, "plot-%u-%s", number, chart_kind_word(planned->kind)),
      .description = text_format(&plan->cx->keep, "%s", planned->description),
      .columns = planned->columns,
      .band_label = markup_from_text(plan->arena, words->contact),
      .impact_label = markup_from_text(plan->arena, words->impact),
      .start_label = markup_from_text(plan->arena, words->start),
      .end_label = markup_from_text(plan->arena, words->end)};
  add_bands(plan, planned, &chart, begin, end);
  for (uint32_t i = 0; i < planned->panels.n; i++) {
    PlannedPanel *source = &planned->panels.at[i];
    ChartPanel panel = source->panel;
    panel.range = extent_none();
    if (panel.turn > 0 && !does_turn(source)) continue;
    if (planned->kind == CHART_SPECTRUM)
      finish_spectrum(plan, source, &panel);
    else if (panel.y_ticks.n)
      finish_state(plan, &chart, &panel, begin, end);
    else
      finish_curves(plan, &chart, source, &panel);
    if (panel.is_over_time) panel.range.low_x = begin, panel.range.high_x = end;
    vec_push(plan->arena, &chart.panels, panel);
  }
  for (int x = 0; x < 2 && planned->kind == CHART_PHASE; x++) clear_rounding(&chart, x);
  return chart;
}
