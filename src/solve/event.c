// Where functions of the state cross zero along a step, found on the dense output.
#include "solve/event.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A window is looked at in equal distances, and at places of its own that tell whether these were
// enough. A step is one window, or is halved so many times.
enum { POINTS = 8, CHECKS = 2, PLACES = POINTS + CHECKS, MOST_HALVINGS = 8 };

static const double check_place[CHECKS] = {0.0719, 0.6137};

static double place_in_window(int k) {
  return k < POINTS ? k / (double)(POINTS - 1) : check_place[k - POINTS];
}

void events_open(Events *events, Arena *arena, const Stepper *stepper, int count,
                 Status (*functions)(void *, double, const double *, const double *, double *),
                 void *user) {
  *events = (Events){.count = count, .user = user, .functions = functions};
  events->side = arena_array(arena, double, count);
  events->hit = arena_array(arena, bool, count);
  events->g_room = arena_array(arena, double, count);
  events->times = arena_array(arena, double, count);
  events->samples = arena_array(arena, double, (size_t)count *PLACES);
  events->greatest = arena_array(arena, double, count);
  events->y = arena_array(arena, double, stepper->padded);
}

// The search for one function: its values along the dense output, positive on its own side.
typedef struct Search {
  Events *events;
  Stepper *stepper;
  int i;
  Status status;
} Search;

static double value_at(Search *search, double t) {
  Events *e = search->events;
  Stepper *s = search->stepper;
  if (search->status == QDOT_OK) search->status = stepper_dense(s, t, e->y);
  if (search->status == QDOT_OK)
    search->status = e->functions(e->user, t, e->y, e->y + s->n, e->g_room);
  return search->status == QDOT_OK ? e->side[search->i] * e->g_room[search->i] : NAN;
}

// The root in [a, b] with g(a) >= 0 > g(b): secant steps that must halve the bracket, else
// bisection (the ITP idea), down to rounding.
static double root_between(Search *search, double a, double ga, double b, double gb) {
  double tolerance = 2 * DBL_EPSILON * fmax(fabs(a), fabs(b));
  double last_width = INFINITY;
  for (int round = 0; round < 200 && b - a > tolerance; round++) {
    double width = b - a, middle = a + width / 2, t = a + width * (ga / (ga - gb));
    if (width > 0.5 * last_width || !(t > a && t < b)) t = middle;
    // a step beside the secant's estimate closes the bracket from the other side
    double nudge = fmax(tolerance, 1e-3 * width * 0.5);
    if (t != middle) t += t < middle ? fmin(nudge, middle - t) : -fmin(nudge, t - middle);
    last_width = width;
    double g = value_at(search, t);
    if (search->status != QDOT_OK) return a;
    if (g == 0) return t;
    if (g > 0) {
      a = t;
      ga = g;
    } else {
      b = t;
      gb = g;
    }
  }
  return fabs(ga) < fabs(gb) ? a : b;
}

// A point in (a, c) where g < 0, given g(b) below both neighbours but positive: parabolas through
// the three lowest points. Returns NAN when the minimum stays positive.
static double dip_between(Search *search, double a, double ga, double b, double gb, double c,
                          double gc) {
  for (int round = 0; round < 12; round++) {
    double p = (b - a) * (gb - gc), q = (b - c) * (gb - ga);
    double step = q - p == 0 ? 0 : 0.5 * ((b - a) * p - (b - c) * q) / (p - q);
    double t = b - step;
    if (!(t > a && t < c) || t == b) return NAN;
    // the parabola's own minimum is far from zero: no dip to be expected
    double g = value_at(search, t);
    if (search->status != QDOT_OK || g < 0) return g < 0 ? t : NAN;
    double change = fabs(g - gb);
    if (g < gb) {
      if (t < b) {
        c = b;
        gc = gb;
      } else {
        a = b;
        ga = gb;
      }
      b = t;
      gb = g;
    } else if (t < b) {
      a = t;
      ga = g;
    } else {
      c = t;
      gc = g;
    }
    if (change < 1e-3 * gb) return NAN;
  }
  return NAN;
}

// The function is beyond zero at the first sample already. Either it went to its side and came back
// in between, or it never got there: then the event is the beginning.
static double root_at_start(Search *search, double a, double b, double gb) {
  double left = b;
  for (int round = 0; round < 60; round++) {
    left = a + (left - a) / 2;
    if (!(left > a)) break;
    double g = value_at(search, left);
    if (search->status != QDOT_OK) return a;
    if (g > 0) return root_between(search, left, g, b, gb);
    b = left;
    gb = g;
  }
  return a;
}

