// The records of a plan, from the system that it is made of.
#include "sim/plan_source.h"

#include <string.h>

#include "base/text.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/print.h"
#include "expr/subst.h"
#include "expr/value/tape_build.h"
#include "model/values.h"
#include "sim/signals.h"

// ---- Values

PlanValue plan_value_of(Context *cx, Arena *arena, Expr e) {
  PlanValue value = {.is_said = e != 0};
  if (!e) return value;
  if (expr_is_number(cx, e))
    value.number = number_to_double(cx, node_of(cx, e)->number);
  else
    value.tape = tape_new(cx, arena, &e, 1);
  return value;
}

PlanValue plan_number(PlanSource *source, Expr e) {
  PlanValue value = plan_value_of(source->cx, &source->arena, e);
  size_t room = value.tape ? tape_values_room(value.tape) : 0;
  if (room > source->plan.variables.room) source->plan.variables.room = room;
  return value;
}

PlanStart plan_start(PlanSource *source, const Initial *initial) {
  Expr value = initial->kind == INITIAL_NONE ? 0 : initial->value;
  return (PlanStart){.is_given = initial->kind == INITIAL_GIVEN,
                     .is_guess = initial->kind == INITIAL_GUESS,
                     .value = plan_number(source, value),
                     .span = initial->span};
}

static const char *name_of(const PlanSource *source, Symbol name) {
  return symbol_text(source->cx, name);
}

static uint32_t variable_of(const PlanSource *source, Expr symbol) {
  return symbol_variable(source->cx, symbol);
}

#define PLACES(list, n, symbol)                                                                    \
  {                                                                                                \
    uint32_t *places = arena_array(&source->arena, uint32_t, (n) + 1);                             \
    for (uint32_t i = 0; i < (n); i++) places[i] = variable_of(source, symbol);                    \
    list = places;                                                                                 \
  }

static void fill_variables(PlanSource *source) {
  const System *s = source->system;
  const Model *model = s->model;
  PlanVariables *at = &source->plan.variables;
  at->t = variable_of(source, s->t);
  PLACES(at->q, s->n, s->q[i])
  PLACES(at->qd, s->n, s->qd[i])
  PLACES(at->states, s->states, s->s[i])
  PLACES(at->parameters, model->parameters.n, model->parameters.at[i].symbol)
  PLACES(at->inputs, model->inputs.n, model->inputs.at[i].symbol)
}

// ---- Coordinates and states

// Guesses that the model states itself; those that follow from how bodies are joined are not told.
static bool states_velocity(const PlanSource *source, const Coordinate *c) {
  const Model *origin = source->system->model->origin;
  if (c->velocity.kind != INITIAL_GUESS || !c->velocity.value) return false;
  if (!origin || origin->mechanism.bodies.n == 0) return true;
  for (uint32_t b = 0; b < origin->mechanism.bodies.n; b++)
    for (int k = 0; k < 3; k++) {
      const Body *body = &origin->mechanism.bodies.at[b];
      if (symbol_name(source->cx, body->pose[k]) == c->name)
        return body->velocity[k].kind == INITIAL_GUESS;
    }
  for (uint32_t k = 0; k < origin->coordinates.n; k++)
    if (origin->coordinates.at[k].name == c->name) return true;
  return false;
}

static PlanKind kind_of(PlanSource *source, const Measure *measure) {
  const Model *model = source->system->model;
  PlanKind kind = {.is_angle = measure->is_known && dimension_is_pure(measure->dimension)};
  uint32_t *alike = arena_array(&source->arena, uint32_t, model->parameters.n + 1);
  for (uint32_t i = 0; i < model->parameters.n && measure->is_known; i++)
    if (measure_is_alike(measure, &model->parameters.at[i].measure))
      alike[kind.parameter_count++] = variable_of(source, model->parameters.at[i].symbol);
  kind.parameters = alike;
  return kind;
}

// Coordinates that are measured alike are of one kind.
static void fill_kinds(PlanSource *source, PlanCoordinate *coordinates) {
  const Model *model = source->system->model;
  Plan *plan = &source->plan;
  PlanKind *kinds = arena_array(&source->arena, PlanKind, plan->n + 1);
  for (uint32_t i = 0; i < plan->n; i++) {
    const Measure *measure = &model->coordinates.at[i].measure;
    uint32_t k = 0;
    while (k < i && !measure_is_alike(measure, &model->coordinates.at[k].measure)) k++;
    coordinates[i].kind = k < i ? coordinates[k].kind : plan->kind_count++;
    if (k == i) kinds[coordinates[i].kind] = kind_of(source, measure);
  }
  plan->kinds = kinds;
}

