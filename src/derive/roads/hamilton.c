// The Legendre transformation: momenta, velocities from them, Hamilton's function.
#include "derive/roads/hamilton.h"

#include "derive/roads/road_type.h"
#include "derive/roads/stand_in.h"
#include "derive/solve_linear.h"
#include "derive/vanishes.h"
#include "expr/algebra/cost.h"
#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/print.h"
#include "expr/subst.h"
#include "model/momentum.h"

#define READABLE_COST 800 // of H before it is simplified, by expr_cost; about ten lines

// ---- Momenta

static const Substitution *velocities_zero(Context *cx, const System *s) {
  Substitution *list = arena_array(&cx->scratch, Substitution, s->n + 1);
  for (uint32_t i = 0; i < s->n; i++) list[i] = (Substitution){s->qd[i], expr_int(cx, 0)};
  return list;
}

static void name_momenta(Context *cx, const System *s, Hamilton *h) {
  Expr *p = arena_array(&cx->keep, Expr, s->n + 1), *pd = arena_array(&cx->keep, Expr, s->n + 1);
  for (uint32_t i = 0; i < s->n; i++) {
    p[i] = momentum_symbol(s->model, i);
    pd[i] = momentum_rate_symbol(s->model, i);
  }
  h->p = p, h->pd = pd;
}

static Status not_linear(Context *cx, const System *s, uint32_t i) {
  const Coordinate *c = &s->model->coordinates.at[i];
  Status status =
      diag_error(cx, QDOT_UNSUPPORTED, c->span,
                 "the momentum of '%s' is not linear in the velocities", symbol_text(cx, c->name));
  diag_note(cx, "Hamilton's function needs a Lagrange function that is quadratic in the "
                "velocities; 'derive using lagrange' takes any");
  return status;
}

// M q'' may have been found with velocities in it that cancel.
static Status find_inertia(Context *cx, const System *s, Hamilton *h) {
  uint32_t n = s->n;
  h->M = arena_array(&cx->keep, Expr, (size_t)n * n + 1);
  for (uint32_t i = 0; i < n * n; i++) {
    Expr m = s->M[i];
    if (expr_has_kind(cx, m, KIND_BIT(SYMBOL_VELOCITY))) m = expr_normal(cx, m);
    if (expr_has_kind(cx, m, KIND_BIT(SYMBOL_VELOCITY))) return not_linear(cx, s, i / n);
    h->M[i] = m;
  }
  return QDOT_OK;
}

static void find_momenta(Context *cx, const System *s, Hamilton *h) {
  h->momentum = arena_array(&cx->keep, Expr, s->n + 1);
  h->b = arena_array(&cx->keep, Expr, s->n + 1);
  expr_gradient(cx, s->T, s->qd, s->n, h->momentum);
  expr_subst_many(cx, h->momentum, s->n, velocities_zero(cx, s), s->n, h->b);
}

// ---- Velocities

// The rows of M that depend on each other give a relation of the momenta alone, n (p - b) = 0.
static Status is_singular(Context *cx, const System *s, const Hamilton *h, Expr relation) {
  Expr shown = expr_simplify(cx, relation, SIMPLIFY_NORMAL);
  uint32_t first = 0;
  while (first + 1 < s->n && !expr_depends(cx, relation, h->p[first])) first++;
  Status status = diag_error(cx, QDOT_SINGULAR_MASS, s->model->coordinates.at[first].span,
                             "the velocities do not follow from the momenta: %s = 0",
                             expr_text(cx, &cx->keep, shown));
  diag_note(cx, "give every motion of the coordinates a kinetic energy, leave out a coordinate "
                "that has none, or use 'derive using lagrange'");
  return status;
}

static Status find_velocities(Context *cx, const System *s, Hamilton *h) {
  Expr *w = arena_array(&cx->scratch, Expr, s->n + 1), relation;
  for (uint32_t i = 0; i < s->n; i++) w[i] = expr_sub(cx, h->p[i], h->b[i]);
  h->velocity = arena_array(&cx->keep, Expr, s->n + 1);
  h->below = arena_array(&cx->keep, Expr, s->n + 1);
  if (!solve_linear(cx, h->M, w, s->n, h->velocity, h->below, &relation))
    return is_singular(cx, s, h, relation);
  return QDOT_OK;
}

