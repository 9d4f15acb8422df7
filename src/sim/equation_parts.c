// The parts of a system that need no linear system, and slopes that go through one.
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "sim/equation_program.h"
#include "sim/signals.h"
#include "sim/switches.h"

static void make_geometry(EquationProgram *m) {
  equation_program_put_exprs(m, m->s->M, (size_t)m->d->n * m->d->n);
}

static void make_jacobian(EquationProgram *m) {
  for (uint32_t r = 0; r < m->d->m; r++)
    equation_program_put_exprs(m, m->from->rows[r]->phi_q, m->d->n);
}

static void make_terms(EquationProgram *m) {
  make_geometry(m);
  for (uint32_t i = 0; i < m->d->n; i++)
    equation_program_put_expr(m, equation_program_applied_force(m, i));
  make_jacobian(m);
  for (uint32_t r = 0; r < m->d->m; r++) equation_program_put_expr(m, m->from->rows[r]->gamma);
}

static void make_forces(EquationProgram *m) {
  const Expr *forces[] = {m->s->h, m->s->D, m->s->G, m->s->Q};
  for (int i = 0; i < 4; i++) equation_program_put_exprs(m, forces[i], m->d->n);
}

// Phi_q q'' - gamma of a row, along the acceleration.
Expr equation_program_acceleration_residual(EquationProgram *m, uint32_t row) {
  const Row *r = m->from->rows[row];
  Expr rate = expr_time_derivative(m->cx, r->phi);
  return r->is_nonholonomic ? system_open_rates(m->cx, m->s, rate)
                            : expr_time_derivative(m->cx, rate);
}

static void make_acceleration(EquationProgram *m) {
  for (uint32_t r = 0; r < m->d->m; r++)
    equation_program_put_expr(m, equation_program_acceleration_residual(m, r));
}

static void make_power(EquationProgram *m) {
  Mark mark = arena_mark(&m->cx->scratch);
  Slot *lambda = arena_array(&m->cx->scratch, Slot, m->d->m);
  for (uint32_t r = 0; r < m->d->m; r++)
    lambda[r] = program_input(&m->builder, m->d->layout.lambda + m->d->lambda[r]);
  equation_program_put_exprs(m, m->s->rates, m->s->states);
  equation_program_put_power(m, lambda);
  arena_release(&m->cx->scratch, mark);
}

// M q'' - f + Phi_q^T lambda of every coordinate
Expr *equation_program_residuals(EquationProgram *m) {
  const System *s = m->s;
  Expr *r = arena_array(&m->cx->scratch, Expr, s->n);
  Expr *terms = arena_array(&m->cx->scratch, Expr, m->d->m + 4);
  for (uint32_t i = 0; i < s->n; i++) {
    uint32_t n = 0;
    terms[n++] = s->inertia[i], terms[n++] = s->D[i], terms[n++] = s->G[i];
    terms[n++] = expr_neg(m->cx, s->Q[i]);
    for (uint32_t k = 0; k < m->d->m; k++) {
      const Row *row = m->from->rows[k];
      if (!expr_is_zero(m->cx, row->phi_q[i]))
        terms[n++] = expr_mul(m->cx, row->multiplier, row->phi_q[i]);
    }
    r[i] = expr_sum(m->cx, terms, n);
  }
  return r;
}

static void put_slopes(EquationProgram *m, const Expr *e, uint32_t rows, const Expr *by,
                       uint32_t columns) {
  Mark mark = arena_mark(&m->cx->scratch);
  Expr *J = arena_array(&m->cx->scratch, Expr, (size_t)rows * columns);
  expr_jacobian(m->cx, e, rows, by, columns, J);
  equation_program_put_exprs(m, J, (size_t)rows * columns);
  arena_release(&m->cx->scratch, mark);
}

static void put_jacobian(EquationProgram *m, const Expr *e, const Expr *by) {
  put_slopes(m, e, m->d->n, by, m->d->n);
}

static void make_tangent(EquationProgram *m) {
  Mark mark = arena_mark(&m->cx->scratch);
  Expr *r = equation_program_residuals(m);
  put_jacobian(m, r, m->s->q);
  put_jacobian(m, r, m->s->qd);
  arena_release(&m->cx->scratch, mark);
}

