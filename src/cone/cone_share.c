// Loads that a motion leaves open, as those of four feet: the least of them.
//
// All loads that serve are z + N d, the columns of N spanning the loads that balance each other,
// W T N = 0, with T what sliding rows add to the loads of those that press. In the metric of the
// masses the least of them within the cones C z >= 0 is
//
//   z' = (1 - P) z + P C^T m,   P = N N^T,   0 <= m, 0 <= C z', m C z' = 0
//
// the projection of 0 onto a polyhedron (Karush, Kuhn and Tucker) in which z is. It is found from
// z on by an active set of bounds.
#include <math.h>
#include <string.h>

#include "cone/cone.h"
#include "solve/algebra/dense.h"
#include "solve/algebra/svd.h"

// Singular values below this part of the largest are those of loads that balance each other.
static const double BALANCED = 1e-10;
// Speeds below this part of the largest are none: such a row may carry.
static const double STILL = 1e-11;
// What a law may be missed by, as a part of the largest load.
static const double NONE = 1e-12;

typedef struct Open {
  const ConeProblem *c;
  const double *z;
  int n, count, bounds; // rows, those that may carry, their bounds
  int *carrier, *place; // by number: its row; by row: its number, -1: none
  ConeState *state;     // rows that may carry are closed
  double *P;            // count x count
  double *C, *room;     // bounds x count, bounds: C z + room >= 0
} Open;

static void list_carriers(Open *o, const ConeSolution *s) {
  const ConeProblem *c = o->c;
  double largest = 0;
  for (int i = 0; i < c->n; i++)
    if (cone_size(c, i) > 0) largest = fmax(largest, fabs(c->y_0[i]) / cone_size(c, i));
  for (int pass = 0; pass < 2; pass++) // what pushes first, then what rubs there
    for (int i = 0; i < c->n; i++) {
      const ConeRow *row = &c->row[i];
      bool rubs = row->kind == CONE_RUBS,
           still = fabs(s->y[i]) <= STILL * largest * cone_size(c, i);
      if (rubs != (pass == 1) || !(cone_size(c, i) > 0) || row->kind == CONE_ABSENT) continue;
      o->state[i] = s->state[i];
      bool may = s->state[i] == CONE_CLOSED || row->kind == CONE_HOLDS;
      if (row->kind == CONE_PUSHES) may = may || still;
      if (row->kind == CONE_LIMITED) may = may || (still && row->way == 0);
      if (rubs && row->mu > 0 && row->way == 0 && o->state[row->of] == CONE_CLOSED)
        may = may || still;
      if (rubs && o->state[row->of] != CONE_CLOSED) may = false;
      if (rubs && row->way != 0 && o->state[row->of] == CONE_CLOSED)
        o->state[i] = row->way > 0 ? CONE_SLIPS_UP : CONE_SLIPS_DOWN;
      if (!may) continue;
      o->state[i] = CONE_CLOSED;
      o->place[i] = o->count;
      o->carrier[o->count++] = i;
    }
}

// The projector onto the loads that balance each other; false where there are none.
static bool find_projector(Open *o, Arena *scratch) {
  const ConeProblem *c = o->c;
  int n = c->n, k = o->count;
  double *A = arena_array(scratch, double, (size_t)n *(size_t)k);
  for (int i = 0; i < n; i++) {
    double scale = cone_size(c, i) > 0 ? 1 / cone_size(c, i) : 0;
    for (int j = 0; j < n && scale > 0; j++) {
      double share = cone_slip_share(&c->row[j], o->state[j]);
      double W = scale * (c->W[i * n + j] + (i == j ? c->row[i].soft : 0));
      int of = share != 0 ? o->place[c->row[j].of] : -1;
      if (o->place[j] >= 0) A[i * k + o->place[j]] += W / cone_size(c, j);
      if (of >= 0) A[i * k + of] += share * W / cone_size(c, o->carrier[of]);
    }
  }
  Svd *svd = svd_new(scratch, n, k);
  if (svd_compute(svd, n, A) != QDOT_OK) return false;
  bool any = false;
  o->P = arena_array(scratch, double, (size_t)k *(size_t)k);
  for (int s = 0; s < k; s++) {
    const double *v = svd->Vt + (size_t)s * (size_t)k;
    if (svd->sigma[s] > BALANCED * svd->sigma[0]) continue;
    any = true;
    for (int i = 0; i < k; i++) dense_add(k, v[i], v, o->P + (size_t)i * (size_t)k);
  }
  return any;
}

