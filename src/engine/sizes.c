// Sizes of rows, contacts and coordinates.
#include "engine/machine.h"

#include <math.h>
#include <stdlib.h>

#include "program/elementary.h"

static uint32_t place_of(const Machine *m, int i) { return m->plan->variables.q[i]; }

void machine_find_kinds(Machine *m) {
  m->kind = arena_array(&m->arena, int, m->n);
  m->kinds = (int)m->plan->kind_count;
  m->kind_scale = arena_array(&m->arena, double, m->kinds);
  for (int i = 0; i < m->n; i++) m->kind[i] = (int)m->plan->coordinates[i].kind;
}

// ---- Values

// Parameters and inputs as they are, the state as it is given.
static void fill_values(const Machine *m, double t, const double *q, const double *qd,
                        double *values) {
  const Plan *plan = m->plan;
  const PlanVariables *at = &plan->variables;
  for (uint32_t i = 0; i < plan->parameter_count; i++)
    values[at->parameters[i]] = m->values[at->parameters[i]];
  for (uint32_t i = 0; i < plan->input_count; i++) values[at->inputs[i]] = m->values[at->inputs[i]];
  values[at->t] = t;
  for (int i = 0; i < m->n; i++) {
    values[at->q[i]] = q ? q[i] : 0;
    if (qd) values[at->qd[i]] = qd[i];
  }
}

// ---- Sizes of coordinates

// What a kind's coordinates, all of the size `floor`, make of rows and gaps.
static void sizes_with(MachineSet *set, double *floors, const int *members, int count,
                       const Machine *m, double floor, double *out) {
  for (int k = 0; k < count; k++) floors[place_of(m, members[k])] = floor;
  tape_sizes(set->row_tape, set->size_values, floors, set->size_room, out);
  tape_sizes(m->plan->sizes.gaps, set->size_values, floors, set->size_room,
             out + set->equations->holonomic);
}

