// Residues of a graph.
#include "expr/algebra/field.h"

#include <assert.h>

#include "expr/algebra/expand.h"
#include "expr/algebra/residue.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/walk.h"

// Safe primes p ((p - 1)/2 is prime too: odd roots are unique and -1 is not a square) in which
// 2, 3, 5, 7, 11 and 13 are squares and 1440 divides p + 1, the order of the circle. So it has a
// point of order 1440 for the angle pi/720; the one listed has the cosines of pi/4, pi/6 and pi/5
// that belong to the square roots of 2, 3 and 5.
static const struct {
  uint64_t p, c, s;
} primes[] = {
    {2305843009213348799u, 2043701036168389333u, 338726436361497363u},
    {2305843009212342239u, 1881194953071830112u, 1555298284871612439u},
    {2305843009208370719u, 1629113664290592194u, 1735607634687450810u},
    {2305843009207788959u, 499436886406287152u, 1960058411340132221u},
    {2305843009205044319u, 1753257214354570041u, 1005242212798930528u},
    {2305843009204129919u, 246490709286871045u, 1104486110416338352u},
    {2305843009202623679u, 282889057834780474u, 1991077972635482636u},
    {2305843009199543519u, 2196369563035098605u, 1689470620568832957u},
    {2305843009198925759u, 2277263304023660912u, 425897546091557964u},
    {2305843009198807679u, 266613154024957580u, 254125383348542968u},
    {2305843009198410239u, 510548898896225433u, 1775328226578177956u},
    {2305843009196304959u, 517620047729244316u, 1607125146901916270u},
};
#define PRIME_COUNT (sizeof primes / sizeof *primes)
#define STEPS_OF_PI 720
#define ARGUMENT_WORK 100000 // term operations for all arguments

double field_prime(void) {
  const size_t last = PRIME_COUNT - 1;
  return (double)primes[last].p;
}

// ---- The plan

// An independent angle, or exponent, of which multiples occur.
typedef struct Atom {
  Expr expr;
  bool circular;
  int64_t denominator; // multiples are taken of expr / denominator
  uint64_t c, s;       // its point on the circle; the exponential in c
} Atom;

typedef struct Multiple {
  uint32_t atom;
  Number factor;
} Multiple;

// The argument of a sine or exponential as a sum of multiples and steps * pi/720.
typedef struct Argument {
  uint32_t first, n;
  int64_t steps;
} Argument;

typedef struct Degree {
  double top, bottom;
} Degree;

struct FieldPlan {
  Context *cx;
  ExprList list;
  ExprMemo *index;     // node -> place in list + 1
  ExprMemo *arguments; // function node -> argument + 1; absent where it is opaque
  VEC(Atom) atoms;
  VEC(Multiple) multiples;
  VEC(Argument) all;
  Degree *degree;
  uint64_t *value;
  Expansion *normal; // of arguments; NULL until one needs it
  bool exact, roots;
  uint64_t p, seed;
  uint64_t step_c, step_s; // of pi/720
};

static bool is_circular(Op op) { return op == OP_SIN || op == OP_COS || op == OP_TAN; }

static bool is_exponential(Op op) {
  return op == OP_EXP || op == OP_SINH || op == OP_COSH || op == OP_TANH;
}

// A product of whole powers of symbols: different ones are independent angles.
static bool is_simple_monomial(const Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  if (node->op == OP_SYMBOL) return true;
  if (node->op != OP_PRODUCT) return false;
  for (uint32_t i = 0; i < node->count; i++) {
    Pair p = pairs_of(node)[i];
    if (op_of(cx, p.expr) != OP_SYMBOL || !number_is_integer(cx, p.number)) return false;
  }
  return true;
}

static bool is_simple_argument(const Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  if (node->op != OP_SUM) return is_simple_monomial(cx, e);
  for (uint32_t i = 0; i < node->count; i++) {
    Expr part = pairs_of(node)[i].expr;
    if (part != cx->exprs->pi && !is_simple_monomial(cx, part)) return false;
  }
  return true;
}

