// Cones as a linear complementarity problem, by Stewart and Trinkle (1996): what sticks is
// z = up - down, up against y + s, down against -y + s, and the speed s against mu z_of - up -
// down. A limited row is z = low + rise, rise against y + s, and s against high - low - rise.
//
// For W = G M^-1 G^T its matrix is copositive: x^T M x is the energy z^T W z of the loads, plus
// mu z_of s >= 0 for every row that rubs.
#include <math.h>
#include <string.h>

#include "cone/cone.h"
#include "cone/lemke.h"

// One unknown of the problem: a load, or at rest one of both directions, or a sliding speed.
typedef struct Unknown {
  int row;
  enum { PRESSES, PUSHES_UP, PUSHES_DOWN, SLIDES, RISES, FALLS } kind;
} Unknown;

typedef struct Pivots {
  const ConeProblem *c;
  int size;
  Unknown *unknown;
  double *act; // n x size: what a unit of each unknown adds to the loads
  double *y;   // n x size: and to the speeds
} Pivots;

static double unit_of(const ConeProblem *c, int i) {
  const ConeRow *row = &c->row[i];
  if (row->kind == CONE_RUBS) return unit_of(c, row->of) * (row->unit > 0 ? row->unit : 1);
  double own = cone_size(c, i);
  return own > 0 ? 1 / own : 0;
}

static bool may_stick(const ConeRow *row) {
  return row->way == 0 && (row->kind == CONE_RUBS ? row->mu > 0 : row->high > row->low);
}

static void list_unknowns(Pivots *p) {
  const ConeProblem *c = p->c;
  for (int i = 0; i < c->n; i++) {
    const ConeRow *row = &c->row[i];
    if (unit_of(c, i) == 0) continue;
    if (row->kind == CONE_PUSHES) p->unknown[p->size++] = (Unknown){i, PRESSES};
    bool sticks = (row->kind == CONE_RUBS || row->kind == CONE_LIMITED) && may_stick(row);
    if (row->kind == CONE_RUBS && c->row[row->of].kind != CONE_PUSHES) continue;
    int first = row->kind == CONE_RUBS ? PUSHES_UP : RISES;
    int last = row->kind == CONE_RUBS ? SLIDES : FALLS;
    for (int kind = first; kind <= last && sticks; kind++)
      p->unknown[p->size++] = (Unknown){i, kind};
  }
}

static void find_actions(Pivots *p) {
  const ConeProblem *c = p->c;
  for (int j = 0; j < p->size; j++) {
    const Unknown *u = &p->unknown[j];
    double unit = unit_of(c, u->row);
    if (u->kind == SLIDES || u->kind == FALLS) continue;
    p->act[u->row * p->size + j] = u->kind == PUSHES_DOWN ? -unit : unit;
    for (int i = 0; i < c->n && u->kind == PRESSES; i++)
      if (c->row[i].kind == CONE_RUBS && c->row[i].of == u->row)
        p->act[i * p->size + j] = -c->row[i].way * c->row[i].mu * unit;
  }
  for (int i = 0; i < c->n; i++)
    for (int k = 0; k < c->n; k++) {
      double w = c->W[(size_t)i * (size_t)c->n + (size_t)k] + (i == k ? c->row[i].soft : 0);
      for (int j = 0; j < p->size && w != 0; j++)
        p->y[i * p->size + j] += w * p->act[k * p->size + j];
    }
}

// What unknown j brings to the condition of unknown i.
static double entry(const Pivots *p, int i, int j) {
  const ConeProblem *c = p->c;
  const Unknown *a = &p->unknown[i], *b = &p->unknown[j];
  const ConeRow *row = &c->row[a->row];
  bool same = a->row == b->row;
  if (a->kind == FALLS) return same && b->kind == RISES ? -1 : 0;
  if (a->kind == SLIDES) {
    if (b->kind == PRESSES && b->row == row->of) return row->mu / (row->unit > 0 ? row->unit : 1);
    return same && (b->kind == PUSHES_UP || b->kind == PUSHES_DOWN) ? -1 : 0;
  }
  if (b->kind == SLIDES || b->kind == FALLS) return same && a->kind != PRESSES;
  double rate = unit_of(c, a->row) * p->y[a->row * p->size + j];
  return a->kind == PUSHES_DOWN ? -rate : rate;
}

bool cone_pivot(Arena *scratch, const ConeProblem *c, double *z) {
  Mark mark = arena_mark(scratch);
  size_t n = (size_t)c->n;
  Pivots p = {.c = c, .unknown = arena_array(scratch, Unknown, 3 * n)};
  double *fixed = arena_array(scratch, double, n), *y = arena_array(scratch, double, n);
  list_unknowns(&p);
  size_t size = (size_t)p.size;
  p.act = arena_array(scratch, double, n *size);
  p.y = arena_array(scratch, double, n *size);
  find_actions(&p);
  for (int i = 0; i < c->n; i++)
    if (c->row[i].kind == CONE_LIMITED)
      fixed[i] = c->row[i].way < 0 ? c->row[i].high : c->row[i].low;
  cone_residual(c, fixed, y);
  double *M = arena_array(scratch, double, size *size);
  double *q = arena_array(scratch, double, size), *x = arena_array(scratch, double, size);
  for (int i = 0; i < p.size; i++) {
    const Unknown *u = &p.unknown[i];
    double unit = unit_of(c, u->row);
    if (u->kind == FALLS) q[i] = (c->row[u->row].high - c->row[u->row].low) / unit;
    if (u->kind != FALLS && u->kind != SLIDES)
      q[i] = u->kind == PUSHES_DOWN ? -unit * y[u->row] : unit * y[u->row];
    for (int j = 0; j < p.size; j++) M[i * p.size + j] = entry(&p, i, j);
  }
  bool solved = lemke_solve(scratch, p.size, M, q, x);
  memcpy(z, fixed, n * sizeof *z);
  for (int i = 0; i < c->n; i++)
    for (int j = 0; j < p.size; j++) z[i] += p.act[i * p.size + j] * x[j];
  arena_release(scratch, mark);
  return solved;
}
