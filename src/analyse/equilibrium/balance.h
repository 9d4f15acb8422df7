// The balance of forces of a steady motion, as expressions and as numbers.
//
// At q'' = 0 the equations of motion leave  h + D + G - Q + Phi_q^T lambda = 0.  Rows are the
// model's constraints, then its contacts; a contact that does not touch has lambda 0.
#ifndef QDOT_ANALYSE_EQUILIBRIUM_BALANCE_H
#define QDOT_ANALYSE_EQUILIBRIUM_BALANCE_H

#include "derive/system.h"
#include "expr/walk.h"
#include "native/compiled.h"

typedef struct Balance {
  Context *cx;
  const System *system;
  Arena arena;
  Handle handle;
  uint32_t n, m, inputs; // coordinates, rows, inputs of the model
  const Row **rows;      // m
  Expr *applied;         // n: h + D + G - Q
  Expr *reaction;        // n: Phi_q^T lambda
  Expr *rates;           // m: Phi_q q' + Phi_t
  Expr *applied_q;       // n x n: derivatives by q
  Expr *reaction_q;      // n x n
  ExprList zeros;        // parameters of value 0 that must be taken as 0: t would matter otherwise
  ExprList left_out;     // parameters that are taken as 0 whatever their values are
  bool has_roots;        // the next were looked for
  ExprList roots;        // arguments of roots in the equations, see apex.h
  ExprList switches;     // functions of the model that switch: |x|, min, conditions
  double *values;        // by variable: parameters, inputs, and the state of the last evaluation
  // numbers of the last evaluation
  double *force; // n
  double *size;  // n: |h| + |D| + |G| + |Q| + sum of |Phi_q^T lambda|, to compare the force with
  double *K;     // n x n: derivative of the force by q
  double *phi;   // m: 0 for nonholonomic rows
  double *Phi_q; // m x n
  double *rate;  // m
  // Nonholonomic rows that a state at rest must meet by its positions, z' = r - x, and their
  // slopes.
  bool *settles;    // m
  double *rate_q;   // n for each of them
  bool is_settling; // they are taken so: positions are looked for, not velocities
  Compiled program;
  double *in, *out, *work;
} Balance;

// The system must have its matrices. `values` is an array as model_values gives it; it is copied.
void balance_open(Balance *b, Context *cx, const System *system, const double *values);
void balance_close(Balance *b);

// Takes other values of parameters and inputs.
void balance_set_values(Balance *b, const double *values);
// Takes a parameter as 0 from now on.
void balance_leave_out(Balance *b, Expr parameter);
// All numbers at q, q' (n each), lambda (m) and t = 0. False when one is not finite.
bool balance_evaluate(Balance *b, const double *q, const double *qd, const double *lambda);

#endif
