// The typeface of LaTeX: \frac, \dot, \left( \right).
#include <string.h>

#include "base/utf8.h"
#include "base/words/greek.h"
#include "print/typeset.h"
#include "print/units.h"

// Letters that LaTeX cannot set in a formula stand as their code.
static void add_letters(Text *out, const char *text, size_t n) {
  for (size_t i = 0; i < n;) {
    uint32_t letter;
    size_t used = utf8_decode(text + i, n - i, &letter);
    if (!used) used = 1, letter = '?';
    const char *greek = greek_word(letter);
    if (letter == '_')
      text_add(out, "\\_");
    else if (letter < 0x80)
      text_add_char(out, (char)letter);
    else if (greek)
      text_addf(out, "\\%s ", greek);
    else if (letter < 0x250)
      text_addf(out, "\\text{%.*s}", (int)used, text + i);
    else
      text_addf(out, "\\mathrm{u}%X", (unsigned)letter);
    i += used;
  }
}

// The letter of which this is the script form, or 0.
static char script_letter(const char *word, size_t n) {
  static const struct {
    const char *script;
    char letter;
  } others[] = {{"ℒ", 'L'}, {"ℳ", 'M'}, {"ℛ", 'R'}, {"ℰ", 'E'}};
  uint32_t letter;
  if (utf8_decode(word, n, &letter) != n) return 0;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strlen(others[i].script) == n && memcmp(others[i].script, word, n) == 0)
      return others[i].letter;
  return letter >= 0x1D49C && letter < 0x1D49C + 26 ? (char)('A' + (letter - 0x1D49C)) : 0;
}

// A word alone: Greek, a letter, or several letters in one shape.
static void add_word(Text *out, const char *word, size_t n, const char *shape) {
  if (n == strlen("ℓ") && memcmp(word, "ℓ", n) == 0) {
    text_add(out, "\\ell");
  } else if (n > 1 && script_letter(word, n)) {
    text_addf(out, "\\mathcal{%c}", script_letter(word, n));
  } else if (greek_from_word(word, n)) {
    text_addf(out, "\\%.*s", (int)n, word);
  } else if (n == 1 || (word[0] >= '0' && word[0] <= '9') || memchr(word, '+', n) ||
             memchr(word, '-', n)) {
    add_letters(out, word, n);
  } else {
    text_addf(out, "\\%s{", shape);
    add_letters(out, word, n);
    text_add_char(out, '}');
  }
}

static void add_words(Text *out, const char *text, size_t n, bool *first) {
  const char *word;
  size_t length;
  while ((length = subscript_word(&text, &n, &word))) {
    if (!*first) text_add_char(out, ',');
    *first = false;
    add_word(out, word, length, "mathrm");
  }
}

static const char *const dots[] = {"", "\\dot{", "\\ddot{", "\\dddot{", "\\ddddot{"};

static void latex_own_name(Typesetter *t, const char *latex, int primes) {
  int dotted = primes <= 4 ? primes : 0;
  // Dots stand over what is in front of the subscript.
  size_t stem = dotted ? strcspn(latex, "_^") : 0;
  text_addf(t->out, "%s%.*s%s%s", dots[dotted], (int)stem, latex, dotted ? "}" : "", latex + stem);
  if (primes > 4) text_addf(t->out, "^{(%d)}", primes);
}

static void latex_name(Typesetter *t, const char *name, int primes) {
  const char *own = notation_find(t->notation, name);
  if (own) {
    latex_own_name(t, own, primes);
    return;
  }
  NameParts parts = name_parts(t->cx, name);
  int dotted = primes <= 4 ? primes : 0;
  text_add(t->out, dots[dotted]);
  add_word(t->out, parts.stem, parts.stem_length, "mathit");
  if (dotted) text_add_char(t->out, '}');
  if (parts.subscript_length || parts.component_length) {
    bool first = true;
    text_add(t->out, "_{");
    add_words(t->out, parts.subscript, parts.subscript_length, &first);
    add_words(t->out, parts.component, parts.component_length, &first);
    text_add_char(t->out, '}');
  }
  if (primes > 4) text_addf(t->out, "^{(%d)}", primes);
}

