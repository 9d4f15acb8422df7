// T, V, R and what follows from them without a Lagrange equation.
#include "derive/balances.h"
#include "derive/derive.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/subst.h"

// Replaces every velocity by 0.
static Expr at_rest(Context *cx, const System *s, Expr e) {
  Mark mark = arena_mark(&cx->scratch);
  Substitution *list = arena_array(&cx->scratch, Substitution, s->n);
  for (uint32_t i = 0; i < s->n; i++) list[i] = (Substitution){s->qd[i], expr_int(cx, 0)};
  Expr result = expr_subst(cx, e, list, s->n);
  arena_release(&cx->scratch, mark);
  return result;
}

// sum of q'_i de/dq'_i in one forward sweep: every velocity moves at its own rate.
static Expr by_velocities(Context *cx, const System *s, Expr e) {
  Mark mark = arena_mark(&cx->scratch);
  Rate *rates = arena_array(&cx->scratch, Rate, s->n);
  for (uint32_t i = 0; i < s->n; i++) rates[i] = (Rate){s->qd[i], s->qd[i]};
  Expr result;
  expr_diff_along(cx, &e, 1, rates, s->n, &result);
  arena_release(&cx->scratch, mark);
  return result;
}

// What time and the states change of e by themselves.
static Expr by_itself(Context *cx, const System *s, Expr e) {
  if (s->states == 0) return expr_diff(cx, e, s->t);
  Mark mark = arena_mark(&cx->scratch);
  Rate *rates = arena_array(&cx->scratch, Rate, s->states + 1);
  for (uint32_t i = 0; i < s->states; i++) rates[i] = (Rate){s->s[i], s->rates[i]};
  rates[s->states] = (Rate){s->t, expr_int(cx, 1)};
  Expr result;
  expr_diff_along(cx, &e, 1, rates, s->states + 1, &result);
  arena_release(&cx->scratch, mark);
  return result;
}

void derive_energies(Context *cx, System *s) {
  s->t = expr_symbol(cx, SYMBOL_TIME, symbol_from_text(cx, "t"));
  s->T = model_energy(s->model, ENERGY_KINETIC);
  s->V = model_energy(s->model, ENERGY_POTENTIAL);
  s->R = model_energy(s->model, ENERGY_DISSIPATION);
  // L is split so that V = -L at q' = 0 and T is the rest.
  Expr L = model_energy(s->model, ENERGY_LAGRANGIAN);
  if (!expr_is_zero(cx, L)) {
    Expr V = expr_neg(cx, at_rest(cx, s, L));
    s->V = expr_add(cx, s->V, V);
    s->T = expr_sum(cx, (Expr[]){s->T, L, V}, 3);
  }
  s->L_t = by_itself(cx, s, expr_sub(cx, s->T, s->V));
  // E = q' dL/dq' - L
  s->energy = expr_sum(cx, (Expr[]){by_velocities(cx, s, s->T), expr_neg(cx, s->T), s->V}, 3);
}

// Q_i = force on q_i + sum over points of force . dpoint/dq_i
static void collect_forces(Context *cx, System *s) {
  const Model *model = s->model;
  for (uint32_t i = 0; i < s->n; i++) s->Q[i] = expr_int(cx, 0);
  if (model->point_forces.n) {
    Mark mark = arena_mark(&cx->scratch);
    Expr *points = arena_array(&cx->scratch, Expr, 3 * model->point_forces.n);
    Expr *forces = arena_array(&cx->scratch, Expr, 3 * model->point_forces.n);
    size_t count = 0;
    for (uint32_t i = 0; i < model->point_forces.n; i++) {
      const PointForce *f = &model->point_forces.at[i];
      for (uint32_t k = 0; k < f->n; k++)
        points[count] = f->point[k], forces[count++] = f->force[k];
    }
    expr_pull_back(cx, points, forces, count, s->q, s->n, s->Q);
    arena_release(&cx->scratch, mark);
  }
  for (uint32_t i = 0; i < model->forces.n; i++) {
    const Force *f = &model->forces.at[i];
    s->Q[f->coordinate] = expr_add(cx, s->Q[f->coordinate], f->value);
  }
}

// Momentum balances have found them in their own way.
static void take_balances(System *s) {
  const Balances *balances = s->model->balances;
  for (uint32_t i = 0; i < s->n; i++)
    s->G[i] = balances->G[i], s->D[i] = balances->D[i], s->Q[i] = balances->Q[i];
}

void derive_forces(Context *cx, System *s) {
  s->G = arena_array(&cx->keep, Expr, s->n);
  s->D = arena_array(&cx->keep, Expr, s->n);
  s->Q = arena_array(&cx->keep, Expr, s->n);
  expr_gradient(cx, s->V, s->q, s->n, s->G);
  expr_gradient(cx, s->R, s->qd, s->n, s->D);
  collect_forces(cx, s);
  if (s->model->balances) take_balances(s);
  // power = Q q' - D q' - L_t
  Mark mark = arena_mark(&cx->scratch);
  Expr *terms = arena_array(&cx->scratch, Expr, 2 * s->n + 1);
  for (uint32_t i = 0; i < s->n; i++) {
    terms[2 * i] = expr_mul(cx, s->Q[i], s->qd[i]);
    terms[2 * i + 1] = expr_neg(cx, expr_mul(cx, s->D[i], s->qd[i]));
  }
  terms[2 * s->n] = expr_neg(cx, s->L_t);
  s->power = expr_sum(cx, terms, 2 * s->n + 1);
  arena_release(&cx->scratch, mark);
}
