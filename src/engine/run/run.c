// The loop of a run: steps, events, rows.
#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/run/run.h"
#include "engine/start/initial.h"
#include "solve/algebra/dense.h"

static void close_stepper(void *object) { stepper_close(object); }
static void close_arena(void *object) { arena_close(object); }

static void count_up(Run *run) {
  run_note_reason(run);
  run->progress.counted[COUNT_STEPS] += run->stepper->steps;
  run->progress.counted[COUNT_REJECTED] += run->stepper->rejected;
  run->progress.counted[COUNT_EVALUATIONS] += run->stepper->dynamics.evaluations;
  run->summary->partitions += run->stepper->projector.partitions;
}

void run_end_stepper(Run *run) {
  if (!run->stepper) return;
  count_up(run);
  memcpy(run->work.largest, run->stepper->largest, (size_t)run->acting * sizeof(double));
  machine_learn_scale(&run->machine, run->stepper->dynamics.kkt.scale);
  guard_close(&run->cx->guard, &run->memory.stepper_handle);
  run->stepper = NULL;
  if (run->o->is_bare) // the next run needs as much
    arena_release(&run->memory.stepper, (Mark){0});
  else
    run_close_arena(run);
}

void run_close_arena(Run *run) {
  if (run->memory.stepper.memory) guard_close(&run->cx->guard, &run->memory.arena_handle);
  run->memory.stepper = (Arena){0};
}

static void open_arena(Run *run) {
  if (run->memory.stepper.memory) return;
  arena_open(&run->memory.stepper, &run->cx->memory, &run->cx->guard);
  guard_register(&run->cx->guard, &run->memory.arena_handle, &run->memory.stepper, close_arena);
}

Status run_begin_stepper(Run *run) {
  Machine *m = &run->machine;
  run_end_stepper(run);
  machine_use_contacts(m);
  machine_need_method(m, run->o->method.method);
  if (m->set->equations->lookup_count > 0) machine_need(m, PART_LOOKUPS);
  open_arena(run);
  if (run->switching.count + run->sliding.count + run->friction.slips > 0) {
    sticking_open(&run->friction.sticking, &run->memory.stepper, m, run->switching.count,
                  1 / run->o->every);
    run->friction.sticking.is_still = run->event.is_still;
    sticking_begin(&run->friction.sticking, run->switching.side, run->sliding.holds);
    run_note_stuck(run);
  }
  MethodOptions method = run->o->method;
  // slopes, lanes and repeated runs keep to the steps of one method
  method.may_change &= run->o->directions == NULL && !m->lane && !run->o->is_bare && run->sink->row;
  Status status = stepper_open(&run->memory.stepper, &m->problem, &method, &run->stepper);
  if (status != QDOT_OK) {
    run->stepper = NULL;
    run_close_arena(run);
    return status;
  }
  run->stepper->stop = run->o->stop;
  run->stepper->lane = m->lane ? m->lane->steps : NULL;
  guard_register(&run->cx->guard, &run->memory.stepper_handle, run->stepper, close_stepper);
  // rows remember how large they have been
  machine_known_scale(m, run->stepper->dynamics.kkt.scale);
  memcpy(run->stepper->largest, run->work.largest, (size_t)run->acting * sizeof(double));
  events_open(&run->events, &run->memory.stepper, run->stepper, run_function_count(run),
              run_event_functions, run);
  run->events.greatest = run->event.greatest;
  if (!run->event.owes_settling) return QDOT_OK;
  run->event.owes_settling = false;
  return run_settle_forces(run);
}

static bool wants_stop(const Run *run) { return run->o->stop && *run->o->stop; }

void run_pause(Run *run) {
  if (!run->o->is_bare) run->summary->wall_seconds += context_seconds() - run->progress.since;
}

void run_go_on(Run *run) {
  if (!run->o->is_bare) run->progress.since = context_seconds();
}

// The disk gets a fiftieth of the time at most.
static Status keep_now_and_then(Run *run) {
  double began = context_seconds();
  if (run->keeping.has_kept && began - run->keeping.at < 50 * run->keeping.seconds) return QDOT_OK;
  Status status = run_keep(run);
  run->keeping.has_kept = true;
  run->keeping.t = run->t;
  run->keeping.at = context_seconds();
  run->keeping.seconds = run->keeping.at - began;
  return status;
}

void run_take_state(Run *run, double t, const double *y) {
  size_t n = (size_t)run->n, acting = (size_t)run->acting;
  run->t = t;
  memcpy(run->q, y, n * sizeof *y);
  memcpy(run->qd, y + n, (acting - n) * sizeof *y);
  memcpy(run->w, y + acting, POWER_KINDS * sizeof *y);
}

