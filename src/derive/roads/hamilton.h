// Hamilton's canonical equations, from Lagrange's function by the Legendre transformation.
//
//   p_i = dL/dq_i' = (M q' + b)_i     momenta; linear in the velocities
//   q'  = M^-1 (p - b)                solved for them
//   H   = p q' - L = (p - b) M^-1 (p - b)/2 - L_0
//   q_i' = dH/dp_i,  p_i' = -dH/dq_i + Q_i - dR/dq_i' - sum lambda_k dPhi_k/dq_i
//
// b and L_0 are dL/dq' and L where the velocities are zero. Source: Goldstein, Poole, Safko,
// Classical Mechanics, 3rd ed., 8.1; constraints of velocities enter by dPhi_k/dq_i'.
#ifndef QDOT_DERIVE_ROADS_HAMILTON_H
#define QDOT_DERIVE_ROADS_HAMILTON_H

#include "derive/system.h"
#include "expr/algebra/simplify.h"

typedef struct Hamilton {
  uint32_t n, states;
  const Expr *p, *pd; // momenta and their rates as symbols
  Expr *M, *b;        // p = M q' + b; M n x n by rows
  Expr *momentum;     // dL/dq' in coordinates and velocities
  Expr *velocity;     // q' in coordinates and momenta
  Expr *below;        // what each is divided by, the same for those that hang together
  Expr H;             // in coordinates, momenta and t
  Expr *slope;        // -dH/dq
  Expr *force;        // Q - D and the multipliers, in coordinates and momenta; 0 where none
  Expr *state_rate;   // rates of first-order states, in coordinates and momenta
  // Where M^-1 is too long to read: H, slope, force and state_rate are in coordinates and
  // velocities, which follow from p = M q' + b
  bool is_implicit;
} Hamilton;

// The system must have its matrices. Velocities that do not follow from the momenta, or momenta
// that are not linear in them, are a mistake that names them. All arrays in the keep arena.
Status hamilton_derive(Context *cx, const System *system, Hamilton *out);
// The same in the reader's form, which may be implicit; what is too long to read stays as it is
// where the caller wants it explicit.
void hamilton_simplify(Context *cx, const System *system, SimplifyLevel level, bool may_be_implicit,
                       Hamilton *out);
// e with coordinates and momenta in place of velocities.
Expr hamilton_without_velocities(Context *cx, const System *system, const Hamilton *hamilton,
                                 Expr e);
// Any expressions in coordinates and momenta, without velocities.
void hamilton_simplify_values(Context *cx, const System *system, const Hamilton *hamilton,
                              SimplifyLevel level, Expr *at, uint32_t n);
// Do the momenta have parts b that are free of velocities?
bool hamilton_moves(Context *cx, const Hamilton *hamilton);
// p_i' without constraints and contacts: slope + force.
Expr hamilton_rate(Context *cx, const Hamilton *hamilton, uint32_t i);

#endif
