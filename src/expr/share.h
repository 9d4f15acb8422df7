// Which parts of a graph to name, so that its text stays about as small as the graph.
#ifndef QDOT_EXPR_SHARE_H
#define QDOT_EXPR_SHARE_H

#include "expr/walk.h"

// When does repetition count as swelling?
typedef struct ShareOptions {
  double ratio; // text without names over text with them, from which on parts are named
  double least; // a part that is written out `uses` times must save this much (expr_cost)
} ShareOptions;

static inline ShareOptions share_defaults(void) { return (ShareOptions){3, 12}; }

// The parts of the roots to be written once, under a name, in an order in which each uses only
// earlier ones: all named definitions (with their time derivatives, as far as the roots use them),
// and where the text would swell the parts that are used several times. In the scratch arena.
ExprList expr_shared_parts(Context *cx, const Expr *roots, size_t n, ShareOptions options);

#endif
