// The saddle point of constrained motion: full factor, revealed rank, cut directions.
#include "solve/algebra/kkt.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"

static const double TRUSTED = KKT_TRUSTED, CUT = KKT_CUT_BELOW, GAP = KKT_CUT_BEHIND,
                    MASS_PIVOT = KKT_MASS_PIVOT;
// What is left over below is a redundancy and not a nearly dead position.
static const double GONE = 1e-13;

void kkt_open(Kkt *kkt, Arena *arena, int n, int m, bool constant_mass) {
  *kkt = (Kkt){.n = n, .m = m, .constant_mass = constant_mass};
  kkt->L = arena_array(arena, double, (size_t)n *n);
  kkt->M = constant_mass ? arena_array(arena, double, (size_t)n *n) : NULL;
  kkt->B = arena_array(arena, double, (size_t)m *n);
  kkt->gram = arena_array(arena, double, (size_t)m *m);
  kkt->gap = arena_array(arena, double, (size_t)m *m);
  kkt->core = arena_array(arena, double, (size_t)m *m);
  kkt->scale = arena_array(arena, double, m);
  kkt->weight = arena_array(arena, double, m);
  kkt->c = arena_array(arena, double, m);
  kkt->reaction = arena_array(arena, double, m);
  kkt->product = arena_array(arena, double, m);
  kkt->z = arena_array(arena, double, n);
  kkt->kept = arena_array(arena, double, (size_t)m *n);
  kkt->ratio = arena_array(arena, double, m);
  kkt->unit = arena_array(arena, double, n);
  for (int j = 0; j < n; j++) kkt->unit[j] = 1;
  if (m > 0) kkt->svd = svd_new(arena, m, n);
}

static bool lower_is_finite(int n, const double *A) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) sum += A[(size_t)i * n + j] * 0;
  return sum == 0;
}

// W makes every row weigh like the masses that it moves, whatever the units: w_i = 1 / sum of
// phi_ij^2 / M_jj; where it moves none, like the mean of all.
static void choose_weights(Kkt *kkt, const double *M, const double *Phi_q) {
  double mass = 0;
  for (int i = 0; i < kkt->n; i++) mass += M[(size_t)i * kkt->n + i] / kkt->n;
  if (!(mass > 0)) mass = 1;
  for (int i = 0; i < kkt->rows; i++) {
    const double *row = Phi_q + (size_t)i * kkt->n;
    double square = dense_dot(kkt->n, row, row), inverse = 0;
    for (int j = 0; j < kkt->n; j++) {
      double mass_j = M[(size_t)j * kkt->n + j];
      if (row[j] != 0 && mass_j > 0) inverse += row[j] * row[j] / mass_j;
    }
    kkt->weight[i] = inverse > 0 ? 1 / inverse : square > 0 ? mass / square : 0;
  }
}

static void augment(Kkt *kkt, const double *M, const double *Phi_q) {
  int n = kkt->n;
  memcpy(kkt->L, M, (size_t)n * n * sizeof *M);
  choose_weights(kkt, M, Phi_q);
  for (int r = 0; r < kkt->rows; r++) {
    const double *row = Phi_q + (size_t)r * n;
    for (int i = 0; i < n; i++)
      if (row[i] != 0) dense_add(i + 1, kkt->weight[r] * row[i], row, kkt->L + (size_t)i * n);
  }
  kkt->augmented = true;
}

static Status factor_mass(Kkt *kkt, const double *M, const double *Phi_q) {
  int n = kkt->n;
  size_t size = (size_t)n * n * sizeof *M;
  bool may_stay = kkt->constant_mass && kkt->mass_factored && !kkt->augmented;
  if (may_stay && memcmp(kkt->M, M, size) == 0) return QDOT_OK;
  if (kkt->M) memcpy(kkt->M, M, size);
  memcpy(kkt->L, M, size);
  kkt->augmented = false;
  kkt->mass_factored = true;
  if (dense_cholesky(n, kkt->L, MASS_PIVOT) < 0) return QDOT_OK;
  if (!lower_is_finite(n, M)) return QDOT_UNDEFINED;
  if (kkt->rows == 0) return QDOT_SINGULAR_MASS;
  augment(kkt, M, Phi_q);
  return dense_cholesky(n, kkt->L, MASS_PIVOT) < 0 ? QDOT_OK : QDOT_SINGULAR_MASS;
}

