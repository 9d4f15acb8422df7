// Constant momenta, Routh's function, and the equations of the coordinates that are left.
#include "derive/roads/routh.h"

#include "derive/roads/road_type.h"
#include "derive/roads/stand_in.h"
#include "derive/solve_linear.h"
#include "expr/algebra/cost.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/print.h"
#include "expr/subst.h"
#include "model/momentum.h"

#define READABLE_COST 4000 // beyond it nothing is simplified, by expr_cost

// ---- Who is cyclic

static void divide(Context *cx, const System *s, Routh *r) {
  Conserved *list;
  uint32_t count = system_conserved(cx, s, &list);
  uint32_t *cyclic = arena_array(&cx->keep, uint32_t, s->n + 1);
  uint32_t *rest = arena_array(&cx->keep, uint32_t, s->n + 1);
  Expr *p = arena_array(&cx->keep, Expr, s->n + 1);
  for (uint32_t i = 0; i < s->n; i++) {
    bool is_cyclic = false;
    for (uint32_t k = 0; k < count; k++)
      is_cyclic |= list[k].kind == CONSERVED_MOMENTUM && list[k].coordinate == i;
    if (is_cyclic) {
      p[r->cyclic] = momentum_symbol(s->model, i);
      cyclic[r->cyclic++] = i;
    } else {
      rest[r->rest++] = i;
    }
  }
  r->cyclic_at = cyclic, r->rest_at = rest, r->p = p;
}

static Status none_is_cyclic(Context *cx, const System *s) {
  Status status =
      diag_error(cx, QDOT_UNSUPPORTED, s->model->coordinates.at[0].span,
                 "no coordinate is cyclic: each stands in the energies, or something acts on it");
  diag_note(cx, "'qdot conserved' lists what stays constant; a rotation of x and y, for one, "
                "needs an angle as a coordinate");
  return status;
}

// ---- Velocities of the cyclic coordinates

static Status find_velocities(Context *cx, const System *s, Routh *r) {
  uint32_t n = r->cyclic;
  Expr *A = arena_array(&cx->scratch, Expr, (size_t)n * n + 1), relation;
  Expr *w = arena_array(&cx->scratch, Expr, n + 1), *qd = arena_array(&cx->scratch, Expr, n + 1);
  Substitution *zero = arena_array(&cx->scratch, Substitution, n + 1);
  r->momentum = arena_array(&cx->keep, Expr, n + 1);
  r->velocity = arena_array(&cx->keep, Expr, n + 1);
  r->below = arena_array(&cx->keep, Expr, n + 1);
  for (uint32_t k = 0; k < n; k++) {
    qd[k] = s->qd[r->cyclic_at[k]];
    zero[k] = (Substitution){qd[k], expr_int(cx, 0)};
  }
  expr_gradient(cx, s->T, qd, n, r->momentum);
  expr_jacobian(cx, r->momentum, n, qd, n, A);
  for (uint32_t k = 0; k < n * n; k++) A[k] = expr_subst(cx, A[k], zero, n);
  expr_subst_many(cx, r->momentum, n, zero, n, w);
  for (uint32_t k = 0; k < n; k++) w[k] = expr_sub(cx, r->p[k], w[k]);
  if (solve_linear(cx, A, w, n, r->velocity, r->below, &relation)) return QDOT_OK;
  Expr shown = expr_simplify(cx, relation, SIMPLIFY_NORMAL);
  Status status = diag_error(cx, QDOT_SINGULAR_MASS, s->model->coordinates.at[r->cyclic_at[0]].span,
                             "cyclic velocities do not follow from their momenta: %s = 0",
                             expr_text(cx, &cx->keep, shown));
  diag_note(cx, "use 'derive using lagrange'");
  return status;
}

Expr routh_without_cyclic(Context *cx, const System *s, const Routh *r, Expr e) {
  Mark mark = arena_mark(&cx->scratch);
  Substitution *list = arena_array(&cx->scratch, Substitution, r->cyclic + 1);
  for (uint32_t k = 0; k < r->cyclic; k++)
    list[k] = (Substitution){s->qd[r->cyclic_at[k]], r->velocity[k]};
  e = expr_subst(cx, e, list, r->cyclic);
  arena_release(&cx->scratch, mark);
  return e;
}

// ---- For readers

static void simplify(Context *cx, const System *s, const Routh *r, SimplifyLevel level, Expr *at,
                     uint32_t n) {
  Expr *qd = arena_array(&cx->scratch, Expr, r->cyclic + 1);
  for (uint32_t k = 0; k < r->cyclic; k++) qd[k] = s->qd[r->cyclic_at[k]];
  for (uint32_t i = 0; i < n; i++)
    if (expr_cost_with_definitions(cx, at[i]) <= READABLE_COST)
      simplify_with_stand_ins(cx, &(StandIn){r->p, qd, r->cyclic}, 1, level, at + i, 1);
}

// ---- R and the equations

