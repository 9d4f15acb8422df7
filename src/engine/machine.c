// A system with numbers: programs for every set of closed contacts.
#include "engine/machine.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"

static void close_all(void *object) {
  Machine *m = object;
  if (m->owns_programs) m->programs->release(m->programs->user);
  arena_close(&m->arena);
}

static Status check_finite(Machine *m, const PlanParameter *p, double value) {
  if (isfinite(value)) return QDOT_OK;
  Status status =
      diag_error(m->cx, QDOT_BAD_VALUE, p->span, "parameter '%s' has no finite value", p->name);
  diag_note(m->cx, "%s = %s", p->name, p->text ? p->text : "a number beyond all bounds");
  return status;
}

// Parameters, inputs and states as the model gives them.
static Status open_values(Machine *m) {
  const Plan *plan = m->plan;
  const PlanVariables *at = &plan->variables;
  Status status = QDOT_OK;
  m->values = arena_array(&m->arena, double, at->count);
  m->value_room = arena_array(&m->arena, double, at->room);
  for (uint32_t i = 0; i < plan->parameter_count; i++) {
    double value = machine_number(m, &plan->parameters[i].value);
    m->values[at->parameters[i]] = value;
    Status checked = check_finite(m, &plan->parameters[i], value);
    if (status == QDOT_OK) status = checked;
  }
  for (uint32_t i = 0; i < plan->input_count; i++)
    m->values[at->inputs[i]] = machine_number(m, &plan->inputs[i].value);
  for (uint32_t i = 0; i < plan->state_count; i++)
    m->values[at->states[i]] = machine_number(m, &plan->states[i].start);
  return status;
}

Status machine_open_programs(Machine *m, Programs *programs, bool owns_programs) {
  Context *cx = programs->cx;
  const Plan *plan = programs->plan;
  *m = (Machine){.cx = cx,
                 .programs = programs,
                 .plan = plan,
                 .owns_programs = owns_programs,
                 .presses = (int)plan->press_count,
                 .n = (int)plan->n,
                 .states = (int)plan->state_count,
                 .rows = (int)plan->row_count,
                 .contacts = (int)plan->contact_count,
                 .slip_count = (int)plan->slip_count};
  arena_open(&m->arena, &cx->memory, &cx->guard);
  guard_register(&cx->guard, &m->handle, m, close_all);
  m->closed = arena_array(&m->arena, bool, m->contacts);
  m->slips = arena_array(&m->arena, Slip, m->slip_count);
  for (int i = 0; i < m->slip_count; i++) m->rubs |= plan->slips[i].rubs;
  m->press_held = arena_array(&m->arena, bool, m->presses);
  m->scale = arena_array(&m->arena, double, m->rows + m->contacts);
  m->slack = arena_array(&m->arena, double, m->rows + m->contacts);
  Status status = open_values(m);
  machine_find_kinds(m);
  m->state_scale = arena_array(&m->arena, double, m->states);
  if (status == QDOT_OK) machine_use_contacts(m);
  return status;
}

Status machine_open_beside(Machine *m, const Machine *first) {
  Status status = machine_open_programs(m, first->programs, false);
  m->node_lanes = first->node_lanes, m->is_quiet = first->is_quiet;
  return status;
}

void machine_close(Machine *m) { guard_close(&m->cx->guard, &m->handle); }

// Inputs and parameters, into the input array.
static void put_values(Machine *m) {
  const Plan *plan = m->plan;
  const InputLayout *at = &m->set->equations->layout;
  for (uint32_t i = 0; i < plan->input_count; i++)
    m->in[at->u + i] = m->values[plan->variables.inputs[i]];
  for (uint32_t i = 0; i < plan->parameter_count; i++)
    m->in[at->parameters + i] = m->values[plan->variables.parameters[i]];
}

static bool is_same(const Machine *m, const MachineSet *set, const bool *closed) {
  for (int i = 0; i < m->contacts; i++)
    if (set->closed[i] != closed[i]) return false;
  return true;
}

static MachineSet *set_of(Machine *m, const bool *closed);

