// Events of a run: gaps that close, forces that fall to zero, switches.
#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/run/run.h"

enum { MOST_AT_ONCE = 1000, BLOCK = 1000, MOST_FAST_BLOCKS = 50 };
// Impacts that the run would still have at the present rate: beyond this number a block of impacts
// counts as fast.
static const double MOST_LEFT = 1e8;
// Part of the limit of friction: a load that exceeds the limit by less is rounding.
static const double HELD = 1e-10;
// Part of their loads that contacts may leave unbalanced.
static const double CARRIED = 1e-12;

// Limit of friction at rest minus its load, in N; with shared loads the margin of the best shares,
// told by the first contact for all.
static double watch_rest(const Run *run, int i, double lambda, bool *has_spoken) {
  const Slip *slip = &run->machine.slips[i];
  double holds = slip->mu_rest * lambda, usual = fmax(holds, slip->unit);
  if (!run->friction.sticking.shares) return holds - fabs(slip->force) + HELD * usual;
  bool is_silent = *has_spoken;
  *has_spoken = true;
  return is_silent ? slip->unit : (run->friction.sticking.left + HELD) * slip->unit;
}

// Event functions of friction of contacts: sliding speeds, and margins of those at rest.
static void watch_rubs(Run *run, double t, const double *q, const double *qd, double *g) {
  Machine *m = &run->machine;
  if (run->friction.slips == 0) return;
  bool has_spoken = false;
  const double *slip = machine_run_slips(m, t, q, qd).v;
  for (int i = 0; i < run->friction.slips; i++) {
    // without friction it makes no difference which way it slides
    bool slides = m->slips[i].state == SLIP_SLIDES && m->slips[i].mu_rest > 0;
    g[i] = slides ? m->slips[i].direction * slip[i] + m->slips[i].slack : 1;
  }
  for (int r = 0; r < m->problem.m; r++) {
    int contact = machine_place(m, r) - m->rows;
    for (int i = 0; contact >= 0 && i < run->friction.slips; i++) {
      if (machine_slip_contact(m, i) != contact || m->slips[i].state != SLIP_RESTS) continue;
      g[i] = watch_rest(run, i, run->work.lambda[r], &has_spoken);
    }
  }
}

// Event functions of switches: guards; of one that sticks 1 - utilization^2.
static void watch_switches(Run *run, const double *guard, double *g) {
  for (int i = 0; i < run->switching.count; i++) {
    run->switching.reach[i] = fmax(run->switching.reach[i], fabs(guard[i]));
    if (run->switching.is_stepped[i]) {
      g[i] = run->switching.side[i];
      continue;
    }
    double use = run->switching.side[i] == 0 ? sticking_use(&run->friction.sticking, i) : 0;
    g[i] = run->switching.side[i] == 0
               ? 1 - use * use
               : guard[i] + run->switching.side[i] * run->switching.slack[i];
  }
}

