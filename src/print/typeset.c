// The walk through an expression in reading order.
#include "print/typeset.h"

#include <string.h>

#include "base/words/digits.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/order.h"
#include "expr/print.h"

#define DEEPEST 2000

static void set(Typesetter *t, Expr e, Binding around);
static void set_general_power(Typesetter *t, const Node *node, Binding around, bool closed);
static void set_absolute(Typesetter *t, Expr e);

static void stage(Typesetter *t, void (*hook)(Typesetter *, Stage), Stage s) {
  if (hook) hook(t, s);
}

static void bracket_if(Typesetter *t, bool needed, Stage s) {
  if (needed) t->face->bracket(t, s);
}

static const char *digits_of(Typesetter *t, Number n) {
  Text text = text_new(&t->cx->scratch);
  int64_t top, bottom;
  if (t->numbers == NUMBERS_AS_DECIMALS && number_print_decimal(t->cx, n, &text)) return text.at;
  if (t->numbers == NUMBERS_AS_FRACTIONS && number_to_ratio(t->cx, n, &top, &bottom) && bottom != 1)
    return text_format(&t->cx->scratch, "%lld/%lld", (long long)top, (long long)bottom);
  number_print(t->cx, n, &text);
  return text.at;
}

// A power of ten: 10 and its exponent, which are digits.
static void set_power_of_ten(Typesetter *t, const char *exponent) {
  const Typeface *face = t->face;
  if (face->integer_power) {
    face->number(t, "10");
    face->integer_power(t, exponent);
    return;
  }
  for (int s = STAGE_BEFORE; s <= STAGE_AFTER; s++) {
    t->plain_base = true;
    face->power(t, (Stage)s);
    if (s != STAGE_AFTER) face->number(t, s == STAGE_BEFORE ? "10" : exponent);
  }
}

static bool is_digits(const char *text) { return text[strspn(text, "0123456789")] == 0; }

// A positive number as number_print writes it: digits, or, of integers beyond a literal's length,
// (12*10^60), ((12*10^30 + 34)*10^30 + 56).
static void set_written(Typesetter *t, const char *text, Binding around) {
  if (*text != '(') {
    t->face->number(t, text);
    return;
  }
  const char *end = text + strlen(text);
  if (!t->face->flat && around < BIND_PRODUCT) text++, end--; // without the outermost brackets
  while (text < end) {
    size_t n = strspn(text, "0123456789");
    const char *digits = n ? arena_copy(&t->cx->scratch, text, n) : NULL;
    text += n;
    if (n && *text == '^') {
      n = strspn(text + 1, "0123456789");
      set_power_of_ten(t, arena_copy(&t->cx->scratch, text + 1, n));
      text += 1 + n;
    } else if (n) {
      t->face->number(t, digits);
    } else if (*text == '(' || *text == ')') {
      t->face->bracket(t, *text++ == '(' ? STAGE_BEFORE : STAGE_AFTER);
    } else {
      if (*text != ' ') text_add(t->out, *text == '*' ? t->face->dot : t->face->plus);
      text++;
    }
  }
}

// "n/d" is set as a fraction.
static void set_digits(Typesetter *t, char *digits, Binding around) {
  char *slash = strchr(digits, '/');
  if (!slash) {
    set_written(t, digits, around);
    return;
  }
  *slash = 0;
  bool bracket = t->face->flat ? around >= BIND_PRODUCT : around == BIND_POWER;
  bracket_if(t, bracket, STAGE_BEFORE);
  t->face->fraction(t, STAGE_BEFORE);
  set_written(t, digits, BIND_PRODUCT);
  t->face->fraction(t, STAGE_BETWEEN);
  set_written(t, slash + 1, BIND_PRODUCT);
  t->face->fraction(t, STAGE_AFTER);
  bracket_if(t, bracket, STAGE_AFTER);
}

static void set_positive(Typesetter *t, Number n, Binding around) {
  set_digits(t, (char *)digits_of(t, n), around);
}

