// Work of impulses where surfaces, belts and constraints move by themselves: what moves them does
// it.
#include <math.h>
#include <string.h>

#include "engine/contact/contact.h"

static void add_work(Contacts *c, double work) {
  c->driven += work;
  c->driven_size += fabs(work);
}

// p phi_t - r v_t + Lambda Phi_t, each rate taken where no coordinate moves.
void contacts_find_driven(Contacts *c, double t, const double *q, const double *qd,
                          const double *impulse, const double *rubbed) {
  Machine *m = c->machine;
  size_t n = (size_t)m->n, rows = (size_t)m->rows;
  Mark mark = arena_mark(&m->cx->scratch);
  double *still = arena_array(&m->cx->scratch, double, n + (size_t)m->states);
  memcpy(still + n, qd + n, (size_t)m->states * sizeof *still);
  const double *phi_t = machine_run_contacts(m, t, q, still).phi_dot;
  for (int i = 0; i < c->count; i++) add_work(c, impulse[i] * phi_t[i]);
  if (m->rubs) {
    const double *v_t = machine_run_slips(m, t, q, still).v;
    for (int i = 0; i < m->slip_count; i++) add_work(c, -rubbed[i] * v_t[i]);
  }
  if (c->joints.rubs) {
    const double *v_t = machine_run_rubs(m, t, q, still).v;
    for (int i = 0; i < m->presses; i++) add_work(c, -rubbed[m->slip_count + i] * v_t[i]);
  }
  int slips = contacts_may_rub(c) ? m->slip_count + m->presses : 0, kept = 0;
  if (m->problem.m > 0) machine_need(m, PART_VELOCITY);
  const double *Phi_t = m->problem.m > 0 ? machine_run_velocity(m, t, q, still).Phi_dot : NULL;
  for (int r = 0; r < m->problem.m; r++) {
    if (machine_place(m, r) >= m->rows) continue;
    double Lambda = 0;
    for (int i = 0; i < c->count; i++)
      Lambda -= impulse[i] * c->lambdas[(size_t)i * rows + (size_t)kept];
    for (int i = 0; i < slips; i++)
      Lambda += rubbed[i] * c->slip_lambdas[(size_t)i * rows + (size_t)kept];
    add_work(c, Lambda * Phi_t[r]);
    kept++;
  }
  arena_release(&m->cx->scratch, mark);
}
