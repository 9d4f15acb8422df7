// The typeface of presentation MathML, as browsers draw it.
#include <string.h>

#include "base/utf8.h"
#include "base/words/greek.h"
#include "print/typeset.h"
#include "print/units.h"

#define THIN "<mspace width=\"0.17em\"/>"

static void add_letter(Text *out, uint32_t letter) {
  char bytes[4];
  text_add_bytes(out, bytes, utf8_put(letter, bytes));
}

// A word of a name or subscript: a number, a Greek letter, or letters.
static void add_word(Text *out, const char *word, size_t n) {
  size_t stem = strcspn(word, "+-");
  if (stem && stem < n) { // i-1
    add_word(out, word, stem);
    text_addf(out, "<mo>%s</mo>", word[stem] == '-' ? "−" : "+");
    add_word(out, word + stem + 1, n - stem - 1);
    return;
  }
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

static void add_name(const Context *cx, Text *out, const char *name, int primes) {
  NameParts parts = name_parts(cx, name);
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

// What a command of LaTeX stands for where that is a letter: \varphi, \ell; nothing for shapes,
// which a browser need not have.
static void add_command(Text *name, const char *word, size_t length) {
  static const struct {
    const char *word, *letter;
  } letters[] = {{"ell", "ℓ"}, {"hbar", "ħ"}, {"imath", "ı"}, {"jmath", "ȷ"}, {"wp", "℘"}};
  size_t skip = strncmp(word, "var", 3) == 0 && length > 3 ? 3 : 0;
  if (greek_from_word(word + skip, length - skip)) text_add_bytes(name, word + skip, length - skip);
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
    if (strlen(letters[i].word) == length && memcmp(letters[i].word, word, length) == 0)
      text_add(name, letters[i].letter);
}

// The user's LaTeX for a name, as far as it consists of letters and a subscript; otherwise the
// name.
static const char *plain_name(Typesetter *t, const char *latex, const char *otherwise) {
  Text name = text_new(&t->cx->scratch);
  for (; *latex; latex++) {
    if (*latex == '\\') {
      size_t length = strspn(latex + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
      add_command(&name, latex + 1, length);
      latex += length;
    } else if (!strchr("{}^$&<> ", *latex)) {
      text_add_char(&name, *latex);
    }
  }
  return name.n && name.at[0] != '_' ? name.at : otherwise;
}

// The element behind `start` tells whose name it is, so that a page can show where else it stands.
static void mark_name(Typesetter *t, size_t start, const char *name) {
  size_t tag = start + strcspn(t->out->at + start, " >");
  const char *behind = arena_copy(&t->cx->scratch, t->out->at + tag, t->out->n - tag);
  t->out->n = tag;
  text_addf(t->out, " data-s=\"%s\"%s", name, behind);
}

static void mathml_name(Typesetter *t, const char *name, int primes) {
  const char *own = notation_find(t->notation, name);
  size_t start = t->out->n;
  add_name(t->cx, t->out, own ? plain_name(t, own, name) : name, primes);
  mark_name(t, start, name);
}

static void mathml_number(Typesetter *t, const char *digits) {
  const char *point = t->decimal == ',' ? strchr(digits, '.') : NULL;
  if (point)
    text_addf(t->out, "<mn>%.*s,%s</mn>", (int)(point - digits), digits, point + 1);
  else
    text_addf(t->out, "<mn>%s</mn>", digits);
}

static void mathml_function(Typesetter *t, Op op) {
  const char *own = typeset_function(t, op);
  const char *name = own             ? own
                     : op == OP_LOG  ? "ln"
                     : op == OP_ACOS ? "arccos"
                     : op == OP_ATAN ? "arctan"
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

// The last bracket that is still open: where its "(</mo>" stands.
static char *open_bracket(const Text *out) {
  int depth = 0;
  for (char *at = out->at + out->n; at > out->at;) {
    at--;
    if (strncmp(at, ")</mo>", 6) == 0) depth++;
    if (strncmp(at, "(</mo>", 6) == 0 && depth-- == 0) return at;
  }
  return NULL;
}

// Brackets grow only around what is tall; browsers put blanks beside those that may grow.
static void mathml_bracket(Typesetter *t, Stage stage) {
  static const char fixed[] = " stretchy=\"false\"";
  size_t length = sizeof fixed - 1;
  if (stage == STAGE_BEFORE) {
    text_addf(t->out, "<mrow><mo%s>(</mo>", fixed);
    return;
  }
  char *open = open_bracket(t->out);
  bool tall = open && (strstr(open, "<mfrac>") || strstr(open, "<msqrt>") || strstr(open, "∑") ||
                       strstr(open, "<mtable"));
  if (tall) {
    char *attribute = open - 1 - length;
    memmove(attribute, open - 1, strlen(open - 1) + 1);
    t->out->n -= length;
  }
  text_addf(t->out, "<mo%s>)</mo></mrow>", tall ? "" : fixed);
}

static void mathml_group(Typesetter *t, Stage stage) {
  text_add(t->out, stage == STAGE_BEFORE ? "<mrow>" : "</mrow>");
}

static void mathml_fraction(Typesetter *t, Stage stage) {
  static const char *const text[] = {"<mfrac><mrow>", "</mrow><mrow>", "</mrow></mfrac>"};
  text_add(t->out, text[stage]);
}

// A name with a subscript takes its exponent above it.
static void mathml_power(Typesetter *t, Stage stage) {
  static const char *const text[] = {"<msup><mrow>", "</mrow><mrow>", "</mrow></msup>"};
  static const char before[] = "<msup><mrow><msub>", after[] = "</msub>";
  Text *out = t->out;
  if (stage == STAGE_BEFORE) t->power_start = out->n;
  if (stage == STAGE_BETWEEN && t->plain_base) {
    char *start = out->at + t->power_start;
    t->with_subscript = strncmp(start, before, sizeof before - 1) == 0 &&
                        strcmp(out->at + out->n - (sizeof after - 1), after) == 0;
    if (t->with_subscript) {
      // <msup><mrow><msub>...</msub> becomes <msubsup>...
      static const char joined[] = "<msubsup>";
      size_t cut = sizeof before - sizeof joined;
      out->n -= sizeof after - 1;
      memmove(start + sizeof joined - 1, start + sizeof before - 1,
              out->n - t->power_start - (sizeof before - 1));
      memcpy(start, joined, sizeof joined - 1);
      out->at[out->n -= cut] = 0;
      text_add(out, "<mrow>");
      return;
    }
  }
  if (stage == STAGE_AFTER && t->plain_base && t->with_subscript)
    text_add(out, "</mrow></msubsup>");
  else
    text_add(out, text[stage]);
}

static void mathml_root(Typesetter *t, Stage stage) {
  text_add(t->out, stage == STAGE_BEFORE ? "<msqrt>" : "</msqrt>");
}

static void mathml_absolute(Typesetter *t, Stage stage) {
  text_add(t->out, stage == STAGE_BEFORE ? "<mrow><mo stretchy=\"true\">|</mo>"
                                         : "<mo stretchy=\"true\">|</mo></mrow>");
}

static void mathml_transposed(Typesetter *t, const char *name) {
  text_add(t->out, "<msup>");
  mathml_name(t, name, 0);
  text_add(t->out, "<mi mathvariant=\"normal\">T</mi></msup>");
}

// A number, a letter, or a letter and a number: j+1.
static void add_bound(Text *out, const char *bound) {
  size_t sign = strcspn(bound, "+-");
  bool is_number = *bound >= '0' && *bound <= '9';
  text_addf(out, is_number ? "<mn>%.*s</mn>" : "<mi>%.*s</mi>", (int)sign, bound);
  if (bound[sign])
    text_addf(out, "<mo>%s</mo><mn>%s</mn>", bound[sign] == '+' ? "+" : "−", bound + sign + 1);
}

static void mathml_sum(Typesetter *t, const char *index, const char *from, const char *to) {
  if (!from) {
    text_addf(t->out, "<munder><mo>∑</mo><mi>%s</mi></munder>", index);
    return;
  }
  text_addf(t->out, "<munderover><mo>∑</mo><mrow><mi>%s</mi><mo>=</mo>", index);
  add_bound(t->out, from);
  text_add(t->out, "</mrow><mrow>");
  add_bound(t->out, to);
  text_add(t->out, "</mrow></munderover>");
}

static void mathml_unit(Typesetter *t, const char *unit) {
  if (!unit_is_joined(unit)) text_add(t->out, "<mspace width=\"0.22em\"/>");
  text_add(t->out, "<mtext>");
  unit_add_pretty(t->out, unit);
  text_add(t->out, "</mtext>");
}

const Typeface mathml_face = {
    .plus = "<mo form=\"infix\">+</mo>",
    .minus = "<mo form=\"infix\">−</mo>",
    .negative = "<mo form=\"prefix\">−</mo>",
    .times = "<mo>&#x2062;</mo>" THIN,
    .comma = "<mo separator=\"true\">,</mo>",
    .equals = "<mo form=\"infix\">=</mo>",
    .becomes = "<mo form=\"infix\" stretchy=\"false\">←</mo>",
    .less = "<mo form=\"infix\">&lt;</mo>",
    .dot = "<mo>·</mo>",
    .dots = "<mo>…</mo>",
    .gap = "<mspace width=\"1.4em\"/>",
    .approximately = "<mo>~</mo>",
    .plus_minus = "<mo>±</mo>",
    .angle = "<mo>∠</mo>",
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
    .transposed = mathml_transposed,
    .sum = mathml_sum,
    .unit = mathml_unit,
    .cases = {"<mrow><mo>{</mo><mtable class=\"cases\"><mtr><mtd>", "</mtd><mtd>",
              "</mtd></mtr><mtr><mtd>", "</mtd></mtr></mtable></mrow>"},
};
