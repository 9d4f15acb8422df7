// Equations as numbers for programs of others.
#include <math.h>
#include <string.h>

#include "api/api_call.h"
#include "api/api_system.h"
#include "sim/run/evaluator.h"

struct qdot_evaluator {
  Evaluator evaluator;
  uint32_t parts; // 1 << PART_... of what was asked for
};

// ---- What a system consists of

size_t qdot_system_count(const qdot_system *system, qdot_kind kind) {
  const System *s = system->system;
  switch (kind) {
  case QDOT_COORDINATES: return s->n;
  case QDOT_CONSTRAINTS: return s->row_count;
  case QDOT_CONTACTS: return s->contact_count;
  case QDOT_PARAMETERS: return s->model->parameters.n;
  case QDOT_INPUTS: return s->model->inputs.n;
  case QDOT_OUTPUTS: return s->model->outputs.n;
  }
  return 0;
}

const char *qdot_system_name(const qdot_system *system, qdot_kind kind, size_t i) {
  const System *s = system->system;
  const Model *model = s->model;
  if (i >= qdot_system_count(system, kind)) return NULL;
  Symbol name = 0;
  switch (kind) {
  case QDOT_COORDINATES: name = model->coordinates.at[i].name; break;
  case QDOT_CONSTRAINTS: name = s->rows[i].name; break;
  case QDOT_CONTACTS: name = s->contacts[i].name; break;
  case QDOT_PARAMETERS: name = model->parameters.at[i].name; break;
  case QDOT_INPUTS: name = model->inputs.at[i].name; break;
  case QDOT_OUTPUTS: name = model->outputs.at[i].name; break;
  }
  return symbol_text(s->cx, name);
}

// ---- Opening and closing

static uint32_t parts_of(unsigned what) {
  static const struct {
    unsigned what;
    uint32_t parts;
  } table[] = {{QDOT_EVALUATE_TERMS, EVALUATE_TERMS | EVALUATE_FORCES},
               {QDOT_EVALUATE_CONSTRAINTS, EVALUATE_CONSTRAINTS},
               {QDOT_EVALUATE_CONTACTS, EVALUATE_CONTACTS},
               {QDOT_EVALUATE_OUTPUTS, EVALUATE_OUTPUTS},
               {QDOT_EVALUATE_STATE_SLOPES, 1u << PART_STATE_SLOPES},
               {QDOT_EVALUATE_INPUT_SLOPES, 1u << PART_INPUT_SLOPES},
               {QDOT_EVALUATE_PARAMETER_SLOPES, 1u << PART_PARAMETER_SLOPES}};
  uint32_t parts = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (what & table[i].what) parts |= table[i].parts;
  return parts;
}

typedef struct Opening {
  qdot_system *system;
  unsigned what;
  qdot_evaluator *evaluator;
  double *q, *qd;
} Opening;

static Status open_evaluator(void *argument) {
  Opening *o = argument;
  Context *cx = o->system->system->cx;
  o->evaluator = arena_new(&cx->keep, qdot_evaluator);
  o->evaluator->parts = parts_of(o->what);
  return evaluator_open(&o->evaluator->evaluator, cx, o->system->system, o->evaluator->parts);
}

qdot_status qdot_evaluator_open(qdot_system *system, unsigned what, qdot_evaluator **out) {
  Opening opening = {.system = system, .what = what};
  Status status = api_call(system->system->cx, open_evaluator, &opening);
  *out = status == QDOT_OK ? opening.evaluator : NULL;
  return status;
}

void qdot_evaluator_close(qdot_evaluator *evaluator) {
  // After exhaustion only the context can be closed, which then closes this too.
  if (evaluator && evaluator->evaluator.machine.cx->guard.status == QDOT_OK)
    evaluator_close(&evaluator->evaluator);
}

// ---- Values and states

qdot_status qdot_evaluator_set(qdot_evaluator *evaluator, const char *name, double value) {
  int place = settings_find(&evaluator->evaluator.settings, name);
  if (place < 0) return QDOT_UNKNOWN_NAME;
  if (!isfinite(value)) return QDOT_BAD_VALUE;
  evaluator_set(&evaluator->evaluator, (uint32_t)place, value);
  return QDOT_OK;
}

qdot_status qdot_evaluator_get(const qdot_evaluator *evaluator, const char *name, double *value) {
  const Settings *settings = &evaluator->evaluator.settings;
  int place = settings_find(settings, name);
  if (place < 0) return QDOT_UNKNOWN_NAME;
  *value = settings->values[place];
  return QDOT_OK;
}

static Status find_initial(void *argument) {
  Opening *o = argument;
  return evaluator_initial(&o->evaluator->evaluator, o->q, o->qd);
}

qdot_status qdot_evaluator_initial(qdot_evaluator *evaluator, double *q, double *qd) {
  Opening opening = {.evaluator = evaluator, .q = q, .qd = qd};
  return api_call(evaluator->evaluator.machine.cx, find_initial, &opening);
}

qdot_status qdot_evaluator_project(qdot_evaluator *evaluator, double t, double *q, double *qd) {
  return evaluator_project(&evaluator->evaluator, t, q, qd);
}

// ---- Evaluation

static bool was_asked_for(const qdot_evaluator *evaluator, EquationPart part) {
  return evaluator->parts >> part & 1;
}

static void copy(double *to, const double *from, size_t n) {
  if (to) memcpy(to, from, n * sizeof *to);
}

qdot_status qdot_evaluator_accelerations(qdot_evaluator *evaluator, double t, const double *q,
                                         const double *qd, double *qdd, double *lambda) {
  Evaluator *e = &evaluator->evaluator;
  Status status = evaluator_solve(e, t, q, qd);
  if (status != QDOT_OK) return status;
  copy(qdd, e->qdd, (size_t)e->machine.n);
  if (lambda) evaluator_sort_rows(e, e->lambda, 1, lambda);
  return QDOT_OK;
}

