// The statements that say what a system is.
#include "lang/parse/parse.h"

static void add_item(Parser *p, Statement *s, Item item) { vec_push(p->arena, &s->items, item); }

// "model" string
void parse_title(Parser *p, Statement *s) {
  s->text = accept_string(p);
  if (!s->text) fail_expected(p, "the title in quotes");
}

// A list of items, each of which needs a value where value_needed says so.
static void parse_items(Parser *p, Statement *s, const char *what, bool may_be_guess,
                        bool value_needed) {
  do {
    Item item;
    bool good = parse_item(p, what, may_be_guess, &item);
    if (item.name) add_item(p, s, item);
    if (good && value_needed && !item.value) {
      fail_expected(p, "'=' and a value");
      s->items.at[s->items.n - 1].relation = TOKEN_END;
    }
  } while (accept_token(p, TOKEN_COMMA));
}

// "param" name "=" expression [string] {"," ...}
void parse_param(Parser *p, Statement *s) {
  parse_items(p, s, "the name of a parameter", false, true);
}

// "count" name "=" expression {"," ...}
void parse_count(Parser *p, Statement *s) { parse_items(p, s, "the name of a count", false, true); }

// "coord" name ["'"] [("=" | "~") expression] [string] {"," ...}
void parse_coord(Parser *p, Statement *s) {
  parse_items(p, s, "the name of a coordinate", true, false);
}

// "state" name "=" expression [string] {"," ...}
void parse_state(Parser *p, Statement *s) { parse_items(p, s, "the name of a state", false, true); }

// "rate" name "=" expression {"," ...}
void parse_rate(Parser *p, Statement *s) { parse_items(p, s, "the name of a state", false, true); }

// "let" name "=" expression {"," ...}
void parse_let(Parser *p, Statement *s) { parse_items(p, s, "the name to define", false, true); }

// "integral" name "=" expression {"," ...}
void parse_integral(Parser *p, Statement *s) {
  parse_items(p, s, "the name of a first integral", false, true);
}

// "speed" name "=" expression {"," ...}
void parse_speed(Parser *p, Statement *s) {
  parse_items(p, s, "the name of a quasi-velocity", false, true);
}

// "input" name "=" expression [string] {"," ...}
void parse_input(Parser *p, Statement *s) {
  parse_items(p, s, "the name of an input", false, true);
}

// "output" (name ["=" expression] | name "." NAME) [string] {"," ...}
void parse_output(Parser *p, Statement *s) {
  do {
    Item item;
    bool good = parse_dotted_name(p, "the name of an output", &item);
    if (good && item.member && is_at(p, TOKEN_EQUAL))
      fail_at(p, item.span, "an output that has a value of its own has a name without '.'");
    if (good && !p->failed) parse_item_rest(p, false, &item);
    if (item.name) add_item(p, s, item);
  } while (accept_token(p, TOKEN_COMMA));
}

// [name] "=" expression
static void parse_energy(Parser *p, Statement *s) {
  Item item = {.relation = TOKEN_END};
  if (is_at(p, TOKEN_NAME) && !parse_name(p, "a name", &item)) return;
  if (!expect(p, TOKEN_EQUAL, "'=' and an expression")) return;
  item.value = parse_expression(p);
  add_item(p, s, item);
}

void parse_kinetic(Parser *p, Statement *s) { parse_energy(p, s); }
void parse_potential(Parser *p, Statement *s) { parse_energy(p, s); }
void parse_dissipation(Parser *p, Statement *s) { parse_energy(p, s); }
void parse_lagrangian(Parser *p, Statement *s) { parse_energy(p, s); }
void parse_hamiltonian(Parser *p, Statement *s) { parse_energy(p, s); }

// "momentum" name "of" name {"," ...}: two items each
void parse_momentum(Parser *p, Statement *s) {
  do {
    Item momentum, coordinate;
    if (!parse_name(p, "the name of a momentum", &momentum) || !expect_word(p, "of") ||
        !parse_name(p, "the name of a coordinate", &coordinate))
      return;
    momentum.relation = coordinate.relation = TOKEN_END;
    add_item(p, s, momentum);
    add_item(p, s, coordinate);
  } while (accept_token(p, TOKEN_COMMA));
}

// "force" (name | point | anchor) "=" expression
void parse_force(Parser *p, Statement *s) {
  if (!parse_body_point(p, s)) s->left = parse_sum(p);
  if (p->failed || !expect(p, TOKEN_EQUAL, "'=' and the force")) return;
  s->right = parse_expression(p);
}

// "constraint" name ":" sum "=" sum
void parse_constraint(Parser *p, Statement *s) {
  Item item;
  bool named = parse_name(p, "the name of the constraint, then ':'", &item);
  if (item.name) add_item(p, s, item);
  if (!named) return;
  if (!is_at(p, TOKEN_COLON)) {
    fail_expected(p, "':' after the name of the constraint");
    diag_label(p->cx, "write constraint NAME: left = right");
    return;
  }
  take(p);
  s->left = parse_sum(p);
  if (p->failed || !expect(p, TOKEN_EQUAL, "'=' between the two sides")) return;
  s->right = parse_sum(p);
}

// "contact" name ":" (sum ("<=" | ">=") sum {[","] property} | anchor {"," property})
void parse_contact(Parser *p, Statement *s) {
  Item item;
  bool named = parse_name(p, "the name of the contact, then ':'", &item);
  if (item.name) add_item(p, s, item);
  if (!named) return;
  if (!is_at(p, TOKEN_COLON)) {
    fail_expected(p, "':' after the name of the contact");
    diag_label(p->cx, "write contact NAME: left <= right");
    return;
  }
  take(p);
  if (parse_body_point(p, s)) {
    parse_body_contact(p, s);
    return;
  }
  s->left = parse_sum(p);
  if (p->failed) return;
  if (!is_at(p, TOKEN_LE) && !is_at(p, TOKEN_GE)) {
    fail_expected(p, "'<=' or '>='");
    return;
  }
  s->relation = take(p)->kind;
  s->right = parse_sum(p);
  if (!p->failed) parse_gap_properties(p, s);
}

// "for" name "in" sum ".." sum
void parse_for(Parser *p, Statement *s) {
  Item item = {.relation = TOKEN_END};
  const Token *name = token_at(p);
  if (!expect(p, TOKEN_NAME, "the name of an index, as in 'for i in 1..N'")) return;
  item.name = own_symbol(p, name), item.span = item.base_span = token_span(p, name);
  add_item(p, s, item);
  expect_word(p, "in");
  s->left = parse_sum(p);
  expect(p, TOKEN_RANGE, NULL);
  s->right = parse_sum(p);
}

void parse_end(Parser *p, Statement *s) { (void)p, (void)s; }
