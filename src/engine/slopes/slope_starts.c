// Slopes where a run begins on contacts: what they hold stays held, and what rests is at rest.
#include <math.h>
#include <string.h>

#include "engine/slopes/slopes.h"
#include "solve/algebra/dense.h"
#include "solve/algebra/svd.h"

static const double place[4] = {-2, -1, 1, 2};
static const double weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
// Slopes that contacts change by less than this part are theirs.
static const double SAME = 1e-8;
// Of shares of friction that are open.
static const double LEAST_SHARE = 1e-9;

static const char *const PARTS = "with other values a contact would not just touch at the start";
static const char *const TURNS = "what begins at rest might begin the other way";
static const char *const SLIDES_ON = "what rests at the start would slide on after any push";

// ---- Closed contacts

static void need_projection(Machine *m) {
  static const EquationPart parts[] = {PART_GEOMETRY, PART_POSITION,         PART_VELOCITY,
                                       PART_TERMS,    PART_PROJECT_POSITION, PART_PROJECT_VELOCITY};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) machine_need(m, parts[i]);
}

// Row j of S by differences of states that are moved onto all that holds: into `out`.
static Status project_row(RunSlopes *s, Projector *projector, uint32_t j, double *out) {
  int n = s->machine->n;
  double *x = s->room, step = slopes_step(s, j, s->event.x_before, s->S);
  const double *S = s->S + (size_t)j * s->state;
  Status status = QDOT_OK;
  memset(out, 0, s->state * sizeof *out);
  for (int k = 0; k < 4 && status == QDOT_OK; k++) {
    slopes_shift_values(s, j, place[k] * step);
    for (uint32_t i = 0; i < s->state; i++) x[i] = s->event.x_before[i] + place[k] * step * S[i];
    // twice: it is further off than the error of a step
    for (int round = 0; round < 2 && status == QDOT_OK; round++)
      status = project_state(projector, 0, x, x + n);
    dense_add((int)s->state, weight[k] / step, x, out);
  }
  slopes_restore_values(s);
  return status;
}

// Where start values are guesses, a push is one along the contacts; else the contact must stay.
static bool is_moved(const RunSlopes *s, uint32_t j, const double *S_new) {
  const Run *run = s->run;
  uint32_t n = (uint32_t)run->n;
  const double *S = s->S + (size_t)j * s->state;
  for (uint32_t level = 0; level < 2; level++) {
    double size = level ? run->contacts.reach / run->o->every : run->contacts.reach, most = 0;
    for (uint32_t i = level * n; i < (level + 1) * n; i++) {
      size = fmax(size, fmax(fabs(s->event.x_before[i]), s->unit[j] * fabs(S[i])));
      most = fmax(most, s->unit[j] * fabs(S_new[i] - S[i]));
    }
    if (most > SAME * size) return true;
  }
  return false;
}

static Status hold_contacts(RunSlopes *s, Arena *arena) {
  Machine *m = s->machine;
  Dynamics dynamics;
  Projector projector;
  double *row = arena_array(arena, double, s->state);
  need_projection(m);
  dynamics_open(&dynamics, arena, &m->problem);
  projector_open(&projector, arena, &dynamics);
  Status status = QDOT_OK;
  for (uint32_t j = 0; j < s->count && status == QDOT_OK; j++) {
    status = project_row(s, &projector, j, row);
    if (status != QDOT_OK || !is_moved(s, j, row)) continue;
    if (!m->start_is_guess) slopes_lose(s, 0, PARTS);
    memcpy(s->S + (size_t)j * s->state, row, s->state * sizeof *row);
  }
  if (!run_is_numeric(status)) return status;
  slopes_lose(s, 0, PARTS);
  return QDOT_OK;
}

