// Is a plan that has been read one that can be run: all places within their lists, all programs and
// tapes in order? What is numbers may be any numbers; runs look at these themselves.
#include <math.h>
#include <string.h>

#include "engine/plan_file.h"
#include "engine/plan_start.h"

typedef struct Check {
  const StoredPlan *stored;
  const Plan *plan;
  bool is_good;
} Check;

static void expect(Check *c, bool holds) { c->is_good &= holds; }

// ---- Tables

static bool are_ascending(const double *x, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!isfinite(x[i]) || (i > 0 && !(x[i] > x[i - 1]))) return false;
  return true;
}

static bool are_finite(const double *x, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

static void check_table(Check *c, const TableData *t) {
  expect(c, t && t->n >= 2 && t->degree >= 1 && t->degree <= MOST_DEGREE);
  if (!c->is_good) return;
  expect(c, isfinite(t->period) && t->period >= 0 && isfinite(t->per_spacing) &&
                t->per_spacing > 0 && isfinite(t->low) && isfinite(t->high));
  expect(c, are_ascending(t->x, t->n));
  expect(c, are_finite(t->pieces, ((size_t)t->n + 1) * (t->degree + 1)));
  expect(c, t->period == 0 || t->x[t->n - 1] - t->x[0] <= t->period);
}

// ---- Tapes

static void check_tape_step(Check *c, const Tape *tape, uint32_t i) {
  const TapeStep *s = &tape->steps[i];
  bool is_sum = s->op == OP_SUM || s->op == OP_PRODUCT;
  uint32_t arity = s->op == OP_DEFINITION || s->op == OP_TABLE  ? 1
                   : op_is_function(s->op) && s->op != OP_TABLE ? (uint32_t)op_arity(s->op)
                                                                : 0;
  expect(c, s->op > OP_NONE && s->op < OP_COUNT);
  expect(c, s->first <= tape->arg_count && s->count <= tape->arg_count - s->first);
  expect(c, is_sum || s->count == arity);
  expect(c, s->op != OP_SYMBOL || s->variable < c->plan->variables.count);
  expect(c, s->op != OP_TABLE || (s->table < tape->table_count && s->aspect < TABLE_ASPECTS));
  for (uint32_t k = 0; c->is_good && k < s->count; k++) expect(c, tape->args[s->first + k] < i);
}

// A sine and a cosine of the same argument, each other's twins.
static void check_twin(Check *c, const Tape *tape, uint32_t i) {
  const TapeStep *s = &tape->steps[i];
  if (s->twin == 0) return;
  expect(c, s->twin < tape->n && s->twin != i && (s->op == OP_SIN || s->op == OP_COS));
  if (!c->is_good) return;
  const TapeStep *other = &tape->steps[s->twin];
  expect(c, other->op == (s->op == OP_SIN ? OP_COS : OP_SIN) && other->count == 1 &&
                other->twin == i && tape->args[other->first] == tape->args[s->first]);
}

static void check_tape(Check *c, const Tape *tape, uint32_t roots) {
  expect(c, tape->root_count == roots);
  for (uint32_t i = 0; c->is_good && i < tape->table_count; i++) expect(c, tape->tables[i] != NULL);
  for (uint32_t i = 0; c->is_good && i < tape->n; i++) check_tape_step(c, tape, i);
  for (uint32_t i = 0; c->is_good && i < tape->n; i++) check_twin(c, tape, i);
  for (uint32_t i = 0; c->is_good && i < tape->root_count; i++) expect(c, tape->roots[i] < tape->n);
}

static void check_value(Check *c, const PlanValue *value) {
  if (!value->tape) return;
  check_tape(c, value->tape, 1);
  expect(c, c->is_good && tape_values_room(value->tape) <= c->plan->variables.room);
}

// ---- Programs

// The second operand of a step TABLE is a constant that says which.
static void check_look(Check *c, const Program *p, const Step *s) {
  expect(c, s->b < p->constant_count);
  if (!c->is_good) return;
  double code = p->constants[s->b], most = (double)c->stored->data_count * TABLE_ASPECTS;
  expect(c, code >= 0 && code < fmax(most, 1) && code == floor(code));
  if (!c->is_good) return;
  expect(c, table_code_id(code) < c->stored->data_count && table_code_aspect(code) < TABLE_ASPECTS);
}

static void check_step(Check *c, const Program *p, uint32_t i) {
  const Step *s = &p->steps[i];
  uint32_t value = program_first_step(p) + i;
  expect(c, s->op < STEP_COUNT);
  if (!c->is_good) return;
  int arity = step_arity(s->op);
  const Slot operands[] = {s->a, s->b, s->c};
  for (int k = 0; k < 3; k++) expect(c, k < arity ? operands[k] < value : operands[k] == NO_SLOT);
  if (s->op == STEP_TABLE) check_look(c, p, s);
}

// The prologue takes what is fixed: constants, fixed inputs, and itself.
static void check_prologue(Check *c, const Program *p) {
  uint32_t first = p->constant_count, last = program_first_step(p);
  for (uint32_t i = 0; c->is_good && i < p->prologue_count; i++) {
    const Slot operands[] = {p->steps[i].a, p->steps[i].b, p->steps[i].c};
    for (int k = 0; k < step_arity(p->steps[i].op); k++)
      expect(c, operands[k] < first || operands[k] >= last || p->fixed[operands[k] - first]);
  }
}

static void check_program(Check *c, const Program *p, size_t inputs, size_t outputs) {
  uint64_t values =
      (uint64_t)p->constant_count + p->input_count + p->prologue_count + p->main_count;
  expect(c, values < UINT32_MAX && p->input_count == inputs && p->output_count == outputs);
  for (uint32_t i = 0; c->is_good && i < p->prologue_count + p->main_count; i++)
    check_step(c, p, i);
  check_prologue(c, p);
  for (uint32_t i = 0; c->is_good && i < p->output_count; i++)
    expect(c, p->outputs[i] < program_value_count(p));
}

// ---- The records

static void check_places(Check *c, const uint32_t *list, uint32_t n, uint32_t below) {
  for (uint32_t i = 0; i < n; i++) expect(c, list[i] < below);
}

static void check_variables(Check *c) {
  const Plan *p = c->plan;
  const PlanVariables *v = &p->variables;
  const uint32_t most = 1u << 28; // an array of all of them is made for every machine
  expect(c, v->count <= most && v->room <= most && v->t < v->count);
  check_places(c, v->q, p->n, v->count);
  check_places(c, v->qd, p->n, v->count);
  check_places(c, v->states, p->state_count, v->count);
  check_places(c, v->parameters, p->parameter_count, v->count);
  check_places(c, v->inputs, p->input_count, v->count);
}

static void check_start(Check *c, const PlanStart *start) {
  expect(c, !(start->is_given && start->is_guess));
  check_value(c, &start->value);
}

static void check_what_there_is(Check *c) {
  const Plan *p = c->plan;
  for (uint32_t i = 0; c->is_good && i < p->n; i++) {
    expect(c, p->coordinates[i].name != NULL);
    check_start(c, &p->coordinates[i].position);
    check_start(c, &p->coordinates[i].velocity);
  }
  for (uint32_t i = 0; c->is_good && i < p->state_count; i++) {
    expect(c, p->states[i].name != NULL);
    check_value(c, &p->states[i].start);
  }
  for (uint32_t i = 0; c->is_good && i < p->row_count; i++) {
    expect(c, p->rows[i].name != NULL && p->rows[i].driven_angle >= -1 &&
                  p->rows[i].driven_angle < (int)p->n);
    expect(c, p->rows[i].driven_angle >= -1 && p->rows[i].driven_angle < (int)p->n);
    check_places(c, p->rows[i].coordinates, p->rows[i].count, p->n);
  }
  for (uint32_t i = 0; c->is_good && i < p->input_count; i++) {
    expect(c, p->inputs[i].name != NULL);
    check_value(c, &p->inputs[i].value);
  }
  for (uint32_t i = 0; c->is_good && i < p->parameter_count; i++) {
    expect(c, p->parameters[i].name != NULL);
    check_value(c, &p->parameters[i].value);
  }
}

static void check_some_tape(Check *c, const Tape *tape, uint64_t roots, size_t room) {
  expect(c, tape != NULL && roots <= UINT32_MAX);
  if (c->is_good) check_tape(c, tape, (uint32_t)roots);
  expect(c, c->is_good && tape_values_room(tape) <= room && tape_sizes_room(tape) <= room);
}

static void check_sizes(Check *c) {
  const Plan *p = c->plan;
  const PlanSizes *s = &p->sizes;
  check_some_tape(c, s->rows, (uint64_t)p->row_count + p->contact_count, SIZE_MAX);
  check_some_tape(c, s->gaps, p->contact_count, SIZE_MAX);
  check_some_tape(c, s->row_rates, p->row_count, SIZE_MAX);
  check_some_tape(c, s->state_rates, 2 * (uint64_t)p->state_count, SIZE_MAX);
  for (uint32_t i = 0; c->is_good && i < p->n; i++)
    expect(c, p->coordinates[i].kind < p->kind_count);
  for (uint32_t i = 0; c->is_good && i < p->kind_count; i++)
    check_places(c, p->kinds[i].parameters, p->kinds[i].parameter_count, p->variables.count);
  if (p->pulses) check_tape(c, p->pulses, p->pulses->root_count);
}

// ---- Where it starts

static void check_bodies(Check *c) {
  const PlanPlaces *places = c->plan->places;
  if (!places) return;
  for (uint32_t i = 0; c->is_good && i < places->body_count; i++) {
    expect(c, places->bodies[i].name != NULL);
    for (int k = 0; k < 3; k++) check_start(c, &places->bodies[i].start[k]);
  }
  for (uint32_t i = 0; i < places->solid_count; i++) expect(c, places->solids[i].name != NULL);
  if (places->body_count > 0)
    check_some_tape(c, places->poses, 3 * (uint64_t)places->body_count, SIZE_MAX);
  if (places->solid_count > 0)
    check_some_tape(c, places->axes, 9 * (uint64_t)places->solid_count, SIZE_MAX);
}

static void check_cells(Check *c, const PlanEntries *entries, uint32_t rows, uint32_t columns,
                        size_t room) {
  check_some_tape(c, entries->values, entries->count, room);
  for (uint32_t i = 0; c->is_good && i < entries->count; i++)
    expect(c, entries->cells[i].row < rows && entries->cells[i].column < columns);
}

static void check_assembly(Check *c) {
  const Plan *p = c->plan;
  const PlanAssembly *a = p->assembly;
  if (!a) return;
  expect(c, a->own <= a->n && (a->n - a->own) % 3 == 0 && a->holonomic <= a->row_count &&
                a->own <= p->n && a->room <= 1u << 28);
  expect(c, p->places && (uint64_t)p->places->body_count * 3 == a->n - a->own);
  for (uint32_t i = 0; c->is_good && i < a->n; i++) {
    const PlanPose *pose = &a->poses[i];
    expect(c, pose->name && pose->z < p->variables.count && pose->zd < p->variables.count);
    expect(c, (i < a->own) == !pose->part);
  }
  for (uint32_t i = 0; i < a->row_count; i++) expect(c, a->rows[i].name != NULL);
  check_some_tape(c, a->positions, a->n, a->room);
  check_some_tape(c, a->velocities, a->n, a->room);
  check_some_tape(c, a->anchors, 2 * (uint64_t)a->anchor_count, a->room);
  check_some_tape(c, a->constraints, a->holonomic, a->room);
  check_some_tape(c, a->rates, a->row_count, a->room);
  check_cells(c, &a->slopes, a->row_count, a->n, a->room);
  check_cells(c, &a->inertias, a->n, a->n, a->room);
  check_some_tape(c, a->meanings, p->n, a->room);
  check_some_tape(c, a->meaning_rates, p->n, a->room);
  if (c->is_good && p->places->body_count > 0)
    check_some_tape(c, p->places->poses, a->n - a->own, a->room);
}

static void check_entries(Check *c, const int *first, const int *coordinate) {
  const Plan *p = c->plan;
  expect(c, first[0] == 0);
  for (uint32_t i = 0; i < p->contact_count; i++) expect(c, first[i + 1] >= first[i]);
  for (int k = 0; c->is_good && k < first[p->contact_count]; k++)
    expect(c, coordinate[k] >= 0 && (uint32_t)coordinate[k] < p->n);
}

static void check_contacts(Check *c) {
  const Plan *p = c->plan;
  for (uint32_t i = 0; c->is_good && i < p->contact_count; i++) {
    const PlanContact *contact = &p->contacts[i];
    expect(c, contact->name != NULL);
    check_value(c, &contact->restitution), check_value(c, &contact->mu_rest);
    check_value(c, &contact->mu), check_value(c, &contact->rolling);
  }
  expect(c, p->slip_count >= p->contact_count);
  for (uint32_t i = 0; c->is_good && i < p->slip_count; i++)
    expect(c, p->slips[i].name != NULL && p->slips[i].contact < p->contact_count &&
                  (i >= p->contact_count || p->slips[i].contact == i));
  for (uint32_t i = 0; c->is_good && i < p->press_count; i++) {
    const PlanPress *press = &p->presses[i];
    expect(c, press->name && press->joint);
    expect(c, press->guard >= -1 && press->guard < (int)p->switch_count);
    check_value(c, &press->grip), check_value(c, &press->hold);
  }
  check_entries(c, p->gap_first, p->gap_coordinate);
  check_entries(c, p->slip_first, p->slip_coordinate);
}

static void check_switches(Check *c) {
  const Plan *p = c->plan;
  const StoredPlan *s = c->stored;
  const InputLayout *at = &s->layout;
  for (uint32_t i = 0; i < p->switch_count; i++)
    expect(c, p->switches[i].coordinate < p->n || p->n == 0);
  for (uint32_t i = 0; c->is_good && i < s->table_count; i++) {
    const PlanTable *t = &p->tables[i];
    uint64_t inputs = t->table ? 2 + t->table->degree + (t->is_timed ? 0 : 4) : 0;
    expect(c, t->table != NULL && (uint64_t)t->first_input + inputs <= at->slides - at->pieces);
    expect(c, t->is_timed || (uint64_t)t->first_guard + 2 <= p->switch_count);
    check_value(c, &t->x), check_value(c, &t->x_t);
  }
  for (uint32_t i = 0; i < s->lookup_count; i++) expect(c, p->lookups[i].table != NULL);
  for (uint32_t i = 0; c->is_good && i < s->slide_count; i++) {
    const PlanSlide *slide = &p->slides[i];
    uint64_t inputs = 1 + (uint64_t)slide->components + p->n;
    expect(c, slide->components >= 1 && slide->components <= MOST_COMPONENTS &&
                  slide->coordinate < p->n &&
                  slide->first_input + inputs <= at->signs - at->slides);
  }
}

static void check_actions(Check *c) {
  const Plan *p = c->plan;
  const PlanActions *a = &p->actions;
  uint64_t places = 2 * (uint64_t)p->n + p->state_count;
  for (uint32_t i = 0; i < a->assignment_count; i++) {
    const PlanAssignment *to = &a->assignments[i];
    expect(c, to->input >= -1 && to->input < (int)p->input_count);
    expect(c, to->place >= -1 && (to->place < 0 || (uint64_t)to->place < places));
  }
  for (uint32_t i = 0; c->is_good && i < a->sampling_count; i++) {
    const PlanSampling *s = &a->samplings[i];
    expect(c, s->first <= a->assignment_count && s->count <= a->assignment_count - s->first);
    check_value(c, &s->period), check_value(c, &s->delay);
  }
  for (uint32_t i = 0; i < a->occasion_count; i++) {
    const PlanOccasion *o = &a->occasions[i];
    expect(c, o->text && o->direction >= -1 && o->direction <= 1);
    expect(c, o->first <= a->assignment_count && o->count <= a->assignment_count - o->first);
  }
  for (uint32_t i = 0; c->is_good && i < p->measures.reduction_count; i++) {
    const PlanReduction *r = &p->measures.reductions[i];
    expect(c, r->kind <= REDUCE_COUNT && r->variable < p->variables.count);
    check_value(c, &r->from);
  }
}

static void check_columns(Check *c) {
  const Columns *columns = &c->plan->columns;
  expect(c, columns->n >= 1 && columns->outputs <= columns->n);
  for (uint32_t i = 0; i < columns->n; i++)
    expect(c, columns->at[i].name && columns->at[i].kind <= COLUMN_MEMBER);
}

// ---- The programs

// Every kind of inputs begins where the one before it ends.
static void check_layout(Check *c) {
  const Plan *p = c->plan;
  const InputLayout *at = &c->stored->layout;
  uint64_t next = 1;
  const struct {
    uint32_t at;
    uint64_t count;
  } kinds[] = {{at->q, p->n},
               {at->qd, p->n},
               {at->states, p->state_count},
               {at->qdd, p->n},
               {at->lambda, (uint64_t)p->row_count + p->contact_count},
               {at->friction, p->slip_count},
               {at->presses, p->press_count},
               {at->u, p->input_count},
               {at->parameters, p->parameter_count},
               {at->sides, p->switch_count}};
  expect(c, at->t == 0);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    expect(c, kinds[i].at == next);
    next += kinds[i].count;
  }
  expect(c, at->pieces == next && at->slides >= at->pieces && at->signs >= at->slides);
  expect(c, at->reductions >= at->signs);
  expect(c, at->slopes == (uint64_t)at->reductions + p->measures.reduction_count);
  expect(c, at->held == at->slopes && at->count == at->held);
}