static void set_number(Typesetter *t, Number n, Binding around) {
  bool negative = number_sign(t->cx, n) < 0;
  bracket_if(t, negative && around >= BIND_PRODUCT, STAGE_BEFORE);
  if (negative) text_add(t->out, t->face->negative);
  set_positive(t, number_abs(t->cx, n), negative ? BIND_SUM : around);
  bracket_if(t, negative && around >= BIND_PRODUCT, STAGE_AFTER);
}

static bool is_name(const Context *cx, Expr e) {
  Op op = op_of(cx, e);
  if (op == OP_SYMBOL && name_is_quantity(symbol_text(cx, symbol_name(cx, e)))) return false;
  return op == OP_SYMBOL || op == OP_PI || (op == OP_DEFINITION && definition_name(cx, e));
}

// Functions whose powers are written on the name: sin^2 x.
static bool takes_power_on_name(const Typeface *face, Op op) {
  return face->apply && op >= OP_SIN && op <= OP_TANH;
}

// (x) or, where nothing follows that could be read as part of it, a bare name: sin x.
static void set_argument(Typesetter *t, Op op, Expr e, bool last) {
  bool bare = last && takes_power_on_name(t->face, op) && is_name(t->cx, e);
  if (bare)
    t->face->apply(t);
  else
    t->face->bracket(t, STAGE_BEFORE);
  set(t, e, BIND_OR);
  if (!bare) t->face->bracket(t, STAGE_AFTER);
}

static void set_double(Typesetter *t, double value) {
  Text digits = text_new(&t->cx->scratch);
  text_add_double(&digits, value < 0 ? -value : value);
  if (value < 0) text_add(t->out, t->face->negative);
  t->face->number(t, digits.at);
}

// In the unit in which it was written, where the typeface has units.
static void set_measured(Typesetter *t, double value, const char *unit, double factor) {
  if (!unit || !t->face->unit) {
    set_double(t, value);
    return;
  }
  set_double(t, digits_rounded(value / factor, 15));
  t->face->unit(t, unit);
}

// table(x, (0, 1), (2, 3)), or table_1(x, 5000 points of road.csv).
static void set_table(Typesetter *t, const Node *node) {
  const TableData *table = table_get(t->cx, node_table(node));
  Arena *scratch = &t->cx->scratch;
  t->face->name(t, table_name(t->cx, scratch, node_table(node), node_aspect(node)), 0);
  t->face->bracket(t, STAGE_BEFORE);
  set(t, node->args[0], BIND_OR);
  if (!table_is_short(table)) {
    text_add(t->out, t->face->comma);
    t->face->number(t, text_format(scratch, "%u", table->n));
    const char *file = table->origin;
    if (t->face->unit && file)
      t->face->unit(t, text_format(scratch, "points of %s", file));
    else if (t->face->unit)
      t->face->unit(t, "points");
  }
  for (uint32_t i = 0; table_is_short(table) && i < table->n; i++) {
    text_add(t->out, t->face->comma);
    t->face->bracket(t, STAGE_BEFORE);
    set_measured(t, table->x[i], table->x_unit, table->x_factor);
    text_add(t->out, t->face->comma);
    set_measured(t, table_at_knot(table, i), table->y_unit, table->y_factor);
    t->face->bracket(t, STAGE_AFTER);
  }
  t->face->bracket(t, STAGE_AFTER);
}

// What holds where the condition does not.
static Expr otherwise(Context *cx, Expr condition) {
  Op op = op_of(cx, condition);
  if (op == OP_NOT) return expr_child(cx, condition, 0);
  if (op != OP_LT && op != OP_LE) return expr_function1(cx, OP_NOT, condition);
  return expr_function2(cx, op == OP_LT ? OP_LE : OP_LT, expr_child(cx, condition, 1),
                        expr_child(cx, condition, 0));
}

static void set_cases(Typesetter *t, const Node *node) {
  Expr condition = node->args[0], first = node->args[1], second = node->args[2];
  text_add(t->out, t->face->cases[0]);
  set(t, first, BIND_OR);
  text_add(t->out, t->face->cases[1]);
  set(t, condition, BIND_OR);
  text_add(t->out, t->face->cases[2]);
  set(t, second, BIND_OR);
  text_add(t->out, t->face->cases[1]);
  set(t, otherwise(t->cx, condition), BIND_OR);
  text_add(t->out, t->face->cases[3]);
}

