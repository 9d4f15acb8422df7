// Directions of velocities: found, and locked while a step is made.
#include "sim/slides.h"

#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "sim/switches.h"

// ---- What they are

// A power of an expression, seen through definitions and through roots.
typedef struct Power {
  Expr base;
  Number exponent;
} Power;

static Power power_of(Context *cx, Pair pair) {
  Power p = {pair.expr, pair.number};
  for (;;) {
    const Node *node = node_of(cx, p.base);
    if (node->op == OP_DEFINITION) {
      p.base = definition_body(cx, p.base);
    } else if (node->op == OP_PRODUCT && node->count == 1 && node->number == NUMBER_ONE) {
      p.exponent = number_mul(cx, p.exponent, pairs_of(node)[0].number);
      p.base = pairs_of(node)[0].expr;
    } else {
      return p;
    }
  }
}

// The root of a term c x^2 y^4 ... that is linear in velocities; 0 for others.
static Expr root_of_term(Context *cx, const System *s, Number number, Expr term) {
  if (number_sign(cx, number) <= 0) return 0;
  const Node *node = node_of(cx, term);
  if (node->op != OP_PRODUCT || number_sign(cx, node->number) <= 0) return 0;
  Number half = number_ratio(cx, 1, 2);
  Expr root = expr_power(cx, expr_number(cx, number_mul(cx, number, node->number)), half);
  uint32_t count = node->count;
  for (uint32_t i = 0; i < count; i++) {
    Pair pair = pairs_of(node_of(cx, term))[i];
    Number exponent = number_mul(cx, pair.number, half);
    if (!number_is_integer(cx, exponent)) return 0;
    root = expr_mul(cx, root, expr_power(cx, pair.expr, exponent));
  }
  bool moves = false;
  for (uint32_t j = 0; j < s->n; j++) {
    Expr slope = expr_diff(cx, root, s->qd[j]);
    if (expr_has_kind(cx, slope, KIND_BIT(SYMBOL_VELOCITY))) return 0;
    moves |= !expr_is_zero(cx, slope);
  }
  return moves ? root : 0;
}

static bool is_slide(Context *cx, const System *s, Expr square, Slide *out) {
  *out = (Slide){.square = square};
  const Node *node = node_of(cx, square);
  if (node->op != OP_SUM) return false;
  if (node->number != NUMBER_ZERO || node->count > MOST_COMPONENTS) return false;
  uint32_t count = node->count;
  for (uint32_t i = 0; i < count; i++) {
    Pair pair = pairs_of(node_of(cx, square))[i];
    Expr u = root_of_term(cx, s, pair.number, pair.expr);
    if (!u) return false;
    out->u[out->in.components++] = u;
  }
  while (out->in.coordinate < s->n &&
         expr_is_zero(cx, expr_diff(cx, square, s->qd[out->in.coordinate])))
    out->in.coordinate++;
  return true;
}

static bool is_below(Context *cx, Power p) {
  return number_sign(cx, p.exponent) < 0 && op_of(cx, p.base) == OP_SUM &&
         expr_has_kind(cx, p.base, KIND_BIT(SYMBOL_VELOCITY));
}

static Slide *slide_of(Context *cx, const Slides *slides, Expr base) {
  Expr square = expr_open(cx, base);
  for (uint32_t i = 0; i < slides->all.n; i++)
    if (slides->all.at[i].square == square) return &slides->all.at[i];
  return NULL;
}

Slides system_slides(Context *cx, const System *s) {
  Slides slides = {0};
  ExprList roots = system_acting_expressions(cx, s);
  ExprList all = expr_walk(cx, roots.at, roots.n, visit_all, NULL);
  for (uint32_t i = 0; i < all.n; i++) {
    uint32_t count = op_of(cx, all.at[i]) == OP_PRODUCT ? node_of(cx, all.at[i])->count : 0;
    for (uint32_t k = 0; k < count; k++) {
      Power p = power_of(cx, pairs_of(node_of(cx, all.at[i]))[k]);
      Slide slide;
      if (!is_below(cx, p) || slide_of(cx, &slides, p.base)) continue;
      if (!is_slide(cx, s, expr_open(cx, p.base), &slide)) continue;
      slide.in.first_input = slides.inputs;
      slides.inputs += 1 + slide.in.components + s->n;
      vec_push(&cx->scratch, &slides.all, slide);
    }
  }
  return slides;
}

// ---- Locked

// u r < 0
static Slot is_turned(const SlideLock *lock, Flattener *f, const Slide *slide) {
  ProgramBuilder *b = f->builder;
  Slot sum = program_constant(b, 0);
  for (uint32_t k = 0; k < slide->in.components; k++) {
    Slot r = program_input(b, lock->first + slide_aim_input(&slide->in) + k);
    sum = program_add(b, sum, program_mul(b, r, flatten_expr(f, slide->u[k])));
  }
  return program_op2(b, STEP_LT, sum, program_constant(b, 0));
}

// Powers of the square that stand elsewhere are zero at rest.
static Rewrite at_rest(Context *cx, Expr e, void *argument) {
  const Slide *slide = argument;
  if (op_of(cx, e) == OP_SUM && expr_open(cx, e) == slide->square)
    return (Rewrite){REWRITE_TO, expr_int(cx, 0)};
  return (Rewrite){.kind = REWRITE_INSIDE};
}

