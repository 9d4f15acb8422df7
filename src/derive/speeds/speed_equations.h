// Equations of motion in quasi-velocities: what every road to them ends at.
//
//   K_r = sum_s m_rs u_s' + b_r     what the road gives of the inertia, one for each speed
//   F_r = sum_i W_ir (Q_i - dR/dq_i' - dV/dq_i - sum_k lambda_k dPhi_k/dq_i)
//   K_r = F_r,  q' = W u + w
//
// F_r is the generalized active force of the speed; replaced constraints do no work on it.
#ifndef QDOT_DERIVE_SPEEDS_SPEED_EQUATIONS_H
#define QDOT_DERIVE_SPEEDS_SPEED_EQUATIONS_H

#include "derive/speeds/speeds.h"

typedef struct SpeedEquations {
  Speeds speeds;
  uint32_t states;
  Expr *inertia;    // K_r in coordinates, speeds and their rates
  Expr *m, *b;      // count x count by rows, count
  Expr *force;      // F_r
  Expr *rate;       // u_r'
  Expr *below;      // what each is divided by
  Expr *state_rate; // of first-order states
  bool is_implicit; // the rates are too long to read: m u' + b = F stands for them
} SpeedEquations;

// inertia: K_r of the road. The speeds are those that it is stated in.
Status speed_equations_finish(Context *cx, const System *system, const Speeds *speeds,
                              const Expr *inertia, SpeedEquations *out);
void speed_equations_simplify(Context *cx, const System *system, SimplifyLevel level,
                              bool may_be_implicit, SpeedEquations *equations);
void speed_equations_rates(Context *cx, const SpeedEquations *equations, ExprList *out);
void speed_equations_values(Context *cx, const SpeedEquations *equations, ExprList *out);
// sum_s m_rs u_s' + b_r.
Expr speed_equations_inertia(Context *cx, const SpeedEquations *equations, uint32_t r);
// See RoadType: K_r - F_r less W^T times Lagrange's residual, with what must hold of q' and u'.
void speed_equations_differences(Context *cx, System *system, const SpeedEquations *equations,
                                 ExprList *out);

// The weights of coordinates' equations summed up: sum_i W_ir at[i] for each speed.
void speed_equations_project(Context *cx, const Speeds *speeds, const Expr *at, Expr *out);

#endif