static Expr at_rest(Context *cx, const System *s, const Routh *r, Expr e) {
  Substitution *zero = arena_array(&cx->scratch, Substitution, r->rest + 1);
  for (uint32_t k = 0; k < r->rest; k++)
    zero[k] = (Substitution){s->qd[r->rest_at[k]], expr_int(cx, 0)};
  return expr_subst(cx, e, zero, r->rest);
}

// L where the cyclic coordinates rest, less (p - p_0) q_c'/2 with p_0 the momenta there.
static void find_function(Context *cx, const System *s, SimplifyLevel level, Routh *r) {
  uint32_t n = r->cyclic;
  Substitution *zero = arena_array(&cx->scratch, Substitution, n + 1);
  Expr *rest = arena_array(&cx->scratch, Expr, n + 1), carried = expr_int(cx, 0);
  for (uint32_t k = 0; k < n; k++)
    zero[k] = (Substitution){s->qd[r->cyclic_at[k]], expr_int(cx, 0)};
  expr_subst_many(cx, r->momentum, n, zero, n, rest);
  for (uint32_t k = 0; k < n; k++)
    carried = expr_add(cx, carried, expr_mul(cx, expr_sub(cx, r->p[k], rest[k]), r->velocity[k]));
  Expr parts[] = {expr_subst(cx, s->T, zero, n), expr_subst(cx, s->V, zero, n),
                  expr_scale(cx, NUMBER_HALF, carried)};
  if (level != SIMPLIFY_NONE) simplify(cx, s, r, level, parts, 3);
  r->function = expr_sub(cx, expr_sub(cx, parts[0], parts[1]), parts[2]);
}

// The momenta do not change.
static Expr without_rates(Context *cx, const System *s, const Routh *r, Expr e) {
  Substitution *zero = arena_array(&cx->scratch, Substitution, r->cyclic + 1);
  for (uint32_t k = 0; k < r->cyclic; k++)
    zero[k] = (Substitution){momentum_rate_symbol(s->model, r->cyclic_at[k]), expr_int(cx, 0)};
  return expr_subst(cx, e, zero, r->cyclic);
}

