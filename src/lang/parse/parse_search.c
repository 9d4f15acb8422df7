// The statements that ask what parameters do, and which values serve.
#include <string.h>

#include "lang/parse/parse.h"

// "sensitivity" name {"," name} "to" varied {"," varied}
void parse_sensitivity(Parser *p, Statement *s) {
  do {
    if (!parse_measure_name(p, s)) return;
  } while (accept_token(p, TOKEN_COMMA));
  if (!accept_word(p, "to")) {
    fail_expected(p, "'to' and the parameters");
    return;
  }
  do {
    Item item;
    if (!parse_varied(p, "a parameter, or a start value such as theta(0)", &item)) return;
    vec_push(p->arena, &s->items, item);
  } while (accept_token(p, TOKEN_COMMA));
}

static bool is_word_before_name(const Parser *p, const char *word) {
  return is_at_word(p, word) && p->tokens.at[p->at + 1].kind == TOKEN_NAME;
}

// unknown = varied ["in" bounds]
static bool parse_unknown(Parser *p, bool is_each, Statement *s) {
  Item item;
  if (!parse_varied(p, "a parameter, or a start value such as theta(0)", &item)) return false;
  item.is_each = is_each;
  if (is_at_word(p, "in")) {
    item.relation = TOKEN_RANGE, item.word = take(p)->symbol;
    if (!parse_bounds(p, &item)) return false;
  }
  vec_push(p->arena, &s->items, item);
  return !p->failed;
}

// Not a signal of that name: the last word of a line.
static bool accept_global(Parser *p, Statement *s) {
  TokenKind next = p->tokens.at[p->at + (is_at(p, TOKEN_END) ? 0 : 1)].kind;
  if (!is_at_word(p, "global") || (next != TOKEN_NEWLINE && next != TOKEN_END)) return false;
  s->kind = take(p)->symbol;
  return true;
}

// STRING ":" sum "=" column {"," sum "=" column}: the file, then pairs, among the values.
static bool parse_fit_file(Parser *p, Statement *s) {
  Ast *file = accept_data_file(p);
  if (!file) {
    fail_expected(p, "the name of a data file in quotes");
    return false;
  }
  vec_push(p->arena, &s->values, file);
  if (!expect(p, TOKEN_COLON, "':' and what its columns are")) return false;
  do {
    if (is_at(p, TOKEN_STRING)) return parse_fit_file(p, s);
    if (accept_global(p, s)) return true;
    vec_push(p->arena, &s->values, parse_sum(p));
    if (!expect(p, TOKEN_EQUAL, "'=' and a column of the file")) return false;
    vec_push(p->arena, &s->values, parse_column(p));
  } while (!p->failed && accept_token(p, TOKEN_COMMA));
  return !p->failed;
}

// Not a parameter of that name: each in 0..1, each to "file".
static bool accept_each(Parser *p) {
  if (!is_word_before_name(p, "each")) return false;
  const char *next = symbol_text(p->cx, p->tokens.at[p->at + 1].symbol);
  if (strcmp(next, "in") == 0 || strcmp(next, "to") == 0) return false;
  take(p);
  return true;
}

// "fit" ["each"] unknown {"," ["each"] unknown} "to" file {"," file} ["," "global"]
void parse_fit(Parser *p, Statement *s) {
  do {
    if (!parse_unknown(p, accept_each(p), s)) return;
  } while (accept_token(p, TOKEN_COMMA));
  if (!accept_word(p, "to")) {
    fail_expected(p, "'to' and a data file");
    return;
  }
  parse_fit_file(p, s);
}

// "path" (name vector | sum) ["timed"] "through" vector {"," vector} ["," "timed"]
static bool parse_path(Parser *p, Statement *s) {
  const Token *word = take(p);
  Clause clause = {.word = word->symbol, .span = token_span(p, word)};
  if (is_at(p, TOKEN_NAME) && p->tokens.at[p->at + 1].kind == TOKEN_LPAREN &&
      !is_at_word(p, "sum") && !function_find(symbol_text(p->cx, token_at(p)->symbol))) {
    const Token *body = take(p);
    clause.choice = own_symbol(p, body);
    clause.choice_span = token_span(p, body);
  }
  clause.value = parse_sum(p);
  if (is_at_word(p, "timed")) clause.is_given = take(p) != NULL;
  if (!expect_word(p, "through")) return false;
  do {
    Item point = {.relation = TOKEN_EQUAL, .value = parse_sum(p)};
    if (p->failed) return false;
    point.value_span = point.value->span;
    vec_push(p->arena, &clause.options, point);
  } while (accept_token(p, TOKEN_COMMA) && is_at(p, TOKEN_LPAREN));
  if (is_at_word(p, "timed")) clause.is_given = take(p) != NULL;
  clause.span = span_to_here(p, clause.span);
  vec_push(p->arena, &s->clauses, clause);
  return true;
}

// aim = ("minimize" | "maximize") name | name ("=" | "<=" | ">=") sum | path
static bool parse_aim(Parser *p, Statement *s) {
  Clause clause = {0};
  if (is_at_word(p, "path") && p->tokens.at[p->at + 1].kind != TOKEN_EQUAL) return parse_path(p, s);
  if (is_word_before_name(p, "minimize") || is_word_before_name(p, "maximize")) {
    const Token *word = take(p);
    clause.word = word->symbol;
  }
  Item name;
  if (!parse_name(p, "minimize, maximize, path, or the name of a measure", &name)) return false;
  clause.span = name.span;
  vec_push(p->arena, &clause.options, name);
  if (!clause.word) {
    TokenKind relation = token_at(p)->kind;
    if (relation != TOKEN_EQUAL && relation != TOKEN_LE && relation != TOKEN_GE) {
      fail_expected(p, "'=', '<=' or '>=' and a value");
      return false;
    }
    take(p);
    clause.options.at[0].relation = relation;
    clause.value = parse_sum(p);
  }
  vec_push(p->arena, &s->clauses, clause);
  return !p->failed;
}

// "find" unknown {"," (unknown | "global")} ["global"] ":" aim {"," aim}
void parse_find(Parser *p, Statement *s) {
  do {
    TokenKind next = p->tokens.at[p->at + 1].kind;
    if (is_at_word(p, "global") && (next == TOKEN_COLON || next == TOKEN_COMMA))
      s->kind = take(p)->symbol;
    else if (!parse_unknown(p, false, s))
      return;
  } while (accept_token(p, TOKEN_COMMA));
  if (is_at_word(p, "global")) s->kind = take(p)->symbol;
  if (!expect(p, TOKEN_COLON, "':' and what is aimed at")) return;
  do {
    if (!parse_aim(p, s)) return;
  } while (p->tokens.at[p->at - 1].kind == TOKEN_COMMA || accept_token(p, TOKEN_COMMA));
}

// "orbit" name ["'"] ("~" | "=") expr {"," ...}
void parse_orbit(Parser *p, Statement *s) {
  do {
    Item item;
    if (!parse_dotted_name(p, "a coordinate or its velocity", &item) ||
        !parse_item_rest(p, true, &item))
      return;
    if (!item.value) {
      fail_expected(p, "'~' and where the motion starts");
      return;
    }
    vec_push(p->arena, &s->items, item);
  } while (accept_token(p, TOKEN_COMMA));
}