// The change of e, whose square is 0, along the change of velocities in the inputs.
static Slot changed(const SlideLock *lock, Flattener *f, Slide *slide, Expr e) {
  ProgramBuilder *b = f->builder;
  const System *s = lock->system;
  expr_rewrite(f->cx, &e, 1, at_rest, slide, &e);
  Slot sum = program_constant(b, 0);
  for (uint32_t j = 0; j < s->n; j++) {
    Expr slope = expr_diff(f->cx, e, s->qd[j]);
    if (expr_is_zero(f->cx, slope)) continue;
    Slot along = program_input(b, lock->first + slide_along_input(&slide->in) + j);
    sum = program_add(b, sum, program_mul(b, along, flatten_expr(f, slope)));
  }
  return sum;
}

// A product e = rest * square^exponent.
static Slot locked(const SlideLock *lock, Flattener *f, Slide *slide, Number exponent, Expr rest) {
  Context *cx = f->cx;
  ProgramBuilder *b = f->builder;
  int64_t halves = 0, denominator = 1;
  number_to_ratio(cx, exponent, &halves, &denominator);
  Slot value = flatten_expr(f, rest), base = flatten_expr(f, slide->square);
  Slot slides = program_div(b, value, flatten_power(f, base, number_neg(cx, exponent)));
  if (denominator == 2)
    slides = program_op3(b, STEP_SELECT, is_turned(lock, f, slide), program_neg(b, slides), slides);
  bool is_norm = denominator == 2 && halves == -1;
  Slot rests = is_norm ? changed(lock, f, slide, rest) : program_constant(b, 0);
  Slot flag = program_input(b, lock->first + slide->in.first_input);
  return program_op3(b, STEP_SELECT, flag, rests, slides);
}

// Definitions that are products themselves may hold the divisor, and what it divides stands beside
// them.
static Expr merged(Context *cx, const Slides *slides, Expr e) {
  uint32_t count = node_of(cx, e)->count;
  Expr product = expr_number(cx, node_of(cx, e)->number);
  for (uint32_t k = 0; k < count; k++) {
    Pair pair = pairs_of(node_of(cx, e))[k];
    Expr body = pair.expr;
    while (expr_is_definition(cx, body)) body = definition_body(cx, body);
    bool opens = false;
    if (body != pair.expr && op_of(cx, body) == OP_PRODUCT &&
        expr_has_kind(cx, body, KIND_BIT(SYMBOL_VELOCITY))) {
      body = merged(cx, slides, body);
      for (uint32_t i = 0; op_of(cx, body) == OP_PRODUCT && i < node_of(cx, body)->count; i++) {
        Power p = power_of(cx, pairs_of(node_of(cx, body))[i]);
        opens |= slide_of(cx, slides, p.base) != NULL;
      }
    }
    product = expr_mul(cx, product, expr_power(cx, opens ? body : pair.expr, pair.number));
  }
  return product;
}

static void lock_product(const SlideLock *lock, Flattener *f, Expr e) {
  Context *cx = f->cx;
  Expr product = merged(cx, &lock->slides, e);
  uint32_t count = op_of(cx, product) == OP_PRODUCT ? node_of(cx, product)->count : 0;
  for (uint32_t k = 0; k < count; k++) {
    Pair pair = pairs_of(node_of(cx, product))[k];
    Power p = power_of(cx, pair);
    Slide *slide = is_below(cx, p) ? slide_of(cx, &lock->slides, p.base) : NULL;
    if (!slide) continue;
    Expr rest = expr_div(cx, product, expr_power(cx, pair.expr, pair.number));
    flatten_bind(f, e, locked(lock, f, slide, p.exponent, rest));
    return;
  }
}

static void lock_products(void *user, Flattener *f, const ExprList *list) {
  const SlideLock *lock = user;
  for (uint32_t i = 0; i < list->n; i++)
    if (op_of(f->cx, list->at[i]) == OP_PRODUCT &&
        expr_has_kind(f->cx, list->at[i], KIND_BIT(SYMBOL_VELOCITY)))
      lock_product(lock, f, list->at[i]);
}

void slides_lock(SlideLock *lock, Flattener *f) {
  if (lock->slides.all.n == 0) return;
  f->lock_user = lock;
  f->lock = lock_products;
}

static bool jumps(const Context *cx, Expr atom) {
  Op op = op_of(cx, atom);
  return op == OP_SIGN || op == OP_LT || op == OP_LE;
}

// What jumps in the rate of a state leaves accelerations as they are, and holds nothing.
bool system_may_stick(Context *cx, const System *system) {
  Mark mark = arena_mark(&cx->scratch);
  bool found = system_slides(cx, system).all.n > 0;
  System forces = *system;
  forces.states = 0;
  Switches switches = system_switches(cx, &forces);
  for (uint32_t i = 0; i < switches.atoms.n && !found; i++)
    for (uint32_t k = 0; k < system->n && jumps(cx, switches.atoms.at[i]) && !found; k++)
      found = expr_depends(cx, switches.atoms.at[i], system->model->coordinates.at[k].qd);
  arena_release(&cx->scratch, mark);
  return found;
}
