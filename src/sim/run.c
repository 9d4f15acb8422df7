// The loop of a run: steps, events, rows.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "sim/contact.h"
#include "sim/initial.h"
#include "sim/machine.h"
#include "sim/monitor.h"
#include "sim/sim.h"
#include "solve/dense.h"
#include "solve/event.h"

enum { MOST_SWITCHES = 1000 };

typedef struct Run {
  Context *cx;
  const SimOptions *o;
  RowSink *sink;
  SimSummary *summary;
  Machine machine;
  Contacts contacts;
  Monitor monitor;
  Arena arena; // of the stepper; emptied when the set of contacts changes
  Handle arena_handle, stepper_handle;
  Stepper *stepper;
  Events events;
  int n, switches;
  double t, *q, *qd, *w; // where a piece between events begins
  double *qd_before;
  double *largest; // of the states so far, see stepper_measure
  double *side;    // of the switches
  double *y, *qdd, *lambda, *row;
  uint32_t columns;
  long next_row;         // its number
  long counted_steps[3]; // steps, rejected, evaluations of steppers already closed
  int switched;          // events of switches since the last row
  bool *hit;
} Run;

// ---- Rows

static double row_time(const Run *run, long k) {
  double t = (double)k * run->o->every;
  return t > run->o->t_end * (1 - 1e-12) || t >= run->o->t_end - 1e-9 * run->o->every
             ? run->o->t_end
             : t;
}

// q'' and lambda of a row come from one evaluation at its state, which is projected first.
static Status write_row(Run *run, double t, double *y) {
  Machine *m = &run->machine;
  Stepper *s = run->stepper;
  int n = run->n, rows = m->rows + m->contacts;
  long evaluations = s->dynamics.evaluations;
  Status status = QDOT_OK;
  if (m->problem.m > 0 && run->o->method.stabilize == STABILIZE_PROJECT)
    status = project_state(&s->projector, t, y, y + n);
  if (status == QDOT_OK)
    status = dynamics_evaluate(&s->dynamics, t, y, y + n, run->qdd, run->lambda, run->row);
  s->dynamics.evaluations = evaluations;
  if (status != QDOT_OK) return status;
  machine_give(m, run->qdd, run->lambda);
  monitor_state(&run->monitor, t, y, y + n, y + 2 * n);
  monitor_accelerations(&run->monitor, t, y, y + n);
  const double *out = machine_run(m, PART_OUTPUTS, t, y, y + n);
  double *at = run->row;
  size_t bytes = (size_t)n * sizeof *at;
  *at++ = t;
  memcpy(at, y, bytes);
  memcpy(at + n, y + n, bytes);
  memcpy(at + 2 * n, run->qdd, bytes);
  at += 3 * n;
  memcpy(at, m->in + m->set->equations->layout.lambda, (size_t)rows * sizeof *at);
  at += rows;
  memcpy(at, out, (m->system->model->outputs.n + 3) * sizeof *at);
  run->summary->rows++;
  return run->sink->row(run->sink->user, run->row, run->columns);
}

// All rows up to `until`, which is inside the stepper's last step or its end.
static Status write_rows(Run *run, double until) {
  Stepper *s = run->stepper;
  for (;;) {
    double t = row_time(run, run->next_row), slack = 1e-12 * run->o->every;
    if (run->next_row > 0 && row_time(run, run->next_row - 1) == run->o->t_end) return QDOT_OK;
    if (t > until + slack) return QDOT_OK;
    double at = fabs(t - s->t) <= slack ? s->t : fmin(t, until);
    Status status = stepper_dense(s, at, run->y);
    if (status == QDOT_OK) status = write_row(run, t, run->y);
    if (status != QDOT_OK) return status;
    run->next_row++;
    run->switched = 0;
    contacts_row(&run->contacts);
  }
}

// ---- Events: gaps, contact forces, switches

static Status event_functions(void *user, double t, const double *q, const double *qd, double *g) {
  Run *run = user;
  Machine *m = &run->machine;
  bool any_closed = false;
  for (int i = 0; i < m->contacts; i++) any_closed |= m->closed[i];
  if (m->contacts > 0) {
    const double *out = machine_run(m, PART_CONTACTS, t, q, qd);
    for (int i = 0; i < m->contacts; i++) g[i] = out[i] - contact_gap_tolerance(&run->contacts);
  }
  if (any_closed) {
    Dynamics *d = &run->stepper->dynamics;
    long evaluations = d->evaluations;
    Status status = dynamics_evaluate(d, t, q, qd, run->qdd, run->lambda, run->row);
    d->evaluations = evaluations;
    if (status != QDOT_OK) return status;
    for (int r = 0; r < m->problem.m; r++) {
      int contact = machine_place(m, r) - m->rows;
      if (contact >= 0)
        g[contact] = run->lambda[r] + contact_force_tolerance(&run->contacts, contact);
    }
  }
  if (run->switches > 0) {
    const double *out = machine_run(m, PART_SWITCHES, t, q, qd);
    memcpy(g + m->contacts, out, (size_t)run->switches * sizeof *g);
  }
  return QDOT_OK;
}

