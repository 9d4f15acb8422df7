// Typefaces of the terminal: Greek letters, subscripts and raised exponents, or plain ASCII.
#include <string.h>

#include "base/utf8.h"
#include "base/words/greek.h"
#include "print/flat_face.h"
#include "print/units.h"

static void add_letter(Text *out, uint32_t letter) {
  char bytes[4];
  text_add_bytes(out, bytes, utf8_put(letter, bytes));
}

static void add_word(Text *out, const char *word, size_t length) {
  uint32_t letter = greek_from_word(word, length);
  if (letter)
    add_letter(out, letter);
  else
    text_add_bytes(out, word, length);
}

static bool is_all_digits(const char *text, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (text[i] < '0' || text[i] > '9') return false;
  return n > 0;
}

static void add_subscript(Text *out, const NameParts *parts) {
  if (is_all_digits(parts->subscript, parts->subscript_length)) {
    for (size_t i = 0; i < parts->subscript_length; i++)
      add_letter(out, 0x2080u + (uint32_t)(parts->subscript[i] - '0'));
    return;
  }
  text_add_char(out, parts->is_index ? '[' : '_');
  // theta_1 of p_theta_1
  size_t stem = parts->subscript_length;
  while (stem && parts->subscript[stem - 1] != '_') stem--;
  const char *digits = parts->subscript + stem;
  size_t digit_count = parts->subscript_length - stem;
  if (stem > 1 && !parts->is_index && is_all_digits(digits, digit_count)) {
    add_word(out, parts->subscript, stem - 1);
    for (size_t i = 0; i < digit_count; i++) add_letter(out, 0x2080u + (uint32_t)(digits[i] - '0'));
    return;
  }
  add_word(out, parts->subscript, parts->subscript_length);
  if (parts->is_index) text_add_char(out, ']');
}

static void add_primes(Text *out, int primes) {
  while (primes-- > 0) text_add_char(out, '\'');
}

static void name_in_greek(Typesetter *t, const char *name, int primes) {
  NameParts parts = name_parts(t->cx, name);
  add_word(t->out, parts.stem, parts.stem_length);
  if (parts.subscript_length) add_subscript(t->out, &parts);
  if (parts.component_length)
    text_addf(t->out, "%c%s", parts.is_owned ? ',' : '.', parts.component);
  add_primes(t->out, primes);
}

static void name_as_written(Typesetter *t, const char *name, int primes) {
  text_add(t->out, name);
  add_primes(t->out, primes);
}

static void relation_plain(Typesetter *t, Op op, bool negated) {
  if (op == OP_NOT)
    text_add(t->out, "not ");
  else
    text_addf(t->out, " %s ", negated ? "!=" : op_text(op));
}

static void power_with_hat(Typesetter *t, Stage stage) {
  if (stage == STAGE_BETWEEN) text_add_char(t->out, '^');
}

static void bars(Typesetter *t, Stage stage) {
  (void)stage;
  text_add_char(t->out, '|');
}

static void transposed_sign(Typesetter *t, const char *name) {
  name_in_greek(t, name, 0);
  text_add(t->out, "ᵀ");
}

static void transposed_plain(Typesetter *t, const char *name) { text_addf(t->out, "%s^T", name); }

static void add_sum(Typesetter *t, const char *sign, const char *index, const char *from,
                    const char *to) {
  if (from)
    text_addf(t->out, "%s_(%s=%s..%s) ", sign, index, from, to);
  else
    text_addf(t->out, "%s_%s ", sign, index);
}

static void sum_sign(Typesetter *t, const char *index, const char *from, const char *to) {
  add_sum(t, "Σ", index, from, to);
}

static void sum_plain(Typesetter *t, const char *index, const char *from, const char *to) {
  add_sum(t, "sum", index, from, to);
}

static void root_plain(Typesetter *t, Stage stage) {
  text_add(t->out, stage == STAGE_BEFORE ? "sqrt(" : ")");
}

static void raised_digits(Typesetter *t, const char *digits) {
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (; *digits; digits++) text_add(t->out, raised[*digits - '0']);
}

static void unit_with_blank(Typesetter *t, const char *unit) {
  if (!unit_is_joined(unit)) text_add_char(t->out, ' ');
  if (t->face == &ascii_face)
    text_add(t->out, unit);
  else
    unit_add_pretty(t->out, unit);
}

static void function_of_reader(Typesetter *t, Op op) {
  const char *own = op == OP_SIN || op == OP_SIGN ? typeset_function(t, op) : NULL;
  text_add(t->out, own ? own : op_text(op));
}

const Typeface terminal_face = {
    .flat = true,
    .plus = " + ",
    .minus = " − ",
    .negative = "−",
    .times = " ",
    .comma = ", ",
    .equals = " = ",
    .becomes = " ← ",
    .less = " < ",
    .partial = "∂",
    .differential = "d",
    .dot = "·",
    .dots = "…",
    .gap = "   ",
    .approximately = "~ ",
    .plus_minus = " ± ",
    .angle = " ∠ ",
    .pi = "π",
    .undefined = "undefined",
    .name = name_in_greek,
    .number = flat_number,
    .function = function_of_reader,
    .relation = flat_relation,
    .apply = flat_apply,
    .bracket = flat_bracket,
    .fraction = flat_fraction,
    .power = power_with_hat,
    .root = flat_root,
    .absolute = bars,
    .transposed = transposed_sign,
    .sum = sum_sign,
    .unit = unit_with_blank,
    .integer_power = raised_digits,
};

const Typeface ascii_face = {
    .flat = true,
    .plus = " + ",
    .minus = " - ",
    .negative = "-",
    .times = "*",
    .comma = ", ",
    .equals = " = ",
    .becomes = " <- ",
    .less = " < ",
    .partial = "d",
    .differential = "d",
    .dot = "*",
    .dots = "...",
    .gap = "   ",
    .approximately = "~ ",
    .plus_minus = " +- ",
    .angle = " at ",
    .pi = "pi",
    .undefined = "undefined",
    .name = name_as_written,
    .number = flat_number,
    .function = flat_function,
    .relation = relation_plain,
    .bracket = flat_bracket,
    .fraction = flat_fraction,
    .power = power_with_hat,
    .root = root_plain,
    .transposed = transposed_plain,
    .sum = sum_plain,
    .unit = unit_with_blank,
};