static void latex_number(Typesetter *t, const char *digits) {
  const char *point = t->decimal == ',' ? strchr(digits, '.') : NULL;
  if (point)
    text_addf(t->out, "%.*s{,}%s", (int)(point - digits), digits, point + 1);
  else
    text_add(t->out, digits);
}

static void latex_function(Typesetter *t, Op op) {
  static const char *const names[OP_COUNT] = {
#define OP(name, arity, text, c, tex) [OP_##name] = tex,
#include "program/ops.def"
#undef OP
  };
  const char *own = t->sine ? typeset_function(t, op) : NULL;
  if (own)
    text_addf(t->out, "\\operatorname{%s}", own);
  else
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

// The last bracket that is still open.
static char *open_bracket(const Text *out) {
  int depth = 0;
  for (char *at = out->at + out->n; at > out->at;) {
    at--;
    if (*at != '\\') continue;
    if (strncmp(at, "\\right)", 7) == 0) depth++;
    if (strncmp(at, "\\left(", 6) == 0 && depth-- == 0) return at;
  }
  return NULL;
}

// Brackets grow only around what is tall.
static void latex_bracket(Typesetter *t, Stage stage) {
  if (stage == STAGE_BEFORE) {
    text_add(t->out, "\\left(");
    return;
  }
  char *open = open_bracket(t->out);
  if (!open || strstr(open, "\\frac") || strstr(open, "\\sqrt") || strstr(open, "\\sum") ||
      strstr(open, "\\begin")) {
    text_add(t->out, "\\right)");
    return;
  }
  size_t left = strlen("\\left");
  memmove(open, open + left, strlen(open + left) + 1);
  t->out->n -= left;
  text_add_char(t->out, ')');
}

static void latex_fraction(Typesetter *t, Stage stage) {
  static const char *const text[] = {"\\frac{", "}{", "}"};
  text_add(t->out, text[stage]);
}

// A name takes its exponent beside its subscript: L_{1}^{2}.
static void latex_power(Typesetter *t, Stage stage) {
  static const char *const braced[] = {"{", "}^{", "}"}, *const plain[] = {"", "^{", "}"};
  bool own = t->notation && t->notation->n; // it may contain an exponent of its own
  text_add(t->out, t->plain_base && !own ? plain[stage] : braced[stage]);
}

static void latex_root(Typesetter *t, Stage stage) {
  text_add(t->out, stage == STAGE_BEFORE ? "\\sqrt{" : "}");
}

static void latex_absolute(Typesetter *t, Stage stage) {
  text_add(t->out, stage == STAGE_BEFORE ? "\\left|" : "\\right|");
}

static void latex_transposed(Typesetter *t, const char *name) {
  latex_name(t, name, 0);
  text_add(t->out, "^{\\mathsf{T}}");
}

static void latex_sum(Typesetter *t, const char *index, const char *from, const char *to) {
  if (from)
    text_addf(t->out, "\\sum_{%s=%s}^{%s} ", index, from, to);
  else
    text_addf(t->out, "\\sum_{%s} ", index);
}

static void latex_unit(Typesetter *t, const char *unit) {
  if (!unit_is_joined(unit)) text_add(t->out, "\\,");
  unit_add_latex(t->out, unit);
}

const Typeface latex_face = {
    .plus = " + ",
    .minus = " - ",
    .negative = "-",
    .times = " \\, ",
    .times_function = " ",
    .comma = ", ",
    .equals = " = ",
    .becomes = " \\gets ",
    .less = " < ",
    .dot = " \\cdot ",
    .dots = "\\dots",
    .gap = "\\qquad ",
    .approximately = "{\\sim}\\,",
    .plus_minus = " \\pm ",
    .angle = "\\,\\angle\\,",
    .pi = "\\pi",
    .undefined = "\\text{undefined}",
    .partial = "\\partial ",
    .differential = "\\mathrm{d}",
    .name = latex_name,
    .number = latex_number,
    .function = latex_function,
    .relation = latex_relation,
    .apply = latex_apply,
    .bracket = latex_bracket,
    .fraction = latex_fraction,
    .power = latex_power,
    .root = latex_root,
    .absolute = latex_absolute,
    .transposed = latex_transposed,
    .sum = latex_sum,
    .unit = latex_unit,
    .cases = {"\\begin{cases} ", " & ", " \\\\ ", " \\end{cases}"},
};
