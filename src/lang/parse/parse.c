// The parser's ground: tokens, failing and recovering, statements and loops.
#include "lang/parse/parse.h"

#include <string.h>

#include "base/words/suggest.h"
#include "lang/parse/cure.h"

// ---- Tokens

Span token_span(const Parser *p, const Token *token) {
  bool quoted = token->kind == TOKEN_STRING || token->kind == TOKEN_UNIT;
  return (Span){p->source, token->begin - quoted, token->end + quoted};
}

Span span_to_here(const Parser *p, Span from) {
  if (p->at == 0) return from;
  return span_join(from, token_span(p, &p->tokens.at[p->at - 1]));
}

bool is_at_word(const Parser *p, const char *word) {
  const Token *token = token_at(p);
  return token->kind == TOKEN_NAME && strlen(word) == token->end - token->begin &&
         memcmp(p->text + token->begin, word, token->end - token->begin) == 0;
}

const Token *take(Parser *p) {
  const Token *token = token_at(p);
  if (token->kind != TOKEN_END) p->at++;
  return token;
}

bool accept_token(Parser *p, TokenKind kind) {
  if (!is_at(p, kind)) return false;
  take(p);
  return true;
}

bool accept_word(Parser *p, const char *word) {
  if (!is_at_word(p, word)) return false;
  take(p);
  return true;
}

const char *accept_string(Parser *p) {
  if (!is_at(p, TOKEN_STRING)) return NULL;
  const Token *token = take(p);
  return arena_copy(&p->cx->keep, p->text + token->begin, token->end - token->begin);
}

// ---- Failing

static void skip_line(Parser *p) {
  while (!is_at(p, TOKEN_NEWLINE) && !is_at(p, TOKEN_END)) p->at++;
}

void fail_at(Parser *p, Span span, const char *format, ...) {
  if (p->failed) return;
  va_list arguments;
  va_start(arguments, format);
  Text message = text_new(&p->cx->keep);
  text_addv(&message, format, arguments);
  va_end(arguments);
  diag_error(p->cx, QDOT_SYNTAX, span, "%s", message.at);
  p->failed = true;
  skip_line(p);
}

static const char *found_text(const Parser *p, const Token *token) {
  if (token->kind == TOKEN_END || token->kind == TOKEN_NEWLINE) return token_kind_text(token->kind);
  Span span = token_span(p, token);
  if (token->kind == TOKEN_PRIME) return "a prime";
  return text_format(p->arena, "'%.*s'", (int)(span.end - span.begin), p->text + span.begin);
}

static bool starts_operand(const Token *token) {
  return token->kind == TOKEN_NAME || token->kind == TOKEN_NUMBER || token->kind == TOKEN_LPAREN;
}

static bool is_unit(const Parser *p, const Token *token) {
  return token->kind == TOKEN_NAME && unit_is_known(p->cx, symbol_text(p->cx, token->symbol));
}

// 0,5: the text goes wrong at the comma or at the digits behind it.
static bool is_decimal_comma(const Parser *p, const Token *token) {
  const Token *comma = token->kind == TOKEN_COMMA ? token : token - 1;
  return comma > p->tokens.at && comma->kind == TOKEN_COMMA && comma[-1].kind == TOKEN_NUMBER &&
         comma[1].kind == TOKEN_NUMBER && comma[-1].end == comma->begin &&
         comma->end == comma[1].begin;
}

// The text from a token to the bracket that closes it; empty when none does on this line.
static Span bracket_span(const Parser *p, const Token *open) {
  Span span = token_span(p, open);
  int depth = 0;
  for (const Token *token = open; token->kind != TOKEN_END && token->kind != TOKEN_NEWLINE;
       token++) {
    depth += token->kind == TOKEN_LPAREN;
    depth -= token->kind == TOKEN_RPAREN;
    if (depth == 0) return span_join(span, token_span(p, token));
  }
  return (Span){span.source, span.begin, span.begin};
}

static const char *span_text(const Parser *p, Span span) {
  return text_format(p->arena, "%.*s", (int)(span.end - span.begin), p->text + span.begin);
}

static bool is_function(const Parser *p, const Token *token) {
  return token->kind == TOKEN_NAME && function_find_plain(symbol_text(p->cx, token->symbol));
}

