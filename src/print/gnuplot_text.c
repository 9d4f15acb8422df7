// Names and expressions in gnuplot's enhanced text.
#include "print/gnuplot_text.h"

#include <string.h>

#include "base/utf8.h"
#include "base/words/greek.h"
#include "print/flat_face.h"

#define LONGEST_LABEL 120 // bytes of markup; about 30 letters

static void add_plain(Text *out, const char *text, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (strchr("{}_^@&~\\", text[i]) && text[i]) text_add_char(out, '\\');
    text_add_char(out, text[i]);
  }
}

static void add_word(Text *out, const char *word, size_t length) {
  uint32_t letter = greek_from_word(word, length);
  char bytes[4];
  if (letter)
    text_add_bytes(out, bytes, utf8_put(letter, bytes));
  else
    add_plain(out, word, length);
}

// Dots stand above one letter, as in formulas; longer names and third derivatives have primes.
static bool takes_dots(const NameParts *parts, int primes) {
  uint32_t letter;
  bool is_letter = greek_from_word(parts->stem, parts->stem_length) ||
                   utf8_decode(parts->stem, parts->stem_length, &letter) == parts->stem_length;
  return is_letter && primes >= 1 && primes <= 2;
}

static void add_primes(Text *out, int primes) {
  if (primes == 1) text_add(out, "′");
  if (primes == 2) text_add(out, "″");
  for (int i = 3; i <= primes; i++) text_add(out, i == 3 ? "‴" : "′");
}

static void add_words(Text *out, const char *text, size_t n, bool *first) {
  const char *word;
  size_t length;
  while ((length = subscript_word(&text, &n, &word))) {
    if (!*first) text_add_char(out, ',');
    *first = false;
    add_word(out, word, length);
  }
}

static void add_name(const Context *cx, Text *out, const char *name, int primes) {
  NameParts parts = name_parts(cx, name);
  text_add(out, "{/:Italic ");
  add_word(out, parts.stem, parts.stem_length);
  bool dotted = takes_dots(&parts, primes);
  if (dotted) text_add(out, primes == 1 ? "\u0307" : "\u0308"); // dots above
  text_add(out, "}");
  if (parts.subscript_length || parts.component_length) {
    text_add(out, "_{");
    bool first = true;
    add_words(out, parts.subscript, parts.subscript_length, &first);
    add_words(out, parts.component, parts.component_length, &first);
    text_add(out, "}");
  }
  if (!dotted) add_primes(out, primes);
}

static void name_in_italics(Typesetter *t, const char *name, int primes) {
  add_name(t->cx, t->out, name, primes);
}

static void power_raised(Typesetter *t, Stage stage) {
  if (stage == STAGE_BETWEEN) text_add(t->out, "^{");
  if (stage == STAGE_AFTER) text_add(t->out, "}");
}

static void raised_digits(Typesetter *t, const char *digits) { text_addf(t->out, "^{%s}", digits); }

const Typeface markup_face = {
    .flat = true,
    .plus = " + ",
    .minus = " − ",
    .negative = "−",
    .times = " ",
    .comma = ", ",
    .dot = "·",
    .pi = "π",
    .undefined = "undefined",
    .name = name_in_italics,
    .number = flat_number,
    .function = flat_function,
    .relation = flat_relation,
    .apply = flat_apply,
    .bracket = flat_bracket,
    .fraction = flat_fraction,
    .power = power_raised,
    .root = flat_root,
    .integer_power = raised_digits,
};

const char *markup_from_name(const Context *cx, Arena *arena, const char *name) {
  size_t length = strlen(name);
  int primes = 0;
  while (length > 1 && name[length - 1] == '\'') length--, primes++;
  Text out = text_new(arena);
  add_name(cx, &out, arena_copy(arena, name, length), primes);
  return out.at;
}

const char *markup_from_text(Arena *arena, const char *text) {
  Text out = text_new(arena);
  add_plain(&out, text, strlen(text));
  return out.at;
}

static bool is_one_name(const char *text) {
  for (; *text; text++)
    if (strchr(" +-*/^(,", *text)) return false;
  return true;
}

// link[N].theta, where N is a count: the expression knows the name with its number.
static bool has_computed_index(const Context *cx, const char *written) {
  size_t length = strcspn(written, "'");
  return strchr(written, '[') && !intern_find(&cx->names, written, length);
}

bool written_is_name(const Context *cx, const char *written) {
  return is_one_name(written) && !has_computed_index(cx, written);
}

const char *markup_from_expr(Context *cx, Arena *arena, Expr e, const char *written) {
  if (written && written_is_name(cx, written)) return markup_from_name(cx, arena, written);
  Text out = text_new(arena);
  typeset(cx, e, &markup_face, NULL, &out);
  if (out.n <= LONGEST_LABEL || !written) return out.at;
  size_t length = strlen(written);
  if (length <= 40) return markup_from_text(arena, written);
  size_t cut = 37;
  while (cut > 0 && ((unsigned char)written[cut] & 0xC0) == 0x80) cut--;
  return markup_from_text(arena, text_format(arena, "%.*s…", (int)cut, written));
}

const char *markup_letters(Arena *arena, const char *markup) {
  Text out = text_new(arena);
  while (*markup) {
    if (strncmp(markup, "{/:Italic ", 10) == 0)
      markup += 10;
    else if (strchr("{}\\", *markup))
      markup++;
    else
      text_add_char(&out, *markup++);
  }
  return out.at;
}

// Blanks between letters of different styles are lost on some readers unless they are hard.
void add_quoted(Text *out, const char *markup) {
  text_add_char(out, '"');
  while (*markup) {
    if (strncmp(markup, "{/:Italic ", 10) == 0) {
      text_add_bytes(out, markup, 10);
      markup += 10;
      continue;
    }
    char c = *markup++;
    if (c == '"' || c == '\\') text_add_char(out, '\\');
    if (c == ' ')
      text_add(out, "\u00a0");
    else if ((unsigned char)c > ' ')
      text_add_char(out, c);
  }
  text_add_char(out, '"');
}