static void set_call(Typesetter *t, const Node *node, bool last) {
  if (node->op == OP_IF && t->face->cases[0]) {
    set_cases(t, node);
    return;
  }
  if (node->op == OP_TABLE) {
    set_table(t, node);
    return;
  }
  if (node->op == OP_ABS && t->face->absolute) {
    set_absolute(t, node->args[0]);
    return;
  }
  t->face->function(t, (Op)node->op);
  if (node->count == 1) {
    set_argument(t, (Op)node->op, node->args[0], last);
    return;
  }
  t->face->bracket(t, STAGE_BEFORE);
  for (uint32_t i = 0; i < node->count; i++) {
    if (i) text_add(t->out, t->face->comma);
    set(t, node->args[i], BIND_OR);
  }
  t->face->bracket(t, STAGE_AFTER);
}

static void set_exponent(Typesetter *t, Number exponent) {
  bool bracket = t->face->flat && !number_is_integer(t->cx, exponent);
  bracket_if(t, bracket, STAGE_BEFORE);
  NumberStyle around = t->numbers; // x^(3/2) beside 0.3 y
  t->numbers = NUMBERS_AS_THEY_ARE;
  set_number(t, exponent, BIND_OR);
  t->numbers = around;
  bracket_if(t, bracket, STAGE_AFTER);
}

// base ^ exponent for a function's name or any base, which is set by what is given.
static void set_raised(Typesetter *t, Expr base, bool name_only, Number exponent) {
  const Typeface *face = t->face;
  const char *digits = digits_of(t, exponent);
  bool integer = face->integer_power && is_digits(digits);
  bool plain = name_only || is_name(t->cx, base) ||
               (t->names && t->names->name(t->cx, base, t->names->argument));
  t->plain_base = plain;
  if (!integer) face->power(t, STAGE_BEFORE);
  if (name_only)
    face->function(t, op_of(t->cx, base));
  else
    set(t, base, BIND_POWER);
  if (integer) {
    face->integer_power(t, digits);
  } else {
    t->plain_base = plain;
    face->power(t, STAGE_BETWEEN);
    set_exponent(t, exponent);
    t->plain_base = plain;
    face->power(t, STAGE_AFTER);
  }
}

// x of √(x²), which is |x|; else 0.
static Expr absolute_in_root(const Context *cx, Pair factor) {
  const Node *node = node_of(cx, factor.expr);
  int64_t power;
  bool square = factor.number == NUMBER_HALF && node->op == OP_PRODUCT && node->count == 1 &&
                node->number == NUMBER_ONE && number_to_int(cx, pairs_of(node)[0].number, &power) &&
                power == 2;
  return square ? pairs_of(node)[0].expr : 0;
}

static void set_absolute(Typesetter *t, Expr e) {
  if (t->face->absolute) {
    t->face->absolute(t, STAGE_BEFORE);
  } else {
    t->face->function(t, OP_ABS);
    t->face->bracket(t, STAGE_BEFORE);
  }
  set(t, e, BIND_OR);
  if (t->face->absolute)
    t->face->absolute(t, STAGE_AFTER);
  else
    t->face->bracket(t, STAGE_AFTER);
}

static const IndexedSum *sum_of(const Typesetter *t, Expr e) {
  for (uint32_t i = 0; t->sums && i < t->sums->n; i++)
    if (t->sums->at[i].symbol == e) return &t->sums->at[i];
  return NULL;
}

static void set_indexed_sum(Typesetter *t, const IndexedSum *sum, bool closed) {
  if (!sum->index) {
    set(t, sum->term, BIND_PRODUCT);
    return;
  }
  bool negative = number_sign(t->cx, expr_coefficient(t->cx, sum->term)) < 0;
  bracket_if(t, closed, STAGE_BEFORE);
  t->face->sum(t, sum->index, sum->from, sum->to);
  set(t, sum->term, negative || op_of(t->cx, sum->term) == OP_SUM ? BIND_PRODUCT : BIND_SUM);
  bracket_if(t, closed, STAGE_AFTER);
}

