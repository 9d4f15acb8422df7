// Events of a run: gaps that close, forces that fall to zero, switches.
#include <float.h>

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "sim/event/jump.h"
#include "sim/run/run.h"

enum { MOST_SWITCHES = 1000, MOST_AT_ONCE = 1000, BLOCK = 1000, MOST_FAST_BLOCKS = 50 };
// At a rate at which so many events are left until the end, bounces that pile up settle soon, or
// never.
static const double MOST_LEFT = 1e8;
// A load along a contact that is more than what friction holds by this part is rounding.
static const double HELD = 1e-10;
// A joint that is so near to all that it holds yields with others.
static const double NEARLY = 1e-6;
// A guard that a blow moves by more than this part of what it has been is moved by it.
static const double THROWN = 1e-8;
// One that is less than this part of what it has been may be rounding.
static const double STILL = 1e-12;

bool run_sticks(const Run *run) {
  for (int i = 0; i < run->switches; i++)
    if (run->side[i] == 0) return true;
  for (int i = 0; i < run->slides; i++)
    if (run->holds[i]) return true;
  for (int i = 0; i < run->rubs; i++)
    if (run->machine.slips[i].state == SLIP_RESTS) return true;
  return false;
}

bool run_mixes(const Run *run) {
  for (int i = 0; i < run->rubs; i++)
    if (run->machine.slips[i].state != SLIP_FREE) return true;
  return run_sticks(run);
}

// Speeds of contacts that slide; of those that rest, what their friction could hold beyond their
// load.
static void watch_rubs(Run *run, double t, const double *q, const double *qd, double *g) {
  Machine *m = &run->machine;
  if (run->rubs == 0) return;
  const double *slip = machine_run_slips(m, t, q, qd).v;
  for (int i = 0; i < run->rubs; i++)
    g[i] =
        m->slips[i].state == SLIP_SLIDES ? m->slips[i].direction * slip[i] + m->slips[i].slack : 1;
  for (int r = 0; r < m->problem.m; r++) {
    int contact = machine_place(m, r) - m->rows;
    for (int i = 0; contact >= 0 && i < run->rubs; i++) {
      if (machine_slip_contact(m, i) != contact || m->slips[i].state != SLIP_RESTS) continue;
      double holds = m->slips[i].mu_rest * run->lambda[r];
      g[i] = holds - fabs(m->slips[i].force) + HELD * fmax(holds, m->slips[i].unit);
    }
  }
}

// Guards; of a switch that sticks, what is left until one side alone is not enough.
static void watch_switches(Run *run, const double *guard, double *g) {
  for (int i = 0; i < run->switches; i++) {
    run->reach[i] = fmax(run->reach[i], fabs(guard[i]));
    double use = run->side[i] == 0 ? sticking_use(&run->sticking, i) : 0;
    g[i] = run->side[i] == 0 ? 1 - use * use : guard[i] + run->side[i] * run->slack[i];
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
    for (int i = 0; i < m->contacts; i++) g[i] = phi[i] - contact_gap_tolerance(&run->contacts, i);
  }
  if (any_closed || sticks) {
    Dynamics *d = &run->stepper->dynamics;
    long evaluations = d->evaluations;
    Status status = dynamics_evaluate(d, t, q, qd, run->qdd, run->lambda, run->row);
    d->evaluations = evaluations;
    if (status != QDOT_OK) return status;
    if (run->rubs > 0) sticking_share_if_needed(&run->sticking, run->lambda);
    for (int r = 0; r < m->problem.m; r++) {
      int contact = machine_place(m, r) - m->rows;
      if (contact >= 0)
        g[contact] = run->lambda[r] + contact_force_tolerance(&run->contacts, contact);
    }
  }
  if (run->switches > 0) {
    watch_switches(run, machine_run_guards(m, t, q, qd).guards, g + m->contacts);
  }
  run_watch_slides(run, t, q, qd, g + m->contacts + run->switches);
  watch_rubs(run, t, q, qd, g + m->contacts + run->switches + run->slides);
  if (run->occasions > 0)
    memcpy(g + m->contacts + run->switches + run->slides + run->rubs,
           machine_run_occasions(m, t, q, qd).functions, (size_t)run->occasions * sizeof *g);
  return QDOT_OK;
}

