// The table of units and the parser of a unit's text.
#include "model/unit.h"

#include <string.h>

#include "base/utf8.h"
#include "base/words/suggest.h"
#include "expr/build.h"

enum { NONE = 0, SMALL = 1, LARGE = 2, ALL = 3 };
enum { OTHER, ANGLE };

typedef struct UnitRow {
  const char *name, *factor;
  int pi_power;
  int8_t exponent[BASE_UNITS];
  int prefixes;
  int meaning;
} UnitRow;

static const UnitRow rows[] = {
#define UNIT(name, factor, pi, kg, m, s, A, K, prefixes, meaning)                                  \
  {name, factor, pi, {kg, m, s, A, K}, prefixes, meaning},
#include "model/units.def"
#undef UNIT
};
#define ROWS (sizeof rows / sizeof *rows)

typedef struct Prefix {
  const char *name, *factor;
  int kind;
} Prefix;

static const Prefix prefixes[] = {
    {"p", "1e-12", SMALL}, {"n", "1e-9", SMALL}, {"u", "1e-6", SMALL}, {"µ", "1e-6", SMALL},
    {"μ", "1e-6", SMALL},  {"m", "1e-3", SMALL}, {"c", "1e-2", SMALL}, {"d", "1e-1", SMALL},
    {"da", "1e1", LARGE},  {"h", "1e2", LARGE},  {"k", "1e3", LARGE},  {"M", "1e6", LARGE},
    {"G", "1e9", LARGE},   {"T", "1e12", LARGE},
};
#define PREFIXES (sizeof prefixes / sizeof *prefixes)

#define DEEPEST 50 // nested brackets in a unit

// What a unit's text amounts to so far.
typedef struct Amount {
  Dimension dimension;
  Expr factor;
} Amount;

typedef struct UnitParser {
  Context *cx;
  const char *text;
  size_t length, at;
  Span span;
  int depth;
  Status status; // of the first mistake
} UnitParser;

static Expr exact_factor(Context *cx, const char *text) {
  const char *slash = strchr(text, '/');
  size_t n = slash ? (size_t)(slash - text) : strlen(text);
  Expr over = expr_number(cx, number_from_decimal(cx, text, n));
  if (!slash) return over;
  return expr_div(cx, over, expr_number(cx, number_from_decimal(cx, slash + 1, strlen(slash + 1))));
}

static Amount amount_of(Context *cx, const UnitRow *row, const Prefix *prefix) {
  Amount amount = {dimension_pure(), exact_factor(cx, row->factor)};
  if (row->pi_power)
    amount.factor =
        expr_mul(cx, amount.factor, expr_power(cx, expr_pi(cx), number_int(cx, row->pi_power)));
  if (prefix) amount.factor = expr_mul(cx, amount.factor, exact_factor(cx, prefix->factor));
  for (int i = 0; i < BASE_UNITS; i++) amount.dimension.exponent[i] = row->exponent[i];
  return amount;
}

static bool is_word(const char *word, const char *text, size_t length) {
  return strlen(word) == length && memcmp(word, text, length) == 0;
}

static const UnitRow *find_row(const char *text, size_t length) {
  for (size_t i = 0; i < ROWS; i++)
    if (is_word(rows[i].name, text, length)) return &rows[i];
  return NULL;
}

// A whole name comes before a prefix: min is a minute, ft a foot. prefix: NULL where it has none.
static const UnitRow *find_named(const char *text, size_t length, const Prefix **prefix) {
  *prefix = NULL;
  const UnitRow *row = find_row(text, length);
  for (size_t i = 0; i < PREFIXES && !row; i++) {
    size_t n = strlen(prefixes[i].name);
    if (length <= n || memcmp(prefixes[i].name, text, n) != 0) continue;
    row = find_row(text + n, length - n);
    if (row && !(row->prefixes & prefixes[i].kind)) row = NULL;
    if (row) *prefix = &prefixes[i];
  }
  return row;
}

static bool find_unit(Context *cx, const char *text, size_t length, Amount *out) {
  const Prefix *prefix;
  const UnitRow *row = find_named(text, length, &prefix);
  if (row) *out = amount_of(cx, row, prefix);
  return row != NULL;
}

