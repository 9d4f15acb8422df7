// Masses by blocks of coordinates.
#include "solve/blocks.h"

#include <string.h>

#include "solve/algebra/dense.h"

void blocks_open(Blocks *b, Arena *arena, Dynamics *dynamics) {
  const Problem *p = dynamics->problem;
  size_t n = (size_t)p->n, m = (size_t)p->m;
  *b = (Blocks){.dynamics = dynamics, .n = p->n};
  b->of = arena_array(arena, int, n);
  b->place = arena_array(arena, int, n);
  b->first = arena_array(arena, int, n + 1);
  b->member = arena_array(arena, int, n);
  b->is_done = arena_array(arena, bool, n);
  b->factor = arena_array(arena, double *, n);
  b->factors = arena_array(arena, double, n *n);
  b->M = arena_array(arena, double, n *n);
  b->Phi_q = arena_array(arena, double, m *n);
  b->row = arena_array(arena, double, 2 * n + 2 * m);
}

// The coordinates that are tied to i by entries of M, by a walk over them.
static void walk(Blocks *b, int i, int block) {
  int n = b->n, end = b->first[block] + 1;
  b->member[b->first[block]] = i;
  b->of[i] = block;
  for (int k = b->first[block]; k < end; k++)
    for (int j = 0; j < n; j++) {
      if (b->of[j] >= 0 || b->M[(size_t)b->member[k] * (size_t)n + (size_t)j] == 0) continue;
      b->of[j] = block;
      b->member[end++] = j;
    }
  b->first[block + 1] = end;
}

static void find_blocks(Blocks *b) {
  for (int i = 0; i < b->n; i++) b->of[i] = -1;
  b->count = 0;
  b->first[0] = 0;
  for (int i = 0; i < b->n; i++)
    if (b->of[i] < 0) walk(b, i, b->count++);
  for (int c = 0; c < b->count; c++)
    for (int k = b->first[c]; k < b->first[c + 1]; k++) b->place[b->member[k]] = k - b->first[c];
}

static Status factor_masses(Blocks *b) {
  double *at = b->factors;
  find_blocks(b);
  for (int c = 0; c < b->count; c++) {
    int size = b->first[c + 1] - b->first[c];
    const int *member = b->member + b->first[c];
    b->factor[c] = at;
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++)
        at[i * size + j] = b->M[(size_t)member[i] * (size_t)b->n + (size_t)member[j]];
    if (dense_cholesky(size, at, KKT_MASS_PIVOT) >= 0) return QDOT_SINGULAR_MASS;
    at += (size_t)size * (size_t)size;
  }
  return QDOT_OK;
}

Status blocks_factor(Blocks *b, double t, const double *q) {
  const Problem *p = b->dynamics->problem;
  if (b->is_factored && p->constant_mass && p->m == 0) return QDOT_OK;
  Status status = p->geometry(p->user, t, q, b->M, b->Phi_q);
  if (status != QDOT_OK) return status;
  status = p->m > 0 ? kkt_factor(&b->dynamics->kkt, b->M, b->Phi_q, p->m) : factor_masses(b);
  b->is_factored = status == QDOT_OK;
  return status;
}

SparseRow blocks_response(Blocks *b, Arena *arena, const SparseRow *row) {
  int n = b->n, m = b->dynamics->problem->m;
  double *in = b->row, *out = in + n;
  if (m > 0) memset(in, 0, (size_t)(2 * n + m) * sizeof *in);
  sparse_add(row, 1, in);
  if (m > 0) {
    kkt_solve(&b->dynamics->kkt, b->Phi_q, in, out + n, out, out + n + m);
    for (int k = 0; k < row->n; k++) in[row->index[k]] = 0;
    return sparse_row(arena, n, out);
  }
  int count = 0;
  for (int k = 0; k < row->n; k++)
    count += b->first[b->of[row->index[k]] + 1] - b->first[b->of[row->index[k]]];
  SparseRow response = {.index = arena_array(arena, int, count),
                        .value = arena_array(arena, double, count)};
  for (int k = 0; k < row->n; k++) {
    int c = b->of[row->index[k]], size = b->first[c + 1] - b->first[c];
    const int *member = b->member + b->first[c];
    if (b->is_done[c]) continue;
    b->is_done[c] = true;
    double *part = response.value + response.n;
    for (int i = 0; i < size; i++) {
      part[i] = in[member[i]];
      response.index[response.n + i] = member[i];
    }
    dense_lower(size, b->factor[c], part);
    dense_lower_transposed(size, b->factor[c], part);
    response.n += size;
  }
  for (int k = 0; k < row->n; k++) b->is_done[b->of[row->index[k]]] = false, in[row->index[k]] = 0;
  return response;
}

void blocks_add_response(Blocks *b, Arena *arena, const double *force, double *qdd,
                         double *lambda) {
  SparseRow row = sparse_row(arena, b->n, force), response = blocks_response(b, arena, &row);
  int m = b->dynamics->problem->m;
  sparse_add(&response, 1, qdd);
  for (int r = 0; r < m; r++) lambda[r] += b->row[2 * b->n + m + r];
}