static uint32_t atom_of(FieldPlan *f, Expr expr, bool circular) {
  for (uint32_t i = 0; i < f->atoms.n; i++) {
    if (f->atoms.at[i].expr == expr && f->atoms.at[i].circular == circular) return i;
  }
  vec_push(&f->cx->scratch, &f->atoms, ((Atom){expr, circular, 1, 0, 0}));
  return f->atoms.n - 1;
}

static int64_t least_common_multiple(int64_t a, int64_t b) {
  int64_t x = a, y = b;
  while (y) {
    int64_t rest = x % y;
    x = y, y = rest;
  }
  return a / x * b;
}

// factor * expr as a part of the argument; false when the numbers are too large.
static bool add_part(FieldPlan *f, Argument *argument, Expr expr, Number factor, bool circular) {
  Context *cx = f->cx;
  int64_t numerator, denominator;
  if (expr == cx->exprs->pi && circular &&
      number_to_int(cx, number_mul(cx, factor, number_int(cx, STEPS_OF_PI)), &numerator)) {
    argument->steps = numerator % (2 * STEPS_OF_PI);
    return true;
  }
  if (!number_to_ratio(cx, factor, &numerator, &denominator)) return false;
  if (denominator > 1000 || numerator > 100000 || numerator < -100000) return false;
  if (!is_simple_monomial(cx, expr)) f->exact = false;
  uint32_t atom = atom_of(f, expr, circular);
  Atom *a = &f->atoms.at[atom];
  a->denominator = least_common_multiple(a->denominator, denominator);
  vec_push(&cx->scratch, &f->multiples, ((Multiple){atom, factor}));
  argument->n++;
  return a->denominator < 1000000;
}

// The normal form of an argument, by an expansion that all share; e when it is too large.
static Expr normal_argument(FieldPlan *f, Expr e) {
  if (!f->normal) f->normal = expansion_open(f->cx, EXPAND_FOURIER, ARGUMENT_WORK);
  if (!expansion_run(f->normal, &e, 1)) return e;
  Fraction form = expansion_fraction(f->normal, e);
  return fraction_to_expr(f->cx, &form);
}

static bool add_argument(FieldPlan *f, Expr e, bool circular, Argument *argument) {
  Context *cx = f->cx;
  if (!is_simple_argument(cx, e)) e = normal_argument(f, e);
  const Node *node = node_of(cx, e);
  *argument = (Argument){.first = f->multiples.n};
  if (node->op != OP_SUM)
    return add_part(f, argument, expr_without_coefficient(cx, e), expr_coefficient(cx, e),
                    circular);
  if (node->number != NUMBER_ZERO && !add_part(f, argument, cx->exprs->one, node->number, circular))
    return false;
  for (uint32_t i = 0; i < node->count; i++) {
    if (!add_part(f, argument, pairs_of(node)[i].expr, pairs_of(node)[i].number, circular))
      return false;
  }
  return true;
}

static void plan_function(FieldPlan *f, Expr e) {
  const Node *node = node_of(f->cx, e);
  Op op = (Op)node->op;
  if (op >= OP_ABS && op != OP_EQ) f->roots = true;
  if (!is_circular(op)) f->exact = false;
  if (!is_circular(op) && !is_exponential(op)) return;
  Argument argument;
  if (!add_argument(f, node->args[0], is_circular(op), &argument)) {
    f->exact = false;
    return;
  }
  vec_push(&f->cx->scratch, &f->all, argument);
  memo_set(f->cx, f->arguments, e, f->all.n);
}

static void plan_product(FieldPlan *f, const Node *node) {
  for (uint32_t i = 0; i < node->count; i++) {
    if (!number_is_integer(f->cx, pairs_of(node)[i].number)) f->exact = false, f->roots = true;
  }
}

// ---- Degrees

static Degree degree_of(const FieldPlan *f, Expr e) { return f->degree[memo_get(f->index, e) - 1]; }

