// Slopes at events: the moment moves, the equations change, velocities jump.
//
// With x- and f- before, x+ = R(x-) and f+ after an event whose function g vanishes at t_e, and
// dt = dt_e/dp = -(g_x S + g_p) / (dg/dt):  S+ = R_x (S- + f- dt) + R_p - f+ dt.
#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/slopes/slopes.h"

// Events at one moment stay together if they move alike, within this part.
static const double MOVE_ALIKE = 1e-6;
// A gap is open, or one was wider than another, by so many times.
static const double GONE = 10;

static const char *const GRAZING = "a grazing event: a small change would let it vanish";
static const char *const NEAR_MISS = "a contact is missed by next to nothing";
static const char *const TWO_EVENTS = "two events fall together, and would not with other values";

static const double place[4] = {-2, -1, 1, 2};
static const double weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};

// ---- When

static Status functions_at(RunSlopes *s, double t, double *g) {
  Status status = slopes_state_at(s, t, s->x);
  return status == QDOT_OK ? run_event_functions(s->run, t, s->x, s->x + s->run->n, g) : status;
}

// Slopes of event function i along all directions by differences: forces of contacts, what
// friction holds.
static Status function_slopes(RunSlopes *s, double t, int i, double *g, double *out) {
  Run *run = s->run;
  double *x = s->room;
  Status status = QDOT_OK;
  for (uint32_t j = 0; j < s->count && status == QDOT_OK; j++) {
    const double *S = s->stepper->y + (size_t)j * s->state;
    double step = slopes_step(s, j, s->event.x_before, s->stepper->y);
    out[j] = 0;
    for (int k = 0; k < 4 && status == QDOT_OK; k++) {
      slopes_shift_values(s, j, place[k] * step);
      for (uint32_t c = 0; c < s->state; c++) x[c] = s->event.x_before[c] + place[k] * step * S[c];
      status = run_event_functions(run, t, x, x + run->n, g);
      out[j] += weight[k] / step * g[i];
    }
  }
  slopes_restore_values(s);
  return status;
}

// Slopes and rate of event function i: exact where it is a gap or a guard.
static Status event_slopes(RunSlopes *s, double t, int i, double rate_seen, double *g, double *out,
                           double *rate) {
  Run *run = s->run;
  Machine *m = s->machine;
  const double *x = s->event.x_before;
  bool is_gap = i < m->contacts && !m->closed[i];
  int guard = i - m->contacts;
  bool is_guard = guard >= 0 && guard < run->switching.count && run->switching.side[guard] != 0;
  *rate = rate_seen;
  if (!is_gap && !is_guard) return function_slopes(s, t, i, g, out);
  slopes_put(s, s->stepper->y);
  EventSlopesBlocks at = machine_run_event_slopes(m, t, x, x + m->n);
  memcpy(out, is_gap ? at.gaps + (size_t)i * s->count : at.guards + (size_t)guard * s->count,
         s->count * sizeof *out);
  if (is_gap) {
    *rate = machine_run_contacts(m, t, x, x + m->n).phi_dot[i];
  } else {
    machine_give(m, run->work.qdd, run->work.lambda);
    *rate = machine_run_switch_speeds(m, t, x, x + m->n).speeds[guard];
  }
  return QDOT_OK;
}

// How the moment moves by one of the functions that cross; false where it only just does.
static bool moment_slopes(RunSlopes *s, const double *slope, double rate, double bend,
                          double *out) {
  for (uint32_t j = 0; j < s->count; j++) {
    out[j] = 0;
    if (slope[j] == 0) continue;
    if (!(rate * rate > 10 * SLOPES_LEAST_CHANGE * fabs(bend * slope[j]) * s->unit[j]))
      return false;
    out[j] = -slope[j] / rate;
  }
  return true;
}

static bool move_alike(const RunSlopes *s, const double *a, const double *b) {
  double length = s->run->stepper->t - s->run->stepper->t_old;
  for (uint32_t j = 0; j < s->count; j++)
    if (fabs(a[j] - b[j]) > MOVE_ALIKE * (fmax(fabs(a[j]), fabs(b[j])) + length / s->unit[j]))
      return false;
  return true;
}

Status slopes_meet_event(RunSlopes *s, double t) {
  Run *run = s->run;
  int count = run_function_count(run);
  Mark mark = arena_mark(&run->cx->scratch);
  double *g[3], *out = arena_array(&run->cx->scratch, double, s->count);
  double *moved = arena_array(&run->cx->scratch, double, s->count);
  double *room = arena_array(&run->cx->scratch, double, count + 1);
  // what a jump brings about at its own moment, as a sign that turns with a blow, moves with it
  bool is_caused = s->event.is_known && t == s->event.t && !(t > run->stepper->t_old), any = false;
  double h = 1e-3 * (run->stepper->t - run->stepper->t_old);
  Status status = QDOT_OK;
  for (int k = 0; k < 3; k++) {
    g[k] = arena_array(&run->cx->scratch, double, count + 1);
    // the dense output goes beyond the ends of its step by so little
    if (status == QDOT_OK) status = functions_at(s, t + (k - 1) * h, g[k]);
  }
  if (status == QDOT_OK) status = slopes_state_at(s, t, s->event.x_before);
  if (status == QDOT_OK) status = slopes_motion(s, t, s->event.x_before, s->event.rates_before);
  for (int i = 0; i < count && status == QDOT_OK && !s->undefined; i++) {
    if (!run->events.hit[i] || is_caused) continue;
    double rate = (g[2][i] - g[0][i]) / (2 * h), bend = (g[2][i] - 2 * g[1][i] + g[0][i]) / (h * h);
    status = event_slopes(s, t, i, rate, room, out, &rate);
    if (status != QDOT_OK) break;
    if (!moment_slopes(s, out, rate, bend, any ? moved : s->event.shift))
      slopes_lose(s, t, GRAZING);
    else if (any && !move_alike(s, moved, s->event.shift))
      slopes_lose(s, t, TWO_EVENTS);
    any = true;
  }
  arena_release(&run->cx->scratch, mark);
  s->event.is_struck = false;
  for (uint32_t j = 0; j < s->count; j++)
    for (uint32_t i = 0; i < s->state; i++)
      s->event.S[(size_t)j * s->state + i] =
          s->S[(size_t)j * s->state + i] + s->event.rates_before[i] * s->event.shift[j];
  s->event.is_open = true;
  s->event.t = t;
  return status;
}

