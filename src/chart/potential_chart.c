// V_eff where the motion may be: between walls that it does not pass.
#include "chart/potential_chart.h"

#include <math.h>

#include "expr/value/eval.h"
#include "print/gnuplot_text.h"

enum { POINTS = 400 };
#define MARGIN 0.6 // of the span of stationary motions and start, on either side
#define HEAD 0.8   // of the height of what is of interest, above it

typedef struct Drawing {
  Context *cx;
  const Stationary *s;
  double low, high, top, energy;
} Drawing;

static double potential_at(const Drawing *d, double q) {
  d->s->values[symbol_variable(d->cx, d->s->reduced->q[0])] = q;
  return expr_eval(d->cx, d->s->potential, d->s->values);
}

static double start_of(const Drawing *d, const Initial *start) {
  return start->value ? expr_eval(d->cx, start->value, d->s->values) : 0;
}

// The energy where the motion begins: V_eff there and what moves the coordinate.
static double start_energy(const Drawing *d, double q) {
  const System *s = d->s->reduced;
  d->s->values[symbol_variable(d->cx, s->q[0])] = q;
  d->s->values[symbol_variable(d->cx, s->qd[0])] =
      start_of(d, &s->model->coordinates.at[0].velocity);
  return expr_eval(d->cx, s->energy, d->s->values);
}

// Of motions that lie on the side of the start, where one does.
static void find_frame(Drawing *d) {
  const Equilibria *e = &d->s->found;
  double start = start_of(d, &d->s->reduced->model->coordinates.at[0].position), least = INFINITY;
  d->energy = start_energy(d, start);
  d->low = d->high = start;
  d->top = fmax(d->energy, potential_at(d, start));
  for (uint32_t i = 0; i < e->n; i++) {
    double q = e->at[i].state->q[0], V = potential_at(d, q);
    if (start * q < 0) continue;
    d->low = fmin(d->low, q), d->high = fmax(d->high, q);
    d->top = fmax(d->top, V), least = fmin(least, V);
  }
  if (!isfinite(least)) least = potential_at(d, start);
  double span = d->high - d->low, height = d->top - least;
  double margin = fmax(MARGIN * span, 0.5 * fmax(fabs(d->low), fabs(d->high)));
  d->low -= margin > 0 ? margin : 1, d->high += margin > 0 ? margin : 1;
  d->top += HEAD * height;
  // a start that hardly moves lies in a narrow valley
  double quarter = (d->high - d->low) / 4, sides[] = {d->low + quarter, d->high - quarter};
  for (int i = 0; i < 2; i++) {
    double V = potential_at(d, sides[i]);
    if (isfinite(V)) d->top = fmax(d->top, V);
  }
}

// Pieces between places where it is beyond the top.
static void add_pieces(const Drawing *d, ChartPanel *panel) {
  Arena *arena = &d->cx->scratch;
  const char *label = "V_{eff}";
  ChartCurve piece = chart_curve(arena, POINTS, CURVE_LINE, label, 0);
  for (int i = 0; i < POINTS; i++) {
    double q = d->low + (d->high - d->low) * i / (POINTS - 1), V = potential_at(d, q);
    if (isfinite(V) && V <= d->top) {
      chart_add_point(panel, &piece, q, V);
    } else if (piece.points.n) {
      vec_push(arena, &panel->curves, piece);
      piece = chart_curve(arena, POINTS, CURVE_LINE, NULL, 0);
    }
  }
  if (piece.points.n) vec_push(arena, &panel->curves, piece);
}

bool potential_chart(Context *cx, const Stationary *s, Chart *out) {
  if (s->reduced->n != 1 || s->found.n == 0) return false;
  Arena *arena = &cx->scratch;
  Drawing d = {.cx = cx, .s = s};
  find_frame(&d);
  const char *name = symbol_text(cx, symbol_name(cx, s->reduced->q[0]));
  const Measure *measure = &s->reduced->model->coordinates.at[0].measure;
  Text unit = text_new(arena);
  if (measure->is_known && !dimension_is_pure(measure->dimension))
    dimension_print(measure->dimension, &unit);
  *out = (Chart){.name = "potential", .description = "The effective potential.", .columns = 1};
  ChartPanel panel =
      chart_panel(markup_from_name(cx, arena, name), unit.n ? unit.at : "rad", "V_{eff}", "J");
  add_pieces(&d, &panel);
  if (panel.curves.n == 0 || !isfinite(d.energy)) return false;
  ChartCurve energy = chart_curve(arena, 2, CURVE_LINE, "E", 1);
  chart_add_point(&panel, &energy, d.low, d.energy);
  chart_add_point(&panel, &energy, d.high, d.energy);
  vec_push(arena, &panel.curves, energy);
  ChartCurve rest = chart_curve(arena, s->found.n, CURVE_POINTS, NULL, 2);
  for (uint32_t i = 0; i < s->found.n; i++) {
    double q = s->found.at[i].state->q[0];
    if (q >= d.low && q <= d.high) chart_add_point(&panel, &rest, q, potential_at(&d, q));
  }
  vec_push(arena, &panel.curves, rest);
  vec_push(arena, &out->panels, panel);
  return true;
}
