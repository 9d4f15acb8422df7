// Drives whose speed jumps, and edges of surfaces: what follows when switches have changed sides.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "engine/event/jump.h"
#include "engine/run/run.h"

static bool meets_contacts(const Run *run) {
  return run->machine.contacts > 0 && !run_steps_contacts(run);
}

static bool may_jump(const Run *run) {
  const Machine *m = &run->machine;
  if (run->switching.count == 0) return false;
  return m->rows > 0 || meets_contacts(run) || m->plan->traits.kinetic_has_time;
}

// Contacts that were closed, are open now, and have not been struck.
static void tell_releases(Run *run, double t, uint32_t known, const bool *was_closed) {
  const Machine *m = &run->machine;
  SimSummary *summary = run->summary;
  uint32_t told = summary->events.n;
  for (int i = 0; i < m->contacts; i++) {
    bool is_told = !was_closed[i] || m->closed[i];
    for (uint32_t k = known; k < told; k++)
      is_told |=
          summary->events.at[k].number == (uint32_t)i && summary->events.at[k].kind == SIM_IMPACT;
    SimEvent event = {.t = t, .number = (uint32_t)i, .kind = SIM_RELEASE};
    if (!is_told) vec_push(run->memory.found, &summary->events, event);
  }
}

// A gap is open beyond rounding where it is more than this part of what it is made of.
static const double LEAST_GAP = 1e-9;

// By how much surfaces are away from their parts, more than rounding; negative within them.
static double *gaps_at(Run *run, double t) {
  Machine *m = &run->machine;
  double *gap = arena_array(&run->cx->scratch, double, m->contacts);
  double *size = arena_array(&run->cx->scratch, double, m->contacts);
  machine_gap_sizes(m, t, run->q, size);
  const double *phi = machine_run_contacts(m, t, run->q, run->qd).phi;
  for (int i = 0; i < m->contacts; i++) gap[i] = fabs(phi[i]) > LEAST_GAP * size[i] ? -phi[i] : 0;
  return gap;
}

// Contacts that were closed meet what has jumped as if they had just touched; where the surface is
// gone, there is nothing to touch.
static Status meet_jump(Run *run, double t, const bool *was_closed) {
  Machine *m = &run->machine;
  SimSummary *summary = run->summary;
  if (m->contacts == 0) return QDOT_OK;
  uint32_t kept = summary->events.n, known = kept;
  const double *gap = gaps_at(run, t);
  bool *touches = arena_array(&run->cx->scratch, bool, m->contacts);
  for (int i = 0; i < m->contacts; i++) touches[i] = was_closed[i] && !(gap[i] > 0);
  run_note_velocities(run);
  Status status = contacts_resolve(&run->contacts, t, run->q, run->qd, touches, summary);
  run_count_impact(run, t);
  // those that stay closed are not events
  for (uint32_t i = kept; i < summary->events.n; i++) {
    SimEvent e = summary->events.at[i];
    if (e.kind != SIM_CONTACT || !was_closed[e.number]) summary->events.at[kept++] = e;
  }
  summary->events.n = kept;
  tell_releases(run, t, known, was_closed);
  return status;
}

static void tell_jump(Run *run, double t, uint32_t who) {
  SimEvent event = {.t = t, .number = who, .kind = SIM_JUMP};
  vec_push(run->memory.found, &run->summary->events, event);
}

// A drive acts by an impulse on joints that rub, whose law there has forces only.
static void tell_missing_impulse(Run *run, double t) {
  const Machine *m = &run->machine;
  if (m->plan->press_count == 0 || run->friction.told_impulse) return;
  run->friction.told_impulse = true;
  diag_warning_plain(run->cx,
                     "at t = %.6g s a speed jumps: the friction of joint '%s' gives no impulse "
                     "where drives do, only in impacts",
                     t, m->plan->presses[0].joint);
}

static Status jump_to(Run *run, double t, const JumpSide *before, const JumpSide *after) {
  Machine *m = &run->machine;
  Mark mark = arena_mark(&run->cx->scratch);
  bool *was_closed = arena_array(&run->cx->scratch, bool, m->contacts);
  for (int i = 0; i < m->contacts; i++) {
    was_closed[i] = m->closed[i];
    m->closed[i] = false;
  }
  machine_use_contacts(m);
  machine_need_method(m, run->o->method.method);
  double E = *machine_run_energy(m, t, run->q, run->qd).total;
  Status status = jump_velocities(m, t, run->q, run->qd, before, after);
  run->w[POWER_DRIVES] += *machine_run_energy(m, t, run->q, run->qd).total - E;
  if (status == QDOT_OK) tell_missing_impulse(run, t);
  if (status == QDOT_OK) status = meet_jump(run, t, was_closed);
  arena_release(&run->cx->scratch, mark);
  return status;
}