static void take_states(RunSlopes *s, const double *qd_before) {
  const Run *run = s->run;
  size_t n = (size_t)run->n, rest = s->state - n;
  memcpy(s->event.x_before, run->q, n * sizeof *run->q);
  memcpy(s->event.x_before + n, qd_before, rest * sizeof *qd_before);
  memcpy(s->event.x_after, run->q, n * sizeof *run->q);
  memcpy(s->event.x_after + n, run->qd, rest * sizeof *run->qd);
}

Status slopes_touch(Run *run) {
  RunSlopes *s = run->slopes;
  if (!s || s->undefined || run_steps_contacts(run)) return QDOT_OK;
  size_t size = (size_t)s->count * s->state * sizeof *s->S;
  Machine *m = s->machine;
  s->event.t = 0;
  take_states(s, run->event.qd_before);
  memcpy(s->event.S, s->S, size);
  Status status = slopes_strike(s); // an impact at the start
  memcpy(s->S, s->event.S, size);
  memcpy(s->event.x_before, s->event.x_after, s->state * sizeof *s->event.x_after);
  bool any = false;
  for (int i = 0; i < m->contacts; i++) any |= m->closed[i];
  if (!any || status != QDOT_OK || s->undefined) return status;
  Mark mark = arena_mark(&run->cx->scratch);
  Problem kept = m->problem;
  MachineSet *set = m->set;
  machine_use_contacts(m);
  status = hold_contacts(s, &run->cx->scratch);
  m->set = set;
  m->problem = kept;
  arena_release(&run->cx->scratch, mark);
  memcpy(s->event.S, s->S, size);
  return status;
}

// ---- What rests

// What a push does to the guards of what rests, by mode: how they move along row j of S.
static Status guard_slopes(RunSlopes *s, uint32_t j, double *out) {
  const Sticking *stuck = s->machine->sticking;
  int n = s->machine->n;
  double *x = s->room, step = slopes_step(s, j, s->event.x_before, s->S);
  Status status = QDOT_OK;
  memset(out, 0, (size_t)stuck->count * sizeof *out);
  for (int k = 0; k < 4 && status == QDOT_OK; k++) {
    slopes_shift_values(s, j, place[k] * step);
    for (uint32_t i = 0; i < s->state; i++)
      x[i] = s->event.x_before[i] + place[k] * step * s->S[(size_t)j * s->state + i];
    status = sticking_evaluate(s->machine->sticking, 0, x, x + n);
    dense_add(stuck->count, -weight[k] / (step * stuck->pull), stuck->wanted, out);
  }
  slopes_restore_values(s);
  return status;
}

static bool holds_still(const Sticking *stuck, int i) {
  const StickMode *mode = &stuck->mode[i];
  return !mode->is_void && (!mode->is_rub || mode_rests(stuck, mode));
}

// Friction at rest may be more than that of sliding, which then does not bring back what is pushed.
static bool slides_on(const Sticking *stuck, int i) {
  const StickMode *mode = &stuck->mode[i];
  if (!mode->is_rub) return false;
  const Slip *slip = &stuck->machine->slips[mode->number];
  double pressed = stuck->mixed[(size_t)stuck->machine->n + (size_t)mode->row];
  return slip->mu < slip->mu_rest && fabs(slip->force) > slip->mu * pressed;
}

