// The sparse, local form of the equations.
#include "derive/lifted.h"

#include "derive/derive.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"

#define MOVING_KINDS                                                                               \
  (KIND_BIT(SYMBOL_COORDINATE) | KIND_BIT(SYMBOL_VELOCITY) | KIND_BIT(SYMBOL_ACCELERATION))
#define RATE_KINDS                                                                                 \
  (KIND_BIT(SYMBOL_VELOCITY) | KIND_BIT(SYMBOL_ACCELERATION) | KIND_BIT(SYMBOL_STATE) |            \
   KIND_BIT(SYMBOL_STATE_RATE))

// A named let of positions and time only, or a time derivative of one.
static bool is_liftable(const Context *cx, Expr definition) {
  if (!definition_name(cx, definition)) return false;
  Expr base = definition_base(cx, definition);
  return expr_has_kind(cx, base, KIND_BIT(SYMBOL_COORDINATE)) &&
         !expr_has_kind(cx, base, RATE_KINDS);
}

static bool must_open(const Context *cx, Expr definition, void *unused) {
  (void)unused;
  return expr_has_kind(cx, definition, MOVING_KINDS) && !is_liftable(cx, definition);
}

static Visit visit_definitions(const Context *cx, Expr e, void *unused) {
  (void)unused;
  return expr_has_kind(cx, e, MOVING_KINDS) ? VISIT_ENTER : VISIT_SKIP;
}

Lifting derive_lifting(Context *cx, const System *s, Expr *roots, size_t count) {
  expr_open_some(cx, roots, count, must_open, NULL, roots);
  Lifting lift = {0};
  Mark mark = arena_mark(&cx->scratch);
  ExprList list = expr_walk(cx, roots, count, visit_definitions, NULL);
  ExprMemo *seen = memo_take(cx);
  // Bases come before what uses them because ids ascend; a derivative may be met without its base.
  ExprList bases = {0};
  for (uint32_t i = 0; i < list.n; i++) {
    if (!expr_is_definition(cx, list.at[i])) continue;
    Expr base = definition_base(cx, list.at[i]);
    if (!memo_get(seen, base)) vec_push(&cx->scratch, &bases, base);
    memo_set(cx, seen, base, 1);
  }
  // Bodies of bases that only occur through their derivatives are part of the lifting too.
  ExprList all = expr_walk(cx, bases.at, bases.n, visit_definitions, NULL);
  for (uint32_t i = 0; i < all.n; i++) {
    if (expr_is_definition(cx, all.at[i]) && is_liftable(cx, all.at[i]))
      vec_push(&cx->keep, &lift.definitions, all.at[i]);
  }
  memo_give(cx, seen);
  arena_release(&cx->scratch, mark);

  lift.count = s->n + lift.definitions.n;
  Expr *z = arena_array(&cx->keep, Expr, lift.count);
  Expr *zd = arena_array(&cx->keep, Expr, lift.count);
  Expr *zdd = arena_array(&cx->keep, Expr, lift.count);
  for (uint32_t i = 0; i < lift.count; i++) {
    z[i] = i < s->n ? s->q[i] : lift.definitions.at[i - s->n];
    zd[i] = expr_time_derivative(cx, z[i]);
    zdd[i] = expr_time_derivative(cx, zd[i]);
  }
  lift.z = z, lift.zd = zd, lift.zdd = zdd;
  return lift;
}

// ---- Local derivatives

Slopes derive_slopes(Context *cx, const Lifting *lift, Expr e) {
  // Both kinds are leaves of the same sweep: neither is seen through to the other.
  Expr *leaves = arena_array(&cx->scratch, Expr, 2 * lift->count);
  for (uint32_t i = 0; i < lift->count; i++)
    leaves[i] = lift->z[i], leaves[lift->count + i] = lift->zd[i];
  Expr *slopes = arena_array(&cx->scratch, Expr, 2 * lift->count);
  expr_gradient_local(cx, e, leaves, 2 * lift->count, slopes);
  return (Slopes){slopes, slopes + lift->count};
}

typedef struct Locals {
  Context *cx;
  const Lifting *lift;
  ExprMemo *z, *zd, *zdd; // leaf -> 1 + its number
} Locals;

