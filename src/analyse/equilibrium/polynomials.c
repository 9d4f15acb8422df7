// The balance of forces at rest as polynomials of coordinates, of sines and cosines, of
// multipliers.
#include "analyse/equilibrium/polynomials.h"

#include <math.h>
#include <string.h>

#include "expr/value/eval.h"
#include "expr/walk.h"
#include "solve/algebra/dense.h"

enum { MOST_TERMS = 600, MOST_TURNS = 6, MOST_EQUATIONS = POLYNOMIAL_VARIABLES };
// A term below this part of what it was added up from is rounding.
static const double CANCELS = 1e-13;
// What holds sizes of variables near 1 where the equations do not say.
static const double NO_SIZE = 1e-3;

typedef enum Use { USE_NONE, USE_PLAIN, USE_TURNS } Use;

typedef struct Reading {
  Balance *b;
  Arena *arena;
  Expr symbol[2 * POLYNOMIAL_VARIABLES]; // unknown coordinates, then multipliers
  uint32_t number[2 * POLYNOMIAL_VARIABLES], unknowns, coordinates;
  Use use[2 * POLYNOMIAL_VARIABLES];
  uint32_t place[2 * POLYNOMIAL_VARIABLES]; // of the first variable of an unknown
  uint32_t variables;
  bool failed;
} Reading;

// ---- Sums and products

static void add_term(Reading *r, Polynomial *to, double factor, double size, const uint8_t *power) {
  for (uint32_t k = 0; k < to->n; k++)
    if (memcmp(to->at[k].power, power, POLYNOMIAL_VARIABLES) == 0) {
      to->at[k].factor += factor, to->at[k].size += size;
      return;
    }
  Monomial m = {.factor = factor, .size = size};
  memcpy(m.power, power, sizeof m.power);
  if (to->n >= MOST_TERMS)
    r->failed = true;
  else
    vec_push(r->arena, to, m);
}

static Polynomial constant(Reading *r, double value) {
  static const uint8_t none[POLYNOMIAL_VARIABLES] = {0};
  Polynomial p = {0};
  add_term(r, &p, value, fabs(value), none);
  r->failed |= !isfinite(value);
  return p;
}

static Polynomial variable(Reading *r, uint32_t place) {
  uint8_t power[POLYNOMIAL_VARIABLES] = {0};
  Polynomial p = {0};
  power[place] = 1;
  add_term(r, &p, 1, 1, power);
  return p;
}

static void add_times(Reading *r, Polynomial *to, double factor, const Polynomial *p) {
  for (uint32_t k = 0; k < p->n; k++)
    add_term(r, to, factor * p->at[k].factor, fabs(factor) * p->at[k].size, p->at[k].power);
}

static Polynomial times(Reading *r, const Polynomial *a, const Polynomial *b) {
  Polynomial p = {0};
  for (uint32_t i = 0; i < a->n && !r->failed; i++)
    for (uint32_t k = 0; k < b->n; k++) {
      uint8_t power[POLYNOMIAL_VARIABLES];
      for (uint32_t v = 0; v < POLYNOMIAL_VARIABLES; v++) {
        unsigned sum = a->at[i].power[v] + b->at[k].power[v];
        r->failed |= sum > 60;
        power[v] = (uint8_t)sum;
      }
      add_term(r, &p, a->at[i].factor * b->at[k].factor, a->at[i].size * b->at[k].size, power);
    }
  return p;
}

// ---- Expressions

static bool depends(const Reading *r, Expr e) {
  for (uint32_t u = 0; u < r->unknowns; u++)
    if (expr_depends(r->b->cx, e, r->symbol[u])) return true;
  return false;
}

static double value_of(const Reading *r, Expr e) { return expr_eval(r->b->cx, e, r->b->values); }

// The variables of an unknown, made when it is first met; a coordinate is either plain or turns.
static uint32_t place_of(Reading *r, uint32_t u, Use use) {
  if (r->use[u] == USE_NONE) {
    uint32_t count = use == USE_TURNS ? 2 : 1;
    r->failed |= r->variables + count > POLYNOMIAL_VARIABLES;
    if (r->failed) return 0;
    r->use[u] = use;
    r->place[u] = r->variables;
    r->variables += count;
  }
  r->failed |= r->use[u] != use;
  return r->place[u];
}