void run_arm_events(Run *run) {
  Machine *m = &run->machine;
  for (int i = 0; i < m->contacts; i++)
    run->events.side[i] = run_steps_contacts(run) ? 0 : m->closed[i] ? 1 : -1;
  for (int i = 0; i < run->switches; i++)
    run->events.side[m->contacts + i] = run->side[i] == 0 ? 1 : run->side[i];
  int rest = run->slides + run->rubs;
  for (int i = 0; i < rest; i++) run->events.side[m->contacts + run->switches + i] = 1;
  run_arm_occasions(run);
}

// Which of the switches in run->hit, whose guards are zero, and of the slides in run->holds stick;
// the machine takes over all sides. new_set: its contacts are not those of the stepper, or there is
// none.
static Status settle(Run *run, double t, const double *q, double *qd, bool new_set) {
  Machine *m = &run->machine;
  if (method_get(run->o->method.method)->kind ==
      METHOD_OF_LAGRANGIAN) { // has no evaluations that could be mixed
    machine_set_sides(m, run->side);
    return run_refuse_rest(run);
  }
  Mark mark = arena_mark(&m->cx->scratch);
  Sticking other, *sticking = &run->sticking;
  if (new_set) {
    machine_use_contacts(m);
    sticking = &other;
    sticking_open(sticking, &m->cx->scratch, m, run->switches, 0);
  }
  for (int i = 0; i < run->slides; i++) {
    sticking->rest[i].holds = run->holds[i];
    sticking->rest[i].creeps = isfinite(run->leaves[i]);
    if (run->holds[i]) sticking_stop(sticking, i, t, q, qd);
  }
  Status status = sticking_settle(sticking, t, q, qd, run->hit, run->side);
  machine_set_sides(m, run->side);
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
    double *side = run->side + e->tables[i].first_guard,
           *slack = run->slack + e->tables[i].first_guard;
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
  if (any) machine_set_sides(m, run->side);
}

// A blow may move what is looked up beyond several knots at once.
static void follow_blow(Run *run, double t) {
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
  machine_set_sides(m, run->side);
  machine_need(m, PART_GUARDS);
  const double *guard = machine_run(m, PART_GUARDS, t, q, qd);
  for (uint32_t i = 0; i < e->table_count; i++) {
    const TableUse *use = &e->tables[i];
    double *side = run->side + use->first_guard;
    if (use->is_timed || side[0] == 0 || side[1] == 0) continue;
    const TableData *table = table_get(run->cx, use->table);
    TablePiece piece = table_piece(table, m->pieces[i]);
    double beyond = 0, x = 0;
    if (piece.has_upper) x = guard[use->first_guard + 1] + piece.upper, beyond = x - piece.upper;
    if (piece.has_lower) {
      x = guard[use->first_guard] + piece.lower;
      beyond = fmax(beyond, piece.lower - x);
    }
    if (!(beyond > 1e-9 / table->per_spacing)) continue;
    side[0] = 1, side[1] = -1;
    run->slack[use->first_guard] = run->slack[use->first_guard + 1] = 0;
    machine_set_piece(m, i, table_piece_number(table, x));
  }
}

