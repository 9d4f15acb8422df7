// Spelling and uniqueness of identifiers.
#include "code/identifier.h"

#include <ctype.h>
#include <string.h>

static const char *const c_words[] = {
    "auto",        "break",  "case",   "char",     "const",    "continue", "default",  "do",
    "double",      "else",   "enum",   "extern",   "float",    "for",      "goto",     "if",
    "inline",      "int",    "long",   "register", "restrict", "return",   "short",    "signed",
    "sizeof",      "static", "struct", "switch",   "typedef",  "union",    "unsigned", "void",
    "volatile",    "while",  "and",    "or",       "not",      "bool",     "true",     "false",
    "class",       "new",    "delete", "this",     "template", "try",      "catch",    "main",
    "sqrt",        "fabs",   "sin",    "cos",      "tan",      "asin",     "acos",     "atan",
    "atan2",       "sinh",   "cosh",   "tanh",     "exp",      "log",      "pow",      "gamma",
    "table_value", "j0",     "j1",     "jn",       "y0",       "y1",       "yn",       NULL};

static const char *const octave_words[] = {
    "break",    "case",    "catch",       "continue",  "do",
    "else",     "elseif",  "end",         "endif",     "for",
    "function", "global",  "if",          "otherwise", "persistent",
    "return",   "switch",  "try",         "until",     "unwind_protect",
    "while",    "i",       "j",           "I",         "J",
    "e",        "pi",      "Inf",         "NaN",       "abs",
    "sign",     "choose",  "table_value", "double",    "sin",
    "cos",      "tan",     "asin",        "acos",      "atan",
    "atan2",    "sinh",    "cosh",        "tanh",      "exp",
    "realsqrt", "reallog", "realpow",     "zeros",     NULL};

static const char *const python_words[] = {
    "False",   "None",     "True",     "and",    "as",   "assert", "async",       "await",
    "break",   "class",    "continue", "def",    "del",  "elif",   "else",        "except",
    "finally", "for",      "from",     "global", "if",   "import", "in",          "is",
    "lambda",  "nonlocal", "not",      "or",     "pass", "raise",  "return",      "try",
    "while",   "with",     "yield",    "np",     "abs",  "float",  "table_value", NULL};

static const char *const js_words[] = {
    "arguments", "await",    "break",      "case",        "catch",      "class",  "const",
    "continue",  "debugger", "default",    "delete",      "do",         "else",   "enum",
    "eval",      "export",   "extends",    "false",       "finally",    "for",    "function",
    "if",        "import",   "implements", "in",          "instanceof", "let",    "new",
    "null",      "package",  "private",    "protected",   "public",     "return", "static",
    "super",     "switch",   "this",       "throw",       "true",       "try",    "typeof",
    "undefined", "var",      "void",       "while",       "with",       "yield",  "interface",
    "Math",      "NaN",      "Infinity",   "table_value", "async",      "of",     "constructor",
    "prototype", NULL};

static void take_all(Identifiers *scope, const char *const *words) {
  for (; words && *words; words++) intern_bytes(&scope->taken, *words, strlen(*words));
}

void identifiers_open(Identifiers *scope, Arena *arena, Dialect dialect, const char *const *words) {
  static const char *const *const keywords[DIALECT_COUNT] = {[DIALECT_C] = c_words,
                                                             [DIALECT_OCTAVE] = octave_words,
                                                             [DIALECT_PYTHON] = python_words,
                                                             [DIALECT_JS] = js_words};
  *scope = (Identifiers){.arena = arena};
  interner_open(&scope->taken, arena);
  take_all(scope, keywords[dialect]);
  take_all(scope, words);
}

static void add_underscore(Text *text) {
  if (text->n && text->at[text->n - 1] != '_') text_add_char(text, '_');
}

// One character of a model's name, or several; returns how many bytes were read.
static size_t spell(Text *text, const char *at) {
  unsigned char c = (unsigned char)*at;
  if (isalnum(c) && c < 128) {
    text_add_char(text, (char)c);
    return 1;
  }
  if (c == '\'') {
    size_t primes = strspn(at, "'");
    add_underscore(text);
    for (size_t i = 1; i < primes; i++) text_add_char(text, 'd');
    text_add(text, "dot");
    return primes;
  }
  if (c < 128) {
    if (c == '_')
      text_add_char(text, '_');
    else if (c != ']')
      add_underscore(text);
    return 1;
  }
  // a letter beyond ASCII by its code point
  uint32_t point = c < 0xE0 ? c & 0x1F : c < 0xF0 ? c & 0x0F : c & 0x07;
  size_t length = 1;
  while (((unsigned char)at[length] & 0xC0) == 0x80)
    point = point << 6 | ((unsigned char)at[length++] & 0x3F);
  add_underscore(text);
  text_addf(text, "u%04X", point);
  return length;
}

static const char *spelled(Arena *arena, const char *wanted) {
  Text text = text_new(arena);
  if (isdigit((unsigned char)*wanted)) text_add(&text, "x");
  while (*wanted) wanted += spell(&text, wanted);
  while (text.n > 1 && text.at[text.n - 1] == '_') text.at[--text.n] = 0;
  return text.n ? text.at : "x";
}

const char *identifier_new(Identifiers *scope, const char *wanted) {
  const char *base = spelled(scope->arena, wanted), *name = base;
  for (int i = 2; intern_find(&scope->taken, name, strlen(name)); i++)
    name = text_format(scope->arena, "%s_%d", base, i);
  intern_bytes(&scope->taken, name, strlen(name));
  return name;
}

const char *identifier_from_title(Arena *arena, const char *title) {
  const char *name = spelled(arena, *title ? title : "model");
  char *lower = arena_copy(arena, name, strlen(name));
  for (char *at = lower; *at; at++) *at = (char)tolower((unsigned char)*at);
  return lower;
}

// What other files of an export, and aims of its Makefile, are called.
static const char *const reserved[] = {"main", "qdot_engine", "Makefile", "clean"};

const char *identifier_from_path(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/'), *at = slash ? slash + 1 : path;
  const char *dot = strrchr(at, '.'), *end = dot && dot > at ? dot : at + strlen(at);
  Text text = text_new(arena);
  if (at < end && isdigit((unsigned char)*at)) text_add_char(&text, '_');
  for (; at < end; at++) {
    unsigned char c = (unsigned char)*at;
    bool continues = (c & 0xC0) == 0x80; // a letter of several bytes
    if (!continues) text_add_char(&text, c < 128 && isalnum(c) ? (char)c : '_');
  }
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
    if (strcmp(text.at, reserved[i]) == 0) text_add_char(&text, '_');
  return text.n ? text.at : NULL;
}
