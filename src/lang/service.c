// Names and completions at a place of a text.
#include "lang/service.h"

#include <string.h>

#include "base/utf8.h"
#include "lang/lower/lower.h"
#include "lang/read.h"
#include "model/part_name.h"
#include "model/unit.h"

void service_open(Context *cx, const char *name, const char *text, size_t length,
                  TextService *out) {
  *out = (TextService){.cx = cx};
  ReadOptions options = {.keeps_mistakes = true};
  model_read(cx, name, text, length, &options, &out->model);
  out->text = cx->sources.at[out->model->source].text;
  // the tokens once more; what was wrong with them is said already
  Diagnostics before = diag_mark(cx);
  out->tokens = lex(cx, out->model->source, &cx->keep);
  diag_rollback(cx, before);
}

// ---- Names

static const Token *token_before(const TextService *s, size_t offset, uint32_t *place) {
  const Token *found = NULL;
  for (uint32_t i = 0; i < s->tokens.n && s->tokens.at[i].begin < offset; i++)
    found = &s->tokens.at[i], *place = i;
  return found;
}

static bool is_kind(const TextService *s, int64_t place, TokenKind kind) {
  return place >= 0 && place < s->tokens.n && s->tokens.at[place].kind == kind;
}

// A name with its owners before their dots: rod.omega, left.rod.omega.
static Symbol whole_name(const TextService *s, uint32_t place) {
  Symbol name = s->tokens.at[place].symbol;
  for (int64_t dot = (int64_t)place - 1; is_kind(s, dot, TOKEN_DOT); dot -= 2) {
    if (!is_kind(s, dot - 1, TOKEN_NAME)) break;
    name = part_symbol(s->cx, s->tokens.at[dot - 1].symbol, name);
  }
  return name;
}

// The name at a place of the list, with what stands before its dot.
static NameUse use_at(const TextService *s, uint32_t place) {
  const Token *token = &s->tokens.at[place];
  NameUse use = {.is_there = true, .begin = token->begin, .end = token->end};
  use.name = whole_name(s, place);
  use.entry = model_find(s->model, use.name);
  return use;
}

Span service_definition(const TextService *s, const NameEntry *entry) {
  const char *name = symbol_text(s->cx, entry->name);
  for (size_t n = strlen(name); entry && entry->span.source != s->model->source;) {
    while (n > 0 && name[n] != '.') n--;
    if (n == 0) return (Span){s->model->source, 0, 0};
    entry = model_find(s->model, intern_find(&s->cx->names, name, n--));
  }
  return entry ? entry->span : (Span){s->model->source, 0, 0};
}

NameUse service_name_at(const TextService *s, size_t offset) {
  for (uint32_t i = 0; i < s->tokens.n; i++) {
    const Token *token = &s->tokens.at[i];
    if (token->kind == TOKEN_NAME && token->begin <= offset && offset <= token->end)
      return use_at(s, i);
  }
  return (NameUse){0};
}

SpanList service_uses(const TextService *s, NameUse use, Arena *arena) {
  SpanList spans = {0};
  for (uint32_t i = 0; use.is_there && i < s->tokens.n; i++) {
    if (!is_kind(s, i, TOKEN_NAME)) continue;
    NameUse other = use_at(s, i);
    Span span = {s->model->source, other.begin, other.end};
    if (other.name == use.name) vec_push(arena, &spans, span);
  }
  return spans;
}

// ---- Completions

typedef struct Completing {
  const TextService *service;
  Arena *arena;
  const char *prefix;
  size_t length;
  CompletionList list;
} Completing;

static void offer(Completing *c, CompletionKind kind, const char *text, const char *detail) {
  if (strncmp(text, c->prefix, c->length) != 0 || strlen(text) == c->length) return;
  Completion completion = {text, kind, detail};
  vec_push(c->arena, &c->list, completion);
}

static void offer_statements(Completing *c) {
#define STATEMENT(word, name, usage) offer(c, COMPLETION_STATEMENT, word, usage);
#include "lang/parse/statements.def"
#undef STATEMENT
}

static void offer_functions(Completing *c) {
#define FUNCTION(name, kind, op, axis, fewest, most, usage)                                        \
  offer(c, COMPLETION_FUNCTION, name, usage);
#include "lang/parse/calls.def"
#undef FUNCTION
}

static void offer_units(Completing *c) {
  for (size_t i = 0; unit_name_at(i); i++) offer(c, COMPLETION_UNIT, unit_name_at(i), "unit");
}

