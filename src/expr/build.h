// Canonicalising constructors. They never fail: what has no value is the node `undefined`.
//
// Sums and products are flat, like terms and equal bases are merged, coefficients and exponents are
// exact. In a product every bracket has integer coefficients without common factor, most of them
// positive; a number times a lone bracket is distributed. (x^a)^b merges only for integer b.
// Sources: function.c, product.c, sum.c
#ifndef QDOT_EXPR_BUILD_H
#define QDOT_EXPR_BUILD_H

#include "expr/node.h"

Expr expr_undefined(Context *cx);
Expr expr_number(Context *cx, Number value); // NUMBER_NONE gives undefined
Expr expr_int(Context *cx, int64_t value);
Expr expr_ratio(Context *cx, int64_t numerator, int64_t denominator);
Expr expr_pi(Context *cx);
Expr expr_symbol(Context *cx, SymbolKind kind, Symbol name);

// Sums
Expr expr_add(Context *cx, Expr a, Expr b);
Expr expr_sub(Context *cx, Expr a, Expr b);
Expr expr_neg(Context *cx, Expr a);
Expr expr_scale(Context *cx, Number factor, Expr a);
Expr expr_sum(Context *cx, const Expr *terms, size_t n);
// constant + sum of number * expr
Expr expr_linear(Context *cx, Number constant, const Pair *terms, size_t n);

// Products
Expr expr_mul(Context *cx, Expr a, Expr b);
Expr expr_mul3(Context *cx, Expr a, Expr b, Expr c);
Expr expr_div(Context *cx, Expr a, Expr b);
Expr expr_power(Context *cx, Expr base, Number exponent);
Expr expr_pow(Context *cx, Expr base, Expr exponent);
Expr expr_square(Context *cx, Expr a);
Expr expr_half_square(Context *cx, Expr factor, Expr a); // 1/2 factor a^2
Expr expr_sqrt(Context *cx, Expr a);
Expr expr_product(Context *cx, const Expr *factors, size_t n);
// coefficient * product of expr ^ number
Expr expr_monomial(Context *cx, Number coefficient, const Pair *factors, size_t n);
// e without its coefficient: e = expr_coefficient(e) * rest.
Expr expr_without_coefficient(Context *cx, Expr e);

// Functions: op_arity(op) arguments. Comparisons and truth values are 0 or 1.
Expr expr_function(Context *cx, Op op, const Expr *args);
Expr expr_function1(Context *cx, Op op, Expr a);
Expr expr_function2(Context *cx, Op op, Expr a, Expr b);
Expr expr_if(Context *cx, Expr condition, Expr yes, Expr no);
// What a table has at x.
Expr expr_table(Context *cx, TableId table, TableAspect aspect, Expr x);
Expr expr_sin(Context *cx, Expr a);
Expr expr_cos(Context *cx, Expr a);

// The same operation on other children (pairs keep their numbers): what substitution needs.
Expr expr_rebuild(Context *cx, Expr e, const Expr *children);
// Children of any node: pairs' expressions, or arguments; none for leaves and definitions.
uint32_t expr_child_count(const Context *cx, Expr e);
Expr expr_child(const Context *cx, Expr e, uint32_t i);

#endif