// Units written out, and what other books write.
static const char *unit_called(const char *word) {
  static const char *const names[][2] = {
      {"degree", "deg"}, {"degrees", "deg"}, {"radian", "rad"}, {"radians", "rad"},
      {"meter", "m"},    {"metre", "m"},     {"meters", "m"},   {"metres", "m"},
      {"sec", "s"},      {"second", "s"},    {"seconds", "s"},  {"kilogram", "kg"},
      {"newton", "N"},   {"Newton", "N"},    {"joule", "J"},    {"Joule", "J"},
      {"watt", "W"},     {"Watt", "W"},      {"inch", "in"},    {"inches", "in"},
      {"feet", "ft"},    {"foot", "ft"},     {"lbs", "lb"},     {"pound", "lb"},
      {"kmh", "km/h"},   {"kph", "km/h"},    {"minute", "min"}, {"hour", "h"},
      {"gram", "g"},     {"grams", "g"},     {"pascal", "Pa"},  {"volt", "V"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i][0], word) == 0) return names[i][1];
  return NULL;
}

static const char *nearest_unit(Context *cx, const char *word) {
  if (unit_called(word)) return unit_called(word);
  // m2 is meant as m^2
  size_t n = strlen(word), letters = n;
  while (letters > 0 && word[letters - 1] >= '0' && word[letters - 1] <= '9') letters--;
  Amount ignored;
  if (letters > 0 && letters < n && find_unit(cx, word, letters, &ignored))
    return text_format(&cx->keep, "%.*s^%s", (int)letters, word, word + letters);
  Nearest nearest = nearest_to(word);
  for (size_t i = 0; i < ROWS; i++) nearest_offer(&nearest, rows[i].name);
  for (size_t i = 0; i < ROWS; i++)
    for (size_t j = 0; j < PREFIXES; j++)
      if (rows[i].prefixes & prefixes[j].kind)
        nearest_offer(&nearest, text_format(&cx->keep, "%s%s", prefixes[j].name, rows[i].name));
  return nearest.best;
}

static Span part(const UnitParser *p, size_t begin, size_t end) {
  if (end <= begin) end = begin + 1;
  return (Span){p->span.source, p->span.begin + (uint32_t)begin, p->span.begin + (uint32_t)end};
}

static void unit_error(UnitParser *p, size_t begin, size_t end, const char *message) {
  if (p->status == QDOT_OK)
    p->status = diag_error(p->cx, QDOT_BAD_UNIT, part(p, begin, end), "%s", message);
}

static void skip_blanks(UnitParser *p) {
  while (p->at < p->length && (p->text[p->at] == ' ' || p->text[p->at] == '\t')) p->at++;
}

