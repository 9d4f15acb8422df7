// Watches a run: energy balance and constraint residuals.
#include "engine/run/monitor.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "solve/algebra/dense.h"
#include "solve/algebra/eigenvalues.h"
#include "solve/algebra/svd.h"

static double energy_at(Monitor *monitor, double t, const double *q, const double *qd, double *V) {
  EnergyBlocks at = machine_run_energy(monitor->machine, t, q, qd);
  *V = *at.potential;
  return *at.total;
}

void monitor_start(Monitor *monitor, Machine *machine, const double *most_overlap, double t,
                   const double *q, const double *qd) {
  *monitor = (Monitor){.machine = machine, .most_overlap = most_overlap};
  monitor->E_start = energy_at(monitor, t, q, qd, &monitor->V_start);
}

static void note(const Machine *m, Worst *worst, double t, int rows, const double *values) {
  for (int r = 0; r < rows; r++)
    if (!(fabs(values[r]) <= worst->value))
      *worst = (Worst){fabs(values[r]), t, machine_place(m, r)};
}

static void note_depth(Monitor *monitor, const double *phi) {
  for (int i = 0; i < monitor->machine->contacts; i++) {
    if (phi[i] > monitor->penetration) monitor->penetration = phi[i];
    if (!(phi[i] <= monitor->most_overlap[i]) && monitor->overlap == 0)
      monitor->overlaps = i, monitor->overlap = phi[i];
  }
}

void monitor_energies(Monitor *monitor, double t, double E, double V, const double *w) {
  double work = monitor->impacts + monitor->projected;
  for (int i = 0; i < POWER_KINDS; i++) {
    work += w[i];
    monitor->worked = fmax(monitor->worked, fabs(w[i]));
  }
  double imbalance = fabs(E - monitor->E_start - work);
  monitor->exchanged = fmax(monitor->exchanged, fabs(E - V) + fabs(V - monitor->V_start));
  if (imbalance > monitor->imbalance) {
    monitor->imbalance = imbalance;
    monitor->imbalance_t = t;
  }
}

void monitor_state(Monitor *monitor, double t, const double *q, const double *qd, const double *w) {
  Machine *m = monitor->machine;
  double V, E = energy_at(monitor, t, q, qd, &V);
  monitor_energies(monitor, t, E, V, w);
  if (m->contacts > 0) note_depth(monitor, machine_run_contacts(m, t, q, qd).phi);
  if (m->problem.m == 0 || monitor->is_bare) return;
  note(m, &monitor->position, t, m->problem.holonomic, machine_run_position(m, t, q, NULL).Phi);
  note(m, &monitor->velocity, t, m->problem.m, machine_run_velocity(m, t, q, qd).Phi_dot);
}

double monitor_made(const Monitor *monitor, double given) {
  double largest = fabs(monitor->E_start) + fabs(monitor->V_start) + monitor->exchanged;
  return given > 64 * DBL_EPSILON * largest ? given : 0;
}

void monitor_rest(Monitor *monitor, double energy) { monitor->rest = fmax(monitor->rest, energy); }

double monitor_work_scale(const Monitor *monitor) {
  double largest = fabs(monitor->E_start) + fabs(monitor->V_start);
  double least = fmax(64 * DBL_EPSILON * largest, monitor->rest);
  return monitor->exchanged > least ? monitor->exchanged : 0;
}

void monitor_accelerations(Monitor *monitor, double t, const double *q, const double *qd) {
  Machine *m = monitor->machine;
  if (m->problem.m == 0) return;
  note(m, &monitor->acceleration, t, m->problem.m, machine_run_acceleration(m, t, q, qd).Phi_ddot);
}

void monitor_contacts(Monitor *monitor) {
  const Machine *m = monitor->machine;
  const InputLayout *at = &m->set->equations->layout;
  for (int i = 0; i < m->contacts; i++) {
    if (!m->closed[i]) continue;
    double N = m->in[at->lambda + (uint32_t)(m->rows + i)];
    monitor->pull = fmax(monitor->pull, -N);
    monitor->pressed = fmax(monitor->pressed, N);
  }
  for (int i = 0; m->rubs && i < m->slip_count; i++) {
    int contact = machine_slip_contact(m, i);
    if (!m->closed[contact] || !(m->slips[i].mu_rest > 0)) continue;
    double N = m->in[at->lambda + (uint32_t)(m->rows + contact)];
    // a torque by the lever that resists
    double lever = i < m->contacts ? 1 : m->slips[i].mu_rest;
    double beyond = fabs(m->in[at->friction + (uint32_t)i]) - m->slips[i].mu_rest * fmax(N, 0);
    monitor->grip = fmax(monitor->grip, beyond / lever);
  }
}

void monitor_impact(Monitor *monitor, double t, const double *q, const double *qd_before,
                    const double *qd, double driven, double driven_size) {
  double V, before = energy_at(monitor, t, q, qd_before, &V);
  double after = energy_at(monitor, t, q, qd, &V), given = after - before - driven;
  monitor->impacts += given;
  // the energies themselves are rounded
  double size = fabs(before) + fabs(after) + fabs(V) + driven_size;
  if (given > 64 * DBL_EPSILON * size) monitor->gain += given;
}

