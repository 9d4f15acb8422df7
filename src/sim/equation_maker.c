// Systems as programs.
#include "sim/equation_maker.h"

#include <assert.h>

#include "sim/equation_program.h"
#include "sim/signals.h"

// ---- Inputs

static InputLayout layout_of(const System *s, const Switches *switches, const Slides *slides,
                             uint32_t signs, const Directions *directions) {
  InputLayout at = {.t = 0, .q = 1};
  at.qd = at.q + s->n;
  at.states = at.qd + s->n;
  at.qdd = at.states + s->states;
  at.lambda = at.qdd + s->n;
  at.friction = at.lambda + s->row_count + s->contact_count;
  at.presses = at.friction + s->slip_count;
  at.u = at.presses + s->model->presses.n;
  at.parameters = at.u + s->model->inputs.n;
  at.sides = at.parameters + s->model->parameters.n;
  at.pieces = at.sides + switches->guards.n;
  at.slides = at.pieces + switches->piece_inputs;
  at.signs = at.slides + slides->inputs;
  at.reductions = at.signs + signs;
  at.slopes = at.reductions + s->model->requests.reductions.n;
  uint32_t count = directions ? directions->n : 0;
  at.held = at.slopes + count * (2 * s->n + s->states);
  at.count = at.held + count * s->model->inputs.n;
  return at;
}

static void bind(ProgramBuilder *builder, Flattener *flat, Expr symbol, uint32_t input) {
  flatten_bind(flat, symbol, program_input(builder, input));
}

void equations_bind(const System *s, const Equations *d, ProgramBuilder *builder, Flattener *flat) {
  const Model *model = s->model;
  const InputLayout *at = &d->layout;
  // what samples and events assign changes often
  for (uint32_t i = at->u; i < at->pieces; i++) {
    bool is_input = i < at->u + model->inputs.n;
    if (!is_input || !model->inputs.at[i - at->u].is_assigned) program_fix_input(builder, i);
  }
  bind(builder, flat, s->t, at->t);
  for (uint32_t i = 0; i < s->n; i++) {
    bind(builder, flat, s->q[i], at->q + i);
    bind(builder, flat, s->qd[i], at->qd + i);
    bind(builder, flat, s->qdd[i], at->qdd + i);
  }
  for (uint32_t i = 0; i < s->row_count; i++)
    bind(builder, flat, s->rows[i].multiplier, at->lambda + i);
  for (uint32_t i = 0; i < s->contact_count; i++)
    bind(builder, flat, s->contacts[i].multiplier, at->lambda + s->row_count + i);
  for (uint32_t i = 0; i < s->slip_count; i++)
    if (s->slips[i].phi)
      flatten_bind(flat, s->slips[i].multiplier,
                   d->is_locked ? program_input(builder, at->friction + i)
                                : program_constant(builder, 0));
  for (uint32_t i = 0; i < model->presses.n; i++)
    flatten_bind(flat, model->presses.at[i].symbol,
                 d->is_locked ? program_input(builder, at->presses + i)
                              : program_constant(builder, 0));
  for (uint32_t i = 0; i < model->inputs.n; i++)
    bind(builder, flat, model->inputs.at[i].symbol, at->u + i);
  for (uint32_t i = 0; i < model->parameters.n; i++)
    bind(builder, flat, model->parameters.at[i].symbol, at->parameters + i);
  for (uint32_t i = 0; i < model->requests.reductions.n; i++)
    bind(builder, flat, model->requests.reductions.at[i].symbol, at->reductions + i);
  for (uint32_t i = 0; i < s->states; i++) bind(builder, flat, s->s[i], at->states + i);
}

