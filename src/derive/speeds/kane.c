// Partial velocities and accelerations.
#include "derive/speeds/kane.h"

#include "derive/roads/road_type.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/subst.h"

// d/dt dT/dq' - dT/dq of what the squares leave of T, in coordinates, speeds and their rates.
static void lagrange_of_rest(Context *cx, const System *s, const Speeds *sp, Expr rest, Expr *out) {
  Expr *momentum = arena_array(&cx->scratch, Expr, s->n + 1);
  Expr *slope = arena_array(&cx->scratch, Expr, s->n + 1);
  expr_gradient(cx, rest, s->qd, s->n, momentum);
  expr_gradient(cx, rest, s->q, s->n, slope);
  for (uint32_t i = 0; i < s->n; i++) {
    Expr rate = system_open_rates(cx, s, expr_time_derivative(cx, momentum[i]));
    out[i] = expr_sub(cx, rate, slope[i]);
  }
  speeds_insert(cx, sp, s, out, s->n, out);
}

static void find_motion(Context *cx, const System *s, const Speeds *sp, uint32_t k, Motions *m) {
  Expr *by_velocity = arena_array(&cx->scratch, Expr, s->n + 1);
  Expr w = m->squares[k].velocity;
  expr_gradient(cx, w, s->qd, s->n, by_velocity);
  speed_equations_project(cx, sp, by_velocity, m->partial + (size_t)k * sp->count);
  Expr both[] = {w, expr_time_derivative(cx, w)};
  speeds_insert(cx, sp, s, both, 2, both);
  m->velocity[k] = both[0], m->acceleration[k] = both[1];
}

Motions motions_derive(Context *cx, const System *s, const Speeds *sp) {
  Squares squares = squares_of(cx, s);
  Motions m = {.count = squares.list.n, .squares = squares.list.at, .rest = squares.rest};
  m.velocity = arena_array(&cx->keep, Expr, m.count + 1);
  m.acceleration = arena_array(&cx->keep, Expr, m.count + 1);
  m.partial = arena_array(&cx->keep, Expr, (size_t)m.count * sp->count + 1);
  m.rest_inertia = arena_array(&cx->keep, Expr, s->n + 1);
  Mark mark = arena_mark(&cx->scratch);
  for (uint32_t k = 0; k < m.count; k++) find_motion(cx, s, sp, k, &m);
  lagrange_of_rest(cx, s, sp, m.rest, m.rest_inertia);
  arena_release(&cx->scratch, mark);
  return m;
}

static Expr inertia_of(Context *cx, const Motions *m, const Speeds *sp, uint32_t r, Expr rest) {
  Expr *terms = arena_array(&cx->scratch, Expr, m->count + 1);
  for (uint32_t k = 0; k < m->count; k++)
    terms[k] = expr_mul3(cx, m->squares[k].mass, m->acceleration[k], m->partial[k * sp->count + r]);
  terms[m->count] = rest;
  return expr_sum(cx, terms, m->count + 1);
}

static Status derive_road(Context *cx, const System *s, void **out) {
  Kane *kane = arena_new(&cx->keep, Kane);
  Speeds sp;
  *out = kane;
  Status status = speeds_derive(cx, s, &sp);
  if (status != QDOT_OK) return status;
  kane->motions = motions_derive(cx, s, &sp);
  Mark mark = arena_mark(&cx->scratch);
  Expr *inertia = arena_array(&cx->scratch, Expr, 2 * sp.count + 1), *rest = inertia + sp.count;
  speed_equations_project(cx, &sp, kane->motions.rest_inertia, rest);
  for (uint32_t r = 0; r < sp.count; r++)
    inertia[r] = inertia_of(cx, &kane->motions, &sp, r, rest[r]);
  status = speed_equations_finish(cx, s, &sp, inertia, &kane->equations);
  arena_release(&cx->scratch, mark);
  return status;
}

void kane_simplify(Context *cx, const System *s, SimplifyLevel level, bool for_people, void *road) {
  Kane *kane = road;
  Motions *m = &kane->motions;
  const Speeds *sp = &kane->equations.speeds;
  if (level == SIMPLIFY_NONE) return;
  speeds_simplify_values(cx, sp, s, level, m->velocity, m->count);
  speeds_simplify_values(cx, sp, s, level, m->partial, m->count * sp->count);
  speeds_simplify_values(cx, sp, s, level, m->acceleration, m->count);
  if (kane->S) speeds_simplify_values(cx, sp, s, level, &kane->S, 1);
  speed_equations_simplify(cx, s, level, for_people, &kane->equations);
}

