// Switches of a run: the side of each, what sticks and what lets go, and where tables go on.
#include <math.h>

#include "engine/run/run.h"

enum { MOST_SWITCHES = 1000 };
// Utilization of a joint's friction at rest: one nearer to 1 than this lets go with the others.
static const double NEARLY = 1e-6;
// Part of a guard's largest value so far: by more than this an impulse has moved the guard.
static const double THROWN = 1e-8;
// Part of a joint's largest speed so far: below it the joint may stick when another one stops.
static const double TOGETHER = 1e-9;
// Part of a joint's largest speed so far: below it a speed may be rounding.
static const double STILL = 1e-12;

bool run_sticks(const Run *run) {
  for (int i = 0; i < run->switching.count; i++)
    if (run->switching.side[i] == 0) return true;
  for (int i = 0; i < run->sliding.count; i++)
    if (run->sliding.holds[i]) return true;
  for (int i = 0; i < run->friction.slips; i++)
    if (run->machine.slips[i].state == SLIP_RESTS) return true;
  return false;
}

bool run_mixes(const Run *run) {
  for (int i = 0; i < run->friction.slips; i++)
    if (run->machine.slips[i].state != SLIP_FREE) return true;
  return run_sticks(run);
}

// Which of the switches in run->switching.may_stick, whose guards are zero, and of the slides in
// run->sliding.holds stick; the machine takes over all sides. new_set: its contacts are not those
// of the stepper, or there is none.
static Status settle(Run *run, double t, const double *q, double *qd, bool new_set) {
  Machine *m = &run->machine;
  if (method_get(run->o->method.method)->kind ==
      METHOD_OF_LAGRANGIAN) { // has no evaluations that could be mixed
    machine_set_sides(m, run->switching.side);
    return run_refuse_rest(run);
  }
  Mark mark = arena_mark(&m->cx->scratch);
  Sticking other, *sticking = &run->friction.sticking;
  if (new_set) {
    machine_use_contacts(m);
    sticking = &other;
    sticking_open(sticking, &m->cx->scratch, m, run->switching.count, 0);
  }
  for (int i = 0; i < run->sliding.count; i++) {
    sticking->rest[i].holds = run->sliding.holds[i];
    sticking->rest[i].creeps = isfinite(run->sliding.overloaded_since[i]);
    if (run->sliding.holds[i]) sticking_stop(sticking, i, t, q, qd);
  }
  Status status =
      sticking_settle(sticking, t, q, qd, run->switching.may_stick, run->switching.side);
  machine_set_sides(m, run->switching.side);
  run_start_slides(run, sticking);
  arena_release(&m->cx->scratch, mark);
  return status;
}

// A table that has gone beyond a knot is on its next piece, and the knots beside that are watched.
static void shift_pieces(Run *run) {
  Machine *m = &run->machine;
  const Equations *e = m->set->equations;
  bool any = false;
  for (uint32_t i = 0; i < e->table_count; i++) {
    double *side = run->switching.side + e->tables[i].first_guard,
           *slack = run->switching.slack + e->tables[i].first_guard;
    if (e->tables[i].is_timed || side[0] == 0 || side[1] == 0) continue;
    if (side[0] > 0 && side[1] < 0) continue;
    bool up = side[1] > 0;
    m->pieces[i] += up ? 1 : -1;
    // the knot that was behind it is the one before it now, or the other way round
    slack[up ? 0 : 1] = slack[up ? 1 : 0];
    slack[up ? 1 : 0] = 0;
    side[0] = 1, side[1] = -1;
    any = true;
  }
  if (any) machine_set_sides(m, run->switching.side);
}

// A blow may move what is looked up beyond several knots at once.
void run_follow_blow(Run *run, double t) {
  Machine *m = &run->machine;
  const Equations *e = m->set->equations;
  if (e->table_count == 0) return;
  const double *piece = machine_run_switches(m, t, run->q, run->qd).pieces;
  for (uint32_t i = 0; i < e->table_count; i++)
    if (!e->tables[i].is_timed && fabs(piece[i] - m->pieces[i]) > 1)
      machine_set_piece(m, i, piece[i]);
}

