// Runs that are advanced by their owner.
#include "engine/run/simulation.h"

#include <math.h>
#include <string.h>

#include "base/status_text.h"

static Status take_row(void *user, const double *values, uint32_t n) {
  (void)user, (void)values, (void)n;
  return QDOT_OK;
}

static void close_arena(void *object) { arena_close(object); }
static void close_settings(void *object) { settings_close(object); }

static void open_room(Simulation *s) {
  Context *cx = s->run.cx;
  arena_open(&s->room, &cx->memory, &cx->guard);
  guard_register(&cx->guard, &s->room_handle, &s->room, close_arena);
}

// ---- Starting

// A new start keeps the machine with its programs and what the caller has set.
static void forget_motion(Simulation *s) {
  Run *run = &s->run;
  run_end_stepper(run);
  arena_release(&s->room, (Mark){0});
  s->summary.events.n = 0;
  s->is_over = false;
  Machine machine = run->machine; // keeps its place, by which the guard knows it
  *run = (Run){.cx = run->cx,
               .o = &s->options,
               .sink = &s->sink,
               .summary = &s->summary,
               .memory = {.found = &run->cx->keep,
                          .room = &s->room,
                          .stepper = run->memory.stepper,
                          .arena_handle = run->memory.arena_handle},
               .moments.forcing = run->moments.forcing,
               .machine = machine};
  machine_begin_again(&run->machine);
}

static Status begin(Simulation *s) {
  Status status = run_begin(&s->run);
  s->t = 0;
  s->must_start = true;
  s->has_row = false;
  return status;
}

static Status open_simulation(Simulation *s, Programs *programs, const SimOptions *options,
                              Simulation *first) {
  Context *cx = programs->cx;
  *s = (Simulation){.options = *options, .sink = {.row = take_row}};
  s->run = (Run){.cx = cx,
                 .o = &s->options,
                 .sink = &s->sink,
                 .summary = &s->summary,
                 .memory = {.found = &cx->keep, .room = &s->room}};
  s->options.method.may_change = false;
  Status status = sim_check_options(cx, options);
  if (status != QDOT_OK) {
    if (!first) programs_give_back(programs);
    return status;
  }
  Machine *machine = &s->run.machine;
  status = first ? machine_open_beside(machine, &first->run.machine)
                 : machine_open_programs(machine, programs, programs->is_single);
  if (status != QDOT_OK) {
    machine_close(&s->run.machine);
    return status;
  }
  settings_open(&s->settings, cx, machine->plan, &machine->arena);
  guard_register(&cx->guard, &s->settings_handle, &s->settings, close_settings);
  open_room(s);
  s->columns = machine->plan->columns;
  status = begin(s);
  if (status != QDOT_OK) simulation_close(s);
  return status;
}

Status simulation_open_programs(Simulation *s, Programs *programs, const SimOptions *options) {
  return open_simulation(s, programs, options, NULL);
}

Status simulation_open_beside(Simulation *s, Simulation *first) {
  Machine *m = &first->run.machine;
  return open_simulation(s, m->programs, &first->options, first);
}

void simulation_close(Simulation *s) {
  Guard *guard = &s->run.cx->guard;
  run_end_stepper(&s->run);
  run_close_arena(&s->run);
  guard_close(guard, &s->room_handle);
  guard_close(guard, &s->settings_handle);
  machine_close(&s->run.machine);
}

Status simulation_restart(Simulation *s) {
  forget_motion(s);
  return begin(s);
}

Status simulation_run(Simulation *s, RowSink *sink, Arena *arena, SimSummary *summary) {
  Run *run = &s->run;
  double started = context_seconds();
  forget_motion(s);
  *summary = (SimSummary){.verified = NAN, .holds_until = NAN};
  run->sink = sink, run->summary = summary, run->memory.found = arena;
  run->end.errors_before = run->cx->diagnostics.errors;
  Status status = run_begin(run);
  summary->setup_seconds = context_seconds() - started;
  if (status == QDOT_OK) status = run_completely(run);
  run_end_stepper(run);
  run->sink = &s->sink, run->summary = &s->summary, run->memory.found = &run->cx->keep;
  s->t = 0;
  s->is_over = true;
  return status;
}

Status simulation_set_state(Simulation *s, double t, const double *q, const double *qd) {
  Run *run = &s->run;
  Machine *m = &run->machine;
  size_t bytes = (size_t)run->n * sizeof *q;
  Status status = simulation_restart(s);
  if (status != QDOT_OK) return status;
  memset(m->closed, 0, (size_t)m->contacts * sizeof(bool));
  memcpy(run->q, q, bytes);
  memcpy(run->qd, qd, bytes + (size_t)m->states * sizeof *qd);
  s->t = run->t = t;
  status = run_begin_stepper(run);
  if (status == QDOT_OK && m->problem.m > 0)
    status = project_state(&run->stepper->projector, t, run->q, run->qd);
  if (status == QDOT_OK) status = run_choose_sides(run, t, run->q, run->qd);
  if (status == QDOT_OK && m->contacts > 0)
    status = contacts_start(&run->contacts, t, run->q, run->qd, &s->summary);
  run_push_slides(run);
  bool renew = m->contacts > 0 || run->switching.count + run->sliding.count > 0;
  if (status == QDOT_OK && renew) status = run_begin_stepper(run);
  if (status == QDOT_OK) status = run_begin_actions(run, t);
  monitor_start(&run->monitor, m, run->contacts.most_overlap, t, run->q, run->qd);
  return status;
}

