// T in quasi-velocities, and the coefficients of their transpositions.
#include "derive/roads/road_type.h"
#include "derive/roads/stand_in.h"
#include "derive/speeds/boltzmann.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/subst.h"

// What belongs to all quasi-velocities, before those of the constraints vanish.
typedef struct All {
  Expr *velocity;     // q' in coordinates and u (n)
  Substitution *zero; // those that vanish
  uint32_t vanishing;
} All;

// Their names are those of the constraints: u_blade.
static const Expr *name_all(Context *cx, const System *s, const Speeds *sp) {
  Expr *u = arena_array(&cx->keep, Expr, sp->n + 1);
  uint32_t at = sp->count;
  for (uint32_t r = 0; r < sp->count; r++) u[r] = sp->u[r];
  for (uint32_t k = 0; k < s->row_count; k++) {
    if (!sp->is_replaced[k]) continue;
    const char *row = symbol_text(cx, s->rows[k].name);
    Symbol name = symbol_from_text(cx, text_format(&cx->scratch, "u_%s", row));
    u[at++] = expr_symbol(cx, SYMBOL_STATE, name);
  }
  return u;
}

static All solve_all(Context *cx, const Speeds *sp, const Expr *u) {
  All all = {.velocity = arena_array(&cx->keep, Expr, sp->n + 1)};
  all.zero = arena_array(&cx->scratch, Substitution, sp->n + 1);
  speeds_solve(cx, sp, u, all.velocity);
  for (uint32_t i = sp->count; i < sp->n; i++)
    all.zero[all.vanishing++] = (Substitution){u[i], expr_int(cx, 0)};
  return all;
}

static Expr with_speeds(Context *cx, const System *s, const All *all, Expr e) {
  Substitution *list = arena_array(&cx->scratch, Substitution, s->n + 1);
  for (uint32_t i = 0; i < s->n; i++) list[i] = (Substitution){s->qd[i], all->velocity[i]};
  return expr_subst(cx, e, list, s->n);
}

// ---- The coefficients

// A_ij = dY_si/dq_j - dY_sj/dq_i by rows, and dY_si/dt - dy_s/dq_i.
static void differentiate_row(Context *cx, const System *s, const Speeds *sp, uint32_t row, Expr *A,
                              Expr *by_time) {
  uint32_t n = sp->n;
  const Expr *Y = sp->Y + (size_t)row * n;
  Expr *slope = arena_array(&cx->scratch, Expr, (size_t)n * n + 1);
  expr_jacobian(cx, Y, n, s->q, n, slope);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++)
      A[i * n + j] = expr_sub(cx, slope[i * n + j], slope[j * n + i]);
    Expr course = expr_diff(cx, Y[i], s->t);
    by_time[i] = expr_sub(cx, course, expr_diff(cx, sp->y[row], s->q[i]));
  }
}

// w of q' = W u + w.
static void find_rest_velocities(Context *cx, const Speeds *sp, Expr *out) {
  Substitution *zero = arena_array(&cx->scratch, Substitution, sp->count + 1);
  for (uint32_t r = 0; r < sp->count; r++) zero[r] = (Substitution){sp->u[r], expr_int(cx, 0)};
  expr_subst_many(cx, sp->velocity, sp->n, zero, sp->count, out);
}

static void find_coefficients(Context *cx, const System *s, const Speeds *sp, Expr *gamma) {
  uint32_t n = sp->n, count = sp->count;
  Expr *A = arena_array(&cx->scratch, Expr, (size_t)n * n + 1);
  Expr *by_time = arena_array(&cx->scratch, Expr, n + 1);
  Expr *w = arena_array(&cx->scratch, Expr, n + 1), *terms = arena_array(&cx->scratch, Expr, n + 1);
  find_rest_velocities(cx, sp, w);
  for (uint32_t row = 0; row < n; row++) {
    differentiate_row(cx, s, sp, row, A, by_time);
    for (uint32_t r = 0; r < count; r++)
      for (uint32_t t = 0; t <= count; t++) {
        for (uint32_t i = 0; i < n; i++) {
          Expr sum = t < count ? expr_int(cx, 0) : by_time[i];
          for (uint32_t j = 0; j < n; j++) {
            Expr other = t < count ? sp->partial[j * count + t] : w[j];
            sum = expr_add(cx, sum, expr_mul(cx, A[i * n + j], other));
          }
          terms[i] = expr_mul(cx, sum, sp->partial[i * count + r]);
        }
        *gamma++ = expr_sum(cx, terms, n);
      }
  }
}