void run_note_velocities(Run *run) {
  memcpy(run->event.qd_before, run->qd, (size_t)(run->acting - run->n) * sizeof *run->qd);
}

// The state at a checkpoint, from which every method starts anew, whether it is put on disk or not.
static Status reach_checkpoint(Run *run) {
  Stepper *s = run->stepper;
  run_take_state(run, s->t, s->y);
  run_end_stepper(run);
  run_pause(run);
  forcing_restart(&run->moments.forcing, &run->machine);
  for (int i = 0; i < run_function_count(run); i++) run->event.greatest[i] = 0;
  Status status = keep_now_and_then(run);
  run_go_on(run);
  return status;
}

Status run_check_overlap(Run *run) {
  const Stepper *s = run->stepper;
  Monitor *m = &run->monitor;
  if (m->overlap == 0) return QDOT_OK;
  Contacts *c = &run->contacts;
  Status status = contacts_check_overlap(c, m->overlaps, m->overlap, s->t, s->y, s->y + run->n);
  m->overlap = 0;
  if (status == QDOT_OK) return QDOT_OK;
  run->end.why = c->why, run->end.why_note = c->why_note;
  run->t = s->t;
  return status;
}

static Status after_step(Run *run) {
  Stepper *s = run->stepper;
  const SimOptions *o = run->o;
  run->machine.nearest_dead = 0;
  // a row at the moment of a sample shows what it has assigned
  run->rows.leaves_last = run_samples_now(run);
  Status status = run_write_rows(run, s->t);
  run->rows.leaves_last = false;
  if (status == QDOT_OK) status = run_write_stretch(run, s->t);
  if (status == QDOT_OK) status = run_watch_step(run, s->t);
  if (status == QDOT_OK) status = slopes_follow(run, s->t, false);
  run_note_dead(run);
  run_note_data_left(run);
  if (status != QDOT_OK) return status;
  if (!run->monitor.is_unwatched)
    monitor_state(&run->monitor, s->t, s->y, s->y + run->n, s->y + run->acting);
  status = run_check_overlap(run);
  if (status != QDOT_OK) return status;
  s->work_scale = monitor_work_scale(&run->monitor);
  run_watch_occasions(run);
  if (run->machine.contacts > 0 && !run_steps_contacts(run))
    status = contacts_watch(&run->contacts, s->t, s->y, s->y + run->n);
  if (o->progress)
    o->progress(o->progress_user, s->t, o->t_end, run->progress.counted[COUNT_STEPS] + s->steps);
  return status;
}

bool run_is_free(const Run *run) {
  const Equations *e = run->machine.set->equations;
  bool is_watched = run->sink->row || run->sink->stretch || run->slopes || run->o->progress;
  bool has_events = run->events.count > 0 || run->own.count > 0 || run->sliding.count > 0 ||
                    run->machine.contacts > 0 || run_sticks(run);
  bool has_tables = e->table_count > 0 || e->lookup_count > 0;
  bool is_projected = e->m == 0 || run->o->method.stabilize == STABILIZE_PROJECT;
  return run->o->is_bare && !is_watched && !has_events && !has_tables &&
         !run->moments.forcing.tape && is_projected;
}

bool run_must_look_up(const Run *run) { return wants_stop(run) || run_asks_for_progress(run); }

static void stopped_by_user(Run *run) {
  run->summary->stopped = STOPPED_USER;
  diag_warning_plain(run->cx, "stopped at t = %.6g s of %.6g s; what was computed is kept",
                     run->stepper->t, run->o->t_end);
  if (run->o->checkpoint && run->keeping.has_kept)
    diag_note(run->cx, "it can be resumed from t = %.6g s", run->keeping.t);
}

// What sticks does not show how fast its load grows: rows are the user's measure. What functions of
// time do is seen ahead; a method that proposes no step may make it ten times as long as the last.
double run_step_limit(Run *run, double limit) {
  const Stepper *s = run->stepper;
  limit = fmin(fmin(limit, run->moments.knots.next), run->moments.samplers.next);
  if (run_sticks(run)) limit = fmin(limit, s->t + run->o->every);
  if (s->method->kind == METHOD_EXPLICIT && !s->method->fixed_step)
    limit = run_slide_limit(run, limit);
  if (!s->method->fixed_step)
    return fmin(limit, forcing_limit(&run->moments.forcing, s->t,
                                     s->h > 0 ? s->h : 10 * (s->t - s->t_old)));
  if (isfinite(forcing_limit(&run->moments.forcing, s->t, 0.5 * s->options.step)))
    monitor_unseen(s->options.step, s->t, run->summary);
  return limit;
}

bool run_samples_now(const Run *run) { return run->stepper->t >= run->moments.samplers.next; }

