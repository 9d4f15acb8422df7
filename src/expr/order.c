// Order for the eye.
#include "expr/order.h"

#include <stdlib.h>
#include <string.h>

#include "expr/build.h"
#include "expr/define.h"

#define DEEPEST_COMPARISON 12 // below that, ids decide

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Also x[i-1] before x[i] before x[i+1].
static int fold_case(char c) {
  return c >= 'A' && c <= 'Z' ? c + 32 : c == '+' ? ']' + 1 : (unsigned char)c;
}

int name_compare(const char *a, const char *b) {
  const char *p = a, *q = b;
  while (*p && *q) {
    if (is_digit(*p) && is_digit(*q)) {
      while (*p == '0' && is_digit(p[1])) p++;
      while (*q == '0' && is_digit(q[1])) q++;
      size_t n = strspn(p, "0123456789"), m = strspn(q, "0123456789");
      int order = n != m ? (n < m ? -1 : 1) : memcmp(p, q, n);
      if (order) return order;
      p += n, q += m;
    } else {
      int order = fold_case(*p) - fold_case(*q);
      if (order) return order;
      p++, q++;
    }
  }
  if (*p || *q) return *p ? 1 : -1;
  return strcmp(a, b);
}

// ---- The author's order

void order_by_author(Context *cx, ReadingOrder order) { expr_store(cx)->reading = order; }

static const uint32_t *places_with(Context *cx, const uint32_t *places, uint32_t n, uint32_t count,
                                   Symbol name, Symbol other) {
  uint32_t *all = arena_array(&cx->keep, uint32_t, count);
  memcpy(all, places, n * sizeof *all);
  all[name] = other < n ? places[other] : 0;
  return all;
}

void order_alike(Context *cx, Symbol name, Symbol other) {
  ReadingOrder *order = &expr_store(cx)->reading;
  if (!order->n || (name < order->n && order->factor[name])) return;
  uint32_t count = name < order->n ? order->n : name + 32;
  order->factor = places_with(cx, order->factor, order->n, count, name, other);
  order->term = places_with(cx, order->term, order->n, count, name, other);
  order->n = count;
}

#define NOWHERE UINT32_MAX

static Symbol name_symbol(const Context *cx, Expr e) {
  Op op = op_of(cx, e);
  return op == OP_SYMBOL ? symbol_name(cx, e) : op == OP_DEFINITION ? definition_name(cx, e) : 0;
}

static uint32_t place_in(const uint32_t *places, const Context *cx, Expr e) {
  Symbol name = name_symbol(cx, e);
  uint32_t place = places && name < cx->exprs->reading.n ? places[name] : 0;
  return place ? place : NOWHERE;
}

// Where the first name of a part stands among the terms of a sum.
static uint32_t first_place(const Context *cx, Expr e, int depth) {
  const Node *node = node_of(cx, e);
  if (name_symbol(cx, e)) return place_in(cx->exprs->reading.term, cx, e);
  if (depth <= 0 || node->op == OP_NUMBER || node->op == OP_PI || node->op == OP_UNDEFINED)
    return NOWHERE;
  if (node->op == OP_DEFINITION) return first_place(cx, definition_body(cx, e), depth - 1);
  bool pairs = node->op == OP_SUM || node->op == OP_PRODUCT;
  uint32_t first = NOWHERE;
  uint32_t count = node->op == OP_TABLE ? 1 : node->count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t place = first_place(cx, pairs ? pairs_of(node)[i].expr : node->args[i], depth - 1);
    if (place < first) first = place;
  }
  return first;
}

// Sums of parameters stand where their first one does: (m_1 + m_2) g L.
static bool is_of_parameters(const Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  return node->op == OP_SUM && node->kinds == KIND_BIT(SYMBOL_PARAMETER);
}

static uint32_t factor_place(const Context *cx, Expr e, int depth) {
  const Node *node = node_of(cx, e);
  if (name_symbol(cx, e)) return place_in(cx->exprs->reading.factor, cx, e);
  bool pairs = node->op == OP_SUM || node->op == OP_PRODUCT;
  uint32_t first = NOWHERE;
  for (uint32_t i = 0; pairs && depth > 0 && i < node->count; i++) {
    uint32_t place = factor_place(cx, pairs_of(node)[i].expr, depth - 1);
    if (place < first) first = place;
  }
  return first;
}

static int rank_of_symbol(SymbolKind kind) {
  switch (kind) {
  case SYMBOL_PARAMETER: return 2;
  case SYMBOL_INPUT:
  case SYMBOL_MULTIPLIER: return 3;
  case SYMBOL_TIME: return 4;
  case SYMBOL_COORDINATE:
  case SYMBOL_POSE:
  case SYMBOL_STATE: return 6;
  case SYMBOL_VELOCITY:
  case SYMBOL_POSE_VELOCITY:
  case SYMBOL_STATE_RATE: return 9;
  default: return 11;
  }
}

