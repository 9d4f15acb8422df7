// Gathering the expressions of a system and rewriting them for the reader.
#include "print/listing.h"

#include <string.h>

#include "base/words/suggest.h"
#include "expr/build.h"
#include "expr/define.h"

// A vector is a matrix of one column here; what is only shown on request is empty else.
static void set_shape(const System *s, ListedKey key, Listed *listed) {
  QuantityShape shape = quantity_shape(s, (QuantityKey)key);
  bool is_empty = quantity_type((QuantityKey)key)->shown != QUANTITY_SHOWN && !listed->is_wanted;
  listed->rows = is_empty ? 0 : shape.rows;
  listed->columns = is_empty && shape.columns ? 0 : shape.columns ? shape.columns : 1;
}

static void copy_values(const System *s, Listing *e) {
  for (ListedKey key = 0; key < LISTED_COUNT; key++)
    if (quantity_type((QuantityKey)key)->shown == QUANTITY_SHOWN)
      quantity_values(s, (QuantityKey)key, e->at[key].values);
}

static const char *name_of(ListedKey key) { return quantity_type((QuantityKey)key)->name; }
static bool is_hidden(ListedKey key) {
  return quantity_type((QuantityKey)key)->shown == QUANTITY_HIDDEN;
}

// The place of a name in the table, or LISTED_COUNT.
static ListedKey key_of(const char *name, size_t length) {
  ListedKey key = 0;
  while (key < LISTED_COUNT && (is_hidden(key) || strlen(name_of(key)) != length ||
                                memcmp(name_of(key), name, length) != 0))
    key++;
  return key;
}

static Status unknown_key(Context *cx, const char *name) {
  Status status = diag_error_plain(cx, QDOT_BAD_ARGUMENT, "there is no equation '%s'", name);
  Nearest nearest = nearest_to(name);
  for (ListedKey key = 0; key < LISTED_COUNT; key++)
    if (!is_hidden(key)) nearest_offer(&nearest, name_of(key));
  if (nearest.best) {
    diag_note(cx, "did you mean '%s'?", nearest.best);
    return status;
  }
  Text names = text_new(&cx->scratch);
  for (ListedKey key = 0; key < LISTED_COUNT; key++)
    if (!is_hidden(key)) text_addf(&names, " %s", name_of(key));
  diag_note(cx, "there are%s", names.at);
  return status;
}

static Status choose_wanted(Context *cx, const char *only, Listing *e) {
  for (ListedKey key = 0; key < LISTED_COUNT; key++)
    e->at[key].is_wanted = !only && quantity_type((QuantityKey)key)->shown == QUANTITY_SHOWN;
  while (only && *only) {
    size_t length = strcspn(only, ",");
    ListedKey key = key_of(only, length);
    if (key == LISTED_COUNT) return unknown_key(cx, arena_copy(&cx->keep, only, length));
    e->at[key].is_wanted = true;
    only += length + (only[length] == ',');
  }
  // A contact's gradient, restitution and sliding velocity belong to it.
  bool contacts = e->at[LISTED_CONTACT_PHI].is_wanted;
  e->at[LISTED_CONTACT_PHI_Q].is_wanted = e->at[LISTED_RESTITUTION].is_wanted = contacts;
  e->at[LISTED_SLIP].is_wanted = contacts;
  return QDOT_OK;
}

// C, K and rest where somebody asked for them, or where they say more than h, D and G.
static Status find_linear_form(Context *cx, const ListingOptions *options, Listing *e,
                               LinearForm *form) {
  Listed *at = e->at;
  const System *s = e->system;
  bool asked = at[LISTED_C].is_wanted || at[LISTED_K].is_wanted || at[LISTED_REST].is_wanted;
  if (!asked && (!options->for_people || e->is_chosen || s->row_count)) return QDOT_OK;
  bool constant = true;
  for (uint32_t i = 0; i < s->n * s->n; i++)
    if (expr_has_kind(cx, s->M[i], KIND_BIT(SYMBOL_COORDINATE))) constant = false;
  e->is_linear = constant && system_linear_form(cx, s, form);
  if (asked && !e->is_linear)
    return diag_error_plain(cx, QDOT_UNSUPPORTED,
                            "the equations are not linear: they have no C, K and rest");
  if (!asked)
    at[LISTED_C].is_wanted = at[LISTED_K].is_wanted = at[LISTED_REST].is_wanted = e->is_linear;
  return QDOT_OK;
}

