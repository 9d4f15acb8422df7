// What the constructors promise about one node.
#include "expr/canonical.h"

#include "expr/build.h"

static bool is_sum_canonical(Context *cx, const Node *node) {
  const Pair *p = pairs_of(node);
  if (node->count == 0 || (node->count == 1 && node->number == NUMBER_ZERO)) return false;
  for (uint32_t i = 0; i < node->count; i++) {
    Op op = op_of(cx, p[i].expr);
    if (i && p[i - 1].expr >= p[i].expr) return false;
    if (p[i].number == NUMBER_ZERO || p[i].number == NUMBER_NONE) return false;
    if (op == OP_SUM || op == OP_NUMBER || op == OP_UNDEFINED) return false;
    if (op == OP_PRODUCT && node_of(cx, p[i].expr)->number != NUMBER_ONE) return false;
  }
  return node->number != NUMBER_NONE;
}

static bool is_factor_canonical(Context *cx, Pair p) {
  const Node *base = node_of(cx, p.expr);
  bool whole = number_is_integer(cx, p.number);
  switch (base->op) {
  case OP_UNDEFINED: return false;
  case OP_NUMBER:
    return !whole && number_sign(cx, p.number) > 0 && number_compare(cx, p.number, NUMBER_ONE) < 0;
  case OP_PRODUCT: return !whole && number_abs(cx, base->number) == NUMBER_ONE;
  case OP_SUM: {
    Number content = number_abs(cx, base->number);
    for (uint32_t i = 0; i < base->count; i++)
      content = number_content(cx, content, pairs_of(base)[i].number);
    return content == NUMBER_ONE && (!whole || expr_leading_sign(cx, p.expr) > 0);
  }
  default: return true;
  }
}

static bool is_product_canonical(Context *cx, const Node *node) {
  const Pair *p = pairs_of(node);
  if (node->count == 0 || node->number == NUMBER_ZERO || node->number == NUMBER_NONE) return false;
  if (node->count == 1 && p[0].number == NUMBER_ONE &&
      (node->number == NUMBER_ONE || op_of(cx, p[0].expr) == OP_SUM))
    return false;
  for (uint32_t i = 0; i < node->count; i++) {
    if (i && p[i - 1].expr >= p[i].expr) return false;
    if (p[i].number == NUMBER_ZERO || p[i].number == NUMBER_NONE) return false;
    if (!is_factor_canonical(cx, p[i])) return false;
  }
  return true;
}

static bool is_function_canonical(Context *cx, const Node *node) {
  if (node->count != (uint32_t)op_arity((Op)node->op)) return false;
  for (uint32_t i = 0; i < node->count; i++) {
    if (!expr_is_defined(cx, node->args[i])) return false;
  }
  switch (node->op) {
  case OP_SIN:
  case OP_COS:
  case OP_TAN:
  case OP_SINH:
  case OP_COSH:
  case OP_TANH:
  case OP_ABS:
  case OP_SIGN: return expr_leading_sign(cx, node->args[0]) > 0;
  case OP_MIN:
  case OP_MAX:
  case OP_EQ:
  case OP_AND:
  case OP_OR: return node->args[0] < node->args[1];
  case OP_POW: return !expr_is_number(cx, node->args[1]);
  case OP_IF: return !expr_is_number(cx, node->args[0]) && node->args[1] != node->args[2];
  default: return true;
  }
}

bool expr_is_canonical(Context *cx, Expr e) {
  if (e == 0 || e >= expr_count(cx)) return false;
  const Node *node = node_of(cx, e);
  bool pairs = node->op == OP_SUM || node->op == OP_PRODUCT;
  for (uint32_t i = 0; i < node->count; i++) {
    if ((pairs ? pairs_of(node)[i].expr : node->args[i]) >= e) return false;
  }
  if (node->op == OP_SUM) return is_sum_canonical(cx, node);
  if (node->op == OP_PRODUCT) return is_product_canonical(cx, node);
  return !op_is_function((Op)node->op) || is_function_canonical(cx, node);
}
