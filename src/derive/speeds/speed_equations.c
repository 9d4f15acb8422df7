// Forces, rates of the speeds, and the proof.
#include "derive/speeds/speed_equations.h"

#include "derive/roads/stand_in.h"
#include "derive/solve_linear.h"
#include "derive/vanishes.h"
#include "expr/algebra/cost.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/order.h"
#include "expr/print.h"
#include "expr/subst.h"

#define READABLE_COST 600 // of all rates together, by expr_cost

void speed_equations_project(Context *cx, const Speeds *sp, const Expr *at, Expr *out) {
  Mark mark = arena_mark(&cx->scratch);
  Expr *terms = arena_array(&cx->scratch, Expr, sp->n + 1);
  for (uint32_t r = 0; r < sp->count; r++) {
    for (uint32_t i = 0; i < sp->n; i++)
      terms[i] = expr_mul(cx, sp->partial[i * sp->count + r], at[i]);
    out[r] = expr_sum(cx, terms, sp->n);
  }
  arena_release(&cx->scratch, mark);
}

// ---- Forces

static void subtract_row(Context *cx, const Row *row, uint32_t n, Expr *force) {
  for (uint32_t i = 0; i < n; i++)
    force[i] = expr_sub(cx, force[i], expr_mul(cx, row->multiplier, row->phi_q[i]));
}

static void find_forces(Context *cx, const System *s, SpeedEquations *e) {
  const Speeds *sp = &e->speeds;
  Expr *force = arena_array(&cx->scratch, Expr, s->n + 1);
  for (uint32_t i = 0; i < s->n; i++)
    force[i] = expr_sub(cx, s->Q[i], expr_add(cx, s->D[i], s->G[i]));
  for (uint32_t k = 0; k < s->row_count; k++)
    if (!sp->is_replaced[k]) subtract_row(cx, &s->rows[k], s->n, force);
  for (uint32_t k = 0; k < s->contact_count; k++) subtract_row(cx, &s->contacts[k], s->n, force);
  e->force = arena_array(&cx->keep, Expr, sp->count + 1);
  speed_equations_project(cx, sp, force, e->force);
  speeds_insert(cx, sp, s, e->force, sp->count, e->force);
  e->state_rate = arena_array(&cx->keep, Expr, s->states + 1);
  speeds_insert(cx, sp, s, s->rates, s->states, e->state_rate);
}

// ---- Rates

static void split_inertia(Context *cx, SpeedEquations *e) {
  const Speeds *sp = &e->speeds;
  uint32_t n = sp->count;
  e->m = arena_array(&cx->keep, Expr, (size_t)n * n + 1);
  e->b = arena_array(&cx->keep, Expr, n + 1);
  Substitution *rest = arena_array(&cx->scratch, Substitution, n + 1);
  for (uint32_t r = 0; r < n; r++) rest[r] = (Substitution){sp->ud[r], expr_int(cx, 0)};
  expr_jacobian(cx, e->inertia, n, sp->ud, n, e->m);
  expr_subst_many(cx, e->inertia, n, rest, n, e->b);
}

// A coordinate without inertia, or the first one.
static uint32_t without_inertia(Context *cx, const System *s) {
  for (uint32_t i = 0; i < s->n; i++)
    if (all_vanish(cx, s->M + (size_t)i * s->n, s->n)) return i;
  return 0;
}

static Status is_singular(Context *cx, const System *s, Expr relation) {
  Expr shown = expr_simplify(cx, relation, SIMPLIFY_NORMAL);
  Span span = s->model->coordinates.at[without_inertia(cx, s)].span;
  const char *text = expr_text(cx, &cx->keep, shown);
  Status status =
      diag_error(cx, QDOT_SINGULAR_MASS, span,
                 "the rates of the speeds do not follow from the equations: %s = 0", text);
  diag_note(cx, "give every motion of the coordinates a kinetic energy, leave out a coordinate "
                "that has none, or use 'derive using lagrange'");
  return status;
}