// sin^2(theta), cos theta: a function whose argument does not follow in brackets.
static bool explain_function(Parser *p, const Token *token) {
  const Token *first = p->tokens.at;
  bool power = token - first >= 3 && token[-1].kind == TOKEN_NUMBER &&
               token[-2].kind == TOKEN_CARET && is_function(p, token - 3);
  if (power && token->kind == TOKEN_LPAREN) {
    diag_label(p->cx, "write %s%s^%s", span_text(p, token_span(p, token - 3)),
               span_text(p, bracket_span(p, token)), span_text(p, token_span(p, token - 1)));
    return true;
  }
  if (power && (token->kind == TOKEN_NAME || token->kind == TOKEN_NUMBER)) {
    diag_label(p->cx, "write %s(%s)^%s", span_text(p, token_span(p, token - 3)),
               span_text(p, token_span(p, token)), span_text(p, token_span(p, token - 1)));
    return true;
  }
  if (token == first || !is_function(p, token - 1) || token->kind == TOKEN_LPAREN) return false;
  diag_label(p->cx, "write %s(%s)", span_text(p, token_span(p, token - 1)),
             span_text(p, token_span(p, token)));
  return true;
}

// 9.81 (m/s^2): a bracket behind a number with nothing but units inside.
static bool holds_unit(const Parser *p, const Token *open) {
  const Token *token = open + 1;
  for (; token->kind != TOKEN_RPAREN; token++) {
    bool sign = token->kind == TOKEN_STAR || token->kind == TOKEN_SLASH ||
                token->kind == TOKEN_CARET || token->kind == TOKEN_MINUS ||
                token->kind == TOKEN_NUMBER;
    if (!sign && !is_unit(p, token)) return false;
  }
  return token > open + 1 && open[1].kind == TOKEN_NAME;
}

// Does a name begin here that gets a value: L = 2, theta' = 1, x[1] ~ 3?
static bool begins_item(const Token *token) {
  if (token->kind != TOKEN_NAME) return false;
  const Token *next = token + 1;
  if (next->kind == TOKEN_LBRACKET) {
    while (next->kind != TOKEN_RBRACKET && next->kind != TOKEN_NEWLINE && next->kind != TOKEN_END)
      next++;
    next += next->kind == TOKEN_RBRACKET;
  }
  while (next->kind == TOKEN_PRIME) next++;
  return next->kind == TOKEN_EQUAL || next->kind == TOKEN_TILDE;
}

// What stands side by side without a sign between.
static void hint_side_by_side(Parser *p, const Token *token, uint32_t depth) {
  bool behind_number = token > p->tokens.at && token[-1].kind == TOKEN_NUMBER;
  if (depth == 0 && begins_item(token)) {
    diag_label(p->cx, "is a ',' missing before it?");
  } else if (explain_function(p, token)) {
    return;
  } else if (behind_number && token->kind == TOKEN_LPAREN && holds_unit(p, token)) {
    Span inside = bracket_span(p, token);
    inside.begin++, inside.end--;
    diag_label(p->cx, "a unit is written in square brackets: %s [%s]; a product needs '*'",
               span_text(p, token_span(p, token - 1)), span_text(p, inside));
  } else if (behind_number && is_unit(p, token)) {
    diag_label(p->cx, "is a '*' missing before it? a unit is written in brackets: [%s]",
               symbol_text(p->cx, token->symbol));
  } else {
    diag_label(p->cx, "is a '*' missing before it?");
  }
}

