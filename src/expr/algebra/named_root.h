// Definitions of lengths: a let that is a root, such as l = sqrt(x^2 + y^2), stays a name when
// others are opened, and powers of its radicand are written by it: x/sqrt(x^2 + y^2) is x/l.
#ifndef QDOT_EXPR_ALGEBRA_NAMED_ROOT_H
#define QDOT_EXPR_ALGEBRA_NAMED_ROOT_H

#include "expr/walk.h"

typedef struct NamedRoots NamedRoots;

// The named roots below these expressions. In the scratch arena; close after use.
NamedRoots *named_roots_find(Context *cx, const Expr *exprs, size_t n);
void named_roots_close(NamedRoots *roots);

// All definitions opened but these and their time derivatives.
void named_roots_open(NamedRoots *roots, const Expr *exprs, size_t n, Expr *out);
// base^exponent by a named root, or 0 where there is none.
Expr named_root_power(const NamedRoots *roots, Expr base, Number exponent);

#endif