static Status find_rates(Context *cx, const System *s, SpeedEquations *e) {
  uint32_t n = e->speeds.count;
  Expr *w = arena_array(&cx->scratch, Expr, n + 1), relation;
  for (uint32_t r = 0; r < n; r++) w[r] = expr_sub(cx, e->force[r], e->b[r]);
  e->rate = arena_array(&cx->keep, Expr, n + 1);
  e->below = arena_array(&cx->keep, Expr, n + 1);
  if (solve_linear(cx, e->m, w, n, e->rate, e->below, &relation)) return QDOT_OK;
  return is_singular(cx, s, relation);
}

Status speed_equations_finish(Context *cx, const System *s, const Speeds *speeds,
                              const Expr *inertia, SpeedEquations *out) {
  Mark mark = arena_mark(&cx->scratch);
  SpeedEquations e = {.speeds = *speeds, .states = s->states};
  e.inertia = arena_array(&cx->keep, Expr, speeds->count + 1);
  for (uint32_t r = 0; r < speeds->count; r++) e.inertia[r] = inertia[r];
  find_forces(cx, s, &e);
  split_inertia(cx, &e);
  Status status = find_rates(cx, s, &e);
  if (status == QDOT_OK) *out = e;
  arena_release(&cx->scratch, mark);
  return status;
}

Expr speed_equations_inertia(Context *cx, const SpeedEquations *e, uint32_t r) {
  uint32_t n = e->speeds.count;
  Expr sum = e->b[r];
  for (uint32_t k = 0; k < n; k++)
    sum = expr_add(cx, sum, expr_mul(cx, e->m[r * n + k], e->speeds.ud[k]));
  return sum;
}

// ---- For readers

static double cost_of(Context *cx, const Expr *at, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += expr_cost_with_definitions(cx, at[i]);
  return sum;
}

// Every term of a sum divided for itself.
static Expr over_each(Context *cx, const System *s, SimplifyLevel level, const SpeedEquations *e,
                      Expr top, Expr below) {
  TermList terms = expr_terms(cx, top);
  Expr sum = expr_int(cx, 0);
  for (uint32_t i = 0; i < terms.n; i++) {
    Expr part = expr_div(cx, terms.at[i], below);
    speeds_simplify_values(cx, &e->speeds, s, level, &part, 1);
    sum = expr_add(cx, sum, part);
  }
  return sum;
}

// What is above and below the line, each for itself; or all of it, where that is shorter.
static void simplify_rates(Context *cx, const System *s, SimplifyLevel level, SpeedEquations *e) {
  uint32_t n = e->speeds.count;
  Expr *parts = arena_array(&cx->scratch, Expr, 2 * n + 1);
  for (uint32_t r = 0; r < n; r++)
    parts[r] = expr_mul(cx, e->rate[r], e->below[r]), parts[n + r] = e->below[r];
  speeds_simplify_values(cx, &e->speeds, s, level, parts, 2 * n);
  speeds_simplify_values(cx, &e->speeds, s, level, e->rate, n);
  Expr *by_term = arena_array(&cx->scratch, Expr, n + 1);
  for (uint32_t r = 0; r < n; r++) by_term[r] = over_each(cx, s, level, e, parts[r], parts[n + r]);
  for (uint32_t r = 0; r < n; r++) parts[r] = expr_div(cx, parts[r], parts[n + r]);
  keep_cheaper(cx, e->rate, parts, n);
  keep_cheaper(cx, e->rate, by_term, n);
}

void speed_equations_simplify(Context *cx, const System *s, SimplifyLevel level,
                              bool may_be_implicit, SpeedEquations *e) {
  const Speeds *sp = &e->speeds;
  Mark mark = arena_mark(&cx->scratch);
  speeds_simplify(cx, s, level, &e->speeds);
  speeds_simplify_values(cx, sp, s, level, e->m, sp->count * sp->count);
  speeds_simplify_values(cx, sp, s, level, e->b, sp->count);
  speeds_simplify_values(cx, sp, s, level, e->force, sp->count);
  speeds_simplify_values(cx, sp, s, level, e->state_rate, e->states);
  if (cost_of(cx, e->rate, sp->count) <= 8 * READABLE_COST) simplify_rates(cx, s, level, e);
  e->is_implicit = may_be_implicit && cost_of(cx, e->rate, sp->count) > READABLE_COST;
  arena_release(&cx->scratch, mark);
}