// base^exponent with exponent > 0; last when nothing follows in the product.
static void set_factor(Typesetter *t, Pair factor, bool alone, bool last) {
  const IndexedSum *sum = sum_of(t, factor.expr);
  if (sum && factor.number == NUMBER_ONE) {
    set_indexed_sum(t, sum, !last);
    return;
  }
  const Node *node = node_of(t->cx, factor.expr);
  bool named = t->names && t->names->name(t->cx, factor.expr, t->names->argument);
  bool call =
      !named && op_is_function((Op)node->op) && node->op != OP_POW && !op_is_truth((Op)node->op);
  // products without a sign hide where an exponent on the line ends
  bool open_exponent = t->face->flat && t->face->apply && !last;
  if (factor.number == NUMBER_ONE && call) {
    set_call(t, node, last);
  } else if (factor.number == NUMBER_ONE && !named && node->op == OP_POW && open_exponent) {
    set_general_power(t, node, BIND_PRODUCT, true);
  } else if (factor.number == NUMBER_ONE) {
    set(t, factor.expr, alone ? BIND_SUM : BIND_PRODUCT);
  } else if (!named && absolute_in_root(t->cx, factor)) {
    set_absolute(t, absolute_in_root(t->cx, factor));
  } else if (factor.number == NUMBER_HALF) {
    t->face->root(t, STAGE_BEFORE);
    set(t, factor.expr, BIND_OR);
    t->face->root(t, STAGE_AFTER);
  } else if (call && takes_power_on_name(t->face, (Op)node->op) &&
             number_is_integer(t->cx, factor.number)) {
    set_raised(t, factor.expr, true, factor.number);
    set_argument(t, (Op)node->op, node->args[0], last);
  } else {
    set_raised(t, factor.expr, false, factor.number);
  }
}

// LaTeX leaves room in front of a function itself.
static const char *sign_before(const Typesetter *t, Pair factor) {
  const Typeface *face = t->face;
  bool named = t->names && t->names->name(t->cx, factor.expr, t->names->argument);
  bool call =
      !named && takes_power_on_name(face, op_of(t->cx, factor.expr)) && factor.number == NUMBER_ONE;
  return call && face->times_function ? face->times_function : face->times;
}

// The factors of a product behind others: a sum among them has its brackets.
static void set_more_factors(Typesetter *t, const Pair *factors, uint32_t n, bool open) {
  for (uint32_t i = 0; i < n; i++) {
    if (i) text_add(t->out, sign_before(t, factors[i]));
    set_factor(t, factors[i], false, open && i + 1 == n);
  }
}

// number * factors; open: nothing follows it that could be read as part of it.
static void set_factors(Typesetter *t, Number number, const Pair *factors, uint32_t n, bool open) {
  bool shown = number != NUMBER_ONE || n == 0;
  const char *digits = shown ? digits_of(t, number) : "";
  if (strchr(digits, '/')) // with parts too long for a quotient of the formula
    set_digits(t, (char *)digits, BIND_SUM);
  else if (shown)
    set_written(t, digits, BIND_PRODUCT);
  for (uint32_t i = 0; i < n; i++) {
    if (shown || i) text_add(t->out, sign_before(t, factors[i]));
    set_factor(t, factors[i], !shown && n == 1 && open && !t->face->flat, open && i + 1 == n);
  }
}

static void set_quotient(Typesetter *t, Quotient q, bool open) {
  bool flat = t->face->flat, several = q.bottom_count + (q.divisor != NUMBER_ONE) > 1;
  t->face->fraction(t, STAGE_BEFORE);
  set_factors(t, q.number, q.top, q.top_count, !flat);
  t->face->fraction(t, STAGE_BETWEEN);
  bracket_if(t, flat && several, STAGE_BEFORE);
  set_factors(t, q.divisor, q.bottom, q.bottom_count, !flat || several || open);
  bracket_if(t, flat && several, STAGE_AFTER);
  t->face->fraction(t, STAGE_AFTER);
}

// Small numbers in front of a product stand as a fraction of their own: 1/2 m v^2.
static bool has_number_in_front(const Quotient *q) {
  return q->divisor != NUMBER_ONE && q->bottom_count == 0 && q->top_count > 0;
}

