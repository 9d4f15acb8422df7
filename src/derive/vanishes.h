// Is an expression of the equations zero for all values?
#ifndef QDOT_DERIVE_VANISHES_H
#define QDOT_DERIVE_VANISHES_H

#include "expr/node.h"

// A value that no rounding explains answers no at once; else the expression is multiplied out. What
// is too large for that counts as not zero.
bool vanishes(Context *cx, Expr e);
bool all_vanish(Context *cx, const Expr *e, uint32_t n);
// At one point, beyond what rounding may have made of it: most that is not zero shows it there.
bool clearly_not_zero(Context *cx, Expr e);

#endif
