// Running error analysis.
#include "expr/value/bound.h"

#include <float.h>
#include <math.h>

#include "expr/walk.h"
#include "program/elementary.h"

#define UNIT (4 * DBL_EPSILON) // of one operation, libm included

typedef struct Values {
  ExprMemo *index;
  Bounded *at;
} Values;

static Bounded of_child(const Values *v, Expr e) { return v->at[memo_get(v->index, e) - 1]; }

static Bounded rounded(double value, double error) {
  return (Bounded){value, error + UNIT * fabs(value)};
}

static Bounded bounded_sum(Context *cx, const Node *node, const Values *v) {
  double sum = number_to_double(cx, node->number), size = fabs(sum), error = 0;
  for (uint32_t i = 0; i < node->count; i++) {
    Bounded b = of_child(v, pairs_of(node)[i].expr);
    double c = number_to_double(cx, pairs_of(node)[i].number);
    sum += c * b.value;
    size += fabs(c * b.value);
    error += fabs(c) * b.error;
  }
  return (Bounded){sum, error + UNIT * size};
}

// Relative errors add up; a factor that may be 0 has an absolute one.
static Bounded bounded_product(Context *cx, const Node *node, const Values *v) {
  double product = number_to_double(cx, node->number), relative = 0;
  for (uint32_t i = 0; i < node->count; i++) {
    Bounded b = of_child(v, pairs_of(node)[i].expr);
    double exponent = number_to_double(cx, pairs_of(node)[i].number);
    product *= power_value(b.value, exponent);
    relative += fabs(exponent) * (b.error / fabs(b.value) + UNIT);
    if (!(b.error < 0.1 * fabs(b.value))) relative = INFINITY;
  }
  if (product == 0 || isinf(relative)) return (Bounded){product, INFINITY};
  return rounded(product, 1.5 * relative * fabs(product));
}

static bool is_undecided(Bounded a, Bounded b) {
  return !(fabs(a.value - b.value) > a.error + b.error);
}

static Bounded bounded_function(const Node *node, const Values *v) {
  Bounded a[3] = {{0, 0}, {0, 0}, {0, 0}};
  for (uint32_t i = 0; i < node->count; i++) a[i] = of_child(v, node->args[i]);
  Op op = (Op)node->op;
  double value = op_value(op, (double[]){a[0].value, a[1].value, a[2].value});
  switch (op) {
  case OP_SIGN: return (Bounded){value, is_undecided(a[0], (Bounded){0, 0}) ? INFINITY : 0};
  case OP_LT:
  case OP_LE:
  case OP_EQ: return (Bounded){value, is_undecided(a[0], a[1]) ? INFINITY : 0};
  case OP_AND:
  case OP_OR:
  case OP_NOT: return (Bounded){value, a[0].error + a[1].error};
  case OP_IF: return a[0].error > 0 ? (Bounded){value, INFINITY} : a[0].value != 0 ? a[1] : a[2];
  case OP_MIN:
  case OP_MAX: return (Bounded){value, fmax(a[0].error, a[1].error)};
  case OP_ATAN2: {
    // On the negative axis an angle of pi may as well be -pi.
    if (a[1].value < 0 && is_undecided(a[0], (Bounded){0, 0})) return (Bounded){value, INFINITY};
    double square = a[0].value * a[0].value + a[1].value * a[1].value;
    double change = fabs(a[1].value) * a[0].error + fabs(a[0].value) * a[1].error;
    return rounded(value, 2 * change / square);
  }
  case OP_POW: {
    if (!(a[0].error < 0.1 * fabs(a[0].value))) return (Bounded){value, INFINITY};
    double relative = fabs(a[1].value) * a[0].error / fabs(a[0].value) +
                      fabs(elementary_log(fabs(a[0].value))) * a[1].error;
    return rounded(value, 2 * fabs(value) * relative);
  }
  default: return rounded(value, 2 * op_slope(op, a[0].value, value) * a[0].error);
  }
}

// Nothing is known where the argument may lie on either side of a knot.
static Bounded bounded_table(Context *cx, const Node *node, const Values *v) {
  const TableData *t = table_get(cx, node_table(node));
  TableAspect aspect = node_aspect(node);
  Bounded a = of_child(v, node->args[0]);
  double value = table_value(t, aspect, a.value);
  double number = table_piece_number(t, a.value);
  if (table_piece_number(t, a.value - a.error) != number ||
      table_piece_number(t, a.value + a.error) != number)
    return (Bounded){value, INFINITY};
  TablePiece p = table_piece(t, number);
  double d = a.value - p.origin, size = fabs(a.value) + fabs(p.origin), slope = 1;
  if (aspect < TABLE_THIRD) slope = fabs(table_value(t, (TableAspect)(aspect + 1), a.value));
  // the terms of the polynomial, and what their sum may lose
  double most = fabs(value) + size;
  for (uint32_t k = 0; k <= t->degree; k++)
    most = fmax(most, fabs(p.c[k]) * elementary_pow(fabs(d) + 1, k));
  return rounded(value, 2 * slope * (a.error + UNIT * size) + 16 * UNIT * most);
}

static Bounded bounded_node(Context *cx, Expr e, const Values *v, const double *symbols) {
  const Node *node = node_of(cx, e);
  switch (node->op) {
  case OP_NUMBER: return rounded(number_to_double(cx, node->number), 0);
  case OP_PI: return rounded(M_PI, 0);
  case OP_SYMBOL: return (Bounded){symbols[node->args[2]], 0};
  case OP_DEFINITION: return of_child(v, node->args[0]);
  case OP_SUM: return bounded_sum(cx, node, v);
  case OP_PRODUCT: return bounded_product(cx, node, v);
  case OP_TABLE: return bounded_table(cx, node, v);
  default: return bounded_function(node, v);
  }
}

Bounded expr_eval_bounded(Context *cx, Expr e, const double *symbols) {
  Mark mark = arena_mark(&cx->scratch);
  ExprList list = expr_walk(cx, &e, 1, visit_all, NULL);
  Values v = {memo_take(cx), arena_array(&cx->scratch, Bounded, list.n)};
  for (uint32_t i = 0; i < list.n; i++) {
    memo_set(cx, v.index, list.at[i], i + 1);
    v.at[i] = bounded_node(cx, list.at[i], &v, symbols);
  }
  Bounded result = of_child(&v, e);
  memo_give(cx, v.index);
  arena_release(&cx->scratch, mark);
  return result;
}