// Divides each row of B by the largest norm the row has had in this run.
static Status scale_rows(Kkt *kkt) {
  for (int i = 0; i < kkt->rows; i++) {
    double *row = kkt->B + (size_t)i * kkt->n;
    double size = dense_norm(kkt->n, row);
    if (!isfinite(size)) return QDOT_UNDEFINED;
    if (size > kkt->scale[i]) kkt->scale[i] = size;
    double inverse = kkt->scale[i] > 0 ? 1 / kkt->scale[i] : 0;
    for (int j = 0; j < kkt->n; j++) row[j] *= inverse;
  }
  return QDOT_OK;
}

// The plain Cholesky factor, below the diagonal; false as soon as a pivot is not to be trusted.
// B B^T itself stays above.
static bool factor_full(Kkt *kkt) {
  int m = kkt->rows;
  dense_gram(m, kkt->n, kkt->B, kkt->gram);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < i; j++) kkt->gram[(size_t)j * m + i] = kkt->gram[(size_t)i * m + j];
  kkt->worst_pivot = 1;
  for (int i = 0; i < m; i++) {
    double *row = kkt->gram + (size_t)i * m;
    for (int j = 0; j < i; j++) {
      const double *above = kkt->gram + (size_t)j * m;
      row[j] = (row[j] - dense_dot(j, row, above)) / above[j];
    }
    double pivot = row[i] - dense_dot(i, row, row);
    if (pivot < kkt->worst_pivot) kkt->worst_pivot = pivot;
    if (!(pivot > TRUSTED)) return false;
    row[i] = sqrt(pivot);
  }
  return true;
}

// One column of the pivoted factor B B^T = C C^T, taken at row `best`; `left` are the diagonals.
static void gap_column(Kkt *kkt, int best, double *left) {
  int m = kkt->rows, r = kkt->rank;
  double pivot = sqrt(left[best]);
  double *chosen = kkt->gap + (size_t)best * m;
  for (int i = 0; i < m; i++) {
    double *row = kkt->gap + (size_t)i * m;
    if (i == best) continue;
    double entry = kkt->gram[i < best ? (size_t)i * m + best : (size_t)best * m + i];
    row[r] = (entry - dense_dot(r, row, chosen)) / pivot;
  }
  chosen[r] = pivot;
  for (int i = 0; i < m; i++) {
    double c = kkt->gap[(size_t)i * m + r];
    left[i] = i == best || left[i] < 0 ? -1 : left[i] - c * c;
  }
  kkt->rank++;
}

// A clear gap between pivots to trust and nothing: the usual redundant constraint. Then
// (B B^T)^+ = C (C^T C)^-2 C^T with C of full column rank.
static bool factor_gap(Kkt *kkt) {
  int m = kkt->rows;
  double *left = kkt->product;
  for (int i = 0; i < m; i++)
    left[i] = dense_dot(kkt->n, kkt->B + (size_t)i * kkt->n, kkt->B + (size_t)i * kkt->n);
  for (kkt->rank = 0; kkt->rank < m;) {
    int best = 0;
    for (int i = 1; i < m; i++)
      if (left[i] > left[best]) best = i;
    if (left[best] <= GONE) break;
    if (left[best] <= TRUSTED) return false;
    kkt->worst_pivot = left[best]; // they fall
    gap_column(kkt, best, left);
  }
  int r = kkt->rank;
  for (int i = 0; i < r; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = 0; k < m; k++) sum += kkt->gap[(size_t)k * m + i] * kkt->gap[(size_t)k * m + j];
      kkt->core[(size_t)i * r + j] = sum;
    }
  return dense_cholesky(r, kkt->core, 0) < 0;
}

// Rows of Phi_q in units of the coordinates, of length 1 times what they have shrunk to since they
// were largest.
static void rows_in_units(Kkt *kkt, const double *Phi_q) {
  int n = kkt->n;
  for (int i = 0; i < kkt->rows; i++) {
    double *row = kkt->kept + (size_t)i * n, left = dense_norm(n, kkt->B + (size_t)i * n);
    for (int j = 0; j < n; j++) row[j] = Phi_q[(size_t)i * n + j] * kkt->unit[j];
    double size = dense_norm(n, row), factor = size > 0 ? left / size : 0;
    for (int j = 0; j < n; j++) row[j] *= factor;
    kkt->ratio[i] = factor * kkt->scale[i];
  }
}