// What the program is made of, unless it is there.
static void derive_for(EquationMaker *d, EquationPart part) {
  unsigned needs = part_needs(part);
  bool is_dense = needs & NEEDS_SOLVER && !d->uses_lifted;
  WorkStage outer = context_resume_stage(d->cx, STAGE_DERIVED);
  if (needs & NEEDS_MATRICES || is_dense) derive_matrices(d->cx, d->system);
  if (needs & NEEDS_INERTIA) derive_inertia(d->cx, d->system);
  if (needs & NEEDS_SOLVER && d->uses_lifted) derive_lifted(d->cx, d->system);
  context_leave_stage(d->cx, outer);
}

static const Program *program_of(void *user, EquationPart part) {
  EquationMaker *d = user;
  derive_for(d, part);
  EquationProgram m;
  equation_program_open(&m, d, part);
  const Program *program =
      equation_program_make(&m, part) ? program_finish(&m.builder, d->equations->arena) : NULL;
  equation_program_close(&m);
  assert(!program || program->output_count == part_size(part, &d->equations->extents));
  return program;
}

uint32_t contact_entries(const System *s, bool rubbing, int *first, int *index) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->contact_count; i++) {
    const Row *row = rubbing ? &s->slips[i] : &s->contacts[i];
    if (first) first[i] = (int)count;
    for (uint32_t j = 0; row->phi && j < s->n; j++) {
      if (expr_is_zero(s->cx, row->phi_q[j])) continue;
      if (index) index[count] = (int)j;
      count++;
    }
  }
  if (first) first[s->contact_count] = (int)count;
  return count;
}

static Extents extents_of(const EquationMaker *from) {
  const Equations *d = from->equations;
  const System *s = from->system;
  const Model *model = s->model;
  uint32_t slide_values = 0;
  for (uint32_t i = 0; i < from->slide_lock.slides.all.n; i++)
    slide_values += from->slide_lock.slides.all.at[i].in.components * (d->n + 2);
  return (Extents){.of = {[EXTENT_ONE] = 1,
                          [EXTENT_COORDINATES] = d->n,
                          [EXTENT_STATE] = 2 * d->n + s->states,
                          [EXTENT_STATES] = s->states,
                          [EXTENT_ROWS] = d->m,
                          [EXTENT_HOLONOMIC] = d->holonomic,
                          [EXTENT_CONTACTS] = s->contact_count,
                          [EXTENT_SLIPS] = s->slip_count,
                          [EXTENT_PRESSING_ENTRIES] = contact_entries(s, false, NULL, NULL),
                          [EXTENT_RUBBING_ENTRIES] = contact_entries(s, true, NULL, NULL),
                          [EXTENT_INPUTS] = model->inputs.n,
                          [EXTENT_PARAMETERS] = model->parameters.n,
                          [EXTENT_DIRECTIONS] = from->directions ? from->directions->n : 0,
                          [EXTENT_OUTPUTS] = model->outputs.n,
                          [EXTENT_MEMBERS] = model->members.n,
                          [EXTENT_LOADS] = model->loads.n,
                          [EXTENT_PRESSES] = model->presses.n,
                          [EXTENT_ENERGIES] = 3,
                          [EXTENT_POWERS] = POWER_KINDS,
                          [EXTENT_SWITCHES] = d->switch_count,
                          [EXTENT_TABLES] = d->table_count,
                          [EXTENT_LOOKUPS] = d->lookup_count,
                          [EXTENT_SLIDE_VALUES] = slide_values,
                          [EXTENT_SIGNAL_GUARDS] = d->layout.reductions - d->layout.signs,
                          [EXTENT_REDUCTIONS] = model->requests.reductions.n,
                          [EXTENT_ASSIGNMENTS] = model->assignments.n,
                          [EXTENT_OCCASIONS] = model->occasions.n,
                          [EXTENT_MEASURES] = model->requests.measurements.n,
                          [EXTENT_PAIR] = 2}};
}

// ---- Choosing the form of FORWARD

#define LARGEST_DENSE 24 // coordinates for which the dense form is worth a try

