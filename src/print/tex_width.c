// Widths of formulas from those of letters, as the metrics of the fonts cmmi10, cmr10, cmsy10 and
// cmex10 have them, italic corrections included.
#include "print/tex_width.h"

#include <stdbool.h>
#include <string.h>

#define POINTS 10.95 // of the font
// Sizes of displays, lines, indices and indices of indices, against the first.
static const double sizes[] = {1, 1, 0.776, 0.64};

typedef struct Reader {
  const char *at;
  int style;       // place in sizes
  bool is_upright; // words
  bool in_matrix;  // ends with a cell
} Reader;

static double set_all(Reader *r);

// ---- Letters, in thousandths of the font's size

static const short italic_large[] = {750, 809, 786, 856,  796,  782, 786, 912, 518,
                                     651, 921, 681, 1079, 912,  791, 781, 791, 767,
                                     671, 723, 792, 806,  1083, 907, 803, 754};
static const short italic_small[] = {529, 429, 433, 520, 466, 597, 513, 576, 345,
                                     469, 552, 318, 878, 600, 485, 503, 482, 479,
                                     469, 361, 572, 521, 743, 572, 526, 509};
static const short upright_large[] = {750, 708, 722, 764, 681,  653, 785, 750, 361,
                                      514, 778, 625, 917, 750,  778, 681, 778, 736,
                                      556, 722, 750, 764, 1042, 750, 775, 611};
static const short upright_small[] = {500, 556, 444, 556, 444, 383, 514, 556, 278,
                                      306, 528, 278, 833, 556, 500, 556, 528, 392,
                                      394, 389, 556, 542, 736, 528, 542, 444};

// Signs with the room that stands around them on a line: 5 of 18 parts of an em for relations, 4
// for sums, none in an index.
static const struct {
  const char *name;
  short width, room;
} signs[] = {
    {"+", 778, 222},     {"-", 778, 222},      {"=", 778, 278},    {"<", 778, 278},
    {">", 778, 278},     {"le", 778, 278},     {"ge", 778, 278},   {"ne", 778, 278},
    {"sim", 778, 0},     {"approx", 778, 278}, {"cdot", 278, 222}, {"times", 778, 222},
    {"pm", 778, 222},    {"land", 667, 222},   {"lor", 667, 222},  {"lnot", 667, 0},
    {"(", 389, 0},       {")", 389, 0},        {"[", 278, 0},      {"]", 278, 0},
    {"|", 278, 0},       {"/", 500, 0},        {".", 278, 0},      {":", 278, 278},
    {",", 278, 84},      {"'", 300, 0},        {"%", 833, 0},      {"!", 278, 0},
    {"gets", 1000, 278},
};

static const struct {
  const char *name;
  short width;
} words[] = {
    {"Gamma", 625},    {"Delta", 833},  {"Theta", 778},   {"Lambda", 694},   {"Xi", 667},
    {"Pi", 750},       {"Sigma", 722},  {"Upsilon", 778}, {"Phi", 722},      {"Psi", 778},
    {"Omega", 722},    {"alpha", 643},  {"beta", 618},    {"gamma", 573},    {"delta", 482},
    {"epsilon", 406},  {"zeta", 511},   {"eta", 532},     {"theta", 497},    {"iota", 354},
    {"kappa", 576},    {"lambda", 583}, {"mu", 603},      {"nu", 558},       {"xi", 484},
    {"pi", 606},       {"rho", 517},    {"sigma", 607},   {"tau", 550},      {"upsilon", 576},
    {"phi", 596},      {"chi", 626},    {"psi", 687},     {"omega", 658},    {"varepsilon", 466},
    {"vartheta", 591}, {"varpi", 856},  {"varrho", 517},  {"varsigma", 443}, {"varphi", 654},
    {"partial", 586},  {"ell", 417},    {"dots", 1500},   {"ldots", 1500},   {"circ", 500},
    {"angle", 722},    {"sum", 1611},   {"quad", 1000},   {"qquad", 2000},   {",", 167},
    {";", 278},        {":", 222},      {"!", -167},      {" ", 333},        {"%", 833},
    {"_", 500},        {"{", 500},      {"}", 500},       {"top", 778},
};

static double letter_width(const Reader *r, unsigned char c) {
  unsigned large = c - (unsigned)'A', small = c - (unsigned)'a';
  if (large < 26) return r->is_upright ? upright_large[large] : italic_large[large];
  if (small < 26) return r->is_upright ? upright_small[small] : italic_small[small];
  if (c >= '0' && c <= '9') return 500;
  if ((c & 0xC0) == 0x80) return 0; // the rest of a letter
  return c == ' ' || c == '\n' ? (r->is_upright ? 333 : 0) : 800;
}

static double sized(const Reader *r, double thousandths) {
  return thousandths / 1000 * POINTS * sizes[r->style];
}

static bool find_sign(const char *name, size_t n, double *width, double *room) {
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strlen(signs[i].name) == n && memcmp(signs[i].name, name, n) == 0) {
      *width = signs[i].width, *room = signs[i].room;
      return true;
    }
  return false;
}

static double set_sign(const Reader *r, double width, double room) {
  return sized(r, width + (r->style < 2 && !r->is_upright ? 2 * room : 0));
}

// ---- Groups

static void skip_blanks(Reader *r) {
  while (*r->at == ' ' || *r->at == '\n') r->at++;
}

