// The linear system of accelerations and multipliers, lifted or dense, written out by elimination.
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "sim/equation_program.h"

static void add_entry(EquationProgram *m, const Saddle *saddle, uint32_t i, uint32_t j,
                      Expr value) {
  elimination_add(saddle->e, i, j, flatten_expr(&m->flat, value));
}

static bool is_contact(const EquationProgram *m, uint32_t row) {
  return m->d->lambda[row] >= m->s->row_count;
}

// The local row of a constraint or contact in the lifted form.
static void add_lifted_row(EquationProgram *m, const Saddle *saddle, uint32_t row) {
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

static Slot *no_scales(EquationProgram *m) {
  Slot *scale = arena_array(&m->cx->scratch, Slot, m->d->m);
  for (uint32_t r = 0; r < m->d->m; r++) scale[r] = NO_SLOT;
  return scale;
}

static void add_supports(EquationProgram *m, const Saddle *saddle) {
  for (uint32_t r = 0; r < m->d->m && m->from->goes_early; r++)
    for (uint32_t i = 0; i < m->d->n; i++)
      if (!expr_is_zero(m->cx, m->from->rows[r]->phi_q[i]))
        elimination_support(saddle->e, saddle->z + saddle->definitions + r, i);
}

static Saddle lifted_saddle(EquationProgram *m) {
  const Lifted *l = m->s->lifted;
  Saddle saddle = {.z = l->n + l->m, .definitions = l->m, .scale = no_scales(m)};
  saddle.size = saddle.z + l->m + m->d->m;
  saddle.e = elimination_new(&m->builder, saddle.size);
  for (uint32_t k = 0; k < l->m; k++) elimination_define(saddle.e, l->n + k, saddle.z + k);
  for (uint32_t r = 0; r < m->d->m; r++) elimination_constrain(saddle.e, saddle.z + l->m + r);
  for (uint32_t i = 0; i < l->H.n; i++)
    add_entry(m, &saddle, l->H.at[i].row, l->H.at[i].column, l->H.at[i].value);
  for (uint32_t i = 0; i < l->J.n; i++)
    add_entry(m, &saddle, saddle.z + l->J.at[i].row, l->J.at[i].column, l->J.at[i].value);
  for (uint32_t r = 0; r < m->d->m; r++) add_lifted_row(m, &saddle, r);
  add_supports(m, &saddle);
  return saddle;
}

static bool is_massless(const EquationProgram *m, uint32_t i) {
  uint32_t n = m->d->n;
  for (uint32_t j = 0; j < n; j++)
    if (!expr_is_zero(m->cx, m->s->M[i * n + j])) return false;
  return true;
}

// The coordinate without mass that a row gives, or n.
static uint32_t defined_coordinate(const EquationProgram *m, uint32_t row) {
  Expr q = m->from->rows[row]->defines;
  for (uint32_t i = 0; q && i < m->d->n; i++)
    if (m->s->q[i] == q && is_massless(m, i)) return i;
  return m->d->n;
}

// Rows that define a coordinate are divided by its slope: the pair then needs no other pivot.
static void sort_rows(EquationProgram *m, Saddle *saddle) {
  uint32_t n = m->d->n;
  for (uint32_t r = 0; r < m->d->m; r++) {
    uint32_t i = defined_coordinate(m, r);
    if (i == n) {
      elimination_constrain(saddle->e, n + r);
      continue;
    }
    Slot slope = flatten_expr(&m->flat, m->from->rows[r]->phi_q[i]);
    saddle->scale[r] = program_div(&m->builder, program_constant(&m->builder, 1), slope);
    elimination_define(saddle->e, i, n + r);
  }
}

Slot equation_program_scaled(EquationProgram *m, const Saddle *saddle, uint32_t row, Slot value) {
  if (value == NO_SLOT || saddle->scale[row] == NO_SLOT) return value;
  return program_mul(&m->builder, saddle->scale[row], value);
}

static void add_dense_row(EquationProgram *m, const Saddle *saddle, uint32_t r) {
  uint32_t n = m->d->n, defined = saddle->scale[r] == NO_SLOT ? n : defined_coordinate(m, r);
  for (uint32_t j = 0; j < n; j++) {
    Expr slope = m->from->rows[r]->phi_q[j];
    if (j == defined || expr_is_zero(m->cx, slope)) continue;
    elimination_add(saddle->e, n + r, j,
                    equation_program_scaled(m, saddle, r, flatten_expr(&m->flat, slope)));
  }
}

static Saddle dense_saddle(EquationProgram *m) {
  uint32_t n = m->d->n;
  Saddle saddle = {.z = n, .size = n + m->d->m, .scale = no_scales(m)};
  saddle.e = elimination_new(&m->builder, saddle.size);
  sort_rows(m, &saddle);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j <= i; j++) {
      if (!expr_is_zero(m->cx, m->s->M[i * n + j])) add_entry(m, &saddle, i, j, m->s->M[i * n + j]);
    }
  }
  for (uint32_t r = 0; r < m->d->m; r++) add_dense_row(m, &saddle, r);
  return saddle;
}