static void arm_events(Run *run) {
  Machine *m = &run->machine;
  for (int i = 0; i < m->contacts; i++) run->events.side[i] = m->closed[i] ? 1 : -1;
  memcpy(run->events.side + m->contacts, run->side, (size_t)run->switches * sizeof *run->side);
}

// The side of every switch at a state; where a guard is zero, the side it moves to.
static Status choose_sides(Run *run, double t, const double *q, const double *qd) {
  Machine *m = &run->machine;
  if (run->switches == 0) return QDOT_OK;
  machine_need(m, PART_SWITCHES);
  const double *g = machine_run(m, PART_SWITCHES, t, q, qd);
  bool any_zero = false;
  for (int i = 0; i < run->switches; i++) {
    run->side[i] = g[i] < 0 ? -1 : 1;
    any_zero |= g[i] == 0;
    run->hit[i] = g[i] == 0;
  }
  machine_set_sides(m, run->side);
  if (!any_zero) return QDOT_OK;
  // a short way on, with the accelerations of either side: the side that agrees with itself
  Mark mark = arena_mark(&m->cx->scratch);
  double *q1 = arena_array(&m->cx->scratch, double, run->n);
  double *qd1 = arena_array(&m->cx->scratch, double, run->n);
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
    g = machine_run(m, PART_SWITCHES, t + h, q1, qd1);
    for (int i = 0; i < run->switches; i++)
      if (run->hit[i] && g[i] != 0) run->side[i] = g[i] < 0 ? -1 : 1;
    machine_set_sides(m, run->side);
  }
  arena_release(&m->cx->scratch, mark);
  return status;
}

static Status chattering(Run *run, double t) {
  Status status =
      diag_error_plain(run->cx, QDOT_STEP_LIMIT,
                       "a switch chatters at t = %.6g s: the equations push it back to where it "
                       "comes from",
                       t);
  diag_note(run->cx, "a force like sign(v) that sticks has no solution in this form; "
                     "tanh(v/v_0) with a small speed v_0 has");
  return status;
}

// ---- Pieces between events

static void close_stepper(void *object) { stepper_close(object); }
static void close_arena(void *object) { arena_close(object); }

static void count_up(Run *run) {
  run->counted_steps[0] += run->stepper->steps;
  run->counted_steps[1] += run->stepper->rejected;
  run->counted_steps[2] += run->stepper->dynamics.evaluations;
}

static void end_stepper(Run *run) {
  if (!run->stepper) return;
  count_up(run);
  memcpy(run->largest, run->stepper->largest, 2 * (size_t)run->n * sizeof(double));
  guard_close(&run->cx->guard, &run->stepper_handle);
  run->stepper = NULL;
  guard_close(&run->cx->guard, &run->arena_handle);
}

// A stepper for the present set of contacts.
static Status begin_stepper(Run *run) {
  Machine *m = &run->machine;
  end_stepper(run);
  machine_use_contacts(m);
  machine_need_method(m, run->o->method.method);
  arena_open(&run->arena, &run->cx->memory, &run->cx->guard);
  guard_register(&run->cx->guard, &run->arena_handle, &run->arena, close_arena);
  const char *refusal = method_refusal(&run->o->method, &m->problem);
  Status status = QDOT_OK;
  if (refusal) status = diag_error_plain(run->cx, QDOT_UNSUPPORTED, "%s", refusal);
  if (status == QDOT_OK)
    status = stepper_open(&run->arena, &m->problem, &run->o->method, &run->stepper);
  if (status != QDOT_OK) {
    run->stepper = NULL;
    guard_close(&run->cx->guard, &run->arena_handle);
    return status;
  }
  guard_register(&run->cx->guard, &run->stepper_handle, run->stepper, close_stepper);
  // rows remember how large they have been
  run->stepper->dynamics.kkt.scale = m->set->scale;
  memcpy(run->stepper->largest, run->largest, 2 * (size_t)run->n * sizeof(double));
  events_open(&run->events, &run->arena, run->stepper, m->contacts + run->switches, event_functions,
              run);
  return QDOT_OK;
}