Status run_choose_sides(Run *run, double t, const double *q, double *qd) {
  Machine *m = &run->machine;
  bool any_rest = run_find_rest(run, t, q, qd);
  if (!machine_switches(m)) return any_rest ? settle(run, t, q, qd, !run->stepper) : QDOT_OK;
  const double *g = machine_find_pieces(m, t, q, qd, NULL);
  knots_place(&run->knots, t);
  bool any_zero = false;
  for (int i = 0; i < run->switches; i++) {
    run->side[i] = g[i] < 0 ? -1 : 1;
    any_zero |= g[i] == 0;
    run->hit[i] = g[i] == 0;
  }
  machine_set_sides(m, run->side);
  if (!any_zero && any_rest) return settle(run, t, q, qd, !run->stepper);
  if (!any_zero) return QDOT_OK;
  // a short way on, with the accelerations of either side: the side that agrees with itself
  Mark mark = arena_mark(&m->cx->scratch);
  double *q1 = arena_array(&m->cx->scratch, double, run->n);
  double *qd1 = arena_array(&m->cx->scratch, double, run->acting - run->n);
  Dynamics d;
  dynamics_open(&d, &m->cx->scratch, &m->problem);
  Status status = QDOT_OK;
  for (int attempt = 0; attempt < 2 && status == QDOT_OK; attempt++) {
    status = dynamics_evaluate(&d, t, q, qd, run->qdd, NULL, run->row);
    double h = 1e-7 * fmax(run->o->every, 1e-9);
    for (int i = 0; i < run->n; i++) {
      q1[i] = q[i] + h * (qd[i] + h / 2 * run->qdd[i]);
      qd1[i] = qd[i] + h * run->qdd[i];
    }
    for (int i = 0; i < m->states; i++) qd1[run->n + i] = qd[run->n + i] + h * run->row[i];
    g = machine_run_switches(m, t + h, q1, qd1).guards;
    for (int i = 0; i < run->switches; i++)
      if (run->hit[i] && g[i] != 0) run->side[i] = g[i] < 0 ? -1 : 1;
    machine_set_sides(m, run->side);
  }
  arena_release(&m->cx->scratch, mark);
  follow_switches(run, t, q, qd);
  if (status == QDOT_OK) status = settle(run, t, q, qd, !run->stepper);
  shift_pieces(run);
  return status;
}

static Status chattering(Run *run) {
  run->why = "a switch chatters: the equations push it back to where it comes from";
  run->why_note =
      method_get(run->o->method.method)->kind == METHOD_OF_LAGRANGIAN
          ? "for forces that stick, such as dry friction, use another method, such as rk853"
          : "tanh(u/u_0) with a small u_0 in place of sign(u) does not chatter";
  return QDOT_STEP_LIMIT;
}

// The state at an event, on the constraints.
static Status state_at_event(Run *run, double t) {
  Stepper *s = run->stepper;
  int n = run->n;
  Status status = stepper_dense(s, t, run->y);
  if (status == QDOT_OK && run_keeps_constraints(run))
    status = project_state(&s->projector, t, run->y, run->y + n);
  run_take_state(run, t, run->y);
  return status;
}

// Impacts that come ever faster, block after block.
static bool impacts_without_end(Run *run, double t) {
  if (++run->impacts < BLOCK) return false;
  double left = BLOCK * (run->o->t_end - t) / fmax(t - run->impacts_since, DBL_MIN);
  run->fast_blocks = left > MOST_LEFT ? run->fast_blocks + 1 : 0;
  run->impacts = 0;
  run->impacts_since = t;
  return run->fast_blocks > MOST_FAST_BLOCKS;
}

// Events must not hold the time: a switch that sticks from the start, or contacts without rest.
static Status check_progress(Run *run, double t, bool contact_hit, bool own_hit) {
  bool stands = t - run->last_event <= 1e-13 * run->o->t_end;
  bool endless = contact_hit && impacts_without_end(run, t);
  if (own_hit) endless |= run_piles_up(run, t);
  run->events_at_once = stands ? run->events_at_once + 1 : 0;
  run->last_event = t;
  if (run->events_at_once <= MOST_AT_ONCE && !endless) return QDOT_OK;
  if (own_hit) {
    run->why = "events of the model follow each other without end";
    run->why_note = "each comes sooner after the one before it; a condition may end them, such as "
                    "'and x' < -v_0'";
    return QDOT_STEP_LIMIT;
  }
  if (!contact_hit) return chattering(run);
  run->why = "contacts open and close without end";
  run->why_note = "a part that is squeezed between contacts has nowhere to go; one contact fewer, "
                  "or a smaller restitution, may let it settle";
  return QDOT_STEP_LIMIT;
}