static Status cannot_follow(Run *run, uint32_t who) {
  const Machine *m = &run->machine;
  bool is_row = (int)who < m->rows;
  const char *name = is_row ? m->plan->rows[who].name : m->plan->contacts[(int)who - m->rows].name;
  run->end.why = text_format(&run->cx->keep, "the position that %s '%s' gives jumps",
                             is_row ? "constraint" : "contact", name);
  run->end.why_note = "nothing can follow a sudden jump; use a ramp, or a speed that switches";
  return QDOT_STEP_LIMIT;
}

// Switches have gone over to other sides, or inputs have other values: what they drive may jump.
static Status follow_jump(Run *run, double t, const JumpSide *before, const double *gap_before,
                          bool by_switch, bool *new_set) {
  Machine *m = &run->machine;
  const double *gap = meets_contacts(run) ? gaps_at(run, t) : NULL;
  for (int i = 0; gap && i < m->contacts; i++)
    if (gap[i] < 0 && gap_before[i] > 0) return cannot_follow(run, (uint32_t)(m->rows + i));
  JumpSide after = jump_side(&run->cx->scratch, m, t, run->q, run->qd);
  uint32_t who = 0;
  JumpKind kind = jump_between(m, t, run->q, run->qd, before, &after, &who);
  if (kind == JUMP_NONE) return QDOT_OK;
  if (kind == JUMP_PLACE) return cannot_follow(run, who);
  if (kind == JUMP_SPEED && by_switch) tell_jump(run, t, who);
  Status status = jump_to(run, t, before, &after);
  *new_set = true;
  if (run->switching.count == 0) return status;
  memset(run->switching.may_stick, 0,
         (size_t)run->switching.count * sizeof *run->switching.may_stick);
  run_let_go(run, run->switching.may_stick, machine_run_switches(m, t, run->q, run->qd).guards,
             true);
  machine_set_sides(m, run->switching.side);
  return status;
}

Status run_switch_and_jump(Run *run, double t, bool *new_set) {
  Machine *m = &run->machine;
  if (!may_jump(run)) return run_treat_switches(run, t, new_set);
  Mark mark = arena_mark(&run->cx->scratch);
  JumpSide before = jump_side(&run->cx->scratch, m, t, run->q, run->qd);
  const double *gap = meets_contacts(run) ? gaps_at(run, t) : NULL;
  double E = *machine_run_energy(m, t, run->q, run->qd).total;
  Status status = run_treat_switches(run, t, new_set);
  machine_need_method(m, run->o->method.method); // of the contacts that are closed now
  // a given motion may change the energy by its rate alone
  run->w[POWER_DRIVES] += *machine_run_energy(m, t, run->q, run->qd).total - E;
  if (status == QDOT_OK) status = follow_jump(run, t, &before, gap, true, new_set);
  arena_release(&run->cx->scratch, mark);
  return status;
}

// ---- Speeds that inputs give

struct InputJump {
  JumpSide before;
  const double *gap;
};

static bool inputs_drive(const Run *run) {
  const Plan *plan = run->machine.plan;
  for (uint32_t i = 0; i < plan->row_count; i++)
    if (plan->rows[i].has_input) return true;
  return false;
}

InputJump *run_before_inputs(Run *run, double t) {
  if (!inputs_drive(run)) return NULL;
  InputJump *jump = arena_new(&run->cx->scratch, InputJump);
  jump->before = jump_side(&run->cx->scratch, &run->machine, t, run->q, run->qd);
  jump->gap = meets_contacts(run) ? gaps_at(run, t) : NULL;
  return jump;
}

Status run_after_inputs(Run *run, double t, const InputJump *jump, bool *changed) {
  bool jumps = false;
  if (!jump) return QDOT_OK;
  Status status = follow_jump(run, t, &jump->before, jump->gap, false, &jumps);
  if (jumps && run->slopes) slopes_lose(run->slopes, t, "a speed that an input gives jumps");
  *changed |= jumps;
  return status;
}