static bool is_constant(const Typesetter *t, Expr e) {
  return node_of(t->cx, e)->kinds == KIND_BIT(SYMBOL_PARAMETER) || op_of(t->cx, e) == OP_PI;
}

// How many factors of the top are parameters, which stand first; 0 unless all of the bottom is of
// parameters too and something else follows: (g/L) sin θ.
static uint32_t constant_factors(const Typesetter *t, const Quotient *q) {
  uint32_t n = 0;
  if (t->face->flat || q->bottom_count == 0) return 0;
  for (uint32_t i = 0; i < q->bottom_count; i++)
    if (!is_constant(t, q->bottom[i].expr)) return 0;
  while (n < q->top_count && is_constant(t, q->top[n].expr)) n++;
  for (uint32_t i = n; i < q->top_count; i++)
    if (is_constant(t, q->top[i].expr)) return 0;
  return n < q->top_count ? n : 0;
}

// The number of a quotient as those around it: 0.5 x instead of x/2, or the other way round.
static void restyle(const Typesetter *t, Quotient *q) {
  Number whole = number_div(t->cx, q->number, q->divisor);
  int64_t top, bottom;
  if (t->numbers < NUMBERS_AS_FRACTIONS || whole == NUMBER_NONE) return;
  if (number_is_integer(t->cx, whole)) return;
  if (t->numbers == NUMBERS_AS_DECIMALS) {
    Text text = text_new(&t->cx->scratch);
    if (number_print_decimal(t->cx, whole, &text)) q->number = whole, q->divisor = NUMBER_ONE;
  } else if (number_to_ratio(t->cx, whole, &top, &bottom)) {
    q->number = number_int(t->cx, top), q->divisor = number_int(t->cx, bottom);
  }
}

static void set_product(Typesetter *t, Expr e, Binding around) {
  Quotient q = expr_quotient_with_names(t->cx, e, t->names);
  restyle(t, &q);
  bool bracket = around == BIND_POWER || (q.negative && around == BIND_PRODUCT);
  bool open = bracket || around < BIND_PRODUCT;
  bracket_if(t, bracket, STAGE_BEFORE);
  stage(t, t->face->group, STAGE_BEFORE);
  if (q.negative) text_add(t->out, t->face->negative);
  uint32_t constant = constant_factors(t, &q);
  if (constant) {
    Quotient front = q;
    front.top_count = constant;
    set_quotient(t, front, true);
    text_add(t->out, sign_before(t, q.top[constant]));
    set_more_factors(t, q.top + constant, q.top_count - constant, open);
  } else if (has_number_in_front(&q) && !t->face->flat) {
    set_positive(t, number_div(t->cx, q.number, q.divisor), BIND_SUM);
    text_add(t->out, t->face->times);
    set_more_factors(t, q.top, q.top_count, open);
  } else if (q.bottom_count || q.divisor != NUMBER_ONE) {
    set_quotient(t, q, open);
  } else {
    set_factors(t, q.number, q.top, q.top_count, open);
  }
  stage(t, t->face->group, STAGE_AFTER);
  bracket_if(t, bracket, STAGE_AFTER);
}

static void set_sum(Typesetter *t, Expr e, Binding around) {
  TermList terms = expr_terms(t->cx, e);
  bool bracket = around >= BIND_PRODUCT;
  bracket_if(t, bracket, STAGE_BEFORE);
  stage(t, t->face->group, STAGE_BEFORE);
  for (uint32_t i = 0; i < terms.n; i++) {
    if (i)
      typeset_term(t, terms.at[i], false);
    else
      set(t, terms.at[i], BIND_SUM);
  }
  stage(t, t->face->group, STAGE_AFTER);
  bracket_if(t, bracket, STAGE_AFTER);
}

static void set_relation(Typesetter *t, const Node *node, bool negated, Binding self,
                         Binding around) {
  bracket_if(t, around > self, STAGE_BEFORE);
  set(t, node->args[0], (Binding)(self + 1));
  t->face->relation(t, (Op)node->op, negated);
  set(t, node->args[1], (Binding)(self + 1));
  bracket_if(t, around > self, STAGE_AFTER);
}

