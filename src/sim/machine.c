// A system with numbers: programs for every set of closed contacts.
#include "sim/machine.h"

#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "model/values.h"
#include "solve/algebra/dense.h"

static void close_all(void *object) {
  Machine *m = object;
  if (m->owns_source) plan_source_close(m->source);
  arena_close(&m->arena);
}

static Status open_machine(Machine *m, PlanSource *source, bool owns_source) {
  Context *cx = source->cx;
  System *system = source->system;
  const Plan *plan = &source->plan;
  *m = (Machine){.cx = cx,
                 .system = system,
                 .source = source,
                 .plan = plan,
                 .owns_source = owns_source,
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
  Status status = model_values(cx, system->model, &m->arena, &m->values);
  machine_find_kinds(m);
  m->state_scale = arena_array(&m->arena, double, m->states);
  m->value_room = arena_array(&m->arena, double, m->plan->variables.room);
  if (status == QDOT_OK) machine_use_contacts(m);
  return status;
}

Status machine_open(Machine *m, System *system, Backend backend) {
  return open_machine(m, plan_source_of(system, backend), false);
}

Status machine_open_along(Machine *m, System *system, Backend backend,
                          const Directions *directions) {
  if (!directions) return machine_open(m, system, backend);
  return open_machine(m, plan_source_open(system, backend, directions), true);
}

Status machine_open_beside(Machine *m, const Machine *first) {
  Status status = open_machine(m, first->source, false);
  m->node_lanes = first->node_lanes, m->is_quiet = first->is_quiet;
  return status;
}

void machine_close(Machine *m) { guard_close(&m->cx->guard, &m->handle); }

static bool is_present(const Machine *m, const MachineSet *set) {
  for (int i = 0; i < m->contacts; i++)
    if (set->closed[i] != m->closed[i]) return false;
  return true;
}

static MachineSet *set_new(Machine *m) {
  MachineSet *set = arena_new(&m->arena, MachineSet);
  set->closed = arena_array(&m->arena, bool, m->contacts);
  for (int i = 0; i < m->contacts; i++) set->closed[i] = m->closed[i];
  set->equations = plan_source_equations(m->source, set->closed);
  vec_push(&m->arena, &m->sets, set);
  return set;
}

void machine_use_contacts(Machine *m) {
  MachineSet *found = NULL;
  for (uint32_t i = 0; i < m->sets.n && !found; i++)
    if (is_present(m, m->sets.at[i])) found = m->sets.at[i];
  m->set = found ? found : set_new(m);
  if (!m->in) {
    m->in = arena_array(&m->arena, double, m->set->equations->layout.count);
    equations_set_values(m->set->equations, m->values, m->in);
    m->pieces = arena_array(&m->arena, double, m->set->equations->table_count + 1);
    for (uint32_t i = 0; i < m->set->equations->table_count; i++) machine_set_piece(m, i, 1);
  }
  machine_need(m, PART_FORWARD);
  machine_need_sizes(m);
  machine_fill_problem(m);
}

void machine_need(Machine *m, EquationPart part) {
  MachineSet *set = m->set;
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
  const Extents *extents = &m->set->equations->extents;
  size_t count = (size_t)m->contacts + 1;
  int *first = arena_array(&m->arena, int, count), *slip_first = arena_array(&m->arena, int, count);
  int *index = arena_array(&m->arena, int, extents->of[EXTENT_PRESSING_ENTRIES]);
  int *slip_index = arena_array(&m->arena, int, extents->of[EXTENT_RUBBING_ENTRIES]);
  contact_entries(m->system, false, first, index);
  contact_entries(m->system, true, slip_first, slip_index);
  m->restitution = restitution, m->friction = friction;
  m->contact_rows = (ContactRows){
      .first = first, .index = index, .slip_first = slip_first, .slip_index = slip_index};
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
  if (m->system->model->loads.n > 0 && e->m > 0) machine_need(m, PART_LOADS);
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
  if (m->system->model->assignments.n > 0) machine_need(m, PART_ASSIGN);
  if (m->system->model->occasions.n > 0) machine_need(m, PART_OCCASIONS);
  if (machine_switches(m)) machine_need(m, PART_SWITCHES);
  if (e->switch_count > 0) machine_need(m, PART_GUARDS);
  if (machine_slides(m) > 0) machine_need(m, PART_SLIDES);
  if (m->system->model->requests.reductions.n > 0) {
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
  const TableUse *use = &e->tables[i];
  const double *side = m->in + e->layout.sides + use->first_guard;
  double acting = m->pieces[i];
  if (!use->is_timed) acting += (side[1] > 0) - (side[0] < 0);
  const TableData *table = table_get(m->cx, use->table);
  if (table->period == 0) acting = fmin(fmax(acting, 0), table->n);
  table_use_fill(m->cx, use, m->pieces[i], acting, m->in + e->layout.pieces);
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
  MachineSet *set = m->set;
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

int machine_slides(const Machine *m) { return (int)m->set->equations->slide_lock.slides.all.n; }

const Slide *machine_slide(const Machine *m, int i) {
  return &m->set->equations->slide_lock.slides.all.at[i];
}

SlideValues machine_slide_values(const Machine *m, int i, const double *out) {
  for (int k = 0; k < i; k++) out += machine_slide(m, k)->components * ((size_t)m->n + 2);
  uint32_t components = machine_slide(m, i)->components;
  return (SlideValues){out, out + components, out + components * ((size_t)m->n + 1)};
}

static uint32_t mover_of(Context *cx, const System *s, Expr guard) {
  for (uint32_t i = 0; i < s->n; i++)
    if (!expr_is_zero(cx, expr_diff(cx, guard, s->qd[i]))) return i;
  for (uint32_t i = 0; i < s->n; i++)
    if (!expr_is_zero(cx, expr_diff(cx, guard, s->q[i]))) return i;
  return 0;
}

void machine_find_movers(Machine *m, uint32_t *coordinate) {
  if (m->set->equations->switch_count + (uint32_t)machine_slides(m) == 0) return;
  Mark mark = arena_mark(&m->cx->scratch);
  ExprList guards = system_switches(m->cx, m->system).guards;
  uint32_t *first = coordinate;
  for (uint32_t i = 0; i < guards.n; i++) *coordinate++ = mover_of(m->cx, m->system, guards.at[i]);
  for (int i = 0; i < m->presses; i++)
    if (m->plan->presses[i].guard >= 0)
      first[m->plan->presses[i].guard] = (uint32_t)(m->n + m->contacts + i);
  for (int i = 0; i < machine_slides(m); i++) *coordinate++ = machine_slide(m, i)->coordinate;
  arena_release(&m->cx->scratch, mark);
}

void machine_aim_slide(Machine *m, int i, const double *r) {
  const Slide *slide = machine_slide(m, i);
  double *in = m->in + m->set->equations->layout.slides;
  in[slide->first_input] = 0;
  memcpy(in + slide_aim_input(slide), r, slide->components * sizeof *r);
}

void machine_rest_slide(Machine *m, int i, const double *along) {
  const Slide *slide = machine_slide(m, i);
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
  equations_set_values(m->set->equations, m->values, m->in);
  prepare_all(m);
  machine_renew_sizes(m);
}

void machine_shift_values(Machine *m, const double *side) {
  static const EquationPart sloped[] = {PART_SLOPE_RATES,   PART_SLOPE_PROJECTION,
                                        PART_ASSIGN_SLOPES, PART_EVENT_SLOPES,
                                        PART_SIGNAL_SLOPES, PART_MEASURE_SLOPES};
  MachineSet *set = m->set;
  equations_set_values(set->equations, m->values, m->in);
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
  equations_set_values(m->set->equations, m->values, m->in);
  machine_use_contacts(m);
  for (uint32_t i = 0; i < m->set->equations->table_count; i++) machine_set_piece(m, i, 1);
  machine_use_values(m);
}

void machine_evaluate(Machine *m, EquationPart part, double *out) {
  MachineSet *set = m->set;
  MachineLane *lane = m->lane;
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

double machine_value(const Machine *m, Expr e) { return expr_eval(m->cx, e, m->values); }

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
