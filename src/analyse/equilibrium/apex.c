// Roots that vanish, functions that switch, and whether forces jump there.
#include "analyse/equilibrium/apex.h"

#include <math.h>
#include <string.h>

#include "expr/build.h"
#include "expr/value/eval.h"
#include "sim/switches.h"

#define VANISHED 1e-18 // of a root's argument: a length of 1e-9 of the scale
#define ASIDE 1e-6     // steps across it, in units of the scale
#define NEARER 100     // the second step
#define JUMP 0.1       // of the first step's difference

// In energies, forces and constraints as the model has them; found at the first call.
static void find_switches(Balance *b) {
  Context *cx = b->cx;
  const System *s = b->system;
  Mark mark = arena_mark(&cx->scratch);
  ExprList from = {0};
  if (s->V) vec_push(&cx->scratch, &from, s->V);
  for (uint32_t i = 0; i < b->n; i++) vec_push(&cx->scratch, &from, s->Q[i]);
  for (uint32_t k = 0; k < b->m; k++) vec_push(&cx->scratch, &from, b->rows[k]->phi);
  ExprList all = expr_walk(cx, from.at, from.n, visit_all, NULL);
  for (uint32_t i = 0; i < all.n; i++)
    if (switch_guard(cx, all.at[i])) vec_push(&b->arena, &b->switches, all.at[i]);
  arena_release(&cx->scratch, mark);
}

// The arguments of all roots in the equations, each once; found at the first call.
static const ExprList *roots_of(Balance *b) {
  if (b->has_roots) return &b->roots;
  Context *cx = b->cx;
  b->has_roots = true;
  find_switches(b);
  Mark mark = arena_mark(&cx->scratch);
  ExprList from = {0};
  for (uint32_t i = 0; i < b->n; i++) vec_push(&cx->scratch, &from, b->applied[i]);
  for (uint32_t k = 0; k < b->m; k++) vec_push(&cx->scratch, &from, b->rows[k]->phi);
  ExprList all = expr_walk(cx, from.at, from.n, visit_all, NULL);
  for (uint32_t i = 0; i < all.n; i++) {
    const Node *node = node_of(cx, all.at[i]);
    if (node->op != OP_PRODUCT) continue;
    for (uint32_t k = 0; k < node->count; k++) {
      Pair pair = pairs_of(node)[k];
      bool known = number_is_integer(cx, pair.number);
      for (uint32_t r = 0; r < b->roots.n; r++) known = known || b->roots.at[r] == pair.expr;
      if (!known) vec_push(&b->arena, &b->roots, pair.expr);
    }
  }
  arena_release(&cx->scratch, mark);
  return &b->roots;
}

static double *place_of(Balance *b, uint32_t coordinate) {
  return &b->values[symbol_variable(b->cx, b->system->q[coordinate])];
}

// How large the argument becomes when a coordinate moves by its scale.
static double size_around(Balance *b, Expr root, const double *scale) {
  double most = 0;
  for (uint32_t i = 0; i < b->n; i++) {
    if (!expr_depends(b->cx, root, b->system->q[i])) continue;
    double *q = place_of(b, i), at = *q;
    for (int side = -1; side <= 1; side += 2) {
      *q = at + side * scale[i];
      most = fmax(most, fabs(expr_eval(b->cx, root, b->values)));
    }
    *q = at;
  }
  return most;
}

static bool vanishes(Balance *b, Expr root, const double *scale) {
  double size = size_around(b, root, scale);
  return size > 0 && fabs(expr_eval(b->cx, root, b->values)) <= VANISHED * size;
}

// The largest difference of forces between both sides of the state along a coordinate, relative to
// the forces; NaN where they have no value.
static double difference_across(Balance *b, const Steady *s, uint32_t i, double step) {
  Mark mark = arena_mark(&b->cx->scratch);
  double *q = arena_array(&b->cx->scratch, double, b->n + 1), most = 0;
  double *before = arena_array(&b->cx->scratch, double, b->n + 1);
  memcpy(q, s->q, b->n * sizeof *q);
  q[i] = s->q[i] - step;
  bool good = balance_evaluate(b, q, s->qd, s->lambda);
  memcpy(before, b->force, b->n * sizeof *before);
  q[i] = s->q[i] + step;
  good = balance_evaluate(b, q, s->qd, s->lambda) && good;
  for (uint32_t k = 0; k < b->n; k++) most = fmax(most, fabs(b->force[k] - before[k]));
  arena_release(&b->cx->scratch, mark);
  return good ? most : NAN;
}

// Do the forces differ on both sides, however near? Smooth ones differ in proportion to the step.
static bool forces_jump(Balance *b, const Steady *s, Expr root, const double *scale) {
  for (uint32_t i = 0; i < b->n; i++) {
    if (!expr_depends(b->cx, root, b->system->q[i])) continue;
    double far = difference_across(b, s, i, ASIDE * scale[i]);
    double near = difference_across(b, s, i, ASIDE / NEARER * scale[i]);
    if (far > 0 && near > JUMP * far) return true;
  }
  return false;
}

static Expr find_root(Balance *b, const Steady *s, const double *scale, bool must_jump) {
  const ExprList *roots = roots_of(b);
  Expr found = 0;
  for (uint32_t i = 0; i < roots->n && !found; i++) {
    balance_evaluate(b, s->q, s->qd, s->lambda);
    bool here = vanishes(b, roots->at[i], scale);
    if (here && (!must_jump || forces_jump(b, s, roots->at[i], scale))) found = roots->at[i];
  }
  balance_evaluate(b, s->q, s->qd, s->lambda);
  return found ? expr_sqrt(b->cx, found) : 0;
}

#define ON_SWITCH 1e-9 // of what the switching part becomes around

static Expr find_switch(Balance *b, const Steady *s, const double *scale) {
  Expr found = 0;
  for (uint32_t i = 0; i < b->switches.n && !found; i++) {
    Expr part = switch_guard(b->cx, b->switches.at[i]);
    balance_evaluate(b, s->q, s->qd, s->lambda);
    double size = size_around(b, part, scale), at = expr_eval(b->cx, part, b->values);
    if (size > 0 && fabs(at) <= ON_SWITCH * size && forces_jump(b, s, part, scale))
      found = b->switches.at[i];
  }
  balance_evaluate(b, s->q, s->qd, s->lambda);
  return found;
}

Expr apex_at(Balance *b, const Steady *s, const double *scale) {
  Expr root = find_root(b, s, scale, true);
  return root ? root : find_switch(b, s, scale);
}

int apex_energy(Balance *b, const Steady *s, const double *scale) {
  if (b->n != 1 || b->m != 0 || expr_depends(b->cx, b->system->Q[0], b->system->q[0])) return 0;
  int rises = 0;
  for (int side = -1; side <= 1; side += 2) {
    double q = s->q[0] + side * ASIDE * scale[0];
    if (s->qd[0] != 0 || !balance_evaluate(b, &q, s->qd, s->lambda) || b->force[0] == 0) return 0;
    rises += b->force[0] * side > 0;
  }
  balance_evaluate(b, s->q, s->qd, s->lambda);
  return rises == 2 ? 1 : -1;
}

Expr vanishing_root(Balance *b, const Steady *s, const double *scale) {
  return find_root(b, s, scale, false);
}