static void fill_coordinates(PlanSource *source) {
  const Model *model = source->system->model;
  uint32_t n = model->coordinates.n;
  PlanCoordinate *all = arena_array(&source->arena, PlanCoordinate, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    all[i] =
        (PlanCoordinate){.name = name_of(source, c->name),
                         .span = c->span,
                         .position = plan_start(source, &c->position),
                         .velocity = plan_start(source, &c->velocity),
                         .is_angle = c->measure.is_known && dimension_is_pure(c->measure.dimension),
                         .states_velocity = states_velocity(source, c)};
  }
  source->plan.coordinates = all, source->plan.n = n;
  fill_kinds(source, all);
}

static void fill_states(PlanSource *source) {
  const Model *model = source->system->model;
  uint32_t n = model->states.n;
  PlanState *all = arena_array(&source->arena, PlanState, n + 1);
  for (uint32_t i = 0; i < n; i++)
    all[i] = (PlanState){name_of(source, model->states.at[i].name),
                         plan_number(source, model->states.at[i].value)};
  source->plan.states = all, source->plan.state_count = n;
}

// ---- Rows

// The joint of a mechanism that a row comes from, or NULL.
static const char *joint_of_row(PlanSource *source, Symbol name) {
  const Model *origin = source->system->model->origin;
  for (uint32_t i = 0; origin && i < origin->mechanism.joints.n; i++) {
    const Joint *joint = &origin->mechanism.joints.at[i];
    for (uint32_t k = 0; k < joint_row_count(joint->kind); k++)
      if (joint_row_name(source->cx, joint, k) == name) return name_of(source, joint->name);
  }
  return NULL;
}

// The motor of given speed whose row this is, or NULL.
static const Motor *motor_of_row(const Mechanism *m, Symbol name) {
  for (uint32_t i = 0; i < m->motors.n; i++)
    if (m->motors.at[i].is_speed && m->motors.at[i].name == name) return &m->motors.at[i];
  return NULL;
}

// Who drives by this row.
static void fill_drive(PlanSource *source, Symbol name, PlanRow *out) {
  const Model *model = source->system->model;
  const Mechanism *m = &(model->origin ? model->origin : model)->mechanism;
  const Motor *motor = motor_of_row(m, name);
  out->driven_angle = -1;
  if (!motor) return;
  const Joint *joint = &m->joints.at[motor->joint];
  out->driven = name_of(source, joint->name);
  uint32_t body = joint->second.body == GROUND ? joint->first.body : joint->second.body;
  if (body == GROUND) return;
  Mark mark = arena_mark(&source->cx->scratch);
  const char *angle =
      text_format(&source->cx->scratch, "%s.theta", name_of(source, m->bodies.at[body].name));
  for (uint32_t i = 0; i < model->coordinates.n; i++)
    if (strcmp(name_of(source, model->coordinates.at[i].name), angle) == 0)
      out->driven_angle = (int)i;
  arena_release(&source->cx->scratch, mark);
}

static void fill_acts(PlanSource *source, const Row *row, PlanRow *out) {
  const System *s = source->system;
  uint32_t *list = arena_array(&source->arena, uint32_t, s->n + 1), count = 0;
  for (uint32_t i = 0; i < s->n; i++)
    if (!expr_is_zero(source->cx, row->phi_q[i])) list[count++] = i;
  out->coordinates = list, out->count = count;
}

static void fill_rows(PlanSource *source) {
  const System *s = source->system;
  Context *cx = source->cx;
  PlanRow *all = arena_array(&source->arena, PlanRow, s->row_count + 1);
  for (uint32_t i = 0; i < s->row_count; i++) {
    const Row *row = &s->rows[i];
    all[i] = (PlanRow){.name = name_of(source, row->name),
                       .span = s->model->constraints.at[i].span,
                       .joint = joint_of_row(source, row->name),
                       .is_nonholonomic = row->is_nonholonomic,
                       .is_angle = strstr(name_of(source, row->name), "_angle") != NULL,
                       .has_time = expr_has_kind(cx, row->phi, KIND_BIT(SYMBOL_TIME)),
                       .has_input = expr_has_kind(cx, row->phi, KIND_BIT(SYMBOL_INPUT))};
    fill_acts(source, row, &all[i]);
    fill_drive(source, row->name, &all[i]);
  }
  source->plan.rows = all, source->plan.row_count = s->row_count;
}

// ---- What touches and rubs

