// Closed contacts that have no programs of their own: the programs with all contacts open, with the
// rows of the contacts put between their constraints. Accelerations and corrections come from these
// terms by a dense solve.
#include <string.h>

#include "engine/machine.h"
#include "solve/algebra/dense.h"

// The rows of a set: first so many holonomic constraints, then the contacts, then the others.
typedef struct Rows {
  size_t n, open, holonomic, contacts;
  const uint32_t *closed; // place of each contact's multiplier, `rows` less its number
  uint32_t rows;          // constraints of the plan
} Rows;

static Rows rows_of(const Machine *m) {
  const Equations *e = m->set->equations, *base = e->base;
  return (Rows){.n = e->n,
                .open = base->m,
                .holonomic = base->holonomic,
                .contacts = e->m - base->m,
                .closed = e->lambda + base->holonomic,
                .rows = m->plan->row_count};
}

static uint32_t contact_of(const Rows *r, size_t i) { return r->closed[i] - r->rows; }

// Constraints of the open set, with room for the contacts between them; width: numbers a row.
static double *spread(const Rows *r, const double *open, size_t width, double *out) {
  double *between = out + r->holonomic * width;
  memcpy(out, open, r->holonomic * width * sizeof *out);
  memcpy(between + r->contacts * width, open + r->holonomic * width,
         (r->open - r->holonomic) * width * sizeof *out);
  return between;
}

static void put_slopes(const Rows *r, const double *phi_q, double *out) {
  for (size_t i = 0; i < r->contacts; i++)
    memcpy(out + i * r->n, phi_q + contact_of(r, i) * r->n, r->n * sizeof *out);
}

static void put_numbers(const Rows *r, const double *numbers, double *out) {
  for (size_t i = 0; i < r->contacts; i++) out[i] = numbers[contact_of(r, i)];
}

static const double *run_base(Machine *m, EquationPart part) {
  MachineSet *base = m->set->base;
  compiled_run(&base->equations->parts[part], m->in, base->out[part], base->work[part]);
  return base->out[part];
}

static void put_terms(Machine *m, const Rows *r, double *out) {
  const Extents *extents = &m->set->base->equations->extents;
  TermsBlocks open = terms_blocks(extents, run_base(m, PART_TERMS));
  ContactRowsBlocks rows = contact_rows_blocks(extents, run_base(m, PART_CONTACT_ROWS));
  size_t size = r->n * r->n;
  memcpy(out, open.M, size * sizeof *out);
  memcpy(out += size, open.f, r->n * sizeof *out);
  put_slopes(r, rows.phi_q, spread(r, open.Phi_q, r->n, out += r->n));
  put_numbers(r, rows.gamma, spread(r, open.gamma, 1, out + (r->open + r->contacts) * r->n));
}

static void put_geometry(Machine *m, const Rows *r, double *out) {
  const Extents *extents = &m->set->base->equations->extents;
  GeometryBlocks open = geometry_blocks(extents, run_base(m, PART_GEOMETRY));
  ContactRowsBlocks rows = contact_rows_blocks(extents, run_base(m, PART_CONTACT_ROWS));
  memcpy(out, open.M, r->n * r->n * sizeof *out);
  put_slopes(r, rows.phi_q, spread(r, open.Phi_q, r->n, out + r->n * r->n));
}

static void put_position(Machine *m, const Rows *r, double *out) {
  const Extents *extents = &m->set->base->equations->extents;
  const double *phi = contacts_blocks(extents, run_base(m, PART_CONTACTS)).phi;
  memcpy(out, run_base(m, PART_POSITION), r->holonomic * sizeof *out);
  put_numbers(r, phi, out + r->holonomic);
}

static void put_velocity(Machine *m, const Rows *r, double *out) {
  const Extents *extents = &m->set->base->equations->extents;
  const double *rate = contacts_blocks(extents, run_base(m, PART_CONTACTS)).phi_dot;
  put_numbers(r, rate, spread(r, run_base(m, PART_VELOCITY), 1, out));
}