Status run_event_functions(void *user, double t, const double *q, const double *qd, double *g) {
  Run *run = user;
  Machine *m = &run->machine;
  bool sticks = run_sticks(run), any_closed = false;
  for (int i = 0; i < m->contacts; i++) any_closed |= m->closed[i];
  for (int i = 0; run_steps_contacts(run) && i < m->contacts; i++) g[i] = -1;
  if (m->contacts > 0 && !run_steps_contacts(run)) {
    const double *phi = machine_run_contacts(m, t, q, qd).phi;
    for (int i = 0; i < m->contacts; i++) {
      double gap = phi[i] - contact_gap_tolerance(&run->contacts, i);
      // where a gap has no value it is searched for as where it closes
      g[i] = isnan(gap) ? fmax(run->event.greatest[i], DBL_MIN) : gap;
    }
  }
  if (any_closed || sticks) {
    Dynamics *d = &run->stepper->dynamics;
    int64_t evaluations = d->evaluations, revealed = d->revealed;
    Status status = dynamics_evaluate(d, t, q, qd, run->work.qdd, run->work.lambda, run->rows.row);
    d->evaluations = evaluations;
    if (status != QDOT_OK) return status;
    // where loads are shared, those of one contact mean nothing
    bool is_shared;
    if (run->friction.slips > 0) {
      sticking_share_if_needed(&run->friction.sticking, run->work.lambda);
      is_shared = run->friction.sticking.shares && run->friction.sticking.holds_together;
    } else {
      is_shared =
          d->revealed > revealed && contacts_carry(&run->contacts, d, CARRIED, run->work.lambda);
    }
    for (int r = 0; r < m->problem.m; r++) {
      int contact = machine_place(m, r) - m->rows;
      if (contact < 0) continue;
      g[contact] =
          is_shared ? 1 : run->work.lambda[r] + contact_force_tolerance(&run->contacts, contact);
    }
  }
  if (run->switching.count > 0) {
    watch_switches(run, machine_run_guards(m, t, q, qd).guards, g + m->contacts);
  }
  run_watch_slides(run, t, q, qd, g + m->contacts + run->switching.count);
  watch_rubs(run, t, q, qd, g + m->contacts + run->switching.count + run->sliding.count);
  if (run->own.count == 0) return QDOT_OK;
  double *own = g + run_function_count(run) - run->own.count;
  memcpy(own, machine_run_occasions(m, t, q, qd).functions, (size_t)run->own.count * sizeof *g);
  run_watch_zeros(run, own);
  return QDOT_OK;
}

void run_arm_events(Run *run) {
  Machine *m = &run->machine;
  for (int i = 0; i < m->contacts; i++)
    run->events.side[i] = run_steps_contacts(run) ? 0 : m->closed[i] ? 1 : -1;
  for (int i = 0; i < run->switching.count; i++)
    run->events.side[m->contacts + i] = run->switching.side[i] == 0 ? 1 : run->switching.side[i];
  int rest = run->sliding.count + run->friction.slips;
  for (int i = 0; i < rest; i++) run->events.side[m->contacts + run->switching.count + i] = 1;
  run_arm_occasions(run);
}

// The state at an event, on the constraints.
static Status state_at_event(Run *run, double t) {
  Stepper *s = run->stepper;
  int n = run->n;
  Status status = stepper_dense(s, t, run->work.y);
  if (status == QDOT_OK && run_keeps_constraints(run))
    status = project_state(&s->projector, t, run->work.y, run->work.y + n);
  run_take_state(run, t, run->work.y);
  return status;
}

// More than MOST_FAST_BLOCKS blocks of impacts in a row were fast.
static bool impacts_without_end(Run *run, double t) {
  if (++run->progress.impacts < BLOCK) return false;
  double left = BLOCK * (run->o->t_end - t) / fmax(t - run->progress.impacts_since, DBL_MIN);
  run->progress.fast_blocks = left > MOST_LEFT ? run->progress.fast_blocks + 1 : 0;
  run->progress.impacts = 0;
  run->progress.impacts_since = t;
  return run->progress.fast_blocks > MOST_FAST_BLOCKS;
}

// Ends a run whose events follow each other without progress of time.
static Status check_progress(Run *run, double t, bool contact_hit, bool own_hit) {
  bool stands = t - run->progress.last_event <= 1e-13 * run->o->t_end;
  bool endless = contact_hit && impacts_without_end(run, t);
  if (own_hit) endless |= run_piles_up(run, t);
  run->progress.events_at_once = stands ? run->progress.events_at_once + 1 : 0;
  run->progress.last_event = t;
  if (run->progress.events_at_once <= MOST_AT_ONCE && !endless) return QDOT_OK;
  if (own_hit) {
    run->end.why = "events of the model follow each other without end";
    run->end.why_note =
        "each comes sooner after the one before it; a condition may end them, such as "
        "'and x' < -v_0'";
    return QDOT_STEP_LIMIT;
  }
  if (!contact_hit) return run_chattering(run);
  run->end.why = "contacts open and close without end";
  run->end.why_note =
      "a part that is squeezed between contacts has nowhere to go; one contact fewer, "
      "or a smaller restitution, may let it settle";
  return QDOT_STEP_LIMIT;
}

