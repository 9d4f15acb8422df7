// The table of statements: one row per word, with its parser and its lowering.
#ifndef QDOT_LANG_PARSE_STATEMENT_H
#define QDOT_LANG_PARSE_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Parser Parser;
typedef struct Lowering Lowering;
typedef struct Statement Statement;

typedef struct StatementRow {
  const char *word;
  void (*parse)(Parser *parser, Statement *statement);
  // True when it was carried out, all of it; false after a mistake was reported.
  bool (*lower)(Lowering *lowering, const Statement *statement);
  const char *usage; // shown when its parts are missing
} StatementRow;

// NULL when the text is not a statement word.
const StatementRow *statement_find(const char *word, size_t length);
const char *statement_nearest(const char *word);

#define STATEMENT(word, name, usage)                                                               \
  void parse_##name(Parser *parser, Statement *statement);                                         \
  bool lower_##name(Lowering *lowering, const Statement *statement);
#include "lang/parse/statements.def"
#undef STATEMENT

#endif
