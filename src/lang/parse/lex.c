// The lexer: one pass over the text, with a stack of open brackets.
#include "lang/parse/lex.h"

#include <string.h>

#include "base/utf8.h"
#include "base/words/greek.h"
#include "lang/parse/cure.h"
#include "lang/parse/statement.h"

#define LONGEST_NAME 200  // bytes
#define LONGEST_TEXT 1000 // between quotes
#define MOST_RETURNS 100  // unclosed brackets after which the text is read again

typedef struct Bracket {
  uint32_t begin;    // of the bracket in the text
  uint32_t line_end; // of the first line after which a statement seems to begin; 0 for none
  uint32_t token;    // tokens when that line end was seen
} Bracket;

typedef struct Lexer {
  Context *cx;
  Arena *arena;
  const char *text;
  uint32_t source, length, at;
  Tokens tokens;
  VEC(Bracket) open;
  uint32_t invalid;     // where the first byte is that is not UTF-8
  bool said_invalid;    // it is reported once,
  bool refused_invalid; // and once where it does harm
  uint32_t bad_end;     // behind the last character that begins nothing
  uint32_t errors;      // of the texts read before it in the same context
} Lexer;

const char *token_kind_text(TokenKind kind) {
  static const char *const texts[] = {
#define TOKEN(name, text) text,
#include "lang/parse/tokens.def"
#undef TOKEN
  };
  return texts[kind];
}

static void add_token(Lexer *lx, TokenKind kind, uint32_t begin, uint32_t end, Symbol symbol) {
  vec_push(lx->arena, &lx->tokens, ((Token){kind, begin, end, symbol}));
}

static TokenKind last_kind(const Lexer *lx) {
  return lx->tokens.n ? lx->tokens.at[lx->tokens.n - 1].kind : TOKEN_NEWLINE;
}

