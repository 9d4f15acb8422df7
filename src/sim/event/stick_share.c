// Contacts and joints at rest that share their load.
#include "sim/event/stick.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/lemke.h"

// The least tau for which weights within tau times what each contact holds exist, as a linear
// program over (z+, z-, tau): x = w + open^T (z+ - z-), -tau c <= x <= tau c.
static bool least_use(Arena *scratch, int n, int open_count, const double *open, const double *w,
                      const double *c, double *z) {
  int unknowns = 2 * open_count + 1, rows = 2 * n, size = unknowns + rows;
  double *M = arena_array(scratch, double, (size_t)size *(size_t)size);
  double *q = arena_array(scratch, double, size), *solution = arena_array(scratch, double, size);
  q[unknowns - 1] = 1;
  for (int i = 0; i < n; i++)
    for (int sign = 0; sign < 2; sign++) {
      int row = unknowns + 2 * i + sign;
      double s = sign ? -1 : 1;
      q[row] = s * w[i];
      for (int k = 0; k < open_count; k++) {
        double entry = s * open[k * n + i];
        M[row * size + k] = entry, M[row * size + open_count + k] = -entry;
        M[k * size + row] = -entry, M[(open_count + k) * size + row] = entry;
      }
      M[row * size + unknowns - 1] = c[i];
      M[(unknowns - 1) * size + row] = -c[i];
    }
  if (!lemke_solve(scratch, size, M, q, solution)) return false;
  for (int k = 0; k < open_count; k++) z[k] = solution[k] - solution[open_count + k];
  return true;
}

// What a mode carries, and at most, in units of its own weight's change.
static double carried(const Sticking *s, int i) {
  const StickMode *mode = &s->mode[i];
  return mode_is_switch(mode) ? s->share[mode->number] / 2 : s->weight[i];
}

static double holds_at_most(const Sticking *s, int i, const double *lambda) {
  const StickMode *mode = &s->mode[i];
  if (mode_is_switch(mode)) return s->hold[mode->number] / 2;
  const Slip *slip = &s->machine->slips[mode->number];
  return fmax(slip->mu_rest * lambda[mode->row] / slip->unit, 1e-12);
}

void sticking_share(Sticking *s, const double *lambda) {
  if (s->open_count == 0) return;
  Machine *m = s->machine;
  Arena *scratch = &m->cx->scratch;
  Mark mark = arena_mark(scratch);
  int count = s->count, resting = 0;
  int *which = arena_array(scratch, int, count);
  for (int i = 0; i < count; i++)
    if (mode_rests(s, &s->mode[i])) which[resting++] = i;
  double *open = arena_array(scratch, double, (size_t)s->open_count *(size_t)resting);
  double *w = arena_array(scratch, double, resting), *c = arena_array(scratch, double, resting);
  double *z = arena_array(scratch, double, s->open_count);
  double *carried_before = arena_array(scratch, double, resting);
  memset(s->shared, 0, (size_t)count * sizeof *s->shared);
  for (int i = 0; i < resting; i++) {
    w[i] = carried_before[i] = carried(s, which[i]);
    c[i] = holds_at_most(s, which[i], lambda);
    for (int k = 0; k < s->open_count; k++)
      open[k * resting + i] = s->open[(size_t)k * (size_t)count + (size_t)which[i]];
  }
  if (least_use(scratch, resting, s->open_count, open, w, c, z))
    for (int i = 0; i < resting; i++) {
      const StickMode *mode = &s->mode[which[i]];
      for (int k = 0; k < s->open_count; k++) w[i] += z[k] * open[k * resting + i];
      if (mode_is_switch(mode))
        s->share[mode->number] = 2 * w[i];
      else
        m->slips[mode->number].force = m->slips[mode->number].unit * w[i];
      s->shared[which[i]] = w[i] - carried_before[i];
    }
  arena_release(scratch, mark);
}

void sticking_share_if_needed(Sticking *s, const double *lambda) {
  for (int i = 0; i < s->count; i++) {
    const StickMode *mode = &s->mode[i];
    if (!mode_rests(s, mode)) continue;
    const Slip *slip = &s->machine->slips[mode->number];
    if (mode_is_switch(mode) ? fabs(sticking_use(s, mode->number)) <= 0.9
                             : fabs(slip->force) <= 0.9 * slip->mu_rest * lambda[mode->row])
      continue;
    sticking_share(s, lambda);
    return;
  }
}
