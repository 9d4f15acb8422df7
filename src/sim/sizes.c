// Sizes of rows, contacts and coordinates.

#include <math.h>
#include <stdlib.h>

#include "expr/diff.h"
#include "expr/value/tape_build.h"
#include "model/values.h"
#include "program/elementary.h"
#include "sim/machine_source.h"

static const Measure *measure_of(const Machine *m, int i) {
  return &m->system->model->coordinates.at[i].measure;
}

static bool is_angle(const Machine *m, int i) {
  return measure_of(m, i)->is_known && dimension_is_pure(measure_of(m, i)->dimension);
}

static uint32_t place_of(const Machine *m, int i) {
  return symbol_variable(m->cx, m->system->q[i]);
}

void machine_find_kinds(Machine *m) {
  m->kind = arena_array(&m->arena, int, m->n);
  m->kind_scale = arena_array(&m->arena, double, m->n);
  m->kinds = 0;
  for (int i = 0; i < m->n; i++) {
    int k = 0;
    while (k < i && !measure_is_alike(measure_of(m, i), measure_of(m, k))) k++;
    m->kind[i] = k < i ? m->kind[k] : m->kinds++;
  }
}

// ---- Values

// Parameters and inputs as they are, the state as it is given.
static void fill_values(const Machine *m, double t, const double *q, const double *qd,
                        double *values) {
  const System *s = m->system;
  const Model *model = s->model;
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    uint32_t at = symbol_variable(m->cx, model->parameters.at[i].symbol);
    values[at] = m->values[at];
  }
  for (uint32_t i = 0; i < model->inputs.n; i++) {
    uint32_t at = symbol_variable(m->cx, model->inputs.at[i].symbol);
    values[at] = m->values[at];
  }
  values[symbol_variable(m->cx, s->t)] = t;
  for (int i = 0; i < m->n; i++) {
    values[place_of(m, i)] = q ? q[i] : 0;
    if (qd) values[symbol_variable(m->cx, s->qd[i])] = qd[i];
  }
}

// ---- Sizes of coordinates

// What a kind's coordinates, all of the size `floor`, make of rows and gaps.
static void sizes_with(MachineSet *set, double *floors, const int *members, int count,
                       const Machine *m, double floor, double *out) {
  for (int k = 0; k < count; k++) floors[place_of(m, members[k])] = floor;
  tape_sizes(set->row_tape, set->size_values, floors, set->size_room, out);
  tape_sizes(set->gap_tape, set->size_values, floors, set->size_room,
             out + set->equations->holonomic);
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
  double *constant = arena_array(&m->cx->scratch, double, rows);
  double *once = arena_array(&m->cx->scratch, double, rows);
  double *twice = arena_array(&m->cx->scratch, double, rows);
  sizes_with(set, floors, members, count, m, large, once);
  sizes_with(set, floors, members, count, m, 2 * large, twice);
  sizes_with(set, floors, members, count, m, 0, constant);
  for (size_t r = 0; r < rows; r++) {
    double grown = once[r] - constant[r], power = log2((twice[r] - constant[r]) / grown);
    double here = large * elementary_pow(constant[r] / grown, 1 / power);
    if (grown > 0 && power > 0 && here > 0 && isfinite(here)) once[told++] = here;
  }
  qsort(once, told, sizeof *once, ascending);
  return told > 0 ? once[told / 2] : 0;
}

// Coordinates of one kind have one size.
static void find_floors(Machine *m, MachineSet *set) {
  Mark mark = arena_mark(&m->cx->scratch);
  uint32_t symbols = m->cx->exprs->symbols.n;
  double *floors = arena_array(&m->cx->scratch, double, symbols);
  int *members = arena_array(&m->cx->scratch, int, m->n);
  fill_values(m, 0, NULL, NULL, set->size_values);
  for (int kind = 0; kind < m->kinds; kind++) {
    int count = 0;
    for (int i = 0; i < m->n; i++)
      if (m->kind[i] == kind) members[count++] = i;
    double size = is_angle(m, members[0]) ? 1 : size_from_rows(m, set, floors, members, count);
    // where no row tells
    if (size == 0)
      size = model_parameter_size(m->cx, m->system->model, m->values, measure_of(m, members[0]));
    for (int k = 0; k < count; k++) set->size_floors[place_of(m, members[k])] = size;
    m->kind_scale[kind] = size > 0 ? size : 1;
  }
  arena_release(&m->cx->scratch, mark);
}

double machine_coordinate_size(const Machine *m, int i) {
  return m->set->size_floors[place_of(m, i)];
}

// ---- Opening

static const Row *row_of(const Machine *m, uint32_t r) {
  uint32_t place = m->set->equations->lambda[r], rows = m->system->row_count;
  return place < rows ? &m->system->rows[place] : &m->system->contacts[place - rows];
}

void machine_need_sizes(Machine *m) {
  MachineSet *set = m->set;
  const Equations *e = set->equations;
  if (set->row_tape) return;
  Mark mark = arena_mark(&m->cx->scratch);
  Expr *rows = arena_array(&m->cx->scratch, Expr, e->holonomic);
  Expr *gaps = arena_array(&m->cx->scratch, Expr, m->contacts);
  for (uint32_t r = 0; r < e->holonomic; r++) rows[r] = row_of(m, r)->phi;
  for (int i = 0; i < m->contacts; i++) gaps[i] = m->system->contacts[i].phi;
  set->row_tape = tape_new(m->cx, &m->arena, rows, e->holonomic);
  set->gap_tape = tape_new(m->cx, &m->arena, gaps, (uint32_t)m->contacts);
  size_t of_rows = tape_sizes_room(set->row_tape), of_gaps = tape_sizes_room(set->gap_tape);
  set->size_room = arena_array(&m->arena, double, of_rows > of_gaps ? of_rows : of_gaps);
  set->size_floors = arena_array(&m->arena, double, m->cx->exprs->symbols.n);
  set->size_values = arena_array(&m->arena, double, m->cx->exprs->symbols.n);
  find_floors(m, set);
  arena_release(&m->cx->scratch, mark);
}

