// The statements that say what to do with a system.
#include <string.h>

#include "base/words/suggest.h"
#include "lang/parse/parse.h"
#include "model/request.h"

static Clause take_clause_word(Parser *p) {
  const Token *token = take(p);
  return (Clause){.word = token->symbol, .span = token_span(p, token)};
}

// choice = name ["(" [name "=" expression {"," ...}] ")"]; names may contain '-': newton-euler
static void parse_choice(Parser *p, const char *what, Clause *clause) {
  const Token *token = token_at(p);
  if (!expect(p, TOKEN_NAME, what)) return;
  clause->choice = token->symbol;
  clause->choice_span = token_span(p, token);
  while (is_at(p, TOKEN_MINUS) && token_at(p)->begin == p->tokens.at[p->at - 1].end) {
    take(p);
    if (!expect(p, TOKEN_NAME, what)) return;
    clause->choice_span = span_to_here(p, clause->choice_span);
    clause->choice = intern_bytes(&p->cx->names, p->text + clause->choice_span.begin,
                                  clause->choice_span.end - clause->choice_span.begin);
  }
  if (!accept_token(p, TOKEN_LPAREN) || accept_token(p, TOKEN_RPAREN)) return;
  do {
    Item option;
    if (!parse_item(p, "the name of an option", false, &option)) return;
    if (!option.value) {
      fail_expected(p, "'=' and a value");
      return;
    }
    vec_push(p->arena, &clause->options, option);
  } while (accept_token(p, TOKEN_COMMA));
  expect(p, TOKEN_RPAREN, NULL);
}

static void unknown_clause(Parser *p, const char *what, const char *const *words, size_t n) {
  const Token *token = token_at(p);
  const char *nearest_word = NULL;
  if (token->kind == TOKEN_NAME) {
    Nearest nearest = nearest_to(
        text_format(p->arena, "%.*s", (int)(token->end - token->begin), p->text + token->begin));
    for (size_t i = 0; i < n; i++) nearest_offer(&nearest, words[i]);
    nearest_word = nearest.best;
  }
  if (p->failed) return;
  fail_expected(p, what);
  if (nearest_word) diag_suggest(p->cx, nearest_word);
}

// "simulate" {"to" sum | "every" sum | "using" choice | "stabilize" choice}
void parse_simulate(Parser *p, Statement *s) {
  static const char *const words[] = {"to", "every", "using", "stabilize"};
  while (!p->failed && !is_at(p, TOKEN_NEWLINE) && !is_at(p, TOKEN_END)) {
    int which = -1;
    for (int i = 0; i < 4; i++)
      if (is_at_word(p, words[i])) which = i;
    if (which < 0) {
      bool is_end = is_at(p, TOKEN_NUMBER) && s->clauses.n == 0 && !p->failed;
      unknown_clause(p, "'to', 'every', 'using' or 'stabilize'", words, 4);
      if (is_end) diag_label(p->cx, "the end of the run follows 'to'");
      return;
    }
    Clause clause = take_clause_word(p);
    if (which == 0 || which == 1)
      clause.value = parse_sum(p);
    else
      parse_choice(p, which == 2 ? "a method" : "a way to stabilize", &clause);
    vec_push(p->arena, &s->clauses, clause);
  }
}

// "measure" name "=" expression ["from" sum] [string] {"," ...}; a clause for each, without a value
// where nothing is left out
void parse_measure(Parser *p, Statement *s) {
  do {
    Item item;
    bool named = parse_name(p, "the name of a measure", &item);
    if (item.name) vec_push(p->arena, &s->items, item);
    if (!named || !expect(p, TOKEN_EQUAL, "'=' and a value")) break;
    Item *kept = &s->items.at[s->items.n - 1];
    kept->relation = TOKEN_EQUAL;
    kept->value = parse_expression(p);
    kept->value_span = kept->value->span;
    Clause from = {0};
    if (!p->failed && is_at_word(p, "from")) {
      from = take_clause_word(p);
      from.value = parse_sum(p);
    }
    vec_push(p->arena, &s->clauses, from);
    if (!p->failed) kept->text = accept_string(p);
  } while (accept_token(p, TOKEN_COMMA));
}

// "derive" "using" choice
void parse_derive(Parser *p, Statement *s) {
  static const char *const words[] = {"using"};
  if (!is_at_word(p, "using")) {
    unknown_clause(p, "'using' and a formulation", words, 1);
    return;
  }
  Clause clause = take_clause_word(p);
  parse_choice(p, "a formulation", &clause);
  vec_push(p->arena, &s->clauses, clause);
}

// "independent" name {"," name}
static void parse_independent_clause(Parser *p, Statement *s) {
  Clause clause = take_clause_word(p);
  do {
    Item item;
    if (!parse_dotted_name(p, "a coordinate", &item)) return;
    vec_push(p->arena, &clause.options, item);
  } while (accept_token(p, TOKEN_COMMA));
  vec_push(p->arena, &s->clauses, clause);
}