static void put_acceleration(Machine *m, const Rows *r, double *out) {
  const Extents *extents = &m->set->base->equations->extents;
  ContactRowsBlocks rows = contact_rows_blocks(extents, run_base(m, PART_CONTACT_ROWS));
  const double *qdd = m->in + m->set->equations->layout.qdd;
  out = spread(r, run_base(m, PART_ACCELERATION), 1, out);
  for (size_t i = 0; i < r->contacts; i++) {
    uint32_t c = contact_of(r, i);
    out[i] = dense_dot((int)r->n, rows.phi_q + c * r->n, qdd) - rows.gamma[c];
  }
}

// What moves the surfaces of closed contacts gives lambda dphi/dt, dphi/dt = phi' - phi_q q'.
static void put_power(Machine *m, const Rows *r, double *out) {
  const Extents *extents = &m->set->base->equations->extents;
  const InputLayout *at = &m->set->equations->layout;
  size_t numbers = m->set->equations->states + POWER_KINDS;
  memcpy(out, run_base(m, PART_POWER), numbers * sizeof *out);
  ContactRowsBlocks rows = contact_rows_blocks(extents, run_base(m, PART_CONTACT_ROWS));
  const double *rate = contacts_blocks(extents, run_base(m, PART_CONTACTS)).phi_dot;
  for (size_t i = 0; i < r->contacts; i++) {
    uint32_t c = contact_of(r, i);
    double by_time = rate[c] - dense_dot((int)r->n, rows.phi_q + c * r->n, m->in + at->qd);
    out[numbers - POWER_KINDS + POWER_DRIVES] += m->in[at->lambda + r->closed[i]] * by_time;
  }
}

// The slopes of Phi_q^T lambda by q, of the contacts beside those of the constraints.
static void put_tangent(Machine *m, const Rows *r, double *out) {
  size_t size = r->n * r->n;
  memcpy(out, run_base(m, PART_TANGENT), 2 * size * sizeof *out);
  const double *K = run_base(m, PART_CONTACT_TANGENT);
  for (size_t i = 0; i < size; i++) out[i] += K[i];
}

typedef struct Composition {
  void (*put)(Machine *m, const Rows *rows, double *out);
  bool takes_rows, takes_gaps, takes_tangent; // of the contacts
} Composition;

static const Composition compositions[EQUATION_PARTS] = {
    [PART_TERMS] = {put_terms, true, false, false},
    [PART_GEOMETRY] = {put_geometry, true, false, false},
    [PART_POSITION] = {put_position, false, true, false},
    [PART_VELOCITY] = {put_velocity, false, true, false},
    [PART_ACCELERATION] = {put_acceleration, true, false, false},
    [PART_POWER] = {put_power, true, true, false},
    [PART_TANGENT] = {put_tangent, false, false, true},
};

// Solved by programs of a set's own only.
static bool is_left_out(EquationPart part) {
  return part == PART_FORWARD || part == PART_PROJECT_POSITION || part == PART_PROJECT_VELOCITY;
}

void combination_need(Machine *m, EquationPart part) {
  MachineSet *set = m->set;
  const Composition *by = &compositions[part];
  if (set->out[part] || is_left_out(part)) return;
  m->set = set->base;
  machine_need(m, part);
  if (by->takes_rows) machine_need(m, PART_CONTACT_ROWS);
  if (by->takes_gaps) machine_need(m, PART_CONTACTS);
  if (by->takes_tangent) machine_need(m, PART_CONTACT_TANGENT);
  m->set = set;
  if (!set->base->work[part]) return;
  // the blocks of some programs are counted when these are written
  Extents *extents = &set->equations->extents;
  extents->of[EXTENT_DENOMINATORS] = set->base->equations->extents.of[EXTENT_DENOMINATORS];
  set->out[part] = arena_array(&m->arena, double, part_size(part, &set->equations->extents) + 1);
}

void combination_evaluate(Machine *m, EquationPart part, double *out) {
  if (!compositions[part].put) {
    const MachineSet *base = m->set->base;
    compiled_run(&base->equations->parts[part], m->in, out, base->work[part]);
    return;
  }
  Rows rows = rows_of(m);
  compositions[part].put(m, &rows, out);
}