static void copy_forms(Context *cx, const LinearForm *form, Listing *e) {
  const Expr *const from[] = {form->C, form->K, form->rest};
  for (ListedKey key = LISTED_C; key <= LISTED_REST; key++) {
    size_t count = (size_t)e->at[key].rows * e->at[key].columns;
    if (count) memcpy(e->at[key].values, from[key - LISTED_C], count * sizeof(Expr));
  }
  if (e->at[LISTED_CHRISTOFFEL].is_wanted)
    system_christoffel(cx, e->system, e->at[LISTED_CHRISTOFFEL].values);
}

// What is shown takes the reader's form; without simplification definitions stay.
static void rewrite(Context *cx, Listing *e) {
  ExprList shown = listing_wanted(e);
  for (uint32_t i = 0; i < e->conserved_count; i++)
    vec_push(&cx->scratch, &shown, e->conserved[i].value);
  expr_simplify_many(cx, shown.at, shown.n, e->simplify, shown.at);
  const Expr *from = shown.at;
  for (ListedKey key = 0; key < LISTED_COUNT; key++) {
    Listed *it = &e->at[key];
    for (uint32_t i = 0; it->is_wanted && i < it->rows * it->columns; i++) it->values[i] = *from++;
  }
  for (uint32_t i = 0; i < e->conserved_count; i++) e->conserved[i].value = *from++;
}

static void allocate_values(Context *cx, Listing *e) {
  for (ListedKey key = 0; key < LISTED_COUNT; key++) {
    e->at[key].name = name_of(key);
    set_shape(e->system, key, &e->at[key]);
    e->count += e->at[key].rows * e->at[key].columns;
  }
  e->all = arena_array(&cx->scratch, Expr, e->count);
  Expr *at = e->all;
  for (ListedKey key = 0; key < LISTED_COUNT; key++) {
    e->at[key].values = at;
    at += e->at[key].rows * e->at[key].columns;
  }
}

Status listing_open(System *system, const ListingOptions *options, Listing *out) {
  Context *cx = system->cx;
  *out = (Listing){.system = system, .simplify = options->simplify, .is_chosen = options->only};
  Status status = choose_wanted(cx, options->only, out);
  if (status != QDOT_OK) return status;
  if (!system->M) derive_matrices(cx, system);
  LinearForm form = {0};
  status = find_linear_form(cx, options, out, &form);
  if (status != QDOT_OK) return status;
  allocate_values(cx, out);
  copy_values(system, out);
  copy_forms(cx, &form, out);
  if (options->for_people && !options->only)
    out->conserved_count = system_conserved(cx, system, &out->conserved);
  rewrite(cx, out);
  if (out->is_chosen) return QDOT_OK;
  return road_take(cx, system, out->simplify, options->for_people, &out->road);
}

ExprList listing_wanted(const Listing *listing) {
  ExprList list = {0};
  Arena *arena = &listing->system->cx->scratch;
  for (ListedKey key = 0; key < LISTED_COUNT; key++) {
    const Listed *e = &listing->at[key];
    for (uint32_t i = 0; e->is_wanted && i < e->rows * e->columns; i++)
      vec_push(arena, &list, e->values[i]);
  }
  return list;
}

void listing_add_road(const Listing *listing, ExprList *out) {
  const RoadTaken *taken = &listing->road;
  if (taken->result) road_type(taken->road)->values(listing->system->cx, taken->result, out);
}

bool listed_is_zero(const Context *cx, const Listed *listed) {
  for (uint32_t i = 0; i < listed->rows * listed->columns; i++)
    if (!expr_is_zero(cx, listed->values[i])) return false;
  return true;
}