// Joints of one mechanism yield together.
static bool any_joint_yields(const Run *run, const bool *hit) {
  for (int i = 0; i < run->switches && run->machine.presses > 0; i++)
    if (hit[i] && run->side[i] == 0 && run->sticking.is_press[i]) return true;
  return false;
}

// Switches that stick let go where a blow has moved them, or when their load has become too much;
// then the error of the method may have left them a little on the wrong side.
static void let_go(Run *run, const bool *hit, const double *guard, bool is_struck) {
  bool yields = any_joint_yields(run, hit);
  for (int i = 0; i < run->switches; i++) {
    run->slack[i] = 0;
    if (run->side[i] != 0) continue;
    bool follows =
        yields && run->sticking.is_press[i] && fabs(sticking_use(&run->sticking, i)) >= 1 - NEARLY;
    // the speed of one that gives way now is rounding
    bool gives_way = hit[i] || follows;
    bool moved = is_struck && fabs(guard[i]) > THROWN * run->reach[i];
    if (!gives_way && moved) run->side[i] = guard[i] < 0 ? -1 : 1;
    if (!gives_way) continue;
    run->side[i] = run->sticking.share[i] < 0 ? -1 : 1;
    run->slack[i] = 2 * fabs(guard[i]);
  }
}

// A blow throws guards to where it will: those that are beyond zero now are on their other side, at
// once and without having stood at zero, where they could stick.
static bool follow_guards(Run *run, const double *guard) {
  bool any = false;
  for (int i = 0; i < run->switches; i++) {
    bool is_thrown = run->side[i] * guard[i] < -THROWN * run->reach[i];
    if (is_thrown) run->side[i] = -run->side[i];
    any |= is_thrown;
  }
  return any;
}

// A joint that rubs, whose side makes no difference because a contact holds it, has no speed but
// rounding: that is no motion to turn round with.
static void bear_rounding(Run *run) {
  for (int i = 0; i < run->switches && run->machine.presses > 0; i++)
    if (run->hit[i] && run->side[i] != 0 && run->sticking.is_press[i])
      run->slack[i] = fmax(run->slack[i], STILL * run->reach[i]);
}

// Many switches in next to no time; a thousand in a row's time may be a fast one at work.
static bool switches_without_end(Run *run, double t) {
  if (run->switched++ == 0) run->switched_since = t;
  if (run->switched <= MOST_SWITCHES) return false;
  run->switched = 0;
  return t - run->switched_since < 1e-6 * run->o->every;
}

// What is hit goes over to its other side, or sticks.
static Status treat_switches(Run *run, double t, bool *new_set) {
  Machine *m = &run->machine;
  const bool *hit = run->events.hit + m->contacts;
  bool stuck = run_sticks(run), any = false;
  const bool *slide_hit = hit + run->switches;
  for (int i = 0; i < run->switches + run->slides; i++) any |= hit[i];
  bool rests = run->slides > 0 && run_stop_slides(run, t, slide_hit);
  const double *guard =
      run->switches > 0 ? machine_run_switches(m, t, run->q, run->qd).guards : NULL;
  bool thrown = run->is_struck && follow_guards(run, guard);
  if (!stuck && !any && !rests && !thrown) return QDOT_OK;
  for (int i = 0; i < run->switches; i++) {
    run->hit[i] = run->side[i] != 0 && hit[i];
    if (run->hit[i]) run->side[i] = -run->side[i];
  }
  if (run->switches > 0) let_go(run, hit, guard, run->is_struck);
  for (int i = 0; i < run->switches; i++) run->hit[i] |= run->side[i] == 0;
  follow_switches(run, t, run->q, run->qd);
  Status status = settle(run, t, run->q, run->qd, *new_set);
  bear_rounding(run);
  run_push_slides(run);
  shift_pieces(run);
  *new_set |= stuck || run_sticks(run);
  if (any && switches_without_end(run, t) && status == QDOT_OK) status = chattering(run);
  return status;
}

// ---- What begins to stick, and what lets go

static bool is_stuck(const Run *run, int i) {
  int slide = i - run->switches;
  return slide < 0 ? run->side[i] == 0 : run->holds[slide] && !isfinite(run->leaves[slide]);
}

