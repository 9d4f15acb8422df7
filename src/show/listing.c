// Gathering the expressions of a system and rewriting them for the reader.
#include "show/listing.h"

#include <string.h>

#include "base/suggest.h"
#include "expr/build.h"
#include "expr/define.h"

typedef enum Shape {
  SCALAR,
  COORDINATES,
  COORDINATES_SQUARED,
  ROWS,
  ROWS_BY_COORDINATES,
  CONTACTS,
  CONTACTS_BY_COORDINATES,
  OUTPUTS
} Shape;

static const struct {
  const char *name;
  Shape shape;
} table[LISTED_COUNT] = {
#define LISTED(key, name, shape) [LISTED_##key] = {name, shape},
#include "show/listing.def"
#undef LISTED
};

static void set_shape(const System *s, Shape shape, Listed *listed) {
  uint32_t n = s->n, m = s->row_count, k = s->contact_count, o = s->model->outputs.n;
  const uint32_t sizes[][2] = {
      [SCALAR] = {1, 1},
      [COORDINATES] = {n, 1},
      [COORDINATES_SQUARED] = {n, n},
      [ROWS] = {m, 1},
      [ROWS_BY_COORDINATES] = {m, n},
      [CONTACTS] = {k, 1},
      [CONTACTS_BY_COORDINATES] = {k, n},
      [OUTPUTS] = {o, 1},
  };
  listed->rows = sizes[shape][0];
  listed->columns = sizes[shape][1];
}

static void copy_rows(const Row *rows, uint32_t count, uint32_t n, Expr *phi, Expr *phi_q) {
  for (uint32_t i = 0; i < count; i++) {
    phi[i] = rows[i].phi;
    memcpy(phi_q + i * n, rows[i].phi_q, n * sizeof *phi_q);
  }
}

static void copy_values(const System *s, Listing *e) {
  Listed *at = e->at;
  uint32_t n = s->n;
  at[LISTED_T].values[0] = s->T;
  at[LISTED_V].values[0] = s->V;
  at[LISTED_R].values[0] = s->R;
  const struct {
    ListedKey key;
    const Expr *from;
    uint32_t count;
  } plain[] = {{LISTED_M, s->M, n * n},
               {LISTED_H, s->h, n},
               {LISTED_D, s->D, n},
               {LISTED_G, s->G, n},
               {LISTED_Q, s->Q, n}};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
    if (plain[i].count)
      memcpy(at[plain[i].key].values, plain[i].from, plain[i].count * sizeof(Expr));
  }
  copy_rows(s->rows, s->row_count, n, at[LISTED_PHI].values, at[LISTED_PHI_Q].values);
  for (uint32_t i = 0; i < s->row_count; i++) {
    at[LISTED_PHI_T].values[i] = s->rows[i].phi_t;
    at[LISTED_GAMMA].values[i] = s->rows[i].gamma;
  }
  copy_rows(s->contacts, s->contact_count, n, at[LISTED_CONTACT_PHI].values,
            at[LISTED_CONTACT_PHI_Q].values);
  for (uint32_t i = 0; i < s->contact_count; i++)
    at[LISTED_RESTITUTION].values[i] = s->model->contacts.at[i].restitution;
  for (uint32_t i = 0; i < s->model->outputs.n; i++)
    at[LISTED_OUTPUTS].values[i] = s->model->outputs.at[i].value;
}

// The place of a name in the table, or LISTED_COUNT.
static ListedKey key_of(const char *name, size_t length) {
  ListedKey key = 0;
  while (key < LISTED_COUNT &&
         (strlen(table[key].name) != length || memcmp(table[key].name, name, length) != 0))
    key++;
  return key;
}

static Status unknown_key(Context *cx, const char *name) {
  Status status = diag_error_plain(cx, QDOT_BAD_ARGUMENT, "there is no equation '%s'", name);
  Nearest nearest = nearest_to(name);
  for (ListedKey key = 0; key < LISTED_COUNT; key++) nearest_offer(&nearest, table[key].name);
  if (nearest.best) diag_note(cx, "did you mean '%s'?", nearest.best);
  return status;
}

static Status choose_wanted(Context *cx, const char *only, Listing *e) {
  for (ListedKey key = 0; key < LISTED_COUNT; key++) e->at[key].is_wanted = !only;
  while (only && *only) {
    size_t length = strcspn(only, ",");
    ListedKey key = key_of(only, length);
    if (key == LISTED_COUNT) return unknown_key(cx, arena_copy(&cx->keep, only, length));
    e->at[key].is_wanted = true;
    only += length + (only[length] == ',');
  }
  // A contact's gradient and restitution belong to it.
  bool contacts = e->at[LISTED_CONTACT_PHI].is_wanted;
  e->at[LISTED_CONTACT_PHI_Q].is_wanted = e->at[LISTED_RESTITUTION].is_wanted = contacts;
  return QDOT_OK;
}

// In the reader's form definitions are opened; without simplification they stay.
static void rewrite(Context *cx, Listing *e) {
  expr_simplify_many(cx, e->all, e->count, e->simplify, e->all);
}

Status listing_open(System *system, const ListingOptions *options, Listing *out) {
  Context *cx = system->cx;
  *out = (Listing){.system = system, .simplify = options->simplify, .is_chosen = options->only};
  Status status = choose_wanted(cx, options->only, out);
  if (status != QDOT_OK) return status;
  if (!system->M) derive_matrices(cx, system);
  for (ListedKey key = 0; key < LISTED_COUNT; key++) {
    out->at[key].name = table[key].name;
    set_shape(system, table[key].shape, &out->at[key]);
    out->count += out->at[key].rows * out->at[key].columns;
  }
  out->all = arena_array(&cx->scratch, Expr, out->count);
  Expr *at = out->all;
  for (ListedKey key = 0; key < LISTED_COUNT; key++) {
    out->at[key].values = at;
    at += out->at[key].rows * out->at[key].columns;
  }
  copy_values(system, out);
  rewrite(cx, out);
  return QDOT_OK;
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

bool listed_is_zero(const Context *cx, const Listed *listed) {
  for (uint32_t i = 0; i < listed->rows * listed->columns; i++)
    if (!expr_is_zero(cx, listed->values[i])) return false;
  return true;
}