// What is looked up may jump with a switch, beyond any number of knots: its sides are those that
// the switches have now. Next to a knot the table continues by its guards.
static void follow_switches(Run *run, double t, const double *q, const double *qd) {
  Machine *m = &run->machine;
  const Equations *e = m->set->equations;
  if (e->table_count == 0 || e->switch_count == 0) return;
  machine_set_sides(m, run->switching.side);
  machine_need(m, PART_GUARDS);
  const double *guard = machine_run(m, PART_GUARDS, t, q, qd);
  for (uint32_t i = 0; i < e->table_count; i++) {
    const PlanTable *use = &e->tables[i];
    double *side = run->switching.side + use->first_guard;
    if (use->is_timed || side[0] == 0 || side[1] == 0) continue;
    TablePiece piece = table_piece(use->table, m->pieces[i]);
    double beyond = 0, x = 0;
    if (piece.has_upper) x = guard[use->first_guard + 1] + piece.upper, beyond = x - piece.upper;
    if (piece.has_lower) {
      x = guard[use->first_guard] + piece.lower;
      beyond = fmax(beyond, piece.lower - x);
    }
    if (!(beyond > 1e-9 / use->table->per_spacing)) continue;
    side[0] = 1, side[1] = -1;
    run->switching.slack[use->first_guard] = run->switching.slack[use->first_guard + 1] = 0;
    machine_set_piece(m, i, table_piece_number(use->table, x));
  }
}

Status run_choose_sides(Run *run, double t, const double *q, double *qd) {
  Machine *m = &run->machine;
  bool any_rest = run_find_rest(run, t, q, qd);
  if (!machine_switches(m)) return any_rest ? settle(run, t, q, qd, !run->stepper) : QDOT_OK;
  const double *g = machine_find_pieces(m, t, q, qd, NULL);
  knots_place(&run->moments.knots, t);
  bool any_zero = false;
  for (int i = 0; i < run->switching.count; i++) {
    run->switching.side[i] = g[i] < 0 ? -1 : 1;
    any_zero |= g[i] == 0;
    run->switching.may_stick[i] = g[i] == 0;
  }
  machine_set_sides(m, run->switching.side);
  if (!any_zero && any_rest) return settle(run, t, q, qd, !run->stepper);
  if (!any_zero) return QDOT_OK;
  // a short way on, with the accelerations of either side: the side that agrees with itself
  Mark mark = arena_mark(&m->cx->scratch);
  double *q1 = arena_array(&m->cx->scratch, double, run->n);
  double *qd1 = arena_array(&m->cx->scratch, double, run->acting - run->n);
  Dynamics d;
  if (m->problem.m > 0 || !m->problem.forward) machine_need(m, PART_TERMS);
  machine_need(m, PART_POWER);
  dynamics_open(&d, &m->cx->scratch, &m->problem);
  Status status = QDOT_OK;
  for (int attempt = 0; attempt < 2 && status == QDOT_OK; attempt++) {
    status = dynamics_evaluate(&d, t, q, qd, run->work.qdd, NULL, run->rows.row);
    double h = 1e-7 * fmax(run->o->every, 1e-9);
    for (int i = 0; i < run->n; i++) {
      q1[i] = q[i] + h * (qd[i] + h / 2 * run->work.qdd[i]);
      qd1[i] = qd[i] + h * run->work.qdd[i];
    }
    for (int i = 0; i < m->states; i++) qd1[run->n + i] = qd[run->n + i] + h * run->rows.row[i];
    g = machine_run_switches(m, t + h, q1, qd1).guards;
    for (int i = 0; i < run->switching.count; i++)
      if (run->switching.may_stick[i] && g[i] != 0) run->switching.side[i] = g[i] < 0 ? -1 : 1;
    machine_set_sides(m, run->switching.side);
  }
  arena_release(&m->cx->scratch, mark);
  follow_switches(run, t, q, qd);
  if (status == QDOT_OK) status = settle(run, t, q, qd, !run->stepper);
  shift_pieces(run);
  return status;
}

