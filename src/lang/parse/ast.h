// What the parser builds: expressions and statements as written, with spans.
#ifndef QDOT_LANG_PARSE_AST_H
#define QDOT_LANG_PARSE_AST_H

#include "lang/parse/call.h"
#include "lang/parse/lex.h"
#include "model/unit.h"

typedef enum AstKind {
  AST_NUMBER,    // number, unit or NULL
  AST_NAME,      // name; args are its indices
  AST_CALL,      // function; args
  AST_SUM,       // args; flags[i]: subtracted
  AST_PRODUCT,   // args; flags[i]: divided by
  AST_POWER,     // args[0] ^ args[1]
  AST_NEGATE,    // args[0]
  AST_PRIME,     // args[0], derived count times
  AST_COMPONENT, // args[0] . name
  AST_VECTOR,    // args: 2 or 3
  AST_COMPARE,   // args[0] relation args[1]
  AST_AND,       // args
  AST_OR,        // args
  AST_NOT,       // args[0]
  AST_SUMMATION, // sum(name in args[0]..args[1]: args[2])
  AST_FILE,      // text: the name of a data file
  AST_COLUMN,    // of a data file: text, its heading, or number; unit or NULL
  AST_BROKEN     // reported; has no value
} AstKind;

typedef struct Ast Ast;
struct Ast {
  AstKind kind;
  bool in_brackets; // (a + b): the span includes the brackets
  Span span;
  uint32_t n;
  Ast **args;
  const bool *flags;
  Symbol name;
  uint32_t count;
  Number number;
  const Unit *unit;
  const char *text;
  const Function *function;
  TokenKind relation;
};

// A name where it is defined or listed: x[i, j].member'' = value "description".
typedef struct Item {
  Symbol name;
  Span span;      // of the name with its indices and its member
  Span base_span; // of the name alone
  uint32_t index_count;
  Ast **indices;
  Symbol member; // of rail.s; 0 for a plain name
  uint32_t primes;
  bool is_start;      // name(0): where it starts
  bool is_each;       // "each" stands before it
  TokenKind relation; // TOKEN_EQUAL, TOKEN_TILDE, or TOKEN_END for none
  Ast *value;         // or NULL
  Symbol word;        // before the value: normal; 0 for none
  Ast *high;          // of a range: value..high
  VEC(Ast *) list;    // (value, value ...)
  Ast *steps;         // of a grid, or NULL
  const char *text;   // description, or NULL
  Span value_span;
} Item;

// A clause word and what follows it: every 1 [ms], using rk45(rtol = 1e-9).
typedef struct Clause {
  Symbol word;
  Span span;
  Ast *value;    // or NULL
  Ast *second;   // of two values with a comma between them: friction mu_s, mu_k
  bool is_given; // an '=' stands before the value
  Symbol choice;
  Span choice_span;
  VEC(Item) options;
  const char *text;
} Clause;

typedef struct Statement Statement;
struct Statement {
  const struct StatementRow *row;
  Span word, span;    // of its first word, of the whole
  bool is_broken;     // a mistake in it was reported; only its names are of use
  VEC(Item) items;    // names with values; the loop variable; a constraint's name
  Ast *left, *right;  // of an equation or condition
  TokenKind relation; // between them
  VEC(Ast *) values;  // points, curves
  VEC(Clause) clauses;
  Symbol kind; // of a plot, a drawing, a linearization; 0 for none
  Span kind_span;
  const char *text;            // a title
  VEC(Statement *) body;       // of a loop
  const struct UsedPart *part; // of `use`: the file and its statements; see part_file.h
};

typedef struct ModelText {
  VEC(Statement *) statements;
} ModelText;

#endif