// "linearize" "at" ("equilibrium" | ["motion"] item {"," item}) ["independent" name {"," name}]
void parse_linearize(Parser *p, Statement *s) {
  if (!expect_word(p, "at")) return;
  const Token *token = token_at(p);
  bool alone =
      p->tokens.at[p->at + 1].kind != TOKEN_EQUAL && p->tokens.at[p->at + 1].kind != TOKEN_PRIME &&
      p->tokens.at[p->at + 1].kind != TOKEN_DOT && p->tokens.at[p->at + 1].kind != TOKEN_LBRACKET;
  if (alone && (is_at_word(p, "equilibrium") || is_at_word(p, "motion"))) {
    s->kind = token->symbol, s->kind_span = token_span(p, token);
    take(p);
    if (is_at_word(p, "independent")) parse_independent_clause(p, s);
    if (p->failed || is_at(p, TOKEN_NEWLINE) || is_at(p, TOKEN_END)) return;
  }
  do {
    Item item;
    if (!parse_dotted_name(p, "'equilibrium', 'motion' or a coordinate", &item) ||
        !parse_item_rest(p, false, &item))
      return;
    if (!item.value) {
      fail_expected(p, "'=' and a value");
      return;
    }
    vec_push(p->arena, &s->items, item);
  } while (accept_token(p, TOKEN_COMMA));
  if (is_at_word(p, "independent")) parse_independent_clause(p, s);
}

// "independent" name {"," name}
void parse_independent(Parser *p, Statement *s) {
  do {
    Item item;
    if (!parse_dotted_name(p, "a coordinate", &item)) return;
    vec_push(p->arena, &s->items, item);
  } while (accept_token(p, TOKEN_COMMA));
}

static bool ends_line(TokenKind kind) { return kind == TOKEN_NEWLINE || kind == TOKEN_END; }

// The word of a kind counts as one when an operand or nothing follows: 'energy' may be a name.
static bool accept_plot_kind(Parser *p, Statement *s) {
  for (int i = 0; i < PLOT_KINDS; i++) {
    const PlotType *type = plot_type((PlotKind)i);
    if (!type->word[0] || !is_at_word(p, type->word)) continue;
    TokenKind next = p->tokens.at[p->at + 1].kind;
    bool alone = type->takes == PLOT_TAKES_NOTHING;
    bool operand = next == TOKEN_NAME || next == TOKEN_LPAREN || next == TOKEN_NUMBER;
    if (alone ? !ends_line(next) : !operand) return false;
    s->kind = token_at(p)->symbol, s->kind_span = token_span(p, token_at(p));
    take(p);
    return true;
  }
  return false;
}

// What a kind of plot is written like.
static const char *const plot_uses[] = {
    [PLOT_TAKES_VALUES] = "'plot x, y' draws curves over t, 'plot spectrum x' their amplitudes",
    [PLOT_TAKES_PAIRS] = "'plot path x, y' draws y over x",
    [PLOT_TAKES_RATES] = "'plot phase x' draws x' over x, 'plot phase x, y' y' over y as well",
    [PLOT_TAKES_CONTACTS] = "'plot contact NAME' draws its gap and its force",
    [PLOT_TAKES_NOTHING] = "it takes nothing"};

static PlotTakes takes_of(const Parser *p, const Statement *s, bool is_kind) {
  for (int i = 0; is_kind && i < PLOT_KINDS; i++)
    if (strcmp(symbol_text(p->cx, s->kind), plot_type((PlotKind)i)->word) == 0)
      return plot_type((PlotKind)i)->takes;
  return PLOT_TAKES_VALUES;
}

// "plot" kind                                 where it takes nothing, see model/plots.def
// "plot" [kind] expression {"," expression}
void parse_plot(Parser *p, Statement *s) {
  bool kind = accept_plot_kind(p, s);
  if (kind && ends_line(token_at(p)->kind)) return;
  do vec_push(p->arena, &s->values, parse_expression(p));
  while (accept_token(p, TOKEN_COMMA));
  const Token *token = token_at(p);
  if (p->failed || token->kind != TOKEN_NAME) return;
  fail_at(p, token_span(p, token), "expected ',' or the end of the line, found '%s'",
          symbol_text(p->cx, token->symbol));
  diag_label(p->cx, "%s", plot_uses[takes_of(p, s, kind)]);
}

static bool is_draw_word(const Parser *p) {
  static const char *const words[] = {"radius", "width", "angle", "size", "colour", "color"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is_at_word(p, words[i])) return true;
  return false;
}

static bool is_shape(const Parser *p) {
#define SHAPE(name, word, least, most, takes)                                                      \
  if (is_at_word(p, word)) return true;
#include "model/shapes.def"
#undef SHAPE
  return false;
}

static void unknown_shape(Parser *p) {
  static const char *const words[] = {
#define SHAPE(name, word, least, most, takes) word,
#include "model/shapes.def"
#undef SHAPE
  };
  unknown_clause(p, "what to draw: line, disc, spring, ground, trail ...", words,
                 sizeof words / sizeof *words);
}

// "draw" shape {point [","]} {"radius" sum | "width" sum | "angle" sum | "size" point |
//                             "colour" string} [string]
void parse_draw(Parser *p, Statement *s) {
  if (!is_shape(p)) {
    unknown_shape(p);
    return;
  }
  s->kind = token_at(p)->symbol, s->kind_span = token_span(p, token_at(p));
  take(p);
  p->by_side = true;
  while (!p->failed && !ends_line(token_at(p)->kind)) {
    if (is_at(p, TOKEN_STRING)) {
      if (s->text) {
        fail_at(p, token_span(p, token_at(p)), "a text is already given");
        return;
      }
      s->text = accept_string(p);
    } else if (is_draw_word(p)) {
      bool american = is_at_word(p, "color");
      Clause clause = take_clause_word(p);
      if (american) clause.word = symbol_from_text(p->cx, "colour");
      if (is_at(p, TOKEN_STRING))
        clause.text = accept_string(p);
      else
        clause.value = parse_expression(p);
      vec_push(p->arena, &s->clauses, clause);
    } else {
      vec_push(p->arena, &s->values, parse_expression(p));
    }
    accept_token(p, TOKEN_COMMA);
  }
}
