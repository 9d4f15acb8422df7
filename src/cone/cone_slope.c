// How loads change with the problem where their states are certain: the states stay, and with them
// a linear system. At a corner of a law, z = 0 = y, there are slopes to its sides only.
#include <math.h>
#include <string.h>

#include "cone/cone.h"
#include "solve/algebra/dense.h"

// A row this near to a corner of its law, as a part of the largest load or speed, is at it.
static const double AT_CORNER = 1e-9;

// Do loads and speeds of a row keep away from what would change its state?
static bool is_certain(const ConeProblem *c, const ConeSolution *s, int i, double speed,
                       double load) {
  const ConeRow *row = &c->row[i];
  double size = cone_size(c, i), middle = 0, half = 0;
  if (!(size > 0) || row->kind == CONE_ABSENT || row->kind == CONE_HOLDS) return true;
  double y = fabs(s->y[i]) / size, z = s->z[i] * size;
  if (row->kind == CONE_PUSHES)
    return s->state[i] == CONE_CLOSED ? z > AT_CORNER * load : y > AT_CORNER * speed;
  if (row->way != 0) return true;
  if (row->kind == CONE_RUBS) half = row->mu * fmax(s->z[row->of], 0);
  if (row->kind == CONE_RUBS && !(half > 0)) return true; // with the load, whatever that does
  if (row->kind == CONE_LIMITED)
    middle = (row->low + row->high) / 2, half = (row->high - row->low) / 2;
  if (s->state[i] != CONE_CLOSED) return y > AT_CORNER * speed;
  return half - fabs(s->z[i] - middle) > AT_CORNER * half;
}

bool cone_slope(Arena *scratch, const ConeProblem *c, const ConeSolution *s,
                const ConeChange *change, double *dz) {
  Mark mark = arena_mark(scratch);
  int n = c->n, open = 0;
  double *y_0 = arena_array(scratch, double, n), *fixed = arena_array(scratch, double, n);
  double speed = 0, load = 0;
  for (int i = 0; i < n; i++) {
    double size = cone_size(c, i);
    if (size > 0) speed = fmax(speed, fabs(c->y_0[i]) / size);
    load = fmax(load, fabs(s->z[i]) * size);
  }
  bool certain = true;
  for (int i = 0; i < n; i++) {
    const ConeRow *row = &c->row[i];
    certain = certain && is_certain(c, s, i, speed, load);
    if (change->y_0) y_0[i] = change->y_0[i];
    if (change->W) y_0[i] += dense_dot(n, change->W + (size_t)i * (size_t)n, s->z);
    double side = s->state[i] == CONE_SLIPS_UP ? -1 : s->state[i] == CONE_SLIPS_DOWN ? 1 : 0;
    if (!change->mu || side == 0) continue;
    fixed[i] = row->kind == CONE_RUBS ? side * change->mu[i] * s->z[row->of] : change->mu[i];
  }
  bool found = certain && cone_solve_linear(scratch, c, s->state, y_0, fixed, dz, &open);
  arena_release(scratch, mark);
  return found && open == 0;
}
