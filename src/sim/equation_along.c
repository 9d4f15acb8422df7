// Slopes along directions: what the slopes S of the state, which are inputs, and the change of the
// parameters make of accelerations, constraints, events and measures.
#include <math.h>

#include "expr/build.h"
#include "expr/diff.h"
#include "sim/equation_program.h"
#include "sim/signals.h"

// What a value may depend on, and how each of it changes along the directions.
typedef struct Along {
  EquationProgram *m;
  uint32_t directions, state;
  uint32_t moving; // symbols: q, q', states; then accelerations and multipliers, if they are known
  uint32_t fixed;  // parameters and inputs
  Expr *symbols;   // moving, then fixed
  Slot *rates;     // (moving + fixed) x directions; NO_SLOT for none
  Expr *gradient;  // room for one
} Along;

// What samples and events have made of an input along direction j.
static Slot held_slope(EquationProgram *m, uint32_t j, uint32_t input) {
  return program_input(&m->builder, m->d->layout.held + j * m->s->model->inputs.n + input);
}

static Along along_open(EquationProgram *m, bool with_forces) {
  Arena *scratch = &m->cx->scratch;
  const System *s = m->s;
  const Model *model = s->model;
  Along a = {.m = m, .directions = m->d->extents.of[EXTENT_DIRECTIONS]};
  a.state = 2 * s->n + s->states;
  a.moving = a.state + (with_forces ? s->n + m->d->m : 0);
  a.fixed = model->parameters.n + model->inputs.n;
  uint32_t all = a.moving + a.fixed, at = 0;
  a.symbols = arena_array(scratch, Expr, all);
  a.gradient = arena_array(scratch, Expr, all);
  a.rates = arena_array(scratch, Slot, (size_t)all * a.directions + 1);
  for (size_t i = 0; i < (size_t)all * a.directions; i++) a.rates[i] = NO_SLOT;
  for (uint32_t i = 0; i < s->n; i++) a.symbols[at++] = s->q[i];
  for (uint32_t i = 0; i < s->n; i++) a.symbols[at++] = s->qd[i];
  for (uint32_t i = 0; i < s->states; i++) a.symbols[at++] = s->s[i];
  for (uint32_t i = 0; with_forces && i < s->n; i++) a.symbols[at++] = s->qdd[i];
  for (uint32_t i = 0; with_forces && i < m->d->m; i++)
    a.symbols[at++] = m->from->rows[i]->multiplier;
  for (uint32_t i = 0; i < model->parameters.n; i++)
    a.symbols[at++] = model->parameters.at[i].symbol;
  for (uint32_t i = 0; i < model->inputs.n; i++) a.symbols[at++] = model->inputs.at[i].symbol;
  Expr *rates = arena_array(scratch, Expr, a.fixed);
  for (uint32_t j = 0; j < a.directions; j++) {
    for (uint32_t i = 0; i < a.state; i++)
      a.rates[(size_t)i * a.directions + j] =
          program_input(&m->builder, m->d->layout.slopes + j * a.state + i);
    directions_rates(m->cx, model, m->from->directions, j, rates);
    for (uint32_t i = 0; i < a.fixed; i++) {
      Slot *rate = &a.rates[(size_t)(a.moving + i) * a.directions + j];
      if (i >= model->parameters.n && model->inputs.at[i - model->parameters.n].is_assigned)
        *rate = held_slope(m, j, i - model->parameters.n);
      else if (!expr_is_zero(m->cx, rates[i]))
        *rate = flatten_expr(&m->flat, rates[i]);
    }
  }
  return a;
}

// The slopes of e along all directions; NO_SLOT for 0.
static void slopes_of(Along *a, Expr e, Slot *out) {
  EquationProgram *m = a->m;
  for (uint32_t j = 0; j < a->directions; j++) out[j] = NO_SLOT;
  expr_gradient(m->cx, e, a->symbols, a->moving + a->fixed, a->gradient);
  for (uint32_t i = 0; i < a->moving + a->fixed; i++) {
    if (expr_is_zero(m->cx, a->gradient[i])) continue;
    Slot slope = NO_SLOT;
    for (uint32_t j = 0; j < a->directions; j++) {
      Slot rate = a->rates[(size_t)i * a->directions + j];
      if (rate == NO_SLOT) continue;
      if (slope == NO_SLOT) slope = flatten_expr(&m->flat, a->gradient[i]);
      Slot part = program_mul(&m->builder, slope, rate);
      out[j] = out[j] == NO_SLOT ? part : program_add(&m->builder, out[j], part);
    }
  }
}

static Slot negative(EquationProgram *m, Slot slot) {
  return slot == NO_SLOT ? NO_SLOT : program_neg(&m->builder, slot);
}

// ---- Accelerations

