// The rules of expressions, from the loosest binding to the tightest.
#include <string.h>

#include "lang/parse/parse.h"

#define DEEPEST 1000 // nesting that the C stack bears

typedef VEC(Ast *) AstList;
typedef VEC(bool) FlagList;

static Ast *ast_new(Parser *p, AstKind kind, Span span) {
  Ast *ast = arena_new(p->arena, Ast);
  ast->kind = kind, ast->span = span;
  return ast;
}

static Ast *ast_broken(Parser *p) { return ast_new(p, AST_BROKEN, token_span(p, token_at(p))); }

// A node over a list whose span reaches from the first to the last part taken.
static Ast *ast_list(Parser *p, AstKind kind, Span begin, AstList list, FlagList flags) {
  Ast *ast = ast_new(p, kind, span_to_here(p, begin));
  ast->n = list.n, ast->args = list.at, ast->flags = flags.at;
  return ast;
}

static Ast *ast_unary(Parser *p, AstKind kind, Span begin, Ast *argument) {
  Ast *ast = ast_new(p, kind, span_join(begin, argument->span));
  ast->args = arena_array(p->arena, Ast *, 1);
  ast->n = 1, ast->args[0] = argument;
  return ast;
}

uint32_t nesting_limit(const Context *cx) {
  uint32_t limit = cx->limits.nesting;
  return limit == 0 || limit > DEEPEST ? DEEPEST : limit;
}

static bool enter(Parser *p) {
  uint32_t limit = nesting_limit(p->cx);
  if (++p->depth <= limit) return true;
  fail_at(p, token_span(p, token_at(p)), "more than %u nested brackets and signs", limit);
  return false;
}

static void leave(Parser *p) { p->depth--; }

// ---- Primaries

static const Unit *accept_unit(Parser *p) {
  if (!is_at(p, TOKEN_UNIT)) return NULL;
  const Token *bracket = take(p);
  Span inside = {p->source, bracket->begin, bracket->end};
  Unit *unit = arena_new(p->arena, Unit);
  Status status =
      unit_parse(p->cx, p->text + bracket->begin, bracket->end - bracket->begin, inside, unit);
  return status == QDOT_OK ? unit : NULL;
}

const Unit *unit_of_number(const Ast *number) {
  while (number->kind == AST_NEGATE) number = number->args[0];
  return number->kind == AST_NUMBER ? number->unit : NULL;
}

void lend_unit(Ast *number, const Unit *unit) {
  while (number->kind == AST_NEGATE) number = number->args[0];
  if (number->kind == AST_NUMBER && !number->unit) number->unit = unit;
}

static Ast *parse_number(Parser *p) {
  const Token *token = take(p);
  Ast *ast = ast_new(p, AST_NUMBER, token_span(p, token));
  ast->number = number_from_decimal(p->cx, p->text + token->begin, token->end - token->begin);
  if (ast->number == NUMBER_NONE)
    fail_at(p, ast->span, "a number has at most 40 digits and lies between 2.3e-308 and 1.7e308");
  if (!is_at(p, TOKEN_UNIT) || p->failed) return ast;
  ast->unit = accept_unit(p);
  if (!ast->unit) return ast_broken(p); // the statement itself can still be read
  ast->span = span_to_here(p, ast->span);
  return ast;
}

// sum = "sum" "(" name "in" sum ".." sum ":" expression ")"
static Ast *parse_summation(Parser *p, Span begin) {
  AstList parts = {0};
  const Token *name = token_at(p);
  expect(p, TOKEN_NAME, "the name of an index, as in sum(i in 1..N: ...)");
  expect_word(p, "in");
  vec_push(p->arena, &parts, parse_sum(p));
  expect(p, TOKEN_RANGE, NULL);
  vec_push(p->arena, &parts, parse_sum(p));
  expect(p, TOKEN_COLON, NULL);
  vec_push(p->arena, &parts, parse_expression(p));
  expect(p, TOKEN_RPAREN, NULL);
  Ast *ast = ast_list(p, AST_SUMMATION, begin, parts, (FlagList){0});
  ast->name = own_symbol(p, name);
  return ast;
}

