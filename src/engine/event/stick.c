// What sticks: the problem in which it does.
#include "engine/event/stick.h"

#include <string.h>

void sticking_renew(Sticking *s) {
  const Machine *m = s->machine;
  for (int i = 0; i < m->presses; i++)
    if (m->plan->presses[i].guard >= 0)
      s->hold[m->plan->presses[i].guard] = machine_number(m, &m->plan->presses[i].hold);
}

static void open_presses(Sticking *s) {
  Machine *m = s->machine;
  s->hold = arena_array(s->arena, double, s->switches);
  s->is_press = arena_array(s->arena, bool, s->switches);
  for (int i = 0; i < s->switches; i++) s->hold[i] = 1;
  if (m->presses == 0) return;
  machine_need(m, PART_PRESSES);
  machine_need(m, PART_RUBS);
  machine_need(m, PART_GEOMETRY);
  s->moves = arena_array(s->arena, double, m->presses);
  press_open(&s->press, s->arena, m->presses);
  memset(sticking_presses(m), 0, (size_t)m->presses * sizeof(double));
  for (int i = 0; i < m->presses; i++)
    if (m->plan->presses[i].guard >= 0) s->is_press[m->plan->presses[i].guard] = true;
  sticking_renew(s);
}

void sticking_open(Sticking *s, Arena *arena, Machine *machine, int switches, double pull) {
  size_t n = (size_t)machine->n, m = (size_t)machine->problem.m, count = (size_t)switches;
  int slides = machine_slides(machine);
  for (int i = 0; i < slides; i++) count += machine_slide(machine, i)->components;
  if (machine->rubs) count += (size_t)machine->slip_count;
  if (machine->rubs) machine_need(machine, PART_SLIPS);
  if (switches > 0) machine_need(machine, PART_SWITCHES);
  if (switches > 0) machine_need(machine, PART_SWITCH_SPEEDS);
  if (slides > 0) machine_need(machine, PART_SLIDES);
  if (slides > 0) machine_need(machine, PART_GEOMETRY);
  machine_need(machine, PART_POWER);
  if (m > 0 || !machine->problem.forward) machine_need(machine, PART_TERMS);
  *s = (Sticking){.arena = arena,
                  .machine = machine,
                  .pull = pull,
                  .sides = machine->problem,
                  .switches = switches,
                  .slides = slides,
                  .width = n + m + (size_t)machine->states + POWER_KINDS};
  dynamics_open(&s->dynamics, arena, &s->sides);
  s->mode = arena_array(arena, StickMode, count);
  s->sticks = arena_array(arena, bool, switches);
  s->rest = arena_array(arena, Rest, slides);
  for (int i = 0; i < slides; i++)
    s->rest[i].along = arena_array(arena, double, (1 + MOST_COMPONENTS) * n);
  s->share = arena_array(arena, double, switches);
  s->trial = arena_array(arena, double, switches);
  s->mixed = arena_array(arena, double, (count + 1) * s->width);
  s->parts = arena_array(arena, double, s->width);
  s->speed = arena_array(arena, double, (count + 1) * count);
  s->weight = arena_array(arena, double, count);
  s->wanted = arena_array(arena, double, count);
  s->terms =
      arena_array(arena, double, n *n + n + m * n + m + (size_t)machine->states + POWER_KINDS);
  s->rates = arena_array(arena, double, 2 * (machine->states + POWER_KINDS));
  s->basis = arena_array(arena, double, m *n);
  s->still = arena_array(arena, double, n);
  open_presses(s);
}

static Status mixed_forward(void *user, double t, const double *q, const double *qd, double *qdd,
                            double *lambda, double *rates) {
  Machine *m = user;
  Sticking *s = m->sticking;
  size_t n = (size_t)m->n, rows = (size_t)s->sides.m;
  Status status = sticking_evaluate(s, t, q, qd);
  if (status != QDOT_OK) return status;
  memcpy(qdd, s->mixed, n * sizeof *qdd);
  if (s->is_still) memset(qdd, 0, n * sizeof *qdd);
  memcpy(lambda, s->mixed + n, rows * sizeof *lambda);
  memcpy(rates, s->mixed + n + rows, ((size_t)s->machine->states + POWER_KINDS) * sizeof *rates);
  return QDOT_OK;
}