// Cycles, roughly: what the units take, or the longest chain if that is longer.
static double estimate(EquationMaker *d, const Program *program) {
  Mark mark = arena_mark(&d->cx->scratch);
  ProgramCost cost = program_cost(program, &d->cx->scratch);
  arena_release(&d->cx->scratch, mark);
  double units = 0.5 * cost.steps + 4.0 * cost.divisions + 15.0 * cost.trig + 40.0 * cost.calls;
  return units > cost.latency ? units : cost.latency;
}

// A row that no coordinate changes: in the lifted form it looks like any other.
static bool has_empty_row(const EquationMaker *d) {
  for (uint32_t r = 0; r < d->equations->m; r++) {
    bool is_empty = true;
    for (uint32_t i = 0; i < d->equations->n && is_empty; i++)
      is_empty = expr_is_zero(d->cx, d->rows[r]->phi_q[i]);
    if (is_empty) return true;
  }
  return false;
}

// Constraints that wait until all they act on is gone have the safest pivots, but on ladders of
// loops they fill the matrix. They go early only where that is several times cheaper.
enum { MANY_ROWS = 16, WORTH_ITS_WHILE = 2 };

static const Program *lifted_forward(EquationMaker *d) {
  d->goes_early = d->equations->m > MANY_ROWS;
  const Program *early = d->goes_early ? program_of(d, PART_FORWARD) : NULL;
  d->goes_early = false;
  d->most_steps = early ? WORTH_ITS_WHILE * program_value_count(early) : 0;
  const Program *late = program_of(d, PART_FORWARD);
  d->most_steps = 0;
  d->goes_early = early && !late;
  return late ? late : early;
}

// Is a quotient switched off where its denominator may be zero? In the lifted form the slopes of
// definitions have no switch.
static bool switches_quotients(const Program *p) {
  uint32_t first = program_first_step(p), n = program_value_count(p);
  for (uint32_t i = first; i < n; i++) {
    const Step *s = &p->steps[i - first];
    for (int side = 0; s->op == STEP_SELECT && side < 2; side++) {
      Slot value = side ? s->c : s->b, other = side ? s->b : s->c;
      bool is_zero = other < p->constant_count && p->constants[other] == 0;
      if (is_zero && value >= first && p->steps[value - first].op == STEP_DIV) return true;
    }
  }
  return false;
}

static bool has_constant_mass(const EquationMaker *d) {
  const System *s = d->system;
  uint32_t moving = KIND_BIT(SYMBOL_TIME) | KIND_BIT(SYMBOL_COORDINATE);
  for (uint32_t i = 0; i < s->n * s->n; i++)
    if (expr_has_kind(d->cx, s->M[i], moving)) return false;
  return true;
}

static const Program *choose_forward(EquationMaker *d) {
  derive_lifted(d->cx, d->system);
  const Program *dense = NULL, *lifted = NULL;
  // Momentum balances give M and h; the lifted form comes from the energies.
  bool has_definitions =
      !d->system->model->balances && d->system->lifted->m > 0 && !has_empty_row(d);
  if (has_definitions) {
    d->uses_lifted = true;
    lifted = lifted_forward(d);
  }
  if (!has_definitions || !lifted || d->equations->n <= LARGEST_DENSE) {
    d->uses_lifted = false;
    dense = program_of(d, PART_FORWARD);
    d->equations->has_constant_mass = has_constant_mass(d);
  }
  bool must_switch = dense && d->equations->switch_count > 0 && switches_quotients(dense);
  d->uses_lifted = lifted && !must_switch && (!dense || estimate(d, lifted) < estimate(d, dense));
  return d->uses_lifted ? lifted : dense;
}

// ---- Opening

