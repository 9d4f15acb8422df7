// Expressions -> steps of a program: shared nodes once, fixed parts apart, few multiplications.
#ifndef QDOT_CODE_FLATTEN_H
#define QDOT_CODE_FLATTEN_H

#include "code/builder.h"
#include "expr/walk.h"

// Remembers the slot of every expression it has seen, so that later ones share it.
typedef struct Flattener Flattener;
struct Flattener {
  Context *cx;
  ProgramBuilder *builder;
  ExprMemo *slots;   // slot + 1
  ExprMemo *weights; // 1 for conditions that may hold in part
  Slot beyond;       // true where a branch is evaluated beyond its condition; NO_SLOT: nowhere
  // Binds what it wants to of the expressions that come next; NULL: nothing.
  void (*lock)(void *lock_user, Flattener *flattener, const ExprList *list);
  void *lock_user;
};

void flatten_open(Flattener *flattener, ProgramBuilder *builder);
void flatten_close(Flattener *flattener);

// From now on this expression (a symbol, a definition, a switch) is that slot wherever it stands.
void flatten_bind(Flattener *flattener, Expr e, Slot slot);

// The same for a condition whose slot is between 0 and 1 where it holds in part: what depends on it
// is mixed then.
void flatten_bind_weight(Flattener *flattener, Expr condition, Slot slot);

// Every symbol below must be bound; what has no value becomes NaN.
Slot flatten_expr(Flattener *flattener, Expr e);
// base^exponent for exponent > 0.
Slot flatten_power(Flattener *flattener, Slot base, Number exponent);
void flatten_many(Flattener *flattener, const Expr *roots, size_t n, Slot *out);

#endif