static void check_extents(Check *c, const StoredSet *set) {
  const Plan *p = c->plan;
  const StoredPlan *s = c->stored;
  const uint32_t *of = set->extents.of;
  uint32_t slide_values = 0;
  for (uint32_t i = 0; i < s->slide_count; i++)
    slide_values += p->slides[i].components * (p->n + 2);
  const struct {
    BlockExtent extent;
    uint32_t count;
  } known[] = {{EXTENT_ONE, 1},
               {EXTENT_COORDINATES, p->n},
               {EXTENT_STATE, 2 * p->n + p->state_count},
               {EXTENT_STATES, p->state_count},
               {EXTENT_ROWS, set->m},
               {EXTENT_HOLONOMIC, set->holonomic},
               {EXTENT_CONTACTS, p->contact_count},
               {EXTENT_SLIPS, p->slip_count},
               {EXTENT_PRESSING_ENTRIES, (uint32_t)p->gap_first[p->contact_count]},
               {EXTENT_RUBBING_ENTRIES, (uint32_t)p->slip_first[p->contact_count]},
               {EXTENT_INPUTS, p->input_count},
               {EXTENT_PARAMETERS, p->parameter_count},
               {EXTENT_DIRECTIONS, 0},
               {EXTENT_LOADS, p->loads.count},
               {EXTENT_PRESSES, p->press_count},
               {EXTENT_ENERGIES, 3},
               {EXTENT_POWERS, POWER_KINDS},
               {EXTENT_SWITCHES, p->switch_count},
               {EXTENT_TABLES, s->table_count},
               {EXTENT_LOOKUPS, s->lookup_count},
               {EXTENT_SLIDE_VALUES, slide_values},
               {EXTENT_SIGNAL_GUARDS, s->layout.reductions - s->layout.signs},
               {EXTENT_REDUCTIONS, p->measures.reduction_count},
               {EXTENT_ASSIGNMENTS, p->actions.assignment_count},
               {EXTENT_OCCASIONS, p->actions.occasion_count},
               {EXTENT_MEASURES, p->measures.measure_count},
               {EXTENT_PAIR, 2}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    expect(c, of[known[i].extent] == known[i].count);
  // what stands in columns
  uint64_t rest = 1 + 3 * (uint64_t)p->n + p->state_count + p->row_count + p->contact_count + 3;
  expect(c, rest + of[EXTENT_OUTPUTS] + of[EXTENT_MEMBERS] == p->columns.n &&
                of[EXTENT_OUTPUTS] == p->columns.outputs);
}

// Rows: holonomic constraints, closed contacts, the other constraints, each once and in order.
static void check_rows(Check *c, const StoredSet *set) {
  const Plan *p = c->plan;
  uint32_t at = 0, m = p->row_count, holonomic = 0;
  for (uint32_t i = 0; i < p->contact_count; i++) m += set->closed[i];
  expect(c, set->m == m);
  for (int nonholonomic = 0; c->is_good && nonholonomic < 2; nonholonomic++) {
    for (uint32_t i = 0; i < p->row_count; i++)
      if (p->rows[i].is_nonholonomic == nonholonomic) expect(c, set->lambda[at++] == i);
    for (uint32_t i = 0; !nonholonomic && i < p->contact_count; i++)
      if (set->closed[i]) expect(c, set->lambda[at++] == p->row_count + i);
    if (!nonholonomic) holonomic = at;
  }
  expect(c, set->holonomic == holonomic);
}

static void check_set(Check *c, const StoredSet *set) {
  check_rows(c, set);
  if (c->is_good) check_extents(c, set);
  for (int part = 0; c->is_good && part < EQUATION_PARTS; part++) {
    const Program *p = set->parts[part].program;
    if (p)
      check_program(c, p, c->stored->layout.count, part_size((EquationPart)part, &set->extents));
  }
}

static void check_sets(Check *c) {
  const StoredPlan *s = c->stored;
  uint32_t contacts = s->plan.contact_count;
  expect(c, s->set_count >= 1);
  for (uint32_t i = 0; c->is_good && i < contacts; i++) expect(c, !s->sets[0].closed[i]);
  for (uint32_t i = 0; c->is_good && i < s->set_count; i++) check_set(c, &s->sets[i]);
}

static void check_follow(Check *c) {
  const PlanFollow *follow = c->plan->follow;
  expect(c, follow != NULL); // whoever reads a plan may change values
  if (!follow) return;
  uint64_t values = (uint64_t)c->plan->parameter_count + c->plan->input_count;
  expect(c, follow->values != NULL && follow->slopes != NULL);
  if (!c->is_good) return;
  check_program(c, follow->values, values, values);
  check_program(c, follow->slopes, values, follow->slope_count);
  for (uint32_t i = 0; i < follow->slope_count; i++)
    expect(c, follow->slope_at[i].of < values && follow->slope_at[i].by < values);
}

static void check_run(Check *c) {
  const StoredRun *run = &c->stored->run;
  const MethodOptions *o = &run->method;
  const double numbers[] = {o->rtol,          o->atol, o->step,  o->beta,
                            o->gamma,         o->rho,  o->order, o->baumgarte_alpha,
                            o->baumgarte_beta};
  expect(c, o->method < METHOD_COUNT && o->stabilize <= STABILIZE_NONE);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) expect(c, !isnan(numbers[i]));
  expect(c, c->is_good && plan_serves(c->stored, o));
  check_value(c, &c->plan->times.end), check_value(c, &c->plan->times.every);
}