Status run_chattering(Run *run) {
  run->end.why = "a switch chatters: the equations push it back to where it comes from";
  run->end.why_note =
      method_get(run->o->method.method)->kind == METHOD_OF_LAGRANGIAN
          ? "for forces that stick, such as dry friction, use another method, such as rk853"
          : "tanh(u/u_0) with a small u_0 in place of sign(u) does not chatter";
  return QDOT_STEP_LIMIT;
}

// Does the friction of a joint at rest reach its limit? Joints of one mechanism then let go
// together.
static bool any_joint_yields(const Run *run, const bool *hit) {
  for (int i = 0; i < run->switching.count && run->machine.presses > 0; i++)
    if (hit[i] && run->switching.side[i] == 0 && run->friction.sticking.is_press[i]) return true;
  return false;
}

// Switches that stick let go where an impulse has moved their guard, or where their load exceeds
// what holds them; in the latter case the error of the method may have left the guard slightly on
// the wrong side of zero, which the slack allows.
void run_let_go(Run *run, const bool *hit, const double *guard, bool is_struck) {
  bool yields = any_joint_yields(run, hit);
  for (int i = 0; i < run->switching.count; i++) {
    run->switching.slack[i] = 0;
    if (run->switching.side[i] != 0) continue;
    bool follows = yields && run->friction.sticking.is_press[i] &&
                   fabs(sticking_use(&run->friction.sticking, i)) >= 1 - NEARLY;
    // the speed of one that gives way now is rounding
    bool gives_way = hit[i] || follows;
    bool moved = is_struck && fabs(guard[i]) > THROWN * run->switching.reach[i];
    if (!gives_way && moved) run->switching.side[i] = guard[i] < 0 ? -1 : 1;
    if (!gives_way) continue;
    run->switching.side[i] = run->friction.sticking.share[i] < 0 ? -1 : 1;
    run->switching.slack[i] = 2 * fabs(guard[i]);
  }
}

// An impulse may take guards across zero at once: these change sides without sticking.
static bool follow_guards(Run *run, const double *guard) {
  bool any = false;
  for (int i = 0; i < run->switching.count; i++) {
    bool is_thrown = run->switching.side[i] * guard[i] < -THROWN * run->switching.reach[i];
    if (is_thrown) run->switching.side[i] = -run->switching.side[i];
    any |= is_thrown;
  }
  return any;
}

// The speed of a joint that rubs and is held by a contact is rounding; slack keeps it from
// changing the side of its friction.
static void bear_rounding(Run *run) {
  for (int i = 0; i < run->switching.count && run->machine.presses > 0; i++)
    if (run->switching.may_stick[i] && run->switching.side[i] != 0 &&
        run->friction.sticking.is_press[i])
      run->switching.slack[i] = fmax(run->switching.slack[i], STILL * run->switching.reach[i]);
}

// More than MOST_SWITCHES switches within a millionth of a row's time; as many within a whole row
// may be a switch that works fast.
static bool switches_without_end(Run *run, double t) {
  if (run->progress.switched++ == 0) run->progress.switched_since = t;
  if (run->progress.switched <= MOST_SWITCHES) return false;
  run->progress.switched = 0;
  return t - run->progress.switched_since < 1e-6 * run->o->every;
}

// Has an impulse stopped the joint whose friction this press is?
static bool is_stopped(const Run *run, int press) {
  const Machine *m = &run->machine;
  int i = m->plan->presses[press].guard;
  return run->event.is_struck && i >= 0 && run->switching.side[i] != 0 &&
         run->contacts.joint_rests[press];
}

static bool any_joint_stops(const Run *run) {
  for (int k = 0; run->event.is_struck && k < run->machine.presses; k++)
    if (is_stopped(run, k)) return true;
  return false;
}

// A joint that an impulse has stopped may stick or start again; its speed is rounding.
static void stop_joints(Run *run, const double *guard) {
  for (int k = 0; run->event.is_struck && k < run->machine.presses; k++) {
    if (!is_stopped(run, k)) continue;
    int i = run->machine.plan->presses[k].guard;
    run->switching.may_stick[i] = true;
    run->switching.slack[i] = 2 * fabs(guard[i]);
  }
}

