// Working as a person would: differentiate T and V, put the equations together.
#include "derive/steps.h"

#include "derive/balances.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"

#define MOTION (KIND_BIT(SYMBOL_VELOCITY) | KIND_BIT(SYMBOL_ACCELERATION))

typedef struct Work {
  Context *cx;
  const System *system;
  SimplifyLevel level;
  Detail detail;
  ShownSteps *out;
  Expr T, V, R; // in the reader's form, from which the rest is derived
} Work;

static Expr simple(Work *w, Expr e) { return expr_simplify(w->cx, e, w->level); }

Expr steps_spread(Context *cx, Expr e, uint32_t kinds) {
  const Node *node = node_of(cx, e);
  if (node->op != OP_PRODUCT) return e;
  for (uint32_t i = 0; i < node->count; i++) {
    Pair factor = pairs_of(node)[i];
    const Node *sum = node_of(cx, factor.expr);
    if (sum->op != OP_SUM || factor.number != NUMBER_ONE) continue;
    if (kinds && !(sum->kinds & kinds)) continue;
    Expr rest = expr_div(cx, e, factor.expr);
    Expr result = expr_mul(cx, expr_number(cx, sum->number), rest);
    for (uint32_t k = 0; k < sum->count; k++) {
      Pair term = pairs_of(sum)[k];
      Expr scaled = expr_scale(cx, term.number, term.expr);
      result = expr_add(cx, result, expr_mul(cx, scaled, rest));
    }
    return result;
  }
  return e;
}

static Expr add(Work *w, ShownKind kind, uint32_t index, Expr value) {
  Expr simplified = steps_spread(w->cx, simple(w, value), MOTION);
  vec_push(&w->cx->scratch, &w->out->list, ((ShownStep){kind, index, simplified}));
  return simplified;
}

static void energies(Work *w) {
  const System *s = w->system;
  const Model *model = s->model;
  bool parts = w->detail == DETAIL_EVERY ||
               (w->detail == DETAIL_TEXTBOOK && model->energies.n <= TEXTBOOK_ENERGIES);
  for (uint32_t i = 0; parts && i < model->energies.n; i++)
    add(w, SHOWN_ENERGY, i, model->energies.at[i].value);
  w->T = add(w, SHOWN_T, 0, s->T);
  w->V = add(w, SHOWN_V, 0, s->V);
  w->R = simple(w, s->R);
  if (!expr_is_zero(w->cx, w->R)) add(w, SHOWN_R, 0, w->R);
}

// sum of M_ij q''_j + h_i + D_i + G_i, each part in its own form
static Expr equation_of(Work *w, uint32_t i) {
  Context *cx = w->cx;
  const System *s = w->system;
  Mark mark = arena_mark(&cx->scratch);
  Expr *terms = arena_array(&cx->scratch, Expr, s->n + 3);
  for (uint32_t j = 0; j < s->n; j++)
    terms[j] = expr_mul(cx, simple(w, s->M[i * s->n + j]), s->qdd[j]);
  terms[s->n] = simple(w, s->h[i]);
  terms[s->n + 1] = simple(w, s->D[i]);
  terms[s->n + 2] = simple(w, s->G[i]);
  Expr sum = expr_sum(cx, terms, s->n + 3);
  arena_release(&cx->scratch, mark);
  return sum;
}

// sum over rows of phi_q lambda for one coordinate
static Expr force_of(Work *w, const Row *rows, uint32_t count, uint32_t i) {
  Context *cx = w->cx;
  Expr sum = expr_int(cx, 0);
  for (uint32_t r = 0; r < count; r++)
    sum = expr_add(cx, sum, expr_mul(cx, simple(w, rows[r].phi_q[i]), rows[r].multiplier));
  return sum;
}

// The same as a step, where there is such a force.
static void add_force_of(Work *w, ShownKind kind, const Row *rows, uint32_t count, uint32_t i) {
  Expr value = force_of(w, rows, count, i);
  if (!expr_is_zero(w->cx, value))
    vec_push(&w->cx->scratch, &w->out->list, ((ShownStep){kind, i, value}));
}

// Lagrange's equation for one coordinate.
static void coordinate(Work *w, uint32_t i) {
  Context *cx = w->cx;
  const System *s = w->system;
  bool textbook = w->detail == DETAIL_TEXTBOOK && i < TEXTBOOK_COORDINATES;
  bool full = w->detail == DETAIL_EVERY || (textbook && i == 0);
  if (full || textbook) {
    Expr momentum = simple(w, expr_diff(cx, w->T, s->qd[i]));
    Expr rate = simple(w, expr_time_derivative(cx, momentum));
    Expr slope = simple(w, expr_diff(cx, w->T, s->q[i]));
    if (full) {
      add(w, SHOWN_MOMENTUM, i, momentum);
      add(w, SHOWN_MOMENTUM_RATE, i, rate);
      add(w, SHOWN_T_SLOPE, i, slope);
    }
    add(w, SHOWN_T_TERM, i, expr_sub(cx, rate, slope));
    add(w, SHOWN_V_SLOPE, i, expr_diff(cx, w->V, s->q[i]));
    if (!expr_is_zero(cx, w->R)) add(w, SHOWN_R_SLOPE, i, expr_diff(cx, w->R, s->qd[i]));
  }
  if (!expr_is_zero(cx, s->Q[i])) add(w, SHOWN_FORCE, i, s->Q[i]);
  add_force_of(w, SHOWN_MULTIPLIERS, s->rows, s->row_count, i);
  add_force_of(w, SHOWN_CONTACTS, s->contacts, s->contact_count, i);
}

