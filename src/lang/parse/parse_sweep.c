// The statement that asks for many runs.
#include "lang/parse/parse.h"

// (value, value ...): a unit behind the last holds for all that have none.
static bool parse_list(Parser *p, Item *item) {
  Span begin = token_span(p, take(p));
  do {
    Ast *value = parse_sum(p);
    if (p->failed) return false;
    vec_push(p->arena, &item->list, value);
  } while (accept_token(p, TOKEN_COMMA));
  if (!expect(p, TOKEN_RPAREN, NULL)) return false;
  const Unit *unit = unit_of_number(item->list.at[item->list.n - 1]);
  for (uint32_t i = 0; unit && i < item->list.n; i++) lend_unit(item->list.at[i], unit);
  item->value_span = span_to_here(p, begin);
  return true;
}

// A list ends its axis; (a + b)/2..c is a range.
static bool is_at_list(const Parser *p) {
  int depth = 0;
  for (uint32_t i = p->at; i < p->tokens.n; i++) {
    TokenKind kind = p->tokens.at[i].kind;
    depth += (kind == TOKEN_LPAREN) - (kind == TOKEN_RPAREN);
    if (depth > 0 && kind != TOKEN_END) continue;
    TokenKind next = i + 1 < p->tokens.n ? p->tokens.at[i + 1].kind : TOKEN_END;
    return i > p->at && (next == TOKEN_COMMA || next == TOKEN_COLON || next == TOKEN_NEWLINE ||
                         next == TOKEN_END);
  }
  return false;
}

// axis = varied ( "in" bounds | "=" ( bounds "steps" sum | "normal" sum | list ) )
static bool parse_axis(Parser *p, Statement *s) {
  Item item;
  if (!parse_varied(p, "a parameter, 'cases', 'runs N', 'seed N' or 'sobol'", &item)) return false;
  if (is_at_word(p, "in")) {
    item.relation = TOKEN_RANGE, item.word = take(p)->symbol;
    if (!parse_bounds(p, &item)) return false;
  } else {
    if (!expect(p, TOKEN_EQUAL, "'=' or 'in'")) return false;
    item.relation = TOKEN_EQUAL;
    if (is_at_word(p, "normal")) {
      item.word = take(p)->symbol;
      item.value = parse_sum(p);
      item.value_span = item.value->span;
    } else if (is_at_list(p)) {
      if (!parse_list(p, &item)) return false;
    } else {
      if (!parse_bounds(p, &item)) return false;
      if (!accept_word(p, "steps")) {
        fail_expected(p, "'steps N': a grid has a number of values");
        return false;
      }
      item.steps = parse_sum(p);
    }
  }
  vec_push(p->arena, &s->items, item);
  return !p->failed;
}

// Words that are names of parameters elsewhere: an option is not followed by '=' or 'in'.
static bool is_option(const Parser *p) {
  TokenKind next = p->tokens.at[p->at + 1].kind;
  if (is_at_word(p, "runs") || is_at_word(p, "seed")) return next == TOKEN_NUMBER;
  if (is_at_word(p, "sobol")) return next == TOKEN_COMMA || next == TOKEN_COLON;
  return is_at_word(p, "cases") && next == TOKEN_STRING;
}

static void parse_option(Parser *p, Statement *s) {
  const Token *word = take(p);
  Clause clause = {.word = word->symbol, .span = token_span(p, word)};
  clause.text = accept_string(p);
  if (clause.text)
    clause.span = span_to_here(p, clause.span);
  else if (is_at(p, TOKEN_NUMBER))
    clause.value = parse_sum(p);
  vec_push(p->arena, &s->clauses, clause);
}

// "sweep" (axis | "runs" NUMBER | "seed" NUMBER | "sobol" | "cases" STRING) {"," ...}
//   ":" name {"," name} ["," "keep" "rows" "where" expression]
void parse_sweep(Parser *p, Statement *s) {
  do {
    if (is_option(p))
      parse_option(p, s);
    else if (!parse_axis(p, s))
      return;
  } while (accept_token(p, TOKEN_COMMA));
  if (!parse_measures(p, s) || !is_at_word(p, "keep")) return;
  take(p);
  if (expect_word(p, "rows") && expect_word(p, "where")) s->right = parse_expression(p);
}
