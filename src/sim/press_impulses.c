// Joints that rub in an impact.
#include "sim/press_impulses.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/linear.h"

// So short is an impact: beside impulses that last no longer, forces are less than rounding.
static const double DURATION = 0x1p-200;

void press_impulses_open(PressImpulses *p, Arena *arena, Machine *m) {
  *p = (PressImpulses){.machine = m, .count = m->presses};
  if (m->presses == 0) return;
  const Equations *e = m->set->equations;
  size_t count = (size_t)m->presses, n = (size_t)m->n;
  double **by_joint[] = {&p->grip, &p->v, &p->way};
  for (size_t i = 0; i < sizeof by_joint / sizeof *by_joint; i++)
    *by_joint[i] = arena_array(arena, double, count);
  p->v_q = arena_array(arena, double, count *n);
  p->guard = arena_array(arena, double, e->switch_count);
  p->sides = arena_array(arena, double, 2 * (size_t)e->switch_count);
  p->beside = arena_array(arena, double, n + (size_t)m->states);
  p->kept = arena_array(arena, double, e->layout.u - e->layout.qdd);
  press_impulses_renew(p);
}

void press_impulses_renew(PressImpulses *p) {
  const Machine *m = p->machine;
  p->rubs = false;
  for (int i = 0; i < p->count; i++) {
    bool can = m->press_switch[i] >= 0;
    p->grip[i] = can ? machine_value(m, m->system->model->presses.at[i].grip) : 0;
    p->rubs |= p->grip[i] > 0;
  }
}

// A switch may watch -v, or a multiple of v: a change of velocities tells.
static void find_ways(PressImpulses *p, double t, const double *q, const double *qd) {
  Machine *m = p->machine;
  size_t n = (size_t)m->n, switches = m->set->equations->switch_count;
  machine_need(m, PART_SWITCHES);
  memcpy(p->guard, machine_run_switches(m, t, q, qd).guards, switches * sizeof *p->guard);
  for (int i = 0; i < p->count; i++) {
    const double *v_q = p->v_q + (size_t)i * n;
    if (!(p->grip[i] > 0)) continue;
    memcpy(p->beside, qd, (n + (size_t)m->states) * sizeof *qd);
    for (size_t j = 0; j < n; j++) p->beside[j] += v_q[j];
    double beside = machine_run_switches(m, t, q, p->beside).guards[m->press_switch[i]];
    p->way[i] = beside < p->guard[m->press_switch[i]] ? -1 : 1;
  }
}

void press_impulses_read(PressImpulses *p, double t, const double *q, const double *qd) {
  Machine *m = p->machine;
  size_t count = (size_t)p->count;
  if (!p->rubs) return;
  machine_need(m, PART_RUBS);
  RubsBlocks at = machine_run_rubs(m, t, q, qd);
  memcpy(p->v, at.v, count * sizeof *at.v);
  memcpy(p->v_q, at.v_q, count * (size_t)m->n * sizeof *at.v_q);
  find_ways(p, t, q, qd);
}

static void put(double *to, const double *impulse, int count) {
  for (int i = 0; i < count; i++) to[i] = impulse ? impulse[i] / DURATION : 0;
}

const double *press_impulses_find(PressImpulses *p, double t, const double *q, const double *qd,
                                  const Impulses *by) {
  Machine *m = p->machine;
  machine_need(m, PART_PRESSES);
  const Equations *e = m->set->equations;
  const InputLayout *at = &e->layout;
  size_t inputs = at->u - at->qdd, switches = e->switch_count;
  double *now = p->sides, *tried = p->sides + switches;
  memcpy(p->kept, m->in + at->qdd, inputs * sizeof *m->in);
  memcpy(now, m->in + at->sides, switches * sizeof *m->in);
  memcpy(tried, now, switches * sizeof *now);
  put(m->in + at->qdd, by->dv, m->n);
  put(m->in + at->lambda, by->lambda, m->rows + m->contacts);
  put(m->in + at->friction, by->friction, m->slip_count);
  for (int i = 0; i < p->count; i++) {
    double share = p->grip[i] > 0 ? -p->way[i] * by->joints[i] / p->grip[i] : 0;
    m->in[at->presses + (uint32_t)i] = share / DURATION;
    if (m->press_switch[i] >= 0) tried[m->press_switch[i]] = 1;
  }
  machine_try_sides(m, tried);
  const double *P = machine_run_presses(m, t, q, qd).values;
  double *out = m->set->out[PART_PRESSES];
  for (int i = 0; i < p->count; i++) out[i] *= DURATION;
  memcpy(m->in + at->qdd, p->kept, inputs * sizeof *m->in);
  machine_try_sides(m, now);
  return P;
}

// ---- What presses with the friction that comes from it

enum { NEWTON_STEPS = 16, PLAIN_STEPS = 200 };
static const double ROUNDING = 1e-14, STEP = 1e-7;

typedef struct Search {
  int n;
  PressLaw *law;
  void *user;
  double *z, *G, *off, *step;
  double heaviest;
  int tries;
  Linear slope;
} Search;

// G at z; true where it is z to rounding, which is seen the more generously the longer it takes.
static bool is_solved(Search *s, bool *is_found) {
  double most = 0;
  if (!s->law(s->user, s->z, s->G)) return false;
  s->heaviest = 0;
  for (int i = 0; i < s->n; i++) {
    s->off[i] = s->z[i] - s->G[i];
    s->heaviest = fmax(s->heaviest, fmax(s->z[i], s->G[i]));
    most = fmax(most, fabs(s->off[i]));
  }
  *is_found = most <= ROUNDING * (s->tries++ < NEWTON_STEPS ? 1 : 100) * s->heaviest;
  return isfinite(s->heaviest);
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

bool press_impulses_settle(Arena *scratch, int n, PressLaw *law, void *user, double *z) {
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