static void set_negation(Typesetter *t, const Node *node, Binding around) {
  const Node *inner = node_of(t->cx, node->args[0]);
  if (inner->op == OP_EQ) {
    set_relation(t, inner, true, BIND_COMPARE, around);
    return;
  }
  bracket_if(t, around > BIND_NOT, STAGE_BEFORE);
  t->face->relation(t, OP_NOT, false);
  set(t, node->args[0], BIND_NOT);
  bracket_if(t, around > BIND_NOT, STAGE_AFTER);
}

// x^y with an exponent that is not a number; closed where something follows that could be read as
// part of an exponent on the line, as in x^(y)/2.
static void set_general_power(Typesetter *t, const Node *node, Binding around, bool closed) {
  bool bracket = around == BIND_POWER;
  bracket_if(t, bracket, STAGE_BEFORE);
  t->plain_base = false;
  t->face->power(t, STAGE_BEFORE);
  set(t, node->args[0], BIND_POWER);
  t->plain_base = false;
  t->face->power(t, STAGE_BETWEEN);
  bracket_if(t, closed, STAGE_BEFORE);
  set(t, node->args[1], t->face->flat && !closed ? BIND_POWER : BIND_OR);
  bracket_if(t, closed, STAGE_AFTER);
  t->plain_base = false;
  t->face->power(t, STAGE_AFTER);
  bracket_if(t, bracket, STAGE_AFTER);
}

static void set_function(Typesetter *t, const Node *node, Binding around) {
  switch (node->op) {
  case OP_POW: set_general_power(t, node, around, false); break;
  case OP_LT:
  case OP_LE:
  case OP_EQ: set_relation(t, node, false, BIND_COMPARE, around); break;
  case OP_AND: set_relation(t, node, false, BIND_AND, around); break;
  case OP_OR: set_relation(t, node, false, BIND_OR, around); break;
  case OP_NOT: set_negation(t, node, around); break;
  default: set_call(t, node, around < BIND_PRODUCT);
  }
}

// 2 [kg]: (2 kg) among factors.
static void set_quantity(Typesetter *t, const char *text, Binding around) {
  const char *open = strstr(text, " ["), *close = strrchr(text, ']');
  Arena *scratch = &t->cx->scratch;
  bracket_if(t, around >= BIND_PRODUCT, STAGE_BEFORE);
  set_digits(t, arena_copy(scratch, text, (size_t)(open - text)), BIND_OR);
  const char *unit = arena_copy(scratch, open + 2, (size_t)(close - open - 2));
  if (t->face->flat) // where m is a mass, too
    text_addf(t->out, " [%s]", unit);
  else
    t->face->unit(t, strncmp(unit, "1/", 2) == 0 ? unit + 1 : unit); // 2/s
  bracket_if(t, around >= BIND_PRODUCT, STAGE_AFTER);
}

static void set_symbol(Typesetter *t, Expr e, Binding around) {
  const IndexedSum *sum = sum_of(t, e);
  if (sum) {
    set_indexed_sum(t, sum, around > BIND_SUM);
    return;
  }
  const char *text = symbol_text(t->cx, symbol_name(t->cx, e));
  if (name_is_quantity(text)) {
    set_quantity(t, text, around);
    return;
  }
  SymbolKind kind = symbol_kind(t->cx, e);
  int primes = kind == SYMBOL_VELOCITY || kind == SYMBOL_POSE_VELOCITY || kind == SYMBOL_STATE_RATE
                   ? 1
               : kind == SYMBOL_ACCELERATION || kind == SYMBOL_POSE_ACCELERATION ? 2
                                                                                 : 0;
  t->face->name(t, text, primes);
}

static void set_definition(Typesetter *t, Expr e, Binding around) {
  Symbol name = definition_name(t->cx, e);
  if (name)
    t->face->name(t, symbol_text(t->cx, name), definition_order(t->cx, e));
  else
    set(t, definition_body(t->cx, e), around);
}

