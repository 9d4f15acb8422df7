// Characters -> tokens.
#ifndef QDOT_LANG_PARSE_LEX_H
#define QDOT_LANG_PARSE_LEX_H

#include "base/context.h"

typedef enum TokenKind {
#define TOKEN(name, text) TOKEN_##name,
#include "lang/parse/tokens.def"
#undef TOKEN
} TokenKind;

typedef struct Token {
  TokenKind kind;
  uint32_t begin, end; // bytes; of a unit and a string without brackets and quotes
  Symbol symbol;       // of a name, Greek letters spelled out
} Token;

typedef VEC(Token) Tokens;

// All tokens of a source, ended by NEWLINE and END. Line ends inside brackets are left out; blank
// lines give no token. Mistakes are reported and stand in the list as BAD.
Tokens lex(Context *cx, uint32_t source, Arena *arena);

// How a message calls it: "a name".
const char *token_kind_text(TokenKind kind);

#endif
