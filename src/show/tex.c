// The typeface of LaTeX: \frac, \dot, \left( \right).
#include <string.h>

#include "base/greek.h"
#include "show/typeset.h"

static void add_stem(Text *out, const char *stem, size_t n) {
  if (greek_from_word(stem, n))
    text_addf(out, "\\%.*s", (int)n, stem);
  else if (n == 1)
    text_add_bytes(out, stem, n);
  else {
    text_add(out, "\\mathit{");
    for (size_t i = 0; i < n; i++) {
      if (stem[i] == '_') text_add_char(out, '\\');
      text_add_char(out, stem[i]);
    }
    text_add_char(out, '}');
  }
}

// A_x and B[1] become A,x and B,1.
static void add_subscript(Text *out, const char *text, size_t n) {
  text_add(out, "_{");
  for (size_t i = 0; i < n;) {
    size_t word = 0;
    while (i + word < n && !strchr("_[],", text[i + word])) word++;
    if (word && text[i] >= '0' && text[i] <= '9')
      text_add_bytes(out, text + i, word);
    else if (word)
      add_stem(out, text + i, word);
    i += word;
    if (i < n && i + 1 < n) text_add_char(out, ',');
    if (i < n) i++;
  }
  text_add_char(out, '}');
}

static void latex_name(Typesetter *t, const char *name, int primes) {
  static const char *const dots[] = {"", "\\dot{", "\\ddot{", "\\dddot{", "\\ddddot{"};
  NameParts parts = name_parts(name);
  int dotted = primes <= 4 ? primes : 0;
  text_add(t->out, dots[dotted]);
  add_stem(t->out, parts.stem, parts.stem_length);
  if (dotted) text_add_char(t->out, '}');
  // A component stands before the subscript's comma: r_{1,x}
  if (parts.subscript_length && parts.component_length) {
    Text joined = text_new(&t->cx->scratch);
    text_add_bytes(&joined, parts.subscript, parts.subscript_length);
    text_addf(&joined, ",%.*s", (int)parts.component_length, parts.component);
    add_subscript(t->out, joined.at, joined.n);
  } else if (parts.subscript_length) {
    add_subscript(t->out, parts.subscript, parts.subscript_length);
  } else if (parts.component_length) {
    add_subscript(t->out, parts.component, parts.component_length);
  }
  if (primes > 4) text_addf(t->out, "^{(%d)}", primes);
}

static void latex_number(Typesetter *t, const char *digits) { text_add(t->out, digits); }

static void latex_function(Typesetter *t, Op op) {
  static const char *const names[OP_COUNT] = {
#define OP(name, arity, text, c, tex) [OP_##name] = tex,
#include "expr/ops.def"
#undef OP
  };
  text_add(t->out, names[op]);
}

static void latex_relation(Typesetter *t, Op op, bool negated) {
  text_add_char(t->out, ' ');
  if (negated)
    text_add(t->out, "\\ne");
  else
    latex_function(t, op);
  text_add_char(t->out, ' ');
}

static void latex_apply(Typesetter *t) { text_add_char(t->out, ' '); }

static void latex_bracket(Typesetter *t, Stage stage) {
  text_add(t->out, stage == STAGE_BEFORE ? "\\left(" : "\\right)");
}

static void latex_fraction(Typesetter *t, Stage stage) {
  static const char *const text[] = {"\\frac{", "}{", "}"};
  text_add(t->out, text[stage]);
}

static void latex_power(Typesetter *t, Stage stage) {
  static const char *const text[] = {"{", "}^{", "}"};
  text_add(t->out, text[stage]);
}

static void latex_root(Typesetter *t, Stage stage) {
  text_add(t->out, stage == STAGE_BEFORE ? "\\sqrt{" : "}");
}

const Typeface latex_face = {
    .plus = " + ",
    .minus = " - ",
    .negative = "-",
    .times = " \\, ",
    .comma = ", ",
    .pi = "\\pi",
    .undefined = "\\text{undefined}",
    .name = latex_name,
    .number = latex_number,
    .function = latex_function,
    .relation = latex_relation,
    .apply = latex_apply,
    .bracket = latex_bracket,
    .fraction = latex_fraction,
    .power = latex_power,
    .root = latex_root,
};