// Names that are made for others, as rod.x, are members; those with an index are written in loops.
static void offer_names(Completing *c) {
  const Model *model = c->service->model;
  for (uint32_t i = 0; i < model->names.n; i++) {
    const NameEntry *entry = &model->names.at[i];
    const char *name = symbol_text(c->service->cx, entry->name);
    if (!strpbrk(name, ".[") && entry->kind != NAME_BROKEN)
      offer(c, COMPLETION_NAME, name, name_kind_text(entry->kind));
  }
  offer(c, COMPLETION_NAME, "t", "time");
  offer(c, COMPLETION_NAME, "pi", "3.14159...");
}

// The names of a part, without its prefix.
static void offer_part(Completing *c, Symbol prefix) {
  const TextService *s = c->service;
  const char *owner = symbol_text(s->cx, prefix);
  size_t n = strlen(owner);
  for (uint32_t i = 0; i < s->model->names.n; i++) {
    const NameEntry *entry = &s->model->names.at[i];
    const char *name = symbol_text(s->cx, entry->name);
    if (strncmp(name, owner, n) == 0 && name[n] == '.' && !strpbrk(name + n + 1, ".[") &&
        entry->kind != NAME_BROKEN)
      offer(c, COMPLETION_NAME, name + n + 1, name_kind_text(entry->kind));
  }
}

static void offer_members(Completing *c, Symbol owner) {
  const TextService *s = c->service;
  const char *called, *words[MOST_MEMBERS];
  size_t n = member_words(s->model, owner, c->arena, &called, words);
  for (size_t i = 0; i < n; i++) offer(c, COMPLETION_MEMBER, words[i], called);
  const NameEntry *entry = model_find(s->model, owner);
  if (entry && entry->kind == NAME_PART) offer_part(c, owner);
  static const char *const axes[] = {"x", "y", "z"};
  for (size_t i = 0; entry && entry->kind == NAME_VECTOR && i < 3; i++)
    offer(c, COMPLETION_MEMBER, axes[i], "component");
}

static void offer_joints(Completing *c) {
  for (int kind = 0; kind < JOINT_KINDS; kind++)
    offer(c, COMPLETION_WORD, joint_type((JointKind)kind)->word, "joint");
}

// The first token of the line in which a place lies.
static uint32_t line_start(const TextService *s, uint32_t place) {
  while (place > 0 && s->tokens.at[place - 1].kind != TOKEN_NEWLINE) place--;
  return place;
}

static bool is_word(const TextService *s, uint32_t place, const char *word) {
  return is_kind(s, place, TOKEN_NAME) &&
         strcmp(symbol_text(s->cx, s->tokens.at[place].symbol), word) == 0;
}

// How many bytes of a name end at the offset.
static size_t letters_before(const TextService *s, size_t offset) {
  size_t begin = offset;
  while (begin > 0) {
    unsigned char byte = (unsigned char)s->text[begin - 1];
    bool letter = byte >= 0x80 || byte == '_' || (byte >= '0' && byte <= '9') ||
                  (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '%';
    if (!letter) break;
    begin--;
  }
  return offset - begin;
}

static bool is_in_comment(const TextService *s, size_t offset) {
  for (size_t i = offset; i > 0 && s->text[i - 1] != '\n'; i--)
    if (s->text[i - 1] == '#') return true;
  return false;
}

// Behind a '[' of the same line that follows a number.
static bool is_in_unit(const TextService *s, size_t offset) {
  size_t i = offset;
  while (i > 0 && s->text[i - 1] != '\n' && s->text[i - 1] != '[' && s->text[i - 1] != ']') i--;
  if (i == 0 || s->text[i - 1] != '[') return false;
  for (i--; i > 0 && s->text[i - 1] == ' ';) i--;
  return i > 0 && s->text[i - 1] >= '0' && s->text[i - 1] <= '9';
}

static void complete(Completing *c, size_t begin) {
  const TextService *s = c->service;
  uint32_t place = 0;
  const Token *before = token_before(s, begin, &place);
  if (is_in_comment(s, begin)) return;
  if (is_in_unit(s, begin)) {
    offer_units(c);
  } else if (!before || before->kind == TOKEN_NEWLINE) {
    offer_statements(c);
  } else if (before->kind == TOKEN_DOT && place > 0 && is_kind(s, place - 1, TOKEN_NAME)) {
    offer_members(c, whole_name(s, place - 1));
  } else if (before->kind == TOKEN_COLON && is_word(s, line_start(s, place), "joint")) {
    offer_joints(c);
  } else {
    offer_names(c);
    offer_functions(c);
  }
}

CompletionList service_complete(const TextService *s, size_t offset, Arena *arena, size_t *begin) {
  size_t length = strlen(s->text);
  if (offset > length) offset = length;
  size_t letters = letters_before(s, offset);
  *begin = offset - letters;
  Completing c = {.service = s, .arena = arena, .prefix = s->text + *begin, .length = letters};
  complete(&c, *begin);
  return c.list;
}