void machine_renew_sizes(Machine *m) {
  for (uint32_t i = 0; i < m->sets.n; i++)
    if (m->sets.at[i]->row_tape) find_floors(m, m->sets.at[i]);
}

// ---- Sizes of states

// Their rates, and how these depend on them.
static const Tape *tape_of_rates(Machine *m) {
  const System *s = m->system;
  Mark mark = arena_mark(&m->cx->scratch);
  Expr *roots = arena_array(&m->cx->scratch, Expr, 2 * s->states);
  for (uint32_t i = 0; i < s->states; i++) {
    roots[i] = s->rates[i];
    roots[s->states + i] = expr_diff(m->cx, s->rates[i], s->s[i]);
  }
  const Tape *tape = tape_new(m->cx, &m->arena, roots, 2 * s->states);
  arena_release(&m->cx->scratch, mark);
  return tape;
}

// A state whose rate is made of numbers of the size R comes to R times the time that it has: that
// of the run or, where it acts on its own rate, that in which it settles. Others act on its rate
// with the sizes that they have.
void machine_find_state_scales(Machine *m, const double *q, const double *qd, double duration) {
  enum { MOST_ROUNDS = 8 };
  const System *s = m->system;
  if (m->states == 0 || !(duration > 0)) return;
  if (!m->rate_tape) m->rate_tape = tape_of_rates(m);
  Mark mark = arena_mark(&m->cx->scratch);
  uint32_t symbols = m->cx->exprs->symbols.n, states = s->states;
  double *values = arena_array(&m->cx->scratch, double, symbols);
  double *floors = arena_array(&m->cx->scratch, double, symbols);
  double *sizes = arena_array(&m->cx->scratch, double, 2 * states);
  double *room = arena_array(&m->cx->scratch, double, tape_sizes_room(m->rate_tape));
  fill_values(m, 0, q, qd, values);
  for (int i = 0; i < m->n; i++) {
    floors[place_of(m, i)] = machine_coordinate_size(m, i);
    floors[symbol_variable(m->cx, s->qd[i])] = machine_coordinate_size(m, i) / duration;
  }
  for (uint32_t i = 0; i < states; i++) {
    values[symbol_variable(m->cx, s->s[i])] = qd[s->n + i];
    m->state_scale[i] = fabs(qd[s->n + i]);
  }
  for (uint32_t round = 0; round < states && round < MOST_ROUNDS; round++) {
    tape_sizes(m->rate_tape, values, floors, room, sizes);
    for (uint32_t i = 0; i < states; i++) {
      double scale = sizes[i] / (sizes[states + i] + 1 / duration);
      if (isfinite(scale)) m->state_scale[i] = fmax(m->state_scale[i], scale);
      floors[symbol_variable(m->cx, s->s[i])] = m->state_scale[i];
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
  tape_sizes(set->gap_tape, set->size_values, set->size_floors, set->size_room, out);
}

// ---- Sizes of anything else

static void sizes_at(Machine *m, const Tape *tape, double t, const double *q, const double *qd,
                     double *out) {
  machine_need_sizes(m);
  Mark mark = arena_mark(&m->cx->scratch);
  uint32_t symbols = m->cx->exprs->symbols.n;
  double *values = arena_array(&m->cx->scratch, double, symbols);
  double *floors = arena_array(&m->cx->scratch, double, symbols);
  double *room = arena_array(&m->cx->scratch, double, tape_sizes_room(tape));
  for (int i = 0; i < m->n; i++) floors[place_of(m, i)] = machine_coordinate_size(m, i);
  fill_values(m, t, q, qd, values);
  tape_sizes(tape, values, floors, room, out);
  arena_release(&m->cx->scratch, mark);
}

static const Tape *tape_of_row_rates(Machine *m) {
  const Equations *e = m->set->equations;
  Mark mark = arena_mark(&m->cx->scratch);
  Expr *rates = arena_array(&m->cx->scratch, Expr, e->m);
  for (uint32_t r = 0; r < e->m; r++) {
    const Row *row = row_of(m, r);
    rates[r] = row->is_nonholonomic ? row->phi : expr_time_derivative(m->cx, row->phi);
  }
  const Tape *tape = tape_new(m->cx, &m->arena, rates, e->m);
  arena_release(&m->cx->scratch, mark);
  return tape;
}

void machine_row_rate_sizes(Machine *m, double t, const double *q, const double *qd, double *out) {
  MachineSet *set = m->set;
  if (!set->row_rate_tape) set->row_rate_tape = tape_of_row_rates(m);
  sizes_at(m, set->row_rate_tape, t, q, qd, out);
}

void machine_sizes_of(Machine *m, const Expr *exprs, uint32_t n, double t, const double *q,
                      const double *qd, double *out) {
  machine_need_sizes(m);
  Mark mark = arena_mark(&m->arena);
  sizes_at(m, tape_new(m->cx, &m->arena, exprs, n), t, q, qd, out);
  arena_release(&m->arena, mark);
}