// What the person may have meant, beside the caret.
static void hint_after_failure(Parser *p, const Token *token, bool behind_operand, uint32_t depth) {
  bool first = token == p->tokens.at;
  if (behind_operand && starts_operand(token))
    hint_side_by_side(p, token, depth);
  else if (behind_operand && depth > 0 && token->kind == TOKEN_EQUAL)
    diag_label(p->cx, "a comparison is written '=='");
  else if (behind_operand && token->kind == TOKEN_LBRACKET)
    diag_label(p->cx, "a unit can only follow a number");
  else if (token->kind == TOKEN_STAR && !first && token[-1].kind == TOKEN_STAR)
    diag_label(p->cx, "a power is written '^'");
  else if ((token->kind == TOKEN_SLASH || token->kind == TOKEN_STAR) && !first &&
           token[-1].kind == TOKEN_SLASH)
    diag_label(p->cx, "a comment begins with '#'");
  else if (token->kind == TOKEN_SLASH && token[1].kind == TOKEN_SLASH)
    diag_label(p->cx, "a comment begins with '#'");
  else if (token->kind == TOKEN_RANGE || (!first && token[-1].kind == TOKEN_RANGE))
    diag_label(p->cx, "a line continues while a bracket is open");
  else if (token->kind == TOKEN_PRIME && !behind_operand)
    diag_label(p->cx, "a text is written between \" and \"; a prime follows a name: x'");
  else if (token->kind == TOKEN_TILDE)
    diag_label(p->cx, "'~' is a guess of where something starts; here write '='");
  else if (token->kind == TOKEN_COLON && token[1].kind == TOKEN_EQUAL)
    diag_label(p->cx, "write '='");
  else if (is_decimal_comma(p, token))
    diag_label(p->cx, "a decimal point is written '.'");
}

void fail_expected(Parser *p, const char *what) {
  const Token *token = token_at(p);
  if (p->failed) return;
  if (token->kind == TOKEN_BAD) { // reported by the lexer
    p->failed = true;
    skip_line(p);
    return;
  }
  bool behind_operand = p->operand_end == p->at && p->at > 0;
  fail_at(p, token_span(p, token), "expected %s, found %s", what, found_text(p, token));
  hint_after_failure(p, token, behind_operand, p->depth);
}

bool expect(Parser *p, TokenKind kind, const char *what) {
  if (accept_token(p, kind)) return true;
  fail_expected(p, what ? what : token_kind_text(kind));
  return false;
}

bool expect_word(Parser *p, const char *word) {
  if (accept_word(p, word)) return true;
  fail_expected(p, text_format(p->arena, "'%s'", word));
  return false;
}

// ---- Names and items

bool parse_name(Parser *p, const char *what, Item *out) {
  *out = (Item){.relation = TOKEN_END};
  const Token *token = token_at(p);
  if (!expect(p, TOKEN_NAME, what)) return false;
  out->name = own_symbol(p, token);
  out->span = out->base_span = token_span(p, token);
  if (accept_token(p, TOKEN_LBRACKET)) {
    VEC(Ast *) indices = {0};
    do vec_push(p->arena, &indices, parse_expression(p));
    while (accept_token(p, TOKEN_COMMA));
    expect(p, TOKEN_RBRACKET, NULL);
    out->indices = indices.at, out->index_count = indices.n;
    if (!p->failed) out->span = span_to_here(p, out->span);
  }
  return !p->failed;
}

bool parse_dotted_name(Parser *p, const char *what, Item *out) {
  if (!parse_name(p, what, out) || !accept_token(p, TOKEN_DOT)) return !p->failed;
  const Token *token = token_at(p);
  if (!expect(p, TOKEN_NAME, "what belongs to it")) return false;
  out->member = token->symbol;
  out->span = out->base_span = span_to_here(p, out->span);
  return true;
}

bool parse_item_rest(Parser *p, bool may_be_guess, Item *out) {
  while (accept_token(p, TOKEN_PRIME)) out->primes++;
  if (out->primes) out->span = span_to_here(p, out->span);
  bool equal = is_at(p, TOKEN_EQUAL), guess = may_be_guess && is_at(p, TOKEN_TILDE);
  if (equal || guess) {
    out->relation = take(p)->kind;
    out->value = parse_expression(p);
    out->value_span = out->value->span;
  }
  if (!p->failed) out->text = accept_string(p);
  return !p->failed;
}

bool accept_kept(Parser *p, const char *word, bool is_body) {
  static const char *const starts[] = {"at", "angle", "velocity", "spin"};
  if (accept_token(p, TOKEN_EQUAL)) return true;
  for (size_t i = 0; is_body && i < sizeof starts / sizeof *starts; i++)
    if (strcmp(starts[i], word) == 0) accept_token(p, TOKEN_TILDE);
  return false;
}

bool parse_item(Parser *p, const char *what, bool may_be_guess, Item *out) {
  return parse_name(p, what, out) && parse_item_rest(p, may_be_guess, out);
}

// ---- Statements