static Degree degree_of_sum(const FieldPlan *f, const Node *node) {
  Degree out = {0, 0};
  for (uint32_t i = 0; i < node->count; i++)
    out.bottom += degree_of(f, pairs_of(node)[i].expr).bottom;
  out.top = out.bottom;
  for (uint32_t i = 0; i < node->count; i++) {
    Degree d = degree_of(f, pairs_of(node)[i].expr);
    double top = d.top + out.bottom - d.bottom;
    if (top > out.top) out.top = top;
  }
  return out;
}

static Degree degree_of_product(const FieldPlan *f, const Node *node) {
  Degree out = {0, 0};
  for (uint32_t i = 0; i < node->count; i++) {
    Degree d = degree_of(f, pairs_of(node)[i].expr);
    double n = number_to_double(f->cx, pairs_of(node)[i].number);
    out.top += n > 0 ? n * d.top : -n * d.bottom;
    out.bottom += n > 0 ? n * d.bottom : -n * d.top;
  }
  return out;
}

static double whole_multiple(const FieldPlan *f, Multiple m) {
  return number_to_double(f->cx, m.factor) * (double)f->atoms.at[m.atom].denominator;
}

// Of a point on the circle by rational parameters: 2 for each multiple.
static Degree degree_of_function(const FieldPlan *f, Expr e) {
  uint32_t place = memo_get(f->arguments, e);
  if (!place) return (Degree){1, 0};
  const Argument *a = &f->all.at[place - 1];
  double n = 0;
  for (uint32_t i = 0; i < a->n; i++) {
    double k = whole_multiple(f, f->multiples.at[a->first + i]);
    n += 2 * (k < 0 ? -k : k);
  }
  return (Degree){n, n};
}

static Degree degree_of_node(const FieldPlan *f, Expr e) {
  const Node *node = node_of(f->cx, e);
  switch (node->op) {
  case OP_NUMBER: return (Degree){0, 0};
  case OP_PI:
  case OP_SYMBOL: return (Degree){1, 0};
  case OP_SUM: return degree_of_sum(f, node);
  case OP_PRODUCT: return degree_of_product(f, node);
  case OP_IF: {
    Degree a = degree_of(f, node->args[1]), b = degree_of(f, node->args[2]);
    return (Degree){a.top + b.top, a.bottom + b.bottom};
  }
  case OP_ABS: return degree_of(f, node->args[0]);
  case OP_MIN:
  case OP_MAX: {
    Degree a = degree_of(f, node->args[0]), b = degree_of(f, node->args[1]);
    return (Degree){a.top + b.top, a.bottom + b.bottom};
  }
  default: return degree_of_function(f, e);
  }
}

FieldPlan *field_plan(Context *cx, Expr e) {
  FieldPlan *f = arena_new(&cx->scratch, FieldPlan);
  *f = (FieldPlan){.cx = cx, .exact = true};
  f->index = memo_take(cx);
  f->arguments = memo_take(cx);
  f->list = expr_walk(cx, &e, 1, visit_all, NULL);
  f->degree = arena_array(&cx->scratch, Degree, f->list.n);
  f->value = arena_array(&cx->scratch, uint64_t, f->list.n);
  for (uint32_t i = 0; i < f->list.n; i++) {
    Expr node = f->list.at[i];
    memo_set(cx, f->index, node, i + 1);
    assert(op_of(cx, node) != OP_DEFINITION && expr_is_defined(cx, node));
    if (op_of(cx, node) == OP_PRODUCT) plan_product(f, node_of(cx, node));
    if (op_is_function(op_of(cx, node))) plan_function(f, node);
  }
  for (uint32_t i = 0; i < f->list.n; i++) f->degree[i] = degree_of_node(f, f->list.at[i]);
  return f;
}

void field_close(FieldPlan *f) {
  if (f->normal) expansion_close(f->normal);
  memo_give(f->cx, f->arguments);
  memo_give(f->cx, f->index);
}

bool field_is_exact(const FieldPlan *f) { return f->exact; }
bool field_has_roots(const FieldPlan *f) { return f->roots; }

