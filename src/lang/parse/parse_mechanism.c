// The statements of a drawing: bodies, joints, springs, motors.
#include <string.h>

#include "base/words/suggest.h"
#include "lang/parse/parse.h"
#include "model/element_type.h"

#define COUNT(words) (sizeof(words) / sizeof *(words))

// ---- Parts

static bool ends_line(const Parser *p) {
  return p->failed || is_at(p, TOKEN_NEWLINE) || is_at(p, TOKEN_END);
}

// name [indices] [vector]
static bool parse_anchor(Parser *p, Statement *s, const char *what) {
  Item item;
  if (!parse_name(p, what, &item)) return false;
  if (is_at(p, TOKEN_LPAREN)) item.value = parse_sum(p);
  vec_push(p->arena, &s->items, item);
  return !p->failed;
}

static bool expect_comma(Parser *p, const char *what) {
  bool lacks = (is_at(p, TOKEN_NAME) || is_at(p, TOKEN_NUMBER)) && !p->failed;
  if (expect(p, TOKEN_COMMA, text_format(p->arena, "',' and %s", what))) return true;
  if (lacks) diag_label(p->cx, "is a ',' missing before it?");
  return false;
}

static const char *list_of(Parser *p, const char *const *words, size_t n) {
  Text text = text_new(p->arena);
  for (size_t i = 0; i < n; i++)
    text_addf(&text, "%s'%s'", i == 0 ? "" : i + 1 == n ? " or " : ", ", words[i]);
  return text.at;
}

// Behind a ',': a second value, not the next property?
static bool second_follows(const Parser *p, const char *const *words, size_t n) {
  if (!is_at(p, TOKEN_COMMA)) return false;
  const Token *next = &p->tokens.at[p->at + 1];
  if (next->kind == TOKEN_NEWLINE || next->kind == TOKEN_END) return false;
  for (size_t i = 0; i < n && next->kind == TOKEN_NAME; i++)
    if (strcmp(symbol_text(p->cx, next->symbol), words[i]) == 0) return false;
  // a word with a value of its own, as of another statement
  bool is_word = next->kind == TOKEN_NAME;
  return !(is_word && (next[1].kind == TOKEN_NAME || next[1].kind == TOKEN_NUMBER));
}

// Words of other statements, and what to write here.
static void hint_property(Parser *p, const Statement *s, const Token *token) {
  static const char *const cures[][2] = {
      {"along", "a contact of a body knows its direction: leave it out"},
      {"wrap", "a rope around something is a contact of expressions, 'b <= 0', or a 'belt'"},
      {"mu", "friction is written: friction 0.2"},
      {"e", "restitution is written: restitution 0.5"}};
  bool is_contact = strcmp(s->row->word, "contact") == 0 && token->kind == TOKEN_NAME;
  for (size_t i = 0; is_contact && i < COUNT(cures); i++)
    if (strcmp(symbol_text(p->cx, token->symbol), cures[i][0]) == 0)
      diag_label(p->cx, "%s", cures[i][1]);
}

// word ["=" | "~"] expression ["," expression]; words without a value end at the next ','
static bool parse_property(Parser *p, Statement *s, const char *const *words, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (!is_at_word(p, words[i])) continue;
    const Token *token = take(p);
    Clause clause = {.word = token->symbol, .span = token_span(p, token)};
    clause.is_given = accept_kept(p, words[i], strcmp(s->row->word, "body") == 0);
    bool alone = strcmp(words[i], "point") == 0, two = strcmp(words[i], "friction") == 0;
    bool surface = strcmp(words[i], "line") == 0 || strcmp(words[i], "circle") == 0;
    if (surface && !clause.is_given && parse_body_point(p, s)) {
      vec_push(p->arena, &s->clauses, clause);
      return !p->failed;
    }
    if (!alone && !p->failed) clause.value = parse_sum(p);
    if (two && !p->failed && second_follows(p, words, n)) {
      take(p);
      clause.second = parse_sum(p);
    }
    vec_push(p->arena, &s->clauses, clause);
    return !p->failed;
  }
  const Token *token = token_at(p);
  Nearest nearest = nearest_to(token->kind == TOKEN_NAME ? symbol_text(p->cx, token->symbol) : "");
  for (size_t i = 0; i < n; i++) nearest_offer(&nearest, words[i]);
  if (p->failed) return false;
  fail_expected(p, list_of(p, words, n));
  if (nearest.best) diag_suggest(p->cx, nearest.best);
  hint_property(p, s, token);
  return false;
}

