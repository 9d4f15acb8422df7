// From symmetries to integrals: F, the formula, its proof, and which are independent.
#include "derive/roads/integral.h"

#include <math.h>
#include <string.h>

#include "derive/roads/motion_rate.h"
#include "derive/roads/quadratic.h"
#include "derive/roads/symmetry.h"
#include "derive/roads/trial.h"
#include "derive/vanishes.h"
#include "expr/algebra/equal.h"
#include "expr/algebra/simplify.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/print.h"
#include "expr/subst.h"
#include "model/momentum.h"

typedef struct Finding {
  Context *cx;
  System *s;
  ExprList parts; // of L, which is their sum
  Expr *p;        // dL/dq'
  Integrals *out;
} Finding;

// ---- Proofs

bool proved_zero(Context *cx, const Model *model, Expr left, Expr right, bool *by_algebra) {
  Evidence evidence;
  left = open_parameters(cx, model, left), right = open_parameters(cx, model, right);
  Expr difference = expr_sub(cx, left, right);
  if (clearly_not_zero(cx, difference)) return false;
  if (vanishes(cx, difference)) return true;
  if (expr_equal(cx, left, right, &evidence) != EQUAL_YES) return false;
  if (evidence.kind == EVIDENCE_FIELD) *by_algebra = false;
  return true;
}

static Expr characteristic(const Finding *f, const Symmetry *x, uint32_t j) {
  return expr_sub(f->cx, x->xi[j], expr_mul(f->cx, f->s->qd[j], x->tau));
}

// Forces without a potential do no work along the symmetry, rows stay as they are.
static bool nothing_acts(Finding *f, const Symmetry *x, bool *by_algebra) {
  Context *cx = f->cx;
  const System *s = f->s;
  Expr zero = expr_int(cx, 0), work = zero;
  for (uint32_t j = 0; j < s->n; j++) {
    Expr moved = characteristic(f, x, j);
    work = expr_add(cx, work, expr_mul(cx, moved, expr_sub(cx, s->Q[j], s->D[j])));
  }
  if (!proved_zero(cx, s->model, work, zero, by_algebra)) return false;
  if (s->contact_count && !vanishes(cx, x->tau)) return false;
  const Row *const lists[] = {s->rows, s->contacts};
  const uint32_t counts[] = {s->row_count, s->contact_count};
  for (int k = 0; k < 2; k++) {
    for (uint32_t r = 0; r < counts[k]; r++) {
      Expr moved = expr_mul(cx, lists[k][r].phi_t, x->tau);
      for (uint32_t j = 0; j < s->n; j++)
        moved = expr_add(cx, moved, expr_mul(cx, lists[k][r].phi_q[j], x->xi[j]));
      if (!proved_zero(cx, s->model, moved, zero, by_algebra)) return false;
    }
  }
  return true;
}

// ---- F with dF/dt = pr X(L) + L dtau/dt

// The right side for a part of L: t, q and q' move at tau, xi and dxi/dt - q' dtau/dt.
static Expr change_of_part(const Finding *f, const Symmetry *x, Expr part) {
  Context *cx = f->cx;
  const System *s = f->s;
  Expr tau_rate = expr_time_derivative(cx, x->tau), change;
  Rate *rates = arena_array(&cx->scratch, Rate, 2 * s->n + 1);
  for (uint32_t j = 0; j < s->n; j++) {
    Expr rate = expr_time_derivative(cx, x->xi[j]);
    rate = expr_sub(cx, rate, expr_mul(cx, s->qd[j], tau_rate));
    rates[2 * j] = (Rate){s->q[j], x->xi[j]};
    rates[2 * j + 1] = (Rate){s->qd[j], rate};
  }
  rates[2 * s->n] = (Rate){s->t, x->tau};
  expr_diff_along(cx, &part, 1, rates, 2 * s->n + 1, &change);
  return expr_add(cx, change, expr_mul(cx, part, tau_rate));
}