static void check_about(Check *c) {
  const StoredAbout *about = c->stored->about;
  if (!about) return;
  for (uint32_t i = 0; i < about->setting_count; i++) expect(c, about->settings[i].text != NULL);
  for (uint32_t i = 0; i < c->plan->parameter_count; i++) expect(c, about->units[i].text != NULL);
  for (uint32_t i = 0; i < c->plan->input_count; i++) expect(c, about->input_units[i].text != NULL);
  for (uint32_t i = 0; i < c->plan->measures.measure_count; i++)
    expect(c, about->measures[i].name && about->measures[i].unit);
  for (uint32_t i = 0; i < about->fixed_count; i++)
    expect(c, about->fixed[i].name && about->fixed[i].why < FIXED_KINDS);
}

bool plan_is_sound(const StoredPlan *stored) {
  Check c = {.stored = stored, .plan = &stored->plan, .is_good = true};
  static void (*const steps[])(Check *) = {
      check_variables, check_what_there_is, check_layout,   check_sizes,   check_bodies,
      check_assembly,  check_contacts,      check_switches, check_actions, check_columns,
      check_sets,      check_follow,        check_run,      check_about};
  for (uint32_t i = 0; c.is_good && i < stored->data_count; i++)
    check_table(&c, stored->data[i].table);
  for (size_t i = 0; c.is_good && i < sizeof steps / sizeof *steps; i++) steps[i](&c);
  return c.is_good;
}