static void parse_properties(Parser *p, Statement *s, const char *const *words, size_t n) {
  while (!ends_line(p)) {
    if (!expect_comma(p, list_of(p, words, n)) || !parse_property(p, s, words, n)) return;
  }
}

// name ":"
static bool parse_label(Parser *p, Statement *s, const char *what) {
  Item item;
  bool named = parse_name(p, what, &item);
  if (item.name) vec_push(p->arena, &s->items, item);
  return named && expect(p, TOKEN_COLON, "':' after the name");
}

static void parse_two_anchors(Parser *p, Statement *s) {
  if (!parse_anchor(p, s, "'ground' or a body")) return;
  if (expect_comma(p, "the other body")) parse_anchor(p, s, "'ground' or a body");
}

// ---- Statements

// "gravity" vector
void parse_gravity(Parser *p, Statement *s) { s->left = parse_expression(p); }

// "ground" name {"," name}
void parse_ground(Parser *p, Statement *s) {
  do {
    Item item;
    if (!parse_name(p, "another name for the ground", &item)) return;
    vec_push(p->arena, &s->items, item);
  } while (accept_token(p, TOKEN_COMMA));
}

// "body" name ":" property {"," property}
void parse_body(Parser *p, Statement *s) {
  static const char *const words[] = {"mass", "inertia", "at",   "angle", "velocity",
                                      "spin", "rod",     "disc", "plate", "point"};
  if (!parse_label(p, s, "the name of the body, then ':'")) return;
  if (parse_property(p, s, words, COUNT(words))) parse_properties(p, s, words, COUNT(words));
}

// "joint" name ":" kind anchor "," anchor {"," property}
void parse_joint(Parser *p, Statement *s) {
  static const char *const words[] = {"axis",        "friction", "length",   "radius",
                                      "ratio",       "carrier",  "pressure", "stops",
                                      "restitution", "tension",  "rolling"};
  if (!parse_label(p, s, "the name of the joint, then ':'")) return;
  const Token *token = token_at(p);
  if (!expect(p, TOKEN_NAME, "a kind of joint, such as 'revolute'")) return;
  s->kind = token->symbol, s->kind_span = token_span(p, token);
  parse_two_anchors(p, s);
  parse_properties(p, s, words, COUNT(words));
}

// ("gear" | "belt" | "rack") [name] ":" anchor "," anchor {"," property}
static void parse_coupling(Parser *p, Statement *s) {
  static const char *const words[] = {"ratio",    "radius",  "axis",     "carrier",
                                      "pressure", "tension", "friction", "wrap"};
  Item unnamed = {.relation = TOKEN_END, .span = s->word, .base_span = s->word};
  if (accept_token(p, TOKEN_COLON))
    vec_push(p->arena, &s->items, unnamed);
  else if (!parse_label(p, s, "a name, or ':'"))
    return;
  parse_two_anchors(p, s);
  parse_properties(p, s, words, COUNT(words));
}

void parse_gear(Parser *p, Statement *s) { parse_coupling(p, s); }
void parse_belt(Parser *p, Statement *s) { parse_coupling(p, s); }
void parse_rack(Parser *p, Statement *s) { parse_coupling(p, s); }

// ("spring" | "damper") name ":" ["torsional"] anchor "," anchor {"," property}
static void parse_spring_like(Parser *p, Statement *s) {
  static const char *const words[] = {"stiffness", "length", "angle", "damping", "preload"};
  if (!parse_label(p, s, "a name, then ':'")) return;
  if (is_at_word(p, "torsional") && p->tokens.at[p->at + 1].kind == TOKEN_NAME) {
    s->kind = token_at(p)->symbol, s->kind_span = token_span(p, token_at(p));
    take(p);
  }
  parse_two_anchors(p, s);
  parse_properties(p, s, words, COUNT(words));
}

void parse_spring(Parser *p, Statement *s) { parse_spring_like(p, s); }
void parse_damper(Parser *p, Statement *s) { parse_spring_like(p, s); }