static void set(Typesetter *t, Expr e, Binding around) {
  const char *name = t->names ? t->names->name(t->cx, e, t->names->argument) : NULL;
  if (name) {
    t->face->name(t, name, 0);
    return;
  }
  if (++t->depth > DEEPEST) guard_escape(&t->cx->guard, QDOT_TOO_LARGE);
  const Node *node = node_of(t->cx, e);
  switch (node->op) {
  case OP_UNDEFINED: text_add(t->out, t->face->undefined); break;
  case OP_NUMBER: set_number(t, node->number, around); break;
  case OP_PI: text_add(t->out, t->face->pi); break;
  case OP_SYMBOL: set_symbol(t, e, around); break;
  case OP_DEFINITION: set_definition(t, e, around); break;
  case OP_SUM: set_sum(t, e, around); break;
  case OP_PRODUCT: set_product(t, e, around); break;
  default: set_function(t, node, around);
  }
  t->depth--;
}

void typeset_expr(Typesetter *t, Expr e) {
  // The text may itself grow in the scratch arena; then the caller releases both.
  bool shared = t->out->arena == &t->cx->scratch;
  Mark mark = arena_mark(&t->cx->scratch);
  bool is_open = t->numbers == NUMBERS_OPEN;
  if (is_open && t->face != &ascii_face) t->numbers = number_style(t->cx, &e, 1, t->names);
  set(t, e, BIND_OR);
  if (is_open) t->numbers = NUMBERS_OPEN;
  if (!shared) arena_release(&t->cx->scratch, mark);
}

const char *typeset_function(const Typesetter *t, Op op) {
  Arena *scratch = &t->cx->scratch;
  const char *sine = t->sine ? t->sine : "sin";
  if (op == OP_SIN) return sine;
  if (op == OP_SIGN) return t->sine ? "sgn" : NULL;
  if (op == OP_ASIN) return text_format(scratch, "arc%s", sine);
  return op == OP_SINH ? text_format(scratch, "%sh", sine) : NULL;
}

void typeset_symbol(Typesetter *t, const char *name, int primes) { t->face->name(t, name, primes); }

void typeset_transposed(Typesetter *t, const char *name) { t->face->transposed(t, name); }

void typeset(Context *cx, Expr e, const Typeface *face, const PartNames *names, Text *out) {
  Typesetter t = {.cx = cx, .face = face, .names = names, .out = out};
  typeset_expr(&t, e);
}

void typeset_name(Context *cx, const char *name, int primes, const Typeface *face, Text *out) {
  Typesetter t = {.cx = cx, .face = face, .out = out};
  face->name(&t, name, primes);
}

void typeset_term(Typesetter *t, Expr term, bool is_first) {
  bool negative = number_sign(t->cx, expr_coefficient(t->cx, term)) < 0;
  if (is_first) {
    set(t, term, BIND_OR);
    return;
  }
  text_add(t->out, negative ? t->face->minus : t->face->plus);
  if (negative) term = expr_neg(t->cx, term);
  // An unnamed part is written out, and may be a sum: then what is subtracted needs its bracket.
  bool part = expr_is_definition(t->cx, term) && !definition_name(t->cx, term);
  set(t, term, negative && part ? BIND_PRODUCT : BIND_SUM);
}

void typeset_partial(Typesetter *t, const char *function, Expr by, bool with_rate) {
  const Typeface *face = t->face;
  size_t stem = strcspn(function, "'");
  if (with_rate) {
    face->fraction(t, STAGE_BEFORE);
    text_add(t->out, face->differential);
    face->fraction(t, STAGE_BETWEEN);
    text_add(t->out, face->differential);
    face->name(t, "t", 0);
    face->fraction(t, STAGE_AFTER);
    text_add(t->out, face->times);
  }
  bracket_if(t, with_rate && face->flat, STAGE_BEFORE);
  face->fraction(t, STAGE_BEFORE);
  text_add(t->out, face->partial);
  face->name(t, arena_copy(&t->cx->scratch, function, stem), (int)strlen(function + stem));
  face->fraction(t, STAGE_BETWEEN);
  text_add(t->out, face->partial);
  set(t, by, BIND_POWER);
  face->fraction(t, STAGE_AFTER);
  bracket_if(t, with_rate && face->flat, STAGE_AFTER);
}