static MachineSet *set_new(Machine *m, const bool *closed) {
  MachineSet *set = arena_new(&m->arena, MachineSet);
  set->closed = arena_array(&m->arena, bool, m->contacts);
  for (int i = 0; i < m->contacts; i++) set->closed[i] = closed[i];
  set->equations = programs_for(m->programs, set->closed);
  if (set->equations->base) set->base = set_of(m, arena_array(&m->arena, bool, m->contacts));
  vec_push(&m->arena, &m->sets, set);
  return set;
}

static MachineSet *set_of(Machine *m, const bool *closed) {
  for (uint32_t i = 0; i < m->sets.n; i++)
    if (is_same(m, m->sets.at[i], closed)) return m->sets.at[i];
  return set_new(m, closed);
}

// Whose programs run: of a combination those with all contacts open.
static MachineSet *running(const Machine *m) { return m->set->base ? m->set->base : m->set; }

void machine_use_contacts(Machine *m) {
  m->set = set_of(m, m->closed);
  if (!m->in) {
    m->in = arena_array(&m->arena, double, m->set->equations->layout.count);
    put_values(m);
    m->pieces = arena_array(&m->arena, double, m->set->equations->table_count + 1);
    for (uint32_t i = 0; i < m->set->equations->table_count; i++) machine_set_piece(m, i, 1);
  }
  machine_need(m, PART_FORWARD);
  machine_need_sizes(m);
  machine_fill_problem(m);
}

void machine_need(Machine *m, EquationPart part) {
  MachineSet *set = m->set;
  if (set->base) {
    combination_need(m, part);
    return;
  }
  const Compiled *compiled = equations_part(set->equations, part);
  if (!compiled || set->work[part]) return;
  set->work[part] = arena_array(&m->arena, double, compiled->work_size + 1);
  set->out[part] = arena_array(&m->arena, double, compiled->program->output_count + 1);
  compiled_prepare(compiled, m->in, set->work[part]);
  m->prepared++;
}

// Parameters alone decide: then one factor serves for the whole run.
static bool has_constant_tangent(const Machine *m) {
  const Compiled *tangent = &m->set->equations->parts[PART_TANGENT];
  return tangent->program && tangent->program->main_count == 0;
}

// Is a value of a program decided by parameters alone? zero: is it the number 0?
static bool is_fixed_value(const Program *p, Slot at, bool zero) {
  if (at < p->constant_count) return !zero || p->constants[at] == 0;
  if (zero) return false;
  uint32_t input = at - p->constant_count;
  return input < p->input_count ? p->fixed[input] : at < program_first_main(p);
}

// L_vv is constant, L_qv and F_v vanish: momenta and forces do not mix.
static bool separates(const Machine *m) {
  const Program *p = m->set->equations->parts[PART_HESSIAN].program;
  uint32_t square = (uint32_t)m->n * (uint32_t)m->n;
  for (uint32_t i = 0; i < square; i++) {
    const Slot *at = p->outputs + i;
    bool mixed = !is_fixed_value(p, at[square], true) || !is_fixed_value(p, at[4 * square], true);
    if (mixed || !is_fixed_value(p, at[2 * square], false)) return false;
  }
  return true;
}

void machine_step_contacts(Machine *m, const double *restitution, const double *friction) {
  const Plan *plan = m->plan;
  m->restitution = restitution, m->friction = friction;
  m->contact_rows = (ContactRows){.first = plan->gap_first,
                                  .index = plan->gap_coordinate,
                                  .slip_first = plan->slip_first,
                                  .slip_index = plan->slip_coordinate};
}

void machine_step_joints(Machine *m, struct PressImpulses *joints) {
  m->joints = joints;
  m->presses = joints ? 0 : (int)m->plan->press_count;
}

