// Equations in quasi-velocities: four roads against Lagrange's equations with multipliers, solved
// as numbers, for random systems with random speeds.
#include <math.h>

#include "derive/roads/road_type.h"
#include "derive/speeds/boltzmann.h"
#include "derive/speeds/kane.h"
#include "derive/vanishes.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "solve/algebra/dense.h"
#include "support/mechanisms.h"

static const Road roads[] = {ROAD_KANE, ROAD_GIBBS_APPELL, ROAD_BOLTZMANN_HAMEL, ROAD_MAGGI};
enum { SPEED_ROADS = sizeof roads / sizeof *roads, MOST = 12 };

static void state_speed(Model *model, const char *name, Expr value) {
  Context *cx = model->cx;
  Symbol symbol = symbol_from_text(cx, name);
  model_add_name(model, symbol, NAME_DEFINITION, model->definitions.n, (Span){0});
  Definition d = {
      .name = symbol, .value = expr_define(cx, symbol, value), .role = DEFINITION_SPEED};
  vec_push(&cx->keep, &model->definitions, d);
}

// sum of a(q) q_i' + b(q, t): every velocity has a large share of its own in one speed.
static void state_random_speeds(Model *model, Random *random, uint32_t count) {
  Context *cx = model->cx;
  Expr t = expr_symbol(cx, SYMBOL_TIME, symbol_from_text(cx, "t"));
  for (uint32_t r = 0; r < count; r++) {
    Expr sum = expr_mul(cx, t, model->coordinates.at[r].q);
    for (uint32_t i = 0; i < model->coordinates.n; i++) {
      Expr q = model->coordinates.at[random_below(random, (int)model->coordinates.n)].q;
      Expr wave = random_below(random, 2) ? expr_sin(cx, q) : expr_cos(cx, q);
      Expr factor = expr_mul(cx, expr_ratio(cx, 1, 3), wave);
      if (i == r) factor = expr_add(cx, expr_int(cx, 2), factor);
      sum = expr_add(cx, sum, expr_mul(cx, factor, model->coordinates.at[i].qd));
    }
    state_speed(model, mechanism_indexed(cx, "u", (int)r), sum);
  }
}

typedef struct Numbers {
  Context *cx;
  double *at; // by symbol
} Numbers;

static double value(const Numbers *n, Expr e) { return expr_eval(n->cx, e, n->at); }
static void put(const Numbers *n, Expr symbol, double to) {
  n->at[symbol_variable(n->cx, symbol)] = to;
}

// A random state in coordinates and speeds, with the velocities and rates that belong to it.
static Numbers scatter(Context *cx, const System *s, const SpeedEquations *e, Random *random) {
  Numbers n = {cx, arena_array(&cx->keep, double, cx->exprs->symbols.n + 1)};
  for (uint32_t i = 0; i < cx->exprs->symbols.n; i++) n.at[i] = random_real(random, 0.3, 1.4);
  for (uint32_t i = 0; i < s->n; i++) put(&n, s->qd[i], value(&n, e->speeds.velocity[i]));
  for (uint32_t r = 0; r < e->speeds.count; r++) put(&n, e->speeds.ud[r], value(&n, e->rate[r]));
  return n;
}

// M q'' + Phi_q^T lambda = Q - D - G - h - contacts, Phi_q q'' = gamma for the replaced rows; the
// multipliers of the others are as they were scattered.
static void solve_lagrange(const Numbers *v, const System *s, const Speeds *sp, double *x) {
  int n = (int)s->n, size = n + (int)sp->replaced, row = n, pivot[MOST];
  double A[MOST * MOST] = {0};
  for (int i = 0; i < n; i++) {
    x[i] = value(v, s->Q[i]) - value(v, s->D[i]) - value(v, s->G[i]) - value(v, s->h[i]);
    for (int j = 0; j < n; j++) A[i * size + j] = value(v, s->M[i * n + j]);
    for (uint32_t k = 0; k < s->contact_count; k++)
      x[i] -= value(v, s->contacts[k].multiplier) * value(v, s->contacts[k].phi_q[i]);
  }
  for (uint32_t k = 0; k < s->row_count; k++) {
    for (int i = 0; i < n; i++) {
      double slope = value(v, s->rows[k].phi_q[i]);
      if (sp->is_replaced[k])
        A[i * size + row] = A[row * size + i] = slope;
      else
        x[i] -= value(v, s->rows[k].multiplier) * slope;
    }
    if (sp->is_replaced[k]) x[row++] = value(v, s->rows[k].gamma);
  }
  assert_int_equal(row, size);
  dense_lu(size, A, pivot);
  dense_lu_solve(size, A, pivot, x);
}

