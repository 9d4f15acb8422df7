// The statements that change values at moments: memory, sample, limit, when, stop.
#include "lang/parse/parse.h"

static Ast *name_ast(Parser *p, const Item *item) {
  Ast *ast = arena_new(p->arena, Ast);
  *ast = (Ast){.kind = AST_NAME,
               .span = item->base_span,
               .name = item->name,
               .n = item->index_count,
               .args = item->indices};
  return ast;
}

// "memory" name "=" expression [string] {"," ...}
void parse_memory(Parser *p, Statement *s) {
  do {
    Item item;
    if (!parse_item(p, "the name of a memory", false, &item)) return;
    if (!item.value) {
      fail_expected(p, "'=' and a value");
      return;
    }
    vec_push(p->arena, &s->items, item);
  } while (accept_token(p, TOKEN_COMMA));
}

// "swap" "(" name "," name ")": two items, of which the first has the second as its value.
static bool parse_swap(Parser *p, Statement *s) {
  Item first, second;
  first.word = take(p)->symbol;
  Symbol word = first.word;
  expect(p, TOKEN_LPAREN, NULL);
  if (!parse_dotted_name(p, "what is swapped", &first)) return false;
  if (!expect(p, TOKEN_COMMA, "',' and the other")) return false;
  if (!parse_dotted_name(p, "what it is swapped with", &second)) return false;
  if (!expect(p, TOKEN_RPAREN, NULL)) return false;
  first.word = second.word = word;
  first.value = name_ast(p, &second), second.value = name_ast(p, &first);
  first.value_span = second.span, second.value_span = first.span;
  vec_push(p->arena, &s->items, first);
  vec_push(p->arena, &s->items, second);
  return true;
}

// assignment = member {"'"} "=" expression | "swap" "(" member "," member ")"
static void parse_assignments(Parser *p, Statement *s) {
  if (!expect(p, TOKEN_COLON, "':' and what changes, as in x' = -x'")) return;
  do {
    if (is_at_word(p, "swap") && p->tokens.at[p->at + 1].kind == TOKEN_LPAREN) {
      if (!parse_swap(p, s)) return;
      continue;
    }
    Item item;
    if (!parse_dotted_name(p, "what changes, then '='", &item)) return;
    while (accept_token(p, TOKEN_PRIME)) item.primes++;
    if (item.primes) item.span = span_to_here(p, item.span);
    if (!expect(p, TOKEN_EQUAL, "'=' and the new value")) return;
    item.relation = TOKEN_EQUAL;
    item.value = parse_expression(p);
    item.value_span = item.value->span;
    vec_push(p->arena, &s->items, item);
  } while (!p->failed && accept_token(p, TOKEN_COMMA));
}

// "sample" "every" sum ["delay" sum] ":" assignment {"," assignment}
void parse_sample(Parser *p, Statement *s) {
  if (!expect_word(p, "every")) return;
  s->left = parse_sum(p);
  if (!p->failed && accept_word(p, "delay")) s->right = parse_sum(p);
  if (!p->failed) parse_assignments(p, s);
}

// "limit" name "in" sum ".." sum
void parse_limit(Parser *p, Statement *s) {
  Item item;
  if (!parse_name(p, "the name of an input", &item) || !expect_word(p, "in")) return;
  vec_push(p->arena, &s->items, item);
  s->left = parse_sum(p);
  if (p->failed || !expect(p, TOKEN_RANGE, "'..' and the upper limit")) return;
  s->right = parse_sum(p);
  // in -10..10 [N] the unit holds for both
  const Unit *unit = p->failed ? NULL : unit_of_number(s->right);
  if (unit) lend_unit(s->left, unit);
}

static Ast *parse_moment(Parser *p) {
  p->equal_compares = true;
  Ast *condition = parse_expression(p);
  p->equal_compares = false;
  return condition;
}

// "when" condition ":" assignment {"," assignment}
void parse_when(Parser *p, Statement *s) {
  s->left = parse_moment(p);
  if (!p->failed) parse_assignments(p, s);
}

// "stop" "when" condition
void parse_stop(Parser *p, Statement *s) {
  if (expect_word(p, "when")) s->left = parse_moment(p);
}