static bool accept(UnitParser *p, const char *sign) {
  size_t n = strlen(sign);
  if (p->length - p->at < n || memcmp(p->text + p->at, sign, n) != 0) return false;
  p->at += n;
  return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Up to four digits; false when there are none.
static bool read_integer(UnitParser *p, int64_t *out) {
  size_t begin = p->at;
  *out = 0;
  while (p->at < p->length && is_digit(p->text[p->at]) && p->at - begin < 4)
    *out = 10 * *out + (p->text[p->at++] - '0');
  return p->at > begin;
}

// superscripts: m², s⁻¹
static bool read_superscript(UnitParser *p, Ratio *out) {
  static const char *const digits[10] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  size_t begin = p->at;
  int64_t value = 0, sign = accept(p, "⁻") ? -1 : 1;
  int found = 0;
  for (int d = 0; d < 10 && found < 4; d++) {
    if (!accept(p, digits[d])) continue;
    value = 10 * value + d;
    found++, d = -1;
  }
  if (found)
    *out = ratio_from(sign * value, 1);
  else
    p->at = begin;
  return found > 0;
}

// The digits behind a decimal point: 1.5 is 15/10.
static bool read_decimals(UnitParser *p, int64_t *over, int64_t *under) {
  enum { MOST_DECIMALS = 3 };
  int digits = 0;
  for (; p->at < p->length && is_digit(p->text[p->at]); p->at++, digits++) {
    if (digits == MOST_DECIMALS) return false;
    *over = 10 * *over + (p->text[p->at] - '0');
    *under *= 10;
  }
  return digits > 0;
}

// exponent = superscript | "^" ["-"] decimal | "^" "(" ["-"] decimal ["/" integer] ")"
static Ratio read_exponent(UnitParser *p) {
  Ratio exponent = {1, 1};
  if (read_superscript(p, &exponent) || !accept(p, "^")) return exponent;
  size_t begin = p->at;
  bool bracket = accept(p, "(");
  int64_t sign = accept(p, "-") ? -1 : 1, over = 0, under = 1;
  bool good = read_integer(p, &over);
  if (good && accept(p, "."))
    good = read_decimals(p, &over, &under);
  else if (good && bracket && accept(p, "/"))
    good = read_integer(p, &under) && under != 0;
  if (good && bracket) good = accept(p, ")");
  if (!good)
    unit_error(p, begin, p->at,
               "expected a number as the exponent of a unit, such as 2, 1.5 or (3/2)");
  return ratio_from(sign * over, under ? under : 1);
}

static Amount amount_one(Context *cx) { return (Amount){dimension_pure(), expr_int(cx, 1)}; }

static Amount amount_power(UnitParser *p, Amount a, Ratio exponent) {
  if (exponent.over == 1 && exponent.under == 1) return a;
  a.dimension = dimension_pow(a.dimension, exponent);
  a.factor = expr_pow(p->cx, a.factor, expr_ratio(p->cx, exponent.over, exponent.under));
  return a;
}

static Amount read_product(UnitParser *p);

static size_t name_end(const UnitParser *p) {
  size_t at = p->at;
  while (at < p->length) {
    uint32_t c;
    size_t n = utf8_decode(p->text + at, p->length - at, &c);
    bool in_name = n && (utf8_continues_name(c) || c == 0xB0 || c == '%');
    if (!in_name || (at == p->at && is_digit(p->text[at]))) break;
    at += n;
  }
  return at;
}

// factor = (name | "1" | "(" product ")") [exponent]
static Amount read_factor(UnitParser *p) {
  Amount amount = amount_one(p->cx);
  size_t begin = p->at, end = name_end(p);
  if (accept(p, "(")) {
    if (++p->depth > DEEPEST) {
      unit_error(p, begin, p->at, "too many nested brackets in a unit");
      return amount;
    }
    amount = read_product(p);
    p->depth--;
    if (!accept(p, ")")) unit_error(p, begin, begin + 1, "this bracket is never closed");
  } else if (end > begin) {
    p->at = end;
    const char *name = arena_copy(&p->cx->keep, p->text + begin, end - begin);
    if (!find_unit(p->cx, name, end - begin, &amount) && p->status == QDOT_OK) {
      p->status = diag_error(p->cx, QDOT_BAD_UNIT, part(p, begin, end), "unknown unit '%s'", name);
      diag_suggest(p->cx, nearest_unit(p->cx, name));
    }
  } else {
    int64_t value;
    if (!read_integer(p, &value))
      unit_error(p, begin, begin, "expected a unit");
    else if (value != 1)
      unit_error(p, begin, p->at,
                 "a unit contains no number other than 1; put it before the bracket");
  }
  return amount_power(p, amount, read_exponent(p));
}

// product = factor {("*" | "·" | blank | "/") factor}
static Amount read_product(UnitParser *p) {
  skip_blanks(p);
  Amount product = read_factor(p);
  for (;;) {
    skip_blanks(p);
    if (p->status != QDOT_OK || p->at == p->length || p->text[p->at] == ')') return product;
    bool divides = accept(p, "/");
    if (!divides && !accept(p, "*")) accept(p, "·");
    skip_blanks(p);
    Amount next = read_factor(p);
    if (divides) next = amount_power(p, next, (Ratio){-1, 1});
    product.dimension = dimension_mul(product.dimension, next.dimension);
    product.factor = expr_mul(p->cx, product.factor, next.factor);
  }
}

Status unit_parse(Context *cx, const char *text, size_t length, Span span, Unit *out) {
  UnitParser p = {.cx = cx, .text = text, .length = length, .span = span};
  Amount amount = read_product(&p);
  if (p.at < length) unit_error(&p, p.at, p.at + 1, "this bracket was never opened");
  if (!dimension_is_valid(amount.dimension) || !expr_is_defined(cx, amount.factor))
    unit_error(&p, 0, length, "the exponents of this unit are too large");
  *out = (Unit){amount.dimension, amount.factor, arena_copy(&cx->keep, text, length)};
  return p.status;
}

bool unit_is_known(Context *cx, const char *text) {
  Amount ignored;
  return find_unit(cx, text, strlen(text), &ignored);
}

bool unit_names_angle(const char *text) {
  UnitParser p = {.text = text, .length = strlen(text)};
  while (p.at < p.length) {
    size_t end = name_end(&p);
    const Prefix *prefix;
    const UnitRow *row = end > p.at ? find_named(text + p.at, end - p.at, &prefix) : NULL;
    if (row && row->meaning == ANGLE) return true;
    p.at = end > p.at ? end : p.at + 1;
  }
  return false;
}

const char *unit_name_at(size_t i) { return i < sizeof rows / sizeof *rows ? rows[i].name : NULL; }