static void fill_contacts(PlanSource *source) {
  const System *s = source->system;
  PlanContact *all = arena_array(&source->arena, PlanContact, s->contact_count + 1);
  for (uint32_t i = 0; i < s->contact_count; i++) {
    const Contact *c = &s->model->contacts.at[i];
    all[i] = (PlanContact){.name = name_of(source, c->name),
                           .span = c->span,
                           .has_time =
                               expr_has_kind(source->cx, s->contacts[i].phi, KIND_BIT(SYMBOL_TIME)),
                           .restitution = plan_number(source, c->restitution),
                           .mu_rest = plan_number(source, c->mu_rest),
                           .mu = plan_number(source, c->mu),
                           .rolling = plan_number(source, c->rolling)};
  }
  source->plan.contacts = all, source->plan.contact_count = s->contact_count;
  PlanSlip *slips = arena_array(&source->arena, PlanSlip, s->slip_count + 1);
  for (uint32_t i = 0; i < s->slip_count; i++)
    slips[i] =
        (PlanSlip){name_of(source, s->slips[i].name), s->slip_contact[i], s->slips[i].phi != 0};
  source->plan.slips = slips, source->plan.slip_count = s->slip_count;
}

// The sign(v) in a force, or 0.
static Expr find_sign(Context *cx, Expr e) {
  if (node_of(cx, e)->op == OP_SIGN) return e;
  Expr found = 0;
  for (uint32_t i = 0; i < expr_child_count(cx, e) && !found; i++)
    found = find_sign(cx, expr_child(cx, e, i));
  return found;
}

static int place_of_guard(Context *cx, const ExprList *guards, Expr guard) {
  Expr back = guard ? expr_neg(cx, guard) : 0;
  int found = -1;
  for (uint32_t k = 0; guard && k < guards->n; k++)
    if (guards->at[k] == guard || guards->at[k] == back) found = (int)k;
  return found;
}

static int switch_of(Context *cx, const ExprList *guards, Expr force) {
  Expr sign = find_sign(cx, force);
  return place_of_guard(cx, guards, sign ? switch_guard(cx, sign) : 0);
}

static bool is_of_wheel(const PlanSource *source, const Press *press) {
  const Model *model = source->system->model;
  const Mechanism *mechanism = &(model->origin ? model->origin : model)->mechanism;
  for (uint32_t i = 0; i < mechanism->joints.n; i++) {
    const Joint *joint = &mechanism->joints.at[i];
    bool is_wheel = joint->kind == JOINT_ROLLING || joint->kind == JOINT_GRIP;
    if (is_wheel && joint->name == press->joint) return true;
  }
  return false;
}

// The guards of the system without the friction of its joints.
static ExprList guards_without_friction(PlanSource *source) {
  Context *cx = source->cx;
  System others = *source->system;
  const Model *model = others.model;
  Substitution *none = arena_array(&cx->scratch, Substitution, model->presses.n);
  for (uint32_t i = 0; i < model->presses.n; i++)
    none[i] = (Substitution){model->presses.at[i].symbol, expr_int(cx, 0)};
  others.Q = arena_array(&cx->scratch, Expr, others.n);
  expr_subst_many(cx, source->system->Q, others.n, none, model->presses.n, others.Q);
  return system_switches(cx, &others).guards;
}

static void fill_presses(PlanSource *source) {
  const Model *model = source->system->model;
  Context *cx = source->cx;
  PlanPress *all = arena_array(&source->arena, PlanPress, model->presses.n + 1);
  Mark mark = arena_mark(&cx->scratch);
  ExprList guards = {0}, left = {0};
  if (model->presses.n > 0) guards = system_switches(cx, source->system).guards;
  if (model->presses.n > 0) left = guards_without_friction(source);
  for (uint32_t i = 0; i < model->presses.n; i++) {
    const Press *press = &model->presses.at[i];
    int guard = switch_of(cx, &guards, press->force);
    all[i] =
        (PlanPress){.name = name_of(source, press->name),
                    .joint = name_of(source, press->joint),
                    .span = press->span,
                    .grip = plan_number(source, press->grip),
                    .hold = plan_number(source, press->hold),
                    .guard = guard,
                    .shares_guard = guard >= 0 && place_of_guard(cx, &left, guards.at[guard]) >= 0,
                    .is_wheel = is_of_wheel(source, press)};
  }
  arena_release(&cx->scratch, mark);
  source->plan.presses = all, source->plan.press_count = model->presses.n;
}

static void fill_loads(PlanSource *source) {
  const Model *model = source->system->model;
  bool *is_torque = arena_array(&source->arena, bool, model->loads.n + 1);
  for (uint32_t i = 0; i < model->loads.n; i++) is_torque[i] = model->loads.at[i].is_torque;
  source->plan.loads =
      (PlanLoads){model->loads.n, is_torque, plan_number(source, model->load_length2)};
}

// ---- What is not smooth