// The factor of an unknown in an angle, and the rest of the angle; fails where it is not linear.
static double linear_part(Reading *r, Expr e, double *turns) {
  Context *cx = r->b->cx;
  const Node *node = node_of(cx, e);
  if (!depends(r, e)) return value_of(r, e);
  if (node->op == OP_DEFINITION) return linear_part(r, node->args[0], turns);
  if (node->op == OP_SYMBOL) {
    for (uint32_t u = 0; u < r->unknowns; u++) turns[u] += r->symbol[u] == e;
    return 0;
  }
  double rest = 0, inner[2 * POLYNOMIAL_VARIABLES];
  if (node->op == OP_SUM) {
    rest = number_to_double(cx, node->number);
    for (uint32_t i = 0; i < node->count; i++) {
      double factor = number_to_double(cx, pairs_of(node)[i].number);
      memset(inner, 0, sizeof inner);
      rest += factor * linear_part(r, pairs_of(node)[i].expr, inner);
      for (uint32_t u = 0; u < r->unknowns; u++) turns[u] += factor * inner[u];
    }
    return rest;
  }
  r->failed |= node->op != OP_PRODUCT;
  double factor = node->op == OP_PRODUCT ? number_to_double(cx, node->number) : 0;
  memset(inner, 0, sizeof inner);
  bool any = false;
  for (uint32_t i = 0; i < node->count && !r->failed; i++) {
    const Pair *pair = &pairs_of(node)[i];
    double power = number_to_double(cx, pair->number);
    if (!depends(r, pair->expr)) {
      factor *= pow(value_of(r, pair->expr), power);
      continue;
    }
    r->failed |= any || power != 1;
    any = true;
    rest = linear_part(r, pair->expr, inner);
  }
  for (uint32_t u = 0; u < r->unknowns; u++) turns[u] += factor * inner[u];
  return factor * rest;
}

// cos and sin of a sum of whole multiples of coordinates and a constant, by their addition.
static Polynomial turned(Reading *r, Expr angle, bool is_sine) {
  double turns[2 * POLYNOMIAL_VARIABLES] = {0};
  double rest = linear_part(r, angle, turns);
  Polynomial c = constant(r, cos(rest)), s = constant(r, sin(rest));
  for (uint32_t u = 0; u < r->unknowns && !r->failed; u++) {
    double whole = nearbyint(turns[u]);
    r->failed |= fabs(whole - turns[u]) > 1e-12 || fabs(whole) > MOST_TURNS ||
                 (whole != 0 && u >= r->coordinates);
    if (whole == 0 || r->failed) continue;
    uint32_t place = place_of(r, u, USE_TURNS);
    if (r->failed) break;
    Polynomial ci = variable(r, place), si = variable(r, place + 1);
    for (int k = 0; k < (int)fabs(whole); k++) {
      double sign = whole < 0 ? -1 : 1;
      Polynomial cc = times(r, &c, &ci), ss = times(r, &s, &si);
      Polynomial sc = times(r, &s, &ci), cs = times(r, &c, &si);
      add_times(r, &cc, -sign, &ss);
      add_times(r, &sc, sign, &cs);
      c = cc, s = sc;
    }
  }
  return is_sine ? s : c;
}

static Polynomial read(Reading *r, Expr e);

static Polynomial read_product(Reading *r, const Node *node) {
  Context *cx = r->b->cx;
  Polynomial p = constant(r, number_to_double(cx, node->number));
  for (uint32_t i = 0; i < node->count && !r->failed; i++) {
    const Pair *pair = &pairs_of(node)[i];
    double power = number_to_double(cx, pair->number);
    if (!depends(r, pair->expr)) {
      Polynomial by = constant(r, pow(value_of(r, pair->expr), power));
      p = times(r, &p, &by);
      continue;
    }
    r->failed |= power != nearbyint(power) || power < 0 || power > 20;
    if (r->failed) break;
    Polynomial factor = read(r, pair->expr);
    for (int k = 0; k < (int)power; k++) p = times(r, &p, &factor);
  }
  return p;
}