// Phi, its rate, and the second derivative in which q'' appears.
static void row(Work *w, const Row *it, uint32_t i, ShownKind phi, ShownKind rate,
                ShownKind second) {
  Context *cx = w->cx;
  Expr value = add(w, phi, i, it->phi);
  if (w->detail == DETAIL_RESULT) return;
  Expr first = expr_time_derivative(cx, value);
  if (it->is_nonholonomic) {
    add(w, second, i, first);
    return;
  }
  first = simple(w, first);
  if (w->detail == DETAIL_EVERY || i == 0) add(w, rate, i, first);
  if (w->detail == DETAIL_EVERY || i == 0) add(w, second, i, expr_time_derivative(cx, first));
}

// Where lambda has a constant factor: that equation, in which other contacts may act, is solved for
// it.
static void contact_force(Work *w, uint32_t contact) {
  Context *cx = w->cx;
  const System *s = w->system;
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < s->n; i++) {
    Expr slope = s->contacts[contact].phi_q[i];
    if (!expr_is_number(cx, slope) || expr_is_zero(cx, slope)) continue;
    best = i; // the last one: it usually is the obstacle's
  }
  if (best == UINT32_MAX || w->detail == DETAIL_RESULT || s->row_count) return;
  Expr slope = s->contacts[contact].phi_q[best];
  Expr all = force_of(w, s->contacts, s->contact_count, best);
  Expr others = expr_sub(cx, all, expr_mul(cx, slope, s->contacts[contact].multiplier));
  Expr applied = simple(w, s->Q[best]);
  Expr left = expr_sub(cx, applied, expr_add(cx, equation_of(w, best), others));
  add(w, SHOWN_CONTACT_FORCE, contact, expr_div(cx, left, slope));
}

// A force without the friction of contacts.
static Expr without_contacts(Work *w, Expr force) {
  const Model *model = w->system->model;
  Substitution *list = arena_array(&w->cx->scratch, Substitution, 2 * model->contacts.n + 1);
  size_t n = 0;
  for (uint32_t i = 0; i < model->contacts.n; i++) {
    const Contact *c = &model->contacts.at[i];
    if (c->friction) list[n++] = (Substitution){c->friction, expr_int(w->cx, 0)};
    if (c->torque) list[n++] = (Substitution){c->torque, expr_int(w->cx, 0)};
  }
  return n ? expr_subst(w->cx, force, list, n) : force;
}

// Each momentum balance: what changes, and what changes it, loops and contacts left out.
static void balances(Work *w) {
  const Balances *all = w->system->model->balances;
  if (!all || w->detail == DETAIL_RESULT) return;
  uint32_t n =
      w->detail == DETAIL_EVERY || all->n < TEXTBOOK_COORDINATES ? all->n : TEXTBOOK_COORDINATES;
  for (uint32_t i = 0; i < n; i++) {
    const MomentumBalance *b = &all->at[i];
    Expr applied = without_contacts(w, b->Q);
    Expr load = expr_sub(w->cx, applied, expr_add(w->cx, b->G, b->D));
    add(w, SHOWN_BALANCE_RATE, i, b->inertia);
    add(w, SHOWN_BALANCE_LOAD, i, load);
  }
}

void steps_of(Context *cx, const System *system, Detail detail, SimplifyLevel level,
              ShownSteps *out) {
  *out = (ShownSteps){0};
  Work w = {.cx = cx, .system = system, .level = level, .detail = detail, .out = out};
  energies(&w);
  for (uint32_t i = 0; i < system->n; i++) coordinate(&w, i);
  balances(&w);
  for (uint32_t i = 0; i < system->row_count; i++) {
    row(&w, &system->rows[i], i, SHOWN_PHI, SHOWN_PHI_RATE, SHOWN_PHI_SECOND);
    add(&w, SHOWN_GAMMA, i, system->rows[i].gamma);
  }
  for (uint32_t i = 0; i < system->contact_count; i++) {
    row(&w, &system->contacts[i], i, SHOWN_CONTACT_PHI, SHOWN_CONTACT_RATE, SHOWN_CONTACT_SECOND);
    contact_force(&w, i);
  }
}

const ShownStep *steps_find(const ShownSteps *steps, ShownKind kind, uint32_t index) {
  for (uint32_t i = 0; i < steps->list.n; i++)
    if (steps->list.at[i].kind == kind && steps->list.at[i].index == index)
      return &steps->list.at[i];
  return NULL;
}
