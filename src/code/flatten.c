// Emits the steps of a graph, children first.
//
// A product splits into a part that is fixed during a run and factors that vary; a product that
// only one sum uses is not computed by itself but handed to program_collect as a term.
#include "code/flatten.h"

#include <assert.h>
#include <math.h>

#include "code/common_factor.h"
#include "expr/build.h"
#include "expr/define.h"

// Integer powers up to this stand as repeated factors, so that one of them can be pulled out.
enum { REPEAT_LIMIT = 4 };
static const double LEAST_BASE = 1e-30;

void flatten_open(Flattener *f, ProgramBuilder *builder) {
  *f = (Flattener){.cx = builder->cx, .builder = builder, .beyond = NO_SLOT};
  expr_store(f->cx);
  f->slots = memo_take(f->cx);
  f->weights = memo_take(f->cx);
}

void flatten_close(Flattener *f) {
  memo_give(f->cx, f->weights);
  memo_give(f->cx, f->slots);
}

void flatten_bind(Flattener *f, Expr leaf, Slot slot) { memo_set(f->cx, f->slots, leaf, slot + 1); }

void flatten_bind_weight(Flattener *f, Expr condition, Slot slot) {
  flatten_bind(f, condition, slot);
  memo_set(f->cx, f->weights, condition, 1);
}

static Slot slot_of(const Flattener *f, Expr e) {
  uint32_t slot = memo_get(f->slots, e);
  assert(slot);
  return slot - 1;
}

static Slot constant(Flattener *f, Number number) {
  return program_constant(f->builder, number_to_double(f->cx, number));
}

// ---- products

// A base that a condition keeps from being negative is next to nothing beyond that condition; not
// 0, so that slopes have values, and laws like abs(v)^0.3*sign(v) two sides.
static Slot kept_base(Flattener *f, Slot base) {
  ProgramBuilder *b = f->builder;
  if (f->beyond == NO_SLOT || program_variation(b, base) < VARIES) return base;
  Slot kept = program_op2(b, STEP_MAX, program_constant(b, LEAST_BASE), base);
  return program_op3(b, STEP_SELECT, f->beyond, kept, base);
}

Slot flatten_power(Flattener *f, Slot base, Number exponent) {
  ProgramBuilder *b = f->builder;
  int64_t n, numerator, denominator;
  if (number_to_int(f->cx, exponent, &n) && n <= 64) return program_power(b, base, n);
  base = kept_base(f, base);
  bool halves = number_to_ratio(f->cx, exponent, &numerator, &denominator) && denominator == 2;
  if (!halves || numerator > 64) return program_op2(b, STEP_POW, base, constant(f, exponent));
  Slot root = program_op1(b, STEP_SQRT, base);
  return numerator == 1 ? root : program_mul(b, program_power(b, base, numerator / 2), root);
}

typedef struct Parts {
  Slot fixed_top, fixed_bottom; // NO_SLOT for 1
  Slot bottom;                  // varies; NO_SLOT for 1
} Parts;

static void multiply_into(ProgramBuilder *b, Slot *product, Slot factor) {
  *product = *product == NO_SLOT ? factor : program_mul(b, *product, factor);
}

static void add_factor(Flattener *f, Pair pair, Parts *parts, ScaledProduct *term) {
  ProgramBuilder *b = f->builder;
  Slot base = slot_of(f, pair.expr);
  bool varies = program_variation(b, base) == VARIES;
  bool below = number_sign(f->cx, pair.number) < 0;
  Number exponent = number_abs(f->cx, pair.number);
  int64_t n;
  if (!varies) {
    multiply_into(b, below ? &parts->fixed_bottom : &parts->fixed_top,
                  flatten_power(f, base, exponent));
  } else if (below) {
    multiply_into(b, &parts->bottom, flatten_power(f, base, exponent));
  } else if (number_to_int(f->cx, exponent, &n) && n <= REPEAT_LIMIT) {
    while (n-- > 0) term->factors[term->count++] = base;
  } else {
    term->factors[term->count++] = flatten_power(f, base, exponent);
  }
}