// Friction takes a push of what rests in no time: the velocities that it changes, by a unit of each
// mode, bring the guards back.
static Status stop_pushes(RunSlopes *s, Arena *arena) {
  Machine *m = s->machine;
  Sticking *stuck = m->sticking;
  int n = m->n, count = stuck->count, all = 0;
  int *which = arena_array(arena, int, count);
  for (int i = 0; i < count; i++)
    if (holds_still(stuck, i)) which[all++] = i;
  double *A = arena_array(arena, double, (size_t)all *(size_t)all);
  double *ways = arena_array(arena, double, (size_t)all *(size_t)n);
  bool *goes_on = arena_array(arena, bool, all);
  double *g = arena_array(arena, double, count), *right = arena_array(arena, double, all);
  double *p = arena_array(arena, double, all);
  for (int k = 0; k < all; k++) {
    goes_on[k] = slides_on(stuck, which[k]);
    memcpy(ways + k * n, stuck->mixed + (size_t)(which[k] + 1) * stuck->width,
           (size_t)n * sizeof *ways);
    for (int i = 0; i < all; i++)
      A[i * all + k] = stuck->speed[(size_t)(which[k] + 1) * (size_t)count + (size_t)which[i]];
  }
  Status status = all > 0 ? QDOT_OK : QDOT_STOPPED;
  for (uint32_t j = 0; j < s->count && status == QDOT_OK; j++) {
    double *S = s->S + (size_t)j * s->state + n, fastest = 0;
    status = guard_slopes(s, j, g);
    for (int k = 0; k < all; k++) right[k] = -g[which[k]], fastest = fmax(fastest, fabs(right[k]));
    if (status != QDOT_OK || fastest == 0) continue;
    status = svd_least_norm(arena, all, all, A, right, LEAST_SHARE, p, NULL);
    double speed = 0, change = 0;
    memcpy(s->room, S, (size_t)n * sizeof *S);
    for (int k = 0; k < all; k++) dense_add(n, p[k], ways + k * n, S);
    for (int i = 0; i < n; i++) {
      speed = fmax(speed, fabs(s->room[i]));
      change = fmax(change, fabs(S[i] - s->room[i]));
    }
    for (int k = 0; k < all; k++)
      if (goes_on[k] && change > SAME * speed && !m->start_is_guess) slopes_lose(s, 0, SLIDES_ON);
  }
  return status == QDOT_STOPPED ? QDOT_OK : status;
}

// ---- What begins to slide

// Speeds of contacts that begin to slide, by slip; those of others are 1.
static void starting_speeds(RunSlopes *s, const double *x, double *out) {
  Machine *m = s->machine;
  const double *v = machine_run_slips(m, 0, x, x + m->n).v;
  for (int i = 0; i < s->run->friction.slips; i++) {
    bool may_turn = m->slips[i].state == SLIP_SLIDES && m->slips[i].mu > 0;
    out[i] = may_turn ? v[i] : 1;
  }
}

// A push against the way in which something begins to slide turns its friction round for a moment:
// there are two slopes.
static void refuse_turns(RunSlopes *s, Arena *arena) {
  Run *run = s->run;
  int n = run->n, rubs = run->friction.slips;
  double *v = arena_array(arena, double, 2 * (size_t)rubs), *beside = v + rubs, size = 0;
  if (rubs == 0 || s->machine->start_is_guess) return;
  for (int i = n; i < 2 * n; i++) size = fmax(size, slopes_size(s, (uint32_t)i));
  starting_speeds(s, s->event.x_before, v);
  for (uint32_t j = 0; j < s->count && !s->undefined; j++) {
    double *x = s->room, step = slopes_step(s, j, s->event.x_before, s->S);
    slopes_shift_values(s, j, step);
    for (uint32_t i = 0; i < s->state; i++)
      x[i] = s->event.x_before[i] + step * s->S[(size_t)j * s->state + i];
    starting_speeds(s, x, beside);
    slopes_restore_values(s);
    for (int i = 0; i < rubs; i++) {
      double change = s->unit[j] * fabs(beside[i] - v[i]) / step;
      if (fabs(v[i]) < SLOPES_LEAST_CHANGE * change && change > SAME * size)
        slopes_lose(s, 0, TURNS);
    }
  }
}

