// Systems as programs.
#include "sim/equations.h"

#include "code/eliminate.h"
#include "code/flatten.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "sim/switches.h"

typedef struct Maker {
  Equations *d;
  Context *cx;
  const System *s;
  ProgramBuilder builder;
  Flattener flat;
} Maker;

// ---- Inputs and outputs

static InputLayout layout_of(const System *s, uint32_t switch_count) {
  InputLayout at = {.t = 0, .q = 1};
  at.qd = at.q + s->n;
  at.qdd = at.qd + s->n;
  at.lambda = at.qdd + s->n;
  at.u = at.lambda + s->row_count + s->contact_count;
  at.parameters = at.u + s->model->inputs.n;
  at.sides = at.parameters + s->model->parameters.n;
  at.count = at.sides + switch_count;
  return at;
}

static void bind(ProgramBuilder *builder, Flattener *flat, Expr symbol, uint32_t input) {
  flatten_bind(flat, symbol, program_input(builder, input));
}

void equations_bind(const Equations *d, ProgramBuilder *builder, Flattener *flat) {
  const System *s = d->system;
  const Model *model = s->model;
  const InputLayout *at = &d->layout;
  for (uint32_t i = at->u; i < at->count; i++) program_fix_input(builder, i);
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
  for (uint32_t i = 0; i < model->inputs.n; i++)
    bind(builder, flat, model->inputs.at[i].symbol, at->u + i);
  for (uint32_t i = 0; i < model->parameters.n; i++)
    bind(builder, flat, model->parameters.at[i].symbol, at->parameters + i);
}

static void lock_switches(Maker *m) {
  Mark mark = arena_mark(&m->cx->scratch);
  Switches switches = system_switches(m->cx, m->s);
  switches_lock(&switches, &m->flat, m->d->layout.sides);
  arena_release(&m->cx->scratch, mark);
}

static void maker_open(Maker *m, Equations *d, EquationPart part) {
  *m = (Maker){.d = d, .cx = d->cx, .s = d->system};
  program_open(&m->builder, m->cx, d->layout.count);
  flatten_open(&m->flat, &m->builder);
  equations_bind(d, &m->builder, &m->flat);
  bool true_values = part == PART_OUTPUTS || part == PART_SWITCHES;
  if (d->is_locked && d->switch_count > 0 && !true_values) lock_switches(m);
}

static void maker_close(Maker *m) {
  flatten_close(&m->flat);
  program_close(&m->builder);
}

static void put(Maker *m, Slot slot) {
  program_output(&m->builder, slot == NO_SLOT ? program_constant(&m->builder, 0) : slot);
}

static void put_exprs(Maker *m, const Expr *e, size_t n) {
  Mark mark = arena_mark(&m->cx->scratch);
  Slot *slots = arena_array(&m->cx->scratch, Slot, n);
  flatten_many(&m->flat, e, n, slots);
  for (size_t i = 0; i < n; i++) put(m, slots[i]);
  arena_release(&m->cx->scratch, mark);
}

static void put_expr(Maker *m, Expr e) { put_exprs(m, &e, 1); }

// ---- The linear system of the accelerations

// Unknowns: z'' (n, then definitions), definition multipliers, lambda of the rows.
typedef struct Saddle {
  Elimination *e;
  uint32_t z, definitions, size; // definitions: how many, 0 for the dense form
} Saddle;

static void add_entry(Maker *m, const Saddle *saddle, uint32_t i, uint32_t j, Expr value) {
  elimination_add(saddle->e, i, j, flatten_expr(&m->flat, value));
}

static bool is_contact(const Maker *m, uint32_t row) {
  return m->d->lambda[row] >= m->s->row_count;
}

// The local row of a constraint or contact in the lifted form.
static void add_lifted_row(Maker *m, const Saddle *saddle, uint32_t row) {
  const Lifted *l = m->s->lifted;
  bool contact = is_contact(m, row);
  const Entries *entries = contact ? &l->contacts : &l->constraints;
  uint32_t number = m->d->lambda[row] - (contact ? m->s->row_count : 0);
  for (uint32_t i = 0; i < entries->n; i++) {
    if (entries->at[i].row == number)
      add_entry(m, saddle, saddle->z + saddle->definitions + row, entries->at[i].column,
                entries->at[i].value);
  }
}