// Joints of one mechanism come to rest together: where one may stick, so may those with next to no
// speed.
static void rest_together(Run *run, const double *guard) {
  const Machine *m = &run->machine;
  bool any = false;
  for (int k = 0; k < m->presses; k++)
    any |= m->plan->presses[k].guard >= 0 && run->switching.may_stick[m->plan->presses[k].guard];
  for (int k = 0; any && k < m->presses; k++) {
    int i = m->plan->presses[k].guard;
    if (i < 0 || run->switching.may_stick[i] ||
        !(fabs(guard[i]) <= TOGETHER * run->switching.reach[i]))
      continue;
    run->switching.may_stick[i] = true;
    run->switching.slack[i] = 2 * fabs(guard[i]);
  }
}

// Switches whose guards are zero change sides, or stick.
Status run_treat_switches(Run *run, double t, bool *new_set) {
  Machine *m = &run->machine;
  const bool *hit = run->events.hit + m->contacts;
  bool stuck = run_sticks(run), any = false;
  const bool *slide_hit = hit + run->switching.count;
  for (int i = 0; i < run->switching.count + run->sliding.count; i++) any |= hit[i];
  bool rests = run->sliding.count > 0 && run_stop_slides(run, t, slide_hit);
  const double *guard =
      run->switching.count > 0 ? machine_run_switches(m, t, run->q, run->qd).guards : NULL;
  bool thrown = run->event.is_struck && follow_guards(run, guard);
  if (!stuck && !any && !rests && !thrown && !any_joint_stops(run)) return QDOT_OK;
  for (int i = 0; i < run->switching.count; i++) {
    run->switching.may_stick[i] = run->switching.side[i] != 0 && hit[i];
    if (run->switching.may_stick[i]) run->switching.side[i] = -run->switching.side[i];
  }
  if (run->switching.count > 0) run_let_go(run, hit, guard, run->event.is_struck);
  for (int i = 0; i < run->switching.count; i++)
    run->switching.may_stick[i] |= run->switching.side[i] == 0;
  stop_joints(run, guard);
  rest_together(run, guard);
  follow_switches(run, t, run->q, run->qd);
  Status status = settle(run, t, run->q, run->qd, *new_set);
  bear_rounding(run);
  run_push_slides(run);
  shift_pieces(run);
  *new_set |= stuck || run_sticks(run);
  // friction that turns or stops takes its load from a contact at once
  for (int i = 0; i < m->contacts && !run_steps_contacts(run); i++)
    if (m->closed[i]) run->event.owes_settling = *new_set = true;
  if (any && switches_without_end(run, t) && status == QDOT_OK) status = run_chattering(run);
  return status;
}

// ---- What begins to stick, and what lets go

static bool is_stuck(const Run *run, int i) {
  int slide = i - run->switching.count;
  return slide < 0 ? run->switching.side[i] == 0
                   : run->sliding.holds[slide] && !isfinite(run->sliding.overloaded_since[slide]);
}

void run_note_stuck(Run *run) {
  for (int i = 0; i < run->switching.count + run->sliding.count; i++)
    run->switching.was_stuck[i] = is_stuck(run, i);
}

bool run_sticks_anew(const Run *run) {
  for (int i = 0; i < run->switching.count + run->sliding.count; i++)
    if (is_stuck(run, i) && !run->switching.was_stuck[i]) return true;
  return false;
}

void run_tell_stuck(Run *run, double t) {
  for (int i = 0; i < run->switching.count + run->sliding.count; i++) {
    bool was_stuck = run->switching.was_stuck[i];
    run->switching.was_stuck[i] = is_stuck(run, i);
    if (run->switching.was_stuck[i] == was_stuck) continue;
    SimEvent event = {
        .t = t, .number = run->switching.mover[i], .kind = was_stuck ? SIM_SLIP : SIM_STICK};
    vec_push(run->memory.found, &run->summary->events, event);
  }
}