double monitor_limit(const MethodOptions *o) {
  return method_get(o->method)->fixed_step ? 1e-3 : 1e-11 + 1e3 * o->rtol;
}

Remark monitor_advice(const MethodOptions *o) {
  return method_get(o->method)->fixed_step
             ? (Remark){REMARK_TRY_SMALLER_STEP, {o->step}}
             : (Remark){REMARK_TRY_RTOL, {fmax(o->rtol / 100, 1e-15)}};
}

// Steps over contacts have a law of their own, see complementarity.
static void distrust_contacts(const Monitor *monitor, const MethodOptions *o, SimSummary *summary) {
  static const double BROKEN = 1e-6;
  double worst = fmax(monitor->pull, monitor->grip);
  if (method_get(o->method)->steps_contacts || !(worst > BROKEN * monitor->pressed)) return;
  if (remark_is_made(&summary->distrust)) return;
  summary->distrust = (Remark){REMARK_CONTACT_LAW, {monitor->pull, fmax(monitor->grip, 0)}};
}

static void distrust(Monitor const *monitor, const MethodOptions *o, SimSummary *summary) {
  if (!(summary->energy_drift > monitor_limit(o)) || remark_is_made(&summary->distrust)) return;
  summary->distrust = (Remark){REMARK_ENERGY, {summary->energy_drift, monitor->imbalance_t}};
  if (!remark_is_made(&summary->advice)) summary->advice = monitor_advice(o);
}

// What a structure at rest exchanges is rounding. A share of the energy that its forces would give
// it in a step if nothing held it counts instead.
static double held_energy(const Monitor *monitor, double t, const double *y,
                          const SimSummary *summary) {
  const double share = 1e-5;
  Machine *m = monitor->machine;
  if (m->problem.m == 0 || summary->steps == 0) return 0;
  machine_need(m, PART_TERMS);
  TermsBlocks at = machine_run_terms(m, t, y, y + m->n);
  double sum = 0, h = t / (double)summary->steps, least = dense_least_diagonal(m->n, at.M);
  for (int i = 0; i < m->n; i++) {
    double mass = at.M[(size_t)i * m->n + i];
    sum += at.f[i] * at.f[i] / (mass > 0 ? mass : least);
  }
  return share * sum * h * h / 2;
}

// An imbalance that is the rounding of the energies themselves is measured by these.
static double rounded_energy(const Monitor *monitor) {
  double largest = fabs(monitor->E_start) + fabs(monitor->V_start) + monitor->exchanged;
  return monitor->imbalance <= 1e3 * DBL_EPSILON * largest ? largest : 0;
}

void monitor_finish(const Monitor *monitor, double t, const double *y, const MethodOptions *options,
                    SimSummary *summary) {
  const double *w = y + 2 * monitor->machine->n + monitor->machine->states;
  summary->exchanged = monitor->exchanged;
  summary->largest_work = monitor->worked;
  summary->energy_drift = monitor->imbalance == 0 ? 0 : monitor->imbalance / monitor->exchanged;
  if (!(summary->energy_drift <= fmin(1e-6, monitor_limit(options)))) {
    double scale = fmax(monitor->exchanged, held_energy(monitor, t, y, summary));
    scale = fmax(scale, monitor->rest);
    scale = fmax(scale, rounded_energy(monitor));
    summary->energy_drift = scale > 0 ? monitor->imbalance / scale : 0;
  }
  if (monitor->machine->n == 0) summary->energy_drift = NAN; // states have no energy
  bool is_mechanical = monitor->machine->states == 0;        // states may have moved
  if (is_mechanical && monitor->exchanged == 0 && summary->steps > 0 &&
      !remark_is_made(&summary->hint))
    summary->hint.id =
        monitor->machine->plan->traits.has_forces ? REMARK_AT_REST : REMARK_NOTHING_MOVES;
  summary->energy_drift_t = monitor->imbalance_t;
  summary->work_forces = w[POWER_FORCES];
  summary->work_dissipation = w[POWER_DISSIPATION];
  summary->work_friction = w[POWER_FRICTION];
  summary->work_drives = w[POWER_DRIVES];
  summary->work_impacts = monitor->impacts;
  bool touches = monitor->machine->contacts > 0;
  summary->penetration = touches ? monitor->penetration : NAN;
  summary->pull = touches ? monitor->pull : NAN;
  summary->grip = touches && monitor->machine->rubs ? monitor->grip : NAN;
  summary->impact_gain = touches ? monitor->gain : NAN;
  bool steps = touches && method_get(options->method)->steps_contacts;
  summary->work_projection = monitor->projected;
  summary->complementarity = steps ? monitor->missed : NAN;
  summary->position = monitor->position;
  summary->velocity = monitor->velocity;
  summary->acceleration = monitor->acceleration;
  distrust(monitor, options, summary);
  distrust_contacts(monitor, options, summary);
}