static Saddle lifted_saddle(Maker *m) {
  const Lifted *l = m->s->lifted;
  Saddle saddle = {.z = l->n + l->m, .definitions = l->m};
  saddle.size = saddle.z + l->m + m->d->m;
  saddle.e = elimination_new(&m->builder, saddle.size);
  for (uint32_t k = 0; k < l->m; k++) elimination_define(saddle.e, l->n + k, saddle.z + k);
  for (uint32_t r = 0; r < m->d->m; r++) elimination_constrain(saddle.e, saddle.z + l->m + r);
  for (uint32_t i = 0; i < l->H.n; i++)
    add_entry(m, &saddle, l->H.at[i].row, l->H.at[i].column, l->H.at[i].value);
  for (uint32_t i = 0; i < l->J.n; i++)
    add_entry(m, &saddle, saddle.z + l->J.at[i].row, l->J.at[i].column, l->J.at[i].value);
  for (uint32_t r = 0; r < m->d->m; r++) add_lifted_row(m, &saddle, r);
  return saddle;
}

static Saddle dense_saddle(Maker *m) {
  uint32_t n = m->d->n;
  Saddle saddle = {.z = n, .size = n + m->d->m};
  saddle.e = elimination_new(&m->builder, saddle.size);
  for (uint32_t r = 0; r < m->d->m; r++) elimination_constrain(saddle.e, n + r);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j <= i; j++) {
      if (!expr_is_zero(m->cx, m->s->M[i * n + j])) add_entry(m, &saddle, i, j, m->s->M[i * n + j]);
    }
  }
  for (uint32_t r = 0; r < m->d->m; r++) {
    for (uint32_t j = 0; j < n; j++) {
      if (!expr_is_zero(m->cx, m->d->rows[r]->phi_q[j]))
        add_entry(m, &saddle, n + r, j, m->d->rows[r]->phi_q[j]);
    }
  }
  return saddle;
}

static void name_unknowns(const Maker *m, const Saddle *saddle) {
  const Lifted *l = m->s->lifted;
  for (uint32_t i = 0; i < saddle->z; i++) {
    Symbol name = i < m->d->n ? symbol_name(m->cx, m->s->q[i]) : definition_name(m->cx, l->z[i]);
    elimination_name(saddle->e, i, name);
  }
  for (uint32_t r = 0; r < m->d->m; r++)
    elimination_name(saddle->e, saddle->z + saddle->definitions + r, m->d->rows[r]->name);
}

static Saddle saddle_of(Maker *m) {
  Saddle saddle = m->d->uses_lifted ? lifted_saddle(m) : dense_saddle(m);
  name_unknowns(m, &saddle);
  return saddle;
}

// Q - h - D - G of one coordinate
static Expr applied_force(Maker *m, uint32_t i) {
  const System *s = m->s;
  return expr_linear(m->cx, NUMBER_ZERO,
                     (Pair[]){{s->Q[i], NUMBER_ONE},
                              {s->h[i], NUMBER_MINUS_ONE},
                              {s->D[i], NUMBER_MINUS_ONE},
                              {s->G[i], NUMBER_MINUS_ONE}},
                     4);
}

static void fill_forces(Maker *m, const Saddle *saddle, Slot *rhs) {
  const Lifted *l = m->s->lifted;
  for (uint32_t i = 0; i < saddle->z; i++)
    rhs[i] = flatten_expr(&m->flat, saddle->definitions ? l->f[i] : applied_force(m, i));
  for (uint32_t k = 0; k < saddle->definitions; k++)
    rhs[saddle->z + k] = flatten_expr(&m->flat, l->b[k]);
}

// The acceleration side of a row; local in the lifted form.
static Expr gamma_of(Maker *m, uint32_t row) {
  if (!m->d->uses_lifted) return m->d->rows[row]->gamma;
  uint32_t number = m->d->lambda[row];
  return is_contact(m, row) ? m->s->lifted->contact_gamma[number - m->s->row_count]
                            : m->s->lifted->gamma[number];
}