// ---- Windows

typedef struct Window {
  double from, to, g[PLACES]; // positive on the function's own side
} Window;

static double time_in_window(const Window *w, double place) {
  return place == 1 ? w->to : w->from + (w->to - w->from) * place;
}

// The polynomial through the points (barycentric form).
static double interpolated(const Window *w, double place) {
  static const double weight[POINTS] = {-1, 7, -21, 35, -35, 21, -7, 1};
  double above = 0, below = 0;
  for (int k = 0; k < POINTS; k++) {
    double d = place - place_in_window(k);
    if (d == 0) return w->g[k];
    above += weight[k] / d * w->g[k];
    below += weight[k] / d;
  }
  return above / below;
}

// By how much the polynomial misses the function.
static double mismatch(const Window *w) {
  double most = 0;
  for (int k = POINTS; k < PLACES; k++)
    most = fmax(most, fabs(interpolated(w, place_in_window(k)) - w->g[k]));
  return most;
}

// The value at the lowest point of the parabola through three points, the middle one the lowest.
static double parabola_minimum(const double *x, const double *g) {
  double left = (g[1] - g[0]) / (x[1] - x[0]), right = (g[2] - g[1]) / (x[2] - x[1]);
  double bend = (right - left) / (x[2] - x[0]);
  double slope = left + bend * (x[1] - x[0]);
  return bend > 0 ? g[1] - slope * slope / (4 * bend) : g[1];
}

// What rounding makes of a function.
static double noise_of(const Search *search) {
  return 64 * DBL_EPSILON * search->events->greatest[search->i];
}

// A crossing in a dip whose lowest point the polynomial has at x[1], between x[0] and x[2]:
// INFINITY when there is none, NAN when the function is lower elsewhere.
static double crossing_near(Search *search, const Window *w, const double *x) {
  double t[3], g[3];
  for (int k = 0; k < 3; k++) t[k] = time_in_window(w, x[k]), g[k] = value_at(search, t[k]);
  if (fabs(g[1]) <= noise_of(search)) return INFINITY;
  if (g[0] < 0 || !(g[1] <= g[0] && g[1] <= g[2])) return NAN;
  if (g[1] < 0) return root_between(search, t[0], g[0], t[1], g[1]);
  double low = dip_between(search, t[0], g[0], t[1], g[1], t[2], g[2]);
  if (isnan(low)) return INFINITY;
  int before = low > t[1] ? 1 : 0;
  double lowest = value_at(search, low);
  if (lowest > -noise_of(search)) return INFINITY;
  return root_between(search, t[before], g[before], low, lowest);
}

// Between points the function may go to zero and come back: where the polynomial comes close, the
// function is asked. A crossing before `end` (a place), INFINITY, or NAN for what is not clear.
static double crossing_in_dip(Search *search, const Window *w, double error, double end) {
  enum { PARTS = 4, LAST = PARTS * (POINTS - 1) };
  const double edge = 0.25 / LAST, first = edge / 4096;
  double x[3] = {0, first, 0}, g[3] = {w->g[0], interpolated(w, first), 0};
  // closer together at the beginning, where a function may have been left next to zero
  for (int j = 1; j <= LAST + 1; j += x[2] > edge) {
    x[2] = x[1] < edge ? 4 * x[1] : j < LAST ? j / (double)LAST : j == LAST ? 1 - edge : 1;
    if (x[2] > end) break;
    g[2] = interpolated(w, x[2]);
    if (g[1] <= g[0] && g[1] <= g[2] && parabola_minimum(x, g) <= 4 * error + 1e-3 * fabs(g[1])) {
      double t = crossing_near(search, w, x);
      if (t < INFINITY || isnan(t)) return t;
    }
    x[0] = x[1], x[1] = x[2];
    g[0] = g[1], g[1] = g[2];
  }
  return INFINITY;
}

// The first crossing in a window that is seen sharply, INFINITY, or NAN for what is not clear.
static double crossing_in_window(Search *search, const Window *w, double error) {
  int first = 1;
  while (first < POINTS && !(w->g[first] < 0)) first++;
  double t_first = time_in_window(w, place_in_window(first < POINTS ? first : POINTS - 1));
  if (first == 1 && w->g[0] <= noise_of(search))
    return root_at_start(search, w->from, t_first, w->g[1]);
  double end = first < POINTS ? place_in_window(first - 1) : 1;
  double t = crossing_in_dip(search, w, error, end);
  if (!(t == INFINITY) || first == POINTS) return t;
  double t_before = time_in_window(w, place_in_window(first - 1));
  return root_between(search, t_before, w->g[first - 1], t_first, w->g[first]);
}