static Slot fixed_part(Flattener *f, Number coefficient, const Parts *parts) {
  ProgramBuilder *b = f->builder;
  Slot fixed = constant(f, coefficient);
  if (parts->fixed_top != NO_SLOT) fixed = program_mul(b, fixed, parts->fixed_top);
  return parts->fixed_bottom == NO_SLOT ? fixed : program_div(b, fixed, parts->fixed_bottom);
}

// A product's factors in scratch memory; the varying denominator is left in *bottom.
static ScaledProduct term_from_product(Flattener *f, const Node *node, Number coefficient,
                                       Slot *bottom) {
  Parts parts = {NO_SLOT, NO_SLOT, NO_SLOT};
  ScaledProduct term = {
      .factors = arena_array(&f->cx->scratch, Slot, (size_t)node->count * REPEAT_LIMIT + 1)};
  for (uint32_t i = 0; i < node->count; i++) add_factor(f, pairs_of(node)[i], &parts, &term);
  term.scale = fixed_part(f, number_mul(f->cx, coefficient, node->number), &parts);
  *bottom = parts.bottom;
  return term;
}

static Slot reciprocal(ProgramBuilder *b, Slot slot) {
  return program_div(b, program_constant(b, 1), slot);
}

// Which branch of the factor if(c, a, b) is zero: 1 or 2; 0: none, or it is no such factor.
static int zero_branch(const Context *cx, Expr factor) {
  if (op_of(cx, factor) != OP_IF) return 0;
  const Node *node = node_of(cx, factor);
  return expr_is_zero(cx, node->args[2]) ? 2 : expr_is_zero(cx, node->args[1]) ? 1 : 0;
}

// A quotient that a factor if(c, a, 0) switches off is zero there even where its denominator is, as
// the pull of a slack rope whose ends meet.
static bool is_switched_quotient(const Context *cx, const Node *product) {
  bool is_switched = false, divides = false;
  for (uint32_t i = 0; i < product->count; i++) {
    is_switched |= zero_branch(cx, pairs_of(product)[i].expr) != 0;
    divides |= number_sign(cx, pairs_of(product)[i].number) < 0;
  }
  return is_switched && divides;
}

static Slot where_switched_on(Flattener *f, const Node *product, Slot value) {
  ProgramBuilder *b = f->builder;
  Slot zero = program_constant(b, 0);
  for (uint32_t i = 0; i < product->count; i++) {
    Expr factor = pairs_of(product)[i].expr;
    int branch = zero_branch(f->cx, factor);
    uint32_t condition = branch ? memo_get(f->slots, expr_child(f->cx, factor, 0)) : 0;
    if (!condition) continue;
    value = program_op3(b, STEP_SELECT, condition - 1, branch == 2 ? value : zero,
                        branch == 2 ? zero : value);
  }
  return value;
}

static Slot flatten_product(Flattener *f, const Node *node) {
  ProgramBuilder *b = f->builder;
  Mark mark = arena_mark(&f->cx->scratch);
  Slot bottom;
  ScaledProduct term = term_from_product(f, node, NUMBER_ONE, &bottom);
  Slot top = program_collect(b, &term, 1);
  arena_release(&f->cx->scratch, mark);
  if (bottom == NO_SLOT) return top;
  if (is_switched_quotient(f->cx, node))
    return where_switched_on(f, node, program_div(b, top, bottom));
  // a reciprocal that somebody has computed already saves the division
  Slot one = program_constant(b, 1);
  Slot known = program_find(b, (Step){STEP_DIV, one, bottom, NO_SLOT});
  return known == NO_SLOT ? program_div(b, top, bottom) : program_mul(b, top, known);
}

// ---- sums

static bool is_inlined(const ExprMemo *inlined, Expr e) { return memo_get(inlined, e) != 0; }