static Slot power_of(Maker *m, const Expr *force) {
  Slot sum = NO_SLOT;
  for (uint32_t i = 0; i < m->s->n; i++) {
    if (expr_is_zero(m->cx, force[i])) continue;
    Slot part = program_mul(&m->builder, flatten_expr(&m->flat, force[i]),
                            flatten_expr(&m->flat, m->s->qd[i]));
    sum = sum == NO_SLOT ? part : program_add(&m->builder, sum, part);
  }
  return sum;
}

static void put_power(Maker *m, const Slot *lambda) {
  put(m, power_of(m, m->s->Q));
  Slot lost = power_of(m, m->s->D);
  put(m, lost == NO_SLOT ? lost : program_neg(&m->builder, lost));
  Slot drives = program_neg(&m->builder, flatten_expr(&m->flat, m->s->L_t));
  for (uint32_t r = 0; r < m->d->m; r++) {
    Expr phi_t = m->d->rows[r]->phi_t;
    if (expr_is_zero(m->cx, phi_t)) continue;
    Slot part = program_mul(&m->builder, lambda[r], flatten_expr(&m->flat, phi_t));
    drives = program_add(&m->builder, drives, part);
  }
  put(m, drives);
}

// The linear system of the accelerations, solved.
typedef struct Solved {
  Saddle saddle;
  uint32_t rows; // where lambda begins in x
  Slot *x;       // in scratch memory
} Solved;

static bool solve_forward(Maker *m, Solved *out) {
  Saddle saddle = saddle_of(m);
  Slot *rhs = arena_array(&m->cx->scratch, Slot, saddle.size);
  Slot *x = arena_array(&m->cx->scratch, Slot, saddle.size);
  for (uint32_t i = 0; i < saddle.size; i++) rhs[i] = NO_SLOT;
  fill_forces(m, &saddle, rhs);
  uint32_t rows = saddle.z + saddle.definitions;
  for (uint32_t r = 0; r < m->d->m; r++) rhs[rows + r] = flatten_expr(&m->flat, gamma_of(m, r));
  *out = (Solved){saddle, rows, x};
  return elimination_solve_first(saddle.e, rhs, x);
}

// From here on the symbols of accelerations and multipliers are the solution.
static void bind_solution(Maker *m, const Solved *solved) {
  for (uint32_t i = 0; i < m->d->n; i++) flatten_bind(&m->flat, m->s->qdd[i], solved->x[i]);
  for (uint32_t r = 0; r < m->d->m; r++)
    flatten_bind(&m->flat, m->d->rows[r]->multiplier, solved->x[solved->rows + r]);
}

static bool make_forward(Maker *m) {
  Mark mark = arena_mark(&m->cx->scratch);
  Solved solved;
  bool fine = solve_forward(m, &solved);
  if (fine) {
    for (uint32_t i = 0; i < m->d->n; i++) put(m, solved.x[i]);
    for (uint32_t r = 0; r < m->d->m; r++) put(m, solved.x[solved.rows + r]);
    put_power(m, solved.x + solved.rows);
    put(m, elimination_loss(solved.saddle.e));
  }
  arena_release(&m->cx->scratch, mark);
  return fine;
}

// Phi_q q' + Phi_t, along the velocity: never through Phi_q.
static Expr velocity_residual(Maker *m, uint32_t row) {
  const Row *r = m->d->rows[row];
  return r->is_nonholonomic ? r->phi : expr_time_derivative(m->cx, r->phi);
}

// The correction of least mass-weighted size that removes the residual to first order.
static bool make_projection(Maker *m, bool velocity) {
  Mark mark = arena_mark(&m->cx->scratch);
  Saddle saddle = saddle_of(m);
  uint32_t rows = saddle.z + saddle.definitions;
  uint32_t active = velocity ? m->d->m : m->d->holonomic;
  Slot *rhs = arena_array(&m->cx->scratch, Slot, saddle.size);
  Slot *x = arena_array(&m->cx->scratch, Slot, saddle.size);
  Slot *residual = arena_array(&m->cx->scratch, Slot, m->d->m);
  for (uint32_t i = 0; i < saddle.size; i++) rhs[i] = NO_SLOT;
  for (uint32_t r = 0; r < active; r++) {
    Expr e = velocity ? velocity_residual(m, r) : m->d->rows[r]->phi;
    residual[r] = flatten_expr(&m->flat, e);
    rhs[rows + r] = program_neg(&m->builder, residual[r]);
  }
  bool solved = elimination_solve_first(saddle.e, rhs, x);
  if (solved) {
    for (uint32_t i = 0; i < m->d->n; i++) put(m, x[i]);
    for (uint32_t r = 0; r < active; r++) put(m, residual[r]);
    put(m, elimination_loss(saddle.e));
  }
  arena_release(&m->cx->scratch, mark);
  return solved;
}