double field_degree(const FieldPlan *f) {
  Degree d = f->degree[f->list.n - 1];
  return d.top + d.bottom;
}

// ---- Values

static uint64_t value_of(const FieldPlan *f, Expr e) { return f->value[memo_get(f->index, e) - 1]; }

// a^exponent; false for a pole or a missing root.
static bool value_of_power(const FieldPlan *f, uint64_t a, Number exponent, uint64_t *out) {
  uint64_t p = f->p;
  int64_t n, d;
  if (!number_to_ratio(f->cx, exponent, &n, &d) || (a == 0 && n < 0)) return false;
  for (; d % 2 == 0; d /= 2) {
    if (!residue_root(p, a, &a)) return false;
  }
  if (d > 1) a = residue_odd_root(p, a, (uint64_t)d);
  uint64_t size = (uint64_t)(n < 0 ? -n : n);
  a = residue_power(p, a, size);
  *out = n < 0 ? residue_inverse(p, a) : a;
  return true;
}

// Points of the atoms; false where a parameter is unfit.
static bool place_atoms(FieldPlan *f) {
  uint64_t p = f->p;
  for (uint32_t i = 0; i < f->atoms.n; i++) {
    Atom *a = &f->atoms.at[i];
    uint64_t t = residue_random(p, f->seed, a->expr, 2 + a->circular),
             square = residue_mul(p, t, t);
    a->c = t;
    if (!a->circular && t == 0) return false;
    if (!a->circular) continue;
    // c = (1 - t^2)/(1 + t^2), s = 2t/(1 + t^2); 1 + t^2 is never 0 as -1 is not a square
    uint64_t d = residue_inverse(p, residue_add(p, 1, square));
    a->c = residue_mul(p, residue_sub(p, 1, square), d);
    a->s = residue_mul(p, residue_add(p, t, t), d);
  }
  return true;
}

// The point of an argument: cosine and sine, or the exponential in c.
static void place_argument(const FieldPlan *f, const Argument *argument, bool circular, uint64_t *c,
                           uint64_t *s) {
  uint64_t p = f->p;
  *c = 1, *s = 0;
  for (uint32_t i = 0; i < argument->n; i++) {
    Multiple m = f->multiples.at[argument->first + i];
    const Atom *a = &f->atoms.at[m.atom];
    int64_t n = (int64_t)whole_multiple(f, m);
    if (circular)
      residue_turn(p, c, s, a->c, a->s, n);
    else
      *c = residue_mul(
          p, *c,
          residue_power(p, n < 0 ? residue_inverse(p, a->c) : a->c, (uint64_t)(n < 0 ? -n : n)));
  }
  if (circular) residue_turn(p, c, s, f->step_c, f->step_s, argument->steps);
}

static bool value_of_wave(const FieldPlan *f, Op op, const Argument *argument, uint64_t *out) {
  uint64_t p = f->p, c, s, half = (p + 1) / 2;
  place_argument(f, argument, is_circular(op), &c, &s);
  if (op == OP_SIN || op == OP_COS) {
    *out = op == OP_SIN ? s : c;
    return true;
  }
  if (op == OP_TAN) {
    *out = c ? residue_mul(p, s, residue_inverse(p, c)) : 0;
    return c != 0;
  }
  uint64_t back = residue_inverse(p, c), sinh = residue_mul(p, half, residue_sub(p, c, back));
  uint64_t cosh = residue_mul(p, half, residue_add(p, c, back));
  *out = op == OP_EXP ? c : op == OP_SINH ? sinh : cosh;
  if (op == OP_TANH) *out = cosh ? residue_mul(p, sinh, residue_inverse(p, cosh)) : 0;
  return op != OP_TANH || cosh != 0;
}

// |a| by the character: a square counts as positive.
static uint64_t magnitude(uint64_t p, uint64_t a) {
  return residue_character(p, a) < 0 ? residue_sub(p, 0, a) : a;
}