static Span span_of(const Lexer *lx, uint32_t begin, uint32_t end) {
  return (Span){lx->source, begin, end};
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static char peek(const Lexer *lx, uint32_t ahead) {
  return lx->length - lx->at > ahead ? lx->text[lx->at + ahead] : '\0';
}

static uint32_t character_at(const Lexer *lx, uint32_t at, uint32_t *character) {
  *character = 0;
  return (uint32_t)utf8_decode(lx->text + at, lx->length - at, character);
}

// ---- Names

// A part of a name between underscores that is a Greek letter, or one with digits, is spelled out.
static void add_part(Text *out, const char *part, size_t n) {
  uint32_t letter;
  size_t used = utf8_decode(part, n, &letter);
  const char *word = used > 1 ? greek_word(letter) : NULL;
  for (size_t i = used; word && i < n; i++)
    if (!is_digit(part[i])) word = NULL;
  if (!word) {
    text_add_bytes(out, part, n);
    return;
  }
  text_add(out, word);
  text_add_bytes(out, part + used, n - used);
}

static Symbol name_symbol(Lexer *lx, const char *name, size_t n) {
  bool plain = true;
  for (size_t i = 0; i < n; i++) plain = plain && !(name[i] & 0x80);
  if (plain) return intern_bytes(&lx->cx->names, name, n);
  Mark mark = arena_mark(&lx->cx->scratch);
  Text spelled = text_new(&lx->cx->scratch);
  for (size_t begin = 0; begin <= n;) {
    size_t end = begin;
    while (end < n && name[end] != '_') end++;
    add_part(&spelled, name + begin, end - begin);
    if (end < n) text_add_char(&spelled, '_');
    begin = end + 1;
  }
  Symbol symbol = intern_bytes(&lx->cx->names, spelled.at, spelled.n);
  arena_release(&lx->cx->scratch, mark);
  return symbol;
}

static uint32_t name_end(const Lexer *lx, uint32_t at) {
  for (;;) {
    uint32_t character, used = character_at(lx, at, &character);
    if (!used || !utf8_continues_name(character)) return at;
    at += used;
  }
}

static void lex_name(Lexer *lx) {
  uint32_t begin = lx->at, end = name_end(lx, begin);
  lx->at = end;
  if (end - begin > LONGEST_NAME) {
    diag_error(lx->cx, QDOT_SYNTAX, span_of(lx, begin, end), "a name has at most %d characters",
               LONGEST_NAME);
    add_token(lx, TOKEN_BAD, begin, end, 0);
    return;
  }
  add_token(lx, TOKEN_NAME, begin, end, name_symbol(lx, lx->text + begin, end - begin));
}

// ---- Numbers and units

// number = digits ["." digits] [("e" | "E") ["+" | "-"] digits]; "1.." is an integer and a range.
static void lex_number(Lexer *lx) {
  uint32_t begin = lx->at;
  while (is_digit(peek(lx, 0))) lx->at++;
  if (peek(lx, 0) == '.' && peek(lx, 1) != '.') {
    lx->at++;
    while (is_digit(peek(lx, 0))) lx->at++;
  }
  char e = peek(lx, 0);
  if (e == 'e' || e == 'E') {
    uint32_t sign = peek(lx, 1) == '+' || peek(lx, 1) == '-';
    if (is_digit(peek(lx, 1 + sign))) {
      lx->at += 1 + sign;
      while (is_digit(peek(lx, 0))) lx->at++;
    }
  }
  add_token(lx, TOKEN_NUMBER, begin, lx->at, 0);
}

// The unit behind a number: everything up to the closing bracket.
static void lex_unit(Lexer *lx) {
  uint32_t begin = lx->at, end = begin + 1;
  while (end < lx->length && lx->text[end] != ']' && lx->text[end] != '\n') end++;
  if (end < lx->length && lx->text[end] == ']') {
    add_token(lx, TOKEN_UNIT, begin + 1, end, 0);
    lx->at = end + 1;
    return;
  }
  diag_error(lx->cx, QDOT_SYNTAX, span_of(lx, begin, begin + 1), "this '[' is never closed");
  diag_label(lx->cx, "expected a unit and ']'");
  add_token(lx, TOKEN_BAD, begin, end, 0);
  lx->at = end;
}

// Numbers and texts have no indices. Behind a name, a column of a data file, signs that no index
// has tell a unit: angle [°], share [%], area [m²].
static bool is_before_unit(const Lexer *lx) {
  TokenKind last = last_kind(lx);
  if (last == TOKEN_NUMBER || last == TOKEN_STRING) return true;
  if (last != TOKEN_NAME) return false;
  for (uint32_t at = lx->at + 1; at < lx->length && !strchr("]\n", lx->text[at]);) {
    uint32_t character, used = character_at(lx, at, &character);
    if (!used) return false;
    bool is_raised = character == 0xb2 || character == 0xb3 || character == 0xb9 ||
                     (character >= 0x2070 && character <= 0x207f);
    if (character == '%' || character == 0xb0 || is_raised) return true;
    at += used;
  }
  return false;
}

// ---- Texts and comments

static void label_invalid(Lexer *lx) {
  diag_label(lx->cx, "save the file as UTF-8; of Latin-1: iconv -f latin1 -t utf8");
}

// In texts and comments it does no harm, but the reader should know.
static void check_valid(Lexer *lx, uint32_t begin, uint32_t end) {
  if (lx->said_invalid || lx->invalid < begin || lx->invalid >= end) return;
  diag_warning(lx->cx, span_of(lx, lx->invalid, lx->invalid + 1), "this is not valid UTF-8");
  label_invalid(lx);
  lx->said_invalid = true;
}

static void lex_string(Lexer *lx) {
  uint32_t begin = lx->at, end = begin + 1;
  while (end < lx->length && lx->text[end] != '"' && lx->text[end] != '\n') end++;
  if (end - begin > LONGEST_TEXT + 1) {
    diag_error(lx->cx, QDOT_SYNTAX, span_of(lx, begin, end), "a text has at most %d characters",
               LONGEST_TEXT);
    add_token(lx, TOKEN_BAD, begin, end, 0);
    lx->at = end < lx->length && lx->text[end] == '"' ? end + 1 : end;
    return;
  }
  if (end < lx->length && lx->text[end] == '"') {
    check_valid(lx, begin, end);
    add_token(lx, TOKEN_STRING, begin + 1, end, 0);
    lx->at = end + 1;
    return;
  }
  diag_error(lx->cx, QDOT_SYNTAX, span_of(lx, begin, begin + 1), "this text is never closed");
  diag_label(lx->cx, "expected '\"' on the same line");
  add_token(lx, TOKEN_BAD, begin, end, 0);
  lx->at = end;
}

static void skip_comment(Lexer *lx) {
  uint32_t begin = lx->at;
  while (lx->at < lx->length && lx->text[lx->at] != '\n') lx->at++;
  check_valid(lx, begin, lx->at);
}

// ---- Brackets and line ends

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The first character of the next line with something on it.
static uint32_t next_line(const Lexer *lx, uint32_t at) {
  for (;;) {
    while (at < lx->length && (is_blank(lx->text[at]) || lx->text[at] == '\n')) at++;
    if (at >= lx->length || lx->text[at] != '#') return at;
    while (at < lx->length && lx->text[at] != '\n') at++;
  }
}

// Does a statement begin here? A statement word that is followed by a name, a text, '=' or '(' can
// not continue an expression. 'end' alone on its line probably does not either.
static bool seems_statement(const Lexer *lx, uint32_t at, bool *surely) {
  uint32_t end = name_end(lx, at);
  const StatementRow *row = statement_find(lx->text + at, end - at);
  if (!row) return false;
  while (end < lx->length && is_blank(lx->text[end])) end++;
  char next = end < lx->length ? lx->text[end] : '\n';
  uint32_t character;
  bool name = character_at(lx, end, &character) && utf8_starts_name(character);
  *surely = name || next == '"' || next == '(' ||
            (next == '=' && (end + 1 >= lx->length || lx->text[end + 1] != '='));
  return *surely || (strcmp(row->word, "end") == 0 && (next == '\n' || next == '#'));
}

static uint32_t errors_of_text(const Lexer *lx) { return lx->cx->diagnostics.errors - lx->errors; }

// Reports the innermost open bracket and continues after the line that it should have ended.
static void report_unclosed(Lexer *lx) {
  Bracket bracket = lx->open.at[lx->open.n - 1];
  diag_error(lx->cx, QDOT_SYNTAX, span_of(lx, bracket.begin, bracket.begin + 1),
             "this '%c' is never closed", lx->text[bracket.begin]);
  // With many mistakes it is not worth to read again.
  if (bracket.line_end && errors_of_text(lx) <= MOST_RETURNS) {
    lx->tokens.n = bracket.token;
    lx->at = bracket.line_end;
  }
  lx->open.n = 0;
  add_token(lx, TOKEN_BAD, lx->at, lx->at, 0);
}

static void lex_newline(Lexer *lx) {
  uint32_t begin = lx->at;
  if (lx->open.n) {
    uint32_t next = next_line(lx, begin);
    bool surely = next >= lx->length;
    bool statement = next >= lx->length || seems_statement(lx, next, &surely);
    for (uint32_t i = lx->open.n; statement && i-- > 0 && !lx->open.at[i].line_end;)
      lx->open.at[i].line_end = begin, lx->open.at[i].token = lx->tokens.n;
    if (!surely) {
      lx->at++;
      return;
    }
    report_unclosed(lx);
    begin = lx->at;
  }
  if (last_kind(lx) != TOKEN_NEWLINE) add_token(lx, TOKEN_NEWLINE, begin, begin + 1, 0);
  lx->at = begin + 1;
}

static void lex_bracket(Lexer *lx, TokenKind kind) {
  bool opens = kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET;
  if (opens)
    vec_push(lx->arena, &lx->open, ((Bracket){.begin = lx->at}));
  else if (lx->open.n)
    lx->open.n--;
  add_token(lx, kind, lx->at, lx->at + 1, 0);
  lx->at++;
}

// ---- Signs

typedef struct Sign {
  const char *text;
  TokenKind kind;
} Sign;

// Longer signs first.
static const Sign signs[] = {
    {"..", TOKEN_RANGE}, {"<=", TOKEN_LE},   {">=", TOKEN_GE},   {"==", TOKEN_EQ},
    {"!=", TOKEN_NE},    {"<", TOKEN_LT},    {">", TOKEN_GT},    {"=", TOKEN_EQUAL},
    {"~", TOKEN_TILDE},  {"+", TOKEN_PLUS},  {"-", TOKEN_MINUS}, {"*", TOKEN_STAR},
    {"/", TOKEN_SLASH},  {"^", TOKEN_CARET}, {"'", TOKEN_PRIME}, {".", TOKEN_DOT},
    {",", TOKEN_COMMA},  {":", TOKEN_COLON}, {"≤", TOKEN_LE},    {"≥", TOKEN_GE},
    {"≠", TOKEN_NE},     {"−", TOKEN_MINUS}, {"·", TOKEN_STAR},  {"′", TOKEN_PRIME},
    {"–", TOKEN_MINUS},  {"×", TOKEN_STAR},  {"⋅", TOKEN_STAR},  {"∗", TOKEN_STAR},
    {"’", TOKEN_PRIME},
};

static bool lex_sign(Lexer *lx) {
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    uint32_t n = (uint32_t)strlen(signs[i].text);
    if (lx->length - lx->at < n || memcmp(lx->text + lx->at, signs[i].text, n) != 0) continue;
    add_token(lx, signs[i].kind, lx->at, lx->at + n, 0);
    lx->at += n;
    return true;
  }
  return false;
}

