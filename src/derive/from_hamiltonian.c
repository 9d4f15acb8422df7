// From Hamilton's function to a Lagrangian, or to the canonical equations themselves.
#include "derive/from_hamiltonian.h"

#include "derive/as_states.h"
#include "derive/solve_linear.h"
#include "expr/algebra/cost.h"
#include "expr/algebra/expand.h"
#include "expr/algebra/simplify.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "model/momentum.h"

#define READABLE_COST 800 // of L before it is simplified, by expr_cost

typedef struct Canonical {
  Context *cx;
  Model *model;
  uint32_t n;
  const Energy *stated; // the first line of H
  Expr H;
  Expr *q, *qd, *p, *by_p; // by_p: dH/dp
} Canonical;

static const Energy *stated_in(const Model *model) {
  for (uint32_t i = 0; i < model->energies.n; i++)
    if (model->energies.at[i].kind == ENERGY_HAMILTONIAN) return &model->energies.at[i];
  return NULL;
}

static Canonical canonical_of(Model *model, const Energy *stated) {
  Context *cx = model->cx;
  uint32_t n = model->coordinates.n;
  Canonical c = {.cx = cx, .model = model, .n = n, .stated = stated};
  c.H = model_energy(model, ENERGY_HAMILTONIAN);
  c.q = arena_array(&cx->scratch, Expr, n + 1), c.qd = arena_array(&cx->scratch, Expr, n + 1);
  c.p = arena_array(&cx->scratch, Expr, n + 1), c.by_p = arena_array(&cx->scratch, Expr, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    c.q[i] = model->coordinates.at[i].q, c.qd[i] = model->coordinates.at[i].qd;
    c.p[i] = momentum_symbol(model, i);
  }
  expr_gradient(cx, c.H, c.p, n, c.by_p);
  return c;
}

static Expr without_momenta(const Canonical *c, Expr e) {
  Substitution *zero = arena_array(&c->cx->scratch, Substitution, c->n + 1);
  for (uint32_t i = 0; i < c->n; i++) zero[i] = (Substitution){c->p[i], expr_int(c->cx, 0)};
  return expr_subst(c->cx, e, zero, c->n);
}

// ---- L, where H is quadratic in the momenta

// A of q' = A p + c; false where it depends on momenta.
static bool find_factors(const Canonical *c, Expr *A) {
  Context *cx = c->cx;
  expr_jacobian(cx, c->by_p, c->n, c->p, c->n, A);
  for (uint32_t i = 0; i < c->n * c->n; i++) {
    if (expr_has_kind(cx, A[i], KIND_BIT(SYMBOL_STATE))) A[i] = expr_normal(cx, A[i]);
    if (expr_has_kind(cx, A[i], KIND_BIT(SYMBOL_STATE))) return false;
  }
  return true;
}

static bool find_lagrangian(const Canonical *c, Expr *L) {
  Context *cx = c->cx;
  Expr *A = arena_array(&cx->scratch, Expr, (size_t)c->n * c->n + 1), relation;
  Expr *w = arena_array(&cx->scratch, Expr, c->n + 1),
       *P = arena_array(&cx->scratch, Expr, c->n + 1);
  Expr *below = arena_array(&cx->scratch, Expr, c->n + 1);
  if (!find_factors(c, A)) return false;
  for (uint32_t i = 0; i < c->n; i++) w[i] = expr_sub(cx, c->qd[i], without_momenta(c, c->by_p[i]));
  if (!solve_linear(cx, A, w, c->n, P, below, &relation)) return false;
  Expr T = expr_int(cx, 0);
  for (uint32_t i = 0; i < c->n; i++)
    T = expr_add(cx, T, expr_scale(cx, NUMBER_HALF, expr_mul(cx, w[i], P[i])));
  if (expr_cost_with_definitions(cx, T) <= READABLE_COST) T = expr_simplify(cx, T, SIMPLIFY_NORMAL);
  *L = expr_sub(cx, T, without_momenta(c, c->H));
  return true;
}

// ---- The canonical equations, else

static Status refuse(const Canonical *c, Span span, const char *what) {
  Status status =
      diag_error(c->cx, QDOT_UNSUPPORTED, span, "a Hamiltonian like this one takes no %s", what);
  diag_second(c->cx, c->stated->span, "it gives no Lagrangian");
  diag_note(c->cx, "velocities and momenta must follow from each other linearly; else the "
                   "coordinates are states of the canonical equations, which nothing holds");
  return status;
}