static void check_arguments(Parser *p, const Function *function, Span span, uint32_t n) {
  if (p->failed || (n >= function->least && n <= function->most)) return;
  bool several = function->most > function->least;
  if (function->kind == FUNCTION_TABLE && n > function->most)
    fail_at(p, span, "a table has at most %u points, found %u", function->most - 1, n - 1);
  else if (several && n > function->most)
    fail_at(p, span, "%s takes at most %u arguments, found %u", function->name, function->most, n);
  else
    fail_at(p, span, "%s takes %s%u argument%s, found %u", function->name,
            several ? "at least " : "", function->least, function->least == 1 ? "" : "s", n);
  if (strcmp(function->name, "dot") == 0 && n == 1)
    diag_label(p->cx, "a time derivative is written with a prime: x', x''");
  else
    diag_label(p->cx, "write %s", function->usage);
}

// call = function "(" expression {"," expression} ")"
static Ast *parse_call(Parser *p, const Token *name) {
  Span begin = token_span(p, name);
  const char *text =
      text_format(p->arena, "%.*s", (int)(name->end - name->begin), p->text + name->begin);
  take(p);
  if (!enter(p)) return ast_broken(p);
  bool by_side = p->by_side;
  p->by_side = false;
  Ast *ast;
  if (strcmp(text, "sum") == 0) {
    ast = parse_summation(p, begin);
  } else {
    const Function *function = function_find(text);
    AstList args = {0};
    Ast *file = NULL;
    if (!is_at(p, TOKEN_RPAREN)) {
      do {
        bool may_be_file = args.n == 1 && function && function->kind == FUNCTION_TABLE;
        file = may_be_file ? accept_data_file(p) : NULL;
        if (!file) vec_push(p->arena, &args, parse_expression(p));
      } while (!file && accept_token(p, TOKEN_COMMA));
    }
    ast = ast_new(p, AST_CALL, begin);
    ast->n = args.n, ast->args = args.at;
    if (file) parse_file_table(p, ast, args.at[0], file);
    expect(p, TOKEN_RPAREN, NULL);
    ast->span = span_to_here(p, begin);
    ast->function = function, ast->name = name->symbol;
    ast->count = name->end - name->begin; // bytes of the name
    if (function && !file) check_arguments(p, function, ast->span, args.n);
  }
  p->by_side = by_side;
  leave(p);
  return ast;
}

// In a drawing 'r_1 (0, 0)' is two points; elsewhere a name before a bracket is a function.
static bool calls_function(const Parser *p, const Token *name) {
  if (!is_at(p, TOKEN_LPAREN)) return false;
  if (!p->by_side) return true;
  char word[16];
  size_t n = name->end - name->begin;
  if (n >= sizeof word) return false;
  memcpy(word, p->text + name->begin, n);
  word[n] = '\0';
  return function_find_plain(word) || strcmp(word, "sum") == 0;
}

// name = NAME ["[" expression {"," expression} "]"]
static Ast *parse_name_use(Parser *p) {
  const Token *token = take(p);
  if (calls_function(p, token)) return parse_call(p, token);
  Ast *ast = ast_new(p, AST_NAME, token_span(p, token));
  ast->name = own_symbol(p, token);
  if (!is_at(p, TOKEN_LBRACKET) || !enter(p)) return ast;
  take(p);
  AstList indices = {0};
  do vec_push(p->arena, &indices, parse_expression(p));
  while (accept_token(p, TOKEN_COMMA));
  expect(p, TOKEN_RBRACKET, NULL);
  leave(p);
  ast->n = indices.n, ast->args = indices.at;
  ast->span = span_to_here(p, ast->span);
  return ast;
}