// {...}, or what stands alone.
static double set_group(Reader *r, int style, bool is_upright) {
  Reader inner = {r->at, style < 3 ? style : 3, is_upright, false};
  skip_blanks(&inner);
  double width = 0;
  if (*inner.at == '{') {
    inner.at++;
    width = set_all(&inner);
    if (*inner.at) inner.at++;
  } else if (*inner.at) {
    width = sized(&inner, letter_width(&inner, (unsigned char)*inner.at)), inner.at++;
  }
  r->at = inner.at;
  return width;
}

static double larger(double a, double b) { return a > b ? a : b; }

static int script(const Reader *r) { return r->style < 2 ? 2 : 3; }

// An index, an exponent, or one over the other.
static double set_scripts(Reader *r) {
  double width = 0;
  for (int i = 0; i < 2 && (*r->at == '_' || *r->at == '^'); i++) {
    r->at++;
    width = larger(width, set_group(r, script(r), false));
  }
  return width + 0.5;
}

// Limits stand below and above.
static double set_sum(Reader *r) {
  double sign = sized(r, 1444), limits = 0;
  while (*r->at == '_' || *r->at == '^') {
    r->at++;
    limits = larger(limits, set_group(r, script(r), false));
  }
  return larger(sign, limits) + sized(r, 167);
}

// Numerators and denominators in lines are as large as indices.
static double set_fraction(Reader *r) {
  int style = r->style == 0 ? 1 : r->style + 1;
  double top = set_group(r, style, false), bottom = set_group(r, style, false);
  return larger(top, bottom) + 2.4;
}

static const char *skip_name(const char *at) {
  while (*at && *at != '}') at++;
  return *at ? at + 1 : at;
}

enum { MOST_COLUMNS = 64 };

// A matrix: the widest cell of every column, in lines.
static double set_matrix(Reader *r) {
  double widest[MOST_COLUMNS] = {0}, width = 0;
  int column = 0, columns = 1;
  Reader inner = {r->at, 1, false, true};
  while (true) {
    widest[column] = larger(widest[column], set_all(&inner));
    if (*inner.at == '&') {
      inner.at++;
      if (column + 1 < MOST_COLUMNS) column++;
      if (column >= columns) columns = column + 1;
    } else if (strncmp(inner.at, "\\\\", 2) == 0) {
      inner.at += 2, column = 0;
    } else {
      break;
    }
  }
  for (int i = 0; i < columns; i++) width += widest[i] + 10;
  r->at = skip_name(inner.at);
  return width - 10 + 2 * 7.5;
}

// ---- Commands

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_one_of(const char *name, size_t n, const char *const *list) {
  for (; *list; list++)
    if (strlen(*list) == n && memcmp(*list, name, n) == 0) return true;
  return false;
}

// Functions have room for an argument on both sides.
static double set_function(const Reader *r, const char *name, size_t n) {
  Reader upright = {name, r->style, true, false};
  double width = r->style < 2 ? sized(r, 2 * 167) : 0;
  for (size_t i = 0; i < n; i++)
    width += sized(&upright, letter_width(&upright, (unsigned char)name[i]));
  return width;
}

static double set_command(Reader *r) {
  static const char *const upright[] = {"mathrm", "text", "mathsf", "mathit", "mathcal", NULL};
  static const char *const same[] = {"dot", "ddot",  "dddot",  "ddddot",     "hat", "bar",
                                     "vec", "tilde", "mathbf", "boldsymbol", NULL};
  const char *name = r->at;
  size_t n = 0;
  while (is_letter(name[n])) n++;
  if (n == 0 && *name) n = 1;
  r->at += n;
  if (is_letter(name[0])) skip_blanks(r);
#define IS(word) (n == sizeof word - 1 && memcmp(name, word, n) == 0)
  if (IS("frac")) return set_fraction(r);
  if (IS("sqrt")) return set_group(r, r->style, false) + sized(r, 1000);
  if (IS("sum")) return set_sum(r);
  if (IS("left") || IS("right")) { // as tall as fractions, with the room around what they enclose
    if (*r->at) r->at++;
    return sized(r, 597 + (r->style < 2 ? 84 : 0));
  }
  if (IS("begin")) {
    r->at = skip_name(r->at);
    return set_matrix(r);
  }
  if (IS("operatorname")) return set_group(r, r->style, true) + sized(r, 334);
#undef IS
  if (is_one_of(name, n, upright)) return set_group(r, r->style, true);
  if (is_one_of(name, n, same)) return set_group(r, r->style, false);
  double width, room;
  if (find_sign(name, n, &width, &room)) return set_sign(r, width, room);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i].name) == n && memcmp(words[i].name, name, n) == 0)
      return sized(r, words[i].width);
  return set_function(r, name, n);
}

// Until the end of the group or the cell, which stays.
static double set_all(Reader *r) {
  double width = 0, sign, room;
  while (*r->at && *r->at != '}') {
    const char *at = r->at;
    bool ends = *at == '&' || strncmp(at, "\\\\", 2) == 0 || strncmp(at, "\\end{", 5) == 0;
    if (r->in_matrix && ends) return width;
    if (*at == '_' || *at == '^') {
      width += set_scripts(r);
    } else if (*at == '{') {
      width += set_group(r, r->style, r->is_upright);
    } else if (*at == '\\') {
      r->at++;
      width += set_command(r);
    } else {
      bool is_sign = find_sign(at, 1, &sign, &room);
      width += is_sign ? set_sign(r, sign, room) : sized(r, letter_width(r, (unsigned char)*at));
      r->at++;
    }
  }
  return width;
}

double tex_width(const char *markup) {
  Reader r = {markup, 0, false, false};
  return set_all(&r);
}