void monitor_unseen(double step, double t, SimSummary *summary) {
  if (remark_is_made(&summary->distrust)) return;
  summary->distrust = (Remark){REMARK_UNSEEN, {1e3 * step, t}};
  summary->advice.id = REMARK_TRY_STEP_OR_METHOD;
}

// ---- Natural frequencies against the step

// Squares of the angular frequencies, ascending: eigenvalues of L^-1 K L^-T where the constraints
// leave room. Scratch memory.
static double *frequency_squares(Machine *m, double t, const double *q, const double *qd,
                                 const double *qdd, const double *lambda) {
  const Problem *p = &m->problem;
  int n = m->n;
  size_t square = (size_t)n * (size_t)n;
  Arena *scratch = &m->cx->scratch;
  double *M = arena_array(scratch, double, square), *K = arena_array(scratch, double, square);
  double *C = arena_array(scratch, double, square), *V = arena_array(scratch, double, square);
  double *Phi_q = arena_array(scratch, double, (size_t)p->m *(size_t)n);
  double *values = arena_array(scratch, double, n);
  if (p->geometry(p->user, t, q, M, Phi_q) != QDOT_OK) return NULL;
  if (p->tangent(p->user, t, q, qd, qdd, lambda, K, C) != QDOT_OK) return NULL;
  Kkt kkt;
  problem_kkt_open(p, &kkt, scratch, false);
  if (kkt_factor(&kkt, M, Phi_q, p->m) != QDOT_OK || kkt.augmented) return NULL;
  // rows of K times L^-T, then the columns
  for (int twice = 0; twice < 2; twice++) {
    dense_lower_rows(n, kkt.L, n, K);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) {
        double kept = K[i * n + j];
        K[i * n + j] = K[j * n + i];
        K[j * n + i] = kept;
      }
  }
  Svd *svd = svd_new(scratch, p->m > 0 ? p->m : 1, n);
  if (p->m > 0 && svd_compute(svd, p->m, kkt.B) != QDOT_OK) return NULL;
  // P A P with P = 1 - V V^T over the directions that the constraints forbid
  for (int side = 0; side < 2; side++)
    for (int k = 0; k < (p->m > 0 ? kkt.rank : 0); k++) {
      const double *v = svd->Vt + (size_t)k * (size_t)n;
      for (int i = 0; i < n; i++) {
        double along = 0;
        for (int j = 0; j < n; j++) along += (side ? K[j * n + i] : K[i * n + j]) * v[j];
        for (int j = 0; j < n; j++) *(side ? &K[j * n + i] : &K[i * n + j]) -= along * v[j];
      }
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) K[i * n + j] = K[j * n + i] = 0.5 * (K[i * n + j] + K[j * n + i]);
  return eigen_symmetric(scratch, n, K, values, V) == QDOT_OK ? values : NULL;
}

// 1, 2 or 5 times a power of ten, not above x.
static double round_down(double x) {
  double power = 1;
  while (power > x) power /= 10;
  while (10 * power <= x) power *= 10;
  double share = x / power;
  return power * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}

// Frequencies of the state itself, ascending; scratch memory.
static uint32_t frequencies_here(Machine *m, double t, const double *q, const double *qd,
                                 const double *qdd, const double *lambda, double **out) {
  machine_need(m, PART_TANGENT);
  machine_need(m, PART_GEOMETRY);
  *out = frequency_squares(m, t, q, qd, qdd, lambda);
  for (int i = 0; *out && i < m->n; i++) (*out)[i] = sqrt(fmax((*out)[i], 0));
  return *out ? (uint32_t)m->n : 0;
}

static void warn_of_step(double step, double missed, double shortest, SimSummary *summary) {
  double hertz = missed / (2 * M_PI);
  summary->distrust = (Remark){REMARK_STEP, {1e3 * step, hertz, 1e3 / hertz}};
  summary->advice = (Remark){REMARK_TRY_STEP, {1e3 * round_down(shortest)}};
}

void monitor_check_step(Machine *m, const SimOptions *o, double t, const double *q,
                        const double *qd, const double *qdd, const double *lambda,
                        SimSummary *summary) {
  if (!method_get(o->method.method)->fixed_step || m->n > 80) return;
  Mark mark = arena_mark(&m->cx->scratch);
  const double *omega = o->natural;
  uint32_t n = o->natural_count;
  double *here;
  if (n == 0) n = frequencies_here(m, t, q, qd, qdd, lambda, &here), omega = here;
  // ten steps a period show an oscillation
  const double least = 2 * M_PI / 10;
  double missed = 0;
  for (uint32_t i = 0; i < n && missed == 0; i++)
    if (omega[i] * o->method.step > least * (1 + 1e-9)) missed = omega[i];
  if (missed > 0) warn_of_step(o->method.step, missed, least / omega[n - 1], summary);
  arena_release(&m->cx->scratch, mark);
}