// A moment of samples: what they assign holds from here on.
static Status pass_samples(Run *run, bool *restarts) {
  Stepper *s = run->stepper;
  Machine *m = &run->machine;
  bool changes_energy = m->plan->traits.energy_has_inputs;
  double E = changes_energy ? *machine_run_energy(m, s->t, s->y, s->y + run->n).total : 0;
  Mark mark = arena_mark(&run->cx->scratch);
  run_take_state(run, s->t, s->y);
  const InputJump *jump = run_before_inputs(run, s->t);
  if (!samplers_pass(&run->moments.samplers, s->t, s->y, s->y + run->n)) {
    run->end.why = "a sample gives a value that is not a number";
    run->t = s->t;
    arena_release(&run->cx->scratch, mark);
    return QDOT_STEP_LIMIT;
  }
  if (changes_energy)
    s->y[run->acting + POWER_DRIVES] += *machine_run_energy(m, s->t, s->y, s->y + run->n).total - E;
  run->rows.jumped = run->gauges.is_unseen = true;
  run_take_state(run, s->t, s->y);
  Status status = run_after_inputs(run, s->t, jump, restarts);
  arena_release(&run->cx->scratch, mark);
  if (status != QDOT_OK || run->own.count == 0) return status;
  return run_recheck_occasions(run, s->t, restarts);
}

Status run_pass_moments(Run *run, bool *restarts) {
  Stepper *s = run->stepper;
  bool samples = run_samples_now(run);
  bool knots = s->t >= run->moments.knots.next && knots_pass(&run->moments.knots, s->t);
  *restarts = false;
  if (!samples && !knots) return QDOT_OK;
  Status status = samples ? pass_samples(run, restarts) : QDOT_OK;
  if (status != QDOT_OK || *restarts) return status;
  status = stepper_go_on(s);
  return status == QDOT_OK ? slopes_go_on(run) : status;
}

static void tell_ambiguity(Run *run) {
  if (run->machine.presses == 0 || run->contacts.told_ambiguity) return;
  int press = sticking_find_ambiguity(&run->friction.sticking, run->t, run->q, run->qd);
  if (press < 0) return;
  run->contacts.told_ambiguity = true;
  diag_warning_plain(run->cx,
                     "at t = %.6g s the friction of joint '%s' allows more than one motion; the "
                     "run continues with the smaller forces",
                     run->t, run->machine.plan->presses[press].name);
}

// The joint of a wheel holds it on its line whatever pulls it up, but then it has no grip.
static void tell_unpressed(Run *run) {
  if (run->machine.presses == 0 || run->t > 0 || run->o->is_bare) return;
  int press = sticking_find_unpressed(&run->friction.sticking, run->t, run->q, run->qd);
  if (press < 0) return;
  diag_warning_plain(
      run->cx, "nothing presses the wheel of joint '%s' on its line at the start: it has no grip",
      run->machine.plan->presses[press].joint);
  diag_note(run->cx, "the joint holds it on its line all the same; a contact lets it lift off");
}

// Does all rest, by the mass-weighted speed, and stay so?
static bool is_at_rest(Run *run, double speed) {
  Contacts *c = &run->contacts;
  Dynamics *d = &run->stepper->dynamics;
  dense_multiply(run->n, run->n, c->M, run->qd, c->f);
  if (dense_dot(run->n, run->qd, c->f) > speed * speed) return false;
  int64_t evaluations = d->evaluations;
  Status status =
      dynamics_evaluate(d, run->t, run->q, run->qd, run->work.qdd, run->work.lambda, run->rows.row);
  d->evaluations = evaluations;
  dense_multiply(run->n, run->n, c->M, run->work.qdd, c->f);
  double left = CONTACT_RESTING * c->acceleration;
  return status == QDOT_OK && dense_dot(run->n, run->work.qdd, c->f) <= left * left;
}

// What rests on contacts moves by what is left of accelerations that cancel each other. Its errors,
// and those of works, are measured by the speed and energy that these would give in a millionth of
// a row's time, or steps would follow rounding, there and where it lifts off. Where no coordinate
// is farther from zero than rounding moves it within a thousand rows, all are at zero.
static Status measure_rest(Run *run, bool *rests) {
  static const double REST = 1e-6, ROUNDED = 1e-16, ROWS = 1000;
  const Machine *m = &run->machine;
  Contacts *c = &run->contacts;
  bool any_closed = false;
  for (int i = 0; i < m->contacts; i++) any_closed |= m->closed[i];
  *rests = false;
  if (m->contacts == 0 || c->is_stepped) return QDOT_OK;
  Status status = contacts_watch(c, run->t, run->q, run->qd);
  double speed = REST * c->acceleration * run->o->every, duration = ROWS * run->o->every;
  bool is_unmoved = status == QDOT_OK && any_closed && isfinite(duration);
  for (int i = 0; i < run->n && status == QDOT_OK; i++) {
    double own = c->M[(size_t)i * (size_t)run->n + (size_t)i];
    double *way = &run->stepper->largest[i], *rate = &run->stepper->largest[run->n + i];
    double least = own > 0 ? ROUNDED * c->acceleration / sqrt(own) * duration * duration : 0;
    is_unmoved &= *way <= least;
    if (any_closed && own > 0) *rate = fmax(*rate, speed / sqrt(own));
  }
  for (int i = 0; is_unmoved && i < run->n; i++) run->stepper->largest[i] = run->q[i] = 0;
  if (!any_closed) return status;
  monitor_rest(&run->monitor, speed * speed / 2);
  *rests = status == QDOT_OK && is_at_rest(run, speed);
  return status;
}