static int rank_of(const Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  switch (node->op) {
  case OP_UNDEFINED:
  case OP_NUMBER: return 0;
  case OP_PI: return 1;
  case OP_SYMBOL: return rank_of_symbol(symbol_kind(cx, e));
  case OP_DEFINITION:
    return definition_order(cx, e) == 0 ? 6 : definition_order(cx, e) == 1 ? 9 : 11;
  case OP_SUM: return is_of_parameters(cx, e) ? 2 : 5;
  case OP_PRODUCT: return 5;
  default: return 7;
  }
}

static const char *name_of(const Context *cx, Expr e) {
  Op op = op_of(cx, e);
  if (op == OP_SYMBOL) return symbol_text(cx, symbol_name(cx, e));
  return op == OP_DEFINITION ? symbol_text(cx, definition_name(cx, e)) : "";
}

static int compare_deep(Context *cx, Expr a, Expr b, int depth);

static int compare_pairs(Context *cx, const Node *a, const Node *b, int depth) {
  uint32_t n = a->count < b->count ? a->count : b->count;
  for (uint32_t i = 0; i < n; i++) {
    Pair p = pairs_of(a)[i], q = pairs_of(b)[i];
    int order = compare_deep(cx, p.expr, q.expr, depth);
    if (!order) order = number_compare(cx, q.number, p.number);
    if (order) return order;
  }
  if (a->count != b->count) return a->count < b->count ? -1 : 1;
  return number_compare(cx, a->number, b->number);
}

static int compare_functions(Context *cx, const Node *a, const Node *b, int depth) {
  // by argument first: sin(x) and cos(x) stand together
  for (uint32_t i = 0; i < a->count && i < b->count; i++) {
    int order = compare_deep(cx, a->args[i], b->args[i], depth);
    if (order) return order;
  }
  return (int)a->op - (int)b->op;
}

static int compare_deep(Context *cx, Expr a, Expr b, int depth) {
  if (a == b) return 0;
  int by_id = a < b ? -1 : 1, order = rank_of(cx, a) - rank_of(cx, b);
  if (order || depth <= 0) return order ? order : by_id;
  const Node *x = node_of(cx, a), *y = node_of(cx, b);
  bool names = name_symbol(cx, a) || name_symbol(cx, b);
  uint32_t p = names ? factor_place(cx, a, depth) : 0, q = names ? factor_place(cx, b, depth) : 0;
  if (p != q) return p < q ? -1 : 1;
  // a name stands before a sum that begins with it
  if (x->op != y->op && (x->op == OP_SUM || y->op == OP_SUM)) return x->op == OP_SUM ? 1 : -1;
  if (x->op == OP_NUMBER && y->op == OP_NUMBER)
    order = number_compare(cx, x->number, y->number);
  else if (x->op == OP_SYMBOL || x->op == OP_DEFINITION)
    order = name_compare(name_of(cx, a), name_of(cx, b));
  else if (x->op == y->op && (x->op == OP_SUM || x->op == OP_PRODUCT))
    order = compare_pairs(cx, x, y, depth - 1);
  else if (op_is_function((Op)x->op) && op_is_function((Op)y->op))
    order = compare_functions(cx, x, y, depth - 1);
  return order ? order : by_id;
}

int expr_compare(Context *cx, Expr a, Expr b) { return compare_deep(cx, a, b, DEEPEST_COMPARISON); }

// ---- Sorting with a context: merge sort, small and stable

typedef int Compare(Context *cx, const void *a, const void *b);

static void sort(Context *cx, char *items, uint32_t n, size_t size, Compare *compare) {
  if (n < 2) return;
  uint32_t half = n / 2;
  sort(cx, items, half, size, compare);
  sort(cx, items + half * size, n - half, size, compare);
  Mark mark = arena_mark(&cx->scratch);
  char *merged = arena_alloc(&cx->scratch, n * size);
  uint32_t i = 0, j = half;
  for (uint32_t k = 0; k < n; k++) {
    bool left = j == n || (i < half && compare(cx, items + i * size, items + j * size) <= 0);
    memcpy(merged + k * size, items + (left ? i++ : j++) * size, size);
  }
  memcpy(items, merged, n * size);
  arena_release(&cx->scratch, mark);
}

static int compare_factors(Context *cx, const void *a, const void *b) {
  return expr_compare(cx, ((const Pair *)a)->expr, ((const Pair *)b)->expr);
}