void machine_need_method(Machine *m, MethodId method) {
  const Equations *e = m->set->equations;
  MethodKind kind = method_get(method)->kind;
  bool implicit = kind == METHOD_IMPLICIT;
  machine_need(m, PART_POWER);
  machine_need(m, PART_OUTPUTS);
  machine_need(m, PART_ENERGY);
  if (m->plan->loads.count > 0 && e->m > 0) machine_need(m, PART_LOADS);
  if (m->contacts > 0 && m->restitution) {
    machine_need(m, PART_CONTACTS);
    machine_need(m, PART_TOUCHES);
  } else if (m->contacts > 0) {
    machine_need(m, PART_CONTACTS);
    machine_need(m, PART_CONTACT_ROWS);
    if (m->rubs) machine_need(m, PART_SLIPS);
  }
  if (m->joints) {
    machine_need(m, PART_RUBS);
    machine_need(m, PART_PRESSES);
  }
  if (m->plan->actions.assignment_count > 0) machine_need(m, PART_ASSIGN);
  if (m->plan->actions.occasion_count > 0) machine_need(m, PART_OCCASIONS);
  if (machine_switches(m)) machine_need(m, PART_SWITCHES);
  if (e->switch_count > 0) machine_need(m, PART_GUARDS);
  if (machine_slides(m) > 0) machine_need(m, PART_SLIDES);
  if (m->plan->measures.reduction_count > 0) {
    machine_need(m, PART_WATCH);
    machine_need(m, PART_SIGNALS);
  }
  if (e->m > 0) {
    machine_need(m, PART_PROJECT_POSITION);
    machine_need(m, PART_PROJECT_VELOCITY);
    machine_need(m, PART_POSITION);
    machine_need(m, PART_VELOCITY);
    machine_need(m, PART_ACCELERATION);
  }
  if (e->m > 0 || m->contacts > 0 || m->joints) machine_need(m, PART_GEOMETRY);
  if (e->m > 0 || implicit || !e->has_forward) machine_need(m, PART_TERMS);
  if (implicit) {
    machine_need(m, PART_TANGENT);
    if (m->states > 0) machine_need(m, PART_STATE_TANGENT);
    m->problem.linear = m->problem.constant_mass && has_constant_tangent(m) && m->states == 0;
  }
  if (kind == METHOD_OF_LAGRANGIAN) {
    machine_need(m, PART_GRADIENT);
    machine_need(m, PART_HESSIAN);
    m->problem.separates = separates(m);
  }
}

// Values that all programs take as fixed have changed.
static void prepare_all(Machine *m) {
  m->prepared++;
  for (uint32_t i = 0; i < m->sets.n; i++) {
    for (int part = 0; part < EQUATION_PARTS; part++)
      if (m->sets.at[i]->work[part])
        compiled_prepare(&m->sets.at[i]->equations->parts[part], m->in, m->sets.at[i]->work[part]);
    m->sets.at[i]->tried = m->prepared;
  }
}

// Beyond one of its knots a table acts by the next piece.
static void place_table(Machine *m, uint32_t i) {
  const Equations *e = m->set->equations;
  const PlanTable *use = &e->tables[i];
  const double *side = m->in + e->layout.sides + use->first_guard;
  double acting = m->pieces[i];
  if (!use->is_timed) acting += (side[1] > 0) - (side[0] < 0);
  if (use->table->period == 0) acting = fmin(fmax(acting, 0), use->table->n);
  plan_table_fill(use, m->pieces[i], acting, m->in + e->layout.pieces);
}

static void take_sides(Machine *m, const double *side) {
  const Equations *e = m->set->equations;
  memcpy(m->in + e->layout.sides, side, e->switch_count * sizeof *side);
  for (uint32_t i = 0; i < e->table_count; i++) place_table(m, i);
}

void machine_set_sides(Machine *m, const double *side) {
  take_sides(m, side);
  prepare_all(m);
}

void machine_try_sides(Machine *m, const double *side) {
  static const EquationPart acting[] = {PART_FORWARD,       PART_TERMS,  PART_POWER,
                                        PART_SWITCH_SPEEDS, PART_SLIDES, PART_PRESSES};
  MachineSet *set = running(m);
  const double *tried = m->in + set->equations->layout.sides;
  bool are_same = memcmp(tried, side, set->equations->switch_count * sizeof *side) == 0;
  if (are_same && set->tried == m->prepared) return;
  take_sides(m, side);
  set->tried = ++m->prepared;
  for (size_t i = 0; i < sizeof acting / sizeof *acting; i++)
    if (set->work[acting[i]])
      compiled_prepare(&set->equations->parts[acting[i]], m->in, set->work[acting[i]]);
}