Status run_start_piece(Run *run) {
  Stepper *s = run->stepper;
  s->work_scale = 0; // the first step is chosen for the motion alone
  tell_ambiguity(run);
  tell_unpressed(run);
  knots_pass(&run->moments.knots, run->t);
  run_aim_slides(run, run->t, run->q, run->qd);
  bool rests;
  Status status = measure_rest(run, &rests);
  if (status == QDOT_OK) status = stepper_start(s, run->t, run->q, run->qd, run->w);
  if (status == QDOT_OK && rests) stepper_learn_noise(s);
  if (status == QDOT_OK) run_begin_touches(run);
  s->work_scale = monitor_work_scale(&run->monitor);
  run_arm_events(run);
  return status;
}

bool run_steps_contacts(const Run *run) {
  return method_get(run->o->method.method)->steps_contacts;
}

// What contacts have done in the last step.
static void take_contact_works(Run *run) {
  Stepper *s = run->stepper;
  Monitor *m = &run->monitor;
  s->y[run->acting + POWER_FRICTION] += s->work_rubbed;
  s->y[run->acting + POWER_DRIVES] += s->work_driven;
  m->impacts += s->work_pressed;
  m->projected += s->work_projected;
  m->gain += monitor_made(m, s->work_made);
  run->summary->impacts_softened += s->softened;
  m->missed = fmax(m->missed, s->missed);
  s->work_pressed = s->work_rubbed = s->work_driven = s->work_projected = s->work_made = 0;
  s->softened = 0;
  run_tell_touches(run);
}

// The last step once more, up to another time.
static Status step_again(Run *run, double until) {
  Stepper *s = run->stepper;
  const double *y = s->y_old;
  int64_t steps = s->steps;
  Status status = stepper_start(s, s->t_old, y, y + run->n, y + run->acting);
  s->work_projected = 0;
  if (status == QDOT_OK && until > s->t) status = stepper_step(s, until);
  s->steps = steps;
  return status;
}

// How far the first of what happens is from happening, at one end of the step; negative beyond.
static Status distance_at(Run *run, double t, const double *y, double *out) {
  const Events *e = &run->events;
  Status status = run_event_functions(run, t, y, y + run->n, e->g_room);
  *out = INFINITY;
  for (int i = 0; i < e->count; i++)
    if (e->hit[i]) *out = fmin(*out, e->side[i] * e->g_room[i]);
  return status;
}

// A step over contacts within which something happens is made again so that it ends where that has
// just happened: what contacts do in it, and the works of that, are those of the shorter step.
static Status shorten_step(Run *run, double *t_event) {
  enum { MOST_TRIES = 60 };
  Stepper *s = run->stepper;
  double before = s->t_old, beyond = s->t, g_before, g_beyond, t = *t_event;
  double near = 1e-12 * (beyond - before) + 4 * DBL_EPSILON * fabs(beyond);
  Status status = distance_at(run, before, s->y_old, &g_before);
  if (status == QDOT_OK) status = distance_at(run, beyond, s->y, &g_beyond);
  if (status != QDOT_OK || t >= beyond) return status;
  if (t <= before || !(g_beyond < 0 && g_before >= 0)) return step_again(run, t);
  for (int i = 0; i < MOST_TRIES && status == QDOT_OK && beyond - before > near; i++) {
    double g;
    if (!(t > before && t < beyond)) t = before + (beyond - before) / 2;
    status = step_again(run, t);
    if (status == QDOT_OK) status = distance_at(run, t, s->y, &g);
    if (status != QDOT_OK) return status;
    double *place = g < 0 ? &beyond : &before;
    *place = t;
    *(g < 0 ? &g_beyond : &g_before) = g;
    // by turns the secant, a little beyond it, and the middle
    double secant = before + (beyond - before) * g_before / (g_before - g_beyond);
    t = i % 3 == 2 ? before : secant + (i % 3 == 1 ? near : 0);
  }
  *t_event = beyond;
  return status == QDOT_OK && s->t != beyond ? step_again(run, beyond) : status;
}

