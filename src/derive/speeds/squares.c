// Taking T apart: T = sum of factor * w^2 + rest.
#include "derive/speeds/squares.h"

#include "derive/vanishes.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"

enum { VELOCITY_BIT = KIND_BIT(SYMBOL_VELOCITY) };

typedef struct Search {
  Context *cx;
  const System *s;
  Squares *out;
  Expr *Y;            // dw/dq' (n)
  Substitution *rest; // velocities zero
} Search;

static bool moves(Context *cx, Expr e) { return expr_has_kind(cx, e, VELOCITY_BIT); }

// dY_i/dq_j = dY_j/dq_i and dY_i/dt = dy/dq_i for w = Y q' + y: w is the rate of a function.
static bool is_rate(Search *f, Expr w) {
  Context *cx = f->cx;
  const System *s = f->s;
  const uint32_t others = ~(KIND_BIT(SYMBOL_PARAMETER) | KIND_BIT(SYMBOL_TIME) |
                            KIND_BIT(SYMBOL_COORDINATE) | VELOCITY_BIT);
  if (expr_has_kind(cx, w, others)) return false;
  if (op_of(cx, w) == OP_SYMBOL) return true;
  if (expr_is_definition(cx, w) && definition_order(cx, w) == 1)
    return !moves(cx, definition_base(cx, w));
  expr_gradient(cx, w, s->qd, s->n, f->Y);
  Expr y = expr_subst(cx, w, f->rest, s->n);
  for (uint32_t i = 0; i < s->n; i++) {
    for (uint32_t j = 0; j < s->n; j++) {
      Expr a = expr_diff(cx, f->Y[i], s->q[j]), b = expr_diff(cx, f->Y[j], s->q[i]);
      if (!vanishes(cx, expr_diff(cx, f->Y[i], s->qd[j])) || !vanishes(cx, expr_sub(cx, a, b)))
        return false;
    }
    Expr by_time = expr_diff(cx, f->Y[i], s->t);
    if (!vanishes(cx, expr_sub(cx, by_time, expr_diff(cx, y, s->q[i])))) return false;
  }
  return true;
}

static void add_square(Search *f, Expr factor, Expr w) {
  Context *cx = f->cx;
  Expr mass = expr_scale(cx, NUMBER_TWO, factor);
  if (expr_has_kind(cx, mass, ~KIND_BIT(SYMBOL_PARAMETER)) || !is_rate(f, w)) {
    f->out->rest = expr_add(cx, f->out->rest, expr_mul(cx, factor, expr_square(cx, w)));
    return;
  }
  for (uint32_t i = 0; i < f->out->list.n; i++) {
    Square *it = &f->out->list.at[i];
    if (it->velocity != w) continue;
    it->mass = expr_add(cx, it->mass, mass);
    return;
  }
  vec_push(&cx->keep, &f->out->list, ((Square){mass, w}));
}

static void take_apart(Search *f, Expr factor, Expr e);

static void take_sum(Search *f, Expr factor, const Node *sum) {
  Context *cx = f->cx;
  Expr constant = expr_mul(cx, factor, expr_number(cx, sum->number));
  f->out->rest = expr_add(cx, f->out->rest, constant);
  for (uint32_t i = 0; i < sum->count; i++) {
    Pair pair = pairs_of(sum)[i];
    take_apart(f, expr_scale(cx, pair.number, factor), pair.expr);
  }
}

// Factors without velocities go in front; one that has them is a square, or taken apart itself.
static void take_product(Search *f, Expr factor, Expr e) {
  Context *cx = f->cx;
  const Node *node = node_of(cx, e);
  uint32_t moving = 0;
  Pair last = {0};
  Expr front = expr_scale(cx, node->number, factor);
  for (uint32_t i = 0; i < node->count; i++) {
    Pair pair = pairs_of(node)[i];
    if (moves(cx, pair.expr))
      moving++, last = pair;
    else
      front = expr_mul(cx, front, expr_power(cx, pair.expr, pair.number));
  }
  if (moving == 1 && last.number == NUMBER_TWO)
    add_square(f, front, last.expr);
  else if (moving == 1 && last.number == NUMBER_ONE)
    take_apart(f, front, last.expr);
  else
    f->out->rest = expr_add(cx, f->out->rest, expr_mul(cx, factor, e));
}

static void take_apart(Search *f, Expr factor, Expr e) {
  Context *cx = f->cx;
  if (op_of(cx, e) == OP_SUM)
    take_sum(f, factor, node_of(cx, e));
  else if (op_of(cx, e) == OP_PRODUCT)
    take_product(f, factor, e);
  else if (expr_is_definition(cx, e) && moves(cx, e))
    take_apart(f, factor, definition_body(cx, e));
  else
    f->out->rest = expr_add(cx, f->out->rest, expr_mul(cx, factor, e));
}

Squares squares_of(Context *cx, const System *s) {
  Mark mark = arena_mark(&cx->scratch);
  Squares squares = {.rest = expr_int(cx, 0)};
  Search f = {.cx = cx, .s = s, .out = &squares};
  f.Y = arena_array(&cx->scratch, Expr, s->n + 1);
  f.rest = arena_array(&cx->scratch, Substitution, s->n + 1);
  for (uint32_t i = 0; i < s->n; i++) f.rest[i] = (Substitution){s->qd[i], expr_int(cx, 0)};
  take_apart(&f, expr_int(cx, 1), s->T);
  arena_release(&cx->scratch, mark);
  return squares;
}