bool machine_switches(const Machine *m) {
  return m->set->equations->switch_count + m->set->equations->table_count > 0;
}

int machine_slides(const Machine *m) { return (int)m->set->equations->slide_count; }

const PlanSlide *machine_slide(const Machine *m, int i) { return &m->set->equations->slides[i]; }

SlideValues machine_slide_values(const Machine *m, int i, const double *out) {
  for (int k = 0; k < i; k++) out += machine_slide(m, k)->components * ((size_t)m->n + 2);
  uint32_t components = machine_slide(m, i)->components;
  return (SlideValues){out, out + components, out + components * ((size_t)m->n + 1)};
}

void machine_find_movers(const Machine *m, uint32_t *coordinate) {
  uint32_t switches = m->set->equations->switch_count;
  for (uint32_t i = 0; i < switches; i++) coordinate[i] = m->plan->switches[i].coordinate;
  for (int i = 0; i < m->presses; i++)
    if (m->plan->presses[i].guard >= 0)
      coordinate[m->plan->presses[i].guard] = (uint32_t)(m->n + m->contacts + i);
  for (int i = 0; i < machine_slides(m); i++)
    coordinate[switches + (uint32_t)i] = machine_slide(m, i)->coordinate;
}

void machine_aim_slide(Machine *m, int i, const double *r) {
  const PlanSlide *slide = machine_slide(m, i);
  double *in = m->in + m->set->equations->layout.slides;
  in[slide->first_input] = 0;
  memcpy(in + slide_aim_input(slide), r, slide->components * sizeof *r);
}

void machine_rest_slide(Machine *m, int i, const double *along) {
  const PlanSlide *slide = machine_slide(m, i);
  double *in = m->in + m->set->equations->layout.slides;
  in[slide->first_input] = 1;
  memcpy(in + slide_along_input(slide), along, (size_t)m->n * sizeof *along);
}

void machine_put_friction(Machine *m, int slip, double force) {
  m->in[m->set->equations->layout.friction + (uint32_t)slip] = force;
}

void machine_clear_friction(Machine *m) {
  for (int i = 0; i < m->slip_count; i++) machine_put_friction(m, i, 0);
}

void machine_set_piece(Machine *m, uint32_t use, double piece) {
  m->pieces[use] = piece;
  place_table(m, use);
}

const double *machine_find_pieces(Machine *m, double t, const double *q, const double *qd,
                                  bool *changed) {
  const Equations *e = m->set->equations;
  machine_need(m, PART_SWITCHES);
  SwitchesBlocks at = machine_run_switches(m, t, q, qd);
  bool any = false;
  m->prepared++;
  for (uint32_t i = 0; i < e->table_count; i++) {
    double piece = at.pieces[i];
    any |= piece != m->pieces[i];
    m->pieces[i] = piece;
    // its sides are chosen next
    if (!e->tables[i].is_timed) {
      m->in[e->layout.sides + e->tables[i].first_guard] = 1;
      m->in[e->layout.sides + e->tables[i].first_guard + 1] = -1;
    }
    place_table(m, i);
  }
  if (changed) *changed |= any;
  // the knots that are watched are others now
  return any ? machine_run_switches(m, t, q, qd).guards : at.guards;
}

void machine_use_values(Machine *m) {
  put_values(m);
  prepare_all(m);
  machine_renew_sizes(m);
}

