// Infix text.
#include "expr/print.h"

#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/order.h"

#define DEEPEST 2000
#define LARGEST_TEXT ((size_t)256 << 20)

typedef struct Printer {
  Context *cx;
  const PartNames *names;
  Text *out;
  int depth;
} Printer;

static void print(Printer *p, Expr e, Binding around);

static void print_primes(Text *out, int n) {
  while (n-- > 0) text_add_char(out, '\'');
}

void expr_print_name(Context *cx, Expr e, Text *out) {
  if (op_of(cx, e) == OP_DEFINITION) {
    text_add(out, symbol_text(cx, definition_name(cx, e)));
    print_primes(out, definition_order(cx, e));
    return;
  }
  SymbolKind kind = symbol_kind(cx, e);
  text_add(out, symbol_text(cx, symbol_name(cx, e)));
  if (kind == SYMBOL_VELOCITY || kind == SYMBOL_POSE_VELOCITY || kind == SYMBOL_STATE_RATE)
    print_primes(out, 1);
  if (kind == SYMBOL_ACCELERATION || kind == SYMBOL_POSE_ACCELERATION) print_primes(out, 2);
}

static void open_bracket(Printer *p, bool needed) {
  if (needed) text_add_char(p->out, '(');
}

static void close_bracket(Printer *p, bool needed) {
  if (needed) text_add_char(p->out, ')');
}

static void print_number(Printer *p, Number n, Binding around) {
  bool bracket = (number_sign(p->cx, n) < 0 && around >= BIND_PRODUCT) ||
                 (around == BIND_POWER && number_prints_as_fraction(p->cx, n));
  open_bracket(p, bracket);
  number_print(p->cx, n, p->out);
  close_bracket(p, bracket);
}

// base^exponent, exponent > 0
static void print_power(Printer *p, Pair factor) {
  if (factor.number == NUMBER_ONE) {
    print(p, factor.expr, BIND_PRODUCT);
  } else if (factor.number == NUMBER_HALF) {
    text_add(p->out, "sqrt(");
    print(p, factor.expr, BIND_OR);
    text_add_char(p->out, ')');
  } else {
    print(p, factor.expr, BIND_POWER);
    text_add_char(p->out, '^');
    bool bracket = !number_is_integer(p->cx, factor.number);
    open_bracket(p, bracket);
    number_print(p->cx, factor.number, p->out);
    close_bracket(p, bracket);
  }
}

static void print_factors(Printer *p, Number number, const Pair *factors, uint32_t n) {
  bool shown = number != NUMBER_ONE || n == 0;
  if (shown) number_print(p->cx, number, p->out);
  for (uint32_t i = 0; i < n; i++) {
    if (shown || i) text_add_char(p->out, '*');
    print_power(p, factors[i]);
  }
}

static bool has_named_factor(Context *cx, Expr e, const PartNames *names) {
  const Node *node = node_of(cx, e);
  for (uint32_t i = 0; node->op == OP_PRODUCT && i < node->count; i++)
    if (names->name(cx, pairs_of(node)[i].expr, names->argument)) return true;
  return false;
}

Quotient expr_quotient_with_names(Context *cx, Expr e, const PartNames *names) {
  if (!names) return expr_quotient(cx, e, true);
  Expr rest = expr_without_coefficient(cx, e);
  if (rest == e || !names->name(cx, rest, names->argument))
    return expr_quotient(cx, e, !has_named_factor(cx, e, names));
  Quotient q = expr_quotient(cx, expr_number(cx, expr_coefficient(cx, e)), true);
  q.top = arena_new(&cx->scratch, Pair);
  *q.top = (Pair){rest, NUMBER_ONE};
  q.top_count = 1;
  return q;
}

static void print_product(Printer *p, Expr e, Binding around) {
  Quotient q = expr_quotient_with_names(p->cx, e, p->names);
  bool bracket = around == BIND_POWER || (q.negative && around == BIND_PRODUCT);
  open_bracket(p, bracket);
  if (q.negative) text_add_char(p->out, '-');
  print_factors(p, q.number, q.top, q.top_count);
  if (q.bottom_count || q.divisor != NUMBER_ONE) {
    text_add_char(p->out, '/');
    bool several = q.bottom_count + (q.divisor != NUMBER_ONE) > 1;
    open_bracket(p, several);
    print_factors(p, q.divisor, q.bottom, q.bottom_count);
    close_bracket(p, several);
  }
  close_bracket(p, bracket);
}

static void print_sum(Printer *p, Expr e, Binding around) {
  TermList terms = expr_terms(p->cx, e);
  bool bracket = around >= BIND_PRODUCT;
  open_bracket(p, bracket);
  for (uint32_t i = 0; i < terms.n; i++) {
    Expr term = terms.at[i];
    bool subtracted = i && number_sign(p->cx, expr_coefficient(p->cx, term)) < 0;
    if (i) text_add(p->out, subtracted ? " - " : " + ");
    if (subtracted) term = expr_neg(p->cx, term);
    // an unnamed part is written out, and may be a sum
    print(p, term, subtracted ? BIND_PRODUCT : BIND_SUM);
  }
  close_bracket(p, bracket);
}