static int rank_of(const Svd *svd) {
  int rank = 0;
  for (; rank < svd->k; rank++) {
    double before = rank > 0 ? svd->sigma[rank - 1] : INFINITY, here = svd->sigma[rank];
    if (!(here > CUT * svd->sigma[0] || here > GAP * before)) break;
  }
  return svd->sigma[0] > 0 ? rank : 0;
}

// Orthonormal rows of the combinations of B that are kept; core is the lower triangle that makes
// the combinations of them.
static void orthogonalize(Kkt *kkt) {
  int n = kkt->n, m = kkt->rows, r = kkt->rank;
  const Svd *svd = kkt->svd;
  for (int k = 0; k < r; k++) {
    double *row = kkt->kept + (size_t)k * n, *along = kkt->core + (size_t)k * r;
    memset(row, 0, (size_t)n * sizeof *row);
    memset(along, 0, (size_t)r * sizeof *along);
    for (int i = 0; i < m; i++)
      dense_add(n, svd->U[(size_t)i * svd->k + k] * kkt->ratio[i], kkt->B + (size_t)i * n, row);
    // twice: the second pass takes away what rounding left
    for (int pass = 0; pass < 2; pass++)
      for (int j = 0; j < k; j++) {
        const double *other = kkt->kept + (size_t)j * n;
        double part = dense_dot(n, row, other);
        along[j] += part;
        dense_add(n, -part, other, row);
      }
    along[k] = dense_norm(n, row);
    for (int j = 0; j < n && along[k] > 0; j++) row[j] /= along[k];
  }
}

// How many directions are cut is a matter of geometry, which of them one of the masses: a light
// point must not be let go where heavy ones pass a dead position.
static Status factor_cut(Kkt *kkt, const double *Phi_q) {
  rows_in_units(kkt, Phi_q);
  Status status = svd_compute(kkt->svd, kkt->rows, kkt->kept);
  if (status != QDOT_OK) return status;
  kkt->rank = rank_of(kkt->svd);
  if (kkt->rank < kkt->rows) {
    memcpy(kkt->kept, kkt->B, (size_t)kkt->rows * kkt->n * sizeof *kkt->B);
    status = svd_compute(kkt->svd, kkt->rows, kkt->kept);
    for (int i = 0; i < kkt->rows; i++) kkt->ratio[i] = 1;
    if (status != QDOT_OK) return status;
  }
  orthogonalize(kkt);
  return QDOT_OK;
}

Status kkt_factor(Kkt *kkt, const double *M, const double *Phi_q, int rows) {
  kkt->rows = rows;
  Status status = factor_mass(kkt, M, Phi_q);
  if (status != QDOT_OK) return status;
  memcpy(kkt->B, Phi_q, (size_t)rows * kkt->n * sizeof *Phi_q);
  dense_lower_rows(kkt->n, kkt->L, rows, kkt->B);
  status = scale_rows(kkt);
  if (status != QDOT_OK) return status;
  kkt->mode = KKT_FULL;
  kkt->rank = rows;
  if (factor_full(kkt)) return QDOT_OK;
  kkt->mode = KKT_GAP;
  if (factor_gap(kkt)) return QDOT_OK;
  kkt->mode = KKT_CUT;
  return factor_cut(kkt, Phi_q);
}

static void gap_solve(Kkt *kkt, double *c) {
  int m = kkt->rows, r = kkt->rank;
  double *reduced = kkt->product;
  for (int j = 0; j < r; j++) {
    reduced[j] = 0;
    for (int i = 0; i < m; i++) reduced[j] += kkt->gap[(size_t)i * m + j] * c[i];
  }
  for (int twice = 0; twice < 2; twice++) {
    dense_lower(r, kkt->core, reduced);
    dense_lower_transposed(r, kkt->core, reduced);
  }
  for (int i = 0; i < m; i++) c[i] = dense_dot(r, kkt->gap + (size_t)i * m, reduced);
}

// c := (B B^T)^+ c
static void gram_solve(Kkt *kkt, double *c) {
  if (kkt->mode == KKT_FULL) {
    dense_lower(kkt->rows, kkt->gram, c);
    dense_lower_transposed(kkt->rows, kkt->gram, c);
  } else {
    gap_solve(kkt, c);
  }
}

