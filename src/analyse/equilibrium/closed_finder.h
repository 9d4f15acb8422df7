// The search for closed forms: what is known of each unknown, and the equations with that put in.
// Sources: closed_solve.c
#ifndef QDOT_ANALYSE_EQUILIBRIUM_CLOSED_FINDER_H
#define QDOT_ANALYSE_EQUILIBRIUM_CLOSED_FINDER_H

#include "analyse/equilibrium/steady.h"
#include "expr/walk.h"

#define ZERO_BUDGET 200000 // term operations of one proof

typedef enum Known { OPEN, GIVEN, SOLVED, GUESSED, NAMED } Known;

// Unknowns: q (n), q' (n), lambda (m).
typedef struct Finder {
  Context *cx;
  Balance *b;
  const Steady *s;
  const bool *carries;
  uint32_t n, m, count;
  Expr *symbol, *value;
  double *number;
  Known *known;
  bool *banned; // guesses that were disproved
  bool *is_new; // solved in this pass
  uint32_t equations;
  Expr *equation, *current; // as derived, and with what is known put in
  uint32_t *row;            // of the Jacobian: force i, or n + k for position row k; UINT32_MAX
  ExprList zeros;           // parameters of value 0 that a proof takes as 0
} Finder;

// The number of unknowns left in e; one of them in *which.
uint32_t finder_open_unknowns(const Finder *f, Expr e, uint32_t *which);
// The derivative of an equation by an unknown, as a number.
double finder_slope(const Finder *f, uint32_t equation, uint32_t unknown);

// Is e zero for all values of the parameters? If only because some parameters of value 0 are taken
// as 0, they are remembered.
bool finder_is_zero(Finder *f, Expr e);

// Solves every equation that has one unknown left. False when there was none.
bool finder_solve_single(Finder *f);
// Solves a set of equations that share unknowns linearly. False when there was none.
bool finder_solve_linear(Finder *f);
// Takes 0 and multiples of pi/12 for what looks like them. False when nothing does.
bool finder_guess(Finder *f);

#endif