static void list_rates(Context *cx, const System *s, const void *road, ExprList *out) {
  (void)s;
  speed_equations_rates(cx, &((const Kane *)road)->equations, out);
}

static void list_values(Context *cx, const void *road, ExprList *out) {
  const Kane *kane = road;
  const Motions *m = &kane->motions;
  uint32_t count = kane->equations.speeds.count;
  if (kane->S) vec_push(&cx->scratch, out, kane->S);
  for (uint32_t k = 0; !kane->S && k < m->count; k++) {
    vec_push(&cx->scratch, out, m->acceleration[k]);
    for (uint32_t r = 0; r < count; r++) vec_push(&cx->scratch, out, m->partial[k * count + r]);
  }
  speed_equations_values(cx, &kane->equations, out);
}

static void list_differences(Context *cx, System *s, const void *road, ExprList *out) {
  speed_equations_differences(cx, s, &((const Kane *)road)->equations, out);
}

const RoadType kane_road = {derive_road, kane_simplify, list_rates, list_values, list_differences};

// ---- Gibbs and Appell

static Status derive_gibbs(Context *cx, const System *s, void **out);

const RoadType gibbs_appell_road = {derive_gibbs, kane_simplify, list_rates, list_values,
                                    list_differences};

// q''^T (M_0 q''/2 + h_0): M_0 q'' is what in the rest's inertia changes with the accelerations.
static Expr function_of_rest(Context *cx, const Motions *m, const Speeds *sp) {
  uint32_t n = sp->count;
  Expr *rest = arena_array(&cx->scratch, Expr, n + 1),
       *at_zero = arena_array(&cx->scratch, Expr, n + 1);
  Substitution *zero = arena_array(&cx->scratch, Substitution, n + 1);
  for (uint32_t r = 0; r < n; r++) zero[r] = (Substitution){sp->ud[r], expr_int(cx, 0)};
  speed_equations_project(cx, sp, m->rest_inertia, rest);
  expr_subst_many(cx, rest, n, zero, n, at_zero);
  Expr sum = expr_int(cx, 0);
  for (uint32_t r = 0; r < n; r++) {
    Expr both = expr_scale(cx, NUMBER_HALF, expr_add(cx, rest[r], at_zero[r]));
    sum = expr_add(cx, sum, expr_mul(cx, sp->ud[r], both));
  }
  return sum;
}

// 1/2 m (a^2 - a_0^2) with a = a_1 + a_0, a_0 free of the rates of speeds.
static Expr function_of_squares(Context *cx, const Motions *m, const Speeds *sp) {
  uint32_t n = sp->count;
  Substitution *zero = arena_array(&cx->scratch, Substitution, n + 1);
  Expr *at_zero = arena_array(&cx->scratch, Expr, m->count + 1), sum = expr_int(cx, 0);
  for (uint32_t r = 0; r < n; r++) zero[r] = (Substitution){sp->ud[r], expr_int(cx, 0)};
  expr_subst_many(cx, m->acceleration, m->count, zero, n, at_zero);
  for (uint32_t k = 0; k < m->count; k++) {
    Expr square = expr_square(cx, m->acceleration[k]);
    Expr part = expr_sub(cx, square, expr_square(cx, at_zero[k]));
    part = expr_mul(cx, expr_scale(cx, NUMBER_HALF, m->squares[k].mass), part);
    sum = expr_add(cx, sum, part);
  }
  return sum;
}

static Status derive_gibbs(Context *cx, const System *s, void **out) {
  Kane *kane = arena_new(&cx->keep, Kane);
  Speeds sp;
  *out = kane;
  Status status = speeds_derive(cx, s, &sp);
  if (status != QDOT_OK) return status;
  kane->motions = motions_derive(cx, s, &sp);
  Mark mark = arena_mark(&cx->scratch);
  Expr *inertia = arena_array(&cx->scratch, Expr, sp.count + 1);
  Expr of_squares = function_of_squares(cx, &kane->motions, &sp);
  kane->S = expr_add(cx, of_squares, function_of_rest(cx, &kane->motions, &sp));
  expr_gradient(cx, kane->S, sp.ud, sp.count, inertia);
  status = speed_equations_finish(cx, s, &sp, inertia, &kane->equations);
  arena_release(&cx->scratch, mark);
  return status;
}
