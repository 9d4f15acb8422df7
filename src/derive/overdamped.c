// Coordinates with damping and without inertia as first-order states.
#include "derive/overdamped.h"

#include <string.h>

#include "derive/as_states.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "model/fold.h"

enum { MOST = 40 }; // whose velocities are solved for in symbols

typedef struct Overdamped {
  Context *cx;
  const Model *from;
  const System *s;
  uint32_t n;
  uint32_t at[MOST]; // numbers of the coordinates
  Expr rate[MOST];   // what their velocities are
  Expr symbol[MOST]; // room for the states
  AsStates states;
} Overdamped;

// ---- Which

static bool is_held(const Overdamped *o, const Row *rows, uint32_t count, uint32_t i) {
  for (uint32_t k = 0; k < count; k++)
    if (expr_depends(o->cx, rows[k].phi, o->s->q[i]) ||
        expr_depends(o->cx, rows[k].phi, o->s->qd[i]))
      return true;
  return false;
}

// D + G - Q, which is 0 for a coordinate without inertia.
static Expr balance(const Overdamped *o, uint32_t i) {
  const System *s = o->s;
  Expr acting = expr_sub(o->cx, s->G[i], s->Q[i]);
  return expr_add(o->cx, s->D[i], acting);
}

static bool has_inertia(const Overdamped *o, uint32_t i) {
  return expr_depends(o->cx, o->s->T, o->s->qd[i]) || expr_depends(o->cx, o->s->T, o->s->q[i]);
}

static void find_them(Overdamped *o) {
  const System *s = o->s;
  for (uint32_t i = 0; i < s->n; i++) {
    if (has_inertia(o, i) || is_held(o, s->rows, s->row_count, i) ||
        is_held(o, s->contacts, s->contact_count, i) ||
        !expr_depends(o->cx, balance(o, i), s->qd[i]))
      continue;
    if (o->n == MOST) {
      o->n = 0;
      return;
    }
    o->at[o->n++] = i;
  }
}

// ---- How fast

// The balances as A y' + b = 0; false where they are not linear in y'.
static bool split_balances(const Overdamped *o, Expr *A, Expr *b) {
  Context *cx = o->cx;
  Substitution rest[MOST];
  for (uint32_t k = 0; k < o->n; k++) rest[k] = (Substitution){o->s->qd[o->at[k]], expr_int(cx, 0)};
  for (uint32_t i = 0; i < o->n; i++) {
    Expr whole = balance(o, o->at[i]);
    for (uint32_t k = 0; k < o->n; k++) {
      Expr slope = expr_diff(cx, whole, rest[k].from);
      for (uint32_t j = 0; j < o->n; j++)
        if (expr_depends(cx, slope, rest[j].from)) return false;
      A[i * o->n + k] = slope;
    }
    b[i] = expr_subst(cx, whole, rest, o->n);
  }
  return true;
}

// A y' = -b by elimination, in the order of the coordinates: damping matrices need no pivots.
static bool solve_balances(Overdamped *o, Expr *A, Expr *b) {
  Context *cx = o->cx;
  uint32_t n = o->n;
  for (uint32_t p = 0; p < n; p++) {
    if (expr_is_zero(cx, A[p * n + p])) return false;
    for (uint32_t i = p + 1; i < n; i++) {
      if (expr_is_zero(cx, A[i * n + p])) continue;
      Expr factor = expr_div(cx, A[i * n + p], A[p * n + p]);
      for (uint32_t k = p; k < n; k++)
        A[i * n + k] = expr_sub(cx, A[i * n + k], expr_mul(cx, factor, A[p * n + k]));
      b[i] = expr_sub(cx, b[i], expr_mul(cx, factor, b[p]));
    }
  }
  for (uint32_t i = n; i-- > 0;) {
    Expr sum = b[i];
    for (uint32_t k = i + 1; k < n; k++)
      sum = expr_add(cx, sum, expr_mul(cx, A[i * n + k], o->rate[k]));
    o->rate[i] = expr_neg(cx, expr_div(cx, sum, A[i * n + i]));
  }
  return true;
}

// ---- The model with them as states

static int place_of(const Overdamped *o, uint32_t i) { return as_states_place(&o->states, i); }

static uint32_t number_among_others(const Overdamped *o, uint32_t i) {
  return as_states_number(&o->states, i);
}

static Expr in_new_symbols(Overdamped *o, Expr e) {
  return as_states_in_new_symbols(&o->states, e);
}

static void tell_velocities(const Overdamped *o) {
  for (uint32_t k = 0; k < o->n; k++) {
    const Coordinate *c = &o->from->coordinates.at[o->at[k]];
    if (c->velocity.kind == INITIAL_NONE) continue;
    diag_warning(o->cx, c->velocity.span, "'%s' has no mass: its velocity follows from its damping",
                 symbol_text(o->cx, c->name));
    diag_label(o->cx, "this value is not used");
  }
}