Status simulation_continue(Simulation *s, const Simulation *from) {
  Status status = simulation_set_state(s, from->t, from->run.q, from->run.qd);
  if (status != QDOT_OK) return status;
  samplers_copy(&s->run.moments.samplers, &from->run.moments.samplers);
  s->run.end.has_stopped = from->run.end.has_stopped;
  for (int i = 0; i < s->run.own.count; i++) {
    s->run.own.side[i] = from->run.own.side[i];
    s->run.own.last[i] = from->run.own.last[i];
    s->run.own.slack[i] = from->run.own.slack[i];
  }
  s->summary.events = from->summary.events;
  return QDOT_OK;
}

// ---- Advancing

static Status start_piece(Simulation *s) {
  Status status = run_start_piece(&s->run);
  s->must_start = status != QDOT_OK;
  return status;
}

static void take_over_state(Simulation *s) {
  Run *run = &s->run;
  const Stepper *stepper = run->stepper;
  run_take_state(run, stepper->t, stepper->y);
  s->t = run->t;
}

static Status one_step(Simulation *s, double t) {
  Run *run = &s->run;
  Status status = s->must_start ? start_piece(s) : QDOT_OK;
  bool found = false;
  double t_event = 0;
  if (status == QDOT_OK) status = run_make_step(run, t, &found, &t_event);
  if (status != QDOT_OK) return status;
  if (!found) {
    take_over_state(s);
    monitor_state(&run->monitor, s->t, run->q, run->qd, run->w);
    status = run_check_overlap(run);
    if (status != QDOT_OK) return status;
    run->stepper->work_scale = monitor_work_scale(&run->monitor);
    if (run->machine.contacts > 0 && !run_steps_contacts(run))
      status = contacts_watch(&run->contacts, s->t, run->q, run->qd);
    if (status == QDOT_OK) status = run_pass_moments(run, &s->must_start);
    if (s->must_start) s->t = run->t;
    bool may_meet = s->must_start && run->machine.contacts > 0;
    return status == QDOT_OK && may_meet ? run_begin_stepper(run) : status;
  }
  bool new_set = false;
  status = run_treat_event(run, t_event, &new_set);
  s->t = run->t;
  s->must_start = true;
  return status == QDOT_OK && new_set ? run_begin_stepper(run) : status;
}

Status simulation_advance(Simulation *s, double t) {
  Run *run = &s->run;
  Status status = s->is_over ? simulation_restart(s) : QDOT_OK;
  s->has_row = false;
  run->progress.switched = run->progress.events_at_once = 0;
  while (status == QDOT_OK && s->t < t) {
    if (run->end.has_stopped || (run->o->stop && *run->o->stop)) return QDOT_STOPPED;
    status = context_due(run->cx); // no jump: the simulation goes on from here later
    if (status != QDOT_OK) return status;
    uint32_t errors = run->cx->diagnostics.errors;
    status = one_step(s, t);
    if (status == QDOT_OK) continue;
    s->must_start = true;
    if (run->cx->diagnostics.errors == errors)
      diag_error_plain(run->cx, status, "the simulation cannot continue at t = %.6g s: %s", s->t,
                       run->end.why ? run->end.why : status_text(status));
    if (run->end.why_note) diag_note(run->cx, "%s", run->end.why_note);
    run->end.why = run->end.why_note = NULL;
  }
  return status == QDOT_OK && run->end.has_stopped ? QDOT_STOPPED : status;
}

// ---- Changing

// What samples and events have assigned is held, unless the caller sets just that.
static void take_values(Simulation *s, uint32_t set) {
  Machine *m = &s->run.machine;
  const Plan *plan = m->plan;
  Mark mark = arena_mark(&m->cx->scratch);
  double *held = arena_array(&m->cx->scratch, double, plan->input_count);
  for (uint32_t i = 0; i < plan->input_count; i++) held[i] = m->values[plan->variables.inputs[i]];
  settings_fill(&s->settings, &m->plan->variables, m->values);
  for (uint32_t i = 0; i < plan->input_count && !s->is_over; i++)
    if (plan->inputs[i].is_assigned && set != s->settings.parameters + i)
      m->values[plan->variables.inputs[i]] = held[i];
  machine_use_values(m);
  arena_release(&m->cx->scratch, mark);
}

Status simulation_set(Simulation *s, uint32_t place, double value) {
  Run *run = &s->run;
  settings_set(&s->settings, place, value);
  take_values(s, place);
  if (s->is_over) return QDOT_OK;
  forcing_restart(&run->moments.forcing, &run->machine);
  s->must_start = true;
  s->has_row = false;
  Status status = samplers_take_values(&run->moments.samplers, run->t);
  if (status == QDOT_OK) status = contacts_take_values(&run->contacts);
  bool moves_constraints = run->machine.problem.m > 0;
  if (status == QDOT_OK && moves_constraints)
    status = project_state(&run->stepper->projector, run->t, run->q, run->qd);
  if (status == QDOT_OK) status = run_choose_sides(run, run->t, run->q, run->qd);
  run_push_slides(run);
  return status == QDOT_OK && run->switching.count + run->sliding.count > 0 ? run_begin_stepper(run)
                                                                            : status;
}

// ---- Reading

Status simulation_row(Simulation *s, const double **out) {
  Run *run = &s->run;
  Status status = s->is_over ? simulation_restart(s) : QDOT_OK;
  if (status == QDOT_OK && !s->has_row) status = run_write_event_row(run, s->t, run->q, run->qd);
  s->has_row = status == QDOT_OK;
  *out = run->rows.row;
  return status;
}