static Status check_states(const Canonical *c) {
  const Model *model = c->model;
  if (model->constraints.n) return refuse(c, model->constraints.at[0].span, "constraint");
  if (model->contacts.n) return refuse(c, model->contacts.at[0].span, "contact");
  for (uint32_t i = 0; i < c->n; i++)
    if (model->coordinates.at[i].velocity.kind != INITIAL_NONE)
      return refuse(c, model->coordinates.at[i].velocity.span,
                    "start of a velocity: state the momentum");
  return QDOT_OK;
}

static Measure momentum_measure(const Measure *coordinate) {
  Measure m = {.is_known = coordinate->is_known};
  m.dimension = dimension_div(dimension_base(1, 2, -1), coordinate->dimension);
  return m;
}

// p' = -dH/dq of each momentum, q' = dH/dp of each coordinate.
static Model *with_states(Canonical *c) {
  Context *cx = c->cx;
  uint32_t *at = arena_array(&cx->scratch, uint32_t, c->n);
  Expr *symbol = arena_array(&cx->scratch, Expr, c->n),
       *slope = arena_array(&cx->scratch, Expr, c->n);
  AsStates a = {.cx = cx, .from = c->model, .n = c->n, .at = at, .rate = c->by_p, .symbol = symbol};
  Substitution *states = arena_array(&cx->scratch, Substitution, c->n);
  for (uint32_t i = 0; i < c->n; i++) {
    at[i] = i;
    Symbol name = c->model->coordinates.at[i].name;
    states[i] = (Substitution){c->q[i], expr_symbol(cx, SYMBOL_STATE, name)};
  }
  expr_gradient(cx, c->H, c->q, c->n, slope);
  expr_subst_many(cx, slope, c->n, states, c->n, slope);
  for (uint32_t i = 0; i < c->n; i++) {
    slope[i] = expr_neg(cx, slope[i]);
    Substitution rate = {momentum_rate_symbol(c->model, i), slope[i]};
    vec_push(&cx->scratch, &a.list, rate);
  }
  as_states_divide(&a);
  Model *out = a.out;
  for (uint32_t i = 0; i < c->n; i++) {
    const Coordinate *of = &c->model->coordinates.at[i];
    Symbol name = symbol_name(cx, c->p[i]);
    ModelState state = {.name = name,
                        .s = c->p[i],
                        .sd = momentum_rate_symbol(c->model, i),
                        .value =
                            of->momentum_start.value ? of->momentum_start.value : expr_int(cx, 0),
                        .rate = slope[i],
                        .measure = momentum_measure(&of->measure),
                        .span = of->span,
                        .rate_span = c->stated->span};
    model_add_name(out, name, NAME_STATE, out->states.n, of->span);
    vec_push(&cx->keep, &out->states, state);
  }
  out->energies.n = 0;
  out->members = (typeof(out->members)){0}; // momenta that lines ask for are columns of states
  Symbol H = symbol_from_text(cx, "H");
  if (!model_find(out, H)) {
    Output output = {.name = H,
                     .value = c->H,
                     .measure = {.dimension = dimension_base(1, 2, -2), .is_known = true},
                     .span = c->stated->span};
    model_add_name(out, H, NAME_OUTPUT, out->outputs.n, c->stated->span);
    vec_push(&cx->keep, &out->outputs, output);
  }
  as_states_put(&a);
  out->has_momenta = false; // they are states
  return out;
}

Status canonical_take(Model **model) {
  const Energy *stated = stated_in(*model);
  if (!stated) return QDOT_OK;
  Context *cx = (*model)->cx;
  Mark mark = arena_mark(&cx->scratch);
  Canonical c = canonical_of(*model, stated);
  Expr L;
  Status status = QDOT_OK;
  if (find_lagrangian(&c, &L)) {
    Energy energy = {ENERGY_LAGRANGIAN, 0, L, stated->span};
    vec_push(&cx->keep, &(*model)->energies, energy);
    (*model)->has_momenta = true;
  } else {
    status = check_states(&c);
    if (status == QDOT_OK) *model = with_states(&c);
  }
  arena_release(&cx->scratch, mark);
  return status;
}
