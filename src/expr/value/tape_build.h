// Tapes of expressions that are asked for their values, sizes or bounds again and again, without
// walking the graph.
#ifndef QDOT_EXPR_VALUE_TAPE_BUILD_H
#define QDOT_EXPR_VALUE_TAPE_BUILD_H

#include "expr/node.h"
#include "program/tape.h"

// Variables are numbered by symbol_variable. Memory from the arena, which is not the scratch arena;
// the context keeps the tables.
const Tape *tape_new(Context *cx, Arena *arena, const Expr *roots, uint32_t n);

#endif
