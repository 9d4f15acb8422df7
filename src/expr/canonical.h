// The invariant of every node, spelled out.
#ifndef QDOT_EXPR_CANONICAL_H
#define QDOT_EXPR_CANONICAL_H

#include "expr/node.h"

// Is this one node as the constructors must leave it? Children are not visited.
bool expr_is_canonical(Context *cx, Expr e);

// Checked after every construction in builds that can afford it.
#ifdef QDOT_PARANOID
#define ASSERT_CANONICAL(cx, e) assert(expr_is_canonical((cx), (e)))
#else
#define ASSERT_CANONICAL(cx, e) ((void)0)
#endif

#endif