static uint64_t value_of_switch(const FieldPlan *f, const Node *node, const uint64_t *a) {
  uint64_t p = f->p, half = (p + 1) / 2;
  switch (node->op) {
  case OP_ABS: return magnitude(p, a[0]);
  case OP_SIGN: {
    int sign = residue_character(p, a[0]);
    return sign < 0 ? p - 1 : (uint64_t)sign;
  }
  case OP_MIN:
  case OP_MAX: {
    uint64_t sum = residue_add(p, a[0], a[1]), gap = magnitude(p, residue_sub(p, a[0], a[1]));
    return residue_mul(p, half,
                       node->op == OP_MIN ? residue_sub(p, sum, gap) : residue_add(p, sum, gap));
  }
  case OP_IF: return a[0] ? a[1] : a[2];
  case OP_LT: return residue_character(p, residue_sub(p, a[1], a[0])) > 0;
  case OP_LE: return residue_character(p, residue_sub(p, a[0], a[1])) <= 0;
  case OP_EQ: {
    uint64_t low = a[0] < a[1] ? a[0] : a[1], high = a[0] < a[1] ? a[1] : a[0];
    return low == high || residue_random(p, f->seed + OP_EQ, low, high) % 2;
  }
  case OP_AND: return a[0] && a[1];
  case OP_OR: return a[0] || a[1];
  case OP_NOT: return a[0] == 0;
  case OP_TABLE: {
    uint64_t which = residue_random(p, f->seed, node_table(node), node_aspect(node));
    return residue_random(p, which, a[0], OP_TABLE);
  }
  // any other function: random, but a function
  default: return residue_random(p, residue_random(p, f->seed, node->op, 5), a[0], a[1]);
  }
}

static bool value_of_function(const FieldPlan *f, Expr e, uint64_t *out) {
  const Node *node = node_of(f->cx, e);
  uint32_t place = memo_get(f->arguments, e);
  if (place) return value_of_wave(f, (Op)node->op, &f->all.at[place - 1], out);
  uint64_t a[3] = {0, 0, 0};
  for (uint32_t i = 0; i < node->count; i++) a[i] = value_of(f, node->args[i]);
  *out = value_of_switch(f, node, a);
  return true;
}

static bool value_of_node(const FieldPlan *f, Expr e, uint64_t *out) {
  const Node *node = node_of(f->cx, e);
  uint64_t p = f->p, factor;
  switch (node->op) {
  case OP_NUMBER: return number_residue(f->cx, node->number, p, out);
  case OP_PI:
  case OP_SYMBOL: *out = residue_random(p, f->seed, e, 1); return true;
  case OP_SUM:
    if (!number_residue(f->cx, node->number, p, out)) return false;
    for (uint32_t i = 0; i < node->count; i++) {
      if (!number_residue(f->cx, pairs_of(node)[i].number, p, &factor)) return false;
      *out = residue_add(p, *out, residue_mul(p, factor, value_of(f, pairs_of(node)[i].expr)));
    }
    return true;
  case OP_PRODUCT:
    if (!number_residue(f->cx, node->number, p, out)) return false;
    for (uint32_t i = 0; i < node->count; i++) {
      Pair pair = pairs_of(node)[i];
      if (!value_of_power(f, value_of(f, pair.expr), pair.number, &factor)) return false;
      *out = residue_mul(p, *out, factor);
    }
    return true;
  default: return value_of_function(f, e, out);
  }
}

FieldStatus field_evaluate(FieldPlan *f, uint64_t seed, uint32_t point, uint64_t *value) {
  f->p = primes[point % PRIME_COUNT].p;
  f->step_c = primes[point % PRIME_COUNT].c;
  f->step_s = primes[point % PRIME_COUNT].s;
  f->seed = residue_random(f->p, seed, point, 7);
  if (!place_atoms(f)) return FIELD_NO_VALUE;
  for (uint32_t i = 0; i < f->list.n; i++) {
    if (!value_of_node(f, f->list.at[i], &f->value[i])) return FIELD_NO_VALUE;
    if (i % 4096 == 4095) context_poll(f->cx);
  }
  *value = f->value[f->list.n - 1];
  return FIELD_VALUE;
}
