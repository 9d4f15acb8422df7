// Functions of time alone, looked at ahead of the steps.
#include "engine/event/forcing.h"

#include <math.h>

enum { PARTS = 8, MOST_BLIND = 1000 };

void forcing_open(Forcing *f, Arena *arena, const Machine *m, double t_end) {
  f->t_end = t_end;
  if (f->is_open) {
    forcing_restart(f, m);
    return;
  }
  *f = (Forcing){.t_end = t_end, .is_open = true, .tape = m->plan->pulses};
  if (!f->tape) return;
  f->count = f->tape->root_count;
  f->time = m->plan->variables.t;
  f->values = arena_array(arena, double, m->plan->variables.count);
  f->room = arena_array(arena, double, tape_intervals_room(f->tape));
  f->scale = arena_array(arena, double, f->count);
  f->seen = arena_array(arena, Interval, f->count);
  f->now = arena_array(arena, Interval, f->count);
  forcing_restart(f, m);
}

// ---- Looking ahead

static void look(Forcing *f, Interval along) {
  tape_intervals(f->tape, f->values, f->time, along, f->room, f->now);
}

// The largest size in the run, poles left out; the sizes near the beginning when its end is open.
static void measure(Forcing *f) {
  enum { PIECES = 64 };
  double span = isfinite(f->t_end) ? f->t_end : 1;
  for (uint32_t i = 0; i < f->count; i++) f->scale[i] = 0;
  for (int k = 0; k < PIECES; k++) {
    look(f, (Interval){span * k / PIECES, span * (k + 1) / PIECES});
    for (uint32_t i = 0; i < f->count; i++) {
      double size = fmax(fabs(f->now[i].low), fabs(f->now[i].high));
      if (isfinite(size)) f->scale[i] = fmax(f->scale[i], size);
    }
  }
}

void forcing_restart(Forcing *f, const Machine *m) {
  if (!f->tape) return;
  for (uint32_t i = 0; i < f->tape->n; i++) {
    const TapeStep *s = &f->tape->steps[i];
    if (s->op == OP_SYMBOL) f->values[s->variable] = m->values[s->variable];
  }
  measure(f);
  f->clear = -INFINITY;
  f->blind = 0;
  f->width = INFINITY;
}

static double width_of(Interval a) { return a.high - a.low; }

// Does every function stay within what samples show of it? Each part of the stretch may hold half
// of the change that is seen, or what is small beside the function's size.
static bool is_clear(Forcing *f, double from, double width) {
  for (int k = 0; k <= PARTS; k++) {
    double a = from + width * k / PARTS;
    look(f, (Interval){a, a});
    for (uint32_t i = 0; i < f->count; i++) {
      Interval r = f->now[i], *s = &f->seen[i];
      if (!isfinite(r.low) || !isfinite(r.high)) r = k == 0 ? (Interval){0, 0} : *s;
      *s = k == 0 ? r : (Interval){fmin(s->low, r.low), fmax(s->high, r.high)};
    }
  }
  for (int k = 0; k < PARTS; k++) {
    Interval part = {from + width * k / PARTS, from + width * (k + 1) / PARTS};
    look(f, part);
    for (uint32_t i = 0; i < f->count; i++)
      if (!(width_of(f->now[i]) <= fmax(0.5 * width_of(f->seen[i]), 1e-3 * f->scale[i])))
        return false;
  }
  return true;
}

double forcing_limit(Forcing *f, double t, double h) {
  if (!f->tape || f->blind > MOST_BLIND || t + 2 * h <= f->clear) return INFINITY;
  double left = t < f->t_end ? f->t_end - t : INFINITY,
         span = isfinite(f->t_end) ? f->t_end : fmax(fabs(t), 1);
  double width = fmin(fmin(left, f->width < 4 * h ? 8 * h : 2 * f->width), 1e3 * span);
  double least = fmax(1e-9 * span, 1e-12 * fabs(t));
  while (width > least && !is_clear(f, t, width)) width /= 2;
  f->width = width;
  f->blind += width <= least;
  f->clear = width >= left ? INFINITY : t + width;
  return t + 2 * h <= f->clear ? INFINITY : f->clear;
}
