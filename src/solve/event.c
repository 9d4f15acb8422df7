// Where functions of the state cross zero along a step, found on the dense output.
#include "solve/event.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Places inside a step where every function is looked at, besides its ends.
enum { INSIDE = 6 };

void events_open(Events *events, Arena *arena, const Stepper *stepper, int count,
                 Status (*functions)(void *, double, const double *, const double *, double *),
                 void *user) {
  *events = (Events){.count = count, .user = user, .functions = functions};
  events->side = arena_array(arena, double, count);
  events->hit = arena_array(arena, bool, count);
  events->g_room = arena_array(arena, double, count);
  events->times = arena_array(arena, double, count);
  events->samples = arena_array(arena, double, (size_t)count *(INSIDE + 2));
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

static double sample_time(const Stepper *s, int k) {
  return k == INSIDE + 1 ? s->t : s->t_old + (s->t - s->t_old) * k / (INSIDE + 1);
}

// The first crossing of function i in the step, or INFINITY.
static double first_crossing(Search *search) {
  const Stepper *s = search->stepper;
  const double *g = search->events->samples + search->i;
  int stride = search->events->count;
  double side = search->events->side[search->i];
  for (int k = 1; k <= INSIDE + 1; k++) {
    double before = side * g[(k - 1) * stride], now = side * g[k * stride];
    double t_before = sample_time(s, k - 1), t_now = sample_time(s, k);
    if (now < 0 && k == 1 && before <= 0) return root_at_start(search, t_before, t_now, now);
    if (now < 0) return root_between(search, t_before, before, t_now, now);
    if (k == INSIDE + 1 || !(now <= before)) continue;
    double after = side * g[(k + 1) * stride];
    if (!(after > now)) continue;
    double t = dip_between(search, t_before, before, t_now, now, sample_time(s, k + 1), after);
    if (isnan(t)) continue;
    double edge = t < t_now ? t_before : t_now;
    return root_between(search, edge, value_at(search, edge), t, value_at(search, t));
  }
  return INFINITY;
}

static Status take_samples(Events *e, Stepper *s) {
  for (int k = 0; k <= INSIDE + 1; k++) {
    const double *y = k == 0 ? s->y_old : s->y;
    double t = sample_time(s, k);
    if (k > 0 && k <= INSIDE) {
      Status status = stepper_dense(s, t, e->y);
      if (status != QDOT_OK) return status;
      y = e->y;
    }
    Status status = e->functions(e->user, t, y, y + s->n, e->samples + (size_t)k * e->count);
    if (status != QDOT_OK) return status;
  }
  return QDOT_OK;
}

Status events_find(Events *e, Stepper *s, bool *found, double *t_event) {
  *found = false;
  if (e->count == 0) return QDOT_OK;
  Status status = take_samples(e, s);
  if (status != QDOT_OK) return status;
  double first = INFINITY;
  for (int i = 0; i < e->count; i++) {
    Search search = {e, s, i, QDOT_OK};
    e->times[i] = e->side[i] == 0 ? INFINITY : first_crossing(&search);
    if (search.status != QDOT_OK) return search.status;
    first = fmin(first, e->times[i]);
  }
  *found = isfinite(first);
  *t_event = first;
  // what crosses within rounding crosses together
  double together = first + 16 * DBL_EPSILON * fmax(fabs(first), s->t - s->t_old);
  for (int i = 0; i < e->count; i++) e->hit[i] = e->times[i] <= together;
  return QDOT_OK;
}