// bracket = "(" expression ")" | "(" expression "," expression ["," expression] ")"
static Ast *parse_bracket(Parser *p) {
  Span begin = token_span(p, take(p));
  if (!enter(p)) return ast_broken(p);
  bool by_side = p->by_side;
  p->by_side = false;
  AstList parts = {0};
  do vec_push(p->arena, &parts, parse_expression(p));
  while (accept_token(p, TOKEN_COMMA));
  expect(p, TOKEN_RPAREN, NULL);
  p->by_side = by_side;
  leave(p);
  if (parts.n == 1) {
    Ast *inside = parts.at[0];
    inside->in_brackets = true;
    if (!p->failed) inside->span = span_to_here(p, begin);
    return inside;
  }
  if (parts.n > 3)
    fail_at(p, span_to_here(p, begin), "a vector has two or three components, found %u", parts.n);
  return ast_list(p, AST_VECTOR, begin, parts, (FlagList){0});
}

static Ast *parse_primary(Parser *p) {
  switch (token_at(p)->kind) {
  case TOKEN_NUMBER: return parse_number(p);
  case TOKEN_NAME:
    if (is_at_word(p, "and") || is_at_word(p, "or") || is_at_word(p, "not")) break;
    return parse_name_use(p);
  case TOKEN_LPAREN: return parse_bracket(p);
  default: break;
  }
  fail_expected(p, "an expression");
  return ast_broken(p);
}

// ---- Operators

// postfix = primary {"'" | "." NAME}
static Ast *parse_postfix(Parser *p) {
  Ast *ast = parse_primary(p);
  while (!p->failed && (is_at(p, TOKEN_PRIME) || is_at(p, TOKEN_DOT))) {
    Ast *over;
    if (accept_token(p, TOKEN_PRIME)) {
      uint32_t count = 1;
      while (accept_token(p, TOKEN_PRIME)) count++;
      over = ast_unary(p, AST_PRIME, ast->span, ast);
      over->count = count;
    } else {
      take(p);
      const Token *component = token_at(p);
      expect(p, TOKEN_NAME, "a component: x, y or z");
      over = ast_unary(p, AST_COMPONENT, ast->span, ast);
      over->name = component->symbol;
    }
    over->span = span_to_here(p, ast->span);
    ast = over;
    if (!enter(p)) break; // chains of components nest as well
  }
  if (!p->failed) p->operand_end = p->at;
  return ast;
}

static Ast *parse_factor(Parser *p);

// power = postfix ["^" factor]
static Ast *parse_power(Parser *p) {
  uint32_t depth = p->depth;
  Ast *base = parse_postfix(p);
  if (accept_token(p, TOKEN_CARET) && enter(p)) {
    AstList parts = {0};
    vec_push(p->arena, &parts, base);
    vec_push(p->arena, &parts, parse_factor(p));
    base = ast_list(p, AST_POWER, base->span, parts, (FlagList){0});
  }
  p->depth = depth;
  return base;
}

// factor = ["-" | "+"] factor | power
static Ast *parse_factor(Parser *p) {
  bool minus = is_at(p, TOKEN_MINUS), plus = is_at(p, TOKEN_PLUS);
  if (!minus && !plus) return parse_power(p);
  Span begin = token_span(p, take(p));
  if (!enter(p)) return ast_broken(p);
  Ast *ast = parse_factor(p);
  leave(p);
  return minus ? ast_unary(p, AST_NEGATE, begin, ast) : ast;
}

// product = factor {("*" | "/") factor}
static Ast *parse_product(Parser *p) {
  Ast *first = parse_factor(p);
  if (!is_at(p, TOKEN_STAR) && !is_at(p, TOKEN_SLASH)) return first;
  AstList factors = {0};
  FlagList divides = {0};
  vec_push(p->arena, &factors, first);
  vec_push(p->arena, &divides, false);
  while (is_at(p, TOKEN_STAR) || is_at(p, TOKEN_SLASH)) {
    vec_push(p->arena, &divides, take(p)->kind == TOKEN_SLASH);
    vec_push(p->arena, &factors, parse_factor(p));
  }
  return ast_list(p, AST_PRODUCT, first->span, factors, divides);
}