// ---- Near misses

static Status gaps_at(RunSlopes *s, double t, double *phi, double *phi_dot) {
  Machine *m = s->machine;
  Status status = slopes_state_at(s, t, s->x);
  if (status != QDOT_OK) return status;
  ContactsBlocks at = machine_run_contacts(m, t, s->x, s->x + m->n);
  memcpy(phi, at.phi, (size_t)m->contacts * sizeof *phi);
  memcpy(phi_dot, at.phi_dot, (size_t)m->contacts * sizeof *phi);
  return QDOT_OK;
}

// A gap that has just opened is not missed before it has been wider than where it is least: what
// lifts off has a speed of rounding, of either sign, at first.
static bool has_been_away(RunSlopes *s, int i, double phi_before, double phi_least) {
  double *widest = &s->widest[i], rounding = s->run->contacts.rounding[i];
  *widest = phi_before > -GONE * rounding ? 0 : fmax(*widest, -phi_before);
  return *widest > GONE * fmax(rounding, -phi_least);
}

// Does a change of the parameters by a millionth close a gap that is least at t?
static Status miss_by_little(RunSlopes *s, int i, double t, double phi, double *S) {
  Machine *m = s->machine;
  Status status = slopes_state_at(s, t, s->x);
  if (status == QDOT_OK) status = slopes_at(s, t, S);
  if (status != QDOT_OK) return status;
  slopes_put(s, S);
  const double *slope = machine_run_event_slopes(m, t, s->x, s->x + m->n).gaps;
  for (uint32_t j = 0; j < s->count; j++)
    if (-phi < SLOPES_LEAST_CHANGE * s->unit[j] * fabs(slope[(size_t)i * s->count + j]))
      slopes_lose(s, t, NEAR_MISS);
  return QDOT_OK;
}

Status slopes_watch_misses(RunSlopes *s, double a, double b) {
  Machine *m = s->machine;
  if (m->contacts == 0 || !(b > a)) return QDOT_OK;
  Mark mark = arena_mark(&m->cx->scratch);
  double *room = arena_array(&m->cx->scratch, double, 6 * (size_t)m->contacts);
  double *S = arena_array(&m->cx->scratch, double, (size_t)s->count * s->state + 4);
  double *phi[3], *rate[3];
  for (int k = 0; k < 3; k++) phi[k] = room + 2 * k * m->contacts, rate[k] = phi[k] + m->contacts;
  Status status = gaps_at(s, a, phi[0], rate[0]);
  if (status == QDOT_OK) status = gaps_at(s, b, phi[1], rate[1]);
  for (int i = 0; i < m->contacts && status == QDOT_OK; i++) {
    bool turns = !m->closed[i] && rate[0][i] > 0 && rate[1][i] < 0;
    double t = turns ? a + (b - a) * rate[0][i] / (rate[0][i] - rate[1][i]) : a;
    status = turns ? gaps_at(s, t, phi[2], rate[2]) : QDOT_OK;
    bool is_missed = has_been_away(s, i, phi[0][i], turns ? phi[2][i] : 0) && turns;
    if (status == QDOT_OK && is_missed && phi[2][i] <= 0)
      status = miss_by_little(s, i, t, phi[2][i], S);
  }
  arena_release(&m->cx->scratch, mark);
  return status;
}

// ---- What happens to S

static void take_state(RunSlopes *s) {
  Run *run = s->run;
  memcpy(s->event.x_after, run->q, (size_t)run->n * sizeof *run->q);
  memcpy(s->event.x_after + run->n, run->qd, (s->state - (uint32_t)run->n) * sizeof *run->qd);
}

Status slopes_settle_blow(RunSlopes *s) {
  if (s->event.is_struck) return QDOT_OK;
  s->event.is_struck = true;
  take_state(s);
  return slopes_strike(s);
}

Status slopes_jump(RunSlopes *s) {
  Status status = slopes_settle_blow(s);
  s->event.is_open = false;
  s->event.is_known = true;
  take_state(s);
  if (status == QDOT_OK)
    status = slopes_motion(s, s->event.t, s->event.x_after, s->event.rates_after);
  if (run_is_numeric(status)) slopes_lose(s, s->event.t, "the motion cannot be evaluated here");
  for (uint32_t j = 0; j < s->count; j++)
    for (uint32_t i = 0; i < s->state; i++)
      s->S[(size_t)j * s->state + i] =
          s->event.S[(size_t)j * s->state + i] - s->event.rates_after[i] * s->event.shift[j];
  return run_is_numeric(status) ? QDOT_OK : status;
}
