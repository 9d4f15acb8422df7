// Nodes and the unique table.
#include "expr/node.h"

#include <string.h>

#include "base/hash.h"

ExprStore *expr_store(Context *cx) {
  if (cx->exprs) return cx->exprs;
  ExprStore *store = cx->exprs = arena_new(&cx->keep, ExprStore);
  number_table_new(cx);
  store->deps = deps_table_new(cx);
  store->slot_count = 1024;
  store->slots = arena_array(&cx->keep, Expr, store->slot_count);
  vec_push(&cx->keep, &store->nodes, NULL);
  store->undefined = node_intern(cx, OP_UNDEFINED, NUMBER_ZERO, 0, NULL, 0);
  store->zero = node_intern(cx, OP_NUMBER, NUMBER_ZERO, 0, NULL, 0);
  store->one = node_intern(cx, OP_NUMBER, NUMBER_ONE, 0, NULL, 0);
  store->pi = node_intern(cx, OP_PI, NUMBER_ZERO, 0, NULL, 0);
  return store;
}

static uint32_t words_of(const Node *node) {
  switch (node->op) {
  case OP_SYMBOL:
  case OP_TABLE: return 3;
  case OP_DEFINITION: return 4;
  case OP_SUM:
  case OP_PRODUCT: return 2 * node->count;
  default: return node->count;
  }
}

static void enlarge(Context *cx, ExprStore *store) {
  store->slot_count *= 2;
  store->slots = arena_array(&cx->keep, Expr, store->slot_count);
  for (Expr e = 1; e < store->nodes.n; e++) {
    uint32_t i = store->nodes.at[e]->hash & (store->slot_count - 1);
    while (store->slots[i]) i = (i + 1) & (store->slot_count - 1);
    store->slots[i] = e;
  }
}

// Joins the dependencies of the children.
static void inherit(Context *cx, Node *node) {
  bool pairs = node->op == OP_SUM || node->op == OP_PRODUCT;
  for (uint32_t i = 0; i < node->count; i++) {
    const Node *child = node_of(cx, pairs ? pairs_of(node)[i].expr : node->args[i]);
    node->deps = deps_union(cx, node->deps, child->deps);
    node->kinds |= child->kinds;
  }
}

static void check_limits(Context *cx, const ExprStore *store) {
  if (cx->limits.nodes && store->nodes.n >= cx->limits.nodes)
    guard_escape(&cx->guard, QDOT_TOO_LARGE);
  if (store->nodes.n % 1024 == 0 || cx->polls_left) context_poll(cx);
}

Expr node_intern(Context *cx, Op op, Number number, uint32_t count, const uint32_t *words,
                 uint32_t word_count) {
  ExprStore *store = cx->exprs;
  uint32_t hash = hash_word(hash_word((uint32_t)op, number), count);
  for (uint32_t i = 0; i < word_count; i++) hash = hash_word(hash, words[i]);
  if (2 * store->nodes.n >= store->slot_count) enlarge(cx, store);
  uint32_t mask = store->slot_count - 1, slot = hash & mask;
  for (; store->slots[slot]; slot = (slot + 1) & mask) {
    const Node *old = store->nodes.at[store->slots[slot]];
    if (old->hash == hash && old->op == op && old->number == number && old->count == count &&
        words_of(old) == word_count &&
        (!word_count || memcmp(old->args, words, word_count * sizeof *words) == 0))
      return store->slots[slot];
  }
  check_limits(cx, store);
  Node *node = arena_alloc(&cx->keep, sizeof *node + word_count * sizeof *words);
  *node = (Node){.hash = hash, .op = (uint16_t)op, .count = count, .number = number};
  if (word_count) memcpy(node->args, words, word_count * sizeof *words);
  if (op == OP_SYMBOL) {
    node->deps = deps_single(cx, node->args[2]);
    node->kinds = (uint16_t)KIND_BIT(node->args[1]);
  } else {
    inherit(cx, node);
  }
  Expr e = store->nodes.n;
  vec_push(&cx->keep, &store->nodes, node);
  return store->slots[slot] = e;
}

uint32_t expr_count(const Context *cx) { return cx->exprs ? cx->exprs->nodes.n : 0; }

SymbolKind symbol_kind(const Context *cx, Expr e) { return (SymbolKind)node_of(cx, e)->args[1]; }
Symbol symbol_name(const Context *cx, Expr e) { return node_of(cx, e)->args[0]; }
uint32_t symbol_variable(const Context *cx, Expr e) { return node_of(cx, e)->args[2]; }

bool expr_depends(const Context *cx, Expr e, Expr symbol) {
  return deps_has(cx, node_of(cx, e)->deps, symbol_variable(cx, symbol));
}

bool expr_has_kind(const Context *cx, Expr e, uint32_t kinds) {
  return (node_of(cx, e)->kinds & kinds) != 0;
}

bool expr_is_number(const Context *cx, Expr e) { return op_of(cx, e) == OP_NUMBER; }

Number expr_number_value(const Context *cx, Expr e) {
  return expr_is_number(cx, e) ? node_of(cx, e)->number : NUMBER_NONE;
}

bool expr_is_zero(const Context *cx, Expr e) { return e == cx->exprs->zero; }
bool expr_is_one(const Context *cx, Expr e) { return e == cx->exprs->one; }
bool expr_is_defined(const Context *cx, Expr e) { return e != cx->exprs->undefined; }

Number expr_coefficient(const Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  return node->op == OP_PRODUCT || node->op == OP_NUMBER ? node->number : NUMBER_ONE;
}

// Positive minus negative terms; with moving, of those alone that contain more than parameters.
static int balance_of(const Context *cx, const Node *sum, bool moving) {
  int balance = moving ? 0 : number_sign(cx, sum->number);
  for (uint32_t i = 0; i < sum->count; i++) {
    Pair p = pairs_of(sum)[i];
    if (!moving || expr_has_kind(cx, p.expr, ~KIND_BIT(SYMBOL_PARAMETER)))
      balance += number_sign(cx, p.number);
  }
  return balance;
}

int expr_leading_sign(const Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  if (node->op != OP_SUM) return number_sign(cx, expr_coefficient(cx, e)) < 0 ? -1 : 1;
  int balance = balance_of(cx, node, false);
  // 1 - cos(x)
  if (!balance && node->count == 1 && op_is_function(op_of(cx, pairs_of(node)[0].expr)))
    balance = number_sign(cx, node->number);
  if (!balance) balance = balance_of(cx, node, true);
  if (!balance) balance = number_sign(cx, pairs_of(node)[0].number);
  return balance < 0 ? -1 : 1;
}
