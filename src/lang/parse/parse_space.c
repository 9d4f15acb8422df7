// The statements of bodies in space: points, unit vectors, solids.
#include <string.h>

#include "lang/parse/parse.h"

// name ["'"] ("=" | "~") vector {"," ...} ["fixed"]
static void parse_space_names(Parser *p, Statement *s, const char *what) {
  do {
    Item item;
    bool good = parse_item(p, what, true, &item);
    if (item.name) vec_push(p->arena, &s->items, item);
    if (good && !item.value) fail_expected(p, "'=' or '~' and where it starts, as (x, y, z)");
    if (p->failed) return;
  } while (accept_token(p, TOKEN_COMMA));
  if (!is_at_word(p, "fixed")) return;
  const Token *token = take(p);
  Clause clause = {.word = token->symbol, .span = token_span(p, token)};
  vec_push(p->arena, &s->clauses, clause);
}

// "point" name ["'"] ("=" | "~") vector {"," ...} ["fixed"]
void parse_space_point(Parser *p, Statement *s) { parse_space_names(p, s, "the name of a point"); }

// "vector" name ["'"] ("=" | "~") vector {"," ...} ["fixed"]
void parse_space_vector(Parser *p, Statement *s) {
  parse_space_names(p, s, "the name of a vector");
}

static const char *const solid_words[] = {"mass", "inertia", "products", "block",
                                          "ball", "centre",  "spin",     "velocity"};
enum { SOLID_WORDS = sizeof solid_words / sizeof *solid_words };

// A property is followed by a value, a point or vector by its place in brackets.
static bool is_property(const Parser *p, size_t i) {
  return is_at_word(p, solid_words[i]) && p->tokens.at[p->at + 1].kind != TOKEN_COLON;
}

// name vector | ("mass" | "inertia" | "products" | "block" | "ball" | "centre" | "spin" |
// "velocity") ["=" | "~"] sum
static bool parse_solid_part(Parser *p, Statement *s) {
  for (size_t i = 0; i < SOLID_WORDS; i++) {
    if (!is_property(p, i)) continue;
    const Token *token = take(p);
    Clause clause = {.word = token->symbol, .span = token_span(p, token)};
    clause.is_given = accept_kept(p, solid_words[i], true);
    clause.value = parse_sum(p);
    vec_push(p->arena, &s->clauses, clause);
    return !p->failed;
  }
  Item item;
  if (!parse_name(p,
                  "a point, a vector, 'mass', 'inertia', 'products', 'block', 'ball', 'centre', "
                  "'spin' or 'velocity'",
                  &item))
    return false;
  if (!is_at(p, TOKEN_LPAREN)) {
    fail_expected(p, "its place in the solid's own frame, as (x, y, z)");
    return false;
  }
  item.value = parse_sum(p);
  vec_push(p->arena, &s->items, item);
  return !p->failed;
}

// "solid" name ":" part {"," part}
void parse_solid(Parser *p, Statement *s) {
  Item item;
  bool named = parse_name(p, "the name of the solid, then ':'", &item);
  if (item.name) vec_push(p->arena, &s->items, item);
  if (!named || !expect(p, TOKEN_COLON, "':' after the name")) return;
  while (parse_solid_part(p, s) && accept_token(p, TOKEN_COMMA)) continue;
}