// ---- Plain parts

static void make_geometry(Maker *m) { put_exprs(m, m->s->M, (size_t)m->d->n * m->d->n); }

static void make_jacobian(Maker *m) {
  for (uint32_t r = 0; r < m->d->m; r++) put_exprs(m, m->d->rows[r]->phi_q, m->d->n);
}

static void make_terms(Maker *m) {
  make_geometry(m);
  for (uint32_t i = 0; i < m->d->n; i++) put_expr(m, applied_force(m, i));
  make_jacobian(m);
  for (uint32_t r = 0; r < m->d->m; r++) put_expr(m, m->d->rows[r]->gamma);
}

// Phi_q q'' - gamma of a row, along the acceleration.
static Expr acceleration_residual(Maker *m, uint32_t row) {
  const Row *r = m->d->rows[row];
  Expr rate = expr_time_derivative(m->cx, r->phi);
  return r->is_nonholonomic ? rate : expr_time_derivative(m->cx, rate);
}

static void make_acceleration(Maker *m) {
  for (uint32_t r = 0; r < m->d->m; r++) put_expr(m, acceleration_residual(m, r));
}

static void make_power(Maker *m) {
  Mark mark = arena_mark(&m->cx->scratch);
  Slot *lambda = arena_array(&m->cx->scratch, Slot, m->d->m);
  for (uint32_t r = 0; r < m->d->m; r++)
    lambda[r] = program_input(&m->builder, m->d->layout.lambda + m->d->lambda[r]);
  put_power(m, lambda);
  arena_release(&m->cx->scratch, mark);
}

// M q'' - f + Phi_q^T lambda of every coordinate
static Expr *residuals(Maker *m) {
  const System *s = m->s;
  Expr *r = arena_array(&m->cx->scratch, Expr, s->n);
  Expr *terms = arena_array(&m->cx->scratch, Expr, m->d->m + 4);
  for (uint32_t i = 0; i < s->n; i++) {
    uint32_t n = 0;
    terms[n++] = s->inertia[i], terms[n++] = s->D[i], terms[n++] = s->G[i];
    terms[n++] = expr_neg(m->cx, s->Q[i]);
    for (uint32_t k = 0; k < m->d->m; k++) {
      const Row *row = m->d->rows[k];
      if (!expr_is_zero(m->cx, row->phi_q[i]))
        terms[n++] = expr_mul(m->cx, row->multiplier, row->phi_q[i]);
    }
    r[i] = expr_sum(m->cx, terms, n);
  }
  return r;
}

static void put_jacobian(Maker *m, const Expr *e, const Expr *by) {
  uint32_t n = m->d->n;
  Mark mark = arena_mark(&m->cx->scratch);
  Expr *J = arena_array(&m->cx->scratch, Expr, (size_t)n * n);
  expr_jacobian(m->cx, e, n, by, n, J);
  put_exprs(m, J, (size_t)n * n);
  arena_release(&m->cx->scratch, mark);
}

static void make_tangent(Maker *m) {
  Mark mark = arena_mark(&m->cx->scratch);
  Expr *r = residuals(m);
  put_jacobian(m, r, m->s->q);
  put_jacobian(m, r, m->s->qd);
  arena_release(&m->cx->scratch, mark);
}

