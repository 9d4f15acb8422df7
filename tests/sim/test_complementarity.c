// One-sided contacts: against every choice of a set that carries, one after the other.
#include "sim/contact/complementarity.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "support/check.h"

enum { MOST = 7 };

typedef struct Contact {
  int n;
  double A[MOST * MOST], b[MOST];
} Contact;

// A = J J^T of rank at most `rank`, b = J v: what contacts of a mechanism make of velocities, so
// that a solution exists. Units differ by powers of ten.
static Contact random_contact(Random *random, int n, int rank) {
  Contact c = {.n = n};
  double J[MOST * MOST], v[MOST];
  for (int j = 0; j < rank; j++) v[j] = random_real(random, -1, 1);
  for (int i = 0; i < n; i++) {
    double unit = pow(10, random_below(random, 7) - 3);
    for (int j = 0; j < rank; j++) J[i * rank + j] = unit * random_real(random, -1, 1);
  }
  dense_gram(n, rank, J, c.A);
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++) c.A[i * n + j] = c.A[j * n + i];
  dense_multiply(n, rank, J, v, c.b);
  return c;
}

// How far p is from a solution, in the units that the diagonal of A gives.
static double violation(const Contact *c, const double *p) {
  double worst = 0;
  for (int i = 0; i < c->n; i++) {
    double scale = sqrt(c->A[i * c->n + i]), w = c->b[i];
    for (int j = 0; j < c->n; j++) w += c->A[i * c->n + j] * p[j];
    w /= scale;
    worst = fmax(worst, fmax(-w, -p[i] * scale));
    worst = fmax(worst, fmin(w, p[i] * scale));
  }
  return worst;
}

// p of the set, A_ss p_s = -b_s; false where that is singular.
static bool solve_set(const Contact *c, int set, double *p) {
  int index[MOST], pivot[MOST], k = 0;
  double A[MOST * MOST], right[MOST];
  for (int i = 0; i < c->n; i++)
    if (set >> i & 1) index[k++] = i;
  for (int i = 0; i < k; i++) {
    right[i] = -c->b[index[i]];
    for (int j = 0; j < k; j++) A[i * k + j] = c->A[index[i] * c->n + index[j]];
  }
  memset(p, 0, (size_t)c->n * sizeof *p);
  if (k > 0 && !(dense_lu(k, A, pivot) > 0)) return false;
  dense_lu_solve(k, A, pivot, right);
  for (int i = 0; i < k; i++) p[index[i]] = right[i];
  return true;
}

// With full rank there is one solution; the search through all sets finds it.
TEST(agrees_with_a_search_through_all_sets) {
  Random random = random_start("agrees_with_a_search_through_all_sets");
  for (int round = 0; round < test_rounds(3000); round++) {
    int n = 1 + random_below(&random, MOST);
    Contact c = random_contact(&random, n, n);
    double p[MOST], other[MOST], best = INFINITY, found[MOST] = {0};
    complementarity_solve(&cx->scratch, n, c.A, c.b, p);
    assert_true(violation(&c, p) < 1e-9);
    for (int set = 0; set < 1 << n; set++) {
      if (!solve_set(&c, set, other) || !(violation(&c, other) < best)) continue;
      best = violation(&c, other);
      memcpy(found, other, sizeof found);
    }
    // what p does to the velocities is the same; p itself where the set is well conditioned
    for (int i = 0; i < n; i++) {
      double change = 0, scale = sqrt(c.A[i * n + i]);
      for (int j = 0; j < n; j++) change += c.A[i * n + j] * (p[j] - found[j]);
      CHECK_NEAR(change / scale, 0, 1e-7);
    }
  }
}

// More contacts than directions: still a solution, and equal contacts share the load.
TEST(redundant_contacts_share_the_load) {
  Random random = random_start("redundant_contacts_share_the_load");
  for (int round = 0; round < test_rounds(3000); round++) {
    int n = 2 + random_below(&random, MOST - 1), rank = 1 + random_below(&random, n - 1);
    Contact c = random_contact(&random, n, rank);
    double p[MOST];
    complementarity_solve(&cx->scratch, n, c.A, c.b, p);
    assert_true(violation(&c, p) < 1e-8);
  }
  double A[] = {2, 2, 2, 2, 2, 2, 2, 2, 2}, b[] = {-3, -3, -3}, p[3];
  complementarity_solve(&cx->scratch, 3, A, b, p);
  for (int i = 0; i < 3; i++) CHECK_NEAR(p[i], 0.5, 1e-14);
}

// A contact that nothing can move carries nothing.
TEST(contacts_that_cannot_answer) {
  double A[] = {0, 0, 0, 2}, b[] = {-1, -4}, p[2];
  complementarity_solve(&cx->scratch, 2, A, b, p);
  assert_true(p[0] == 0);
  CHECK_NEAR(p[1], 2, 1e-14);
}

RUN_TESTS(cmocka_unit_test(agrees_with_a_search_through_all_sets),
          cmocka_unit_test(redundant_contacts_share_the_load),
          cmocka_unit_test(contacts_that_cannot_answer))
