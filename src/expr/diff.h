// Derivatives: forward, reverse, and along a direction.
// Sources: diff.c, gradient.c, time_derivative.c
#ifndef QDOT_EXPR_DIFF_H
#define QDOT_EXPR_DIFF_H

#include "expr/node.h"
#include "expr/walk.h"

// d e / d x for a symbol x; definitions are seen through, their derivatives stay shared.
Expr expr_diff(Context *cx, Expr e, Expr x);
void expr_diff_many(Context *cx, const Expr *roots, size_t n, Expr x, Expr *out);

// All partial derivatives of e in one reverse sweep.
void expr_gradient(Context *cx, Expr e, const Expr *symbols, size_t n, Expr *out);
// The same, where definitions among `leaves` are taken as variables: local partial derivatives.
void expr_gradient_local(Context *cx, Expr e, const Expr *leaves, size_t n, Expr *out);
// One sweep for sum of weight[i] * roots[i]: the pull-back of weights through the roots.
void expr_pull_back(Context *cx, const Expr *roots, const Expr *weights, size_t root_count,
                    const Expr *leaves, size_t n, Expr *out);

// The derivative where each symbol moves at a rate; symbols not listed stand still.
typedef struct Rate {
  Expr symbol, rate;
} Rate;
void expr_diff_along(Context *cx, const Expr *roots, size_t n, const Rate *rates, size_t rate_count,
                     Expr *out);

// out[i * n + j] = d exprs[i] / d symbols[j]
void expr_jacobian(Context *cx, const Expr *exprs, size_t m, const Expr *symbols, size_t n,
                   Expr *out);

// The partial derivative of one node by its i-th child, all children independent.
Expr expr_partial(Context *cx, Expr e, uint32_t i);
// Sum over children of partial * rate of the child, rates from the memo (absent: 0). Not for
// leaves and definitions.
Expr expr_chain_rule(Context *cx, Expr e, const ExprMemo *rates);

// d/dt: coordinates become velocities, velocities accelerations, definitions their derivatives.
// Inputs are held, as in a run. Undefined for what has no rate: accelerations, multipliers,
// the rates of states.
Expr expr_time_derivative(Context *cx, Expr e);

#endif
