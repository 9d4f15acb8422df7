// A Schur complement on the factors of earlier states.
//
// The unknowns x of the factors, and z of the border, solve  A x + B z = f,  C x + D z = g:
// x = x0 - Y z with x0 = A^-1 f, Y = A^-1 B, and (D - C Y) z = g - C x0.
#include "solve/touch/touch_border.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"

void touch_border_open(TouchBorder *border, TouchMatrix *m, const double *a, const double *b,
                       double soft) {
  int n = m->touches->count;
  *border = (TouchBorder){.matrix = m, .soft = soft, .a = a, .b = b};
  border->base = arena_array(m->arena, TouchState, n);
  border->now = arena_array(m->arena, TouchState, n);
  border->presses = arena_array(m->arena, bool, n);
  border->rests = arena_array(m->arena, bool, n);
  border->share = arena_array(m->arena, double, n);
  border->x = arena_array(m->arena, double, 2 * n);
  for (int k = 0; k < TOUCH_BORDER_MOST; k++)
    border->column[k] = arena_array(m->arena, double, 2 * n);
}

// ---- Factors

static bool factor(TouchBorder *border, const TouchState *state) {
  TouchMatrix *m = border->matrix;
  const Touches *t = m->touches;
  border->count = 0;
  for (int i = 0; i < t->count; i++) {
    border->base[i] = border->now[i] = state[i];
    border->presses[i] = state[i] != TOUCH_OPEN, border->rests[i] = state[i] == TOUCH_RESTS;
    border->share[i] = touch_share(state[i], t->at[i].mu);
  }
  border->is_factored =
      touch_matrix_factor(m, border->presses, border->rests, border->share, border->soft);
  if (!border->is_factored) return false;
  for (int i = 0; i < t->count; i++) {
    if (border->presses[i]) border->x[m->press[i]] = -border->a[i];
    if (border->rests[i]) border->x[m->rest[i]] = -border->b[i];
  }
  skyline_solve(&m->skyline, border->x);
  return true;
}

// ---- Edges

// What makes of a contact in the state of the factors one in another state; how many edges.
static int edges_of(const TouchBorder *border, int i, TouchState to, TouchEdge *out) {
  const TouchMatrix *m = border->matrix;
  TouchState from = border->base[i];
  double share = touch_share(to, m->touches->at[i].mu);
  TouchEdge edge = {.contact = i, .freed = -1}, second = edge;
  if (from == to) return 0;
  if (from == TOUCH_OPEN) {
    edge.push = 1, edge.rub = share, edge.row = EDGE_APART;
    second.rub = 1, second.row = EDGE_ALONG;
  } else if (to == TOUCH_OPEN) {
    edge.freed = m->press[i], edge.row = EDGE_IMPULSES, edge.by_push = 1;
    second.freed = m->rest[i], second.row = EDGE_IMPULSES, second.by_rub = 1;
  } else if (from == TOUCH_RESTS) {
    edge.freed = m->rest[i], edge.row = EDGE_IMPULSES, edge.by_push = -share, edge.by_rub = 1;
  } else {
    edge.rub = 1, edge.row = to == TOUCH_RESTS ? EDGE_ALONG : EDGE_IMPULSES;
    edge.by_push = -share, edge.by_rub = 1;
  }
  out[0] = edge, out[1] = second;
  bool is_double =
      (from == TOUCH_OPEN && to == TOUCH_RESTS) || (from == TOUCH_RESTS && to == TOUCH_OPEN);
  return 1 + is_double;
}

// p and r of a contact by the unknowns of the factors.
static double pushed(const TouchMatrix *m, const double *x, int i) {
  return m->press[i] >= 0 ? x[m->press[i]] : 0;
}

static double rubbed(const TouchBorder *border, const double *x, int i) {
  const TouchMatrix *m = border->matrix;
  return m->rest[i] >= 0 ? x[m->rest[i]] : border->share[i] * pushed(m, x, i);
}

// What an edge does to the equations of the factors.
static void fill_column(const TouchBorder *border, const TouchEdge *edge, double *y) {
  const TouchMatrix *m = border->matrix;
  const Touch *c = &m->touches->at[edge->contact];
  int i = edge->contact;
  memset(y, 0, (size_t)m->unknowns * sizeof *y);
  if (edge->freed >= 0) {
    y[edge->freed] = 1;
    return;
  }
  for (int k = m->first[i]; k < m->first[i + 1]; k++) {
    const TouchPair *pair = &m->pairs.at[k];
    int apart = m->press[pair->other], along = m->rest[pair->other];
    if (apart >= 0) y[apart] += pair->nn * edge->push + pair->nt * edge->rub;
    if (along >= 0) y[along] += pair->tn * edge->push + pair->tt * edge->rub;
  }
  if (m->press[i] >= 0) y[m->press[i]] += border->soft * c->own_push * edge->push;
  if (m->rest[i] >= 0) y[m->rest[i]] += border->soft * c->own_rub * edge->rub;
}

// The row of an edge, of what impulses p, r at a contact do to it: responses are symmetric.
static double row_by_pair(const TouchEdge *edge, const TouchPair *pair, double p, double r) {
  return edge->row == EDGE_APART ? pair->nn * p + pair->tn * r : pair->nt * p + pair->tt * r;
}

