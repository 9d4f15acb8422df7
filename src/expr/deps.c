// Variable sets as trees with four branches, their leaves 64 variables each. Every tree is kept
// once: sets that have most of their members in common share most of their trees, so that the sets
// of n^2 expressions in n variables take little more than n^2 nodes.
#include "expr/deps.h"

#include "base/hash.h"
#include "expr/node.h"

#define CACHE_SIZE 8192
#define BRANCHES 4

// A leaf is at height 0 and has its bits in the first two words; a branch at height h covers
// 64*4^(h-1) variables. A tree with nothing but its first branch does not exist: that branch, of
// whatever height, stands in its place.
typedef struct Tree {
  uint32_t branch[BRANCHES];
  uint32_t height;
} Tree;

typedef struct Union {
  DepSet a, b, result;
} Union;

struct DepTable {
  VEC(Tree) trees;
  DepSet *slots; // 0 is empty: the empty set is never looked up
  uint32_t slot_count;
  Union cache[CACHE_SIZE];
};

static DepTable *table_of(const Context *cx) { return cx->exprs->deps; }

static const Tree *tree_of(const Context *cx, DepSet set) { return &table_of(cx)->trees.at[set]; }

DepTable *deps_table_new(Context *cx) {
  DepTable *table = arena_new(&cx->keep, DepTable);
  table->slot_count = 256;
  table->slots = arena_array(&cx->keep, DepSet, table->slot_count);
  vec_push(&cx->keep, &table->trees, (Tree){0});
  return table;
}

static uint32_t hash_of(const Tree *tree) {
  uint32_t hash = tree->height;
  for (int i = 0; i < BRANCHES; i++) hash = hash_word(hash, tree->branch[i]);
  return hash;
}

static void enlarge(Context *cx, DepTable *table) {
  table->slot_count *= 2;
  table->slots = arena_array(&cx->keep, DepSet, table->slot_count);
  for (DepSet s = 1; s < table->trees.n; s++) {
    uint32_t i = hash_of(&table->trees.at[s]) & (table->slot_count - 1);
    while (table->slots[i]) i = (i + 1) & (table->slot_count - 1);
    table->slots[i] = s;
  }
}

static bool is_same(const Tree *a, const Tree *b) {
  for (int i = 0; i < BRANCHES; i++)
    if (a->branch[i] != b->branch[i]) return false;
  return a->height == b->height;
}

static DepSet intern(Context *cx, Tree tree) {
  DepTable *table = table_of(cx);
  if (2 * table->trees.n >= table->slot_count) enlarge(cx, table);
  uint32_t i = hash_of(&tree) & (table->slot_count - 1);
  for (; table->slots[i]; i = (i + 1) & (table->slot_count - 1))
    if (is_same(&table->trees.at[table->slots[i]], &tree)) return table->slots[i];
  vec_push(&cx->keep, &table->trees, tree);
  return table->slots[i] = table->trees.n - 1;
}

// The set as a tree of at least its own height.
static Tree lifted(const Context *cx, DepSet set, uint32_t height) {
  const Tree *tree = tree_of(cx, set);
  return tree->height == height ? *tree : (Tree){.branch = {set}, .height = height};
}

static uint32_t common_height(const Context *cx, DepSet a, DepSet b) {
  uint32_t first = tree_of(cx, a)->height, second = tree_of(cx, b)->height;
  return first > second ? first : second;
}

DepSet deps_single(Context *cx, uint32_t variable) {
  Tree leaf = {0};
  leaf.branch[variable % 64 / 32] = (uint32_t)1 << variable % 32;
  DepSet set = intern(cx, leaf);
  uint32_t place = variable / 64;
  for (uint32_t height = 1; place > 0; height++, place /= BRANCHES) {
    if (place % BRANCHES == 0) continue;
    Tree tree = {.height = height};
    tree.branch[place % BRANCHES] = set;
    set = intern(cx, tree);
  }
  return set;
}

// Both of the same height and not empty.
static DepSet unite(Context *cx, Tree a, Tree b) {
  for (int i = 0; i < BRANCHES; i++)
    a.branch[i] = a.height ? deps_union(cx, a.branch[i], b.branch[i]) : a.branch[i] | b.branch[i];
  return intern(cx, a);
}

DepSet deps_union(Context *cx, DepSet a, DepSet b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  if (a > b) {
    DepSet larger = a;
    a = b, b = larger;
  }
  Union *known = &table_of(cx)->cache[hash_word(a, b) % CACHE_SIZE];
  if (known->a == a && known->b == b) return known->result;
  uint32_t height = common_height(cx, a, b);
  DepSet result = unite(cx, lifted(cx, a, height), lifted(cx, b, height));
  *known = (Union){a, b, result};
  return result;
}

bool deps_has(const Context *cx, DepSet set, uint32_t variable) {
  uint32_t place = variable / 64;
  const Tree *tree = tree_of(cx, set);
  while (tree->height > 0) {
    uint32_t shift = 2 * (tree->height - 1), branch = place >> shift;
    if (branch >= BRANCHES || !tree->branch[branch]) return false;
    place -= branch << shift;
    tree = tree_of(cx, tree->branch[branch]);
  }
  return place == 0 && tree->branch[variable % 64 / 32] >> variable % 32 & 1;
}

bool deps_meet(const Context *cx, DepSet a, DepSet b) {
  if (!a || !b) return false;
  if (a == b) return true;
  uint32_t height = common_height(cx, a, b);
  Tree first = lifted(cx, a, height), second = lifted(cx, b, height);
  for (int i = 0; i < BRANCHES; i++) {
    uint32_t x = first.branch[i], y = second.branch[i];
    if (height ? deps_meet(cx, x, y) : (x & y) != 0) return true;
  }
  return false;
}
