// Tables of numbers.
#include "expr/table_store.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "expr/node.h"

// ---- Making them

static uint32_t hash_doubles(uint32_t hash, const double *values, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    hash = hash_word64(hash, bits);
  }
  return hash;
}

static size_t coefficient_count(const TableData *t) {
  return ((size_t)t->n + 1) * ((size_t)t->degree + 1);
}

static bool is_same(const TableData *a, const TableData *b) {
  return a->hash == b->hash && a->n == b->n && a->degree == b->degree && a->period == b->period &&
         memcmp(a->x, b->x, a->n * sizeof *a->x) == 0 &&
         memcmp(a->pieces, b->pieces, coefficient_count(a) * sizeof *a->pieces) == 0;
}

// The table itself, or the one that was there before.
static TableId intern(Context *cx, TableData *t) {
  ExprStore *store = cx->exprs;
  t->hash = hash_doubles(hash_word(t->n, t->degree), t->x, t->n);
  t->hash = hash_doubles(t->hash, t->pieces, coefficient_count(t));
  for (TableId id = 0; id < store->tables.n; id++)
    if (is_same(store->tables.at[id], t)) return id;
  vec_push(&cx->keep, &store->tables, t);
  return store->tables.n - 1;
}

TableId table_from_pieces(Context *cx, uint32_t n, uint32_t degree, const double *x,
                          const double *inner, double last, bool is_periodic) {
  expr_store(cx);
  assert(n >= 2 && (degree == 1 || degree == 3));
  double span = x[n - 1] - x[0];
  TableData *t = arena_new(&cx->keep, TableData);
  *t = (TableData){.n = n, .degree = degree, .period = is_periodic ? span : 0};
  t->per_spacing = (n - 1) / span;
  size_t width = (size_t)degree + 1;
  double *places = arena_array(&cx->keep, double, n);
  double *pieces = arena_array(&cx->keep, double, coefficient_count(t));
  memcpy(places, x, n * sizeof *x);
  memcpy(pieces + width, inner, (n - 1) * width * sizeof *inner);
  pieces[0] = inner[0];
  pieces[n * width] = last;
  t->x = places;
  t->pieces = pieces;
  table_find_range(t);
  return intern(cx, t);
}

void table_set_origin(Context *cx, TableId id, const char *file) {
  TableData *table = (TableData *)cx->exprs->tables.at[id];
  if (!table->origin) table->origin = file;
}

void table_set_units(Context *cx, TableId id, const char *x_unit, double x_factor,
                     const char *y_unit, double y_factor) {
  TableData *table = (TableData *)cx->exprs->tables.at[id];
  if (table->x_unit || table->y_unit) return;
  table->x_unit = x_unit, table->x_factor = x_factor;
  table->y_unit = y_unit, table->y_factor = y_factor;
}

const TableData *table_get(const Context *cx, TableId id) { return cx->exprs->tables.at[id]; }
uint32_t table_count(const Context *cx) { return cx->exprs ? cx->exprs->tables.n : 0; }

// ---- Names

enum { SHORT = 8 };

bool table_is_short(const TableData *t) {
  return t->n <= SHORT && t->degree == 1 && t->period == 0 && !t->origin;
}

const char *table_name(Context *cx, Arena *arena, TableId id, TableAspect aspect) {
  static const char *const names[TABLE_ASPECTS] = {"table", "slope", "bend", "third",
                                                   "since", "until", "piece"};
  if (table_is_short(table_get(cx, id))) return names[aspect];
  return text_format(arena, "%s_%u", names[aspect], id + 1);
}
