// When a motion comes back: looks along a first run.
#include <math.h>

#include "ask/orbit_shoot.h"

// Looks tell the turns of a motion apart if none moves further than this part of its extent.
static const double ONE_LOOK = 0.25;
// Parts of the extent: what is away, and what is back.
static const double AWAY = 0.5, BACK = 0.35;
// Of the largest coordinate: what is left of a rest that rounding pushes.
static const double STANDS = 1e-9;

// ---- Sizes

// How far value i of the state goes.
static double range_of(const Shooting *s, uint32_t i, uint32_t seen) {
  double low = INFINITY, high = -INFINITY;
  for (uint32_t k = 0; k < seen; k++) {
    low = fmin(low, orbit_seen(s, k)[i]);
    high = fmax(high, orbit_seen(s, k)[i]);
  }
  return s->is_angle[i] ? fmin(high - low, M_PI) : high - low;
}

// Positions, velocities, states and what is assigned are kinds: a thing is measured by its like.
static int kind_of(const Shooting *s, uint32_t i) {
  uint32_t coordinates = s->orbit->model->coordinates.n;
  return i < coordinates ? 0 : i < 2 * coordinates ? 1 : i < s->moving ? 2 : 3;
}

// Does no coordinate move by more than rounding?
static bool stands(const Shooting *s, uint32_t seen) {
  double moved = 0, largest = 0;
  for (uint32_t i = 0; i < s->orbit->model->coordinates.n; i++) {
    moved = fmax(moved, range_of(s, i, seen));
    for (uint32_t k = 0; k < seen; k++) largest = fmax(largest, fabs(orbit_seen(s, k)[i]));
  }
  return moved < STANDS * largest;
}

// What the state is measured by; what hardly moves by a thousandth of its like, and a rest by SI
// units.
static void find_sizes(Shooting *s, uint32_t seen) {
  double most[4] = {0};
  bool is_rest = stands(s, seen);
  for (uint32_t i = 0; i < s->orbit->state; i++) {
    s->size[i] = range_of(s, i, seen);
    most[kind_of(s, i)] = fmax(most[kind_of(s, i)], s->size[i]);
  }
  for (uint32_t i = 0; i < s->orbit->state; i++) {
    double of_kind = most[kind_of(s, i)];
    s->size[i] = of_kind > 0 && !is_rest ? fmax(s->size[i], 1e-3 * of_kind) : 1;
  }
}

// ---- Returns

static double extent_of(const Shooting *s, uint32_t seen) {
  double most = 0;
  for (uint32_t k = 0; k < seen; k++)
    most = fmax(most, orbit_distance(s, orbit_seen(s, k), s->seen));
  return most;
}

static bool looks_tell(const Shooting *s, uint32_t seen, double extent) {
  for (uint32_t k = 1; k < seen; k++) {
    bool jumps = s->event[k] >= s->times[k - 1];
    if (!jumps && orbit_distance(s, orbit_seen(s, k), orbit_seen(s, k - 1)) > ONE_LOOK * extent)
      return false;
  }
  return true;
}

// The lowest place of the parabola through three squared distances at equal times.
static Return lowest(double before, double at, double after, double t, double step) {
  double a = before * before, b = at * at, c = after * after, bend = a - 2 * b + c;
  double off = bend > 0 ? fmax(-1, fmin(1, (a - c) / (2 * bend))) : 0;
  return (Return){t + off * step, sqrt(fmax(0, b - (a - c) * off / 4))};
}

uint32_t orbit_returns(Shooting *s, const double *x, double *end, Return *out, uint32_t most) {
  uint32_t seen = 0, n = 0;
  double extent = 0;
  for (int round = 0; round < 5; round++, *end /= 8) {
    Status status = orbit_watch(s, x, *end);
    if (status != QDOT_OK && s->taken < 3) return 0;
    seen = s->taken;
    find_sizes(s, seen);
    extent = extent_of(s, seen);
    if (looks_tell(s, seen, extent)) break;
  }
  double before = 0, at = 0;
  bool is_away = false;
  for (uint32_t k = 1; k < seen && n < most; k++) {
    double next = orbit_distance(s, orbit_seen(s, k), s->seen);
    if (is_away && at < before && at <= next && at < BACK * extent) {
      out[n++] = lowest(before, at, next, s->times[k - 1], s->times[1]);
      out[n - 1].miss /= extent;
      is_away = false;
    }
    is_away |= next > AWAY * extent;
    before = at, at = next;
  }
  return n;
}

bool orbit_begins_at_event(const Shooting *s, double T) {
  double close = 0.02 * T;
  for (uint32_t k = 0; k < s->taken && s->times[k] < T + 2 * close; k++)
    if (fabs(s->event[k]) < close || fabs(s->event[k] - T) < close) return true;
  return false;
}
