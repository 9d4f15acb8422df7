// Equality of formulations after projection onto the same coordinates.
#include "derive/agreement.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "expr/value/bound.h"
#include "expr/value/eval.h"
#include "expr/walk.h"

#define ONE_BY_ONE 3000  // nodes up to which every identity is decided for itself
#define EXACT_SIZE 60000 // nodes up to which they are decided at all, else tried at points
#define POINTS 16
#define TRIES 64

// left = right, for all values.
typedef struct Claim {
  const char *name;
  Expr left, right;
} Claim;
typedef VEC(Claim) Claims;

typedef struct Proving {
  Context *cx;
  System *reference, *other;
  const Expr *y;
  Substitution *list; // coordinates of other, with their rates
  Claims claims;
  Agreement result;
} Proving;

// ---- Random points

static double *scatter(Context *cx, uint64_t *state) {
  uint32_t n = cx->exprs->symbols.n;
  double *values = arena_array(&cx->scratch, double, n);
  for (uint32_t i = 0; i < n; i++) values[i] = 0.2 + 1.6 * random_fraction(state);
  return values;
}

// ---- Claims

static void claim(Proving *p, const char *name, Expr left, Expr right) {
  vec_push(&p->cx->scratch, &p->claims, ((Claim){name, left, right}));
}

static void list_substitutions(Proving *p) {
  Context *cx = p->cx;
  const System *s = p->other;
  p->list = arena_array(&cx->scratch, Substitution, 3 * s->n);
  for (uint32_t i = 0; i < s->n; i++) {
    Expr rate = expr_time_derivative(cx, p->y[i]);
    p->list[3 * i] = (Substitution){s->q[i], p->y[i]};
    p->list[3 * i + 1] = (Substitution){s->qd[i], rate};
    p->list[3 * i + 2] = (Substitution){s->qdd[i], expr_time_derivative(cx, rate)};
  }
}

static void put_coordinates(Proving *p, Expr *e, size_t n) {
  expr_subst_many(p->cx, e, n, p->list, 3 * p->other->n, e);
}

// r = inertia + D + G - Q, for every coordinate.
static Expr *residuals(Context *cx, System *s) {
  derive_inertia(cx, s);
  Expr *r = arena_array(&cx->scratch, Expr, s->n);
  for (uint32_t i = 0; i < s->n; i++)
    r[i] = expr_sum(cx, (Expr[]){s->inertia[i], s->D[i], s->G[i], expr_neg(cx, s->Q[i])}, 4);
  return r;
}

static void claim_equations(Proving *p) {
  Context *cx = p->cx;
  uint32_t n = p->reference->n;
  Expr *r = residuals(cx, p->reference), *r_other = residuals(cx, p->other);
  Expr *projected = arena_array(&cx->scratch, Expr, n);
  put_coordinates(p, r_other, p->other->n);
  expr_pull_back(cx, p->y, r_other, p->other->n, p->reference->q, n, projected);
  for (uint32_t i = 0; i < n; i++)
    claim(p, symbol_text(cx, symbol_name(cx, p->reference->q[i])), projected[i], r[i]);
}

static const Row *row_named(const Row *rows, uint32_t n, Symbol name) {
  for (uint32_t i = 0; i < n; i++)
    if (rows[i].name == name) return &rows[i];
  return NULL;
}

// A constraint may be written with the other sign, or an angle by its sine: whichever has its value
// at a point.
static Expr variant_of(Proving *p, Expr mine, Expr theirs) {
  Context *cx = p->cx;
  Expr variants[3] = {theirs, expr_neg(cx, theirs), expr_sin(cx, theirs)};
  Mark mark = arena_mark(&cx->scratch);
  uint64_t state = 7;
  double *values = scatter(cx, &state), at = expr_eval(cx, mine, values);
  Expr best = theirs;
  for (int k = 2; k >= 0; k--)
    if (fabs(expr_eval(cx, variants[k], values) - at) <= 1e-9 * fmax(1, fabs(at)))
      best = variants[k];
  arena_release(&cx->scratch, mark);
  return best;
}