// d/dt dR/dq_r' - dR/dq_r, with rates of the momenta.
static Expr inertia_of(Context *cx, const System *s, const Routh *r, uint32_t k) {
  Expr rate = expr_time_derivative(cx, expr_diff(cx, r->function, s->qd[r->rest_at[k]]));
  rate = system_open_rates(cx, s, rate);
  return expr_sub(cx, rate, expr_diff(cx, r->function, s->q[r->rest_at[k]]));
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

static void find_equations(Context *cx, const System *s, Routh *r) {
  uint32_t n = r->rest;
  r->inertia = arena_array(&cx->keep, Expr, n + 1), r->force = arena_array(&cx->keep, Expr, n + 1);
  r->m = arena_array(&cx->keep, Expr, (size_t)n * n + 1);
  r->right = arena_array(&cx->keep, Expr, n + 1);
  Expr *qdd = arena_array(&cx->scratch, Expr, n + 1);
  Substitution *zero = arena_array(&cx->scratch, Substitution, n + 1);
  for (uint32_t k = 0; k < n; k++) {
    qdd[k] = s->qdd[r->rest_at[k]];
    zero[k] = (Substitution){qdd[k], expr_int(cx, 0)};
    r->inertia[k] = without_rates(cx, s, r, inertia_of(cx, s, r, k));
    r->force[k] = routh_without_cyclic(cx, s, r, force_on(cx, s, r->rest_at[k]));
  }
  expr_jacobian(cx, r->inertia, n, qdd, n, r->m);
  for (uint32_t k = 0; k < n; k++)
    r->right[k] = expr_sub(cx, r->force[k], expr_subst(cx, r->inertia[k], zero, n));
  r->state_rate = arena_array(&cx->keep, Expr, s->states + 1);
  for (uint32_t i = 0; i < s->states; i++)
    r->state_rate[i] = routh_without_cyclic(cx, s, r, s->rates[i]);
}

Expr routh_left(Context *cx, const System *s, const Routh *r, uint32_t k) {
  Expr sum = expr_int(cx, 0);
  for (uint32_t j = 0; j < r->rest; j++)
    sum = expr_add(cx, sum, expr_mul(cx, r->m[k * r->rest + j], s->qdd[r->rest_at[j]]));
  return sum;
}

Status routh_derive(Context *cx, const System *s, Routh *out) {
  Mark mark = arena_mark(&cx->scratch);
  Routh r = {.n = s->n, .states = s->states};
  divide(cx, s, &r);
  Status status = r.cyclic ? find_velocities(cx, s, &r) : none_is_cyclic(cx, s);
  if (status == QDOT_OK) {
    find_function(cx, s, SIMPLIFY_NONE, &r);
    r.effective = expr_neg(cx, at_rest(cx, s, &r, r.function));
    find_equations(cx, s, &r);
    *out = r;
  }
  arena_release(&cx->scratch, mark);
  return status;
}

// ---- The road

static Status derive_road(Context *cx, const System *s, void **out) {
  Routh *r = arena_new(&cx->keep, Routh);
  *out = r;
  return routh_derive(cx, s, r);
}

// What stands above and below the line, each for itself.
static void simplify_velocities(Context *cx, const System *s, const Routh *r, SimplifyLevel level) {
  Expr *top = arena_array(&cx->scratch, Expr, r->cyclic + 1);
  for (uint32_t k = 0; k < r->cyclic; k++) top[k] = expr_mul(cx, r->velocity[k], r->below[k]);
  simplify(cx, s, r, level, top, r->cyclic);
  expr_simplify_many(cx, r->below, r->cyclic, level, r->below);
  for (uint32_t k = 0; k < r->cyclic; k++) r->velocity[k] = expr_div(cx, top[k], r->below[k]);
}

static void simplify_road(Context *cx, const System *s, SimplifyLevel level, bool for_people,
                          void *road) {
  (void)for_people;
  Routh *r = road;
  if (level == SIMPLIFY_NONE) return;
  Mark mark = arena_mark(&cx->scratch);
  expr_simplify_many(cx, r->momentum, r->cyclic, level, r->momentum);
  simplify_velocities(cx, s, r, level);
  find_function(cx, s, level, r);
  r->effective = expr_neg(cx, at_rest(cx, s, r, r->function));
  find_equations(cx, s, r);
  simplify(cx, s, r, level, &r->function, 1);
  simplify(cx, s, r, level, &r->effective, 1);
  simplify(cx, s, r, level, r->m, r->rest * r->rest);
  simplify(cx, s, r, level, r->right, r->rest);
  simplify(cx, s, r, level, r->inertia, r->rest);
  simplify(cx, s, r, level, r->force, r->rest);
  simplify(cx, s, r, level, r->state_rate, r->states);
  arena_release(&cx->scratch, mark);
}

static void add_all(Context *cx, const Expr *at, uint32_t n, ExprList *out) {
  for (uint32_t i = 0; i < n; i++) vec_push(&cx->scratch, out, at[i]);
}

static void list_rates(Context *cx, const System *s, const void *road, ExprList *out) {
  const Routh *r = road;
  Expr *acceleration = arena_array(&cx->scratch, Expr, r->rest + 1), relation;
  Expr *below = arena_array(&cx->scratch, Expr, r->rest + 1);
  if (!solve_linear(cx, r->m, r->right, r->rest, acceleration, below, &relation)) return;
  for (uint32_t k = 0; k < r->rest; k++) vec_push(&cx->scratch, out, s->qd[r->rest_at[k]]);
  add_all(cx, r->velocity, r->cyclic, out);
  add_all(cx, acceleration, r->rest, out);
  add_all(cx, r->state_rate, r->states, out);
}

static void list_values(Context *cx, const void *road, ExprList *out) {
  const Routh *r = road;
  add_all(cx, r->momentum, r->cyclic, out);
  add_all(cx, r->velocity, r->cyclic, out);
  add_all(cx, (Expr[]){r->function, r->effective}, 2, out);
  add_all(cx, r->m, r->rest * r->rest, out);
  add_all(cx, r->right, r->rest, out);
  add_all(cx, r->state_rate, r->states, out);
}

// Where p and p' are what they are, R gives Lagrange's residual of the other coordinates.
static void list_differences(Context *cx, System *s, const void *road, ExprList *out) {
  const Routh *r = road;
  derive_inertia(cx, s);
  Substitution *list = arena_array(&cx->scratch, Substitution, 2 * r->cyclic + 1);
  for (uint32_t k = 0; k < r->cyclic; k++) {
    Expr rate = expr_time_derivative(cx, r->momentum[k]);
    list[2 * k] = (Substitution){r->p[k], r->momentum[k]};
    list[2 * k + 1] = (Substitution){momentum_rate_symbol(s->model, r->cyclic_at[k]), rate};
  }
  uint32_t first = out->n;
  for (uint32_t k = 0; k < r->cyclic; k++)
    vec_push(&cx->scratch, out, expr_sub(cx, r->velocity[k], s->qd[r->cyclic_at[k]]));
  for (uint32_t k = 0; k < r->rest; k++) {
    uint32_t i = r->rest_at[k];
    Expr acting = force_on(cx, s, i);
    Expr theirs = expr_sub(cx, expr_add(cx, s->inertia[i], s->G[i]), acting);
    Expr ours = expr_sub(cx, inertia_of(cx, s, r, k), r->force[k]);
    vec_push(&cx->scratch, out, expr_sub(cx, ours, theirs));
    // the same written for accelerations
    Expr shown = expr_sub(cx, routh_left(cx, s, r, k), r->right[k]);
    Expr whole = expr_sub(cx, without_rates(cx, s, r, inertia_of(cx, s, r, k)), r->force[k]);
    vec_push(&cx->scratch, out, expr_sub(cx, shown, whole));
  }
  for (uint32_t i = 0; i < r->states; i++)
    vec_push(&cx->scratch, out, expr_sub(cx, r->state_rate[i], s->rates[i]));
  expr_subst_many(cx, out->at + first, out->n - first, list, 2 * r->cyclic, out->at + first);
}

const RoadType routh_road = {derive_road, simplify_road, list_rates, list_values, list_differences};