const StatementRow *statement_find(const char *word, size_t length) {
  static const StatementRow rows[] = {
#define STATEMENT(word, name, usage) {word, parse_##name, lower_##name, usage},
#include "lang/parse/statements.def"
#undef STATEMENT
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strlen(rows[i].word) == length && memcmp(rows[i].word, word, length) == 0) return &rows[i];
  return NULL;
}

const char *statement_nearest(const char *word) {
  Nearest nearest = nearest_to(word);
#define STATEMENT(word, name, usage) nearest_offer(&nearest, word);
#include "lang/parse/statements.def"
#undef STATEMENT
  return nearest.best;
}

// The letters of energies in textbooks.
static const char *energy_called(const char *word) {
  bool kinetic = strcmp(word, "T") == 0 || strcmp(word, "E_kin") == 0;
  bool potential = strcmp(word, "V") == 0 || strcmp(word, "U") == 0 || strcmp(word, "E_pot") == 0;
  if (strcmp(word, "L") == 0) return "lagrangian";
  return kinetic ? "kinetic" : potential ? "potential" : NULL;
}

// theta' = 2, theta(0) = 2: a start value without its statement; theta'' = ... an equation of
// motion.
static void explain_start(Parser *p, const char *word, const Token *next) {
  if (next->kind == TOKEN_PRIME && next[1].kind == TOKEN_PRIME)
    diag_label(p->cx, "accelerations follow from 'kinetic', 'potential' and 'force %s = ...'",
               word);
  else if (next->kind == TOKEN_PRIME)
    diag_label(p->cx, "did you mean 'coord %s' = ...'?", word);
  else
    diag_label(p->cx, "did you mean 'coord %s %s ...'?", word,
               next->kind == TOKEN_TILDE ? "~" : "=");
}

static bool is_start(const Token *word) {
  const Token *next = word + 1;
  if (next->kind == TOKEN_PRIME) return true;
  return next->kind == TOKEN_TILDE || (next->kind == TOKEN_LPAREN && next[1].kind == TOKEN_NUMBER &&
                                       next[2].kind == TOKEN_RPAREN && next[3].kind == TOKEN_EQUAL);
}

static void unknown_statement(Parser *p, const Token *token) {
  Span span = token_span(p, token);
  if (token->kind != TOKEN_NAME) {
    fail_expected(p, "a statement");
    return;
  }
  char *word = text_format(p->arena, "%.*s", (int)(span.end - span.begin), p->text + span.begin);
  TokenKind next = p->tokens.at[p->at + 1].kind;
  fail_at(p, span, "unknown statement '%s'", word);
  const char *nearest = statement_nearest(word), *cure = cure_for_beginning(word);
  if (cure)
    diag_label(p->cx, "%s", cure);
  else if (is_start(token))
    explain_start(p, word, token + 1);
  else if (nearest)
    diag_suggest(p->cx, nearest);
  else if (next == TOKEN_EQUAL && energy_called(word))
    diag_label(p->cx, "did you mean '%s = ...', or 'let %s = ...'?", energy_called(word), word);
  else if (next == TOKEN_EQUAL)
    diag_label(p->cx, "did you mean 'let %s = ...'?", word);
}

// Does "in" follow the name that a line begins with?
static bool is_range_of(const Parser *p, const Token *name) {
  const Token *next = name + 1;
  return next->kind == TOKEN_NAME && next->end - next->begin == 2 &&
         memcmp(p->text + next->begin, "in", 2) == 0;
}

// line = [statement] newline
static Statement *parse_statement(Parser *p) {
  p->failed = false, p->depth = 0, p->by_side = p->equal_compares = false, p->operand_end = 0;
  Statement *s = arena_new(p->arena, Statement);
  const Token *token = token_at(p);
  s->word = s->span = token_span(p, token);
  if (token->kind == TOKEN_NAME)
    s->row = statement_find(p->text + token->begin, token->end - token->begin);
  bool is_range = !s->row && token->kind == TOKEN_NAME && is_range_of(p, token);
  if (is_range) s->row = statement_find("limit", 5); // u in -10..10 [N]
  if (s->row) {
    if (!is_range) take(p);
    s->row->parse(p, s);
    s->span = span_to_here(p, s->span);
  } else {
    unknown_statement(p, token);
  }
  if (!p->failed && !is_at(p, TOKEN_END)) expect(p, TOKEN_NEWLINE, NULL);
  if (p->failed) accept_token(p, TOKEN_NEWLINE);
  s->is_broken = p->failed;
  return s->row ? s : NULL;
}

