// The statements that ask something of many runs.
#include "lang/parse/parse.h"

static bool is_option(const Parser *p) {
  return (is_at_word(p, "runs") || is_at_word(p, "seed")) &&
         p->tokens.at[p->at + 1].kind == TOKEN_NUMBER;
}

// spread = member "=" ["normal"] sum
static bool parse_spread(Parser *p, Statement *s) {
  Item item;
  if (!parse_dotted_name(p, "a parameter, 'runs N' or 'seed N'", &item)) return false;
  if (is_at(p, TOKEN_LPAREN) || is_at(p, TOKEN_PRIME)) {
    fail_at(p, item.span, "a start value cannot be varied");
    diag_label(p->cx, "a parameter can: param a = 60 [deg], then coord theta = a");
    return false;
  }
  if (!expect(p, TOKEN_EQUAL, "'=' and a width")) return false;
  item.relation = TOKEN_EQUAL;
  if (is_at_word(p, "normal")) item.word = take(p)->symbol;
  item.value = parse_sum(p);
  item.value_span = item.value->span;
  vec_push(p->arena, &s->items, item);
  return !p->failed;
}

// "tolerance" (spread | "runs" NUMBER | "seed" NUMBER) {"," ...} ":" name {"," name}
void parse_tolerance(Parser *p, Statement *s) {
  do {
    if (is_option(p)) {
      const Token *word = take(p);
      Clause clause = {.word = word->symbol, .span = token_span(p, word), .value = parse_sum(p)};
      vec_push(p->arena, &s->clauses, clause);
    } else if (!parse_spread(p, s)) {
      return;
    }
  } while (accept_token(p, TOKEN_COMMA));
  if (!expect(p, TOKEN_COLON, "':' and the measures")) return;
  do {
    Item measure;
    if (!parse_name(p, "the name of a measure", &measure)) return;
    Ast *name = arena_new(p->arena, Ast);
    *name = (Ast){.kind = AST_NAME,
                  .span = measure.span,
                  .name = measure.name,
                  .n = measure.index_count,
                  .args = measure.indices};
    vec_push(p->arena, &s->values, name);
  } while (accept_token(p, TOKEN_COMMA));
}