// Dampers that move them act on the others as forces; their own share is in the rates.
static void divide_forces(Overdamped *o) {
  Context *cx = o->cx;
  const Model *from = o->from;
  Model *out = o->states.out;
  memset(&out->energies, 0, sizeof out->energies);
  memset(&out->forces, 0, sizeof out->forces);
  for (uint32_t i = 0; i < from->energies.n; i++) {
    const Energy *e = &from->energies.at[i];
    bool moves = false;
    for (uint32_t k = 0; k < o->n && e->kind == ENERGY_DISSIPATION; k++)
      moves = moves || expr_depends(cx, e->value, o->s->qd[o->at[k]]);
    if (!moves) vec_push(&cx->keep, &out->energies, *e);
    for (uint32_t j = 0; j < o->s->n && moves; j++) {
      Expr force = expr_neg(cx, expr_diff(cx, e->value, o->s->qd[j]));
      if (place_of(o, j) >= 0 || expr_is_zero(cx, force)) continue;
      Force f = {number_among_others(o, j), force, e->span};
      vec_push(&cx->keep, &out->forces, f);
    }
  }
  for (uint32_t i = 0; i < from->forces.n; i++) {
    Force f = from->forces.at[i];
    if (place_of(o, f.coordinate) >= 0) continue;
    f.coordinate = number_among_others(o, f.coordinate);
    vec_push(&cx->keep, &out->forces, f);
  }
}

// What flows through them: see Overflow.
static const Overflow *count_power(Overdamped *o) {
  Context *cx = o->cx;
  const System *s = o->s;
  Expr zero = expr_int(cx, 0);
  Overflow power = {zero, zero, zero};
  for (uint32_t i = 0; i < s->n; i++) {
    int k = place_of(o, i);
    Expr damped = zero, velocity = k < 0 ? s->qd[i] : o->rate[k];
    for (uint32_t e = 0; e < o->from->energies.n; e++) {
      const Energy *energy = &o->from->energies.at[e];
      bool moves = false;
      for (uint32_t j = 0; j < o->n && energy->kind == ENERGY_DISSIPATION; j++)
        moves = moves || expr_depends(cx, energy->value, s->qd[o->at[j]]);
      if (moves) damped = expr_add(cx, damped, expr_diff(cx, energy->value, s->qd[i]));
    }
    power.lost = expr_add(cx, power.lost, expr_mul(cx, damped, velocity));
    Expr by_forces = k < 0 ? damped : s->Q[i];
    power.by_forces = expr_add(cx, power.by_forces, expr_mul(cx, by_forces, velocity));
    if (k >= 0) power.stored = expr_add(cx, power.stored, expr_mul(cx, s->G[i], velocity));
  }
  Overflow *out = arena_new(&cx->keep, Overflow);
  *out = (Overflow){in_new_symbols(o, power.lost), in_new_symbols(o, power.by_forces),
                    in_new_symbols(o, power.stored)};
  return out;
}

static Model *with_states(Overdamped *o) {
  o->states = (AsStates){
      .cx = o->cx, .from = o->from, .n = o->n, .at = o->at, .rate = o->rate, .symbol = o->symbol};
  as_states_divide(&o->states);
  tell_velocities(o);
  divide_forces(o);
  as_states_put(&o->states);
  o->states.out->overflow = count_power(o);
  return o->states.out;
}

Model *model_overdamped(Model *model) {
  Context *cx = model->cx;
  // bodies bring their own inertia, solids in space theirs
  if (model->origin || model->mechanism.bodies.n || model->space.solids.n) return model;
  bool may_be = false;
  Expr T = model_inertial_energy(model);
  for (uint32_t i = 0; i < model->coordinates.n && !may_be; i++)
    may_be = !expr_depends(cx, T, model->coordinates.at[i].qd);
  System *system;
  if (!may_be || model_system(model, DERIVE_BASIC, &system) != QDOT_OK) return model;
  Mark mark = arena_mark(&cx->scratch);
  Overdamped o = {.cx = cx, .from = model, .s = system};
  find_them(&o);
  Expr *A = arena_array(&cx->scratch, Expr, (size_t)o.n * o.n + 1);
  Expr *b = arena_array(&cx->scratch, Expr, o.n + 1);
  bool good = o.n > 0 && o.n < system->n && split_balances(&o, A, b) && solve_balances(&o, A, b);
  Model *moving = good ? with_states(&o) : model;
  arena_release(&cx->scratch, mark);
  return moving;
}
