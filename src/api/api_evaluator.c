// Equations as numbers for programs of others.
#include <math.h>
#include <string.h>

#include "api/api_call.h"
#include "api/api_options.h"
#include "api/api_system.h"
#include "expr/value/eval.h"
#include "sim/run_source.h"

struct qdot_evaluator {
  Evaluator *evaluator;
  qdot_system *system;
  bool is_named;  // the numbers of parts can be changed
  uint64_t parts; // EVALUATE(part) of what was asked for
};

// ---- What a system consists of

static Status make_named(void *argument) {
  System *named;
  return api_named_system(argument, &named);
}

// Parameters are those of the equations under names, numbers of parts among them.
static const Model *model_with_parameters(qdot_system *system) {
  if (!system->system->model->named) return system->system->model;
  bool good = api_call(system->system->cx, make_named, system) == QDOT_OK;
  return good ? system->named->model : system->system->model;
}

size_t qdot_system_name_count(qdot_system *system, qdot_part part) {
  if (!system) return 0;
  const System *s = system->system;
  switch (part) {
  case QDOT_PART_COORDINATES: return s->n;
  case QDOT_PART_CONSTRAINTS: return s->row_count;
  case QDOT_PART_CONTACTS: return s->contact_count;
  case QDOT_PART_PARAMETERS: return model_with_parameters(system)->parameters.n;
  case QDOT_PART_INPUTS: return s->model->inputs.n;
  case QDOT_PART_OUTPUTS: return s->model->outputs.n;
  case QDOT_PART_STATES: return s->states;
  }
  return 0;
}

const char *qdot_system_name_at(qdot_system *system, qdot_part part, size_t i) {
  if (!system) return NULL;
  const System *s = system->system;
  const Model *model = s->model;
  if (i >= qdot_system_name_count(system, part)) return NULL;
  Symbol name = 0;
  switch (part) {
  case QDOT_PART_COORDINATES: name = model->coordinates.at[i].name; break;
  case QDOT_PART_CONSTRAINTS: name = s->rows[i].name; break;
  case QDOT_PART_CONTACTS: name = s->contacts[i].name; break;
  case QDOT_PART_PARAMETERS: name = model_with_parameters(system)->parameters.at[i].name; break;
  case QDOT_PART_INPUTS: name = model->inputs.at[i].name; break;
  case QDOT_PART_OUTPUTS: name = model->outputs.at[i].name; break;
  case QDOT_PART_STATES: name = model->states.at[i].name; break;
  }
  return symbol_text(s->cx, name);
}

size_t qdot_system_name_find(qdot_system *system, qdot_part part, const char *name) {
  if (!system || !name) return QDOT_NOT_FOUND;
  size_t count = qdot_system_name_count(system, part);
  for (size_t i = 0; i < count; i++)
    if (strcmp(qdot_system_name_at(system, part, i), name) == 0) return i;
  return QDOT_NOT_FOUND;
}

// ---- Opening and closing

static uint64_t parts_of(unsigned what) {
  static const struct {
    unsigned what;
    uint64_t parts;
  } table[] = {{QDOT_EVALUATE_TERMS, EVALUATE(TERMS) | EVALUATE(FORCES)},
               {QDOT_EVALUATE_CONSTRAINTS, EVALUATE(POSITION) | EVALUATE(VELOCITY)},
               {QDOT_EVALUATE_CONTACTS, EVALUATE(CONTACTS)},
               {QDOT_EVALUATE_OUTPUTS, EVALUATE(OUTPUTS)},
               {QDOT_EVALUATE_STATE_SLOPES, EVALUATE(STATE_SLOPES)},
               {QDOT_EVALUATE_INPUT_SLOPES, EVALUATE(INPUT_SLOPES)},
               {QDOT_EVALUATE_PARAMETER_SLOPES, EVALUATE(PARAMETER_SLOPES)}};
  uint64_t parts = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (what & table[i].what) parts |= table[i].parts;
  return parts;
}

typedef struct Opening {
  qdot_system *system;
  unsigned what;
  qdot_evaluator *evaluator;
  double *q, *qd;
  const char *name;
  double value;
} Opening;

// Equations in which the numbers of parts are numbers, or with names: those can be changed.
static Status open_with(qdot_evaluator *evaluator, bool is_named) {
  System *system = evaluator->system->system;
  Context *cx = system->cx;
  Status status = is_named ? api_named_system(evaluator->system, &system) : QDOT_OK;
  if (status != QDOT_OK) return status;
  Evaluator *fresh = arena_new(&cx->keep, Evaluator);
  status = evaluator_open(fresh, system, evaluator->parts);
  if (status != QDOT_OK) return status;
  const Evaluator *old = evaluator->evaluator;
  for (uint32_t i = 0; old && i < old->settings.count; i++)
    if (old->settings.is_given[i])
      evaluator_set(fresh, (uint32_t)settings_find(&fresh->settings, old->settings.names[i]),
                    old->settings.values[i]);
  if (old) evaluator_close(evaluator->evaluator);
  evaluator->evaluator = fresh;
  evaluator->is_named = is_named;
  return QDOT_OK;
}