static void check_state(Context *cx, System *s, const SpeedEquations *e, Random *random) {
  Numbers v = scatter(cx, s, e, random);
  const Speeds *sp = &e->speeds;
  double x[MOST];
  for (uint32_t r = 0; r < sp->count; r++)
    CHECK_NEAR(value(&v, sp->meaning[r]), value(&v, sp->u[r]), 1e-8);
  solve_lagrange(&v, s, sp, x);
  for (uint32_t i = 0; i < s->n; i++) CHECK_NEAR(value(&v, sp->acceleration[i]), x[i], 1e-6);
}

static void check_roads(Context *cx, const Model *model, bool simplified, Random *random) {
  System s;
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &s), QDOT_OK);
  for (int i = 0; i < SPEED_ROADS; i++) {
    void *road;
    const RoadType *type = road_type(roads[i]);
    assert_int_equal(type->derive(cx, &s, &road), QDOT_OK);
    if (simplified) type->simplify(cx, &s, SIMPLIFY_NORMAL, false, road);
    check_state(cx, &s, road, random);
    Mark mark = arena_mark(&cx->scratch);
    ExprList differences = {0}, wrong = {0};
    type->differences(cx, &s, road, &differences);
    Numbers v = scatter(cx, &s, road, random);
    for (uint32_t k = 0; k < differences.n; k++) CHECK_NEAR(value(&v, differences.at[k]), 0, 1e-6);
    SpeedEquations *e = road;
    e->force[0] = expr_add(cx, e->force[0], s.q[0]);
    type->differences(cx, &s, road, &wrong);
    assert_true(fabs(value(&v, wrong.at[s.n])) > 0.1);
    arena_release(&cx->scratch, mark);
  }
}

TEST(random_systems_with_random_speeds) {
  Random random = random_start("random_systems_with_random_speeds");
  for (int round = 0; round < test_rounds(12); round++) {
    Model *model = mechanism_random(cx, &random);
    uint32_t rows = model->constraints.n, rolling = rows > 1;
    uint32_t fewer[] = {0, rolling, rows};
    state_random_speeds(model, &random, model->coordinates.n - fewer[random_below(&random, 3)]);
    check_roads(cx, model, false, &random);
  }
}

// Without `speed` the velocities of independent coordinates are taken.
TEST(random_systems_with_chosen_speeds) {
  Random random = random_start("random_systems_with_chosen_speeds");
  for (int round = 0; round < test_rounds(8); round++)
    check_roads(cx, mechanism_random(cx, &random), false, &random);
}

// The reader's form has the same values.
TEST(forms_for_readers_are_equal) {
  Random random = random_start("forms_for_readers_are_equal");
  for (int round = 0; round < 2; round++) {
    Model *model = mechanism_pendulum(cx, 2);
    if (round) state_random_speeds(model, &random, 2);
    check_roads(cx, model, true, &random);
  }
}

// ---- The knife edge: Greenwood, Advanced Dynamics, example 4.2; its equations are printed there.