void run_note_stuck(Run *run) {
  for (int i = 0; i < run->switches + run->slides; i++) run->stuck[i] = is_stuck(run, i);
}

void run_tell_stuck(Run *run, double t) {
  for (int i = 0; i < run->switches + run->slides; i++) {
    bool was_stuck = run->stuck[i];
    run->stuck[i] = is_stuck(run, i);
    if (run->stuck[i] == was_stuck) continue;
    SimEvent event = {
        .t = t, .number = run->coordinate[i], .kind = was_stuck ? SIM_SLIP : SIM_STICK};
    vec_push(run->found, &run->summary->events, event);
  }
}

// ---- Drives whose speed jumps, surfaces with edges

static bool may_jump(const Run *run) {
  const Machine *m = &run->machine;
  if (run->switches == 0) return false;
  return m->rows > 0 || (m->contacts > 0 && !run_steps_contacts(run)) ||
         expr_has_kind(run->cx, m->system->T, KIND_BIT(SYMBOL_TIME));
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
    if (!is_told) vec_push(run->found, &summary->events, event);
  }
}

// Contacts that were closed meet what has jumped as if they had just touched.
static Status meet_jump(Run *run, double t, const bool *was_closed) {
  Machine *m = &run->machine;
  SimSummary *summary = run->summary;
  if (m->contacts == 0) return QDOT_OK;
  uint32_t kept = summary->events.n, known = kept;
  run_note_velocities(run);
  Status status = contacts_resolve(&run->contacts, t, run->q, run->qd, was_closed, summary);
  monitor_impact(&run->monitor, t, run->q, run->qd_before, run->qd);
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
  vec_push(run->found, &run->summary->events, event);
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
  if (status == QDOT_OK) status = meet_jump(run, t, was_closed);
  arena_release(&run->cx->scratch, mark);
  return status;
}

static Status cannot_follow(Run *run, uint32_t who) {
  const Machine *m = &run->machine;
  bool is_row = (int)who < m->rows;
  const Row *row = is_row ? &m->system->rows[who] : &m->system->contacts[(int)who - m->rows];
  run->why = text_format(&run->cx->keep, "the position that %s '%s' gives jumps",
                         is_row ? "constraint" : "contact", symbol_text(run->cx, row->name));
  run->why_note = "nothing can follow a sudden jump; use a ramp, or a speed that switches";
  return QDOT_STEP_LIMIT;
}

// Switches have gone over to other sides: what they drive may jump.
static Status follow_jump(Run *run, double t, const JumpSide *before, bool *new_set) {
  Machine *m = &run->machine;
  JumpSide after = jump_side(&run->cx->scratch, m, t, run->q, run->qd);
  uint32_t who = 0;
  JumpKind kind = jump_between(m, t, run->q, run->qd, before, &after, &who);
  if (kind == JUMP_NONE) return QDOT_OK;
  if (kind == JUMP_PLACE) return cannot_follow(run, who);
  if (kind == JUMP_SPEED) tell_jump(run, t, who);
  Status status = jump_to(run, t, before, &after);
  memset(run->hit, 0, (size_t)run->switches * sizeof *run->hit);
  let_go(run, run->hit, machine_run_switches(m, t, run->q, run->qd).guards, true);
  machine_set_sides(m, run->side);
  *new_set = true;
  return status;
}

static Status switch_and_jump(Run *run, double t, bool *new_set) {
  Machine *m = &run->machine;
  if (!may_jump(run)) return treat_switches(run, t, new_set);
  Mark mark = arena_mark(&run->cx->scratch);
  JumpSide before = jump_side(&run->cx->scratch, m, t, run->q, run->qd);
  double E = *machine_run_energy(m, t, run->q, run->qd).total;
  Status status = treat_switches(run, t, new_set);
  machine_need_method(m, run->o->method.method); // of the contacts that are closed now
  // a given motion may change the energy by its rate alone
  run->w[POWER_DRIVES] += *machine_run_energy(m, t, run->q, run->qd).total - E;
  if (status == QDOT_OK) status = follow_jump(run, t, &before, new_set);
  arena_release(&run->cx->scratch, mark);
  return status;
}