static void make_contact_tangent(EquationProgram *m) {
  const System *s = m->s;
  Mark mark = arena_mark(&m->cx->scratch);
  Expr *force = arena_array(&m->cx->scratch, Expr, s->n);
  for (uint32_t j = 0; j < s->n; j++) {
    force[j] = expr_int(m->cx, 0);
    for (uint32_t i = 0; i < s->contact_count; i++)
      force[j] = expr_add(m->cx, force[j],
                          expr_mul(m->cx, s->contacts[i].multiplier, s->contacts[i].phi_q[j]));
  }
  put_jacobian(m, force, s->q);
  arena_release(&m->cx->scratch, mark);
}

static void make_state_tangent(EquationProgram *m) {
  const System *s = m->s;
  Mark mark = arena_mark(&m->cx->scratch);
  put_slopes(m, equation_program_residuals(m), s->n, s->s, s->states);
  put_slopes(m, s->rates, s->states, s->q, s->n);
  put_slopes(m, s->rates, s->states, s->qd, s->n);
  put_slopes(m, s->rates, s->states, s->s, s->states);
  arena_release(&m->cx->scratch, mark);
}

// L_q, L_v and F = Q - D, as expressions
static void lagrangian_slopes(EquationProgram *m, Expr *L_q, Expr *L_v, Expr *F) {
  const System *s = m->s;
  Expr L = expr_sub(m->cx, s->T, s->V);
  expr_gradient(m->cx, L, s->q, s->n, L_q);
  expr_gradient(m->cx, L, s->qd, s->n, L_v);
  for (uint32_t i = 0; i < s->n; i++) F[i] = expr_sub(m->cx, s->Q[i], s->D[i]);
}

static void make_variational(EquationProgram *m, bool second) {
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
    equation_program_put_exprs(m, slopes, 3 * n);
  }
  arena_release(&m->cx->scratch, mark);
}

// The slopes of accelerations and multipliers: what a small change of x adds to the residuals at
// fixed q'' and lambda, taken through the factors of the same linear system.
static bool make_slopes(EquationProgram *m, const Expr *by, uint32_t count) {
  uint32_t n = m->d->n, all = n + m->d->m;
  Mark mark = arena_mark(&m->cx->scratch);
  Expr *r = arena_array(&m->cx->scratch, Expr, all),
       *slopes = arena_array(&m->cx->scratch, Expr, all);
  Expr *of_coordinates = equation_program_residuals(m);
  for (uint32_t i = 0; i < n; i++) r[i] = of_coordinates[i];
  for (uint32_t k = 0; k < m->d->m; k++) r[n + k] = equation_program_acceleration_residual(m, k);
  Solved solved;
  bool fine = equation_program_solve(m, &solved);
  if (fine) equation_program_bind_solution(m, &solved);
  Slot *columns = arena_array(&m->cx->scratch, Slot, (size_t)all * count);
  Slot *rhs = arena_array(&m->cx->scratch, Slot, solved.saddle.size);
  Slot *x = arena_array(&m->cx->scratch, Slot, solved.saddle.size);
  for (uint32_t j = 0; fine && j < count; j++) {
    expr_diff_many(m->cx, r, all, by[j], slopes);
    for (uint32_t i = 0; i < solved.saddle.size; i++) rhs[i] = NO_SLOT;
    for (uint32_t i = 0; i < all; i++) {
      Slot side = program_neg(&m->builder, flatten_expr(&m->flat, slopes[i]));
      if (i < n)
        rhs[i] = side;
      else
        rhs[solved.rows + i - n] = equation_program_scaled(m, &solved.saddle, i - n, side);
    }
    elimination_solve(solved.saddle.e, rhs, x);
    for (uint32_t i = 0; i < all; i++)
      columns[(size_t)i * count + j] =
          i < n ? x[i] : equation_program_scaled(m, &solved.saddle, i - n, x[solved.rows + i - n]);
  }
  for (size_t k = 0; fine && k < (size_t)all * count; k++) equation_program_put(m, columns[k]);
  arena_release(&m->cx->scratch, mark);
  return fine;
}

