// Walks, memos and maps.
#include "expr/walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

Visit visit_all(const Context *cx, Expr e, void *unused) {
  (void)cx, (void)e, (void)unused;
  return VISIT_ENTER;
}

// A new generation of marks; the array grows with the graph.
static uint32_t *fresh_stamps(Context *cx) {
  ExprStore *store = cx->exprs;
  if (store->stamp_count < store->nodes.n) {
    store->stamp_count = 2 * store->nodes.n;
    store->stamps = arena_array(&cx->keep, uint32_t, store->stamp_count);
    store->generation = 0;
  }
  if (++store->generation == 0) {
    memset(store->stamps, 0, store->stamp_count * sizeof *store->stamps);
    store->generation = 1;
  }
  return store->stamps;
}

static int by_id(const void *a, const void *b) {
  Expr x = *(const Expr *)a, y = *(const Expr *)b;
  return (x > y) - (x < y);
}

ExprList expr_walk(Context *cx, const Expr *roots, size_t n, VisitRule *rule, void *argument) {
  uint32_t *stamps = fresh_stamps(cx), now = cx->exprs->generation;
  ExprList list = {0}, todo = {0};
  for (size_t i = 0; i < n; i++) vec_push(&cx->scratch, &todo, roots[i]);
  while (todo.n) {
    Expr e = todo.at[--todo.n];
    if (stamps[e] == now) continue;
    stamps[e] = now;
    Visit visit = rule(cx, e, argument);
    if (visit == VISIT_SKIP) continue;
    vec_push(&cx->scratch, &list, e);
    if (list.n % 4096 == 0) context_poll(cx);
    if (visit == VISIT_LIST) continue;
    const Node *node = node_of(cx, e);
    bool pairs = node->op == OP_SUM || node->op == OP_PRODUCT;
    for (uint32_t i = 0; i < node->count; i++) {
      Expr child = pairs ? pairs_of(node)[i].expr : node->args[i];
      if (stamps[child] != now) vec_push(&cx->scratch, &todo, child);
    }
  }
  if (list.n > 1) qsort(list.at, list.n, sizeof *list.at, by_id);
  return list;
}

ExprMemo *memo_take(Context *cx) {
  ExprStore *store = cx->exprs;
  ExprMemo *memo = store->memos;
  if (memo)
    store->memos = memo->next;
  else
    memo = arena_new(&cx->keep, ExprMemo);
  if (++memo->generation == 0) {
    memset(memo->stamp, 0, memo->capacity * sizeof *memo->stamp);
    memo->generation = 1;
  }
  return memo;
}

void memo_give(Context *cx, ExprMemo *memo) {
  memo->next = cx->exprs->memos;
  cx->exprs->memos = memo;
}

void memo_set(Context *cx, ExprMemo *memo, Expr e, uint32_t value) {
  if (e >= memo->capacity) {
    uint32_t capacity = 2 * (e > cx->exprs->nodes.n ? e : cx->exprs->nodes.n) + 64;
    uint32_t *stamp = arena_array(&cx->keep, uint32_t, capacity);
    uint32_t *values = arena_array(&cx->keep, uint32_t, capacity);
    if (memo->capacity) {
      memcpy(stamp, memo->stamp, memo->capacity * sizeof *stamp);
      memcpy(values, memo->value, memo->capacity * sizeof *values);
    }
    memo->stamp = stamp, memo->value = values, memo->capacity = capacity;
  }
  memo->stamp[e] = memo->generation;
  memo->value[e] = value;
}

ExprMap *expr_map_new(Context *cx) {
  ExprMap *map = arena_new(&cx->keep, ExprMap);
  map->capacity = 64;
  map->keys = arena_array(&cx->keep, Expr, map->capacity);
  map->values = arena_array(&cx->keep, Expr, map->capacity);
  return map;
}

static uint32_t slot_of(const ExprMap *map, Expr key) {
  uint32_t mask = map->capacity - 1, i = hash_word(7, key) & mask;
  while (map->keys[i] && map->keys[i] != key) i = (i + 1) & mask;
  return i;
}

Expr expr_map_get(const ExprMap *map, Expr key) { return map->values[slot_of(map, key)]; }

void expr_map_set(Context *cx, ExprMap *map, Expr key, Expr value) {
  if (2 * map->n >= map->capacity) {
    ExprMap old = *map;
    map->capacity *= 2;
    map->keys = arena_array(&cx->keep, Expr, map->capacity);
    map->values = arena_array(&cx->keep, Expr, map->capacity);
    for (uint32_t i = 0; i < old.capacity; i++) {
      if (!old.keys[i]) continue;
      uint32_t slot = slot_of(map, old.keys[i]);
      map->keys[slot] = old.keys[i], map->values[slot] = old.values[i];
    }
  }
  uint32_t slot = slot_of(map, key);
  map->n += !map->keys[slot];
  map->keys[slot] = key, map->values[slot] = value;
}
