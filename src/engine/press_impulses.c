// Joints that rub in an impact.
#include "engine/press_impulses.h"

#include <math.h>
#include <string.h>

// So short is an impact: beside impulses that last no longer, forces are less than rounding.
static const double IMPACT = 0x1p-200;

void press_impulses_open(PressImpulses *p, Arena *arena, Machine *m) {
  *p = (PressImpulses){.machine = m, .count = m->presses, .duration = IMPACT};
  if (m->presses == 0) return;
  const Equations *e = m->set->equations;
  size_t count = (size_t)m->presses, n = (size_t)m->n;
  double **by_joint[] = {&p->grip, &p->v, &p->way};
  for (size_t i = 0; i < sizeof by_joint / sizeof *by_joint; i++)
    *by_joint[i] = arena_array(arena, double, count);
  p->v_q = arena_array(arena, double, count *n);
  p->guard = arena_array(arena, double, e->switch_count);
  p->sides = arena_array(arena, double, 2 * (size_t)e->switch_count);
  p->lambda = arena_array(arena, double, m->rows + m->contacts);
  p->beside = arena_array(arena, double, n + (size_t)m->states);
  p->kept = arena_array(arena, double, e->layout.u - e->layout.qdd);
  press_impulses_renew(p);
}

void press_impulses_renew(PressImpulses *p) {
  const Machine *m = p->machine;
  p->rubs = false;
  for (int i = 0; i < p->count; i++) {
    bool can = m->plan->presses[i].guard >= 0;
    p->grip[i] = can ? machine_number(m, &m->plan->presses[i].grip) : 0;
    p->rubs |= p->grip[i] > 0;
  }
}

int press_impulses_find_shared(const PressImpulses *p) {
  int found = -1;
  for (int i = 0; i < p->count && found < 0 && p->rubs; i++)
    if (p->machine->plan->presses[i].shares_guard) found = i;
  return found;
}

// A switch may watch -v, or a multiple of v: a change of velocities tells.
static void find_ways(PressImpulses *p, double t, const double *q, const double *qd) {
  Machine *m = p->machine;
  size_t n = (size_t)m->n, switches = m->set->equations->switch_count;
  bool all_known = true;
  for (int i = 0; i < p->count; i++) all_known &= p->way[i] != 0 || !(p->grip[i] > 0);
  if (all_known) return;
  machine_need(m, PART_SWITCHES);
  memcpy(p->guard, machine_run_switches(m, t, q, qd).guards, switches * sizeof *p->guard);
  for (int i = 0; i < p->count; i++) {
    const double *v_q = p->v_q + (size_t)i * n;
    if (!(p->grip[i] > 0) || p->way[i] != 0) continue;
    memcpy(p->beside, qd, (n + (size_t)m->states) * sizeof *qd);
    for (size_t j = 0; j < n; j++) p->beside[j] += v_q[j];
    double beside = machine_run_switches(m, t, q, p->beside).guards[m->plan->presses[i].guard];
    double change = beside - p->guard[m->plan->presses[i].guard];
    p->way[i] = (change > 0) - (change < 0);
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

static void put(double *to, const double *impulse, int count, double duration) {
  for (int i = 0; i < count; i++) to[i] = impulse ? impulse[i] / duration : 0;
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
  put(m->in + at->qdd, by->dv, m->n, p->duration);
  put(m->in + at->lambda, by->lambda, m->rows + m->contacts, p->duration);
  put(m->in + at->friction, by->friction, m->slip_count, p->duration);
  for (int i = 0; i < p->count; i++) {
    double share = p->grip[i] > 0 ? -p->way[i] * by->joints[i] / p->grip[i] : 0;
    m->in[at->presses + (uint32_t)i] = share / p->duration;
    if (m->plan->presses[i].guard >= 0) tried[m->plan->presses[i].guard] = 1;
  }
  machine_try_sides(m, tried);
  const double *P = machine_run_presses(m, t, q, qd).values;
  double *out = m->set->out[PART_PRESSES];
  for (int i = 0; i < p->count; i++) out[i] *= p->duration;
  memcpy(m->in + at->qdd, p->kept, inputs * sizeof *m->in);
  machine_try_sides(m, now);
  return P;
}