static uint32_t mover_of(Context *cx, const System *s, Expr guard) {
  for (uint32_t i = 0; i < s->n; i++)
    if (!expr_is_zero(cx, expr_diff(cx, guard, s->qd[i]))) return i;
  for (uint32_t i = 0; i < s->n; i++)
    if (!expr_is_zero(cx, expr_diff(cx, guard, s->q[i]))) return i;
  return 0;
}

static PlanTable table_of(PlanSource *source, const TableUse *use) {
  Context *cx = source->cx;
  PlanTable table = {.table = table_get(cx, use->table),
                     .number = use->table,
                     .is_timed = use->is_timed,
                     .first_guard = use->first_guard,
                     .first_input = use->first_input};
  if (!use->is_timed) return table;
  table.x = plan_number(source, use->x);
  table.x_t = plan_number(source, expr_diff(cx, use->x, source->system->t));
  return table;
}

static void fill_switches(PlanSource *source) {
  Context *cx = source->cx;
  Plan *plan = &source->plan;
  Mark mark = arena_mark(&cx->scratch);
  Switches switches = system_switches(cx, source->system);
  PlanSwitch *all = arena_array(&source->arena, PlanSwitch, switches.guards.n + 1);
  for (uint32_t i = 0; i < switches.guards.n; i++)
    all[i] = (PlanSwitch){mover_of(cx, source->system, switches.guards.at[i]),
                          expr_has_kind(cx, switches.guards.at[i], PLAN_CHANGES_ALONE)};
  PlanTable *tables = arena_array(&source->arena, PlanTable, switches.tables.n + 1);
  for (uint32_t i = 0; i < switches.tables.n; i++)
    tables[i] = table_of(source, &switches.tables.at[i]);
  Slides found = system_slides(cx, source->system);
  PlanSlide *slides = arena_array(&source->arena, PlanSlide, found.all.n + 1);
  for (uint32_t i = 0; i < found.all.n; i++) slides[i] = found.all.at[i].in;
  plan->switch_count = switches.guards.n, plan->switches = all;
  ExprList looks = system_lookups(cx, source->system);
  PlanLookup *lookups = arena_array(&source->arena, PlanLookup, looks.n + 1);
  for (uint32_t i = 0; i < looks.n; i++) {
    TableId id = node_table(node_of(cx, looks.at[i]));
    lookups[i] = (PlanLookup){table_get(cx, id), id};
  }
  plan->tables = tables, plan->slides = slides, plan->lookups = lookups;
  arena_release(&cx->scratch, mark);
}

static void fill_entries(PlanSource *source) {
  const System *s = source->system;
  Plan *plan = &source->plan;
  const int **first[] = {&plan->gap_first, &plan->slip_first};
  const int **coordinate[] = {&plan->gap_coordinate, &plan->slip_coordinate};
  for (int rubbing = 0; rubbing < 2; rubbing++) {
    int *begins = arena_array(&source->arena, int, s->contact_count + 1);
    uint32_t count = contact_entries(s, rubbing, begins, NULL);
    int *index = arena_array(&source->arena, int, count + 1);
    contact_entries(s, rubbing, NULL, index);
    *first[rubbing] = begins, *coordinate[rubbing] = index;
  }
}

// ---- Inputs and parameters

static void fill_settings(PlanSource *source) {
  const Model *model = source->system->model;
  PlanInput *inputs = arena_array(&source->arena, PlanInput, model->inputs.n + 1);
  for (uint32_t i = 0; i < model->inputs.n; i++) {
    const Input *u = &model->inputs.at[i];
    inputs[i] =
        (PlanInput){name_of(source, u->name), plan_number(source, u->value), u->is_assigned};
  }
  source->plan.inputs = inputs, source->plan.input_count = model->inputs.n;
  PlanParameter *parameters = arena_array(&source->arena, PlanParameter, model->parameters.n + 1);
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    bool is_number = expr_is_number(source->cx, p->value);
    parameters[i] =
        (PlanParameter){.name = name_of(source, p->name),
                        .span = p->span,
                        .text = is_number ? NULL : expr_text(source->cx, &source->arena, p->value),
                        .value = plan_number(source, p->value)};
  }
  source->plan.parameters = parameters, source->plan.parameter_count = model->parameters.n;
}

void plan_fill_facts(PlanSource *source) {
  fill_variables(source);
  fill_coordinates(source);
  fill_states(source);
  fill_rows(source);
  fill_contacts(source);
  fill_presses(source);
  fill_loads(source);
  fill_switches(source);
  fill_entries(source);
  fill_settings(source);
  plan_fill_actions(source);
  plan_fill_measures(source);
  plan_fill_traits(source);
  plan_fill_slopes(source);
  plan_fill_pulses(source);
  plan_fill_sizes(source);
  plan_fill_start(source);
  source->plan.variables.count = source->cx->exprs->symbols.n;
}