static void add_all(Context *cx, const Expr *at, uint32_t n, ExprList *out) {
  for (uint32_t i = 0; i < n; i++) vec_push(&cx->scratch, out, at[i]);
}

void speed_equations_rates(Context *cx, const SpeedEquations *e, ExprList *out) {
  add_all(cx, e->speeds.velocity, e->speeds.n, out);
  add_all(cx, e->rate, e->speeds.count, out);
  add_all(cx, e->state_rate, e->states, out);
}

void speed_equations_values(Context *cx, const SpeedEquations *e, ExprList *out) {
  uint32_t n = e->speeds.count;
  add_all(cx, e->speeds.meaning, n, out);
  add_all(cx, e->speeds.velocity, e->speeds.n, out);
  for (uint32_t r = 0; r < n; r++) vec_push(&cx->scratch, out, speed_equations_inertia(cx, e, r));
  add_all(cx, e->force, n, out);
  if (!e->is_implicit) add_all(cx, e->rate, n, out);
  add_all(cx, e->state_rate, e->states, out);
}

// ---- The proof

// r = M q'' + h + D + G - Q + sum lambda phi_q of Lagrange, with all rows that keep multipliers.
static void find_residuals(Context *cx, const System *s, const Speeds *sp, Expr *out) {
  for (uint32_t i = 0; i < s->n; i++)
    out[i] = expr_sub(cx, expr_sum(cx, (Expr[]){s->inertia[i], s->D[i], s->G[i]}, 3), s->Q[i]);
  for (uint32_t k = 0; k < s->row_count; k++)
    for (uint32_t i = 0; !sp->is_replaced[k] && i < s->n; i++)
      out[i] = expr_add(cx, out[i], expr_mul(cx, s->rows[k].multiplier, s->rows[k].phi_q[i]));
  for (uint32_t k = 0; k < s->contact_count; k++)
    for (uint32_t i = 0; i < s->n; i++)
      out[i] =
          expr_add(cx, out[i], expr_mul(cx, s->contacts[k].multiplier, s->contacts[k].phi_q[i]));
}

// The speeds and the replaced rows at q' = W u + w.
static void add_kinematics(Context *cx, const Speeds *sp, ExprList *out) {
  Expr *terms = arena_array(&cx->scratch, Expr, sp->n + 2);
  for (uint32_t k = 0; k < sp->n; k++) {
    for (uint32_t i = 0; i < sp->n; i++)
      terms[i] = expr_mul(cx, sp->Y[k * sp->n + i], sp->velocity[i]);
    terms[sp->n] = sp->y[k];
    Expr value = expr_sum(cx, terms, sp->n + 1);
    vec_push(&cx->scratch, out, k < sp->count ? expr_sub(cx, value, sp->u[k]) : value);
  }
}

void speed_equations_differences(Context *cx, System *s, const SpeedEquations *e, ExprList *out) {
  const Speeds *sp = &e->speeds;
  uint32_t n = sp->count;
  derive_inertia(cx, s);
  add_kinematics(cx, sp, out);
  Expr *residual = arena_array(&cx->scratch, Expr, s->n + 1);
  Expr *projected = arena_array(&cx->scratch, Expr, n + 1);
  Expr *terms = arena_array(&cx->scratch, Expr, n + 2);
  find_residuals(cx, s, sp, residual);
  speed_equations_project(cx, sp, residual, projected);
  speeds_insert(cx, sp, s, projected, n, projected);
  for (uint32_t r = 0; r < n; r++) {
    Expr ours = expr_sub(cx, e->inertia[r], e->force[r]);
    vec_push(&cx->scratch, out, expr_sub(cx, ours, projected[r]));
    for (uint32_t k = 0; k < n; k++) terms[k] = expr_mul(cx, e->m[r * n + k], e->rate[k]);
    terms[n] = expr_sub(cx, e->b[r], e->force[r]);
    vec_push(&cx->scratch, out, expr_sum(cx, terms, n + 1));
  }
}