static Parser parser_new(Context *cx, uint32_t source, Arena *arena) {
  return (Parser){.cx = cx,
                  .arena = arena,
                  .source = source,
                  .text = cx->sources.at[source].text,
                  .tokens = lex(cx, source, arena)};
}

static void check_loop_depth(Parser *p, Statement *s, uint32_t depth) {
  uint32_t limit = nesting_limit(p->cx);
  if (depth <= limit) return;
  if (depth == limit + 1)
    diag_error(p->cx, QDOT_TOO_LARGE, s->word, "more than %u nested loops", limit);
  s->is_broken = true;
}

static ModelText parse_lines(Parser *p) {
  Context *cx = p->cx;
  Arena *arena = p->arena;
  ModelText text = {0};
  VEC(Statement *) loops = {0}; // open ones, innermost last
  while (!is_at(p, TOKEN_END)) {
    context_poll(cx);
    Statement *s = parse_statement(p);
    if (!s) continue;
    bool ends = strcmp(s->row->word, "end") == 0;
    if (ends && loops.n == 0 && !s->is_broken)
      diag_error(cx, QDOT_SYNTAX, s->word, "this 'end' has no 'for'");
    if (ends) {
      if (loops.n) loops.n--;
      continue;
    }
    // what is nested too deeply stays at the limit, for the sake of passes that recurse
    uint32_t depth = loops.n < nesting_limit(cx) ? loops.n : nesting_limit(cx);
    if (depth)
      vec_push(arena, &loops.at[depth - 1]->body, s);
    else
      vec_push(arena, &text.statements, s);
    if (strcmp(s->row->word, "for") == 0) {
      vec_push(arena, &loops, s);
      check_loop_depth(p, s, loops.n);
    }
  }
  for (uint32_t i = loops.n; i-- > 0;)
    diag_error(cx, QDOT_SYNTAX, loops.at[i]->word, "this 'for' has no 'end'");
  return text;
}

ModelText parse_model(Context *cx, uint32_t source, PartFiles *parts, Arena *arena) {
  Parser p = parser_new(cx, source, arena);
  p.parts = parts;
  return parse_lines(&p);
}

void parse_part(Parser *user, const PartFile *file, UsedPart *out) {
  Parser p = parser_new(user->cx, file->source, user->arena);
  p.parts = user->parts, p.file = file, p.prefix = file->prefix;
  out->text = parse_lines(&p);
  for (uint32_t i = 0; i < p.prefixes.n; i++) vec_push(p.arena, &out->prefixes, p.prefixes.at[i]);
}

Ast *parse_single_expression(Context *cx, uint32_t source, const Prefixes *prefixes, Arena *arena) {
  Parser p = parser_new(cx, source, arena);
  for (uint32_t i = 0; prefixes && i < prefixes->n; i++) join_prefixed(&p, prefixes->at[i]);
  Ast *ast = parse_expression(&p);
  if (!is_at(&p, TOKEN_END)) expect(&p, TOKEN_NEWLINE, NULL);
  if (!p.failed) expect(&p, TOKEN_END, NULL);
  return p.failed ? NULL : ast;
}

bool parse_single_range(Context *cx, uint32_t source, const Prefixes *prefixes, Arena *arena,
                        Item *out) {
  Parser p = parser_new(cx, source, arena);
  for (uint32_t i = 0; prefixes && i < prefixes->n; i++) join_prefixed(&p, prefixes->at[i]);
  *out = (Item){0};
  if (parse_bounds(&p, out) && !is_at(&p, TOKEN_END)) expect(&p, TOKEN_NEWLINE, NULL);
  if (!p.failed) expect(&p, TOKEN_END, NULL);
  return !p.failed;
}

bool parse_assignment(Context *cx, uint32_t source, Arena *arena, Item *out) {
  Parser p = parser_new(cx, source, arena);
  join_owners(&p);
  if (parse_dotted_name(&p, "NAME=VALUE", out) && parse_item_rest(&p, false, out)) {
    if (!out->value)
      fail_expected(&p, "'='");
    else
      expect(&p, TOKEN_NEWLINE, NULL);
  }
  if (!p.failed) expect(&p, TOKEN_END, NULL);
  return !p.failed;
}