// Exact for powers of two.
static double binary_logarithm(double x) {
  int exponent;
  double part = frexp(x, &exponent);
  return exponent + elementary_log(part) / M_LN2;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Rows grow by some power of the coordinates: where that equals what they are made of otherwise.
// Most rows are about links; some are about where a far point of the ground is.
static double size_from_rows(Machine *m, MachineSet *set, double *floors, const int *members,
                             int count) {
  const double large = 0x1p60;
  size_t rows = set->equations->holonomic + (size_t)m->contacts, told = 0;
  double *constant = arena_array(&m->arena, double, rows);
  double *once = arena_array(&m->arena, double, rows);
  double *twice = arena_array(&m->arena, double, rows);
  sizes_with(set, floors, members, count, m, large, once);
  sizes_with(set, floors, members, count, m, 2 * large, twice);
  sizes_with(set, floors, members, count, m, 0, constant);
  for (size_t r = 0; r < rows; r++) {
    double grown = once[r] - constant[r],
           power = binary_logarithm((twice[r] - constant[r]) / grown);
    double here = large * elementary_pow(constant[r] / grown, 1 / power);
    if (grown > 0 && power > 0 && here > 0 && isfinite(here)) once[told++] = here;
  }
  qsort(once, told, sizeof *once, ascending);
  return told > 0 ? once[told / 2] : 0;
}

// The size of the largest parameter that is measured like a kind; 0 where there is none.
static double size_from_parameters(const Machine *m, const PlanKind *kind) {
  double size = 0;
  for (uint32_t i = 0; i < kind->parameter_count; i++)
    size = fmax(size, fabs(m->values[kind->parameters[i]]));
  return size;
}

// Coordinates of one kind have one size.
static void find_floors(Machine *m, MachineSet *set) {
  Mark mark = arena_mark(&m->arena);
  double *floors = arena_array(&m->arena, double, m->plan->variables.count);
  int *members = arena_array(&m->arena, int, m->n);
  fill_values(m, 0, NULL, NULL, set->size_values);
  for (int kind = 0; kind < m->kinds; kind++) {
    int count = 0;
    for (int i = 0; i < m->n; i++)
      if (m->kind[i] == kind) members[count++] = i;
    const PlanKind *alike = &m->plan->kinds[kind];
    double size = alike->is_angle ? 1 : size_from_rows(m, set, floors, members, count);
    // where no row tells
    if (size == 0) size = size_from_parameters(m, alike);
    for (int k = 0; k < count; k++) set->size_floors[place_of(m, members[k])] = size;
    m->kind_scale[kind] = size > 0 ? size : 1;
  }
  arena_release(&m->arena, mark);
}

double machine_coordinate_size(const Machine *m, int i) {
  return m->set->size_floors[place_of(m, i)];
}

// ---- Opening

void machine_need_sizes(Machine *m) {
  MachineSet *set = m->set;
  const Equations *e = set->equations;
  if (set->row_tape) return;
  const PlanSizes *sizes = &m->plan->sizes;
  set->row_tape = tape_select(&m->arena, &m->cx->scratch, sizes->rows, e->lambda, e->holonomic);
  size_t of_rows = tape_sizes_room(set->row_tape), of_gaps = tape_sizes_room(sizes->gaps);
  set->size_room = arena_array(&m->arena, double, of_rows > of_gaps ? of_rows : of_gaps);
  set->size_floors = arena_array(&m->arena, double, m->plan->variables.count);
  set->size_values = arena_array(&m->arena, double, m->plan->variables.count);
  find_floors(m, set);
}

void machine_renew_sizes(Machine *m) {
  for (uint32_t i = 0; i < m->sets.n; i++)
    if (m->sets.at[i]->row_tape) find_floors(m, m->sets.at[i]);
}

// ---- Sizes of states

// A state whose rate is made of numbers of the size R comes to R times the time that it has: that
// of the run or, where it acts on its own rate, that in which it settles. Others act on its rate
// with the sizes that they have.
void machine_find_state_scales(Machine *m, const double *q, const double *qd, double duration) {
  enum { MOST_ROUNDS = 8 };
  const PlanVariables *at = &m->plan->variables;
  const Tape *tape = m->plan->sizes.state_rates;
  if (m->states == 0 || !(duration > 0)) return;
  Mark mark = arena_mark(&m->cx->scratch);
  uint32_t states = m->plan->state_count;
  double *values = arena_array(&m->cx->scratch, double, at->count);
  double *floors = arena_array(&m->cx->scratch, double, at->count);
  double *sizes = arena_array(&m->cx->scratch, double, 2 * states);
  double *room = arena_array(&m->cx->scratch, double, tape_sizes_room(tape));
  fill_values(m, 0, q, qd, values);
  for (int i = 0; i < m->n; i++) {
    floors[at->q[i]] = machine_coordinate_size(m, i);
    floors[at->qd[i]] = machine_coordinate_size(m, i) / duration;
  }
  for (uint32_t i = 0; i < states; i++) {
    values[at->states[i]] = qd[m->n + (int)i];
    m->state_scale[i] = fabs(qd[m->n + (int)i]);
  }
  for (uint32_t round = 0; round < states && round < MOST_ROUNDS; round++) {
    tape_sizes(tape, values, floors, room, sizes);
    for (uint32_t i = 0; i < states; i++) {
      double scale = sizes[i] / (sizes[states + i] + 1 / duration);
      if (isfinite(scale)) m->state_scale[i] = fmax(m->state_scale[i], scale);
      floors[at->states[i]] = m->state_scale[i];
    }
  }
  arena_release(&m->cx->scratch, mark);
}

// ---- Sizes of rows and gaps

void machine_row_sizes(Machine *m, double t, const double *q, double *out) {
  MachineSet *set = m->set;
  fill_values(m, t, q, NULL, set->size_values);
  tape_sizes(set->row_tape, set->size_values, set->size_floors, set->size_room, out);
}

void machine_gap_sizes(Machine *m, double t, const double *q, double *out) {
  MachineSet *set = m->set;
  fill_values(m, t, q, NULL, set->size_values);
  tape_sizes(m->plan->sizes.gaps, set->size_values, set->size_floors, set->size_room, out);
}

// ---- Sizes of anything else

void machine_tape_sizes(Machine *m, const Tape *tape, double t, const double *q, const double *qd,
                        double *out) {
  machine_need_sizes(m);
  Mark mark = arena_mark(&m->cx->scratch);
  double *values = arena_array(&m->cx->scratch, double, m->plan->variables.count);
  double *floors = arena_array(&m->cx->scratch, double, m->plan->variables.count);
  double *room = arena_array(&m->cx->scratch, double, tape_sizes_room(tape));
  for (int i = 0; i < m->n; i++) floors[place_of(m, i)] = machine_coordinate_size(m, i);
  fill_values(m, t, q, qd, values);
  tape_sizes(tape, values, floors, room, out);
  arena_release(&m->cx->scratch, mark);
}

void machine_row_rate_sizes(Machine *m, double t, const double *q, const double *qd, double *out) {
  Mark mark = arena_mark(&m->cx->scratch);
  double *all = arena_array(&m->cx->scratch, double, m->rows);
  machine_tape_sizes(m, m->plan->sizes.row_rates, t, q, qd, all);
  for (int r = 0; r < m->problem.m; r++) out[r] = all[machine_place(m, r)];
  arena_release(&m->cx->scratch, mark);
}
