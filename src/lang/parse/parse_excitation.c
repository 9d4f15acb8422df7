// The statements of excitations in the frequency domain.
#include "lang/parse/parse.h"

// "speed" | "delay" | "from" | "to", each with a sum.
static bool parse_random_clause(Parser *p, Statement *s) {
  static const char *const words[] = {"speed", "delay", "from", "to"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (!is_at_word(p, words[i])) continue;
    const Token *word = take(p);
    Clause clause = {.word = word->symbol, .span = token_span(p, word), .value = parse_sum(p)};
    vec_push(p->arena, &s->clauses, clause);
    return !p->failed;
  }
  fail_expected(p, "'speed', 'delay', 'from' or 'to'");
  return false;
}

// "random" name ["(" NAME ")"] "=" ("road" NAME | sum) {"," clause}
void parse_random(Parser *p, Statement *s) {
  Item item;
  if (!parse_name(p, "an input", &item)) return;
  if (accept_token(p, TOKEN_LPAREN)) {
    if (!is_at(p, TOKEN_NAME)) {
      fail_expected(p, "a name for the frequency, as in F(f)");
      return;
    }
    item.word = take(p)->symbol;
    if (!expect(p, TOKEN_RPAREN, NULL)) return;
  }
  if (!expect(p, TOKEN_EQUAL, "'=' and a road or a density")) return;
  item.relation = TOKEN_EQUAL;
  if (is_at_word(p, "road") && p->tokens.at[p->at + 1].kind == TOKEN_NAME) {
    take(p);
    const Token *class = take(p);
    s->kind = class->symbol, s->kind_span = token_span(p, class);
  } else {
    item.value = parse_sum(p);
    item.value_span = item.value->span;
  }
  vec_push(p->arena, &s->items, item);
  while (!p->failed && accept_token(p, TOKEN_COMMA))
    if (!parse_random_clause(p, s)) return;
}

// "comfort" NAME ":" sum {"," sum}
void parse_comfort(Parser *p, Statement *s) {
  if (!is_at(p, TOKEN_NAME)) {
    fail_expected(p, "a weighting such as W_k");
    return;
  }
  const Token *weight = take(p);
  s->kind = weight->symbol, s->kind_span = token_span(p, weight);
  if (!expect(p, TOKEN_COLON, "':' and accelerations")) return;
  do {
    vec_push(p->arena, &s->values, parse_sum(p));
  } while (!p->failed && accept_token(p, TOKEN_COMMA));
}

// "synchronous" member "in" sum ".." sum ":" member {"," member}
void parse_synchronous(Parser *p, Statement *s) {
  Item speed;
  if (!parse_dotted_name(p, "the parameter that is the speed of rotation", &speed)) return;
  if (!expect_word(p, "in")) return;
  speed.relation = TOKEN_RANGE;
  if (!parse_bounds(p, &speed)) return;
  vec_push(p->arena, &s->items, speed);
  if (!expect(p, TOKEN_COLON, "':' and what is out of balance")) return;
  do {
    Item drive;
    if (!parse_dotted_name(p, "a parameter, such as an unbalance", &drive)) return;
    vec_push(p->arena, &s->items, drive);
  } while (accept_token(p, TOKEN_COMMA));
}