qdot_status qdot_evaluator_terms(qdot_evaluator *evaluator, double t, const double *q,
                                 const double *qd, const qdot_terms *out) {
  Evaluator *e = &evaluator->evaluator;
  size_t n = (size_t)e->machine.n;
  if (!was_asked_for(evaluator, PART_TERMS)) return QDOT_BAD_ARGUMENT;
  evaluator_choose_sides(e, t, q, qd);
  ForcesBlocks forces = machine_run_forces(&e->machine, t, q, qd);
  copy(out->h, forces.h, n);
  copy(out->D, forces.D, n);
  copy(out->G, forces.G, n);
  copy(out->Q, forces.Q, n);
  TermsBlocks terms = machine_run_terms(&e->machine, t, q, qd);
  copy(out->M, terms.M, n * n);
  if (out->Phi_q) evaluator_sort_rows(e, terms.Phi_q, (uint32_t)n, out->Phi_q);
  if (out->gamma) evaluator_sort_rows(e, terms.gamma, 1, out->gamma);
  return QDOT_OK;
}

qdot_status qdot_evaluator_constraints(qdot_evaluator *evaluator, double t, const double *q,
                                       const double *qd, double *Phi, double *Phi_dot) {
  Evaluator *e = &evaluator->evaluator;
  const Problem *p = &e->machine.problem;
  if (!was_asked_for(evaluator, PART_POSITION)) return QDOT_BAD_ARGUMENT;
  evaluator_choose_sides(e, t, q, qd);
  const double *rates = machine_run_velocity(&e->machine, t, q, qd).Phi_dot;
  if (Phi_dot) evaluator_sort_rows(e, rates, 1, Phi_dot);
  // Rows without a position level come last in the problem, and are their velocity expression.
  if (!Phi) return QDOT_OK;
  evaluator_sort_rows(e, rates, 1, Phi);
  const double *positions = machine_run_position(&e->machine, t, q, qd).Phi;
  for (int r = 0; r < p->holonomic; r++) Phi[machine_place(&e->machine, r)] = positions[r];
  return QDOT_OK;
}

qdot_status qdot_evaluator_contacts(qdot_evaluator *evaluator, double t, const double *q,
                                    const double *qd, double *phi, double *phi_dot) {
  Evaluator *e = &evaluator->evaluator;
  if (!was_asked_for(evaluator, PART_CONTACTS)) return QDOT_BAD_ARGUMENT;
  evaluator_choose_sides(e, t, q, qd);
  ContactsBlocks at = machine_run_contacts(&e->machine, t, q, qd);
  copy(phi, at.phi, (size_t)e->machine.contacts);
  copy(phi_dot, at.phi_dot, (size_t)e->machine.contacts);
  return QDOT_OK;
}

qdot_status qdot_evaluator_outputs(qdot_evaluator *evaluator, double t, const double *q,
                                   const double *qd, double *outputs, double *energies) {
  Evaluator *e = &evaluator->evaluator;
  size_t count = e->machine.system->model->outputs.n;
  if (!was_asked_for(evaluator, PART_OUTPUTS)) return QDOT_BAD_ARGUMENT;
  // Outputs may contain accelerations and multipliers.
  Status status = evaluator_solve(e, t, q, qd);
  if (status != QDOT_OK) return status;
  OutputsBlocks at = machine_run_outputs(&e->machine, t, q, qd);
  copy(outputs, at.outputs, count);
  copy(energies, at.energies, 3);
  return QDOT_OK;
}

// ---- Slopes

static Status slopes_of(qdot_evaluator *evaluator, EquationPart part, double t, const double *q,
                        const double *qd, uint32_t columns, double *out) {
  Evaluator *e = &evaluator->evaluator;
  size_t n = (size_t)e->machine.n, m = (size_t)e->machine.problem.m;
  if (!was_asked_for(evaluator, part)) return QDOT_BAD_ARGUMENT;
  if (!evaluator_has(e, part)) return QDOT_SINGULAR_MASS;
  const double *from = machine_run(&e->machine, part, t, q, qd);
  for (size_t i = 0; i < part_size(part, &e->machine.set->equations->extents); i++)
    if (!isfinite(from[i])) return m > 0 ? QDOT_SINGULAR : QDOT_SINGULAR_MASS;
  copy(out, from, n * columns);
  evaluator_sort_rows(e, from + n * columns, columns, out + n * columns);
  return QDOT_OK;
}

qdot_status qdot_evaluator_slopes(qdot_evaluator *evaluator, double t, const double *q,
                                  const double *qd, double *by_state, double *by_inputs,
                                  double *by_parameters) {
  Evaluator *e = &evaluator->evaluator;
  Settings *settings = &e->settings;
  uint32_t n = (uint32_t)e->machine.n, inputs = settings->count - settings->parameters;
  Status status = QDOT_OK;
  evaluator_choose_sides(e, t, q, qd);
  if (by_state) status = slopes_of(evaluator, PART_STATE_SLOPES, t, q, qd, 2 * n, by_state);
  if (status == QDOT_OK && by_inputs)
    status = slopes_of(evaluator, PART_INPUT_SLOPES, t, q, qd, inputs, by_inputs);
  if (status != QDOT_OK || !by_parameters) return status;
  status =
      slopes_of(evaluator, PART_PARAMETER_SLOPES, t, q, qd, settings->parameters, by_parameters);
  if (status == QDOT_OK)
    settings_chain(settings, by_parameters, n + (uint32_t)e->machine.problem.m);
  return status;
}