static Locals locals_open(Context *cx, const Lifting *lift) {
  Locals locals = {cx, lift, memo_take(cx), memo_take(cx), memo_take(cx)};
  for (uint32_t i = 0; i < lift->count; i++) {
    memo_set(cx, locals.z, lift->z[i], i + 1);
    memo_set(cx, locals.zd, lift->zd[i], i + 1);
    memo_set(cx, locals.zdd, lift->zdd[i], i + 1);
  }
  return locals;
}

static void locals_close(Locals *locals) {
  memo_give(locals->cx, locals->zdd);
  memo_give(locals->cx, locals->zd);
  memo_give(locals->cx, locals->z);
}

static bool is_local_leaf(const Locals *locals, Expr e) {
  return memo_get(locals->z, e) || memo_get(locals->zd, e) || memo_get(locals->zdd, e);
}

static Visit visit_local(const Context *cx, Expr e, void *argument) {
  const Locals *locals = argument;
  if (is_local_leaf(locals, e)) return VISIT_LIST;
  return expr_has_kind(cx, e, MOVING_KINDS) ? VISIT_ENTER : VISIT_SKIP;
}

// Appends (row, j, factor * de/dleaf_j) for the leaves of one kind that occur in e.
static void add_local_row(Locals *locals, const ExprMemo *kind, Expr e, uint32_t row, Number factor,
                          Entries *out) {
  Context *cx = locals->cx;
  Mark mark = arena_mark(&cx->scratch);
  ExprList list = expr_walk(cx, &e, 1, visit_local, locals), leaves = {0};
  for (uint32_t i = 0; i < list.n; i++) {
    if (is_local_leaf(locals, list.at[i])) vec_push(&cx->scratch, &leaves, list.at[i]);
  }
  Expr *slope = arena_array(&cx->scratch, Expr, leaves.n);
  expr_gradient_local(cx, e, leaves.at, leaves.n, slope);
  for (uint32_t i = 0; i < leaves.n; i++) {
    uint32_t number = memo_get(kind, leaves.at[i]);
    if (!number || expr_is_zero(cx, slope[i])) continue;
    Entry entry = {row, number - 1, expr_scale(cx, factor, slope[i])};
    vec_push(&cx->keep, out, entry);
  }
  arena_release(&cx->scratch, mark);
}

static Rewrite drop_acceleration(Context *cx, Expr e, void *argument) {
  const Locals *locals = argument;
  if (memo_get(locals->zdd, e)) return (Rewrite){REWRITE_TO, cx->exprs->zero};
  if (is_local_leaf(locals, e) || !expr_has_kind(cx, e, MOVING_KINDS))
    return (Rewrite){REWRITE_KEEP, 0};
  return (Rewrite){REWRITE_INSIDE, 0};
}

// The n-th time derivative of e where no z moves with an acceleration.
static Expr steady_rate(Locals *locals, Expr e, int order) {
  for (int i = 0; i < order; i++) e = expr_time_derivative(locals->cx, e);
  Expr rest;
  expr_rewrite(locals->cx, &e, 1, drop_acceleration, locals, &rest);
  return rest;
}

// ---- Assembly

// Everything of the system that is differentiated, opened as far as lifting needs.
typedef struct Roots {
  Expr *all; // T, V, R, then:
  Expr *phi, *contact_phi, *points;
  size_t count;
} Roots;

static Roots gather_roots(Context *cx, const System *s) {
  const Model *model = s->model;
  Roots roots = {0};
  roots.count = 3 + s->row_count + s->contact_count + 3 * model->point_forces.n;
  roots.all = arena_array(&cx->scratch, Expr, roots.count);
  Expr *at = roots.all;
  *at++ = s->T, *at++ = s->V, *at++ = s->R;
  roots.phi = at;
  for (uint32_t i = 0; i < s->row_count; i++) *at++ = s->rows[i].phi;
  roots.contact_phi = at;
  for (uint32_t i = 0; i < s->contact_count; i++) *at++ = s->contacts[i].phi;
  roots.points = at;
  for (uint32_t i = 0; i < model->point_forces.n; i++) {
    const PointForce *f = &model->point_forces.at[i];
    for (uint32_t k = 0; k < 3; k++) *at++ = k < f->n ? f->point[k] : cx->exprs->zero;
  }
  return roots;
}