// Contacts whose sliding speed is zero stop; those whose load exceeds their friction yield.
static bool stop_rubs(Run *run) {
  const bool *hit =
      run->events.hit + run->machine.contacts + run->switching.count + run->sliding.count;
  bool any = false;
  for (int i = 0; i < run->friction.slips; i++) {
    any |= hit[i];
    if (hit[i] && run->machine.slips[i].state == SLIP_SLIDES) contacts_stop(&run->contacts, i);
    if (hit[i] && run->machine.slips[i].state == SLIP_RESTS) contacts_yield(&run->contacts, i);
  }
  return any;
}

// Contacts stand behind the coordinates, then joints that rub, then what rolls.
static uint32_t event_number(const Machine *m, int slip) {
  return (uint32_t)(m->n + slip + (slip < m->contacts ? 0 : m->presses));
}

static void tell_rubs(Run *run, double t, const Slip *before) {
  for (int i = 0; i < run->friction.slips; i++) {
    const Slip *was = &before[i], *is = &run->machine.slips[i];
    run->event.rests_anew |= is->state == SLIP_RESTS && was->state != SLIP_RESTS;
    if (was->state == SLIP_FREE || is->state == SLIP_FREE) continue;
    bool turns = is->state == SLIP_SLIDES && is->direction != was->direction;
    if (was->state == is->state && !turns) continue;
    SimEvent event = {.t = t,
                      .number = event_number(&run->machine, i),
                      .kind = is->state == SLIP_RESTS ? SIM_STICK : SIM_SLIP};
    vec_push(run->memory.found, &run->summary->events, event);
  }
}

// Velocities of a mechanism that friction has held from the start are rounding: they are set to
// zero and do not count as a size of velocities.
static void forget_rounding(Run *run, double t) {
  const Contacts *c = &run->contacts;
  if (run->friction.slips == 0 || c->speed > 1e-12 * c->acceleration * t) return;
  memset(run->qd, 0, (size_t)run->n * sizeof *run->qd);
  memset(run->stepper->largest + run->n, 0, (size_t)run->n * sizeof *run->qd);
}

// The last event of a contact of this kind at this moment is taken back; false where there is none.
static bool take_back(Run *run, int contact, SimEventKind kind) {
  SimSummary *s = run->summary;
  for (uint32_t i = s->events.n; i-- > 0 && s->events.at[i].t == run->t;) {
    const SimEvent *e = &s->events.at[i];
    if (e->kind != kind || e->number != (uint32_t)contact) continue;
    s->events.n--;
    memmove(&s->events.at[i], &s->events.at[i + 1], (s->events.n - i) * sizeof *e);
    return true;
  }
  return false;
}

// A contact that closes and opens at one moment leaves no events.
static void forget_passing(Run *run) {
  for (int i = 0; i < run->machine.contacts; i++)
    if (run->events.hit[i] && !run->machine.closed[i] && take_back(run, i, SIM_CONTACT))
      take_back(run, i, SIM_RELEASE);
}

// Contacts with a negative force in the new set are opened before a row or a measure sees them.
Status run_settle_forces(Run *run) {
  Machine *m = &run->machine;
  Status status = QDOT_OK;
  for (int round = 0; round < m->contacts && status == QDOT_OK; round++) {
    bool any = false;
    double *g = run->events.g_room;
    status = run_event_functions(run, run->t, run->q, run->qd, g);
    for (int i = 0; i < m->contacts; i++)
      any |= run->events.hit[i] = status == QDOT_OK && m->closed[i] && g[i] < 0;
    if (!any) break;
    uint32_t pushes = run->contacts.pushes.n;
    status =
        contacts_resolve(&run->contacts, run->t, run->q, run->qd, run->events.hit, run->summary);
    if (run->contacts.pushes.n == 0) run->contacts.pushes.n = pushes; // of the impact before
    run->end.why = run->contacts.why, run->end.why_note = run->contacts.why_note;
    forget_passing(run);
    if (status == QDOT_OK) status = run_begin_stepper(run);
  }
  return status;
}

void run_count_impact(Run *run, double t) {
  const Contacts *c = &run->contacts;
  monitor_impact(&run->monitor, t, run->q, run->event.qd_before, run->qd, c->driven,
                 c->driven_size);
  run->w[POWER_DRIVES] += c->driven;
}

