// What presses joints that rub, found together with what it holds.
#include "engine/event/stick.h"

#include <math.h>
#include <string.h>

// Puts the shares of the last evaluation in place.
static void put_shares(Sticking *s) {
  Machine *m = s->machine;
  for (int i = 0; i < s->count; i++) {
    const StickMode *mode = &s->mode[i];
    if (mode->is_rub)
      machine_put_friction(m, mode->number, m->slips[mode->number].force);
    else if (mode->is_slide)
      machine_rest_slide(m, mode->number, s->rest[mode->number].along);
    else
      s->trial[mode->number] = s->share[mode->number];
  }
  machine_try_sides(m, s->trial);
}

// Nothing sticks without anything that presses: a share of the largest, or this much.
static const double LIGHT = 1e-15, LIGHTEST = 1e-100;

// What presses, by the accelerations and forces of the last evaluation.
static const double *presses_there(Sticking *s, double t, const double *q, const double *qd) {
  Machine *m = s->machine;
  put_shares(s);
  machine_give(m, s->mixed, s->mixed + m->n);
  const double *G = machine_run_presses(m, t, q, qd).values;
  s->heaviest = LIGHTEST / LIGHT;
  for (int i = 0; i < m->presses; i++) s->heaviest = fmax(s->heaviest, G[i]);
  return G;
}

static bool are_zero(const double *z, int n) {
  for (int i = 0; i < n; i++)
    if (z[i] != 0) return false;
  return true;
}

static bool are_finite(const double *z, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(z[i])) return false;
  return true;
}

enum { MOST_TRIES = 40, MOST_NEWTON_STEPS = 30 };

// What joints that rest share changes the forces of others.
static void share_joints(Sticking *s) {
  if (s->open_count == 0) return;
  size_t n = (size_t)s->machine->n, rows = (size_t)s->sides.m;
  sticking_share(s, s->mixed + n);
  for (int i = 0; i < s->count; i++)
    for (size_t k = 0; s->shared[i] != 0 && k < s->width; k++)
      if (k < n || k >= n + rows)
        s->mixed[k] += s->shared[i] * s->mixed[(size_t)(i + 1) * s->width + k];
}

// Friction that would have to be out of all proportion does not hold, whatever presses: as where a
// slide turns round while its crank goes on.
static bool is_hopeless(const Sticking *s) {
  for (int i = 0; i < s->count; i++) {
    const StickMode *mode = &s->mode[i];
    bool rubs = mode_is_switch(mode) && s->is_press[mode->number];
    if (rubs && !(fabs(sticking_use(s, mode->number)) < 1e3)) return true;
  }
  return false;
}

// Without friction, to begin with.
static Status guess_presses(Sticking *s, double t, const double *q, const double *qd, double *z) {
  int count = s->count;
  memset(z, 0, (size_t)s->machine->presses * sizeof *z);
  sticking_put_all(s);
  s->count = 0;
  Status status = sticking_mix(s, t, q, qd);
  if (status == QDOT_OK)
    memcpy(z, presses_there(s, t, q, qd), (size_t)s->machine->presses * sizeof *z);
  s->count = count;
  return status;
}

// G at z, with the mixture in place.
static Status press_with(Sticking *s, double t, const double *q, const double *qd,
                         const double **G) {
  Status status = sticking_mix(s, t, q, qd);
  if (status != QDOT_OK) return status;
  share_joints(s);
  *G = presses_there(s, t, q, qd);
  return QDOT_OK;
}

static bool press_sticks(const Sticking *s, int k) {
  int i = s->machine->plan->presses[k].guard;
  return i >= 0 && s->sticks[i];
}

static double least_press(const Sticking *s) { return fmax(LIGHT * s->heaviest, LIGHTEST); }

// The slope of z - G(z), by differences: its columns, one try each.
static Status press_slope(Sticking *s, double t, const double *q, const double *qd, double *z,
                          const double *off, Linear *slope) {
  int n = s->machine->presses;
  double by = 1e-7 * s->heaviest;
  for (int j = 0; j < n; j++) {
    double kept = z[j];
    const double *G;
    z[j] += by;
    Status status = press_with(s, t, q, qd, &G);
    for (int i = 0; status == QDOT_OK && i < n; i++)
      slope->A[i * n + j] = (z[i] - G[i] - off[i]) / by;
    z[j] = kept;
    if (status != QDOT_OK) return status;
  }
  return linear_factor(slope);
}

