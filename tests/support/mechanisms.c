// Mechanisms for tests.
#include "support/mechanisms.h"

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"

// ---- Random mechanisms

typedef struct Pool {
  Expr at[40];
  int n;
} Pool;

static Expr pick(Random *random, const Pool *pool) {
  return pool->at[random_below(random, pool->n)];
}

// A smooth function of two members of the pool.
static Expr mixture(Context *cx, Random *random, const Pool *pool, Expr t) {
  Expr a = pick(random, pool), b = pick(random, pool);
  switch (random_below(random, 6)) {
  case 0: return expr_add(cx, a, expr_sin(cx, b));
  case 1: return expr_add(cx, a, expr_mul(cx, expr_ratio(cx, 1, 3), expr_cos(cx, b)));
  case 2: return expr_mul(cx, expr_cos(cx, a), b);
  case 3: return expr_sin(cx, expr_add(cx, a, expr_mul(cx, t, b)));
  case 4:
    return expr_sqrt(
        cx, expr_sum(cx, (Expr[]){expr_int(cx, 2), expr_square(cx, a), b, expr_square(cx, b)}, 4));
  default: return expr_add(cx, expr_mul(cx, a, b), expr_sin(cx, t));
  }
}

Model *mechanism_random(Context *cx, Random *random) {
  Model *model = model_new(cx);
  Expr t = expr_symbol(cx, SYMBOL_TIME, symbol_from_text(cx, "t"));
  Pool pool = {0};
  Expr m = mechanism_parameter(model, "m"), k = mechanism_parameter(model, "k");
  int n = 1 + random_below(random, 4);
  for (int i = 0; i < n; i++) {
    pool.at[pool.n++] = mechanism_coordinate(model, mechanism_indexed(cx, "q", i));
    Expr rate = expr_time_derivative(cx, pool.at[i]);
    mechanism_energy(model, ENERGY_KINETIC, mechanism_half_square(cx, m, rate));
  }
  int definitions = random_below(random, 7);
  for (int i = 0; i < definitions; i++) {
    Expr w = mechanism_let(model, mechanism_indexed(cx, "w", i), mixture(cx, random, &pool, t));
    pool.at[pool.n++] = w;
    // a mass that depends on the position, and a term linear in the velocity
    Expr mass = expr_add(cx, m, expr_square(cx, expr_sin(cx, pick(random, &pool))));
    mechanism_energy(model, ENERGY_KINETIC,
                     mechanism_half_square(cx, mass, expr_time_derivative(cx, w)));
    if (random_below(random, 3) == 0)
      mechanism_energy(model, ENERGY_KINETIC,
                       expr_mul(cx, expr_sin(cx, t), expr_time_derivative(cx, w)));
    mechanism_energy(model, ENERGY_POTENTIAL,
                     mechanism_half_square(cx, k, expr_add(cx, w, pick(random, &pool))));
    if (random_below(random, 2))
      mechanism_energy(model, ENERGY_DISSIPATION,
                       mechanism_half_square(cx, k, expr_time_derivative(cx, w)));
  }
  // a definition that contains a velocity cannot be lifted and must be seen through
  Expr v = mechanism_let(model, "v",
                         expr_add(cx, expr_time_derivative(cx, pick(random, &pool)),
                                  expr_mul(cx, t, pick(random, &pool))));
  mechanism_energy(model, ENERGY_KINETIC, mechanism_half_square(cx, k, v));
  vec_push(&cx->keep, &model->forces,
           ((Force){.coordinate = 0, .value = expr_mul(cx, pick(random, &pool), expr_cos(cx, t))}));
  PointForce force = {.n = 2};
  for (int i = 0; i < 2; i++) {
    force.point[i] = expr_add(cx, pick(random, &pool), expr_mul(cx, k, pick(random, &pool)));
    force.force[i] = mixture(cx, random, &pool, t);
  }
  vec_push(&cx->keep, &model->point_forces, force);
  if (n > 1) {
    Symbol name = symbol_from_text(cx, "c");
    Constraint holonomic = {.name = name,
                            .multiplier = expr_symbol(cx, SYMBOL_MULTIPLIER, name),
                            .phi = expr_sub(cx, mixture(cx, random, &pool, t), pool.at[0])};
    vec_push(&cx->keep, &model->constraints, holonomic);
  }
  if (n > 2) {
    Symbol name = symbol_from_text(cx, "r");
    Expr rate = expr_time_derivative(cx, pick(random, &pool));
    Expr other = expr_time_derivative(cx, pool.at[1]);
    Constraint rolling = {
        .name = name,
        .multiplier = expr_symbol(cx, SYMBOL_MULTIPLIER, name),
        .is_nonholonomic = true,
        .phi = expr_sum(cx, (Expr[]){expr_mul(cx, pick(random, &pool), rate), other, t}, 3)};
    vec_push(&cx->keep, &model->constraints, rolling);
  }
  return model;
}
