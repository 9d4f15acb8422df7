// Reverse sweeps: all partial derivatives of one expression at the cost of a few evaluations.
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"

typedef VEC(Expr) Terms;

typedef struct Sweep {
  ExprMemo *index; // node -> 1 + its place in the list
  ExprList list;
  Terms *adjoints; // terms that add up to the adjoint of list.at[i]
} Sweep;

typedef struct Wanted {
  DepSet deps;
  ExprMemo *leaves; // of a local sweep
  bool local;
} Wanted;

static Visit visit_wanted(const Context *cx, Expr e, void *argument) {
  const Wanted *wanted = argument;
  if (wanted->local) {
    if (memo_get(wanted->leaves, e)) return VISIT_LIST;
    return expr_child_count(cx, e) || op_of(cx, e) == OP_DEFINITION ? VISIT_ENTER : VISIT_SKIP;
  }
  return deps_meet(cx, node_of(cx, e)->deps, wanted->deps) ? VISIT_ENTER : VISIT_SKIP;
}

static void contribute(Context *cx, Sweep *sweep, Expr to, Expr amount) {
  uint32_t place = memo_get(sweep->index, to);
  if (place && !expr_is_zero(cx, amount))
    vec_push(&cx->scratch, &sweep->adjoints[place - 1], amount);
}

// Hands the adjoint of one node down to its children.
static void hand_down(Context *cx, Sweep *sweep, Expr e, Expr adjoint) {
  const Node *node = node_of(cx, e);
  if (node->op == OP_DEFINITION) {
    contribute(cx, sweep, definition_body(cx, e), adjoint);
    return;
  }
  for (uint32_t i = 0; i < expr_child_count(cx, e); i++) {
    Expr child = expr_child(cx, e, i);
    if (!memo_get(sweep->index, child)) continue;
    if (node->op == OP_SUM)
      contribute(cx, sweep, child, expr_scale(cx, pairs_of(node)[i].number, adjoint));
    else
      contribute(cx, sweep, child, expr_mul(cx, adjoint, expr_partial(cx, e, i)));
  }
}

static Expr total(Context *cx, const Terms *terms) {
  return terms->n == 1 ? terms->at[0] : expr_sum(cx, terms->at, terms->n);
}

static void run(Context *cx, Wanted *wanted, const Expr *roots, const Expr *weights,
                size_t root_count, const Expr *leaves, size_t n, Expr *out) {
  Sweep sweep = {.index = memo_take(cx)};
  sweep.list = expr_walk(cx, roots, root_count, visit_wanted, wanted);
  sweep.adjoints = arena_array(&cx->scratch, Terms, sweep.list.n);
  for (uint32_t i = 0; i < sweep.list.n; i++) memo_set(cx, sweep.index, sweep.list.at[i], i + 1);
  for (size_t i = 0; i < root_count; i++) contribute(cx, &sweep, roots[i], weights[i]);
  for (uint32_t i = sweep.list.n; i-- > 0;) {
    Expr e = sweep.list.at[i];
    if (sweep.adjoints[i].n == 0) continue;
    if (wanted->local && memo_get(wanted->leaves, e)) continue;
    if (op_of(cx, e) == OP_SYMBOL) continue;
    Expr adjoint = total(cx, &sweep.adjoints[i]);
    // Sums that pile up at a shared part stay one node.
    if (op_of(cx, e) == OP_DEFINITION) adjoint = expr_hold(cx, adjoint);
    hand_down(cx, &sweep, e, adjoint);
  }
  for (size_t j = 0; j < n; j++) {
    uint32_t place = memo_get(sweep.index, leaves[j]);
    out[j] = place ? total(cx, &sweep.adjoints[place - 1]) : cx->exprs->zero;
  }
  for (size_t i = 0; i < root_count; i++) {
    if (!expr_is_defined(cx, roots[i]))
      for (size_t j = 0; j < n; j++) out[j] = roots[i];
  }
  memo_give(cx, sweep.index);
}

static void gradient(Context *cx, bool local, const Expr *roots, const Expr *weights,
                     size_t root_count, const Expr *leaves, size_t n, Expr *out) {
  Mark mark = arena_mark(&cx->scratch);
  Wanted wanted = {.local = local, .leaves = memo_take(cx)};
  for (size_t j = 0; j < n; j++) {
    memo_set(cx, wanted.leaves, leaves[j], 1);
    if (!local) wanted.deps = deps_union(cx, wanted.deps, node_of(cx, leaves[j])->deps);
  }
  run(cx, &wanted, roots, weights, root_count, leaves, n, out);
  memo_give(cx, wanted.leaves);
  arena_release(&cx->scratch, mark);
}

void expr_gradient(Context *cx, Expr e, const Expr *symbols, size_t n, Expr *out) {
  gradient(cx, false, &e, &cx->exprs->one, 1, symbols, n, out);
}

void expr_gradient_local(Context *cx, Expr e, const Expr *leaves, size_t n, Expr *out) {
  gradient(cx, true, &e, &cx->exprs->one, 1, leaves, n, out);
}

void expr_pull_back(Context *cx, const Expr *roots, const Expr *weights, size_t root_count,
                    const Expr *leaves, size_t n, Expr *out) {
  gradient(cx, true, roots, weights, root_count, leaves, n, out);
}
