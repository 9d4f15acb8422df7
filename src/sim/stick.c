// Switches that stick: the mixture of their sides that holds them.
#include "sim/stick.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A mixture this near to one side alone is that side.
static const double PURE = 1 - 1e-9;
// A guard whose speed changes by less than this part from side to side does not depend on them.
static const double LEAST_CHANGE = 1e-12;

void sticking_open(Sticking *s, Arena *arena, Machine *machine, int switches, double pull) {
  size_t n = (size_t)machine->n, count = (size_t)switches, m = (size_t)machine->problem.m;
  machine_need(machine, PART_SWITCH_SPEEDS);
  machine_need(machine, PART_POWER);
  if (m > 0 || !machine->problem.forward) machine_need(machine, PART_TERMS);
  *s = (Sticking){.arena = arena,
                  .machine = machine,
                  .pull = pull,
                  .sides = machine->problem,
                  .switches = switches,
                  .width = n + m + POWER_KINDS};
  dynamics_open(&s->dynamics, arena, &s->sides);
  s->number = arena_array(arena, int, count);
  s->share = arena_array(arena, double, count);
  s->trial = arena_array(arena, double, count);
  s->mixed = arena_array(arena, double, (count + 1) * s->width);
  s->speed = arena_array(arena, double, (count + 1) * count);
  s->weight = arena_array(arena, double, count);
  s->wanted = arena_array(arena, double, count);
  s->terms = arena_array(arena, double, n *n + n + m * n + m);
}

// Room for the weights; that of a single one needs none.
static void open_linear(Sticking *s) {
  if (s->count > 1) linear_open(&s->linear, s->arena, s->count);
}

// One trial: the motion with every switch on a side, and the speeds of the guards that stick.
static Status try_sides(Sticking *s, double t, const double *q, const double *qd, double *mixed,
                        double *speed) {
  Machine *m = s->machine;
  int n = m->n, rows = s->sides.m;
  machine_try_sides(m, s->trial);
  Status status = dynamics_evaluate(&s->dynamics, t, q, qd, mixed, mixed + n, mixed + n + rows);
  if (status != QDOT_OK) return status;
  machine_give(m, mixed, mixed + n);
  const double *all = machine_run(m, PART_SWITCH_SPEEDS, t, q, qd);
  for (int i = 0; i < s->count; i++) speed[i] = all[s->number[i]];
  return QDOT_OK;
}

// Solves for the weights with which the guards have no speed. What a side changes is taken as
// proportional to its share, as a force with sign() is.
static Status find_weights(Sticking *s) {
  size_t count = (size_t)s->count;
  for (size_t i = 0; i < count; i++) s->weight[i] = s->wanted[i] - s->speed[i];
  if (count == 1) {
    s->weight[0] /= s->speed[1];
    return QDOT_OK;
  }
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++) s->linear.A[i * count + j] = s->speed[(j + 1) * count + i];
  Status status = linear_factor(&s->linear);
  if (status == QDOT_OK) linear_solve(&s->linear, s->weight);
  return status;
}

// What is left of parts that hold each other is rounding and would count as motion.
static void mix(Sticking *s) {
  size_t width = s->width;
  for (int i = 0; i < s->count; i++) s->share[s->number[i]] = 2 * s->weight[i] - 1;
  for (size_t k = 0; k < width; k++) {
    double sum = s->mixed[k], size = fabs(sum);
    for (int i = 0; i < s->count; i++) {
      double part = s->weight[i] * s->mixed[(size_t)(i + 1) * width + k];
      sum += part;
      size += fabs(part);
    }
    s->mixed[k] = fabs(sum) <= 64 * DBL_EPSILON * size ? 0 : sum;
  }
}

// The mixture at a state: in s->mixed, with the shares.
static Status evaluate(Sticking *s, double t, const double *q, const double *qd) {
  int count = s->count;
  size_t width = s->width;
  const double *guard = machine_run(s->machine, PART_SWITCHES, t, q, qd);
  for (int i = 0; i < count; i++) {
    s->wanted[i] = -s->pull * guard[s->number[i]];
    s->trial[s->number[i]] = -1;
  }
  Status status = try_sides(s, t, q, qd, s->mixed, s->speed);
  for (int i = 0; i < count && status == QDOT_OK; i++) {
    double *mixed = s->mixed + (size_t)(i + 1) * width;
    double *speed = s->speed + (size_t)(i + 1) * (size_t)count;
    s->trial[s->number[i]] = 1;
    status = try_sides(s, t, q, qd, mixed, speed);
    s->trial[s->number[i]] = -1;
    for (size_t k = 0; k < width; k++) mixed[k] -= s->mixed[k];
    for (int k = 0; k < count; k++) speed[k] -= s->speed[k];
  }
  if (status == QDOT_OK) status = find_weights(s);
  if (status == QDOT_OK) mix(s);
  return status;
}

// ---- Who sticks

static void drop(Sticking *s, int i) {
  s->count--;
  memmove(s->number + i, s->number + i + 1, (size_t)(s->count - i) * sizeof *s->number);
}