// ---- The equations

static Expr transposition_terms(Context *cx, const Boltzmann *b, const Speeds *sp, uint32_t r) {
  Expr sum = expr_int(cx, 0);
  uint32_t count = sp->count;
  for (uint32_t row = 0; row < sp->n; row++) {
    const Expr *gamma = b->gamma + (size_t)(row * count + r) * (count + 1);
    Expr weight = gamma[count];
    for (uint32_t t = 0; t < count; t++)
      weight = expr_add(cx, weight, expr_mul(cx, gamma[t], sp->u[t]));
    sum = expr_add(cx, sum, expr_mul(cx, weight, b->momentum[row]));
  }
  return sum;
}

static void find_inertia(Context *cx, const System *s, const Boltzmann *b, const Speeds *sp,
                         const All *all, Expr *out) {
  Expr *slope = arena_array(&cx->scratch, Expr, s->n + 1);
  Expr *projected = arena_array(&cx->scratch, Expr, sp->count + 1);
  expr_gradient(cx, b->T, s->q, s->n, slope);
  expr_subst_many(cx, slope, s->n, all->zero, all->vanishing, slope);
  speed_equations_project(cx, sp, slope, projected);
  for (uint32_t r = 0; r < sp->count; r++) {
    Expr rate = system_open_rates(cx, s, expr_time_derivative(cx, b->momentum[r]));
    Expr transposed = transposition_terms(cx, b, sp, r);
    out[r] = expr_add(cx, expr_sub(cx, rate, projected[r]), transposed);
  }
  speeds_insert(cx, sp, s, out, sp->count, out);
}

static Status derive_road(Context *cx, const System *s, void **out) {
  Boltzmann *b = arena_new(&cx->keep, Boltzmann);
  Speeds sp;
  *out = b;
  Status status = speeds_derive(cx, s, &sp);
  if (status != QDOT_OK) return status;
  Mark mark = arena_mark(&cx->scratch);
  b->u = name_all(cx, s, &sp);
  All all = solve_all(cx, &sp, b->u);
  b->T = with_speeds(cx, s, &all, s->T);
  b->momentum = arena_array(&cx->keep, Expr, s->n + 1);
  expr_gradient(cx, b->T, b->u, s->n, b->momentum);
  expr_subst_many(cx, b->momentum, s->n, all.zero, all.vanishing, b->momentum);
  b->gamma = arena_array(&cx->keep, Expr, (size_t)s->n * sp.count * (sp.count + 1) + 1);
  find_coefficients(cx, s, &sp, b->gamma);
  Expr *inertia = arena_array(&cx->scratch, Expr, sp.count + 1);
  find_inertia(cx, s, b, &sp, &all, inertia);
  status = speed_equations_finish(cx, s, &sp, inertia, &b->equations);
  arena_release(&cx->scratch, mark);
  return status;
}

static void simplify_road(Context *cx, const System *s, SimplifyLevel level, bool for_people,
                          void *road) {
  Boltzmann *b = road;
  const Speeds *sp = &b->equations.speeds;
  if (level == SIMPLIFY_NONE) return;
  simplify_with_stand_ins(cx, &(StandIn){b->u, s->qd, s->n}, 1, level, &b->T, 1);
  expr_simplify_many(cx, b->gamma, sp->n * sp->count * (sp->count + 1), level, b->gamma);
  speeds_simplify_values(cx, sp, s, level, b->momentum, sp->n);
  speed_equations_simplify(cx, s, level, for_people, &b->equations);
}

static void list_rates(Context *cx, const System *s, const void *road, ExprList *out) {
  (void)s;
  speed_equations_rates(cx, &((const Boltzmann *)road)->equations, out);
}

static void list_values(Context *cx, const void *road, ExprList *out) {
  const Boltzmann *b = road;
  const Speeds *sp = &b->equations.speeds;
  vec_push(&cx->scratch, out, b->T);
  for (uint32_t i = 0; i < sp->n * sp->count * (sp->count + 1); i++)
    vec_push(&cx->scratch, out, b->gamma[i]);
  speed_equations_values(cx, &b->equations, out);
}

static void list_differences(Context *cx, System *s, const void *road, ExprList *out) {
  speed_equations_differences(cx, s, &((const Boltzmann *)road)->equations, out);
}

const RoadType boltzmann_hamel_road = {derive_road, simplify_road, list_rates, list_values,
                                       list_differences};
