// Exact sets of variables, interned: equal sets have equal ids, unions are remembered.
#ifndef QDOT_EXPR_DEPS_H
#define QDOT_EXPR_DEPS_H

#include <stdbool.h>

#include "base/context.h"

typedef uint32_t DepSet; // 0 is the empty set

typedef struct DepTable DepTable;
DepTable *deps_table_new(Context *cx);

DepSet deps_single(Context *cx, uint32_t variable);
DepSet deps_union(Context *cx, DepSet a, DepSet b);
bool deps_has(const Context *cx, DepSet set, uint32_t variable);
bool deps_meet(const Context *cx, DepSet a, DepSet b);

#endif
