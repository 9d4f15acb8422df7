// What the terminal shows is read back, as a person reads it, to the same value.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr/value/eval.h"
#include "print/text_block.h"
#include "print/typeset.h"
#include "support/check.h"
#include "support/expressions.h"

// ---- A reader of that notation: a blank multiplies, raised digits are powers

typedef struct Reader {
  const char *at;
  const double *values; // of the names below
  bool failed, ambiguous;
} Reader;

static const char *const names[SAMPLE_SYMBOLS] = {"a", "m₁", "x", "θ₂", "x'", "θ₂'"};

static double read_sum(Reader *r);

static bool take(Reader *r, const char *text) {
  size_t n = strlen(text);
  if (strncmp(r->at, text, n) != 0) return false;
  r->at += n;
  return true;
}

static double give_up(Reader *r) {
  r->failed = true;
  return NAN;
}

// Raised digits behind something; 1 when there are none.
static double read_raised(Reader *r) {
  static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  double value = 0, sign = take(r, "⁻") ? -1 : 1;
  bool any = false;
  for (int i = 0; i < 10; i++) {
    if (!take(r, digits[i])) continue;
    value = 10 * value + i, any = true;
    i = -1;
  }
  return any ? sign * value : 1;
}

static double read_name(Reader *r) {
  int best = -1;
  for (int i = 0; i < SAMPLE_SYMBOLS; i++)
    if (strncmp(r->at, names[i], strlen(names[i])) == 0 &&
        (best < 0 || strlen(names[i]) > strlen(names[best])))
      best = i;
  if (best < 0) return give_up(r);
  take(r, names[best]);
  return r->values[best];
}

static double call(Reader *r, Op op) {
  double power = read_raised(r), v[3] = {0};
  int n = 0;
  if (take(r, " ")) { // sin x
    v[n++] = take(r, "π") ? M_PI : read_name(r);
  } else if (take(r, "(")) {
    do v[n++] = read_sum(r);
    while (n < 3 && take(r, ", "));
    if (!take(r, ")")) give_up(r);
  } else {
    give_up(r);
  }
  if (n != op_arity(op)) return give_up(r);
  return pow(op_value(op, v), power);
}

static double read_primary(Reader *r) {
  if (take(r, "(")) {
    double v = read_sum(r);
    return take(r, ")") ? v : give_up(r);
  }
  if (take(r, "√(")) {
    double v = sqrt(read_sum(r));
    return take(r, ")") ? v : give_up(r);
  }
  if (take(r, "|")) {
    double v = fabs(read_sum(r));
    return take(r, "|") ? v : give_up(r);
  }
  if (take(r, "π")) return M_PI;
  if (*r->at >= '0' && *r->at <= '9') {
    char *end;
    double v = strtod(r->at, &end);
    r->at = end;
    return v;
  }
  for (int op = OP_SIN; op < OP_LT; op++) {
    size_t n = strlen(op_text((Op)op));
    const char *next = r->at + n;
    bool whole = *next == '(' || *next == ' ' || (unsigned char)*next >= 0x80;
    if (op != OP_POW && n && strncmp(r->at, op_text((Op)op), n) == 0 && whole) {
      r->at = next;
      return call(r, (Op)op);
    }
  }
  return read_name(r);
}

// A name that is an exponent on the line must not be followed by what could belong to it.
static double read_factor(Reader *r) {
  double base = read_primary(r);
  base = pow(base, read_raised(r));
  if (!take(r, "^")) return base;
  bool bare = *r->at != '(' && !(*r->at >= '0' && *r->at <= '9');
  double exponent = read_primary(r);
  exponent = pow(exponent, read_raised(r));
  bool ends = !*r->at || *r->at == ')' || *r->at == '|' || *r->at == ',' ||
              strncmp(r->at, " + ", 3) == 0 || strncmp(r->at, " − ", 5) == 0;
  if (bare && !ends) r->ambiguous = true;
  return pow(base, exponent);
}

static double read_product(Reader *r) {
  double sign = take(r, "−") ? -1 : 1, value = sign * read_factor(r);
  while (!r->failed) {
    if (take(r, "/"))
      value /= read_factor(r);
    else if (take(r, "·")) // in numbers with very many digits
      value *= read_factor(r);
    else if (*r->at == ' ' && strncmp(r->at, " + ", 3) != 0 && strncmp(r->at, " − ", 5) != 0)
      r->at++, value *= read_factor(r);
    else
      break;
  }
  return value;
}

static double read_sum(Reader *r) {
  double value = read_product(r);
  while (!r->failed) {
    if (take(r, " + "))
      value += read_product(r);
    else if (take(r, " − "))
      value -= read_product(r);
    else
      break;
  }
  return value;
}

// ---- Random expressions

// One line again, from lines that were wrapped.
static const char *unwrapped(Arena *arena, const char *text) {
  Text out = text_new(arena);
  for (; *text; text++) {
    if (*text != '\n') {
      text_add_char(&out, *text);
      continue;
    }
    while (text[1] == ' ') text++;
    if (text[1]) text_add_char(&out, ' ');
  }
  return out.at;
}

TEST(terminal_text_reads_back) {
  Random random = random_start("terminal_text_reads_back");
  Samples samples = samples_open(cx, &random);
  int compared = 0;
  for (int i = 0; i < test_rounds(20000); i++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = random_expr(&samples, 5, i % 2);
    double *values = random_values(&samples, 0.2, 2), of_names[SAMPLE_SYMBOLS];
    for (int k = 0; k < SAMPLE_SYMBOLS; k++)
      of_names[k] = values[symbol_variable(cx, samples.symbol[k])];
    Text text = text_new(&cx->scratch), lines = text_new(&cx->scratch);
    typeset(cx, e, &terminal_face, NULL, &text);
    bool readable = expr_is_defined(cx, e) && !strstr(text.at, "if(");
    double expected = readable ? expr_eval(cx, e, values) : NAN;
    if (isfinite(expected) && is_well_conditioned(&samples, e, values)) {
      print_wrapped(&lines, text.at, 20 + (size_t)random_below(&random, 60), 4);
      Reader reader = {.at = unwrapped(&cx->scratch, lines.at), .values = of_names};
      assert_string_equal(reader.at, text.at);
      double found = read_sum(&reader);
      if (reader.failed || *reader.at || reader.ambiguous)
        fail_msg("%s: cannot be read at '%s'", text.at, reader.at);
      if (!(fabs(found - expected) <= 1e-6 * (1 + fabs(expected))))
        fail_msg("%s: %.17g, read back %.17g", text.at, expected, found);
      compared++;
    }
    arena_release(&cx->scratch, mark);
  }
  assert_true(compared > test_rounds(20000) / 4);
}

// What goes on inside a bracket does not stand where a term of the whole would.
TEST(what_is_inside_a_bracket_stands_below_its_content) {
  Text out = text_new(&cx->keep);
  print_wrapped(&out, "h = a (bbbbbbbb + cccccccc + dddddddd) + eeee", 26, 4);
  assert_string_equal(out.at, "h = a (bbbbbbbb + cccccccc\n"
                              "       + dddddddd) + eeee\n");
}

RUN_TESTS(cmocka_unit_test(terminal_text_reads_back),
          cmocka_unit_test(what_is_inside_a_bracket_stands_below_its_content))
