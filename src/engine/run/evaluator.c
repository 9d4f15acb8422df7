// Evaluation of a system at any state.
#include "engine/run/evaluator.h"

#include <math.h>
#include <string.h>

#include "engine/sharing.h"
#include "engine/start/initial.h"

static void close_settings(void *object) { settings_close(object); }

static void need_parts(Evaluator *e, uint64_t parts) {
  Machine *m = &e->machine;
  for (int part = 0; part < EQUATION_PARTS; part++)
    if (parts >> part & 1) machine_need(m, (EquationPart)part);
  if (m->problem.m > 0) {
    machine_need(m, PART_PROJECT_POSITION);
    machine_need(m, PART_PROJECT_VELOCITY);
    machine_need(m, PART_POSITION);
    machine_need(m, PART_VELOCITY);
    machine_need(m, PART_GEOMETRY);
    if (m->plan->loads.count > 0) machine_need(m, PART_LOADS);
  }
  if (m->problem.m > 0 || !m->problem.forward) {
    machine_need(m, PART_TERMS);
    machine_need(m, PART_POWER);
  }
  if (machine_switches(m)) machine_need(m, PART_SWITCHES);
}

Status evaluator_open_programs(Evaluator *e, Programs *programs, uint64_t parts) {
  Machine *m = &e->machine;
  Context *cx = programs->cx;
  Status status = machine_open_programs(m, programs, programs->is_single);
  if (status != QDOT_OK) {
    machine_close(m);
    return status;
  }
  settings_open(&e->settings, cx, m->plan, &m->arena);
  guard_register(&cx->guard, &e->handle, &e->settings, close_settings);
  e->switches = (int)m->set->equations->switch_count;
  e->side = arena_array(&m->arena, double, e->switches + 1);
  e->qdd = arena_array(&m->arena, double, m->n);
  e->lambda = arena_array(&m->arena, double, m->rows + m->contacts + 1);
  e->rates = arena_array(&m->arena, double, m->states + POWER_KINDS);
  need_parts(e, parts);
  dynamics_open(&e->dynamics, &m->arena, &m->problem);
  projector_open(&e->projector, &m->arena, &e->dynamics);
  return QDOT_OK;
}

void evaluator_close(Evaluator *e) {
  guard_close(&e->machine.cx->guard, &e->handle);
  machine_close(&e->machine);
}

void evaluator_set(Evaluator *e, uint32_t place, double value) {
  settings_set(&e->settings, place, value);
  settings_fill(&e->settings, &e->machine.plan->variables, e->machine.values);
  machine_use_values(&e->machine);
}

Status evaluator_initial(Evaluator *e, double *q, double *qd) {
  SimSummary summary = {0};
  Status status = initial_switched_state(&e->machine, q, qd, &summary);
  for (int i = 0; i < e->switches; i++) e->side[i] = 0; // they are chosen anew at every state
  return status;
}

bool evaluator_has(const Evaluator *e, EquationPart part) {
  return e->machine.set->work[part] != NULL;
}

void evaluator_choose_sides(Evaluator *e, double t, const double *q, const double *qd) {
  if (!machine_switches(&e->machine)) return;
  const double *g = machine_find_pieces(&e->machine, t, q, qd, NULL);
  bool changed = false;
  for (int i = 0; i < e->switches; i++) {
    double side = g[i] < 0 ? -1 : 1;
    changed |= side != e->side[i];
    e->side[i] = side;
  }
  if (changed) machine_set_sides(&e->machine, e->side);
}

Status evaluator_solve(Evaluator *e, double t, const double *q, const double *qd) {
  evaluator_choose_sides(e, t, q, qd);
  int64_t revealed = e->dynamics.revealed;
  Status status = dynamics_evaluate(&e->dynamics, t, q, qd, e->qdd, e->lambda, e->rates);
  if (status == QDOT_OK) machine_give(&e->machine, e->qdd, e->lambda);
  if (status == QDOT_OK && e->dynamics.revealed > revealed) {
    status = machine_share_loads(&e->machine, &e->dynamics, t, q, qd);
    const Equations *equations = e->machine.set->equations;
    for (uint32_t r = 0; r < equations->m; r++)
      e->lambda[r] = e->machine.in[equations->layout.lambda + equations->lambda[r]];
  }
  for (int i = 0; i < e->machine.n && status == QDOT_OK; i++)
    if (!isfinite(e->qdd[i])) status = QDOT_UNDEFINED;
  return status;
}

Status evaluator_project(Evaluator *e, double t, double *q, double *qd) {
  evaluator_choose_sides(e, t, q, qd);
  if (e->machine.problem.m == 0) return QDOT_OK;
  // twice: a state of the caller's may be further off than the error of one step
  Status status = project_state(&e->projector, t, q, qd);
  return status == QDOT_OK ? project_state(&e->projector, t, q, qd) : status;
}

void evaluator_sort_rows(const Evaluator *e, const double *from, uint32_t width, double *to) {
  for (int r = 0; r < e->machine.problem.m; r++)
    memcpy(to + (size_t)machine_place(&e->machine, r) * width, from + (size_t)r * width,
           width * sizeof *to);
}