// The first one that its own sides do not push back, or -1.
static int find_indifferent(const Sticking *s) {
  for (int i = 0; i < s->count; i++) {
    double change = s->speed[(size_t)(i + 1) * (size_t)s->count + (size_t)i];
    if (!(change < -LEAST_CHANGE * fabs(s->speed[i]))) return i;
  }
  return -1;
}

static int find_purest(const Sticking *s) {
  int purest = -1;
  double most = PURE;
  for (int i = 0; i < s->count; i++) {
    double share = fabs(s->share[s->number[i]]);
    if (share > most) most = share, purest = i;
  }
  return purest;
}

Status sticking_settle(Sticking *s, double t, const double *q, const double *qd,
                       const bool *candidates, double *side) {
  s->count = 0;
  for (int i = 0; i < s->switches; i++)
    if (candidates[i]) s->number[s->count++] = i;
  Status status = QDOT_OK;
  while (s->count > 0) {
    Mark mark = arena_mark(s->arena);
    open_linear(s);
    memcpy(s->trial, side, (size_t)s->switches * sizeof *side);
    status = evaluate(s, t, q, qd);
    arena_release(s->arena, mark);
    if (status != QDOT_OK) break;
    int indifferent = find_indifferent(s), purest = find_purest(s);
    if (indifferent >= 0) {
      drop(s, indifferent);
    } else if (purest >= 0) {
      int number = s->number[purest];
      side[number] = s->share[number] < 0 ? -1 : 1;
      drop(s, purest);
    } else {
      break;
    }
  }
  for (int i = 0; i < s->count && status == QDOT_OK; i++) side[s->number[i]] = 0;
  return status;
}

// ---- The problem in which they stick

static Status mixed_forward(void *user, double t, const double *q, const double *qd, double *qdd,
                            double *lambda, double *rates) {
  Machine *m = user;
  Sticking *s = m->sticking;
  size_t n = (size_t)m->n, rows = (size_t)s->sides.m;
  Status status = evaluate(s, t, q, qd);
  if (status != QDOT_OK) return status;
  memcpy(qdd, s->mixed, n * sizeof *qdd);
  memcpy(lambda, s->mixed + n, rows * sizeof *lambda);
  memcpy(rates, s->mixed + n + rows, POWER_KINDS * sizeof *rates);
  return QDOT_OK;
}

static Status mixed_terms(void *user, double t, const double *q, const double *qd, double *M,
                          double *f, double *Phi_q, double *gamma) {
  Machine *m = user;
  Sticking *s = m->sticking;
  size_t n = (size_t)m->n, rows = (size_t)s->sides.m;
  double *other = s->terms, *f_other = other + n * n, *Phi_other = f_other + n;
  Status status = evaluate(s, t, q, qd);
  machine_try_sides(m, s->trial);
  if (status == QDOT_OK) status = s->sides.terms(m, t, q, qd, M, f, Phi_q, gamma);
  double *first = s->mixed; // free again
  memcpy(first, f, n * sizeof *f);
  for (int i = 0; i < s->count && status == QDOT_OK; i++) {
    s->trial[s->number[i]] = 1;
    machine_try_sides(m, s->trial);
    status = s->sides.terms(m, t, q, qd, other, f_other, Phi_other, Phi_other + rows * n);
    for (size_t k = 0; k < n; k++) f[k] += s->weight[i] * (f_other[k] - first[k]);
    s->trial[s->number[i]] = -1;
  }
  return status;
}

static Status mixed_rates(void *user, double t, const double *q, const double *qd,
                          const double *lambda, double *rates) {
  Machine *m = user;
  Sticking *s = m->sticking;
  double first[POWER_KINDS], other[POWER_KINDS];
  Status status = evaluate(s, t, q, qd);
  machine_try_sides(m, s->trial);
  if (status == QDOT_OK) status = s->sides.rates(m, t, q, qd, lambda, first);
  if (status == QDOT_OK) memcpy(rates, first, sizeof first);
  for (int i = 0; i < s->count && status == QDOT_OK; i++) {
    s->trial[s->number[i]] = 1;
    machine_try_sides(m, s->trial);
    status = s->sides.rates(m, t, q, qd, lambda, other);
    for (int k = 0; k < POWER_KINDS; k++) rates[k] += s->weight[i] * (other[k] - first[k]);
    s->trial[s->number[i]] = -1;
  }
  return status;
}

void sticking_begin(Sticking *s, const double *side) {
  Machine *m = s->machine;
  s->count = 0;
  for (int i = 0; i < s->switches; i++) {
    s->trial[i] = side[i];
    if (side[i] == 0) s->number[s->count++] = i;
  }
  if (s->count == 0) return;
  open_linear(s);
  m->sticking = s;
  m->problem.forward = mixed_forward;
  m->problem.derivative = NULL;
  m->problem.terms = mixed_terms;
  m->problem.rates = mixed_rates;
}

void sticking_show(Sticking *s, const double *side) {
  if (s->count == 0) return;
  memcpy(s->trial, side, (size_t)s->switches * sizeof *side);
  for (int i = 0; i < s->count; i++) s->trial[s->number[i]] = s->share[s->number[i]];
  machine_set_sides(s->machine, s->trial);
}