// Newton's method from no friction on: G is convex, and so its tangents lead from below to the
// smallest solution, if there is one.
static Status follow_tangents(Sticking *s, double t, const double *q, const double *qd, double *z,
                              bool *found) {
  int n = s->machine->presses;
  Arena *scratch = &s->machine->cx->scratch;
  Linear slope;
  linear_open(&slope, scratch, n);
  double *off = arena_array(scratch, double, n), *step = arena_array(scratch, double, n);
  Status status = guess_presses(s, t, q, qd, z);
  for (int k = 0; k < n; k++) // what presses a joint that sticks only measures its share
    z[k] = press_sticks(s, k) ? fmax(z[k], 1e-3 * s->heaviest) : least_press(s);
  for (int i = 0; i < MOST_NEWTON_STEPS && status == QDOT_OK; i++) {
    const double *G;
    status = press_with(s, t, q, qd, &G);
    if (status != QDOT_OK) return status;
    *found = press_is_found(&s->press, z, G, least_press(s));
    if (*found) return QDOT_OK;
    for (int k = 0; k < n; k++) step[k] = off[k] = z[k] - G[k];
    status = press_slope(s, t, q, qd, z, off, &slope);
    if (status == QDOT_OK) linear_solve(&slope, step);
    for (int k = 0; k < n; k++) z[k] = fmax(z[k] - step[k], least_press(s));
  }
  return status;
}

// As far as the last search went; found: what presses fits.
static Status search_presses(Sticking *s, double t, const double *q, const double *qd, double *z,
                             bool *found) {
  int n = s->machine->presses;
  Status status = are_zero(z, n) ? guess_presses(s, t, q, qd, z) : QDOT_OK;
  press_begin(&s->press);
  for (int i = 0; i < MOST_TRIES && status == QDOT_OK && !*found; i++) {
    double least = least_press(s);
    const double *G;
    for (int k = 0; k < n; k++) z[k] = fmax(z[k], least);
    status = press_with(s, t, q, qd, &G);
    if (status != QDOT_OK) return status;
    // what pressed before is nothing beside the forces of now
    if (i == 0 && !(are_finite(G, n) && are_finite(s->mixed, s->machine->n))) {
      status = guess_presses(s, t, q, qd, z);
      continue;
    }
    if (i == 0 && s->settles && is_hopeless(s)) return QDOT_OK; // it will be let go
    *found = press_next(&s->press, z, G, least);
  }
  if (status != QDOT_OK || *found) return status;
  Mark mark = arena_mark(&s->machine->cx->scratch);
  press_forget(&s->press);
  status = follow_tangents(s, t, q, qd, z, found);
  arena_release(&s->machine->cx->scratch, mark);
  return status == QDOT_UNDEFINED ? QDOT_OK : status; // friction without bound: nothing is found
}

Status sticking_evaluate(Sticking *s, double t, const double *q, const double *qd) {
  Machine *m = s->machine;
  int n = m->presses;
  s->is_unsure = false;
  if (n == 0) return sticking_mix(s, t, q, qd);
  double *z = sticking_presses(m);
  bool found = false;
  Status status = search_presses(s, t, q, qd, z, &found);
  s->is_unsure = !found;
  if (status != QDOT_OK || found || (s->settles && s->count > 0)) return status;
  int worst = 0;
  for (int k = 1; k < n; k++)
    if (fabs(s->press.off[k]) > fabs(s->press.off[worst])) worst = k;
  m->jammed = 1 + worst;
  memset(z, 0, (size_t)n * sizeof *z);
  press_forget(&s->press);
  return QDOT_NO_CONVERGENCE;
}

void sticking_put_aside(Sticking *s) { press_put_aside(&s->press, sticking_presses(s->machine)); }

void sticking_take_back(Sticking *s) { press_take_back(&s->press, sticking_presses(s->machine)); }

int sticking_find_ambiguity(Sticking *s, double t, const double *q, const double *qd) {
  Machine *m = s->machine;
  int n = m->presses, found = -1;
  double *z = sticking_presses(m);
  if (n == 0 || sticking_evaluate(s, t, q, qd) != QDOT_OK) return -1;
  double heaviest = s->heaviest;
  for (int k = 0; k < n && found < 0; k++) {
    double kept = z[k], far = 1e6 * fmax(heaviest, 1e-9);
    if (press_sticks(s, k) || !(kept > 0)) continue;
    // G is convex in each: one solution where it grows by less than z
    z[k] = far;
    if (sticking_mix(s, t, q, qd) == QDOT_OK && presses_there(s, t, q, qd)[k] >= far) found = k;
    z[k] = kept;
  }
  s->heaviest = heaviest;
  return found;
}

int sticking_find_unpressed(Sticking *s, double t, const double *q, const double *qd) {
  const Machine *m = s->machine;
  if (m->presses == 0 || sticking_evaluate(s, t, q, qd) != QDOT_OK) return -1;
  const double *z = sticking_presses(s->machine);
  for (int k = 0; k < m->presses; k++)
    if (m->plan->presses[k].is_wheel && !(z[k] > least_press(s))) return k;
  return -1;
}