static Model *knife_edge(Context *cx) {
  Model *model = model_new(cx);
  Expr m = mechanism_parameter(model, "m"), J = mechanism_parameter(model, "J");
  Expr a = mechanism_parameter(model, "a");
  Expr x = mechanism_coordinate(model, "x"), y = mechanism_coordinate(model, "y");
  Expr turn = mechanism_coordinate(model, "theta");
  Expr xd = expr_time_derivative(cx, x), yd = expr_time_derivative(cx, y);
  Expr c = expr_cos(cx, turn), si = expr_sin(cx, turn), w = expr_time_derivative(cx, turn);
  Expr G_x = mechanism_let(model, "G_x", expr_add(cx, x, expr_mul(cx, a, c)));
  Expr G_y = mechanism_let(model, "G_y", expr_add(cx, y, expr_mul(cx, a, si)));
  mechanism_energy(model, ENERGY_KINETIC,
                   mechanism_half_square(cx, m, expr_time_derivative(cx, G_x)));
  mechanism_energy(model, ENERGY_KINETIC,
                   mechanism_half_square(cx, m, expr_time_derivative(cx, G_y)));
  mechanism_energy(model, ENERGY_KINETIC, mechanism_half_square(cx, J, w));
  Symbol name = symbol_from_text(cx, "blade");
  Expr across = expr_mul(cx, xd, si);
  Constraint blade = {.name = name,
                      .multiplier = expr_symbol(cx, SYMBOL_MULTIPLIER, name),
                      .is_nonholonomic = true,
                      .phi = expr_sub(cx, across, expr_mul(cx, yd, c))};
  vec_push(&cx->keep, &model->constraints, blade);
  Expr along = expr_mul(cx, xd, c);
  state_speed(model, "v", expr_add(cx, along, expr_mul(cx, yd, si)));
  state_speed(model, "w", w);
  return model;
}

static bool is_equal(Context *cx, Expr a, Expr b) { return vanishes(cx, expr_sub(cx, a, b)); }

// v' = a w^2, w' = -m a v w/(J + m a^2); the partial velocities of G_x are cos and -a sin.
TEST(the_knife_edge_as_it_is_printed) {
  Model *model = knife_edge(cx);
  System s;
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &s), QDOT_OK);
  Expr m = model->parameters.at[0].symbol, J = model->parameters.at[1].symbol;
  Expr a = model->parameters.at[2].symbol;
  for (int i = 0; i < SPEED_ROADS; i++) {
    void *road;
    assert_int_equal(road_type(roads[i])->derive(cx, &s, &road), QDOT_OK);
    const SpeedEquations *e = road;
    Expr v = e->speeds.u[0], w = e->speeds.u[1], ma = expr_mul(cx, m, a);
    Expr inertia = expr_add(cx, J, expr_mul(cx, ma, a));
    Expr push = expr_mul3(cx, ma, v, w);
    assert_true(is_equal(cx, e->rate[0], expr_mul(cx, a, expr_square(cx, w))));
    assert_true(is_equal(cx, e->rate[1], expr_neg(cx, expr_div(cx, push, inertia))));
    if (roads[i] == ROAD_KANE) {
      const Motions *motions = &((const Kane *)road)->motions;
      assert_int_equal(motions->count, 3);
      assert_true(expr_is_zero(cx, motions->rest));
      assert_true(is_equal(cx, motions->partial[0], expr_cos(cx, s.q[2])));
      assert_true(
          is_equal(cx, motions->partial[1], expr_neg(cx, expr_mul(cx, a, expr_sin(cx, s.q[2])))));
    }
    // gamma of the velocity across the blade: that of two speeds that do not commute
    if (roads[i] == ROAD_BOLTZMANN_HAMEL) {
      Expr sum = expr_int(cx, 0);
      for (uint32_t k = 0; k < 2; k++) sum = expr_add(cx, sum, boltzmann_gamma(road, 2, k, 1 - k));
      assert_true(vanishes(cx, sum));
      assert_true(is_equal(cx, boltzmann_gamma(road, 2, 0, 1), expr_int(cx, 1)));
      assert_true(vanishes(cx, boltzmann_gamma(road, 0, 0, 1)));
    }
  }
}

RUN_TESTS(cmocka_unit_test(random_systems_with_random_speeds),
          cmocka_unit_test(random_systems_with_chosen_speeds),
          cmocka_unit_test(forms_for_readers_are_equal),
          cmocka_unit_test(the_knife_edge_as_it_is_printed))