// ("bushing" | "rope" | "cylinder" | "backlash") name ":" anchor "," anchor {"," property}
// | ("unbalance" | "tyre" | "cam") name ":" anchor {"," property}
static void parse_element(Parser *p, Statement *s, ElementKind kind) {
  const ElementType *type = element_type(kind);
  const char *words[ELEMENT_PROPERTIES];
  size_t n = 0;
  while (n < ELEMENT_PROPERTIES && type->properties[n].word)
    words[n] = type->properties[n].word, n++;
  if (!parse_label(p, s, "a name, then ':'")) return;
  if (type->ends == 2)
    parse_two_anchors(p, s);
  else
    parse_anchor(p, s, "a body");
  parse_properties(p, s, words, n);
}

void parse_bushing(Parser *p, Statement *s) { parse_element(p, s, ELEMENT_BUSHING); }
void parse_backlash(Parser *p, Statement *s) { parse_element(p, s, ELEMENT_BACKLASH); }
void parse_rope(Parser *p, Statement *s) { parse_element(p, s, ELEMENT_ROPE); }
void parse_cylinder(Parser *p, Statement *s) { parse_element(p, s, ELEMENT_CYLINDER); }
void parse_unbalance(Parser *p, Statement *s) { parse_element(p, s, ELEMENT_UNBALANCE); }
void parse_tyre(Parser *p, Statement *s) { parse_element(p, s, ELEMENT_TYRE); }
void parse_cam(Parser *p, Statement *s) { parse_element(p, s, ELEMENT_CAM); }

// "motor" joint ":" ("speed" | "torque" | "force") sum
void parse_motor(Parser *p, Statement *s) {
  static const char *const words[] = {"speed", "torque", "force"};
  if (!parse_label(p, s, "the name of a joint, then ':'")) return;
  parse_property(p, s, words, COUNT(words));
}

// "torque" body ["," body] "=" expression
void parse_torque(Parser *p, Statement *s) {
  if (!parse_anchor(p, s, "a body")) return;
  if (accept_token(p, TOKEN_COMMA) && !parse_anchor(p, s, "the other body")) return;
  if (!expect(p, TOKEN_EQUAL, "'=' and the torque")) return;
  s->right = parse_expression(p);
}

// ---- Where a body's point may stand instead of an expression

// Does a sign of comparison or calculation follow the bracket that opens at a token?
static bool is_compared(const Parser *p, uint32_t at) {
  uint32_t depth = 0;
  do {
    TokenKind kind = p->tokens.at[at++].kind;
    if (kind == TOKEN_NEWLINE || kind == TOKEN_END) return false;
    depth += kind == TOKEN_LPAREN;
    depth -= kind == TOKEN_RPAREN;
  } while (depth);
  TokenKind next = p->tokens.at[at].kind;
  return next != TOKEN_COMMA && next != TOKEN_EQUAL && next != TOKEN_NEWLINE && next != TOKEN_END;
}

bool parse_body_point(Parser *p, Statement *s) {
  if (!is_at(p, TOKEN_NAME)) return false;
  const Token *name = token_at(p);
  if (function_find_plain(symbol_text(p->cx, name->symbol)) || is_at_word(p, "sum")) return false;
  // a name, perhaps with indices, directly before '('
  uint32_t next = p->at + 1, depth = 0;
  if (p->tokens.at[next].kind == TOKEN_LBRACKET) {
    do {
      TokenKind kind = p->tokens.at[next++].kind;
      if (kind == TOKEN_NEWLINE || kind == TOKEN_END) return false;
      depth += kind == TOKEN_LBRACKET;
      depth -= kind == TOKEN_RBRACKET;
    } while (depth);
  }
  if (p->tokens.at[next].kind != TOKEN_LPAREN) return false;
  // a body may be called first; what a measure makes of a run is compared with something
  bool may_reduce = function_find(symbol_text(p->cx, name->symbol)) != NULL;
  if (may_reduce && is_compared(p, next)) return false;
  return parse_anchor(p, s, "a body");
}

// {"," ("radius" | "line" | "axis" | "circle" | "ring" | "restitution" | "friction" | "rolling")
// sum
//  | ("line" | "circle") anchor}
void parse_body_contact(Parser *p, Statement *s) {
  static const char *const words[] = {"radius", "line",        "axis",     "circle",
                                      "ring",   "restitution", "friction", "rolling"};
  parse_properties(p, s, words, COUNT(words));
}

void parse_gap_properties(Parser *p, Statement *s) {
  static const char *const words[] = {"restitution", "friction", "along", "wrap"};
  while (!ends_line(p)) {
    accept_token(p, TOKEN_COMMA);
    if (!parse_property(p, s, words, COUNT(words))) return;
  }
}