static Polynomial read(Reading *r, Expr e) {
  Context *cx = r->b->cx;
  const Node *node = node_of(cx, e);
  if (r->failed) return (Polynomial){0};
  if (!depends(r, e)) return constant(r, value_of(r, e));
  switch ((Op)node->op) {
  case OP_DEFINITION: return read(r, node->args[0]);
  case OP_PRODUCT: return read_product(r, node);
  case OP_SIN:
  case OP_COS: return turned(r, node->args[0], node->op == OP_SIN);
  case OP_SYMBOL:
    for (uint32_t u = 0; u < r->unknowns; u++)
      if (r->symbol[u] == e) {
        uint32_t place = place_of(r, u, USE_PLAIN);
        return r->failed ? (Polynomial){0} : variable(r, place);
      }
    break;
  case OP_SUM: {
    Polynomial p = constant(r, number_to_double(cx, node->number));
    for (uint32_t i = 0; i < node->count && !r->failed; i++) {
      Polynomial term = read(r, pairs_of(node)[i].expr);
      add_times(r, &p, number_to_double(cx, pairs_of(node)[i].number), &term);
    }
    return p;
  }
  default: break;
  }
  r->failed = true;
  return (Polynomial){0};
}

// ---- The system

static uint32_t degree_of(const Polynomial *p) {
  uint32_t most = 0;
  for (uint32_t k = 0; k < p->n; k++) {
    uint32_t degree = 0;
    for (uint32_t v = 0; v < POLYNOMIAL_VARIABLES; v++) degree += p->at[k].power[v];
    most = degree > most ? degree : most;
  }
  return most;
}

// Without what cancels; false where nothing is left that has a variable.
static bool add_equation(Reading *r, PolynomialSystem *s, Polynomial p) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < p.n; k++)
    if (fabs(p.at[k].factor) > CANCELS * p.at[k].size) p.at[kept++] = p.at[k];
  p.n = kept;
  if (r->failed || s->n == MOST_EQUATIONS || degree_of(&p) == 0) return false;
  s->degree[s->n] = degree_of(&p);
  s->equation[s->n++] = p;
  return true;
}

// Sizes of variables and equations that bring all factors near to 1, by least squares of their
// logarithms (Morgan's SCL): size[v] is that of variable v.
static void scale(Reading *r, PolynomialSystem *s, double *size) {
  uint32_t n = s->n, all = 2 * n;
  double *A = arena_array(r->arena, double, (size_t)all *all),
         *x = arena_array(r->arena, double, all);
  for (uint32_t i = 0; i < all; i++) A[i * all + i] = NO_SIZE;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < s->equation[i].n; k++) {
      const Monomial *m = &s->equation[i].at[k];
      double row[2 * POLYNOMIAL_VARIABLES] = {0};
      for (uint32_t v = 0; v < n; v++) row[v] = m->power[v];
      row[n + i] = 1;
      for (uint32_t a = 0; a < all; a++) {
        x[a] -= row[a] * log(fabs(m->factor));
        for (uint32_t c = 0; c < all; c++) A[a * all + c] += row[a] * row[c];
      }
    }
  if (dense_cholesky((int)all, A, 0) < 0) {
    dense_lower((int)all, A, x);
    dense_lower_transposed((int)all, A, x);
  } else {
    memset(x, 0, all * sizeof *x);
  }
  for (uint32_t v = 0; v < n; v++) size[v] = exp(x[v]);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < s->equation[i].n; k++) {
      Monomial *m = &s->equation[i].at[k];
      m->factor *= exp(x[n + i]);
      for (uint32_t v = 0; v < n; v++) m->factor *= pow(size[v], m->power[v]);
    }
}

static bool add_unknown(Reading *r, Expr symbol, uint32_t number) {
  if (r->unknowns == 2 * POLYNOMIAL_VARIABLES) return false;
  r->symbol[r->unknowns] = symbol;
  r->number[r->unknowns++] = number;
  return true;
}