static ScaledProduct term_from_pair(Flattener *f, Pair pair, const ExprMemo *inlined) {
  ProgramBuilder *b = f->builder;
  if (is_inlined(inlined, pair.expr)) {
    Slot bottom;
    ScaledProduct term = term_from_product(f, node_of(f->cx, pair.expr), pair.number, &bottom);
    if (bottom != NO_SLOT) term.factors[term.count++] = reciprocal(b, bottom);
    return term;
  }
  Slot slot = slot_of(f, pair.expr), scale = constant(f, pair.number);
  if (program_variation(b, slot) < VARIES)
    return (ScaledProduct){.scale = program_mul(b, scale, slot)};
  ScaledProduct term = {scale, arena_new(&f->cx->scratch, Slot), 1};
  term.factors[0] = slot;
  return term;
}

static Slot flatten_sum(Flattener *f, const Node *node, const ExprMemo *inlined) {
  Mark mark = arena_mark(&f->cx->scratch);
  ScaledProduct *terms = arena_array(&f->cx->scratch, ScaledProduct, (size_t)node->count + 1);
  uint32_t n = 0;
  for (uint32_t i = 0; i < node->count; i++)
    terms[n++] = term_from_pair(f, pairs_of(node)[i], inlined);
  if (node->number != NUMBER_ZERO) terms[n++] = (ScaledProduct){.scale = constant(f, node->number)};
  Slot sum = program_collect(f->builder, terms, n);
  arena_release(&f->cx->scratch, mark);
  return sum;
}

// ---- functions

#define STEP_IF STEP_SELECT
static StepOp step_from_op(Op op) {
  switch (op) {
#define OP(name, arity, text, c, tex)                                                              \
  case OP_##name:                                                                                  \
    return STEP_##name;
#include "program/ops.def"
#undef OP
  default: assert(!"not a function"); return STEP_NEG;
  }
}

// yes where the weight is 1, no where it is 0, of both where it is between.
static Slot mixed(ProgramBuilder *b, Slot weight, Slot yes, Slot no) {
  Slot is_above = program_op2(b, STEP_LT, program_constant(b, 0), weight);
  Slot is_below = program_op2(b, STEP_LT, weight, program_constant(b, 1));
  Slot is_part = program_op2(b, STEP_AND, is_above, is_below);
  Slot mixture = program_add(b, no, program_mul(b, weight, program_sub(b, yes, no)));
  return program_op3(b, STEP_SELECT, is_part, mixture,
                     program_op3(b, STEP_SELECT, weight, yes, no));
}

// The condition, or what it denies, where that may hold in part; else 0.
static Expr weight_of(const Flattener *f, Expr condition, bool *denied) {
  *denied = op_of(f->cx, condition) == OP_NOT;
  Expr inner = *denied ? expr_child(f->cx, condition, 0) : condition;
  return memo_get(f->weights, inner) ? inner : 0;
}

static Slot flatten_function(Flattener *f, const Node *node) {
  ProgramBuilder *b = f->builder;
  if (node->op == OP_TABLE)
    return program_table(b, node_table(node), node_aspect(node), slot_of(f, node->args[0]));
  StepOp op = step_from_op((Op)node->op);
  Slot args[3] = {NO_SLOT, NO_SLOT, NO_SLOT};
  for (uint32_t i = 0; i < node->count; i++) args[i] = slot_of(f, node->args[i]);
  if (op == STEP_POW) args[0] = kept_base(f, args[0]);
  if (node->count == 1) return program_op1(b, op, args[0]);
  // max(a, b) is a < b ? b : a, the step a > b ? a : b
  if (op == STEP_MAX) return program_op2(b, op, args[1], args[0]);
  if (node->count == 2) return program_op2(b, op, args[0], args[1]);
  bool denied;
  Expr weight = weight_of(f, node->args[0], &denied);
  if (weight) return mixed(b, slot_of(f, weight), args[denied ? 2 : 1], args[denied ? 1 : 2]);
  return program_op3(b, op, args[0], args[1], args[2]);
}

// ---- the walk

