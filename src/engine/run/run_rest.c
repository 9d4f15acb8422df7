// What comes to rest: an event finds the moment to the error of its time, and what sticks from
// there on must have no speed at all, not the one that this error leaves.
#include <math.h>
#include <string.h>

#include "engine/run/run.h"
#include "solve/algebra/dense.h"
#include "solve/algebra/kkt.h"

// Speeds of more than this part of what they have been are none that an event leaves.
static const double LEFT = 1e-6;
// One of less than this part is zero where something comes to rest.
static const double ZERO = 1e-13;
// What a force moves by less than this part of what it would move alone is held.
static const double HELD = 1e-9;

typedef struct Stop {
  Run *run;
  double t;
  int rows, places; // that must have no speed; room for
  double *speed, *beside, *J, *M, *qd;
  Kkt kkt;
} Stop;

static bool rubs_at_rest(const Run *run, int i) {
  return run->machine.slips[i].state == SLIP_RESTS;
}

static bool holds(const Run *run, int i) {
  return run->sliding.holds[i] && !isfinite(run->sliding.overloaded_since[i]);
}

// Rates of what is constrained or touches, and speeds of all that sticks.
static int read_speeds(Stop *s, const double *qd, double *out) {
  Run *run = s->run;
  Machine *m = &run->machine;
  int k = 0;
  if (m->problem.m > 0) {
    memcpy(out, machine_run_velocity(m, s->t, run->q, qd).Phi_dot,
           (size_t)m->problem.m * sizeof *out);
    k = m->problem.m;
  }
  if (run->friction.slips > 0) {
    const double *v = machine_run_slips(m, s->t, run->q, qd).v;
    for (int i = 0; i < run->friction.slips; i++)
      if (rubs_at_rest(run, i)) out[k++] = v[i];
  }
  if (run->switching.count > 0) {
    const double *guard = machine_run_switches(m, s->t, run->q, qd).guards;
    for (int i = 0; i < run->switching.count; i++)
      if (run->switching.side[i] == 0) out[k++] = guard[i];
  }
  if (run->sliding.count == 0) return k;
  const double *slides = machine_run_slides(m, s->t, run->q, qd).values;
  for (int i = 0; i < run->sliding.count; i++) {
    SlideValues at = machine_slide_values(m, i, slides);
    for (uint32_t c = 0; holds(run, i) && c < machine_slide(m, i)->components; c++)
      out[k++] = at.u[c];
  }
  return k;
}

static void open_stop(Stop *s, Run *run, double t) {
  Arena *scratch = &run->cx->scratch;
  size_t n = (size_t)run->n;
  *s = (Stop){.run = run, .t = t};
  s->places = run->machine.problem.m + run->friction.slips + run->switching.count +
              MOST_COMPONENTS * run->sliding.count;
  s->speed = arena_array(scratch, double, s->places);
  s->beside = arena_array(scratch, double, s->places);
  s->J = arena_array(scratch, double, (size_t)s->places *n);
  s->qd = arena_array(scratch, double, run->acting - run->n);
}

// How much of a speed is usual, for the velocity of a coordinate.
static double usual(const Run *run, int j) { return run->stepper->largest[run->n + j]; }

// By the velocities, in which all of them are linear.
static void differentiate(Stop *s) {
  Run *run = s->run;
  size_t n = (size_t)run->n;
  memcpy(s->qd, run->qd, (size_t)(run->acting - run->n) * sizeof *s->qd);
  s->rows = read_speeds(s, s->qd, s->speed);
  for (size_t j = 0; j < n; j++) {
    double kept = s->qd[j], step = usual(run, (int)j) > 0 ? usual(run, (int)j) : 1;
    s->qd[j] = kept + step;
    read_speeds(s, s->qd, s->beside);
    for (int r = 0; r < s->rows; r++)
      s->J[(size_t)r * n + j] = (s->beside[r] - s->speed[r]) / (s->qd[j] - kept);
    s->qd[j] = kept;
  }
}

static bool factor(Stop *s) {
  Run *run = s->run;
  const Problem *p = &run->machine.problem;
  Arena *scratch = &run->cx->scratch;
  size_t n = (size_t)run->n;
  s->M = arena_array(scratch, double, n *n);
  double *Phi_q = arena_array(scratch, double, (size_t)p->m *n);
  kkt_open(&s->kkt, scratch, run->n, s->rows, false);
  return p->geometry(p->user, s->t, run->q, s->M, Phi_q) == QDOT_OK &&
         kkt_factor(&s->kkt, s->M, s->J, s->rows) == QDOT_OK;
}

// The least change of velocities, in the metric of the masses, that takes all speeds away; false
// where that is more than an event leaves.
static bool take_speeds(Stop *s) {
  Run *run = s->run;
  Arena *scratch = &run->cx->scratch;
  size_t n = (size_t)run->n;
  double *none = arena_array(scratch, double, n), *change = arena_array(scratch, double, n);
  double *P = arena_array(scratch, double, s->rows);
  for (int r = 0; r < s->rows; r++) s->speed[r] = -s->speed[r];
  kkt_solve(&s->kkt, s->J, none, s->speed, change, P);
  for (size_t j = 0; j < n; j++)
    if (!(fabs(change[j]) <= LEFT * usual(run, (int)j))) return false;
  dense_add(run->n, 1, change, run->qd);
  for (size_t j = 0; j < n; j++)
    if (fabs(run->qd[j]) <= ZERO * usual(run, (int)j)) run->qd[j] = 0;
  return true;
}

// ---- A mechanism that stands still

// Nothing that holds it moves by itself.
static bool is_held_fast(const Run *run) {
  const Plan *plan = run->machine.plan;
  for (uint32_t i = 0; i < plan->switch_count; i++)
    if (run->switching.side[i] == 0 && plan->switches[i].changes_alone) return false;
  return !plan->traits.holds_change_alone;
}

// No force moves any coordinate, beside what it would do to a mass alone.
static bool nothing_gives_way(Stop *s) {
  Run *run = s->run;
  Arena *scratch = &run->cx->scratch;
  size_t n = (size_t)run->n;
  double *force = arena_array(scratch, double, n), *x = arena_array(scratch, double, n);
  double *P = arena_array(scratch, double, s->rows), *none = arena_array(scratch, double, s->rows);
  for (size_t j = 0; j < n; j++) {
    double mass = s->M[j * n + j];
    force[j] = 1;
    kkt_solve(&s->kkt, s->J, force, none, x, P);
    force[j] = 0;
    if (!(mass > 0 && fabs(x[j]) * mass <= HELD)) return false;
  }
  return true;
}

static bool stands_still(Stop *s) {
  const Run *run = s->run;
  for (int j = 0; j < run->n; j++)
    if (run->qd[j] != 0) return false;
  return is_held_fast(run) && nothing_gives_way(s);
}

void run_come_to_rest(Run *run, double t) {
  Machine *m = &run->machine;
  Mark mark = arena_mark(&run->cx->scratch);
  Stop s;
  machine_use_contacts(m);
  machine_need(m, PART_GEOMETRY);
  if (m->problem.m > 0) machine_need(m, PART_VELOCITY);
  if (run->friction.slips > 0) machine_need(m, PART_SLIPS);
  if (run->switching.count > 0) machine_need(m, PART_SWITCHES);
  if (run->sliding.count > 0) machine_need(m, PART_SLIDES);
  open_stop(&s, run, t);
  differentiate(&s);
  run->event.is_still = factor(&s) && take_speeds(&s) && stands_still(&s);
  arena_release(&run->cx->scratch, mark);
}
