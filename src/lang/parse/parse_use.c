// `use "leg.qdot" as left`: another file, and the names that it brings.
#include <string.h>

#include "lang/parse/parse.h"
#include "model/part_name.h"

// ---- Names with the prefix of a part

Symbol own_symbol(const Parser *p, const Token *name) {
  static const char *const everywhere[] = {"t", "pi", "ground", "and", "or", "not"};
  const char *text = symbol_text(p->cx, name->symbol);
  bool shared = !p->prefix;
  for (size_t i = 0; i < sizeof everywhere / sizeof *everywhere && !shared; i++)
    shared = strcmp(everywhere[i], text) == 0;
  return shared ? name->symbol : part_symbol(p->cx, p->prefix, name->symbol);
}

static bool is_dotted(const Token *name) {
  return name->kind == TOKEN_NAME && name[1].kind == TOKEN_DOT && name[2].kind == TOKEN_NAME;
}

// name "." name as one token.
static Token joined(const Parser *p, Token first, Token last) {
  return (Token){TOKEN_NAME, first.begin, last.end, part_symbol(p->cx, first.symbol, last.symbol)};
}

void join_prefixed(Parser *p, Symbol prefix) {
  uint32_t to = p->at;
  for (uint32_t from = p->at; from < p->tokens.n; from++) {
    Token token = p->tokens.at[from];
    if (token.symbol == prefix && is_dotted(&p->tokens.at[from])) {
      token = joined(p, token, p->tokens.at[from + 2]);
      from += 2;
    }
    p->tokens.at[to++] = token;
  }
  p->tokens.n = to;
}

void join_owners(Parser *p) {
  while (is_dotted(token_at(p))) {
    Token *first = &p->tokens.at[p->at];
    TokenKind next = first[3].kind;
    if (next != TOKEN_DOT && next != TOKEN_LBRACKET) return;
    *first = joined(p, first[0], first[2]);
    uint32_t rest = p->tokens.n - p->at - 3;
    memmove(first + 1, first + 3, rest * sizeof *first);
    p->tokens.n -= 2;
  }
}

// ---- The statement

// value = member {"'"} "=" expression: the name is one of the part, the value one of this text
static bool parse_given(Parser *p, Symbol prefix, Statement *s) {
  Symbol own = p->prefix;
  Item item;
  join_owners(p);
  p->prefix = prefix;
  bool good = parse_dotted_name(p, "a name of the part, then '='", &item);
  p->prefix = own;
  if (!good || !parse_item_rest(p, false, &item)) return false;
  if (!item.value) {
    fail_expected(p, "'=' and a value");
    return false;
  }
  vec_push(p->arena, &s->items, item);
  return true;
}

// The one that brings the same names from the same file; NULL when none does.
static const PartFile *used_before(const Parser *p, const PartFile *file) {
  for (uint32_t i = 0; i + 1 < p->parts->list.n; i++) {
    const PartFile *other = p->parts->list.at[i];
    if (other->prefix == file->prefix && strcmp(other->named, file->named) == 0) return other;
  }
  return NULL;
}

// What is wrong with a file is told at its first use.
static void parse_once_told(Parser *p, const PartFile *file, UsedPart *part) {
  Diagnostics before = {0};
  if (file->is_again) before = diag_mark(p->cx);
  parse_part(p, file, part);
  if (file->is_again) diag_rollback(p->cx, before);
}

// "use" string ["as" name] [":" value {"," value}]
void parse_use(Parser *p, Statement *s) {
  Span asked = token_span(p, token_at(p));
  s->text = accept_string(p);
  if (!s->text) {
    fail_expected(p, "the name of a file in quotes");
    return;
  }
  UsedPart *part = arena_new(p->arena, UsedPart);
  Symbol local = 0, prefix = p->prefix;
  if (accept_word(p, "as")) {
    const Token *name = token_at(p);
    if (!expect(p, TOKEN_NAME, "a name for the part")) return;
    local = name->symbol, prefix = own_symbol(p, name);
    s->kind = prefix, s->kind_span = token_span(p, name);
    part_mark(p->cx, prefix);
    vec_push(p->arena, &p->prefixes, local);
  }
  PartFile *file = part_file_read(p->cx, p->arena, p->parts, p->file, s->text, asked);
  if (file) {
    file->prefix = prefix;
    part->file = file;
    const PartFile *before = local ? NULL : used_before(p, file);
    part->is_again = before != NULL;
    part->is_repeated = before && before->user == file->user;
    if (!part->is_again) parse_once_told(p, file, part);
    s->part = part;
  }
  if (local) join_prefixed(p, local);
  for (uint32_t i = 0; i < part->prefixes.n; i++) {
    Symbol inner = part->prefixes.at[i];
    if (local) inner = part_symbol(p->cx, local, inner);
    vec_push(p->arena, &p->prefixes, inner);
    join_prefixed(p, inner);
  }
  if (!accept_token(p, TOKEN_COLON)) return;
  do
    if (!parse_given(p, prefix, s)) return;
  while (accept_token(p, TOKEN_COMMA));
}