static void print_binary(Printer *p, const Node *node, const char *sign, Binding self,
                         Binding around) {
  bool bracket = around > self;
  open_bracket(p, bracket);
  print(p, node->args[0], (Binding)(self + 1));
  text_addf(p->out, " %s ", sign);
  print(p, node->args[1], (Binding)(self + 1));
  close_bracket(p, bracket);
}

static void print_negation(Printer *p, const Node *node, Binding around) {
  const Node *inner = node_of(p->cx, node->args[0]);
  if (inner->op == OP_EQ) {
    print_binary(p, inner, "!=", BIND_COMPARE, around);
    return;
  }
  bool bracket = around > BIND_NOT;
  open_bracket(p, bracket);
  text_add(p->out, "not ");
  print(p, node->args[0], BIND_NOT);
  close_bracket(p, bracket);
}

static void print_double(Printer *p, double value) { text_add_double(p->out, value); }

// if(x < x_1, 0, if(x < x_2, slope, ...)): the language has no word for it.
static void print_slopes(Printer *p, Expr x, const TableData *table) {
  for (uint32_t i = 0; i < table->n; i++) {
    text_add(p->out, "if(");
    print(p, x, BIND_SUM);
    text_add(p->out, " < ");
    print_double(p, table->x[i]);
    text_add(p->out, ", ");
    print_double(p, table->pieces[2 * i + 1]);
    text_add(p->out, ", ");
  }
  text_add_char(p->out, '0');
  for (uint32_t i = 0; i < table->n; i++) text_add_char(p->out, ')');
}

static void print_table(Printer *p, const Node *node) {
  const TableData *table = table_get(p->cx, node_table(node));
  bool is_short = table_is_short(table);
  if (is_short && node_aspect(node) == TABLE_SLOPE) {
    print_slopes(p, node->args[0], table);
    return;
  }
  text_add(p->out, table_name(p->cx, &p->cx->scratch, node_table(node), node_aspect(node)));
  text_add_char(p->out, '(');
  print(p, node->args[0], BIND_OR);
  for (uint32_t i = 0; is_short && i < table->n; i++) {
    text_add(p->out, ", (");
    print_double(p, table->x[i]);
    text_add(p->out, ", ");
    print_double(p, table_at_knot(table, i));
    text_add_char(p->out, ')');
  }
  text_add_char(p->out, ')');
}

static void print_function(Printer *p, Expr e, Binding around) {
  const Node *node = node_of(p->cx, e);
  switch (node->op) {
  case OP_POW: {
    bool bracket = around == BIND_POWER;
    open_bracket(p, bracket);
    print(p, node->args[0], BIND_POWER);
    text_add_char(p->out, '^');
    print(p, node->args[1], BIND_POWER);
    close_bracket(p, bracket);
    return;
  }
  case OP_LT:
  case OP_LE:
  case OP_EQ: print_binary(p, node, op_text((Op)node->op), BIND_COMPARE, around); return;
  case OP_AND: print_binary(p, node, "and", BIND_AND, around); return;
  case OP_OR: print_binary(p, node, "or", BIND_OR, around); return;
  case OP_NOT: print_negation(p, node, around); return;
  case OP_TABLE: print_table(p, node); return;
  default: break;
  }
  text_add(p->out, op_text((Op)node->op));
  text_add_char(p->out, '(');
  for (uint32_t i = 0; i < node->count; i++) {
    if (i) text_add(p->out, ", ");
    print(p, node->args[i], BIND_OR);
  }
  text_add_char(p->out, ')');
}

static void check_size(Printer *p) {
  if (p->depth > DEEPEST || p->out->n > LARGEST_TEXT) guard_escape(&p->cx->guard, QDOT_TOO_LARGE);
}

static void print(Printer *p, Expr e, Binding around) {
  const char *name = p->names ? p->names->name(p->cx, e, p->names->argument) : NULL;
  if (name) {
    text_add(p->out, name);
    return;
  }
  p->depth++;
  check_size(p);
  const Node *node = node_of(p->cx, e);
  switch (node->op) {
  case OP_UNDEFINED: text_add(p->out, "undefined"); break;
  case OP_NUMBER: print_number(p, node->number, around); break;
  case OP_PI: text_add(p->out, "pi"); break;
  case OP_SYMBOL: expr_print_name(p->cx, e, p->out); break;
  case OP_DEFINITION:
    if (definition_name(p->cx, e))
      expr_print_name(p->cx, e, p->out);
    else
      print(p, definition_body(p->cx, e), around);
    break;
  case OP_SUM: print_sum(p, e, around); break;
  case OP_PRODUCT: print_product(p, e, around); break;
  default: print_function(p, e, around);
  }
  p->depth--;
}

void expr_print(Context *cx, Expr e, const PartNames *names, Text *out) {
  // The text may itself grow in the scratch arena; then the caller releases both.
  bool shared = out->arena == &cx->scratch;
  Mark mark = arena_mark(&cx->scratch);
  Printer p = {cx, names, out, 0};
  print(&p, e, BIND_OR);
  if (!shared) arena_release(&cx->scratch, mark);
}

char *expr_text(Context *cx, Arena *arena, Expr e) {
  Text text = text_new(arena);
  expr_print(cx, e, NULL, &text);
  return text.at;
}
