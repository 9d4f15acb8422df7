// Units of expressions, as they stand beside axes.
#include "show/quantity.h"

#include <string.h>

#include "expr/walk.h"

typedef struct QuantityWalk {
  Context *cx;
  const Model *model;
  ExprMemo *places; // place in found + 1
  Quantity *found;
} QuantityWalk;

static Quantity pure(bool is_angle) {
  return (Quantity){.dimension = dimension_pure(), .is_known = true, .is_angle = is_angle};
}

static bool names_an_angle(const char *unit) {
  return unit && (strstr(unit, "rad") || strstr(unit, "deg") || strstr(unit, "rpm"));
}

static Quantity from_measure(const Measure *measure) {
  return (Quantity){.dimension = measure->is_known ? measure->dimension : dimension_pure(),
                    .is_known = measure->is_known,
                    .is_angle = names_an_angle(measure->unit)};
}

static Quantity rate_of(Quantity q, int order) {
  q.dimension = dimension_mul(q.dimension, dimension_base(0, 0, -order));
  return q;
}

static Quantity coordinate_quantity(const Coordinate *c, int order) {
  Quantity q = from_measure(&c->measure);
  q.is_angle = q.is_known && dimension_is_pure(q.dimension);
  return rate_of(q, order);
}

// lambda times phi (or its rate) is an energy (a power).
static Quantity multiplier_quantity(QuantityWalk *w, const NameEntry *entry) {
  bool contact = entry->kind == NAME_CONTACT_FORCE;
  Expr phi = contact ? w->model->contacts.at[entry->number].phi
                     : w->model->constraints.at[entry->number].phi;
  bool velocity = !contact && w->model->constraints.at[entry->number].is_nonholonomic;
  Quantity of_phi = quantity_of(w->cx, w->model, phi);
  Dimension work = dimension_base(1, 2, velocity ? -3 : -2);
  return (Quantity){.dimension = dimension_div(work, of_phi.dimension),
                    .is_known = of_phi.is_known};
}

static Quantity symbol_quantity(QuantityWalk *w, Expr e) {
  SymbolKind kind = symbol_kind(w->cx, e);
  if (kind == SYMBOL_TIME) return rate_of(pure(false), -1);
  const NameEntry *entry = model_find(w->model, symbol_name(w->cx, e));
  int order = kind == SYMBOL_VELOCITY ? 1 : kind == SYMBOL_ACCELERATION ? 2 : 0;
  switch (entry ? entry->kind : NAME_NONE) {
  case NAME_PARAMETER: return from_measure(&w->model->parameters.at[entry->number].measure);
  case NAME_INPUT: return from_measure(&w->model->inputs.at[entry->number].measure);
  case NAME_COORDINATE: return coordinate_quantity(&w->model->coordinates.at[entry->number], order);
  case NAME_CONSTRAINT_FORCE:
  case NAME_CONTACT_FORCE: return multiplier_quantity(w, entry);
  default: return (Quantity){.dimension = dimension_pure()};
  }
}

static Quantity child_quantity(const QuantityWalk *w, Expr e) {
  return w->found[memo_get(w->places, e) - 1];
}

// Terms are alike; a bare number takes the dimension of its neighbours.
static Quantity sum_quantity(const QuantityWalk *w, const Node *node) {
  Quantity sum = {.dimension = dimension_pure()};
  for (uint32_t i = 0; i < node->count; i++) {
    Quantity term = child_quantity(w, pairs_of(node)[i].expr);
    bool angle = sum.is_angle || term.is_angle;
    if (!sum.is_known && term.is_known) sum = term;
    sum.is_angle = angle;
  }
  return sum;
}