// By the state, the inputs or the parameters.
static bool make_slopes_of(EquationProgram *m, EquationPart part) {
  const Model *model = m->s->model;
  uint32_t n = m->d->n, inputs = model->inputs.n, parameters = model->parameters.n;
  Mark mark = arena_mark(&m->cx->scratch);
  Expr *by = arena_array(&m->cx->scratch, Expr, 2 * n + m->s->states + inputs + parameters + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; part == PART_STATE_SLOPES && i < n; i++) by[count++] = m->s->q[i];
  for (uint32_t i = 0; part == PART_STATE_SLOPES && i < n; i++) by[count++] = m->s->qd[i];
  for (uint32_t i = 0; part == PART_STATE_SLOPES && i < m->s->states; i++) by[count++] = m->s->s[i];
  for (uint32_t i = 0; part == PART_INPUT_SLOPES && i < inputs; i++)
    by[count++] = model->inputs.at[i].symbol;
  for (uint32_t i = 0; part == PART_PARAMETER_SLOPES && i < parameters; i++)
    by[count++] = model->parameters.at[i].symbol;
  bool fine = make_slopes(m, by, count);
  arena_release(&m->cx->scratch, mark);
  return fine;
}

static void make_contacts(EquationProgram *m) {
  for (uint32_t i = 0; i < m->s->contact_count; i++)
    equation_program_put_expr(m, m->s->contacts[i].phi);
  for (uint32_t i = 0; i < m->s->contact_count; i++)
    equation_program_put_expr(m, expr_time_derivative(m->cx, m->s->contacts[i].phi));
}

static void make_contact_rows(EquationProgram *m) {
  Context *cx = m->cx;
  const Row *rows = m->s->contacts;
  uint32_t count = m->s->contact_count;
  for (uint32_t i = 0; i < count; i++) equation_program_put_exprs(m, rows[i].phi_q, m->s->n);
  for (uint32_t i = 0; i < count; i++) equation_program_put_expr(m, rows[i].gamma);
  for (uint32_t i = 0; i < count; i++) {
    Expr by_time = expr_function1(cx, OP_ABS, expr_mul(cx, rows[i].phi_t, m->s->t));
    equation_program_put_expr(m, expr_add(cx, expr_size_of_terms(cx, rows[i].phi), by_time));
  }
}

// e, which may be none
static void put_or_zero(EquationProgram *m, Expr e) {
  equation_program_put(m, e ? flatten_expr(&m->flat, e) : NO_SLOT);
}

static void make_slips(EquationProgram *m) {
  const Row *slips = m->s->slips;
  uint32_t count = m->s->slip_count;
  for (uint32_t i = 0; i < count; i++) put_or_zero(m, slips[i].phi);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < m->s->n; j++) put_or_zero(m, slips[i].phi ? slips[i].phi_q[j] : 0);
  for (uint32_t i = 0; i < count; i++) put_or_zero(m, slips[i].gamma);
}

static void put_entries(EquationProgram *m, const Row *rows) {
  for (uint32_t i = 0; i < m->s->contact_count; i++)
    for (uint32_t j = 0; rows[i].phi && j < m->s->n; j++)
      if (!expr_is_zero(m->cx, rows[i].phi_q[j])) equation_program_put_expr(m, rows[i].phi_q[j]);
}

static void make_touches(EquationProgram *m) {
  put_entries(m, m->s->contacts);
  put_entries(m, m->s->slips);
  for (uint32_t i = 0; i < m->s->contact_count; i++) put_or_zero(m, m->s->slips[i].phi);
}

static void make_outputs(EquationProgram *m) {
  const Model *model = m->s->model;
  for (uint32_t i = 0; i < model->outputs.n; i++)
    equation_program_put_expr(m, model->outputs.at[i].value);
  equation_program_put_expr(m, system_kinetic(m->cx, m->s));
  equation_program_put_expr(m, m->s->V);
  equation_program_put_expr(m, m->s->energy);
  for (uint32_t i = 0; i < model->members.n; i++)
    equation_program_put_expr(m, model->members.at[i].value);
}