// Term by term: most have none, and what is left is short.
static Expr change_of_action(const Finding *f, const Symmetry *x) {
  Context *cx = f->cx;
  Expr sum = expr_int(cx, 0);
  for (uint32_t i = 0; i < f->parts.n; i++) {
    Expr change = open_parameters(cx, f->s->model, change_of_part(f, x, f->parts.at[i]));
    if (!vanishes(cx, change)) sum = expr_add(cx, sum, change);
  }
  return sum;
}

static Expr without_velocities(const Finding *f, Expr e) {
  Substitution *list = arena_array(&f->cx->scratch, Substitution, f->s->n);
  for (uint32_t i = 0; i < f->s->n; i++) list[i] = (Substitution){f->s->qd[i], expr_int(f->cx, 0)};
  return expr_subst(f->cx, e, list, f->s->n);
}

// F += what is missing of dF/dv = slope; false where no antiderivative is found.
static bool extend(Context *cx, Expr *F, Expr slope, Expr v) {
  Expr rest = expr_sub(cx, slope, expr_diff(cx, *F, v));
  if (vanishes(cx, rest)) return true;
  Expr part = antiderivative(cx, expr_simplify(cx, expr_open(cx, rest), SIMPLIFY_NORMAL), v);
  if (!part) return false;
  *F = expr_add(cx, *F, part);
  return true;
}

static bool find_boundary_term(const Finding *f, Expr change, Expr *F) {
  Context *cx = f->cx;
  const System *s = f->s;
  *F = expr_int(cx, 0);
  if (vanishes(cx, change)) return true;
  Expr *slope = arena_array(&cx->scratch, Expr, s->n);
  expr_gradient(cx, change, s->qd, s->n, slope);
  for (uint32_t i = 0; i < s->n; i++)
    if (!extend(cx, F, without_velocities(f, slope[i]), s->q[i])) return false;
  return extend(cx, F, without_velocities(f, change), s->t);
}

// p xi - E tau - F, where F is proved to be what the action changes by.
static bool formula_of(Finding *f, const Symmetry *x, Integral *out) {
  Context *cx = f->cx;
  const System *s = f->s;
  Expr change = change_of_action(f, x), F;
  out->is_algebraic = true;
  if (!find_boundary_term(f, change, &F)) return false;
  if (!proved_zero(cx, s->model, change, expr_time_derivative(cx, F), &out->is_algebraic) ||
      !nothing_acts(f, x, &out->is_algebraic))
    return false;
  Expr sum = expr_neg(cx, expr_add(cx, F, expr_mul(cx, s->energy, x->tau)));
  for (uint32_t j = 0; j < s->n; j++) sum = expr_add(cx, sum, expr_mul(cx, f->p[j], x->xi[j]));
  // the energy counts as it is, not less it
  if (x->parts == SYMMETRY_TIME) sum = expr_neg(cx, sum);
  out->value = expr_simplify(cx, sum, SIMPLIFY_NORMAL);
  // what has a boundary term is not the momentum of its coordinate
  if (out->kind == INTEGRAL_MOMENTUM && !expr_is_zero(cx, F)) out->kind = INTEGRAL_COMMON_MOMENTUM;
  return true;
}

// ---- What they are called

static IntegralKind kind_of(const Finding *f, const Symmetry *x) {
  const System *s = f->s;
  if (x->parts & (SYMMETRY_SCALE | SYMMETRY_BEND)) return INTEGRAL_SCALING;
  if (x->parts & SYMMETRY_BOOST) return INTEGRAL_BOOST;
  if ((x->parts & SYMMETRY_TIME) && x->parts != SYMMETRY_TIME) return INTEGRAL_TRAVELLING;
  if (x->parts & SYMMETRY_MIX) return INTEGRAL_ANGULAR_MOMENTUM;
  if (x->parts == SYMMETRY_SHIFT)
    return x->entries == 1 ? INTEGRAL_MOMENTUM : INTEGRAL_COMMON_MOMENTUM;
  bool natural = vanishes(f->cx, expr_sub(f->cx, s->energy, expr_add(f->cx, s->T, s->V)));
  return natural ? INTEGRAL_ENERGY : INTEGRAL_JACOBI;
}