static void claim_rows(Proving *p, const Row *rows, uint32_t n, const Row *reference,
                       uint32_t reference_count) {
  Context *cx = p->cx;
  uint32_t found = 0;
  Expr *phi = arena_array(&cx->scratch, Expr, n);
  for (uint32_t i = 0; i < n; i++) phi[i] = rows[i].phi;
  put_coordinates(p, phi, n);
  for (uint32_t i = 0; i < n; i++) {
    const Row *match = row_named(reference, reference_count, rows[i].name);
    found += match != NULL;
    p->result.satisfied += match == NULL;
    Expr right = match ? variant_of(p, phi[i], match->phi) : expr_int(cx, 0);
    claim(p, symbol_text(cx, rows[i].name), phi[i], right);
  }
  p->result.shared += found;
  if (found == reference_count) return;
  p->result.equality = EQUAL_NO;
  p->result.where = "the number of constraints";
}

// ---- Deciding

static int weakness(const Evidence *e) {
  static const int order[] = {
      [EVIDENCE_SAME] = 0,   [EVIDENCE_NORMAL_FORM] = 1, [EVIDENCE_FIELD] = 2,
      [EVIDENCE_DIGITS] = 3, [EVIDENCE_POINT] = 4,       [EVIDENCE_NONE] = 5,
  };
  return order[e->kind];
}

static Evidence weaker(Evidence a, Evidence b) {
  Evidence result = weakness(&a) >= weakness(&b) ? a : b;
  if (a.kind == EVIDENCE_FIELD && b.kind == EVIDENCE_FIELD) {
    result.error = a.error + b.error;
    result.points = a.points < b.points ? a.points : b.points;
  }
  if (a.kind == EVIDENCE_DIGITS && b.kind == EVIDENCE_DIGITS)
    result.digits = a.digits < b.digits ? a.digits : b.digits;
  return result;
}

// No beats unknown, unknown beats yes.
static Equality both(Equality a, Equality b) {
  if (a == EQUAL_NO || b == EQUAL_NO) return EQUAL_NO;
  return a == EQUAL_YES && b == EQUAL_YES ? EQUAL_YES : EQUAL_UNKNOWN;
}

static void enter(Proving *p, Equality equality, Evidence evidence, const char *where) {
  if (equality != EQUAL_YES && !p->result.where) p->result.where = where;
  p->result.equality = both(p->result.equality, equality);
  p->result.evidence = weaker(p->result.evidence, evidence);
}

static void decide_one_by_one(Proving *p) {
  for (uint32_t i = 0; i < p->claims.n; i++) {
    const Claim *c = &p->claims.at[i];
    Evidence evidence;
    Equality equality = expr_equal(p->cx, c->left, c->right, &evidence);
    enter(p, equality, evidence, c->name);
  }
}

// One identity for all: a sum of both sides, each claim with a symbol of its own for a weight.
static Claim weighted(Proving *p) {
  Context *cx = p->cx;
  Expr *left = arena_array(&cx->scratch, Expr, p->claims.n);
  Expr *right = arena_array(&cx->scratch, Expr, p->claims.n);
  for (uint32_t i = 0; i < p->claims.n; i++) {
    // no name of a model has a blank
    Symbol name = symbol_from_text(cx, text_format(&cx->scratch, "weight %u", i));
    Expr weight = expr_symbol(cx, SYMBOL_PARAMETER, name);
    left[i] = expr_mul(cx, weight, p->claims.at[i].left);
    right[i] = expr_mul(cx, weight, p->claims.at[i].right);
  }
  return (Claim){NULL, expr_sum(cx, left, p->claims.n), expr_sum(cx, right, p->claims.n)};
}

// Values at random points, with bounds of their rounding errors.
static void try_points(Proving *p, Claim all) {
  Context *cx = p->cx;
  uint64_t state = 11;
  uint32_t found = 0;
  double worst = 0;
  for (int i = 0; i < TRIES && found < POINTS; i++) {
    Mark mark = arena_mark(&cx->scratch);
    double *values = scatter(cx, &state);
    Bounded a = expr_eval_bounded(cx, all.left, values);
    Bounded b = expr_eval_bounded(cx, all.right, values);
    arena_release(&cx->scratch, mark);
    double size = fmax(fabs(a.value), fabs(b.value)), error = a.error + b.error;
    if (!isfinite(size) || !(error < 1e-3 * size)) continue;
    if (fabs(a.value - b.value) > error) {
      enter(p, EQUAL_NO, (Evidence){.kind = EVIDENCE_POINT, .points = 1}, "a random state");
      return;
    }
    found++;
    worst = fmax(worst, error / size);
  }
  int digits = worst > 0 ? (int)floor(-log10(worst)) : 15;
  Evidence evidence = {.kind = EVIDENCE_NONE};
  if (found) evidence = (Evidence){.kind = EVIDENCE_DIGITS, .points = found, .digits = digits};
  enter(p, EQUAL_UNKNOWN, evidence, NULL);
}

