// What presses joints with the friction that comes from it.
#include "solve/algebra/presses.h"

#include <math.h>
#include <string.h>

#include "base/power.h"
#include "solve/algebra/linear.h"

enum { NEWTON_STEPS = 16, PLAIN_STEPS = 200, PATIENCE = 2, MOST_PATIENCE = 7 };
static const double ROUNDING = 1e-14, STEP = 1e-7;
// Loads that have grown by this much grow without end.
static const double BEYOND = 1e12;

typedef struct Search {
  int n;
  PressLaw *law;
  void *user;
  double *z, *G, *off, *step;
  double heaviest, first; // of the first try
  int tries;
  Linear slope;
} Search;

// G at z, which is found where it is z to rounding. Small blows to fast parts are known to no more
// than the rounding of their speeds: it counts the less the longer it stays.
static bool is_solved(Search *s, bool *is_found) {
  double most = 0;
  if (!s->law(s->user, s->z, s->G)) return false;
  s->heaviest = 0;
  for (int i = 0; i < s->n; i++) {
    s->off[i] = s->z[i] - s->G[i];
    s->heaviest = fmax(s->heaviest, fmax(s->z[i], s->G[i]));
    most = fmax(most, fabs(s->off[i]));
  }
  double rounding = ROUNDING * power_of_ten((int)fmin(s->tries++ / PATIENCE, MOST_PATIENCE));
  *is_found = most <= rounding * s->heaviest;
  if (s->tries == 1) s->first = s->heaviest;
  return s->heaviest <= BEYOND * s->first;
}

// dz of Newton's method, the slope of z - G(z) by differences.
static bool find_step(Search *s) {
  int n = s->n;
  double by = STEP * s->heaviest;
  for (int j = 0; j < n; j++) {
    double kept = s->z[j];
    s->z[j] += by;
    bool good = s->law(s->user, s->z, s->G);
    for (int i = 0; i < n; i++) s->slope.A[i * n + j] = (s->z[i] - s->G[i] - s->off[i]) / by;
    s->z[j] = kept;
    if (!good) return false;
  }
  if (linear_factor(&s->slope) != QDOT_OK) return false;
  memcpy(s->step, s->off, (size_t)n * sizeof *s->step);
  linear_solve(&s->slope, s->step);
  return true;
}

static bool follow_tangents(Search *s) {
  bool is_found = false;
  for (int k = 0; k < NEWTON_STEPS; k++) {
    if (!is_solved(s, &is_found)) return false;
    if (is_found) return true;
    if (!find_step(s)) return false;
    for (int i = 0; i < s->n; i++) s->z[i] = fmax(s->z[i] - s->step[i], 0);
  }
  return false;
}

// Where friction grows by more than it takes it grows until it holds.
static bool grow(Search *s, double factor) {
  bool is_found = false, grows = true;
  for (int k = 0; k < PLAIN_STEPS && grows; k++) {
    if (!is_solved(s, &is_found)) return false;
    if (is_found) return true;
    grows = factor == 1;
    for (int i = 0; i < s->n; i++) {
      grows |= s->off[i] < 0;
      s->z[i] = s->off[i] < 0 ? factor * s->G[i] : s->G[i];
    }
  }
  return false;
}

bool presses_settle(Arena *scratch, int n, PressLaw *law, void *user, double *z) {
  Mark mark = arena_mark(scratch);
  Search s = {.n = n, .law = law, .user = user, .z = z};
  double **vectors[] = {&s.G, &s.off, &s.step};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = arena_array(scratch, double, n);
  linear_open(&s.slope, scratch, n);
  bool found = follow_tangents(&s) || grow(&s, 2) || follow_tangents(&s) || grow(&s, 1);
  arena_release(scratch, mark);
  return found;
}