Expr hamilton_without_velocities(Context *cx, const System *s, const Hamilton *h, Expr e) {
  if (!expr_has_kind(cx, e, KIND_BIT(SYMBOL_VELOCITY))) return e;
  Mark mark = arena_mark(&cx->scratch);
  Substitution *list = arena_array(&cx->scratch, Substitution, s->n + 1);
  for (uint32_t i = 0; i < s->n; i++) list[i] = (Substitution){s->qd[i], h->velocity[i]};
  Expr result = expr_subst(cx, e, list, s->n);
  arena_release(&cx->scratch, mark);
  return result;
}

// ---- H and the equations

// (p - b) q'/2 - L_0 with q' in terms of p.
static void find_function(Context *cx, const System *s, Hamilton *h) {
  Expr *terms = arena_array(&cx->scratch, Expr, s->n + 2);
  for (uint32_t i = 0; i < s->n; i++) {
    Expr product = expr_mul(cx, expr_sub(cx, h->p[i], h->b[i]), h->velocity[i]);
    terms[i] = expr_scale(cx, NUMBER_HALF, product);
  }
  Expr T_0 = expr_subst(cx, s->T, velocities_zero(cx, s), s->n);
  terms[s->n] = s->V, terms[s->n + 1] = expr_neg(cx, T_0);
  h->H = expr_sum(cx, terms, s->n + 2);
}

// -dH/dq at constant p is dL/dq at constant q'.
static void find_slopes(Context *cx, const System *s, Hamilton *h) {
  h->slope = arena_array(&cx->keep, Expr, s->n + 1);
  expr_gradient(cx, expr_sub(cx, s->T, s->V), s->q, s->n, h->slope);
  for (uint32_t i = 0; i < s->n; i++)
    h->slope[i] = hamilton_without_velocities(cx, s, h, h->slope[i]);
}

static void add_rows(Context *cx, const Row *rows, uint32_t count, uint32_t i, ExprList *terms) {
  for (uint32_t k = 0; k < count; k++)
    vec_push(&cx->scratch, terms, expr_neg(cx, expr_mul(cx, rows[k].multiplier, rows[k].phi_q[i])));
}

static Expr force_on(Context *cx, const System *s, uint32_t i) {
  ExprList terms = {0};
  vec_push(&cx->scratch, &terms, s->Q[i]);
  vec_push(&cx->scratch, &terms, expr_neg(cx, s->D[i]));
  add_rows(cx, s->rows, s->row_count, i, &terms);
  add_rows(cx, s->contacts, s->contact_count, i, &terms);
  return expr_sum(cx, terms.at, terms.n);
}

static void find_forces(Context *cx, const System *s, Hamilton *h) {
  h->force = arena_array(&cx->keep, Expr, s->n + 1);
  for (uint32_t i = 0; i < s->n; i++)
    h->force[i] = hamilton_without_velocities(cx, s, h, force_on(cx, s, i));
  h->state_rate = arena_array(&cx->keep, Expr, s->states + 1);
  for (uint32_t i = 0; i < s->states; i++)
    h->state_rate[i] = hamilton_without_velocities(cx, s, h, s->rates[i]);
}

Status hamilton_derive(Context *cx, const System *s, Hamilton *out) {
  Mark mark = arena_mark(&cx->scratch);
  Hamilton h = {.n = s->n, .states = s->states};
  name_momenta(cx, s, &h);
  find_momenta(cx, s, &h);
  Status status = find_inertia(cx, s, &h);
  if (status == QDOT_OK) status = find_velocities(cx, s, &h);
  if (status == QDOT_OK) {
    find_function(cx, s, &h);
    find_slopes(cx, s, &h);
    find_forces(cx, s, &h);
    *out = h;
  }
  arena_release(&cx->scratch, mark);
  return status;
}

bool hamilton_moves(Context *cx, const Hamilton *h) {
  for (uint32_t i = 0; i < h->n; i++)
    if (!expr_is_zero(cx, h->b[i])) return true;
  return false;
}

Expr hamilton_rate(Context *cx, const Hamilton *h, uint32_t i) {
  return expr_add(cx, h->slope[i], h->force[i]);
}