static double row_by_own(const TouchBorder *border, const TouchEdge *edge, double p, double r) {
  const Touch *c = &border->matrix->touches->at[edge->contact];
  switch (edge->row) {
  case EDGE_APART: return border->soft * c->own_push * p;
  case EDGE_ALONG: return border->soft * c->own_rub * r;
  default: return edge->by_push * p + edge->by_rub * r;
  }
}

static double row_by_unknowns(const TouchBorder *border, const TouchEdge *edge, const double *x) {
  const TouchMatrix *m = border->matrix;
  int i = edge->contact;
  double sum = row_by_own(border, edge, pushed(m, x, i), rubbed(border, x, i));
  for (int k = m->first[i]; k < m->first[i + 1] && edge->row != EDGE_IMPULSES; k++) {
    const TouchPair *pair = &m->pairs.at[k];
    if (m->press[pair->other] < 0) continue;
    sum += row_by_pair(edge, pair, x[m->press[pair->other]], rubbed(border, x, pair->other));
  }
  return sum;
}

static double row_by_edge(const TouchBorder *border, const TouchEdge *edge, const TouchEdge *by) {
  const TouchMatrix *m = border->matrix;
  int i = edge->contact;
  if (by->freed >= 0) return 0;
  double sum = by->contact == i ? row_by_own(border, edge, by->push, by->rub) : 0;
  for (int k = m->first[i]; k < m->first[i + 1] && edge->row != EDGE_IMPULSES; k++)
    if (m->pairs.at[k].other == by->contact)
      return sum + row_by_pair(edge, &m->pairs.at[k], by->push, by->rub);
  return sum;
}

static double schur(const TouchBorder *border, int j, int k) {
  return row_by_edge(border, &border->edge[j], &border->edge[k]) -
         row_by_unknowns(border, &border->edge[j], border->column[k]);
}

static void add_edge(TouchBorder *border, const TouchEdge *edge) {
  int k = border->count++;
  border->edge[k] = *edge;
  fill_column(border, edge, border->column[k]);
  skyline_solve(&border->matrix->skyline, border->column[k]);
  for (int j = 0; j <= k; j++) {
    border->S[j][k] = schur(border, j, k);
    if (j < k) border->S[k][j] = schur(border, k, j);
  }
}

// The last edge takes its place.
static void remove_edge(TouchBorder *border, int k) {
  int last = --border->count;
  double *column = border->column[k];
  border->column[k] = border->column[last], border->column[last] = column;
  border->edge[k] = border->edge[last];
  for (int j = 0; j <= last; j++) border->S[j][k] = border->S[j][last];
  for (int j = 0; j <= last; j++) border->S[k][j] = border->S[last][j];
}

// False when there is no room.
static bool change(TouchBorder *border, int i, TouchState to) {
  TouchEdge edge[2];
  for (int k = border->count - 1; k >= 0; k--)
    if (border->edge[k].contact == i) remove_edge(border, k);
  int count = edges_of(border, i, to, edge);
  if (border->count + count > TOUCH_BORDER_MOST) return false;
  for (int k = 0; k < count; k++) add_edge(border, &edge[k]);
  border->now[i] = to;
  return true;
}

// ---- Answers

static bool border_unknowns(const TouchBorder *border, double *z) {
  double LU[TOUCH_BORDER_MOST * TOUCH_BORDER_MOST];
  int n = border->count, pivot[TOUCH_BORDER_MOST];
  for (int j = 0; j < n; j++) {
    const TouchEdge *edge = &border->edge[j];
    memcpy(LU + (size_t)j * (size_t)n, border->S[j], (size_t)n * sizeof *LU);
    z[j] = edge->row == EDGE_APART   ? -border->a[edge->contact]
           : edge->row == EDGE_ALONG ? -border->b[edge->contact]
                                     : 0;
    z[j] -= row_by_unknowns(border, edge, border->x);
  }
  if (!(dense_lu(n, LU, pivot) > 0)) return false;
  dense_lu_solve(n, LU, pivot, z);
  return true;
}

static bool solve(const TouchBorder *border, double *p, double *r) {
  const TouchMatrix *m = border->matrix;
  double z[TOUCH_BORDER_MOST];
  if (!border_unknowns(border, z)) return false;
  memcpy(m->x, border->x, (size_t)m->unknowns * sizeof *m->x);
  for (int k = 0; k < border->count; k++) dense_add(m->unknowns, -z[k], border->column[k], m->x);
  for (int i = 0; i < m->touches->count; i++)
    p[i] = pushed(m, m->x, i), r[i] = rubbed(border, m->x, i);
  for (int k = 0; k < border->count; k++) {
    const TouchEdge *edge = &border->edge[k];
    p[edge->contact] += z[k] * edge->push, r[edge->contact] += z[k] * edge->rub;
  }
  // what a border makes to nothing is nothing, without rounding
  for (int k = 0; k < border->count; k++) {
    int i = border->edge[k].contact;
    if (border->now[i] == TOUCH_OPEN) p[i] = r[i] = 0;
    if (border->now[i] != TOUCH_RESTS)
      r[i] = touch_share(border->now[i], m->touches->at[i].mu) * p[i];
  }
  return true;
}

bool touch_border_solve(TouchBorder *border, const TouchState *state, bool afresh, double *p,
                        double *r) {
  bool fits = border->is_factored && !afresh;
  for (int i = 0; fits && i < border->matrix->touches->count; i++)
    if (state[i] != border->now[i]) fits = change(border, i, state[i]);
  if (fits && solve(border, p, r)) return true;
  return factor(border, state) && solve(border, p, r);
}