// The let's name, with a prime for each time derivative.
static void name_definition(Flattener *f, Expr e, Slot slot) {
  Symbol name = definition_name(f->cx, e);
  int order = definition_order(f->cx, e);
  if (!name || f->builder->steps.at[slot].op >= STEP_COUNT) return;
  if (order) {
    const char *base = symbol_text(f->cx, name);
    Mark mark = arena_mark(&f->cx->scratch);
    name = symbol_from_text(f->cx, text_format(&f->cx->scratch, "%s%.*s", base, order, "''''''"));
    arena_release(&f->cx->scratch, mark);
  }
  program_name(f->builder, slot, name);
}

static Slot flatten_node(Flattener *f, Expr e, const ExprMemo *inlined) {
  const Node *node = node_of(f->cx, e);
  switch (node->op) {
  case OP_NUMBER: return constant(f, node->number);
  case OP_PI: return program_constant(f->builder, M_PI);
  case OP_SUM: return flatten_sum(f, node, inlined);
  case OP_PRODUCT: return flatten_product(f, node);
  case OP_DEFINITION: {
    Slot slot = slot_of(f, definition_body(f->cx, e));
    name_definition(f, e, slot);
    return slot;
  }
  case OP_SYMBOL: assert(!"a symbol that nobody bound"); return program_constant(f->builder, NAN);
  case OP_UNDEFINED: return program_constant(f->builder, NAN);
  default: return flatten_function(f, node);
  }
}

static Visit visit_new(const Context *cx, Expr e, void *argument) {
  const Flattener *f = argument;
  (void)cx;
  return memo_get(f->slots, e) ? VISIT_SKIP : VISIT_ENTER;
}

static void count_use(Context *cx, ExprMemo *uses, Expr e) {
  memo_set(cx, uses, e, memo_get(uses, e) + 1);
}

// Marks the products that one sum alone uses.
static void mark_inlined(Flattener *f, const ExprList *list, const Expr *roots, size_t n,
                         ExprMemo *inlined) {
  Context *cx = f->cx;
  ExprMemo *uses = memo_take(cx);
  for (size_t i = 0; i < n; i++) count_use(cx, uses, roots[i]);
  for (uint32_t i = 0; i < list->n; i++) {
    Expr e = list->at[i];
    if (expr_is_definition(cx, e)) count_use(cx, uses, definition_body(cx, e));
    for (uint32_t k = 0; k < expr_child_count(cx, e); k++)
      count_use(cx, uses, expr_child(cx, e, k));
  }
  for (uint32_t i = 0; i < list->n; i++) {
    const Node *node = node_of(cx, list->at[i]);
    if (node->op != OP_SUM) continue;
    for (uint32_t k = 0; k < node->count; k++) {
      Expr term = pairs_of(node)[k].expr;
      if (op_of(cx, term) == OP_PRODUCT && memo_get(uses, term) == 1 && !memo_get(f->slots, term) &&
          !is_switched_quotient(cx, node_of(cx, term)))
        memo_set(cx, inlined, term, 1);
    }
  }
  memo_give(cx, uses);
}

void flatten_many(Flattener *f, const Expr *roots, size_t n, Slot *out) {
  Context *cx = f->cx;
  Mark mark = arena_mark(&cx->scratch);
  ExprList list = expr_walk(cx, roots, n, visit_new, f);
  if (f->lock) {
    f->lock(f->lock_user, f, &list);
    list = expr_walk(cx, roots, n, visit_new, f);
  }
  ExprMemo *inlined = memo_take(cx);
  mark_inlined(f, &list, roots, n, inlined);
  for (uint32_t i = 0; i < list.n; i++)
    if (!is_inlined(inlined, list.at[i]))
      memo_set(cx, f->slots, list.at[i], flatten_node(f, list.at[i], inlined) + 1);
  for (size_t i = 0; i < n; i++) out[i] = slot_of(f, roots[i]);
  memo_give(cx, inlined);
  arena_release(&cx->scratch, mark);
}

Slot flatten_expr(Flattener *f, Expr e) {
  Slot slot;
  flatten_many(f, &e, 1, &slot);
  return slot;
}