// ---- For readers

void hamilton_simplify_values(Context *cx, const System *s, const Hamilton *h, SimplifyLevel level,
                              Expr *at, uint32_t n) {
  simplify_with_stand_ins(cx, &(StandIn){h->p, s->qd, h->n}, 1, level, at, n);
}

// Terms with the same determinant below them are put together before it is divided by.
static Expr function_over_determinants(Context *cx, const System *s, SimplifyLevel level,
                                       const Hamilton *h, Expr rest) {
  Expr *sums = arena_array(&cx->scratch, Expr, h->n + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < h->n; i++) {
    Expr top = expr_int(cx, 0);
    bool is_first = true;
    for (uint32_t j = 0; j < i; j++) is_first = is_first && h->below[j] != h->below[i];
    for (uint32_t j = i; is_first && j < h->n; j++) {
      if (h->below[j] != h->below[i]) continue;
      Expr w = expr_sub(cx, h->p[j], h->b[j]);
      top = expr_add(cx, top, expr_mul3(cx, w, h->velocity[j], h->below[j]));
    }
    hamilton_simplify_values(cx, s, h, level, &top, 1);
    if (is_first) sums[count++] = expr_div(cx, top, expr_scale(cx, NUMBER_TWO, h->below[i]));
  }
  sums[count++] = rest;
  return expr_sum(cx, sums, count);
}

static void simplify_function(Context *cx, const System *s, SimplifyLevel level, Hamilton *h) {
  Expr rest = expr_sub(cx, expr_subst(cx, s->T, velocities_zero(cx, s), s->n), s->V);
  rest = expr_simplify(cx, expr_neg(cx, rest), level);
  Expr together = function_over_determinants(cx, s, level, h, rest);
  hamilton_simplify_values(cx, s, h, level, &h->H, 1);
  keep_cheaper(cx, &h->H, &together, 1);
}

// The derivatives of H as it is written; H is short where they are.
static void differentiate_function(Context *cx, const System *s, SimplifyLevel level, Hamilton *h) {
  Expr *by = arena_array(&cx->scratch, Expr, s->n + 1);
  expr_gradient(cx, h->H, h->p, h->n, by);
  hamilton_simplify_values(cx, s, h, level, by, h->n);
  keep_cheaper(cx, h->velocity, by, h->n);
  expr_gradient(cx, h->H, s->q, h->n, by);
  for (uint32_t i = 0; i < h->n; i++) by[i] = expr_neg(cx, by[i]);
  hamilton_simplify_values(cx, s, h, level, by, h->n);
  keep_cheaper(cx, h->slope, by, h->n);
}

// Velocities stay where they are, beside p = M q' + b.
static void make_implicit(Context *cx, const System *s, SimplifyLevel level, Hamilton *h) {
  h->is_implicit = true;
  h->H = expr_simplify(cx, s->energy, level);
  expr_gradient(cx, expr_sub(cx, s->T, s->V), s->q, s->n, h->slope);
  for (uint32_t i = 0; i < s->n; i++) h->force[i] = force_on(cx, s, i);
  for (uint32_t i = 0; i < s->states; i++) h->state_rate[i] = s->rates[i];
  expr_simplify_many(cx, h->slope, h->n, level, h->slope);
  expr_simplify_many(cx, h->force, h->n, level, h->force);
  expr_simplify_many(cx, h->state_rate, h->states, level, h->state_rate);
}

// What stands above and below the line, each for itself.
static void simplify_fractions(Context *cx, const System *s, SimplifyLevel level, Hamilton *h) {
  Expr *top = arena_array(&cx->scratch, Expr, h->n + 1);
  for (uint32_t i = 0; i < h->n; i++) top[i] = expr_mul(cx, h->velocity[i], h->below[i]);
  hamilton_simplify_values(cx, s, h, level, top, h->n);
  expr_simplify_many(cx, h->below, h->n, level, h->below);
  for (uint32_t i = 0; i < h->n; i++) h->velocity[i] = expr_div(cx, top[i], h->below[i]);
}

