// Expressions as text in the language's own syntax; the parser reads it back to the same node.
#ifndef QDOT_EXPR_PRINT_H
#define QDOT_EXPR_PRINT_H

#include "base/text.h"
#include "expr/order.h"

// How tightly the surroundings bind; brackets go around what binds less.
typedef enum Binding {
  BIND_OR,
  BIND_AND,
  BIND_NOT,
  BIND_COMPARE,
  BIND_SUM,
  BIND_PRODUCT,
  BIND_POWER
} Binding;

// The name under which a part is to be printed, or NULL to write it out.
typedef struct PartNames {
  const char *(*name)(const Context *cx, Expr e, void *argument);
  void *argument;
} PartNames;

// Named definitions print as their name with primes, unnamed ones are written out; names may be
// NULL. Escapes with QDOT_TOO_LARGE beyond 2000 levels or 256 MiB.
void expr_print(Context *cx, Expr e, const PartNames *names, Text *out);
// The same as a string in the arena.
char *expr_text(Context *cx, Arena *arena, Expr e);
// expr_quotient, except that what follows e's coefficient is one factor when it has a name.
Quotient expr_quotient_with_names(Context *cx, Expr e, const PartNames *names);
// A symbol or definition as it is written: theta_2'', r.x'.
void expr_print_name(Context *cx, Expr e, Text *out);

#endif