// Impacts, contacts that close or open, rest or slide.
static Status treat_contacts(Run *run, double t, bool *new_set) {
  Machine *m = &run->machine;
  Mark mark = arena_mark(&run->cx->scratch);
  bool *was = arena_array(&run->cx->scratch, bool, m->contacts);
  Slip *before = arena_array(&run->cx->scratch, Slip, m->slip_count);
  memcpy(was, m->closed, (size_t)m->contacts * sizeof *was);
  memcpy(before, m->slips, (size_t)m->slip_count * sizeof *before);
  forget_rounding(run, t);
  run_note_velocities(run);
  if (run_mixes(run)) sticking_show(&run->friction.sticking, run->switching.side);
  Status status =
      contacts_resolve(&run->contacts, t, run->q, run->qd, run->events.hit, run->summary);
  run->end.why = run->contacts.why, run->end.why_note = run->contacts.why_note;
  run_count_impact(run, t);
  run->event.is_struck =
      memcmp(run->event.qd_before, run->qd, (size_t)run->n * sizeof *run->qd) != 0;
  tell_rubs(run, t, before);
  run_follow_blow(run, t);
  run->event.owes_settling = true;
  *new_set =
      run->friction.slips > 0 || memcmp(was, m->closed, (size_t)m->contacts * sizeof *was) != 0;
  arena_release(&run->cx->scratch, mark);
  return status;
}

static Status treat_all(Run *run, double t, bool *new_set) {
  Machine *m = &run->machine;
  bool contact_hit = false;
  for (int i = 0; i < m->contacts; i++) contact_hit |= run->events.hit[i];
  contact_hit |= stop_rubs(run);
  const bool *own = run->events.hit + run_function_count(run) - run->own.count;
  bool own_hit = false, changed = false;
  for (int i = 0; i < run->own.count; i++) own_hit |= own[i];
  Status status = check_progress(run, t, contact_hit, own_hit);
  if (status != QDOT_OK) return status;
  *new_set = false;
  if (contact_hit) status = treat_contacts(run, t, new_set);
  if (status == QDOT_OK && run->switching.count + run->sliding.count > 0)
    status = run_switch_and_jump(run, t, new_set);
  run->event.rests_anew |= run_sticks_anew(run);
  if (*new_set) run->event.is_still = false;
  if (status == QDOT_OK && *new_set && run_sticks(run)) run_come_to_rest(run, t);
  if (run->own.count > 0) machine_need(m, PART_OCCASIONS);
  if (status == QDOT_OK && run->event.rests_anew) own_hit |= run_hit_zeros(run, t);
  if (status == QDOT_OK && own_hit) {
    status = run_treat_occasions(run, t, &changed);
    *new_set |= changed && run->switching.count + run->sliding.count + m->contacts > 0;
  }
  run_tell_stuck(run, t);
  return status;
}

// Has an event since the first `known` changed the state?
static bool has_state_behind(const Run *run, uint32_t known) {
  for (uint32_t i = known; i < run->summary->events.n; i++)
    if (run->summary->events.at[i].kind != SIM_STOP) return true;
  return false;
}

// Rows are written only where the zero of an event function had a consequence.
Status run_treat_event(Run *run, double t, bool *new_set) {
  bool has_rows = run->o->event_rows && run->sink->row;
  uint32_t known = run->summary->events.n;
  run->event.is_found = true;
  run->event.is_struck = run->event.rests_anew = false;
  Status status = state_at_event(run, t);
  if (status == QDOT_OK && has_rows) status = run_hold_event_row(run, t);
  if (status != QDOT_OK) return status;
  status = treat_all(run, t, new_set);
  bool happened = status != QDOT_OK || run->summary->events.n > known;
  if (has_rows && happened) {
    Status given = run_give_held_row(run);
    if (status == QDOT_OK) status = given;
  }
  // the stepper is still that of the set before
  run->rows.owes_event = has_rows && has_state_behind(run, known);
  run->event.is_found = status != QDOT_OK;
  return status;
}