static void make_explicit(Context *cx, const System *s, SimplifyLevel level, Hamilton *h) {
  simplify_fractions(cx, s, level, h);
  find_function(cx, s, h);
  find_slopes(cx, s, h);
  find_forces(cx, s, h);
  simplify_function(cx, s, level, h);
  hamilton_simplify_values(cx, s, h, level, h->velocity, h->n);
  hamilton_simplify_values(cx, s, h, level, h->slope, h->n);
  hamilton_simplify_values(cx, s, h, level, h->force, h->n);
  hamilton_simplify_values(cx, s, h, level, h->state_rate, h->states);
  differentiate_function(cx, s, level, h);
}

void hamilton_simplify(Context *cx, const System *s, SimplifyLevel level, bool may_be_implicit,
                       Hamilton *h) {
  if (level == SIMPLIFY_NONE) return;
  Mark mark = arena_mark(&cx->scratch);
  if (expr_cost_with_definitions(cx, h->H) <= READABLE_COST)
    make_explicit(cx, s, level, h);
  else if (may_be_implicit)
    make_implicit(cx, s, level, h);
  expr_simplify_many(cx, h->M, h->n * h->n, level, h->M);
  expr_simplify_many(cx, h->b, h->n, level, h->b);
  expr_simplify_many(cx, h->momentum, h->n, level, h->momentum);
  arena_release(&cx->scratch, mark);
}

// ---- The road

static Status derive_road(Context *cx, const System *s, void **out) {
  Hamilton *h = arena_new(&cx->keep, Hamilton);
  *out = h;
  return hamilton_derive(cx, s, h);
}

static void simplify_road(Context *cx, const System *s, SimplifyLevel level, bool for_people,
                          void *h) {
  hamilton_simplify(cx, s, level, for_people, h);
}

static void list_rates(Context *cx, const System *s, const void *road, ExprList *out) {
  const Hamilton *h = road;
  (void)s;
  for (uint32_t i = 0; i < h->n; i++) vec_push(&cx->scratch, out, h->velocity[i]);
  for (uint32_t i = 0; i < h->n; i++) vec_push(&cx->scratch, out, hamilton_rate(cx, h, i));
  for (uint32_t i = 0; i < h->states; i++) vec_push(&cx->scratch, out, h->state_rate[i]);
}

static void list_values(Context *cx, const void *road, ExprList *out) {
  const Hamilton *h = road;
  vec_push(&cx->scratch, out, h->H);
  for (uint32_t i = 0; i < h->n; i++) {
    vec_push(&cx->scratch, out, h->momentum[i]);
    if (!h->is_implicit) vec_push(&cx->scratch, out, h->velocity[i]);
    vec_push(&cx->scratch, out, hamilton_rate(cx, h, i));
  }
  for (uint32_t i = 0; i < h->states; i++) vec_push(&cx->scratch, out, h->state_rate[i]);
}

// p' of the definition less p' of the equation is Lagrange's residual, where p is what it is.
static Expr rate_difference(Context *cx, System *s, const Hamilton *h, uint32_t i) {
  Expr rate = expr_time_derivative(cx, h->momentum[i]);
  Expr terms[] = {s->inertia[i], s->G[i], expr_neg(cx, force_on(cx, s, i))};
  Expr ours = expr_sub(cx, rate, hamilton_rate(cx, h, i));
  return expr_sub(cx, ours, expr_sum(cx, terms, 3));
}

static void list_differences(Context *cx, System *s, const void *road, ExprList *out) {
  const Hamilton *h = road;
  Substitution *momenta = arena_array(&cx->scratch, Substitution, h->n + 1);
  for (uint32_t i = 0; i < h->n; i++) momenta[i] = (Substitution){h->p[i], h->momentum[i]};
  derive_inertia(cx, s);
  uint32_t first = out->n;
  for (uint32_t i = 0; i < h->n; i++) {
    vec_push(&cx->scratch, out, expr_sub(cx, h->velocity[i], s->qd[i]));
    vec_push(&cx->scratch, out, rate_difference(cx, s, h, i));
  }
  for (uint32_t i = 0; i < h->states; i++)
    vec_push(&cx->scratch, out, expr_sub(cx, h->state_rate[i], s->rates[i]));
  expr_subst_many(cx, out->at + first, out->n - first, momenta, h->n, out->at + first);
}

const RoadType hamilton_road = {derive_road, simplify_road, list_rates, list_values,
                                list_differences};
