// Whether the numbers of a formula are decimals or fractions: never both.
#include "print/number_style.h"

#include <stdlib.h>

#include "expr/define.h"
#include "expr/walk.h"

#define LARGEST_PART 999 // of a fraction that stands in the place of a decimal

typedef struct NumberCensus {
  const PartNames *names;
  bool has_decimal, has_fraction, has_endless, has_long;
} NumberCensus;

static bool ends(int64_t divisor) {
  while (divisor % 2 == 0) divisor /= 2;
  while (divisor % 5 == 0) divisor /= 5;
  return divisor == 1;
}

static void count_number(Context *cx, NumberCensus *census, Number number) {
  int64_t n, d;
  if (number_is_integer(cx, number)) return;
  if (!number_prints_as_fraction(cx, number)) {
    bool is_short =
        number_to_ratio(cx, number, &n, &d) && llabs(n) <= LARGEST_PART && d <= LARGEST_PART;
    census->has_decimal = true;
    census->has_long = census->has_long || !is_short;
  } else {
    census->has_fraction = true;
    if (!number_to_ratio(cx, number, &n, &d) || !ends(d)) census->has_endless = true;
  }
}

static Visit look(const Context *cx, Expr e, void *argument) {
  const NumberCensus *census = argument;
  bool named = expr_is_definition(cx, e) && definition_name(cx, e);
  if (!named && census->names)
    named = census->names->name((Context *)cx, e, census->names->argument) != NULL;
  return named ? VISIT_SKIP : VISIT_ENTER;
}

NumberStyle number_style(Context *cx, const Expr *values, size_t n, const PartNames *names) {
  NumberCensus census = {.names = names};
  ExprList nodes = expr_walk(cx, values, n, look, &census);
  for (uint32_t i = 0; i < nodes.n; i++) {
    const Node *node = node_of(cx, nodes.at[i]);
    bool is_sum = node->op == OP_SUM;
    if (is_sum || node->op == OP_PRODUCT || node->op == OP_NUMBER)
      count_number(cx, &census, node->number);
    for (uint32_t k = 0; is_sum && k < node->count; k++)
      count_number(cx, &census, pairs_of(node)[k].number);
  }
  if (!census.has_decimal || !census.has_fraction) return NUMBERS_AS_THEY_ARE;
  return census.has_endless && !census.has_long ? NUMBERS_AS_FRACTIONS : NUMBERS_AS_DECIMALS;
}
