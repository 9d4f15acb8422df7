// Bode plots and charts of root loci.
#include "chart/response_chart.h"

#include <math.h>
#include <string.h>

#include "analyse/vibration/branches.h"
#include "print/gnuplot_text.h"
#include "print/quantity.h"
#include "print/random_unit.h"

static void add_curve(Arena *arena, ChartPanel *panel, const char *label, Points points) {
  bool any = false;
  for (uint32_t i = 0; i < points.n; i++) {
    if (!isfinite(points.at[i].y)) continue;
    extent_include(&panel->range, points.at[i]);
    any = true;
  }
  if (!any) points.n = 0;
  ChartCurve curve = {.label = label, .points = points, .colour = panel->curves.n};
  vec_push(arena, &panel->curves, curve);
}

// ---- Bode

// Gains that are 0 have no place on a logarithmic scale.
static Points gain_points(Arena *arena, const Response *r, uint32_t o, uint32_t i) {
  Points p = {arena_array(arena, Point, r->n), r->n};
  for (uint32_t k = 0; k < r->n; k++) {
    double gain = response_gain(r, k, o, i);
    p.at[k] = (Point){r->hz[k], gain > 1e-300 && isfinite(gain) ? gain : NAN};
  }
  return p;
}

// Without jumps by 360 degrees.
static Points phase_points(Arena *arena, const Response *r, uint32_t o, uint32_t i) {
  Points p = {arena_array(arena, Point, r->n), r->n};
  double before = NAN;
  for (uint32_t k = 0; k < r->n; k++) {
    double phase = response_phase(r, k, o, i);
    // a jump by 180 degrees is real: an undamped resonance
    if (fabs(before - phase) > 181) phase += 360 * round((before - phase) / 360);
    p.at[k] = (Point){r->hz[k], phase};
    before = phase;
  }
  return p;
}

// "m/N": the output's unit over that of the input; a force on a coordinate is a power by its rate.
static const char *gain_unit(Context *cx, const Model *model, const Response *r, uint32_t o,
                             uint32_t i) {
  const ResponseInput *input = &r->task.inputs[i];
  Quantity out = quantity_of(cx, model, r->task.outputs[o].value), in = {0};
  if (input->is_force) {
    in = quantity_of_coordinate(&model->coordinates.at[input->number], 0);
    in.dimension = dimension_div(dimension_base(1, 2, -2), in.dimension);
  } else {
    in = quantity_of_measure(&model->inputs.at[input->number].measure);
  }
  if (!out.is_known || !in.is_known) return "";
  const char *above = quantity_unit(&cx->scratch, out);
  in.is_angle = input->is_force ? false : in.is_angle;
  const char *below = quantity_unit(&cx->scratch, in);
  if (!*below) return above;
  const char *form = strpbrk(below, " /") ? "%s/(%s)" : "%s/%s";
  return text_format(&cx->scratch, form, *above ? above : "1", below);
}

static ChartPanel *panel_of_unit(Arena *arena, Chart *chart, const char *name, const char *unit) {
  for (uint32_t i = 0; i < chart->panels.n; i++)
    if (strcmp(chart->panels.at[i].y_unit, unit) == 0) return &chart->panels.at[i];
  ChartPanel gain = chart_panel("f", "Hz", name, unit);
  gain.is_log = gain.is_log_x = true;
  vec_push(arena, &chart->panels, gain);
  return &chart->panels.at[chart->panels.n - 1];
}

// Gains of one unit share a panel; the colours are those of the phases, which are the last.
Chart response_chart(Context *cx, const Model *model, const Response *r) {
  Arena *arena = &cx->scratch;
  Chart chart = {.name = "response",
                 .description = "Frequency response: gain and phase over the frequency.",
                 .columns = 1};
  ChartPanel phase = chart_panel("f", "Hz", "phase", "deg");
  phase.is_log_x = phase.has_degrees = true;
  for (uint32_t o = 0; o < r->task.output_count; o++)
    for (uint32_t i = 0; i < r->task.input_count; i++) {
      const char *label =
          text_format(arena, "%s / %s", markup_from_name(cx, arena, r->task.outputs[o].name),
                      markup_from_name(cx, arena, r->task.inputs[i].name));
      ChartPanel *gain = panel_of_unit(arena, &chart, "gain", gain_unit(cx, model, r, o, i));
      add_curve(arena, gain, label, gain_points(arena, r, o, i));
      gain->curves.at[gain->curves.n - 1].colour = phase.curves.n;
      add_curve(arena, &phase, NULL, phase_points(arena, r, o, i));
    }
  vec_push(arena, &chart.panels, phase);
  return chart;
}

// ---- Random inputs

// "(m/s²)²/Hz"
static const char *density_unit(Arena *arena, const char *unit) {
  if (!*unit) return "1/Hz";
  return text_format(arena, strpbrk(unit, " /") ? "(%s)²/Hz" : "%s²/Hz", unit);
}