static void name_unknowns(const EquationProgram *m, const Saddle *saddle) {
  const Lifted *l = m->s->lifted;
  for (uint32_t i = 0; i < saddle->z; i++) {
    Symbol name = i < m->d->n ? symbol_name(m->cx, m->s->q[i]) : definition_name(m->cx, l->z[i]);
    elimination_name(saddle->e, i, name);
  }
  for (uint32_t r = 0; r < m->d->m; r++)
    elimination_name(saddle->e, saddle->z + saddle->definitions + r, m->from->rows[r]->name);
}

Saddle equation_program_saddle(EquationProgram *m) {
  Saddle saddle = m->from->uses_lifted ? lifted_saddle(m) : dense_saddle(m);
  name_unknowns(m, &saddle);
  return saddle;
}

// Q - h - D - G of one coordinate
Expr equation_program_applied_force(EquationProgram *m, uint32_t i) {
  const System *s = m->s;
  return expr_linear(m->cx, NUMBER_ZERO,
                     (Pair[]){{s->Q[i], NUMBER_ONE},
                              {s->h[i], NUMBER_MINUS_ONE},
                              {s->D[i], NUMBER_MINUS_ONE},
                              {s->G[i], NUMBER_MINUS_ONE}},
                     4);
}

static void fill_forces(EquationProgram *m, const Saddle *saddle, Slot *rhs) {
  const Lifted *l = m->s->lifted;
  for (uint32_t i = 0; i < saddle->z; i++)
    rhs[i] = flatten_expr(&m->flat,
                          saddle->definitions ? l->f[i] : equation_program_applied_force(m, i));
  for (uint32_t k = 0; k < saddle->definitions; k++)
    rhs[saddle->z + k] = flatten_expr(&m->flat, l->b[k]);
}

// The acceleration side of a row; local in the lifted form.
static Expr gamma_of(EquationProgram *m, uint32_t row) {
  if (!m->from->uses_lifted) return m->from->rows[row]->gamma;
  uint32_t number = m->d->lambda[row];
  return is_contact(m, row) ? m->s->lifted->contact_gamma[number - m->s->row_count]
                            : m->s->lifted->gamma[number];
}

static Slot power_of(EquationProgram *m, const Expr *force) {
  Slot sum = NO_SLOT;
  for (uint32_t i = 0; i < m->s->n; i++) {
    if (expr_is_zero(m->cx, force[i])) continue;
    Slot acts = flatten_expr(&m->flat, force[i]);
    Slot part = program_mul(&m->builder, acts, flatten_expr(&m->flat, m->s->qd[i]));
    sum = sum == NO_SLOT ? part : program_add(&m->builder, sum, part);
  }
  return sum;
}

// The forces of the model without the friction of its contacts.
static Expr *forces_without_friction(EquationProgram *m) {
  const System *s = m->s;
  Expr *Q = arena_array(&m->cx->scratch, Expr, s->n);
  const Model *model = s->model;
  Substitution *list =
      arena_array(&m->cx->scratch, Substitution, s->slip_count + model->presses.n + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->slip_count; i++)
    if (s->slips[i].phi) list[count++] = (Substitution){s->slips[i].multiplier, expr_int(m->cx, 0)};
  for (uint32_t i = 0; i < model->presses.n; i++)
    list[count++] = (Substitution){model->presses.at[i].symbol, expr_int(m->cx, 0)};
  expr_subst_many(m->cx, s->Q, s->n, list, count, Q);
  return Q;
}