// The state at an event, on the constraints.
static Status state_at_event(Run *run, double t) {
  Stepper *s = run->stepper;
  int n = run->n;
  Status status = stepper_dense(s, t, run->y);
  if (status == QDOT_OK && s->problem->m > 0 && run->o->method.stabilize == STABILIZE_PROJECT)
    status = project_state(&s->projector, t, run->y, run->y + n);
  run->t = t;
  memcpy(run->q, run->y, (size_t)n * sizeof *run->y);
  memcpy(run->qd, run->y + n, (size_t)n * sizeof *run->y);
  memcpy(run->w, run->y + 2 * n, POWER_KINDS * sizeof *run->y);
  return status;
}

static Status treat_event(Run *run, double t, bool *new_set) {
  Machine *m = &run->machine;
  Status status = state_at_event(run, t);
  if (status != QDOT_OK) return status;
  bool contact_hit = false;
  for (int i = 0; i < m->contacts; i++) contact_hit |= run->events.hit[i];
  *new_set = false;
  if (contact_hit) {
    Mark mark = arena_mark(&run->cx->scratch);
    bool *was = arena_array(&run->cx->scratch, bool, m->contacts);
    memcpy(was, m->closed, (size_t)m->contacts * sizeof *was);
    memcpy(run->qd_before, run->qd, (size_t)run->n * sizeof *run->qd);
    status = contacts_resolve(&run->contacts, t, run->q, run->qd, run->events.hit, run->summary);
    monitor_impact(&run->monitor, t, run->q, run->qd_before, run->qd);
    *new_set = memcmp(was, m->closed, (size_t)m->contacts * sizeof *was) != 0;
    arena_release(&run->cx->scratch, mark);
  }
  bool any = false;
  for (int i = 0; i < run->switches; i++) {
    if (!run->events.hit[m->contacts + i]) continue;
    run->side[i] = -run->side[i];
    any = true;
  }
  if (any) {
    machine_set_sides(m, run->side);
    if (++run->switched > MOST_SWITCHES && status == QDOT_OK) status = chattering(run, t);
  }
  return status;
}

static bool wants_stop(const Run *run) { return run->o->stop && *run->o->stop; }

static double clock_now(void) { return context_seconds(); }

// Steps until something happens. *done: the end, or a stop.
static Status run_piece(Run *run, bool *done, bool *new_set) {
  Stepper *s = run->stepper;
  const SimOptions *o = run->o;
  s->work_scale = 0; // the first step is chosen for the motion alone
  Status status = stepper_start(s, run->t, run->q, run->qd, run->w);
  s->work_scale = run->monitor.exchanged;
  arm_events(run);
  while (status == QDOT_OK && s->t < o->t_end) {
    if (wants_stop(run)) {
      run->summary->stopped = STOPPED_USER;
      *done = true;
      return QDOT_OK;
    }
    double begin = clock_now();
    bool found = false;
    double t_event = 0;
    status = stepper_step(s, o->t_end);
    if (status == QDOT_OK && run->events.count > 0)
      status = events_find(&run->events, s, &found, &t_event);
    run->summary->wall_seconds += clock_now() - begin;
    if (status != QDOT_OK) return status;
    if (found) {
      status = write_rows(run, t_event);
      return status == QDOT_OK ? treat_event(run, t_event, new_set) : status;
    }
    status = write_rows(run, s->t);
    if (status != QDOT_OK) return status;
    monitor_state(&run->monitor, s->t, s->y, s->y + run->n, s->y + 2 * run->n);
    s->work_scale = run->monitor.exchanged;
    if (run->machine.contacts > 0)
      status = contacts_watch(&run->contacts, s->t, s->y, s->y + run->n, NULL);
    if (o->progress)
      o->progress(o->progress_user, s->t, o->t_end, run->counted_steps[0] + s->steps);
  }
  *done = status == QDOT_OK;
  return status;
}

// A run that breaks down keeps what it has; the cause becomes a warning.
static Status broken_off(Run *run, Status status) {
  double t = run->stepper ? run->stepper->t : run->t;
  run->summary->failure = status;
  switch (status) {
  case QDOT_BLOW_UP:
    run->summary->stopped = STOPPED_BLOW_UP;
    diag_warning_plain(run->cx, "the motion grows without bound at t = %.6g s; the run ends there",
                       t);
    return QDOT_OK;
  case QDOT_STEP_LIMIT:
  case QDOT_NO_CONVERGENCE:
  case QDOT_SINGULAR_MASS:
  case QDOT_SINGULAR:
  case QDOT_UNDEFINED:
  case QDOT_INTEGRATOR_FAILED:
    if (run->cx->diagnostics.errors > 0) return status;
    run->summary->stopped = STOPPED_LIMIT;
    diag_warning_plain(run->cx, "the run ends at t = %.6g s: %s", t, qdot_status_text(status));
    return QDOT_OK;
  default: return status;
  }
}

