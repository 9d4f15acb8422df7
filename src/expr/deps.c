// Variable sets as runs of 64-bit words between the first and the last member.
#include "expr/deps.h"

#include <string.h>

#include "base/hash.h"
#include "expr/node.h"

#define CACHE_SIZE 4096

typedef struct Words {
  uint32_t first, count, hash; // words first .. first+count-1; both ends are non-zero
  const uint64_t *word;
} Words;

typedef struct Union {
  DepSet a, b, result;
} Union;

struct DepTable {
  VEC(Words) sets;
  DepSet *slots; // 0 is empty: the empty set is never looked up
  uint32_t slot_count;
  Union cache[CACHE_SIZE];
};

static DepTable *table_of(const Context *cx) { return cx->exprs->deps; }

DepTable *deps_table_new(Context *cx) {
  DepTable *table = arena_new(&cx->keep, DepTable);
  table->slot_count = 256;
  table->slots = arena_array(&cx->keep, DepSet, table->slot_count);
  vec_push(&cx->keep, &table->sets, (Words){0});
  return table;
}

static void enlarge(Context *cx, DepTable *table) {
  table->slot_count *= 2;
  table->slots = arena_array(&cx->keep, DepSet, table->slot_count);
  for (DepSet s = 1; s < table->sets.n; s++) {
    uint32_t i = table->sets.at[s].hash & (table->slot_count - 1);
    while (table->slots[i]) i = (i + 1) & (table->slot_count - 1);
    table->slots[i] = s;
  }
}

// The id of the set; its words are copied when it is new.
static DepSet intern(Context *cx, Words w) {
  DepTable *table = table_of(cx);
  if (2 * table->sets.n >= table->slot_count) enlarge(cx, table);
  size_t bytes = w.count * sizeof *w.word;
  w.hash = hash_word(hash_bytes(w.word, bytes), w.first);
  uint32_t i = w.hash & (table->slot_count - 1);
  for (; table->slots[i]; i = (i + 1) & (table->slot_count - 1)) {
    const Words *old = &table->sets.at[table->slots[i]];
    if (old->hash == w.hash && old->first == w.first && old->count == w.count &&
        memcmp(old->word, w.word, bytes) == 0)
      return table->slots[i];
  }
  w.word = (const uint64_t *)arena_copy(&cx->keep, w.word, bytes);
  vec_push(&cx->keep, &table->sets, w);
  return table->slots[i] = table->sets.n - 1;
}

DepSet deps_single(Context *cx, uint32_t variable) {
  uint64_t word = (uint64_t)1 << variable % 64;
  return intern(cx, (Words){.first = variable / 64, .count = 1, .word = &word});
}

static DepSet unite(Context *cx, const Words *a, const Words *b) {
  uint32_t first = a->first < b->first ? a->first : b->first;
  uint32_t a_end = a->first + a->count, b_end = b->first + b->count;
  uint32_t end = a_end > b_end ? a_end : b_end;
  Mark mark = arena_mark(&cx->scratch);
  uint64_t *word = arena_array(&cx->scratch, uint64_t, end - first);
  for (uint32_t i = 0; i < a->count; i++) word[a->first - first + i] |= a->word[i];
  for (uint32_t i = 0; i < b->count; i++) word[b->first - first + i] |= b->word[i];
  DepSet set = intern(cx, (Words){.first = first, .count = end - first, .word = word});
  arena_release(&cx->scratch, mark);
  return set;
}

DepSet deps_union(Context *cx, DepSet a, DepSet b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  if (a > b) {
    DepSet larger = a;
    a = b, b = larger;
  }
  DepTable *table = table_of(cx);
  Union *known = &table->cache[hash_word(a, b) % CACHE_SIZE];
  if (known->a != a || known->b != b) {
    // unite may move the list of sets, so it gets copies
    Words first = table->sets.at[a], second = table->sets.at[b];
    *known = (Union){a, b, unite(cx, &first, &second)};
  }
  return known->result;
}

bool deps_has(const Context *cx, DepSet set, uint32_t variable) {
  const Words *w = &table_of(cx)->sets.at[set];
  uint32_t index = variable / 64 - w->first;
  return variable / 64 >= w->first && index < w->count && w->word[index] >> variable % 64 & 1;
}

bool deps_meet(const Context *cx, DepSet a, DepSet b) {
  const Words *x = &table_of(cx)->sets.at[a], *y = &table_of(cx)->sets.at[b];
  for (uint32_t i = 0; i < x->count; i++) {
    uint32_t j = x->first + i - y->first;
    if (x->first + i >= y->first && j < y->count && x->word[i] & y->word[j]) return true;
  }
  return false;
}