// What friction takes: R v. What it gives to parts that are moved is done by who moves them.
static Slot add_rubbing(EquationProgram *m, const Row *slip, Expr friction, Slot sum,
                        Slot *drives) {
  Slot force = flatten_expr(&m->flat, friction);
  Slot part = program_mul(&m->builder, force, flatten_expr(&m->flat, slip->phi));
  if (!expr_is_zero(m->cx, slip->phi_t)) {
    Slot given = program_mul(&m->builder, force, flatten_expr(&m->flat, slip->phi_t));
    *drives = program_add(&m->builder, *drives, given);
  }
  return sum == NO_SLOT ? part : program_add(&m->builder, sum, part);
}

static Slot friction_power(EquationProgram *m, Slot *drives) {
  const System *s = m->s;
  Slot sum = NO_SLOT;
  for (uint32_t i = 0; i < s->slip_count; i++)
    if (s->slips[i].phi) sum = add_rubbing(m, &s->slips[i], s->slips[i].multiplier, sum, drives);
  for (uint32_t i = 0; i < s->model->presses.n; i++)
    sum = add_rubbing(m, &s->rubs[i], s->model->presses.at[i].force, sum, drives);
  return sum;
}

static bool has_friction(const System *s) {
  for (uint32_t i = 0; i < s->slip_count; i++)
    if (s->slips[i].phi) return true;
  return s->model->presses.n > 0;
}

static Slot plus(EquationProgram *m, Slot slot, Expr e) {
  Slot more = flatten_expr(&m->flat, e);
  return slot == NO_SLOT ? more : program_add(&m->builder, slot, more);
}

void equation_program_put_power(EquationProgram *m, const Slot *lambda) {
  Mark mark = arena_mark(&m->cx->scratch);
  Slot forces = power_of(m, has_friction(m->s) ? forces_without_friction(m) : m->s->Q);
  arena_release(&m->cx->scratch, mark);
  Slot lost = power_of(m, m->s->D), drives = flatten_expr(&m->flat, m->s->L_t);
  const Overflow *overflow = m->s->model->overflow;
  if (overflow) forces = plus(m, forces, overflow->by_forces);
  equation_program_put(m, forces);
  Expr dissipated = lost == NO_SLOT ? 0 : system_dissipated(m->cx, m->s);
  if (dissipated) {
    Slot heat = flatten_expr(&m->flat, dissipated);
    drives = program_add(&m->builder, drives,
                         program_add(&m->builder, lost, program_neg(&m->builder, heat)));
    lost = heat;
  }
  if (overflow) lost = plus(m, lost, overflow->lost), drives = plus(m, drives, overflow->stored);
  lost = lost == NO_SLOT ? lost : program_neg(&m->builder, lost);
  equation_program_put(m, lost);
  equation_program_put(m, friction_power(m, &drives));
  drives = program_neg(&m->builder, drives);
  for (uint32_t r = 0; r < m->d->m; r++) {
    Expr phi_t = m->from->rows[r]->phi_t;
    if (expr_is_zero(m->cx, phi_t)) continue;
    Slot part = program_mul(&m->builder, lambda[r], flatten_expr(&m->flat, phi_t));
    drives = program_add(&m->builder, drives, part);
  }
  equation_program_put(m, drives);
}