// The same of switches, as those of dry forces and joints: does anything jump across one that
// stands at zero?
static Status jumps_across(RunSlopes *s, int i, bool *out) {
  Run *run = s->run;
  Machine *m = s->machine;
  double *side = m->sticking ? m->sticking->trial : run->switching.side,
         *rates = s->event.rates_before;
  Status status = slopes_motion(s, 0, s->event.x_before, rates);
  side[i] = -side[i];
  if (!m->sticking) machine_set_sides(m, side);
  if (status == QDOT_OK) status = slopes_motion(s, 0, s->event.x_before, s->event.rates_after);
  side[i] = -side[i];
  if (!m->sticking) machine_set_sides(m, side);
  *out = false;
  for (uint32_t k = 0; k < s->state; k++) {
    double size = fmax(fabs(rates[k]), slopes_size(s, k) / run->o->every);
    *out |= fabs(s->event.rates_after[k] - rates[k]) > SAME * size;
  }
  return status;
}

// How far a guard goes with all that it depends on.
static double size_of_guard(RunSlopes *s, int i, double at) {
  double size = 0, *x = s->room;
  for (uint32_t k = 0; k < s->state; k++) {
    double by = 1e-3 * fmax(slopes_size(s, k), fabs(s->event.x_before[k]));
    memcpy(x, s->event.x_before, s->state * sizeof *x);
    x[k] += by;
    size += 1e3 * fabs(machine_run_guards(s->machine, 0, x, x + s->run->n).guards[i] - at);
  }
  return size;
}

static Status refuse_switched_turns(RunSlopes *s, Arena *arena) {
  Run *run = s->run;
  Machine *m = s->machine;
  int n = run->n;
  size_t bytes = (size_t)run->switching.count * sizeof(double);
  double *g = arena_array(arena, double, 2 * (size_t)run->switching.count),
         *beside = g + run->switching.count;
  Status status = QDOT_OK;
  if (run->switching.count == 0 || m->start_is_guess) return status;
  machine_need(m, PART_GUARDS);
  memcpy(g, machine_run_guards(m, 0, s->event.x_before, s->event.x_before + n).guards, bytes);
  for (uint32_t j = 0; j < s->count && status == QDOT_OK && !s->undefined; j++) {
    double *x = s->room, step = slopes_step(s, j, s->event.x_before, s->S);
    slopes_shift_values(s, j, step);
    for (uint32_t i = 0; i < s->state; i++)
      x[i] = s->event.x_before[i] + step * s->S[(size_t)j * s->state + i];
    memcpy(beside, machine_run_guards(m, 0, x, x + n).guards, bytes);
    slopes_restore_values(s);
    for (int i = 0; i < run->switching.count && status == QDOT_OK && !s->undefined; i++) {
      double change = s->unit[j] * fabs(beside[i] - g[i]) / step;
      bool jumps = run->switching.side[i] != 0 && fabs(g[i]) < SLOPES_LEAST_CHANGE * change &&
                   change > SAME * size_of_guard(s, i, g[i]);
      if (jumps) status = jumps_across(s, i, &jumps);
      if (jumps) slopes_lose(s, 0, TURNS);
    }
  }
  return status;
}

// ---- The whole

Status slopes_rest(RunSlopes *s) {
  Run *run = s->run;
  Sticking *stuck = s->machine->sticking;
  if (run->switching.count + run->friction.slips == 0) return QDOT_OK;
  Mark mark = arena_mark(&run->cx->scratch);
  run_look_aside(run);
  memcpy(s->event.x_before, run->q, (size_t)run->n * sizeof *run->q);
  memcpy(s->event.x_before + run->n, run->qd, (s->state - (size_t)run->n) * sizeof *run->qd);
  refuse_turns(s, &run->cx->scratch);
  Status status = refuse_switched_turns(s, &run->cx->scratch);
  bool rests = stuck && stuck->pull > 0;
  if (status == QDOT_OK && rests)
    status = sticking_evaluate(stuck, 0, s->event.x_before, s->event.x_before + run->n);
  if (status == QDOT_OK && rests) status = stop_pushes(s, &run->cx->scratch);
  run_look_back(run);
  arena_release(&run->cx->scratch, mark);
  if (!run_is_numeric(status)) return status;
  slopes_lose(s, 0, "the motion cannot be evaluated here");
  return QDOT_OK;
}