// Coordinates that may move and multipliers of constraints, all at rest.
static bool list_unknowns(Reading *r, const Steady *start, const SteadyFreedom *free,
                          const bool *is_free) {
  Balance *b = r->b;
  if (b->m != b->system->row_count || b->is_settling) return false; // contacts have cases
  for (uint32_t i = 0; i < b->n; i++) {
    if (start->qd[i] != 0 || (free->held && free->held[i])) return false;
    b->values[symbol_variable(b->cx, b->system->q[i])] = start->q[i];
    b->values[symbol_variable(b->cx, b->system->qd[i])] = 0;
    bool is_fixed = is_free[i] || (free->q_fixed && free->q_fixed[i]);
    if (!is_fixed && !add_unknown(r, b->system->q[i], i)) return false;
    r->coordinates = r->unknowns;
  }
  for (uint32_t k = 0; k < b->m; k++)
    if (b->rows[k]->is_nonholonomic || !add_unknown(r, b->rows[k]->multiplier, k)) return false;
  return r->coordinates > 0;
}

static bool read_system(Reading *r, PolynomialSystem *s) {
  Balance *b = r->b;
  for (uint32_t u = 0; u < r->unknowns && !r->failed; u++) {
    uint32_t i = r->number[u];
    Polynomial p = read(r, u < r->coordinates ? b->applied[i] : b->rows[i]->phi);
    if (u < r->coordinates) {
      Polynomial reaction = read(r, b->reaction[i]);
      add_times(r, &p, 1, &reaction);
    }
    if (!add_equation(r, s, p)) return false;
  }
  for (uint32_t u = 0; u < r->coordinates && !r->failed; u++) {
    if (r->use[u] != USE_TURNS) continue;
    Polynomial c = variable(r, r->place[u]), sine = variable(r, r->place[u] + 1);
    Polynomial circle = times(r, &c, &c), square = times(r, &sine, &sine);
    Polynomial one = constant(r, -1);
    add_times(r, &circle, 1, &square);
    add_times(r, &circle, 1, &one);
    if (!add_equation(r, s, circle)) return false;
  }
  return !r->failed && s->n == r->variables;
}

static void keep_root(Reading *r, const Steady *start, const PolynomialRoot *root,
                      const double *size, BalanceRoots *out) {
  Steady *s = steady_new(r->arena, r->b);
  steady_copy(r->b, start, s);
  for (uint32_t u = 0; u < r->unknowns; u++) {
    uint32_t v = r->place[u];
    double x = creal(root->x[v]) * size[v];
    if (r->use[u] == USE_TURNS) x = atan2(creal(root->x[v + 1]) * size[v + 1], x);
    *(u < r->coordinates ? &s->q[r->number[u]] : &s->lambda[r->number[u]]) = x;
  }
  vec_push(r->arena, &out->at, s);
  vec_push(r->arena, &out->is_sure, root->kind == ROOT_REAL);
}

bool balance_roots(Balance *b, const Steady *start, const SteadyFreedom *free, const bool *is_free,
                   Arena *arena, BalanceRoots *out) {
  enum { MOST_DRAWS = 3 };
  Reading r = {.b = b, .arena = arena};
  PolynomialSystem system = {0};
  double size[POLYNOMIAL_VARIABLES];
  *out = (BalanceRoots){0};
  if (!list_unknowns(&r, start, free, is_free) || !read_system(&r, &system)) return false;
  scale(&r, &system, size);
  PolynomialRoot *roots = NULL;
  uint32_t count = 0;
  for (uint64_t draw = 1; draw <= MOST_DRAWS && !out->are_all; draw++) {
    roots = polynomial_roots(b->cx, arena, &system, draw, &count);
    if (!roots) return false;
    out->are_all = polynomial_roots_are_all(&system, roots, count);
  }
  for (uint32_t k = 0; k < count; k++)
    if (roots[k].kind == ROOT_REAL || roots[k].kind == ROOT_MULTIPLE)
      keep_root(&r, start, &roots[k], size, out);
  return true;
}