static void make_presses(EquationProgram *m) {
  const Model *model = m->s->model;
  for (uint32_t i = 0; i < model->presses.n; i++)
    equation_program_put_expr(m, model->presses.at[i].value);
}

static void make_rubs(EquationProgram *m) {
  uint32_t count = m->s->model->presses.n;
  for (uint32_t i = 0; i < count; i++) equation_program_put_expr(m, m->s->rubs[i].phi);
  for (uint32_t i = 0; i < count; i++) equation_program_put_exprs(m, m->s->rubs[i].phi_q, m->s->n);
}

static void make_loads(EquationProgram *m) {
  const Model *model = m->s->model;
  for (uint32_t i = 0; i < model->loads.n; i++)
    equation_program_put_expr(m, model->loads.at[i].value);
}

static void make_switches(EquationProgram *m, EquationPart part) {
  Mark mark = arena_mark(&m->cx->scratch);
  ExprList guards = system_switches(m->cx, m->s).guards;
  equation_program_put_exprs(m, guards.at, guards.n);
  for (uint32_t i = 0; part == PART_SWITCHES && i < m->d->table_count; i++) {
    const TableUse *use = &m->from->tables[i];
    equation_program_put_expr(m, expr_table(m->cx, use->table, TABLE_PIECE, use->x));
  }
  arena_release(&m->cx->scratch, mark);
}

static void make_lookups(EquationProgram *m) {
  for (uint32_t i = 0; i < m->d->lookup_count; i++) {
    const Node *node = node_of(m->cx, m->from->lookups[i]);
    equation_program_put_expr(m, expr_table(m->cx, node_table(node), TABLE_PIECE, node->args[0]));
  }
}

static void make_switch_speeds(EquationProgram *m) {
  Mark mark = arena_mark(&m->cx->scratch);
  ExprList guards = system_switches(m->cx, m->s).guards;
  for (uint32_t i = 0; i < guards.n; i++)
    guards.at[i] = expr_time_derivative(m->cx, system_open_rates(m->cx, m->s, guards.at[i]));
  equation_program_put_exprs(m, guards.at, guards.n);
  arena_release(&m->cx->scratch, mark);
}

static void make_slides(EquationProgram *m) {
  for (uint32_t i = 0; i < m->from->slide_lock.slides.all.n; i++) {
    Slide *slide = &m->from->slide_lock.slides.all.at[i];
    equation_program_put_exprs(m, slide->u, slide->in.components);
    for (uint32_t k = 0; k < slide->in.components; k++)
      for (uint32_t j = 0; j < m->s->n; j++)
        equation_program_put_expr(m, expr_diff(m->cx, slide->u[k], m->s->qd[j]));
    for (uint32_t k = 0; k < slide->in.components; k++)
      equation_program_put_expr(m, expr_time_derivative(m->cx, slide->u[k]));
  }
}

static void make_denominators(EquationProgram *m) {
  Mark mark = arena_mark(&m->cx->scratch);
  ExprList all = system_speed_denominators(m->cx, m->s);
  m->d->extents.of[EXTENT_DENOMINATORS] = all.n;
  equation_program_put_exprs(m, all.at, all.n);
  arena_release(&m->cx->scratch, mark);
}

static void make_assign(EquationProgram *m) {
  const Model *model = m->s->model;
  for (uint32_t i = 0; i < model->assignments.n; i++)
    equation_program_put_expr(m, model->assignments.at[i].value);
}

static void make_occasions(EquationProgram *m) {
  const Model *model = m->s->model;
  for (uint32_t i = 0; i < model->occasions.n; i++)
    equation_program_put_expr(m, model->occasions.at[i].function);
  for (uint32_t i = 0; i < model->occasions.n; i++) {
    Expr condition = model->occasions.at[i].condition;
    equation_program_put_expr(m, condition ? condition : expr_int(m->cx, 1));
  }
}

static void make_watch(EquationProgram *m, EquationPart part) {
  Mark mark = arena_mark(&m->cx->scratch);
  SignalSwitches switches = signal_switches(m->cx, m->s);
  if (part == PART_LOCKED_WATCH) signals_lock(&switches, &m->flat, m->d->layout.signs);
  equation_program_put_exprs(m, switches.guards.at, switches.guards.n);
  arena_release(&m->cx->scratch, mark);
}

