// What stays constant along every motion: energy, Jacobi's integral, momenta of cyclic coordinates.
#include "derive/system.h"
#include "derive/vanishes.h"
#include "expr/build.h"
#include "expr/diff.h"

// No force, friction, contact or moving constraint does work, and L does not know the time.
static bool energy_is_conserved(Context *cx, const System *s) {
  if (!vanishes(cx, s->L_t) || !all_vanish(cx, s->Q, s->n) || !all_vanish(cx, s->D, s->n))
    return false;
  for (uint32_t r = 0; r < s->row_count; r++) {
    if (!vanishes(cx, s->rows[r].phi_t)) return false;
  }
  return s->contact_count == 0;
}

// E = T + V unless T has terms that are linear in or free of q'.
static bool energy_is_natural(Context *cx, const System *s) {
  return vanishes(cx, expr_sub(cx, s->energy, expr_add(cx, s->T, s->V)));
}

// What `lagrangian` leaves linear in q' is no kinetic energy: forces of magnets, for example.
static bool has_lagrangian(const Model *model) {
  for (uint32_t i = 0; i < model->energies.n; i++)
    if (model->energies.at[i].kind == ENERGY_LAGRANGIAN) return true;
  return false;
}

bool system_is_natural(Context *cx, const System *s) {
  return has_lagrangian(s->model) ||
         !clearly_not_zero(cx, expr_sub(cx, s->energy, expr_add(cx, s->T, s->V)));
}

Expr system_kinetic(Context *cx, const System *s) {
  return system_is_natural(cx, s) ? expr_sub(cx, s->energy, s->V) : s->T;
}

static bool rows_avoid(Context *cx, const Row *rows, uint32_t n, uint32_t coordinate) {
  for (uint32_t r = 0; r < n; r++) {
    if (!vanishes(cx, rows[r].phi_q[coordinate])) return false;
  }
  return true;
}

// q_i does not occur in L, nothing acts on it, no constraint touches it.
static bool is_cyclic(Context *cx, const System *s, uint32_t i, Expr slope) {
  return vanishes(cx, s->Q[i]) && vanishes(cx, s->D[i]) &&
         rows_avoid(cx, s->rows, s->row_count, i) &&
         rows_avoid(cx, s->contacts, s->contact_count, i) && vanishes(cx, slope);
}

uint32_t system_conserved(Context *cx, const System *s, Conserved **out) {
  Conserved *list = arena_array(&cx->keep, Conserved, s->n + 1);
  uint32_t count = 0;
  if (s->n > 0 && energy_is_conserved(cx, s)) {
    bool natural = energy_is_natural(cx, s);
    list[count++] = (Conserved){.kind = natural ? CONSERVED_ENERGY : CONSERVED_JACOBI,
                                .value = natural ? expr_add(cx, s->T, s->V) : s->energy};
  }
  Mark mark = arena_mark(&cx->scratch);
  Expr L = expr_sub(cx, s->T, s->V);
  Expr *slope = arena_array(&cx->scratch, Expr, s->n);
  expr_gradient(cx, L, s->q, s->n, slope);
  for (uint32_t i = 0; i < s->n; i++) {
    if (!is_cyclic(cx, s, i, slope[i])) continue;
    Expr momentum = expr_diff(cx, s->T, s->qd[i]);
    if (!vanishes(cx, momentum)) list[count++] = (Conserved){CONSERVED_MOMENTUM, i, momentum};
  }
  arena_release(&cx->scratch, mark);
  *out = list;
  return count;
}