// A bracket takes in a coefficient that makes it simpler: (10*x + 3)*y/10 is (x + 0.3)*y.
static bool absorb_coefficient(Context *cx, const Node *node, uint32_t *place, Expr *scaled) {
  Number size = number_abs(cx, node->number);
  if (number_is_integer(cx, size)) return false;
  for (uint32_t i = 0; i < node->count; i++) {
    Pair p = pairs_of(node)[i];
    if (op_of(cx, p.expr) != OP_SUM || p.number != NUMBER_ONE) continue;
    const Node *sum = node_of(cx, p.expr);
    for (uint32_t k = 0; k < sum->count; k++) {
      Number coefficient = number_mul(cx, size, pairs_of(sum)[k].number);
      if (coefficient == NUMBER_NONE || number_abs(cx, coefficient) != NUMBER_ONE) continue;
      *place = i;
      *scaled = expr_scale(cx, size, p.expr);
      return true;
    }
  }
  return false;
}

// A whole number by which decimals were cleared from a sum, (10 x - 3) from (x - 0.3): that in
// front of its first name, where it has a factor 5 and all others become decimals; else NUMBER_ONE.
static Number cleared_factor(Context *cx, Expr sum) {
  const Node *node = node_of(cx, sum);
  int64_t factor;
  if (node->op != OP_SUM || node->number == NUMBER_ZERO) return NUMBER_ONE;
  Number first = number_abs(cx, pairs_of(node)[0].number);
  if (!number_to_int(cx, first, &factor) || factor % 5 != 0) return NUMBER_ONE;
  for (uint32_t i = 0; i <= node->count; i++) {
    Number other = i < node->count ? pairs_of(node)[i].number : node->number;
    Number quotient = number_div(cx, other, first);
    if (quotient == NUMBER_NONE || number_prints_as_fraction(cx, number_abs(cx, quotient)))
      return NUMBER_ONE;
  }
  return first;
}

// (10 x - 3)^2/5 is 20 (x - 0.3)^2: decimals stay decimals.
static void restore_decimals(Context *cx, Number *size, Pair *pairs, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    int64_t power;
    Number factor = cleared_factor(cx, pairs[i].expr);
    bool whole = number_to_int(cx, pairs[i].number, &power) && power >= 1 && power <= 4;
    if (factor == NUMBER_ONE || !whole) continue;
    Number scaled = *size;
    for (int64_t k = 0; k < power && scaled != NUMBER_NONE; k++)
      scaled = number_mul(cx, scaled, factor);
    if (scaled == NUMBER_NONE) continue;
    pairs[i].expr = expr_scale(cx, number_div(cx, NUMBER_ONE, factor), pairs[i].expr);
    *size = scaled;
  }
}

static void split_number(Context *cx, Number size, Quotient *q) {
  q->number = size, q->divisor = NUMBER_ONE;
  int64_t n, d;
  if (!number_prints_as_fraction(cx, size)) return;
  if (!number_to_ratio(cx, size, &n, &d)) return;
  q->number = number_int(cx, n), q->divisor = number_int(cx, d);
}

Quotient expr_quotient(Context *cx, Expr e, bool absorbs) {
  const Node *node = node_of(cx, e);
  Quotient q = {.number = NUMBER_ONE, .divisor = NUMBER_ONE};
  if (node->op == OP_NUMBER) {
    q.negative = number_sign(cx, node->number) < 0;
    split_number(cx, number_abs(cx, node->number), &q);
    return q;
  }
  Pair single = {e, NUMBER_ONE};
  uint32_t count = node->op == OP_PRODUCT ? node->count : 1;
  const Pair *pairs = node->op == OP_PRODUCT ? pairs_of(node) : &single;
  uint32_t taken = UINT32_MAX;
  Expr scaled = 0;
  q.top = arena_array(&cx->scratch, Pair, count + 1);
  q.bottom = arena_array(&cx->scratch, Pair, count + 1);
  if (node->op == OP_PRODUCT) {
    Number size = number_abs(cx, node->number);
    Pair *changed = arena_array(&cx->scratch, Pair, count);
    memcpy(changed, pairs, count * sizeof *pairs);
    pairs = changed;
    q.negative = number_sign(cx, node->number) < 0;
    if (absorbs && !number_is_integer(cx, size)) restore_decimals(cx, &size, changed, count);
    bool restored = size != number_abs(cx, node->number);
    if (restored || !absorbs || !absorb_coefficient(cx, node, &taken, &scaled))
      split_number(cx, size, &q);
  }
  for (uint32_t i = 0; i < count; i++) {
    Pair p = pairs[i];
    if (i == taken) p.expr = scaled;
    if (number_sign(cx, p.number) > 0)
      q.top[q.top_count++] = p;
    else
      q.bottom[q.bottom_count++] = (Pair){p.expr, number_neg(cx, p.number)};
  }
  sort(cx, (char *)q.top, q.top_count, sizeof(Pair), compare_factors);
  sort(cx, (char *)q.bottom, q.bottom_count, sizeof(Pair), compare_factors);
  return q;
}