static void make_signals(EquationProgram *m) {
  Mark mark = arena_mark(&m->cx->scratch);
  SignalSwitches switches = signal_switches(m->cx, m->s);
  signals_lock(&switches, &m->flat, m->d->layout.signs);
  const Requests *requests = &m->s->model->requests;
  Expr none = expr_int(m->cx, 0);
  for (uint32_t i = 0; i < requests->reductions.n; i++) {
    const Reduction *r = &requests->reductions.at[i];
    equation_program_put_expr(m, r->value ? r->value : none);
    equation_program_put_expr(m, r->condition ? r->condition : none);
  }
  arena_release(&m->cx->scratch, mark);
}

static void make_measures(EquationProgram *m) {
  const Requests *requests = &m->s->model->requests;
  for (uint32_t i = 0; i < requests->measurements.n; i++)
    equation_program_put_expr(m, requests->measurements.at[i].value);
}

// False when the program cannot be made because a pivot vanishes whatever the state.
bool equation_program_make(EquationProgram *m, EquationPart part) {
  switch (part) {
  case PART_FORWARD: return equation_program_forward(m);
  case PART_PROJECT_POSITION: return equation_program_projection(m, false);
  case PART_PROJECT_VELOCITY: return equation_program_projection(m, true);
  case PART_TERMS: make_terms(m); break;
  case PART_GEOMETRY: make_geometry(m), make_jacobian(m); break;
  case PART_POSITION:
    for (uint32_t r = 0; r < m->d->holonomic; r++)
      equation_program_put_expr(m, m->from->rows[r]->phi);
    break;
  case PART_VELOCITY:
    for (uint32_t r = 0; r < m->d->m; r++)
      equation_program_put_expr(m, equation_program_velocity_residual(m, r));
    break;
  case PART_ACCELERATION: make_acceleration(m); break;
  case PART_POWER: make_power(m); break;
  case PART_TANGENT: make_tangent(m); break;
  case PART_CONTACT_TANGENT: make_contact_tangent(m); break;
  case PART_STATE_TANGENT: make_state_tangent(m); break;
  case PART_GRADIENT: make_variational(m, false); break;
  case PART_HESSIAN: make_variational(m, true); break;
  case PART_CONTACTS: make_contacts(m); break;
  case PART_CONTACT_ROWS: make_contact_rows(m); break;
  case PART_ENERGY:
    equation_program_put_expr(m, m->s->energy), equation_program_put_expr(m, m->s->V);
    break;
  case PART_OUTPUTS: make_outputs(m); break;
  case PART_STATE_SLOPES:
  case PART_INPUT_SLOPES:
  case PART_PARAMETER_SLOPES: return make_slopes_of(m, part);
  case PART_FORCES: make_forces(m); break;
  case PART_SWITCHES:
  case PART_GUARDS: make_switches(m, part); break;
  case PART_LOOKUPS: make_lookups(m); break;
  case PART_LOADS: make_loads(m); break;
  case PART_PRESSES: make_presses(m); break;
  case PART_RUBS: make_rubs(m); break;
  case PART_SWITCH_SPEEDS: make_switch_speeds(m); break;
  case PART_SLIDES: make_slides(m); break;
  case PART_SLIPS: make_slips(m); break;
  case PART_TOUCHES: make_touches(m); break;
  case PART_DENOMINATORS: make_denominators(m); break;
  case PART_ASSIGN: make_assign(m); break;
  case PART_OCCASIONS: make_occasions(m); break;
  case PART_WATCH:
  case PART_LOCKED_WATCH: make_watch(m, part); break;
  case PART_SIGNALS: make_signals(m); break;
  case PART_MEASURES: make_measures(m); break;
  case PART_SLOPE_RATES:
  case PART_SLOPE_PROJECTION:
  case PART_ASSIGN_SLOPES:
  case PART_EVENT_SLOPES:
  case PART_SIGNAL_SLOPES:
  case PART_MEASURE_SLOPES: return equation_program_along(m, part);
  case EQUATION_PARTS: break;
  }
  return true;
}