Status run_make_step(Run *run, double limit, bool *found, double *t_event) {
  Stepper *s = run->stepper;
  *found = false;
  run_aim_slides(run, s->t, s->y, s->y + run->n);
  s->t_jump = run->moments.samplers.next;
  Status status = stepper_step(s, run_step_limit(run, limit));
  if (status == QDOT_OK && run->events.count > 0)
    status = events_find(&run->events, s, found, t_event);
  if (status != QDOT_OK || !run_steps_contacts(run)) return status;
  if (*found) status = shorten_step(run, t_event);
  if (status == QDOT_OK && s->t > s->t_old) take_contact_works(run);
  return status;
}

// What has happened at a stop may have closed contacts.
static Status stop_here(Run *run, bool renew) {
  Status status = renew ? run_begin_stepper(run) : QDOT_OK;
  if (status == QDOT_OK) status = run_stop_here(run);
  return status == QDOT_OK ? slopes_begin_piece(run) : status;
}

// Steps until something happens. *done: the end, or a stop; *renew: a new stepper is needed.
static Status run_piece(Run *run, bool *done, bool *renew) {
  Stepper *s = run->stepper;
  const SimOptions *o = run->o;
  double checkpoint = run_next_checkpoint(run, run->t), limit = fmin(o->t_end, checkpoint);
  Status status = run_start_piece(run);
  if (status == QDOT_OK && run->rows.owes_event) status = run_write_row_behind(run);
  if (status == QDOT_OK) status = slopes_begin_piece(run);
  while (status == QDOT_OK && s->t < o->t_end) {
    if (wants_stop(run)) return QDOT_STOPPED;
    status = context_due(run->cx); // no jump: whose run it is may use it again
    if (status != QDOT_OK) return status;
    if (run_makes_no_progress(run)) return QDOT_STEP_LIMIT;
    bool found = false;
    double t_event = 0;
    status = run_make_step(run, limit, &found, &t_event);
    if (status != QDOT_OK) return status;
    if (found) {
      // the last row shows what is left at the end
      run->rows.leaves_last = t_event >= o->t_end;
      status = run_write_rows(run, t_event);
      run->rows.leaves_last = false;
      if (status == QDOT_OK) status = run_write_stretch(run, t_event);
      if (status == QDOT_OK) status = run_watch_step(run, t_event);
      if (status == QDOT_OK) status = slopes_follow(run, t_event, true);
      run->rows.jumped = run->gauges.is_unseen = true;
      run_pause(run); // a new set of contacts is compiled when it is first met
      if (status == QDOT_OK) status = run_treat_event(run, t_event, renew);
      run_go_on(run);
      if (status != QDOT_OK || !run->end.has_stopped) return status;
      break;
    }
    bool restarts = false, samples = run_samples_now(run);
    status = after_step(run);
    if (status == QDOT_OK && samples) status = run_pass_moments(run, &restarts);
    if (status == QDOT_OK && run->end.has_stopped) break;
    if (status == QDOT_OK && samples && !restarts) status = run_write_rows(run, s->t);
    *renew = restarts && run->machine.contacts > 0; // what has jumped may have met others
    if (status != QDOT_OK || restarts) return status;
    if (s->t == checkpoint && s->t < o->t_end) {
      *renew = true;
      return reach_checkpoint(run);
    }
    if (!samples) status = run_pass_moments(run, &restarts);
  }
  if (status == QDOT_OK && run->end.has_stopped) status = stop_here(run, *renew);
  if (status == QDOT_OK && !run->end.has_stopped) status = run_write_rows(run, s->t);
  if (status == QDOT_OK) status = run_watch_end(run);
  *done = status == QDOT_OK;
  return status;
}