Chart random_chart(Context *cx, const Linearized *l, const Response *r,
                   const RandomResponse *random) {
  Arena *arena = &cx->scratch;
  Chart chart = {
      .name = "density", .description = "Spectral densities over the frequency.", .columns = 1};
  for (uint32_t o = 0; o < random->output_count; o++) {
    const RandomOutput *output = &random->outputs[o];
    const char *label = markup_from_name(cx, arena, output->name);
    if (output->weight)
      label = text_format(arena, "%s, %s", label, markup_from_name(cx, arena, output->weight));
    Points p = {arena_array(arena, Point, r->n), r->n};
    for (uint32_t k = 0; k < r->n; k++) {
      double S = random->density[(size_t)k * random->output_count + o];
      p.at[k] = (Point){r->hz[k], S > 1e-300 && isfinite(S) ? S : NAN};
    }
    ChartPanel *panel =
        panel_of_unit(arena, &chart, "S", density_unit(arena, random_unit(l, output)));
    add_curve(arena, panel, label, p);
  }
  return chart;
}

// ---- Unbalance

typedef double SynchronousValue(const Synchronous *s, uint32_t k, uint32_t output);

static Points speed_points(Arena *arena, const Synchronous *s, uint32_t o,
                           SynchronousValue *value) {
  Points p = {arena_array(arena, Point, s->n), s->n};
  double before = NAN;
  for (uint32_t k = 0; k < s->n; k++) {
    double y = value(s, k, o);
    if (value == synchronous_phase && fabs(before - y) > 181) y += 360 * round((before - y) / 360);
    p.at[k] = (Point){s->speeds[k], y};
    before = y;
  }
  return p;
}

Chart synchronous_chart(Context *cx, const Model *model, const Synchronous *s) {
  Arena *arena = &cx->scratch;
  const char *name = markup_from_name(cx, arena, symbol_text(cx, s->speed));
  Chart chart = {.name = "synchronous",
                 .description = "Amplitude and phase over the speed of a rotor.",
                 .columns = 1};
  ChartPanel phase = chart_panel(name, "rad/s", "phase", "deg");
  phase.has_degrees = true;
  for (uint32_t o = 0; o < s->output_count; o++) {
    const char *unit =
        quantity_unit(arena, quantity_of_named(cx, model, s->outputs[o].name, s->outputs[o].value));
    ChartPanel *panel = panel_of_unit(arena, &chart, "amplitude", unit);
    panel->x_label = name, panel->x_unit = "rad/s";
    panel->is_log_x = panel->is_log = false;
    add_curve(arena, panel, markup_from_name(cx, arena, s->outputs[o].name),
              speed_points(arena, s, o, synchronous_amplitude));
    panel->curves.at[panel->curves.n - 1].colour = phase.curves.n;
    add_curve(arena, &phase, NULL, speed_points(arena, s, o, synchronous_phase));
  }
  vec_push(arena, &chart.panels, phase);
  return chart;
}

// ---- Root loci

typedef double ModeValue(const Mode *mode);

static double frequency_of(const Mode *mode) {
  return mode->kind == MODE_EXPONENTIAL ? NAN : mode->hz;
}
static double growth_of(const Mode *mode) { return mode->kind == MODE_RIGID ? 0 : mode->re; }
static double factor_of(const Mode *mode) { return hypot(mode->re, mode->im); }

static Points mode_points(Arena *arena, const Locus *s, const Branches *branches, uint32_t k,
                          ModeValue *value) {
  Points p = {arena_array(arena, Point, s->n), s->n};
  for (uint32_t i = 0; i < s->n; i++) {
    const Mode *mode = branch_mode(s, branches, i, k);
    p.at[i] = (Point){s->step[i].value, mode ? value(mode) : NAN};
  }
  return p;
}

Chart locus_chart(Context *cx, const Model *model, const Locus *s) {
  Arena *arena = &cx->scratch;
  const char *name = markup_from_name(cx, arena, symbol_text(cx, symbol_name(cx, s->parameter)));
  Chart chart = {.name = "sweep",
                 .description = "Natural frequencies and growth rates over a parameter.",
                 .columns = 1};
  const char *unit = quantity_unit(arena, quantity_of(cx, model, s->parameter));
  ChartPanel frequency = chart_panel(name, unit, "f", "Hz");
  // of a sampled loop: by how much a period multiplies a deviation
  bool is_sampled = s->n > 0 && s->step[0].modes.period > 0;
  ChartPanel growth = chart_panel(name, unit, is_sampled ? "|z|" : "Re", is_sampled ? "" : "1/s");
  frequency.is_log_x = growth.is_log_x = s->is_geometric && s->step[0].value > 0;
  Branches branches = locus_branches(s, model->coordinates.n, arena);
  for (uint32_t k = 0; k < branches.count; k++) {
    add_curve(arena, &frequency, text_format(arena, "mode %u", k + 1),
              mode_points(arena, s, &branches, k, frequency_of));
    add_curve(arena, &growth, NULL,
              mode_points(arena, s, &branches, k, is_sampled ? factor_of : growth_of));
  }
  for (uint32_t i = 0; i < s->changes.n; i++) {
    ChartLine line = {s->changes.at[i].value, text_format(arena, "%.5g", s->changes.at[i].value)};
    vec_push(arena, &growth.lines, line);
  }
  // frequencies go with the roots of stiffness and mass: lines on a double logarithmic scale
  frequency.is_log = frequency.is_log_x && frequency.range.low_y > 0;
  vec_push(arena, &chart.panels, frequency);
  vec_push(arena, &chart.panels, growth);
  return chart;
}