static Status open_evaluator(void *argument) {
  Opening *o = argument;
  Context *cx = o->system->system->cx;
  const Model *model = o->system->system->model;
  if (model->presses.n > 0)
    return diag_error_plain(cx, QDOT_UNSUPPORTED,
                            "the friction of joint '%s' is known in a run only, not at any state",
                            symbol_text(cx, model->presses.at[0].name));
  o->evaluator = arena_new(&cx->keep, qdot_evaluator);
  *o->evaluator = (qdot_evaluator){.system = o->system, .parts = parts_of(o->what)};
  return open_with(o->evaluator, o->evaluator->parts >> PART_PARAMETER_SLOPES & 1);
}

qdot_status qdot_evaluator_open(qdot_system *system, unsigned what, qdot_evaluator **out) {
  if (out) *out = NULL;
  if (!system || !out) return QDOT_BAD_ARGUMENT;
  Opening opening = {.system = system, .what = what};
  Status status = api_call(system->system->cx, open_evaluator, &opening);
  *out = status == QDOT_OK ? opening.evaluator : NULL;
  return status;
}

void qdot_evaluator_close(qdot_evaluator *evaluator) {
  // After exhaustion only the context can be closed, which then closes this too.
  if (evaluator && evaluator->evaluator->machine.cx->guard.status == QDOT_OK)
    evaluator_close(evaluator->evaluator);
}

// ---- Values and states

// A number of a part that is to change becomes a parameter of the equations now.
static Status open_named(void *argument) {
  Opening *o = argument;
  return open_with(o->evaluator, true);
}

// The parameter that the name of a number of a part stands for, or NULL.
static const Parameter *number_of_part(const qdot_evaluator *evaluator, const char *name) {
  const Model *named = evaluator->system->system->model->named;
  const NameEntry *entry = named ? model_find_text(named, name) : NULL;
  if (!entry || entry->kind != NAME_PARAMETER) return NULL;
  const Parameter *p = &named->parameters.at[entry->number];
  return p->is_number ? p : NULL;
}

static int place_of(const qdot_evaluator *evaluator, const char *name) {
  const Parameter *number = number_of_part(evaluator, name);
  if (number) name = symbol_text(evaluator->evaluator->machine.cx, number->name);
  return settings_find(&evaluator->evaluator->settings, name);
}

qdot_status qdot_evaluator_set(qdot_evaluator *evaluator, const char *name, double value) {
  if (!evaluator) return QDOT_BAD_ARGUMENT;
  bool is_folded = place_of(evaluator, name) < 0 && !evaluator->is_named;
  if (is_folded && isfinite(value) && number_of_part(evaluator, name)) {
    Opening opening = {.evaluator = evaluator};
    Status status = api_call(evaluator->evaluator->machine.cx, open_named, &opening);
    if (status != QDOT_OK) return status;
  }
  int place = place_of(evaluator, name);
  if (place < 0) return QDOT_UNKNOWN_NAME;
  if (!isfinite(value)) return QDOT_BAD_VALUE;
  evaluator_set(evaluator->evaluator, (uint32_t)place, value);
  return QDOT_OK;
}

// The value of a number of a part that stands as a number in the equations.
static Status read_number(void *argument) {
  Opening *o = argument;
  const Model *named = o->evaluator->system->system->model->named;
  Context *cx = named->cx;
  const Settings *settings = &o->evaluator->evaluator->settings;
  double *values = arena_array(&cx->scratch, double, cx->exprs->symbols.n);
  for (uint32_t i = 0; i < named->parameters.n; i++) {
    const Parameter *p = &named->parameters.at[i];
    int place = settings_find(settings, symbol_text(cx, p->name));
    o->value = place >= 0 ? settings->values[place] : expr_eval(cx, p->value, values);
    values[symbol_variable(cx, p->symbol)] = o->value;
    if (p == number_of_part(o->evaluator, o->name)) break;
  }
  return QDOT_OK;
}

qdot_status qdot_evaluator_get(const qdot_evaluator *evaluator, const char *name, double *value) {
  if (!evaluator) return QDOT_BAD_ARGUMENT;
  int place = place_of(evaluator, name);
  if (place >= 0) {
    *value = evaluator->evaluator->settings.values[place];
    return QDOT_OK;
  }
  if (!number_of_part(evaluator, name)) return QDOT_UNKNOWN_NAME;
  Opening opening = {.evaluator = (qdot_evaluator *)evaluator, .name = name};
  Status status = api_call(evaluator->evaluator->machine.cx, read_number, &opening);
  *value = opening.value;
  return status;
}