// What stands at a backslash: \frac, \theta.
static void explain_command(Lexer *lx, uint32_t begin, uint32_t end) {
  const char *word = lx->text + begin + 1;
  uint32_t n = end - begin - 1;
  const char *cure = cure_for_command(word, n);
  if (cure)
    diag_label(lx->cx, "%s", cure);
  else
    diag_label(lx->cx, "LaTeX is not read: write %.*s without a backslash", (int)n, word);
}

static uint32_t letters_end(const Lexer *lx, uint32_t at) {
  while (at < lx->length && (unsigned char)((lx->text[at] | 32) - 'a') < 26) at++;
  return at;
}

// Of the characters of a line that begin nothing only the first is told: one cause, one message.
static bool is_first_of_line(Lexer *lx) {
  uint32_t from = lx->bad_end;
  lx->bad_end = lx->at + 1;
  return from == 0 || memchr(lx->text + from, '\n', lx->at - from);
}

static void lex_unknown(Lexer *lx) {
  uint32_t character, used = character_at(lx, lx->at, &character);
  uint32_t end = lx->at + (used ? used : 1);
  Span span = span_of(lx, lx->at, end);
  uint32_t word_end = lx->text[lx->at] == '\\' ? letters_end(lx, end) : end;
  // such bytes have become question marks, which the language does not have
  if (character == '?' && lx->at >= lx->invalid) {
    if (!lx->refused_invalid) {
      diag_error(lx->cx, QDOT_SYNTAX, span, "this is not valid UTF-8");
      label_invalid(lx);
    }
    lx->said_invalid = lx->refused_invalid = true;
  } else if (utf8_is_control(character)) {
    diag_error(lx->cx, QDOT_SYNTAX, span, "unexpected control character U+%04X", character);
  } else if (is_first_of_line(lx)) {
    span.end = word_end;
    diag_error(lx->cx, QDOT_SYNTAX, span, "unexpected %s '%.*s'",
               word_end > end ? "command" : "character", (int)(word_end - lx->at),
               lx->text + lx->at);
    const char *cure = cure_for_sign(lx->text + lx->at, lx->length - lx->at);
    if (word_end > end)
      explain_command(lx, lx->at, word_end);
    else if (cure)
      diag_label(lx->cx, "%s", cure);
  }
  add_token(lx, TOKEN_BAD, lx->at, word_end, 0);
  lx->at = word_end;
}