// H and f: local Lagrange equations with the accelerations left out.
static void assemble_dynamics(Locals *locals, const System *s, const Roots *roots, Lifted *out) {
  Context *cx = locals->cx;
  const Lifting *lift = locals->lift;
  Mark mark = arena_mark(&cx->scratch);
  Slopes T = derive_slopes(cx, lift, roots->all[0]);
  Slopes V = derive_slopes(cx, lift, roots->all[1]);
  Slopes R = derive_slopes(cx, lift, roots->all[2]);
  for (uint32_t i = 0; i < lift->count; i++) {
    Entries row = {0};
    add_local_row(locals, locals->zd, T.by_zd[i], i, NUMBER_ONE, &row);
    for (uint32_t k = 0; k < row.n; k++) {
      if (row.at[k].column <= i) vec_push(&cx->keep, &out->H, row.at[k]);
    }
    Pair terms[4] = {{steady_rate(locals, T.by_zd[i], 1), NUMBER_MINUS_ONE},
                     {T.by_z[i], NUMBER_ONE},
                     {V.by_z[i], NUMBER_MINUS_ONE},
                     {R.by_zd[i], NUMBER_MINUS_ONE}};
    out->f[i] = expr_linear(cx, NUMBER_ZERO, terms, 4);
  }
  arena_release(&cx->scratch, mark);
  for (uint32_t i = 0; i < s->model->forces.n; i++) {
    const Force *f = &s->model->forces.at[i];
    out->f[f->coordinate] = expr_add(cx, out->f[f->coordinate], f->value);
  }
}

// f_j += force . dpoint/dz_j
static void add_point_forces(Locals *locals, const System *s, const Roots *roots, Lifted *out) {
  Context *cx = locals->cx;
  for (uint32_t i = 0; i < s->model->point_forces.n; i++) {
    const PointForce *force = &s->model->point_forces.at[i];
    for (uint32_t k = 0; k < force->n; k++) {
      Entries row = {0};
      add_local_row(locals, locals->z, roots->points[3 * i + k], 0, NUMBER_ONE, &row);
      for (uint32_t e = 0; e < row.n; e++) {
        Expr *f = &out->f[row.at[e].column];
        *f = expr_add(cx, *f, expr_mul(cx, force->force[k], row.at[e].value));
      }
    }
  }
}

static void assemble_rows(Locals *locals, const Row *rows, const Expr *phi, uint32_t n,
                          Entries *entries, Expr *gamma) {
  for (uint32_t i = 0; i < n; i++) {
    bool nonholonomic = rows[i].is_nonholonomic;
    add_local_row(locals, nonholonomic ? locals->zd : locals->z, phi[i], i, NUMBER_ONE, entries);
    gamma[i] = expr_neg(locals->cx, steady_rate(locals, phi[i], nonholonomic ? 1 : 2));
  }
}

static void assemble_definitions(Locals *locals, Lifted *out) {
  Context *cx = locals->cx;
  for (uint32_t k = 0; k < out->m; k++) {
    Expr body = definition_body(cx, locals->lift->definitions.at[k]);
    add_local_row(locals, locals->z, body, k, NUMBER_MINUS_ONE, &out->J);
    out->b[k] = steady_rate(locals, body, 2);
  }
}

void derive_lifted(Context *cx, System *s) {
  if (s->lifted) return;
  Mark mark = arena_mark(&cx->scratch);
  Roots roots = gather_roots(cx, s);
  Lifting lift = derive_lifting(cx, s, roots.all, roots.count);
  Lifted *out = arena_new(&cx->keep, Lifted);
  *out = (Lifted){.n = s->n,
                  .m = lift.definitions.n,
                  .z = lift.z,
                  .zd = lift.zd,
                  .zdd = lift.zdd,
                  .f = arena_array(&cx->keep, Expr, lift.count),
                  .b = arena_array(&cx->keep, Expr, lift.definitions.n),
                  .gamma = arena_array(&cx->keep, Expr, s->row_count),
                  .contact_gamma = arena_array(&cx->keep, Expr, s->contact_count)};
  Locals locals = locals_open(cx, &lift);
  assemble_dynamics(&locals, s, &roots, out);
  add_point_forces(&locals, s, &roots, out);
  assemble_definitions(&locals, out);
  assemble_rows(&locals, s->rows, roots.phi, s->row_count, &out->constraints, out->gamma);
  assemble_rows(&locals, s->contacts, roots.contact_phi, s->contact_count, &out->contacts,
                out->contact_gamma);
  locals_close(&locals);
  s->lifted = out;
  arena_release(&cx->scratch, mark);
}