// L_q, L_v and F = Q - D, as expressions
static void lagrangian_slopes(Maker *m, Expr *L_q, Expr *L_v, Expr *F) {
  const System *s = m->s;
  Expr L = expr_sub(m->cx, s->T, s->V);
  expr_gradient(m->cx, L, s->q, s->n, L_q);
  expr_gradient(m->cx, L, s->qd, s->n, L_v);
  for (uint32_t i = 0; i < s->n; i++) F[i] = expr_sub(m->cx, s->Q[i], s->D[i]);
}

static void make_variational(Maker *m, bool second) {
  uint32_t n = m->d->n;
  Mark mark = arena_mark(&m->cx->scratch);
  Expr *slopes = arena_array(&m->cx->scratch, Expr, 3 * n);
  lagrangian_slopes(m, slopes, slopes + n, slopes + 2 * n);
  if (second) {
    put_jacobian(m, slopes, m->s->q);
    put_jacobian(m, slopes, m->s->qd);
    put_jacobian(m, slopes + n, m->s->qd);
    put_jacobian(m, slopes + 2 * n, m->s->q);
    put_jacobian(m, slopes + 2 * n, m->s->qd);
  } else {
    put_exprs(m, slopes, 3 * n);
  }
  arena_release(&m->cx->scratch, mark);
}

// The slopes of accelerations and multipliers: what a small change of x adds to the residuals at
// fixed q'' and lambda, taken through the factors of the same linear system.
static bool make_slopes(Maker *m, const Expr *by, uint32_t count) {
  uint32_t n = m->d->n, all = n + m->d->m;
  Mark mark = arena_mark(&m->cx->scratch);
  Expr *r = arena_array(&m->cx->scratch, Expr, all),
       *slopes = arena_array(&m->cx->scratch, Expr, all);
  Expr *of_coordinates = residuals(m);
  for (uint32_t i = 0; i < n; i++) r[i] = of_coordinates[i];
  for (uint32_t k = 0; k < m->d->m; k++) r[n + k] = acceleration_residual(m, k);
  Solved solved;
  bool fine = solve_forward(m, &solved);
  if (fine) bind_solution(m, &solved);
  Slot *columns = arena_array(&m->cx->scratch, Slot, (size_t)all * count);
  Slot *rhs = arena_array(&m->cx->scratch, Slot, solved.saddle.size);
  Slot *x = arena_array(&m->cx->scratch, Slot, solved.saddle.size);
  for (uint32_t j = 0; fine && j < count; j++) {
    expr_diff_many(m->cx, r, all, by[j], slopes);
    for (uint32_t i = 0; i < solved.saddle.size; i++) rhs[i] = NO_SLOT;
    for (uint32_t i = 0; i < all; i++)
      rhs[i < n ? i : solved.rows + i - n] =
          program_neg(&m->builder, flatten_expr(&m->flat, slopes[i]));
    elimination_solve(solved.saddle.e, rhs, x);
    for (uint32_t i = 0; i < all; i++)
      columns[(size_t)i * count + j] = x[i < n ? i : solved.rows + i - n];
  }
  for (size_t k = 0; fine && k < (size_t)all * count; k++) put(m, columns[k]);
  arena_release(&m->cx->scratch, mark);
  return fine;
}

// By the state, the inputs or the parameters.
static bool make_slopes_of(Maker *m, EquationPart part) {
  const Model *model = m->s->model;
  uint32_t n = m->d->n, inputs = model->inputs.n, parameters = model->parameters.n;
  Mark mark = arena_mark(&m->cx->scratch);
  Expr *by = arena_array(&m->cx->scratch, Expr, 2 * n + inputs + parameters + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; part == PART_STATE_SLOPES && i < n; i++) by[count++] = m->s->q[i];
  for (uint32_t i = 0; part == PART_STATE_SLOPES && i < n; i++) by[count++] = m->s->qd[i];
  for (uint32_t i = 0; part == PART_INPUT_SLOPES && i < inputs; i++)
    by[count++] = model->inputs.at[i].symbol;
  for (uint32_t i = 0; part == PART_PARAMETER_SLOPES && i < parameters; i++)
    by[count++] = model->parameters.at[i].symbol;
  bool fine = make_slopes(m, by, count);
  arena_release(&m->cx->scratch, mark);
  return fine;
}

