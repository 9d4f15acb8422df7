// The directions in which a slide can go.
#include "engine/event/stick.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"

// Orthonormal rows for those of Phi_q; returns how many.
static int find_basis(Sticking *s, double t, const double *q) {
  Machine *m = s->machine;
  int n = m->n, rank = 0;
  if (s->sides.m == 0) return 0;
  const double *Phi_q = machine_run_geometry(m, t, q, NULL).Phi_q;
  for (int r = 0; r < s->sides.m; r++) {
    double *row = s->basis + (size_t)rank * n;
    memcpy(row, Phi_q + (size_t)r * n, (size_t)n * sizeof *row);
    double size = sqrt(stick_dot(row, row, n));
    for (int twice = 0; twice < 2; twice++)
      for (int k = 0; k < rank; k++)
        dense_add(n, -stick_dot(row, s->basis + (size_t)k * n, n), s->basis + (size_t)k * n, row);
    double left = sqrt(stick_dot(row, row, n));
    if (!(left > LEAST_DIRECTION * size)) continue;
    for (int j = 0; j < n; j++) row[j] /= left;
    rank++;
  }
  return rank;
}

// The change of velocities that is nearest to that of coordinate j alone, without what the
// constraints and the directions before do not let through; and what it makes of u.
static double try_direction(const Sticking *s, int rank, const SlideValues *at, int j,
                            const StickMode *before, int count, StickMode *mode) {
  int n = s->machine->n, components = (int)machine_slide(s->machine, mode->number)->components;
  memset(mode->along, 0, (size_t)n * sizeof *mode->along);
  mode->along[j] = 1;
  for (int k = 0; k < rank; k++)
    dense_add(n, -s->basis[(size_t)k * n + j], s->basis + (size_t)k * n, mode->along);
  for (int k = 0; k < components; k++)
    mode->e[k] = stick_dot(at->u_qd + (size_t)k * n, mode->along, n);
  for (int i = 0; i < count; i++) {
    double part = stick_dot(mode->e, before[i].e, components);
    dense_add(n, -part, before[i].along, mode->along);
    for (int k = 0; k < components; k++) mode->e[k] -= part * before[i].e[k];
  }
  return sqrt(stick_dot(mode->e, mode->e, components));
}

// Directions e, orthonormal, in which u of a slide can change.
static void find_directions(Sticking *s, int rank, const SlideValues *at, StickMode *first) {
  int n = s->machine->n, components = (int)machine_slide(s->machine, first->number)->components;
  double largest = 0;
  for (int i = 0; i < components; i++) {
    StickMode *mode = first + i;
    int best = 0;
    double most = 0;
    for (int j = 0; j < n; j++) {
      double size = try_direction(s, rank, at, j, first, i, mode);
      if (size > most) most = size, best = j;
    }
    if (i == 0) largest = most;
    double size = try_direction(s, rank, at, best, first, i, mode);
    mode->is_void = !(size > LEAST_DIRECTION * largest);
    double factor = mode->is_void ? 0 : 1 / size;
    for (int j = 0; j < n; j++) mode->along[j] *= factor;
    for (int k = 0; k < components; k++) mode->e[k] *= factor;
  }
}

void sticking_direct(Sticking *s, double t, const double *q, const double *qd) {
  Machine *m = s->machine;
  if (s->count == 0 || !s->mode[s->count - 1].is_slide) return;
  int rank = find_basis(s, t, q);
  const double *out = machine_run_slides(m, t, q, qd).values;
  for (int i = 0; i < s->count; i++) {
    if (!s->mode[i].is_slide ||
        (i > 0 && s->mode[i - 1].is_slide && s->mode[i - 1].number == s->mode[i].number))
      continue;
    SlideValues at = machine_slide_values(m, s->mode[i].number, out);
    find_directions(s, rank, &at, s->mode + i);
  }
}

void sticking_stop(Sticking *s, int slide, double t, const double *q, double *qd) {
  Machine *m = s->machine;
  size_t n = (size_t)m->n;
  StickMode mode[MOST_COMPONENTS];
  int components = (int)machine_slide(m, slide)->components;
  for (int k = 0; k < components; k++)
    mode[k] = (StickMode){.number = slide, .along = s->rest[slide].along + (size_t)(1 + k) * n};
  int rank = find_basis(s, t, q);
  SlideValues at = machine_slide_values(m, slide, machine_run_slides(m, t, q, qd).values);
  find_directions(s, rank, &at, mode);
  for (int k = 0; k < components; k++)
    dense_add(m->n, -stick_dot(mode[k].e, at.u, components), mode[k].along, qd);
}
