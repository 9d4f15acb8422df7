// The order in which the author of a model writes names, for whoever prints its equations.
//
// Factors: as the products of the model have them, m g L; where these say nothing, masses stand
// before lengths, and then what is used first. Terms: what is used first stands first.
#include <stdlib.h>
#include <string.h>

#include "expr/order.h"
#include "lang/lower/lower.h"

enum { MOST_SORTED = 3000 }; // names whose products are compared with each other

typedef struct Placed {
  Symbol name;
  uint32_t class, use; // what it measures; when it is used, in the order of the text
  uint32_t waits;      // for so many that stand before it in products
  bool is_taken;
} Placed;

typedef struct Edge {
  uint32_t before, after; // places in the list of names
} Edge;

typedef struct Names {
  VEC(Placed) list;
  uint32_t *place; // Symbol -> place in the list + 1
  VEC(Edge) edges;
} Names;

// Masses and inertias, stiffnesses and forces, accelerations, lengths, pure numbers, rates.
static uint32_t class_of(const Measure *measure) {
  if (!measure->is_known) return 3;
  const int32_t *e = measure->dimension.exponent;
  if (e[BASE_KG]) return e[BASE_S] ? 1 : 0;
  if (e[BASE_M]) return e[BASE_S] ? 2 : 3;
  return e[BASE_S] ? 5 : 4;
}

static int compare_uses(const void *a, const void *b) {
  const Placed *x = a, *y = b;
  return x->use != y->use ? (x->use < y->use ? -1 : 1) : (x->name > y->name) - (x->name < y->name);
}

// Components are used when their vector is.
static const NameEntry *used_entry(const Lowering *l, Symbol name) {
  const char *text = symbol_text(l->cx, name);
  size_t owner = strcspn(text, ".");
  Symbol whole = text[owner] ? intern_find(&l->cx->names, text, owner) : 0;
  const NameEntry *entry = whole ? model_find(l->model, whole) : NULL;
  return entry && entry->kind == NAME_VECTOR && entry->first_use ? entry
                                                                 : model_find(l->model, name);
}

// What no line uses stands behind, in classes.
static uint32_t use_of(const Lowering *l, Symbol name, uint32_t class, uint32_t number) {
  const NameEntry *entry = used_entry(l, name);
  if (entry && entry->first_use) return entry->first_use;
  return l->uses + 1 + class * (l->model->parameters.n + 1) + number;
}

static void add_edges(Lowering *l, Names *names) {
  uint32_t last = 0;
  for (uint32_t i = 0; i < l->products.n; i++) {
    Symbol name = l->products.at[i];
    uint32_t place = name ? names->place[name] : 0;
    if (last && place && place != last) {
      vec_push(l->arena, &names->edges, ((Edge){last - 1, place - 1}));
      names->list.at[place - 1].waits++;
    }
    if (!name)
      last = 0;
    else if (place)
      last = place;
  }
}

static bool stands_before(const Placed *a, const Placed *b, bool free) {
  if (free && (a->waits == 0) != (b->waits == 0)) return a->waits == 0;
  return a->class != b->class ? a->class < b->class : a->use < b->use;
}

// One after the other, those first that no product has behind another that is left.
static void place_factors(Names *names, uint32_t *factor) {
  uint32_t n = names->list.n;
  for (uint32_t rank = 1; rank <= n; rank++) {
    Placed *best = NULL;
    for (uint32_t i = 0; i < n; i++) {
      Placed *it = &names->list.at[i];
      if (!it->is_taken && (!best || stands_before(it, best, n <= MOST_SORTED))) best = it;
    }
    best->is_taken = true;
    factor[best->name] = rank;
    for (uint32_t i = 0; i < names->edges.n; i++)
      if (&names->list.at[names->edges.at[i].before] == best)
        names->list.at[names->edges.at[i].after].waits--;
  }
}

static void add_name(Lowering *l, Names *names, Symbol name, const Measure *measure,
                     uint32_t number) {
  uint32_t class = class_of(measure);
  vec_push(l->arena, &names->list,
           ((Placed){.name = name, .class = class, .use = use_of(l, name, class, number)}));
  names->place[name] = names->list.n;
}

void lower_reading_order(Lowering *l) {
  const Model *model = l->model;
  Context *cx = l->cx;
  uint32_t count = cx->names.names.n;
  uint32_t *factor = arena_array(&cx->keep, uint32_t, count);
  uint32_t *term = arena_array(&cx->keep, uint32_t, count);
  Names names = {.place = arena_array(l->arena, uint32_t, count)};
  for (uint32_t i = 0; i < model->parameters.n; i++)
    add_name(l, &names, model->parameters.at[i].name, &model->parameters.at[i].measure, i);
  if (names.list.n <= MOST_SORTED) {
    add_edges(l, &names);
    place_factors(&names, factor);
  }
  for (uint32_t i = 0; i < model->inputs.n; i++)
    add_name(l, &names, model->inputs.at[i].name, &model->inputs.at[i].measure, i);
  for (uint32_t i = 0; i < model->coordinates.n; i++)
    add_name(l, &names, model->coordinates.at[i].name, &model->coordinates.at[i].measure, i);
  for (uint32_t i = 0; i < model->definitions.n; i++)
    add_name(l, &names, model->definitions.at[i].name, &model->definitions.at[i].measure, i);
  if (names.list.n > 0) qsort(names.list.at, names.list.n, sizeof *names.list.at, compare_uses);
  for (uint32_t i = 0; i < names.list.n; i++) {
    Symbol name = names.list.at[i].name;
    term[name] = i + 1;
    if (!factor[name]) factor[name] = names.list.n + i + 1; // coordinates and what else has names
  }
  order_by_author(cx, (ReadingOrder){factor, term, count});
}