static void allocate(Run *run) {
  Machine *m = &run->machine;
  Arena *arena = run->memory.room;
  size_t n = (size_t)m->n, states = (size_t)m->states, rows = (size_t)(m->rows + m->contacts);
  if (!run->memory.found) run->memory.found = &run->cx->keep;
  run->n = m->n;
  run->acting = 2 * m->n + m->states;
  run->switching.count = (int)m->set->equations->switch_count;
  run->sliding.count = machine_slides(m);
  run->friction.slips = m->rubs && !run_steps_contacts(run) ? m->slip_count : 0;
  run->q = arena_array(arena, double, n);
  run->qd = arena_array(arena, double, n + states);
  run->event.qd_before = arena_array(arena, double, n + states);
  run->work.largest = arena_array(arena, double, 2 * n + states);
  run->work.qdd = arena_array(arena, double, n);
  run->w = arena_array(arena, double, POWER_KINDS);
  run->work.lambda = arena_array(arena, double, rows);
  run->switching.side = arena_array(arena, double, run->switching.count);
  run->switching.slack = arena_array(arena, double, run->switching.count);
  run->switching.reach = arena_array(arena, double, run->switching.count);
  run->own.count = (int)m->plan->actions.occasion_count;
  run->own.side = arena_array(arena, double, run->own.count);
  run->own.slack = arena_array(arena, double, run->own.count);
  run->own.last = arena_array(arena, double, run->own.count);
  for (int i = 0; i < run->own.count; i++) run->own.last[i] = -INFINITY;
  run->event.greatest = arena_array(arena, double, run_function_count(run));
  run->switching.may_stick = arena_array(arena, bool, run->switching.count);
  run->switching.is_stepped = arena_array(arena, bool, run->switching.count);
  run->switching.mover = arena_array(arena, uint32_t, run->switching.count + run->sliding.count);
  run->switching.was_stuck = arena_array(arena, bool, run->switching.count + run->sliding.count);
  machine_find_movers(m, run->switching.mover);
  run->sliding.holds = arena_array(arena, bool, run->sliding.count);
  run->sliding.overloaded_since = arena_array(arena, double, run->sliding.count);
  for (int i = 0; i < run->sliding.count; i++) run->sliding.overloaded_since[i] = INFINITY;
  run->sliding.start_speed = arena_array(arena, double, run->sliding.count);
  run->sliding.starts = arena_array(arena, bool, run->sliding.count);
  run->sliding.start_change = arena_array(arena, double, (size_t)run->sliding.count *n);
  run->sliding.lock = arena_array(arena, double, (size_t)run->sliding.count *MOST_COMPONENTS);
  run->sliding.grip = arena_array(arena, double, run->sliding.count);
  run->sliding.start_since = arena_array(arena, double, run->sliding.count);
  run->sliding.speed = arena_array(arena, double, run->sliding.count);
  run->sliding.reach = arena_array(arena, double, run->sliding.count);
  run->work.zero_velocity = arena_array(arena, double, n + states);
  run->work.y = arena_array(arena, double, 2 * n + states + POWER_KINDS + 1);
  run->rows.columns = m->plan->columns.n;
  run->rows.row = arena_array(arena, double, run->rows.columns);
  if (run->o->event_rows) run->rows.held = arena_array(arena, double, run->rows.columns);
  run->work.row_scale = arena_array(arena, double, 2 * rows);
  run_open_gauges(run);
  run_open_touches(run);
  if (!run->sink->stretch) return;
  run->rows.cells = arena_array(arena, double, (size_t)STRETCH_MOST_NODES * run->rows.columns);
  run->rows.sizes = arena_array(arena, double, run->rows.columns);
  run->rows.spare_parts = MOST_SPARE_PARTS;
  run->summary->extremes = arena_array(run->memory.found, Extremes, run->rows.columns);
  for (uint32_t i = 0; i < run->rows.columns; i++) run->summary->extremes[i] = extremes_none();
}

// What the model asks of a method.
static Status check_method(Run *run) {
  const Plan *plan = run->machine.plan;
  unsigned needs = 0;
  if (plan->traits.has_dissipation) needs |= 1u << NEED_DISSIPATION;
  if (plan->contact_count > 0) needs |= 1u << NEED_CONTACTS;
  if (plan->press_count > 0) needs |= 1u << NEED_JOINT_FRICTION;
  if (plan->slip_count > plan->contact_count) needs |= 1u << NEED_ROLLING;
  const char *why = method_refusal(&run->cx->keep, &run->o->method, &run->machine.problem, needs);
  return why ? diag_error_plain(run->cx, QDOT_UNSUPPORTED, "%s", why) : QDOT_OK;
}

static Status resume(Run *run) {
  Status status = run_take_up(run);
  if (status != QDOT_OK) return status;
  run->summary->stopped = STOPPED_NOT; // the state may have been kept when it was
  run->keeping.has_kept = true;
  run->keeping.t = run->t;
  run->keeping.at = context_seconds();
  machine_know_redundant(&run->machine, run->summary->redundant != NULL);
  machine_use_contacts(&run->machine);
  if (run->switching.count > 0) machine_set_sides(&run->machine, run->switching.side);
  knots_place(&run->moments.knots, run->t);
  return run_begin_stepper(run);
}

// A consistent state, with every switch on the side that it has there: drives may switch, too.
static Status begin_state(Run *run) {
  enum { MOST_ROUNDS = 4 };
  Machine *m = &run->machine;
  initial_guess(m, run->q, run->qd);
  run_choose_sides(run, 0, run->q, run->qd); // a guess, too, whatever comes of it
  Status status = QDOT_OK;
  double *before = arena_array(run->memory.room, double, run->switching.count);
  for (int round = 0; status == QDOT_OK && round < MOST_ROUNDS; round++) {
    if (run->switching.count > 0)
      memcpy(before, run->switching.side, (size_t)run->switching.count * sizeof *before);
    status = initial_state(m, run->q, run->qd, run->summary);
    if (status == QDOT_OK) status = run_choose_sides(run, 0, run->q, run->qd);
    if (run->switching.count == 0 ||
        memcmp(before, run->switching.side, (size_t)run->switching.count * sizeof *before) == 0)
      break;
  }
  return status;
}

