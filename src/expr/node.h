// The expression graph: immutable nodes, each made once, named by a 32-bit id.
//
// Children have smaller ids than their parents, so ascending ids are a topological order.
// Equal expressions (within one definition) are the same id: compare with ==, never free.
#ifndef QDOT_EXPR_NODE_H
#define QDOT_EXPR_NODE_H

#include <stdbool.h>

#include "base/context.h"
#include "expr/deps.h"
#include "expr/number.h"
#include "expr/table_store.h"
#include "program/op.h"

typedef uint32_t Expr; // 0 is not an expression

typedef enum SymbolKind {
  SYMBOL_PARAMETER,
  SYMBOL_TIME,
  SYMBOL_COORDINATE,
  SYMBOL_VELOCITY,
  SYMBOL_ACCELERATION,
  SYMBOL_MULTIPLIER,
  SYMBOL_INPUT,
  SYMBOL_POSE, // a body's x, y or theta before a formulation gives it an expression
  SYMBOL_POSE_VELOCITY,
  SYMBOL_POSE_ACCELERATION,
  SYMBOL_REDUCTION,  // what a whole run amounts to: max(x), a part of measures
  SYMBOL_STATE,      // a first-order state of its own
  SYMBOL_STATE_RATE, // its rate, for which the equations have an expression
  SYMBOL_KINDS
} SymbolKind;

#define KIND_BIT(kind) (1u << (kind))

typedef struct Pair {
  Expr expr;
  Number number; // coefficient in a sum, exponent in a product
} Pair;

typedef struct Node {
  uint32_t hash;
  uint16_t op;
  uint16_t kinds;  // KIND_BIT of every symbol inside, definitions' bodies included
  uint32_t count;  // children of a function or definition, pairs of a sum or product
  DepSet deps;     // every symbol inside, definitions' bodies included
  Number number;   // value, constant term or coefficient
  uint32_t args[]; // children, pairs, or what a symbol and a definition need
} Node;

// Places of names in print, by Symbol; 0 for a name that has none and stands behind, by its text.
typedef struct ReadingOrder {
  const uint32_t *factor, *term; // among the factors of a product, the terms of a sum
  uint32_t n;
} ReadingOrder;

typedef struct ExprStore {
  NumberTable *numbers;
  DepTable *deps;
  VEC(const TableData *) tables; // by id
  VEC(const Node *) nodes;       // by id
  Expr *slots;                   // the unique table
  uint32_t slot_count;
  VEC(Expr) symbols;      // by variable number
  VEC(Expr) symbol_index; // by name * SYMBOL_KINDS + kind
  uint32_t *stamps;       // walk: generation in which a node was last seen
  uint32_t stamp_count, generation;
  struct ExprMemo *memos; // those not in use
  struct ExprMap *rates;  // definition -> its time derivative
  ReadingOrder reading;   // how the author orders names; see order.h
  Expr undefined, zero, one, pi;
} ExprStore;

// Makes the tables of a fresh context; called by the first builder, so nobody else needs to.
ExprStore *expr_store(Context *cx);

static inline const Node *node_of(const Context *cx, Expr e) { return cx->exprs->nodes.at[e]; }
static inline Op op_of(const Context *cx, Expr e) { return (Op)node_of(cx, e)->op; }
static inline const Pair *pairs_of(const Node *node) { return (const Pair *)node->args; }
static inline TableId node_table(const Node *node) { return node->args[1]; }
static inline TableAspect node_aspect(const Node *node) { return (TableAspect)node->args[2]; }

// The node with this content, made if it is new; words hold count children or pairs, then extras.
Expr node_intern(Context *cx, Op op, Number number, uint32_t count, const uint32_t *words,
                 uint32_t word_count);

uint32_t expr_count(const Context *cx); // nodes so far

// Symbols
SymbolKind symbol_kind(const Context *cx, Expr e);
Symbol symbol_name(const Context *cx, Expr e);
uint32_t symbol_variable(const Context *cx, Expr e); // its number in dependency sets

// Does e contain the symbol, anywhere, also inside definitions?
bool expr_depends(const Context *cx, Expr e, Expr symbol);
// Does e contain a symbol of one of these kinds (KIND_BIT ored)?
bool expr_has_kind(const Context *cx, Expr e, uint32_t kinds);

// Numbers
bool expr_is_number(const Context *cx, Expr e);
Number expr_number_value(const Context *cx, Expr e); // NUMBER_NONE when it is not a number
bool expr_is_zero(const Context *cx, Expr e);
bool expr_is_one(const Context *cx, Expr e);
bool expr_is_defined(const Context *cx, Expr e);

// The coefficient of e as a term: coefficient * rest, rest without coefficient.
Number expr_coefficient(const Context *cx, Expr e);
// Sign by which odd functions and brackets are normalised: that of most terms of a sum; of most
// that move where as many are positive as negative, l - l_0; else that of the first. 1 - cos(x)
// stays.
int expr_leading_sign(const Context *cx, Expr e);

#endif
