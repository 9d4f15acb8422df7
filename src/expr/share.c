// Naming of shared parts.
#include "expr/share.h"

#include <math.h>

#include "expr/cost.h"
#include "expr/define.h"

#define NAME 2.0

static bool is_leaf(const Context *cx, Expr e) {
  Op op = op_of(cx, e);
  return op != OP_DEFINITION && op < OP_SUM;
}

static bool is_let(const Context *cx, Expr e) {
  return expr_is_definition(cx, e) && definition_name(cx, e) != 0;
}

// How often each node is written when every node is written once: parents' mentions.
static uint32_t *count_uses(Context *cx, const ExprList *list, const ExprMemo *index,
                            const Expr *roots, size_t n) {
  uint32_t *uses = arena_array(&cx->scratch, uint32_t, list->n);
  for (size_t i = 0; i < n; i++) uses[memo_get(index, roots[i]) - 1]++;
  for (uint32_t i = 0; i < list->n; i++) {
    const Node *node = node_of(cx, list->at[i]);
    bool pairs = node->op == OP_SUM || node->op == OP_PRODUCT;
    for (uint32_t k = 0; k < node->count; k++) {
      Expr child = pairs ? pairs_of(node)[k].expr : node->args[k];
      uses[memo_get(index, child) - 1]++;
    }
  }
  return uses;
}

typedef struct Sharing {
  ExprList list; // the nodes, children first
  uint32_t *uses;
  double *cost; // as a parent writes it
  bool *named;
  Costs costs;
} Sharing;

// The cost of all that is written; with names, repeated parts are named on the way up.
static double write_out(Context *cx, Sharing *s, const Expr *roots, size_t n, double least) {
  double written = 0;
  for (uint32_t i = 0; i < s->list.n; i++) {
    Expr e = s->list.at[i];
    double cost;
    if (is_let(cx, e))
      cost = s->cost[memo_get(s->costs.index, definition_body(cx, e)) - 1];
    else
      cost = expr_node_cost(cx, e, &s->costs);
    bool saves = (s->uses[i] - 1) * (cost - NAME) > least;
    s->named[i] = is_let(cx, e) || (saves && !is_leaf(cx, e));
    if (s->named[i]) written += cost + NAME + 1;
    s->cost[i] = s->named[i] ? NAME : cost;
  }
  for (size_t i = 0; i < n; i++) written += s->cost[memo_get(s->costs.index, roots[i]) - 1];
  return written;
}

ExprList expr_shared_parts(Context *cx, const Expr *roots, size_t n, ShareOptions options) {
  ExprMemo *index = memo_take(cx);
  Sharing s = {.list = expr_walk(cx, roots, n, visit_all, NULL)};
  for (uint32_t i = 0; i < s.list.n; i++) memo_set(cx, index, s.list.at[i], i + 1);
  s.uses = count_uses(cx, &s.list, index, roots, n);
  s.cost = arena_array(&cx->scratch, double, s.list.n);
  s.named = arena_array(&cx->scratch, bool, s.list.n);
  s.costs = (Costs){index, s.cost};
  // Without names for anything but definitions; then with them.
  double plain = write_out(cx, &s, roots, n, HUGE_VAL);
  double shared = write_out(cx, &s, roots, n, options.least);
  if (!(plain > options.ratio * shared)) write_out(cx, &s, roots, n, HUGE_VAL);
  ExprList parts = {0};
  for (uint32_t i = 0; i < s.list.n; i++) {
    if (s.named[i]) vec_push(&cx->scratch, &parts, s.list.at[i]);
  }
  memo_give(cx, index);
  return parts;
}