static uint32_t first_moved(const Finding *f, const Integral *it) {
  uint32_t i = 0;
  while (i + 1 < f->s->n && expr_is_zero(f->cx, it->xi[i])) i++;
  return i;
}

// Names with a number where several are of a kind.
static void name_all(Finding *f) {
  static const char *const names[INTEGRAL_KINDS] = {"energy",   "jacobi",           NULL,
                                                    "momentum", "angular_momentum", "boost",
                                                    "scaling",  "travelling",       "hidden"};
  Integrals *all = f->out;
  for (uint32_t i = 0; i < all->list.n; i++) {
    Integral *it = &all->list.at[i];
    uint32_t place = 1, count = 0;
    for (uint32_t k = 0; k < all->list.n; k++) {
      count += all->list.at[k].kind == it->kind;
      place += k < i && all->list.at[k].kind == it->kind;
    }
    if (it->kind == INTEGRAL_MOMENTUM)
      it->name = expr_text(f->cx, &f->cx->keep, momentum_symbol(f->s->model, first_moved(f, it)));
    else if (count > 1)
      it->name = text_format(&f->cx->keep, "%s_%u", names[it->kind], place);
    else
      it->name = names[it->kind];
  }
}

// x + 2 y of "common shift of x, 2 y".
static void add_moved(Context *cx, const System *s, const Integral *it, bool with_factors,
                      Text *out) {
  const char *comma = "";
  for (uint32_t i = 0; i < s->n; i++) {
    if (expr_is_zero(cx, it->xi[i])) continue;
    text_add(out, comma);
    expr_print_name(cx, s->q[i], out);
    Expr factor = expr_diff(cx, it->xi[i], s->t);
    if (expr_is_zero(cx, factor)) factor = it->xi[i];
    if (with_factors && !expr_is_one(cx, factor))
      text_addf(out, " by %s", expr_text(cx, &cx->scratch, factor));
    comma = ", ";
  }
}

const char *integral_symmetry(Context *cx, const System *s, const Integral *it) {
  static const char *const words[INTEGRAL_KINDS] = {"shift in time",
                                                    "shift in time",
                                                    "shift of ",
                                                    "common shift of ",
                                                    "rotation of ",
                                                    "shift that grows with time, of ",
                                                    "scaling: ",
                                                    "shift in time with a motion of ",
                                                    "hidden: no symmetry of coordinates and time"};
  Text out = text_new(&cx->keep);
  uint32_t moved = 0;
  for (uint32_t i = 0; it->tau && i < s->n; i++) moved += !expr_is_zero(cx, it->xi[i]);
  bool is_alone = it->kind == INTEGRAL_COMMON_MOMENTUM && moved == 1;
  text_add(&out, words[is_alone ? INTEGRAL_MOMENTUM : it->kind]);
  bool has_factors = it->kind == INTEGRAL_COMMON_MOMENTUM || it->kind == INTEGRAL_BOOST ||
                     it->kind == INTEGRAL_TRAVELLING;
  if (it->kind == INTEGRAL_SCALING) {
    text_addf(&out, "t by %s", expr_text(cx, &cx->scratch, it->tau));
    for (uint32_t i = 0; i < s->n; i++) {
      if (expr_is_zero(cx, it->xi[i])) continue;
      text_addf(&out, ", %s by ", expr_text(cx, &cx->scratch, s->q[i]));
      text_add(&out, expr_text(cx, &cx->scratch, it->xi[i]));
    }
  } else if (it->kind > INTEGRAL_JACOBI && it->kind < INTEGRAL_HIDDEN) {
    add_moved(cx, s, it, has_factors, &out);
  }
  return out.at;
}

// ---- All of them

static void add_symmetry(Finding *f, const Symmetry *x) {
  Integral it = {.kind = kind_of(f, x), .tau = x->tau, .xi = x->xi};
  if (formula_of(f, x, &it))
    vec_push(&f->cx->keep, &f->out->list, it);
  else
    f->out->undecided++;
}