static Status find_initial(void *argument) {
  Opening *o = argument;
  const Machine *m = &o->evaluator->evaluator->machine;
  Arena *scratch = &m->cx->scratch; // for what the caller skips
  double *q = o->q ? o->q : arena_array(scratch, double, (size_t)m->n + 1);
  double *qd = o->qd ? o->qd : arena_array(scratch, double, (size_t)(m->n + m->states) + 1);
  return evaluator_initial(o->evaluator->evaluator, q, qd);
}

qdot_status qdot_evaluator_initial(qdot_evaluator *evaluator, double *q, double *qd) {
  if (!evaluator) return QDOT_BAD_ARGUMENT;
  Opening opening = {.evaluator = evaluator, .q = q, .qd = qd};
  return api_call(evaluator->evaluator->machine.cx, find_initial, &opening);
}

qdot_status qdot_evaluator_project(qdot_evaluator *evaluator, double t, double *q, double *qd) {
  if (!evaluator) return QDOT_BAD_ARGUMENT;
  return evaluator_project(evaluator->evaluator, t, q, qd);
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
  if (!evaluator) return QDOT_BAD_ARGUMENT;
  Evaluator *e = evaluator->evaluator;
  Status status = evaluator_solve(e, t, q, qd);
  if (status != QDOT_OK) return status;
  copy(qdd, e->qdd, (size_t)e->machine.n);
  if (lambda) evaluator_sort_rows(e, e->lambda, 1, lambda);
  return QDOT_OK;
}

qdot_status qdot_evaluator_rates(qdot_evaluator *evaluator, double t, const double *q,
                                 const double *qd, double *rates) {
  if (!evaluator) return QDOT_BAD_ARGUMENT;
  Evaluator *e = evaluator->evaluator;
  Status status = evaluator_solve(e, t, q, qd);
  if (status == QDOT_OK) copy(rates, e->rates, (size_t)e->machine.states);
  return status;
}

qdot_status qdot_evaluator_terms(qdot_evaluator *evaluator, double t, const double *q,
                                 const double *qd, const qdot_terms *given) {
  if (!evaluator) return QDOT_BAD_ARGUMENT;
  Evaluator *e = evaluator->evaluator;
  qdot_terms own;
  if (!given || !api_options(given, &own, sizeof own)) return QDOT_BAD_ARGUMENT;
  const qdot_terms *out = &own;
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
  if (!evaluator) return QDOT_BAD_ARGUMENT;
  Evaluator *e = evaluator->evaluator;
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
  if (!evaluator) return QDOT_BAD_ARGUMENT;
  Evaluator *e = evaluator->evaluator;
  if (!was_asked_for(evaluator, PART_CONTACTS)) return QDOT_BAD_ARGUMENT;
  evaluator_choose_sides(e, t, q, qd);
  ContactsBlocks at = machine_run_contacts(&e->machine, t, q, qd);
  copy(phi, at.phi, (size_t)e->machine.contacts);
  copy(phi_dot, at.phi_dot, (size_t)e->machine.contacts);
  return QDOT_OK;
}

qdot_status qdot_evaluator_outputs(qdot_evaluator *evaluator, double t, const double *q,
                                   const double *qd, double *outputs, double *energies) {
  if (!evaluator) return QDOT_BAD_ARGUMENT;
  Evaluator *e = evaluator->evaluator;
  size_t count = e->machine.plan->columns.outputs;
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
  Evaluator *e = evaluator->evaluator;
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
  if (!evaluator) return QDOT_BAD_ARGUMENT;
  Evaluator *e = evaluator->evaluator;
  Settings *settings = &e->settings;
  uint32_t n = (uint32_t)e->machine.n, inputs = settings->count - settings->parameters;
  Status status = QDOT_OK;
  evaluator_choose_sides(e, t, q, qd);
  if (by_state)
    status = slopes_of(evaluator, PART_STATE_SLOPES, t, q, qd, 2 * n + (uint32_t)e->machine.states,
                       by_state);
  if (status == QDOT_OK && by_inputs)
    status = slopes_of(evaluator, PART_INPUT_SLOPES, t, q, qd, inputs, by_inputs);
  if (status != QDOT_OK || !by_parameters) return status;
  status =
      slopes_of(evaluator, PART_PARAMETER_SLOPES, t, q, qd, settings->parameters, by_parameters);
  if (status == QDOT_OK)
    settings_chain(settings, by_parameters, n + (uint32_t)e->machine.problem.m);
  return status;
}
