// The typeface of presentation MathML, as browsers draw it.
#include <string.h>

#include "base/greek.h"
#include "base/utf8.h"
#include "show/typeset.h"

#define THIN "<mspace width=\"0.17em\"/>"

static void add_letter(Text *out, uint32_t letter) {
  char bytes[4];
  text_add_bytes(out, bytes, utf8_encode(letter, bytes));
}

// A word of a name or subscript: a number, a Greek letter, or letters.
static void add_word(Text *out, const char *word, size_t n) {
  bool number = word[0] >= '0' && word[0] <= '9';
  uint32_t greek = greek_from_word(word, n);
  text_add(out, number ? "<mn>" : "<mi>");
  if (greek)
    add_letter(out, greek);
  else
    text_add_bytes(out, word, n); // names contain letters, digits and '_' only
  text_add(out, number ? "</mn>" : "</mi>");
}

// Dots over a word; more than three become a raised count behind it, by the caller.
static void add_dotted(Text *out, const char *word, size_t n, int primes) {
  static const char *const dots[] = {"", "˙", "¨", "⃛"};
  if (primes) text_add(out, "<mover accent=\"true\">");
  add_word(out, word, n);
  if (primes) text_addf(out, "<mo stretchy=\"false\">%s</mo></mover>", dots[primes]);
}

static void add_words(Text *out, const char *text, size_t n, bool *first) {
  const char *word;
  size_t length;
  while ((length = subscript_word(&text, &n, &word))) {
    if (!*first) text_add(out, "<mo separator=\"true\">,</mo>");
    *first = false;
    add_word(out, word, length);
  }
}

static void add_name(Text *out, const char *name, int primes) {
  NameParts parts = name_parts_typeset(name);
  bool subscript = parts.subscript_length || parts.component_length, many = primes > 3;
  if (many) text_add(out, "<msup>");
  if (subscript) text_add(out, "<msub>");
  add_dotted(out, parts.stem, parts.stem_length, many ? 0 : primes);
  if (subscript) {
    bool first = true;
    text_add(out, "<mrow>");
    add_words(out, parts.subscript, parts.subscript_length, &first);
    add_words(out, parts.component, parts.component_length, &first);
    text_add(out, "</mrow></msub>");
  }
  if (many) text_addf(out, "<mrow><mo>(</mo><mn>%d</mn><mo>)</mo></mrow></msup>", primes);
}

// The user's LaTeX for a name, as far as it consists of letters, commands and a subscript: the
// commands' names are Greek letters or shapes that a browser need not have.
static const char *plain_name(Typesetter *t, const char *latex) {
  Text name = text_new(&t->cx->scratch);
  for (; *latex; latex++) {
    if (*latex == '\\') {
      size_t length = strspn(latex + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
      size_t skip = strncmp(latex + 1, "var", 3) == 0 && length > 3 ? 3 : 0;
      if (greek_from_word(latex + 1 + skip, length - skip))
        text_add_bytes(&name, latex + 1 + skip, length - skip);
      latex += length;
    } else if (!strchr("{}^$&<> ", *latex)) {
      text_add_char(&name, *latex);
    }
  }
  return name.n ? name.at : "x";
}

static void mathml_name(Typesetter *t, const char *name, int primes) {
  const char *own = notation_find(t->notation, name);
  add_name(t->out, own ? plain_name(t, own) : name, primes);
}

static void mathml_number(Typesetter *t, const char *digits) {
  text_addf(t->out, "<mn>%s</mn>", digits);
}

static void mathml_function(Typesetter *t, Op op) {
  static const char *const inverse[] = {"arcsin", "arccos", "arctan"};
  const char *name = op == OP_LOG                     ? "ln"
                     : op >= OP_ASIN && op <= OP_ATAN ? inverse[op - OP_ASIN]
                                                      : op_text(op);
  text_addf(t->out, "<mi>%s</mi><mo>&#x2061;</mo>", name);
}

static void mathml_relation(Typesetter *t, Op op, bool negated) {
  const char *sign = "=";
  switch (op) {
  case OP_LT: sign = "&lt;"; break;
  case OP_LE: sign = "≤"; break;
  case OP_AND: sign = "∧"; break;
  case OP_OR: sign = "∨"; break;
  case OP_NOT: sign = "¬"; break;
  default: sign = negated ? "≠" : "=";
  }
  text_addf(t->out, "<mo>%s</mo>", sign);
}

static void mathml_apply(Typesetter *t) { text_add(t->out, THIN); }

static void mathml_bracket(Typesetter *t, Stage stage) {
  text_add(t->out, stage == STAGE_BEFORE ? "<mrow><mo>(</mo>" : "<mo>)</mo></mrow>");
}

static void mathml_group(Typesetter *t, Stage stage) {
  text_add(t->out, stage == STAGE_BEFORE ? "<mrow>" : "</mrow>");
}

static void mathml_fraction(Typesetter *t, Stage stage) {
  static const char *const text[] = {"<mfrac><mrow>", "</mrow><mrow>", "</mrow></mfrac>"};
  text_add(t->out, text[stage]);
}

static void mathml_power(Typesetter *t, Stage stage) {
  static const char *const text[] = {"<msup><mrow>", "</mrow><mrow>", "</mrow></msup>"};
  text_add(t->out, text[stage]);
}

static void mathml_root(Typesetter *t, Stage stage) {
  text_add(t->out, stage == STAGE_BEFORE ? "<msqrt>" : "</msqrt>");
}

static void mathml_absolute(Typesetter *t, Stage stage) {
  text_add(t->out, stage == STAGE_BEFORE ? "<mrow><mo stretchy=\"true\">|</mo>"
                                         : "<mo stretchy=\"true\">|</mo></mrow>");
}

const Typeface mathml_face = {
    .plus = "<mo>+</mo>",
    .minus = "<mo>−</mo>",
    .negative = "<mo form=\"prefix\">−</mo>",
    .times = "<mo>&#x2062;</mo>" THIN,
    .comma = "<mo separator=\"true\">,</mo>",
    .equals = "<mo>=</mo>",
    .pi = "<mi>π</mi>",
    .undefined = "<mtext>undefined</mtext>",
    .partial = "<mo>∂</mo>",
    .differential = "<mi mathvariant=\"normal\">d</mi>",
    .name = mathml_name,
    .number = mathml_number,
    .function = mathml_function,
    .relation = mathml_relation,
    .apply = mathml_apply,
    .bracket = mathml_bracket,
    .group = mathml_group,
    .fraction = mathml_fraction,
    .power = mathml_power,
    .root = mathml_root,
    .absolute = mathml_absolute,
};
