// The statements that ask something of many runs.
#include "lang/parse/parse.h"

bool parse_varied(Parser *p, const char *what, Item *out) {
  if (!parse_dotted_name(p, what, out)) return false;
  while (accept_token(p, TOKEN_PRIME)) out->primes++;
  if (!accept_token(p, TOKEN_LPAREN)) {
    if (out->primes == 0) return true;
    fail_expected(p, "'(0)': where a velocity starts can be varied");
    return false;
  }
  const Token *zero = token_at(p);
  bool is_zero =
      zero->kind == TOKEN_NUMBER && zero->end - zero->begin == 1 && p->text[zero->begin] == '0';
  if (!is_zero) {
    fail_expected(p, "'0': theta(0) is where theta starts");
    return false;
  }
  take(p);
  out->is_start = true;
  if (!expect(p, TOKEN_RPAREN, NULL)) return false;
  out->span = span_to_here(p, out->span);
  return true;
}

bool parse_bounds(Parser *p, Item *out) {
  out->value = parse_sum(p);
  if (!expect(p, TOKEN_RANGE, NULL)) return false;
  out->high = parse_sum(p);
  const Unit *unit = unit_of_number(out->high);
  if (unit) lend_unit(out->value, unit);
  out->value_span = span_join(out->value->span, out->high->span);
  return !p->failed;
}

bool parse_measure_name(Parser *p, Statement *s) {
  Item measure;
  if (!parse_name(p, "the name of a measure", &measure)) return false;
  Ast *name = arena_new(p->arena, Ast);
  *name = (Ast){.kind = AST_NAME,
                .span = measure.span,
                .name = measure.name,
                .n = measure.index_count,
                .args = measure.indices};
  vec_push(p->arena, &s->values, name);
  return true;
}

bool parse_measures(Parser *p, Statement *s) {
  if (!expect(p, TOKEN_COLON, "':' and the measures")) return false;
  do {
    if (is_at_word(p, "keep") && p->at > 0 && p->tokens.at[p->at + 1].kind == TOKEN_NAME)
      return !p->failed;
    if (!parse_measure_name(p, s)) return false;
  } while (accept_token(p, TOKEN_COMMA));
  return !p->failed;
}

static bool is_option(const Parser *p) {
  return (is_at_word(p, "runs") || is_at_word(p, "seed")) &&
         p->tokens.at[p->at + 1].kind == TOKEN_NUMBER;
}

// spread = varied "=" ["normal"] sum
static bool parse_spread(Parser *p, Statement *s) {
  Item item;
  if (!parse_varied(p, "a parameter, 'runs N' or 'seed N'", &item)) return false;
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
  parse_measures(p, s);
}