// Adds to z what the kept combinations ask for, and to y the multipliers that make it.
static void cut_solve(Kkt *kkt, const double *c, double *y, double *z) {
  const Svd *svd = kkt->svd;
  int m = kkt->rows, r = kkt->rank;
  double *along = kkt->product;
  for (int j = 0; j < r; j++) {
    along[j] = 0;
    for (int i = 0; i < m; i++) along[j] += svd->U[(size_t)i * svd->k + j] * kkt->ratio[i] * c[i];
  }
  dense_lower(r, kkt->core, along);
  dense_add_transposed(r, kkt->n, 1, kkt->kept, along, z);
  dense_lower_transposed(r, kkt->core, along);
  for (int i = 0; i < m; i++)
    y[i] += kkt->ratio[i] * dense_dot(r, svd->U + (size_t)i * svd->k, along);
}

static void cut_least_norm(Kkt *kkt) {
  int m = kkt->rows, n = kkt->n;
  memset(kkt->reaction, 0, (size_t)m * sizeof *kkt->reaction);
  memset(kkt->z, 0, (size_t)n * sizeof *kkt->z);
  for (int twice = 0; twice < 2; twice++) {
    cut_solve(kkt, kkt->c, kkt->reaction, kkt->z);
    if (twice == 0)
      for (int i = 0; i < m; i++) kkt->c[i] -= dense_dot(n, kkt->B + (size_t)i * n, kkt->z);
  }
}

// z = B^T y with B z = c in the least-squares sense; y in kkt->reaction, z in kkt->z. One round of
// refinement pays for the squared condition of B B^T.
static void least_norm(Kkt *kkt) {
  int m = kkt->rows, n = kkt->n;
  if (kkt->mode == KKT_CUT) {
    cut_least_norm(kkt);
    return;
  }
  memcpy(kkt->reaction, kkt->c, (size_t)m * sizeof *kkt->c);
  gram_solve(kkt, kkt->reaction);
  memset(kkt->z, 0, (size_t)n * sizeof *kkt->z);
  dense_add_transposed(m, n, 1, kkt->B, kkt->reaction, kkt->z);
  if (kkt->mode == KKT_FULL && kkt->worst_pivot > 0.01) return;
  for (int i = 0; i < m; i++) kkt->c[i] -= dense_dot(n, kkt->B + (size_t)i * n, kkt->z);
  gram_solve(kkt, kkt->c);
  dense_add_transposed(m, n, 1, kkt->B, kkt->c, kkt->z);
  dense_add(m, 1, kkt->c, kkt->reaction);
}

static double over_scale(const Kkt *kkt, int i, double value) {
  return kkt->scale[i] > 0 ? value / kkt->scale[i] : 0;
}

void kkt_solve(Kkt *kkt, const double *Phi_q, const double *f, const double *gamma, double *qdd,
               double *lambda) {
  int n = kkt->n, m = kkt->rows;
  memcpy(qdd, f, (size_t)n * sizeof *f);
  if (kkt->augmented)
    for (int i = 0; i < m; i++) dense_add(n, kkt->weight[i] * gamma[i], Phi_q + (size_t)i * n, qdd);
  dense_lower(n, kkt->L, qdd);
  // qdd holds L^-1 f; the constraints ask for a change of it along the rows of B
  for (int i = 0; i < m; i++)
    kkt->c[i] = over_scale(kkt, i, gamma[i]) - dense_dot(n, kkt->B + (size_t)i * n, qdd);
  if (m > 0) {
    least_norm(kkt);
    dense_add(n, 1, kkt->z, qdd);
  }
  for (int i = 0; i < m; i++) lambda[i] = over_scale(kkt, i, -kkt->reaction[i]);
  dense_lower_transposed(n, kkt->L, qdd);
}

double kkt_correction(Kkt *kkt, const double *c, double *dq) {
  for (int i = 0; i < kkt->rows; i++) kkt->c[i] = over_scale(kkt, i, c[i]);
  least_norm(kkt);
  memcpy(dq, kkt->z, (size_t)kkt->n * sizeof *dq);
  double size = dense_norm(kkt->n, dq);
  dense_lower_transposed(kkt->n, kkt->L, dq);
  return size;
}