static void make_contacts(Maker *m) {
  for (uint32_t i = 0; i < m->s->contact_count; i++) put_expr(m, m->s->contacts[i].phi);
  for (uint32_t i = 0; i < m->s->contact_count; i++)
    put_expr(m, expr_time_derivative(m->cx, m->s->contacts[i].phi));
}

static void make_contact_rows(Maker *m) {
  for (uint32_t i = 0; i < m->s->contact_count; i++) {
    put_exprs(m, m->s->contacts[i].phi_q, m->s->n);
    put_expr(m, m->s->contacts[i].gamma);
  }
}

static void make_outputs(Maker *m) {
  const Model *model = m->s->model;
  for (uint32_t i = 0; i < model->outputs.n; i++) put_expr(m, model->outputs.at[i].value);
  put_expr(m, expr_sub(m->cx, m->s->energy, m->s->V));
  put_expr(m, m->s->V);
  put_expr(m, m->s->energy);
}

static void make_switches(Maker *m) {
  Mark mark = arena_mark(&m->cx->scratch);
  ExprList guards = system_switches(m->cx, m->s).guards;
  put_exprs(m, guards.at, guards.n);
  arena_release(&m->cx->scratch, mark);
}

// False when the program cannot be made because a pivot vanishes whatever the state.
static bool make(Maker *m, EquationPart part) {
  switch (part) {
  case PART_FORWARD: return make_forward(m);
  case PART_PROJECT_POSITION: return make_projection(m, false);
  case PART_PROJECT_VELOCITY: return make_projection(m, true);
  case PART_TERMS: make_terms(m); break;
  case PART_GEOMETRY: make_geometry(m), make_jacobian(m); break;
  case PART_POSITION:
    for (uint32_t r = 0; r < m->d->holonomic; r++) put_expr(m, m->d->rows[r]->phi);
    break;
  case PART_VELOCITY:
    for (uint32_t r = 0; r < m->d->m; r++) put_expr(m, velocity_residual(m, r));
    break;
  case PART_ACCELERATION: make_acceleration(m); break;
  case PART_POWER: make_power(m); break;
  case PART_TANGENT: make_tangent(m); break;
  case PART_GRADIENT: make_variational(m, false); break;
  case PART_HESSIAN: make_variational(m, true); break;
  case PART_CONTACTS: make_contacts(m); break;
  case PART_CONTACT_ROWS: make_contact_rows(m); break;
  case PART_ENERGY: put_expr(m, m->s->energy), put_expr(m, m->s->V); break;
  case PART_OUTPUTS: make_outputs(m); break;
  case PART_STATE_SLOPES:
  case PART_INPUT_SLOPES:
  case PART_PARAMETER_SLOPES: return make_slopes_of(m, part);
  case PART_SWITCHES: make_switches(m); break;
  case EQUATION_PARTS: break;
  }
  return true;
}

// The dense form needs M and h, the others what they differentiate.
static void derive_for(Equations *d, EquationPart part) {
  if (part == PART_TERMS || part == PART_GEOMETRY) derive_matrices(d->cx, d->system);
  bool slopes =
      part == PART_STATE_SLOPES || part == PART_INPUT_SLOPES || part == PART_PARAMETER_SLOPES;
  if (part == PART_TANGENT || slopes) derive_inertia(d->cx, d->system);
  if (part > PART_PROJECT_VELOCITY && !slopes) return;
  if (d->uses_lifted)
    derive_lifted(d->cx, d->system);
  else
    derive_matrices(d->cx, d->system);
}

static const Program *program_of(Equations *d, EquationPart part) {
  derive_for(d, part);
  Maker m;
  maker_open(&m, d, part);
  const Program *program = make(&m, part) ? program_finish(&m.builder, d->arena) : NULL;
  maker_close(&m);
  return program;
}

// ---- Choosing the form of FORWARD

#define LARGEST_DENSE 24 // coordinates for which the dense form is worth a try

// Cycles, roughly: what the units take, or the longest chain if that is longer.
static double estimate(Equations *d, const Program *program) {
  Mark mark = arena_mark(&d->cx->scratch);
  ProgramCost cost = program_cost(program, &d->cx->scratch);
  arena_release(&d->cx->scratch, mark);
  double units = 0.5 * cost.steps + 4.0 * cost.divisions + 15.0 * cost.trig + 40.0 * cost.calls;
  return units > cost.latency ? units : cost.latency;
}

