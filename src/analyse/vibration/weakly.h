// One weakly nonlinear coordinate by the methods of hand calculation.
//
// About an equilibrium, u = q - q_e, with T = m(u) u'^2/2 and the restoring force g(u):
//   s = integral of sqrt(m/m_0) du has a constant mass,  s'' + w_0^2 s + alpha_2 s^2 + alpha_3 s^3
//   = 0 w = w_0 (1 + kappa a^2),  kappa = (9 alpha_3 w_0^2 - 10 alpha_2^2)/(24 w_0^4) Lindstedt,
//   Poincare
// and under 2 mu u' and f cos(W t), by averaging:
//   (mu^2 + (W - w)^2) a^2 = (f/(2 w_0))^2
// a is the amplitude of u. Nayfeh, Mook, Nonlinear Oscillations, 2.3 and 4.1.
#ifndef QDOT_ANALYSE_VIBRATION_WEAKLY_H
#define QDOT_ANALYSE_VIBRATION_WEAKLY_H

#include "analyse/linear/linearized.h"

enum { WEAKLY_POINTS = 12 };

typedef struct Weakly {
  Expr square, alpha_2, alpha_3, kappa; // of parameters: w_0^2 and so on; 0 where q_e is a number
  double w_0, a_2, a_3, k;              // their values: w_0, alpha_2, alpha_3, kappa
  double most;                          // amplitude up to which it is drawn
  // Amplitudes, and frequencies computed by quadrature of the period without any series.
  uint32_t count;
  double amplitude[WEAKLY_POINTS], frequency[WEAKLY_POINTS];
  bool is_forced;                // by one harmonic of time, and damped
  double mu, f, frequency_given; // half the damping and the force by the mass, W of the model
  double peak;                   // the largest amplitude, f/(2 w_0 mu),
  double backbone;               // and its frequency
  uint32_t jumps;                // 0 or 2: frequencies where the response jumps
  double jump[2];
} Weakly;

// False where the system is not one such coordinate at a stable equilibrium, or is linear.
bool weakly_find(const Linearized *l, const double *values, Weakly *out);
// W - w_0 (1 + kappa a^2) on either branch at amplitude a; NAN beyond the peak.
double weakly_detuning(const Weakly *w, double amplitude);

#endif