static void order_rows(EquationMaker *k, const uint32_t *active, uint32_t active_count) {
  const System *s = k->system;
  Equations *d = k->equations;
  d->m = s->row_count + active_count;
  k->rows = arena_array(d->arena, const Row *, d->m);
  uint32_t *lambda = arena_array(d->arena, uint32_t, d->m), at = 0;
  for (int nonholonomic = 0; nonholonomic <= 1; nonholonomic++) {
    for (uint32_t i = 0; i < s->row_count; i++) {
      if (s->rows[i].is_nonholonomic != nonholonomic) continue;
      k->rows[at] = &s->rows[i], lambda[at++] = i;
    }
    for (uint32_t i = 0; !nonholonomic && i < active_count; i++) {
      k->rows[at] = &s->contacts[active[i]], lambda[at++] = s->row_count + active[i];
    }
    if (!nonholonomic) d->holonomic = at;
  }
  d->lambda = lambda;
}

// What is not smooth: where its inputs stand, and how many there are.
static void find_switches(EquationMaker *k) {
  Context *cx = k->cx;
  Equations *d = k->equations;
  Mark mark = arena_mark(&cx->scratch);
  Switches switches = system_switches(cx, k->system);
  d->switch_count = switches.guards.n;
  d->has_roots = switches.has_roots;
  d->table_count = switches.tables.n;
  TableUse *tables = arena_array(d->arena, TableUse, d->table_count + 1);
  for (uint32_t i = 0; i < d->table_count; i++) tables[i] = switches.tables.at[i];
  k->tables = tables;
  ExprList lookups = system_lookups(cx, k->system);
  d->lookup_count = lookups.n;
  Expr *looked_up = arena_array(d->arena, Expr, lookups.n + 1);
  for (uint32_t i = 0; i < lookups.n; i++) looked_up[i] = lookups.at[i];
  k->lookups = looked_up;
  Slides slides = system_slides(cx, k->system);
  d->slide_count = slides.all.n;
  d->layout = layout_of(k->system, &switches, &slides, signal_switches(cx, k->system).guards.n,
                        k->directions);
  k->slide_lock = (SlideLock){.system = k->system, .first = d->layout.slides};
  k->slide_lock.slides.inputs = slides.inputs;
  for (uint32_t i = 0; i < slides.all.n; i++)
    vec_push(d->arena, &k->slide_lock.slides.all, slides.all.at[i]);
  arena_release(&cx->scratch, mark);
}

static void compile_forward(EquationMaker *k) {
  Equations *d = k->equations;
  const Program *forward = choose_forward(k);
  d->has_forward = forward != NULL;
  d->is_made[PART_FORWARD] = true;
  if (forward) d->parts[PART_FORWARD] = compile_program(k->cx, forward, d->backend, d->arena);
}

static Equations *open_equations(Equations equations, System *system, const uint32_t *active,
                                 uint32_t active_count, const Directions *directions) {
  WorkStage outer = context_enter_stage(equations.cx, STAGE_COMPILED);
  Equations *d = arena_new(equations.arena, Equations);
  EquationMaker *k = arena_new(equations.arena, EquationMaker);
  *d = equations;
  d->n = system->n, d->states = system->states;
  d->maker = (ProgramMaker){k, program_of};
  *k = (EquationMaker){.cx = d->cx, .system = system, .equations = d, .directions = directions};
  order_rows(k, active, active_count);
  find_switches(k);
  d->extents = extents_of(k);
  compile_forward(k);
  context_leave_stage(d->cx, outer);
  return d;
}

Equations *equations_open(Context *cx, System *system, const uint32_t *active,
                          uint32_t active_count, Backend backend, Arena *arena) {
  Equations equations = {.cx = cx, .arena = arena, .backend = backend};
  return open_equations(equations, system, active, active_count, NULL);
}

Equations *equations_open_locked(Context *cx, System *system, const Plan *plan,
                                 const uint32_t *active, uint32_t active_count,
                                 const Directions *directions, Backend backend, Arena *arena) {
  Equations equations = {.cx = cx,
                         .arena = arena,
                         .backend = backend,
                         .is_locked = true,
                         .tables = plan->tables,
                         .slides = plan->slides};
  return open_equations(equations, system, active, active_count, directions);
}