// What must stay positive: loads that push, what is left of friction and to limits.
static void add_bound(Open *o, int row, double own, int of, double share, double room) {
  double *C = o->C + (size_t)o->bounds * (size_t)o->count;
  C[o->place[row]] += own / cone_size(o->c, row);
  if (of >= 0) C[o->place[of]] += share / cone_size(o->c, of);
  o->room[o->bounds++] = room;
}

static void list_bounds(Open *o) {
  for (int u = 0; u < o->count; u++) {
    int i = o->carrier[u];
    const ConeRow *row = &o->c->row[i];
    if (row->kind == CONE_PUSHES) add_bound(o, i, 1, -1, 0, 0);
    for (int side = -1; side < 2; side += 2) {
      if (row->kind == CONE_RUBS) add_bound(o, i, side, row->of, row->mu, 0);
      if (row->kind == CONE_LIMITED) add_bound(o, i, side, -1, 0, side < 0 ? row->high : -row->low);
    }
  }
}

static double bound_at(const Open *o, int b, const double *x) {
  return o->room[b] + dense_dot(o->count, o->C + (size_t)b * (size_t)o->count, x);
}

// The least loads that keep the bounds in `at`, x_least + P C^T m; m says which of them hold it.
static bool find_least(const Open *o, Arena *scratch, const double *x_least, const int *at, int n,
                       double *m, double *x) {
  Mark mark = arena_mark(scratch);
  int k = o->count;
  double *CP = arena_array(scratch, double, n *k), *A = arena_array(scratch, double, n *n);
  double *b = arena_array(scratch, double, n);
  for (int u = 0; u < n; u++) {
    const double *C = o->C + (size_t)at[u] * (size_t)k;
    for (int i = 0; i < k; i++)
      if (C[i] != 0) dense_add(k, C[i], o->P + (size_t)i * (size_t)k, CP + (size_t)u * (size_t)k);
    b[u] = -bound_at(o, at[u], x_least);
    for (int v = 0; v < n; v++)
      A[u * n + v] = dense_dot(k, CP + (size_t)u * (size_t)k, o->C + (size_t)at[v] * (size_t)k);
  }
  for (int u = 0; u < n; u++) // the lower half is whole
    for (int v = 0; v < u; v++) A[v * n + u] = A[u * n + v];
  bool found = n == 0 || svd_least_norm(scratch, n, n, A, b, BALANCED, m, NULL) == QDOT_OK;
  memcpy(x, x_least, (size_t)k * sizeof *x);
  for (int u = 0; u < n && found; u++) dense_add(k, m[u], CP + (size_t)u * (size_t)k, x);
  arena_release(scratch, mark);
  return found;
}

// Goes from x towards `to` until a bound is met: that bound, or -1 where it arrives.
static int go_towards(const Open *o, const double *to, double largest, double *x) {
  double part = 1;
  int met = -1;
  for (int b = 0; b < o->bounds; b++) {
    double none = NONE * largest * dense_norm(o->count, o->C + (size_t)b * (size_t)o->count);
    double here = fmax(bound_at(o, b, x), 0), there = bound_at(o, b, to);
    if (there < -none && here < part * (here - there)) part = here / (here - there), met = b;
  }
  for (int i = 0; i < o->count; i++) x[i] = part == 1 ? to[i] : x[i] + part * (to[i] - x[i]);
  return met;
}