// Those of degree 2, each by its rate along the motion.
static void add_hidden(Finding *f) {
  Context *cx = f->cx;
  ExprList found = {0};
  quadratic_find(cx, f->s, &found);
  for (uint32_t i = 0; i < found.n; i++) {
    Integral it = {.kind = INTEGRAL_HIDDEN, .is_algebraic = true};
    Expr rate = motion_rate(cx, f->s, found.at[i]);
    if (rate && proved_zero(cx, f->s->model, rate, expr_int(cx, 0), &it.is_algebraic)) {
      it.value = expr_simplify(cx, found.at[i], SIMPLIFY_NORMAL);
      vec_push(&cx->keep, &f->out->list, it);
    }
  }
}

// The energy and squares of momenta are found again among those of degree 2.
static void drop_products(Integrals *all) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < all->list.n; i++)
    if (!all->list.at[i].is_dependent || all->list.at[i].kind != INTEGRAL_HIDDEN)
      all->list.at[kept++] = all->list.at[i];
  all->list.n = kept;
}

// Momenta, the energy, angular momenta, what contains the time: where some are functions of others,
// the plain ones stay.
static const int rank_of_kind[INTEGRAL_KINDS] = {
    [INTEGRAL_MOMENTUM] = 0,   [INTEGRAL_COMMON_MOMENTUM] = 1, [INTEGRAL_ANGULAR_MOMENTUM] = 3,
    [INTEGRAL_ENERGY] = 2,     [INTEGRAL_JACOBI] = 2,          [INTEGRAL_BOOST] = 4,
    [INTEGRAL_TRAVELLING] = 5, [INTEGRAL_SCALING] = 6,         [INTEGRAL_HIDDEN] = 7};

static void sort_by(Integrals *all, int (*place)(const Integral *)) {
  for (uint32_t i = 1; i < all->list.n; i++) {
    Integral moving = all->list.at[i];
    uint32_t k = i;
    for (; k > 0 && place(&all->list.at[k - 1]) > place(&moving); k--)
      all->list.at[k] = all->list.at[k - 1];
    all->list.at[k] = moving;
  }
}

static int place_to_choose(const Integral *it) { return rank_of_kind[it->kind]; }

// The energy is what a reader looks for first.
static int place_to_show(const Integral *it) {
  bool is_energy = it->kind <= INTEGRAL_JACOBI;
  return (it->is_dependent ? 100 : 0) + (is_energy ? 0 : 1 + rank_of_kind[it->kind]);
}

static void split_sum(Context *cx, Expr e, ExprList *out) {
  const Node *node = node_of(cx, e);
  bool is_sum = node->op == OP_SUM;
  for (uint32_t i = 0; is_sum && i < node_of(cx, e)->count; i++) {
    Pair pair = pairs_of(node_of(cx, e))[i];
    vec_push(&cx->scratch, out, expr_scale(cx, pair.number, pair.expr));
  }
  vec_push(&cx->scratch, out, is_sum ? expr_number(cx, node_of(cx, e)->number) : e);
}

void integrals_find(Context *cx, System *s, int degree, Integrals *out) {
  *out = (Integrals){0};
  Finding f = {.cx = cx, .s = s, .out = out};
  Mark mark = arena_mark(&cx->scratch);
  split_sum(cx, expr_open(cx, expr_sub(cx, s->T, s->V)), &f.parts);
  f.p = arena_array(&cx->scratch, Expr, s->n + 1);
  expr_gradient(cx, s->T, s->qd, s->n, f.p);
  Symmetries found;
  symmetries_find(cx, s, &found);
  out->undecided = found.unnamed;
  for (uint32_t i = 0; i < found.n; i++) add_symmetry(&f, &found.at[i]);
  if (degree > 1) add_hidden(&f);
  sort_by(out, place_to_choose);
  integrals_judge(cx, s, out);
  drop_products(out);
  sort_by(out, place_to_show);
  name_all(&f);
  arena_release(&cx->scratch, mark);
}