// Contacts whose sliding has come to rest, or whose load is more than friction holds.
static bool stop_rubs(Run *run) {
  const bool *hit = run->events.hit + run->machine.contacts + run->switches + run->slides;
  bool any = false;
  for (int i = 0; i < run->rubs; i++) {
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
  for (int i = 0; i < run->rubs; i++) {
    const Slip *was = &before[i], *is = &run->machine.slips[i];
    if (was->state == SLIP_FREE || is->state == SLIP_FREE) continue;
    bool turns = is->state == SLIP_SLIDES && is->direction != was->direction;
    if (was->state == is->state && !turns) continue;
    SimEvent event = {.t = t,
                      .number = event_number(&run->machine, i),
                      .kind = is->state == SLIP_RESTS ? SIM_STICK : SIM_SLIP};
    vec_push(&run->cx->keep, &run->summary->events, event);
  }
}

// What friction has held so far moves by rounding alone: that is not a motion, and no measure of
// one.
static void forget_rounding(Run *run, double t) {
  const Contacts *c = &run->contacts;
  if (run->rubs == 0 || c->speed > 1e-12 * c->acceleration * t) return;
  memset(run->qd, 0, (size_t)run->n * sizeof *run->qd);
  memset(run->stepper->largest + run->n, 0, (size_t)run->n * sizeof *run->qd);
}

// An impact strikes through joints that rub, whose law has forces only.
static void tell_missing_impulse(Run *run, double t) {
  const Machine *m = &run->machine;
  if (m->presses == 0 || run->told_impulse) return;
  run->told_impulse = true;
  diag_warning_plain(run->cx,
                     "at t = %.6g s, the first impact: the friction of joint '%s' gives no impulse "
                     "in impacts",
                     t, symbol_text(run->cx, m->system->model->presses.at[0].joint));
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
  if (run_mixes(run)) sticking_show(&run->sticking, run->side);
  Status status =
      contacts_resolve(&run->contacts, t, run->q, run->qd, run->events.hit, run->summary);
  run->why = run->contacts.why, run->why_note = run->contacts.why_note;
  monitor_impact(&run->monitor, t, run->q, run->qd_before, run->qd);
  run->is_struck = memcmp(run->qd_before, run->qd, (size_t)run->n * sizeof *run->qd) != 0;
  if (run->is_struck) tell_missing_impulse(run, t);
  tell_rubs(run, t, before);
  follow_blow(run, t);
  run->owes_event_row = run->o->event_rows; // the stepper is still that of the set before
  *new_set = run->rubs > 0 || memcmp(was, m->closed, (size_t)m->contacts * sizeof *was) != 0;
  arena_release(&run->cx->scratch, mark);
  return status;
}

Status run_treat_event(Run *run, double t, bool *new_set) {
  Machine *m = &run->machine;
  run->at_event = true;
  run->is_struck = false;
  Status status = state_at_event(run, t);
  if (status == QDOT_OK && run->o->event_rows)
    status = run_write_event_row(run, t, run->q, run->qd);
  bool contact_hit = false;
  for (int i = 0; i < m->contacts; i++) contact_hit |= run->events.hit[i];
  contact_hit |= stop_rubs(run);
  const bool *own = run->events.hit + run_function_count(run) - run->occasions;
  bool own_hit = false, changed = false;
  for (int i = 0; i < run->occasions; i++) own_hit |= own[i];
  if (status == QDOT_OK) status = check_progress(run, t, contact_hit, own_hit);
  if (status != QDOT_OK) return status;
  *new_set = false;
  if (contact_hit) status = treat_contacts(run, t, new_set);
  if (status == QDOT_OK && run->switches + run->slides > 0)
    status = switch_and_jump(run, t, new_set);
  if (status == QDOT_OK && own_hit) {
    status = run_treat_occasions(run, t, &changed);
    *new_set |= changed && run->switches + run->slides + run->rubs > 0;
  }
  run_tell_stuck(run, t);
  run->at_event = status != QDOT_OK;
  return status;
}