// One angle times pure numbers is an angle, as is its rate.
static Quantity product_quantity(const QuantityWalk *w, const Node *node) {
  Quantity product = pure(false);
  int angles = 0;
  for (uint32_t i = 0; i < node->count; i++) {
    Pair pair = pairs_of(node)[i];
    Quantity factor = child_quantity(w, pair.expr);
    Ratio exponent;
    if (!ratio_from_double(number_to_double(w->cx, pair.number), &exponent))
      product.is_known = false;
    else
      product.dimension =
          dimension_mul(product.dimension, dimension_pow(factor.dimension, exponent));
    product.is_known = product.is_known && factor.is_known;
    if (factor.is_angle) angles += pair.number == NUMBER_ONE ? 1 : 2;
  }
  product.is_angle = angles == 1;
  return product;
}

static Quantity function_quantity(const QuantityWalk *w, const Node *node) {
  switch (node->op) {
  case OP_ASIN:
  case OP_ACOS:
  case OP_ATAN:
  case OP_ATAN2: return pure(true);
  case OP_ABS: return child_quantity(w, node->args[0]);
  case OP_MIN:
  case OP_MAX: {
    Quantity first = child_quantity(w, node->args[0]);
    bool bare = !first.is_known || op_of(w->cx, node->args[0]) == OP_NUMBER;
    return bare ? child_quantity(w, node->args[1]) : first;
  }
  case OP_IF:
    return child_quantity(w, node->args[op_of(w->cx, node->args[1]) == OP_NUMBER ? 2 : 1]);
  default: return pure(false);
  }
}

static Quantity node_quantity(QuantityWalk *w, Expr e) {
  const Node *node = node_of(w->cx, e);
  switch (node->op) {
  case OP_SYMBOL: return symbol_quantity(w, e);
  case OP_DEFINITION: return child_quantity(w, node->args[0]);
  case OP_SUM: return sum_quantity(w, node);
  case OP_PRODUCT: return product_quantity(w, node);
  default: return op_is_function((Op)node->op) ? function_quantity(w, node) : pure(false);
  }
}

Quantity quantity_of(Context *cx, const Model *model, Expr e) {
  Mark mark = arena_mark(&cx->scratch);
  ExprList list = expr_walk(cx, &e, 1, visit_all, NULL);
  QuantityWalk w = {cx, model, memo_take(cx), arena_array(&cx->scratch, Quantity, list.n)};
  for (uint32_t i = 0; i < list.n; i++) {
    w.found[i] = node_quantity(&w, list.at[i]);
    memo_set(cx, w.places, list.at[i], i + 1);
  }
  Quantity result = child_quantity(&w, e);
  memo_give(cx, w.places);
  arena_release(&cx->scratch, mark);
  if (!dimension_is_valid(result.dimension)) result = (Quantity){.dimension = dimension_pure()};
  return result;
}

bool quantity_is_equal(Quantity a, Quantity b) {
  return a.is_known == b.is_known && dimension_is_equal(a.dimension, b.dimension) &&
         a.is_angle == b.is_angle;
}

// Units that people write with a name of their own.
static const struct {
  int kg, m, s;
  bool is_angle;
  const char *text;
} known_units[] = {
    {0, 0, 0, true, "rad"},   {0, 0, -1, true, "rad/s"},  {0, 0, -2, true, "rad/s²"},
    {1, 1, -2, false, "N"},   {1, 2, -2, false, "N m"},   {1, 2, -3, false, "W"},
    {1, 0, -2, false, "N/m"}, {1, 0, -1, false, "N s/m"}, {1, 2, -1, false, "N m s"},
    {1, -1, -2, false, "Pa"}, {1, 1, -1, false, "N s"},   {1, 1, -3, false, "N/s"},
};

const char *quantity_unit(Arena *arena, Quantity q) {
  if (!q.is_known) return "";
  for (size_t i = 0; i < sizeof known_units / sizeof *known_units; i++) {
    Dimension d = dimension_base(known_units[i].kg, known_units[i].m, known_units[i].s);
    if (dimension_is_equal(d, q.dimension) && (!known_units[i].is_angle || q.is_angle))
      return known_units[i].text;
  }
  if (dimension_is_pure(q.dimension)) return "";
  Text text = text_new(arena);
  dimension_print(q.dimension, &text);
  return text.at;
}
