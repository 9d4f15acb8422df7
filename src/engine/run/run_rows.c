// Rows of a run: states on the grid of output times, with accelerations, forces and energies.
#include <math.h>
#include <string.h>

#include "engine/run/run.h"
#include "engine/sharing.h"
#include "solve/moreau.h"

double run_row_time(const Run *run, int64_t k) {
  double t = (double)k * run->o->every;
  return t > run->o->t_end * (1 - 1e-12) || t >= run->o->t_end - 1e-9 * run->o->every
             ? run->o->t_end
             : t;
}

bool run_keeps_constraints(const Run *run) {
  Stabilize way = run->o->method.stabilize;
  return run->machine.problem.m > 0 && (way == STABILIZE_PROJECT || way == STABILIZE_PARTITIONING);
}

// Programs see friction of joints by what presses them and by the sides of their switches.
static void show_joints(Run *run, double t, const double *y) {
  Machine *m = &run->machine;
  const PressImpulses *joints = m->joints;
  const double *pressed = run->stepper->pressed + m->contacts;
  const double *rubbed = run->stepper->rubbed + m->contacts;
  double *load = m->in + m->set->equations->layout.presses;
  Mark mark = arena_mark(&run->cx->scratch);
  double *sides = arena_array(&run->cx->scratch, double, run->switching.count);
  press_impulses_read(m->joints, t, y, y + run->n);
  memcpy(sides, run->switching.side, (size_t)run->switching.count * sizeof *sides);
  for (int i = 0; i < joints->count; i++) {
    double most = joints->grip[i] * pressed[i];
    load[i] = pressed[i];
    if (m->plan->presses[i].guard < 0) continue;
    sides[m->plan->presses[i].guard] = most > 0 ? -joints->way[i] * rubbed[i] / most : 0;
  }
  machine_set_sides(m, sides);
  arena_release(&run->cx->scratch, mark);
}

// What pressed and rubbed in the last step acts on q'' and lambda, too.
static Status add_contacts(Run *run, double t, const double *y) {
  Machine *m = &run->machine;
  Status status = moreau_accelerations(run->stepper, t, y, run->work.qdd, run->work.lambda);
  machine_give(m, run->work.qdd, run->work.lambda);
  double *lambda = m->in + m->set->equations->layout.lambda + m->rows;
  for (int i = 0; i < m->contacts; i++) {
    lambda[i] = run->stepper->pressed[i];
    if (m->rubs) machine_put_friction(m, i, run->stepper->rubbed[i]);
  }
  if (m->joints) show_joints(run, t, y);
  return status;
}

void run_forget_forces(Run *run) {
  Machine *m = &run->machine;
  if (!run_steps_contacts(run)) return;
  if (m->rubs) machine_clear_friction(m);
  if (!m->joints) return;
  memset(m->in + m->set->equations->layout.presses, 0, (size_t)m->joints->count * sizeof *m->in);
  machine_set_sides(m, run->switching.side);
}

Status run_find_forces(Run *run, double t, const double *y) {
  Machine *m = &run->machine;
  Stepper *s = run->stepper;
  int n = run->n;
  int64_t evaluations = s->dynamics.evaluations, revealed = s->dynamics.revealed;
  run_forget_forces(run);
  Status status =
      dynamics_evaluate(&s->dynamics, t, y, y + n, run->work.qdd, run->work.lambda, run->rows.row);
  s->dynamics.evaluations = evaluations;
  if (status != QDOT_OK) return status;
  if (run->friction.slips > 0 && run_mixes(run))
    sticking_share(&run->friction.sticking, run->work.lambda);
  if (run->friction.slips == 0 && m->contacts > 0 && s->dynamics.revealed > revealed)
    // a row may stand just behind the moment when they cannot any more, and before its event
    contacts_carry(&run->contacts, &s->dynamics, 1e-6, run->work.lambda);
  machine_give(m, run->work.qdd, run->work.lambda);
  if (run_mixes(run)) sticking_show(&run->friction.sticking, run->switching.side);
  if (s->dynamics.revealed > revealed) status = machine_share_loads(m, &s->dynamics, t, y, y + n);
  if (status != QDOT_OK) return status;
  bool steps = run_steps_contacts(run) && (m->contacts > 0 || m->joints);
  return steps ? add_contacts(run, t, y) : QDOT_OK;
}