bool equation_program_solve(EquationProgram *m, Solved *out) {
  Saddle saddle = equation_program_saddle(m);
  Slot *rhs = arena_array(&m->cx->scratch, Slot, saddle.size);
  Slot *x = arena_array(&m->cx->scratch, Slot, saddle.size);
  for (uint32_t i = 0; i < saddle.size; i++) rhs[i] = NO_SLOT;
  fill_forces(m, &saddle, rhs);
  uint32_t rows = saddle.z + saddle.definitions;
  for (uint32_t r = 0; r < m->d->m; r++)
    rhs[rows + r] = equation_program_scaled(m, &saddle, r, flatten_expr(&m->flat, gamma_of(m, r)));
  *out = (Solved){saddle, rows, x};
  elimination_limit(saddle.e, m->from->most_steps);
  if (!elimination_solve_first(saddle.e, rhs, x)) return false;
  for (uint32_t r = 0; r < m->d->m; r++)
    x[rows + r] = equation_program_scaled(m, &saddle, r, x[rows + r]);
  return true;
}

// From here on the symbols of accelerations and multipliers are the solution.
void equation_program_bind_solution(EquationProgram *m, const Solved *solved) {
  for (uint32_t i = 0; i < m->d->n; i++) flatten_bind(&m->flat, m->s->qdd[i], solved->x[i]);
  for (uint32_t r = 0; r < m->d->m; r++)
    flatten_bind(&m->flat, m->from->rows[r]->multiplier, solved->x[solved->rows + r]);
}

// The loss at all pivots, and how large the inverse pivot of every constraint is.
void equation_program_put_trust(EquationProgram *m, const Saddle *saddle) {
  equation_program_put(m, elimination_loss(saddle->e));
  for (uint32_t r = 0; r < m->d->m; r++) {
    Slot inverse = saddle->scale[r];
    if (inverse == NO_SLOT)
      inverse = elimination_inverse(saddle->e, saddle->z + saddle->definitions + r);
    equation_program_put(m, inverse);
  }
}

bool equation_program_forward(EquationProgram *m) {
  Mark mark = arena_mark(&m->cx->scratch);
  Solved solved;
  bool fine = equation_program_solve(m, &solved);
  if (fine) {
    for (uint32_t i = 0; i < m->d->n; i++) equation_program_put(m, solved.x[i]);
    for (uint32_t r = 0; r < m->d->m; r++) equation_program_put(m, solved.x[solved.rows + r]);
    equation_program_put_exprs(m, m->s->rates, m->s->states);
    equation_program_put_power(m, solved.x + solved.rows);
    equation_program_put_trust(m, &solved.saddle);
  }
  arena_release(&m->cx->scratch, mark);
  return fine;
}

// Phi_q q' + Phi_t, along the velocity: never through Phi_q.
Expr equation_program_velocity_residual(EquationProgram *m, uint32_t row) {
  const Row *r = m->from->rows[row];
  return r->is_nonholonomic ? r->phi : expr_time_derivative(m->cx, r->phi);
}

// The correction of least mass-weighted size that removes the residual to first order.
bool equation_program_projection(EquationProgram *m, bool velocity) {
  Mark mark = arena_mark(&m->cx->scratch);
  Saddle saddle = equation_program_saddle(m);
  uint32_t rows = saddle.z + saddle.definitions;
  uint32_t active = velocity ? m->d->m : m->d->holonomic;
  Slot *rhs = arena_array(&m->cx->scratch, Slot, saddle.size);
  Slot *x = arena_array(&m->cx->scratch, Slot, saddle.size);
  Slot *residual = arena_array(&m->cx->scratch, Slot, m->d->m);
  for (uint32_t i = 0; i < saddle.size; i++) rhs[i] = NO_SLOT;
  for (uint32_t r = 0; r < active; r++) {
    Expr e = velocity ? equation_program_velocity_residual(m, r) : m->from->rows[r]->phi;
    residual[r] = flatten_expr(&m->flat, e);
    rhs[rows + r] = equation_program_scaled(m, &saddle, r, program_neg(&m->builder, residual[r]));
  }
  bool solved = elimination_solve_first(saddle.e, rhs, x);
  if (solved) {
    for (uint32_t i = 0; i < m->d->n; i++) equation_program_put(m, x[i]);
    for (uint32_t r = 0; r < active; r++) equation_program_put(m, residual[r]);
    equation_program_put_trust(m, &saddle);
    for (uint32_t r = 0; velocity && r < active; r++)
      equation_program_put(m, elimination_reach(saddle.e, rows + r));
  }
  arena_release(&m->cx->scratch, mark);
  return solved;
}