static const Program *choose_forward(Equations *d) {
  derive_lifted(d->cx, d->system);
  const Program *dense = NULL, *lifted = NULL;
  // Momentum balances give M and h; the lifted form comes from the energies.
  bool has_definitions = !d->system->model->balances && d->system->lifted->m > 0;
  if (has_definitions) {
    d->uses_lifted = true;
    lifted = program_of(d, PART_FORWARD);
  }
  if (!has_definitions || !lifted || d->n <= LARGEST_DENSE) {
    d->uses_lifted = false;
    dense = program_of(d, PART_FORWARD);
  }
  d->uses_lifted = lifted && (!dense || estimate(d, lifted) < estimate(d, dense));
  return d->uses_lifted ? lifted : dense;
}

// ---- Opening

static void order_rows(Equations *d, const uint32_t *active, uint32_t active_count) {
  const System *s = d->system;
  d->m = s->row_count + active_count;
  d->rows = arena_array(d->arena, const Row *, d->m);
  uint32_t *lambda = arena_array(d->arena, uint32_t, d->m), at = 0;
  for (int nonholonomic = 0; nonholonomic <= 1; nonholonomic++) {
    for (uint32_t i = 0; i < s->row_count; i++) {
      if (s->rows[i].is_nonholonomic != nonholonomic) continue;
      d->rows[at] = &s->rows[i], lambda[at++] = i;
    }
    for (uint32_t i = 0; !nonholonomic && i < active_count; i++) {
      d->rows[at] = &s->contacts[active[i]], lambda[at++] = s->row_count + active[i];
    }
    if (!nonholonomic) d->holonomic = at;
  }
  d->lambda = lambda;
}

static Equations *open_equations(Context *cx, System *system, const uint32_t *active,
                                 uint32_t active_count, Backend backend, Arena *arena,
                                 bool is_locked) {
  Equations *d = arena_new(arena, Equations);
  *d = (Equations){.cx = cx,
                   .system = system,
                   .arena = arena,
                   .backend = backend,
                   .n = system->n,
                   .is_locked = is_locked};
  order_rows(d, active, active_count);
  Mark mark = arena_mark(&cx->scratch);
  d->switch_count = system_switches(cx, system).guards.n;
  arena_release(&cx->scratch, mark);
  d->layout = layout_of(system, d->switch_count);
  const Program *forward = choose_forward(d);
  d->has_forward = forward != NULL;
  d->is_made[PART_FORWARD] = true;
  if (forward) d->parts[PART_FORWARD] = compile_program(cx, forward, backend, arena);
  return d;
}

Equations *equations_open(Context *cx, System *system, const uint32_t *active,
                          uint32_t active_count, Backend backend, Arena *arena) {
  return open_equations(cx, system, active, active_count, backend, arena, false);
}

Equations *equations_open_locked(Context *cx, System *system, const uint32_t *active,
                                 uint32_t active_count, Backend backend, Arena *arena) {
  return open_equations(cx, system, active, active_count, backend, arena, true);
}

void equations_close(Equations *d) {
  for (int part = 0; part < EQUATION_PARTS; part++) {
    if (d->is_made[part] && d->parts[part].program) compiled_close(&d->parts[part]);
  }
}

const Compiled *equations_part(Equations *d, EquationPart part) {
  if (!d->is_made[part]) {
    const Program *program = program_of(d, part);
    if (program) d->parts[part] = compile_program(d->cx, program, d->backend, d->arena);
    d->is_made[part] = true;
  }
  return d->parts[part].program ? &d->parts[part] : NULL;
}

void equations_set_values(const Equations *d, const double *values, double *in) {
  const Model *model = d->system->model;
  for (uint32_t i = 0; i < model->inputs.n; i++)
    in[d->layout.u + i] = values[symbol_variable(d->cx, model->inputs.at[i].symbol)];
  for (uint32_t i = 0; i < model->parameters.n; i++)
    in[d->layout.parameters + i] = values[symbol_variable(d->cx, model->parameters.at[i].symbol)];
}
