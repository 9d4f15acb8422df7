// Roots that have a name.
#include "expr/algebra/named_root.h"

#include "expr/build.h"
#include "expr/define.h"
#include "expr/subst.h"

// definition = constant * base^exponent
typedef struct NamedRoot {
  Expr definition, base, constant;
  Number exponent;
} NamedRoot;

struct NamedRoots {
  Context *cx;
  ExprMemo *seen, *kept; // definitions looked at, and those that stay
  VEC(NamedRoot) list;
};

static Rewrite open_unless_kept(Context *cx, Expr e, void *argument) {
  const NamedRoots *roots = argument;
  if (!expr_is_definition(cx, e)) return (Rewrite){REWRITE_INSIDE, 0};
  return (Rewrite){memo_get(roots->kept, e) ? REWRITE_KEEP : REWRITE_OPEN, 0};
}

// A product of numbers' roots and one root of something else.
static bool is_root(Context *cx, Expr body, NamedRoot *root) {
  const Node *node = node_of(cx, body);
  if (node->op != OP_PRODUCT) return false;
  uint32_t found = 0;
  for (uint32_t i = 0; i < node->count; i++) {
    Pair p = pairs_of(node)[i];
    if (op_of(cx, p.expr) == OP_NUMBER) continue;
    if (number_is_integer(cx, p.number) || op_of(cx, p.expr) == OP_SYMBOL) return false;
    root->base = p.expr, root->exponent = p.number;
    found++;
  }
  if (found != 1) return false;
  root->constant = expr_div(cx, body, expr_power(cx, root->base, root->exponent));
  return true;
}

// Before opening: a product with a root in it.
static bool may_be_root(const Context *cx, Expr body) {
  const Node *node = node_of(cx, body);
  for (uint32_t i = 0; node->op == OP_PRODUCT && i < node->count; i++) {
    if (!number_is_integer(cx, pairs_of(node)[i].number)) return true;
  }
  return false;
}

// Is this let, opened as far as the roots before it allow, a root?
static void look_at(NamedRoots *roots, Expr definition) {
  Context *cx = roots->cx;
  Expr base = definition_base(cx, definition), body = definition_body(cx, definition), opened;
  if (!definition_name(cx, definition) || memo_get(roots->seen, definition)) return;
  memo_set(cx, roots->seen, definition, 1);
  if (base != definition) {
    // a time derivative stays when what it differentiates does
    look_at(roots, base);
    if (memo_get(roots->kept, base)) memo_set(cx, roots->kept, definition, 1);
    return;
  }
  if (!may_be_root(cx, body)) return;
  NamedRoot root = {.definition = definition};
  expr_rewrite(cx, &body, 1, open_unless_kept, roots, &opened);
  if (!is_root(cx, opened, &root)) return;
  memo_set(cx, roots->kept, definition, 1);
  vec_push(&cx->scratch, &roots->list, root);
}

NamedRoots *named_roots_find(Context *cx, const Expr *exprs, size_t n) {
  NamedRoots *roots = arena_new(&cx->scratch, NamedRoots);
  *roots = (NamedRoots){.cx = cx, .seen = memo_take(cx), .kept = memo_take(cx)};
  ExprList list = expr_walk(cx, exprs, n, visit_all, NULL);
  for (uint32_t i = 0; i < list.n; i++) {
    if (expr_is_definition(cx, list.at[i])) look_at(roots, list.at[i]);
  }
  return roots;
}

void named_roots_close(NamedRoots *roots) {
  memo_give(roots->cx, roots->kept);
  memo_give(roots->cx, roots->seen);
}

void named_roots_open(NamedRoots *roots, const Expr *exprs, size_t n, Expr *out) {
  expr_rewrite(roots->cx, exprs, n, open_unless_kept, roots, out);
}

Expr named_root_power(const NamedRoots *roots, Expr base, Number exponent) {
  Context *cx = roots->cx;
  for (uint32_t i = 0; i < roots->list.n; i++) {
    NamedRoot r = roots->list.at[i];
    Number power = r.base == base ? number_div(cx, exponent, r.exponent) : NUMBER_NONE;
    if (power == NUMBER_NONE || !number_is_integer(cx, power)) continue;
    return expr_power(cx, expr_div(cx, r.definition, r.constant), power);
  }
  return 0;
}