// The first samples are taken at the start.
Status run_begin_actions(Run *run, double t) {
  if (run->moments.samplers.count == 0) return run_side_occasions(run);
  Mark mark = arena_mark(&run->cx->scratch);
  const InputJump *jump = run_before_inputs(run, t);
  bool jumps = false, good = samplers_begin(&run->moments.samplers, t, run->q, run->qd);
  Status status = good ? run_after_inputs(run, t, jump, &jumps) : QDOT_UNDEFINED;
  arena_release(&run->cx->scratch, mark);
  if (!good)
    return diag_error(run->cx, QDOT_UNDEFINED, run->moments.samplers.at[0].line->span,
                      "a sample gives a value that is not a number at the start");
  return status == QDOT_OK ? run_side_occasions(run) : status;
}

// Beyond so many contacts `auto` steps over impacts, unless that is refused.
enum { MANY_CONTACTS = 60 };
static const double LONGEST_CHOSEN_STEP = 1e-3;

// Why `auto` takes what it takes, as long as nothing is stiff.
static RemarkId automatic_reason(const Run *run) {
  const Machine *m = &run->machine;
  if (m->contacts == 0) return REMARK_SMOOTH;
  if (m->contacts <= MANY_CONTACTS) return REMARK_EVENTS;
  if (m->slip_count > m->contacts) return REMARK_EVENTS_ROLLING;
  return m->plan->slopes ? REMARK_EVENTS_SLOPES : REMARK_MANY_CONTACTS;
}

void run_note_reason(Run *run) {
  RemarkId reason = run->stepper ? run->stepper->reason : REMARK_NONE;
  if (reason == REMARK_NONE || run->summary->reason.id == REMARK_STIFF) return;
  run->summary->reason.id = reason == REMARK_SMOOTH ? automatic_reason(run) : reason;
  run->summary->reason.number[0] = run->stepper->t_stiff;
}

static void choose_method(Run *run) {
  if (run->o->method.method != METHOD_AUTO) return;
  if (automatic_reason(run) != REMARK_MANY_CONTACTS) return;
  SimOptions *chosen = arena_new(run->memory.room, SimOptions);
  *chosen = *run->o;
  chosen->method.method = METHOD_MOREAU;
  if (!chosen->has_step) chosen->method.step = fmin(chosen->every, LONGEST_CHOSEN_STEP);
  run->o = chosen;
  run->summary->reason.id = REMARK_MANY_CONTACTS;
}

// Steps over contacts know one coefficient of friction each.
static void warn_rest(Run *run) {
  Machine *m = &run->machine;
  for (int i = 0; run_steps_contacts(run) && i < m->contacts; i++) {
    if (!(m->slips[i].mu_rest > m->slips[i].mu)) continue;
    diag_warning_plain(run->cx,
                       "%s takes the friction of sliding for contact '%s' at rest, too: %g "
                       "instead of %g",
                       method_get(run->o->method.method)->name, m->plan->contacts[i].name,
                       m->slips[i].mu, m->slips[i].mu_rest);
    return;
  }
  for (int i = 0; m->joints && i < m->joints->count; i++) {
    const PlanPress *press = &m->plan->presses[i];
    double hold = machine_number(m, &press->hold);
    if (!(hold > 1)) continue;
    diag_warning_plain(run->cx,
                       "%s takes the friction of sliding for joint '%s' at rest, too: %g times "
                       "less",
                       method_get(run->o->method.method)->name, press->joint, hold);
    return;
  }
}

// What the method steps over has no events, and does not stick by switches.
static Status step_joints(Run *run) {
  Machine *m = &run->machine;
  machine_step_joints(m, NULL);
  bool steps = run_steps_contacts(run) && m->presses > 0;
  press_impulses_open(&run->friction.stepped, run->memory.room, m);
  run->friction.stepped.duration = 1;
  for (int i = 0; steps && i < m->presses; i++)
    if (m->plan->presses[i].guard >= 0) run->switching.is_stepped[m->plan->presses[i].guard] = true;
  if (!steps) return QDOT_OK;
  int shared = press_impulses_find_shared(&run->friction.stepped);
  if (shared >= 0) {
    const PlanPress *press = &m->plan->presses[shared];
    diag_error(run->cx, QDOT_UNSUPPORTED, press->span,
               "%s cannot treat the friction of joint '%s' beside another force that changes with "
               "the direction of its sliding",
               method_get(run->o->method.method)->name, press->joint);
    diag_note(run->cx, "rk853, rk45 and rk4 can");
    return QDOT_UNSUPPORTED;
  }
  machine_step_joints(m, &run->friction.stepped);
  return QDOT_OK;
}