static Status mixed_terms(void *user, double t, const double *q, const double *qd, double *M,
                          double *f, double *Phi_q, double *gamma) {
  Machine *m = user;
  Sticking *s = m->sticking;
  size_t n = (size_t)m->n, rows = (size_t)s->sides.m;
  double *other = s->terms, *f_other = other + n * n, *Phi_other = f_other + n;
  Status status = sticking_evaluate(s, t, q, qd);
  sticking_put_all(s);
  machine_try_sides(m, s->trial);
  if (status == QDOT_OK) status = s->sides.terms(m, t, q, qd, M, f, Phi_q, gamma);
  double *first = s->mixed; // free again
  memcpy(first, f, n * sizeof *f);
  for (int i = 0; i < s->count && status == QDOT_OK; i++) {
    sticking_put(s, &s->mode[i], true);
    machine_try_sides(m, s->trial);
    status = s->sides.terms(m, t, q, qd, other, f_other, Phi_other, Phi_other + rows * n);
    for (size_t k = 0; k < n; k++) f[k] += s->weight[i] * (f_other[k] - first[k]);
    sticking_put(s, &s->mode[i], false);
  }
  return status;
}

static Status mixed_rates(void *user, double t, const double *q, const double *qd,
                          const double *lambda, double *rates) {
  Machine *m = user;
  Sticking *s = m->sticking;
  int count = m->states + POWER_KINDS;
  double *first = s->rates, *other = first + count;
  Status status = sticking_evaluate(s, t, q, qd);
  sticking_put_all(s);
  machine_try_sides(m, s->trial);
  if (status == QDOT_OK) status = s->sides.rates(m, t, q, qd, lambda, first);
  if (status == QDOT_OK) memcpy(rates, first, (size_t)count * sizeof *first);
  for (int i = 0; i < s->count && status == QDOT_OK; i++) {
    sticking_put(s, &s->mode[i], true);
    machine_try_sides(m, s->trial);
    status = s->sides.rates(m, t, q, qd, lambda, other);
    for (int k = 0; k < count; k++) rates[k] += s->weight[i] * (other[k] - first[k]);
    sticking_put(s, &s->mode[i], false);
  }
  return status;
}

void sticking_begin(Sticking *s, const double *side, const bool *holds) {
  Machine *m = s->machine;
  for (int i = 0; i < s->switches; i++) {
    s->trial[i] = side[i];
    s->sticks[i] = side[i] == 0;
  }
  for (int i = 0; i < s->slides; i++) s->rest[i].holds = holds[i];
  sticking_gather(s);
  if (s->count == 0 && m->presses == 0) return;
  m->sticking = s;
  m->problem.forward = mixed_forward;
  m->problem.derivative = NULL;
  m->problem.terms = mixed_terms;
  m->problem.rates = mixed_rates;
}

void sticking_follow(Sticking *s, const double *side) {
  memcpy(s->trial, side, (size_t)s->switches * sizeof *side);
  memset(s->sticks, 0, (size_t)s->switches * sizeof *s->sticks);
  for (int i = 0; i < s->slides; i++) s->rest[i].holds = false;
  sticking_gather(s);
}

void sticking_show(Sticking *s, const double *side) {
  if (s->count == 0 && s->machine->presses == 0) return;
  for (int i = 0; i < s->count; i++)
    if (s->mode[i].is_rub)
      machine_put_friction(s->machine, s->mode[i].number,
                           s->machine->slips[s->mode[i].number].force);
  for (int i = 0; i < s->slides; i++) {
    Rest *rest = &s->rest[i];
    if (!rest->holds) continue;
    for (int j = 0; rest->size > 1 && j < s->machine->n; j++) rest->along[j] /= rest->size;
    machine_rest_slide(s->machine, i, rest->along);
  }
  if (s->switches == 0) return;
  memcpy(s->trial, side, (size_t)s->switches * sizeof *side);
  for (int i = 0; i < s->switches; i++)
    if (s->sticks[i]) s->trial[i] = s->share[i];
  machine_set_sides(s->machine, s->trial);
}