// From loads that serve to the least that do, by a set of bounds that hold them: on the way loads
// become less and less, and all of them serve.
static bool keep_bounds(const Open *o, Arena *scratch, const double *x_least, double *x) {
  int k = o->count, n = 0, *at = arena_array(scratch, int, o->bounds);
  double *m = arena_array(scratch, double, o->bounds), *to = arena_array(scratch, double, k);
  double largest = 0;
  for (int i = 0; i < k; i++) largest = fmax(largest, fabs(x[i]));
  for (int round = 0; round < 8 * o->bounds + 8; round++) {
    if (!find_least(o, scratch, x_least, at, n, m, to)) return false;
    int met = go_towards(o, to, largest, x), worst = -1;
    bool is_known = false;
    for (int u = 0; u < n; u++) is_known = is_known || at[u] == met;
    if (met >= 0 && !is_known) {
      at[n++] = met;
      continue;
    }
    for (int u = 0; u < n; u++)
      if (m[u] < -NONE * largest && (worst < 0 || m[u] < m[worst])) worst = u;
    if (worst < 0) return true;
    at[worst] = at[--n];
  }
  return true;
}

static void take_loads(const Open *o, const double *x, double *z) {
  const ConeProblem *c = o->c;
  for (int u = 0; u < o->count; u++) z[o->carrier[u]] = x[u] / cone_size(c, o->carrier[u]);
  for (int i = 0; i < c->n; i++) {
    const ConeRow *row = &c->row[i];
    if (row->kind == CONE_PUSHES) z[i] = fmax(z[i], 0);
    if (row->kind != CONE_RUBS) continue;
    double share = cone_slip_share(row, o->state[i]), most = row->mu * fmax(z[row->of], 0);
    z[i] = share != 0 ? share * z[row->of] : fmin(fmax(z[i], -most), most);
  }
}

bool cone_share(Arena *scratch, const ConeProblem *c, ConeSolution *out) {
  Mark mark = arena_mark(scratch);
  size_t n = (size_t)c->n;
  Open o = {.c = c, .z = out->z};
  o.carrier = arena_array(scratch, int, n), o.place = arena_array(scratch, int, n);
  o.state = arena_array(scratch, ConeState, n);
  for (int i = 0; i < c->n; i++) o.place[i] = -1;
  list_carriers(&o, out);
  size_t k = (size_t)o.count;
  double *x = arena_array(scratch, double, k), *z = arena_array(scratch, double, n);
  double *y = arena_array(scratch, double, n);
  o.C = arena_array(scratch, double, 2 * k * k), o.room = arena_array(scratch, double, 2 * k);
  bool shares = k > 1 && find_projector(&o, scratch);
  if (shares) {
    for (size_t u = 0; u < k; u++) x[u] = out->z[o.carrier[u]] * cone_size(c, o.carrier[u]);
    double *x_least = arena_array(scratch, double, k);
    for (size_t u = 0; u < k; u++) x_least[u] = x[u] - dense_dot(o.count, o.P + u * k, x);
    list_bounds(&o);
    shares = keep_bounds(&o, scratch, x_least, x);
  }
  if (shares) {
    memcpy(z, out->z, n * sizeof *z);
    take_loads(&o, x, z);
    double residual = cone_residual(c, z, y);
    shares = residual <= fmax(10 * out->residual, STILL);
  }
  if (shares) {
    memcpy(out->z, z, n * sizeof *z);
    out->residual = cone_residual(c, out->z, out->y);
    cone_find_states(c, out->z, out->y, out->state);
    for (size_t u = 0; u < k; u++)
      if (c->row[o.carrier[u]].kind == CONE_PUSHES ? z[o.carrier[u]] > 0 : true)
        out->state[o.carrier[u]] = CONE_CLOSED;
  }
  arena_release(scratch, mark);
  return shares;
}