// q'' and lambda come from one evaluation.
Status run_fill_row(Run *run, double t, double *y, double *row) {
  Machine *m = &run->machine;
  int n = run->n, rows = m->rows + m->contacts;
  Status status = QDOT_OK;
  if (run_keeps_constraints(run)) status = project_state(&run->stepper->projector, t, y, y + n);
  if (status == QDOT_OK) status = run_find_forces(run, t, y);
  if (status != QDOT_OK) return status;
  const double *out = machine_run(m, PART_OUTPUTS, t, y, y + n);
  double *at = row;
  size_t bytes = (size_t)n * sizeof *at;
  *at++ = t;
  memcpy(at, y, (size_t)run->acting * sizeof *at);
  memcpy(at + run->acting, run->work.qdd, bytes);
  at += run->acting + n;
  memcpy(at, m->in + m->set->equations->layout.lambda, (size_t)rows * sizeof *at);
  at += rows;
  memcpy(at, out, part_size(PART_OUTPUTS, &m->set->equations->extents) * sizeof *at);
  run_forget_forces(run);
  return QDOT_OK;
}

static Status give_row(Run *run, const double *row) {
  run->summary->rows++;
  return run->sink->row(run->sink->user, row, run->rows.columns);
}

// A row into run->rows.row, seen by those who watch the run.
static Status make_row(Run *run, double t, double *y) {
  Status status = run_fill_row(run, t, y, run->rows.row);
  if (status != QDOT_OK) return status;
  int n = run->n;
  monitor_state(&run->monitor, t, y, y + n, y + run->acting);
  monitor_accelerations(&run->monitor, t, y, y + n);
  if (!run->event.is_found) monitor_contacts(&run->monitor); // an event row is of the set before
  Extremes *extremes = run->summary->extremes;
  for (uint32_t i = 0; extremes && i < run->rows.columns; i++)
    extremes_widen_by_value(&extremes[i], t, run->rows.row[i]);
  return QDOT_OK;
}

static Status write_row(Run *run, double t, double *y) {
  Status status = make_row(run, t, y);
  return status == QDOT_OK ? give_row(run, run->rows.row) : status;
}

// The time of the next row, INFINITY when all are written.
static double next_row_time(const Run *run) {
  bool all = run->rows.next > 0 && run_row_time(run, run->rows.next - 1) == run->o->t_end;
  return all ? INFINITY : run_row_time(run, run->rows.next);
}

static bool is_due(const Run *run, double t, double until) {
  double slack = 1e-12 * run->o->every;
  return t <= until + slack && !(run->rows.leaves_last && fabs(t - until) <= 1e-9 * run->o->every);
}

bool run_writes_row(const Run *run, int64_t k) {
  int64_t stride = run->o->row_stride;
  return stride < 2 || k % stride == 0 || run_row_time(run, k) == run->o->t_end;
}

// Rows that nobody takes.
static void pass_rows(Run *run, double until) {
  int64_t all_but_last = (int64_t)(until / run->o->every) - 1;
  if (run->rows.next < all_but_last) run->rows.next = all_but_last;
  while (is_due(run, next_row_time(run), until)) run->rows.next++;
  run->progress.switched = 0;
}

Status run_write_rows(Run *run, double until) {
  Stepper *s = run->stepper;
  double slack = 1e-12 * run->o->every, t = next_row_time(run);
  if (!is_due(run, t, until)) return QDOT_OK;
  Status status = QDOT_OK;
  if (!run->sink->row) {
    pass_rows(run, until);
    return QDOT_OK;
  }
  run_pause(run);
  for (; status == QDOT_OK && is_due(run, t, until); t = next_row_time(run)) {
    double at = fabs(t - s->t) <= slack ? s->t : fmin(t, until);
    if (run_writes_row(run, run->rows.next)) {
      status = stepper_dense(s, at, run->work.y);
      if (status == QDOT_OK) status = write_row(run, t, run->work.y);
    }
    run->rows.next++;
    run->progress.switched = 0;
  }
  run_go_on(run);
  return status;
}

static double *state_of_row(Run *run, const double *q, const double *qd) {
  size_t n = (size_t)run->n, acting = (size_t)run->acting;
  memcpy(run->work.y, q, n * sizeof *q);
  memcpy(run->work.y + n, qd, (acting - n) * sizeof *q);
  memcpy(run->work.y + acting, run->w, POWER_KINDS * sizeof *run->w);
  return run->work.y;
}

Status run_write_event_row(Run *run, double t, const double *q, const double *qd) {
  return write_row(run, t, state_of_row(run, q, qd));
}

Status run_hold_event_row(Run *run, double t) {
  Status status = make_row(run, t, state_of_row(run, run->q, run->qd));
  memcpy(run->rows.held, run->rows.row, run->rows.columns * sizeof *run->rows.row);
  return status;
}

Status run_give_held_row(Run *run) { return give_row(run, run->rows.held); }

Status run_write_row_behind(Run *run) {
  run->rows.owes_event = false;
  run_look_aside(run);
  Status status = run_write_event_row(run, run->t, run->q, run->qd);
  run_look_back(run);
  return status;
}
