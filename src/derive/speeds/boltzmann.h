// Boltzmann's and Hamel's equations, and Maggi's.
//
// Boltzmann, Hamel: with T* = T in coordinates and all quasi-velocities, those that the replaced
// constraints make zero among them,
//   K_r = d/dt dT*/du_r - sum_i W_ir dT*/dq_i + sum_s (sum_t gamma^s_rt u_t + gamma^s_r) dT*/du_s
//   gamma^s_rt = sum_ij (dY_si/dq_j - dY_sj/dq_i) W_ir W_jt
//   gamma^s_r  = sum_ij (dY_si/dq_j - dY_sj/dq_i) W_ir w_j + sum_i (dY_si/dt - dy_s/dq_i) W_ir
// where the quasi-velocities of the constraints are put to zero after T* was differentiated.
// Maggi: K_r = sum_i W_ir (d/dt dT/dq_i' - dT/dq_i).
// Lurie, Analytical Mechanics, 8.3; Greenwood, Advanced Dynamics, 4.3.
// Sources: boltzmann_hamel.c, maggi.c
#ifndef QDOT_DERIVE_SPEEDS_BOLTZMANN_H
#define QDOT_DERIVE_SPEEDS_BOLTZMANN_H

#include "derive/speeds/speed_equations.h"

typedef struct Boltzmann {
  SpeedEquations equations;
  const Expr *u;  // all quasi-velocities: the speeds, then those that vanish (n)
  Expr T;         // T* in coordinates and u
  Expr *momentum; // dT*/du at the motion (n)
  Expr *gamma;    // by s, r and t: n x count x (count + 1), gamma^s_r behind the others
} Boltzmann;

static inline Expr boltzmann_gamma(const Boltzmann *b, uint32_t s, uint32_t r, uint32_t t) {
  uint32_t count = b->equations.speeds.count;
  return b->gamma[(s * count + r) * (count + 1) + t];
}

#endif
