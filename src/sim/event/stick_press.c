// What presses joints that rub, found together with what it holds.
#include "sim/event/stick.h"

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

enum { MOST_TRIES = 150 };

// What joints that rest share changes the forces of others.
static void share_joints(Sticking *s) {
  if (s->open_count == 0) return;
  sticking_share(s, s->mixed + s->machine->n);
  for (int i = 0; i < s->count; i++)
    for (size_t k = 0; s->shared[i] != 0 && k < s->width; k++)
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
  s->count = 0;
  Status status = sticking_mix(s, t, q, qd);
  if (status == QDOT_OK)
    memcpy(z, presses_there(s, t, q, qd), (size_t)s->machine->presses * sizeof *z);
  s->count = count;
  return status;
}

Status sticking_evaluate(Sticking *s, double t, const double *q, const double *qd) {
  Machine *m = s->machine;
  int n = m->presses;
  if (n == 0) return sticking_mix(s, t, q, qd);
  double *z = sticking_presses(m);
  Status status = QDOT_OK;
  if (are_zero(z, n)) status = guess_presses(s, t, q, qd, z);
  press_begin(&s->press);
  for (int i = 0; i < MOST_TRIES && status == QDOT_OK; i++) {
    double least = fmax(LIGHT * s->heaviest, LIGHTEST);
    for (int k = 0; k < n; k++) z[k] = fmax(z[k], least);
    status = sticking_mix(s, t, q, qd);
    if (status != QDOT_OK) break;
    if (i == 0 && is_hopeless(s)) return QDOT_OK; // it will be let go
    share_joints(s);
    const double *G = presses_there(s, t, q, qd);
    if (press_next(&s->press, z, G, least)) return QDOT_OK;
  }
  if (status != QDOT_OK || (s->settles && s->count > 0)) return status; // somebody is let go
  int worst = 0;
  for (int k = 1; k < n; k++)
    if (fabs(s->press.off[k]) > fabs(s->press.off[worst])) worst = k;
  m->jammed = 1 + worst;
  memset(z, 0, (size_t)n * sizeof *z);
  press_forget(&s->press);
  return QDOT_NO_CONVERGENCE;
}

int sticking_find_ambiguity(Sticking *s, double t, const double *q, const double *qd) {
  Machine *m = s->machine;
  int n = m->presses, found = -1;
  double *z = sticking_presses(m);
  if (n == 0 || sticking_evaluate(s, t, q, qd) != QDOT_OK) return -1;
  double heaviest = s->heaviest;
  for (int k = 0; k < n && found < 0; k++) {
    double kept = z[k], far = 1e6 * fmax(heaviest, 1e-9);
    bool sticks = m->press_switch[k] >= 0 && s->sticks[m->press_switch[k]];
    if (sticks || !(kept > 0)) continue;
    // G is convex in each: one solution where it grows by less than z
    z[k] = far;
    if (sticking_mix(s, t, q, qd) == QDOT_OK && presses_there(s, t, q, qd)[k] >= far) found = k;
    z[k] = kept;
  }
  s->heaviest = heaviest;
  return found;
}