// ---- Terms of a sum

typedef struct KeyedTerm {
  Expr term;
  Pair *factors; // in order
  uint32_t count;
  uint32_t *places; // in the author's order, if there is one
  uint32_t place_count;
} KeyedTerm;

static int compare_places(Context *cx, const void *a, const void *b) {
  (void)cx;
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static int compare_terms(Context *cx, const void *a, const void *b) {
  const KeyedTerm *x = a, *y = b;
  for (uint32_t i = 0; i < x->place_count && i < y->place_count; i++)
    if (x->places[i] != y->places[i]) return x->places[i] < y->places[i] ? -1 : 1;
  for (uint32_t i = 0; i < x->count && i < y->count; i++) {
    int order = expr_compare(cx, x->factors[i].expr, y->factors[i].expr);
    if (!order) order = number_compare(cx, y->factors[i].number, x->factors[i].number);
    if (order) return order;
  }
  return (x->count > y->count) - (x->count < y->count);
}

enum { MOST_REPEATED = 4 };

// Those of names, x^2 twice, or those inside of functions; ascending.
static void add_places(Context *cx, KeyedTerm *key, bool of_functions) {
  uint32_t before = key->place_count;
  for (uint32_t i = 0; i < key->count; i++) {
    Pair p = key->factors[i];
    int64_t repeated = 1;
    if (op_is_function(op_of(cx, p.expr)) != of_functions) continue;
    if (!number_to_int(cx, p.number, &repeated) || repeated < 1) repeated = 1;
    if (repeated > MOST_REPEATED) repeated = MOST_REPEATED;
    uint32_t place = first_place(cx, p.expr, DEEPEST_COMPARISON);
    while (repeated-- > 0) key->places[key->place_count++] = place;
  }
  sort(cx, (char *)(key->places + before), key->place_count - before, sizeof *key->places,
       compare_places);
}

static KeyedTerm keyed(Context *cx, Expr e, Number coefficient) {
  const Node *node = node_of(cx, e);
  KeyedTerm key = {.term = expr_scale(cx, coefficient, e), .count = 1};
  if (node->op == OP_PRODUCT) key.count = node->count;
  key.factors = arena_array(&cx->scratch, Pair, key.count);
  if (node->op == OP_PRODUCT)
    memcpy(key.factors, pairs_of(node), key.count * sizeof(Pair));
  else
    key.factors[0] = (Pair){e, NUMBER_ONE};
  sort(cx, (char *)key.factors, key.count, sizeof(Pair), compare_factors);
  if (!cx->exprs->reading.term) return key;
  key.places = arena_array(&cx->scratch, uint32_t, MOST_REPEATED * key.count + 1);
  add_places(cx, &key, false);
  add_places(cx, &key, true);
  return key;
}

static bool is_negative(const Context *cx, Expr e) {
  return number_sign(cx, expr_coefficient(cx, e)) < 0;
}

// Starts with a positive term where there is one.
static void lead_with_positive(const Context *cx, TermList *list) {
  if (list->n == 0 || !is_negative(cx, list->at[0])) return;
  for (uint32_t i = 1; i < list->n; i++) {
    Expr e = list->at[i];
    if (is_negative(cx, e)) continue;
    memmove(list->at + 1, list->at, i * sizeof(Expr));
    list->at[0] = e;
    return;
  }
}

TermList expr_terms(Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  TermList list = {arena_array(&cx->scratch, Expr, node->count + 2), 0};
  if (node->op != OP_SUM) {
    list.at[list.n++] = e;
    return list;
  }
  KeyedTerm *keys = arena_array(&cx->scratch, KeyedTerm, node->count);
  for (uint32_t i = 0; i < node->count; i++)
    keys[i] = keyed(cx, pairs_of(node)[i].expr, pairs_of(node)[i].number);
  sort(cx, (char *)keys, node->count, sizeof *keys, compare_terms);
  for (uint32_t i = 0; i < node->count; i++) list.at[list.n++] = keys[i].term;
  if (node->number != NUMBER_ZERO) list.at[list.n++] = expr_number(cx, node->number);
  lead_with_positive(cx, &list);
  return list;
}