static void allocate(Run *run) {
  Machine *m = &run->machine;
  Arena *arena = &m->arena;
  size_t n = (size_t)m->n, rows = (size_t)(m->rows + m->contacts);
  run->n = m->n;
  run->switches = (int)m->set->equations->switch_count;
  run->q = arena_array(arena, double, n);
  run->qd = arena_array(arena, double, n);
  run->qd_before = arena_array(arena, double, n);
  run->largest = arena_array(arena, double, 2 * n);
  run->qdd = arena_array(arena, double, n);
  run->w = arena_array(arena, double, POWER_KINDS);
  run->lambda = arena_array(arena, double, rows);
  run->side = arena_array(arena, double, run->switches);
  run->hit = arena_array(arena, bool, run->switches);
  run->y = arena_array(arena, double, 2 * n + POWER_KINDS + 1);
  run->columns = (uint32_t)(4 + 3 * n + rows) + m->system->model->outputs.n;
  run->row = arena_array(arena, double, run->columns);
}

static Status begin(Run *run) {
  Machine *m = &run->machine;
  allocate(run);
  Status status = initial_state(m, run->q, run->qd, run->summary);
  if (status != QDOT_OK) return status;
  machine_need_method(m, run->o->method.method);
  status = contacts_open(&run->contacts, &m->arena, m);
  if (status == QDOT_OK) status = choose_sides(run, 0, run->q, run->qd);
  monitor_start(&run->monitor, m, 0, run->q, run->qd);
  if (status == QDOT_OK && m->contacts > 0) {
    memcpy(run->qd_before, run->qd, (size_t)run->n * sizeof *run->qd);
    status = contacts_start(&run->contacts, 0, run->q, run->qd, run->summary);
    monitor_impact(&run->monitor, 0, run->q, run->qd_before, run->qd);
  }
  return status == QDOT_OK ? begin_stepper(run) : status;
}

static Status first_row(Run *run) {
  Stepper *s = run->stepper;
  Status status = stepper_start(s, run->t, run->q, run->qd, run->w);
  if (status != QDOT_OK) return status;
  status = write_rows(run, 0);
  if (status == QDOT_OK)
    monitor_check_step(&run->machine, &run->o->method, 0, run->q, run->qd, run->qdd, run->lambda,
                       run->summary);
  return status;
}

static Status main_loop(Run *run) {
  Status status = first_row(run);
  bool done = false;
  while (status == QDOT_OK && !done) {
    bool new_set = false;
    status = run_piece(run, &done, &new_set);
    if (status == QDOT_OK && new_set) {
      run->summary->reason = run->stepper->reason;
      status = begin_stepper(run);
    }
  }
  return status;
}

static void finish(Run *run) {
  SimSummary *summary = run->summary;
  Stepper *s = run->stepper;
  long steps[3];
  memcpy(steps, run->counted_steps, sizeof steps);
  if (s) {
    steps[0] += s->steps;
    steps[1] += s->rejected;
    steps[2] += s->dynamics.evaluations;
  }
  summary->method = method_name(run->o->method.method);
  summary->rtol = run->o->method.rtol;
  summary->atol = run->o->method.atol;
  summary->step = run->o->method.step;
  summary->fixed_step = method_get(run->o->method.method)->fixed_step;
  summary->steps = steps[0];
  summary->rejected = steps[1];
  summary->evaluations = steps[2];
  summary->t_end = s ? s->t : run->t;
  if (s && s->reason) summary->reason = s->reason;
  if (s && s->stiff && !s->reason)
    summary->hint = "the system is stiff: method bdf or auto would take fewer steps";
  if (s) monitor_finish(&run->monitor, s->y + 2 * run->n, &run->o->method, summary);
}

Status sim_run(Context *cx, System *system, const SimOptions *options, RowSink *sink,
               SimSummary *summary) {
  *summary = (SimSummary){.verified = NAN};
  Run *run = arena_new(&cx->keep, Run);
  *run = (Run){.cx = cx, .o = options, .sink = sink, .summary = summary};
  double started = clock_now();
  Status status = sim_check_options(cx, options);
  if (status != QDOT_OK) return status;
  status = machine_open(&run->machine, cx, system, options->backend);
  if (status == QDOT_OK) status = begin(run);
  summary->setup_seconds = clock_now() - started;
  if (status == QDOT_OK) {
    status = main_loop(run);
    if (status != QDOT_OK) status = broken_off(run, status);
    finish(run);
  }
  end_stepper(run);
  machine_close(&run->machine);
  return status;
}