static void warn_event_rows(Run *run) {
  if (!run->o->event_rows || !run_steps_contacts(run) || run->machine.contacts == 0) return;
  diag_warning_plain(run->cx,
                     "no rows are added at contacts: %s steps over them; rows at every step, "
                     "'every %g [ms]', show what they do",
                     method_get(run->o->method.method)->name, 1e3 * run->o->method.step);
}

Status run_begin(Run *run) {
  Machine *m = &run->machine;
  choose_method(run);
  allocate(run);
  forcing_open(&run->moments.forcing, &m->arena, m, run->o->t_end);
  knots_open(&run->moments.knots, run->memory.room, m);
  Status status = check_method(run);
  if (status == QDOT_OK) status = samplers_open(&run->moments.samplers, run->memory.room, m);
  if (status == QDOT_OK) status = run_open_occasions(run);
  if (status == QDOT_OK)
    status = contacts_open(&run->contacts, run->memory.room, m, run_steps_contacts(run));
  run->contacts.moment = 1e-8 * run->o->t_end;
  if (run_steps_contacts(run))
    machine_step_contacts(m, run->contacts.restitution, run->contacts.friction);
  if (status == QDOT_OK) status = step_joints(run);
  if (status == QDOT_OK) warn_rest(run), warn_event_rows(run);
  if (method_get(run->o->method.method)->kind == METHOD_IMPLICIT) // its dense output is coarser
    run->contacts.method_error = run->o->method.rtol;
  if (status != QDOT_OK) return status;
  initial_guess(m, run->q, run->qd);
  machine_find_state_scales(m, run->q, run->qd, run->o->t_end);
  run->monitor.most_overlap = run->contacts.most_overlap;
  if (run->o->resume) return resume(run);
  status = begin_state(run);
  if (status == QDOT_OK) status = slopes_open(run);
  if (status == QDOT_OK) status = slopes_start(run);
  if (status != QDOT_OK) return status;
  machine_need_method(m, run->o->method.method);
  monitor_start(&run->monitor, m, run->contacts.most_overlap, 0, run->q, run->qd);
  run->monitor.is_bare = run->o->is_bare;
  run->monitor.is_unwatched =
      run->o->is_bare && m->rows + m->contacts == 0 && machine_keeps_energy(m);
  if (m->contacts > 0) {
    run_note_velocities(run);
    status = contacts_start(&run->contacts, 0, run->q, run->qd, run->summary);
    run_count_impact(run, 0);
    run->event.owes_settling = !run_steps_contacts(run);
    if (status == QDOT_OK) status = slopes_touch(run);
    // contacts may hold joints that rub
    if (status == QDOT_OK && m->presses > 0 && run->summary->closed_at_start)
      status = run_choose_sides(run, 0, run->q, run->qd);
  }
  run_push_slides(run);
  if (status == QDOT_OK) status = run_begin_actions(run, 0);
  uint32_t events = run->summary->events.n;
  if (status == QDOT_OK) status = run_begin_stepper(run);
  // what is open from the beginning is not an event
  if (m->contacts > 0 && run->summary->events.n > events && !run_steps_contacts(run)) {
    run->summary->events.n = events;
    run->summary->closed_at_start = contacts_names(&run->contacts, m->closed);
  }
  return status;
}

static Status first_row(Run *run) {
  Stepper *s = run->stepper;
  Status status = stepper_start(s, run->t, run->q, run->qd, run->w);
  if (status != QDOT_OK) return status;
  run_begin_touches(run);
  status = run_write_rows(run, 0);
  if (status == QDOT_OK && run->sink->row)
    monitor_check_step(&run->machine, run->o, 0, run->q, run->qd, run->work.qdd, run->work.lambda,
                       run->summary);
  return status;
}

static Status main_loop(Run *run) {
  run_go_on(run);
  Status status = run->o->resume ? QDOT_OK : first_row(run);
  run_pause(run);
  bool done = false;
  while (status == QDOT_OK && !done) {
    bool renew = false;
    run_go_on(run);
    status = run_piece(run, &done, &renew);
    run_pause(run);
    if (status == QDOT_STOPPED) {
      stopped_by_user(run);
      return QDOT_OK;
    }
    if (status == QDOT_OK && renew && !done) status = run_begin_stepper(run);
  }
  return status;
}

Status run_completely(Run *run) {
  Status status = main_loop(run);
  if (status != QDOT_OK) status = run_broken_off(run, status);
  run_finish(run);
  return status;
}
