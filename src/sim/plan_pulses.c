// Functions of time alone inside the equations that may change within a moment.
#include <math.h>

#include "expr/build.h"
#include "expr/value/tape_build.h"
#include "expr/walk.h"
#include "sim/plan_source.h"
#include "sim/switches.h"

// ---- Functions of time

#define OTHER_KINDS                                                                                \
  (KIND_BIT(SYMBOL_COORDINATE) | KIND_BIT(SYMBOL_VELOCITY) | KIND_BIT(SYMBOL_ACCELERATION) |       \
   KIND_BIT(SYMBOL_MULTIPLIER) | KIND_BIT(SYMBOL_STATE) | KIND_BIT(SYMBOL_STATE_RATE))

// Where a value or its slope jumps events are located, and what is compared is watched instead.
static bool jumps(Op op) {
  return op == OP_SIGN || op == OP_IF || op == OP_TABLE || op_is_truth(op);
}

typedef enum Role { ROLE_OTHER = 1, ROLE_CONTINUOUS } Role;

// A definition is what follows it.
static uint32_t part_count(const Context *cx, Expr e) {
  return op_of(cx, e) == OP_DEFINITION ? 1 : expr_child_count(cx, e);
}

static Role role_of(Context *cx, Expr e, const ExprMemo *roles) {
  Op op = op_of(cx, e);
  if (jumps(op) || expr_has_kind(cx, e, OTHER_KINDS)) return ROLE_OTHER;
  for (uint32_t i = 0; i < part_count(cx, e); i++)
    if (memo_get(roles, expr_child(cx, e, i)) == ROLE_OTHER) return ROLE_OTHER;
  return ROLE_CONTINUOUS;
}

static bool is_watched(Context *cx, Expr e) {
  return op_of(cx, e) != OP_SYMBOL && expr_has_kind(cx, e, KIND_BIT(SYMBOL_TIME));
}

// ---- What needs no watching
//
// Sines of a time that runs evenly, powers of time and their sums and products have no pulse: what
// they do in a period or in all of the run is seen by the stages of any step, and error estimates
// hold steps to it. A product of MOST_FACTORS sines is still as wide as a third of a period.
enum { MOST_FACTORS = 4 };

static bool is_constant(const Context *cx, Expr e) {
  return !expr_has_kind(cx, e, KIND_BIT(SYMBOL_TIME));
}

static bool is_even(const Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  if (is_constant(cx, e) || node->op == OP_SYMBOL) return true;
  if (node->op == OP_DEFINITION) return is_even(cx, node->args[0]);
  int moving = 0;
  for (uint32_t i = 0; i < node->count && (node->op == OP_SUM || node->op == OP_PRODUCT); i++) {
    Pair pair = pairs_of(node)[i];
    if (is_constant(cx, pair.expr)) continue;
    moving++;
    if (!is_even(cx, pair.expr)) return false;
    if (node->op == OP_PRODUCT && (number_to_double(cx, pair.number) != 1 || moving > 1))
      return false;
  }
  return moving > 0;
}

// How many sines or times e multiplies at most; more than MOST_FACTORS where it is something else.
static double wave_factors(const Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  Op op = (Op)node->op;
  if (is_constant(cx, e)) return 0;
  if (op == OP_SYMBOL) return 1;
  if (op == OP_DEFINITION) return wave_factors(cx, node->args[0]);
  if (op == OP_SIN || op == OP_COS) return is_even(cx, node->args[0]) ? 1 : INFINITY;
  if (op != OP_SUM && op != OP_PRODUCT) return INFINITY;
  double factors = 0;
  for (uint32_t i = 0; i < node->count; i++) {
    Pair pair = pairs_of(node)[i];
    double number = number_to_double(cx, pair.number), own = wave_factors(cx, pair.expr);
    if (op == OP_SUM)
      factors = fmax(factors, own);
    else if (own > 0)
      factors += number > 0 && number == floor(number) ? number * own : INFINITY;
  }
  return factors;
}

// The terms of e that may have pulses, to be watched each by itself: one may be short where the
// others are long.
static void add_pulses(Context *cx, Expr e, ExprList *found, ExprMemo *taken) {
  if (wave_factors(cx, e) <= MOST_FACTORS || memo_get(taken, e)) return;
  const Node *node = node_of(cx, e);
  if (node->op == OP_DEFINITION) {
    add_pulses(cx, node->args[0], found, taken);
  } else if (node->op == OP_SUM) {
    for (uint32_t i = 0; i < node->count; i++) add_pulses(cx, pairs_of(node)[i].expr, found, taken);
  } else {
    memo_set(cx, taken, e, 1);
    vec_push(&cx->scratch, found, e);
  }
}

// The largest expressions of time alone that do not jump, by their terms. Scratch memory.
static ExprList functions_of_time(Context *cx, const System *system) {
  ExprList found = {0}, roots = system_acting_expressions(cx, system);
  ExprList guards = system_switches(cx, system).guards;
  for (uint32_t i = 0; i < guards.n; i++) vec_push(&cx->scratch, &roots, guards.at[i]);
  ExprList all = expr_walk(cx, roots.at, roots.n, visit_all, NULL);
  ExprMemo *roles = memo_take(cx), *taken = memo_take(cx);
  for (uint32_t i = 0; i < all.n; i++)
    memo_set(cx, roles, all.at[i], role_of(cx, all.at[i], roles));
  for (uint32_t i = 0; i < all.n + roots.n; i++) {
    bool is_root = i >= all.n;
    Expr e = is_root ? roots.at[i - all.n] : all.at[i];
    if (!is_root && memo_get(roles, e) == ROLE_CONTINUOUS) continue;
    for (uint32_t k = 0; k < (is_root ? 1 : part_count(cx, e)); k++) {
      Expr child = is_root ? e : expr_child(cx, e, k);
      if (memo_get(roles, child) != ROLE_CONTINUOUS || !is_watched(cx, child)) continue;
      add_pulses(cx, child, &found, taken);
    }
  }
  memo_give(cx, taken);
  memo_give(cx, roles);
  return found;
}

void plan_fill_pulses(PlanSource *source) {
  Context *cx = source->cx;
  Mark mark = arena_mark(&cx->scratch);
  ExprList functions = functions_of_time(cx, source->system);
  if (functions.n > 0)
    source->plan.pulses = tape_new(cx, &source->arena, functions.at, functions.n);
  arena_release(&cx->scratch, mark);
}
