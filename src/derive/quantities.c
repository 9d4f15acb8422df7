// The expressions of a system by the table of its quantities.
#include "derive/quantities.h"

#include <assert.h>
#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"

static const QuantityType types[QUANTITY_COUNT] = {
#define QUANTITY(key, name, rows, columns, takes, shown, code, meaning)                            \
  [QUANTITY_##key] = {name, code, meaning, TAKES_##takes, QUANTITY_##shown},
#include "derive/quantities.def"
#undef QUANTITY
};

const QuantityType *quantity_type(QuantityKey key) { return &types[key]; }

QuantityShape quantity_shape(const System *s, QuantityKey key) {
  switch (key) {
#define QUANTITY(key, name, rows, columns, takes, shown, code, meaning)                            \
  case QUANTITY_##key:                                                                             \
    return (QuantityShape){rows, columns};
#include "derive/quantities.def"
#undef QUANTITY
  case QUANTITY_COUNT: break;
  }
  return (QuantityShape){0, 0};
}

// ---- Rows of constraints and contacts

typedef Expr EntryOfRow(const System *s, const Row *row);

static Expr phi_of(const System *s, const Row *row) {
  (void)s;
  return row->phi;
}
static Expr position_of(const System *s, const Row *row) {
  return row->is_nonholonomic ? expr_int(s->cx, 0) : row->phi;
}
static Expr rate_of(const System *s, const Row *row) {
  return row->is_nonholonomic ? row->phi : expr_time_derivative(s->cx, row->phi);
}
static Expr phi_t_of(const System *s, const Row *row) {
  (void)s;
  return row->phi_t;
}
static Expr gamma_of(const System *s, const Row *row) {
  (void)s;
  return row->gamma;
}

static void put_rows(const System *s, EntryOfRow *entry, Expr *out) {
  for (uint32_t i = 0; i < s->row_count; i++) out[i] = entry(s, &s->rows[i]);
}

static void put_slopes(const Row *rows, uint32_t count, uint32_t n, Expr *out) {
  for (uint32_t i = 0; n && i < count; i++)
    memcpy(out + (size_t)i * n, rows[i].phi_q, n * sizeof *out);
}

// ---- All of them

static void put(const Expr *from, size_t n, Expr *out) {
  if (n) memcpy(out, from, n * sizeof *out);
}

void quantity_values(const System *s, QuantityKey key, Expr *out) {
  const Model *model = s->model;
  uint32_t n = s->n;
  switch (key) {
  case QUANTITY_T: out[0] = s->T; break;
  case QUANTITY_V: out[0] = s->V; break;
  case QUANTITY_R: out[0] = s->R; break;
  case QUANTITY_M: put(s->M, (size_t)n * n, out); break;
  case QUANTITY_H: put(s->h, n, out); break;
  case QUANTITY_D: put(s->D, n, out); break;
  case QUANTITY_G: put(s->G, n, out); break;
  case QUANTITY_Q: put(s->Q, n, out); break;
  case QUANTITY_PHI: put_rows(s, phi_of, out); break;
  case QUANTITY_POSITION: put_rows(s, position_of, out); break;
  case QUANTITY_PHI_DOT: put_rows(s, rate_of, out); break;
  case QUANTITY_PHI_Q: put_slopes(s->rows, s->row_count, n, out); break;
  case QUANTITY_PHI_T: put_rows(s, phi_t_of, out); break;
  case QUANTITY_GAMMA: put_rows(s, gamma_of, out); break;
  case QUANTITY_CONTACT_PHI:
    for (uint32_t i = 0; i < s->contact_count; i++) out[i] = s->contacts[i].phi;
    break;
  case QUANTITY_CONTACT_PHI_Q: put_slopes(s->contacts, s->contact_count, n, out); break;
  case QUANTITY_RESTITUTION:
    for (uint32_t i = 0; i < s->contact_count; i++) out[i] = model->contacts.at[i].restitution;
    break;
  case QUANTITY_SLIP:
    for (uint32_t i = 0; i < s->slip_count; i++)
      out[i] = s->slips[i].phi ? s->slips[i].phi : expr_int(s->cx, 0);
    break;
  case QUANTITY_RATES: put(s->rates, s->states, out); break;
  case QUANTITY_OUTPUTS:
    for (uint32_t i = 0; i < model->outputs.n; i++) out[i] = model->outputs.at[i].value;
    break;
  case QUANTITY_ENERGIES:
    out[0] = system_kinetic(s->cx, s), out[1] = s->V, out[2] = s->energy;
    break;
  case QUANTITY_MEMBERS:
    for (uint32_t i = 0; i < model->members.n; i++) out[i] = model->members.at[i].value;
    break;
  case QUANTITY_C:
  case QUANTITY_K:
  case QUANTITY_REST:
  case QUANTITY_CHRISTOFFEL:
  case QUANTITY_COUNT: assert(false);
  }
}