static size_t claims_size(Proving *p) {
  Context *cx = p->cx;
  Mark mark = arena_mark(&cx->scratch);
  Expr *roots = arena_array(&cx->scratch, Expr, 2 * p->claims.n);
  for (uint32_t i = 0; i < p->claims.n; i++)
    roots[2 * i] = p->claims.at[i].left, roots[2 * i + 1] = p->claims.at[i].right;
  size_t size = expr_walk(cx, roots, 2 * p->claims.n, visit_all, NULL).n;
  arena_release(&cx->scratch, mark);
  return size;
}

static void decide(Proving *p) {
  size_t size = claims_size(p);
  p->result.identities = p->claims.n;
  if (size <= ONE_BY_ONE) {
    decide_one_by_one(p);
    return;
  }
  Claim all = weighted(p);
  if (size > EXACT_SIZE) {
    try_points(p, all);
    return;
  }
  Evidence evidence;
  Equality equality = expr_equal(p->cx, all.left, all.right, &evidence);
  if (equality == EQUAL_YES)
    enter(p, equality, evidence, NULL);
  else
    decide_one_by_one(p);
}

// ---- The whole

Agreement agreement_prove(Context *cx, System *reference, System *other, const Expr *y) {
  Mark mark = arena_mark(&cx->scratch);
  Proving p = {.cx = cx, .reference = reference, .other = other, .y = y};
  p.result = (Agreement){.equality = EQUAL_YES, .evidence = {.kind = EVIDENCE_SAME}};
  list_substitutions(&p);
  claim_equations(&p);
  claim_rows(&p, other->rows, other->row_count, reference->rows, reference->row_count);
  claim_rows(&p, other->contacts, other->contact_count, reference->contacts,
             reference->contact_count);
  decide(&p);
  // as many constraints are gone as coordinates
  if (p.result.equality == EQUAL_YES && other->n != reference->n + p.result.satisfied) {
    p.result.equality = EQUAL_NO;
    p.result.where = "the number of coordinates";
  }
  arena_release(&cx->scratch, mark);
  return p.result;
}

Agreement agreement_vanish(Context *cx, const Expr *at, uint32_t n) {
  Mark mark = arena_mark(&cx->scratch);
  Proving p = {.cx = cx};
  p.result = (Agreement){.equality = EQUAL_YES, .evidence = {.kind = EVIDENCE_SAME}};
  for (uint32_t i = 0; i < n; i++) claim(&p, "a rate", at[i], expr_int(cx, 0));
  decide(&p);
  arena_release(&cx->scratch, mark);
  return p.result;
}

const Expr *agreement_coordinates(Context *cx, const Model *model, const Expr *poses) {
  const Mechanism *m = &model->origin->mechanism;
  uint32_t n = model->coordinates.n, count = 3 * m->bodies.n;
  Expr *y = arena_array(&cx->keep, Expr, n);
  Mark mark = arena_mark(&cx->scratch);
  Substitution *list = arena_array(&cx->scratch, Substitution, count);
  for (uint32_t i = 0; i < count; i++)
    list[i] = (Substitution){m->bodies.at[i / 3].pose[i % 3], poses[i]};
  for (uint32_t i = 0; i < n; i++) y[i] = model->meanings.at[i].pose;
  expr_subst_many(cx, y, n, list, count, y);
  arena_release(&cx->scratch, mark);
  return y;
}

Agreement agreement_and(Agreement a, Agreement b) {
  Agreement result = {.equality = both(a.equality, b.equality),
                      .evidence = weaker(a.evidence, b.evidence),
                      .where = a.where ? a.where : b.where,
                      .identities = a.identities + b.identities,
                      .satisfied = a.satisfied + b.satisfied,
                      .shared = a.shared};
  return result;
}