// sum = ["-" | "+"] product {("+" | "-") product}
Ast *parse_sum(Parser *p) {
  Span begin = token_span(p, token_at(p));
  AstList terms = {0};
  FlagList minus = {0};
  bool negative = is_at(p, TOKEN_MINUS);
  if (negative || is_at(p, TOKEN_PLUS)) take(p);
  Ast *first = parse_product(p);
  if (!negative && !is_at(p, TOKEN_PLUS) && !is_at(p, TOKEN_MINUS)) return first;
  vec_push(p->arena, &terms, first);
  vec_push(p->arena, &minus, negative);
  while (is_at(p, TOKEN_PLUS) || is_at(p, TOKEN_MINUS)) {
    vec_push(p->arena, &minus, take(p)->kind == TOKEN_MINUS);
    vec_push(p->arena, &terms, parse_product(p));
  }
  if (terms.n == 1) return ast_unary(p, AST_NEGATE, begin, first);
  return ast_list(p, AST_SUM, begin, terms, minus);
}

static bool is_relation(TokenKind kind) { return kind >= TOKEN_LT && kind <= TOKEN_NE; }

// Behind a crossing: a word that is neither a direction nor leads on.
static void refuse_direction(Parser *p) {
  const Token *word = token_at(p);
  if (p->failed || word->kind != TOKEN_NAME || is_at_word(p, "and") || is_at_word(p, "or")) return;
  fail_expected(p, "'rising', 'falling' or ':'");
}

// comparison = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]; of an event also
// sum ("=" | "==") sum ["rising" | "falling"]
static Ast *parse_comparison(Parser *p) {
  Ast *left = parse_sum(p);
  bool is_equal = p->equal_compares && is_at(p, TOKEN_EQUAL);
  if (p->failed || (!is_relation(token_at(p)->kind) && !is_equal)) return left;
  TokenKind relation = take(p)->kind;
  if (is_equal) relation = TOKEN_EQ;
  AstList sides = {0};
  vec_push(p->arena, &sides, left);
  vec_push(p->arena, &sides, parse_sum(p));
  Ast *ast = ast_list(p, AST_COMPARE, left->span, sides, (FlagList){0});
  ast->relation = relation;
  bool has_direction = is_at_word(p, "rising") || is_at_word(p, "falling");
  bool crosses = p->equal_compares && relation == TOKEN_EQ;
  if (crosses && has_direction) {
    ast->name = take(p)->symbol;
    ast->span = span_to_here(p, ast->span);
  } else if (crosses) {
    refuse_direction(p);
  }
  return ast;
}

// negation = "not" negation | comparison
static Ast *parse_negation(Parser *p) {
  if (!is_at_word(p, "not")) return parse_comparison(p);
  Span begin = token_span(p, take(p));
  if (!enter(p)) return ast_broken(p);
  Ast *ast = ast_unary(p, AST_NOT, begin, parse_negation(p));
  leave(p);
  return ast;
}

static Ast *parse_chain(Parser *p, const char *word, AstKind kind, Ast *(*part)(Parser *p)) {
  Ast *first = part(p);
  if (!is_at_word(p, word)) return first;
  AstList parts = {0};
  vec_push(p->arena, &parts, first);
  while (accept_word(p, word)) vec_push(p->arena, &parts, part(p));
  return ast_list(p, kind, first->span, parts, (FlagList){0});
}

static Ast *parse_conjunction(Parser *p) { return parse_chain(p, "and", AST_AND, parse_negation); }

// expression = conjunction {"or" conjunction}
Ast *parse_expression(Parser *p) { return parse_chain(p, "or", AST_OR, parse_conjunction); }