// The linear system solved, and along every direction: x_j (n + m each) in scratch memory.
static bool solve_along(EquationProgram *m, Solved *solved, Slot **out) {
  Arena *scratch = &m->cx->scratch;
  uint32_t n = m->d->n, all = n + m->d->m;
  if (!equation_program_solve(m, solved)) return false;
  equation_program_bind_solution(m, solved);
  Along a = along_open(m, false);
  const Expr *residual = equation_program_residuals(m);
  Slot *slopes = arena_array(scratch, Slot, (size_t)all * a.directions + 1);
  for (uint32_t i = 0; i < all; i++)
    slopes_of(&a, i < n ? residual[i] : equation_program_acceleration_residual(m, i - n),
              slopes + (size_t)i * a.directions);
  const Saddle *saddle = &solved->saddle;
  Slot *rhs = arena_array(scratch, Slot, saddle->size),
       *x = arena_array(scratch, Slot, saddle->size);
  *out = arena_array(scratch, Slot, (size_t)all * a.directions + 1);
  for (uint32_t j = 0; j < a.directions; j++) {
    for (uint32_t i = 0; i < saddle->size; i++) rhs[i] = NO_SLOT;
    for (uint32_t i = 0; i < all; i++) {
      Slot side = negative(m, slopes[(size_t)i * a.directions + j]);
      rhs[i < n ? i : solved->rows + i - n] =
          i < n ? side : equation_program_scaled(m, saddle, i - n, side);
    }
    elimination_solve(saddle->e, rhs, x);
    for (uint32_t i = 0; i < all; i++)
      (*out)[(size_t)j * all + i] =
          i < n ? x[i] : equation_program_scaled(m, saddle, i - n, x[solved->rows + i - n]);
  }
  return true;
}

static bool make_rates(EquationProgram *m) {
  const System *s = m->s;
  uint32_t n = s->n, all = n + m->d->m, state = 2 * n + s->states;
  Solved solved;
  Slot *x;
  if (!solve_along(m, &solved, &x)) return false;
  Along a = along_open(m, false);
  Slot *states = arena_array(&m->cx->scratch, Slot, (size_t)s->states * a.directions + 1);
  for (uint32_t i = 0; i < s->states; i++)
    slopes_of(&a, s->rates[i], states + (size_t)i * a.directions);
  for (uint32_t j = 0; j < a.directions; j++) {
    for (uint32_t i = 0; i < n; i++)
      equation_program_put(m, program_input(&m->builder, m->d->layout.slopes + j * state + n + i));
    for (uint32_t i = 0; i < n; i++) equation_program_put(m, x[(size_t)j * all + i]);
    for (uint32_t i = 0; i < s->states; i++)
      equation_program_put(m, states[(size_t)i * a.directions + j]);
  }
  for (uint32_t j = 0; j < a.directions; j++)
    for (uint32_t r = 0; r < m->d->m; r++) equation_program_put(m, x[(size_t)j * all + n + r]);
  equation_program_put_trust(m, &solved.saddle);
  return true;
}

// ---- Constraints

// Solves for the change of least size that takes away what is left of the rows along a direction.
static bool take_away(EquationProgram *m, const Saddle *saddle, bool *is_factored, const Slot *left,
                      uint32_t stride, uint32_t rows, Slot *x) {
  Slot *rhs = arena_array(&m->cx->scratch, Slot, saddle->size);
  for (uint32_t i = 0; i < saddle->size; i++) rhs[i] = NO_SLOT;
  for (uint32_t r = 0; r < rows; r++)
    rhs[saddle->z + saddle->definitions + r] =
        equation_program_scaled(m, saddle, r, negative(m, left[(size_t)r * stride]));
  if (*is_factored) {
    elimination_solve(saddle->e, rhs, x);
    return true;
  }
  *is_factored = true;
  return elimination_solve_first(saddle->e, rhs, x);
}

static Slot sum_of(EquationProgram *m, Slot a, Slot b) {
  return a == NO_SLOT ? b : b == NO_SLOT ? a : program_add(&m->builder, a, b);
}

static bool make_projection(EquationProgram *m) {
  Arena *scratch = &m->cx->scratch;
  uint32_t n = m->s->n, rows = m->d->m, state = 2 * n + m->s->states;
  Saddle saddle = equation_program_saddle(m);
  Along a = along_open(m, false);
  uint32_t count = a.directions;
  Slot *left = arena_array(scratch, Slot, (size_t)rows * count + 1);
  Slot *x = arena_array(scratch, Slot, saddle.size);
  bool is_factored = false;
  if (count == 0 && !take_away(m, &saddle, &is_factored, left, 0, 0, x)) return false;
  for (int level = 0; level < 2; level++) {
    uint32_t active = level ? rows : m->d->holonomic;
    for (uint32_t r = 0; r < active; r++)
      slopes_of(&a, level ? equation_program_velocity_residual(m, r) : m->from->rows[r]->phi,
                left + (size_t)r * count);
    for (uint32_t j = 0; j < count; j++) {
      if (!take_away(m, &saddle, &is_factored, left + j, count, active, x)) return false;
      for (uint32_t i = 0; i < n; i++) { // velocities see the slopes of positions moved
        Slot *rate = &a.rates[(size_t)(level * n + i) * count + j];
        *rate = sum_of(m, *rate, x[i]);
      }
    }
  }
  for (uint32_t j = 0; j < count; j++)
    for (uint32_t i = 0; i < state; i++) equation_program_put(m, a.rates[(size_t)i * count + j]);
  equation_program_put_trust(m, &saddle);
  return true;
}