static void lex_token(Lexer *lx) {
  char c = lx->text[lx->at];
  uint32_t character;
  if (is_blank(c))
    lx->at++;
  else if (c == '\n')
    lex_newline(lx);
  else if (c == '#')
    skip_comment(lx);
  else if (is_digit(c) || (c == '.' && is_digit(peek(lx, 1))))
    lex_number(lx);
  else if (c == '"')
    lex_string(lx);
  else if (c == '[' && is_before_unit(lx))
    lex_unit(lx);
  else if (c == '(' || c == '[')
    lex_bracket(lx, c == '(' ? TOKEN_LPAREN : TOKEN_LBRACKET);
  else if (c == ')' || c == ']')
    lex_bracket(lx, c == ')' ? TOKEN_RPAREN : TOKEN_RBRACKET);
  else if (character_at(lx, lx->at, &character) && utf8_starts_name(character))
    lex_name(lx);
  else if (!lex_sign(lx))
    lex_unknown(lx);
}

Tokens lex(Context *cx, uint32_t source, Arena *arena) {
  const Source *text = &cx->sources.at[source];
  Lexer lx = {.cx = cx,
              .arena = arena,
              .text = text->text,
              .source = source,
              .length = text->length,
              .invalid = text->invalid,
              .errors = cx->diagnostics.errors};
  // A byte order mark is nobody's mistake.
  if (lx.length >= 3 && memcmp(lx.text, "\xEF\xBB\xBF", 3) == 0) lx.at = 3;
  for (;;) {
    // a text of which so many signs are none is not worth the memory of the others
    while (lx.at < lx.length && errors_of_text(&lx) <= MOST_DIAGNOSTICS) lex_token(&lx);
    if (lx.at < lx.length) break;
    if (!lx.open.n) break;
    report_unclosed(&lx);
  }
  if (last_kind(&lx) != TOKEN_NEWLINE) add_token(&lx, TOKEN_NEWLINE, lx.at, lx.at + 1, 0);
  add_token(&lx, TOKEN_END, lx.at, lx.at + 1, 0);
  return lx.tokens;
}