void machine_shift_values(Machine *m, const double *side) {
  static const EquationPart sloped[] = {PART_SLOPE_RATES,   PART_SLOPE_PROJECTION,
                                        PART_ASSIGN_SLOPES, PART_EVENT_SLOPES,
                                        PART_SIGNAL_SLOPES, PART_MEASURE_SLOPES};
  MachineSet *set = running(m);
  put_values(m);
  if (side && set->equations->switch_count > 0) take_sides(m, side);
  uint64_t left_out = 0;
  for (size_t i = 0; i < sizeof sloped / sizeof *sloped; i++) left_out |= UINT64_C(1) << sloped[i];
  set->tried = ++m->prepared;
  for (int part = 0; part < EQUATION_PARTS; part++)
    if (set->work[part] && !(left_out >> part & 1))
      compiled_prepare(&set->equations->parts[part], m->in, set->work[part]);
}

void machine_begin_again(Machine *m) {
  size_t rows = (size_t)(m->rows + m->contacts);
  memset(m->closed, 0, (size_t)m->contacts * sizeof *m->closed);
  memset(m->scale, 0, rows * sizeof *m->scale);
  memset(m->slack, 0, rows * sizeof *m->slack);
  m->met_dead = false;
  m->sticking = NULL;
  m->jammed = 0;
  for (int i = 0; i < m->slip_count; i++) m->slips[i] = (Slip){0};
  memset(m->in, 0, m->set->equations->layout.count * sizeof *m->in);
  put_values(m);
  machine_use_contacts(m);
  for (uint32_t i = 0; i < m->set->equations->table_count; i++) machine_set_piece(m, i, 1);
  machine_use_values(m);
}

void machine_evaluate(Machine *m, EquationPart part, double *out) {
  MachineSet *set = m->set;
  MachineLane *lane = m->lane;
  if (set->base) {
    combination_evaluate(m, part, out);
    return;
  }
  bool asks = lane && (lane->equations != set->equations || !(lane->alone >> part & 1));
  if (asks && lane->run(lane, m, part, out)) return;
  compiled_run(&set->equations->parts[part], m->in, out, set->work[part]);
}

const double *machine_run(Machine *m, EquationPart part, double t, const double *q,
                          const double *qd) {
  MachineSet *set = m->set;
  const InputLayout *at = &set->equations->layout;
  m->in[at->t] = t;
  dense_copy(m->n, q, m->in + at->q);
  if (qd) dense_copy(m->n + m->states, qd, m->in + at->qd);
  machine_evaluate(m, part, set->out[part]);
  return set->out[part];
}

void machine_give(Machine *m, const double *qdd, const double *lambda) {
  const Equations *e = m->set->equations;
  double *all = m->in + e->layout.lambda;
  memset(all, 0, (size_t)(m->rows + m->contacts) * sizeof *all);
  for (uint32_t r = 0; r < e->m; r++) all[e->lambda[r]] = lambda[r];
  if (qdd) memcpy(m->in + e->layout.qdd, qdd, (size_t)m->n * sizeof *qdd);
}

void machine_learn_scale(Machine *m, const double *scale) {
  for (int r = 0; r < m->problem.m; r++)
    if (scale[r] > m->scale[machine_place(m, r)]) m->scale[machine_place(m, r)] = scale[r];
}

void machine_known_scale(const Machine *m, double *scale) {
  for (int r = 0; r < m->problem.m; r++) scale[r] = m->scale[machine_place(m, r)];
}

double machine_number(const Machine *m, const PlanValue *value) {
  return plan_value(value, m->values, m->value_room);
}

int machine_place(const Machine *m, int row) { return (int)m->set->equations->lambda[row]; }

const char *machine_row_name(const Machine *m, int row) {
  int place = machine_place(m, row);
  return place < m->rows ? m->plan->rows[place].name : m->plan->contacts[place - m->rows].name;
}

const char *machine_coordinate_name(const Machine *m, int i) {
  return m->plan->coordinates[i].name;
}

bool machine_starts_at(const Machine *m, int i) { return m->start && !isnan(m->start[i]); }

void machine_start_states(const Machine *m, double *states) {
  for (int i = 0; i < m->states; i++)
    states[i] = machine_starts_at(m, 2 * m->n + i) ? m->start[2 * m->n + i]
                                                   : machine_number(m, &m->plan->states[i].start);
}
