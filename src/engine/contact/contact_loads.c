// Loads of contacts without friction that are more than are needed: a pull of one of them is no
// pull where others can carry its part.
#include <math.h>
#include <string.h>

#include "engine/contact/contact.h"
#include "engine/sharing.h"
#include "solve/algebra/dense.h"

static bool is_contact(const Contacts *c, int row) {
  return machine_place(c->machine, row) >= c->machine->rows;
}

static bool any_pulls(const Contacts *c, int rows, const double *lambda) {
  for (int r = 0; r < rows; r++)
    if (is_contact(c, r) && lambda[r] < 0) return true;
  return false;
}

// Of the multipliers as the saddle point has scaled them, rows x rows: the projector onto those
// that balance each other; false where there are none.
static bool find_projector(Kkt *kkt, Arena *arena, int n, double *P) {
  const Svd *svd = kkt->svd;
  int rows = kkt->rows, rank = 0, most = rows < n ? rows : n;
  if (svd_compute(kkt->svd, rows, kkt->B) != QDOT_OK) return false;
  while (rank < most && svd->sigma[rank] > SHARING_GONE * svd->sigma[0]) rank++;
  int left = rows - rank;
  double *N = arena_array(arena, double, (size_t)left *(size_t)rows);
  dense_complement(rows, svd->k, rank, svd->U, left, N);
  for (int k = 0; k < left; k++)
    for (int i = 0; i < rows; i++)
      dense_add(rows, N[k * rows + i], N + (size_t)k * (size_t)rows, P + (size_t)i * (size_t)rows);
  return left > 0;
}

// y + P mu is the least that pushes, with 0 <= mu complementary to it at every contact: mu is
// added.
static void push(const Contacts *c, Arena *arena, int rows, const double *P, double *y) {
  int *index = arena_array(arena, int, rows), k = 0;
  for (int r = 0; r < rows; r++)
    if (is_contact(c, r)) index[k++] = r;
  double *A = arena_array(arena, double, (size_t)k *(size_t)k);
  double *b = arena_array(arena, double, k), *mu = arena_array(arena, double, k);
  for (int i = 0; i < k; i++) {
    b[i] = y[index[i]];
    for (int j = 0; j < k; j++) A[i * k + j] = P[index[i] * rows + index[j]];
  }
  cone_push(arena, k, A, b, mu);
  for (int i = 0; i < k; i++) dense_add(rows, mu[i], P + (size_t)index[i] * (size_t)rows, y);
}

bool contacts_carry(const Contacts *c, Dynamics *d, double lack, double *lambda) {
  Kkt *kkt = &d->kkt;
  Arena *scratch = &c->machine->cx->scratch;
  int rows = kkt->rows;
  if (!any_pulls(c, rows, lambda)) return false;
  Mark mark = arena_mark(scratch);
  double *P = arena_array(scratch, double, (size_t)rows *(size_t)rows);
  double *y = arena_array(scratch, double, rows), largest = 0;
  for (int r = 0; r < rows; r++) {
    y[r] = lambda[r] * kkt->scale[r];
    if (is_contact(c, r)) largest = fmax(largest, fabs(y[r]));
  }
  bool holds = find_projector(kkt, scratch, c->machine->n, P);
  if (holds) push(c, scratch, rows, P, y);
  for (int r = 0; r < rows; r++) {
    if (is_contact(c, r)) holds &= y[r] >= -lack * largest, y[r] = fmax(y[r], 0);
    if (kkt->scale[r] > 0) y[r] /= kkt->scale[r];
  }
  if (holds) memcpy(lambda, y, (size_t)rows * sizeof *y);
  arena_release(scratch, mark);
  return holds;
}