// All places are on the function's own side, and it does not bend enough to leave it between them.
static bool stays_away(const Window *w, double error) {
  double least = INFINITY, bend = 0;
  for (int k = 1; k < PLACES; k++) least = fmin(least, w->g[k]);
  for (int k = 1; k + 1 < POINTS; k++)
    bend = fmax(bend, fabs(w->g[k - 1] - 2 * w->g[k] + w->g[k + 1]));
  return error <= 0.1 * least && bend <= least;
}

// Is the polynomial as good as the function for telling where this is zero?
static bool is_seen_sharply(const Search *search, const Window *w, double error) {
  double most = 0;
  for (int k = 0; k < PLACES; k++) most = fmax(most, fabs(w->g[k]));
  return error <= 1e-4 * most || error <= 1e-9 * search->events->greatest[search->i];
}

static void look_at_half(Search *search, const Window *whole, bool second, Window *half) {
  double middle = whole->from + (whole->to - whole->from) / 2;
  half->from = second ? middle : whole->from;
  half->to = second ? whole->to : middle;
  for (int k = 0; k < PLACES; k++)
    half->g[k] = value_at(search, time_in_window(half, place_in_window(k)));
}

// The first crossing of function i in the step, or INFINITY: windows from left to right, each
// halved until it is seen sharply.
static double first_crossing(Search *search, const Window *step) {
  Window open[MOST_HALVINGS + 1];
  int n = 1;
  open[0] = *step;
  double shortest = ldexp(step->to - step->from, -MOST_HALVINGS);
  while (n > 0 && search->status == QDOT_OK) {
    Window w = open[--n];
    double error = mismatch(&w);
    bool can_halve = w.to - w.from > 1.5 * shortest && w.to - w.from > 64 * DBL_EPSILON * w.to;
    if (stays_away(&w, error)) continue;
    if (!can_halve || is_seen_sharply(search, &w, error)) {
      double t = crossing_in_window(search, &w, error);
      if (t < INFINITY) return t;
      if (!isnan(t) || !can_halve) continue;
    }
    look_at_half(search, &w, true, &open[n]);
    look_at_half(search, &w, false, &open[n + 1]);
    n += 2;
  }
  return INFINITY;
}

static Status take_samples(Events *e, Stepper *s) {
  Window step = {.from = s->t_old, .to = s->t};
  for (int k = 0; k < PLACES; k++) {
    const double *y = k == 0 ? s->y_old : k == POINTS - 1 ? s->y : e->y;
    double t = time_in_window(&step, place_in_window(k));
    Status status = y == e->y ? stepper_dense(s, t, e->y) : QDOT_OK;
    double *g = e->samples + (size_t)k * e->count;
    if (status == QDOT_OK) status = e->functions(e->user, t, y, y + s->n, g);
    if (status != QDOT_OK) return status;
    for (int i = 0; i < e->count; i++) e->greatest[i] = fmax(e->greatest[i], fabs(g[i]));
  }
  return QDOT_OK;
}

static double crossing_of(Events *e, Stepper *s, int i, Status *status) {
  Search search = {e, s, i, QDOT_OK};
  Window step = {.from = s->t_old, .to = s->t};
  for (int k = 0; k < PLACES; k++) step.g[k] = e->side[i] * e->samples[k * e->count + i];
  double t = first_crossing(&search, &step);
  *status = search.status;
  return t;
}

Status events_find(Events *e, Stepper *s, bool *found, double *t_event) {
  *found = false;
  if (e->count == 0) return QDOT_OK;
  Status status = take_samples(e, s);
  if (status != QDOT_OK) return status;
  double first = INFINITY;
  for (int i = 0; i < e->count; i++) {
    e->times[i] = e->side[i] == 0 ? INFINITY : crossing_of(e, s, i, &status);
    if (status != QDOT_OK) return status;
    first = fmin(first, e->times[i]);
  }
  *found = isfinite(first);
  *t_event = first;
  // what crosses within rounding crosses together
  double together = first + 16 * DBL_EPSILON * fmax(fabs(first), s->t - s->t_old);
  for (int i = 0; i < e->count; i++) e->hit[i] = e->times[i] <= together;
  return QDOT_OK;
}