// ---- Events

static void put_slopes_along(Along *a, Expr e) {
  Mark mark = arena_mark(&a->m->cx->scratch);
  Slot *out = arena_array(&a->m->cx->scratch, Slot, a->directions + 1);
  slopes_of(a, e, out);
  for (uint32_t j = 0; j < a->directions; j++) equation_program_put(a->m, out[j]);
  arena_release(&a->m->cx->scratch, mark);
}

static void make_events(EquationProgram *m) {
  Along a = along_open(m, false);
  ExprList guards = system_switches(m->cx, m->s).guards;
  for (uint32_t i = 0; i < m->s->contact_count; i++) put_slopes_along(&a, m->s->contacts[i].phi);
  for (uint32_t i = 0; i < guards.n; i++) put_slopes_along(&a, guards.at[i]);
}

// ---- Assignments

static void make_assignments(EquationProgram *m) {
  const Model *model = m->s->model;
  Along a = along_open(m, false);
  for (uint32_t i = 0; i < model->assignments.n; i++)
    put_slopes_along(&a, model->assignments.at[i].value);
  for (uint32_t i = 0; i < model->assignments.n; i++)
    equation_program_put_expr(m, expr_diff(m->cx, model->assignments.at[i].value, m->s->t));
}

// ---- Measures

static void put_rate(EquationProgram *m, Expr e) {
  bool has_forces =
      expr_has_kind(m->cx, e, KIND_BIT(SYMBOL_ACCELERATION) | KIND_BIT(SYMBOL_MULTIPLIER));
  Expr rate = has_forces ? 0 : expr_time_derivative(m->cx, system_open_rates(m->cx, m->s, e));
  equation_program_put(m, has_forces ? program_constant(&m->builder, NAN)
                                     : flatten_expr(&m->flat, rate));
}

static bool make_signals(EquationProgram *m) {
  const Requests *requests = &m->s->model->requests;
  Solved solved;
  Slot *x;
  if (!solve_along(m, &solved, &x)) return false;
  uint32_t n = m->s->n, all = n + m->d->m;
  Along a = along_open(m, true);
  for (uint32_t i = 0; i < all; i++)
    for (uint32_t j = 0; j < a.directions; j++)
      a.rates[(size_t)(a.state + i) * a.directions + j] = x[(size_t)j * all + i];
  SignalSwitches switches = signal_switches(m->cx, m->s);
  signals_lock(&switches, &m->flat, m->d->layout.signs);
  signals_lock_slopes(&switches, &m->flat, m->d->layout.signs);
  Expr none = expr_int(m->cx, 0);
  for (uint32_t i = 0; i < requests->reductions.n; i++) {
    Expr value = requests->reductions.at[i].value;
    put_slopes_along(&a, value ? value : none);
  }
  for (uint32_t i = 0; i < requests->reductions.n; i++) {
    Expr value = requests->reductions.at[i].value;
    put_rate(m, value ? value : none);
  }
  for (uint32_t i = 0; i < switches.guards.n; i++) put_slopes_along(&a, switches.guards.at[i]);
  for (uint32_t i = 0; i < switches.guards.n; i++) put_rate(m, switches.guards.at[i]);
  equation_program_put_trust(m, &solved.saddle);
  return true;
}

static void make_measures(EquationProgram *m) {
  const Requests *requests = &m->s->model->requests;
  uint32_t reductions = requests->reductions.n;
  Along a = along_open(m, false);
  Expr *symbols = arena_array(&m->cx->scratch, Expr, reductions);
  Expr *gradient = arena_array(&m->cx->scratch, Expr, reductions);
  for (uint32_t i = 0; i < reductions; i++) symbols[i] = requests->reductions.at[i].symbol;
  for (uint32_t i = 0; i < requests->measurements.n; i++) {
    expr_gradient(m->cx, requests->measurements.at[i].value, symbols, reductions, gradient);
    equation_program_put_exprs(m, gradient, reductions);
  }
  for (uint32_t i = 0; i < requests->measurements.n; i++)
    put_slopes_along(&a, requests->measurements.at[i].value);
}

bool equation_program_along(EquationProgram *m, EquationPart part) {
  Mark mark = arena_mark(&m->cx->scratch);
  bool fine = true;
  switch (part) {
  case PART_SLOPE_RATES: fine = make_rates(m); break;
  case PART_SLOPE_PROJECTION: fine = make_projection(m); break;
  case PART_ASSIGN_SLOPES: make_assignments(m); break;
  case PART_EVENT_SLOPES: make_events(m); break;
  case PART_SIGNAL_SLOPES: fine = make_signals(m); break;
  default: make_measures(m); break;
  }
  arena_release(&m->cx->scratch, mark);
  return fine;
}
