// Rewriting: substitution and its kin, over the whole graph at once.
// Sources: open.c, subst.c
#ifndef QDOT_EXPR_SUBST_H
#define QDOT_EXPR_SUBST_H

#include "expr/node.h"

typedef enum RewriteKind {
  REWRITE_KEEP,   // this node stays, nothing below it is looked at
  REWRITE_TO,     // becomes `to`
  REWRITE_INSIDE, // rebuilt from its rewritten children; a definition with a changed body becomes
                  // an unnamed one
  REWRITE_OPEN    // a definition becomes its rewritten body
} RewriteKind;

typedef struct Rewrite {
  RewriteKind kind;
  Expr to;
} Rewrite;

typedef Rewrite RewriteRule(Context *cx, Expr e, void *argument);

// Applies the rule to every node below the roots, children first.
void expr_rewrite(Context *cx, const Expr *roots, size_t n, RewriteRule *rule, void *argument,
                  Expr *out);

typedef struct Substitution {
  Expr from, to; // from: a symbol or a definition (as a leaf)
} Substitution;

// All substitutions at once, also inside definitions.
Expr expr_subst(Context *cx, Expr e, const Substitution *list, size_t n);
void expr_subst_many(Context *cx, const Expr *roots, size_t root_count, const Substitution *list,
                     size_t n, Expr *out);

// All definitions below e replaced by their bodies.
Expr expr_open(Context *cx, Expr e);
void expr_open_many(Context *cx, const Expr *roots, size_t n, Expr *out);
// Only those for which open answers true.
void expr_open_some(Context *cx, const Expr *roots, size_t n,
                    bool (*open)(const Context *cx, Expr definition, void *argument),
                    void *argument, Expr *out);

#endif
