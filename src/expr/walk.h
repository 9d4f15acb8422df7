// Post-order walks and memos over the graph, without recursion: expressions may be very deep.
#ifndef QDOT_EXPR_WALK_H
#define QDOT_EXPR_WALK_H

#include "expr/node.h"

typedef VEC(Expr) ExprList;

typedef enum Visit { VISIT_SKIP, VISIT_LIST, VISIT_ENTER } Visit;

// What to do with a node: leave it out, list it only, or list it and visit what is below it.
typedef Visit VisitRule(const Context *cx, Expr e, void *argument);

// Everything the rule lets through below the roots, each node once, children before parents.
// The bodies of definitions count as below them. The list is in the scratch arena.
ExprList expr_walk(Context *cx, const Expr *roots, size_t n, VisitRule *rule, void *argument);

Visit visit_all(const Context *cx, Expr e, void *unused); // into definitions

// A map Expr -> uint32_t for the time of one operation; 0 means absent.
typedef struct ExprMemo {
  uint32_t *stamp, *value;
  uint32_t capacity, generation;
  struct ExprMemo *next;
} ExprMemo;

ExprMemo *memo_take(Context *cx);
void memo_give(Context *cx, ExprMemo *memo);
void memo_set(Context *cx, ExprMemo *memo, Expr e, uint32_t value);
static inline uint32_t memo_get(const ExprMemo *memo, Expr e) {
  return e < memo->capacity && memo->stamp[e] == memo->generation ? memo->value[e] : 0;
}

// A map Expr -> Expr that lasts as long as the context.
typedef struct ExprMap {
  Expr *keys, *values;
  uint32_t n, capacity;
} ExprMap;

ExprMap *expr_map_new(Context *cx);
Expr expr_map_get(const ExprMap *map, Expr key); // 0 when absent
void expr_map_set(Context *cx, ExprMap *map, Expr key, Expr value);

#endif
